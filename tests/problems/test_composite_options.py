"""Penalties and problems by name and by options: what is built, what it is called, and what is refused."""

from __future__ import annotations

import pickle
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fedproof as fp
from fedproof.problems.catalog import make_problem, problem_names
from fedproof.problems.composite.composite import Composite, smooth_only
from fedproof.problems.composite.penalties.box import Box
from fedproof.problems.composite.penalties.l1 import L1
from fedproof.problems.composite.penalties.linf import Linf
from fedproof.problems.composite.penalties.none import Zero
from fedproof.problems.composite.penalty import parted
from fedproof.problems.composite.random_composite import random_smooth_part
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.solvers.algorithms.fedcomposite import FedComposite
from fedproof.solvers.driver import run
from fedproof.vocabulary.discovery import load
from fedproof.vocabulary.errors import InputError, UnknownName
from tests.refusals import refused

OWN = [name for name in problem_names() if getattr(load("problems", name, "problem"),
                                                   "COMPOSITE", False)]  # fmt: skip


def test_which_problems_are_composite() -> None:
    """Those with a penalty of their own; every other problem takes one by option."""
    assert set(OWN) == {"composite_quadratic", "lasso", "sparse_logistic"}


@pytest.mark.parametrize("problem", problem_names())
def test_every_problem_takes_a_penalty(problem: str) -> None:
    """penalty=box on any named problem: a composite problem, whose start lies in the box, that runs."""
    options = {"penalty": "box", "penalty_low": "-1/8", "penalty_high": "1/8"}
    made: Any = make_problem(problem, 6, 0, options)

    assert made.penalty == Box(Fraction(-1, 8), Fraction(1, 8))
    assert made.name.endswith("+ [x in [-0.125, 0.125]]")
    history = run(FedComposite("1e-6", 2), made, 1, metrics=["loss"])
    assert np.isfinite(history.metrics["loss"][-1])


def test_a_file_takes_a_penalty(tmp_path: Path) -> None:
    """A user's file with penalty=l1: the same rows, with a penalty."""
    path = tmp_path / "toy.csv"
    path.write_text("".join(f"{i % 3},{i % 5},{i % 2}\n" for i in range(40)), encoding="utf-8")
    made: Any = make_problem(path, 2, 0, {"split": "iid", "penalty": "l1", "penalty_weight": "1/8"})

    assert made.penalty == L1(Fraction(1, 8))
    assert fp.describe(made).features == 3


def test_no_penalty_is_the_problem_itself() -> None:
    """penalty=none leaves a smooth problem smooth, so that every algorithm takes it."""
    assert isinstance(make_problem("quadratic", 3, 0, {"penalty": "none"}), Quadratic)
    none: Any = make_problem("composite_quadratic", 3, 0, {"penalty": "none"})
    assert none.penalty == Zero()
    assert fp.run("fedavg", none, rounds=1, stepsize="0.01", local_steps=1).rounds == 1


@pytest.mark.parametrize(("options", "kind", "message"), [
    ({"penalty": "l1", "penalty_wieght": 1}, UnknownName, "did you mean penalty_weight"),
    ({"penality": "l1"}, UnknownName, "did you mean penalty"),
    ({"penalty": "nuclaer"}, UnknownName, "did you mean nuclear"),
    ({"penalty_weight": 1}, InputError, "expected it with penalty=elastic_net or penalty=l1"),
    ({"penalty": "l1", "penalty_low": 1}, InputError, "expected it with penalty=box; leave"),
    ({"penalty": "l1", "penalty_weight": -1}, InputError, "penalty_weight: got -1, expected a number from 0"),
    ({"penalty": "box", "penalty_low": 2}, InputError, "low: got 2 above high=1"),
    ({"penalty": "nuclear", "penalty_rows": 3}, InputError, "rows: got 3, expected a divisor of the"),
    ({"penalty": "l2", "penalty_groups": "2+2"}, InputError, "expected sizes whose sum is 5"),
])  # fmt: skip
@pytest.mark.parametrize("problem", ["quadratic", "composite_quadratic"])
def test_errors_name_the_cure(problem: str, options: dict[str, Any], kind: type, message: str) -> None:
    """One line each, with the nearest name or with who takes the option."""
    if problem == "composite_quadratic" and options.keys() == {"penalty_weight"}:
        options = {"penalty": "none", **options}
    refused(kind, message, make_problem, problem, 3, 0, options)


def test_an_initial_model_outside_the_domain_is_refused() -> None:
    """g = inf at x0: one line; the problem's own start is brought into the domain."""
    problem = Composite(random_smooth_part(0).as_float(), Box(1, 2))

    assert problem.penalty.value(problem.start()) == 0
    with pytest.raises(InputError, match=r"x0: got a model where \[x in \[1, 2\]\] is not finite"):
        run(FedComposite("0.01"), problem, 1, x0=np.zeros(3))
    with pytest.raises(InputError, match="finite number"):
        run(FedComposite("0.01"), problem, 1, x0=np.array([1.5, np.nan, 1.5]))


def test_two_penalties_are_refused() -> None:
    """A composite problem has one penalty: another around it is refused."""
    one = Composite(random_smooth_part(0), L1(1))

    refused(InputError, "a problem that has a penalty already", Composite, one, L1(1))


