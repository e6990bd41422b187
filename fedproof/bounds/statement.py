"""A statement of a paper as frozen data: source, definitions, conditions, one claim."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import sympy as sp

from fedproof.algebra.expressions import expand, names_in
from fedproof.algebra.formula import Formula, Relation
from fedproof.bounds.claims import Claim
from fedproof.bounds.letter import Letter, Printer, printer
from fedproof.vocabulary.errors import UnknownName
from fedproof.vocabulary.result import Shown, Table, as_html
from fedproof.vocabulary.source import Source


@dataclass(frozen=True)
class Def:
    """A derived quantity that stays visible in LaTeX and is substituted elsewhere.

    Arguments:
        letter: what is defined.
        expr: its meaning.
        source: where.
        report: whether a check shows its value beside the verdict.
        facts: bounds on it that follow from the conditions; a proof may use them and forget the meaning.
    """

    letter: Letter
    expr: sp.Expr
    source: str = ""
    report: bool = False
    facts: tuple[sp.Basic, ...] = ()

    @property
    def symbol(self) -> sp.Symbol:
        """The symbol that is defined."""
        return self.letter.symbol


@dataclass(frozen=True)
class Condition:
    """A labelled relation that a statement requires."""

    label: str
    relation: sp.Basic
    source: str = ""


@dataclass(frozen=True)
class Chosen:
    """A variable bound by "there exists", eliminated by its best value.

    `best` satisfies the conditions in `settles`, and whenever any value satisfies all
    conditions, so does `best`; hence a user is never asked for the variable.
    """

    letter: Letter
    best: sp.Expr
    settles: tuple[str, ...]
    why: str


@dataclass(frozen=True)
class Assumption:
    """A standing hypothesis on functions or sampling, which no number can check.

    Arguments:
        id: permanent name.
        name: what is assumed, in words.
        latex: as the paper prints it.
        source: where.
        condition: its name in the table of `fedproof/proof/conditions`, if it is one of those.
    """

    id: str
    name: str
    latex: str
    source: Source
    condition: str = ""


@dataclass(frozen=True)
class PaperSetting:
    """Parameter values that a paper's text, table or figure states, and nothing it leaves out.

    Arguments:
        paper: key.
        where: they stand.
        parameters: by letter.
        statements: ids of those that speak of them.
        extra: values that no statement speaks of.
        beside: what the statements do not model of it, in a sentence.
    """

    paper: str
    where: str
    parameters: tuple[tuple[str, str], ...]
    statements: tuple[str, ...]
    extra: tuple[tuple[str, str], ...] = ()
    beside: str = ""


@dataclass(frozen=True)
class Statement(Shown):
    """One claim of a paper, with everything needed to read, check and range it.

    Arguments:
        id: permanent name `<key>.<kind><number>[.<variant>]`, never parsed.
        title: what a reader calls it.
        source: where it stands.
        letters: the symbols a user supplies, in the paper's order.
        claim: what is asserted.
        where: definitions, each may use earlier ones.
        conditions: what must hold for the claim to apply.
        chosen: variables under "there exists", with their best values.
        assumptions: ids of standing hypotheses.
        uses: ids of statements it rests on.
        amends: id of the printed statement this one corrects.
        note: what a careful reader should know.
        proof: ids of the last steps of its proof.
        grants: ids of assumptions that its claim establishes for statements that use it.
        reading: how the text was read where it leaves a choice; what holds so holds amended by it.
        counterexample: ids of steps that show an instance which breaks a claim that is not about numbers
            alone: the last is what the claim would imply and is refuted, the others are proved.
        witness: exact values to try first, as text: (("mu", "3/2"), ...); at which its conditions hold, where
            the claim is a bound.
    """

    id: str
    title: str
    source: Source
    letters: tuple[Letter, ...]
    claim: Claim
    where: tuple[Def, ...] = ()
    conditions: tuple[Condition, ...] = ()
    chosen: tuple[Chosen, ...] = ()
    assumptions: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    amends: str | None = None
    note: str = ""
    proof: tuple[str, ...] = ()
    grants: tuple[str, ...] = ()
    counterexample: tuple[str, ...] = ()
    reading: str = ""
    witness: tuple[tuple[str, str], ...] = ()

    @property
    def paper(self) -> str:
        """The paper's key."""
        return self.source.paper

    @cached_property
    def definitions(self) -> dict[sp.Symbol, sp.Expr]:
        """Definitions and best choices, to be substituted latest first."""
        choices = {c.letter.symbol: c.best for c in self.chosen}
        return {d.symbol: d.expr for d in self.where} | choices

    def expand(self, expr: Any) -> Any:
        """An expression or relation in the user's symbols only."""
        return expand(expr, self.definitions)

    def expand_all_but(self, expr: Any, excluded: Set[sp.Symbol]) -> Any:
        """An expression with every definition substituted except those kept as symbols."""
        return expand(expr, {s: e for s, e in self.definitions.items() if s not in excluded})

    def assuming(self, other: Assumption, instead: Assumption, **changes: Any) -> Statement:
        """The same under another assumption, which amends it; that it asks no more is for a step to prove.

        Arguments:
            other: what its own proof needs.
            instead: what this statement assumes, which makes room.
            changes: id, title, note, proof.

        Raises: UnknownName where this statement assumes no such thing.
        """
        if instead.id not in self.assumptions:
            raise UnknownName(f"assumption of {self.id}", instead.id, self.assumptions)
        left = tuple(other.id if id == instead.id else id for id in self.assumptions)
        where = f"{self.source.where}; assuming {other.id} in place of {instead.id}"
        source = Source(self.paper, where)
        return replace(self, assumptions=left, amends=self.id, source=source, **changes)

    @cached_property
    def admissible(self) -> tuple[Condition, ...]:
        """The conditions in the user's symbols, those settled by a choice left out."""
        settled = {label for c in self.chosen for label in c.settles}
        return tuple(
            Condition(c.label, self.expand(c.relation), c.source)
            for c in self.conditions
            if c.label not in settled
        )

    @cached_property
    def needed(self) -> tuple[str, ...]:
        """Names that the conditions depend on, in the paper's order."""
        used = set().union(*(names_in(c.relation) for c in self.admissible)) if self.conditions else set()
        return tuple(letter.name for letter in self.letters if letter.name in used)

    @property
    def bound(self) -> sp.Expr | None:
        """The right-hand side of a bound in the user's symbols, or None."""
        expr = getattr(self.claim, "expr", None) if self.claim.kind == "bound" else None
        return None if expr is None else self.expand(expr)

    @cached_property
    def formulas(self) -> dict[str, Formula]:
        """The bound, where the claim is one, under "bound"; each definition under its letter."""
        found = {d.letter.name: Formula(self.expand(d.expr)) for d in self.where}
        return found if self.bound is None else found | {"bound": Formula(self.bound)}

    @cached_property
    def relations(self) -> dict[str, Relation]:
        """The conditions by label, in the user's symbols."""
        return {c.label: Relation(c.relation) for c in self.admissible}

    @property
    def printed(self) -> tuple[Letter, ...]:
        """Every letter that it speaks of: what a user supplies, what is defined, what is chosen."""
        derived = [d.letter for d in self.where] + [c.letter for c in self.chosen]
        return (*self.letters, *derived, *getattr(self.claim, "choose", ()))

    @cached_property
    def tex(self) -> Printer:
        """Prints any expression of this statement in the paper's letters."""
        return printer(self.printed)

    @property
    def claim_latex(self) -> str:
        """The claim as printed."""
        return self.claim.latex(self.tex)

    def headline(self) -> str:
        """Id and title."""
        return f"{self.id}: {self.title} ({self.source})"

    def _repr_html_(self) -> str:
        from fedproof.algebra.mathml import wrapping

        return as_html(self.headline(), [Table("", ("claim",), ((wrapping(self.claim_latex),),))])

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.claim_latex}$"
