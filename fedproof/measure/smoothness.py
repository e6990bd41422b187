"""L of FedProxVR (3), L_n of every F_n, and lambda of (4): proved from above, found from below."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import inf

import numpy as np

from fedproof.measure.counting_problem import CountingProblem
from fedproof.measure.curvature import extreme_curvature
from fedproof.measure.measured_constant import MeasuredConstant, known_constant
from fedproof.measure.rounding import UNIT
from fedproof.measure.search_options import SearchOptions
from fedproof.problems.composite.constants import strong_convexity
from fedproof.problems.problem import Array, Problem
from fedproof.problems.quadratics.spectrum import greatest_below
from fedproof.problems.supervised.linear import Linear, squares_of
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.supervised import Supervised

_SAMPLES, _KEEN = 48, 10


def measure_samples(problem: CountingProblem, setting: SearchOptions) -> MeasuredConstant:
    """smoothness_sample: the model's certified bound and a lower bound found by ascent over models.

    The ascent is on the largest eigenvalue of the Hessian of single samples: those with the longest features
    and a random few, from points of the trajectory.
    """
    known = known_constant(problem.constants["smoothness_sample"])
    if known.kind == "exact" or not isinstance(problem.inner, Supervised):
        return known
    single = CountingProblem(per_sample(problem.inner))
    rows = _some_rows(problem.inner, setting.rng("samples"))
    seen, best = _ascent(single, rows, setting, "samples")
    problem.products += single.products
    lower = surely(single, best.max(), 1)
    return _with_ascent(known, seen, lower, f"the most bent of {len(rows)} samples", setting)


def measure_clients(problem: CountingProblem, setting: SearchOptions) -> MeasuredConstant:
    """smoothness: the largest L_n of an F_n; certified for linear models by their spectra."""
    known = known_constant(problem.constants["smoothness"])
    if known.kind == "exact":
        return known
    inner = problem.inner
    if isinstance(inner, Supervised) and isinstance(inner.model, Linear) and known.upper is not None:
        bound = clients_bound(inner)
        if bound < known.upper:
            factor = inner.model.curvature_bound
            times = "" if factor == 1 else f"{factor} times the "
            how = f"{times}largest eigenvalue over clients of (1/D_n) X_n^T X_n, proved by its residual"
            plus = f" plus {inner.regulariser.smoothness}" if inner.regulariser else ""
            known = replace(known, value=bound, upper=bound, how=how + plus)
    seen, best = _ascent(problem, np.arange(problem.n_clients), setting, "clients")
    lower = surely(problem, best.max(), int(problem.sizes.max()))
    return _with_ascent(known, seen, lower, f"the most bent of {problem.n_clients} clients", setting)


def per_sample(problem: Supervised) -> Supervised:
    """The same rows with every sample a client of its own."""
    return replace(problem, partition=Partition.of_sizes(np.ones(len(problem.labels), dtype=np.int64)))


def clients_bound(problem: Supervised) -> float:
    """A proved upper bound of max_n L_n for a linear model.

    The Hessian of F_n is the mean of (Hessian in scores) (x) x x^T, the first at most `curvature_bound`: so
    L_n <= bend lambda_max((1/D_n) X_n^T X_n), plus the regulariser's. Clients whose mean |x|^2, an upper
    bound of that eigenvalue, is not above the largest one yet are passed over.
    """
    model, offsets = problem.model, problem.partition.offsets
    assert isinstance(model, Linear)
    squares, unit = squares_of(problem.features)
    if unit != 1:  # the bound by the rows' lengths stands: products would overflow or vanish
        return inf
    terms = int(problem.sizes.max()) + problem.features.shape[1]
    traces = np.add.reduceat(squares, offsets[:-1]) / problem.sizes * (1 + 1e-9 + 4 * terms * UNIT)
    best = 0.0
    for n in np.argsort(-traces):
        if traces[n] <= best:
            break
        rows = problem.features[offsets[n] : offsets[n + 1]]
        best = max(best, min(float(traces[n]), greatest_below(rows)))
    extra = (problem.regulariser.smoothness if problem.regulariser else None) or Fraction(0)
    return float(best * float(model.curvature_bound) + float(extra)) * (1 + 1e-15)


def _some_rows(problem: Supervised, rng: np.random.Generator) -> Array:
    longest = np.argsort(-np.square(problem.features).sum(axis=1))[: _SAMPLES // 3]
    others = rng.permutation(len(problem.labels))[: _SAMPLES - len(longest)]
    return np.unique(np.concatenate([longest, others]))


def _ascent(problem: Problem, clients: Array, setting: SearchOptions, what: str) -> tuple[Array, Array]:
    """Largest |curvature| of each client on the trajectory, and after ascent of those that are most bent."""
    seen, points, rng = np.zeros(len(clients)), setting.spread_out(2), setting.rng(what)
    for model in points:
        at = np.repeat(model[None], len(clients), axis=0)
        for sign in (1, -1):
            found = extreme_curvature(problem, at, clients, sign, 0, rng)
            seen = np.maximum(seen, np.abs(found.values))
    best = seen.copy()
    keen = np.sort(np.argsort(-seen)[: max(_KEEN, len(clients) // 4)])
    rounds = setting.rounds(problem, clients[keen], most=30)
    for model in points:
        at = np.repeat(model[None], len(keen), axis=0)
        found = extreme_curvature(problem, at, clients[keen], 1, rounds, rng, radius=setting.radius)
        best[keen] = np.maximum(best[keen], np.abs(found.values))
    return seen, best


def surely(problem: CountingProblem, curvature: float, rows: int) -> float:
    """A curvature that was found, less its rounding where L is known.

    The Hessian in the scores lies within its bounds at whatever scores; sums of `rows` products of p + d more
    err by 64 (rows + p + d) 2^-53 L at most, a Lanczos process on them by as much.

    Arguments:
        rows: of the largest client.
    """
    if not np.isfinite(curvature):
        return 0.0
    curvature_bound = problem.constants["smoothness_sample"].value or 0
    error: float = 128 * (rows + 2 * problem.dimension + 32) * UNIT * float(curvature_bound)
    return max(0.0, float(curvature) * (1 - 1e-9) - error)


def _with_ascent(
    known: MeasuredConstant, seen: Array, lower: float, what: str, setting: SearchOptions
) -> MeasuredConstant:
    """What an ascent found beside what is known."""
    details = {"on_trajectory": float(seen.max()), "median_on_trajectory": float(np.median(seen))}
    searched = f"ascent over models on {what}"
    if known.upper is not None:
        return _enclosed(known, lower, searched, details)
    where = f"within {setting.radius:.3g} of the trajectory"
    how = f"largest found by Lanczos and {searched} {where}: a lower bound"
    return MeasuredConstant(lower, "estimate", how, lower - float(seen.max()), lower, None, details)


def _enclosed(
    known: MeasuredConstant, lower: float, searched: str, details: dict[str, float]
) -> MeasuredConstant:
    """A certified bound with the lower end that a search found."""
    how = f"{known.how}; at least {lower:.4g}, found by {searched}"
    return replace(known, how=how, lower=lower, spread=float(known.upper) - lower, details=details)


def measure_weak_convexity(problem: CountingProblem, setting: SearchOptions) -> MeasuredConstant:
    """weak_convexity: (4) holds for the problem's own constant; a search gives a lower bound on lambda."""
    known = known_constant(problem.constants["weak_convexity"])
    if known.kind == "exact":
        return known
    seen, found, median = most_negative(problem, setting)
    details = {"on_trajectory": seen, "median_of_clients": median}
    where = f"Lanczos and descent on the curvature of {problem.n_clients} clients"
    if known.upper is not None:
        return _enclosed(known, surely(problem, found, int(problem.sizes.max())), where, details)
    how = f"most negative found by {where} within {setting.radius:.3g} of the trajectory: a lower bound"
    return MeasuredConstant(found, "estimate", how, found - median, found, None, details)


