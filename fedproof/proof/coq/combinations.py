"""Combinations of basis vectors: as they are written, and their inner products written out."""

from __future__ import annotations

from typing import Any

from fedproof.proof.coq.terms import infix

#: a vector as a combination: zero, basis, sum, multiple
Combination = tuple[Any, ...]


def spelled(c: Combination) -> str:
    """A combination in Coq."""
    if c[0] == "zero":
        return "(@vzero V)"
    if c[0] == "one":
        return str(c[1])
    if c[0] == "plus":
        return infix("[+]", [spelled(p) for p in _flat(c)])
    return f"({c[1]} [*] {spelled(c[2])})"


def _flat(c: Combination) -> list[Combination]:
    """The terms of a sum."""
    return [*_flat(c[1]), c[2]] if c[0] == "plus" else [c]


def members(c: Combination) -> list[str]:
    """The basis vectors of a combination."""
    return [c[1]] if c[0] == "one" else [m for p in c[1:] if isinstance(p, tuple) for m in members(p)]


def reified(c: Combination, basis: dict[str, int]) -> str:
    """A combination as one that Coq computes with."""
    if c[0] == "zero":
        return "None_"
    if c[0] == "one":
        return f"(One {basis[c[1]]})"
    if c[0] == "plus":
        return f"(Plus {reified(c[1], basis)} {reified(c[2], basis)})"
    return f"(Times {c[1]} {reified(c[2], basis)})"


def expanded(one: Combination, two: Combination, basis: dict[str, int]) -> str:
    """The inner product of two combinations, written out."""
    if two[0] == "zero":
        return "0"
    if two[0] == "one":
        return _along(one, two[1], basis)
    if two[0] == "plus":
        return f"({expanded(one, two[1], basis)} + {expanded(one, two[2], basis)})"
    return f"({two[1]} * {expanded(one, two[2], basis)})"


def _along(c: Combination, other: str, basis: dict[str, int]) -> str:
    """The inner product of a combination and a basis vector."""
    if c[0] == "zero":
        return "0"
    if c[0] == "one":
        first, second = sorted((c[1], other), key=lambda b: basis[b])
        return f"(ip {first} {second})"
    if c[0] == "plus":
        return f"({_along(c[1], other, basis)} + {_along(c[2], other, basis)})"
    return f"({c[1]} * {_along(c[2], other, basis)})"
