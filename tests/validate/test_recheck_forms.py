"""The normal forms of the script that re-checks an audit have the values of what they are read from."""

from __future__ import annotations

import random
from fractions import Fraction
from math import prod
from typing import Any

import pytest

from fedproof.proof.formula import formula
from fedproof.validate import recheck as script

Tree = Any
NAMES = {"n": "whole", "m": "whole", "a": "real", "x": "real(whole)", "y": "real(whole,whole)"}
AT = {"n:whole": 3, "m:whole": 2, "a:real": Fraction(2, 3)}


def term(*places: Any) -> Fraction:
    """A positive number for each term of a sequence."""
    return Fraction(random.Random(str([str(p) for p in places])).randint(1, 9))


def signed(body: Any, end: int) -> Fraction:
    """The sum of a body from 1 to an end, or minus the sum from the number after the end to 0."""
    ahead = sum((body(i) for i in range(1, end + 1)), Fraction(0))
    return ahead - sum((body(i) for i in range(end + 1, 1)), Fraction(0))


def value(tree: Tree, at: dict[str, Any]) -> Any:
    """The value of a tree that the script has read."""
    if not isinstance(tree, tuple):
        return at[tree] if isinstance(tree, str) else tree
    head, *parts = tree
    if head == "sum":
        leaf, lo, hi, body = parts
        low, high = (int(value(e, at)) for e in (lo, hi))
        return signed(lambda i: value(body, at | {leaf: i}), high) - signed(
            lambda i: value(body, at | {leaf: i}), low - 1
        )
    if head == "of":
        return term(parts[0], *(value(p, at) for p in parts[1:]))
    values = [value(p, at) for p in parts]
    if head == "^":
        return Fraction(values[0]) ** int(values[1])
    return sum(values) if head == "+" else prod(values)


def formal(q: Any, at: dict[str, Any]) -> Fraction:
    """The value of a normal form."""
    monomials = (c * prod(atom(a, at) ** e for a, e in m) for m, c in q.num.items())
    return sum(monomials, Fraction(0))


def atom(a: int, at: dict[str, Any]) -> Fraction:
    """The value of an atom."""
    kind, *parts = script._ATOMS[a].what
    if kind == "sum":
        body, end, index = parts
        name = script._ATOMS[index].what[1]
        return signed(lambda i: formal(body, at | {name: i}), int(formal(end, at)))
    if kind == "name":
        return Fraction(at[parts[0]])
    if kind == "of":
        return term(parts[0], *(formal(p, at) for p in parts[1:]))
    assert kind == "inverse"
    return 1 / formal(parts[0], at)


def typed(chance: random.Random, indices: tuple[str, ...], depth: int) -> Tree:
    """A random expression with sums inside of sums, shifts, powers of indices and divisions."""
    whole = [["+", chance.choice(indices), str(chance.randint(-2, 2))], *indices]
    leaf = chance.choice([
        "a", "2", chance.choice(indices), ["^", chance.choice(indices), "2"],
        ["of", "x", chance.choice(whole)], ["of", "y", chance.choice(whole), chance.choice(whole)],
    ])  # fmt: skip
    kind = chance.choice("lss++**/") if depth else "l"
    if kind == "l":
        return leaf
    if kind == "s":
        name = "ijkl"[len(indices) - 2]
        body = typed(chance, (*indices, name), depth - 1)
        return ["sum", name, chance.choice(["0", "1", "-1", "2"]), chance.choice(whole), body]
    if kind == "/":
        places = [["of", "x", chance.choice(whole)], ["of", "y", chance.choice(whole), chance.choice(whole)]]
        one, two = chance.sample([*places, "2"], 2)
        return ["*", chance.choice(places), leaf, ["^", ["+", ["*", "3", one], two], "-1"]]
    return [kind, typed(chance, indices, depth - 1), typed(chance, indices, depth - 1)]


def test_normal_forms_keep_values() -> None:
    """Of 400 random expressions each normal form has the same value."""
    chance, names, kinds = random.Random(3), script._Names({}, set()), set()
    names = names.new({n: f"{n}:{k}" for n, k in NAMES.items()})
    for _ in range(400):
        tree = names.value(typed(chance, ("n", "m"), 4), "real")
        form = script._Reader(())(tree)
        at = AT | {"n:whole": chance.randint(-2, 4), "m:whole": chance.randint(-2, 4)}
        kinds |= {script._ATOMS[a].what[0] for a in form.atoms}
        assert formal(form, at) == value(tree, at), tree

    assert kinds == {"name", "of", "sum", "inverse"}


def read(text: str) -> Any:
    """The normal form of a quotient of numbers, as it is written."""
    names = script._Names({}, set()).new({n: f"{n}:real" for n in "abc"})
    return script._PLAIN(names.value(listed(formula(f"{text} <= 0")[1]), "real"))


def listed(tree: Any) -> Any:
    """A tree as it stands in a document."""
    return [listed(part) for part in tree] if isinstance(tree, tuple) else tree


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("(a + b)*(c - 3)/(c - 3)", "a + b"),
        ("(a*c - 3*a + b)/(c - 3)", "a + b/(c - 3)"),
        ("(a**2 - b**2)/(a + b)/(c - 3)", "(a - b)/(c - 3)"),
        ("a/(c - 3) + b/(c - 3)", "(a*(b + 2) + b*(b + 2))/(c - 3)/(b + 2)"),
    ],
)
def test_a_divisor_that_divides_is_cancelled(one: str, other: str) -> None:
    """One quotient, written over two denominators, has one root and is one need; its negative is another."""
    assert script._root(read(one), 2) == script._root(read(other), 2)
    for kind in ("nonzero", "nonnegative"):
        assert script._keyed(kind, read(one), ()) == script._keyed(kind, read(other), ())
    known = {script._keyed("nonnegative", read(one), ())}
    assert script._met(known, "nonnegative", read(f"2*({other})"), ())
    assert not script._met(known, "nonnegative", read(f"-({other})"), ())


@pytest.mark.parametrize(
    ("known", "asked"), [("a/(c - 3)", "a*(c - 3)**2"), ("a/(c - 3)", "a"), ("a*b/c", "a/c")]
)
def test_a_quotient_is_not_its_numerator(known: str, asked: str) -> None:
    """That a quotient is not negative says nothing of what stands over another denominator."""
    facts = {script._keyed("nonnegative", read(known), ())}

    assert not script._met(facts, "nonnegative", read(asked), ())


def test_what_vanishes_over_one_denominator_is_0() -> None:
    """Terms that cancel only over their denominators are 0, and nothing says that they are nonzero."""
    zero = read("a*b/(b + 1)/(c - 3) + a/(b + 1)/(c - 3) - a/(c - 3)")
    turned = read("a*c/(c - 7)/(b + 5) - 7*a/(c - 7)/(b + 5) - a/(b + 5)")  # the other divisor came first

    assert zero.num
    assert script._lowest(zero) == script._lowest(turned) == (script._NIL, ())
    assert script._met((), "nonnegative", read("a**2 - a**2"), ())
    with pytest.raises(script._Rejected):
        script._keyed("nonzero", zero, ())
