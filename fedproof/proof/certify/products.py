"""Relations between real numbers by products of what is known: a linear programme proposes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from fedproof.proof.certify import cases
from fedproof.proof.certify.bounding import by_bound
from fedproof.proof.certify.clearing import factors
from fedproof.proof.certify.limits import NotFound, still
from fedproof.proof.certify.linear import linear
from fedproof.proof.certify.preparing import attempted, clear, divisors, nonzero, prepare, sure, write
from fedproof.proof.certify.roots import by_root, by_squares, positive_radicands, resolved
from fedproof.proof.certify.search import search
from fedproof.proof.certify.writer import Writer, tree_of
from fedproof.proof.kernel.atoms import Need
from fedproof.proof.kernel.polynomials import ONE, Quotient, number
from fedproof.proof.kernel.relations import reading
from fedproof.proof.kernel.trees import Rejected, Tree, free, fresh, substitute

#: terms of a factor whose sign is sought
MOST_TERMS = 500
DEPTH = 8
MOST, LEAST = 2, 0  # how hard a claim is tried, and one that only helps
Terms = Sequence[tuple[Any, tuple[Any, ...]]]


def prove_by(writer: Writer, claim: Tree, cuts: Sequence[Tree] = ()) -> int:
    """Write a proof of a relation after proofs of others that help."""
    for cut in cuts:
        prove(writer, cut)
    return prove(writer, claim)


def prove(writer: Writer, claim: Tree, depth: int = 0, effort: int | None = None) -> int:
    """Write a proof of a relation between real numbers.

    Returns: the line that says it.
    Raises: NotFound.
    """
    place = writer.find(claim)
    if place is not None:
        return place
    effort = effort if effort is not None else LEAST if depth or writer.brief else MOST
    if not depth and ("lines", len(writer.here.lines)) not in writer.failed:
        writer.failed.clear()
    if depth > DEPTH or (claim, effort) in writer.failed:
        raise NotFound(claim)
    writer.failed.add((claim, effort))
    try:
        place = _prove(writer, claim, depth, effort)
        writer.failed.discard((claim, effort))
        return place
    finally:
        if not depth:
            writer.failed.add(("lines", len(writer.here.lines)))


def of_numbers(writer: Writer, claim: Tree) -> int:
    """The same, seeing no lines about vectors, terms and sums where the claim speaks of none."""
    place = writer.find(claim)
    if place is not None:
        return place
    attempt = writer.about_numbers(claim)
    prove(attempt, claim)
    writer.adopt(attempt)
    place = writer.find(claim)
    if place is None:
        raise NotFound(claim)
    return place


def quickly(writer: Writer, claim: Tree) -> int:
    """A proof by an identity, or as a sum of lines.

    Raises: NotFound.
    """
    place = writer.find(claim)
    if place is not None:
        return place
    gap = writer.gap(claim)
    if not gap.above and claim[0] in ("=", "<="):
        return write(writer, claim, [(number(1), ("neg",))])
    terms = linear(writer, claim) if claim[0] in ("<=", "<") else None
    if terms is None:
        raise NotFound(claim)
    return write(writer, claim, terms)


def _prove(writer: Writer, claim: Tree, depth: int, effort: int) -> int:
    still()
    define(writer, claim, depth)
    order = claim[0]
    gap = writer.gap(claim)
    if not gap.above:
        if order in ("=", "<="):
            return write(writer, claim, [(number(1), ("neg",))])
        raise NotFound(claim)
    if order == "=":
        return _equation(writer, claim, gap, depth, effort)
    if gap.constant is not None:
        if gap.constant < 0 or order == "!=":
            terms = linear(writer, claim) if order != "!=" else None
            if terms is None:
                raise NotFound(claim)
            return write(writer, claim, terms)
        return write(writer, claim, [(number(1), ("neg",)), (gap.constant, ())])
    if order == "!=":
        return _unequal(writer, claim, gap, depth)
    return _inequality(writer, claim, gap, depth, effort)


def _again(writer: Writer, claim: Tree, depth: int, effort: int) -> int:
    """A line for what a claim was reduced to."""
    place = writer.find(claim)
    return place if place is not None else _prove(writer, claim, depth, effort)


def define(writer: Writer, claim: Tree, depth: int = 0) -> None:
    """Prove what a relation needs to be defined."""
    forms = writer.forms
    _, needs = reading(forms, lambda: [forms.number(s) for s in claim[1:]])
    for need, q in needs.items():
        try:
            writer.here.defined(writer.equal, {need: q})
        except Rejected:
            if need.around:
                _define_inside(writer, need, tree_of(forms, q))
                continue
            if need.kind == "nonnegative":
                prove(writer, ("<=", "0", tree_of(forms, q)), depth + 1, 1)
            else:
                nonzero(writer, q, depth + 1, prove)


def _define_inside(writer: Writer, need: Need, tree: Tree) -> None:
    """Prove a need for every index of the sums around it."""
    forms = writer.forms
    body = ("<=", "0", tree) if need.kind == "nonnegative" else ("!=", tree, "0")
    ends = [(name, *(tree_of(forms, e) for e in forms.ends[name, lo, hi])) for name, lo, hi in need.around]
    taken = frozenset(writer.here.kinds) | free(tree)
    for name, _, _ in ends:
        new = fresh("i", taken)
        taken |= {new}
        body = substitute(body, {name: new})
        ends = [
            (n if n != name else new, substitute(lo, {name: new}), substitute(hi, {name: new}))
            for n, lo, hi in ends
        ]

    def inside(writer: Writer, left: list[Any], goal: Tree) -> None:
        if not left:
            if goal[0] == "!=":
                nonzero(writer, writer.forms.number(goal[1]), 1, prove)
                if writer.here.lines[-1] != goal:
                    writer.write(goal, "meaning")
                return
            place = prove(writer, goal, 1)
            if writer.here.lines[-1] != goal:
                write(writer, goal, [(number(1), ("neg",)), (number(1), (place,))])
            return
        name, lo, hi = left[0]
        granted = writer.here.inside({name: "whole"}, ("<=", lo, name), ("<=", name, hi))
        wrapped = goal
        for n, a, b in reversed(left):
            wrapped = ("all", n, a, b, wrapped)
        writer.block("all", wrapped, granted, lambda inner: inside(inner, left[1:], goal))

    inside(writer, ends, body)


def _inequality(writer: Writer, claim: Tree, gap: Quotient, depth: int, effort: int) -> int:
    """gap >= 0 or > 0: nothing cleared, then divisors, then positive factors, then the programme."""
    forms, order = writer.forms, claim[0]
    terms = linear(writer, claim)
    if terms is not None:
        return write(writer, claim, terms)
    if order == "<":
        tree = tree_of(forms, gap)
        positive_radicands(writer, gap, depth, prove)
        if attempted(lambda: writer.write(("!=", tree, "0"), "meaning")) is not None:
            return _strictly(writer, claim, tree, depth, effort)
    if gap.below:
        cleared, multiplier = clear(writer, gap, depth, prove)
        if not cleared.above:
            raise NotFound(claim)
        line = _again(writer, (order, "0", tree_of(forms, cleared)), depth, effort)
        return write(writer, claim, [(number(1), ("neg", *multiplier)), (number(1), (line,))])
    prepare(writer, depth, prove)
    place = attempted(lambda: _by_search(writer, claim, gap, depth, 0))
    if place is not None:
        return place
    rest = _strip(writer, gap, depth)
    if rest is not None:
        return _stripped(writer, claim, *rest, depth, effort)
    for tried in range(effort + 1):
        for way in _WAYS[tried]:
            place = attempted(partial(way, writer, claim, gap, depth, tried))
            if place is not None:
                return place
    raise NotFound(claim)


def _by_search(writer: Writer, claim: Tree, gap: Quotient, depth: int, effort: int) -> int:
    terms = search(writer, gap.above, claim[0], effort)
    if terms is None:
        raise NotFound(claim)
    return write(writer, claim, terms)


def _strictly(writer: Writer, claim: Tree, tree: Tree, depth: int, effort: int) -> int:
    """a < b where a - b is known not to be 0."""
    weak = _again(writer, ("<=", *claim[1:]), depth, effort)
    return write(writer, claim, [(number(1), (("sq+", tree),)), (number(1), (weak, "neg"))])


def _strip(writer: Writer, gap: Quotient, depth: int) -> tuple[Quotient, Any, list[int], list[int]] | None:
    """A polynomial without the factors that are plainly positive, if it has such: with number and lines."""
    forms = writer.forms
    rest, lines, scale = Quotient({ONE: number(1)}), [], number(1)
    pieces = factors(gap) if len(gap.above) < 200 else []
    if len([q for q, _ in pieces if q.constant is None]) == 1 == pieces[-1][1] and not divisors(gap):
        return None
    for q, e in pieces:
        place = None if q.constant is not None else sure(writer, q, depth, prove)
        if q.constant is not None:
            scale = scale * q.constant
        elif place is None:
            rest = forms.times(rest, forms.power(q, e))
        else:
            lines += [place] * e
    up = [a for a, e in divisors(gap) for _ in range(e)]
    away = [sure(writer, Quotient({((a, 1),): number(1)}), depth, prove) for a in up]
    if None in away or not pieces or (not lines and not away) or rest.constant is not None:
        return None
    return rest if scale > 0 else -rest, abs(scale), lines, [a for a in away if a is not None]


def _stripped(
    writer: Writer,
    claim: Tree,
    rest: Quotient,
    scale: Any,
    lines: list[int],
    away: list[int],
    depth: int,
    effort: int,
) -> int:
    """A product of which some factors are plainly positive."""
    place = _again(writer, (claim[0], "0", tree_of(writer.forms, rest)), depth, effort)
    return write(writer, claim, [(number(1), ("neg", *away)), (scale, (*lines, place))])


def _by_root(writer: Writer, claim: Tree, gap: Quotient, depth: int, effort: int) -> int:
    return by_root(writer, claim, gap, depth, effort, prove)


def _by_squares(writer: Writer, claim: Tree, gap: Quotient, depth: int, effort: int) -> int:
    return by_squares(writer, claim, gap, depth, effort, prove)


def _by_factors(writer: Writer, claim: Tree, gap: Quotient, depth: int, effort: int) -> int:
    """A product from the signs of its factors."""
    strict = claim[0] == "<"
    pieces = factors(gap)
    if divisors(gap) or (len(pieces) == 1 and pieces[0][1] == 1):
        raise NotFound("no product")
    longest = max(len(q.above) for q, _ in pieces)
    if longest > MOST_TERMS:
        raise NotFound(f"a factor of {longest} terms")
    product: list[Any] = []
    scale = number(1)
    for q, e in pieces:
        if q.constant is not None:
            scale = scale * q.constant
            continue
        tree = tree_of(writer.forms, q)
        if e % 2 == 0:
            if strict:
                nonzero(writer, q, depth, prove)
            product += [("sq+" if strict else "sq", tree)] * (e // 2)
            continue
        line, flipped = _sign(writer, tree, strict, depth)
        product += [line] * e if strict else [line] + [("sq", tree)] * (e // 2)
        scale = -scale if flipped else scale
    if scale < 0:
        raise NotFound("a product of the other sign")
    return write(writer, claim, [(number(1), ("neg",)), (scale, tuple(product))])


def _sign(writer: Writer, tree: Tree, strict: bool, depth: int) -> tuple[int, bool]:
    order = "<" if strict else "<="
    try:
        return prove(writer, (order, "0", tree), depth + 1), False
    except (NotFound, Rejected):
        return prove(writer, (order, tree, "0"), depth + 1), True


def _by_size(writer: Writer, claim: Tree, gap: Quotient, depth: int, effort: int) -> int:
    """Absolute values of what has a known sign are read as such first."""
    if depth or not resolved(writer, prove):
        raise NotFound("no sizes")
    return _by_search(writer, claim, gap, depth, 1)


def _by_names(writer: Writer, claim: Tree, gap: Quotient, depth: int, effort: int) -> int:
    """With a name for a long expression inside an absolute value."""
    if depth:
        raise NotFound("names in helpers")
    return cases.named(writer, claim, prove)


def _by_bound(writer: Writer, claim: Tree, gap: Quotient, depth: int, effort: int) -> int:
    return by_bound(writer, claim, gap, depth, effort, prove)


def _by_cases(writer: Writer, claim: Tree, gap: Quotient, depth: int, effort: int) -> int:
    """A proof where a difference is not negative, and one where it is."""
    if depth:
        raise NotFound("cases of helpers")
    for tree in cases.differences(writer, claim, gap):
        place = attempted(partial(cases.split, writer, claim, ("<=", "0", tree), prove))
        if place is not None:
            return int(place)
    raise NotFound(claim)


_WAYS: tuple[tuple[Callable[..., int], ...], ...] = (
    (_by_factors,),
    (_by_names, _by_root, _by_squares, _by_search, _by_size, _by_cases),
    (_by_squares, _by_search, _by_bound),
)


# -- equations


def _unequal(writer: Writer, claim: Tree, gap: Quotient, depth: int) -> int:
    tree = tree_of(writer.forms, gap)
    for order in (("<", "0", tree), ("<", tree, "0")):
        line = attempted(partial(prove, writer, order, depth + 1))
        if line is not None:
            scale = number(1) if order[1] == "0" else number(-1)
            return write(writer, claim, [(number(1), (line,)), (scale, ("neg",))])
    pieces = [(q, e) for q, e in factors(gap) if q.constant is None]
    if len(pieces) > 1:
        for q, _ in pieces:
            nonzero(writer, q, depth, prove)
        return writer.write(("!=", *claim[1:]), "meaning")
    raise NotFound(claim)


def _equation(writer: Writer, claim: Tree, gap: Quotient, depth: int, effort: int) -> int:
    """From equations that hold, else from both inequalities."""
    place = attempted(lambda: _by_equations(writer, claim, gap, depth, effort))
    if place is not None:
        return int(place)
    _, left, right = claim
    one = prove(writer, ("<=", left, right), depth + 1, effort)
    other = prove(writer, ("<=", right, left), depth + 1, effort)
    return writer.write(claim, "both", one, other)


def by_equations(writer: Writer, claim: Tree) -> int:
    """An equation by multiples of equations.

    Raises: NotFound.
    """
    define(writer, claim, 1)
    return _by_equations(writer, claim, writer.gap(claim), 1, LEAST)


def _by_equations(writer: Writer, claim: Tree, gap: Quotient, depth: int, effort: int) -> int:
    cleared, multiplier = clear(writer, gap, depth, prove)
    prepare(writer, depth, prove, ("=",))
    terms = search(writer, cleared.above, "=", effort)
    if terms is None:
        raise NotFound(claim)
    return write(
        writer, claim, [(w, (f[0], *multiplier, *f[1:]) if f[:1] == ("neg",) else f) for w, f in terms]
    )
