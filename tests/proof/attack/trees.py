"""Random expressions and relations as certificates write them, and rewritings that may be right or not."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from random import Random
from typing import Any

KINDS = {
    "n": "whole", "m": "whole", "x": "real", "y": "real", "b": "real", "u": "vector", "v": "vector",
    "a": "real(whole)", "U": "vector(whole)", "f": "real(vector)", "F": "vector(vector)",
}  # fmt: skip
ZERO, ONE = "0", "1"


class Trees:
    """Draws trees of names in KINDS and of the indices around."""

    def __init__(self, seed: int) -> None:
        self.rnd = Random(seed)

    def chance(self, share: float) -> bool:
        return self.rnd.random() < share

    def one(self, *of: Any) -> Any:
        return self.rnd.choice(of)

    def count(self, near: Sequence[str] = ()) -> Any:
        """A whole expression."""
        name = self.one("n", "m", *near, *near)
        return self.one(
            name, name, name, "0", "1", "1", "2", "-1",
            ["+", name, self.one("1", "-1", "2", "-2")],
            ["+", name, self.one("n", "m", *near)], ["+", name, ["*", "-1", self.one("n", "m", *near)]],
            ["*", self.one("2", "-1", "n", *near), name],
        )  # fmt: skip

    def simple(self, near: Sequence[str] = ()) -> Any:
        """A number that is defined whatever its names are."""
        names = ("x", "y", "b", "n", *near)
        one, other = self.one(*names), self.one(*names, "2", "-1")
        return self.one(one, ["+", one, other], ["*", one, other], ["+", one, ["*", "-1", other]])

    def number(self, deep: int, near: Sequence[str] = ()) -> Any:
        """An expression that is a number."""
        if deep <= 0 or self.chance(0.15):
            return self.one("x", "y", "b", "n", "m", "2", "-1", "1/2", "1", "0", *near, *near, *near)

        def inner() -> Any:
            return self.number(deep - 1, near)

        made = self.rnd.random()
        if made < 0.4:
            return [self.one("+", "*", "*"), inner(), inner(), *([inner()] if self.chance(0.3) else [])]
        if made < 0.58:
            return [
                "^",
                inner(),
                self.one("-1", "-1", "-1", "2", "-2", "1/2", "1/2", "3/2", "-1/2", "1/3", "3", "0"),
            ]
        if made < 0.66:
            return ["^", self.one(inner(), "b", "n", *near), self.count(near)]
        if made < 0.72:
            return self.one(["abs", inner()], [self.one("max", "min"), inner(), inner()])
        if made < 0.78:
            return self.one(["of", "a", self.count(near)], ["of", "a", self.count(near)])
        if made < 0.84:
            v = self.vector(deep - 1, near)
            return self.one(["ip", v, self.vector(deep - 1, near)], ["n2", v], ["of", "f", v])
        return self.sum(near, inner=lambda around: self.number(deep - 1, around))

    def vector(self, deep: int, near: Sequence[str] = ()) -> Any:
        """An expression that is a vector."""
        if deep <= 0 or self.chance(0.2):
            return self.one("u", "v", ["of", "U", self.count(near)])

        def inner() -> Any:
            return self.vector(deep - 1, near)

        return self.one(
            lambda: ["+", inner(), inner()], lambda: ["*", self.number(deep - 1, near), inner()],
            lambda: ["of", "F", inner()],
            lambda: self.sum(near, inner=lambda around: self.vector(deep - 1, around)),
        )()  # fmt: skip

    def sum(self, near: Sequence[str], inner: Any) -> Any:
        """A sum, or only what would be in it where there are two around."""
        if len(near) > 1:
            return inner(near)
        index = "ijk"[len(near)]
        lo = self.one("1", "1", "1", "0", self.count(near))
        hi = self.one("n", "n", "m", self.count(near), ["+", "n", "1"])
        return ["sum", index, lo, hi, inner((*near, index))]

    def product(self, near: Sequence[str]) -> Any:
        """Factors and divisors of the kind in which holes were found."""

        def factor() -> Any:
            name = self.one("n", "m", "b", "x", *near, *near, *near)
            return self.one(
                name, name, ["+", name, self.one("1", "-1", "n", "m", "x")], ["of", "a", self.count(near)],
                ["^", "b", self.count(near)], ["*", name, self.one("n", "m", "b", *near)],
            )  # fmt: skip

        parts = [factor() for _ in range(self.rnd.randint(1, 3))]
        return [
            "*",
            *(["^", p, self.one("-1", "-1", "-1", "-2", "1/2")] if self.chance(0.45) else p for p in parts),
            "1",
        ]

    def dense(self) -> Any:
        """A number with sums over quotients."""

        def inside(near: Sequence[str]) -> Any:
            return self.sum(near, self.product) if self.chance(0.3) else self.product(near)

        one = self.sum((), inside) if self.chance(0.6) else self.cancelling()
        return self.one(
            one, one, one, ["+", self.one("1", "b", "x", "n"), one], ["*", self.product(()), one],
            ["^", ["+", self.one("1", "b"), one], self.one("-1", "1/2", "2")], self.product(()),
        )  # fmt: skip

    def value(self, kind: str) -> Any:
        """What may stand for a name of a kind."""
        result, _, arguments = kind.partition("(")
        kinds = arguments.rstrip(")").split(",") if arguments else []
        if not kinds:
            draw = {"whole": self.count, "real": lambda: self.number(2), "vector": lambda: self.vector(1)}
            return draw[result]()
        if self.chance(0.3):
            return self.one(*(n for n, k in KINDS.items() if k == kind))
        (of,) = kinds
        near, parameter = (("p",), "p") if of == "whole" else ((), "w")
        body = self.number(2, near) if result == "real" else self.vector(1, near)
        if of == "vector":
            body = put(body, {"u": "w"})
        return ["map", [parameter], body]

    def cancelling(self, near: Sequence[str] = ()) -> Any:
        """A sum whose normal form loses what it divides by."""
        index, hi, e = (
            "ijk"[len(near)],
            self.one("n", "n", "m", ["+", "n", "m"], ["*", "2", "n"]),
            self.product(()),
        )
        lo = self.one("1", "1", "1", "1", ["+", hi, "1"], "0")
        by = self.one(hi, hi, hi, hi, "m", "b", e)
        away, both = ["^", by, "-1"], ["^", ["*", index, by], "-1"]
        many = self.one(
            [away], [away], [index, both], [index, both], [both, ["*", index, self.one(by, "1")]],
            [away, by, self.one(index, "1")],
            [["^", by, self.one(index, "n", ["+", index, "-1"])], ["^", by, self.one("1", "-1")]],
        )  # fmt: skip
        body = ["*", *self.rnd.sample(many, len(many)), self.one("1", "1", "1", "b", "-1")]
        if not near and self.chance(0.2):
            body = self.cancelling((index,))
        made = ["sum", index, lo, hi, body]
        return self.one(made, made, made, made, ["*", by, made], ["^", made, "2"])

    def dense_relation(self) -> Any:
        """A relation with such a number."""
        return self.one(
            ["=", self.one("x", "y", "0"), self.dense()], ["=", "x", self.dense()],
            [self.one("<", "<=", "!=", "="), self.one("0", "x", "1"), self.dense()],
        )  # fmt: skip

    def expression(self, near: Sequence[str] = ()) -> Any:
        if near:
            return self.one(self.number(2, near), self.product(near))
        return self.one(self.number(3), self.number(2), self.dense(), self.dense())

    def relation(self, near: Sequence[str] = ()) -> Any:
        """A relation of numbers, or an equation of vectors."""
        if self.chance(0.08):
            return ["=", self.one("u", "v", self.vector(1, near)), self.vector(2, near)]
        sides = [self.one("0", "0", "1", "x"), self.expression(near)]
        return [self.one("<=", "<=", "<", "=", "!="), *(sides if self.chance(0.8) else sides[::-1])]

    def hypothesis(self) -> Any:
        """A relation of the kinds that proofs assume."""
        return self.one(
            lambda: ["=", *self.rnd.sample([self.one("x", "y"), self.expression()], 2)],
            lambda: ["=", self.one("x", "y"), self.expression()],
            lambda: ["=", self.one("n", "m"), self.count()],
            lambda: ["=", self.one("u", "v"), self.vector(2)],
            lambda: [self.one("<=", "<"), self.one("0", "1", "-1"), self.one("n", "m", "b", "x")],
            lambda: ["<=", "1", "n"],
            lambda: ["!=", self.one("n", "m", "b", "x", ["+", "b", "n"]), "0"],
            self.relation, self.relation,
            lambda: self.for_all(lambda near: self.relation(near)),
        )()  # fmt: skip

    def ranged(self) -> list[Any]:
        """A relation for every index of a range, with what is known of its ends and of an index in it."""
        line = self.for_all(lambda near: self.relation(near) if self.chance(0.5) else self.plain(near))
        _, _, lo, hi, _ = line
        at = self.one(lo, hi, "m", "1")
        return [line, ["<=", lo, ["+", hi, "1"]], ["<=", lo, at], ["<=", at, hi]]

    def plain(self, near: Sequence[str]) -> Any:
        """A relation that is likely to hold."""
        order, e = self.one("<=", "=", "!="), self.one(["of", "a", near[-1]], self.simple(near))
        return [order, self.one("0", e), self.one(["^", e, "2"], ["+", e, "1"], ["of", "a", near[-1]])]

    def for_all(self, body: Any) -> Any:
        lo, hi = self.one("1", "1", "0", self.count()), self.one("n", "n", "m", self.count())
        return ["all", "i", lo, hi, body(("i",))]


def parts(tree: Any, around: tuple[Any, ...] = ()) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """Expressions within an expression or relation, with the ranges around them."""
    if not isinstance(tree, list):
        yield tree, around
        return
    head, *inner = tree
    if head not in ("<", "<=", "=", "!=", "all", "every"):
        yield tree, around
    if head in ("sum", "all"):
        name, lo, hi, body = inner
        yield from parts(lo, around)
        yield from parts(hi, around)
        yield from parts(body, (*around, (name, lo, hi)))
    elif head not in ("every", "map"):
        for part in inner[head == "of" :]:
            yield from parts(part, around)


def put(tree: Any, values: dict[str, Any]) -> Any:
    """A tree with values for names, read letter by letter; indices may be captured."""
    if isinstance(tree, list):
        return [tree[0], *(put(t, values) for t in tree[1:])]
    return values.get(tree, tree)


def speaks(tree: Any, name: str) -> bool:
    return tree == name or (isinstance(tree, list) and any(speaks(t, name) for t in tree[1:]))


def minus(a: Any, b: Any) -> Any:
    return a if b == ZERO else ["+", a, ["*", "-1", b]]


#: names of vectors, and of what has vectors for values
VECTORS = frozenset(name for name, kind in KINDS.items() if kind.startswith("vector"))


def is_vector(tree: Any, vectors: Container[str] = VECTORS) -> bool:
    """Whether an expression is meant as a vector."""
    if isinstance(tree, str):
        return tree in vectors
    head, *inner = tree
    if head in ("+", "*"):
        return any(is_vector(part, vectors) for part in inner)
    return is_vector(inner[{"sum": 3, "of": 0}[head]], vectors) if head in ("sum", "of") else False


def rewritten(t: Trees, tree: Any) -> Any:
    """An expression with one of its parts written in another way, which may be wrong at some points."""
    places = [p for p, _ in parts(tree) if isinstance(p, list)]
    chosen = t.one(*places) if places else tree
    other = _other(t, chosen)

    def walk(part: Any) -> Any:
        if part is chosen:
            return other
        return [part[0], *map(walk, part[1:])] if isinstance(part, list) else part

    return walk(tree)


def _other(t: Trees, tree: Any) -> Any:
    """One expression in another way."""
    if isinstance(tree, str):
        return tree
    head, *inner = tree
    ways = [lambda: _grown(t, tree)] if not is_vector(tree) else []
    if head in ("+", "*"):
        ways.append(lambda: [head, *t.rnd.sample(inner, len(inner))])
    if head == "*":
        sums = [p for p in inner if isinstance(p, list) and p[0] == "+"]
        if sums:
            rest = [p for p in inner if p is not sums[0]]
            ways.append(lambda: ["+", *(["*", term, *rest] for term in sums[0][1:])])
        ways.append(lambda: ["*", *_cancelled(inner)])
        outer = [p for p in inner if isinstance(p, list) and p[0] == "sum"]
        if outer:
            index, lo, hi, body = outer[0][1:]
            rest = [p for p in inner if p is not outer[0]]
            if not any(speaks(p, index) for p in rest):
                ways.append(lambda: ["sum", index, lo, hi, ["*", body, *rest]])
    if head == "^":
        base, n = inner
        if isinstance(base, list) and base[0] == "*":
            ways.append(lambda: ["*", *(["^", p, n] for p in base[1:])])
        if isinstance(n, list) and n[0] == "+":
            ways.append(lambda: ["*", *(["^", base, part] for part in n[1:])])
        if not isinstance(n, str) or n in KINDS:
            ways.append(lambda: ["*", base, ["^", base, ["+", n, "-1"]]])
        elif n == "1/2" and isinstance(base, list) and base[:1] == ["^"] and base[2] == "2":
            ways += [lambda: base[1], lambda: ["abs", base[1]]]
    if head == "abs":
        ways.append(lambda: ["^", ["^", inner[0], "2"], "1/2"])
        if isinstance(inner[0], list) and inner[0][0] == "*":
            ways.append(lambda: ["*", *(["abs", p] for p in inner[0][1:])])
    if head in ("max", "min"):
        half = ["*", "1/2" if head == "max" else "-1/2", ["abs", minus(*inner)]]
        ways.append(lambda: ["+", ["*", "1/2", inner[0]], ["*", "1/2", inner[1]], half])
    if head in ("ip", "n2"):
        u, v = inner[0], inner[-1]
        if isinstance(u, list) and u[0] == "+":
            ways.append(lambda: ["+", *(["ip", p, v] for p in u[1:])])
        ways.append(lambda: ["ip", v, u])
    if head == "sum":
        ways += _sums(t, *inner)
    return t.one(*ways)() if ways else tree


def _grown(t: Trees, tree: Any) -> Any:
    """An expression times a quotient that is 1 wherever it is defined, or with 0 times something."""
    part = t.one("n", "m", "b", "x", t.product(()), ["^", "b", t.count()])
    return t.one(
        ["*", tree, part, ["^", part, "-1"]], ["+", tree, ["*", "0", ["^", part, t.one("-1", "1/2")]]],
        ["*", "2", tree, "1/2"], ["^", tree, "1"], ["+", tree, minus(part, part)],
    )  # fmt: skip


def _cancelled(inner: list[Any]) -> list[Any]:
    """Factors without a pair of one and what divides by it."""
    for p in inner:
        if ["^", p, "-1"] in inner:
            rest = [q for q in inner if q is not p and q != ["^", p, "-1"]]
            return [*rest, ONE]
    return inner


def _sums(t: Trees, index: str, lo: Any, hi: Any, body: Any) -> list[Any]:
    """A sum in other ways."""
    at, by = t.count(), t.one("1", "-1", "n")
    ways = [
        lambda: ["+", ["sum", index, lo, at, body], ["sum", index, ["+", at, "1"], hi, body]],
        lambda: ["sum", index, ["+", lo, by], ["+", hi, by], put(body, {index: minus(index, by)})],
        lambda: ["+", ["sum", index, lo, ["+", hi, "-1"], body], put(body, {index: hi})],
        lambda: ["+", put(body, {index: lo}), ["sum", index, ["+", lo, "1"], hi, body]],
    ]
    if isinstance(body, list) and body[0] == "+":
        ways.append(lambda: ["+", *(["sum", index, lo, hi, p] for p in body[1:])])
    if isinstance(body, list) and body[0] == "*":
        out = [p for p in body[1:] if not speaks(p, index)]
        kept = [p for p in body[1:] if speaks(p, index)]
        ways.append(lambda: ["*", *out, ["sum", index, lo, hi, ["*", *kept, ONE]]])
    if isinstance(body, list) and body[0] == "sum" and not any(speaks(end, index) for end in body[2:4]):
        ways.append(lambda: [*body[:4], ["sum", index, lo, hi, body[4]]])
    if not speaks(body, index):
        ways.append(lambda: ["*", ["+", hi, "1", ["*", "-1", lo]], body])
    return ways
