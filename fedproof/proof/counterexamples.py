"""Looks for exact points that satisfy hypotheses and break a claim: many in floats, the simplest exactly."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from functools import lru_cache

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from fedproof.algebra.cancel import cancel
from fedproof.algebra.exact_evaluation import evaluate_relation
from fedproof.algebra.expressions import names_in, rational_value
from fedproof.proof.candidates import NICE, Candidates
from fedproof.proof.forall import ordered
from fedproof.proof.local_search import local_search

CANDIDATES = 500_000
#: enough for what is false nearly everywhere
FEW = 10_000
CONFIRMED = 50
Point = dict[str, Fraction]
Solved = tuple[sp.Symbol, sp.Expr]


def _solve(equation: sp.Basic) -> Solved | None:
    """Solve an equation for a symbol that enters linearly, simplest first."""
    left, right = equation.args
    if left.is_Symbol and left not in right.free_symbols:
        return left, right
    difference = _difference(equation)
    found = []
    for symbol in sorted(equation.free_symbols, key=str):
        if difference.is_polynomial(symbol) and sp.degree(difference, symbol) == 1:
            found.append((symbol, cancel(-difference.coeff(symbol, 0) / difference.coeff(symbol, 1))))
    return min(found, key=lambda pair: sp.count_ops(pair[1])) if found else None


def _difference(equation: sp.Basic) -> sp.Expr:
    """What vanishes where the equation holds, without quotients; 0 for an identity."""
    return sp.expand(sp.numer(sp.together((equation.args[0] - equation.args[1]).doit())))


@lru_cache(maxsize=64)
def _solve_all(equations: tuple[sp.Basic, ...]) -> tuple[tuple[Solved, ...], tuple[sp.Basic, ...]]:
    """Equations solved, each for a symbol of its own in terms of symbols none is solved for; and the rest."""
    solved: list[Solved] = []
    rest: list[sp.Basic] = []
    for equation in equations:
        here = equation.func(*(side.subs(solved) for side in equation.args), evaluate=False)
        if here.args[0] == here.args[1] or _difference(here) == 0:
            continue
        solution = _solve(here)
        now = [] if solution is None else [(s, e.subs([solution])) for s, e in solved] + [solution]
        if not now or any(e.has(sp.zoo, sp.nan) for _, e in now):
            rest.append(equation)
        else:
            solved = now
    return tuple(solved), tuple(rest)


def whole(point: Mapping[str, Fraction], relations: Iterable[sp.Basic]) -> bool:
    """Whether symbols that are assumed to be whole, or are exponents, are so at a point.

    >>> n, x = sp.Symbol("n", integer=True), sp.Symbol("x", real=True)
    >>> whole({"n": Fraction(1, 2)}, [n > 0]), whole({"x": Fraction(1, 2)}, [2**x > 3])
    (False, False)
    """
    said = list(relations)
    names = {s.name for r in said for s in r.free_symbols if s.is_integer}
    names |= {s.name for r in said for power in r.atoms(sp.Pow) for s in power.exp.free_symbols}
    return all(point[n].denominator == 1 for n in names if n in point)


def not_negative(hypotheses: Iterable[sp.Basic]) -> set[str]:
    """The names of symbols that a hypothesis says are not negative."""
    found = set()
    for r in hypotheses:
        if isinstance(r, (sp.Lt, sp.Le, sp.Gt, sp.Ge)):
            low, high = ordered(r)
            if isinstance(high, sp.Symbol) and low.is_Number and low >= 0:
                found.add(high.name)
    return found


def samples(
    hypotheses: Iterable[sp.Basic], names: Iterable[str], counts: Set[str], most: int, size: int
) -> dict[str, NDArray[np.float64]]:
    """Values of names at points where hypotheses hold in floats; fewer than asked where few are found.

    Arguments:
        names: those that have a value, beside those of the hypotheses.
        counts: those that are whole and at most `most`.
        size: how many points.
    """
    given = list(hypotheses)
    solved, rest = _solve_all(tuple(h for h in given if isinstance(h, sp.Eq)))
    relations = [*rest, *(h for h in given if not isinstance(h, sp.Eq))]
    free = sorted({*names, *set().union(set(), *map(names_in, given))} - {s.name for s, _ in solved})
    formulas = {s.name: formula for s, formula in solved}
    hits: list[dict[str, NDArray[np.float64]]] = []
    for seed, unsigned in ((0, set(free)), (1, not_negative(given))):
        random = np.random.default_rng(seed)
        factors = {n: 10 ** random.uniform(-2, 2, CANDIDATES) for n in sorted(set(free) - counts)}
        left = Candidates(free, unsigned, formulas, CANDIDATES, seed, factors)
        left.keep_all(relations, counts, most)
        hits.append({name: left.column(name)[: size // 2] for name in (*free, *formulas)})
    return {name: np.concatenate([h[name] for h in hits]) for name in hits[0]} if hits[0] else {}


def find_counterexample(
    hypotheses: Iterable[sp.Basic], claim: sp.Basic, batches: int = 1, count: int = CANDIDATES
) -> Point | None:
    """The simplest exact point found where the hypotheses hold and the claim fails, or None.

    Arguments:
        hypotheses: SymPy relations; equations are solved for a symbol that enters linearly.
        claim: the relation that should follow.
        batches: how many batches of candidates to look through.
        count: candidates in a batch.

    Returns: rationals at which every hypothesis was decided true and the claim false, exactly.

    >>> x = sp.Symbol("x", real=True)
    >>> find_counterexample([x > 0], x**2 >= x)
    {'x': Fraction(1, 2)}
    >>> find_counterexample([], 1 / x**2 > 0) is None
    True
    """
    return find_failure(hypotheses, claim, batches, count)[0]


def find_failure(
    hypotheses: Iterable[sp.Basic], claim: sp.Basic, batches: int = 1, count: int = CANDIDATES
) -> tuple[Point | None, Point | None]:
    """A counterexample; else a point found where the hypotheses hold and the claim is undefined.

    >>> x = sp.Symbol("x", real=True)
    >>> find_failure([], 1 / x**2 > 0, count=FEW)
    (None, {'x': Fraction(0, 1)})
    """
    given, undefined = list(hypotheses), None
    for seed in range(batches):
        for point in _search(given, claim, seed, count):
            if evaluate_relation(claim, point).defined:
                return point, None
            undefined = point if undefined is None else undefined
    return None, undefined


def find_hidden_counterexample(
    hypotheses: Iterable[sp.Basic], claim: sp.Basic, seed: int = 0
) -> Point | None:
    """An exact point that breaks a claim, of either sign, where chance alone does not find one, or None.

    >>> x, y = sp.symbols("x y", real=True)
    >>> find_hidden_counterexample([sp.Eq(3 * x + y, 1), x <= y, y <= 0], x**2 >= y**2) is None
    True
    >>> find_hidden_counterexample([x <= 0], x**3 <= 8 * x)
    {'x': Fraction(-1, 1)}
    """
    given = list(hypotheses)
    try:
        sides = [side.doit() for relation in (*given, claim) for side in relation.args]
    except ValueError:  # a maximum of what is undefined
        return None
    if any(side.has(sp.zoo, sp.nan, sp.oo, -sp.oo) for side in sides):  # undefined whatever its symbols are
        return None
    return next((p for p in local_search(given, claim, seed) if breaks(given, claim, p)), None)


def breaks(hypotheses: Sequence[sp.Basic], claim: sp.Basic, point: Mapping[str, Fraction]) -> bool:
    """Whether every hypothesis holds at a point and the claim is defined and does not, exactly."""
    return _fails(hypotheses, claim, point) and evaluate_relation(claim, point).defined


def _fails(hypotheses: Sequence[sp.Basic], claim: sp.Basic | None, point: Mapping[str, Fraction]) -> bool:
    """Whether every hypothesis holds at a point and the claim, if there is one, does not or is undefined."""
    asked = hypotheses if claim is None else (*hypotheses, claim)
    if not whole(point, asked) or (claim is not None and evaluate_relation(claim, point).holds):
        return False
    return all(evaluate_relation(h, point).holds for h in hypotheses)


def feasible_point(hypotheses: Iterable[sp.Basic], counts: Collection[str] = ()) -> Point | None:
    """The simplest exact point found where the hypotheses hold, the names that count being whole, or None.

    >>> x = sp.Symbol("x", real=True)
    >>> feasible_point([x > 1])
    {'x': Fraction(2, 1)}
    """
    given = list(hypotheses)
    return next((p for count in (FEW, CANDIDATES) for p in _search(given, None, 0, count, counts)), None)


def _search(
    hypotheses: list[sp.Basic], claim: sp.Basic | None, seed: int, count: int, counts: Collection[str] = ()
) -> Iterator[Point]:
    """Exact points where the hypotheses hold and the claim does not, those first where it has a value.

    Numbers that are nowhere negative are 0 last: what a paper calls positive often stands as not negative.
    """
    solved, rest = _solve_all(tuple(h for h in hypotheses if isinstance(h, sp.Eq)))
    relations = [*rest, *(h for h in hypotheses if not isinstance(h, sp.Eq))]
    asked = hypotheses if claim is None else [*hypotheses, claim]
    names = sorted(set().union(*(names_in(r) for r in asked)) - {s.name for s, _ in solved})
    unsigned = not_negative(hypotheses)
    left = Candidates(names, unsigned, {s.name: formula for s, formula in solved}, count, seed)
    left.keep_all(relations, counts)
    hit = known = np.full(left.size, True)
    if claim is not None:
        hit = ~left.holds(claim)
        known = np.logical_and.reduce([np.isfinite(left.values(a)) for a in claim.args])
    picks, minus = left.drawn()
    edge = np.array([n in unsigned for n in names], dtype=bool)[:, None] & (picks == NICE.index(Fraction(0)))
    cost = picks.sum(axis=0) + len(NICE) * (minus.sum(axis=0) + edge.sum(axis=0))
    found = []
    for where in (hit & known, hit & ~known):  # where the claim has a value first
        chosen = np.flatnonzero(where)
        found += list(chosen[np.argsort(cost[chosen], kind="stable")][:CONFIRMED])
    points = ({n: NICE[picks[k, i]] * (-1 if minus[k, i] else 1) for k, n in enumerate(names)} for i in found)
    found_there = (p for p in points if _confirmed(p, solved, hypotheses, claim))
    return (p for p in found_there if all(p[n].denominator == 1 for n in p.keys() & set(counts)))


def _confirmed(
    point: Point, solved: Sequence[Solved], hypotheses: Sequence[sp.Basic], claim: sp.Basic | None
) -> bool:
    """Whether a point, with the solved symbols added, keeps the hypotheses and not the claim, exactly."""
    for symbol, formula in solved:
        value = rational_value(formula, point)
        if value is None:
            return False
        point[symbol.name] = value
    return _fails(hypotheses, claim, point)
