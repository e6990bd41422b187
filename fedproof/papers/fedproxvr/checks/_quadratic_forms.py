"""Exact expectations of a FedProxVR round on quadratics, as forms of its start: for all starts at once.

On quadratics a local step is linear in the iterates and the start's gradient, given the sample it draws.
So the mean of the local model is a matrix times that gradient, and the expectation of any quadratic form of
it is a quadratic form of that gradient: both follow from finite recursions, without sampling. The largest
quotient of two such forms over all starts is an eigenvalue, which is how checks find the worst start.

`solvers.moments` answers the other question: the moments from one given start, of any stepwise algorithm,
read off its own steps. The recursions here are written a second time, in closed form, so that checks hold
their worst cases against `solvers.moments`. Shapes: n = clients, d = dimension, k = quadratic forms.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fedproof.problems.problem import Array
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.solvers.algorithms.fedproxvr import FedProxVR
from fedproof.vocabulary.errors import InputError


def client_samples(problem: Quadratic) -> list[Array]:
    """Sample matrices of every client, each (D_n, d, d)."""
    matrices = np.asarray(problem.matrices, dtype=np.float64)
    return np.split(matrices, problem.partition.offsets[1:-1])


@dataclass(frozen=True, eq=False)
class LocalForms:
    """Moments of u = w_n^(s) - w^(s-1) as forms of g = grad F_n(w^(s-1)): eigenvectors are extreme starts.

    `solvers.moments.LocalMoments` holds numbers at one start instead, from the algorithm's own steps.

    Arguments:
        samples: per client its sample matrices, (D_n, d, d).
        algorithm: with single-sample steps, a full first step and the random iterate, as printed.
    """

    samples: list[Array]
    algorithm: FedProxVR

    def __post_init__(self) -> None:
        a = self.algorithm
        chosen = (a.batch_size, a.first_step, a.returned, a.counted, a.sampler)
        printed = (1, "full", "random", "stochastic", "uniform")
        if chosen != printed or a.estimator == "sgd":
            raise InputError("algorithm", f"{a.estimator}, {chosen}", f"sarah or svrg, {printed}")

    @cached_property
    def matrices(self) -> Array:
        """A_n, shape (n, d, d)."""
        return np.stack([m.mean(axis=0) for m in self.samples])

    @property
    def _numbers(self) -> tuple[float, float, float]:
        eta, mu = float(self.algorithm.stepsize), float(self.algorithm.prox_weight)
        return eta, mu, 1 / (1 + eta * mu)

    @cached_property
    def mean(self) -> Array:
        """K_n with E u = K_n g, shape (n, d, d).

        Both estimators are unbiased along the way: E v^(t) = A_n E u^(t) + g.
        """
        eta, _, shrink = self._numbers
        d, tau = self.matrices.shape[-1], self.algorithm.local_steps
        eye, zero = np.broadcast_to(np.eye(d), self.matrices.shape), np.zeros_like(self.matrices)
        step = np.block([[shrink * (eye - eta * self.matrices), eye], [zero, eye]])
        sums = _geometric(step, tau)[:, :d]  # of u^(1) .. u^(tau), from (u^(1), u^(1))
        mean: Array = -shrink * eta * (sums[..., :d] + sums[..., d:]) / (tau + 1)
        return mean

    def _step(self, sample: Array) -> Array:
        """(D_n, 2d, 2d): from (u^(t), u^(t) - u^(t-1)) (SARAH) or (u^(t), g) (SVRG) to the next pair.

        With M = (I - eta A_i) / (1 + eta mu), SARAH's difference is multiplied by M, and SVRG's u by M before
        -eta g / (1 + eta mu) is added.
        """
        eta, _, shrink = self._numbers
        eye = np.broadcast_to(np.eye(sample.shape[-1]), sample.shape)
        zero = np.zeros_like(sample)
        multiply = shrink * (eye - eta * sample)
        if self.algorithm.estimator == "sarah":
            return np.block([[eye, multiply], [zero, multiply]])
        return np.block([[multiply, -shrink * eta * eye], [zero, eye]])

    @cached_property
    def _sums(self) -> Array:
        """sum over k < tau of P_n^k, P_n the adjoint step on matrices, shape (n, 4d^2, 4d^2)."""
        adjoints = []
        for sample in self.samples:
            step = np.swapaxes(self._step(sample), 1, 2)
            size = step.shape[-1] ** 2
            adjoints.append(np.einsum("iab,icd->acbd", step, step).reshape(size, size) / len(sample))
        return _geometric(np.stack(adjoints), self.algorithm.local_steps)

    def quadratic(self, forms: Array) -> Array:
        """R with g^T R_nk g = E[u^T C_k u] over samples and the random iterate.

        Arguments:
            forms: C_k, symmetric, shape (k, d, d) for all clients or (n, k, d, d).

        Returns: shape (n, k, d, d).
        """
        eta, _, shrink = self._numbers
        d = forms.shape[-1]
        wide = np.broadcast_to(forms, (len(self.samples), *forms.shape[-3:]))
        padded = np.zeros((*wide.shape[:2], 2 * d, 2 * d))
        padded[..., :d, :d] = wide
        flat = padded.reshape(*wide.shape[:2], -1)
        ahead = np.einsum("nab,nkb->nka", self._sums, flat).reshape(padded.shape)
        move = -shrink * eta * np.eye(d)  # u^(1) = move g, and u^(0) = 0
        first = np.concatenate([move, move if self.algorithm.estimator == "sarah" else np.eye(d)])
        forms_of_g: Array = first.T @ ahead @ first / (self.algorithm.local_steps + 1)
        return forms_of_g

    @cached_property
    def inexactness(self) -> Array:
        """Q_n with g^T Q_n g = E|grad J_n(w_n^(s))|^2, shape (n, d, d).

        grad J_n(w) = g + (A_n + mu I) u, FedProxVR (6).
        """
        _, mu, _ = self._numbers
        eye = np.eye(self.matrices.shape[-1])
        hessian = self.matrices + mu * eye
        cross = hessian @ self.mean
        square = self.quadratic((hessian @ hessian)[:, None])[:, 0]
        whole: Array = eye + cross + np.swapaxes(cross, 1, 2) + square
        return whole


@dataclass(frozen=True, eq=False)
class RoundForms:
    """Moments of x' = w^(s) - x* as forms of x = w^(s-1) - x*, x* a stationary point of every client."""

    problem: Quadratic
    algorithm: FedProxVR

    @cached_property
    def local(self) -> LocalForms:
        """The clients' moments."""
        return LocalForms(client_samples(self.problem), self.algorithm)

    @cached_property
    def weights(self) -> Array:
        """D_n / D."""
        weights: Array = self.problem.sizes / self.problem.sizes.sum()
        return weights

    @cached_property
    def matrix(self) -> Array:
        """A, the matrix of the global loss."""
        return np.asarray(self.problem.mean_matrix, dtype=np.float64)

    @cached_property
    def _moves(self) -> Array:
        """E[w_n^(s) - w^(s-1)] as a matrix on x, shape (n, d, d)."""
        moves: Array = self.local.mean @ self.local.matrices
        return moves

    @cached_property
    def mean(self) -> Array:
        """E x' = mean @ x."""
        mean: Array = np.eye(len(self.matrix)) + np.einsum("n,nab->ab", self.weights, self._moves)
        return mean

    def pull_back(self, forms: Array) -> Array:
        """Psi with x^T Psi_k x = E[x'^T C_k x'], shape (k, d, d); clients draw independently."""
        a, moves = self.local.matrices[:, None], self._moves[:, None]
        second = a @ self.local.quadratic(forms) @ a
        squared_mean = np.swapaxes(moves, -1, -2) @ forms @ moves
        spread = np.einsum("n,nkab->kab", self.weights**2, second - squared_mean)
        result: Array = self.mean.T @ forms @ self.mean + spread
        return (result + np.swapaxes(result, 1, 2)) / 2

    @cached_property
    def descent(self) -> Array:
        """D with x^T D x = E[F(w^(s-1)) - F(w^(s))] given w^(s-1)."""
        form: Array = (self.matrix - self.pull_back(self.matrix[None])[0]) / 2
        return form

    @cached_property
    def _operator(self) -> Array:
        """`pull_back` as a matrix on flattened forms, (d^2, d^2)."""
        d = len(self.matrix)
        basis = np.eye(d * d).reshape(-1, d, d)
        symmetric = (basis + np.swapaxes(basis, 1, 2)) / 2
        return self.pull_back(symmetric).reshape(d * d, d * d).T

    def squared_gradients(self, rounds: int) -> Array:
        """Forms G_s with x0^T G_s x0 = E|grad F(w^(s))|^2, s = 0..rounds, shape (rounds + 1, d, d)."""
        d = len(self.matrix)
        forms = [(self.matrix @ self.matrix).reshape(-1)]
        for _ in range(rounds):
            forms.append(self._operator @ forms[-1])
        return np.stack(forms).reshape(-1, d, d)

    def summed(self, rounds: int, printed: bool = True) -> Array:
        """The form of the sum of E|grad F(w^(s))|^2 over s = 1..T (printed) or s = 0..T-1 (the proof)."""
        d = len(self.matrix)
        sums = _geometric(self._operator, rounds)
        flat = sums @ (self.matrix @ self.matrix).reshape(-1)
        form: Array = (self._operator @ flat if printed else flat).reshape(d, d)
        return (form + form.T) / 2


def _geometric(step: Array, count: int) -> Array:
    """sum over k < count of step^k by doubling; step has shape (..., m, m)."""
    total = np.zeros_like(step)
    power = np.broadcast_to(np.eye(step.shape[-1]), step.shape)
    for bit in bin(count)[2:]:
        total, power = total + power @ total, power @ power
        if bit == "1":
            total, power = power + total, power @ step
    return total
