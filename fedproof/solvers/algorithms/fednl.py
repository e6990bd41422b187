"""FedNL: Newton steps by Hessians that the server learns from compressed differences."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from fedproof.problems.problem import Array, Problem
from fedproof.solvers.algorithm import BITS, ClientsThenServer, Trace, weighted_average
from fedproof.solvers.algorithms._hessian_states import check_dense
from fedproof.solvers.cohort import Cohort
from fedproof.solvers.compressor import Compressor
from fedproof.solvers.gradient_differences import check_compressor, compressed, rows_at
from fedproof.solvers.linear_systems import solutions
from fedproof.solvers.parameters import check_parameters
from fedproof.solvers.randomness import Draws, Uniform
from fedproof.vocabulary.errors import InputError


@dataclass(frozen=True, eq=False)
class HessianState:
    """The server's model, shape (d,), and H_i of the clients and of the server alike, shape (n, d, d)."""

    model: Array
    matrices: Array


@dataclass(frozen=True, eq=False)
class Learned:
    """What a block of clients sends.

    Arguments:
        slopes: the clients' gradients, shape (k, d).
        differences: S_i, the lower triangle row after row, shape (k, d (d + 1) / 2).
        errors: l_i, how far H_i is from the Hessian in the Frobenius norm, shape (k,).
        gradients: sample gradients and Hessian-vector products evaluated, shape (k,).
    """

    slopes: Array
    differences: Array
    errors: Array
    gradients: Array


@dataclass(frozen=True)
class FedNL(ClientsThenServer):
    """FedNL, Algorithm 1 of Safaryan, Islamov, Qian and Richtarik (2021), with full gradients and Hessians.

    Client i sends its gradient, S_i = C(Hessian - H_i) and l_i = |H_i - Hessian|; H_i moves by alpha S_i. The
    server steps by the inverse, applied to the mean gradient, of H + l I or of H with its eigenvalues raised
    to mu, H and l the means before the round, weighted as the cohort is. All H_i start at 0. C compresses the
    entries of the lower triangle, so that H_i stays symmetric; their Rank-R is none of the compressors here.

    Arguments:
        direction: "shifted" by l I, their Option 2, or "projected", Option 1.
        trunc_lo: mu of Option 1, loss / length^2.
        hessian_learning_rate: alpha; 1 for a contraction, 1 / (omega + 1) for an unbiased compressor.
        hessian_compressor: C.

    >>> from fedproof.solvers.compressors.top_k import TopK
    >>> FedNL(hessian_compressor=TopK(3)).direction
    'shifted'
    """

    name: ClassVar[str] = "fednl"
    letters: ClassVar[dict[str, str]] = {"alpha": "hessian_learning_rate", "mu": "trunc_lo"}
    choices: ClassVar[dict[str, tuple[str, ...]]] = {"direction": ("shifted", "projected")}
    parts: ClassVar[dict[str, str]] = {"hessian_compressor": "top_k"}
    exact: ClassVar[bool] = False

    direction: str = "shifted"
    trunc_lo: Any = Fraction(1, 10**5)
    hessian_learning_rate: Any = 1
    hessian_compressor: Compressor = field(kw_only=True)

    def __post_init__(self) -> None:
        check_parameters(self)
        check_compressor("hessian_compressor", self.hessian_compressor, 0)

    def init(self, problem: Problem, x0: Array) -> HessianState:
        """All H_i are 0.

        Raises: InputError for fractions, and for more matrices d x d than fit.
        """
        n, d = problem.n_clients, problem.dimension
        if np.asarray(x0).dtype == object:
            raise InputError("problem", "fractions", "float64", "FedNL takes roots")
        check_dense(n, d, "fednl", "use flecs_cgd")
        check_compressor("hessian_compressor", self.hessian_compressor, d * (d + 1) // 2)
        return HessianState(np.array(x0), np.zeros((n, d, d)))

    def ranges(self, problem: Problem, cohort: Array) -> dict[str, Uniform]:
        """What the compressor draws."""
        length = problem.dimension * (problem.dimension + 1) // 2
        return {"hessian_compressor": self.hessian_compressor.uniform(length, len(cohort))}

    def work(self, problem: Problem, cohort: Array, draws: Draws) -> Array:
        """A gradient of each client, and a product of its Hessian with every unit vector."""
        del draws
        found: Array = (1 + problem.dimension) * problem.sizes[cohort]
        return found

    def local(self, problem: Problem, state: HessianState, cohort: Array, draws: Draws) -> Learned:
        """Gradient, S_i and l_i of a block of clients."""
        d = problem.dimension
        models = np.repeat(state.model[None], len(cohort), axis=0)
        units = np.broadcast_to(np.eye(d)[:, None], (d, len(cohort), d))
        hessians = np.moveaxis(problem.hessian_products(models, units, cohort), 0, 1)
        gap = hessians - state.matrices[rows_at(cohort)]
        lower = np.tril_indices(d)
        sent = compressed(self.hessian_compressor, gap[:, lower[0], lower[1]], draws["hessian_compressor"])
        errors = np.sqrt(np.add.reduce(gap * gap, axis=(1, 2)))
        return Learned(
            problem.client_gradients(models, cohort), sent, errors, self.work(problem, cohort, draws)
        )

    def aggregate(
        self, problem: Problem, state: HessianState, cohort: Cohort, local: Learned
    ) -> tuple[HessianState, Trace]:
        """The server's step, and the H_i, which server and clients move alike."""
        d, ids = problem.dimension, cohort.clients
        matrix = weighted_average(cohort.weights, state.matrices[rows_at(ids)])
        gradient = weighted_average(cohort.weights, local.slopes)
        found = self._solved(problem, matrix, weighted_average(cohort.weights, local.errors), gradient)
        rate = problem.number(self.hessian_learning_rate)
        after = HessianState(state.model - found, _learned(state.matrices, ids, rate * local.differences))
        up = BITS * d + self.hessian_compressor.bits(d * (d + 1) // 2) + BITS
        trace = Trace(
            start=state.model,
            cohort=ids,
            weights=cohort.weights,
            uplink_bits=np.full(len(ids), up),
            downlink_bits=np.full(len(ids), BITS * d),
            gradients=local.gradients,
        )
        return after, trace

    def _solved(self, problem: Problem, matrix: Array, error: Any, gradient: Array) -> Array:
        """The search direction, without the sign; NaN where there is none."""
        if not (np.isfinite(matrix).all() and np.isfinite(error)):
            return np.full(len(gradient), np.nan)
        if self.direction == "shifted":
            shifted = matrix + error * np.eye(len(matrix))
            solved: Array = solutions(shifted[None], gradient[None], np.nan)[0]
            return solved
        values, vectors = np.linalg.eigh(matrix)
        found: Array = vectors @ ((gradient @ vectors) / np.maximum(values, problem.number(self.trunc_lo)))
        return found


def _learned(matrices: Array, ids: Array, moves: Array) -> Array:
    """All H_i after those of these clients moved by symmetric matrices, given by their lower triangles."""
    d = matrices.shape[1]
    rows, columns = np.tril_indices(d)
    moved = np.zeros((len(ids), d, d))
    moved[:, rows, columns] = moves
    moved[:, columns, rows] = moves
    after = matrices.copy()
    after[rows_at(ids)] += moved
    return after
