"""What a figure is said to show of an optimum: looked at over a grid of certified optima."""

from __future__ import annotations

import numpy as np

from fedproof.bounds.claims import Observed
from fedproof.bounds.statement import Statement
from fedproof.tuning.training_time import minimise
from fedproof.validate.judgement import Judgement

__all__ = ["judge"]

#: the constants of Fig. 1; the paper gives no ranges for gamma and sigma2, these are chosen
SMOOTHNESS, WEAK_CONVEXITY = 1.0, 0.5
DELAY_RATIOS = np.logspace(-6, 2, 33)
DISSIMILARITIES = np.array([0, 0.25, 0.5, 1, 2, 4, 8, 16])
#: two optima closer than this, relatively, are not told apart
RESOLUTION = 1e-6


def judge(statement: Statement) -> Judgement:
    """Compare neighbouring certified optima; evidence over a grid is never a proof, so at best open."""
    claim = statement.claim
    assert isinstance(claim, Observed)
    best = minimise(SMOOTHNESS, WEAK_CONVEXITY, DISSIMILARITIES[:, None], DELAY_RATIOS[None, :])
    word = {"beta": "inverse_stepsize", "mu": "prox_weight", "tau": "local_steps", "theta": "inexactness"}
    values = getattr(best, word.get(claim.quantity.name, "federated_factor"))
    axis = 1 if claim.symbol.name == "gamma" else 0
    step = np.diff(values, axis=axis) / np.abs(np.take(values, range(values.shape[axis] - 1), axis=axis))
    against = step < -RESOLUTION if claim.direction == "increasing" else step > RESOLUTION
    seen = int(np.sum(~against & (np.abs(step) > RESOLUTION)))
    detail = (
        f"seen between {seen} of {step.size} neighbouring optima, {int(against.sum())} against "
        f"({int(best.certified.sum())} of {best.certified.size} optima certified); not proved"
    )
    return Judgement(statement.id, "open", (), detail)
