"""Gradient descent on the surrogate, on all samples of a client."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from fedproof.solvers.local_solver import FixedSteps


@dataclass(frozen=True)
class GradientDescent(FixedSteps):
    """Every client takes `local_steps` steps on all of its samples.

    Arguments:
        stepsize: eta > 0, length^2 / loss.
        local_steps: >= 0; 0 does not move.
        update: "gradient", w - eta (grad F_n(w) + mu (w - anchor)), or "prox", FedProxVR (10) after
            w - eta grad F_n(w).

    >>> GradientDescent(stepsize=0.1, local_steps=5).update
    'gradient'
    """

    name: ClassVar[str] = "gradient_descent"

    stepsize: Any
    local_steps: int = 20
    update: str = "gradient"
