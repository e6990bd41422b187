"""The switches that make FedProxVR what its authors' published code runs."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.solvers.algorithm import ModelState
from fedproof.solvers.algorithms.fedproxvr import FedProxVR
from fedproof.solvers.block_batches import block_choices, block_counts
from fedproof.solvers.exact import expectation
from fedproof.solvers.moments import run_moments
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
