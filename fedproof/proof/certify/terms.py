"""What lines for all indices say of a term of a sequence: at its own index, its sign above all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from fedproof.proof.certify import products
from fedproof.proof.certify.limits import NotFound
from fedproof.proof.certify.writer import Writer
from fedproof.proof.kernel.trees import Rejected, Tree, free, substitute


def signs(writer: Writer, *trees: Tree) -> list[int]:
    """Lines on terms of sequences that hold everywhere, and signs within a range where none is among them."""
    found: list[int] = []
    for term in sorted({t for tree in trees for t in terms_in(tree)}, key=str):
        everywhere = list(_signs_everywhere(writer, term))
        own = writer.forms.number(term).above
        orders = [line for p in everywhere if (line := writer.here.lines[p])[0] in ("<=", "<")]
        known = any(writer.gap(line).above == own for line in orders)
        found += everywhere if known else [*everywhere, *_signs_within(writer, term)]
    return found


def _signs_everywhere(writer: Writer, term: Tree) -> Iterator[int]:
    """What holds for every index, for that of a term."""
    for place, line in enumerate(list(writer.here.lines)):
        if line[0] == "every" and line[2] == "whole" and term[1] in free(line[3]):
            said = substitute(line[3], {line[1]: term[2]})
            if term in terms_in(said):
                known = writer.find(said)
                yield writer.write(said, "instance", place, term[2]) if known is None else known


def _signs_within(writer: Writer, term: Tree) -> Iterator[int]:
    """Lines that say that a term is >= 0, by what holds for every index of a range that it lies in."""
    for place, line in enumerate(list(writer.here.lines)):
        if line[0] != "all" or line[4][0] not in ("<=", "<"):
            continue
        for own in terms_in(line[4]):
            at_it = substitute(line[4], {line[1]: term[2]})
            if own[:2] != term[:2] or own[2] != line[1] or terms_in(at_it) != {term}:
                continue
            if writer.gap(at_it).above == writer.forms.number(term).above:
                with suppress(NotFound, Rejected):
                    yield at(writer, place, term[2])


def at(writer: Writer, place: int, value: Tree) -> int:
    """What a line says for every index, for one."""
    _, index, lo, hi, body = writer.here.lines[place]
    pays = tuple(products.of_numbers(writer, (("<=", lo, value), ("<=", value, hi))[k]) for k in (0, 1))
    claim = substitute(body, {index: value})
    known = writer.find(claim)
    return writer.write(claim, "instance", place, value, pays) if known is None else known


def terms_in(tree: Tree) -> set[Tree]:
    """Terms of sequences in an expression that speak of nothing bound in it."""
    if isinstance(tree, str):
        return set()
    inside = set().union(*(terms_in(p) for p in tree[1:] if isinstance(p, tuple)), set())
    if tree[0] == "of":
        inside.add(tree)
    if tree[0] in ("sum", "all", "every"):
        inside = {t for t in inside if tree[1] not in free(t)}
    return inside
