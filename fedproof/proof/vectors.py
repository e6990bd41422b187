"""Named vectors of a real inner-product space, their inner products and squared norms."""

from __future__ import annotations

from typing import Any

import sympy as sp


class Vector(sp.Symbol):  # type: ignore[misc]
    """A vector of any real inner-product space, of any dimension.

    Random vectors are vectors of the space whose inner product is the expectation of the product; a mean is
    then an orthogonal projection.
    """


class ip(sp.Function):  # type: ignore[misc]
    """The inner product of two linear combinations of vectors."""

    nargs = 2
    is_extended_real = True


class n2(sp.Function):  # type: ignore[misc]
    """The squared norm of a linear combination of vectors."""

    nargs = 1
    is_extended_real = True


def norm(x: sp.Expr) -> sp.Expr:
    """The norm of a linear combination of vectors.

    >>> norm(Vector("x"))
    sqrt(n2(x))
    """
    return sp.sqrt(n2(x))


def vectors(names: str) -> Any:
    """Vectors by name, one or a tuple.

    >>> x, y = vectors("x y")
    >>> n2(x - y)
    n2(x - y)
    """
    found = tuple(Vector(n) for n in names.replace(",", " ").split())
    return found[0] if len(found) == 1 else found
