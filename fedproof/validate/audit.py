"""Is the theory right: verdicts on statements, proof steps and the paper's own settings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

from fedproof.bounds import catalog
from fedproof.bounds.statement import Setting, Statement
from fedproof.bounds.step import Step
from fedproof.validate.basis import statement_row
from fedproof.validate.decide import Decision, decide
from fedproof.validate.deep import Deep, look_deeper
from fedproof.validate.judgement import Judgement
from fedproof.validate.recheck import recheck
from fedproof.validate.settings import SettingVerdict, judge_setting
from fedproof.vocabulary.errors import UnknownName
from fedproof.vocabulary.result import Result, Table, jsonable

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Audit", "audit", "size"]

_STATEMENTS = ("holds", "holds amended", "refuted", "vacuous", "open")
_STEPS = ("proved", "refuted", "damaged", "cited", "open")


@dataclass(frozen=True)
class Audit(Result):
    """Verdicts on steps, statements and settings.

    Arguments:
        steps, statements, settings: in the papers' order.
        deep: by the id of a proved step what its proof needs and leaves unused; empty unless asked for.
        asked: the keys and ids that were asked for; none means everything.
    """

    steps: tuple[Decision, ...]
    statements: tuple[Judgement, ...]
    settings: tuple[SettingVerdict, ...]
    deep: Mapping[str, Deep] = field(default_factory=dict)
    asked: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The contract's `audit` document, with what a page and a re-check need."""
        return dict(self._document)

    @cached_property
    def _document(self) -> dict[str, Any]:
        keys = dict.fromkeys(
            [s.step.source.paper for s in self.steps if s.step.source]
            + [catalog.statement(s.id).paper for s in self.statements]
        )
        found = [p for p in catalog.papers().values() if p.key in keys]
        return {
            "steps": [s.to_dict() | _part(s.step) | self._deep(s) for s in self.steps],
            "statements": [statement_row(s) for s in self.statements],
            "settings": [s.to_dict() for s in self.settings],
            "papers": [_paper(p) for p in found],
            "asked": self.asked,
        }

    def _deep(self, decision: Decision) -> dict[str, Any]:
        found = self.deep.get(decision.step.id)
        return {"deep": None if found is None else found.to_dict()}

    @cached_property
    def rechecks(self) -> tuple[tuple[str, int, str], ...]:
        """What the standard-library script says of this audit: id, 0 where it agrees, and its words."""
        return tuple(recheck(jsonable(self._document)))

    @property
    def failed(self) -> tuple[str, ...]:
        """What should hold and does not, in words: corrections, and the re-check of what is refuted.

        A printed statement or step that is refuted is an answer, not a failure.
        """
        amends = {s.id: catalog.statement(s.id).amends for s in self.statements}
        found = [
            f"{s.id} corrects {amends[s.id]} and is {s.verdict}"
            for s in self.statements
            if amends[s.id] and s.verdict not in ("holds", "holds amended")
        ]
        found += [
            f"{s.step.id} repairs {s.step.repairs} and is {s.verdict}"
            for s in self.steps
            if s.step.repairs and s.verdict not in ("proved", "cited")
        ]
        return (*found, *(f"{id}: {said}" for id, code, said in self.rechecks if code == 1))

    @property
    def frame(self) -> pd.DataFrame:
        """The verdicts on statements as a pandas table."""
        import pandas as pd

        return pd.DataFrame([s.to_dict() for s in self.statements]).set_index("id")

    def headline(self) -> str:
        """Counts by verdict."""
        fits = sum(s.admissible is True for s in self.settings)
        parts = [
            _counted("statement", [s.verdict for s in self.statements], _STATEMENTS),
            _counted("step", [s.verdict for s in self.steps], _STEPS),
            f"{fits} of {len(self.settings)} settings admissible",
        ]
        shown = [bool(self.statements), bool(self.steps), bool(self.settings)]
        return "; ".join(part for part, said in zip(parts, shown, strict=True) if said)

    def tables(self) -> tuple[Table, ...]:
        """Statements, steps and settings."""
        tables = (
            Table(
                "Statements",
                ("id", "verdict", "because", "detail"),
                tuple((s.id, s.verdict, s.because, s.detail) for s in self.statements),
            ),
            Table(
                "Steps",
                ("id", "where", "verdict", "engines", "detail"),
                tuple(
                    (s.step.id, s.step.source.where if s.step.source else "", s.verdict, s.engines, s.detail)
                    for s in self.steps
                ),
            ),
            Table(
                "Settings of the paper",
                ("where", "statement", "admissible", "violates", "detail"),
                tuple(
                    (s.setting.where, s.statement, s.admissible, s.violates, s.detail) for s in self.settings
                ),
            ),
        )
        return tuple(t for t in tables if t.rows)


