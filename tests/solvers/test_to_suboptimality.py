"""The certified inexact oracle: its certificate against minima in many digits, and what it refuses."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath  # type: ignore[import-untyped]
import numpy as np
import pytest

from fedproof.problems.catalog import make_problem
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.problems.supervised.models.least_squares import LeastSquares
from fedproof.problems.supervised.models.logistic import Logistic
from fedproof.problems.supervised.models.softmax import Softmax
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.regularisers import L2, Nonconvex, Sum
from fedproof.problems.supervised.supervised import Supervised
from fedproof.solvers.api import run as verb
from fedproof.solvers.local.to_suboptimality import ToSuboptimality
from fedproof.solvers.surrogates import Surrogates
from fedproof.vocabulary.errors import InputError
from tests.refusals import refused

METHODS = ("newton", "accelerated")
REGULARISERS: tuple[Any, ...] = (None, L2("1/3"), Sum(L2("1/10"), Nonconvex("1/5")))


def drawn(seed: int, model: Any, kernel: str = "numpy") -> Supervised:
    """Three clients with rows of very different lengths."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((11, 2)) * 10.0 ** rng.uniform(-2, 1, (11, 1))
    y = rng.standard_normal(11) if isinstance(model, LeastSquares) else rng.integers(0, 2, 11)
    parts = Partition.of_sizes([2, 5, 4])
    return Supervised(model, x, y, parts, regulariser=REGULARISERS[seed % 3], kernel=kernel)


class Exactly:
    """A client's surrogate of two features in sixty digits, written down anew."""

    def __init__(self, problem: Supervised, client: int, anchor: Any, mu: float) -> None:
        a, b = problem.partition.offsets[client : client + 2]
        self.x = [[mpmath.mpf(float(v)) for v in row] for row in problem.features[a:b]]
        self.y, self.kind = problem.labels[a:b].tolist(), problem.model.name
        self.anchor, self.mu = [mpmath.mpf(float(v)) for v in anchor], mpmath.mpf(mu)
        penalties: dict[int, tuple[Any, Any]] = {0: (0, 0), 1: ("1/3", 0), 2: ("1/10", "1/5")}
        self.l2, self.bumps = penalties[REGULARISERS.index(problem.regulariser)]

    def sample(self, w: Any, x: Any, y: Any) -> Any:
        """The loss of one row."""
        scores = [sum(w[c + j] * x[j] for j in range(2)) for c in range(0, len(w), 2)]
        if self.kind == "least_squares":
            return (scores[0] - mpmath.mpf(y)) ** 2 / 2
        if self.kind == "logistic":
            return mpmath.log1p(mpmath.exp(-scores[0] if y == 1 else scores[0]))
        return mpmath.log(sum(mpmath.exp(z - scores[y]) for z in scores))

    def loss(self, w: Any) -> Any:
        """F_n."""
        l2, bumps = (
            mpmath.mpf(Fraction(v).numerator) / Fraction(v).denominator for v in (self.l2, self.bumps)
        )
        mean = sum(self.sample(w, x, y) for x, y in zip(self.x, self.y, strict=True)) / len(self.y)
        return mean + sum(l2 / 2 * v * v + bumps * v * v / (1 + v * v) for v in w)

    def value(self, *w: Any) -> Any:
        """Q_n."""
        return self.loss(w) + self.mu / 2 * sum((v - a) ** 2 for v, a in zip(w, self.anchor, strict=True))

    def gradient(self, w: Any) -> Any:
        """grad Q_n by differences of 1e-20, right to 1e-35."""
        h, d = mpmath.mpf("1e-20"), len(w)
        ends = [[w[j] + (s * h if j == i else 0) for j in range(d)] for i in range(d) for s in (1, -1)]
        values = [self.value(*e) for e in ends]
        return mpmath.matrix([(p - m) / (2 * h) for p, m in zip(values[::2], values[1::2], strict=True)])

    def least(self, near: Any) -> Any:
        """min Q_n, by secant Newton steps from a point near it, until the gradient is below 1e-25."""
        w, d = [mpmath.mpf(float(v)) for v in near], len(near)
        for _ in range(60):
            g, h = self.gradient(w), mpmath.mpf("1e-12")
            if mpmath.norm(g) < mpmath.mpf("1e-25"):
                return self.value(*w)
            columns = [(self.gradient([w[j] + (h if j == i else 0) for j in range(d)]) - g) / h
                       for i in range(d)]  # fmt: skip
            hessian = mpmath.matrix(d, d)
            for i, column in enumerate(columns):
                for j in range(d):
                    hessian[j, i] = column[j]
            step = mpmath.lu_solve(hessian, g)
            w = [a - b for a, b in zip(w, step, strict=True)]
        raise AssertionError("no minimum")


