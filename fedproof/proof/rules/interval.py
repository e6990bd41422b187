"""Relations between constants such as exp(1/8), by ball arithmetic with as many digits as they need."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import flint
import sympy as sp

from fedproof.proof.forall import ForAll
from fedproof.proof.rules.query import NotApplicable, Query, Reduction, relations
from fedproof.proof.step import Step

BITS = (64, 256, 1024)

_FUNCTIONS: dict[type[sp.Basic], Callable[[flint.arb], flint.arb]] = {
    sp.exp: lambda x: x.exp(),
    sp.log: lambda x: x.log(),
    sp.sin: lambda x: x.sin(),
    sp.cos: lambda x: x.cos(),
}


def _ball(expr: sp.Expr) -> flint.arb:
    if isinstance(expr, sp.Rational):
        return flint.arb(flint.fmpq(int(expr.p), int(expr.q)))
    if expr is sp.pi:
        return flint.arb.pi()
    if expr is sp.E:
        return flint.arb(1).exp()
    if isinstance(expr, sp.Add):
        return sum((_ball(a) for a in expr.args), flint.arb(0))
    if isinstance(expr, sp.Mul):
        product = flint.arb(1)
        for a in expr.args:
            product = product * _ball(a)
        return product
    if isinstance(expr, sp.Pow):
        return (
            _ball(expr.base) ** _ball(expr.exp)
            if not expr.exp.is_Integer
            else _ball(expr.base) ** int(expr.exp)
        )
    if type(expr) in _FUNCTIONS:
        return _FUNCTIONS[type(expr)](_ball(expr.args[0]))
    raise NotApplicable(f"{expr} is not a constant that ball arithmetic knows")


def decided(relation: sp.Basic) -> bool | None:
    """Whether a relation between constants holds; None where the digits tried do not tell.

    >>> decided(sp.Lt(sp.exp(sp.Rational(1, 8)), sp.Rational(6, 5), evaluate=False))
    True
    """
    if all(side.is_Rational for side in relation.args):
        return bool(relation.func(*relation.args))
    before = flint.ctx.prec
    try:
        for bits in BITS:
            flint.ctx.prec = bits
            difference = _ball(relation.args[0]) - _ball(relation.args[1])
            if not difference.is_finite() or difference.contains(0):
                continue
            less = bool(difference < 0)
            if isinstance(relation, (sp.Eq, sp.Ne)):
                return isinstance(relation, sp.Ne)
            return less == isinstance(relation, (sp.Le, sp.Lt))
    finally:
        flint.ctx.prec = before
    return None


def _constant(step: Step) -> bool:
    """Whether what a relation between constants is said to rest on holds."""
    given = [r for r, _ in relations(step)]
    if any(isinstance(r, ForAll) or r.free_symbols for r in (step.claim, *given)):
        raise NotApplicable(f"{step.claim} and its hypotheses must be between constants for rule='interval'")
    return all(decided(r) for r in given)


def reductions(step: Step) -> Iterator[Reduction]:
    """No questions are left where the balls decide that the claim holds."""
    if _constant(step) and decided(step.claim):
        yield Reduction((), ("interval",), "ball arithmetic")


def instances(step: Step) -> Iterator[Query]:
    """The claim itself where the balls decide that it fails."""
    if _constant(step) and decided(step.claim) is False:
        yield Query((), step.claim, "ball arithmetic")
