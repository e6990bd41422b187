"""Normal forms against brute force: nested sums of sequences and vectors, written out term by term."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any
from zlib import crc32

import pytest

from fedproof.proof.kernel.forms import Forms
from fedproof.proof.kernel.polynomials import Quotient, added, antiderivative, number, times
from fedproof.proof.kernel.trees import Rejected, Tree

KINDS = {"n": "whole", "x": "real(whole)", "y": "real(whole)", "e": "vector(whole)"}
Env = dict[str, Fraction]


def term(name: str, place: int, coordinate: int = 0) -> Fraction:
    """A term of a sequence, or a coordinate of a vector of a family: as good as random, always the same."""
    return Fraction(crc32(f"{name} {place} {coordinate}".encode()) % 19 - 9)


class Drawn:
    """Random sums of sums with ends and places that depend on each other."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.count = 0

    def index(self) -> str:
        """A new index."""
        self.count += 1
        return f"i{self.count}"

    def place(self, bound: list[str]) -> Tree:
        """Where a term stands."""
        name = self.random.choice([*bound, "n"])
        away = self.random.randint(-2, 2)
        return ("+", name, str(away)) if away else name

    def total(self, bound: list[str], body: Any, depth: int) -> Tree:
        """A sum, to n or to the index around it."""
        index = self.index()
        ends = [("0", "n"), ("1", ("+", "n", "1")), ("2", ("+", "n", "2")), *(("1", b) for b in bound[-1:])]
        lo, hi = self.random.choice(ends)
        return ("sum", index, lo, hi, body([*bound, index], depth - 1))

    def number(self, bound: list[str], depth: int) -> Tree:
        """A number."""
        kind = self.random.random()
        if depth and kind < 0.5:
            return self.total(bound, self.number, depth)
        if kind < 0.65:
            return ("*", ("of", "x", self.place(bound)), self.place(bound))
        if depth and kind < 0.75:
            return ("+", self.number(bound, depth - 1), self.number(bound, depth - 1))
        if kind < 0.88:
            return ("ip", ("of", "e", self.place(bound)), self.vector(bound, depth))
        return ("*", ("of", "x", self.place(bound)), ("of", "y", self.place(bound)))

    def vector(self, bound: list[str], depth: int) -> Tree:
        """A vector."""
        if depth and self.random.random() < 0.6:
            return self.total(bound, self.vector, depth)
        return ("of", "e", self.place(bound))


def plainly(tree: Tree, env: Env) -> Any:
    """An expression's value, every sum written out; a vector as its two coordinates."""
    if isinstance(tree, str):
        return env[tree] if tree in env else Fraction(tree)
    head, *parts = tree
    if head == "sum":
        index, lo, hi, body = parts
        first, last = (int(plainly(e, env)) for e in (lo, hi))
        terms = [plainly(body, {**env, index: Fraction(k)}) for k in range(first, last + 1)]
        return sum(terms[1:], terms[0]) if terms else Vector(0, 0) if of_vectors(body) else Fraction(0)
    if head == "of":
        place = int(plainly(parts[1], env))
        if parts[0] == "e":
            return Vector(term("e", place, 1), term("e", place, 2))
        return term(parts[0], place)
    values = [plainly(p, env) for p in parts]
    if head == "ip":
        return values[0].dot(values[1])
    return values[0] + values[1] if head == "+" else values[0] * values[1]


def of_vectors(tree: Tree) -> bool:
    """Whether a sum's body is a vector."""
    return isinstance(tree, tuple) and (tree[:2] == ("of", "e") or (tree[0] == "sum" and of_vectors(tree[4])))


class Vector:
    """A vector of the plane."""

    def __init__(self, a: Any, b: Any) -> None:
        self.a, self.b = a, b

    def __add__(self, other: Vector) -> Vector:
        return Vector(self.a + other.a, self.b + other.b)

    def times(self, scale: Fraction) -> Vector:
        """A multiple."""
        return Vector(self.a * scale, self.b * scale)

    def dot(self, other: Vector) -> Any:
        """The inner product."""
        return self.a * other.a + self.b * other.b


class Read:
    """The value of a normal form through its atoms, a sum up to an end counted from 1."""

    def __init__(self, forms: Forms) -> None:
        self.forms = forms

    def number(self, q: Quotient, env: Env) -> Fraction:
        """Of a quotient."""
        value = self.polynomial(q.above, env)
        for factor, power in q.below.items():
            value /= self.polynomial(dict(factor), env) ** power
        return value

    def polynomial(self, poly: Any, env: Env) -> Fraction:
        """Of what stands above or below."""
        total = Fraction(0)
        for m, c in poly.items():
            value = Fraction(int(c.p), int(c.q))
            for place, power in m:
                value *= self.atom(place, env) ** power
            total += value
        return total

    def atom(self, place: int, env: Env) -> Any:
        """Of a name, a term, an inner product or a sum up to an end; of a basis vector too."""
        atom, pieces = self.forms.atoms[place], self.forms.pieces(place)
        if atom.kind == "name":
            return env[atom.parts[0]]
        if atom.kind == "of":
            return plainly(("of", atom.parts[0], str(self.number(pieces[0], env))), env)
        if atom.kind == "ip":
            return self.atom(pieces[0], env).dot(self.atom(pieces[1], env))
        index, body, end = pieces
        last = int(self.number(end, env))
        sign, terms = (1, range(1, last + 1)) if last >= 0 else (-1, range(last + 1, 1))
        if isinstance(body, Quotient):
            return sign * sum((self.number(body, {**env, index: Fraction(k)}) for k in terms), Fraction(0))
        total = Vector(Fraction(0), Fraction(0))
        for k in terms:
            here = {**env, index: Fraction(k)}
            for b, q in body.items():
                total += self.atom(b, here).times(sign * self.number(q, here))
        return total


