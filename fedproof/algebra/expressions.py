"""SymPy expressions as data: kept as printed, evaluated by folding into any arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from fractions import Fraction
from functools import reduce
from typing import Any, Generic, Protocol, TypeVar

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


_CHOOSING = (sp.Add, sp.Mul, sp.Pow, sp.core.relational.Relational, sp.core.function.Application)


def rebuilt(expr: Any, args: Sequence[Any]) -> Any:
    """The same operation of other operands, kept as it stands.

    As within `printed()`, but SymPy forgets all that it has cached when that context is entered or left.

    >>> x = sp.Symbol("x")
    >>> rebuilt(x + 1, (x, x))
    x + x
    """
    if isinstance(expr, _CHOOSING):
        return expr.func(*args, evaluate=False)
    with sp.evaluate(True):  # without, SymPy multiplies the body of a sum by 1
        return expr.func(*args)


#: the largest exponent, of a power of a power their product, that is written out to be asked of a sign
MOST_POWER = 64


def evaluated(expr: Any) -> Any:
    """The same as SymPy evaluates it, to be asked of its sign: as it is printed it says now this, now that.

    What has a larger power of a number, and so perhaps very many digits, stays as it is.

    >>> evaluated(sp.Mul(-1, 0, evaluate=False)).is_zero
    True
    """
    if any(power.is_number and not _short(power) for power in expr.atoms(sp.Pow)):
        return expr
    with sp.evaluate(True):
        return _evaluated(expr)


def _short(power: sp.Pow) -> bool:
    """Whether a power of a number has few digits."""
    return bool(power.exp.is_Rational and _height(power) <= MOST_POWER)


def _height(expr: Any) -> Any:
    """The largest product of exponents of powers within each other."""
    within = max(map(_height, expr.args), default=1)
    return within * max(1, abs(expr.exp)) if isinstance(expr, sp.Pow) and expr.exp.is_Rational else within


def _evaluated(expr: Any) -> Any:
    return expr.func(*map(_evaluated, expr.args)) if expr.args else expr


def replaced(expr: Any, pairs: Mapping[Any, Any]) -> Any:
    """An expression or relation with parts replaced, all at once, and nothing evaluated.

    >>> x, y = sp.symbols("x y")
    >>> replaced(x + y, {y: x})
    x + x
    """
    if expr in pairs:
        return pairs[expr]
    if not expr.args:
        return expr
    args = [replaced(a, pairs) for a in expr.args]
    return expr if all(a is b for a, b in zip(args, expr.args, strict=True)) else rebuilt(expr, args)


def with_fractions(expr: Any) -> Any:
    """An expression or relation whose decimals are the fractions that they show.

    >>> with_fractions(sp.Symbol("x") + 0.1)
    x + 1/10
    """
    return replaced(expr, {f: sp.Rational(_shown(f)) for f in expr.atoms(sp.Float)})


def _shown(decimal: sp.Float) -> Fraction:
    """The shortest decimal of a double, or all digits of a longer number."""
    double = float(decimal)
    return Fraction(repr(double) if sp.Float(double) == decimal else str(decimal))


class NotAlgebraic(TypeError):
    """Something has no meaning in an arithmetic; the message says what."""


class Algebra(Protocol[T]):
    """An arithmetic an expression can be folded into: rationals, floats, balls, solver terms, trees.

    One that also has `maximum(a, b)` can fold Max, Min and Abs.
    """

    def constant(self, value: Fraction) -> T: ...
    def add(self, a: T, b: T, /) -> T: ...
    def mul(self, a: T, b: T, /) -> T: ...
    def power(self, a: T, exponent: int, /) -> T: ...
    def root(self, a: T, index: int, /) -> T: ...


def fold(expr: Any, algebra: Algebra[T], values: Mapping[str, T], done: dict[Any, T] | None = None) -> T:
    """Evaluate an expression in an arithmetic: the one visitor over SymPy.

    Arguments:
        expr: sums, products, rational powers, max, min and Abs of symbols and rationals.
        algebra: the arithmetic.
        values: what each symbol stands for.
        done: values of expressions that are known; all others are added.

    Returns: the value in that arithmetic.
    Raises: NotAlgebraic for a function that has no algebraic meaning; KeyError for a symbol without value.

    >>> x = sp.Symbol("x", real=True)
    >>> fold(x**2 / 3, FractionAlgebra(), {"x": Fraction(1, 2)})
    Fraction(1, 12)
    """
    if isinstance(expr, sp.Symbol):
        return values[expr.name]
    if done is None:
        return _visit(expr, algebra, [fold(a, algebra, values) for a in _parts(expr)])
    if expr not in done:
        done[expr] = _visit(expr, algebra, [fold(a, algebra, values, done) for a in _parts(expr)])
    return done[expr]


def _parts(expr: Any) -> tuple[Any, ...]:
    """What is evaluated before an expression."""
    if isinstance(expr, sp.Pow):
        return (expr.base,) if _exponent(expr) is not None else ()
    return expr.args if isinstance(expr, (sp.Add, sp.Mul, sp.Max, sp.Min, sp.Abs)) else ()


def _exponent(power: sp.Pow) -> Fraction | None:
    exact = power.exp if power.exp.is_Rational else with_fractions(power.exp).doit()
    return Fraction(int(exact.p), int(exact.q)) if exact.is_Rational else None


def _visit(expr: Any, algebra: Algebra[T], parts: list[T]) -> T:
    if isinstance(expr, sp.Rational):
        return algebra.constant(Fraction(int(expr.p), int(expr.q)))
    if isinstance(expr, (sp.Add, sp.Mul)):
        several: Callable[[list[T]], T] | None = getattr(algebra, f"{expr.func.__name__.lower()}_all", None)
        return several(parts) if several else reduce(algebra.add if expr.is_Add else algebra.mul, parts)
    if isinstance(expr, sp.Pow) and parts:
        exponent = _exponent(expr)
        assert exponent is not None
        base = parts[0] if exponent.denominator == 1 else algebra.root(parts[0], exponent.denominator)
        return algebra.power(base, exponent.numerator)
    if isinstance(expr, (sp.Max, sp.Min, sp.Abs)):
        return _extreme(expr, algebra, parts)
    raise NotAlgebraic(f"{expr.func.__name__} in {expr} has no algebraic meaning here")


def _extreme(expr: sp.Expr, algebra: Algebra[T], parts: list[T]) -> T:
    """Max as it is; Min and Abs by max where there is nothing for them: |a| = max(a, -a)."""
    kind = {sp.Max: "maximum", sp.Min: "minimum", sp.Abs: "absolute"}[expr.func]
    own: Callable[..., T] | None = getattr(algebra, kind, None)
    if own is not None:
        return own(*parts) if kind == "absolute" else reduce(own, parts)
    maximum: Callable[[T, T], T] | None = getattr(algebra, "maximum", None)
    if maximum is None:
        raise NotAlgebraic(f"{expr.func.__name__} in {expr} has no meaning in {type(algebra).__name__}")
    minus = algebra.constant(Fraction(-1))
    turned = [algebra.mul(minus, p) for p in parts]
    return maximum(parts[0], turned[0]) if kind == "absolute" else algebra.mul(minus, reduce(maximum, turned))


class Operators(Generic[T]):
    """Arithmetics whose sums and products are those of Python."""

    def add(self, a: T, b: T, /) -> T:
        """a + b."""
        left: Any = a
        total: T = left + b
        return total

    def mul(self, a: T, b: T, /) -> T:
        """a * b."""
        left: Any = a
        product: T = left * b
        return product


class FractionAlgebra(Operators[Fraction]):
    """Exact rationals; a root must come out rational.

    >>> FractionAlgebra().root(Fraction(9, 4), 2)
    Fraction(3, 2)
    """

    def constant(self, value: Fraction) -> Fraction:
        """The rational itself."""
        return value

    def power(self, a: Fraction, exponent: int) -> Fraction:
        """a to a whole power; ZeroDivisionError where undefined."""
        return Fraction(a**exponent)

    def maximum(self, a: Fraction, b: Fraction) -> Fraction:
        """The larger of the two."""
        return max(a, b)

    def root(self, a: Fraction, index: int) -> Fraction:
        """The rational root; ValueError where it is negative or irrational."""
        top, bottom = (sp.integer_nthroot(max(part, 0), index) for part in (a.numerator, a.denominator))
        if a < 0 or not (top[1] and bottom[1]):
            kind = "square root" if index == 2 else f"root of index {index}"
            raise ValueError(f"the {kind} of {a} is not rational")
        return Fraction(int(top[0]), int(bottom[0]))


def rational_value(expr: Any, values: Mapping[str, Fraction]) -> Fraction | None:
    """The value of an expression where it is a rational number; None where it is not, or is undefined.

    >>> x = sp.Symbol("x", real=True)
    >>> rational_value(sp.sqrt(x), {"x": Fraction(4)}), rational_value(1 / x, {"x": Fraction(0)})
    (Fraction(2, 1), None)
    """
    try:
        return fold(expr, FractionAlgebra(), values)
    except (ArithmeticError, KeyError, TypeError, ValueError):
        return None


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
