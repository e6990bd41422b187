"""What a log's columns say of its constants: one that a value at the runs' own models exceeds is none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from fedproof.bounds.statement import Statement
from fedproof.validate.logs.run_log import Known, RunLog
from fedproof.validate.statistics import ROUNDING
from fedproof.vocabulary.errors import DataError

_ROOM = 1 + 1e-9
"""What rounding may add to a value that was written to nine digits or more, relatively."""


@dataclass(frozen=True)
class Limit:
    """A constant that no value of a column exceeds, as an assumption says.

    Arguments:
        word: canonical, of the constant.
        columns: whose values are at most that, at each model.
        assumption: the id; a statement that assumes less is left alone.
        power: of the constant.
        rounds: at which models: "all", or "before" the last, 0 to T-1.
    """

    word: str
    columns: tuple[str, ...]
    assumption: str
    power: int = 1
    rounds: Literal["all", "before"] = "all"


def check_limits(
    limits: Sequence[Limit], words: Mapping[str, Known], logs: Sequence[RunLog], st: Statement
) -> None:
    """Refuse a constant that nobody proved and that a column of the log exceeds.

    Raises: DataError.
    """
    for limit in (x for x in limits if x.assumption in st.assumptions):
        known = words.get(limit.word)
        if known is None or not known.how:
            continue
        for log, column in ((log, column) for log in logs for column in limit.columns):
            _check(log, column, limit, float(known.value))


def _check(log: RunLog, column: str, limit: Limit, constant: float) -> None:
    """Refuse a value of a column that is above its limit."""
    for r, value in zip(log.rounds, log.columns.get(column, ()), strict=False):
        counts = limit.rounds == "all" or r < log.last
        if counts and value is not None and value > constant**limit.power * _ROOM:
            above = f"{limit.word}^{limit.power}" if limit.power > 1 else limit.word
            said = f"at most the constant {above}, which is {constant**limit.power:.6g}"
            raise DataError(f"{log.name}, round {r}", f"{column} = {value:.6g}", said, f"mend {limit.word}")


def check_least(words: Mapping[str, Known], logs: Sequence[RunLog]) -> None:
    """Refuse a least loss that a logged loss is below, and a gap at the start that the losses exceed.

    Raises: DataError.
    """
    losses = {log.name: [v for v in log.columns.get("loss", ()) if v is not None and v == v] for log in logs}
    least, gap = words.get("least_loss"), words.get("initial_gap")
    for log in logs:
        low = min(losses[log.name], default=None)
        if low is None:
            continue
        if least is not None and low < float(least.value) - ROUNDING * max(1.0, abs(low)):
            got = f"least_loss = {float(least.value):.6g}, and a loss of {low:.6g}"
            raise DataError(log.name, got, "a bound that no loss is below", "mend least_loss")
        start = log.columns["loss"][0] if log.rounds[0] == 0 else None
        if gap is None or not gap.how or start is None or start != start:
            continue
        if start - low > float(gap.value) + (_ROOM - 1) * max(abs(start), abs(low)):
            got = f"initial_gap = {float(gap.value):.6g}, and losses of {start:.6g} and {low:.6g}"
            raise DataError(log.name, got, "a gap that losses do not fall by more than", "mend initial_gap")
