"""Composite federated learning with local proximal steps and drift correction (Zhang, Hu, Johansson)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fedproof.problems.problem import Array, Constant, Problem
from fedproof.problems.steps import LastIterates, ProximalSteps, StepGradients, proximal_steps, step_gradients
from fedproof.solvers.algorithm import Local, Trace, weighted_average
from fedproof.solvers.cohort import Cohort, size_weights
from fedproof.solvers.composite import CompositeState, ProximalGradients, prox
from fedproof.solvers.randomness import Draws, drawn_samples
from fedproof.vocabulary.errors import InputError


@dataclass(frozen=True)
class FedComposite(ProximalGradients):
    """Algorithm 1 of composite; "line" below means a line of its listing.

    Every client keeps a model before and one after the proximal step. The first is sent, so that the server's
    average is not bent by the prox; gradients are taken at the second.

    Arguments:
        stepsize: eta > 0, length^2 / loss.
        local_steps: tau >= 1.
        server_stepsize: eta_g > 0.
        batch_size: b, samples drawn with replacement per step; None takes all of a client's samples.
        correction: "clients" (line 18) or "none" (c_i = 0, for comparison).
        local_prox: "growing" (line 10: (t + 1) eta) or "constant" (eta, for comparison).
        communicated: "before_prox" (line 12) or "after_prox" (the naive variant below (4), for comparison).
        form: "clients" (lines 4-18) or "compact" ((2), from the clients' mean gradients): models and
            corrections are equal in exact arithmetic, for all clients and for a part of them, wherever the
            weights of the average sum to 1. In floats the first adds a rounding a round to the sum of the
            c_i, for good; the second does not where all clients take part in every round.

    Clients that do not take part in a round keep their correction; the paper lets all take part. Line 14
    carries the cohort's mean correction, which (2) leaves out as it is 0 for all clients: with a part of
    them the compact form adds it.

    >>> FedComposite(stepsize="1/10", local_steps=5, server_stepsize=2).effective_stepsize
    Fraction(1, 1)
    """

    name: ClassVar[str] = "fedcomposite"
    choices: ClassVar[dict[str, tuple[str, ...]]] = {
        "correction": ("clients", "none"),
        "local_prox": ("growing", "constant"),
        "communicated": ("before_prox", "after_prox"),
        "form": ("clients", "compact"),
    }

    correction: str = "clients"
    local_prox: str = "growing"
    communicated: str = "before_prox"
    form: str = "clients"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.form == "compact" and self.communicated == "after_prox":
            raise InputError("form", "compact with communicated=after_prox", "clients", "use form=clients")

    def init(self, problem: Problem, x0: Array) -> CompositeState:
        """Line 1: x0 is the pre-proximal model, and all corrections are 0."""
        start = np.array(x0)
        zeros = np.repeat(start[None] * 0, problem.n_clients, axis=0)
        return CompositeState(prox(problem, start, problem.number(self.effective_stepsize)), start, zeros)

    def begins(self, problem: Problem, model: Array) -> dict[str, Constant]:
        """What its theorems ask of the beginning beside the problem's constants, for the record of a run.

        The number of clients, the spread of their gradients, each counting the same; B_g = 0 without penalty.
        """
        ids = np.arange(problem.n_clients)
        every = problem.client_gradients(np.repeat(model[None], len(ids), axis=0), ids)
        apart = every - np.add.reduce(every, axis=0) / problem.number(len(ids))
        spread = np.add.reduce(apart * apart, axis=None) / problem.number(len(ids))
        kind = "exact" if model.dtype == object else "certified"
        room = problem.number(1) if kind == "exact" else 1 + 1e-9
        found = {
            "clients": Constant(len(ids), "exact", "counted"),
            "initial_dissimilarity": Constant(spread * room, kind, "the clients' gradients at the start"),
        }
        if getattr(problem, "penalty", None) is None:
            found["subgradient_bound"] = Constant(0, "exact", "there is no penalty")
        return found

    def local(self, problem: Problem, state: CompositeState, cohort: Array, draws: Draws) -> Local:
        """Lines 5-12 for a block of clients; what they keep is the mean of their gradients."""
        eta, decoupled = problem.number(self.stepsize), self.communicated == "before_prox"
        scales = [eta * (t + 1) if self.local_prox == "growing" else eta for t in range(self.local_steps)]
        start = np.repeat(state.model[None], len(cohort), axis=0)  # line 5
        correction, batches = state.corrections[cohort], drawn_samples(draws, self.batch_size)
        steps = ProximalSteps(eta, scales, decoupled)
        ends = proximal_steps(problem, start, correction, cohort, batches, steps)  # lines 6-11, if compiled
        if ends is None:
            ends = _one_by_one(problem, start, correction, step_gradients(problem, cohort, batches), steps)
        mean = ends.total / problem.number(self.local_steps)
        sent = ends.before if decoupled else ends.after  # line 12
        return Local(sent, self.work(problem, cohort, draws), memory=mean)

    def aggregate(
        self, problem: Problem, state: CompositeState, cohort: Cohort, local: Local
    ) -> tuple[CompositeState, Trace]:
        """Lines 13-18."""
        scale = problem.number(self.effective_stepsize)
        own, model = local.memory, state.model
        assert own is not None
        ids, weights = cohort.clients, cohort.weights
        # weights like the sizes, and models before the prox: then no round changes the sum of all D_i c_i
        steady = self.communicated == "before_prox" and bool((weights == size_weights(problem, ids)).all())
        if self.form == "compact":  # (2)
            mean = weighted_average(weights, own)
            if not (steady and state.balanced.all() and len(ids) == problem.n_clients):
                mean = mean + weighted_average(weights, state.corrections[ids])  # else it is 0
            before, corrections = model - scale * mean, mean - own
        else:
            average = weighted_average(weights, local.models)
            before = model + problem.number(self.server_stepsize) * (average - model)  # line 14
            corrections = (model - before) / scale - own  # line 18
        updated = state.corrections.copy()
        if self.correction == "clients":
            updated[ids] = corrections
        after = CompositeState(
            prox(problem, before, scale), before, updated, state.balanced * steady
        )  # line 15
        return after, self.trace(problem, state, cohort, local)


def _one_by_one(
    problem: Problem, start: Array, correction: Array, gradients: StepGradients, steps: ProximalSteps
) -> LastIterates:
    """Lines 6-11; the arrays of the gradients are the problem's and stay as they are."""
    before, after, move, total = start.copy(), start, np.empty_like(start), np.zeros_like(start)
    for t, scale in enumerate(steps.scales):  # line 6
        gradient = gradients(after, t)  # lines 7-8
        total += gradient
        np.add(gradient, correction, out=move)
        move *= steps.stepsize
        np.subtract(before if steps.decoupled else after, move, out=before)  # line 9
        after = prox(problem, before, scale)  # line 10
    return LastIterates(before, after, total)
