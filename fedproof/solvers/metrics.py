"""Metrics of a run: functions of problem, state and trace, named as in `vocabulary.metrics`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from fedproof.problems.composite.composite import prox_gradient
from fedproof.problems.problem import Array, Problem, counts_alike
from fedproof.problems.steps import loss_and_gradient
from fedproof.solvers.algorithm import Trace
from fedproof.vocabulary.errors import InputError, UnknownName

MetricFunction = Callable[[Problem, Any, Trace | None], Any]
"""Value at a state; the trace is that of the round that led there, None at the start."""


class AtModel:
    """A problem whose loss and gradient at one model come from one pass over its rows, where it can.

    >>> from fedproof.problems.quadratics.quadratic import Quadratic
    >>> bowl = Quadratic.of([[[2]]], [[5]], sizes=[1])
    >>> AtModel(bowl, bowl.start()).gradient(bowl.start())
    array([Fraction(5, 1)], dtype=object)
    """

    def __init__(self, problem: Problem, model: Array) -> None:
        self._problem, self._model = problem, model

    def __getattr__(self, name: str) -> Any:
        return getattr(self._problem, name)

    @cached_property
    def _both(self) -> tuple[Any, Array] | None:
        return loss_and_gradient(self._problem, self._model)

    def loss(self, model: Array) -> Any:
        """Global loss at one model (d,)."""
        known = self._both if model is self._model else None
        return self._problem.loss(model) if known is None else known[0]

    def gradient(self, model: Array) -> Array:
        """Global gradient at one model (d,)."""
        known = self._both if model is self._model else None
        return self._problem.gradient(model) if known is None else known[1]


def _squared_gradient(problem: Problem, state: Any, trace: Trace | None) -> Any:
    del trace
    gradient = problem.gradient(state.model)
    return np.add.reduce(gradient * gradient)


def _by_the_problem(name: str) -> MetricFunction:
    """What the problem itself says of the server's model under this name; None where it says nothing."""

    def metric(problem: Problem, state: Any, trace: Trace | None) -> Any:
        del trace
        own: Any = getattr(problem, name, None)
        return None if own is None else own(state.model)

    return metric


def _drift(problem: Problem, state: Any, trace: Trace | None) -> Any:
    """Mean squared distance of the local models from the round's start, weighted as they are averaged."""
    del problem, state
    if trace is None or trace.local_models is None:
        return None
    shift = trace.local_models - trace.start
    return np.add.reduce(trace.weights * np.add.reduce(shift * shift, axis=1))


def _dissimilarity(problem: Problem, state: Any, trace: Trace | None) -> Any:
    """Measured sum_n p_n |grad F_n - grad F|^2 / |grad F|^2 at the server's model; None if grad F = 0.

    p_n is what client n counts in the loss, D_n / D.

    FedProxVR (5): a lower bound of the weighted mean of the sigma_n^2, which has to hold at all models.
    """
    del trace
    whole = problem.gradient(state.model)
    models = np.repeat(state.model[None], problem.n_clients, axis=0)
    gap = problem.client_gradients(models, np.arange(problem.n_clients)) - whole
    masses = np.ones_like(problem.sizes) if counts_alike(problem) else problem.sizes
    spread = np.add.reduce(masses * np.add.reduce(gap * gap, axis=1))
    size = np.add.reduce(whole * whole)
    return spread / (problem.number(int(masses.sum())) * size) if size else None


def _inexactness(problem: Problem, state: Any, trace: Trace | None) -> float | None:
    """Largest |grad J_n(w_n)| / |grad F_n(w)| over the round's clients, w its start.

    J_n = F_n + (mu / 2) |. - w|^2. This is theta of FedProxVR (11) without the expectation, and the gamma of
    gamma-inexactness in Li, Sahu et al. (2020, FedProx), since grad J_n(w) = grad F_n(w). None at the start,
    where a client's gradient is 0 at w but not where it ended, and where clients return no models.
    """
    del state
    if trace is None or trace.local_models is None:
        return None
    start = np.repeat(trace.start[None], len(trace.cohort), axis=0)
    ends, begins = problem.client_gradients(np.stack([trace.local_models, start]), trace.cohort)
    ends = ends + problem.number(trace.prox_weight) * (trace.local_models - start)
    squares = [np.add.reduce(g * g, axis=1).astype(np.float64) for g in (ends, begins)]
    if np.any((squares[0] > 0) & (squares[1] == 0)):
        return None
    ratios = np.divide(squares[0], squares[1], out=np.zeros_like(squares[0]), where=squares[1] > 0)
    return float(np.sqrt(ratios.max()))


def _unsolved(problem: Problem, state: Any, trace: Trace | None) -> int | None:
    """How many of the round's clients missed the accuracy asked of their local solver; None if none was."""
    del problem, state
    return None if trace is None or trace.solved is None else int(np.sum(~trace.solved))


