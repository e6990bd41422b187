"""The growing record of a run: a round is in it entirely or not at all, whenever an interrupt comes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from fedproof.problems.problem import Array
from fedproof.solvers.algorithm import Trace
from fedproof.solvers.history import History
from fedproof.solvers.history_file import COUNTS


@dataclass
class Log:
    """The rounds since `record`.

    Arguments:
        record: what was there before.
        start: the state after it.
        rounds: metrics, counts and state of each; of the states only the newest is kept.
    """

    record: History
    start: Any
    rounds: list[list[Any]] = field(default_factory=list)

    @property
    def finished(self) -> int:
        """Number of the last finished round."""
        return self.record.rounds + len(self.rounds)

    @property
    def state(self) -> Any:
        """After the last finished round."""
        return self.rounds[-1][2] if self.rounds else self.start

    def add(self, state: Any, values: Mapping[str, Any], trace: Trace) -> None:
        """Take one finished round in; the append is the one step that counts."""
        self.rounds.append([values, [int(np.sum(getattr(trace, name))) for name in COUNTS], state])
        if len(self.rounds) > 1:
            self.rounds[-2][2] = None

    def close(self, *, diverged: bool, interrupted: bool) -> History:
        """The record with all finished rounds."""
        old, new = self.record, self.rounds
        counts: dict[str, Any] = {
            name: (*getattr(old, name), *(counted[i] for _, counted, _ in new))
            for i, name in enumerate(COUNTS)
        }
        return replace(
            old,
            rounds=self.finished,
            metrics={
                name: (*past, *(values[name] for values, *_ in new)) for name, past in old.metrics.items()
            },
            diverged=diverged,
            interrupted=interrupted,
            state=arrays_of(self.state),
            **counts,
        )


def arrays_of(state: Any) -> dict[str, Array]:
    """The arrays of a state by field name."""
    return {f.name: getattr(state, f.name) for f in fields(state)}
