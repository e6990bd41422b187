"""Questions that the report puts to the verbs, as data, with the commands that put them again."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Literal

from fedproof.report import papers as _papers
from fedproof.solvers.api import run
from fedproof.solvers.history import History
from fedproof.tuning.api import tune
from fedproof.tuning.handle import Check, statement
from fedproof.vocabulary.result import Result

__all__ = ["Question", "Trial", "questions", "trials"]


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
class Trial:
    """One run on real data, and the statement that it is held against.

    Arguments:
        title: what it is.
        algorithm, values, problem, rounds, seed: as `run` takes them.
        statement: id; its conditions are checked at the run's parameters.
        letters: further values for that check: what the data do not give, assumed.
    """

    title: str
    algorithm: str
    values: Mapping[str, str]
    problem: str
    rounds: int
    statement: str
    letters: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0

    @property
    def command(self) -> str:
        """The same run in the shell."""
        pairs = [f"{name}={value}" for name, value in self.values.items()]
        options = ["--problem", self.problem, "--rounds", str(self.rounds), "--seed", str(self.seed)]
        return shlex.join(["fedproof", "run", self.algorithm, *pairs, *options])

    def run(self) -> History:
        """The history; an interrupt is passed on."""
        values: dict[str, Any] = dict(self.values)
        history = run(self.algorithm, self.problem, rounds=self.rounds, seed=self.seed, **values)
        if history.interrupted:
            raise KeyboardInterrupt
        return history

    def check(self, history: History) -> Check:
        """Whether the statement applies to the run, and the bound it would give."""
        from fedproof.problems.catalog import make_problem

        handle, known = statement(self.statement), make_problem(self.problem).constants
        values: dict[str, Any] = {"T": history.rounds, **self.letters}
        for letter in handle.statement.letters:
            if letter.means in known and known[letter.means].value is not None:
                values.setdefault(letter.name, known[letter.means].value)
        least = known["least_loss"].value if "least_loss" in known else None
        if least is not None:
            values.setdefault("Delta", float(history.metrics["loss"][0]) - float(least))
        return handle.check(**{k: v for k, v in (values | dict(self.values)).items() if k in handle.names})


def _literals(name: str) -> Iterator[Any]:
    for module in iter_modules(_papers.__path__):
        yield from getattr(import_module(f"{_papers.__name__}.{module.name}"), name, ())


def questions(verb: str) -> tuple[Question, ...]:
    """What all papers' files ask with this verb."""
    return tuple(q for q in _literals("QUESTIONS") if q.verb == verb)


def trials() -> tuple[Trial, ...]:
    """The runs of all papers' files."""
    return tuple(_literals("TRIALS"))
