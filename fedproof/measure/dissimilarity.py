"""sigma-bar^2 of FedProxVR (5): along a trajectory, by search over models, and what is proved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fedproof.measure.counting_problem import CountingProblem
from fedproof.measure.least_loss import Minimum
from fedproof.measure.measured_constant import MeasuredConstant, known_constant
from fedproof.measure.rounding import SHORT, Clients
from fedproof.measure.search_options import SearchOptions
from fedproof.problems.problem import Array, counts_alike
from fedproof.problems.supervised.margin import dissimilarity_bound
from fedproof.problems.supervised.supervised import Supervised

_FOR_ALL = ", (5) read as for all models"


@dataclass(eq=False)
class LargestRatios:
    """Largest ratios |grad F_n - grad F|^2 / |grad F|^2 over the models looked at.

    (5) bounds each client's ratio at all models: sigma-bar^2 is at least the weighted mean of their largest
    values, which may lie at different models, and that is at least the largest weighted mean at one model.

    Arguments:
        each: largest of every client, shape (n_clients,).
        sure: the same, less all that may be rounding; 0 where that is not bounded.
        joint: largest weighted mean at one model, which is what Theorem 1's proof uses, (72).
        best: the model of `joint`, shape (d,).
        weights: of the clients in the loss.
        points: models looked at.
    """

    each: Array
    sure: Array
    joint: float
    best: Array
    weights: Array
    points: int = 0

    def note(self, model: Array, values: tuple[Array, Array] | None) -> None:
        """One more model, with every client's ratio there and what is sure of it, if there is one."""
        self.points += 1
        if values is None:
            return
        self.each, self.sure = np.maximum(self.each, values[0]), np.maximum(self.sure, values[1])
        if (joint := float(self.weights @ values[0])) > self.joint:
            self.joint, self.best = joint, model


def measure_dissimilarity(
    problem: CountingProblem, setting: SearchOptions, minimum: Minimum | None, smoothness: float | None
) -> MeasuredConstant:
    """dissimilarity: exact or certified where something is proved; else the largest that a search found.

    Arguments:
        minimum: of the global loss, if a solve was made.
        smoothness: a certified L_n of all clients, for the proof that no finite sigma exists.
    """
    known = known_constant(problem.constants["dissimilarity"])
    if known.kind in ("exact", "certified"):
        return known
    floor = _floor(problem, setting.models[0])
    taken = [ratios(problem, m, floor) for m in setting.models]
    along = [float(problem.shares @ r[0]) for r in taken if r is not None]
    details: dict[str, Any] = {}
    if along:
        details = {"median_on_trajectory": float(np.median(along)), "largest_on_trajectory": max(along)}
    none, kind = _none_is_finite(problem, minimum, smoothness, floor)
    if none:
        said = f"; on the trajectory it was at most {max(along):.4g}, already squared" if along else ""
        return MeasuredConstant(None, kind, f"{none}{_FOR_ALL}{said}", details=details)
    path = minimum.path if minimum is not None else setting.models[:0]
    seen = search(problem, np.concatenate([setting.models, path]), setting)
    lower = float(problem.shares @ seen.sure) * (1 - 1e-9)
    value = lower if floor.known else float(problem.shares @ seen.each)
    details |= {"largest_at_one_model": seen.joint, "models": seen.points}
    how = f"weighted mean of the largest ratios of clients, already squared, at {seen.points} models"
    how += ", by ascent and on the way"
    upper = _separable_bound(problem, minimum)
    if upper is not None:
        how = f"{how}: a lower bound; at most {upper:.4g}, as the data is separable with a proved margin"
    elif floor.known:
        how = f"{how}: a lower bound, rounding taken off, and perhaps none is finite"
    else:
        how = f"{how}: perhaps none is finite; the rounding of gradients is not bounded here"
    spread = value - details["median_on_trajectory"] if along else None
    return MeasuredConstant(value, "estimate", f"{how}{_FOR_ALL}", spread, lower, upper, details)


def _floor(problem: CountingProblem, start: Array) -> Clients:
    return Clients(problem.inner, SHORT * float(np.linalg.norm(problem.at_one(start)[0], axis=1).max()))


def ratios(problem: CountingProblem, model: Array, floor: Clients) -> tuple[Array, Array] | None:
    """|grad F_n - grad F|^2 / |grad F|^2 of every client at one model, (5) squared, and what is sure of it.

    None where grad F is 0, or lost.

    >>> from fedproof.problems.quadratics.quadratic import Quadratic
    >>> two = Quadratic.of([[[1]], [[3]]], [[0], [0]], sizes=[1, 1]).as_float()
    >>> ratios(CountingProblem(two), np.ones(1), Clients(two))[0]
    array([0.25, 0.25])
    """
    each, whole = problem.at_one(model)
    return None if floor.lost(model, each, whole) else _values(model, each, whole, floor)


def _values(model: Array, each: Array, whole: Array, floor: Clients) -> tuple[Array, Array]:
    return np.square(each - whole).sum(axis=1) / float(whole @ whole), floor.sure(model, each, whole)


