"""Small problems and brute force for the tests of `measure`."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from fedproof.measure import least_loss
from fedproof.measure.counting_problem import CountingProblem
from fedproof.measure.measured_constant import MeasuredConstant
from fedproof.measure.search_options import SearchOptions, make_search_options
from fedproof.problems.problem import Array
from fedproof.problems.supervised.models.softmax import Softmax
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.supervised import Supervised
from fedproof.solvers.algorithms.fedproxvr import FedProxVR


class Sunk:
    """r(w) = sum (sqrt(1 + w^2) - 5): convex, smooth and below 0; it does not say how far."""

    text = "sum (sqrt(1 + w^2) - 5)"
    smoothness, least_curvature = Fraction(1), Fraction(0)

    def value(self, w: Array) -> Any:
        """The sum."""
        return (np.sqrt(1 + w * w) - 5).sum(axis=-1)

    def gradient(self, w: Array) -> Array:
        """Of each term."""
        return w / np.sqrt(1 + w * w)

    def curvature(self, w: Array) -> Array:
        """Of each term."""
        return (1 + w * w) ** -1.5


def toy(seed: int = 0, model: Any = None, regulariser: Any = None, features: int = 3) -> Supervised:
    """Small data that cannot be separated: labels are drawn apart from the features."""
    rng = np.random.default_rng(seed)
    x, y = rng.standard_normal((40, features)), rng.integers(0, 2, 40)
    parts = Partition.of_sizes([8, 12, 20])
    return Supervised(model or Softmax(2), x, y, parts, f"toy {seed}", regulariser)


def setting(problem: Any, rounds: int = 4, seeds: int = 10, **hyper: Any) -> SearchOptions:
    """A short trajectory of FedProxVR with a step size that suits L."""
    smooth = problem.constants["smoothness_sample"].value
    known = {"stepsize": 1 / (10 * Fraction(smooth)), "local_steps": 5, "prox_weight": 1} | hyper
    return make_search_options(problem, FedProxVR(**known), rounds, 0, seeds, 1.0)


def brute(problem: Any, model: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The global Hessian by central differences of the gradient."""
    eye, h = np.eye(len(model)), 1e-5
    columns = [(problem.gradient(model + h * e) - problem.gradient(model - h * e)) / (2 * h) for e in eye]
    return np.array(columns)


def brute_clients(problem: Supervised, model: np.ndarray[Any, Any]) -> list[np.ndarray[Any, Any]]:
    """Every client's Hessian by central differences, each from its own rows."""
    found = []
    for n in range(problem.n_clients):
        rows = slice(problem.partition.offsets[n], problem.partition.offsets[n + 1])
        x, y = problem.features[rows], problem.labels[rows]
        own = Supervised(problem.model, x, y, Partition.of_sizes([len(y)]), "", problem.regulariser)
        found.append(brute(own, model))
    return found


def gap_of(problem: Any) -> tuple[least_loss.Minimum, MeasuredConstant]:
    """The solve from the default start, and Delta."""
    minimum = least_loss.minimise(CountingProblem(problem), problem.start(), 2000)
    return minimum, least_loss.measure_initial_gap(CountingProblem(problem), minimum, problem.start())
