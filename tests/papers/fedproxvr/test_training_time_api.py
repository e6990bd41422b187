"""The verb `tune` keeps the contract."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from fedproof.bounds.statement_handle import statement
from fedproof.papers.fedproxvr.training_time.minimise import minimise
from fedproof.solvers.api import run
from fedproof.tuning.api import tune
from fedproof.vocabulary.errors import InputError, UnknownName
from fedproof.vocabulary.result import to_json

CASE: dict[str, Any] = {"L": 1, "lam": "0.5", "sigma2": 1, "gamma": "0.01"}


def test_the_document() -> None:
    """The keys of the contract, one strict JSON document."""
    document = json.loads(to_json(tune("fedproxvr", **CASE)))

    assert {"objective", "argmin", "lower_bound", "certified", "active", "run"} <= set(document)
    assert set(document["argmin"]) == {"mu", "beta", "tau", "theta", "Theta"}
    assert document["certified"] is True
    assert document["lower_bound"] <= document["objective"]
    assert document["active"] == ["(13) lower", "(13) upper"]


def test_run_takes_it_as_it_stands() -> None:
    """The run entry is a complete call of `fedproof.run`."""
    for tau in ("real", "integer"):
        call = tune("fedproxvr", L=1, lam=0, sigma2=0, gamma=1, tau=tau).run
        assert call is not None
        assert isinstance(call["local_steps"], int)
        assert run(**call, problem="quadratic", rounds=1).rounds == 1


def test_run_follows_from_the_argmin() -> None:
    """stepsize = 1/(beta L), local_steps = floor tau, prox_weight = mu."""
    best = tune("fedproxvr", L=4, lam=1, sigma2=2, gamma="1/50", estimator="svrg")
    assert best.argmin is not None
    assert best.run is not None

    assert best.run["stepsize"] == pytest.approx(1 / (4 * best.argmin["beta"]))
    assert best.run["local_steps"] == int(best.argmin["tau"])
    assert best.run["prox_weight"] == best.argmin["mu"]
    assert best.run["estimator"] == "svrg"
    assert best.active == ("(14) lower", "(14) upper", "(14) exists a")


def test_letters_and_words() -> None:
    """The paper's letters and the canonical words mean the same, and so do text and numbers."""
    words = {
        "smoothness_sample": 1.0,
        "weak_convexity": Fraction(1, 2),
        "dissimilarity": "1",
        "delay_ratio": 0.01,
    }

    assert tune("fedproxvr.problem23", **words).objective == tune("fedproxvr", **CASE).objective


def test_whole_tau_reports_its_gain() -> None:
    """The gain is over problem (23)'s least objective."""
    best, plain = tune("fedproxvr", **CASE, tau="integer"), tune("fedproxvr", **CASE)

    assert best.gain == pytest.approx(1 - best.objective / plain.objective)
    assert best.real == plain.objective
    assert best.argmin is not None
    assert best.argmin["tau"] % 1 == 0
    assert plain.gain is None


def test_an_infimum_that_is_not_attained() -> None:
    """gamma = 0: the infimum, proved; argmin and run are null; the note says why."""
    best = tune("fedproxvr", L=1, lam=0, sigma2=0, gamma=0)

    assert best.argmin is None
    assert best.run is None
    assert best.certified
    assert "not attained" in best.note
    assert json.loads(to_json(best))["argmin"] is None


def test_an_uncertified_answer_says_so() -> None:
    """SVRG at lam = 1000 L: certified is false and the note is plain about it."""
    best = tune("fedproxvr", L=1, lam=1000, sigma2=0, gamma="0.1", estimator="svrg")

    assert not best.certified
    assert "not proved" in best.note


@pytest.mark.parametrize(
    ("id", "changed", "error", "text"),
    [
        ("fedproxvr.problem32", {}, UnknownName, "did you mean fedproxvr.problem23"),
        ("fedproxvr", {"lam": "-1"}, InputError, "lam: got -1, expected a number >= 0"),
        ("fedproxvr", {"sigma2": "many"}, InputError, "sigma2: got many"),
        ("fedproxvr", {"smoothness_sample": 1}, InputError, "leave one of the two names out"),
        ("fedproxvr", {"estimator": "sgd"}, UnknownName, "one of sarah, svrg"),
        ("fedproxvr", {"tau": "whole"}, UnknownName, "one of real, integer"),
        ("fedproxvr", {"form": "sharp"}, UnknownName, "did you mean sharpened"),
        (
            "fedproxvr.problem23.sharpened",
            {"form": "printed"},
            InputError,
            "problem23.sharpened is sharpened",
        ),
        ("fedproxvr", {"L": "1e400"}, InputError, "magnitude between"),
        ("fedproxvr", {"L": "1e-200", "lam": "1e200"}, InputError, "less extreme"),
    ],
)
def test_bad_input_is_one_line(id: str, changed: dict[str, Any], error: type[InputError], text: str) -> None:
    """Each mistake has its sentence."""
    with pytest.raises(error) as caught:
        tune(id, **CASE | changed)

    assert text in str(caught.value)
    assert "\n" not in str(caught.value)


