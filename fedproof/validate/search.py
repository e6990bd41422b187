"""Looks for exact points that satisfy hypotheses and break a claim: many in floats, the simplest exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from fedproof.bounds.expressions import FractionAlgebra, compile_numpy, fold, names_in
from fedproof.tuning.ranges import decide
from fedproof.validate.climb import climb

__all__ = ["FEW", "breaking_point", "feasible_point", "hidden_point"]

#: values a referee can substitute by hand, the simplest first and most often tried
NICE = tuple(
    Fraction(*pair)
    for pair in (
        (1,), (0,), (2,), (1, 2), (10,), (3,), (4,), (5,), (100,), (1, 4), (20,), (6,), (8,), (1, 10),
        (3, 2), (50,), (30,), (40,), (200,), (400,), (12,), (15,), (18,), (80,), (150,), (1, 3), (3, 4),
        (5, 2), (3, 5),
        (1, 5), (1, 100),
    )
)  # fmt: skip
CANDIDATES = 500_000
#: enough for what is false nearly everywhere
FEW = 10_000
#: floats only choose what to look at, so here a tie counts as holding
_COMPARE: dict[type[sp.Basic], Callable[..., Any]] = {
    sp.Le: lambda a, b: (a <= b) | np.isclose(a, b),
    sp.Lt: np.less,
    sp.Ge: lambda a, b: (a >= b) | np.isclose(a, b),
    sp.Gt: np.greater,
    sp.Eq: np.isclose,
}
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
            found.append((symbol, sp.cancel(-difference.coeff(symbol, 0) / difference.coeff(symbol, 1))))
    return min(found, key=lambda pair: sp.count_ops(pair[1])) if found else None


def _difference(equation: sp.Basic) -> sp.Expr:
    """What vanishes where the equation holds, without quotients; 0 for an identity."""
    return sp.expand(sp.numer(sp.together((equation.args[0] - equation.args[1]).doit())))


def _solve_all(equations: Sequence[sp.Basic]) -> list[Solved] | None:
    """Each equation solved for a symbol of its own, in terms of symbols that none is solved for."""
    solved: list[Solved] = []
    for equation in equations:
        here = equation.func(*(side.subs(solved) for side in equation.args), evaluate=False)
        if here.args[0] == here.args[1] or _difference(here) == 0:
            continue
        solution = _solve(here)
        if solution is None:
            return None
        solved = [(s, e.subs([solution])) for s, e in solved] + [solution]
        if any(e.has(sp.zoo, sp.nan) for _, e in solved):
            return None
    return solved


def _candidates(
    names: Sequence[str], count: int, seed: int
) -> tuple[NDArray[np.intp], dict[str, NDArray[np.float64]]]:
    weights = 1 / (2 + np.arange(len(NICE)))
    picks = np.random.default_rng(seed).choice(len(NICE), (len(names), count), p=weights / weights.sum())
    floats = np.array([float(v) for v in NICE])
    return picks, {n: floats[picks[i]] for i, n in enumerate(names)}


def _holds(relation: sp.Basic, values: dict[str, NDArray[np.float64]], count: int) -> NDArray[np.bool_]:
    names = tuple(sorted(names_in(relation)))
    if not names:
        return np.full(count, bool(relation.doit()))
    left, right = (compile_numpy(a, names)(*(values[n] for n in names)) for a in relation.args)
    compare = _COMPARE[relation.func]
    found: NDArray[np.bool_] = compare(left, right) & np.isfinite(left) & np.isfinite(right)
    return found


def breaking_point(
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
    >>> breaking_point([x > 0], x**2 >= x)
    {'x': Fraction(1, 2)}
    """
    found = (_search(list(hypotheses), claim, seed, count) for seed in range(batches))
    return next((point for point in found if point is not None), None)


def hidden_point(hypotheses: Iterable[sp.Basic], claim: sp.Basic, seed: int = 0) -> Point | None:
    """An exact point that breaks a claim, of either sign, where chance alone does not find one, or None.

    >>> x, y = sp.symbols("x y", real=True)
    >>> hidden_point([sp.Eq(3 * x + y, 1), x <= y, y <= 0], x**2 >= y**2) is None
    True
    >>> hidden_point([x <= 0], x**3 <= 8 * x)
    {'x': Fraction(-1, 1)}
    """
    given = list(hypotheses)
    if _undefined((*given, claim)):
        return None
    return next((p for p in climb(given, claim, seed) if _broken(given, claim, p)), None)


def _broken(hypotheses: Sequence[sp.Basic], claim: sp.Basic, point: Point) -> bool:
    return not decide(claim, point).holds and all(decide(h, point).holds for h in hypotheses)


def _undefined(relations: Sequence[sp.Basic]) -> bool:
    """Whether a relation has a quotient by 0 in it, whatever its symbols are."""
    return any(r.has(sp.zoo, sp.nan, sp.oo, -sp.oo) for r in relations)


def feasible_point(hypotheses: Iterable[sp.Basic]) -> Point | None:
    """The simplest exact point found where the hypotheses hold, or None.

    >>> x = sp.Symbol("x", real=True)
    >>> feasible_point([x > 1])
    {'x': Fraction(2, 1)}
    """
    given = list(hypotheses)
    return _search(given, None, 0, FEW) or _search(given, None, 0, CANDIDATES)


def _search(hypotheses: list[sp.Basic], claim: sp.Basic | None, seed: int, count: int) -> Point | None:
    solved = _solve_all([h for h in hypotheses if isinstance(h, sp.Eq)])
    if solved is None:
        return None
    relations = [h for h in hypotheses if not isinstance(h, sp.Eq)]
    asked = hypotheses if claim is None else [*hypotheses, claim]
    if _undefined(asked):
        return None
    names = sorted(set().union(*(names_in(r) for r in asked)) - {s.name for s, _ in solved})
    picks, values = _candidates(names, count, seed)
    with np.errstate(all="ignore"):
        for symbol, formula in solved:
            used = tuple(sorted(names_in(formula)))
            values[symbol.name] = compile_numpy(formula, used)(*(values[n] for n in used))
        hit = np.full(count, True) if claim is None else ~_holds(claim, values, count)
        for relation in relations:
            hit &= _holds(relation, values, count)
    return _simplest(np.flatnonzero(hit), picks, names, solved, hypotheses, claim)


def _simplest(
    hits: NDArray[np.intp],
    picks: NDArray[np.intp],
    names: Sequence[str],
    solved: Sequence[Solved],
    hypotheses: Sequence[sp.Basic],
    claim: sp.Basic | None,
) -> Point | None:
    order = hits[np.argsort(picks[:, hits].sum(axis=0), kind="stable")]
    for i in order[:CONFIRMED]:
        point = {n: NICE[picks[k, i]] for k, n in enumerate(names)}
        try:
            for symbol, formula in solved:
                point[symbol.name] = fold(formula, FractionAlgebra(), point)
        except (ValueError, ZeroDivisionError):
            continue
        broken = claim is None or not decide(claim, point).holds
        if broken and all(decide(h, point).holds for h in hypotheses):
            return point
    return None
