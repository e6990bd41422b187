"""What texts assume of functions and say of what minimises them, each at all points; a step names the points.

A function may be any expression of a vector: `smooth(f, grad, L)`, or of a family
`smooth(lambda x: f(i, x), lambda x: grad(i, x), L, over=(i, 1, n))`. All formulas but `lipschitz` are linear
in values of functions and inner products, so that each is also true of random points in the mean.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp

from fedproof.algebra.expressions import printed
from fedproof.proof.language.everywhere import ForEvery
from fedproof.proof.vectors import ip, n2, norm, vectors

#: a function or a field: from a vector to an expression
Map = Callable[[Any], Any]
Over = tuple[Any, ...] | None

x, y = vectors("x y")
a = sp.Symbol("a", real=True)


def smooth(f: Map, grad: Map, L: Any, why: str = "smooth", over: Over = None) -> ForEvery:
    """The upper quadratic bound at x, of y; its points are x and y."""
    with printed():
        said = f(y) <= f(x) + ip(grad(x), y - x) + L / 2 * n2(y - x)
    return ForEvery(said, (x, y), why, over)


def bounded_curvature(f: Map, grad: Map, L: Any, why: str = "smooth", over: Over = None) -> ForEvery:
    """The lower quadratic bound that a smooth function has too; its points are x and y."""
    with printed():
        said = f(y) >= f(x) + ip(grad(x), y - x) - L / 2 * n2(y - x)
    return ForEvery(said, (x, y), why, over)


def lipschitz_gradient(grad: Map, L: Any, why: str = "Lipschitz gradient", over: Over = None) -> ForEvery:
    """The gradient is Lipschitz; its points are x and y."""
    with printed():
        said = n2(grad(x) - grad(y)) <= L**2 * n2(x - y)
    return ForEvery(said, (x, y), why, over)


def convex(f: Map, grad: Map, why: str = "convex", over: Over = None) -> ForEvery:
    """f lies above its tangent at x, at y; its points are x and y.

    >>> from fedproof.proof.language.functions import Field, Function
    >>> from fedproof.proof.decide import decide
    >>> from fedproof.proof.step import Step
    >>> u, v = vectors("u v")
    >>> f, grad = Function("f"), Field("grad")
    >>> tangents = convex(f, grad)
    >>> monotone = Step(ip(grad(u) - grad(v), u - v) >= 0, (tangents.at(u, v), tangents.at(v, u)))
    >>> decide(monotone).verdict
    'proved'
    """
    with printed():
        said = f(y) >= f(x) + ip(grad(x), y - x)
    return ForEvery(said, (x, y), why, over)


def strongly_convex(f: Map, grad: Map, mu: Any, why: str = "strongly convex", over: Over = None) -> ForEvery:
    """f lies mu/2 |y - x|^2 above its tangent at x, at y; its points are x and y."""
    with printed():
        said = f(y) >= f(x) + ip(grad(x), y - x) + mu / 2 * n2(y - x)
    return ForEvery(said, (x, y), why, over)


def weakly_convex(f: Map, grad: Map, nu: Any, why: str = "weakly convex", over: Over = None) -> ForEvery:
    """f lies at most nu/2 |y - x|^2 below a (sub)gradient's tangent at x, at y; its points are x and y."""
    with printed():
        said = f(y) >= f(x) + ip(grad(x), y - x) - nu / 2 * n2(y - x)
    return ForEvery(said, (x, y), why, over)


def between(u: Any, v: Any, b: Any) -> Any:
    """The point (u + b^2 v)/(1 + b^2) between u and v: of weight 1/(1 + b^2) in u, every one in (0, 1]."""
    with printed():
        return (u + b**2 * v) / (1 + b**2)


def weakly_convex_chord(f: Map, nu: Any, why: str = "weakly convex", over: Over = None) -> ForEvery:
    """f on the chord from y to x, with weights s = 1/(1 + a^2) of x and 1 - s; its points are x, y and a.

    f(s x + (1 - s) y) <= s f(x) + (1 - s) f(y) + nu/2 s (1 - s) |x - y|^2. No gradient is spoken of.
    """
    with printed():
        chord = (f(x) + a**2 * f(y)) / (1 + a**2)
        said = f(between(x, y, a)) <= chord + nu / 2 * (a**2 / (1 + a**2) ** 2) * n2(x - y)
    return ForEvery(said, (x, y, a), why, over)


def convex_chord(f: Map, why: str = "convex", over: Over = None) -> ForEvery:
    """The same for nu = 0."""
    with printed():
        said = f(between(x, y, a)) <= (f(x) + a**2 * f(y)) / (1 + a**2)
    return ForEvery(said, (x, y, a), why, over)


def lipschitz(f: Map, G: Any, why: str = "Lipschitz", over: Over = None) -> ForEvery:
    """f(x) - f(y) <= G |x - y|, which at random points is about the root of the mean square; points x, y."""
    with printed():
        said = f(x) - f(y) <= G * norm(x - y)
    return ForEvery(said, (x, y), why, over)


def minimises(p: Any, f: Map, slack: Any = 0, why: str = "minimiser", over: Over = None) -> ForEvery:
    """f at p is at most its value at x, or that and a slack; its point is x."""
    with printed():
        said = f(p) <= (f(x) if slack == 0 else f(x) + slack)
    return ForEvery(said, (x,), why, over)


def proximal(f: Map, centre: Any, stepsize: Any) -> Map:
    """f(u) + |u - centre|^2/(2 stepsize) as a function of u."""

    def value(u: Any) -> Any:
        with printed():
            return f(u) + n2(u - centre) / (2 * stepsize)

    return value


def prox(p: Any, f: Map, centre: Any, stepsize: Any, why: str = "prox", over: Over = None) -> ForEvery:
    """p minimises f(u) + |u - centre|^2/(2 stepsize); its point is u."""
    return minimises(p, proximal(f, centre, stepsize), 0, why, over)


def envelope(e: Map, f: Map, stepsize: Any, why: str = "Moreau envelope") -> ForEvery:
    """e(x) is at most f(y) + |y - x|^2/(2 stepsize); its points are x and y."""
    with printed():
        said = e(x) <= f(y) + n2(y - x) / (2 * stepsize)
    return ForEvery(said, (x, y), why)


def envelope_value(e: Map, f: Map, p: Map, stepsize: Any, why: str = "Moreau envelope") -> ForEvery:
    """e(x) is f + |. - x|^2/(2 stepsize) at p(x), the minimiser; its point is x."""
    with printed():
        said = sp.Eq(e(x), f(p(x)) + n2(p(x) - x) / (2 * stepsize))
    return ForEvery(said, (x,), why)
