"""The local oracle on the line: proximal points in closed form, or as far off as an accuracy allows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from fedproof.problems.problem import Array
from fedproof.solvers.algorithm import Local
from fedproof.solvers.randomness import Draws, NoDraws


@dataclass(frozen=True)
class ProximalPoint(NoDraws):
    """Every client returns its proximal point, plus a push to where the mean loss is larger.

    The surrogate's slope rises by at most L + 1 / eta, so that a push by p loses (L + 1 / eta) p^2 / 2.

    Arguments:
        push: p >= 0, length.
    """

    name: ClassVar[str] = "proximal_point"
    letters: ClassVar[dict[str, str]] = {}

    push: Any = 0

    def solve(self, problem: Any, anchor: Array, prox_weight: Any, clients: Array, draws: Draws) -> Local:
        """The points of a block of clients."""
        del draws
        points = problem.proximal_points(anchor, prox_weight, clients)
        if self.push:
            slope = problem.gradient(anchor[0])
            up = (slope > 0).astype(int) - (slope < 0).astype(int)
            points = points + problem.number(self.push) * up
        return Local(points, problem.sizes[clients])
