"""What the tests of every paper's checks ask of the rows that a check makes."""

from __future__ import annotations

from fedproof.validate.verdict import BoundComparison, SamplingBudget, assign_verdicts

PLAIN = SamplingBudget()
"""Each check's own number of seeds, and nothing planted."""


def words(*rows: BoundComparison) -> list[str]:
    """Verdicts, repeated on the same draws."""
    return [v.verdict for v in assign_verdicts(rows, lambda: rows)]
