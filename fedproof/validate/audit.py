"""Is the theory right: verdicts on statements, proof steps and the paper's own settings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from fedproof.bounds import catalog
from fedproof.bounds.statement import Statement
from fedproof.validate.decide import Decision, decide
from fedproof.validate.judgement import Judgement
from fedproof.validate.settings import SettingVerdict, judge_setting
from fedproof.vocabulary.errors import UnknownName
from fedproof.vocabulary.result import Result, Table

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Audit", "audit"]


@dataclass(frozen=True)
class Audit(Result):
    """Verdicts on steps, statements and settings."""

    steps: tuple[Decision, ...]
    statements: tuple[Judgement, ...]
    settings: tuple[SettingVerdict, ...]

    def to_dict(self) -> dict[str, Any]:
        """The contract's `audit` document."""
        return {
            "steps": [s.to_dict() for s in self.steps],
            "statements": [s.to_dict() for s in self.statements],
            "settings": [s.to_dict() for s in self.settings],
        }

    @property
    def frame(self) -> pd.DataFrame:
        """The verdicts on statements as a pandas table."""
        import pandas as pd

        return pd.DataFrame([s.to_dict() for s in self.statements]).set_index("id")

    def headline(self) -> str:
        """Counts by verdict."""
        counts = {v: sum(s.verdict == v for s in self.statements) for v in ("holds", "refuted", "open")}
        fits = sum(s.admissible is True for s in self.settings)
        said = ", ".join(f"{n} {v}" for v, n in counts.items())
        return (
            f"{len(self.statements)} statements: {said}; {fits} of {len(self.settings)} settings admissible"
        )

    def tables(self) -> tuple[Table, ...]:
        """Statements, steps and settings."""
        return (
            Table(
                "Statements",
                ("id", "verdict", "because", "detail"),
                tuple((s.id, s.verdict, s.because, s.detail) for s in self.statements),
            ),
            Table(
                "Steps",
                ("id", "verdict", "engines", "detail"),
                tuple((s.step.id, s.verdict, s.engines, s.detail) for s in self.steps),
            ),
            Table(
                "Settings of the paper",
                ("where", "statement", "admissible", "violates", "detail"),
                tuple(
                    (s.setting.where, s.statement, s.admissible, s.violates, s.detail) for s in self.settings
                ),
            ),
        )


def judge(statement: Statement) -> Judgement:
    """Decide one statement by the rule for its kind of claim."""
    verdict: Judgement = import_module(f"fedproof.validate.claims.{statement.claim.kind}").judge(statement)
    return verdict


def audit(*ids: str, progress: Callable[[str], None] | None = None) -> Audit:
    """Audit papers or statements: what holds, what is refuted with exact numbers, what is open.

    Arguments:
        ids: paper keys, statement ids or step ids; none means everything.
        progress: called with a note after each item.

    Returns: verdicts on steps, statements and the papers' own settings.
    Raises: UnknownName.

    >>> audit("fedproxvr.remark1.4.monotone").statements[0].verdict
    'refuted'
    """
    tick = progress or (lambda note: None)
    keys = set(catalog.papers())
    steps = [(s, k) for k in keys for s in catalog.steps(k)]
    known = [*keys, *catalog.statement_ids(), *(s.id for s, _ in steps)]
    for id in ids:
        if id not in known:
            raise UnknownName("paper, statement or step", id, known)

    def asked(id: str, key: str) -> bool:
        return not ids or id in ids or key in ids

    return Audit(
        tuple(_each((decide(s) for s, k in steps if asked(s.id, k)), tick)),
        tuple(_each((judge(s) for s in catalog.statements() if asked(s.id, s.paper)), tick)),
        tuple(
            v
            for k in keys
            if not ids or k in ids
            for group in _each((judge_setting(s) for s in catalog.settings(k)), tick)
            for v in group
        ),
    )


def _each(items: Iterable[Any], tick: Callable[[str], None]) -> Iterable[Any]:
    for item in items:
        tick("")
        yield item