def most_negative(problem: CountingProblem, setting: SearchOptions) -> tuple[float, float, float]:
    """The largest -curvature on the trajectory, after descent, and the median over clients after descent."""
    clients = np.arange(problem.n_clients)
    seen, best = np.zeros(len(clients)), np.zeros(len(clients))
    for model in setting.spread_out(3):
        at = np.repeat(model[None], len(clients), axis=0)
        rounds = setting.rounds(problem, clients, most=20)
        found = extreme_curvature(
            problem, at, clients, -1, rounds, setting.rng("convexity"), radius=setting.radius
        )
        seen, best = np.maximum(seen, -found.first), np.maximum(best, -found.values)
    return float(seen.max()), float(best.max()) * (1 - 1e-9), float(np.median(best))


def measure_strong_convexity(problem: Problem) -> MeasuredConstant:
    """loss_strong_convexity: a modulus of the global loss that is proved, from below; None where none is."""
    known = strong_convexity(problem)
    least = problem.least_curvature if known.value is None and isinstance(problem, Supervised) else known
    if least.kind != "estimate" and least.value is not None and least.value > 0:
        known = least
    if known.value is None or known.kind == "exact":
        return known_constant(known)
    return MeasuredConstant(known.value, known.kind, known.how, None, known.value, None)
