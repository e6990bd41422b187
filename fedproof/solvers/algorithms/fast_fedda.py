"""Fast-FedDA: dual averaging for strongly convex losses, with weighted sums of gradients and of models."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import Any, ClassVar

import numpy as np

from fedproof.problems.problem import Array, Problem
from fedproof.problems.steps import step_gradients
from fedproof.solvers.algorithm import Local, Trace, weighted_average
from fedproof.solvers.cohort import Cohort
from fedproof.solvers.composite import LocalGradients, prox
from fedproof.solvers.randomness import Draws, drawn_samples
from fedproof.vocabulary.values import parse_value


@dataclass(frozen=True, eq=False)
class SumsState:
    """The server's model and what it is computed from.

    Arguments:
        model: shape (d,).
        anchor: the initial model, which every client knows; shape (d,).
        sums: of gradients and of models, weighted; both are broadcast; shape (2, d).
        steps: local steps so far, a whole number, shape (1,).
    """

    model: Array
    anchor: Array
    sums: Array
    steps: Array


@dataclass(frozen=True)
class FastFedDA(LocalGradients):
    """Fast-FedDA of Bao, Crawshaw, Luo and Liu (2022, Fast Composite Optimization).

    With t = 0, 1, ... counting local steps over all rounds, weights a_t and A_t = a_0 + ... + a_t, a client
    repeats G <- G + a_t grad(w_t) and takes as w_{t+1} the minimiser v of
    <G, v> + A_t g(v) + (mu / 4) sum_{s <= t} a_s |v - w_s|^2 + (gamma / 2) |v - w_0|^2; for the sum it
    keeps X, the weighted sum of its models. In place of the last of a round's tau new models the server
    averages G and X and minimises the same with the averages. So both G and X travel, each way.

    The minimisation, the sums and the factor mu / 4 are those of the authors' code (`LassoRun.m`,
    `EmnistRun.m`), which has a_t = 1 and a constant gamma tuned by hand (550 with mu = 0.1; 25 with
    mu = 0.001). Their listing and the weights of their theorem were not at hand, and reimplementations
    differ: no lines are cited, and the paper's own a_t and gamma could not be established. Without a penalty
    and with tau = 1 it is gradient descent with the step a_t / (mu A_t / 2 + gamma).

    Arguments:
        loss_strong_convexity: mu > 0, of the smooth loss; loss / length^2.
        stepsize: 1 / gamma > 0, length^2 / loss; at most 1 / L (constant weights) or mu / L^2 (linear ones)
            keeps every step at or below 1 / L.
        local_steps: tau >= 1 (their K).
        batch_size: b, samples drawn with replacement per step; None takes all of a client's samples.
        weights: "constant" (a_t = 1, as in their code) or "linear" (a_t = t + 1, as in a reimplementation).
        last_model: how often the sum X counts the last model of a round: "once", or "twice" as in their code,
            at the client and again at the server. Then it ends at a minimiser of F - (mu / (4 tau)) |x|^2.

    >>> FastFedDA(loss_strong_convexity="1/10", stepsize="1/4").gamma
    Fraction(4, 1)
    """

    name: ClassVar[str] = "fast_fedda"
    proximal: ClassVar[bool] = True
    letters: ClassVar[dict[str, str]] = {**LocalGradients.letters, "mu": "loss_strong_convexity"}
    choices: ClassVar[dict[str, tuple[str, ...]]] = {
        "weights": ("constant", "linear"),
        "last_model": ("once", "twice"),
    }
    vectors: ClassVar[int] = 2

    loss_strong_convexity: Any
    stepsize: Any
    local_steps: int = 10
    batch_size: int | None = None
    weights: str = "constant"
    last_model: str = "once"

    @property
    def gamma(self) -> Any:
        """The weight of the initial model, exactly; loss / length^2."""
        return 1 / parse_value(self.stepsize)

    @property
    def effective_stepsize(self) -> Any:
        """1 / gamma, at which a record measures the prox-gradient mapping; the method's own steps shrink."""
        return parse_value(self.stepsize)

    def init(self, problem: Problem, x0: Array) -> SumsState:
        """No gradients yet, and the initial model with weight a_0."""
        start = np.array(x0)
        sums = np.stack([start * 0, start * problem.number(self._weight(0))])
        return SumsState(start, start.copy(), sums, np.zeros(1, dtype=np.int64))

    def local(self, problem: Problem, state: SumsState, cohort: Array, draws: Draws) -> Local:
        """The local steps of a block of clients; their gradient sums are kept beside their model sums."""
        first, at_step = (
            int(state.steps[0]),
            step_gradients(problem, cohort, drawn_samples(draws, self.batch_size)),
        )
        gradients, models = (np.repeat(s[None], len(cohort), axis=0) for s in state.sums)
        at = np.repeat(state.model[None], len(cohort), axis=0)
        for t in range(first, first + self.local_steps):
            weight = problem.number(self._weight(t))
            gradients = gradients + weight * at_step(at, t - first)
            if t < first + self.local_steps - 1 or self.last_model == "twice":
                at = self.model_of(problem, state.anchor, gradients, models, t)
                models = models + problem.number(self._weight(t + 1)) * at
        return Local(at, self.work(problem, cohort, draws), memory=np.stack([gradients, models], axis=1))

    def aggregate(
        self, problem: Problem, state: SumsState, cohort: Cohort, local: Local
    ) -> tuple[SumsState, Trace]:
        """The averages of both sums, and the model that they give."""
        assert local.memory is not None
        gradients, models = weighted_average(cohort.weights[:, None], local.memory)
        steps = state.steps + self.local_steps
        last = int(steps[0]) - 1
        model = self.model_of(problem, state.anchor, gradients, models, last)
        sums = np.stack([gradients, models + problem.number(self._weight(last + 1)) * model])
        return SumsState(model, state.anchor, sums, steps), self.trace(problem, state, cohort, local)

    def model_of(self, problem: Problem, anchor: Array, gradients: Array, models: Array, step: int) -> Array:
        """After step t: P_{A_t / m}((gamma w_0 + (mu / 2) X - G) / m) with m = mu A_t / 2 + gamma."""
        total = comb(step + 2, 2) if self.weights == "linear" else step + 1
        half = parse_value(self.loss_strong_convexity) / 2
        curvature = problem.number(half * total + self.gamma)
        target = (problem.number(self.gamma) * anchor + problem.number(half) * models - gradients) / curvature
        return prox(problem, target, problem.number(total) / curvature)

    def _weight(self, step: int) -> int:
        return step + 1 if self.weights == "linear" else 1
