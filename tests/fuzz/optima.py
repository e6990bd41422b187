"""Optima attacked: no point that the statement's own conditions admit may lie below what is proved of all."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any

import mpmath as mp
import numpy as np
import sympy as sp

from fedproof.bounds.statement import Statement
from fedproof.tuning.api import tune
from fedproof.tuning.tune_result import TuneResult
from fedproof.vocabulary.errors import InputError
from tests.fuzz import admissible_points, apart
from tests.fuzz.admissible_points import POINTS
from tests.fuzz.problems import Problem, compressors, drawn, problems

GENERATIONS, STARTS, KEPT = 18, 3, 12
SLOW = 20.0
#: relatively: of what is said at the minimiser
SAID = Fraction(1, 10**12)


@dataclass
class Attack:
    """An answer, and what is tried against it.

    Arguments:
        problem: typed apart.
        given: the constants as they were written.
        best: the answer.
        rng: draws.
        fixed: what more is settled, as a compressor's omega and bits.
        counts: of points, by their kind.
    """

    problem: Problem
    given: dict[str, Fraction]
    best: TuneResult
    rng: Random
    fixed: dict[str, Fraction] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)

    @property
    def of(self) -> Statement:
        """The statement whose set it is."""
        return self.problem.statement

    @property
    def doubles(self) -> dict[str, Fraction]:
        """The constants of which the lower bound is proved: the nearest doubles."""
        return {n: Fraction(float(v)) for n, v in self.given.items()} | self.fixed

    def also(self) -> list[Any]:
        """That the bound keeps the accuracy."""
        if not self.problem.accuracy:
            return []
        return [sp.Le(self.of.claim.expr, sp.Symbol(self.problem.accuracy, real=True), evaluate=False)]  # type: ignore[union-attr]


def tried(seed: int, number: int) -> tuple[str, Counter[str]]:
    """What is wrong with a number's optimum, "" where nothing is, and what was looked at."""
    rng = Random(f"optimum {seed} {number}")
    asked = rng.choice(sorted(problems()))
    problem = problems()[asked]
    given, counts = drawn(problem, rng), Counter[str]()
    line = f"tune {asked} " + " ".join(f"{n}={v}" for n, v in given.items())
    begun = time.process_time()
    try:
        best = tune(asked.split()[0], **given, **problem.options)
    except InputError as error:
        counts[f"refused: {error.expected[:60]}"] += 1
        return "", counts
    counts["milliseconds"] += int(1000 * (spent := time.process_time() - begun))
    if spent > SLOW:
        return f"{line}: {spent:.0f} s", counts
    counts[f"answered by {asked.split('.')[0].split()[0]}"] += 1
    counts["certified"] += best.certified
    usual = {n: v for n, v in problem.beside.items() if v}
    numbers = {n: Fraction(v) for n, v in {**usual, **given}.items()}
    attack = Attack(problem, numbers, best, rng, counts=counts)
    for fault in faults(attack):
        return f"{line}: {fault}", counts
    return "", counts


def optimum_fault(seed: int, number: int) -> str:
    """What is wrong with a number's optimum; "" where nothing is."""
    return tried(seed, number)[0]


def faults(attack: Attack) -> Iterator[str]:
    """A minimiser that is not admitted or not as good as said, and points below the lower bound."""
    for k, fixed in enumerate(_settled(attack)):
        attack.fixed = fixed
        if not k:
            yield from _minimiser(attack)
        yield from _below(attack)


def _settled(attack: Attack) -> Iterator[dict[str, Fraction]]:
    """The answer's own compressor, and one more; nothing where there are none."""
    if "d" not in attack.given:
        yield {}
        return
    d, run = int(attack.given["d"]), attack.best.run or {}
    every = compressors(d)
    own = [c for c in every if c.name == run.get("gradient_compressor")
           and all(run.get(f"gradient_compressor.{n}", v) == v for n, v in vars(c).items())]  # fmt: skip
    for made in (*own[:1], attack.rng.choice(every)):
        yield {"omega": Fraction(made.omega(d).value or 0), "bits": Fraction(made.bits(d))}


