"""The least training time over all that the sharpened closed chain admits, by branch and bound over tau.

The set is that of `certified.*.sharpened`, theta its own least, with tau + 1 where problem (23) sharpened has
tau. At a fixed tau the log of the objective is convex in u = log(mu - lam), and the least beta is the best
(`proofs/sharp_convexity.py`; theta is log-linear there too). Over tau it is not convex, since
log(tau + 1) = q + log(1 + e^-q), q = log tau. Between t1 and t2 the last term is below its chord, so that a
theta with the chord in its place is below the true one and equals it at both ends, and with it the log of the
objective is convex in (u, q). Its tangent at either end, with the slope of the chord enclosed, bounds the
objective between the ends from below; the chord's slope is between -t2/(t1 (t2 + 1)) and -t1/(t2 (t1 + 1)),
as 1 - 1/x <= log x <= x - 1. Ends that are too far apart are halved.

For fixed mu theta falls as tau grows, so that where no mu is admitted at t2, none is below t2. What LEFT
subtracts from 1 is log-convex in u, and is proved to reach 1 there in the same way.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np

from fedproof.algebra.arithmetic import Array, Enclosure, Intervals, Jets, Mask, Reals
from fedproof.algebra.formula import Formula
from fedproof.papers.fedproxvr.proofs import sharp_convexity
from fedproof.papers.fedproxvr.training_time.certificate import down, fall, log_above, up
from fedproof.papers.fedproxvr.training_time.newton import Newton, descend, start
from fedproof.papers.fedproxvr.training_time.problem import Instances, Point, Problem
from fedproof.tuning.line_minimum import minimise_on_line

_BALL = Intervals()
_GOLDEN = 0.6180339887498949
#: where whole numbers in double precision end
_WHOLE = 2.0**53
#: the narrowest range beside the first place, relatively, and how much wider each next one is
_NARROW, _WIDER = 1e-6, 4.0


@dataclass(frozen=True, eq=False)
class LeastTime:
    """The best point found, in units of L, and what nothing that is admitted falls below."""

    point: Point
    lower: Array


def least_time(problem: Problem, case: Instances, sure: Instances, rule: Newton, whole: bool) -> LeastTime:
    """Minimise over mu, beta and tau of the sharpened chain for one instance with gamma > 0.

    Arguments:
        problem: of the form `formulations.SHARPENED_CHAIN`.
        case: the instance in units of L, arrays of shape (1,).
        sure: the same as intervals.
        rule: when Newton's method stops.
        whole: whether tau is whole.
    """
    guess = descend(problem, case, start(problem, case), rule)
    near = Point(guess.margin, np.ceil(guess.tau)) if whole else guess
    known = float(problem.at(case, near)["objective"][0]) * (1 + 1e-9)
    if not np.isfinite(known):
        return LeastTime(guess, np.zeros(1))
    line = _Line(problem, case, sure, whole, {}, known)
    cuts = _cuts(float(guess.tau[0]), line, float(sure.gamma.lo[0]))
    found = minimise_on_line(line.value, line.least, cuts)
    tau = line.places(np.array([found.place]))
    return LeastTime(line.solve(tau), np.array([min(found.lower_bound, known)]))


def _cuts(centre: float, line: _Line, gamma: float) -> Array:
    """Ranges of tau that hold all that is no worse than what is known, narrow beside the centre.

    The objective exceeds (1 + gamma tau)(L + mu), and tau (mu - lam) exceeds 3 L (`CHAIN_TAU_ABOVE`).
    """
    low, high = 2.9 / line.known, 1.1 * line.known / gamma
    high = min(high, 1e300)
    reach = np.geomspace(_NARROW, 1e3, 1 + int(np.ceil(np.log(1e3 / _NARROW) / np.log(_WIDER))))
    near = centre * np.exp(np.concatenate((-reach[::-1], [0.0], reach)))
    if line.whole:
        low = min(low, 0.5)
        near = np.concatenate((near, np.floor(centre) + np.arange(-4.0, 5.0)))
    inside = near[(near > low) & (near < high)]
    return np.unique(np.concatenate(([low], inside, [high])))


@dataclass(frozen=True, eq=False)
class _Line:
    """The least objective as a function of tau, and below ranges of tau.

    Arguments:
        solved: mu - lam by tau, as found so far.
        known: about an objective that is reached; what has mu - lam above it has an objective above it.
    """

    problem: Problem
    case: Instances
    sure: Instances
    whole: bool
    solved: dict[float, float]
    known: float

    def places(self, tau: Array) -> Array:
        """The tau that stands for a place."""
        return np.maximum(np.floor(tau), 1.0) if self.whole else tau

    def solve(self, tau: Array) -> Point:
        """The best mu - lam at each tau, or, where none is admitted, one that is closest to it."""
        new = np.unique([t for t in tau if t not in self.solved])
        if len(new):
            margins = _best_margins(self.problem, self.case, new, self.known)
            self.solved.update(zip(new.tolist(), margins.tolist(), strict=True))
        return Point(np.array([self.solved[t] for t in tau.tolist()]), tau)

    def value(self, places: Array) -> Array:
        """The least objective at places, infinite where nothing is proved to be admitted."""
        at = _Ends(self.problem, self.sure, self.solve(self.places(places)), self.known)
        return np.where(at.feasible, at.value.hi, np.inf)

    def least(self, low: Array, high: Array) -> Array:
        """What no admitted tau between the ends falls below."""
        if self.whole:
            exact = high < _WHOLE
            low = np.where(exact, np.floor(low) + 1, low)
            high = np.where(exact, np.floor(high), high)
        some = low <= high
        result = np.full_like(low, np.inf)
        if np.any(some):
            left, right = low[some], high[some]
            both = self.solve(np.concatenate((left, right)))
            at = _Ends(self.problem, self.sure, both, self.known)
            result[some] = at.below(left, right)
        return result


def _best_margins(problem: Problem, case: Instances, tau: Array, most: float) -> Array:
    """The best mu - lam at each tau by golden section in its log, then by Newton's method."""
    with np.errstate(all="ignore"):
        lone = Instances(*(np.broadcast_to(x, tau.shape) for x in (case.lam, case.sigma2, case.gamma)))
        floor = problem.floor(lone)
        low, high = np.log(floor), np.log(np.full_like(tau, most)) + 0 * tau
        for _ in range(45):
            third = _GOLDEN * (high - low)
            left, right = high - third, low + third
            better = _merit(problem, lone, left, tau) <= _merit(problem, lone, right, tau)
            low, high = np.where(better, low, left), np.where(better, right, high)
        rough = np.maximum(np.exp((low + high) / 2), floor)
        fine = descend(problem, lone, Point(rough, tau), Newton(iterations=12), free_tau=False).margin
        before, after = (_merit(problem, lone, np.log(m), tau) for m in (rough, fine))
        closest = np.maximum(np.exp(_flattest(problem, lone, np.log(rough), tau)), floor)
        admitted = _taken().within(Reals(), problem.at(lone, Point(rough, tau))) < 1
        result: Array = np.where(
            admitted & (after <= before + 1e-12), fine, np.where(admitted, rough, closest)
        )
        return result


