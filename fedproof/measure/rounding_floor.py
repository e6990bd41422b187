"""How short a global gradient may be to divide by, and what of a ratio of gradients is not rounding."""

from __future__ import annotations

import numpy as np

from fedproof.measure.counting_problem import CountingProblem
from fedproof.measure.rounding import Clients
from fedproof.problems.problem import Array

TINY = 1e-8
"""No ratio is taken where the global gradient is below this part of the clients', there or at the start."""
_DROWNED = 64
"""Nor where it is below so many times what rounding may have made of it."""


class RoundingFloor:
    """How short a global gradient may be, and what of a ratio is not rounding.

    Arguments:
        problem: whose gradients.
        length: below which a global gradient counts as 0, whatever its rounding.
    """

    def __init__(self, problem: CountingProblem, length: float = 0.0) -> None:
        self.clients, self.length = Clients(problem.inner), length

    def lost(self, model: Array, each: Array, whole: Array) -> bool:
        """Whether the global gradient is too short, beside the clients' or its rounding, to divide by."""
        longest = float(np.linalg.norm(each, axis=1).max())
        size = float(np.linalg.norm(whole))
        if not np.isfinite(longest) or size <= max(TINY * longest, self.length):
            return True
        return self.clients.known and size <= _DROWNED * self.clients.errors(model, each, whole)[1]

    def sure(self, model: Array, each: Array, whole: Array) -> Array:
        """Lower bounds of every client's ratio, 0 where the rounding of the gradients is not bounded."""
        if not self.clients.known:
            return np.zeros(len(each))
        off, mean = self.clients.errors(model, each, whole)
        apart = np.linalg.norm(each - whole, axis=1) * (1 - 1e-12) - off - mean
        size = float(np.linalg.norm(whole)) * (1 + 1e-12) + mean
        found: Array = np.square(np.maximum(apart, 0) / size) * (1 - 1e-12)
        return found