def _start(attack: Attack) -> dict[str, float] | None:
    argmin = dict(attack.best.argmin or {})
    if "whole" in attack.problem.moved and argmin:
        argmin["whole"] = round(argmin["tau"])
    return (
        {n: float(argmin[n]) for n in attack.problem.moved} if {*attack.problem.moved} <= {*argmin} else None
    )


def _minimiser(attack: Attack) -> Iterator[str]:
    """Decided for the constants as they are written."""
    problem, best = attack.problem, attack.best
    if best.argmin is None or "do not satisfy" in best.note:
        attack.counts["without a minimiser"] += 1
        return
    own = {*problem.moved, problem.rounds} & {*best.argmin} - {*problem.whole & {"whole"}}
    if "whole" in problem.moved or not {*problem.moved} <= {*best.argmin}:
        return
    values = {**attack.given, **attack.fixed} | {n: Fraction(repr(float(best.argmin[n]))) for n in own}
    held = apart.holds(attack.of, values, more=problem.more, also=attack.also())
    attack.counts["minimisers" if held is not None else "minimisers not decided"] += 1
    if held is False and attack.of.id != "flecs.theorem4":  # whose c is a fraction, in the note
        yield f"the minimiser {best.argmin} is not admitted"
    cost = _number(attack, problem.cost, values)
    if abs(cost - Fraction(best.objective)) > SAID * abs(cost):
        yield f"the objective at the minimiser is {float(cost)!r}, not {best.objective!r}"
    if best.lower_bound > best.objective * (1 + 1e-15):
        yield f"lower bound {best.lower_bound!r} above the objective {best.objective!r}"


def _number(attack: Attack, expr: Any, values: Mapping[str, Fraction]) -> Fraction:
    with mp.workdps(apart.DIGITS[0]):
        found = apart.reader(attack.of, values, apart.DIGITS[0], more=attack.problem.more).at(expr)
        return found if isinstance(found, Fraction) else Fraction(mp.nstr(found.lo, 40))


def _below(attack: Attack) -> Iterator[str]:
    """Random points about the minimiser and across the set, drawn towards what is best."""
    constants = {n: float(v) for n, v in attack.doubles.items()}
    names = [n for n in attack.problem.moved if n in {x.name for x in attack.of.letters}]
    rounds = {attack.problem.rounds: float((attack.best.argmin or {}).get(attack.problem.rounds, 1.0))}
    across = (
        admissible_points.found(attack.of, names, constants | rounds, attack.rng) for _ in range(STARTS)
    )
    starts = [_start(attack), *(across if "whole" not in attack.problem.moved else ())]
    near = math.inf
    for start in starts:
        if start is None or not {*attack.problem.moved} <= {*start}:
            continue
        start = {n: max(1.0, float(round(v))) if n in attack.problem.whole else v for n, v in start.items()}
        over, points = _drawn_to_the_best(attack, start, constants)
        near = min(near, float(np.min(over)))
        for i in _several(over):
            if over[i] < 1e-9:
                point = {n: Fraction(float(v[i])) for n, v in points.items()}
                attack.counts["points confirmed"] += 1
                if fault := _beaten(attack, point):
                    yield fault
    size = "1e-6" if near < 1e-6 else "1e-3" if near < 1e-3 else "0.1" if near < 0.1 else "none"
    attack.counts[f"nearest admitted within {size}"] += 1


def _several(over: Any) -> list[int]:
    """The best point, and some a little worse, which rounding does not put outside the set."""
    order = np.argsort(over)
    worse = (
        np.searchsorted(over[order], over[order[0]] + more) for more in (0, 1e-14, 1e-12, 1e-10, 1e-8, 1e-6)
    )
    return sorted({int(order[min(k, POINTS - 1)]) for k in worse})


