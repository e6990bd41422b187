"""A place in a proof: names, lines that hold, what is known to be defined, and the tactics written so far."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from fedproof.proof.coq.needs import Need, distinct, quantified, written
from fedproof.proof.coq.terms import core
from fedproof.proof.kernel.forms import Forms
from fedproof.proof.kernel.polynomials import Quotient
from fedproof.proof.kernel.relations import equate
from fedproof.proof.kernel.trees import Rejected, Tree


@dataclass
class Scope:
    """What a proof may use here.

    Arguments:
        kinds: of the names.
        given: the hypotheses.
        used: names with kinds, hypotheses and claim of the steps that may be used.
        lines: the relations that hold, by number; `L0`, `L1`, ... in Coq.
        known: the needs that are met, as they are written, with the name of each.
        meant: the same needs, by how they are written.
        facts: relations that hold between numbers, with what proves each.
        out: the tactics, of all places.
        anywhere: indices of which no range is known.
    """

    kinds: dict[str, str]
    given: tuple[Tree, ...]
    used: Mapping[str, Any]
    lines: list[Tree] = field(default_factory=list)
    known: dict[str, str] = field(default_factory=dict)
    meant: dict[str, Need] = field(default_factory=dict)
    facts: list[tuple[Tree, str]] = field(default_factory=list)
    out: list[str] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=count)
    equal: tuple[int, ...] = ()
    anywhere: frozenset[str] = frozenset()
    gaps: dict[Any, Quotient | None] = field(default_factory=dict)
    readings: dict[tuple[int, ...], Forms] = field(default_factory=dict)
    forms: Forms = field(default_factory=lambda: Forms({}))

    def __post_init__(self) -> None:
        self.forms = Forms(dict(self.kinds))

    def fresh(self, letter: str) -> str:
        """A name of Coq that is new."""
        return f"{letter}{next(self.numbers)}"

    def write(self, *tactics: str) -> None:
        """Go on with tactics."""
        self.out += tactics

    def inside(self, **names: str) -> Scope:
        """A proof inside this one, with new names."""
        return Scope(
            {**self.kinds, **names},
            self.given,
            self.used,
            [*self.lines],
            {**self.known},
            {**self.meant},
            [*self.facts],
            self.out,
            self.numbers,
            self.equal,
            self.anywhere,
        )

    @contextmanager
    def block(self) -> Iterator[None]:
        """Tactics for the first goal alone."""
        self.write("{")
        yield
        self.write("}")

    def holds(self, relation: Tree) -> str:
        """Note that a line holds, and say its name."""
        hypothesis = f"L{len(self.lines)}"
        self.lines.append(relation)
        if not quantified(relation):
            self.facts.append((relation, hypothesis))
            self.radicand(relation, hypothesis)
        return hypothesis

    def radicand(self, relation: Tree, hypothesis: str) -> None:
        """Note that what has a positive root is not 0."""
        order, a, b = relation
        if order == "<" and a == "0" and isinstance(b, tuple) and b[0] == "^" and b[2] == "1/2":
            need = ("!=", b[1], "0")
            text = written(need, self.kinds)
            if text not in self.known:
                own = self.fresh("N")
                self.write(f"pose proof (root_apart _ {hypothesis}) as {own}.")
                self.met(need, text, own)

    def met(self, need: Need, text: str, hypothesis: str) -> None:
        """Note that a need is met."""
        self.known[text] = hypothesis
        self.meant[text] = need
        if need[0] in ("!=", "<="):
            self.facts.append((need, hypothesis))

    def taken(self, relation: Tree, proof: str, needs: list[tuple[Need, str]] | None = None) -> str:
        """Take apart what proves a relation with its needs, as the next line."""
        if quantified(relation):
            line = self.holds(relation)
            self.write(f"pose proof {proof} as {line}.")
            return line
        pattern = []
        for need, text in distinct(relation, self.kinds) if needs is None else needs:
            if text in self.known:
                pattern.append("_")
            else:
                pattern.append(self.fresh("N"))
                self.met(need, text, pattern[-1])
        line = f"L{len(self.lines)}"
        self.write(f"pose proof {proof} as {bracketed([*pattern, line])}.")
        return self.holds(relation)

    def gap(self, relation: Tree) -> Quotient | None:
        """Right less left of a relation between numbers, in normal form; None where there is none."""
        key = (relation, self.equal)
        if key not in self.gaps:
            try:
                forms = self.reading()
                self.gaps[key] = forms.number(relation[2]) - forms.number(relation[1])
            except Rejected:
                self.gaps[key] = None
        return self.gaps[key]

    def reading(self) -> Forms:
        """Normal forms in which the equations that are read are used."""
        if not self.equal:
            return self.forms
        if self.equal not in self.readings:
            self.readings[self.equal] = Forms(dict(self.kinds))
            for place in self.equal:
                equate(self.readings[self.equal], self.lines[place])
        return self.readings[self.equal]

    @contextmanager
    def equating(self, equal: Sequence[int]) -> Iterator[None]:
        """Read equations for a while."""
        before, self.equal = self.equal, tuple(equal)
        yield
        self.equal = before

    def whole(self, line: int) -> str:
        """What proves a line with its needs."""
        relation = self.lines[line]
        if quantified(relation):
            return f"L{line}"
        return conjunction([*(self.known[t] for _, t in distinct(relation, self.kinds)), f"L{line}"])

    def core(self, relation: Tree) -> str:
        """What a relation says without its needs."""
        return core(relation, self.kinds)


def bracketed(names: list[str]) -> str:
    """A pattern for a conjunction."""
    return f"({' & '.join(names)})" if len(names) > 1 else names[0]


def conjunction(proofs: list[str]) -> str:
    """What proves a conjunction."""
    *first, last = proofs
    for p in reversed(first):
        last = f"(conj {p} {last})"
    return last
