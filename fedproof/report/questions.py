"""The report's questions put to the verbs, and runs held against statements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from fedproof.algebra.ranges.result import Range
from fedproof.bounds.statement_handle import ApplicabilityResult, statement
from fedproof.solvers.api import run
from fedproof.solvers.history import History
from fedproof.solvers.metrics import METRICS
from fedproof.tuning.api import tune
from fedproof.validate.logs.readings import READINGS
from fedproof.vocabulary.discovery import paper_modules, read, readable
from fedproof.vocabulary.questions import Trial, VerbQuery
from fedproof.vocabulary.result import Result


def answer(question: VerbQuery) -> Result:
    """The verb's answer to a question."""
    values: dict[str, Any] = dict(question.values)
    if question.verb == "tune":
        return tune(question.id, **values)
    handle = statement(question.id)
    return handle.check(**values) if question.verb == "check" else handle.range(question.symbol, **values)


@dataclass(frozen=True)
class TrialResult:
    """A run beside a statement.

    Arguments:
        verdict: "applies", "not applicable", or "inconclusive" where a constant is known from below only and
            the statement applies at what was seen of it but need not at what it is.
        check: at the run's parameters, the problem's constants and what was seen.
        seen: constants that the problem does not know, the largest value of their metric along the run.
        admits: for each of these, the values that would be admissible beside the others.
    """

    verdict: Literal["applies", "not applicable", "inconclusive"]
    check: ApplicabilityResult
    seen: Mapping[str, float]
    admits: Mapping[str, Range]


def run_trial(trial: Trial) -> History:
    """The history, with what the statement is about and every constant that can be seen along a run."""
    values: dict[str, Any] = dict(trial.values)
    about = READINGS.get(getattr(statement(trial.statement).statement.claim, "metric", ""))
    told = [about.column] if about else []
    metrics = dict.fromkeys(("loss", "squared_gradient", *told, *_demands(trial).values()))
    history = run(
        trial.algorithm,
        trial.problem,
        rounds=trial.rounds,
        seed=trial.seed,
        metrics=tuple(metrics),
        **values,
    )
    if history.interrupted:
        raise KeyboardInterrupt
    return history


def hold(trial: Trial, history: History) -> TrialResult:
    """Whether the statement applies to the run, and what it says of it."""
    handle = statement(trial.statement)
    given = {n: v for n, v in _known(trial, history).items() if n in handle.names}
    lines = {n: history.metrics[word] for n, word in _demands(trial).items() if n not in given}
    finite = {n: [float(v) for v in line if v is not None] for n, line in lines.items()}
    seen = {n: max(line) for n, line in finite.items() if line}
    check = handle.check(**given, **seen)
    admits = {n: handle.range(n, **{k: v for k, v in (given | seen).items() if k != n}) for n in seen}
    word: Literal["applies", "inconclusive"] = "inconclusive" if seen else "applies"
    beyond = any(_reaches(admits[n], value) for n, value in seen.items())
    return TrialResult(word if check.applicable or beyond else "not applicable", check, seen, admits)


def _demands(trial: Trial) -> dict[str, str]:
    """Letters that the statement's conditions speak of and a run can measure, with their metrics."""
    asked = statement(trial.statement).statement
    means = {letter.name: letter.means for letter in asked.letters}
    return {name: means[name] for name in asked.needed if means[name] in METRICS}


def _known(trial: Trial, history: History) -> dict[str, Any]:
    """Letters that the run's parameters, its problem and its rounds settle."""
    constants = {word: entry["value"] for word, entry in history.constants.items()}
    known: dict[str, Any] = {"rounds": history.rounds} | constants
    if constants.get("least_loss") is not None:
        known["initial_gap"] = float(history.metrics["loss"][0]) - float(constants["least_loss"])
    letters = statement(trial.statement).statement.letters
    values = {a.name: known[a.means] for a in letters if known.get(a.means) is not None}
    return values | dict(trial.values)


def _reaches(admissible: Range, value: float) -> bool:
    """Whether some value from this one on is admissible."""
    return any(high is None or high > value for _, high in admissible.intervals)


def _literals(name: str) -> Iterator[Any]:
    known = paper_modules("report")
    for literals in readable(
        known, lambda key: read(known[key], lambda m: tuple(getattr(m, name, ())))
    ).values():
        yield from literals


def told(key: str) -> dict[str, Any]:
    """What a paper's file tells the report of it: its claim in a sentence, and its distinct errors."""
    known = paper_modules("report")
    if key not in known:
        return {"claimed": "", "faults": []}
    claimed, faults = read(known[key], lambda m: (getattr(m, "CLAIMED", ""), tuple(getattr(m, "FAULTS", ()))))
    return {"claimed": claimed, "faults": [asdict(fault) for fault in faults]}


def questions(verb: str) -> tuple[VerbQuery, ...]:
    """What all papers' files ask with this verb."""
    return tuple(q for q in _literals("QUESTIONS") if q.verb == verb)


def trials() -> tuple[Trial, ...]:
    """The runs of all papers' files."""
    return tuple(_literals("TRIALS"))
