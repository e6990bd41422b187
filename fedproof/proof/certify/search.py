"""Products of facts that contradict a claim's negation: chosen by the monomials that still have to cancel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from heapq import nsmallest
from itertools import islice
from typing import Any

import numpy as np

from fedproof.proof.certify.facts import Fact, Known, atoms_of, inner, known, of_atoms, times
from fedproof.proof.certify.limits import still
from fedproof.proof.certify.programme import Candidate, solve
from fedproof.proof.certify.refuting import refuted
from fedproof.proof.certify.space import Coded, Space
from fedproof.proof.certify.writer import Writer, tree_of
from fedproof.proof.kernel.polynomials import Monomial, Polynomial, Quotient, number

Terms = list[tuple[Any, tuple[Any, ...]]]
#: for each effort: how many columns are added in each round
ROUNDS = ((40, 80, 120), (60, 150, 300, 400), (100, 250, 500, 800, 1000))
#: for each effort: how many facts are multiplied, and how many terms such a product may have
WIDTH = ((2, 16, 40), (2, 40, 200), (3, 60, 300))


@dataclass
class Columns:
    """The products under consideration.

    Arguments:
        templates: products of facts with their values.
    """

    space: Space
    templates: list[tuple[Fact, Coded]]
    chosen: dict[Any, Candidate] = field(default_factory=dict)
    pool: dict[Any, Candidate] = field(default_factory=dict)
    positive: set[int] = field(default_factory=set)
    negative: set[int] = field(default_factory=set)
    seen: tuple[set[int], set[int]] = field(default_factory=lambda: (set(), set()))

    def take(self, key: Any, candidate: Candidate) -> None:
        """Choose a product."""
        self.chosen[key] = candidate
        self.pool.pop(key, None)
        for m, c in candidate.value.items():
            if c > 0 or candidate.free:
                self.positive.add(m)
            if c < 0 or candidate.free:
                self.negative.add(m)

    def offer(self) -> None:
        """Products that can cancel something that is still new."""
        fresh = (self.positive - self.seen[0], self.negative - self.seen[1])
        self.seen = (set(self.positive), set(self.negative))
        for k, (fact, value) in enumerate(self.templates):
            still()
            free = fact.sign == "="
            for m, c in value.items():
                for side in (0, 1) if free else (0,) if c < 0 else (1,):
                    for t in fresh[side]:
                        self._offer(k, fact, value, t - m, free)

    def _offer(self, k: int, fact: Fact, value: Coded, code: int, free: bool) -> None:
        if not self.space.multiplier(code, free):
            return
        key = (k, code)
        if key in self.pool or key in self.chosen:
            return
        shifted = self.space.shifted(value, code)
        if shifted:
            strict = fact.sign == "<" and self.space.sign(code) == 2
            self.pool[key] = Candidate(shifted, key, free, strict)

    def cost(self, candidate: Candidate) -> tuple[float, int]:
        """How much it leaves to be cancelled by others."""
        waits = 0.0
        for m, c in candidate.value.items():
            if c > 0 and m not in self.negative:
                waits += 1
            elif c < 0 and m not in self.positive:
                waits += 0.3 if self.space.sign(m) else 1
        return waits, len(candidate.value)

    def grow(self, most: int) -> None:
        """Choose the best of those on offer."""
        self.offer()
        costs: dict[Any, tuple[float, int]] = {}
        for place, (key, candidate) in enumerate(self.pool.items()):
            if place % 1000 == 0:
                still()
            costs[key] = self.cost(candidate)
        for key in nsmallest(most, costs, key=costs.__getitem__):
            self.take(key, self.pool[key])
        for key, candidate in list(islice(self.binomials(), 30)):
            self.take(key, candidate)

    def binomials(self) -> Iterator[tuple[Any, Candidate]]:
        """Squares of differences for monomials that nothing else cancels."""
        waiting = {t for t in self.positive - self.negative if t}
        if not waiting:
            return
        classes: dict[int, list[int]] = {}
        for code in self.negative | {0}:
            split = self.space.half(code)
            if split is not None:
                classes.setdefault(split[0], []).append(split[1])
        for p, halves in classes.items():
            for i, g in enumerate(halves[:120]):
                for h in halves[:i]:
                    if p + g + h in waiting:
                        key = ("square", p, ((g, Fraction(1)), (h, Fraction(-1))))
                        yield key, Candidate(_coded_square(p, key[2]), key)


def search(writer: Writer, gap: Polynomial, order: str, effort: int) -> Terms | None:
    """Products that add up to a contradiction with the claim's negation, gap < 0 or <= 0."""
    negated, said = stated(writer, gap, order)
    if refuted(writer.forms, negated, said, order):
        return None
    for columns in _grown(writer, negated, said, order, effort):
        found = _solved(columns, effort)
        if found is not None:
            return [(w, _factors(writer, columns, c)) for w, c in found]
    return None


