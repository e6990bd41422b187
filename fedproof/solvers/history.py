"""What a run leaves: metrics, message sizes and gradient counts by round, and the state to go on from."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fedproof.problems.problem import Array
from fedproof.solvers.cohort import Participation
from fedproof.solvers.history_file import COUNTS, FORMAT, decoded, encoded, read_document, sealed
from fedproof.vocabulary.discovery import plot_of
from fedproof.vocabulary.files import write_whole
from fedproof.vocabulary.result import Result, Table, cell, jsonable, to_json

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class History(Result):
    """The record of one run.

    Arguments:
        algorithm, parameters, problem, seed: what was run; `problem` describes it in words. The parameters
            of an algorithm's parts lie flat beside its own, as `run` takes them.
        rounds: finished rounds.
        metrics: by name, `rounds + 1` values; the first is the value at the start, before any round.
        uplink_bits, downlink_bits, gradients: `rounds` totals over the round's clients, each counted once
            however often it was drawn, or as often as it worked.
        diverged: a round gave a number that is not finite or beyond 1e100; that round is not in the record.
        interrupted: the run was stopped from outside after the last finished round.
        requested: rounds asked for.
        state: arrays of the algorithm's state after the last finished round, by field name.
        constants: what is known of the problem, by canonical word: value, kind, spread and how.
        participation: who took part, as `Participation` names it.
        kernel: what computed the gradients, "numpy" or "numba"; they agree to rounding, not to the bit.
        problem_digest: SHA-256 of what determines the problem's numbers, which its name need not say.
    """

    algorithm: str
    parameters: Mapping[str, Any]
    problem: str
    seed: int
    rounds: int
    metrics: Mapping[str, tuple[Any, ...]]
    uplink_bits: tuple[int, ...] = ()
    downlink_bits: tuple[int, ...] = ()
    gradients: tuple[int, ...] = ()
    diverged: bool = False
    interrupted: bool = False
    requested: int = 0
    state: Mapping[str, Array] = field(default_factory=dict, repr=False)
    constants: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    participation: Mapping[str, Any] = field(default_factory=lambda: Participation().to_dict())
    kernel: str = "numpy"
    problem_digest: str = ""

    @property
    def model(self) -> Array:
        """The server's model after the last finished round, shape (d,)."""
        return self.state["model"]

    @property
    def frame(self) -> Any:
        """One row per round as a pandas table, round 0 (the start) first."""
        import pandas as pd

        counts = {name: (0, *getattr(self, name)) for name in COUNTS}
        table = pd.DataFrame({**self.metrics, **counts})
        table.index.name = "round"
        return table

    def plot(
        self,
        ax: Axes | None = None,
        metric: str | None = None,
        *,
        bound: Any = None,
        header: Mapping[str, Any] | str | os.PathLike[str] | None = None,
        fit: str | None = None,
    ) -> Axes:
        """Draw a metric against the rounds, on a logarithmic axis if it is positive over more than a decade.

        Arguments:
            ax: axes of Matplotlib to draw into; None makes a figure in the house style.
            metric: which; by default what `bound` is about, or the first.
            bound: a statement whose bound is drawn for every number of rounds, beside what it bounds: an id,
                or what `validate` answered on this run, whose words are then shown. Where the statement does
                not apply there is no bound, and the legend says so.
            header: constants that the record lacks and the bound takes, as `validate` takes them.
            fit: "sublinear" (a power of the round) or "linear" (a factor a round), fitted over the last half
                of the rounds; one run has no interval, `Sweep.plot` gives it one.

        Returns: the axes.
        Raises: UnknownName for a metric, statement or fit; InputError for a verdict on another run, a metric
            that the bound is not about, or values that cannot be fitted.

        >>> import fedproof as fp
        >>> fp.run("fedavg", "quadratic", rounds=3, tau=2, beta=5).plot(metric="loss").get_xlabel()
        'round $s$'
        """
        drawn: Axes = plot_of("history")(self, ax, metric, bound, header, fit)
        return drawn

    def headline(self) -> str:
        """What was run, how far it came and what it cost."""
        ends = [
            f"{name} {cell(_float(v[0]))} -> {cell(_float(v[-1]))}" for name, v in self.metrics.items() if v
        ]
        fate = " (diverged)" if self.diverged else " (interrupted)" if self.interrupted else ""
        cost = f"{sum(self.uplink_bits)} bits up, {sum(self.gradients)} sample gradients"
        count = f"{self.rounds} of {self.requested} rounds{fate}"
        return f"{self.algorithm} on {self.problem}: {count}; {', '.join(ends)}; {cost}"

    def tables(self) -> tuple[Table, ...]:
        """About a dozen of the rounds, the first and the last among them, and the parameters."""
        step = max(1, -(-self.rounds // 10))
        shown = sorted({*range(0, self.rounds + 1, step), self.rounds})
        rows = tuple((r, *(_float(v[r]) for v in self.metrics.values())) for r in shown)
        usual = Participation().to_dict()
        partial = {k: v for k, v in self.participation.items() if v != usual.get(k)}
        if "count" in partial:
            partial["cohort"] = partial.pop("count")
        chosen = {**self.parameters, **partial, "kernel": self.kernel}
        settings = tuple((name, cell(value)) for name, value in chosen.items())
        return (Table("", ("round", *self.metrics), rows), Table("parameters", ("", ""), settings))

    def to_dict(self) -> dict[str, Any]:
        """The contract's `run` document; metric lists start with the value before any round."""
        shown = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "state"}
        document: dict[str, Any] = jsonable(shown)
        return document

    def save(self, path: str | os.PathLike[str], **beside: Any) -> Path:
        """Write the record as JSON, all or nothing, so that a killed run never leaves half a file.

        Its `sha256` is of all the rest, so that a change is found when it is read.

        Arguments:
            path: the file.
            beside: further keys of the document, which `load_history` passes over.
        """
        state = {name: encoded(array) for name, array in self.state.items()}
        document = sealed(beside | self.to_dict() | {"format": FORMAT, "state": state})
        return write_whole(Path(path), (to_json(document) + "\n").encode())


def load_history(path: str | os.PathLike[str]) -> History:
    """Read a record that `History.save` wrote.

    Raises: DataError if the file is missing, was changed after it was written, or is no such record.
    """
    return history_of(read_document(path))


def history_of(document: Mapping[str, Any]) -> History:
    """The history in the document of a record's file."""
    known = {f.name for f in fields(History)}
    values = {name: value for name, value in document.items() if name in known}
    values["metrics"] = {name: tuple(series) for name, series in values["metrics"].items()}
    values["state"] = {name: decoded(entry) for name, entry in values["state"].items()}
    values |= {name: tuple(values[name]) for name in COUNTS}
    return History(**values)


def _float(value: Any) -> Any:
    return float(value) if isinstance(value, Fraction) else value
