"""Relations between real numbers as plain text that any reader of arithmetic can evaluate."""

from __future__ import annotations

from keyword import iskeyword

import sympy as sp

_SIGNS = {sp.Le: "<=", sp.Lt: "<", sp.Ge: ">=", sp.Gt: ">", sp.Eq: "==", sp.Ne: "!="}
_CALLS = {sp.Max: "Max", sp.Min: "Min", sp.Abs: "Abs"}
#: how tightly a text binds
_SUM, _PRODUCT, _POWER, _ATOM = range(4)


def plain_text(expr: sp.Basic) -> str:
    """A relation or expression in +, -, *, /, **, sqrt, Max, Min and Abs, as typed and never simplified.

    Raises: ValueError for what has no such text.

    >>> x = sp.Symbol("x", real=True)
    >>> with sp.evaluate(False):
    ...     plain_text(2 * (x - 1) / 3 <= -(sp.sqrt(x) ** -3))
    '2*(x - 1)/3 <= -1/sqrt(x)**3'
    """
    if type(expr) in _SIGNS:
        left, right = (_bare(side)[1] for side in expr.args)
        return f"{left} {_SIGNS[type(expr)]} {right}"
    return _bare(expr)[1]


def _text(expr: sp.Basic, level: int) -> str:
    """The text, in brackets where it binds less tightly than what stands around it."""
    own, text = _bare(expr)
    return f"({text})" if own < level else text


def _bare(expr: sp.Basic) -> tuple[int, str]:
    """How tightly the text binds, and the text."""
    if isinstance(expr, sp.Symbol):
        if not expr.name.isidentifier() or iskeyword(expr.name):
            raise ValueError(f"{expr.name} is no plain name")
        return _ATOM, expr.name
    if isinstance(expr, sp.Rational):
        return _SUM if expr < 0 else _ATOM if expr.is_Integer else _PRODUCT, str(expr)
    if isinstance(expr, sp.Add):
        first, *rest = (_text(a, _PRODUCT) if a.is_Add else _bare(a)[1] for a in expr.args)
        return _SUM, first + "".join(f" - {t[1:]}" if t[0] == "-" else f" + {t}" for t in rest)
    if isinstance(expr, sp.Mul):
        return _product(expr.args)
    if isinstance(expr, sp.Pow):
        return _power(expr)
    if type(expr) in _CALLS:
        return _ATOM, f"{_CALLS[type(expr)]}({', '.join(_bare(a)[1] for a in expr.args)})"
    raise ValueError(f"{expr} has no plain text")


def _product(factors: tuple[sp.Expr, ...]) -> tuple[int, str]:
    if factors[0] == -1 and len(factors) > 1:
        _, text = _product(factors[1:])
        return _SUM, f"-({text})" if text[0] == "-" else f"-{text}"
    text = ""
    for factor in factors:
        divisor = _divisor(factor)
        if divisor is not None:
            text = f"{text or '1'}/{_text(divisor, _POWER)}"
        elif text:
            text += f"*{_text(factor, _POWER)}"
        else:
            text = _text(factor, _PRODUCT)
    return _PRODUCT, text


def _divisor(factor: sp.Expr) -> sp.Expr | None:
    """What a factor divides by; None where it multiplies."""
    exponent = _exponent(factor) if isinstance(factor, sp.Pow) else sp.Integer(1)
    return sp.Pow(factor.base, -exponent, evaluate=False) if exponent < 0 else None


def _exponent(power: sp.Pow) -> sp.Rational:
    exponent = power.exp.doit()
    if not exponent.is_Rational:
        raise ValueError(f"the exponent {power.exp} is no number")
    return exponent


def _power(expr: sp.Pow) -> tuple[int, str]:
    exponent = _exponent(expr)
    if exponent < 0:
        return _product((expr,))
    base, top = expr.base, int(exponent.p)
    if exponent.q == 2:
        own, text = _ATOM, f"sqrt({_bare(base)[1]})"
    elif exponent.q == 1:
        own, text = _POWER, _text(base, _ATOM)
    else:
        return _POWER, f"{_text(base, _ATOM)}**({exponent})"
    return (own, text) if top == 1 else (_POWER, f"{text}**{top}")
