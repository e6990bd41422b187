"""Short runs: of what a theorem recommends, of what a search finds, of what people begin with.

Which they are is settled before any is done, so that a cluster can do many at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np

from fedproof.planning.plan_result import Pilot
from fedproof.problems.problem import Problem
from fedproof.solvers.api import run
from fedproof.solvers.history import History
from fedproof.solvers.runs.cluster import Cluster
from fedproof.tuning.guarantee import Costs
from fedproof.vocabulary.errors import FedproofError

#: sample gradients that all clients together, and one alone, may spend on a short run
WORK, STEPS_OF_ONE = 4_000_000, 50_000
#: of the search: step sizes times L, local steps, rounds of the first rung, what is kept of each
STEPS, LOCAL_STEPS, RUNG, KEPT = (0.1, 0.5, 2.0, 8.0, 32.0), (1, 10, 50), 3, 3
GRADIENT = "squared_gradient"


@dataclass(frozen=True)
class Trial:
    """An algorithm that is to be run for a few rounds and held beside its bound.

    Arguments:
        label, problem, algorithm, parameters, rounds, seed: what is run.
        costs: for the seconds; network: those of a round's messages, None for a model each way.
        epsilon: the accuracy.
        metric, span, per: what is averaged, over which of its values, and what it is divided by.
        of: the same in words.
        bound: by rounds.
    """

    label: str
    problem: Problem
    algorithm: str
    parameters: Mapping[str, Any]
    rounds: int
    costs: Costs
    epsilon: float
    metric: str = GRADIENT
    span: slice = field(default_factory=lambda: slice(None, -1))
    of: str = ""
    bound: Callable[[int], float | None] = lambda _: None
    network: float | None = None
    per: float = 1.0
    seed: int = 0


def short_runs(trials: Sequence[Trial], there: Cluster | None = None) -> list[Pilot | FedproofError]:
    """Do all trials, here or on a cluster; of each what was measured, or why it could not be run.

    Raises: KeyboardInterrupt; ClusterLost.
    """
    if there is None:
        found = dict(_run(place, t.problem, *_run_of(t)) for place, t in enumerate(trials))
    else:
        held = {id(t.problem): there.shared(t.problem) for t in {id(t.problem): t for t in trials}.values()}
        pieces = ((t.algorithm, (n, held[id(t.problem)], *_run_of(t))) for n, t in enumerate(trials))
        found = dict(there.done(_run, pieces))
    return [
        done if isinstance(done, FedproofError) else _measured(trial, done)
        for trial, done in ((trial, found[place]) for place, trial in enumerate(trials))
    ]


def _run_of(trial: Trial) -> tuple[Any, ...]:
    return trial.algorithm, trial.rounds, trial.seed, ("loss", trial.metric), dict(trial.parameters)


def _run(
    place: int, problem: Problem, algorithm: str, rounds: int, seed: int, metrics: tuple[str, ...],
    parameters: Mapping[str, Any],
) -> tuple[int, History | FedproofError]:  # fmt: skip
    try:
        done = run(
            algorithm, problem, rounds=rounds, seed=seed, metrics=metrics, say=lambda _: None, **parameters
        )
    except FedproofError as error:
        return place, error
    if done.interrupted:
        raise KeyboardInterrupt
    return place, done


def _measured(trial: Trial, history: History) -> Pilot:
    """What a short run shows beside its bound."""
    values = np.array(history.metrics[trial.metric], dtype=float) / trial.per
    done, costs = history.rounds, trial.costs
    means = [float(np.mean(values[: k + 1][trial.span])) for k in range(1, done + 1)]
    reached = next((k for k, mean in enumerate(means, 1) if mean <= trial.epsilon), None)
    measured = means[-1] if means and not history.diverged else float("inf")
    ends = history.metrics["loss"]
    last = float("inf") if history.diverged else float(ends[-1])
    sending = costs.network if trial.network is None else trial.network
    seconds = done * sending + _busiest(history, trial.problem) * costs.step_seconds
    return Pilot(
        trial.label, trial.algorithm, trial.parameters, done, (float(ends[0]), last), measured,
        trial.bound(done) if done else None, seconds, reached,
        trial.of or f"{trial.metric.replace('_', ' ')}, before each round",
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
    there: Cluster | None = None,
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
        found = _all([_tried(problem, p, count, costs, epsilon) for p in kept], there)
        note(f"search, {len(kept)} settings, {count} rounds")
        order = np.argsort([pilot.loss[1] for pilot in found], kind="stable")
        if count >= rounds or len(kept) == 1:
            best = found[int(order[0])]
            if count >= rounds:
                return best
            return _all([_tried(problem, best.parameters, rounds, costs, epsilon)], there)[0]
        kept = [kept[int(n)] for n in order[: max(1, len(kept) // KEPT)]]
        count = min(KEPT * count, rounds)


def _all(trials: Sequence[Trial], there: Cluster | None) -> list[Pilot]:
    """What all trials measured.

    Raises: what kept one of them from being run.
    """
    found = []
    for done in short_runs(trials, there):
        if isinstance(done, FedproofError):
            raise done
        found.append(done)
    return found


def _tried(
    problem: Problem, parameters: Mapping[str, Any], rounds: int, costs: Costs, epsilon: float
) -> Trial:
    name, metric = _plain(problem)
    label = f"{name}, step {parameters['stepsize']:.3g}, {parameters['local_steps']} local steps"
    return Trial(label, problem, name, parameters, rounds, costs, epsilon, metric=metric)


def _plain(problem: Problem) -> tuple[str, str]:
    """Local gradient steps and their mean, with proximal steps where there is a penalty; what is measured."""
    if getattr(problem, "penalty", None) is not None:
        return "fedmid", "squared_prox_gradient"
    return "fedavg", GRADIENT


def defaults(
    problem: Problem,
    smoothness: float | None,
    rounds: int,
    costs: Costs,
    epsilon: float,
    there: Cluster | None = None,
) -> list[Pilot]:
    """FedAvg and FedProx, or FedMid, with ten local steps of 1/L of what each bends, as people begin."""
    return _all(list(_beginnings(problem, smoothness, rounds, costs, epsilon)), there)


def _beginnings(
    problem: Problem, smoothness: float | None, rounds: int, costs: Costs, epsilon: float
) -> Iterator[Trial]:
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
        yield Trial(label, problem, algorithm, parameters, rounds, costs, epsilon, metric=metric)
