"""What `measure` calls exact or certified, on problems that refuted it once."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import exp
from typing import Any

import mpmath
import numpy as np
import pytest

from fedproof.measure import least_loss, smoothness
from fedproof.measure.api import measure
from fedproof.measure.counting_problem import CountingProblem
from fedproof.measure.rounding import Clients, loss_rounding, rounding
from fedproof.problems.problem import Array, Constant
from fedproof.problems.supervised.models.least_squares import LeastSquares
from fedproof.problems.supervised.models.logistic import Logistic
from fedproof.problems.supervised.models.perceptron import Perceptron
from fedproof.problems.supervised.models.softmax import Softmax
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.regularisers import L2, Nonconvex, Sum
from fedproof.problems.supervised.supervised import Supervised
from fedproof.vocabulary.errors import InternalError
from tests.measure.toys import Sunk, gap_of, setting, toy


@pytest.mark.parametrize("what", ["smoothness_sample", "smoothness"])
def test_a_search_that_refutes_a_bound_is_an_error(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted L, or L_n, of a quarter of its size: the error gives both numbers; nothing is clipped."""
    problem = toy(0, LeastSquares())
    known = problem.constants[what]
    planted = dict(problem.constants) | {what: replace(known, value=known.value / 4)}
    problem.__dict__["constants"] = planted
    monkeypatch.setattr(smoothness, "clients_bound", lambda problem: 1e9)
    taken = smoothness.measure_samples if what == "smoothness_sample" else smoothness.measure_clients

    with pytest.raises(InternalError, match=rf"was found, above the bound {known.value / 4!r}"):
        taken(CountingProblem(problem), replace(setting(problem, rounds=1), effort=0.01))


def test_a_curvature_that_refutes_lambda_is_an_error() -> None:
    """Logistic loss with the non-convex regulariser of weight 1, and a planted lambda of 1/100."""
    problem = toy(0, Logistic(2), Nonconvex(1))
    small = Constant(Fraction(1, 100), "certified", "planted")
    problem.__dict__["constants"] = dict(problem.constants) | {"weak_convexity": small}

    with pytest.raises(InternalError, match=r"above the bound 0.01 that is proved: planted"):
        smoothness.measure_weak_convexity(CountingProblem(problem), setting(problem, rounds=1))


def test_large_targets_do_not_hide_rounding() -> None:
    """Least squares on ones: Delta in fractions lies between the ends, however large the targets are."""
    rng = np.random.default_rng(0)
    for _ in range(60):
        y = [int(v) for v in rng.integers(10**8, 10**9, 3)]
        problem = Supervised(LeastSquares(), np.ones((3, 1)), np.array(y, float), Partition.of_sizes([1, 2]))
        minimum, entry = gap_of(problem)
        mean = Fraction(sum(y), 3)
        least = sum((v - mean) ** 2 for v in y) / 6
        delta = Fraction(sum(v * v for v in y), 6) - least

        assert entry.kind == "certified"
        assert minimum.gap is not None
        assert Fraction(entry.lower) <= delta <= Fraction(entry.upper) <= delta * (1 + Fraction(1, 10**12))
        assert Fraction(minimum.loss) - Fraction(minimum.gap) <= least


@pytest.mark.parametrize("classes", [2, 3, 5])
def test_delta_of_separable_data_encloses_log_k(classes: int) -> None:
    """From 0 the loss is log K, which no float is: certified, with the ends on either side, and near."""
    y = np.arange(40) % classes
    x = np.eye(classes)[y] + np.random.default_rng(0).standard_normal((40, classes)) / 100
    minimum, entry = gap_of(Supervised(Softmax(classes), x, y, Partition.of_sizes([40])))

    assert minimum.margin is not None
    assert entry.kind == "certified"
    assert mpmath.mpf(entry.lower) < mpmath.log(classes) < mpmath.mpf(entry.upper)
    assert entry.spread < 1e-12


def test_no_self_concordance_with_a_regulariser_that_is_not_strongly_convex() -> None:
    """L2 of a/2 with Nonconvex of a curves by 0 at least: its third derivative is no part of the proof."""
    weight = Fraction(1 / (1 + exp(2)))
    flat = Sum(L2(weight / 2), Nonconvex(weight))
    problem = Supervised(Softmax(2), np.ones((4, 1)), np.zeros(4, int), Partition.of_sizes([2, 2]), "", flat)
    for most in (1, 2, 4, 8):
        minimum = least_loss.minimise(CountingProblem(problem), np.array([1.3, -0.6]), most)
        assert (minimum.gap, minimum.distance) == (None, None)

    none = toy(3, Softmax(2), Sum(L2(0), Nonconvex(0)))
    assert least_loss.minimise(CountingProblem(none), none.start(), 500).gap is not None


def test_a_regulariser_below_zero_gives_no_upper_end() -> None:
    """r = -5 a parameter and more, which does not say how low it is: no end of Delta is above the truth."""
    for model in (Logistic(2), Perceptron(2, hidden=3)):
        _, entry = gap_of(toy(0, model, Sunk()))
        assert (entry.kind, entry.upper) == ("estimate", None)
        assert entry.lower > 0


def test_distances_are_not_taken_where_rounding_shows() -> None:
    """1 - r below 1e-6 gives no bound; just above, the distance is not below -log(1 - r) / R."""
    assert least_loss.excess(1 - 1e-9, 1.0, 1.0) is None
    for short in (2e-6, 1e-3, 0.5, 1 - 1e-5):
        found: Any = least_loss.excess(1 - short, 1.0, 1.0)
        r = mpmath.mpf(1 - short)
        assert found[1] >= -mpmath.log1p(-r)
        assert found[0] >= r + (1 - r) * mpmath.log1p(-r)


