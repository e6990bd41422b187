"""Problems and penalties by name in Python."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import fedproof as fp
from fedproof.problems.catalog import make_problem
from fedproof.problems.composite.penalties.l1 import L1
from fedproof.problems.composite.penalties.linf import Linf
from tests.refusals import refused


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
