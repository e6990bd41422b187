"""Logs of Algorithm 1 against Theorems 3.5, 3.6 and 3.8."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from fedproof.validate.empirical.theory import definition_value
from fedproof.validate.logs.saved_runs import EVERYONE_ALIKE, SavedRuns

_START = ("clients", "local_steps", "stepsize", "server_stepsize", "initial_gap", "initial_dissimilarity")


def _initial_potential(n: Fraction, tau: Fraction, eta: Fraction, eta_g: Fraction, gap: Fraction,
                       zeta2: Fraction) -> Fraction:  # fmt: skip
    """Omega^1 of (10), as `composite.eq10.start` has it."""
    start = definition_value(
        "composite.eq10.start", "Omega1", n=float(n), tau=float(tau), eta=float(eta), eta_g=float(eta_g),
        gap=float(gap), zeta2=float(zeta2),
    )  # fmt: skip
    return Fraction(float(start))


_PRINTED = {"correction": "clients", "local_prox": "growing", "communicated": "before_prox"}


def _spec(printed: Mapping[str, Any], *ids: str) -> SavedRuns:
    return SavedRuns(
        algorithm="fedcomposite",
        statements={"": ids},
        takes_part=EVERYONE_ALIKE,
        speaks_of="Algorithm 1, fedcomposite",
        printed={**_PRINTED, **printed},
        free=("form",),
        derived={"initial_potential": (_START, _initial_potential)},
        lacks={
            "initial_potential": "Omega^1 of (10) takes how the clients' gradients differ at the start, "
            "initial_dissimilarity, the number of clients and least_loss",
        },
    )


SAVED_RUNS = (
    _spec(
        {}, "composite.theorem3.5.sharpened", "composite.theorem3.5",
        "composite.theorem3.5.any_server.sharpened", "composite.theorem3.5.rounds",
        "composite.theorem3.5.rounds.sharpened", "composite.theorem3.6", "composite.theorem3.6.repaired",
        "composite.theorem3.6.sharpened", "composite.theorem3.6.any_server.sharpened",
        "composite.theorem3.6.rounds", "composite.theorem3.6.rounds.repaired",
        "composite.theorem3.6.rounds.sharpened", "composite.theorem3.8", "composite.theorem3.8.sharpened",
        "composite.distance",
    ),
    _spec({"batch_size": None}, "composite.exact.nonconvex", "composite.exact.level", "composite.exact.pl"),
)  # fmt: skip
