"""Logs of FLECS-CGD against Theorems 4 and 5 and Corollary 6."""

from __future__ import annotations

from fractions import Fraction

from fedproof.validate.logs.readings import Reading
from fedproof.validate.logs.saved_runs import EVERYONE_ALIKE, SavedRuns


def _server_step(stepsize: Fraction) -> Fraction:
    """alpha is what the algorithm's file calls its step size."""
    return stepsize


SAVED_RUNS = SavedRuns(
    algorithm="flecs_cgd",
    statements={
        "": (
            "flecs.theorem5.repaired", "flecs.theorem5.sharpened", "flecs.theorem5",
            "flecs.theorem4.repaired", "flecs.theorem4", "flecs.corollary6.units",
            "flecs.corollary6.repaired", "flecs.corollary6",
        ),
    },
    takes_part=EVERYONE_ALIKE,
    speaks_of="Algorithm 1, flecs_cgd",
    readings={
        "lyapunov": Reading("lyapunov", "last"),
        "squared_gradient_of_drawn_model": Reading("squared_gradient", "before"),
    },
    derived={"server_step": (("stepsize",), _server_step)},
)  # fmt: skip
