"""The verb `measure`: its document, what feeds statements, interrupts and bad input."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import isfinite
from typing import Any

import numpy as np
import pytest

import fedproof as fp
from fedproof.cli import main
from fedproof.measure import api as module
from fedproof.measure.api import CONSTANTS, measure
from fedproof.measure.measure_result import MeasureResult
from fedproof.problems.catalog import make_problem
from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.problems.supervised.models.logistic import Logistic
from fedproof.problems.supervised.models.perceptron import Perceptron
from fedproof.problems.supervised.models.softmax import Softmax
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.supervised import Supervised
from fedproof.vocabulary.errors import InputError, UnknownName
from fedproof.vocabulary.quantities import QUANTITIES
from fedproof.vocabulary.result import to_json
from tests.measure.toys import toy
from tests.refusals import refused

QUICK: dict[str, Any] = {"rounds": 2, "seeds": 2, "effort": "0.02"}


@pytest.fixture(scope="module")
def cancer() -> MeasureResult:
    """Real data that can be separated, few clients, little effort."""
    return measure("breast_cancer", clients=5, **QUICK)


def test_the_document(cancer: MeasureResult) -> None:
    """One strict JSON document with every constant, its kind, spread, clause, ends, unit and cost."""
    document = json.loads(to_json(cancer))

    assert set(document["constants"]) == set(CONSTANTS) <= set(QUANTITIES)
    for entry in document["constants"].values():
        assert {"value", "kind", "spread", "how", "lower", "upper", "unit", "cost", "details"} <= set(entry)
        assert entry["kind"] in ("exact", "certified", "estimate")
        assert entry["how"]
        assert "\n" not in entry["how"]
        assert ("why" in entry) == (entry["value"] is None)
        assert set(entry["cost"]) == {"seconds", "sample_gradients", "hessian_products"}
    assert document["data"]["clients"] == 5
    assert document["data"]["rows"] == 569
    assert document["interrupted"] is False


def test_no_lower_end_is_above_its_upper_end(cancer: MeasureResult) -> None:
    """On several data sets what was found never exceeds what is proved."""
    others = [
        measure("breast_cancer", problem_options={"model": "logistic", "l2": "0.01"}, **QUICK),
        measure("synthetic", clients=3, **QUICK),
        measure("digits", clients=5, problem_options={"nonconvex": "0.1"}, **QUICK),
        measure("quadratic", clients=4, **QUICK),
    ]
    compared = 0
    for found in (cancer, *others):
        for entry in found.constants.values():
            if entry.lower is not None and entry.upper is not None:
                compared += 1
                assert entry.lower <= entry.upper, (found.data["problem"], entry)
    assert compared > 20


@pytest.mark.parametrize("seed", range(3))
def test_quadratics_report_their_exact_constants(seed: int) -> None:
    """What is exact is passed on as it is."""
    exact = random_quadratic(seed, heterogeneity=2)
    found = measure(exact.as_float(), **QUICK).constants
    for name in ("smoothness_sample", "smoothness", "weak_convexity", "dissimilarity"):
        assert found[name].value == exact.constants[name].value
        assert found[name].kind == "exact"
    assert found["initial_gap"].value == exact.loss(exact.start()) - exact.constants["least_loss"].value


def test_constants_feed_statements() -> None:
    """`known_for` gives a statement exactly what it has letters for; the numbers are the constants'."""
    found = measure("quadratic", clients=3, **QUICK)
    id = "fedproxvr.certified.sarah"
    values = found.known_for(id)
    handle = fp.statement(id)

    assert set(values) == {"smoothness_sample", "weak_convexity", "dissimilarity", "initial_gap"}
    assert found.known_for(id, proved=True) == values
    checked = handle.check(**values, mu=10**3, beta=10**3, tau=10**5, T=10, eps="1/100")
    assert checked.values["L"] == Fraction(found.constants["smoothness_sample"].value)
    assert checked.missing == ()
    assert not handle.range("tau", **values, mu=200, beta=400).empty
    problem = found.known_for("fedproxvr.problem23")
    assert fp.tune("fedproxvr", **problem, gamma="0.01").certified


