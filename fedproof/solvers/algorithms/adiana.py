"""ADIANA: accelerated gradient steps from compressed differences of gradients."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from fedproof.problems.problem import Array, Problem
from fedproof.solvers.algorithm import BITS, ClientsThenServer, Trace, weighted_average
from fedproof.solvers.cohort import Cohort
from fedproof.solvers.compressor import COIN, Compressor
from fedproof.solvers.gradient_differences import check_compressor, compressed, moved_shifts, rows_at
from fedproof.solvers.parameters import check_parameters, checked
from fedproof.solvers.randomness import Draws, RandomSource, Uniform
from fedproof.vocabulary.errors import InputError


@dataclass(frozen=True, eq=False)
class AcceleratedState:
    """y, which is the model, z and w of the server, shape (d,), and the clients' shifts h_i, shape (n, d)."""

    model: Array
    momentum: Array
    anchor: Array
    shifts: Array


@dataclass(frozen=True, eq=False)
class Pairs:
    """What a block of clients sends.

    Arguments:
        differences: C(grad f_i(x) - h_i), shape (k, d).
        anchored: C(grad f_i(w) - h_i), shape (k, d).
        coins: the round's, the same for all, shape (k,).
        gradients: sample gradients evaluated, shape (k,).
    """

    differences: Array
    anchored: Array
    coins: Array
    gradients: Array