def test_measure_asks_for_a_smooth_problem() -> None:
    """measure says in one line what to write; without a penalty it measures the smooth part."""
    with pytest.raises(InputError, match=r"one with the penalty 0.003 \|x\|_1.*write penalty=none"):
        fp.measure("sparse_logistic", clients=3)
    smooth: Any = make_problem("sparse_logistic", 3, 0, {"penalty": "none"})
    assert smooth_only(smooth) is smooth.smooth


def test_describe_counts_the_rows_of_the_smooth_part() -> None:
    """Sizes and labels of a composite problem are those of its data."""
    found = fp.describe("sparse_logistic", clients=4, problem_options={"samples": 30})

    assert found.sizes.tolist() == [30] * 4
    assert found.model == "logistic"
    assert found.counts is not None
    assert found.counts.sum() == 120


@pytest.mark.parametrize("problem", OWN)
def test_composite_problems_go_to_other_processes(problem: str) -> None:
    """Pickled and back, with their constants computed or not, they are the same problem."""
    made: Any = make_problem(problem, 3)
    fresh = pickle.loads(pickle.dumps(made))  # noqa: S301
    known = made.constants
    again = pickle.loads(pickle.dumps(made))  # noqa: S301

    assert fresh.digest == made.digest == again.digest
    assert again.constants["least_loss"] == known["least_loss"] == fresh.constants["least_loss"]


def test_options_without_a_penalty_are_left_alone() -> None:
    """Nothing of a penalty: nothing is taken."""
    assert parted({"split": "iid"}) == ({"split": "iid"}, None)


def test_a_problem_by_name_is_that_of_the_options() -> None:
    """Clients, seed, options and a penalty by name reach the problem: equal digests."""
    found: Any = fp.problem("digits", clients=7, seed=3, split="iid", penalty="l1", penalty_weight="1/8")
    other: Any = make_problem("digits", 7, 3, {"split": "iid", "penalty": "l1", "penalty_weight": "1/8"})

    assert found.digest == other.digest
    assert found.digest != fp.problem("digits", clients=7, seed=4, split="iid", penalty="l1").digest  # type: ignore[attr-defined]
    assert (found.n_clients, found.penalty) == (7, L1(Fraction(1, 8)))


def test_a_penalty_object_joins_a_problem_or_replaces_its_own() -> None:
    """A smooth problem gets the penalty; of a composite one the smooth part keeps its numbers."""
    chosen = fp.penalty("linf", weight=3)
    joined: Any = fp.problem("digits", clients=5, penalty=chosen)
    replaced: Any = fp.problem("lasso", dimension=3, penalty=chosen)
    usual: Any = fp.problem("lasso", dimension=3)

    assert joined.penalty == replaced.penalty == Linf(Fraction(3)) != usual.penalty
    assert replaced.smooth.digest == usual.smooth.digest
    assert joined.smooth.digest == make_problem("digits", 5).digest  # type: ignore[attr-defined]


def test_composite_is_there_and_runs() -> None:
    """A problem and a penalty of these names make a Composite on which a method runs."""
    problem = fp.Composite(fp.problem("breast_cancer", model="logistic"), fp.penalty("l1", weight="0.01"))
    history = fp.run("fedcomposite", problem, rounds=2, eta="0.01", tau=5, eta_g=2)

    assert np.diff(history.metrics["loss"]).max() < 0


@pytest.mark.parametrize(("make", "said"), [
    (lambda: fp.penalty("l7"), "penalty: got l7, expected one of box, .*did you mean"),
    (lambda: fp.penalty("l1", wieght=1), "l1 option: got wieght, .*did you mean weight"),
    (lambda: fp.penalty("l1", weight=-1), "^weight: got -1, expected a number from 0"),
    (lambda: fp.penalty("none", weight=1), "weight: got 1 for the penalty none, expected none; leave weight"),
    (lambda: fp.penalty("box", low=3), "low: got 3 above high=1"),
    (lambda: fp.penalty(None), "penalty: got None"),  # type: ignore[arg-type]
    (lambda: fp.problem("sparse_logistics"), "problem: got sparse_logistics, .*did you mean sparse_logistic"),
    (lambda: fp.problem("lasso", clinets=3), "problem option: got clinets"),
    (lambda: fp.problem("digits", penalty=3), "penalty: got int without value"),  # type: ignore[arg-type]
    (lambda: fp.problem("digits", penalty=fp.penalty("l1"), penalty_weight=3), "penalty_weight: got 3"),
    (lambda: fp.problem(7), "problem: got 7"),  # type: ignore[arg-type]
    (lambda: fp.Composite("digits", fp.penalty("l1")), "smooth: got digits, expected a problem object"),  # type: ignore[arg-type]
    (lambda: fp.Composite(fp.problem("lasso"), fp.penalty("l1")), "smooth: got a problem that has a penalty"),
    (lambda: fp.Composite(fp.problem("digits"), "l1"), "penalty: got str"),  # type: ignore[arg-type]
])  # fmt: skip
def test_what_cannot_be_is_said_in_one_line(make: Any, said: str) -> None:
    """Names and values that are not known, and parts that do not fit."""
    refused(fp.InputError, said, make)


def test_a_penalty_loads_no_heavy_library() -> None:
    """A penalty by name loads neither SymPy nor SciPy nor scikit-learn."""
    code = (
        "import sys, fedproof as fp; fp.penalty('l1'); fp.Composite\n"
        "print(sorted({'sympy', 'scipy', 'sklearn', 'pandas', 'matplotlib', 'numba'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.returncode) == ("[]\n", 0), done.stderr
