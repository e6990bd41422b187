"""lambda of FedProxVR (4): exact where the model says, else the most negative curvature that was found."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fedproof.measure.counting_problem import CountingProblem
from fedproof.measure.curvature import extreme_curvature
from fedproof.measure.measured_constant import MeasuredConstant, known_constant
from fedproof.measure.search_options import SearchOptions
from fedproof.measure.smoothness import surely


def measure_weak_convexity(problem: CountingProblem, setting: SearchOptions) -> MeasuredConstant:
    """weak_convexity: (4) holds for the problem's own constant; a search gives a lower bound on lambda."""
    known = known_constant(problem.constants["weak_convexity"])
    if known.kind == "exact":
        return known
    seen, found, median = search(problem, setting)
    details = {"on_trajectory": seen, "median_of_clients": median}
    where = f"Lanczos and descent on the curvature of {problem.n_clients} clients"
    if known.upper is not None:
        lower = surely(problem, found, int(problem.sizes.max()))
        how = f"{known.how}; at least {lower:.4g}, found by {where}"
        return replace(known, how=how, lower=lower, spread=float(known.upper) - lower, details=details)
    how = f"most negative found by {where} within {setting.radius:.3g} of the trajectory: a lower bound"
    return MeasuredConstant(found, "estimate", how, found - median, found, None, details)


def search(problem: CountingProblem, setting: SearchOptions) -> tuple[float, float, float]:
    """The largest -curvature on the trajectory, after descent, and the median over clients after descent."""
    clients = np.arange(problem.n_clients)
    seen, best = np.zeros(len(clients)), np.zeros(len(clients))
    for model in setting.spread_out(3):
        at = np.repeat(model[None], len(clients), axis=0)
        rounds = setting.rounds(problem, clients, most=20)
        found = extreme_curvature(
            problem, at, clients, -1, rounds, setting.rng("convexity"), radius=setting.radius
        )
        seen, best = np.maximum(seen, -found.first), np.maximum(best, -found.values)
    return float(seen.max()), float(best.max()) * (1 - 1e-9), float(np.median(best))
