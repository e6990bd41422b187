"""Short runs: of what a theorem recommends, of what a search finds, of what people begin with."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any

import numpy as np

from fedproof.planning.plan_result import Pilot
from fedproof.problems.problem import Problem
from fedproof.solvers.api import run
from fedproof.solvers.history import History
from fedproof.tuning.guarantee import Costs

#: sample gradients that all clients together, and one alone, may spend on a short run
WORK, STEPS_OF_ONE = 4_000_000, 50_000
#: of the search: step sizes times L, local steps, rounds of the first rung, what is kept of each
STEPS, LOCAL_STEPS, RUNG, KEPT = (0.1, 0.5, 2.0, 8.0, 32.0), (1, 10, 50), 3, 3
GRADIENT = "squared_gradient"


def short_run(
    label: str,
    problem: Problem,
    algorithm: str,
    parameters: Mapping[str, Any],
    rounds: int,
    costs: Costs,
    epsilon: float,
    *,
    metric: str = GRADIENT,
    span: slice = slice(None, -1),
    of: str = "",
    bound: Callable[[int], float | None] = lambda _: None,
    network: float | None = None,
    per: float = 1.0,
    seed: int = 0,
) -> Pilot:
    """Run an algorithm for a few rounds and hold it beside its bound.

    Arguments:
        label, problem, algorithm, parameters, rounds, seed: what is run.
        costs: for the seconds; network: those of a round's messages, None for a model each way.
        epsilon: the accuracy.
        metric, span, per: what is averaged, over which of its values, and what it is divided by.
        of: the same in words.
        bound: by rounds.
    """
    history = run(
        algorithm,
        problem,
        rounds=rounds,
        seed=seed,
        metrics=("loss", metric),
        say=lambda _: None,
        **parameters,
    )
    values = np.array(history.metrics[metric], dtype=float) / per
    done = history.rounds
    means = [float(np.mean(values[: k + 1][span])) for k in range(1, done + 1)]
    reached = next((k for k, mean in enumerate(means, 1) if mean <= epsilon), None)
    measured = means[-1] if means and not history.diverged else float("inf")
    ends = history.metrics["loss"]
    last = float("inf") if history.diverged else float(ends[-1])
    sending = costs.network if network is None else network
    seconds = done * sending + _busiest(history, problem) * costs.step_seconds
    return Pilot(
        label, algorithm, parameters, done, (float(ends[0]), last), measured, bound(done) if done else None,
        seconds, reached, of or f"{metric.replace('_', ' ')}, before each round",
    )  # fmt: skip


def _busiest(history: History, problem: Problem) -> float:
    """Sample gradients of a client in all rounds, were the work dealt by size."""
    share = float(np.max(problem.sizes) / np.sum(problem.sizes))
    return sum(history.gradients) * share


def affordable(rounds: int, gradients: float | None, clients: int, usual: int) -> int:
    """How many rounds a short run may have; 0 where one is too much work."""
    if gradients is None:
        return min(rounds, usual)
    return int(min(rounds, usual, WORK // (gradients * clients), STEPS_OF_ONE // gradients))


def searched(
    problem: Problem,
    smoothness: float | None,
    rounds: int,
    costs: Costs,
    epsilon: float,
    note: Callable[[str], Any],
) -> Pilot:
    """The best of a grid of FedAvg's, or FedMid's, step sizes and local steps, by successive halving.

    Each rung runs three times as many rounds and keeps the third with the least loss, the last one all.
    """
    kept = [
        {"stepsize": share / (smoothness or 1), "local_steps": steps, "batch_size": None}
        for share, steps in product(STEPS, LOCAL_STEPS)
    ]
    count = min(RUNG, rounds)
    while True:
        found = [_tried(problem, p, count, costs, epsilon) for p in kept]
        note(f"search, {len(kept)} settings, {count} rounds")
        order = np.argsort([pilot.loss[1] for pilot in found], kind="stable")
        if count >= rounds or len(kept) == 1:
            best = found[int(order[0])]
            return best if count >= rounds else _tried(problem, best.parameters, rounds, costs, epsilon)
        kept = [kept[int(n)] for n in order[: max(1, len(kept) // KEPT)]]
        count = min(KEPT * count, rounds)


def _tried(
    problem: Problem, parameters: Mapping[str, Any], rounds: int, costs: Costs, epsilon: float
) -> Pilot:
    name, metric = _plain(problem)
    label = f"{name}, step {parameters['stepsize']:.3g}, {parameters['local_steps']} local steps"
    return short_run(label, problem, name, parameters, rounds, costs, epsilon, metric=metric)


def _plain(problem: Problem) -> tuple[str, str]:
    """Local gradient steps and their mean, with proximal steps where there is a penalty; what is measured."""
    if getattr(problem, "penalty", None) is not None:
        return "fedmid", "squared_prox_gradient"
    return "fedavg", GRADIENT


def defaults(
    problem: Problem, smoothness: float | None, rounds: int, costs: Costs, epsilon: float
) -> Iterator[Pilot]:
    """FedAvg and FedProx, or FedMid, with ten local steps of 1/L of what each bends, as people begin."""
    name, metric = _plain(problem)
    bend, unit = (1.0, "1") if smoothness is None else (smoothness, "1/L")
    step = {"stepsize": 1 / bend, "local_steps": 10}
    beginnings: list[tuple[str, str, dict[str, Any]]] = [
        (name, f"{name}, step {unit}, 10 local steps", {**step, "batch_size": None})
    ]
    if name == "fedavg" and smoothness is not None:
        near = {"stepsize": 1 / (2 * bend), "local_steps": 10, "prox_weight": bend}
        label = "fedprox, mu = L, step 1/(2 L), 10 local steps"
        beginnings.append(("fedprox", label, {**near, "local_solver": "gradient_descent"}))
    for algorithm, label, parameters in beginnings:
        yield short_run(label, problem, algorithm, parameters, rounds, costs, epsilon, metric=metric)