def test_a_client_that_leaves_its_stationary_point_leaves_no_theta() -> None:
    """Targets 1 and -1 of the same row: stationary at 0, and a step of one sample leaves it."""
    x, y = np.array([[1.0], [1], [1], [2], [1.5], [0.5]]), np.array([1.0, -1, 3, 1, 2, 0])
    problem = Supervised(LeastSquares(), x, y, Partition.of_sizes([2, 2, 2]))
    found = measure(
        problem, rounds=2, seeds=3, effort=0.02, tau=5, beta=5, mu=1, batch_size=1, estimator="sgd"
    )
    entry = found.constants["inexactness"]

    assert entry.value is None
    assert "client 0" in entry.how
    assert "round 0" in entry.how
    assert 0 < entry.details["largest_of_the_others"] < np.inf


def test_rounding_is_no_dissimilarity() -> None:
    """Two clients with the same rows in another order, from a common minimiser: sigma is 0, lower is 0."""
    rng = np.random.default_rng(0)
    for _ in range(10):
        half = rng.standard_normal((12, 3))
        rows = np.concatenate([half, -half])
        x = np.concatenate([rows[rng.permutation(24)], rows[rng.permutation(24)]])
        problem = Supervised(Logistic(2), x, np.zeros(48, int), Partition.of_sizes([24, 24]))
        entry = measure(problem, rounds=2, seeds=2, effort=0.02, tau=2, beta=5, mu=1).constants[
            "dissimilarity"
        ]
        assert (entry.kind, entry.lower) == ("estimate", 0)
        assert entry.value == 0
        assert "(5) read as for all models" in entry.how


@pytest.mark.parametrize("model", [Softmax(3), Logistic(2), LeastSquares(), Perceptron(3, hidden=2)])
def test_rounding_errors_are_below_their_bounds(model: Any) -> None:
    """Losses and gradients at 60 digits, rows and models of many sizes: never off by more than is said."""
    rng, worst = np.random.default_rng(0), 0.0
    for _ in range(40):
        x = rng.standard_normal((7, 2)) * 10 ** rng.uniform(-4, 4)
        y = rng.integers(0, 2, 7) if model.name != "least_squares" else rng.standard_normal(7) * 1e6
        problem = Supervised(model, x, y, Partition.of_sizes([3, 4]), "", Sum(L2("1/3"), Nonconvex("1/7")))
        w = rng.standard_normal(problem.dimension) * 10 ** rng.uniform(-4, 2)
        true, slopes = exactly(problem, w)
        bound = loss_rounding(problem, w)
        assert bound is not None
        worst = max(worst, float(abs(true - mpmath.mpf(float(problem.loss(w)))) / bound))
        if slopes is None:
            continue
        both, clients = rounding(problem, w), Clients(problem)
        each, whole = CountingProblem(problem).at_one(w)
        off, mean = clients.errors(w, each, whole)
        assert both is not None
        truth = sum(s * g for s, g in zip(clients.shares, slopes, strict=True))
        worst = max(worst, length(truth - whole) / mean, length(truth - problem.gradient(w)) / both.gradient)
        for n in range(2):
            worst = max(worst, length(slopes[n] - each[n]) / off[n])
    assert 0 < worst < 1


def length(vector: Any) -> float:
    """Of a vector of long numbers."""
    return float(mpmath.sqrt(sum((v * v for v in vector), mpmath.mpf(0))))


def exactly(problem: Supervised, model: Array) -> tuple[Any, list[Array] | None]:
    """The global loss, and for linear models the clients' gradients, at 60 digits."""
    with mpmath.workdps(60):
        w = np.array([mpmath.mpf(float(v)) for v in model])
        third, seventh = mpmath.mpf(1) / 3, mpmath.mpf(1) / 7
        extra = sum(third / 2 * v**2 + seventh * v**2 / (1 + v**2) for v in w)
        pull = np.array([third * v + 2 * seventh * v / (1 + v**2) ** 2 for v in w])
        total, sums = mpmath.mpf(0), [0 * w, 0 * w]
        for i, (row, label) in enumerate(zip(problem.features, problem.labels, strict=True)):
            x = np.array([mpmath.mpf(float(v)) for v in row])
            loss, slope = one(problem.model, w, x, label)
            total += loss
            if slope is not None:
                sums[int(i >= 3)] = sums[int(i >= 3)] + np.outer(slope, x).ravel()
        linear = problem.model.name != "perceptron"
        return total / 7 + extra, [
            s / n + pull for s, n in zip(sums, (3, 4), strict=True)
        ] if linear else None


def one(model: Any, w: Array, x: Array, label: Any) -> tuple[Any, list[Any] | None]:
    """A sample's loss and its derivatives in the scores."""
    if model.name == "least_squares":
        apart = w @ x - mpmath.mpf(float(label))
        return apart**2 / 2, [apart]
    if model.name == "logistic":
        z = w @ x if label else -(w @ x)
        q = 1 / (1 + mpmath.exp(z))
        return mpmath.log1p(mpmath.exp(-z)), [-q if label else q]
    if model.name == "perceptron":
        hidden = np.array([mpmath.tanh(v) for v in w[:4].reshape(2, 2) @ x])
        z = w[4:10].reshape(3, 2) @ hidden + w[10:]
    else:
        z = w.reshape(3, 2) @ x
    powers = [mpmath.exp(v - max(z)) for v in z]
    slope = [v / sum(powers) - int(c == label) for c, v in enumerate(powers)]
    return mpmath.log(sum(powers)) + max(z) - z[label], None if model.name == "perceptron" else slope
