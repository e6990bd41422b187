"""Metrics of a run: functions of problem, state and trace, named as in `vocabulary.metrics`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from fedproof.problems.problem import Problem
from fedproof.solvers.algorithm import Trace
from fedproof.vocabulary.errors import UnknownName

__all__ = ["METRICS", "MetricFunction", "chosen_metrics"]

MetricFunction = Callable[[Problem, Any, Trace | None], Any]
"""Value at a state; the trace is that of the round that led there, None at the start."""


def loss(problem: Problem, state: Any, trace: Trace | None) -> Any:
    """Global loss at the server's model."""
    del trace
    return problem.loss(state.model)


def squared_gradient(problem: Problem, state: Any, trace: Trace | None) -> Any:
    """Squared norm of the global gradient at the server's model."""
    del trace
    gradient = problem.gradient(state.model)
    return np.add.reduce(gradient * gradient)


def accuracy(problem: Problem, state: Any, trace: Trace | None) -> Any:
    """Fraction of all samples that the server's model classifies correctly."""
    del trace
    return problem.accuracy(state.model) if hasattr(problem, "accuracy") else None


def test_accuracy(problem: Problem, state: Any, trace: Trace | None) -> Any:
    """Fraction of the held-out samples that the server's model classifies correctly."""
    del trace
    return problem.test_accuracy(state.model) if hasattr(problem, "test_accuracy") else None


def test_loss(problem: Problem, state: Any, trace: Trace | None) -> Any:
    """Mean loss of the server's model on the held-out samples."""
    del trace
    return problem.test_loss(state.model) if hasattr(problem, "test_loss") else None


def drift(problem: Problem, state: Any, trace: Trace | None) -> Any:
    """Weighted mean squared distance of the local models from the round's start; None at the start."""
    del state
    if trace is None:
        return None
    sizes = problem.sizes[trace.cohort]
    shift = trace.local_models - trace.start
    squares = np.add.reduce(shift * shift, axis=1)
    return np.add.reduce(squares * sizes) / problem.number(int(sizes.sum()))


def dissimilarity(problem: Problem, state: Any, trace: Trace | None) -> Any:
    """Measured sum_n (D_n / D) |grad F_n - grad F|^2 / |grad F|^2 at the server's model; None if grad F = 0.

    FedProxVR (5): a lower bound of the weighted mean of the sigma_n^2, which has to hold at all models.
    """
    del trace
    whole = problem.gradient(state.model)
    models = np.repeat(state.model[None], problem.n_clients, axis=0)
    gap = problem.client_gradients(models, np.arange(problem.n_clients)) - whole
    spread = np.add.reduce(problem.sizes * np.add.reduce(gap * gap, axis=1))
    size = np.add.reduce(whole * whole)
    return spread / (problem.number(int(problem.sizes.sum())) * size) if size else None


METRICS: Mapping[str, MetricFunction] = {
    "loss": loss,
    "squared_gradient": squared_gradient,
    "accuracy": accuracy,
    "test_accuracy": test_accuracy,
    "test_loss": test_loss,
    "drift": drift,
    "dissimilarity": dissimilarity,
}


def chosen_metrics(metrics: Iterable[str] | Mapping[str, MetricFunction]) -> dict[str, MetricFunction]:
    """The functions behind names; a mapping name -> function brings its own.

    >>> sorted(chosen_metrics(["loss"]))
    ['loss']
    """
    if isinstance(metrics, Mapping):
        return dict(metrics)
    names = [metrics] if isinstance(metrics, str) else list(metrics)
    for name in names:
        if name not in METRICS:
            raise UnknownName("metric", name, METRICS)
    return {name: METRICS[name] for name in names}
