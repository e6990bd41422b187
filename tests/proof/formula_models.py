"""Formulas of a paper in a model: on a finite probability space, on which vectors are random numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fedproof.proof.kernel.trees import NUMBER, Tree, substitute
from fedproof.proof.standing import for_all, standing

Array = NDArray[np.float64]
Value = Any  # a number, or an Array with what a random vector is at each outcome
ARITHMETIC: dict[str, Any] = {"+": lambda *v: sum(v), "*": lambda *v: prod(v), "^": pow, "abs": abs}
#: what rounding may leave, numbers being of order 1
ROUNDING = 1e-9
#: what formulas for all real numbers are evaluated at
REALS = (-1.5, 0.0, 0.5)


@dataclass(frozen=True)
class Model:
    """What formulas speak of.

    Arguments:
        chances: the probabilities of the outcomes.
        names, functions: what they stand for.
        points, whole: what formulas for all vectors, for all whole numbers are evaluated at.

    >>> coin = Model(np.array([0.5, 0.5]), {"e": np.array([-1.0, 1.0])}, {}, [np.array([2.0, 0.0])], range(3))
    >>> coin.holds(("=", ("n2", "e"), "1")), coin.holds(("every", "k", "whole", ("<=", "k", "1")))
    (True, False)
    """

    chances: Array
    names: Mapping[str, Value]
    functions: Mapping[str, Any]
    points: Sequence[Array]
    whole: range

    def holds(self, formula: Tree, /, **at: Value) -> bool:
        """Whether a formula holds to rounding, given what bound names are."""
        head, *parts = formula
        if head in ("every", "all"):
            name, *over, body = parts
            return all(self.holds(body, **{**at, name: x}) for x in self._range(over, at))
        left, right = (self.value(p, **at) for p in parts)
        gaps = {"<=": left - right, "<": left - right + 2 * ROUNDING, "=": abs(left - right)}
        return bool(np.max(gaps[head]) <= ROUNDING)

    def value(self, tree: Tree, /, **at: Value) -> Value:
        """What an expression is, given what bound names are."""
        if isinstance(tree, str):
            if not NUMBER.match(tree):
                return at[tree] if tree in at else self.names[tree]
            return int(tree) if "/" not in tree else float(Fraction(tree))
        head, *parts = tree
        if head == "sum":
            name, *over, body = parts
            return sum(self.value(body, **{**at, name: k}) for k in self._range(over, at))
        if head == "of":
            return self.functions[parts[0]](*(self.value(p, **at) for p in parts[1:]))
        values = [self.value(p, **at) for p in parts]
        if head in ("n2", "ip"):
            return float(np.sum(self.chances * values[0] * values[-1]))
        return ARITHMETIC[head](*values)

    def _range(self, over: list[Tree], at: Mapping[str, Value]) -> Sequence[Value]:
        if len(over) == 1:
            return {"vector": self.points, "whole": self.whole, "real": REALS}[over[0]]
        lo, hi = (self.value(end, **at) for end in over)
        if hi < lo - 1:
            raise ValueError(f"a range from {lo} to {hi}")
        return range(lo, hi + 1)


def formulas(key: str) -> dict[str, Tree]:
    """All formulas of a paper by id, with a number where one id has several.

    >>> list(formulas("composite").values()) == [tree for _, tree in standing("composite").formulas]
    True
    """
    ids, trees = zip(*standing(key).formulas, strict=True)
    count = [f" {ids[: k + 1].count(id)}" if ids.count(id) > 1 else "" for k, id in enumerate(ids)]
    return {id + number: tree for id, number, tree in zip(ids, count, trees, strict=True)}


def falsehoods(true: Mapping[str, Tree], scaled: Sequence[str], planted: Sequence[str]) -> dict[str, Tree]:
    """Every formula turned, some with a multiple in place of a name, and others as text."""
    found = {f"turned: {id}": turned(tree) for id, tree in true.items()}
    for text in scaled:
        id, name, factor = text.split(": ")
        found[text] = substitute(true[id], {name: ("*", factor, name)})
    return found | {text: for_all(*text.split(" | ")) for text in planted}


def turned(formula: Tree) -> Tree:
    """An order turned round, an equation's right side doubled.

    Where that is 0: of orthogonal vectors one is said to be 0, of a sum its first part, of a sequence its
    member two places on.
    """
    head, *parts = formula
    if head in ("every", "all"):
        return (*formula[:-1], turned(formula[-1]))
    left, right = parts
    if head == "<=" or right != "0":
        return ("<=", right, left) if head == "<=" else ("=", left, ("*", "2", right))
    if left[0] == "ip":
        return ("=", ("*", ("n2", left[1]), ("n2", left[2])), "0")
    return ("=", left[1] if left[0] == "+" else (*left[:-1], ("+", left[-1], "2")), "0")
