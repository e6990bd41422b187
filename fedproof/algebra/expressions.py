"""SymPy expressions as data: kept as printed, evaluated by folding into any arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from fractions import Fraction
from functools import reduce
from typing import Any, Protocol, TypeVar

import sympy as sp

T = TypeVar("T")


def printed() -> AbstractContextManager[None]:
    """Context in which SymPy keeps an expression exactly as it is typed.

    >>> x = sp.Symbol("x", real=True)
    >>> with printed():
    ...     claim = x + x
    >>> claim
    x + x
    """
    context: AbstractContextManager[None] = sp.evaluate(False)
    return context


class Algebra(Protocol[T]):
    """An arithmetic an expression can be folded into: rationals, balls, solver terms.

    One that also has `maximum(a, b)` can fold Max, Min and Abs.
    """

    def constant(self, value: Fraction) -> T: ...
    def add(self, a: T, b: T) -> T: ...
    def mul(self, a: T, b: T) -> T: ...
    def power(self, a: T, exponent: int) -> T: ...
    def sqrt(self, a: T) -> T: ...


def fold(expr: sp.Expr, algebra: Algebra[T], values: Mapping[str, T]) -> T:
    """Evaluate an expression in an arithmetic.

    Arguments:
        expr: sums, products, integer and half-integer powers of symbols and rationals.
        algebra: the arithmetic.
        values: what each symbol stands for.

    Returns: the value in that arithmetic.
    Raises: TypeError for a function that has no algebraic meaning; KeyError for a symbol without value.

    >>> x = sp.Symbol("x", real=True)
    >>> fold(x**2 / 3, FractionAlgebra(), {"x": Fraction(1, 2)})
    Fraction(1, 12)
    """
    if isinstance(expr, sp.Symbol):
        return values[expr.name]
    if isinstance(expr, sp.Rational):
        return algebra.constant(Fraction(int(expr.p), int(expr.q)))
    if isinstance(expr, (sp.Add, sp.Mul)):
        parts = [fold(a, algebra, values) for a in expr.args]
        join = algebra.add if isinstance(expr, sp.Add) else algebra.mul
        total = parts[0]
        for part in parts[1:]:
            total = join(total, part)
        return total
    if isinstance(expr, sp.Pow):
        exponent = sp.nsimplify(expr.exp.doit())
        if exponent.is_Rational and exponent.q in (1, 2):
            base = fold(expr.base, algebra, values)
            if exponent.q == 2:
                base = algebra.sqrt(base)
            return algebra.power(base, int(exponent.p))
    if isinstance(expr, (sp.Max, sp.Min, sp.Abs)):
        return _extreme(expr, algebra, values)
    raise TypeError(f"{expr.func.__name__} in {expr} has no algebraic meaning here")


def _extreme(expr: sp.Expr, algebra: Algebra[T], values: Mapping[str, T]) -> T:
    """Max as it is; Min and Abs by max, since min(a, b) = -max(-a, -b) and |a| = max(a, -a)."""
    maximum: Callable[[T, T], T] | None = getattr(algebra, "maximum", None)
    if maximum is None:
        raise TypeError(f"{expr.func.__name__} in {expr} has no meaning in {type(algebra).__name__}")
    minus = algebra.constant(Fraction(-1))
    parts = [fold(a, algebra, values) for a in expr.args]
    if isinstance(expr, sp.Abs):
        return maximum(parts[0], algebra.mul(minus, parts[0]))
    if isinstance(expr, sp.Max):
        return reduce(maximum, parts)
    return algebra.mul(minus, reduce(maximum, [algebra.mul(minus, p) for p in parts]))


class FractionAlgebra:
    """Exact rationals; a square root must come out rational.

    >>> FractionAlgebra().sqrt(Fraction(9, 4))
    Fraction(3, 2)
    """

    def constant(self, value: Fraction) -> Fraction:
        """The rational itself."""
        return value

    def add(self, a: Fraction, b: Fraction) -> Fraction:
        """a + b."""
        return a + b

    def mul(self, a: Fraction, b: Fraction) -> Fraction:
        """a * b."""
        return a * b

    def power(self, a: Fraction, exponent: int) -> Fraction:
        """a to a whole power; ZeroDivisionError where undefined."""
        return Fraction(a**exponent)

    def maximum(self, a: Fraction, b: Fraction) -> Fraction:
        """The larger of the two."""
        return max(a, b)

    def sqrt(self, a: Fraction) -> Fraction:
        """The rational square root; ValueError where it is negative or irrational."""
        top, bottom = sp.integer_nthroot(a.numerator, 2) if a >= 0 else (0, False), None
        bottom = sp.integer_nthroot(a.denominator, 2)
        if not (top[1] and bottom[1]):
            raise ValueError(f"the square root of {a} is not rational")
        return Fraction(int(top[0]), int(bottom[0]))


def expand(expr: Any, definitions: Mapping[sp.Symbol, sp.Expr]) -> Any:
    """Substitute definitions, latest first, so that an expression speaks of base symbols only."""
    for symbol, meaning in reversed(list(definitions.items())):
        with printed():
            expr = expr.xreplace({symbol: meaning})
    return expr


def names_in(expr: sp.Basic) -> set[str]:
    """The names of the symbols in an expression.

    >>> sorted(names_in(sp.Symbol("L") / sp.Symbol("mu")))
    ['L', 'mu']
    """
    return {s.name for s in expr.free_symbols if isinstance(s, sp.Symbol)}


def compile_numpy(expr: sp.Expr, names: tuple[str, ...]) -> Callable[..., Any]:
    """A NumPy function of the named symbols, in that order, with common parts computed once.

    >>> float(compile_numpy(sp.sqrt(sp.Symbol("x", real=True)), ("x",))(4.0))
    2.0
    """
    found = {s.name: s for s in expr.free_symbols if isinstance(s, sp.Symbol)}
    symbols = [found.get(n, sp.Symbol(n, real=True)) for n in names]
    function: Callable[..., Any] = sp.lambdify(symbols, expr.doit(), modules="numpy", cse=True)
    return function
