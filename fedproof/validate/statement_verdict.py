"""What was decided about a statement, and what an exact reader can re-check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import ModuleType
from typing import Any, Literal, cast, get_args

import sympy as sp

from fedproof.bounds.letter import Letter
from fedproof.bounds.statement import Statement
from fedproof.proof.certificates import Proved
from fedproof.proof.grounds import Ground, rows
from fedproof.proof.instance import Instance
from fedproof.proof.prove_or_refute import RelationVerdict
from fedproof.proof.rules.query import Query
from fedproof.vocabulary.discovery import paper_modules, read
from fedproof.vocabulary.errors import InputError, UnknownName
from fedproof.vocabulary.papers import paper
from fedproof.vocabulary.values import parse_value, text_of

Verdict = Literal["holds", "holds amended", "refuted", "vacuous", "open"]


@dataclass(frozen=True)
class StatementVerdict:
    """A verdict on a statement.

    Arguments:
        id: of the statement.
        verdict: open unless earned.
        because: what earned it: engines, rules, or ids of other statements.
        witness: exact values that break it, for a refutation.
        detail: one sentence with the numbers.
        instance: the relations that hold and fail at the witness, where it comes down to such.
        proofs: certificates that prove it.
        grounds: what its proof rests on, down to the paper's assumptions.
        questions: what the engines alone agree on.
    """

    id: str
    verdict: Verdict
    because: tuple[str, ...]
    detail: str
    witness: Mapping[str, Fraction] | None = None
    instance: Instance | None = None
    proofs: tuple[Proved, ...] = ()
    grounds: tuple[Ground, ...] = ()
    questions: tuple[Query, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """One row of the contract's `audit` document."""
        exact = None if self.witness is None else {k: text_of(v) for k, v in self.witness.items()}
        shown = None if self.instance is None else self.instance.to_dict()
        return {
            "id": self.id,
            "verdict": self.verdict,
            "because": self.because,
            "witness": exact,
            "detail": self.detail,
            "instance": shown if self.verdict == "refuted" else None,
            "example": None if self.verdict == "refuted" else shown,
            "rests_on": rows(self.grounds),
            "proofs": [p.row for p in self.proofs],
            "questions": len(self.questions),
        }


def declared(key: str) -> dict[str, Verdict]:
    """The verdicts that a paper's own file says an audit must find, by statement.

    Raises: InputError for what is no table of them, UnknownName for a statement or a word that is none.
    """

    def table(module: ModuleType) -> dict[str, Verdict]:
        said = getattr(module, "VERDICTS", None)
        if not isinstance(said, dict):
            raise InputError("VERDICTS", said, "a dict of statements' ids and words", "write VERDICTS = {}")
        for id, word in said.items():
            if id not in paper(key).statements:
                raise UnknownName("statement in VERDICTS", str(id), paper(key).statements)
            if word not in get_args(Verdict):
                raise UnknownName(f"verdict on {id}", str(word), get_args(Verdict))
        return said

    known = paper_modules("verdicts").get(key)
    return read(known, table) if known else {}


def open_steps(key: str) -> tuple[str, ...]:
    """The steps that a paper's own file says have no certificate yet."""
    known = paper_modules("verdicts").get(key)
    return tuple(read(known, lambda module: getattr(module, "OPEN_STEPS", ()))) if known else ()


def judgement(statement: Statement, decision: RelationVerdict, prefix: str = "") -> StatementVerdict:
    """The judgement on a statement that comes down to one settled relation."""
    because = (
        ("exact witness",) if decision.instance is not None else ("certificate",) * bool(decision.proofs)
    )
    verdict = cast("Verdict", decision.verdict)
    detail = prefix + decision.detail
    return StatementVerdict(
        statement.id,
        verdict,
        because,
        detail,
        decision.witness,
        decision.instance,
        proofs=decision.proofs,
        questions=decision.questions,
    )


def told(statement: Statement) -> dict[str, Fraction] | None:
    """The exact values that come with a statement, to be tried first."""
    return {name: parse_value(text, name) for name, text in statement.witness} or None


def domain_relations(letter: Letter) -> list[sp.Basic]:
    """A letter's domain as SymPy relations."""
    domain, x = letter.domain, letter.symbol
    found: list[sp.Basic] = []
    if domain.lo is not None:
        lo = sp.Rational(domain.lo.numerator, domain.lo.denominator)
        found.append(x > lo if domain.lo_open else x >= lo)
    if domain.hi is not None:
        hi = sp.Rational(domain.hi.numerator, domain.hi.denominator)
        found.append(x < hi if domain.hi_open else x <= hi)
    return found


def without_meaning(
    statement: Statement, given: Sequence[sp.Basic], then: sp.Basic
) -> tuple[list[sp.Basic], sp.Basic, list[tuple[list[sp.Basic], sp.Basic]]] | None:
    """The same question with named quantities kept as symbols known by their facts alone.

    Sound: fewer hypotheses are used, and each fact comes with the obligation that proves it.

    Returns: hypotheses, claim, obligations (hypotheses and claim each); None where nothing is named.
    """
    named = [d for d in statement.where if d.facts]
    named_symbols = frozenset(d.symbol for d in named)
    asked = [statement.expand_all_but(r, named_symbols) for r in (*given, then)]
    if not named or not named_symbols & set().union(*(r.free_symbols for r in asked)):
        return None
    speaks_of = set().union(*(r.free_symbols for r in asked))
    facts = [f for d in named if d.symbol in speaks_of for f in d.facts]
    hypotheses = [h for h in standing(statement) if h.free_symbols <= speaks_of] + facts + asked[:-1]
    owed = [statement.expand(f) for f in facts]
    here = [statement.expand(g) for g in given]
    obligations = [
        (standing(statement) + [g for g in here if g.free_symbols <= f.free_symbols], f) for f in owed
    ]
    return hypotheses, asked[-1], obligations


def standing(statement: Statement) -> list[sp.Basic]:
    """Everything a claim may assume: the letters' domains and the statement's conditions."""
    domains = [r for letter in statement.letters for r in domain_relations(letter)]
    return domains + [c.relation for c in statement.admissible]
