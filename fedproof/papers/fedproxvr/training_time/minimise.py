"""The parameters of FedProxVR that minimise its training time, with a proven lower bound."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from fedproof.algebra.arithmetic import Array, Enclosure, Intervals, Mask, enclose
from fedproof.papers.fedproxvr.training_time.certificate import Bounds, Side, certify
from fedproof.papers.fedproxvr.training_time.formulations import (
    PRINTED,
    SHARPENED,
    SHARPENED_CHAIN,
    Estimator,
)
from fedproof.papers.fedproxvr.training_time.newton import Newton, descend, start
from fedproof.papers.fedproxvr.training_time.problem import Instances, Point, Problem
from fedproof.papers.fedproxvr.training_time.whole_set import least_time
from fedproof.vocabulary.errors import InputError, UnknownName
from fedproof.vocabulary.quantities import quantity

TauKind = Literal["real", "integer"]
Form = Literal["printed", "sharpened"]
#: what is minimised over: problem (23) itself, or all that the closed chain `certified.*` admits
Over = Literal["problem", "theorem"]
_FORMS = {
    ("printed", "problem"): PRINTED,
    ("sharpened", "problem"): SHARPENED,
    ("printed", "theorem"): PRINTED,
    ("sharpened", "theorem"): SHARPENED_CHAIN,
}


@dataclass(frozen=True, eq=False)
class Optimum:
    """Minimisers and what is proved of them; every field is an array of the inputs' common shape.

    Arguments:
        objective: (1 + gamma tau)/Theta at the minimiser, rounded up; loss/length^2. Where the
            infimum is not attained, the infimum.
        lower_bound: no admissible point has a smaller objective; 0 where nothing is proved.
        certified: whether the relative gap is proved to be at most the tolerance asked for.
        gap: (objective - lower_bound)/lower_bound, rounded up; infinite where nothing is proved.
        attained: False where the objective only tends to its infimum (delay_ratio 0: local_steps
            without end); inverse_stepsize and local_steps are then infinite.
        prox_weight: mu.
        inverse_stepsize: beta; the step size is 1/(beta L).
        local_steps: tau.
        inexactness: theta, the least that the lower bound on tau allows.
        federated_factor: Theta.
        matched: whether tau is at the upper bound of (13) or (14).
        short: whether mu is as small as the sharpened conditions allow.
    """

    objective: Array
    lower_bound: Array
    certified: Mask
    gap: Array
    attained: Mask
    prox_weight: Array
    inverse_stepsize: Array
    local_steps: Array
    inexactness: Array
    federated_factor: Array
    matched: Mask
    short: Mask


def minimise(
    smoothness_sample: ArrayLike,
    weak_convexity: ArrayLike,
    dissimilarity: ArrayLike,
    delay_ratio: ArrayLike,
    *,
    estimator: Estimator = "sarah",
    tau: TauKind = "real",
    form: Form = "printed",
    over: Over = "problem",
    tolerance: float = 1e-9,
    rule: Newton = Newton(),  # noqa: B008 - frozen
) -> Optimum:
    """Solve problem (23), or the same over a theorem's whole set, to its global minimum with a proof.

    Source: FedProxVR, problem (23)-(24), where (16) is an equation: tau is the upper bound of (13). For
    SVRG, which the paper does not print, tau is the largest real tau of (14) with its free weight
    eliminated. over="theorem" minimises the same over all that Lemma 1 and Theorem 1 admit
    (`fedproxvr.certified.*`), where tau may be below its upper bound. form="sharpened" does either under
    the sharpened Lemma 1 and Theorem 1; the problem (`fedproxvr.problem23.sharpened`) then has tau for the
    theorem's tau + 1 in theta.

    Arguments:
        smoothness_sample: L > 0, loss/length^2.
        weak_convexity: lam >= 0, loss/length^2.
        dissimilarity: sigma2 >= 0.
        delay_ratio: gamma >= 0. The four are arrays that broadcast; a double stands for every real
            that rounds to it, so that 0.1 covers 1/10.
        estimator: "sarah" or "svrg".
        tau: "real" or "integer": all of the set, or what has a whole tau.
        form: "printed" or "sharpened".
        over: "problem" or "theorem".
        tolerance: the relative gap that `certified` asks for.
        rule: when Newton's method stops.

    Returns: the minimisers and their certificates.
    Raises: InputError for a value outside its domain, UnknownName for an unknown option.

    >>> best = minimise(1.0, 0.5, 0.0, 1e-3)
    >>> round(float(best.objective), 3), bool(best.certified)
    (39.127, True)
    >>> round(float(minimise(1.0, 0.5, 0.0, 1e-3, form="sharpened").objective), 3)
    7.095
    >>> round(float(minimise(1.0, 0.5, 0.0, 1e-3, form="sharpened", over="theorem").objective), 3)
    7.084
    """
    _check_options(estimator, tau, form, over)
    shape, (unit, lam, sigma2, gamma) = flat(smoothness_sample, weak_convexity, dissimilarity, delay_ratio)
    with np.errstate(all="ignore"):
        case = Instances(lam / unit, sigma2, gamma)
        found = {name: np.full(unit.size, np.nan) for name in _RESULTS}
        problem = Problem(estimator, form=_FORMS[form, over])
        for where, solve in ((gamma == 0, _limit), (gamma > 0, _solver(tau, form, over))):
            if np.any(where):
                ratio = ratio_of(lam[where], unit[where])
                chosen = Instances(case.lam[where], case.sigma2[where], case.gamma[where])
                for name, column in solve(problem, chosen, ratio, rule).items():
                    found[name][where] = column
        return _finish(found, unit, tolerance, shape)


_NAMES = ("smoothness_sample", "weak_convexity", "dissimilarity", "delay_ratio")
_RESULTS = ("upper", "lower", "margin", "mu", "beta", "tau", "theta", "Theta", "matched", "short")
Columns = dict[str, Any]
Solver = Callable[[Problem, Instances, Enclosure, Newton], Columns]


def _check_options(estimator: str, tau: str, form: str, over: str) -> None:
    for name, value, kinds in (
        ("estimator", estimator, Estimator),
        ("tau", tau, TauKind),
        ("form", form, Form),
        ("over", over, Over),
    ):
        if value not in get_args(kinds):
            raise UnknownName(name, str(value), get_args(kinds))


def _solver(tau: TauKind, form: Form, over: Over) -> Solver:
    """How a problem with gamma > 0 is solved."""
    if over == "problem":
        return _whole if tau == "integer" else _real
    if form == "printed":
        return _whole_relaxed if tau == "integer" else _real_relaxed
    return partial(_chain, whole=tau == "integer")


def flat(*given: ArrayLike) -> tuple[tuple[int, ...], list[Array]]:
    """The four inputs checked, broadcast and flattened, with their common shape."""
    arrays = np.broadcast_arrays(*(_numbers(x, n) for x, n in zip(given, _NAMES, strict=True)))
    return arrays[0].shape, [x.ravel() for x in arrays]


def _numbers(values: ArrayLike, name: str) -> Array:
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(name, values, "a number or an array of numbers") from None
    domain = quantity(name).domain
    low = array > 0 if domain.lo_open else array >= 0
    bad = ~(low & np.isfinite(array))
    if np.any(bad):
        raise InputError(name, array[bad].flat[0], domain.describe(), f"it is the {quantity(name).meaning}")
    return array


def ratio_of(lam: Array, unit: Array) -> Enclosure:
    """lam/L for all reals that the two doubles may stand for."""
    ball = Intervals()
    found = ball.mul(enclose(lam), ball.power(enclose(unit), -1))
    return Enclosure(np.maximum(found.lo, 0.0), np.where(lam == 0, 0.0, found.hi))


def enclosed(case: Instances, ratio: Enclosure) -> Instances:
    """The instances as intervals that hold every real that the doubles may stand for."""
    return Instances(ratio, enclose(case.sigma2), enclose(case.gamma))


def _real(problem: Problem, case: Instances, ratio: Enclosure, rule: Newton) -> Columns:
    point = descend(problem, case, start(problem, case), rule)
    sure = enclosed(case, ratio)
    columns = _columns(problem, case, point, certify(problem, sure, point))
    if np.any(columns["lower"] == 0):  # printed SVRG with lam far above L: a larger beta would do better
        relaxed, _ = _relax(replace(problem, link="relaxed"), case, sure, rule)
        columns["lower"] = np.maximum(columns["lower"], relaxed.lower)
    return columns


def _relax(problem: Problem, case: Instances, sure: Instances, rule: Newton) -> tuple[Bounds, Point]:
    """The problem with beta free above its least value and tau real: below both other problems."""
    point = descend(problem, case, start(problem, case), rule)
    return certify(problem, sure, point, _lifted(problem, case, point)), point


def _real_relaxed(problem: Problem, case: Instances, ratio: Enclosure, rule: Newton) -> Columns:
    problem = replace(problem, link="relaxed")
    bounds, point = _relax(problem, case, enclosed(case, ratio), rule)
    return _columns(problem, case, point, bounds)


def _chain(problem: Problem, case: Instances, ratio: Enclosure, rule: Newton, whole: bool) -> Columns:
    """All that the sharpened chain admits, one instance at a time."""
    found: list[Columns] = []
    for i in range(len(case.gamma)):
        one = Instances(*(x[i : i + 1] for x in (case.lam, case.sigma2, case.gamma)))
        sure = enclosed(one, Enclosure(ratio.lo[i : i + 1], ratio.hi[i : i + 1]))
        best = least_time(problem, one, sure, rule, whole)
        bounds = certify(problem, sure, best.point)
        found.append(_columns(problem, one, best.point, Bounds(best.lower, bounds.upper)))
    return {name: np.concatenate([columns[name] for columns in found]) for name in found[0]}


def _limit(problem: Problem, case: Instances, ratio: Enclosure, rule: Newton) -> Columns:
    problem = replace(problem, link="limit")
    point = descend(problem, case, start(problem, case), rule, free_tau=False)
    bounds = certify(problem, enclosed(case, ratio), point)
    columns = _columns(problem, case, point, bounds)
    endless = np.full_like(point.tau, np.inf)
    return columns | {"beta": endless, "tau": endless}


def _whole_relaxed(problem: Problem, case: Instances, ratio: Enclosure, rule: Newton) -> Columns:
    return _whole(replace(problem, link="relaxed"), case, ratio, rule)


def _whole(problem: Problem, case: Instances, ratio: Enclosure, rule: Newton) -> Columns:
    """The better of the two whole tau beside the continuous minimiser.

    min over (u, v) of the convex G is convex in q, so where G's one-sided slopes at the two point
    outwards, no whole tau beyond them is better; the certificates check just that. Where they do not on the
    set of (16), as a larger beta than its would do better, the minimum over real tau and all beta is a bound.
    """
    sure = enclosed(case, ratio)
    middle = descend(problem, case, start(problem, case), rule)
    sides: dict[Side, Columns] = {}
    beside: tuple[tuple[Side, Array], ...] = (
        ("below", np.floor(middle.tau)),
        ("above", np.floor(middle.tau) + 1),
    )
    for side, whole in beside:
        guess = Point(middle.margin, np.maximum(whole, 1.0))
        point = descend(problem, case, guess, rule, free_tau=False)
        bounds = certify(problem, sure, point, _lifted(problem, case, point), side)
        sides[side] = _columns(problem, case, point, bounds)
    left, right = sides["below"], sides["above"]
    better = left["upper"] <= right["upper"]
    both = np.minimum(left["lower"], right["lower"])
    chosen = {name: np.where(better, left[name], right[name]) for name in left}
    relaxed, _ = _relax(replace(problem, link="relaxed"), case, sure, rule)
    return chosen | {"lower": np.maximum(both, relaxed.lower)}


def _lifted(problem: Problem, case: Instances, point: Point) -> Array | None:
    """The beta of a relaxed problem, which may be above the least."""
    return problem.at(case, point)["beta"] if problem.link == "relaxed" else None


def _columns(problem: Problem, case: Instances, point: Point, bounds: Bounds) -> Columns:
    values = problem.at(case, point)
    least = replace(problem, link="matched").at(case, point)["beta"]
    row = {name: values[name] + 0 * point.tau for name in ("mu", "beta", "tau", "theta", "Theta")}
    ends = {"matched": values["beta"] <= least, "short": point.margin <= problem.floor(case)}
    return row | ends | {"upper": bounds.upper, "lower": bounds.lower}


def _finish(columns: Columns, unit: Array, tolerance: float, shape: tuple[int, ...]) -> Optimum:
    """Back from units of L, outward; the gap rounded up."""
    scale = enclose(unit)
    upper = np.nextafter(columns["upper"] * scale.hi, np.inf)
    lower = np.maximum(np.nextafter(columns["lower"] * scale.lo, -np.inf), 0.0)
    gap = np.nextafter(np.nextafter(upper - lower, np.inf) / lower, np.inf)
    gap = np.where(np.isfinite(upper) & (lower > 0), gap, np.inf)
    known = np.isfinite(upper)
    values = {
        name: np.where(known, columns[name], np.nan) for name in ("mu", "beta", "tau", "theta", "Theta")
    }
    result = Optimum(
        objective=upper,
        lower_bound=lower,
        certified=gap <= tolerance,
        gap=gap,
        attained=known & np.isfinite(columns["tau"]),
        prox_weight=values["mu"] * unit,
        inverse_stepsize=values["beta"],
        local_steps=values["tau"],
        inexactness=values["theta"],
        federated_factor=values["Theta"] / unit,
        matched=columns["matched"] == 1,
        short=columns["short"] == 1,
    )
    return Optimum(**{f.name: np.reshape(getattr(result, f.name), shape) for f in fields(result)})
