"""Time of a round of FedProx and FedMSPP with the certified oracle, beside SciPy for client after client.

Both solve every client's F_n(u) + (mu / 2) |u - w|^2 from w, of FedMSPP that of its minibatch of 32 samples,
which we gather in the time taken and SciPy is given: ours to a certificate of at most EPS, SciPy's
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
from fedproof.problems.minibatches import minibatches
from fedproof.solvers.algorithm import ModelState
from fedproof.solvers.algorithms.fedmspp import FedMSPP
from fedproof.solvers.algorithms.fedprox import FedProx
from fedproof.solvers.blocks import round_in_blocks
from fedproof.solvers.cohort import Cohort
from fedproof.solvers.local.to_suboptimality import ToSuboptimality
from fedproof.solvers.randomness import RandomSource

EPS, MU, REPEATS = 1e-8, 0.1, 9
PROBLEMS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("sparse_logistic", {"penalty": "none"}),
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


def measured(problem: Any, algorithm: Any) -> str:
    """One line: seconds of a round from the start, and of SciPy on the same clients or minibatches."""
    cohort, anchor = Cohort.of(problem), problem.start()
    draws, state = algorithm.draw(problem, cohort.clients, RandomSource(0, 1)), ModelState(anchor)
    lower = partial(round_in_blocks, algorithm, problem, state, cohort, draws, None, 1)
    trace = lower()[1]
    assert trace.solved is not None
    assert trace.solved.all()
    held = problem if not draws else minibatches(problem, cohort.clients, draws["minibatch"])

    def worst(models: Any) -> float:
        q = held.client_gradients(models, cohort.clients) + MU * (models - anchor)
        return float((q * q).sum(axis=1).max() / (2 * MU))

    tolerance = 1e-3
    while worst(one_by_one(held, anchor, tolerance)) > EPS:
        tolerance /= 2
    ours = median_seconds(lower, REPEATS)
    theirs = median_seconds(partial(one_by_one, held, anchor, tolerance), REPEATS)
    return (
        f"{1e3 * ours:.1f} ms a round, SciPy {1e3 * theirs:.1f} ms (gtol {tolerance:.1e}), "
        f"ratio {ours / theirs:.3f}"
    )


def main() -> None:
    """Print one line a problem and algorithm."""
    oracle = ToSuboptimality(EPS)
    for name, options in PROBLEMS:
        problem: Any = make_problem(name, 100, options=options)
        problem = getattr(problem, "smooth", problem)
        for algorithm in (FedProx(MU, local_solver=oracle), FedMSPP(MU, 32, local_solver=oracle)):
            place = f"{algorithm.name}, {name}, {problem.kernel_name}, d = {problem.dimension}"
            print(f"{place}: {measured(problem, algorithm)}")


if __name__ == "__main__":
    main()