def _beaten(attack: Attack, point: dict[str, Fraction]) -> str:
    """Whether a point is admitted and lies below the lower bound, in 60 digits."""
    problem, values = attack.problem, {**attack.doubles, **point}
    bound = Fraction(attack.best.lower_bound)
    if problem.rounds:
        values[problem.rounds] = Fraction(1)
        values[problem.rounds] = Fraction(math.ceil(bound / _number(attack, problem.cost, values)) - 1)
    for name, right in admissible_points.equations(attack.of).items():
        exact = apart.reader(attack.of, values, apart.DIGITS[0], more=problem.more).at(right)
        values[name] = exact if isinstance(exact, Fraction) else values[name]
    less = sp.Lt(problem.cost, sp.Rational(bound.numerator, bound.denominator), evaluate=False)
    if apart.holds(attack.of, values, more=problem.more, also=[*attack.also(), less]):
        said = " ".join(f"{n}={float(v)!r}" for n, v in values.items())
        return (
            f"{said} costs {float(_number(attack, problem.cost, values))!r} below {attack.best.lower_bound!r}"
        )
    return ""


@np.errstate(all="ignore")
def _drawn_to_the_best(
    attack: Attack, start: Mapping[str, float], constants: Mapping[str, float]
) -> tuple[Any, dict[str, Any]]:
    """How far above what is proved the points of a last generation are, and these; huge outside the set."""
    rng = np.random.default_rng(attack.rng.randrange(1 << 32))
    step0 = 10 ** attack.rng.uniform(-4, 0.3)
    now = {n: np.full(POINTS, v) for n, v in start.items()}
    over = _over(attack, now, constants)
    for generation in range(GENERATIONS):
        best = np.argsort(over)[:KEPT]
        chosen = np.concatenate([best, best[rng.integers(0, KEPT, POINTS - KEPT)]])
        now = {
            n: _moved(v[chosen], n in attack.problem.whole, rng, step0 * 0.45**generation)
            for n, v in now.items()
        }
        attack.counts["points"] += POINTS - KEPT
        over = _over(attack, now, constants)
    return over, now


def _moved(values: Any, whole: bool, rng: np.random.Generator, step: float) -> Any:
    found = values * np.exp(step * rng.normal(size=POINTS) * rng.choice((0, 1, 1, 0.1), POINTS))
    if whole:
        found = np.maximum(1, np.rint(found + rng.choice((0, 0, 0, 1, -1), POINTS)))
    found[:KEPT] = values[:KEPT]
    return found


def _over(attack: Attack, points: Mapping[str, Any], constants: Mapping[str, float]) -> Any:
    """Cost over the lower bound, or the bound over the accuracy with fewer rounds, less 1."""
    problem, bound = attack.problem, attack.best.lower_bound
    values = {**constants, **points}
    for name in admissible_points.equations(attack.of):
        right = admissible_points.arrays(attack.of, values, problem.more).at(
            admissible_points.equations(attack.of)[name]
        )
        values[name] = np.broadcast_to(np.asarray(right, float), (POINTS,))
    if problem.rounds:
        one = admissible_points.arrays(attack.of, {**values, problem.rounds: 1.0}, problem.more).at(
            problem.cost
        )
        values[problem.rounds] = np.broadcast_to(np.ceil(bound / one * (1 - 1e-15)) - 1, (POINTS,))
    at = admissible_points.arrays(attack.of, values, problem.more)
    lack = admissible_points.missing(attack.of, at)
    if problem.rounds:
        found = at.at(attack.of.claim.expr) / values[problem.accuracy] - 1  # type: ignore[union-attr]
        found = np.where(values[problem.rounds] < 1, np.inf, found)
    else:
        found = at.at(problem.cost) / bound - 1
    for name, cap in (("I", "I_max"), ("b", "b_max")):
        if cap in constants and name in values:
            lack = lack + (values[name] > constants[cap])
    return np.where((lack > 0) | np.isnan(found), 1e9 + lack, found)
