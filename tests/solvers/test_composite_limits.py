"""Composite's two forms, and where the methods for composite problems end, in closed form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest

from fedproof.problems.composite.composite import Composite, prox_gradient
from fedproof.problems.composite.penalties.l1 import L1
from fedproof.problems.composite.penalties.l2_squared import SquaredL2
from fedproof.problems.problem import Array
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.solvers.algorithms.fast_fedda import FastFedDA
from fedproof.solvers.algorithms.fedavg import FedAvg
from fedproof.solvers.algorithms.fedcomposite import FedComposite
from fedproof.solvers.algorithms.fedda import FedDA
from fedproof.solvers.algorithms.fedmid import FedMid
from fedproof.solvers.cohort import Cohort
from fedproof.solvers.composite import check_penalty
from fedproof.solvers.driver import run
from fedproof.solvers.metrics import chosen_metrics, usual_metrics
from fedproof.solvers.randomness import RandomSource
from fedproof.vocabulary.errors import InputError
from tests.refusals import refused

SMOOTH = random_quadratic(8, n_clients=4, dimension=3, samples=[2, 1, 3, 2])
SPARSE = Composite(SMOOTH, L1("1/10"))
METHOD = FedComposite(Fraction(1, 100), 3, Fraction(3, 2), batch_size=1)
MU, ETA = Fraction(1, 3), Fraction(1, 6)
each = pytest.mark.parametrize("weights", ["constant", "linear"])


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
    [Cohort.of(SPARSE)],
    [Cohort.of(SPARSE, ids) for ids in ([0, 2], [1, 2], [0, 1, 3])],
    [Cohort.of(SPARSE, ids) for ids in ([3], [0, 1, 2, 3], [1, 3])],
    [weighted(2, 1, 0, 1), weighted(0, 3, 1, 0)],
    [weighted(1, 2, 1, 1), Cohort.of(SPARSE)],
], ids=["all", "parts", "parts and all", "drawn twice", "drawn twice, then all by size"])  # fmt: skip
@pytest.mark.parametrize("switch", [{}, {"correction": "none"}, {"local_prox": "constant"}])
def test_the_two_forms_are_the_same_in_fractions(cohorts: list[Cohort], switch: dict[str, str]) -> None:
    """Line 14 carries the cohort's mean correction: the compact form (2) has it too, exactly."""
    one, other = (
        rounds(replace(METHOD, form=form, **switch), SPARSE, 5, cohorts)  # type: ignore[arg-type]
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
    smooth = SPARSE.smooth
    model = smooth.number(3) + smooth.start()

    assert (prox_gradient(smooth, model, Fraction(1, 7)) == smooth.gradient(model)).all()
    assert (prox_gradient(Composite(smooth, L1(0)), model, Fraction(1, 7)) == smooth.gradient(model)).all()


class Stepping(FedAvg):
    """FedAvg that says an effective step size and takes no proximal step."""

    effective_stepsize: ClassVar[Fraction] = Fraction(1, 10)


def test_who_takes_proximal_steps_is_said_and_not_guessed() -> None:
    """A step size makes no method proximal, nor does its lack hide one that is; the metrics follow."""
    for kind in (FedAvg, Stepping):
        refused(InputError, "fedavg on a problem with the penalty", run, kind(Fraction(1, 10), 1), SPARSE, 1)
    stepless = SimpleNamespace(name="stepless", proximal=True)
    check_penalty(stepless, SPARSE)

    assert usual_metrics(Stepping(Fraction(1, 10), 1)) == ("loss", "squared_gradient")
    assert usual_metrics(stepless) == ("loss",)
    assert usual_metrics(METHOD) == ("loss", "squared_prox_gradient")
    assert "squared_prox_gradient" in chosen_metrics(["squared_prox_gradient"], Stepping(Fraction(1, 10), 1))


def test_one_local_step_is_dual_averaging() -> None:
    """With tau = 1 the model is P_{r s}(x0 - s sum of all gradients), s = eta eta_g: the closed form."""
    problem, weight, s = Composite(SMOOTH, L1("1/50")), Fraction(1, 50), Fraction(3, 4)
    models = [problem.start()]
    for r in range(1, 6):
        z = problem.start() - s * np.add.reduce([problem.gradient(w) for w in models], axis=0)
        models.append(np.sign(z) * np.maximum(abs(z) - r * s * weight, 0))

        assert (run(FedDA(Fraction(1, 2), 1, Fraction(3, 2)), problem, r).model == models[-1]).all()


def errors(method: Any, problem: Any, solution: Fraction, rounds: int) -> list[Fraction]:
    """Distances of the models in one dimension from the solution, round by round."""
    distance: Callable[..., Any] = lambda problem, state, trace: state.model[0] - solution  # noqa: E731
    return list(run(method, problem, rounds, metrics={"distance": distance}).metrics["distance"])


def test_one_local_step_is_not_the_proximal_gradient_method() -> None:
    """(x - 4)^2 / 2 + x^2 / 2, tau = 1, eta eta_g = 1/2: errors fall as 2 / ((r + 1)(r + 2)) and as 1 / 3^r.

    Both methods take the same steps; dual averaging is slower without end, so that "exactly the same rate" at
    tau = 1 is not true of every penalty.
    """
    problem = Composite(Quadratic.of([[[1]]], [[-4]], sizes=[1]), SquaredL2(1))
    dual = errors(FedDA(Fraction(1, 4), 1, 2), problem, Fraction(2), 30)
    ours = errors(FedComposite(Fraction(1, 4), 1, 2), problem, Fraction(2), 30)

    assert dual == [dual[0] * Fraction(2, (r + 1) * (r + 2)) for r in range(31)]
    assert ours == [ours[0] / 3**r for r in range(31)]


def test_different_clients_draw_it_away() -> None:
    """Curvatures 1 and 3, tau = 2, g = |x|: it stays at 100/27 for ever; the solution is 7/2.

    At a fixed point the mean of (1 - (1 - eta a_i)^2) (w - x_i) is 0, x_i the minimiser of f_i + g: with
    eta = 1/8 the factors are 15/64 and 39/64, the minimisers 9 and 5/3.
    """
    smooth = Quadratic.of([[[1]], [[3]]], [[-10], [-6]], sizes=[1, 1])
    problem = Composite(smooth, L1(1))
    stays = problem.start() + Fraction(100, 27)

    assert run(FedDA(Fraction(1, 8), 2, 3), problem, 5, x0=stays).model == stays
    drawn = run(FedDA(0.125, 2, 1), Composite(smooth.as_float(), L1(1)), 300).model[0]
    assert abs(drawn - 100 / 27) < 1e-12
    ours = run(FedComposite(0.125, 2, 1), Composite(smooth.as_float(), L1(1)), 300).model[0]
    assert abs(ours - 7 / 2) < 1e-12


def test_its_drift_is_that_of_dual_states() -> None:
    """The trace compares what clients return with what they were sent: no drift where gradients vanish."""
    bowl = Composite(Quadratic.of([[[1]]] * 2, [[0]] * 2, sizes=[1, 1]), L1(1))

    assert run(FedDA(Fraction(1, 2), 3), bowl, 2, metrics=["drift"]).metrics["drift"] == (None, 0, 0)


def test_it_counts_the_penalty_twice() -> None:
    """One client, |x - 3|^2 / 2 + |x|: it stays at 1, the solution for 2 |x|, and leaves the solution 2."""
    line = Composite(Quadratic.of([[[1]]], [[-3]], sizes=[1]), L1(1))
    one, two = (line.number(v) + line.start() for v in (1, 2))
    method = FedMid(Fraction(1, 8), 1)

    assert run(method, line, 3, x0=one).model == one
    assert run(method, line, 1, x0=two).model[0] == 2 - Fraction(1, 8)
    assert run(replace(method, local_prox="none"), line, 3, x0=two).model == two
    before = two + FedComposite(Fraction(1, 8), 1).effective_stepsize
    assert run(FedComposite(Fraction(1, 8), 1), line, 3, x0=before).model == two


def test_more_local_steps_do_not_mend_it() -> None:
    """With tau = 4 the one client's solution is left too, by less for the shorter proximal step."""
    line = Composite(Quadratic.of([[[1]]], [[-3]], sizes=[1]).as_float(), L1(1))
    ends = [
        run(FedMid(0.125, 4, server_prox=choice), line, 200).model[0] for choice in ("all_steps", "one_step")
    ]

    assert ends[0] < ends[1] < 1.99


@each
def test_the_model_minimises_what_it_says(weights: str) -> None:
    """The value of the sums at the model is below that at its neighbours, for random sums."""
    problem, method = Composite(SMOOTH, L1("1/10")), FastFedDA(MU, ETA, 2, weights=weights)
    rng = np.random.default_rng(0)
    for step in range(6):
        total = sum(t + 1 if weights == "linear" else 1 for t in range(step + 1))
        gradients, models, anchor = (problem.number(1) * rng.integers(-9, 10, 3) for _ in range(3))
        point = method.model_of(problem, anchor, gradients, models, step)

        def value(v: Array) -> Fraction:
            near = MU / 4 * (total * (v @ v) - 2 * (v @ models)) + (v - anchor) @ (v - anchor) / (2 * ETA)  # noqa: B023
            return gradients @ v + total * problem.penalty.value(v) + near  # type: ignore[no-any-return]  # noqa: B023

        moves = [s * Fraction(1, 1000) * e for e in np.eye(3, dtype=int) for s in (-1, 1)]
        assert all(value(point) < value(point + move) for move in moves)


@each
def test_without_a_penalty_its_steps_shrink(weights: str) -> None:
    """g = 0 and tau = 1: gradient descent with the step a_t / (mu A_t / 2 + gamma), exactly."""
    x, total = SMOOTH.start(), 0
    for t in range(5):
        a = t + 1 if weights == "linear" else 1
        total += a
        x = x - a / (MU * total / 2 + 1 / ETA) * SMOOTH.gradient(x)

        assert (run(FastFedDA(MU, ETA, 1, weights=weights), SMOOTH, t + 1).model == x).all()


def ends(method: FastFedDA, rounds: int) -> float:
    """The model after many rounds on |x - 3|^2 / 2 + |x| / 4, whose solution is 11/4."""
    smooth = Quadratic.of([[[1]]], [[-3]], sizes=[1], origin=[1]).as_float()
    return float(run(method, Composite(smooth, L1("1/4")), rounds).model[0])


def test_a_model_counted_twice_moves_the_solution() -> None:
    """mu = 1/2, tau = 2: it ends at the minimiser of F - (mu / 8) x^2, which is 22/7 in place of 11/4."""
    once, twice = (FastFedDA("1/2", 1, 2, weights="linear", last_model=c) for c in ("once", "twice"))

    assert abs(ends(once, 300) - 11 / 4) < 1e-9
    assert abs(ends(twice, 300) - 22 / 7) < 1e-2
    assert abs(ends(twice, 600) - 22 / 7) < abs(ends(twice, 300) - 22 / 7)


def test_different_clients_cost_it_a_power_of_the_rounds() -> None:
    """With tau = 5 and full gradients its error falls like 1 / r, neither faster nor to a level above 0."""
    smooth = Quadratic.of([[[1]], [[3]]], [[-10], [-6]], sizes=[1, 1]).as_float()
    problem = Composite(smooth, L1(1))
    method = FastFedDA(1, "1/9", 5, weights="linear")
    errors = [abs(run(method, problem, rounds).model[0] - 3.5) for rounds in (50, 100, 200, 400)]

    assert all(1.9 < before / after < 2.1 for before, after in pairwise(errors))


def test_some_clients_alone() -> None:
    """With part of the clients the sums are the averages of those, by their weights."""
    method, cohort = FastFedDA(MU, ETA, 2), Cohort.of(SMOOTH, [1, 2])
    state = method.init(SMOOTH, SMOOTH.start())
    own = [method.local(SMOOTH, state, np.array([i]), {}).memory for i in (1, 2)]

    after, _ = method.round(SMOOTH, state, cohort, {})

    assert own[0] is not None
    assert own[1] is not None
    assert (after.sums[0] == (own[0][0, 0] + 3 * own[1][0, 0]) / 4).all()
