"""FLECS-CGD beside other theorems on one problem: Theorem 5, full gradients, no compression, A_k = I."""

from __future__ import annotations

import math
from collections.abc import Mapping

from fedproof.tuning.admitted import admitted
from fedproof.tuning.guarantee import Costs, Guarantee, Setting

_ID = "flecs.theorem5.repaired"
_NEEDS = ("smoothness", "gradient_dissimilarity", "initial_gap", "mean_shift_error")
#: of what is not compressed: the shifts count as little as one likes
_WEIGHT, _SHIFT = 1e-6, 0.5


def _solved(numbers: Mapping[str, float], accuracy: float, costs: Costs) -> Setting:
    """The step 1/L, and the rounds that the bound then asks for."""
    from fedproof.papers.flecs.fewest_rounds.rounds import value
    from fedproof.papers.flecs.statements import formulas as f

    L, zeta2, gap, off = (numbers[word] for word in _NEEDS)
    letters = {
        "L": L, "mu1": 1, "mu2": 1, "omega": 0, "n": costs.clients, "zeta2": zeta2, "sigma2": 0,
        "alpha": 1 / L, "gamma": _SHIFT, "c": _WEIGHT,
    }  # fmt: skip
    letters["kappa0"] = math.nextafter(gap + value(f.SHIFTS5, letters) * off, math.inf)
    first = letters | {"K": 1}
    falling = value(f.START5, first)
    rounds = falling / (accuracy - (value(f.LAST5, first) - falling))
    return Setting(letters, {}, admitted(_ID, letters, "K", rounds, accuracy))


COMPARES = (
    Guarantee(
        _ID, "flecs", _NEEDS, _solved, "K", "squared_gradient", slice(None, -1),
        "squared gradient, w_0 to w_{K-1}",
        note="At the step 1/L, with A_k = I, full gradients and no compression.",
    ),
)  # fmt: skip
