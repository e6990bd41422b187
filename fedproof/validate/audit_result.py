"""What an audit found: verdicts on steps, statements and settings, what failed, and how it is shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, get_args

from fedproof.bounds import catalog
from fedproof.proof.kernel.trees import as_json
from fedproof.proof.standing import standing
from fedproof.proof.step import Step
from fedproof.proof.step_verdict import StepDecision, StepVerdict
from fedproof.proof.tightness import Tightness
from fedproof.proof.tree_text import text
from fedproof.validate.formal import metrics
from fedproof.validate.proof_basis import statement_row
from fedproof.validate.recheck import recheck
from fedproof.validate.settings import SettingVerdict, by_setting
from fedproof.validate.statement_verdict import StatementVerdict, Verdict, declared, open_steps
from fedproof.vocabulary.papers import Paper, papers
from fedproof.vocabulary.result import Result, Table, as_html, jsonable

if TYPE_CHECKING:
    import pandas as pd

STATEMENT_WORDS: tuple[str, ...] = get_args(Verdict)
STEP_WORDS: tuple[str, ...] = get_args(StepVerdict)
#: of so many statements a terminal shows what they rest on
FEW = 3


@dataclass(frozen=True)
class Audit(Result):
    """Verdicts on steps, statements and settings.

    Arguments:
        steps, statements, settings: in the papers' order.
        deep: by the id of a proved step what its proof needs and leaves unused; empty unless asked for.
        asked: the keys and ids that were asked for; none means everything.
        basis: the other steps that these rest on, so that their certificates can be checked.
    """

    steps: tuple[StepDecision, ...]
    statements: tuple[StatementVerdict, ...]
    settings: tuple[SettingVerdict, ...]
    deep: Mapping[str, Tightness] = field(default_factory=dict)
    asked: tuple[str, ...] = ()
    basis: tuple[StepDecision, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The contract's `audit` document, with what a page and a re-check need."""
        return dict(self._document)

    @cached_property
    def plain(self) -> dict[str, Any]:
        """The same as JSON has it, made once: it is long."""
        found: dict[str, Any] = jsonable(self._document)
        return found

    @cached_property
    def _document(self) -> dict[str, Any]:
        keys = dict.fromkeys(
            [s.step.source.paper for s in self.steps if s.step.source]
            + [catalog.statement(s.id).paper for s in self.statements]
        )
        found = [p for p in papers().values() if p.key in keys]
        rows = [s.to_dict() | _part(s.step) | self._tightness_of(s) for s in self.steps]
        checkable = _checkable([*rows, *(s.to_dict() for s in self.basis)])
        return {
            "steps": checkable[: len(rows)],
            "basis": checkable[len(rows) :],
            "statements": [statement_row(s) for s in self.statements],
            "settings": [s.to_dict() for s in self.settings],
            "papers": [_paper(p) for p in found],
            "asked": self.asked,
        }

    def _tightness_of(self, decision: StepDecision) -> dict[str, Any]:
        tightness = self.deep.get(decision.step.id)
        return {"deep": None if tightness is None else tightness.to_dict()}

    @cached_property
    def rechecks(self) -> tuple[tuple[str, int, str], ...]:
        """What the standard-library script says of this audit: id, 0 where it agrees, and its words."""
        return tuple(recheck(self.plain))

    @property
    def failed(self) -> tuple[str, ...]:
        """What should hold and does not, in words: corrections, and the re-check of what is refuted.

        Also what a paper's own verdicts say otherwise. A printed statement or step that is refuted is an
        answer, not a failure.
        """
        amends = {s.id: catalog.statement(s.id).amends for s in self.statements}
        papers_of = dict.fromkeys(catalog.statement(s.id).paper for s in self.statements)
        said = {id: word for key in papers_of for id, word in declared(key).items()}
        keys = {s.step.source.paper for s in self.steps if s.step.source} & set(papers())
        without = {id for key in keys for id in open_steps(key)}
        found = [
            f"{s.id} corrects {amends[s.id]} and is {s.verdict}"
            for s in self.statements
            if amends[s.id] and s.verdict not in ("holds", "holds amended", said.get(s.id))
        ]
        found += [
            f"{s.step.id} repairs {s.step.repairs} and is {s.verdict}"
            for s in self.steps
            if s.step.repairs and s.verdict not in ("proved", "cited") and s.step.id not in without
        ]
        found += [
            f"{s.id} is declared {said[s.id]} in its paper's verdicts and is judged {s.verdict}"
            for s in self.statements
            if said.get(s.id, s.verdict) != s.verdict
        ]
        return (*found, *(f"{id}: {said}" for id, code, said in self.rechecks if code == 1))

    @property
    def frame(self) -> pd.DataFrame:
        """The verdicts on statements as a pandas table."""
        import pandas as pd

        return pd.DataFrame([s.to_dict() for s in self.statements]).set_index("id")

    def headline(self) -> str:
        """Counts by verdict."""
        return counts_of(
            [s.verdict for s in self.statements],
            [s.verdict for s in self.steps],
            by_setting(s.to_dict() for s in self.settings),
        )

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
        rests = Table("What they rest on", ("statement", "what", "id", "formula"), tuple(self._rests()))
        return tuple(t for t in (*tables, rests) if t.rows)

    def _rests(self) -> Iterator[tuple[str, str, str, str]]:
        """Of a few statements: what their metric is called in the proof, and every granted formula."""
        if len(self.statements) > FEW:
            return
        known = {d.step.id: d.step for d in (*self.steps, *self.basis)}
        for s in self.statements:
            if s.verdict in ("holds", "holds amended"):
                ends = (known[id] for id in s.because if id in known)
                yield from ((s.id, "the last step", step.id, str(step.claim)) for step in ends)
                yield from ((s.id, g.kind, g.id, g.text) for g in s.grounds)

    def _repr_html_(self) -> str:
        from fedproof.algebra.mathml import wrapping

        found = self._document
        statements = tuple(
            (s["title"], wrapping(s["claim_latex"]), s["verdict"], s["detail"]) for s in found["statements"]
        )
        proved, other = (
            tuple(
                (s["equation"], wrapping(s["claim_latex"]), s["verdict"], s["detail"])
                for s in found["steps"]
                if (s["verdict"] == "proved") == is_proved
            )
            for is_proved in (True, False)
        )
        columns = ("where", "claim", "verdict", "detail")
        shown = (
            Table("Statements", columns, statements),
            Table("Steps that are not proved", columns, other),
            *(t for t in self.tables() if t.title.startswith("Settings")),
        )
        said = as_html(self.headline(), [t for t in shown if t.rows])
        more = as_html("", [Table("", columns, proved)])
        return said + (f"<details><summary>{len(proved)} proved</summary>{more}</details>" if proved else "")


