"""Trees that differ in nothing but the names of what they bind."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from fedproof.proof.kernel.trees import alike, substitute

BODY = ("<=", ("of", "F", "i"), ("+", "i", "x"))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (("all", "i", "1", "n", BODY), ("all", "j", "1", "n", substitute(BODY, {"i": "j"})), True),
        (("all", "i", "1", "n", BODY), ("all", "x", "1", "n", substitute(BODY, {"i": "x"})), False),
        (("all", "i", "1", "n", BODY), ("all", "i", "0", "n", BODY), False),
        (("all", "i", "1", "i", BODY), ("all", "j", "1", "j", substitute(BODY, {"i": "j"})), False),
        (("every", "i", "whole", BODY), ("every", "i", "real", BODY), False),
        (("every", "F", "real(whole)", BODY),
         ("every", "G", "real(whole)", substitute(BODY, {"F": "G"})), True),
        (("all", "i", "1", "n", ("all", "j", "1", "i", ("<", "i", "j"))),
         ("all", "j", "1", "n", ("all", "i", "1", "j", ("<", "j", "i"))), True),
        (("all", "i", "1", "n", ("all", "j", "1", "n", ("<", "i", "j"))),
         ("all", "i", "1", "n", ("all", "j", "1", "n", ("<", "j", "i"))), False),
        (("map", ("i", "j"), ("+", "i", "j")), ("map", ("j", "i"), ("+", "j", "i")), True),
        (("map", ("i", "j"), ("+", "i", "j")), ("map", ("i", "j"), ("+", "j", "i")), False),
        (("map", ("i",), "i"), ("map", ("i", "j"), "i"), False),
        ("x", ("+", "x"), False),
        (("+", "x", "y"), ("+", "x"), False),
    ],
)  # fmt: skip
def test_names_that_are_bound_do_not_count(one: Any, other: Any, same: bool) -> None:
    """Every other name, number, head and end does; what is bound is told by where."""
    assert alike(one, other) is alike(other, one) is same


def test_trees_with_bound_names_renamed_are_alike() -> None:
    """Written out at random, and not when one leaf is another one."""
    random = Random(3)

    def made(depth: int, names: tuple[str, ...], marks: list[str]) -> Any:
        if depth == 0:
            return random.choice((*names, "x", "2"))
        if random.random() < 0.4:
            marks.append(f"b{len(marks)}")
            name = marks[-1]
            ends = made(0, names, marks), made(0, names, marks)
            return ("sum", name, *ends, made(depth - 1, (*names, name), marks))
        return ("+", made(depth - 1, names, marks), made(depth - 1, names, marks))

    def respelled(tree: Any, by: dict[str, str]) -> Any:
        return by.get(tree, tree) if isinstance(tree, str) else tuple(respelled(p, by) for p in tree)

    for _ in range(200):
        marks: list[str] = []
        tree = made(4, (), marks)
        other = respelled(tree, {m: f"c{k}" for k, m in enumerate(marks)})

        assert alike(tree, other)
        if "x" in str(tree):
            assert not alike(tree, respelled(other, {"x": "y"}))
            assert not marks or not alike(tree, respelled(other, {"x": "c0"}))


def test_a_tree_without_the_names_that_get_values_stays_as_it_is() -> None:
    """Bound names that are called like them do not count, and nothing is built anew."""
    for tree in (BODY, ("all", "i", "1", "n", BODY), ("sum", "i", "1", "n", ("of", "F", "i"))):
        assert substitute(tree, {"z": "y", "G": "H"}) is tree
    bound = ("all", "i", "1", "n", BODY)
    assert substitute(bound, {"i": "z"}) is bound
    assert substitute(bound, {"i": "z", "n": "m"}) == ("all", "i", "1", "m", BODY)
