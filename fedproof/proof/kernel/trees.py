"""Expressions and relations as nested tuples: what certificates are written in.

A name or a number is a string ("x", "3/2"); everything else a tuple that begins with its head. Kinds of names
are written "real", "whole", "vector", or with arguments: "real(whole)" is a sequence, "vector(vector)" a
field.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any
from unicodedata import normalize

Tree = Any  # str | tuple[Any, ...]

NUMBER = re.compile(r"-?\d+(/[1-9]\d*)?\Z")
_NAME = re.compile(r"(?!pi\Z)\w+'*\Z")
KIND = re.compile(r"(real|whole|vector|(real|vector)\((whole|vector)(,(whole|vector))*\))\Z")
#: what no name with arguments may be called, for it would read as one of these
FUNCTIONS = frozenset(["abs", "exp", "log", "sin", "cos", "n2", "ip", "max", "min", "sum", "sqrt"])
ORDER = ("<=", "<", "=", "!=")
#: heads that bind their first part, and the parts in which it is bound
BINDS = {"sum": (4,), "all": (4,), "every": (3,), "map": (2,)}


class Rejected(ValueError):
    """A certificate is not one; the message says where it fails."""


@lru_cache(maxsize=1 << 17)
def free(tree: Tree) -> frozenset[str]:
    """Names that occur free."""
    if isinstance(tree, str):
        return frozenset() if NUMBER.match(tree) else frozenset({tree})
    head = tree[0]
    if head == "map":
        return free(tree[2]) - set(tree[1])
    found: frozenset[str] = frozenset()
    for place, part in _parts(tree):
        names = free(part)
        found |= names - {tree[1]} if place in BINDS.get(head, ()) else names
    return found


def is_name(text: str) -> bool:
    """Whether a text may be a name: letters, digits and `_`, no digit first, then any `'`, in NFKC; not pi.

    >>> is_name("x_1'"), is_name("1x"), is_name("x\u00b2"), is_name("pi")
    (True, False, False, False)
    """
    first = text[:1].isalpha() or text[:1] == "_"
    return first and bool(_NAME.match(text)) and normalize("NFKC", text) == text


def in_lowest_terms(text: str) -> bool:
    """Whether a text, if it is a number, is written in the one way that this has.

    >>> in_lowest_terms("3/2"), in_lowest_terms("4/2"), in_lowest_terms("2/1"), in_lowest_terms("x")
    (True, False, False, True)
    """
    return not NUMBER.match(text) or str(Fraction(text)) == text


def _parts(tree: tuple[Any, ...]) -> Iterator[tuple[int, Tree]]:
    """The parts of a tree that are trees, with their places."""
    head = tree[0]
    first = {"sum": 2, "all": 2, "every": 3, "^": 1, "of": 1}.get(head, 1)
    last = len(tree)
    for place in range(first, last):
        yield place, tree[place]


def substitute(tree: Tree, values: Mapping[str, Tree]) -> Tree:
    """Names replaced by expressions, all at once; a name with arguments by ("map", names, expression).

    Bound names that a value speaks of are renamed.
    """
    if isinstance(tree, str):
        return values.get(tree, tree)
    if free(tree).isdisjoint(values):
        return tree
    head = tree[0]
    if head == "of" and tree[1] in values:
        arguments = tuple(substitute(a, values) for a in tree[2:])
        meaning = values[tree[1]]
        if isinstance(meaning, str):
            return ("of", meaning, *arguments)
        if meaning[0] != "map" or len(meaning[1]) != len(arguments):
            raise Rejected(f"{tree[1]} takes {len(arguments)} arguments")
        return substitute(meaning[2], dict(zip(meaning[1], arguments, strict=True)))
    if head == "map":
        kept = {k: v for k, v in values.items() if k not in tree[1] and k in free(tree)}
        taken = frozenset().union(*(free(v) for v in kept.values())) | free(tree[2])
        caught = any(n in free(v) for v in kept.values() for n in tree[1])
        apart = renamed(tree[1], taken) if caught else {n: n for n in tree[1]}
        names = tuple(apart[n] for n in tree[1])
        body = substitute(tree[2], dict(zip(tree[1], names, strict=True))) if names != tree[1] else tree[2]
        return ("map", names, substitute(body, kept))
    if head in BINDS:
        return _under(tree, values)
    return (head, *(substitute(p, values) if _is_tree(head, i) else p for i, p in enumerate(tree[1:], 1)))


def _is_tree(head: str, place: int) -> bool:
    """Whether a part of a tree is one: the name of a sequence or a function is none."""
    return not (head == "of" and place == 1)


def _under(tree: tuple[Any, ...], values: Mapping[str, Tree]) -> Tree:
    """The same of a tree that binds its first part."""
    head, index = tree[:2]
    inside = len(tree) - 1
    kept = {k: v for k, v in values.items() if k != index and k in free(tree)}
    body = tree[inside]
    caught = frozenset().union(*(free(v) for v in kept.values()))
    if index in caught:
        new = fresh(index, caught | free(body) | set(kept))
        body, index = substitute(body, {index: new}), new
    middle = (substitute(p, values) if head != "every" else p for p in tree[2:inside])
    return (head, index, *middle, substitute(body, kept))


def keep(assumed: Tree, values: Mapping[str, Tree]) -> None:
    """Whether values leave in what is assumed each argument that may be undefined.

    Where a map does not read a parameter, or only within a sum, nothing tells that what stands there is
    defined.

    Raises: Rejected naming an argument that is left out.

    >>> keep(("<=", "0", ("of", "f", ("^", "x", "-1"))), {"f": ("map", ("y",), "3")})
    Traceback (most recent call last):
    fedproof.proof.kernel.trees.Rejected: whether ('^', 'x', '-1') is defined is lost
    """
    if not isinstance(assumed, tuple):
        return
    if assumed[0] == "of" and isinstance(values.get(assumed[1]), tuple):
        _, parameters, body = values[assumed[1]]
        for name, part in zip(parameters, assumed[2:], strict=True):
            if not _reads(body, name) and not _is_total(part):
                raise Rejected(f"whether {part} is defined is lost")
    hidden = {assumed[1]} if assumed[0] in BINDS else ()
    for part in assumed[1:]:
        keep(part, {n: v for n, v in values.items() if n not in hidden})


def _reads(tree: Tree, name: str) -> bool:
    """Whether a tree speaks of a name outside of the bodies of sums."""
    if not isinstance(tree, tuple):
        return bool(tree == name)
    parts = tree[2:4] if tree[0] == "sum" else tree[1:]
    return any(_reads(part, name) for part in parts)


def _is_total(tree: Tree) -> bool:
    """Whether a tree plainly has a value, whatever its names are."""
    if not isinstance(tree, tuple):
        return True
    if tree[0] == "^":
        return str(tree[2]).isdecimal() and _is_total(tree[1])
    return tree[0] != "sum" and all(map(_is_total, tree[1:]))


def fresh(name: str, taken: frozenset[str] | set[str]) -> str:
    """The name with as many primes as tell it from those that are taken."""
    while name in taken:
        name += "'"
    return name


def renamed(names: Iterable[str], taken: Iterable[str]) -> dict[str, str]:
    """A name for each of several that is not taken, no two the same."""
    found: dict[str, str] = {}
    for n in names:
        found[n] = fresh(n, {*taken, *found.values()})
    return found


def alike(one: Tree, other: Tree) -> bool:
    """Whether two trees differ in nothing but the names of what they bind."""
    return bool(one == other or _same(one, other, {}, {}, 0))


def _same(one: Tree, other: Tree, mine: Mapping[str, int], theirs: Mapping[str, int], depth: int) -> bool:
    """Whether two trees are one where a bound name is told by how many are bound around it."""
    if isinstance(one, str) or isinstance(other, str):
        both = isinstance(one, str) and isinstance(other, str)
        return bool(both and mine.get(one, one) == theirs.get(other, other))
    if one[0] != other[0] or len(one) != len(other):
        return False
    first, last = 1, len(one)
    if one[0] in BINDS:
        names, others = (one[1], other[1]) if one[0] == "map" else ((one[1],), (other[1],))
        inner = {**mine, **{n: depth + i for i, n in enumerate(names)}}
        outer = {**theirs, **{n: depth + i for i, n in enumerate(others)}}
        if len(names) != len(others) or not _same(one[-1], other[-1], inner, outer, depth + len(names)):
            return False
        if one[0] == "every":
            return bool(one[2] == other[2])
        first, last = 2, last - 1
    return all(_same(one[k], other[k], mine, theirs, depth) for k in range(first, last))


def as_tree(value: Any) -> Tree:
    """A tree as JSON gives it, with tuples for lists."""
    if not isinstance(value, (list, tuple)):
        return value
    return tuple([as_tree(v) if isinstance(v, (list, tuple)) else v for v in value])


def as_json(tree: Tree) -> Any:
    """A tree as JSON takes it; a name that knows how it is printed is text as any other."""
    if isinstance(tree, tuple):
        return [as_json(p) for p in tree]
    return str(tree) if isinstance(tree, str) else tree
