"""Time of a round of FedProx with the certified oracle, beside SciPy called for one client after the other.

Both solve every client's F_n(u) + (mu / 2) |u - w|^2 from w: ours to a certificate of at most EPS, SciPy's
L-BFGS-B until |grad Q|^2 / (2 mu) is at most EPS where it ends, by the largest of tolerances 1e-3 / 2^k that
does it.

Run: python -m benchmarks.oracle
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from scipy.optimize import minimize

from benchmarks.timing import median_seconds
from fedproof.problems.catalog import make_problem
from fedproof.solvers.algorithm import ModelState
from fedproof.solvers.algorithms.fedprox import FedProx
from fedproof.solvers.cohort import Cohort
from fedproof.solvers.local.to_suboptimality import ToSuboptimality

EPS, MU, REPEATS = 1e-8, 0.1, 9
PROBLEMS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("sparse_logistic", {"penalty": "none", "penalty_weight": None}),
    ("breast_cancer", {"model": "logistic", "split": "iid"}),
    ("digits", {"split": "iid"}),
)


def one_by_one(problem: Any, anchor: Any, tolerance: float) -> Any:
    """Every client's model by SciPy, losses and gradients in plain NumPy over its own rows."""
    ends, models = problem.partition.offsets, []
    outputs = problem.model.outputs
    for n in range(problem.n_clients):
        x, y = problem.features[ends[n] : ends[n + 1]], problem.labels[ends[n] : ends[n + 1]]
        rows, signs = np.arange(len(y)), np.where(y == 1, 1.0, -1.0)

        def logistic(u: Any, x: Any = x, s: Any = signs) -> Any:
            z = -s * (x @ u)
            pull = -s / (1 + np.exp(-z))
            move = u - anchor
            return np.logaddexp(0, z).mean() + MU / 2 * move @ move, x.T @ pull / len(s) + MU * move

        def softmax(u: Any, x: Any = x, y: Any = y, rows: Any = rows) -> Any:
            z = x @ u.reshape(outputs, -1).T
            z -= z.max(axis=1, keepdims=True)
            q, move = np.exp(z), u - anchor
            total = q.sum(axis=1, keepdims=True)
            value = (np.log(total[:, 0]) - z[rows, y]).mean() + MU / 2 * move @ move
            q /= total
            q[rows, y] -= 1
            return value, (q.T @ x).ravel() / len(y) + MU * move

        what = logistic if outputs == 1 else softmax
        options = {"gtol": tolerance, "ftol": 0.0, "maxiter": 5000, "maxls": 50}
        models.append(minimize(what, anchor, jac=True, method="L-BFGS-B", options=options).x)
    return np.array(models)


def main() -> None:
    """Print one line a problem."""
    for name, options in PROBLEMS:
        given = {k: v for k, v in options.items() if v is not None}
        problem: Any = make_problem(name, 100, options=given)
        problem = getattr(problem, "smooth", problem)
        cohort, anchor = Cohort.of(problem), problem.start()
        algorithm = FedProx(MU, local_solver=ToSuboptimality(EPS))
        _, trace = algorithm.round(problem, ModelState(anchor), cohort, {})
        assert trace.solved is not None
        assert trace.solved.all()

        def worst(models: Any, problem: Any = problem, ids: Any = cohort.clients, w: Any = anchor) -> float:
            q = problem.client_gradients(models, ids) + MU * (models - w)
            return float((q * q).sum(axis=1).max() / (2 * MU))

        tolerance = 1e-3
        while worst(one_by_one(problem, anchor, tolerance)) > EPS:
            tolerance /= 2
        ours = median_seconds(partial(algorithm.round, problem, ModelState(anchor), cohort, {}), REPEATS)
        theirs = median_seconds(partial(one_by_one, problem, anchor, tolerance), REPEATS)
        print(
            f"{name}, {problem.kernel_name}, d = {problem.dimension}: {1e3 * ours:.1f} ms a round, "
            f"SciPy {1e3 * theirs:.1f} ms (gtol {tolerance:.1e}), ratio {ours / theirs:.3f}"
        )


if __name__ == "__main__":
    main()
