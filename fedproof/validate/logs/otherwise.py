"""What runs did otherwise than a statement assumes, where no letter of its bound shows it."""

from __future__ import annotations

from collections.abc import Sequence

from fedproof.bounds.statement import Statement
from fedproof.solvers.catalog import part_class, part_names
from fedproof.validate.logs.letters import by_word
from fedproof.validate.logs.run_log import RunLog
from fedproof.validate.logs.saved_runs import SavedRuns
from fedproof.validate.statistics import ROUNDING

_GOAL, _UNSOLVED = "suboptimality", "unsolved"
"""Columns of how far local solves were from their least values, and of how many missed their accuracy."""


def otherwise(logs: Sequence[RunLog], spec: SavedRuns, st: Statement) -> str:
    """Why a statement does not speak of these runs of its algorithm; "" where it does, as far as shown."""
    return _biased(logs[0], spec) or _missed(logs, spec, st)


def unsaid(log: RunLog, spec: SavedRuns, st: Statement) -> tuple[str, ...]:
    """What a record does not say of its local solves, a line each: its parameter is what was asked."""
    asked = by_word(log, spec, st).get(_GOAL)
    wanted = asked is not None and not asked.how and _GOAL in {x.means for x in st.letters}
    if not wanted or {_GOAL, _UNSOLVED} & {*log.columns}:
        return ()
    return (f"that local solves were as accurate as was asked: no column {_UNSOLVED} says so",)


def _biased(log: RunLog, spec: SavedRuns) -> str:
    """A compressor that is not E Q(x) = x, whatever omega a log gives beside it."""
    for part in spec.unbiased:
        name = log.choices.get(part)
        if name in part_names(part) and not getattr(part_class(part, name), "unbiased", False):
            return f"the theorem asks that {part} is unbiased, which {name} is not"
    return ""


def _missed(logs: Sequence[RunLog], spec: SavedRuns, st: Statement) -> str:
    """A round whose local solves missed the accuracy that was asked of them."""
    asked = by_word(logs[0], spec, st).get(_GOAL)
    most = {_UNSOLVED: 0.0} | ({} if asked is None else {_GOAL: float(asked.value) * (1 + ROUNDING)})
    for log in logs:
        for column, limit in most.items():
            for r, value in zip(log.rounds, log.columns.get(column, ()), strict=False):
                if r > 0 and value is not None and not value <= limit:
                    there = f"{column} = {value:.6g} in round {r} of {log.name}"
                    return f"local solves missed the accuracy that was asked of them: {there}"
    return ""
