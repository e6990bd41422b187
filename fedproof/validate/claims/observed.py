"""What a figure is said to show of an optimum: proved between neighbouring points of a grid."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fedproof.bounds.claims import Observed
from fedproof.bounds.statement import Statement
from fedproof.tuning.location import enclose_minimiser
from fedproof.validate.judgement import Judgement
from fedproof.vocabulary.errors import InputError

__all__ = ["judge"]

Grid = NDArray[np.float64]

#: the constants of Fig. 1; the paper gives no ranges for gamma and sigma2, these are chosen
SMOOTHNESS, WEAK_CONVEXITY = 1.0, 0.5
FIGURE = (np.array([0, 0.25, 0.5, 1, 2, 4, 8, 16]), np.logspace(-4, 1, 21))
#: far beyond any figure: is the observation a law?
FAR = (np.logspace(0, 6, 7), np.logspace(-12, 2, 15))


def judge(statement: Statement) -> Judgement:
    """Compare proved enclosures of neighbouring optima.

    Returns: holds where every pair of the figure's grid is proved to move as observed, refuted where
    a pair is proved to move the other way, else open. Whether it is a law is told from a far grid.
    """
    claim = statement.claim
    assert isinstance(claim, Observed)
    seen, against, pairs, place = _compare(claim, *FIGURE)
    ranges = (
        f"sigma2 in [{FIGURE[0][0]:g}, {FIGURE[0][-1]:g}], gamma in [{FIGURE[1][0]:g}, {FIGURE[1][-1]:g}]"
    )
    detail = f"proved between {seen} of {pairs} neighbouring optima ({ranges}, L = 1, lam = 0.5)"
    if against:
        return Judgement(statement.id, "refuted", ("enclosures",), f"{detail}; against it {place}")
    _, exceptions, _, far = _compare(claim, *FAR)
    law = f"; not a law: {far}" if exceptions else ""
    return Judgement(statement.id, "holds" if seen == pairs else "open", ("enclosures",), detail + law)


def _compare(claim: Observed, dissimilarities: Grid, delays: Grid) -> tuple[int, int, int, str]:
    """Pairs proved to move as claimed, pairs proved to move against it, all pairs, one pair against."""
    found = enclose_minimiser(SMOOTHNESS, WEAK_CONVEXITY, dissimilarities[:, None], delays[None, :])
    words = {
        "beta": found.inverse_stepsize,
        "mu": found.prox_weight,
        "tau": found.local_steps,
        "theta": found.inexactness,
        "Theta": found.federated_factor,
    }
    if claim.quantity.name not in words:
        raise InputError("observed quantity", claim.quantity.name, f"one of {', '.join(words)}")
    moving = ("sigma2", dissimilarities, "gamma", delays)
    low, high = words[claim.quantity.name]
    if claim.symbol.name == "gamma":
        moving, low, high = ("gamma", delays, "sigma2", dissimilarities), low.T, high.T
    rises, falls = high[:-1] < low[1:], low[:-1] > high[1:]
    agree, against = (rises, falls) if claim.direction == "increasing" else (falls, rises)
    place = ""
    if against.any():
        i, j = (int(k[0]) for k in np.nonzero(against))
        name, moved, other, fixed = moving
        place = (
            f"{claim.quantity.name} goes from {low[i, j]:.6g} to {high[i + 1, j]:.6g} "
            f"as {name} goes from {moved[i]:g} to {moved[i + 1]:g}, {other} = {fixed[j]:g}"
        )
    return int(agree.sum()), int(against.sum()), agree.size, place
