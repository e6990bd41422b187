"""What must be positive in an expression for its log to be defined and for rules on its parts to apply."""

from __future__ import annotations

from collections.abc import Container, Iterator

import sympy as sp


def positive_parts(
    expr: sp.Expr,
    atoms: Container[sp.Expr],
    constants: Container[sp.Symbol],
    zero: bool = False,
) -> Iterator[sp.Basic]:
    """The relations that say so; what follows from the signs of atoms and constants is not asked for.

    Arguments:
        expr: built of atoms, constants and numbers.
        atoms: parts that are positive.
        constants: symbols that are nonnegative.
        zero: whether the expression may be 0: a term of a sum may.

    >>> x, c = sp.symbols("x c", real=True)
    >>> list(positive_parts(x / (1 - x), {x}, {c})), list(positive_parts(x + c, {x}, {c}))
    ([1 - x > 0], [])
    """
    if expr in atoms or (expr.is_Number and expr > 0):
        return
    if expr.is_Mul:
        for factor in expr.args:
            yield from positive_parts(factor, atoms, constants, zero)
    elif expr.is_Pow:
        yield from positive_parts(expr.base, atoms, constants, bool(zero and expr.exp.is_positive))
    elif expr.is_Add:
        yield from _of_sum(expr, atoms, constants, zero)
    elif not (zero and expr in constants):
        yield sp.Gt(expr, 0)


def _of_sum(
    expr: sp.Expr, atoms: Container[sp.Expr], constants: Container[sp.Symbol], zero: bool
) -> Iterator[sp.Basic]:
    """A sum is positive where a term is and none is negative; a difference is asked for itself."""
    terms = [-a if a.as_coeff_Mul()[0] < 0 else a for a in expr.args]
    for term in terms:
        yield from positive_parts(term, atoms, constants, zero=True)
    plain = all(a in expr.args for a in terms)
    alone = any(not list(positive_parts(term, atoms, constants)) for term in terms)
    if not (plain and (zero or alone)):
        yield sp.Gt(expr, 0)


def positive_factor(
    product: sp.Expr, atoms: Container[sp.Expr], constants: Container[sp.Symbol]
) -> sp.Basic | None:
    """That the one factor is positive of which it is not plain, where the product is positive; else None.

    >>> x, c = sp.symbols("x c", real=True)
    >>> positive_factor(x * (1 - x), {x}, {c}), positive_factor((1 - x) ** 2, {x}, {c})
    (1 - x > 0, None)
    """
    unsure = [
        f
        for f in sp.Mul.make_args(product)
        if any(p.lhs not in constants for p in positive_parts(f, atoms, constants))
    ]
    if len(unsure) != 1:
        return None
    base, power = unsure[0].as_base_exp()
    odd = power.is_Rational and (power.q > 1 or power.p % 2 == 1)
    return sp.Gt(base, 0) if odd and base.is_Add else None
