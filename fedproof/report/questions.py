"""Questions that the report puts to the verbs, as data, with the commands that put them again."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Literal

from fedproof.report import papers as _papers
from fedproof.solvers.api import run
from fedproof.solvers.history import History
from fedproof.solvers.metrics import METRICS
from fedproof.tuning.api import tune
from fedproof.tuning.handle import Check, statement
from fedproof.tuning.range_result import Range
from fedproof.vocabulary.result import Result

__all__ = ["Held", "Question", "Trial", "questions", "trials"]


@dataclass(frozen=True)
class Question:
    """One call of `tune`, `range` or `check`.

    Arguments:
        verb: which.
        id: statement or paper key.
        values: by letter, as a user types them; options of `tune` too.
        why: what the answer shows, in words.
        symbol: what `range` is asked for.
    """

    verb: Literal["tune", "range", "check"]
    id: str
    values: Mapping[str, str]
    why: str
    symbol: str = ""

    @property
    def command(self) -> str:
        """The same question in the shell."""
        pairs = [f"{name}={value}" for name, value in self.values.items()]
        return shlex.join(["fedproof", self.verb, self.id, *([self.symbol] if self.symbol else []), *pairs])

    def ask(self) -> Result:
        """The verb's answer."""
        values: dict[str, Any] = dict(self.values)
        if self.verb == "tune":
            return tune(self.id, **values)
        handle = statement(self.id)
        return handle.check(**values) if self.verb == "check" else handle.range(self.symbol, **values)


@dataclass(frozen=True)
class Held:
    """A run beside a statement.

    Arguments:
        verdict: "applies", "not applicable", or "inconclusive" where a constant is known from below only and
            the statement applies at what was seen of it but need not at what it is.
        check: at the run's parameters, the problem's constants and what was seen.
        seen: constants that the problem does not know, the largest value of their metric along the run.
        admits: for each of these, the values that would be admissible beside the others.
    """

    verdict: Literal["applies", "not applicable", "inconclusive"]
    check: Check
    seen: Mapping[str, float]
    admits: Mapping[str, Range]


@dataclass(frozen=True)
class Trial:
    """One run on real data, and the statement that it is held against.

    Arguments:
        title: what it is.
        algorithm, values, problem, rounds, seed: as `run` takes them.
        statement: id; its conditions are checked at the run's parameters.
    """

    title: str
    algorithm: str
    values: Mapping[str, str]
    problem: str
    rounds: int
    statement: str
    seed: int = 0

    @property
    def command(self) -> str:
        """The same run in the shell."""
        pairs = [f"{name}={value}" for name, value in self.values.items()]
        options = ["--problem", self.problem, "--rounds", str(self.rounds), "--seed", str(self.seed)]
        return shlex.join(["fedproof", "run", self.algorithm, *pairs, *options])

    def run(self) -> History:
        """The history, with a metric for every constant that can be seen along a run."""
        values: dict[str, Any] = dict(self.values)
        metrics = dict.fromkeys(("loss", "squared_gradient", *self._demands().values()))
        history = run(
            self.algorithm, self.problem, rounds=self.rounds, seed=self.seed, metrics=tuple(metrics), **values
        )
        if history.interrupted:
            raise KeyboardInterrupt
        return history

    def hold(self, history: History) -> Held:
        """Whether the statement applies to the run, and what it says of it."""
        handle = statement(self.statement)
        given = {n: v for n, v in self._known(history).items() if n in handle.names}
        lines = {n: history.metrics[word] for n, word in self._demands().items() if n not in given}
        told = {n: [float(v) for v in line if v is not None] for n, line in lines.items()}
        seen = {n: max(line) for n, line in told.items() if line}
        check = handle.check(**given, **seen)
        admits = {n: handle.range(n, **{k: v for k, v in (given | seen).items() if k != n}) for n in seen}
        word: Literal["applies", "inconclusive"] = "inconclusive" if seen else "applies"
        beyond = any(_reaches(admits[n], value) for n, value in seen.items())
        return Held(word if check.applicable or beyond else "not applicable", check, seen, admits)

    def _demands(self) -> dict[str, str]:
        """Letters that the statement's conditions speak of and a run can measure, with their metrics."""
        asked = statement(self.statement).statement
        means = {letter.name: letter.means for letter in asked.letters}
        return {name: means[name] for name in asked.needed if means[name] in METRICS}

    def _known(self, history: History) -> dict[str, Any]:
        """Letters that the run's parameters, its problem and its rounds settle."""
        constants = {word: entry["value"] for word, entry in history.constants.items()}
        values: dict[str, Any] = {"T": history.rounds}
        for letter in statement(self.statement).statement.letters:
            if constants.get(letter.means) is not None:
                values[letter.name] = constants[letter.means]
        if constants.get("least_loss") is not None:
            values["Delta"] = float(history.metrics["loss"][0]) - float(constants["least_loss"])
        return values | dict(self.values)


def _reaches(found: Range, value: float) -> bool:
    """Whether some value from this one on is admissible."""
    return any(high is None or high > value for _, high in found.intervals)


def _literals(name: str) -> Iterator[Any]:
    for module in iter_modules(_papers.__path__):
        yield from getattr(import_module(f"{_papers.__name__}.{module.name}"), name, ())


def questions(verb: str) -> tuple[Question, ...]:
    """What all papers' files ask with this verb."""
    return tuple(q for q in _literals("QUESTIONS") if q.verb == verb)


def trials() -> tuple[Trial, ...]:
    """The runs of all papers' files."""
    return tuple(_literals("TRIALS"))