def test_only_usable_values_are_known(cancer: MeasureResult) -> None:
    """Nothing without a value and nothing outside its quantity's domain; proved values are proved."""
    for name, value in cancer.known.items():
        assert isfinite(value)
        assert Fraction(value) in QUANTITIES[name].domain
    for name, value in cancer.proved.items():
        entry = cancer.constants[name]
        assert float(value) == pytest.approx(float(entry.upper))
    assert cancer.proved["dissimilarity"] > cancer.known["dissimilarity"]
    assert "inexactness" not in cancer.proved


def test_a_value_without_bound_is_null_with_its_reason() -> None:
    """No finite sigma: null, a reason, and nothing for statements to use."""
    found = measure("digits", clients=5, problem_options={"l2": "0.1"}, **QUICK)
    entry = json.loads(to_json(found))["constants"]["dissimilarity"]

    assert entry["value"] is None
    assert "no finite one exists" in entry["why"]
    assert "dissimilarity" not in found.known


@pytest.mark.parametrize("options", [
    {"problem": "digits", "problem_options": {"l2": "0.1"}, "clients": 5},
    {"problem": "breast_cancer", "problem_options": {"model": "hinge"}, "clients": 3},
    {"problem": "diabetes", "clients": 3},
])  # fmt: skip
def test_an_infinite_constant_is_called_infinite(options: dict[str, Any]) -> None:
    """Where it is proved that none is finite, kind and value are never shown without that word."""
    found = measure(**options, **QUICK)
    infinite = [name for name, e in found.constants.items() if e.value is None and e.kind != "estimate"]

    assert infinite
    shown = {row[0]: row for row in found.tables()[0].rows}
    for name in infinite:
        assert shown[name][2] == "infinite"
        entry = found.to_dict()["constants"][name]
        assert "infinite" in entry["how"]
        assert "infinite" in entry["why"]
        assert "infinite" in found.frame.loc[name, "how"]


@pytest.mark.parametrize("options", [{"l2": "0.1"}, {}])
def test_a_ratio_that_is_squared_says_so(options: dict[str, Any]) -> None:
    """sigma2 is the square in (5) already, found by search or along the trajectory."""
    entry = measure("breast_cancer", clients=3, problem_options=options, **QUICK).constants["dissimilarity"]

    assert "already squared" in entry.how


def test_settings_decide_theta() -> None:
    """Letters reach the algorithm; more local steps with a larger step size solve more exactly."""
    rough = measure("quadratic", tau=1, beta=20, mu=1, **QUICK).constants["inexactness"]
    fine = measure(
        "quadratic", parameters={"tau": 400, "beta": 5, "mu": 1, "returned": "last"}, **QUICK
    ).constants["inexactness"]

    assert fine.value < rough.value / 2
    assert rough.details["settings"]["local_steps"] == 1


def test_the_same_seed_gives_the_same_constants(cancer: MeasureResult) -> None:
    """All but the seconds."""
    again = measure("breast_cancer", clients=5, **QUICK).constants
    for name, entry in cancer.constants.items():
        assert replace(again[name], seconds=entry.seconds) == entry


def test_a_model_without_constants_gets_estimates() -> None:
    """A perceptron: no L holds everywhere; estimates near the trajectory, and they say so."""
    found = measure(toy(0, Perceptron(2, hidden=3)), L=10, **QUICK).constants

    for name in ("smoothness_sample", "smoothness", "weak_convexity"):
        assert found[name].kind == "estimate"
        assert found[name].value > 0
        assert "lower bound" in found[name].how


def test_progress_names_each_constant() -> None:
    """The trajectory, then every constant in turn."""
    notes: list[str] = []
    measure("quadratic", progress=notes.append, **QUICK)

    assert [n for n in notes if n in CONSTANTS] == list(CONSTANTS)


