"""Log-convexity: facts on the parts proved by engines, put together by the rules of log-convex functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import sympy as sp

from fedproof.bounds.claims import LogConvex
from fedproof.bounds.statement import Statement
from fedproof.validate.engines.decide import prove
from fedproof.validate.judgement import Judgement

__all__ = ["curvature", "judge"]

_FLIPPED = {"affine": "affine", "convex": "concave", "concave": "convex"}


def curvature(expr: sp.Expr, atoms: Mapping[sp.Expr, str]) -> str | None:
    """How the log of a positive expression bends: affine, convex or concave; None where no rule says.

    Logs of products add; a power scales; a sum of log-convex terms is log-convex; 1 less log-convex
    terms is log-concave where it is positive, since log(1 - e^s) is concave and decreasing in s.
    A symbol that is no atom is a nonnegative constant.

    >>> x, y = sp.symbols("x y", real=True)
    >>> curvature(1 / (1 - x**2 / y), {x: "affine", y: "affine"})
    'convex'
    """
    if expr in atoms:
        return atoms[expr]
    if expr.is_Symbol or (expr.is_Number and expr > 0):
        return "affine"
    if expr.is_Mul:
        return _joined(curvature(a, atoms) for a in expr.args)
    if expr.is_Pow and expr.exp.is_Rational:
        inner = curvature(expr.base, atoms)
        return inner if expr.exp > 0 or inner is None else _FLIPPED[inner]
    if expr.is_Add:
        return _sum(expr, atoms)
    return None


def _joined(parts: Iterable[str | None]) -> str | None:
    """The curvature of a sum of functions."""
    kinds = set(parts)
    if None in kinds or {"convex", "concave"} <= kinds:
        return None
    return next((k for k in ("convex", "concave") if k in kinds), "affine")


def _sum(expr: sp.Expr, atoms: Mapping[sp.Expr, str]) -> str | None:
    taken = [-a for a in expr.args if a.could_extract_minus_sign()]
    kept = [a for a in expr.args if not a.could_extract_minus_sign()]
    convex = all(curvature(a, atoms) in ("affine", "convex") for a in (*taken, *kept))
    if not convex:
        return None
    if not taken:
        return "convex"
    return "concave" if all(a.is_Number for a in kept) else None


def judge(statement: Statement) -> Judgement:
    """Prove every fact on the atoms by both engines, then put the expression together by the rules."""
    claim = statement.claim
    assert isinstance(claim, LogConvex)
    unproved = [s.id for s in claim.facts if not prove(s.given, s.claim).proved]
    if unproved:
        return Judgement(statement.id, "open", (), f"not proved: {', '.join(unproved)}")
    named = frozenset(d.symbol for d in statement.where if d.facts)
    kind = curvature(statement.expand_all_but(claim.expr, named).doit(), dict(claim.atoms))
    if kind not in ("convex", "affine"):
        return Judgement(statement.id, "open", (), "the rules of log-convex functions do not reach it")
    detail = f"{len(claim.facts)} facts on its parts proved by both engines, put together by the rules"
    return Judgement(statement.id, "holds", ("z3", "cvc5", "rule", *(s.id for s in claim.facts)), detail)