def _flattest(problem: Problem, case: Instances, log_margin: Array, tau: Array) -> Array:
    """Where what LEFT subtracts is least, by Newton's method with differences of its slope."""
    step = 1e-4
    for _ in range(3):
        slopes = [_slope(problem, case, log_margin + h, tau) for h in (-step, 0.0, step)]
        log_margin = log_margin - np.clip(2 * step * slopes[1] / (slopes[2] - slopes[0]), -step, step)
    return log_margin


def _slope(problem: Problem, case: Instances, log_margin: Array, tau: Array) -> Array:
    """Of the log of what LEFT subtracts from 1, in log(mu - lam)."""
    jets, margin = Jets(Reals(), 1), np.exp(log_margin)
    fixed = Instances(*(jets.lift(x) for x in (case.lam, case.sigma2, case.gamma)))
    values = problem.given(jets, fixed, (margin, margin)) | {"tau": jets.lift(tau)}
    for name in ("beta", "theta"):
        values[name] = problem.formulas["least" if name == "beta" else name].within(jets, values)
    taken, slope = _taken().within(jets, values)
    result: Array = slope / taken
    return result


def _merit(problem: Problem, case: Instances, log_margin: Array, tau: Array) -> Array:
    """The log of the objective; above all of them, and falling towards the admitted, where there is none."""
    values = problem.at(case, Point(np.exp(log_margin), tau))
    taken = _taken().within(Reals(), values)
    result: Array = np.where(taken < 1, np.log(values["objective"]), 1e4 + np.log(taken))
    return result