def search(problem: CountingProblem, points: Array, setting: SearchOptions) -> LargestRatios:
    """Ascent on the weighted mean, then on single clients, from the best points and random ones.

    Arguments:
        points: models to begin with, shape (m, d).
    """
    weights, rng = problem.shares, setting.rng("dissimilarity")
    floor, none = _floor(problem, points[0]), np.zeros(problem.n_clients)
    seen = LargestRatios(none, none, -1.0, points[0], weights)
    for model in points:
        seen.note(model, ratios(problem, model, floor))
    reach = float(np.linalg.norm(points - points[0], axis=1).max()) or 1.0
    noise = rng.standard_normal((3, problem.dimension)) / np.sqrt(problem.dimension)
    budget = setting.passes(problem) // 3
    starts = [seen.best, *(points[0] + reach * noise)]
    for start in starts:
        _gradient_ascent(problem, start, weights, seen, floor, max(4, budget // (2 * len(starts))))
    lone = np.argsort(-weights * seen.each)[: max(1, budget // 20)]
    for client in lone:
        only = np.zeros(problem.n_clients)
        only[client] = 1
        for start in (seen.best, starts[1]):
            _gradient_ascent(problem, start, only, seen, floor, max(4, budget // (4 * len(lone))))
    return seen


def _gradient_ascent(
    problem: CountingProblem, start: Array, weights: Array, seen: LargestRatios, floor: Clients, most: int
) -> None:
    """L-BFGS ascent on the logarithm of the weighted mean of ratios, over at most `most` models."""
    from scipy.optimize import minimize

    scale = max(1e-3, float(np.linalg.norm(start)))

    def both(scaled: Array) -> tuple[float, Array]:
        model = scale * scaled
        found = _slope(problem, model, weights, floor)
        if found is None:
            return 1e10, np.zeros_like(scaled)
        values, slope = found
        seen.note(model, values)
        mean = float(weights @ values[0])
        return -float(np.log(mean)), -scale * slope / mean

    if _slope(problem, start, weights, floor) is not None:
        options = {"maxfun": most, "maxiter": most, "gtol": 1e-9, "ftol": 1e-13}
        minimize(both, start / scale, jac=True, method="L-BFGS-B", options=options)


def _slope(
    problem: CountingProblem, model: Array, weights: Array, floor: Clients
) -> tuple[tuple[Array, Array], Array] | None:
    """`ratios`, and the gradient of their weighted mean; None where there is none, or it is 0.

    With e_n = grad F_n - grad F and s = |grad F|^2 the gradient of |e_n|^2 / s is
    2 ((H_n - H) e_n - (|e_n|^2 / s) H grad F) / s.
    """
    each, whole = problem.at_one(model)
    if floor.lost(model, each, whole):
        return None
    size, apart, values = float(whole @ whole), each - whole, _values(model, each, whole, floor)
    if not weights @ values[0] > 0:
        return None
    used = np.flatnonzero(weights)
    at = np.repeat(model[None], len(used), axis=0)
    own = weights[used] @ problem.hessian_products(at, apart[used], used)
    shared = problem.hessian_product(model, np.stack([weights @ apart, whole]))
    slope: Array = 2 * (own - shared[0] - float(weights @ values[0]) * shared[1]) / size
    return values, slope


def _none_is_finite(
    problem: CountingProblem, minimum: Minimum | None, smoothness: float | None, floor: Clients
) -> tuple[str, str]:
    """That (5) fails, a client's gradient not being 0 where the global one is; and whether that is proved."""
    if minimum is None or minimum.margin is not None:
        return "", ""
    each, whole = problem.at_one(minimum.model)
    lengths = np.linalg.norm(each, axis=1)
    largest = float(lengths.max())
    if floor.known:
        surely = float((lengths * (1 - 1e-12) - floor.errors(minimum.model, each, whole)[0]).max())
        if surely <= 0:
            return "", ""
        far = minimum.distance
        if far is not None and smoothness is not None and surely > 2 * smoothness * far:
            gone = f"the global gradient vanishes within {far:.1e} of a model where a client's is"
            change = f"{largest:.3g} long, and changes by at most {smoothness * far:.1e}"
            return f"no finite one exists: {gone} {change}", "certified"
    size = float(np.linalg.norm(whole))
    begun = float(np.linalg.norm(problem.at_one(minimum.path[0])[0]))
    if not size <= SHORT * largest or not largest > SHORT * begun:
        return "", ""
    seen = f"the global gradient is {size:.1e} long at a model where a client's is {largest:.3g}"
    return f"none seems finite: {seen}", "estimate"


def _separable_bound(problem: CountingProblem, minimum: Minimum | None) -> float | None:
    inner = problem.inner
    if minimum is None or minimum.margin is None or not isinstance(inner, Supervised) or counts_alike(inner):
        return None
    return dissimilarity_bound(inner, minimum.margin)
