"""Many local steps in one call, against the same steps one after the other."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from fedproof.problems.composite.composite import Composite
from fedproof.problems.composite.penalties.box import Box
from fedproof.problems.composite.penalties.elastic_net import ElasticNet
from fedproof.problems.composite.penalties.l1 import L1
from fedproof.problems.composite.penalties.l2_squared import SquaredL2
from fedproof.problems.problem import Array, Constant
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.problems.steps import LastIterates, ProximalSteps, proximal_steps, step_gradients
from fedproof.problems.supervised.models.least_squares import LeastSquares
from fedproof.problems.supervised.models.logistic import Logistic
from fedproof.problems.supervised.models.softmax import Softmax
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.regularisers import L2
from fedproof.problems.supervised.supervised import Supervised

RNG = np.random.default_rng(3)
SIZES = [1, 7, 40, 33, 100, 5]
STEPS = ProximalSteps(0.1, [0.1, 0.2, 0.3, 0.4, 0.5])
CLIENTS = np.array([3, 0, 3, 5, 4])


class Unseparable:
    """A penalty that says nothing of its coordinates."""

    name, text = "apart", "0"

    def value(self, x: Array) -> Any:
        """0."""
        return np.zeros(x.shape[:-1])

    def prox(self, x: Array, scale: Any) -> Array:
        """A copy."""
        del scale
        return x.copy()

    def subgradient_bound(self, dimension: int) -> Any:
        """0."""
        del dimension
        return Constant(0, "exact", "the only subgradient is 0")


def problem_of(model: Any, features: int, penalty: Any = None, kernel: str = "numba") -> Any:
    """Clients of these sizes, whose last rows are the last in memory."""
    rows = sum(SIZES)
    labels = RNG.integers(0, model.classes, rows) if model.classes else RNG.standard_normal(rows)
    x = RNG.standard_normal((rows, features)) / math.sqrt(features)
    smooth = Supervised(model, x, labels, Partition.of_sizes(SIZES), kernel=kernel)
    return smooth if penalty is None else Composite(smooth, penalty)


def one_by_one(
    problem: Any, start: Array, shift: Array, samples: Array, steps: ProximalSteps
) -> LastIterates:
    """The recursion as `ProximalSteps` says it, by NumPy's gradients and the penalty's own prox."""
    plain, penalty = problem.with_kernel("numpy"), getattr(problem, "penalty", None)
    before, after, total = start, start, np.zeros_like(start)
    for t, scale in enumerate(steps.scales):
        gradient = plain.sample_gradients(after, CLIENTS, samples[:, t])
        total = total + gradient
        before = (before if steps.decoupled else after) - steps.stepsize * (gradient + shift)
        after = before if penalty is None else penalty.prox(before, scale)
    return LastIterates(before, after, total)


def drawn(problem: Any, batch: int) -> tuple[Array, Array, Array]:
    """Models to start from, shifts and samples of five steps."""
    start, shift = RNG.standard_normal((2, len(CLIENTS), problem.dimension))
    samples = RNG.integers(0, problem.sizes[CLIENTS][:, None, None], (len(CLIENTS), 5, batch))
    samples[3, :, -1] = 4  # the very last row
    return start, shift, samples


@pytest.mark.parametrize("model", [Logistic(), LeastSquares()], ids=str)
@pytest.mark.parametrize(
    "penalty", [None, L1("1/2"), ElasticNet("1/3", "1/2"), Box("-1/4", "1/8"), SquaredL2(2)]
)
@pytest.mark.parametrize("features", [1, 7, 8, 20, 24, 25, 61])
def test_they_are_the_steps_one_by_one(model: Any, penalty: Any, features: int) -> None:
    """For every batch size, coupled or not, the ends agree with the recursion written out."""
    problem = problem_of(model, features, penalty)
    for batch in (1, 2, 7, 8, 20, 33):
        start, shift, samples = drawn(problem, batch)
        for steps in (STEPS, replace(STEPS, decoupled=False)):
            found = proximal_steps(problem, start, shift, CLIENTS, samples, steps)
            expected = one_by_one(problem, start, shift, samples, steps)
            assert found is not None
            for what in ("before", "after", "total"):
                mine, its = getattr(found, what), getattr(expected, what)
                assert np.abs(mine - its).max() <= 1e-13 * max(1, np.abs(its).max())


def test_a_client_does_not_depend_on_its_neighbours() -> None:
    """Clients alone, or in blocks, end in the same bits; NaN stays with the client that has it."""
    problem = problem_of(Logistic(), 20, L1("1/2"))
    start, shift, samples = drawn(problem, 20)
    start[2, 1] = math.nan
    whole: Any = proximal_steps(problem, start, shift, CLIENTS, samples, STEPS)
    for part in (slice(0, 1), slice(1, 3), slice(2, 5)):
        found: Any = proximal_steps(problem, start[part], shift[part], CLIENTS[part], samples[part], STEPS)
        for mine, its in (
            (found.before, whole.before),
            (found.after, whole.after),
            (found.total, whole.total),
        ):
            assert np.array_equal(mine, its[part], equal_nan=True)
    assert np.isnan(whole.after[2]).all()
    assert np.isfinite(np.delete(whole.after, 2, axis=0)).all()


def test_scores_of_any_size() -> None:
    """Scores of 1e5 and of 1e-5 overflow nowhere and agree with NumPy's."""
    problem = problem_of(Logistic(), 20, L1("1/2"))
    start, shift, samples = drawn(problem, 20)
    for size in (1e5, 1e-5):
        found: Any = proximal_steps(problem, size * start, shift, CLIENTS, samples, STEPS)
        expected = one_by_one(problem, size * start, shift, samples, STEPS)
        assert np.abs(found.after - expected.after).max() <= 1e-13 * max(1, size)