def _suboptimality(problem: Problem, state: Any, trace: Trace | None) -> Any:
    """The largest proved bound on a client's Q_n(w_n) - min Q_n in the round; None where none is proved."""
    del problem, state
    return None if trace is None or trace.suboptimality is None else trace.suboptimality.max()


def _per_client(name: str) -> MetricFunction:
    """The mean over the round's clients of what the trace has for each; None at the start."""

    def metric(problem: Problem, state: Any, trace: Trace | None) -> Any:
        del problem, state
        return None if trace is None else float(np.mean(getattr(trace, name)))

    return metric


def squared_prox_gradient(stepsize: Any) -> MetricFunction:
    """The metric |G(x)|^2 at the server's model, G the prox-gradient mapping with this step; composite (11).

    Arguments:
        stepsize: eta~ > 0, length^2 / loss.
    """

    def metric(problem: Problem, state: Any, trace: Trace | None) -> Any:
        del trace
        mapping = prox_gradient(problem, state.model, problem.number(stepsize))
        return np.add.reduce(mapping * mapping)

    return metric


METRICS: Mapping[str, MetricFunction] = {
    "loss": _by_the_problem("loss"),
    "squared_gradient": _squared_gradient,
    "accuracy": _by_the_problem("accuracy"),
    "test_accuracy": _by_the_problem("test_accuracy"),
    "test_loss": _by_the_problem("test_loss"),
    "drift": _drift,
    "dissimilarity": _dissimilarity,
    "inexactness": _inexactness,
    "unsolved": _unsolved,
    "suboptimality": _suboptimality,
    "uplink_bits_per_client": _per_client("uplink_bits"),
    "downlink_bits_per_client": _per_client("downlink_bits"),
}


OF_ALGORITHM: Mapping[str, Callable[[Any], MetricFunction]] = {
    "squared_prox_gradient": lambda algorithm: squared_prox_gradient(algorithm.effective_stepsize),
}
"""Metrics that a hyper-parameter of the algorithm enters; it must have it."""

_SQUARED_SLOPE = "loss^2/length^2"

UNITS: Mapping[str, str] = {
    "loss": "loss",
    "squared_gradient": _SQUARED_SLOPE,
    "squared_prox_gradient": _SQUARED_SLOPE,
    "squared_envelope_gradient": _SQUARED_SLOPE,
    "accuracy": "1",
    "test_accuracy": "1",
    "test_loss": "loss",
    "drift": "length^2",
    "dissimilarity": "1",
    "inexactness": "1",
    "unsolved": "clients",
    "suboptimality": "loss",
    "uplink_bits_per_client": "bits",
    "downlink_bits_per_client": "bits",
    "objective_gap": "loss",
    "potential": "loss",
    "distance_potential": "length^2",
    "squared_distance": "length^2",
    "descent": "length^2/loss",
    "relative_movement": "length^4/loss^2",
}
"""Units of what runs record and of what statements read off them, as `Quantity` writes them."""


def chosen_metrics(
    metrics: Iterable[str] | Mapping[str, MetricFunction], algorithm: Any
) -> dict[str, MetricFunction]:
    """The functions behind names, for an algorithm; a mapping name -> function brings its own.

    >>> sorted(chosen_metrics(["loss"], None))
    ['loss']
    """
    if isinstance(metrics, Mapping):
        return dict(metrics)
    names = [metrics] if isinstance(metrics, str) else list(metrics)
    for name in names:
        if name not in METRICS and not (name in OF_ALGORITHM and hasattr(algorithm, "effective_stepsize")):
            raise UnknownName("metric", name, METRICS)
    return {n: METRICS[n] if n in METRICS else OF_ALGORITHM[n](algorithm) for n in names}


def check_own(metrics: Iterable[str] | Mapping[str, MetricFunction] | None) -> None:
    """Refuse a function of a user's own under the name of a metric that is computed here.

    Raises: InputError.
    """
    for name, function in metrics.items() if isinstance(metrics, Mapping) else ():
        if (name in METRICS or name in OF_ALGORITHM) and function is not METRICS.get(name):
            got, cure = f"a function of your own called {name}", f"call it otherwise, my_{name} say"
            raise InputError("metrics", got, "a name that means nothing else", cure)


def usual_metrics(algorithm: Any) -> tuple[str, ...]:
    """What is measured where nothing is asked for: two metrics, and what the algorithm `reports` of itself.

    A method that takes proximal steps has the prox-gradient mapping in place of the gradient, or nothing
    where it says no step size to measure it with.

    >>> usual_metrics(None)
    ('loss', 'squared_gradient')
    """
    gradient: tuple[str, ...] = ("squared_gradient",)
    if getattr(algorithm, "proximal", False):
        gradient = ("squared_prox_gradient",) if hasattr(algorithm, "effective_stepsize") else ()
    return ("loss", *gradient, *getattr(algorithm, "reports", ()))
