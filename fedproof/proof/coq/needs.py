"""What a relation needs to be defined, and a relation with its needs as a proposition of Coq."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from fedproof.proof.coq.terms import Kinds, LeftOut, core, kind, name, real, whole, within
from fedproof.proof.kernel.trees import NUMBER, Tree

#: ("!=", t, "0"), ("<=", "0", t), ("<", "0", t), ("range", lo, hi) or ("all", i, lo, hi, need)
Need = Tree


def needs(tree: Tree) -> Iterator[Need]:
    """What an expression or an order needs to be defined."""
    if isinstance(tree, str):
        return
    head, *parts = tree
    if head == "upto":
        return
    if head == "sum":
        index, lo, hi, body = parts
        yield ("range", lo, hi)
        yield from (("all", index, lo, hi, need) for need in needs(body))
        return
    if head == "^":
        if not (isinstance(parts[1], str) and NUMBER.match(parts[1])):
            raise LeftOut("a power with an exponent that is no number")
        n = Fraction(parts[1])
        base = parts[0]
        yield from needs(base)
        if n.denominator > 1 and not plain_number(base):
            yield ("<=", "0", base)
        if n < 0 and not nonzero_number(divisor := bare(base)):
            yield ("!=", divisor, "0")
        return
    if head == "log":
        yield ("<", "0", parts[0])
    for p in parts[1:] if head == "of" else parts:
        yield from needs(p)


def bare(base: Tree) -> Tree:
    """What must not be 0 for its powers and roots not to be 0."""
    while isinstance(base, tuple) and base[0] == "^":
        base = base[1]
    return base


def plain_number(tree: Tree) -> bool:
    """Whether it is a number that is not negative."""
    return isinstance(tree, str) and bool(NUMBER.match(tree)) and Fraction(tree) >= 0


def nonzero_number(tree: Tree) -> bool:
    """Whether it is a number that is not 0."""
    return isinstance(tree, str) and bool(NUMBER.match(tree)) and Fraction(tree) != 0


def distinct(relation: Tree, kinds: Kinds) -> list[tuple[Need, str]]:
    """The needs of an order or of a value, each once, as they are written in Coq."""
    found: dict[str, Need] = {}
    for need in needs(relation):
        found.setdefault(written(need, kinds), need)
    return [(need, text) for text, need in found.items()]


def written(need: Need, kinds: Kinds) -> str:
    """A need as a proposition."""
    head, *parts = need
    if head == "all":
        index, lo, hi, inner = parts
        return within(index, lo, hi, kinds, written(inner, {**kinds, index: "whole"}))
    if head == "range":
        lo, hi = (whole(e, kinds) for e in parts)
        return f"({lo} - 1 <= {hi})%Z"
    sign = {"!=": "<>", "<=": "<=", "<": "<"}[head]
    return f"({real(parts[0], kinds)} {sign} {real(parts[1], kinds)})"


def proposition(relation: Tree, kinds: Kinds) -> str:
    """A relation as a proposition: true and defined."""
    head, *parts = relation
    if head == "all":
        index, lo, hi, body = parts
        return within(index, lo, hi, kinds, proposition(body, {**kinds, index: "whole"}))
    if head == "every":
        new, of, body = parts
        inner = proposition(body, {**kinds, new: of})
        return f"(forall {name(new)} : {kind(of)}, {inner})"
    said = [text for _, text in distinct(relation, kinds)]
    inside = " /\\ ".join([*said, core(relation, kinds)])
    return f"({inside})" if said else inside


def quantified(relation: Tree) -> bool:
    """Whether it is for every index or every value."""
    return bool(relation[0] in ("all", "every"))
