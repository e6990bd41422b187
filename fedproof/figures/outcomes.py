"""Whether the runs of a method come to an accuracy, after how many rounds, and where they end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fedproof.figures.runs import last_rounds, on, still_moving
from fedproof.figures.spec import Frame


@dataclass(frozen=True)
class Outcome:
    """What the runs of one method come to.

    Arguments:
        name: of the method, in words.
        reached: rounds to the accuracy by seed; NaN where it is not reached.
        end: optimality after the last round by seed.
        moving: whether a run that has not come to the accuracy still moves at its end.
    """

    name: str
    reached: Frame
    end: Frame
    moving: bool

    @property
    def there(self) -> int:
        """On how many seeds the accuracy is reached."""
        return int(self.reached.notna().sum())

    @property
    def seeds(self) -> str:
        """On how many seeds the accuracy is reached, in words."""
        return on(self.there, len(self.reached))

    def times_fewer(self, other: Outcome) -> Any:
        """Rounds of the other over its own, on the seeds where both get there after the start."""
        both = (self.reached > 0) & (other.reached > 0)
        return (other.reached[both] / self.reached[both]).to_numpy()


def outcome(name: str, runs: Frame) -> Outcome:
    """What the runs of one method come to, from their `optimality` and `reached` by seed and round."""
    own = runs.sort_values("round")
    last = last_rounds(own)
    open_runs = own[own.reached.isna()].groupby("seed").optimality
    moving = any(still_moving(curve) for _, curve in open_runs)
    return Outcome(name, last.reached, last.optimality, moving)
