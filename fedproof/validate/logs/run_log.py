"""One run as its log tells it: columns by round, and the words and numbers that stand above them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np

from fedproof.problems.problem import Array
from fedproof.vocabulary.errors import DataError

GIVEN = "given in the log"
"""What is known of a number that a log states: nobody checked it."""

SYNONYMS = {"grad_norm_sq": "squared_gradient", "prox_grad_norm_sq": "squared_prox_gradient"}
"""Other names of columns that mean a metric of the vocabulary."""

_SUM = ("a gap plus a square", "log the potential itself, in which all terms are at least 0")
_AT_LEAST_0 = {
    "squared_": ("a square", "log the squared norm"),
    "potential": _SUM, "distance_potential": _SUM, "lyapunov": _SUM,
    "relative_movement": ("a ratio of squares", "log the ratio itself"),
}  # fmt: skip
"""How columns begin whose values are at least 0, with what they are and what to do."""
_ROUNDING = 1e-9
"""Of the largest value of a column: what a gap to a least value may be below 0 by rounding."""

_SHOWN = 4


@dataclass(frozen=True)
class Known:
    """A number with how it is known: `GIVEN`, or what a record says of it.

    Arguments:
        value: of the number.
        how: it is known; "" where nothing has to be said.
        measured: whether it is a constant of all models that was seen at the runs' own models alone.
    """

    value: Fraction
    how: str = GIVEN
    measured: bool = False


@dataclass(frozen=True, eq=False)
class RunLog:
    """One run.

    Arguments:
        name: of the file, or what else it is called in messages.
        rounds: in increasing order; 0 is the start, and r stands for the server's model after r rounds.
        columns: by name, a value for each of the rounds; NaN stands for one that the run gave, None for none.
        algorithm, problem: as the log names them; "" where it does not.
        seed: None where the log does not say.
        numbers: parameters and constants, by letter or canonical word.
        choices: parameters that are no numbers.
        participation: who took part, as `Participation` names it; None where the log does not say.
        record: whether it is a record of fedproof's, so that its parameters are those that ran.
        sealed: whether the record is as it was written: it comes from the run, or its seal fits.
        diverged: whether a record says so.
        requested: rounds asked for, as a record has it; None where nothing says it.
        digest: of its problem, as a record has it; "" where nothing shows on which data it ran.
    """

    name: str
    rounds: tuple[int, ...]
    columns: Mapping[str, tuple[float | None, ...]]
    algorithm: str = ""
    problem: str = ""
    seed: Any = None
    numbers: Mapping[str, Known] = field(default_factory=dict)
    choices: Mapping[str, Any] = field(default_factory=dict)
    participation: Mapping[str, Any] | None = None
    record: bool = False
    sealed: bool = False
    diverged: bool = False
    requested: int | None = None
    digest: str = ""

    @property
    def last(self) -> int:
        """How many rounds were run; of a run that diverged, how many it should have been."""
        return self.requested if self.diverged and self.requested else self.rounds[-1]

    @property
    def setting(self) -> dict[tuple[str, str], Any]:
        """What replicas have in common, by where it is said and its name: all but seed and columns."""
        run = {
            "algorithm": self.algorithm, "problem": self.problem, "problem_digest": self.digest,
            "participation": self.participation, "rounds": self.last, "columns": sorted(self.columns),
        }  # fmt: skip
        numbers = {name: known.value for name, known in self.numbers.items()}
        parts = {"run": run, "choices": self.choices, "numbers": numbers}
        return {(part, name): value for part, said in parts.items() for name, value in said.items()}

    def values(self, column: str, wanted: range) -> Array:
        """The numbers of a column in some rounds, shape (len(wanted),).

        Raises: DataError for a round that is not there, or whose value is missing or not finite.
        """
        at = {r: place for place, r in enumerate(self.rounds)}
        series = self.columns[column]
        span = f"one in each of rounds {wanted.start} to {wanted.stop - 1}"
        missing = (r for r in wanted if r not in at or series[at[r]] is None)
        holes = list(islice(missing, _SHOWN + 1))
        if holes:
            cure = "write the start as round 0" if holes == [0] else "log it in every round"
            raise DataError(self.name, f"no {column} in round {_listed(holes)}", span, cure)
        found = np.array([series[at[r]] for r in wanted], dtype=np.float64)
        wrong = [r for r, v in zip(wanted, found.tolist(), strict=True) if not np.isfinite(v)]
        if wrong:
            got = f"{column} = {found[wrong[0] - wanted.start]} in round {_listed(wrong)}"
            cure = "a run that left the finite numbers has no mean, and the others alone are no sample"
            raise DataError(self.name, got, "finite numbers", cure)
        self._check_sign(column, found, wanted)
        return found

    def _check_sign(self, column: str, found: Array, wanted: range) -> None:
        """Refuse what is below 0 and cannot be; a gap to a least value may be, by the rounding of both.

        Raises: DataError.
        """
        sizes = [abs(v) for v in self.columns[column] if v is not None and np.isfinite(v)]
        room = 0.0 if column.startswith("squared_") else _ROUNDING * max(sizes, default=0.0)
        below = [r for r, v in zip(wanted, found.tolist(), strict=True) if v < -room]
        if not below or not column.startswith(tuple(_AT_LEAST_0)):
            return
        expected, cure = next(said for start, said in _AT_LEAST_0.items() if column.startswith(start))
        got = f"{column} = {found[below[0] - wanted.start]} in round {_listed(below)}"
        raise DataError(self.name, got, f"{expected}, which is at least 0", cure)


def full_batches(log: RunLog) -> bool:
    """Whether a log says that its gradients are those of all samples."""
    return "batch_size" in log.choices and log.choices["batch_size"] is None


def number_of(value: Any) -> float:
    """A number as a log or a record has it.

    Raises: ValueError or TypeError for what is none, as a truth value is not; OverflowError.

    >>> number_of("0.5")
    0.5
    """
    if isinstance(value, bool | np.bool_):
        raise ValueError("a truth value, which is no number")
    if isinstance(value, str) and ("_" in value or not value.isascii()):
        raise ValueError("a number as a program's source has it, not a log")
    return float(value)


def _listed(rounds: list[int]) -> str:
    return ", ".join(map(str, rounds[:_SHOWN])) + (", ..." if len(rounds) > _SHOWN else "")