@pytest.mark.parametrize("method", [*METHODS, "auto"])
@pytest.mark.parametrize("model", [Logistic(), Softmax(2), LeastSquares()], ids=lambda m: m.name)
def test_the_true_suboptimality_is_below_the_certificate_and_that_below_eps(
    model: Any, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On random surrogates, convex and weakly convex, loose and sharp; minima in sixty digits."""
    monkeypatch.setattr("fedproof.solvers.local.to_suboptimality.MOST_DENSE", 0)  # auto is not newton
    close = 0.0
    for seed in range(9):
        problem, rng = drawn(seed, model), np.random.default_rng(seed + 100)
        eps, mu = float(10 ** rng.uniform(-18, 0)), float(10 ** rng.uniform(-0.9, 1))
        anchor = rng.standard_normal((3, problem.dimension))
        local = ToSuboptimality(eps, method, 20_000).solve(problem, anchor, mu, np.arange(3), {})
        near = ToSuboptimality("1e-20").solve(problem, anchor, mu, np.arange(3), {}).models
        assert local.suboptimality is not None
        assert local.solved is not None
        assert local.solved.all()
        with mpmath.workdps(60):
            for n in range(3):
                exact, u = Exactly(problem, n, anchor[n], mu), local.models[n]
                truth = exact.value(*(mpmath.mpf(float(v)) for v in u)) - exact.least(near[n])
                assert truth <= local.suboptimality[n] <= eps
                close = max(close, float(truth / local.suboptimality[n]))
    assert close > 1e-2


@pytest.mark.parametrize("kernel", ["numpy", "auto"])
@pytest.mark.parametrize("model", [Logistic(), Softmax(2), LeastSquares()], ids=lambda m: m.name)
def test_no_gradient_is_off_by_more_than_its_error(model: Any, kernel: str) -> None:
    """At models near and far, against differences in sixty digits; the bound is below 1e-9 of the size."""
    for seed in range(6):
        problem = drawn(seed, model, kernel)
        rng = np.random.default_rng(seed)
        w = rng.standard_normal((3, problem.dimension)) * 10.0 ** rng.uniform(-3, 3, (3, 1))
        found, error = problem.client_gradients(w, np.arange(3)), problem.gradient_error(w, np.arange(3))
        with mpmath.workdps(60):
            for n in range(3):
                truth = Exactly(problem, n, w[n], 0.0).gradient([mpmath.mpf(float(v)) for v in w[n]])
                off = mpmath.norm(truth - mpmath.matrix([mpmath.mpf(float(v)) for v in found[n]]))
                assert off <= error[n] <= 1e-9 * (1 + np.linalg.norm(w[n]) * 100)


@pytest.mark.parametrize("model", [Logistic(), LeastSquares()], ids=lambda m: m.name)
def test_hessians_are_the_products_with_unit_vectors(model: Any) -> None:
    """Of clients in any order and with a regulariser too."""
    for seed in range(3):
        problem, ids = drawn(seed, model), np.array([2, 0, 2])
        w = np.random.default_rng(seed).standard_normal((3, 2))
        products = problem.hessian_products(w, np.broadcast_to(np.eye(2)[:, None], (2, 3, 2)), ids)
        found = problem.client_hessians(w, ids)
        assert found is not None
        assert np.allclose(found, products.transpose(1, 0, 2), rtol=1e-13)
    assert drawn(0, Softmax(2)).client_hessians(w, ids) is None


def test_of_a_linear_loss_the_certificate_is_the_suboptimality() -> None:
    """F = s w: Q is a bowl of curvature mu, |grad Q|^2 / (2 mu) is Q - min Q exactly, in fractions."""
    slope, mu = Fraction(3), Fraction(1, 2)
    flat = Quadratic.of([[[0]]], [[slope]], sizes=[1])
    local = ToSuboptimality(10).solve(flat, flat.start()[None], mu, np.arange(1), {})

    assert local.suboptimality is not None
    assert local.models[0, 0] == 0
    assert local.suboptimality[0] == slope**2 / (2 * mu) == 9


def test_quadratics_in_fractions_are_solved_exactly() -> None:
    """One Newton step ends at (A + mu)^-1 (A c + mu w - g), also where A is not convex; certificate 0."""
    bowl = Quadratic.of([[[-1, 0], [0, 3]]], [[1, 2]], sizes=[1])
    local = ToSuboptimality("1e-30").solve(bowl, bowl.start()[None] + 1, Fraction(2), np.arange(1), {})

    assert local.models.tolist() == [[Fraction(1), Fraction(0)]]
    assert local.suboptimality is not None
    assert local.suboptimality.tolist() == [0]


@pytest.mark.parametrize("method", METHODS)
def test_floats_of_a_quadratic_against_its_exact_minimum(method: str) -> None:
    """The float problem's models, put into the fractions it was rounded from, are within the certificate."""
    exact = random_quadratic(5, n_clients=4, dimension=3, samples=2)
    floats, mu, clients = exact.as_float(), 0.25, np.arange(4)
    for eps in (1e-2, 1e-8, 1e-20):
        anchor = np.random.default_rng(0).standard_normal((4, 3))
        local = ToSuboptimality(eps, method).solve(floats, anchor, mu, clients, {})
        start = np.vectorize(Fraction, otypes=[object])(anchor)
        best = ToSuboptimality("1e-99").solve(exact, start, Fraction(mu), clients, {}).models
        ends = np.vectorize(Fraction, otypes=[object])(local.models)
        values = [
            exact.client_losses(u, clients) + Fraction(mu) / 2 * ((u - start) ** 2).sum(axis=1)
            for u in (ends, best)
        ]
        assert local.suboptimality is not None
        assert (values[0] - values[1] <= [Fraction(v) for v in local.suboptimality]).all()
        assert (local.suboptimality <= eps).all()


def test_who_is_not_done_is_told() -> None:
    """Below what floats can prove nothing is called solved, and the metric counts the clients."""
    history = verb("fedprox", "breast_cancer", rounds=1, local_solver="to_suboptimality", eps="1e-40",
                   mu=1, most_steps=8, clients=4)  # fmt: skip
    assert history.metrics["unsolved"] == (None, 4)
    assert history.metrics["suboptimality"][1] > 1e-40


def test_what_is_refused() -> None:
    """eta >= 1 / nu, a problem without a known weak convexity, eps <= 0: one line each."""
    problem = drawn(2, Logistic())
    bent = Supervised(problem.model, problem.features, problem.labels, problem.partition,
                      regulariser=Nonconvex(1))  # fmt: skip
    solver, anchor = ToSuboptimality("1e-3"), np.zeros((3, 2))
    refused(InputError, r"prox_weight: got 0.5, expected more than 0.5, .*eta < 1 / nu", solver.solve, bent,
            anchor, 0.5, np.arange(3), {})  # fmt: skip
    refused(InputError, "suboptimality: got 0", ToSuboptimality, 0)
    with pytest.raises(InputError, match="with a proved weak_convexity"):
        verb("fedprox", make_problem("breast_cancer", 4, options={"model": "perceptron"}), rounds=1,
             local_solver="to_suboptimality", eps=1, mu=1)  # fmt: skip


def test_strongly_convex_losses_need_no_proximal_term() -> None:
    """With mu = 0 (eta infinite) every client goes to its own minimiser, c_n of a_n (w - c_n)^2 / 2."""
    bowls = Quadratic.of([[[1]], [[2]], [[5]]], [[-3], [2], [-10]], sizes=[1] * 3)
    for problem in (bowls, bowls.as_float()):
        history = verb("fedprox", problem, rounds=1, local_solver="to_suboptimality", eps="1e-12", mu=0)
        local = ToSuboptimality("1e-12").solve(problem, np.zeros((3, 1)) * problem.number(1),
                                               problem.number(0), np.arange(3), {})  # fmt: skip
        assert local.models[:, 0].tolist() == [3, -1, 2]
        assert history.model[0] == pytest.approx(4 / 3)
        assert history.metrics["unsolved"] == (None, 0)
    flat = Quadratic.of([[[0]]], [[0]], sizes=[1])
    refused(InputError, r"prox_weight: got 0, expected more than 0.0", verb, "fedprox", flat, rounds=1,
            local_solver="to_suboptimality", eps=1, mu=0)  # fmt: skip


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("model", [Logistic(), Softmax(2), LeastSquares()], ids=lambda m: m.name)
def test_certificates_without_a_proximal_term(model: Any, method: str) -> None:
    """With l2 alone and mu = 0 the modulus is the l2 weight, and certificates are above the truth."""
    problem = drawn(1, model)
    anchor, ids = np.random.default_rng(3).standard_normal((3, problem.dimension)), np.arange(3)
    for eps in (1e-3, 1e-12):
        local = ToSuboptimality(eps, method, 20_000).solve(problem, anchor, 0.0, ids, {})
        near = ToSuboptimality("1e-20").solve(problem, anchor, 0.0, ids, {}).models
        assert local.suboptimality is not None
        with mpmath.workdps(60):
            for n in range(3):
                exact, u = Exactly(problem, n, anchor[n], 0.0), local.models[n]
                truth = exact.value(*(mpmath.mpf(float(v)) for v in u)) - exact.least(near[n])
                assert truth <= local.suboptimality[n] <= eps
    assert 1 / 3 - 1e-15 <= Surrogates.of(problem, anchor, 0.0, ids).modulus <= Fraction(1, 3)


def test_a_least_curvature_is_below_every_eigenvalue_and_near_the_least() -> None:
    """Of random quadratics with and without known spectra, convex and not; of regularised losses by hand."""
    for seed in range(6):
        known = random_quadratic(seed, n_clients=3, dimension=2, samples=2, heterogeneity=2)
        shift = [[Fraction(3 - seed), 0], [0, Fraction(3 - seed)]]
        moved = Quadratic.of(known.matrices + np.array(shift), known.slopes, sizes=known.sizes)
        for problem in (known, moved, moved.as_float()):
            least = np.linalg.eigvalsh(problem.client_matrices.astype(float)).min()
            assert 0 <= least - float(problem.least_curvature.value) + 1e-12 < 1e-7 * (1 + abs(least))
    assert drawn(0, Logistic()).least_curvature.value == 0
    assert drawn(1, Logistic()).least_curvature.value == Fraction(1, 3)
    assert drawn(2, Logistic()).least_curvature.value == Fraction(1, 10) - Fraction(1, 10)


def passes_with_the_proven_smoothness(problem: Any, anchor: Any, mu: float, eps: float) -> Any:
    """How many gradients Nesterov's method with L takes for each client, by a plain loop."""
    known, counts = Surrogates.of(problem, anchor, mu, np.arange(len(anchor))), []
    root = np.sqrt(known.smoothness / known.modulus)
    for n in range(len(anchor)):
        one, t = known.only(np.array([n])), 1
        ahead = before = anchor[n : n + 1]
        while one.certificates(ahead, gradient := one.gradients(ahead))[0] > eps:
            after = ahead - gradient / known.smoothness
            ahead, before, t = after + (root - 1) / (root + 1) * (after - before), after, t + 1
        counts.append(t)
    return np.array(counts)


@pytest.mark.parametrize(("mu", "most"), [(0.1, 2 / 3), (0.001, 1 / 3)])
def test_spectral_steps_save_passes(mu: float, most: float) -> None:
    """On digits a third of the passes of each client at least, the flatter the surrogates the more."""
    digits = make_problem("digits", 20)
    anchor, ids = np.zeros((20, digits.dimension)), np.arange(20)
    local = ToSuboptimality("1e-8").solve(digits, anchor, mu, ids, {})
    proven = passes_with_the_proven_smoothness(digits, anchor, mu, 1e-8)
    assert local.solved is not None
    assert local.solved.all()
    assert (local.gradients / digits.sizes <= most * proven).all()


def test_what_spectral_steps_leave_is_done_by_accelerated_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where they lead nowhere, Nesterov's method solves every surrogate in the other half of the steps."""
    monkeypatch.setattr("fedproof.solvers.local.to_suboptimality.MOST_DENSE", 0)
    monkeypatch.setattr("fedproof.solvers.local.to_suboptimality._spectral", lambda record, at, steps: at)
    problem, anchor, ids = drawn(0, Logistic()), np.ones((3, 2)), np.arange(3)
    alone = ToSuboptimality("1e-9", "accelerated", 200).solve(problem, anchor, 0.3, ids, {})
    after = ToSuboptimality("1e-9", "auto", 400).solve(problem, anchor, 0.3, ids, {})
    short = ToSuboptimality("1e-9", "auto", 8).solve(problem, anchor, 0.3, ids, {})
    assert alone.solved is not None
    assert alone.solved.all()
    assert (after.models == alone.models).all()
    assert (short.gradients / problem.sizes).max() == 1 + 4