def counts_of(statements: list[str], steps: list[str], admissible: list[bool | None]) -> str:
    """Verdicts on statements and steps counted, and how many settings are admissible."""
    fits = f"{admissible.count(True)} of {len(admissible)} settings admissible"
    parts = [_counted("statement", statements, STATEMENT_WORDS), _counted("step", steps, STEP_WORDS), fits]
    shown = [statements, steps, admissible]
    return "; ".join(part for part, said in zip(parts, shown, strict=True) if said)


def _checkable(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows with the certificates that can be checked from the rows alone, which have the steps they use."""
    known: set[str] = set()
    while True:
        more = {r["id"] for r in rows if r["certificate"] and set(r["certificate"]["uses"]) <= known} - known
        if not more:
            return [r if r["id"] in known else r | {"certificate": None, "closing": None} for r in rows]
        known |= more


def _part(step: Step) -> dict[str, Any]:
    known = step.source is not None and step.source.paper in papers()
    return {"part": catalog.parts(step.source.paper).get(step.id) if step.source and known else None}


def _paper(paper: Paper) -> dict[str, Any]:
    assumed = catalog.assumptions(paper.key).values()
    granted = standing(paper.key)
    return paper.facts | {
        "lists": sorted(granted.lists),
        "kinds": granted.kinds,
        "means": granted.tables,
        "granted": [{"id": id, "text": text(tree), "is": as_json(tree)} for id, tree in granted.formulas],
        "metrics": metrics(paper.key),
        "readings": {s.id: s.reading for s in catalog.statements(paper.key) if s.reading},
        "assumptions": [
            {"id": a.id, "name": a.name, "latex": a.latex, "source": a.source.where} for a in assumed
        ],
    }


def _counted(noun: str, verdicts: list[str], words: tuple[str, ...]) -> str:
    said = ", ".join(f"{verdicts.count(w)} {w}" for w in words if w in verdicts)
    return f"{len(verdicts)} {noun}{'s' if len(verdicts) != 1 else ''}: {said}"
