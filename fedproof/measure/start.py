"""What theorems ask of the start: the gap, the spread of the clients' gradients, the penalty's slope."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from fedproof.measure.measure_result import MeasureResult, side_of
from fedproof.measure.rounding import loss_rounding
from fedproof.problems.composite.composite import Composite
from fedproof.problems.problem import Array, Problem, client_shares, counts_alike
from fedproof.problems.supervised.model_options import known_name
from fedproof.problems.supervised.supervised import Supervised
from fedproof.vocabulary.decimals import safe_float
from fedproof.vocabulary.errors import InputError

#: constants that a problem has with its start and its penalty
FROM_START = ("initial_dissimilarity", "subgradient_bound", "mean_shift_error")
#: what rounding may add to sums of this length, relatively
_ROOM = 1 + 1e-9


def smooth_part(problem: Problem) -> Problem:
    """The loss without its penalty."""
    return problem.smooth if isinstance(problem, Composite) else problem


def in_floats(problem: Problem) -> Problem:
    """The problem, or the same in floats where it is one in fractions.

    Raises: InputError for one that cannot be had in floats.
    """
    if problem.start().dtype != object:
        return problem
    if isinstance(problem, Composite):
        return replace(problem, smooth=in_floats(problem.smooth))
    convert = getattr(problem, "as_float", None)
    if convert is None:
        raise InputError("problem", "fractions", "a problem in floats", "give it as_float")
    found: Problem = convert()
    return found


def constants(
    problem: Problem, measured: MeasureResult, *, same_weights: bool = False
) -> tuple[dict[str, float], dict[str, float]]:
    """By canonical word, constants that are proved, and those that are known, estimates among them.

    Arguments:
        problem: what is run, its own start included; clients may count the same each.
        measured: constants of the loss without its penalty.
        same_weights: whether they are of the problem's own weights, and not of those by size.
    """
    proved = {k: safe_float(v, side_of(k)) for k, v in measured.proved.items()}
    known = {k: float(v) for k, v in measured.known.items()}
    alike = {"initial_dissimilarity": _spread(problem) * _ROOM, **_slope(problem)}
    shifts = _attained(measured) and _plain_mean(problem)
    for found, sure in ((proved, True), (known, False)):
        gap = _gap(problem, found.pop("initial_gap", None), sure, same_weights)
        found |= alike | ({} if gap is None else {"initial_gap": gap})
        if shifts and (most := _shifts(problem, found)) is not None:
            found["mean_shift_error"] = most
    return proved, known


def _attained(measured: MeasureResult) -> bool:
    """Whether it is proved that a minimiser exists, of the loss by size and of the plain mean alike.

    Of convex losses that are not negative one weighting has a direction along which nothing grows if and only
    if every other has.
    """
    gap = measured.constants.get("initial_gap")
    strong = measured.proved.get("loss_strong_convexity")
    return bool(strong) or (gap is not None and "minimiser_within" in gap.details)


def _plain_mean(problem: Problem) -> bool:
    """Whether the loss is the plain mean of the clients' and nothing beside: their minimiser is its own."""
    smooth = smooth_part(problem)
    alike = counts_alike(smooth) or len(set(problem.sizes.tolist())) == 1
    return alike and not isinstance(problem, Composite)


def _shifts(problem: Problem, known: Mapping[str, float]) -> float | None:
    """The mean of |grad F_n(w*)|^2, from above: of shifts that begin at 0 the mean squared error.

    As grad F(w*) = 0 it is at most zeta^2; of convex losses at most (s + sqrt(2 L gap))^2, s^2 the same mean
    at the start, as the mean of |grad F_n(w_0) - grad F_n(w*)|^2 is at most 2 L (F(w_0) - F*).
    """
    found = [known["gradient_dissimilarity"]] if "gradient_dissimilarity" in known else []
    needs = ("smoothness", "initial_gap", "weak_convexity")
    if all(word in known for word in needs) and known["weak_convexity"] == 0:
        every = _gradients(problem)
        there = float(np.sqrt(np.mean(np.sum(every * every, axis=1))))
        found.append((there + float(np.sqrt(2 * known["smoothness"] * known["initial_gap"]))) ** 2 * _ROOM)
    return min(found, default=None)


def _gradients(problem: Problem) -> Array:
    """Every client's gradient of the loss at the start, one a row."""
    smooth, ids = smooth_part(problem), np.arange(problem.n_clients)
    every: Array = smooth.client_gradients(np.repeat(problem.start()[None], len(ids), axis=0), ids)
    return every


def _spread(problem: Problem) -> float:
    """The mean of |grad f_n - grad f|^2 at the start, with the loss's own weights."""
    smooth, every = smooth_part(problem), _gradients(problem)
    weights = client_shares(smooth)
    apart = every - (weights[:, None] * every).sum(axis=0)
    return float(weights @ np.sum(apart * apart, axis=1))


def _slope(problem: Problem) -> dict[str, float]:
    """B_g where it is proved."""
    if not isinstance(problem, Composite):
        return {"subgradient_bound": 0.0}
    bound = problem.penalty.subgradient_bound(problem.dimension)
    proved = bound.kind != "estimate" and bound.value is not None
    return {"subgradient_bound": float(bound.value)} if proved else {}


def _gap(problem: Problem, measured: float | None, sure: bool, same_weights: bool) -> float | None:
    """F(x_0) - F* at the start of the runs, from above; None where it is not known.

    The penalty is at least 0 and its proximal step leaves the start alone, so that nothing of it is lost.
    """
    smooth, at = smooth_part(problem), problem.start()
    added = _added(problem, at)
    if added is None:
        return None
    if counts_alike(smooth) and not same_weights:
        most = _loss(smooth, at, sure) if isinstance(smooth, Supervised) and _not_negative(smooth) else None
        return None if most is None else (most[1] + added) * _ROOM
    if measured is None:
        return None
    if np.array_equal(at, smooth.start()):
        return measured + added * _ROOM
    here, there = _loss(smooth, at, sure), _loss(smooth, smooth.start(), sure)
    if here is None or there is None:
        return None
    return here[1] + added - there[0] + measured


def _added(problem: Problem, at: Array) -> float | None:
    """What the penalty adds at the start; None where nothing is known of it."""
    if not isinstance(problem, Composite):
        return 0.0
    penalty = problem.penalty
    if not _ours(penalty) or not np.array_equal(penalty.prox(at, 1.0), at):
        return None
    return float(penalty.value(at))


def _loss(problem: Problem, at: Array, sure: bool) -> tuple[float, float] | None:
    """The loss at a model from below and above, with what rounding may have changed where it must be sure."""
    value = float(problem.loss(at))
    if not sure:
        return value, value
    off = loss_rounding(problem, at)
    if off is None:
        return None
    return value - off, value + off


def _not_negative(problem: Supervised) -> bool:
    """Whether no sample's loss is negative: of our own models and regularisers."""
    regulariser: Any = problem.regulariser
    return bool(known_name(problem.model)) and (regulariser is None or _ours(regulariser))


def _ours(part: Any) -> bool:
    """Whether it is one of this package's own, none of which is negative."""
    return type(part).__module__.split(".")[0] == __name__.split(".")[0]
