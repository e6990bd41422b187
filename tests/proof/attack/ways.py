"""The ways in which random lines may follow from others, rule by rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fedproof.proof.kernel.context import Context
from tests.proof.attack.trees import KINDS, ZERO, Trees, is_vector, minus, parts, put, rewritten
from tests.proof.attack.written import gaps, told

Line = list[Any]
NEGATED = ["1", ["neg"]]


class Proof:
    """Hypotheses, and lines that some checker accepted, to go on from."""

    def __init__(self, seed: int) -> None:
        self.t = Trees(seed)
        self.narrow = self.t.chance(0.5)
        some = range(self.t.rnd.randint(0, 1 if self.narrow else 3))
        self.given = [self.t.hypothesis() for _ in some]
        self.given += [self.t.dense_relation() for _ in range(self.narrow)]
        self.ranged = self.t.chance(0.3)
        self.given += self.t.ranged() if self.ranged else []
        self.lines: list[Line] = []

    @property
    def said(self) -> list[Any]:
        return [*self.given, *(line[0] for line in self.lines)]

    def line(self) -> Line:
        """A line that may follow."""
        if self.ranged and self.t.chance(0.4):
            return self.t.one(self.instance, self.instance, self.total)(self.said, ())
        if self.narrow and self.t.chance(0.7):
            return self.t.one(self.gap, self.told, self.solved, self.meaning)(self.said, ())
        ways: tuple[Callable[[list[Any], tuple[str, ...]], Line], ...] = (
            self.identity, self.identity, self.meaning, self.meaning, self.combined, self.combined, self.gap,
            self.gap, self.told, self.told, self.solved, self.solved, self.every_index, self.instance,
            self.every_value, self.total, self.split, self.named, self.vectors, self.following,
            self.induction,
        )  # fmt: skip
        return self.t.one(*ways)(self.said, ())

    def identity(self, said: list[Any], near: tuple[str, ...]) -> Line:
        """An expression in another way, with equations or without."""
        t = self.t
        known = [p for line in said for p, around in parts(line) if not around and isinstance(p, list)]
        one = t.one(*known) if known and t.chance(0.6) else t.expression(near)
        other = one if t.chance(0.15) else rewritten(t, one)
        for _ in range(t.rnd.randint(0, 2)):
            other = rewritten(t, other)
        equal = self.equations(said)
        if equal and t.chance(0.5):
            left, right = said[t.one(*equal)][1:]
            one = put(one, {left: right}) if isinstance(left, str) else one
        if is_vector(one):
            return [["=", one, other], ["vectors", "1", [], equal]]
        return [[t.one("=", "=", "<="), one, other], ["combine", [NEGATED], equal]]

    def equations(self, said: list[Any]) -> list[int]:
        places = [
            k for k, line in enumerate(said) if line[0] == "=" and any(isinstance(s, str) for s in line[1:])
        ]
        some = [k for k in places if self.t.chance(0.5)]
        return self.t.rnd.sample(some, len(some))

    def meaning(self, said: list[Any], near: tuple[str, ...]) -> Line:
        """A part of what is known is not 0, or not negative."""
        t = self.t
        found = [(p, around) for line in said for p, around in parts(line) if not is_vector(p)]
        part, around = t.one(*found) if found else (t.expression(near), ())
        if isinstance(part, list) and part[0] == "^" and t.chance(0.7):
            part = part[1]
        if isinstance(part, list) and part[0] == "*" and t.chance(0.5):
            part = t.one(*part[1:])
        claim = t.one(["!=", part, ZERO], ["!=", part, ZERO], ["<=", ZERO, part])
        line = [claim, ["meaning"]]
        inner = [r for r in around if t.chance(0.9)]
        for name, lo, hi in reversed(inner):
            line = [["all", name, lo, hi, line[0]], ["all", [line]]]
        return line

    def combined(self, said: list[Any], near: tuple[str, ...]) -> Line:
        """A sum of products of what is known, by the signs that they have."""
        t = self.t
        terms, values = [], []
        for _ in range(t.rnd.randint(1, 2)):
            factors = [self.factor(said, near) for _ in range(t.rnd.randint(1, 2))]
            c = t.one("1", "1", "2", "1/2", "-1")
            terms.append([c, [f for f, _ in factors]])
            values.append(["*", c, *(v for _, v in factors)])
        bound = ["+", *values]
        for _ in range(t.rnd.randint(0, 2)):
            bound = rewritten(t, bound)
        order = t.one("<=", "<=", "<", "!=", "=")
        alone = [] if order == "<=" else [["1", []]] if t.chance(0.1) else []
        return [[order, ZERO, bound], ["combine", [NEGATED, *terms, *alone], self.equations(said)]]

    def gap(self, said: list[Any], near: tuple[str, ...]) -> Line:
        """A line in normal form, of whichever needs it may have lost."""
        found = [(k, g) for k, g in gaps(Context(KINDS, (), (), {}), said) if g != ZERO]
        if not found:
            return self.combined(said, near)
        k, gap = self.t.one(*found)
        return [[said[k][0], ZERO, gap], ["combine", [NEGATED, ["1", [k]]], self.equations(said)]]

    def solved(self, said: list[Any], near: tuple[str, ...]) -> Line:
        """A name that an equation defines is what that comes to in normal form, or written in another way."""
        t = self.t
        known = [k for k, line in enumerate(said) if line[0] == "=" and isinstance(line[1], str)]
        if not known:
            return self.gap(said, near)
        k = t.one(*known)
        _, name, value = said[k]
        forms = [g for _, g in gaps(Context(KINDS, (), (), {}), [["=", ZERO, value]])]
        other = rewritten(t, value) if is_vector(value) or t.chance(0.3) else t.one(*forms, value)
        if is_vector(value):
            return [["=", name, other], ["vectors", "1", [["1", k]], []]]
        if t.chance(0.5):
            return [["=", name, other], ["combine", [NEGATED], [k, *self.equations(said)]]]
        return [["=", name, other], ["combine", [NEGATED, ["1", [k]]], []]]

    def told(self, said: list[Any], near: tuple[str, ...]) -> Line:
        """What the kernel takes the lines to say."""
        found = sorted(told(Context(KINDS, (), (), {}), said), key=str)
        if not found:
            return self.meaning(said, near)
        claim = self.t.one(*found)
        line, ranges = claim, []
        while line[0] == "all":
            ranges.append(line[:4])
            line = line[4]
        by: Line = [line, ["meaning"]]
        for head in reversed(ranges):
            by = [[*head, by[0]], ["all", [by]]]
        return by

    def factor(self, said: list[Any], near: tuple[str, ...]) -> tuple[Any, Any]:
        """A factor and its value."""
        t = self.t
        numbers = [
            k
            for k, line in enumerate(said)
            if line[0] not in ("all", "every") and not any(map(is_vector, line[1:]))
        ]
        if numbers and t.chance(0.6):
            k = t.one(*numbers)
            return k, minus(said[k][2], said[k][1])
        e, u, v = t.one(t.simple(near), t.number(2, near)), t.one("u", "v"), t.vector(1, near)
        square = t.one(["^", e, "2"], ["abs", e], e)
        powers = [k for k in numbers if said[k][0] in ("<", "<=") and said[k][1] == ZERO]
        n = t.count(near)
        ways = [
            (["sq", e], ["^", e, "2"]), (["sq+", e], ["^", e, "2"]), (["n2", u], ["n2", u]),
            (["gram", u, v], minus(["*", ["n2", u], ["n2", v]], ["^", ["ip", u, v], "2"])),
            (["root", square, "2"], ["^", square, "1/2"]), (["root", square, "3"], ["^", square, "1/3"]),
            (["size", e, "1"], ["+", ["abs", e], e]), (["size", e, "-1"], minus(["abs", e], e)),
            (["*", e], e),
            *((["power", k, n], ["^", said[k][2], n]) for k in powers),
        ]  # fmt: skip
        along = [k for k, line in enumerate(said) if line[0] == "=" and any(map(is_vector, line[1:]))]
        ways += [(["along", k, u], minus(["ip", said[k][1], u], ["ip", said[k][2], u])) for k in along]
        made: tuple[Any, Any] = t.one(*ways)
        return made

    def every_index(self, said: list[Any], near: tuple[str, ...]) -> Line:
        """A proof for each index of a range."""
        index = "ijk"[len(near)]
        lo, hi = self.t.one("1", "0", "n", self.t.count(near)), self.t.one("n", "m", self.t.count(near))
        granted = [*said, ["<=", lo, index], ["<=", index, hi]]
        inner = self.t.one(self.identity, self.meaning, self.combined)(granted, (*near, index))
        return [["all", index, lo, hi, inner[0]], ["all", [inner]]]

    def every_value(self, said: list[Any], near: tuple[str, ...]) -> Line:
        """A proof with a name of which nothing is known."""
        inner = self.t.one(self.identity, self.meaning, self.combined)(said, (*near, "p"))
        return [["every", "p", "whole", inner[0]], ["every", [inner]]]

    def induction(self, said: list[Any], near: tuple[str, ...]) -> Line:
        """From the first index to each: of one of the lines, or of a sum that is written out."""
        t = self.t
        index = "ijk"[len(near)]
        firsts = [k for k, line in enumerate(said) if line[0] != "all"]
        if not firsts:
            return self.identity(said, near)
        k, lo = t.one(*firsts), t.one("1", "0", "n", t.count(near))
        body = [said[k][0], *(put(s, {lo: index}) if isinstance(lo, str) else s for s in said[k][1:])]
        hi = t.one("n", "m", t.count(near))
        granted = [*said, ["<=", lo, index], ["<=", index, ["+", hi, "-1"]], body]
        goal = [body[0], *(put(s, {index: ["+", index, "1"]}) for s in body[1:])]
        inner = t.one(
            [goal, ["meaning"]],
            [goal, ["combine", [NEGATED, ["1", [len(granted) - 1]]], self.equations(granted)]],
            [goal, ["combine", [NEGATED], self.equations(granted)]], [goal, ["given", 0]],
        )  # fmt: skip
        first = k if t.chance(0.8) else t.one(*firsts)
        return [["all", index, lo, hi, body], ["induction", first, [inner]]]

    def instance(self, said: list[Any], near: tuple[str, ...]) -> Line:
        """What is so for every index, at one."""
        t = self.t
        ranged = [k for k, line in enumerate(said) if line[0] in ("all", "every")]
        if not ranged:
            return self.every_index(said, near)
        k = t.one(*ranged)
        if said[k][0] == "every":
            _, name, kind, body = said[k]
            value = t.value(kind)
            return [[body[0], *(put(s, {name: value}) for s in body[1:])], ["instance", k, value, []]]
        _, index, lo, hi, body = said[k]
        near_ends = [line[2] for line in said if line[:2] == ["<=", lo] and ["<=", line[2], hi] in said]
        at = t.one(lo, hi, t.count(near), *near_ends, *near_ends)
        ends = (["<=", lo, at], ["<=", at, hi])
        places = [said.index(e) if e in said else len(said) + n for n, e in enumerate(ends)]
        here = [body[0], *(put(s, {index: at}) for s in body[1:])]
        if all(e in said for e in ends) or t.chance(0.3):
            places = [p if p < len(said) else t.rnd.randrange(len(said)) for p in places]
            return [here, ["instance", k, at, places]]
        claim = t.one(*(e for e in ends if e not in said))
        return [
            claim,
            [
                "combine",
                [NEGATED, *(["1", [n]] for n, s in enumerate(said) if s[0] == "<=" and t.chance(0.3))],
                [],
            ],
        ]

    def total(self, said: list[Any], near: tuple[str, ...]) -> Line:
        """What is so for every index, of sums."""
        t = self.t
        ranged = [k for k, line in enumerate(said) if line[0] == "all" and line[4][0] in ("<", "<=", "=")]
        ends = [k for k, line in enumerate(said) if line[0] == "<="]
        if not ranged or not ends:
            return self.every_index(said, near)
        k = t.one(*ranged)
        _, index, lo, hi, (order, left, right) = said[k]
        right_one = [k for k in ends if said[k] == ["<=", lo, ["+", hi, "1"]]]
        ends = right_one if right_one and t.chance(0.8) else ends
        claim = ["=" if order == "=" else "<=", ["sum", index, lo, hi, left], ["sum", index, lo, hi, right]]
        return [claim, ["total", k, t.one(*ends)]]

    def split(self, said: list[Any], near: tuple[str, ...]) -> Line:
        """By cases."""
        t = self.t
        case = t.relation(near)
        if any(map(is_vector, case[1:])):
            return self.identity(said, near)
        claim, by = t.one(self.identity, self.meaning, self.combined)([*said, case], near)
        other = t.one(by, ["meaning"], ["combine", [NEGATED, ["1", [len(said)]]], []])
        return [claim, ["split", case, [[claim, by]], [[claim, other]]]]

    def named(self, said: list[Any], near: tuple[str, ...]) -> Line:
        """With a name for a part."""
        t = self.t
        value = t.expression(near)
        inner = t.one(self.identity, self.combined)([*said, ["=", "z", value]], near)
        return [inner[0], ["name", [inner], "z", value]]

    def vectors(self, said: list[Any], near: tuple[str, ...]) -> Line:
        """A sum of equations, divided by a number."""
        t = self.t
        equations = [k for k, line in enumerate(said) if line[0] == "="]
        if not equations:
            return self.identity(said, near)
        k = t.one(*equations)
        left, right = said[k][1:]
        d = t.one("1", "2", "n", "x", t.product(near))
        if is_vector(left) or is_vector(right):
            taken = [[t.one("1", "2"), k]]
            return [
                ["=", ["*", d, left], ["*", d, right]],
                ["vectors", t.one("1", ["^", d, "-1"], d), taken, []],
            ]
        u = t.vector(1, near)
        return [
            ["=", ["*", left, u], ["*", right, u]],
            ["vectors", t.one("1", d), [[u, k]], self.equations(said)],
        ]

    def following(self, said: list[Any], near: tuple[str, ...]) -> Line:
        """From a < b to a + 1 <= b, or from both orders to an equation."""
        wrong = self.t.chance(0.2)
        strict = [k for k, line in enumerate(said) if line[0] == "<" or (wrong and line[0] == "<=")]
        pairs = [(k, n) for k, one in enumerate(said) for n, other in enumerate(said)
                 if one[0] == other[0] == "<=" and (wrong or one[1:] == other[:0:-1])]  # fmt: skip
        if pairs:
            k, n = self.t.one(*pairs)
            return [["=", *said[k][1:]], ["both", k, n]]
        if not strict:
            return self.combined(said, near)
        k = self.t.one(*strict)
        return [["<=", ["+", said[k][1], "1"], said[k][2]], ["next", k]]
