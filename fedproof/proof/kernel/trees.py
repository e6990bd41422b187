"""Expressions and relations as nested tuples: what certificates are written in.

A name or a number is a string ("x", "3/2"); everything else a tuple that begins with its head. Kinds of names
are written "real", "whole", "vector", or with arguments: "real(whole)" is a sequence, "vector(vector)" a
field.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Tree = Any  # str | tuple[Any, ...]

NUMBER = re.compile(r"-?\d+(/[1-9]\d*)?\Z")
NAME = re.compile(r"[^\W\d]\w*'*\Z")
KIND = re.compile(r"(real|whole|vector)(\((whole|vector)(,(whole|vector))*\))?\Z")
ORDER = ("<=", "<", "=", "!=")
#: heads that bind their first part, and the parts in which it is bound
BINDS = {"sum": (4,), "all": (4,), "every": (3,), "map": (2,)}


class Rejected(ValueError):
    """A certificate is not one; the message says where it fails."""


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


@dataclass(frozen=True)
class _Bound:
    """A bound name, told by how many are bound around it; no certificate can write it."""

    depth: int


def alike(one: Tree, other: Tree) -> bool:
    """Whether two trees differ in nothing but the names of what they bind."""
    return bool(one == other or _bare(one, {}, 0) == _bare(other, {}, 0))


def _bare(tree: Tree, bound: Mapping[str, _Bound], depth: int) -> Tree:
    """A tree whose bound names are numbered from the outside."""
    if isinstance(tree, str):
        return bound.get(tree, tree)
    head = tree[0]
    if head == "map":
        inner = {**bound, **{n: _Bound(depth + i) for i, n in enumerate(tree[1])}}
        return (head, len(tree[1]), _bare(tree[2], inner, depth + len(tree[1])))
    if head in BINDS:
        last = len(tree) - 1
        middle = (p if head == "every" else _bare(p, bound, depth) for p in tree[2:last])
        return (head, *middle, _bare(tree[last], {**bound, tree[1]: _Bound(depth)}, depth + 1))
    if head == "of":
        return (head, bound.get(tree[1], tree[1]), *(_bare(p, bound, depth) for p in tree[2:]))
    return (head, *(_bare(p, bound, depth) for p in tree[1:]))


def as_tree(value: Any) -> Tree:
    """A tree as JSON gives it, with tuples for lists."""
    return tuple(as_tree(v) for v in value) if isinstance(value, list | tuple) else value


def as_json(tree: Tree) -> Any:
    """A tree as JSON takes it."""
    return [as_json(p) for p in tree] if isinstance(tree, tuple) else tree
