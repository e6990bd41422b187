"""FLECS-CGD as its listings read: one client after the other, matrices d x d, NumPy's own inverses."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from fedproof.problems.problem import Array


def clipped(matrix: Array, low: float, high: float) -> Array:
    """Definition 7: the inverse of |matrix| with eigenvalues in [low, high]."""
    values, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
    return vectors @ np.diag(1 / np.clip(np.abs(values), low, high)) @ vectors.T


def fedsonia(method: Any, sketched: Array, curvature: Array, gradient: Array) -> Array:
    """Algorithm 5, line by line, for Y of full rank."""
    rho = 1 / Fraction(method.trunc_hi) if method.complement_stepsize is None else method.complement_stepsize
    q, r = np.linalg.qr(sketched)
    values, v = np.linalg.eigh(r @ np.linalg.pinv(curvature) @ r.T)
    v = q @ v
    values = np.clip(np.abs(values), float(Fraction(method.trunc_lo)), float(Fraction(method.trunc_hi)))
    inside = v @ v.T @ gradient
    return -v @ np.diag(1 / values) @ v.T @ inside - float(Fraction(rho)) * (gradient - inside)


class Listing:
    """The server's and the workers' memory, and one round."""

    def __init__(self, method: Any, problem: Any) -> None:
        n, d = problem.n_clients, problem.dimension
        self.method, self.problem, self.w = method, problem, problem.start().copy()
        self.B, self.h = np.zeros((n, d, d)), np.zeros((n, d))

    def round(self, draws: Any) -> None:
        """Lines 2-15 of Algorithm 1, all clients, nothing compressed but by the method's compressors."""
        method, problem, sums = self.method, self.problem, [0.0, 0.0, 0.0]
        shares = problem.sizes / problem.sizes.sum()
        low = float(Fraction(method.trunc_lo))
        for i in range(problem.n_clients):
            one, S = np.array([i]), draws["sketch"][i].astype(float)
            mine = {purpose: values[i : i + 1] for purpose, values in draws.items()}
            g = problem.client_gradients(self.w[None], one)[0]
            Y = np.stack([problem.hessian_products(self.w[None], s[None], one)[0] for s in S.T], axis=1)
            M = S.T @ Y
            gap = Y - self.B[i] @ S
            C = method.hessian_compressor.compress(gap.reshape(1, -1), mine["hessian_compressor"])
            C = C.reshape(gap.shape)
            if hasattr(method, "gradient_compressor"):
                c = method.gradient_compressor.compress((g - self.h[i])[None], mine["gradient_compressor"])[0]
                g = c + self.h[i]
                self.h[i] += float(Fraction(method.shift_stepsize)) * c
            Yt = C + self.B[i] @ S
            if method.hessian_update == "direct":
                beta = float(Fraction(method.hessian_learning_rate))
                self.B[i] = (1 - beta) * self.B[i] + beta * Yt @ np.linalg.pinv(M) @ Yt.T
            else:
                taken = S.T @ (self.B[i] @ S if method.lsr1_core == "mended" else Yt)
                values, U = np.linalg.eigh((M - taken + (M - taken).T) / 2)
                R = Yt - self.B[i] @ S
                kept = [1 / v if abs(v) >= low else 0.0 for v in values]
                self.B[i] = self.B[i] + R @ U @ np.diag(kept) @ U.T @ R.T
            sums = [total + shares[i] * part for total, part in zip(sums, (g, Yt, M), strict=True)]
        gradient, sketched, curvature = sums
        if method.direction == "fedsonia":
            p = fedsonia(method, sketched, curvature, gradient)
        else:
            mean = np.tensordot(shares, self.B, axes=1)
            p = -clipped(mean, low, float(Fraction(method.trunc_hi))) @ gradient
        self.w = self.w + float(Fraction(method.stepsize)) * p