def grown(writer: Writer, gap: Polynomial, order: str, effort: int) -> Iterator[Columns]:
    """The products under consideration, round by round, as long as there are more."""
    yield from _grown(writer, *stated(writer, gap, order), order, effort)


def stated(writer: Writer, gap: Polynomial, order: str) -> tuple[Fact, Known]:
    """What a claim's negation says, and what is known."""
    forms = writer.forms
    signs = {"<=": "<", "<": "<=", "=": "<"}
    negated = Fact({m: -c for m, c in gap.items()}, ("neg",), signs[order])
    said = known(writer)
    values = [gap, *(f.value for f in (*said.facts, *said.equations))]
    of_atoms(writer, said, inner(forms, atoms_of(*values)))
    return negated, said


def _grown(writer: Writer, negated: Fact, said: Known, order: str, effort: int) -> Iterator[Columns]:
    forms = writer.forms
    values = [f.value for f in (negated, *said.facts, *said.equations)]
    places = inner(forms, atoms_of(*values) | set(said.least))
    space = Space(forms, said, places, signed=order != "=")
    facts = _templates(writer, negated, said, effort) if order != "=" else [negated, *said.equations]
    templates = [(f, space.coded(f.value)) for f in facts]
    columns = Columns(space, templates)
    columns.take((0, 0), Candidate(templates[0][1], (0, 0), False, negated.sign == "<"))
    if order == "<":
        columns.take("one", Candidate({0: number(1)}, ("monomial", 0), False, True))
    if effort:
        for key, candidate in _root_squares(space, columns):
            columns.pool[key] = candidate
    for most in ROUNDS[effort]:
        before = len(columns.chosen)
        columns.grow(most)
        yield columns
        if len(columns.chosen) == before:
            return


def _templates(writer: Writer, negated: Fact, said: Known, effort: int) -> list[Fact]:
    """The negation, the facts, and products of few of them."""
    forms = writer.forms
    depth, most, terms = WIDTH[effort]
    singles = [negated, *sorted(said.facts, key=lambda f: len(f.value))]
    roots = [
        Fact({((a, 1),): number(1)}, (line,), "<" if a in said.above else "<=")
        for a, line in {**said.least, **said.above}.items()
        if forms.radicand(a) is not None
    ]
    found = [*singles, *said.equations]
    level: list[tuple[int, Fact]] = list(enumerate(singles))
    factors = [*singles, *roots, *(said.equations if effort else [])]
    for d in range(2, depth + 1):
        following: list[tuple[int, Fact]] = []
        for i, f in level:
            for j, g in enumerate(factors):
                if j < i or (effort == 0 and i and j < len(singles)):
                    continue
                if len(f.value) * len(g.value) > terms or len(following) >= most * d * 3:
                    continue
                if g.sign == "=" and len(g.value) > 6:
                    continue
                product = times(forms, f, g)
                if product is not None:
                    following.append((j, product))
        found += [f for _, f in following]
        level = following
    return found


def _solved(columns: Columns, effort: int) -> Any:
    """The programme, with squares added as long as values of monomials contradict them."""
    space = columns.space

    def monomial(code: int) -> Candidate:
        return Candidate({code: number(1)}, ("monomial", code), False, space.sign(code) == 2)

    squares: dict[Any, Candidate] = {}
    for _ in range((3, 8, 14)[effort]):
        outcome = solve([*columns.chosen.values(), *squares.values()], space.sign, monomial)
        if outcome.weights is not None:
            return outcome.weights
        if not outcome.values:
            return None
        new = dict(squares_of(space, outcome.values, squares))
        if not new:
            return None
        squares |= new
    return None


