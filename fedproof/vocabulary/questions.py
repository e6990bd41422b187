"""What a paper asks the report to answer, as data, with the commands that ask it again."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class VerbQuery:
    """One call of `tune`, `range` or `check`.

    Arguments:
        verb: which.
        id: statement or paper key.
        values: by letter, as a user types them; options of `tune` too.
        why: what the answer shows, in words.
        symbol: what `range` is asked for.
        unit: of what `tune` makes least, in words.
    """

    verb: Literal["tune", "range", "check"]
    id: str
    values: Mapping[str, str]
    why: str
    symbol: str = ""
    unit: str = ""

    @property
    def command(self) -> str:
        """The same question in the shell."""
        pairs = [f"{name}={value}" for name, value in self.values.items()]
        return shlex.join(["fedproof", self.verb, self.id, *([self.symbol] if self.symbol else []), *pairs])


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
