"""The switches that make FedProxVR what its authors' published code runs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from fedproof.problems.catalog import make_problem
from fedproof.problems.problem import Array
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.solvers.algorithm import ModelState
from fedproof.solvers.algorithms.fedproxvr import FedProxVR
from fedproof.solvers.block_batches import block_choices, block_counts
from fedproof.solvers.exact import expectation
from fedproof.solvers.moments import run_moments
from fedproof.solvers.randomness import RandomSource
from fedproof.vocabulary.errors import InputError
from tests.refusals import refused

SLOPES = [[Fraction(v)] for v in (3, -1, 4, 1, -5)]
CURVATURES = [Fraction(v) for v in (1, 4, 2, 7, 3)]
LINE = Quadratic.of([[[a]] for a in CURVATURES], SLOPES, sizes=[5])


def straight(problem: Quadratic, numbers: list[int], size: int, eta: Fraction, mu: Fraction) -> Fraction:
    """SARAH for one client in one dimension, written as a loop: one full step, then blocks."""
    slopes = [s[0] for s in problem.slopes]

    def prox(w: Fraction) -> Fraction:
        return w / (1 + eta * mu)

    def gradient(w: Fraction, rows: range) -> Fraction:
        inside = [CURVATURES[i] * w + slopes[i] for i in rows if i < len(slopes)]
        return sum(inside, Fraction(0)) / len(inside) if inside else Fraction(0)

    v = gradient(Fraction(0), range(len(slopes)))
    before, now = Fraction(0), prox(-eta * v)
    for number in numbers:
        rows = range(number * size, (number + 1) * size)
        v = gradient(now, rows) - gradient(before, rows) + v
        before, now = now, prox(now - eta * v)
    return now


@pytest.mark.parametrize("numbers", [[0, 1], [2, 3], [3, 3], [1, 2]])
def test_the_published_loop_in_fractions(numbers: list[int]) -> None:
    """Blocks, a short block, an empty one and the counting of steps agree with the loop written out."""
    algorithm = FedProxVR(Fraction(1, 7), 3, Fraction(2), "sarah", 2, returned="last", counted="all",
                          sampler="blocks")  # fmt: skip
    drawn = {"blocks": np.array([numbers])}

    local = algorithm.local(LINE, ModelState(LINE.start()), np.array([0]), drawn)

    assert local.models[0, 0] == straight(LINE, numbers, 2, Fraction(1, 7), Fraction(2))
    assert local.gradients[0] == 5 + 2 * block_counts(np.array([5]), np.array(numbers), 2).sum()


def test_a_block_beyond_the_end_can_be_drawn() -> None:
    """The last of floor(D / B) + 2 numbers is empty, and the last two where B divides D."""
    for size, empty in ((9, 1), (8, 2)):
        sizes = np.array([size])
        numbers = np.arange(block_choices(sizes, 4)[0])

        counts = block_counts(np.full(len(numbers), size), numbers, 4)

        assert counts.sum() == size
        assert (counts == 0).sum() == empty


def test_blocks_that_hold_all_rows_are_full_gradients() -> None:
    """A client that fits into one block runs as with all samples at every step."""
    whole = FedProxVR(Fraction(1, 5), 3, Fraction(1), "svrg", None, returned="last")
    blocks = FedProxVR(Fraction(1, 5), 3, Fraction(1), "svrg", 8, returned="last", sampler="blocks")
    start, client = ModelState(LINE.start() + 1), np.array([0])

    one = whole.local(LINE, start, client, {}).models
    other = blocks.local(LINE, start, client, blocks.draw(LINE, client, RandomSource(0, 1))).models

    assert (one == other).all()


def test_counting_all_steps_is_one_step_fewer() -> None:
    """tau steps in all are what tau - 1 steps after the first one are."""
    problem = make_problem("digits", 5)
    common: dict[str, Any] = {"stepsize": Fraction(1, 100), "prox_weight": Fraction(1, 10), "batch_size": 4}
    fewer, counted = FedProxVR(local_steps=4, **common), FedProxVR(local_steps=5, counted="all", **common)
    clients = np.arange(5)

    models: list[Array] = []
    for algorithm in (fewer, counted):
        draws = algorithm.draw(problem, clients, RandomSource(3, 1))
        models.append(algorithm.local(problem, ModelState(problem.start()), clients, draws).models)

    assert (models[0] == models[1]).all()


def test_moments_follow_the_count() -> None:
    """The exact moments take the switch into account, as enumeration does."""
    algorithm = FedProxVR(Fraction(1, 4), 2, Fraction(1), "sarah", counted="all")

    mean = expectation(algorithm, LINE, LINE.start(), 0, lambda models: models)

    assert (run_moments(algorithm, LINE, 1)[1].mean == mean).all()


def test_switches_that_cannot_be_combined_are_refused() -> None:
    """Blocks without a size, no step at all, and moments of blocks: one line each."""
    refused(InputError, "sampler: got blocks", FedProxVR, 1, 3, batch_size=None, sampler="blocks")
    refused(InputError, "local_steps: got 0, expected at least 1", FedProxVR, 1, 0, counted="all")
    with pytest.raises(InputError, match="moments are those of uniform samples"):
        run_moments(FedProxVR(1, 1, batch_size=2, sampler="blocks"), LINE, 1)