def squares_of(space: Space, values: dict[int, float], taken: Any) -> Iterator[tuple[Any, Candidate]]:
    """Squares whose values are negative."""
    classes: dict[int, list[int]] = {}
    for code in values:
        split = space.half(code)
        if split is not None:
            classes.setdefault(split[0], []).append(split[1])
    for p, halves in classes.items():
        if len(halves) < 2 or len(halves) > 80:
            continue
        exists = {(i, j) for i, g in enumerate(halves) for j, h in enumerate(halves) if p + g + h in values}
        groups = {_group(i, j, len(halves), exists) for i, j in exists if i < j}
        groups |= {(i, j) for i, j in exists if i < j}
        for group in groups:
            yield from _violated(space, values, p, [halves[i] for i in group], taken)


def _group(i: int, j: int, size: int, exists: set[tuple[int, int]]) -> tuple[int, ...]:
    """A set of halves all of whose products occur, with two of them."""
    group = [i, j]
    for k in range(size):
        if k not in group and all((k, g) in exists for g in group):
            group.append(k)
    return tuple(sorted(group))


def _violated(
    space: Space, values: dict[int, float], p: int, halves: Sequence[int], taken: Any
) -> Iterator[tuple[Any, Candidate]]:
    n = len(halves)
    table = np.array([[values.get(p + g + h, 0.0) for h in halves] for g in halves])
    scale = np.sqrt(np.maximum(np.abs(np.diag(table)), 1e-6))
    eigenvalues, vectors = np.linalg.eigh(table / np.outer(scale, scale))
    if eigenvalues[0] > -1e-6:
        return
    raw = vectors[:, 0] / scale
    raw = raw / raw[np.argmax(np.abs(raw))]
    for most in (1, 2, 4, 12, 60, 1000):
        v = [Fraction(float(x)).limit_denominator(most) for x in raw]
        w = np.array([float(x) for x in v])
        if w @ table @ w < -1e-9:
            break
    else:
        return
    key = ("square", p, tuple((h, x) for h, x in zip(halves, v, strict=True) if x))
    if key in taken or n < 2:
        return
    yield key, Candidate(_coded_square(p, key[2]), key)


def _coded_square(p: int, parts: Sequence[tuple[int, Fraction]]) -> Coded:
    """A monomial times the square of a polynomial."""
    value: Coded = {}
    for g, x in parts:
        for h, y in parts:
            z = x * y
            value[p + g + h] = value.get(p + g + h, number(0)) + number(z.numerator, z.denominator)
    return {m: c for m, c in value.items() if c != 0}


def _root_squares(space: Space, columns: Columns) -> Iterator[tuple[Any, Candidate]]:
    """Squares of a root less a monomial or another root."""
    singles = [0, *(space.code(((a, 1),)) for a in space.atoms)]
    for i in space.roots:
        r = space.code(((space.atoms[i], 1),))
        for h in singles:
            for sign in (1, -1):
                if h == r:
                    continue
                key = ("square", 0, ((r, Fraction(1)), (h, Fraction(sign))))
                value = _square(space, key)
                if value is not None:
                    yield key, Candidate(value, key)


def _square(space: Space, key: Any) -> Coded | None:
    q = Quotient({space.monomial(h): number(x.numerator, x.denominator) for h, x in key[2]})
    found = space.forms.times(q, q)
    if found.below or any(a not in space.place for m in found.above for a, _ in m):
        return None
    return space.coded(found.above)


def _factors(writer: Writer, columns: Columns, candidate: Candidate) -> tuple[Any, ...]:
    """How a certificate writes a product."""
    space = columns.space
    head, *rest = candidate.factors
    if head == "monomial":
        return space.known.factors_of(writer, space.monomial(rest[0]))
    if head == "square":
        p, parts = rest
        poly = {space.monomial(h): number(x.numerator, x.denominator) for h, x in parts}
        return (
            *space.known.factors_of(writer, space.monomial(p)),
            ("sq", tree_of(writer.forms, Quotient(poly))),
        )
    fact = columns.templates[head][0]
    m: Monomial = space.monomial(rest[0])
    if not m:
        return tuple(fact.factors)
    if candidate.free:
        return (("*", tree_of(writer.forms, Quotient({m: number(1)}))), *fact.factors)
    return (*space.known.factors_of(writer, m), *fact.factors)
