"""Logs of FedProx and FedMSPP against Theorems 1 to 4."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from fedproof.validate.logs.limits import Limit
from fedproof.validate.logs.readings import Reading
from fedproof.validate.logs.saved_runs import (
    DRAWN,
    DRAWN_DISTINCT,
    EVERYONE_ALIKE,
    SavedRuns,
    TakesPart,
)

#: t* is uniform over 0..T-1, so that the expectation over it is a mean
_READINGS = {
    "drawn_squared_gradient": Reading("squared_gradient", "before"),
    "drawn_squared_envelope_gradient": Reading("squared_envelope_gradient", "before"),
    "drawn_squared_prox_distance": Reading("squared_prox_distance", "before"),
    "drawn_squared_device_gradient": Reading("mean_squared_device_gradient", "before"),
}
#: squared norms of gradients, which are at most G^2 where every loss is G-Lipschitz
_GRADIENTS = ("squared_gradient", "squared_envelope_gradient", "mean_squared_device_gradient")


def _prox_stepsize(weight: Fraction) -> Fraction | None:
    """eta_t of (3), where mu = 1 / eta_t; none without a proximal term."""
    return 1 / weight if weight else None


def _spec(
    algorithm: str, takes_part: TakesPart, *ids: str, printed: Mapping[str, Any] | None = None
) -> SavedRuns:
    return SavedRuns(
        algorithm,
        {"": ids},
        takes_part,
        printed=printed or {},
        samples=tuple(_INDEPENDENT),
        free=("local_solver",),
        readings=_READINGS,
        limits=(Limit("lipschitz_sample", _GRADIENTS, "fedprox.lipschitz", power=2),),
        derived={"prox_stepsize": (("prox_weight",), _prox_stepsize)},
        lacks={
            "suboptimality": "the local solver has to say how far from the least its surrogate is, at most",
        },
    )


_EXACT = {"local_solver": "exact"}
#: of minibatches the statements assume independent samples
_INDEPENDENT = {"sampler": "uniform"}

SAVED_RUNS = (
    _spec(
        "fedprox", DRAWN, "fedprox.theorem1.explicit", "fedprox.theorem1.general", "fedprox.table1.theorem1",
        "fedprox.section1.rate.few", "fedprox.section1.rate.many", "fedprox.section1.rounds.few",
        "fedprox.section1.rounds.many", "fedprox.remark3",
    ),
    _spec(
        "fedprox", DRAWN, "fedprox.theorem2.explicit", "fedprox.theorem2.general", "fedprox.table1.theorem2",
        "fedprox.remark5", printed=_EXACT,
    ),
    _spec("fedprox", DRAWN_DISTINCT, "fedprox.section2.distinct.general"),
    _spec("fedprox", EVERYONE_ALIKE, "fedprox.remark2", "fedprox.remark2.general", "fedprox.remark2.lgd"),
    _spec(
        "fedmspp", DRAWN, "fedprox.theorem3.general.repaired", "fedprox.theorem3.repaired",
        "fedprox.theorem3.general", printed=_INDEPENDENT,
    ),
    _spec(
        "fedmspp", DRAWN, "fedprox.theorem4.explicit", "fedprox.theorem4.general", "fedprox.table1.theorem4",
        printed=_INDEPENDENT | _EXACT,
    ),
    _spec("fedmspp", DRAWN_DISTINCT, "fedprox.section2.distinct.theorem3", printed=_INDEPENDENT),
)  # fmt: skip
