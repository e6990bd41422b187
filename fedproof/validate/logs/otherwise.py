"""What runs did otherwise than a statement assumes, where no letter of its bound shows it."""

from __future__ import annotations

from collections.abc import Sequence

from fedproof.solvers.catalog import part_class, part_names
from fedproof.validate.logs.run_log import RunLog
from fedproof.validate.logs.saved_runs import SavedRuns


def otherwise(logs: Sequence[RunLog], spec: SavedRuns) -> str:
    """Why statements do not speak of these runs of their algorithm; "" where they do, as far as shown."""
    return _biased(logs[0], spec)


def _biased(log: RunLog, spec: SavedRuns) -> str:
    """A compressor that is not E Q(x) = x, whatever omega a log gives beside it."""
    for part in spec.unbiased:
        name = log.choices.get(part)
        if name in part_names(part) and not getattr(part_class(part, name), "unbiased", False):
            return f"the theorem asks that {part} is unbiased, which {name} is not"
    return ""