@pytest.mark.parametrize("start", range(0, 1500, 250))
def test_sums_mean_what_they_say(start: int) -> None:
    """For random sums of sums the normal form has the value of the sum written out."""
    for seed in range(start, start + 250):
        drawn = Drawn(seed)
        tree = ("sum", "i0", "1", "n", drawn.number(["i0"], 2))
        forms = Forms(dict(KINDS))
        form = forms.number(tree)
        for n in (1, 2, 4):
            env = {"n": Fraction(n)}
            assert plainly(tree, env) == Read(forms).number(form, env), (seed, n, tree)


def same(one: Tree, other: Tree, **kinds: str) -> bool:
    """Whether two expressions have one normal form."""
    forms = Forms({**KINDS, "q": "real", "a": "real", "m": "vector", **kinds})
    return not (forms.number(one) - forms.number(other)).above


def total(index: str, lo: Tree, hi: Tree, body: Tree) -> Tree:
    """A sum."""
    return ("sum", index, lo, hi, body)


def X(k: Tree) -> Tree:
    """A term of the sequence of numbers."""
    return ("of", "x", k)


def E(k: Tree) -> Tree:
    """A vector of the family."""
    return ("of", "e", k)


MINUS = ("*", "-1", X(("+", "t", "-1")))


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (total("t", "1", "n", ("+", X("t"), MINUS)), ("+", X("n"), ("*", "-1", X("0"))), True),
        (total("t", "1", "n", ("+", X("t"), MINUS)), ("+", X("n"), ("*", "-1", X("1"))), False),
        (total("t", "0", "n", X(("+", "t", "1"))), total("s", "1", ("+", "n", "1"), X("s")), True),
        (total("t", "1", "n", total("j", "1", "t", X("j"))),
         total("j", "1", "n", ("*", ("+", "n", "1", ("*", "-1", "j")), X("j"))), True),
        (("n2", total("j", "1", "n", E("j"))),
         total("j", "1", "n", total("k", "1", "n", ("ip", E("j"), E("k")))), True),
        (("n2", total("j", "1", "n", E("j"))), total("j", "1", "n", ("n2", E("j"))), False),
        (total("t", "1", "n", "t"), ("*", "1/2", "n", ("+", "n", "1")), True),
        (("max", "q", "a"), ("max", "a", "q"), True),
        (("^", ("abs", "q"), "2"), ("^", "q", "2"), True),
        (("abs", ("*", "-2", "q", "a")), ("*", "2", ("abs", "q"), ("abs", "a")), True),
        (("^", ("^", "q", "1/2"), "3"), ("*", "q", ("^", "q", "1/2")), True),
        (("^", ("^", "q", "2"), "1/2"), "q", False),
        (("*", ("^", "q", ("+", "n", "1")), "q"), ("^", "q", ("+", "n", "2")), True),
        (("^", "8/27", "1/3"), "2/3", True),
    ],
)  # fmt: skip
def test_identities(one: Tree, other: Tree, equal: bool) -> None:
    """What is equal for all values has one normal form, what is not has two."""
    assert same(one, other) is equal


@pytest.mark.parametrize("degree", range(6))
def test_closed_sums(degree: int) -> None:
    """G(0) = 0 and G(i) - G(i - 1) = i^degree."""
    coefficients = [Fraction(p, q) for p, q in antiderivative(degree)]

    def value(i: int) -> Fraction:
        return sum((c * i**k for k, c in enumerate(coefficients)), Fraction(0))

    assert value(0) == 0
    assert all(value(i) - value(i - 1) == i**degree for i in range(-3, 6))


def test_a_product_of_too_many_terms_is_refused() -> None:
    """400 terms times 400 are more than a proof can use; 300 times 300 are multiplied."""
    few, many = ({((n, 1),): number(1) for n in range(size)} for size in (300, 400))

    assert len(times(few, few)) == 300 * 301 // 2
    with pytest.raises(Rejected, match="400 and 400 terms"):
        times(many, many)


def test_a_sum_made_in_place_is_the_sum_term_by_term() -> None:
    """Over equal and different divisors, where terms cancel; what is added stays as it was."""
    drawn = random.Random(3)

    def quotient() -> Quotient:
        above = {
            ((drawn.randrange(2), drawn.randrange(1, 3)),): number(drawn.choice((-1, 1))) for _ in range(2)
        }
        below = Quotient({((2, 1),): number(1), (): number(1)}).inverse().below
        return Quotient(above if drawn.random() < 0.9 else {}, below if drawn.random() < 0.3 else {})

    for _ in range(300):
        parts = [quotient() for _ in range(drawn.randrange(6))]
        before = [p.key for p in parts]
        one_by_one = Quotient({})
        for part in parts:
            one_by_one = one_by_one + part

        assert added(parts).key == one_by_one.key
        assert [p.key for p in parts] == before
