"""What a figure is said to show of an optimum: proved between neighbouring points of a grid."""

from __future__ import annotations

import numpy as np

from fedproof.bounds.claims import Grid, Observed
from fedproof.bounds.statement import Statement
from fedproof.tuning.api import tuner
from fedproof.validate.statement_verdict import StatementVerdict
from fedproof.vocabulary.errors import InputError


def judge(statement: Statement) -> StatementVerdict:
    """Compare proved enclosures of neighbouring optima.

    Returns: holds where every pair of the figure's grid is proved to move as observed, refuted where
    a pair is proved to move the other way, else open. Whether it is a law is told from the far grid.
    """
    claim = statement.claim
    assert isinstance(claim, Observed)
    seen, against, pairs, place = _compare(claim, claim.grid)
    ranges = ", ".join(_range(s.name, values) for s, values in claim.grid)
    detail = f"seen, with proof, between {seen} of {pairs} neighbouring optima ({ranges})"
    if against:
        return StatementVerdict(statement.id, "refuted", ("enclosures",), f"{detail}; against it {place}")
    _, exceptions, _, far = _compare(claim, claim.far)
    law = f"; not a law: {far}" if exceptions else ""
    return StatementVerdict(statement.id, "open", ("enclosures",), detail + law)


def _range(name: str, values: tuple[float, ...]) -> str:
    return f"{name} = {values[0]:g}" if len(values) == 1 else f"{name} in [{values[0]:g}, {values[-1]:g}]"


def _compare(claim: Observed, grid: Grid) -> tuple[int, int, int, str]:
    """Pairs proved to move as claimed, pairs proved to move against it, all pairs, one pair against."""
    names = [s.name for s, _ in grid]
    axes = np.meshgrid(*(np.array(values, dtype=float) for _, values in grid), indexing="ij")
    ends = tuner(claim.problem).enclose(dict(zip(names, axes, strict=True)))
    if claim.quantity.name not in ends:
        raise InputError("observed quantity", claim.quantity.name, f"one of {', '.join(ends)}")
    axis = names.index(claim.symbol.name)
    low, high = (np.moveaxis(end, axis, 0) for end in ends[claim.quantity.name])
    places = [np.moveaxis(a, axis, 0) for a in axes]
    rises, falls = high[:-1] < low[1:], low[:-1] > high[1:]
    agree, against = (rises, falls) if claim.direction == "increasing" else (falls, rises)
    place = ""
    if against.any():
        i, *rest = (int(k[0]) for k in np.nonzero(against))
        one, two = (i, *rest), (i + 1, *rest)
        fixed = ", ".join(
            f"{n} = {a[one]:g}" for n, a in zip(names, places, strict=True) if n != claim.symbol.name
        )
        moved = f"{claim.symbol.name} goes from {places[axis][one]:g} to {places[axis][two]:g}"
        place = f"{claim.quantity.name} goes from {low[one]:.6g} to {high[two]:.6g} as {moved} ({fixed})"
    return int(agree.sum()), int(against.sum()), agree.size, place
