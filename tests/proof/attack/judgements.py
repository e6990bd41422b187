"""Random certificates, and points at which what a checker accepts is held against the numbers.

    python -m tests.proof.attack.judgements 0 100000

makes those of the seeds 0 to 99,999 and prints each that the kernel or `recheck.py` accepts and some point
breaks: its hypotheses hold there, and its claim is false or has no value. At the end: how many lines were
made, how many of them each of the two accepted, at how many points they were looked at, and how many are
false.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from fedproof.proof.kernel.context import Context
from fedproof.proof.kernel.judgement import checked
from fedproof.proof.kernel.trees import Rejected, as_json, as_tree, substitute
from fedproof.validate import recheck as script
from tests.proof.attack.points import Unknown, holds, points
from tests.proof.attack.trees import KINDS, ZERO, Trees, is_vector, minus, parts, put, rewritten
from tests.proof.attack.written import gaps, told

Line = list[Any]
Row = dict[str, Any]
BASE = "r"
NEGATED = ["1", ["neg"]]
#: points at which a judgement is looked at
POINTS = 40


def words(tree: Any) -> set[str]:
    """Every text within a tree, but for the names of a used step that get values."""
    if not isinstance(tree, list):
        return {tree} if isinstance(tree, str) else set()
    spoken = [value for _, value in tree[2]] if tree[:1] == ["use"] else tree
    return set().union(*map(words, spoken))


def row(claim: Any, given: list[Any], lines: list[Line], uses: tuple[str, ...] = ()) -> Row:
    """A certificate with those names that it speaks of."""
    spoken = words([claim, given, lines])
    return {
        "names": {n: k for n, k in KINDS.items() if n in spoken}, "claim": claim, "uses": list(uses),
        "given": [{"is": g, "from": {}} for g in given],
        "lines": [*([g, ["given", k]] for k, g in enumerate(given)), *lines],
    }  # fmt: skip


class Proof:
    """Hypotheses, and lines that some checker accepted, to go on from."""

    def __init__(self, seed: int) -> None:
        self.t = Trees(seed)
        self.narrow = self.t.chance(0.5)
        some = range(self.t.rnd.randint(0, 1 if self.narrow else 3))
        self.given = [self.t.hypothesis() for _ in some]
        self.given += [self.t.dense_relation() for _ in range(self.narrow)]
        self.lines: list[Line] = []

    @property
    def said(self) -> list[Any]:
        return [*self.given, *(line[0] for line in self.lines)]

    def line(self) -> Line:
        """A line that may follow."""
        if self.narrow and self.t.chance(0.7):
            return self.t.one(self.gap, self.told, self.solved, self.meaning)(self.said, ())
        ways: tuple[Callable[[list[Any], tuple[str, ...]], Line], ...] = (
            self.identity, self.identity, self.meaning, self.meaning, self.combined, self.combined, self.gap,
            self.gap, self.told, self.told, self.solved, self.solved, self.every_index, self.instance,
            self.total, self.split, self.named, self.vectors, self.following, self.induction,
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
        e, u, v = t.number(2, near), t.vector(1, near), t.vector(1, near)
        powers = [k for k in numbers if said[k][0] in ("<", "<=") and said[k][1] == ZERO]
        n = t.count(near)
        ways = [
            (["sq", e], ["^", e, "2"]), (["sq+", e], ["^", e, "2"]), (["n2", u], ["n2", u]),
            (["gram", u, v], minus(["*", ["n2", u], ["n2", v]], ["^", ["ip", u, v], "2"])),
            (["root", e, "2"], ["^", e, "1/2"]), (["root", e, "3"], ["^", e, "1/3"]),
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
        return [["all", index, lo, hi, body], ["induction", k, [inner]]]

    def instance(self, said: list[Any], near: tuple[str, ...]) -> Line:
        """What is so for every index, at one."""
        t = self.t
        ranged = [k for k, line in enumerate(said) if line[0] == "all"]
        if not ranged:
            return self.every_index(said, near)
        k = t.one(*ranged)
        _, index, lo, hi, body = said[k]
        at = t.one(lo, hi, t.count(near))
        ends = (["<=", lo, at], ["<=", at, hi])
        places = [said.index(e) if e in said else len(said) + n for n, e in enumerate(ends)]
        here = [body[0], *(put(s, {index: at}) for s in body[1:])]
        if all(e in said for e in ends):
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
        strict = [k for k, line in enumerate(said) if line[0] == "<"]
        pairs = [(k, n) for k, one in enumerate(said) for n, other in enumerate(said)
                 if one[0] == other[0] == "<=" and one[1:] == other[:0:-1]]  # fmt: skip
        if pairs:
            k, n = self.t.one(*pairs)
            return [["=", *said[k][1:]], ["both", k, n]]
        if not strict:
            return self.combined(said, near)
        k = self.t.one(*strict)
        return [["<=", ["+", said[k][1], "1"], said[k][2]], ["next", k]]


@dataclass(frozen=True)
class Tried:
    """A certificate, a step that it uses, who takes it, and what points say.

    Arguments:
        at: a point at which the hypotheses hold and the claim does not.
        looked: at how many it was looked at.
    """

    certificate: Row
    base: Row | None
    kernel: bool
    script: bool
    at: dict[str, Any] | None
    looked: int


def accepted(certificate: Row, base: Row | None = None) -> tuple[bool, bool]:
    """Whether the kernel and whether the script take a certificate, with the step that it uses."""
    try:
        known = {} if base is None else {BASE: checked({**base, "id": BASE}, {})}
        checked({**certificate, "id": "s"}, known)
        kernel = True
    except Rejected:
        kernel = False
    try:
        script._verified(certificate, {} if base is None else {BASE: script._verified(base, {})})
        standalone = True
    except Exception:
        standalone = False
    return kernel, standalone


def tried(certificate: Row, seed: int, base: Row | None = None) -> Tried:
    """A certificate as the checkers and points at random see it."""
    kernel, standalone = accepted(certificate, base)
    looked = 0
    given = [g["is"] for g in certificate["given"]]
    for at in points(certificate["names"], given, seed, POINTS) if kernel or standalone else ():
        try:
            looked += 1
            if not holds(certificate["claim"], at):
                return Tried(certificate, base, kernel, standalone, at, looked)
        except Unknown:
            looked -= 1
    return Tried(certificate, base, kernel, standalone, None, looked)


def judged(seed: int, tries: int = 12) -> Iterator[Tried]:
    """The certificates of a seed, and some that use one of them with other values for its names."""
    proof = Proof(seed)
    for k in range(tries):
        line = proof.line()
        found = tried(row(line[0], proof.given, [*proof.lines, line]), seed * 31 + k)
        yield found
        if found.at is None and found.kernel and found.script:
            if len(proof.lines) < 6:
                proof.lines.append(line)
            if proof.t.chance(0.3):
                yield tried(used(proof.t, found.certificate), seed * 31 + k, found.certificate)


def used(t: Trees, base: Row) -> Row:
    """A certificate that uses another one, with values for some of its names, and assumes what that asks."""
    spoken = words([base["claim"], [g["is"] for g in base["given"]]])
    values = {n: t.value(k) for n, k in base["names"].items() if n in spoken and t.chance(0.6)}
    trees = {n: as_tree(v) for n, v in values.items()}

    def here(tree: Any) -> Any:
        return as_json(substitute(as_tree(tree), trees)) if t.chance(0.9) else put(tree, values)

    given = [here(g["is"]) for g in base["given"]]
    meant = [["=", v, v] for v in values.values() if not (isinstance(v, list) and v[0] == "map")]
    more = [line for line in meant if t.chance(0.7)]
    by = ["use", BASE, [[n, v] for n, v in values.items()], [*range(len(given))]]
    return row(here(base["claim"]), [*given, *more], [[here(base["claim"]), by]], (BASE,))


def main(first: int, count: int) -> int:
    """Print what is false, and how much was tried."""
    tally: Counter[str] = Counter()
    for seed in range(first, first + count):
        for found in judged(seed):
            tally += Counter(lines=1, points=found.looked, kernel=found.kernel, script=found.script)
            tally += Counter(apart=found.kernel is not found.script, false=found.at is not None)
            tally += Counter(uses=found.base is not None, used=found.base is not None and found.kernel)
            if found.at is not None:
                where = {n: str(v) for n, v in found.at.items() if not callable(v)}
                who = [name for name in ("kernel", "script") if getattr(found, name)]
                told = json.dumps([found.base, found.certificate])
                sys.stdout.write(f"{seed}: accepted by {who}, false at {where}: {told}\n")
    sys.stdout.write(f"{dict(tally)}\n")
    return int(tally["false"] > 0)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
