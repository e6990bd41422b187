"""Log-convexity: how each part bends is proved by engines, the parts are put together by rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import sympy as sp

from fedproof.bounds.claims import LogConvex
from fedproof.bounds.statement import Statement
from fedproof.validate.judgement import Judgement
from fedproof.validate.signs import always, named_symbols

__all__ = ["curvature", "judge", "obligations"]

_FLIPPED = {"affine": "affine", "convex": "concave", "concave": "convex"}


def curvature(expr: sp.Expr, atoms: Mapping[sp.Expr, str], constants: frozenset[sp.Symbol]) -> str | None:
    """How the log of an expression bends: affine, convex or concave; None where no rule says.

    Logs of products add; a power scales; a sum of log-convex terms is log-convex; a positive constant
    less log-convex terms is log-concave where it is positive, since log(1 - e^s) is concave and
    decreasing in s. What the rules reach is built of atoms and nonnegative constants, so it is
    nonnegative itself, but for such differences.

    >>> x, y = sp.symbols("x y", real=True)
    >>> curvature(1 / (1 - x**2 / y), {x: "affine", y: "affine"}, frozenset())
    'convex'
    """
    if expr in atoms:
        return atoms[expr]
    if expr in constants or (expr.is_Number and expr > 0):
        return "affine"
    if expr.is_Mul:
        return _joined(curvature(a, atoms, constants) for a in expr.args)
    if expr.is_Pow and expr.exp.is_Rational:
        inner = curvature(expr.base, atoms, constants)
        return inner if expr.exp > 0 or inner is None else _FLIPPED[inner]
    if expr.is_Add:
        return _sum(expr, atoms, constants)
    return None


def _joined(parts: Iterable[str | None]) -> str | None:
    """The curvature of a sum of functions."""
    kinds = set(parts)
    if None in kinds or {"convex", "concave"} <= kinds:
        return None
    return next((k for k in ("convex", "concave") if k in kinds), "affine")


def _sum(expr: sp.Expr, atoms: Mapping[sp.Expr, str], constants: frozenset[sp.Symbol]) -> str | None:
    taken = [-a for a in expr.args if a.as_coeff_Mul()[0] < 0]
    kept = [a for a in expr.args if a.as_coeff_Mul()[0] >= 0]
    if not all(curvature(a, atoms, constants) in ("affine", "convex") for a in (*taken, *kept)):
        return None
    if not taken:
        return "convex"
    return "concave" if all(a.is_Number for a in kept) else None


def obligations(claim: LogConvex) -> list[sp.Basic]:
    """What must follow from the conditions for the atoms to bend as declared.

    For an atom a and its coordinate c in a variable x: c > 0, c rises with x, a > 0, and the slope
    (a'/a)/(c'/c) of log a against log c rises (convex), falls (concave) or stays (affine).
    """
    found: list[sp.Basic] = []
    for x, c in claim.coordinates:
        found += [sp.Gt(c.doit(), 0), sp.Gt(sp.factor(sp.diff(c.doit(), x)), 0)]
    for _, part, kind in claim.atoms:
        x, c = _coordinate(claim, part)
        slope = sp.cancel(sp.diff(part, x) * c.doit() / (part * sp.diff(c.doit(), x)))
        bend = sp.factor(sp.diff(slope, x))
        sign = {"affine": sp.Eq(bend, 0), "convex": sp.Ge(bend, 0), "concave": sp.Le(bend, 0)}[kind]
        found += [sp.Gt(part, 0), sign]
    return [f for f in found if f != sp.true]


def _coordinate(claim: LogConvex, part: sp.Expr) -> tuple[sp.Symbol, sp.Expr]:
    inside = [(x, c) for x, c in claim.coordinates if x in part.free_symbols]
    if len(inside) != 1:
        raise ValueError(f"{part} must speak of exactly one coordinate variable")
    return inside[0]


def _same(statement: Statement, atom: sp.Expr, part: sp.Expr) -> bool:
    """Whether an atom is what it is said to be in its variable, by the definitions."""
    return bool(sp.cancel(statement.expand(atom) - statement.expand(part)) == 0)


def judge(statement: Statement) -> Judgement:
    """Prove by both engines how each atom bends, then put the expression together by the rules."""
    claim = statement.claim
    assert isinstance(claim, LogConvex)
    if not all(_same(statement, atom, part) for atom, part, _ in claim.atoms):
        return Judgement(statement.id, "open", (), "an atom is not what it is said to be")
    facts = obligations(claim)
    unproved = [str(f) for f in facts if not always(statement, f)]
    if unproved:
        return Judgement(statement.id, "open", (), f"not proved: {'; '.join(unproved)}")
    atoms = {atom: kind for atom, _, kind in claim.atoms}
    letters = {x.symbol for x in statement.letters} - set(atoms) - {x for x, _ in claim.coordinates}
    constants = frozenset(s for s in letters if always(statement, s >= 0))
    kind = curvature(statement.expand_all_but(claim.expr, named_symbols(statement)).doit(), atoms, constants)
    if kind not in ("convex", "affine"):
        return Judgement(statement.id, "open", (), "the rules of log-convex functions do not reach it")
    detail = f"{len(facts)} facts on its parts proved by both engines, put together by the rules"
    return Judgement(statement.id, "holds", ("z3", "cvc5", "rule"), detail)
