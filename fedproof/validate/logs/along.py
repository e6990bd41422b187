"""Constants of all models that a run shows at its own models: for verdicts that are conditional on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from fedproof.validate.logs.run_log import Known, RunLog
from fedproof.vocabulary.quantities import quantity


@dataclass(frozen=True)
class Along:
    """A constant that has to hold at all models, and a column that has it at each model of a run.

    Arguments:
        column: what is measured.
        rounds: at which models: "before" the last, 0 to T-1, or "after" the start, 1 to T.
        of: these models, in words.
    """

    column: str
    rounds: Literal["before", "after"]
    of: str

    def seen(self, logs: Sequence[RunLog]) -> Known | None:
        """The largest value in these rounds of all runs; None where one has no value there."""
        last = logs[0].last
        wanted = range(last) if self.rounds == "before" else range(1, last + 1)
        found: list[float | None] = []
        for log in logs:
            there = zip(log.rounds, log.columns.get(self.column, ()), strict=False)
            found += [v for r, v in there if r in wanted]
        # a log may name rounds without end, so that they are counted and not gone through
        rounds_of_all = (wanted.stop - wanted.start) * len(logs)
        if (
            not found
            or len(found) != rounds_of_all
            or any(v is None or not 0 <= v < float("inf") for v in found)
        ):
            return None
        runs = f"{len(logs)} run{'s' * (len(logs) != 1)}"
        rounds = f"rounds {wanted.start} to {wanted.stop - 1}"
        said = f"the largest {self.column} at {self.of}, {rounds} of {runs}: measured there alone"
        return Known(Fraction(max(v for v in found if v is not None)), said, measured=True)


def measured(
    along: Mapping[str, Along], lacking: Sequence[str], logs: Sequence[RunLog]
) -> tuple[dict[str, Known], dict[str, str]]:
    """Of constants that are not known, those that runs show, and of the others why they do not.

    Arguments:
        along: by canonical word, what shows a constant.
        lacking: the words that a statement needs and nothing gives.
        logs: the runs.
    """
    known: dict[str, Known] = {}
    hints: dict[str, str] = {}
    for word in (w for w in lacking if w in along):
        seen = along[word].seen(logs)
        if seen is None:
            hints[word] = f"for a conditional verdict log {along[word].column} in every round"
        elif seen.value not in quantity(word).domain:
            where = quantity(word).domain.describe()
            hints[word] = f"{seen.how}, {float(seen.value):.4g}, which is not {where}"
        else:
            known[word] = seen
    return known, hints
