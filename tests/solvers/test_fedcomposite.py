"""Algorithm 1 of composite: the two forms, what its corrections sum to, where it ends, what it sends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import pytest

from fedproof.problems.composite.composite import Composite, prox_gradient
from fedproof.problems.composite.penalties.l1 import L1
from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.solvers.algorithms.fedavg import FedAvg
from fedproof.solvers.algorithms.fedcomposite import FedComposite
from fedproof.solvers.algorithms.fedmid import FedMid
from fedproof.solvers.cohort import Cohort
from fedproof.solvers.composite import check_penalty
from fedproof.solvers.driver import run
from fedproof.solvers.metrics import chosen_metrics, usual_metrics
from fedproof.solvers.randomness import RandomSource
from fedproof.vocabulary.errors import InputError
from tests.refusals import refused

EXACT = Composite(random_quadratic(8, n_clients=4, dimension=3, samples=[2, 1, 3, 2]), L1("1/10"))
METHOD = FedComposite(Fraction(1, 100), 3, Fraction(3, 2), batch_size=1)


def rounds(method: FedComposite, problem: Any, count: int, cohorts: Sequence[Cohort] = ()) -> list[Any]:
    """States after every round, the first one included; of all clients, or of these cohorts in turn."""
    states = [method.init(problem, problem.start())]
    for number in range(1, count + 1):
        cohort = cohorts[(number - 1) % len(cohorts)] if cohorts else Cohort.of(problem)
        draws = method.draw(problem, cohort.clients, RandomSource(3, number))
        states.append(method.round(problem, states[-1], cohort, draws)[0])
    return states


def weighted(*times: int) -> Cohort:
    """Client i drawn times[i] times, averaged plainly."""
    drawn = np.flatnonzero(times)
    return Cohort(drawn, np.array([Fraction(times[i], sum(times)) for i in drawn], dtype=object))


@pytest.mark.parametrize("cohorts", [
    [Cohort.of(EXACT)],
    [Cohort.of(EXACT, ids) for ids in ([0, 2], [1, 2], [0, 1, 3])],
    [Cohort.of(EXACT, ids) for ids in ([3], [0, 1, 2, 3], [1, 3])],
    [weighted(2, 1, 0, 1), weighted(0, 3, 1, 0)],
    [weighted(1, 2, 1, 1), Cohort.of(EXACT)],
], ids=["all", "parts", "parts and all", "drawn twice", "drawn twice, then all by size"])  # fmt: skip
@pytest.mark.parametrize("switch", [{}, {"correction": "none"}, {"local_prox": "constant"}])
def test_the_two_forms_are_the_same_in_fractions(cohorts: list[Cohort], switch: dict[str, str]) -> None:
    """Line 14 carries the cohort's mean correction: the compact form (2) has it too, exactly."""
    one, other = (
        rounds(replace(METHOD, form=form, **switch), EXACT, 5, cohorts)  # type: ignore[arg-type]
        for form in ("clients", "compact")
    )
    for mine, its in zip(one, other, strict=True):
        assert (mine.before_prox == its.before_prox).all()
        assert (mine.corrections == its.corrections).all()
        assert (mine.model == its.model).all()


def test_a_part_of_the_clients_ends_at_the_optimum() -> None:
    """Two of four clients of one size a round, full gradients: both forms end within 1e-6 of the solution."""
    smooth = random_quadratic(8, n_clients=4, dimension=3, samples=2)
    problem = Composite(smooth.as_float(), L1("1/10"))
    solution: Any = Composite(smooth, L1("1/10")).solution
    for form in ("clients", "compact"):
        found = run(FedComposite(0.02, 5, 1, form=form), problem, 800, participation=2, metrics=())
        assert np.abs(found.model - solution.model.astype(float)).max() < 1e-6


def test_the_mapping_is_the_gradient_without_a_penalty() -> None:
    """Where g = 0 the prox-gradient mapping is grad f for every step; composite below (12)."""
    smooth = EXACT.smooth
    model = smooth.number(3) + smooth.start()

    assert (prox_gradient(smooth, model, Fraction(1, 7)) == smooth.gradient(model)).all()
    assert (prox_gradient(Composite(smooth, L1(0)), model, Fraction(1, 7)) == smooth.gradient(model)).all()


class Stepping(FedAvg):
    """FedAvg that says an effective step size and takes no proximal step."""

    effective_stepsize: ClassVar[Fraction] = Fraction(1, 10)


class Stepless(FedMid):
    """FedMid that says no step size to measure the mapping with."""

    def __getattribute__(self, name: str) -> Any:
        if name == "effective_stepsize":
            raise AttributeError(name)
        return super().__getattribute__(name)


def test_who_takes_proximal_steps_is_said_and_not_guessed() -> None:
    """A step size makes no method proximal, nor does its lack hide one that is; the metrics follow."""
    for kind in (FedAvg, Stepping):
        refused(InputError, "fedavg on a problem with the penalty", run, kind(Fraction(1, 10), 1), EXACT, 1)
    check_penalty(Stepless(Fraction(1, 10)), EXACT)

    assert usual_metrics(Stepping(Fraction(1, 10), 1)) == ("loss", "squared_gradient")
    assert usual_metrics(Stepless(Fraction(1, 10))) == ("loss",)
    assert usual_metrics(METHOD) == ("loss", "squared_prox_gradient")
    assert "squared_prox_gradient" in chosen_metrics(["squared_prox_gradient"], Stepping(Fraction(1, 10), 1))
