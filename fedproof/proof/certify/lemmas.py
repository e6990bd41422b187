"""Proofs, written by hand, of what is true of any sum of vectors, any recursion and any limit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fedproof.proof.certify import products
from fedproof.proof.certify.writer import Writer
from fedproof.proof.kernel.trees import Tree, substitute
from fedproof.proof.language.lemmas import (
    LEMMAS,
    LIMIT,
    POWER,
    RECURSION,
    SQUARE_OF_SUM,
    SQUARES,
    SUM_OF_VECTORS,
)
from fedproof.proof.step import Step

NEG = ("1", ("neg",))
PROVED = {step.id: step for step in LEMMAS}


def by_hand(writer: Writer, step: Step, claim: Tree) -> None:
    """Write the proof of one of these lemmas; the claim is its last line."""
    _PROOFS[step.id](writer, claim)


def _each(writer: Writer, vector: Tree) -> int:
    """The sum of the squares of vectors, at an index i from 1 to n, is not negative."""
    said = ("<=", "0", ("n2", vector))
    inner = writer.here.inside({"i": "whole"}, ("<=", "1", "i"), ("<=", "i", "n"))

    def act(writer: Writer) -> None:
        products.define(writer, said)
        writer.write(said, "combine", (NEG, ("1", (("n2", vector),))), ())

    line = writer.block("all", ("all", "i", "1", "n", said), inner, act)
    length = products.of_numbers(writer, ("<=", "1", ("+", "n", "1")))
    sums = tuple(("sum", "i", "1", "n", side) for side in said[1:])
    return writer.write(("<=", *sums), "total", line, length)


def _squares(writer: Writer, claim: Tree) -> None:
    products.of_numbers(writer, ("<=", "0", "n"))
    line = _each(writer, ("of", "e", "i"))
    writer.write(claim, "combine", (NEG, ("1", (line,))), ())


def _sum_of_vectors(writer: Writer, claim: Tree) -> None:
    positive = products.of_numbers(writer, ("<", "0", "n"))
    mean = ("*", ("^", "n", "-1"), ("sum", "i", "1", "n", ("of", "e", "i")))
    line = _each(writer, ("+", ("of", "e", "i"), ("*", "-1", mean)))
    writer.write(claim, "combine", (NEG, ("1", (positive, line))), ())


def _upto(claim: Tree, end: Tree) -> Tree:
    """A claim about 1..n as one about 1..end."""
    return substitute(claim, {"n": end})


def _induction(
    writer: Writer, claim: Tree, step: Callable[[Writer, Tree], None], base: Callable[[Writer, Tree], int]
) -> None:
    """A claim about n from 0 and from each to the next."""
    start = products.of_numbers(writer, ("<=", "0", "n"))
    first = base(writer, _upto(claim, "0"))
    body, last = _upto(claim, "k'"), ("+", "n", "-1")
    inner = writer.here.inside({"k'": "whole"}, ("<=", "0", "k'"), ("<=", "k'", last), body)
    line = writer.block(
        "induction", ("all", "k'", "0", "n", body), inner, lambda w: step(w, _upto(claim, ("+", "k'", "1"))),
        first,
    )  # fmt: skip
    end = products.of_numbers(writer, ("<=", "n", "n"))
    writer.write(claim, "instance", line, "n", (start, end))


def _square_of_sum(writer: Writer, claim: Tree) -> None:
    def step(writer: Writer, goal: Tree) -> None:
        products.of_numbers(writer, ("<=", "0", ("+", "k'", "1")))
        products.define(writer, goal)
        writer.write(goal, "combine", (NEG, ("1", (writer.find(_upto(claim, "k'")),))), ())

    def base(writer: Writer, said: Tree) -> int:
        products.define(writer, said)
        return writer.write(said, "combine", (NEG,), ())

    _induction(writer, claim, step, base)


def _limit(writer: Writer, claim: Tree) -> None:
    """Were p > 0, then p (1 + a^2) <= q at a = 1 + q/p would say p (2 p^2 + p q + q^2) <= 0."""
    every = next(i for i, line in enumerate(writer.here.lines) if line[0] == "every")
    split = ("<=", "p", "0")
    one, other = writer.inside(split), writer.inside(("<", "0", "p"))
    one.write(claim, "combine", (NEG, ("1", (len(one.here.lines) - 1,))), ())
    granted = len(other.here.lines) - 1
    value = ("+", "1", ("*", "q", ("^", "p", "-1")))
    said = substitute(other.here.lines[every][3], {other.here.lines[every][1]: value})
    line = other.write(said, "instance", every, value)
    terms = (
        ("1", (line, ("sq", "p"))),
        ("1", (line, ("sq", ("+", "p", "q")))),
        ("1", (granted, ("sq", ("+", "q", ("*", "1/2", "p"))))),
        ("7/4", (granted, granted, granted)),
    )
    other.write(claim, "combine", terms, ())
    writer.write(claim, "split", split, tuple(one.lines), tuple(other.lines))


def _power(writer: Writer, claim: Tree) -> None:
    def step(writer: Writer, goal: Tree) -> None:
        before, weight = writer.find(_upto(claim, "k'")), writer.find(("<=", "0", "r"))
        products.define(writer, goal)
        writer.write(goal, "combine", (NEG, ("1", (weight, before))), ())

    def base(writer: Writer, said: Tree) -> int:
        return writer.write(said, "combine", (NEG, ("1", ())), ())

    _induction(writer, claim, step, base)


def _recursion(writer: Writer, claim: Tree) -> None:
    """The bound at k times r, and one step more."""
    every = next(i for i, line in enumerate(writer.here.lines) if line[0] == "all")

    def step(writer: Writer, goal: Tree) -> None:
        _, index, lo, hi, body = writer.here.lines[every]
        pays = tuple(writer.find(r) for r in (("<=", lo, "k'"), ("<=", "k'", hi)))
        one = writer.write(substitute(body, {index: "k'"}), "instance", every, "k'", pays)
        before, weight = writer.find(_upto(claim, "k'")), writer.find(("<=", "0", "r"))
        products.define(writer, goal)
        writer.write(goal, "combine", (NEG, ("1", (one,)), ("1", (weight, before))), ())

    def base(writer: Writer, said: Tree) -> int:
        products.define(writer, said)
        return writer.write(said, "combine", (NEG,), ())

    _induction(writer, claim, step, base)


_PROOFS: dict[str, Callable[[Writer, Any], None]] = {
    SUM_OF_VECTORS.id: _sum_of_vectors,
    SQUARES.id: _squares,
    SQUARE_OF_SUM.id: _square_of_sum,
    LIMIT.id: _limit,
    POWER.id: _power,
    RECURSION.id: _recursion,
}
