"""Random compositions of steps, and models that attack those that come out proved.

    python -m tests.proof.attack.compositions 0 100000 [-j PROCESSES] [--every 10]

makes those of the seeds 0 to 99,999, tells how far it is, and at the end how many were made, the share that
is proved, and the seeds of those that are broken. A proof is sought of whatever some model breaks, and of
the others, which only tell the share, where `--every` divides the seed.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import repeat
from os import cpu_count
from random import Random
from typing import Any

import sympy as sp

from fedproof.algebra.expressions import printed
from fedproof.proof import grounds as ground_module
from fedproof.proof.certificates import Proved
from fedproof.proof.certify import live
from fedproof.proof.forall import ForAll
from fedproof.proof.grounds import grounds, unpaid
from fedproof.proof.sequences import total
from fedproof.proof.standing import Standing
from fedproof.proof.step import Applied, Given, Step
from fedproof.proof.vectors import Vector, ip, n2
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.source import Source
from tests.proof.attack.bases import (
    CONVEX,
    COUNTS,
    FIELD,
    NUMBERS,
    ONE,
    QUAD,
    REAL,
    SUM,
    VECTORS,
    ZERO,
    D,
    F,
    G,
    H,
    a,
    b,
    c,
    d0,
    d0_,
    d1,
    given_as,
    k,
    model,
    n,
    positive,
    t,
    u,
    v,
    w,
    whole,
    x,
    y,
)  # fmt: skip
from tests.proof.attack.models import Model, NotMeant, Undefined, breaks, holds, value

SECONDS = 0.06
#: seeds of which one process remembers what was found
BLOCK = 250
#: models that attack one proved step, besides the one that it was made with
MODELS = 12
REASONS = ("", "", "definition: as said", "meaning: a mean", "fedproxvr.assumption1.smooth", "line 3")
NOTHING = Standing()


@dataclass(frozen=True)
class Composition:
    """A step made at random, with the model in which its hypotheses were made.

    Arguments:
        step: it may be false.
        model: values of its names.
        granted: what its paper grants.
    """

    step: Step
    model: Model
    granted: Standing = NOTHING


def composition(seed: int) -> Composition | None:
    """The composition of a seed, or None where what was made is no step.

    The same seed makes the same one.
    """
    random = Random(seed)
    family = random.choice(("real", "real", "quad", "quad", "sum", "field", "cases"))
    try:
        with printed():
            return _Maker(random, family).make()
    except InputError:
        return None


class _Maker:
    """Makes one composition."""

    def __init__(self, random: Random, family: str) -> None:
        self.random = random
        self.family = family
        self.at = model(random, family == "field")
        self.made = 0
        self.generous = random.random() < 0.6

    def make(self) -> Composition:
        granted = FIELD if self.family == "field" else Standing()
        if self.family == "cases":
            return Composition(self._cases(), self.at)
        below = [self._composed(()) for _ in range(self.random.choice((0, 0, 0, 1, 1, 2)))]
        return Composition(self._composed(below), self.at, granted)

    def _composed(self, below: tuple[Step, ...] | list[Step]) -> Step:
        """A step that adds up what others say."""
        pool = {"real": REAL, "quad": QUAD, "sum": SUM, "field": CONVEX}[self.family]
        uses = [self._use(s) for s in below]
        uses += [
            self._use(self._cited(self.random.choice(pool)))
            for _ in range(self.random.choice((0, 1, 1, 2)) or (not below))
        ]
        own = [r for use in uses for r in self._owed(use)]
        own += [self._fact() for _ in range(self.random.choice((0, 0, 1)))]
        said = [use.relation for use in uses] + [r for r in own if self.random.random() < 0.3]
        claim = self._sum(said)
        self.made += 1
        rule = {"real": "real", "quad": "quad", "sum": "sum", "field": "quad"}[self.family]
        id = "same" if self.random.random() < 0.03 else f"step{self.made}"
        source = Source("fedproxvr", "nowhere") if self.family == "field" else None
        given = [Given(r, self.random.choice(REASONS)) for r in own]
        made = Step(claim, (*given, *uses), id, rule=rule, source=source)  # type: ignore[arg-type]
        return made

    def _cited(self, step: Step) -> Step:
        """A true step as it stands, or as a result of another text that assumes what it lists."""
        if step.uses or step.lets or step.induction is not None or self.random.random() < 0.75:
            return step
        listed = tuple(h.relation for h in step.hypotheses)
        return Step(step.claim, listed, f"{step.id}.cited", rule="cite")

    def _cases(self) -> Step:
        """A claim by two steps, each under a condition of its own."""
        e, d = self._number(1), self._number(1)
        claim, own = self.random.choice(
            ((abs(e) >= e, ()), (abs(e) >= -e, ()), (e * d <= abs(e) * d, (d >= 0,)), (e**2 >= e, ()))
        )
        one = self.random.choice((e >= 0, e > 0, e >= 1, d >= 0))
        other = self.random.choice((e <= 0, e < 0, e < 1, d < 0))
        more = given_as(self._fact(), why="definition: narrowed") if self.random.random() < 0.3 else ()
        first = Step(claim, (*own, one, *more), "first")
        second = Step(claim, (*own, other), "second")
        listed = [r for r in own if self.random.random() < 0.8]
        listed += [h.relation for h in more if self.random.random() < 0.5]
        return Step(claim, (*listed, first.at(), second.at()), "whole", rule="cases")

    def _use(self, step: Step) -> Applied:
        """A step at values of its names for which, if luck will have it, its hypotheses hold."""
        use = self._at(step)
        for _ in range(20):
            if all(self._true(r) for r in _assumed(use)) or self.random.random() < 0.05:
                break
            use = self._at(step)
        return use

    def _at(self, step: Step) -> Applied:
        values: dict[Any, Any] = {}
        if step.induction is None or self.random.random() < 0.5:
            for key in self._keys(step):
                if self.random.random() < 0.7:
                    values[key] = self._value(key)
        over = None
        if self.family == "sum" and t in step.claim.free_symbols and self.random.random() < 0.6:
            over = (t, *self._range())
            values.pop(t, None)
        return step.at(values, over=over)

    def _keys(self, step: Step) -> list[Any]:
        parts = [step.claim, *(h.relation for h in step.hypotheses if isinstance(h, Given))]
        bodies = [p.relation if isinstance(p, ForAll) else p for p in parts]
        bound = {i.name for p in bodies for s in p.atoms(sp.Sum) for i in s.bound_symbols}
        found: dict[Any, None] = {}
        for body in bodies:
            found |= dict.fromkeys(sorted(body.free_symbols, key=str))
            found |= dict.fromkeys(
                f.func(t) for f in sorted(body.atoms(sp.core.function.AppliedUndef), key=str)
            )
            if self.random.random() < 0.04:
                found |= dict.fromkeys(sorted(body.atoms(n2, ip), key=str))
        for part in parts:
            bound |= {part.index.name} if isinstance(part, ForAll) else set()
        return [f for f in found if not (isinstance(f, sp.Symbol) and f.name in bound) and step.mentions(f)]

    def _value(self, key: Any) -> Any:
        random = self.random
        if isinstance(key, Vector):
            return self._vector()
        if isinstance(key, n2 | ip):
            return random.choice((a, b, n2(v), self._number(1)))
        if isinstance(key, sp.Symbol):
            if key in COUNTS or key.is_integer:
                return random.choice((*COUNTS, n + 1, whole, sp.Integer(2), x, sp.Rational(1, 2)))
            return self._number(1)
        if key.func == D and random.random() < 0.7:
            return random.choice((D(t + 1), F(t) ** 2, D(t), ONE))
        return random.choice((F(t), G(t), H(t), F(t + 1), c * G(t) + 1, ONE, t * H(t)))

    def _number(self, depth: int) -> Any:
        random = self.random
        if depth == 0 or random.random() < 0.4:
            return random.choice(
                (*NUMBERS, x, y, positive, whole, *map(sp.Integer, (0, 1, 2, -1)), sp.Rational(1, 2))
            )
        one, other = self._number(depth - 1), self._number(depth - 1)
        made = random.choice(("+", "*", "-", "^", "/") if random.random() < 0.3 else ("+", "*", "^"))
        if made == "/" and other != 0:
            return one / other
        return {"+": one + other, "*": one * other, "-": one - other, "^": one**2}.get(made, one)

    def _vector(self) -> Any:
        random = self.random
        names = (u, w, d0, d1, d0_) if self.family == "field" and random.random() < 0.7 else VECTORS
        one, other = random.choice(names), random.choice(names)
        scale = random.choice((2, -1, sp.Rational(1, 2), a, 3))
        return random.choice((one, one, one + other, one - other, scale * one, one + scale * other))

    def _range(self) -> tuple[Any, Any]:
        return self.random.choice(
            ((ONE, n), (ZERO, n), (ONE, k), (ZERO, n - 1), (ONE, sp.Integer(3)), (n, k))
        )

    def _fact(self) -> Any:
        """Something that holds in the model."""
        random = self.random
        if self.family in ("quad", "field") and random.random() < 0.5:
            left, right = n2(self._vector()), n2(self._vector()) * random.randint(1, 4)
        else:
            left, right = self._number(1), self._number(1)
        for relation in (left <= right, left >= right):
            if self._true(relation):
                return relation
        return sp.Le(0, 0, evaluate=False)

    def _true(self, relation: Any) -> bool:
        try:
            return holds(relation, self.at)
        except (NotMeant, KeyError):
            return False

    def _owed(self, use: Applied) -> Iterator[Any]:
        """What a step lists of what those that it uses assume."""
        for relation in _assumed(use):
            if self.random.random() < self._share() and self._true(relation):
                yield relation

    def _share(self) -> float:
        """How many of the hypotheses of used steps are listed."""
        if self.family == "field":
            return 0.6 if self.generous else 0.3
        return 1.0 if self.generous else 0.7

    def _sum(self, said: list[Any]) -> Any:
        """Relations added up, or something near it."""
        random = self.random
        left, right, strict = ZERO, ZERO, False
        for relation in said:
            factor = random.choice((1, 1, 1, 2, sp.Rational(1, 2)))
            if random.random() < 0.02:
                factor = -factor
            if isinstance(relation, ForAll):
                index, lo, hi = relation.index, relation.lo, relation.hi
                relation = relation.relation
                sides = [total(side, index, lo, hi) for side in relation.args]
            else:
                sides = list(relation.args)
            if len(sides) < 2 or any(_is_vector(s) for s in sides):
                continue
            if isinstance(relation, sp.Ge | sp.Gt):
                sides.reverse()
            left, right = left + factor * sides[0], right + factor * sides[1]
        if random.random() < 0.3:
            right = right + self._number(1) ** 2
        if random.random() < 0.04:
            right = right - random.choice((ONE, x, y**2))
        if len(said) == 1 and isinstance(said[0], sp.core.relational.Relational) and random.random() < 0.4:
            return said[0]
        return sp.Le(left, right, evaluate=False) if not strict else sp.Lt(left, right, evaluate=False)


def _is_vector(side: Any) -> bool:
    return bool(side.atoms(Vector)) and not side.atoms(ip, n2)


def _assumed(use: Applied) -> Iterator[Any]:
    """The hypotheses of a used step where it is used."""
    for h in use.step.hypotheses:
        if isinstance(h, Given):
            said = use.substitute(h.relation)
            if use.over is not None and not isinstance(said, ForAll) and use.over[0] in said.free_symbols:
                said = ForAll(said, *use.over)
            yield said


@contextmanager
def standing_at(granted: Standing) -> Iterator[None]:
    """What every paper grants, for a while."""
    before = ground_module.standing, live.standing
    ground_module.standing = live.standing = lambda key: granted  # type: ignore[assignment]
    try:
        yield
    finally:
        ground_module.standing, live.standing = before  # type: ignore[assignment]


def proved(made: Composition) -> Proved | None:
    """The proof of a step that rests on nothing that nobody grants; no refutation shields it."""
    with standing_at(made.granted), sp.evaluate(True):
        try:
            found = live.proof(made.step, SECONDS)
            return found if isinstance(found, Proved) and not unpaid(grounds(found)) else None
        except InputError:
            return None


def broken(made: Composition, seed: int) -> Model | None:
    """A model that satisfies what a step lists and breaks its claim."""
    random = Random(seed)
    for turn in range(MODELS + 1):
        at = made.model if turn == 0 else model(random, made.granted is FIELD)
        for h in made.step.hypotheses if turn else ():
            at = _solved(h, at)
        if breaks(made.step, at):
            return at
    return None


def _solved(hypothesis: Any, at: Model) -> Model:
    """The model with the name on the left of an equation as the equation says."""
    r = hypothesis.relation
    if isinstance(hypothesis, Given) and isinstance(r, sp.Eq) and isinstance(r.lhs, sp.Symbol):
        try:
            return {**at, r.lhs.name: value(r.rhs, at)}
        except (Undefined, NotMeant):
            return at
    return at


def attack(seeds: range, every: int = 1) -> tuple[Counter[str], list[int]]:
    """How compositions come out, and those that are proved and false.

    Arguments:
        seeds: one composition each.
        every: among seeds that no model breaks, a proof is sought of those that this divides.
    """
    count: Counter[str] = Counter()
    wrong: list[int] = []
    for seed in seeds:
        made = composition(seed)
        if made is None:
            count["no step"] += 1
            continue
        count["made"] += 1
        false, counted = broken(made, seed) is not None, seed % every == 0
        count["broken by a model"] += false
        count["counted"] += counted
        if (false or counted) and proved(made) is not None:
            count["proved"] += counted
            count["with steps that it uses"] += counted and bool(made.step.uses)
            if false:
                wrong.append(seed)
    live.ASKED.clear()
    return count, wrong


def main(first: int, count: int, jobs: int, every: int) -> int:
    """Attack the compositions of a range of seeds.

    Arguments:
        first: the first seed.
        count: how many seeds.
        jobs: processes.
        every: see `attack`.

    Returns: 1 where one is broken, else 0.
    """
    blocks = [range(s, min(s + BLOCK, first + count)) for s in range(first, first + count, BLOCK)]
    told: Counter[str] = Counter()
    wrong: list[int] = []
    with ProcessPoolExecutor(jobs) as pool:
        for block, (found, seeds) in zip(blocks, pool.map(attack, blocks, repeat(every)), strict=True):
            told += found
            wrong += seeds
            sys.stderr.write(f"\r{block.stop - first} of {count} seeds: {_said(told, wrong)} ")
            sys.stderr.flush()
    sys.stderr.write("\n")
    sys.stdout.write(f"seeds {first} to {first + count - 1}: {_said(told, wrong)}\n")
    return int(bool(wrong))


def _said(told: Counter[str], wrong: list[int]) -> str:
    share = told["proved"] / max(told["counted"], 1)
    used = told["with steps that it uses"]
    seeds = f" ({', '.join(map(str, wrong))})" if wrong else ""
    return (
        f"{told['made']} made, {told['broken by a model']} of them false; of {told['counted']} counted"
        f" {told['proved']} proved ({share:.1%}), {used} of them by other steps; {len(wrong)} proved and"
        f" false{seeds}"
    )


if __name__ == "__main__":
    asks = ArgumentParser(prog="tests.proof.attack.compositions")
    asks.add_argument("first", type=int, help="seed")
    asks.add_argument("count", type=int, help="how many seeds")
    asks.add_argument("-j", "--jobs", type=int, default=cpu_count(), help="processes; by default the cores")
    asks.add_argument("--every", type=int, default=1, help="a proof is sought of every such seed that holds")
    asked = asks.parse_args()
    sys.exit(main(asked.first, asked.count, asked.jobs, asked.every))
