"""Interior-point steps on the dual of the surrogate until its duality gap is small: for losses with kinks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fedproof.problems.problem import Array, Problem
from fedproof.problems.supervised.linear import float_above
from fedproof.problems.supervised.regularisers import l2_weight
from fedproof.solvers.algorithm import Local
from fedproof.solvers.box_dual import BoxDual, minimise
from fedproof.solvers.parameters import check_parameters
from fedproof.solvers.randomness import Draws, NoDraws
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.values import parse_value


@dataclass(frozen=True)
class ToDualityGap(NoDraws):
    """Every client lowers Q_n(u) = F_n(u) + (mu / 2) |u - w|^2 until Q_n(u) <= min Q_n + eps is proved.

    The inexact oracle of Yuan and Li (2022, FedProx), Definition 2, with mu = 1 / eta, for models with
    kinks such as hinge and absolute, plain or with an l2 regulariser. The certificate is the duality gap,
    above all rounding (`solvers.box_dual`); a client stops when it is at most eps. One that is not there
    after `most_steps` is reported: `Trace.solved`, counted by the metric `unsolved`.

    Arguments:
        suboptimality: eps > 0, loss.
        most_steps: >= 1; about 20 reach 1e-10.

    >>> ToDualityGap("1e-9").most_steps
    100
    """

    name: ClassVar[str] = "to_duality_gap"
    letters: ClassVar[dict[str, str]] = {"eps": "suboptimality"}
    kinked: ClassVar[bool] = True
    reports: ClassVar[tuple[str, ...]] = ("suboptimality", "unsolved")

    suboptimality: Any
    most_steps: int = 100

    def __post_init__(self) -> None:
        check_parameters(self)

    def solve(self, problem: Problem, anchor: Array, prox_weight: Any, clients: Array, draws: Draws) -> Local:
        """Steps of those clients of a block that are not there yet."""
        del draws
        asked: Any = getattr(problem, "kinked_clients", None)
        groups, l2 = asked and asked(clients), l2_weight(getattr(problem, "regulariser", None))
        if groups is None or l2 is None:
            raise InputError("local_solver", f"to_duality_gap on {problem.name}",
                             "model=hinge or absolute, plain or with l2", "use to_suboptimality")  # fmt: skip
        mu, goal = float(prox_weight), -float_above(-parse_value(self.suboptimality))
        if not mu + float(l2) > 0:
            raise InputError(
                "prox_weight", prox_weight, "more than 0 where there is no l2", "give a larger mu"
            )
        models, bounds = anchor.copy(), np.zeros(len(clients))
        passes = np.zeros(len(clients), dtype=np.int64)
        with np.errstate(all="ignore"):
            for where, rows, box in groups:
                found = minimise(BoxDual(rows, box, anchor[where], mu, float(l2)), goal, self.most_steps)
                models[where], bounds[where], passes[where] = found.models, found.bounds, found.passes
        work = passes * problem.sizes[clients]
        return Local(models, work, bounds <= goal, suboptimality=bounds)
