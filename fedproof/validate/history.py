"""Saved runs against the bound that their paper says applies to them, as far as what they hold allows."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from fedproof.bounds.statement_handle import statement
from fedproof.solvers.cohort import Participation
from fedproof.solvers.history_file import parsed
from fedproof.validate.statistics import LEAST_SEEDS, mean_test
from fedproof.validate.verdict import BoundComparison
from fedproof.vocabulary.discovery import readable
from fedproof.vocabulary.errors import DataError, InputError, UnknownName
from fedproof.vocabulary.papers import data, papers

_EVERYONE = Participation().to_dict()
Record = Mapping[str, Any]


@dataclass(frozen=True)
class SavedRuns:
    """How a paper holds saved runs of its algorithm against a statement: what its index calls SAVED_RUNS.

    Arguments:
        algorithm: of which the statement speaks.
        metric: of the record, finite in every round; its mean over rounds is what the statement bounds.
        span: these rounds, in words.
        rounds: the same among the record's values.
        statements: by the value of `parameter`, the statement; under "" the one that there is.
        parameter: of the algorithm.
        others: whether it answers, as not applicable, for runs of algorithms that no paper names.
        speaks_of: why other algorithms and values of `parameter` are not held against it.
        lacks: what a record lacks for a bound; empty where it may hold everything.
        printed: the algorithm's other parameters, as the statement's algorithm has them.
        constants: by letter, the canonical words of the problem's constants that a bound takes.
        letters: of a record and its constants, everything that the statement's bound takes.
    """

    algorithm: str
    metric: str
    span: str
    rounds: slice
    statements: Mapping[str, str]
    parameter: str = ""
    others: bool = False
    speaks_of: str = ""
    lacks: str = ""
    printed: Mapping[str, Any] = field(default_factory=dict)
    constants: Mapping[str, str] = field(default_factory=dict)
    letters: Callable[[Record, Mapping[str, Fraction]], Mapping[str, Any]] | None = None

    def statement(self, run: Record) -> str | None:
        """The statement that speaks of a run, by its parameter."""
        return self.statements.get(run["parameters"].get(self.parameter, ""))


def _spec_of(algorithm: Any) -> SavedRuns:
    """What says how a run of this algorithm is held against theory."""
    pointed = readable(papers(), lambda key: data(key, "SAVED_RUNS"))
    every: list[SavedRuns] = [spec for spec in pointed.values() if spec]
    named = [spec for spec in every if spec.algorithm == algorithm]
    return (named or [spec for spec in every if spec.others])[0]


def check_history(history: Any, ids: Sequence[str] = ()) -> tuple[BoundComparison, ...]:
    """Compare saved runs with the statement that their algorithm's paper holds them against.

    Arguments:
        history: the path of a document of `fedproof run --json`, or of a list of them (the same run with
            other seeds); or the document or list itself. Constants of the problem are taken from its
            `constants`, by canonical word, if it has them.
        ids: statements asked for; none means the one of the run.

    Returns: one comparison; a bound on an expectation is decided by 30 seeds or more, never by one run.
    Raises: DataError for what is not such a document; InputError for runs that do not belong together;
        UnknownName for an id that no run can be held against.
    """
    runs, where = _runs(history)
    first, spec = runs[0], _spec_of(runs[0]["algorithm"])
    id = spec.statement(first) or next(iter(spec.statements.values()))
    for wanted in ids:
        if wanted != id:
            raise UnknownName("statement for a saved run", wanted, [id])
    squares = np.array([run["metrics"][spec.metric][spec.rounds] for run in runs], dtype=np.float64)
    values = squares.mean(axis=1)
    problem = f"{first['algorithm']} on {first['problem']}, {first['rounds']} rounds, {spec.span}"
    row = BoundComparison(id, f"mean_{spec.metric}", "<=", float(values.mean()), None, problem, "")
    why, bound = _bound(first, spec, id)
    if bound is None:
        return (replace(row, detail=f"{where}: {why}", applies=False),)
    few = "" if len(runs) >= LEAST_SEEDS else f"; {len(runs)} of the {LEAST_SEEDS} seeds that decide"
    words = spec.metric.replace("_", " ")
    text = f"{where}: mean {words} {float(values.mean()):.4g}, bound {bound:.4g}{few}."
    return (replace(row, bound=bound, detail=text).tested(mean_test(values, bound)),)


def _bound(run: Record, spec: SavedRuns, id: str) -> tuple[str, float | None]:
    """Why there is no bound, or the bound."""
    parameters, known = run["parameters"], _constants(run, spec)
    if spec.letters is None:
        return spec.lacks, None
    other = [f"{k}={parameters.get(k)}" for k, v in spec.printed.items() if parameters.get(k) != v]
    if run["algorithm"] != spec.algorithm or spec.statement(run) is None:
        return spec.speaks_of, None
    if other:
        return f"the theorem speaks of Algorithm 1 as printed, not of {', '.join(other)}", None
    if run.get("participation", _EVERYONE) != _EVERYONE:
        return "the theorem lets all clients take part in every round, averaged by size", None
    if run.get("diverged"):
        return "the run diverged, so its problem or its numbers lie outside the hypotheses", None
    missing = [word for name, word in spec.constants.items() if name not in known]
    if missing:
        return f"no {', '.join(missing)} in the record or none is finite, so nothing can be decided", None
    check = statement(id).check(**spec.letters(run, known))
    if not check.applicable:
        return f"fails {', '.join(c.label for c, d in check.conditions if not d.holds)}", None
    return "", check.bound


def _constants(run: Record, spec: SavedRuns) -> dict[str, Fraction]:
    """The constants that the bound takes, as far as the record has them."""
    found: dict[str, Fraction] = {}
    for name, word in spec.constants.items():
        entry = (run.get("constants") or {}).get(word)
        value = entry.get("value") if isinstance(entry, Mapping) else entry
        if value is not None:
            found[name] = exactly(value)
    return found


def exactly(value: Any) -> Fraction:
    """A number of a record as it is written."""
    return Fraction(repr(value)) if isinstance(value, float) else Fraction(value)


def _runs(history: Any) -> tuple[list[Record], str]:
    """The documents and what to call them."""
    document, where = history, "record"
    if isinstance(history, (str, os.PathLike)):
        where = Path(history).name
        try:
            document = parsed(Path(history).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise DataError(where, error, "a document of `fedproof run --json`", "check the path") from None
    runs = document if isinstance(document, list) else [document]
    for run in runs or [None]:
        _refuse(run, where)
    same = ("algorithm", "parameters", "problem", "rounds", "participation")
    alike = {json.dumps([r.get(name, _EVERYONE) for name in same], sort_keys=True) for r in runs}
    if len(alike) > 1 or len({r["seed"] for r in runs}) < len(runs):
        raise InputError(where, f"{len(runs)} runs that differ in more than their seeds, or repeat one",
                         "the same run with other seeds")  # fmt: skip
    return runs, where


def _refuse(run: Any, where: str) -> None:
    expected = "a document of `fedproof run --json` with at least one round"
    try:
        rounds, metrics = run["rounds"], run["metrics"]
        asked = _spec_of(run["algorithm"]).metric
        whole = all(
            isinstance(metrics[n], list | tuple) and len(metrics[n]) == rounds + 1 for n in ("loss", asked)
        )
        numbers = whole and np.isfinite(np.array([*metrics["loss"], *metrics[asked]], dtype=float))
        fine = isinstance(rounds, int) and rounds >= 1 and bool(np.all(numbers))
        fine = (
            fine and isinstance(run["parameters"], Mapping) and {"algorithm", "problem", "seed"} <= set(run)
        )
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(where, f"{type(error).__name__}: {error}", expected) from None
    if not fine:
        raise DataError(where, "metrics that do not fit its rounds", expected)
