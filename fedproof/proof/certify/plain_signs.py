"""What is plain of signs, and what tangents of a convex function say between two points."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from typing import Any

from fedproof.proof.certify import preparing, products
from fedproof.proof.certify.at_points import functions, opened, specialised, words
from fedproof.proof.certify.limits import NotFound
from fedproof.proof.certify.writer import Writer, tree_of
from fedproof.proof.kernel.relations import reading
from fedproof.proof.kernel.trees import NUMBER, Rejected, Tree, free, fresh, substitute


def meet(writer: Writer, value: Tree) -> None:
    """Write lines that say that an expression is defined, as far as they are found."""
    with suppress(Rejected, NotFound):
        forms = writer.forms
        read = forms.vector if forms.is_vector(value) else forms.number
        _, needs = reading(forms, lambda: read(value))
        for need, q in needs.items():
            try:
                writer.here.defined(writer.equal, {need: q})
            except Rejected:
                if need.around:
                    products._define_inside(writer, need, tree_of(forms, q))
                elif need.kind == "nonnegative":
                    products.prove(writer, ("<=", "0", tree_of(forms, q)), 1, 0)
                else:
                    preparing.nonzero(writer, q, 0, products.prove)


def divisors(tree: Tree) -> Iterator[Tree]:
    """What is divided by and speaks of more than numbers."""
    if isinstance(tree, tuple):
        if tree[0] == "^" and tree[2] == "-1" and words(tree[1]) & {"n2", "abs"}:
            yield tree[1]
        for part in tree[1:]:
            yield from divisors(part)


def powers(tree: Tree) -> Iterator[Tree]:
    """What is raised to a power that is no number."""
    if isinstance(tree, tuple):
        if tree[0] == "^" and not (isinstance(tree[2], str) and NUMBER.match(tree[2])):
            yield tree[1]
        for part in tree[1:]:
            yield from powers(part)


def ranges(tree: Tree) -> Iterator[tuple[Tree, Tree]]:
    """The ends between which sums run."""
    if isinstance(tree, tuple):
        if tree[0] == "sum":
            yield tree[2], tree[3]
        for part in tree[1:]:
            yield from ranges(part)


def inverses(tree: Tree) -> Iterator[Tree]:
    """What stands below a line."""
    if isinstance(tree, tuple):
        if tree[0] == "^" and tree[2] == "-1":
            yield tree
        for part in tree[1:]:
            yield from inverses(part)


def plainly(writer: Writer, debt: Tree) -> int | None:
    """What is plain of signs: of sums of norms and sizes, and of these over something larger."""
    if debt[0] != "<=":
        return None
    with suppress(Rejected, NotFound):
        if debt[1] == "0":
            return _positive(writer, debt)
        if debt[2] == "1":
            return _share(writer, debt)
    return None


def _positive(writer: Writer, debt: Tree) -> int:
    """0 <= a, or < where a number is added."""
    above, below = _fraction(debt[2])
    terms = _plain(writer, above)
    if terms is None:
        raise NotFound(debt)
    less = () if below is None else (above_zero(writer, below),)
    return writer.write(debt, "combine", (("1", ("neg", *less)), *terms), writer.equal)


def _share(writer: Writer, debt: Tree) -> int:
    """a/b <= 1 where b is a and more."""
    above, below = _fraction(debt[1])
    if below is None:
        raise NotFound(debt)
    line = above_zero(writer, below)
    more = [t for t in _parts("+", below) if t != above]
    terms = _plain(writer, ("+", *more))
    if terms is None or len(more) == len(_parts("+", below)):
        raise NotFound(debt)
    return writer.write(debt, "combine", (("1", ("neg", line)), *terms), writer.equal)


def above_zero(writer: Writer, tree: Tree) -> int:
    """A line that says that something is > 0."""
    claim = ("<", "0", tree)
    place = writer.find(claim)
    terms = _plain(writer, tree)
    if place is not None or terms is None:
        return products.prove(writer, claim, 1, 0) if place is None else place
    return writer.write(claim, "combine", (("1", ("neg",)), *terms), writer.equal)


def _fraction(tree: Tree) -> tuple[Tree, Tree | None]:
    """What stands above and below."""
    if isinstance(tree, tuple) and tree[0] == "*":
        below = [p for p in tree[1:] if isinstance(p, tuple) and p[0] == "^" and p[2] == "-1"]
        above = [p for p in tree[1:] if p not in below]
        if len(below) == 1 and above:
            return (("*", *above) if len(above) > 1 else above[0]), below[0][1]
    return tree, None


def _parts(head: str, tree: Tree) -> list[Tree]:
    """The terms of nested sums, or the factors of products."""
    if isinstance(tree, tuple) and tree[0] == head:
        return [q for p in tree[1:] for q in _parts(head, p)]
    return [tree]


def _plain(writer: Writer, tree: Tree) -> list[Any] | None:
    """A number as a sum of products of norms, squares, sizes and what lines say is not negative."""
    if isinstance(tree, str) and NUMBER.match(tree):
        return None if tree.startswith("-") else [(tree, ())] if tree != "0" else []
    if isinstance(tree, tuple) and tree[0] == "n2":
        return [("1", (tree,))]
    if isinstance(tree, tuple) and tree[0] == "abs":
        return [("1", (("root", ("^", tree[1], "2"), "2"),))]
    if isinstance(tree, tuple) and tree[0] in ("+", "*"):
        found = [_plain(writer, p) for p in tree[1:]]
        known = [f for f in found if f is not None]
        if len(known) < len(found):
            return None
        if tree[0] == "+":
            return [t for f in known for t in f]
        terms: list[Any] = [("1", ())]
        for f in known:
            terms = [(str(Fraction(c) * Fraction(e)), (*p, *q)) for c, p in terms for e, q in f]
        return terms
    if isinstance(tree, tuple) and tree[0] == "sum" and tree[4][0] in ("n2", "of"):
        return [("1", (_sum_of_signs(writer, tree),))]
    if isinstance(tree, tuple) and tree[0] == "^" and not NUMBER.match(str(tree[2])):
        return [("1", (("power", above_zero(writer, tree[1]), tree[2]),))]
    for order in ("<", "<="):
        place = writer.find((order, "0", tree))
        if place is not None:
            return [("1", (place,))]
    if isinstance(tree, tuple) and tree[0] == "^" and tree[2] == "2":
        return [("1", (("sq", tree[1]),))]
    return None


def _sum_of_signs(writer: Writer, tree: Tree) -> int:
    """A line that says that a sum of norms, or of values that a line says are not negative, is none less."""
    _, index, lo, hi, body = tree
    name = fresh(index, frozenset(writer.here.kinds) | free(tree))
    value = substitute(body, {index: name})
    inner = writer.here.inside({name: "whole"}, ("<=", lo, name), ("<=", name, hi))
    every = ("all", name, lo, hi, ("<=", "0", value))
    place = writer.block("all", every, inner, lambda w: _not_negative(w, value))
    length = products.quickly(writer, ("<=", lo, ("+", hi, "1")))
    said = ("<=", ("sum", name, lo, hi, "0"), ("sum", name, lo, hi, value))
    return writer.write(said, "total", place, length)


def _not_negative(writer: Writer, value: Tree) -> None:
    """The line that says that a norm is not negative, or a value of a function that never is."""
    if value[0] == "n2":
        writer.write(("<=", "0", value), "combine", (("1", ("neg",)), ("1", (value,))), ())
        return
    for place, line in enumerate(writer.here.lines):
        said, binders = opened(line)
        if said == ("<=", "0", ("of", value[1], *(name for name, _ in binders))):
            specialised(writer, place, value[2:])
            return
    raise NotFound(f"{value} >= 0")


# -- between two points


def segment(writer: Writer, debt: Tree, convex: int) -> int:
    """g(b) <= (1 - l) g(u) + l g(v) at b = u + l (v - u), from tangents at b.

    Arguments:
        convex: the line that says, for all x and y, that g(y) is above the tangent at x.

    Raises: NotFound, Rejected.
    """
    for part in _parts("+", debt[2]):
        factors = _parts("*", part)
        mixed = [f for f in factors if isinstance(f, tuple) and f[:2] == ("+", "1") and len(f) == 3]
        if len(mixed) != 1 or len(factors) != 2:
            continue
        share = tuple(_parts("*", mixed[0][2]))
        if share[0] != "-1" or len(share) < 2:
            continue
        lam: Tree = share[1] if len(share) == 2 else ("*", *share[1:])
        one = next(f for f in factors if f is not mixed[0])
        others = [t for p in _parts("+", debt[2]) if p is not part for t in _parts("*", p) if _term(t)]
        for other in others:
            if not (_term(one) and _term(debt[1]) and one[1] == other[1] == debt[1][1]):
                continue
            low = _signed(writer, ("<=", "0", lam))
            high = _signed(writer, ("<=", lam, "1"))
            meet(writer, debt[1])
            meet(writer, debt[2])
            at = debt[1][2]
            first = specialised(writer, convex, (at, one[2]))
            second = specialised(writer, convex, (at, other[2]))
            terms = (("1", ("neg",)), ("1", (high, first)), ("1", (low, second)))
            return writer.write(debt, "combine", terms, writer.equal)
    raise NotFound(debt)


def tangent(line: Tree) -> bool:
    """Whether a formula is about two points of one function and a field."""
    body, binders = opened(line)
    return body[0] == "<=" and [k for _, k in binders] == ["vector", "vector"] and len(functions(body)) == 2


def _term(tree: Tree) -> bool:
    return isinstance(tree, tuple) and tree[0] == "of"


def _signed(writer: Writer, claim: Tree) -> int:
    """A line that says a plain sign."""
    place = writer.find(claim)
    if place is None:
        place = plainly(writer, claim)
    if place is None and not words(claim) & {"of", "ip", "n2", "sum"}:
        attempt = writer.about_numbers(claim)
        place = products.prove(attempt, claim, 1, 0)
        writer.adopt(attempt)
    if place is None:
        raise NotFound(claim)
    return place
