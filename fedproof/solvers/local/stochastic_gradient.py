"""Stochastic gradient steps on the surrogate, on batches drawn with replacement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from fedproof.solvers.local_solver import FixedSteps


@dataclass(frozen=True)
class StochasticGradient(FixedSteps):
    """Every client takes `local_steps` stochastic gradient steps.

    With update "gradient" and mu = 0 this is FedAvg's local work; with "prox" it is that of FedProxVR with
    SGD, first_step="stochastic", returned="last" and one local step less.

    Arguments:
        stepsize: eta > 0, length^2 / loss.
        local_steps: >= 0; 0 does not move.
        batch_size: samples drawn with replacement per step; None takes all of a client's samples.
        update: "gradient", w - eta (g + mu (w - anchor)) for the batch's mean gradient g, the step of FedProx
            (Li, Sahu et al., 2020) with SGD; or "prox", FedProxVR (10) after w - eta g.

    >>> StochasticGradient(stepsize=0.1, local_steps=5).batch_size
    1
    """

    name: ClassVar[str] = "stochastic_gradient"

    stepsize: Any
    local_steps: int = 20
    batch_size: int | None = 1
    update: str = "gradient"