@pytest.mark.parametrize("sample", [5, -300])
def test_rows_that_are_not_there_are_refused(sample: int) -> None:
    """A sample number that is no row's, at any step, is an error."""
    problem = problem_of(Logistic(), 20)
    start, shift, samples = drawn(problem, 3)
    for t in (0, 4):
        wrong = samples.copy()
        wrong[3, t, 1] = sample
        with pytest.raises(IndexError):
            proximal_steps(problem, start, shift, CLIENTS, wrong, STEPS)


def test_where_they_go_one_by_one() -> None:
    """NumPy, several scores, a regulariser, a penalty that is not separable, whole clients: None."""
    separable = problem_of(Logistic(), 4, L1(1))
    start, shift, samples = drawn(separable, 3)
    others = [
        problem_of(Logistic(), 4, L1(1), kernel="numpy"),
        problem_of(Softmax(2), 2, L1(1)),
        Composite(replace(separable.smooth, regulariser=L2(1)), L1(1)),
        problem_of(Logistic(), 4, Unseparable()),
        Composite(Quadratic.of([[[1]]], [[1]], sizes=[1]).as_float(), L1(1)),
    ]

    assert proximal_steps(separable, start, shift, CLIENTS, samples, STEPS) is not None
    assert [proximal_steps(other, start, shift, CLIENTS, samples, STEPS) for other in others] == [None] * 5
    assert proximal_steps(separable, start, shift, CLIENTS, None, STEPS) is None


def test_gradients_of_steps_where_a_problem_has_none_of_its_own() -> None:
    """A quadratic's are its sample gradients, and those of whole clients without samples."""
    bowl = Quadratic.of([[[1]], [[3]]], [[1], [2]], sizes=[2]).as_float()
    at, clients = np.array([[2.0]]), np.array([0])

    assert step_gradients(bowl, clients, np.array([[[0], [1]]]))(at, 1) == bowl.sample_gradients(
        at, clients, np.array([[1]])
    )
    assert step_gradients(bowl, clients, None)(at, 1) == bowl.client_gradients(at, clients)