def test_an_interrupt_keeps_what_was_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Constants before the interrupt are there; the result says that the rest is missing."""

    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "measure_dissimilarity", stop)
    found = measure("quadratic", **QUICK)

    assert found.interrupted
    assert list(found.constants) == list(CONSTANTS[:6])
    assert "interrupted" in found.headline()
    assert json.loads(to_json(found))["interrupted"] is True


def test_tables_and_frame(cancer: MeasureResult) -> None:
    """A row a constant, with the paper's letter where it has one."""
    rows = {row[0]: row for row in cancer.tables()[0].rows}

    assert rows["smoothness_sample"][1] == "L"
    assert rows["dissimilarity"][1] == "sigma2"
    assert rows["inexactness"][1] == "theta"
    assert list(cancer.frame.index) == list(CONSTANTS)
    assert "<table>" in cancer._repr_html_()


@pytest.mark.parametrize(("call", "error", "said"), [
    (lambda: measure("digts"), UnknownName, "did you mean digits"),
    (lambda: measure("digits", clients=0), InputError, "clients"),
    (lambda: measure("digits", effort=0), InputError, "effort"),
    (lambda: measure("digits", effort="x"), InputError, "effort"),
    (lambda: measure("digits", seeds=1), InputError, "seeds"),
    (lambda: measure("digits", rounds=-1), InputError, "rounds"),
    (lambda: measure("digits", seed=-1), InputError, "seed"),
    (lambda: measure("digits", tua=3), UnknownName, "tau"),
    (lambda: measure("quadratic", parameters={"tau": 5}, tau=6), InputError, "tau.*give it once"),
    (lambda: measure("digits", algorithm="fedprx"), UnknownName, "fedprox"),
    (lambda: measure(random_quadratic(0)), InputError, "as_float"),
    (lambda: measure(make_problem("quadratic"), clients=2), InputError, "leave one out"),
    (lambda: measure("digits", problem_options={"modl": "softmax"}), UnknownName, "model"),
])  # fmt: skip
def test_bad_input_is_one_line(call: Callable[[], Any], error: type[Exception], said: str) -> None:
    """What was wrong and what to type instead."""
    refused(error, said, call)


def test_one_sample_and_one_client() -> None:
    """The smallest problem: no variance, no dissimilarity, no failure."""
    one = Supervised(Logistic(2), np.array([[2.0]]), np.array([1]), Partition.of_sizes([1]))
    found = measure(one, **QUICK).constants

    assert found["gradient_variance"].value == 0
    assert found["dissimilarity"].value == pytest.approx(0, abs=1e-12)
    assert found["smoothness"].value == pytest.approx(1)


def test_features_that_are_all_zero() -> None:
    """No curvature and no gradient: the constants are 0 or null, and nothing divides by 0."""
    flat = Supervised(Softmax(2), np.zeros((3, 2)), np.array([0, 1, 0]), Partition.of_sizes([1, 2]))
    found = measure(flat, **QUICK)

    assert found.constants["smoothness"].value == pytest.approx(0, abs=1e-12)
    json.loads(to_json(found))


def test_the_shell_prints_the_same_document(capsys: pytest.CaptureFixture[str]) -> None:
    """`fedproof measure DATA name=value --option name=value` is the verb, with exit code 0."""
    options = ["--clients", "3", "--rounds", "2", "--seeds", "2", "--option", "dimension=2"]
    assert main(["measure", "quadratic", "tau=3", *options, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    found = measure("quadratic", clients=3, rounds=2, seeds=2, problem_options={"dimension": 2}, tau=3)

    for name, entry in found.constants.items():
        value = shown["constants"][name]["value"]
        assert value is None if entry.value is None else value == pytest.approx(float(entry.value))
    assert shown["data"] == json.loads(to_json(found))["data"]


@pytest.mark.parametrize("wrong", [["digts"], ["digits", "tua=3"], ["digits", "--effort", "nan"]])
def test_the_shell_refuses_in_one_line(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2 and one line on stderr."""
    assert main(["measure", *wrong]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_an_interrupt_in_the_shell_prints_what_there_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C: the constants so far on stdout, exit code 130."""

    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "measure_variance", stop)
    assert main(["measure", "quadratic", "--rounds", "1", "--json"]) == 130
    assert len(json.loads(capsys.readouterr().out)["constants"]) == 8
