"""FedProxVR against a plain loop in fractions: its estimators, its switches and its proximal step."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.solvers.algorithm import ModelState
from fedproof.solvers.algorithms.fedproxvr import FedProxVR
from fedproof.solvers.block_batches import block_choices, block_counts
from fedproof.solvers.moments import run_moments
from fedproof.solvers.prox import prox_to_anchor
from fedproof.solvers.randomness import RandomSource
from fedproof.vocabulary.errors import InputError
from tests.refusals import refused

SLOPES = [Fraction(v) for v in (3, -1, 4, 1, -5)]
CURVATURES = [Fraction(v) for v in (1, 4, 2, 7, 3)]
LINE = Quadratic.of([[[a]] for a in CURVATURES], [[v] for v in SLOPES], sizes=[5])
MANY = random_quadratic(3, n_clients=4, dimension=3, samples=[1, 2, 3, 2], heterogeneity=2)
ETA, MU, START = Fraction(1, 7), Fraction(2), ModelState(LINE.start() + 3)
ONE = np.array([0])
estimators = pytest.mark.parametrize("estimator", ["sarah", "svrg", "sgd"])
returns = pytest.mark.parametrize("returned", ["random", "last"])


def path(estimator: str, batches: Iterable[Iterable[int]]) -> list[Fraction]:
    """The models of one client in one dimension, written as a loop: one full step, then one on each batch."""

    def stepped(w: Fraction, v: Fraction) -> Fraction:
        return (w - ETA * v + ETA * MU * x) / (1 + ETA * MU)

    def gradient(w: Fraction, rows: Iterable[int]) -> Fraction:
        inside = [CURVATURES[i] * w + SLOPES[i] for i in rows if i < 5]
        return sum(inside, Fraction(0)) / len(inside) if inside else Fraction(0)

    x = START.model[0]
    v = first = gradient(x, range(5))
    models = [x, stepped(x, v)]
    for rows in batches:
        now, before = models[-1], models[-2]
        other, base = {"sarah": (before, v), "svrg": (x, first), "sgd": (x, gradient(x, rows))}[estimator]
        v = gradient(now, rows) - gradient(other, rows) + base
        models.append(stepped(now, v))
    return models


@returns
@estimators
def test_one_client_is_the_centralised_method(estimator: str, returned: str) -> None:
    """With one client a round is a plain proximal SARAH, SVRG or SGD loop on its samples, exactly."""
    algorithm = FedProxVR(ETA, 5, MU, estimator, 2, returned=returned)
    draws = algorithm.draw(LINE, ONE, RandomSource(4, 1))
    models = path(estimator, draws["samples"][0])
    last = int(draws["returned"][0]) if returned == "random" else 6

    assert algorithm.local(LINE, START, ONE, draws).models[0, 0] == models[last]


@pytest.mark.parametrize("numbers", [[0, 1], [2, 3], [3, 3], [1, 2]])
def test_the_published_loop(numbers: list[int]) -> None:
    """Blocks, a short block, an empty one and the counting of steps agree with the loop written out."""
    algorithm = FedProxVR(ETA, 3, MU, "sarah", 2, returned="last", counted="all", sampler="blocks")

    local = algorithm.local(LINE, START, ONE, {"blocks": np.array([numbers])})

    assert local.models[0, 0] == path("sarah", [range(2 * n, 2 * n + 2) for n in numbers])[-1]
    assert local.gradients[0] == 5 + 2 * block_counts(np.array([5]), np.array(numbers), 2).sum()


@returns
@estimators
def test_no_local_steps(estimator: str, returned: str) -> None:
    """tau = 0: as printed nobody moves; with the last iterate it is x - eta / (1 + eta mu) grad F_n(x)."""
    x = MANY.start()
    algorithm = FedProxVR(ETA, 0, MU, estimator, returned=returned)
    draws = algorithm.draw(MANY, np.arange(4), RandomSource(0, 1))
    local = algorithm.local(MANY, ModelState(x), np.arange(4), draws)
    for n, found in enumerate(local.models):
        rows = range(*MANY.partition.offsets[n : n + 2])
        slopes = [MANY.matrices[i] @ (x - MANY.centre) + MANY.slopes[i] for i in rows]
        moved = ETA / (1 + ETA * MU) * sum(slopes) / Fraction(len(rows)) * (returned == "last")

        assert (found == x - moved).all()


def test_a_block_beyond_the_end_can_be_drawn() -> None:
    """The last of floor(D / B) + 2 numbers is empty, and the last two where B divides D."""
    for size, empty in ((9, 1), (8, 2)):
        sizes = np.array([size])
        numbers = np.arange(block_choices(sizes, 4)[0])

        counts = block_counts(np.full(len(numbers), size), numbers, 4)

        assert counts.sum() == size
        assert (counts == 0).sum() == empty


def test_switches_that_cannot_be_combined_are_refused() -> None:
    """Blocks without a size, no step at all, and moments of blocks: one line each."""
    refused(InputError, "sampler: got blocks", FedProxVR, 1, 3, batch_size=None, sampler="blocks")
    refused(InputError, "local_steps: got 0, expected at least 1", FedProxVR, 1, 0, counted="all")
    blocks = FedProxVR(1, 1, batch_size=2, sampler="blocks")
    refused(InputError, "moments are those of uniform samples", run_moments, blocks, LINE, 1)


numbers = st.fractions(min_value=-50, max_value=50, max_denominator=40)
positive = st.fractions(min_value=Fraction(1, 40), max_value=50, max_denominator=40)


@given(x=numbers, anchor=numbers, eta=positive, mu=positive, step=numbers)
def test_prox_minimises_its_definition(
    x: Fraction, anchor: Fraction, eta: Fraction, mu: Fraction, step: Fraction
) -> None:
    """No other point has a smaller value of h(w) + |w - x|^2 / (2 eta): the gap is exactly quadratic."""

    def objective(w: Fraction) -> Fraction:
        return mu / 2 * (w - anchor) ** 2 + (w - x) ** 2 / (2 * eta)

    best = prox_to_anchor(x, anchor, eta, mu)  # type: ignore[arg-type]

    assert objective(best + step) - objective(best) == (mu + 1 / eta) / 2 * step**2


def test_weight_zero_returns_the_point_to_the_last_bit() -> None:
    """Without a proximal term nothing is pulled, bit for bit, in floats."""
    point, anchor = np.random.default_rng(0).standard_normal((2, 1000))

    assert (prox_to_anchor(point, anchor, 0.1, 0.0) == point).all()