def _part(step: Step) -> dict[str, Any]:
    known = step.source is not None and step.source.paper in catalog.papers()
    return {"part": catalog.parts(step.source.paper).get(step.id) if step.source and known else None}


def _paper(paper: catalog.Paper) -> dict[str, Any]:
    assumed = catalog.assumptions(paper.key).values()
    return {
        "key": paper.key,
        "title": paper.title,
        "authors": paper.authors,
        "venue": paper.venue,
        "assumptions": [
            {"id": a.id, "name": a.name, "latex": a.latex, "source": a.source.where} for a in assumed
        ],
    }


def _counted(noun: str, verdicts: list[str], words: tuple[str, ...]) -> str:
    said = ", ".join(f"{verdicts.count(w)} {w}" for w in words if w in verdicts)
    return f"{len(verdicts)} {noun}{'s' if len(verdicts) != 1 else ''}: {said}"


def judge(statement: Statement) -> Judgement:
    """Decide one statement by the rule for its kind of claim."""
    verdict: Judgement = import_module(f"fedproof.validate.claims.{statement.claim.kind}").judge(statement)
    return verdict


@dataclass(frozen=True)
class _Asked:
    """What an audit is about."""

    steps: tuple[Step, ...]
    statements: tuple[Statement, ...]
    settings: tuple[Setting, ...]


def _asked(ids: tuple[str, ...]) -> _Asked:
    keys = tuple(catalog.papers())
    steps = [(s, k) for k in keys for s in catalog.steps(k)]
    known = [*keys, *catalog.statement_ids(), *(s.id for s, _ in steps)]
    for id in ids:
        if id not in known:
            raise UnknownName("paper, statement or step", id, known)

    def wanted(id: str, key: str) -> bool:
        return not ids or id in ids or key in ids

    return _Asked(
        tuple(s for s, k in steps if wanted(s.id, k)),
        tuple(s for s in catalog.statements() if wanted(s.id, s.paper)),
        tuple(s for k in keys if wanted(k, k) for s in catalog.settings(k)),
    )


def size(*ids: str, deep: bool = False) -> int:
    """How many times `audit` calls its progress function.

    >>> size("fedproxvr.remark1.4.monotone")
    1
    """
    asked = _asked(ids)
    return len(asked.steps) * (2 if deep else 1) + len(asked.statements) + len(asked.settings)


def audit(*ids: str, progress: Callable[[str], None] | None = None, deep: bool = False) -> Audit:
    """Audit papers or statements: what holds, what is refuted with exact numbers, what is open.

    Arguments:
        ids: paper keys, statement ids or step ids; none means everything.
        progress: called with a note after each item.
        deep: also which hypotheses each proved step needs, and its slack; this takes many times longer.

    Returns: verdicts on steps, statements and the papers' own settings.
    Raises: UnknownName.

    >>> audit("fedproxvr.remark1.4.monotone").statements[0].verdict
    'refuted'
    """
    tick = progress or (lambda note: None)
    asked = _asked(ids)
    steps = tuple(_each(decide, asked.steps, lambda s: s.id, tick))
    looked = _each(look_deeper, steps, lambda s: f"{s.step.id}, deeper", tick) if deep else ()
    return Audit(
        steps,
        tuple(_each(judge, asked.statements, lambda s: s.id, tick)),
        tuple(v for found in _each(judge_setting, asked.settings, lambda s: s.where, tick) for v in found),
        {found.id: found for found in looked if found is not None},
        ids,
    )


def _each(
    act: Callable[[Any], Any],
    items: Iterable[Any],
    name: Callable[[Any], str],
    tick: Callable[[str], None],
) -> Iterator[Any]:
    for item in items:
        yield act(item)
        tick(name(item))