@cache
def _taken() -> Formula:
    """What LEFT subtracts from 1."""
    return Formula(1 - sharp_convexity.LEFT)


class _Ends:
    """Enclosures at the ends of ranges of tau: the objective, its slopes in u, q and log theta."""

    def __init__(self, problem: Problem, case: Instances, point: Point, known: float) -> None:
        with np.errstate(all="ignore"):
            self.point = point
            jets, one = Jets(_BALL, 3), _BALL.constant(Fraction(1))
            m, t = Enclosure(point.margin, point.margin), Enclosure(point.tau, point.tau)
            fixed = Instances(*(jets.lift(x) for x in (case.lam, case.sigma2, case.gamma)))
            values = problem.given(jets, fixed, (m, m, None, None)) | {"tau": (t, None, t, None)}
            values["beta"] = problem.formulas["least"].within(jets, values)
            theta = problem.formulas["theta"].within(jets, values)
            values["theta"] = jets.mul(theta, (one, None, None, one))
            for name in ("Theta", "objective"):
                values[name] = problem.formulas[name].within(jets, values)
            self.value, *slopes = values["objective"]
            self.by_u, self.by_q, self.by_theta = _relative(self.value, slopes)
            taken, *turns = _taken().within(jets, values)
            inside = problem.inside(_BALL, {name: jet[0] for name, jet in values.items()})
            self.feasible = _and(*(x.lo > 0 for x in inside), np.isfinite(self.value.hi))
            least = problem.ends(_BALL, case)[0].lo
            reach = log_above(up(point.margin / least)), log_above(up(known / point.margin))
            self.slack = fall(self.by_u, *reach)
            (turn,) = _relative(taken, turns[:1])
            self.barred = down(taken.lo * down(1 - fall(turn, *reach))) >= 1

    def below(self, low: Array, high: Array) -> Array:
        """What nothing between low and high falls below; the points are at low, then at high."""
        count = len(low)
        left, right = (slice(None, count), slice(count, None))
        width = up(high - low)
        far = log_above(up(high / low))
        with np.errstate(all="ignore"):
            bend = up(self.by_theta.hi[left] * up(width / down(down(low + 1) * high)))
            falls = np.maximum(0.0, -down(self.by_q.lo[left] - bend / 2))
            first = self._bound(left, up(falls * far))
            bend = up(self.by_theta.hi[right] * up(width / down(down(high + 1) * low)))
            rises = np.maximum(0.0, up(self.by_q.hi[right] + bend / 2))
            second = self._bound(right, up(rises * far))
        result: Array = np.where(self.barred[right], np.inf, np.maximum(first, second))
        return result

    def _bound(self, end: slice, more: Array) -> Array:
        lower = down(self.value.lo[end] * down(1 - up(self.slack[end] + more)))
        sound = self.feasible[end] & np.isfinite(lower) & (lower > 0)
        return np.where(sound, lower, 0.0)


def _relative(value: Enclosure, slopes: list[Enclosure]) -> list[Enclosure]:
    inverse = _BALL.power(value, -1)
    return [_BALL.mul(slope, inverse) for slope in slopes]


def _and(*masks: Mask) -> Mask:
    result: Mask = np.logical_and.reduce(np.broadcast_arrays(*masks))
    return result
