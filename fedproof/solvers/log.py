"""The growing record of a run: a round is in it entirely or not at all, whenever an interrupt comes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from fedproof.problems.problem import Array
from fedproof.solvers.algorithm import Trace
from fedproof.solvers.history import History


@dataclass(frozen=True)
class _Round:
    values: Mapping[str, Any]
    uplink_bits: int
    downlink_bits: int
    gradients: int


@dataclass
class Log:
    """The rounds since `record`, and the state after the last of them.

    Arguments:
        record: what was there before.
        states: states by round number, of which only the newest is kept.
    """

    record: History
    states: dict[int, Any]
    rounds: list[_Round] = field(default_factory=list)

    @property
    def finished(self) -> int:
        """Number of the last finished round."""
        return self.record.rounds + len(self.rounds)

    def add(self, state: Any, values: Mapping[str, Any], trace: Trace) -> None:
        """Take one finished round in; the append is the one step that counts."""
        entry = _Round(
            values, _total(trace.uplink_bits), _total(trace.downlink_bits), _total(trace.gradients)
        )
        self.states[self.finished + 1] = state
        self.rounds.append(entry)
        self.states.pop(self.finished - 1, None)

    def close(self, *, diverged: bool, interrupted: bool) -> History:
        """The record with all finished rounds."""
        old, new = self.record, self.rounds
        return replace(
            old,
            rounds=self.finished,
            metrics={name: (*past, *(r.values[name] for r in new)) for name, past in old.metrics.items()},
            uplink_bits=(*old.uplink_bits, *(r.uplink_bits for r in new)),
            downlink_bits=(*old.downlink_bits, *(r.downlink_bits for r in new)),
            gradients=(*old.gradients, *(r.gradients for r in new)),
            diverged=diverged,
            interrupted=interrupted,
            state=arrays_of(self.states[self.finished]),
        )


def arrays_of(state: Any) -> dict[str, Array]:
    """The arrays of a state by field name."""
    return {f.name: getattr(state, f.name) for f in fields(state)}


def restored(state: Any, arrays: Mapping[str, Array]) -> Any:
    """A state like `state` with these arrays."""
    return replace(state, **arrays)


def _total(counts: Array) -> int:
    return int(np.sum(counts))
