"""Time and gap of problem (23) on 1,200 instances, beside SciPy's differential evolution on a few.

Run: python benchmarks/training_time.py
"""

from __future__ import annotations

import statistics
import time
from itertools import product
from typing import Any

import numpy as np
from scipy.optimize import differential_evolution

from benchmarks.timing import median_seconds
from fedproof.algebra.expressions import compile_numpy
from fedproof.bounds.catalog import statement
from fedproof.papers.fedproxvr.training_time.minimise import minimise

SIGMA2 = np.array([0, 0.1, 1, 5, 20, 100.0])[:, None]
GAMMA = np.geomspace(1e-8, 1e3, 200)[None]
REPEATS = 7


def differential(sigma2: float, gamma: float) -> tuple[float, float]:
    """Objective and seconds of differential evolution in (log(mu - lam), log(beta - 3)) at L=1, lam=0.5."""
    problem = statement("fedproxvr.problem23")
    objective = compile_numpy(
        problem.expand(problem.claim.objective), ("L", "lam", "sigma2", "gamma", "mu", "beta")
    )

    def at(x: Any) -> float:
        with np.errstate(all="ignore"):
            value = float(objective(1.0, 0.5, sigma2, gamma, 0.5 + np.exp(x[0]), 3 + np.exp(x[1])))
        return value if value > 0 else 1e100

    start = time.perf_counter()
    found = differential_evolution(at, [(0, 10), (-3, 14)], seed=0, tol=1e-10)
    return float(found.fun), time.perf_counter() - start


def main() -> None:
    """Print one line a variant, then the comparison."""
    for form, estimator, tau in product(("printed", "sharpened"), ("sarah", "svrg"), ("real", "integer")):
        options: dict[str, Any] = {"form": form, "estimator": estimator, "tau": tau}
        seconds = median_seconds(
            lambda options=options: minimise(1.0, 0.5, SIGMA2, GAMMA, **options), REPEATS
        )
        best = minimise(1.0, 0.5, SIGMA2, GAMMA, **options)
        print(
            f"{form:9} {estimator:5} tau={tau:7}: {best.objective.size} instances in {1e3 * seconds:.0f} ms, "
            f"{int(best.certified.sum())} certified, worst proved gap {best.gap.max():.1e}"
        )
    chosen = [(0.0, 1e-3), (1.0, 1e-2), (20.0, 1e-5), (100.0, 10.0)]
    times, gaps = [], []
    for sigma2, gamma in chosen:
        value, seconds = differential(sigma2, gamma)
        best = minimise(1.0, 0.5, sigma2, gamma)
        times.append(seconds)
        gaps.append(value / float(best.objective) - 1)
    print(
        f"differential evolution, {len(chosen)} instances: {1e3 * statistics.median(times):.0f} ms each, "
        f"objective above ours by {min(gaps):.0e} to {max(gaps):.0e}"
    )


if __name__ == "__main__":
    main()