@dataclass(frozen=True)
class Adiana(ClientsThenServer):
    """ADIANA of Li, Kovalev, Qian and Richtarik (2020), Accelerated DIANA, without a regulariser.

    x = theta1 z + theta2 w + (1 - theta1 - theta2) y. Client i sends C(grad f_i(x) - h_i) and, compressed by
    draws of its own, C(grad f_i(w) - h_i), by alpha times which h_i moves. With g the mean of the first and
    of h_i, y' = x - eta g, z' = beta z + (1 - beta) x + gamma/eta (y' - x), and w' is y with probability p,
    else w. Means are weighted as the cohort is. All points start at x_0, all h_i at 0. For mu-strongly convex
    losses their theorem has theta1 = min(1/4, sqrt(eta mu/p)), theta2 = 1/2, alpha = 1/(omega + 1),
    gamma = eta/(2 (theta1 + eta mu)) and beta = 1 - gamma mu.

    Arguments:
        stepsize: eta > 0, length^2 / loss.
        shift_stepsize: alpha > 0.
        momentum_weight, anchor_weight: theta1 and theta2, together at most 1.
        anchor_probability: p.
        momentum_stepsize: gamma, length^2 / loss; None is eta/(2 theta1), theirs for mu = 0.
        momentum_factor: beta; 1 is theirs for mu = 0.
        gradient_compressor: C.

    >>> from fedproof.solvers.compressors.natural import Natural
    >>> Adiana(stepsize="1/2", gradient_compressor=Natural()).anchor_weight
    Fraction(1, 2)
    """

    name: ClassVar[str] = "adiana"
    letters: ClassVar[dict[str, str]] = {
        "eta": "stepsize", "L": "smoothness_sample", "alpha": "shift_stepsize", "theta1": "momentum_weight",
        "theta2": "anchor_weight", "gamma": "momentum_stepsize", "beta": "momentum_factor",
    }  # fmt: skip
    parts: ClassVar[dict[str, str]] = {"gradient_compressor": "natural"}

    stepsize: Any
    shift_stepsize: Any = 1
    momentum_weight: Any = Fraction(1, 4)
    anchor_weight: Any = Fraction(1, 2)
    anchor_probability: Any = 1
    momentum_stepsize: Any | None = None
    momentum_factor: Any = 1
    gradient_compressor: Compressor = field(kw_only=True)

    def __post_init__(self) -> None:
        check_parameters(self)
        check_compressor("gradient_compressor", self.gradient_compressor, 0)
        first, second = (checked(name, getattr(self, name)) for name in ("momentum_weight", "anchor_weight"))
        if first + second > 1:
            raise InputError("anchor_weight", self.anchor_weight, f"at most {1 - first}, 1 - momentum_weight")

    @property
    def exact(self) -> bool:
        """Whether it also runs on fractions."""
        return self.gradient_compressor.exact

    def init(self, problem: Problem, x0: Array) -> AcceleratedState:
        """All points are x_0, all shifts 0."""
        check_compressor("gradient_compressor", self.gradient_compressor, problem.dimension)
        start = np.array(x0)
        return AcceleratedState(start, start, start, np.repeat(start[None] * 0, problem.n_clients, axis=0))

    def ranges(self, problem: Problem, cohort: Array) -> dict[str, Uniform]:
        """What the compressor draws for both messages."""
        own = self.gradient_compressor.uniform(problem.dimension, len(cohort))
        return {"gradient_compressor": own, "anchor_compressor": own}

    def draw(self, problem: Problem, cohort: Array, source: RandomSource) -> Draws:
        """All randomness of one round; the coin that decides of w is the server's, the same for all."""
        coin = source.generator("anchor", client=0).integers(COIN)
        return {**super().draw(problem, cohort, source), "anchor": np.full(len(cohort), coin)}

    def work(self, problem: Problem, cohort: Array, draws: Draws) -> Array:
        """A gradient of each client at x and one at w."""
        del draws
        found: Array = 2 * problem.sizes[cohort]
        return found

    def point(self, problem: Problem, state: AcceleratedState) -> Array:
        """x, shape (d,)."""
        first, second = problem.number(self.momentum_weight), problem.number(self.anchor_weight)
        found: Array = first * state.momentum + second * state.anchor + (1 - first - second) * state.model
        return found

    def local(self, problem: Problem, state: AcceleratedState, cohort: Array, draws: Draws) -> Pairs:
        """Both messages of a block of clients."""
        shifts = state.shifts[rows_at(cohort)]
        sent = []
        for at, purpose in (
            (self.point(problem, state), "gradient_compressor"),
            (state.anchor, "anchor_compressor"),
        ):
            models = np.repeat(at[None], len(cohort), axis=0)
            gap = problem.client_gradients(models, cohort) - shifts
            sent.append(compressed(self.gradient_compressor, gap, draws[purpose]))
        return Pairs(sent[0], sent[1], draws["anchor"], self.work(problem, cohort, draws))

    def aggregate(
        self, problem: Problem, state: AcceleratedState, cohort: Cohort, local: Pairs
    ) -> tuple[AcceleratedState, Trace]:
        """The server's steps, and the shifts, which server and clients move alike."""
        d, ids = problem.dimension, cohort.clients
        eta, beta = problem.number(self.stepsize), problem.number(self.momentum_factor)
        x = self.point(problem, state)
        gradient = weighted_average(cohort.weights, local.differences + state.shifts[rows_at(ids)])
        pull = self._momentum_stepsize(problem) * gradient
        hit = int(local.coins[0]) < checked("anchor_probability", self.anchor_probability) * COIN
        after = AcceleratedState(
            model=x - eta * gradient,
            momentum=beta * state.momentum + (1 - beta) * x - pull,
            anchor=state.model if hit else state.anchor,
            shifts=moved_shifts(state.shifts, ids, problem.number(self.shift_stepsize), local.anchored),
        )
        trace = Trace(
            start=state.model,
            cohort=ids,
            weights=cohort.weights,
            uplink_bits=np.full(len(ids), 2 * self.gradient_compressor.bits(d)),
            downlink_bits=np.full(len(ids), (1 + hit) * BITS * d),
            gradients=local.gradients,
        )
        return after, trace

    def _momentum_stepsize(self, problem: Problem) -> Any:
        """gamma."""
        if self.momentum_stepsize is not None:
            return problem.number(self.momentum_stepsize)
        return problem.number(self.stepsize) / (2 * problem.number(self.momentum_weight))
