"""sigma-bar^2 of FedProxVR (5): along a trajectory, by search over models, and what is proved."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from fedproof.problems.problem import Array
from fedproof.problems.separation import dissimilarity_bound
from fedproof.problems.supervised import Supervised
from fedproof.tuning.measured.entry import Entry, known_entry
from fedproof.tuning.measured.least_loss import Minimum
from fedproof.tuning.measured.meter import Meter
from fedproof.tuning.measured.setting import Setting

__all__ = ["Seen", "measure_dissimilarity", "ratios", "search"]

_TINY = 1e-8
"""No ratio is taken where the global gradient is below this part of the clients', there or at the start."""
_SURE = 1 - 1e-6
"""Of a ratio of gradients that keep 1e-8 of the size of their summands, rounding is far below a millionth."""


@dataclass(frozen=True, eq=False)
class Seen:
    """Largest ratios |grad F_n - grad F|^2 / |grad F|^2 over the models looked at.

    (5) bounds each client's ratio at all models: sigma-bar^2 is at least the weighted mean of their largest
    values, which may lie at different models, and that is at least the largest weighted mean at one model.

    Arguments:
        each: largest of every client, shape (n_clients,).
        joint: largest weighted mean at one model, which is what Theorem 1's proof uses, (72).
        best: the model of `joint`, shape (d,).
        points: models looked at.
    """

    each: Array
    joint: float
    best: Array
    points: int = 0

    def with_point(self, model: Array, values: Array | None, weights: Array) -> Seen:
        """One more model, with every client's ratio there, if there is one."""
        if values is None:
            return replace(self, points=self.points + 1)
        joint = float(weights @ values)
        better = joint > self.joint
        return Seen(
            np.maximum(self.each, values),
            joint if better else self.joint,
            model if better else self.best,
            self.points + 1,
        )


@dataclass(eq=False)
class _Log:
    """What a search has seen so far."""

    seen: Seen
    weights: Array = field(repr=False)
    floor: float = 0.0

    def note(self, model: Array, values: Array | None) -> None:
        self.seen = self.seen.with_point(model, values, self.weights)


def measure_dissimilarity(
    problem: Meter, setting: Setting, minimum: Minimum | None, smoothness: float | None
) -> Entry:
    """dissimilarity: exact or certified where something is proved; else the largest that a search found.

    Arguments:
        minimum: of the global loss, if a solve was made.
        smoothness: a certified L_n of all clients, for the proof that no finite sigma exists.
    """
    known = known_entry(problem.constants["dissimilarity"])
    if known.kind in ("exact", "certified"):
        return known
    taken = [ratios(problem, m) for m in setting.models]
    along = [float(_weights(problem) @ r) for r in taken if r is not None]
    details: dict[str, Any] = {}
    if along:
        details = {"median_on_trajectory": float(np.median(along)), "largest_on_trajectory": max(along)}
    none, kind = _none_is_finite(problem, minimum, smoothness)
    if none:
        said = f"; on the trajectory the ratio was at most {max(along):.4g}" if along else ""
        return Entry(None, kind, f"{none}{said}", details=details)
    path = minimum.path if minimum is not None else setting.models[:0]
    seen = search(problem, np.concatenate([setting.models, path]), setting)
    lower = float(_weights(problem) @ seen.each) * _SURE
    details |= {"largest_at_one_model": seen.joint, "models": seen.points}
    how = f"weighted mean of the largest ratios of clients at {seen.points} models, by ascent and on the way"
    upper = _separable_bound(problem, minimum)
    if upper is not None:
        how = f"{how}: a lower bound; at most {upper:.4g}, as the data is separable with a proved margin"
    else:
        how = f"{how}: a lower bound, and perhaps none is finite"
    spread = lower - details["median_on_trajectory"] if along else None
    return Entry(lower, "estimate", how, spread, lower, upper, details)


def ratios(problem: Meter, model: Array, floor: float = 0.0) -> Array | None:
    """|grad F_n - grad F|^2 / |grad F|^2 of every client at one model, (5) squared; None where grad F is 0.

    Arguments:
        floor: length below which a global gradient counts as 0, for all but rounding is lost in it.

    >>> from fedproof.problems.quadratic import Quadratic
    >>> two = Quadratic.of([[[1]], [[3]]], [[0], [0]], sizes=[1, 1]).as_float()
    >>> ratios(Meter(two), np.ones(1))
    array([0.25, 0.25])
    """
    each, whole = problem.at_one(model)
    if _lost(each, whole, floor):
        return None
    found: Array = np.square(each - whole).sum(axis=1) / float(whole @ whole)
    return found


def _lost(each: Array, whole: Array, floor: float) -> bool:
    """Whether the global gradient is too short, beside the clients' or beside the floor, to divide by."""
    longest = float(np.linalg.norm(each, axis=1).max())
    size = float(np.linalg.norm(whole))
    return not np.isfinite(longest) or size <= max(_TINY * longest, floor)