def admitted(form: str, estimator: str, best: Any, problem: dict[str, Any]) -> bool:
    """Whether Lemma 1 admits mu, beta, tau and theta, and the whole chain mu, beta and tau, exactly."""
    end = ".sharpened" if form == "sharpened" else ""
    lemma, chain = (statement(f"fedproxvr.{name}.{estimator}{end}") for name in ("lemma1", "certified"))
    point = {k: best[k] for k in ("mu", "beta", "tau")}
    held = lemma.check(L=problem["L"], lam=problem["lam"], theta=best["theta"], **point).applicable
    return held and chain.check(**problem, **point).applicable


@pytest.mark.parametrize("form", ["printed", "sharpened"])
@pytest.mark.parametrize("estimator", ["sarah", "svrg"])
@pytest.mark.parametrize("tau", ["real", "integer"])
def test_the_minimiser_as_told_is_admitted(form: str, estimator: str, tau: str) -> None:
    """The decimals satisfy every condition, also where lam dwarfs L and mu - lam loses most of its digits."""
    for gamma, sigma2 in product(("1e-7", "1e-4", "0.01", "1"), (0, 1, 10)):
        problem = {"L": 1, "lam": "0.1", "sigma2": sigma2}
        found = tune("fedproxvr", **problem, gamma=gamma, estimator=estimator, tau=tau, form=form)

        assert admitted(form, estimator, found.argmin, problem)
        assert "short steps" not in found.active or (form, gamma, sigma2) == ("sharpened", "1e-7", 0)
    for gamma in ("1e-30", "1e-3", "10") if (form, tau) == ("sharpened", "real") else ():
        far = {"L": "3e-7", "lam": "0.1", "sigma2": 0}
        best = tune("fedproxvr", **far, gamma=gamma, estimator=estimator, form=form).argmin
        assert admitted(form, estimator, best, far)


def test_the_sharpened_form() -> None:
    """By option or by id it is the same answer, better than the printed one; the document says its form."""
    best = tune("fedproxvr", **CASE, form="sharpened")
    named = tune("fedproxvr.problem23.sharpened", **CASE)

    assert (best.objective, best.argmin, best.run) == (named.objective, named.argmin, named.run)
    assert best.certified
    assert best.active == ("(13) upper, sharpened",)
    assert best.to_dict()["form"] == "sharpened"
    assert tune("fedproxvr", **CASE).to_dict()["form"] == "printed"
    assert best.objective < tune("fedproxvr", **CASE).lower_bound


@pytest.mark.parametrize("estimator", ["sarah", "svrg"])
def test_the_run_of_the_sharpened_form_is_admitted_with_the_same_theta(estimator: str) -> None:
    """With tau rounded down, the sharpened Lemma 1 admits the theta of the unrounded one: see the note."""
    for gamma in ("1e-7", "0.01", "1"):
        best = tune("fedproxvr", L=1, lam=0, sigma2=0, gamma=gamma, estimator=estimator, form="sharpened")
        lemma = statement(f"fedproxvr.lemma1.{estimator}.sharpened")
        point = {"mu": best.run["prox_weight"], "beta": best.argmin["beta"], "tau": best.run["local_steps"]}

        assert point["tau"] < best.argmin["tau"]
        assert lemma.check(L=1, lam=0, theta=best.argmin["theta"], **point).applicable
        assert "the same theta" in best.note


def test_short_steps_are_told_as_active() -> None:
    """Where mu is as small as short steps allow, the label says so."""
    best = tune("fedproxvr.problem23.sharpened", L=2, lam=0, sigma2=0, gamma="1e-8")

    assert best.active == ("(13) upper, sharpened", "short steps")
    assert best.argmin["mu"] == pytest.approx(2**0.5, rel=1e-12)


def test_short_steps_hold_for_the_decimals_of_mu() -> None:
    """Where lam dwarfs mu - lam the nearest decimals of mu can be too small; what is told never is."""
    theorem, moved = statement("fedproxvr.theorem1.sharpened"), 0
    for lam in (100, 101, 103):
        best = tune("fedproxvr", L=1, lam=lam, sigma2=0, gamma="1e-30", form="sharpened")
        near = minimise(1.0, lam, 0.0, 1e-30, form="sharpened").prox_weight
        point = {"mu": best.argmin["mu"], "theta": best.argmin["theta"]}
        moved += point["mu"] > near

        assert "short steps" in best.active
        assert theorem.check(L=1, lam=lam, sigma2=0, **point).applicable
    assert moved > 0
