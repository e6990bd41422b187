"""FedProx beside other theorems on one problem: Remark 2 under (B, 0)-LGD."""

from __future__ import annotations

import math
from collections.abc import Mapping

from fedproof.tuning.admitted import admitted
from fedproof.tuning.guarantee import Costs, Guarantee, Setting

_ID = "fedprox.remark2.lgd"
_NEEDS = ("smoothness_sample", "lipschitz_sample", "initial_gap", "dissimilarity_factor")
#: less than 1 by what its decimal may add; what the oracle may leave, of the accuracy
_LESS, _LEFT = 1 - 1e-9, 1e-6


def _solved(numbers: Mapping[str, float], accuracy: float, costs: Costs) -> Setting:
    """The largest step size, and the rounds that the bound then asks for."""
    L, G, gap, B = (numbers[word] for word in _NEEDS)
    eta = _LESS / (L * max(3, 5 * B))
    eps = _LEFT * accuracy / (24 * (L + 1 / eta))
    letters = {"L": L, "G": G, "Delta": gap, "I": costs.clients, "B": B, "eta": eta, "eps": eps}
    rounds = admitted(_ID, letters, "T", math.ceil(4 * gap / (eta * accuracy * (1 - _LEFT))), accuracy)
    return Setting(letters, {}, rounds)


COMPARES = (
    Guarantee(
        _ID, "fedprox", _NEEDS, _solved, "T", "squared_gradient", slice(None, -1),
        "squared gradient, w_0 to w_{T-1}", equal=True,
    ),
)  # fmt: skip