def search(problem: Meter, points: Array, setting: Setting) -> Seen:
    """Ascent on the weighted mean, then on single clients, from the best points and random ones.

    Arguments:
        points: models to begin with, shape (m, d).
    """
    weights, rng = _weights(problem), setting.rng("dissimilarity")
    begun, _ = problem.at_one(points[0])
    floor = _TINY * float(np.linalg.norm(begun, axis=1).max())
    log = _Log(Seen(np.zeros(problem.n_clients), -1.0, points[0]), weights, floor)
    for model in points:
        log.note(model, ratios(problem, model, floor))
    reach = float(np.linalg.norm(points - points[0], axis=1).max()) or 1.0
    noise = rng.standard_normal((3, problem.dimension)) / np.sqrt(problem.dimension)
    budget = setting.passes(problem) // 3
    starts = [log.seen.best, *(points[0] + reach * noise)]
    for start in starts:
        _climb(problem, start, weights, log, max(4, budget // (2 * len(starts))))
    lone = np.argsort(-weights * log.seen.each)[: max(1, budget // 20)]
    for client in lone:
        only = np.zeros(problem.n_clients)
        only[client] = 1
        for start in (log.seen.best, starts[1]):
            _climb(problem, start, only, log, max(4, budget // (4 * len(lone))))
    return log.seen


def _climb(problem: Meter, start: Array, weights: Array, log: _Log, most: int) -> None:
    """L-BFGS ascent on the logarithm of the weighted mean of ratios, over at most `most` models."""
    from scipy.optimize import minimize

    scale = max(1e-3, float(np.linalg.norm(start)))

    def both(scaled: Array) -> tuple[float, Array]:
        model = scale * scaled
        found = _slope(problem, model, weights, log.floor)
        if found is None:
            return 1e10, np.zeros_like(scaled)
        values, slope = found
        log.note(model, values)
        mean = float(weights @ values)
        return -float(np.log(mean)), -scale * slope / mean

    if _slope(problem, start, weights, log.floor) is None:
        return
    options = {"maxfun": most, "maxiter": most, "gtol": 1e-9, "ftol": 1e-13}
    minimize(both, start / scale, jac=True, method="L-BFGS-B", options=options)


def _slope(problem: Meter, model: Array, weights: Array, floor: float) -> tuple[Array, Array] | None:
    """Every client's ratio, and the gradient of their weighted mean; None where there is none, or it is 0.

    With e_n = grad F_n - grad F and s = |grad F|^2 the gradient of |e_n|^2 / s is
    2 ((H_n - H) e_n - (|e_n|^2 / s) H grad F) / s.
    """
    each, whole = problem.at_one(model)
    if _lost(each, whole, floor):
        return None
    size, apart = float(whole @ whole), each - whole
    values = np.square(apart).sum(axis=1) / size
    if not weights @ values > 0:
        return None
    used = np.flatnonzero(weights)
    at = np.repeat(model[None], len(used), axis=0)
    own = weights[used] @ problem.hessian_products(at, apart[used], used)
    shared = problem.hessian_product(model, np.stack([weights @ apart, whole]))
    slope: Array = 2 * (own - shared[0] - float(weights @ values) * shared[1]) / size
    return values, slope


def _weights(problem: Meter) -> Array:
    shares: Array = problem.sizes / problem.rows
    return shares


def _none_is_finite(problem: Meter, minimum: Minimum | None, smoothness: float | None) -> tuple[str, str]:
    """That (5) fails, a client's gradient not being 0 where the global one is; and whether that is proved."""
    if minimum is None or minimum.margin is not None:
        return "", ""
    each, whole = problem.at_one(minimum.model)
    largest = float(np.linalg.norm(each, axis=1).max())
    if minimum.distance is not None and smoothness is not None:
        change = smoothness * minimum.distance
        if largest > 2 * change + 1e-6 * (1 + largest):
            return (
                f"no finite one exists: the global gradient vanishes within {minimum.distance:.1e} of "
                f"a model where a client's is {largest:.3g} long, and changes by at most {change:.1e}",
                "certified",
            )
    size = float(np.linalg.norm(whole))
    if size <= _TINY * largest and largest > _TINY * float(
        np.linalg.norm(problem.at_one(minimum.path[0])[0])
    ):
        return (
            f"none seems finite: the global gradient is {size:.1e} long at a model where a client's is "
            f"{largest:.3g}",
            "estimate",
        )
    return "", ""


def _separable_bound(problem: Meter, minimum: Minimum | None) -> float | None:
    inner = problem.inner
    if minimum is None or minimum.margin is None or not isinstance(inner, Supervised):
        return None
    return dissimilarity_bound(inner, minimum.margin)
