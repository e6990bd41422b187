"""The referee of the round loop: one client after the other, one step after the other, in plain NumPy.

Written as the papers' listings read, and used by nothing but benchmarks and tests. A client's model is a
matrix W (classes, p); `batches[n][t]` are the sample numbers of step t.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

__all__ = ["PlainLoop"]


class PlainLoop:
    """Softmax regression on a problem's rows; every method is one round and returns the server's new W."""

    def __init__(self, problem: Any) -> None:
        ends = problem.partition.offsets
        self.data = [(problem.features[a:b], problem.labels[a:b]) for a, b in pairwise(ends)]
        self.weights = problem.sizes / problem.sizes.sum()

    def gradient(self, W: Any, x: Any, y: Any) -> Any:
        """Mean gradient of the softmax loss."""
        z = x @ W.T
        z -= z.max(axis=1, keepdims=True)
        q = np.exp(z)
        q /= q.sum(axis=1, keepdims=True)
        q[np.arange(len(y)), y] -= 1
        return q.T @ x / len(y)

    def fedavg(self, start: Any, batches: Any, eta: float) -> Any:
        """Local SGD, then the weighted average."""
        average = np.zeros_like(start)
        for (X, Y), weight, drawn in zip(self.data, self.weights, batches, strict=True):
            W = start
            for batch in drawn:
                W = W - eta * self.gradient(W, X[batch], Y[batch])
            average += weight * W
        return average

    def fedprox(self, start: Any, batches: Any, eta: float, mu: float) -> Any:
        """Local SGD on F_n + mu/2 |W - start|^2, then the weighted average."""
        average = np.zeros_like(start)
        for (X, Y), weight, drawn in zip(self.data, self.weights, batches, strict=True):
            W = start
            for batch in drawn:
                W = W - eta * (self.gradient(W, X[batch], Y[batch]) + mu * (W - start))
            average += weight * W
        return average

    def fedproxvr(self, start: Any, batches: Any, eta: float, mu: float, estimator: str) -> Any:
        """FedProxVR, Algorithm 1, with (8a) or (8b) and (10); the last iterate is returned."""
        average = np.zeros_like(start)
        for (X, Y), weight, drawn in zip(self.data, self.weights, batches, strict=True):
            v = first = self.gradient(start, X, Y)
            before, W = start, self.prox(start - eta * v, start, eta, mu)
            for batch in drawn:
                x, y = X[batch], Y[batch]
                if estimator == "sarah":
                    v = self.gradient(W, x, y) - self.gradient(before, x, y) + v
                else:
                    v = self.gradient(W, x, y) - self.gradient(start, x, y) + first
                before, W = W, self.prox(W - eta * v, start, eta, mu)
            average += weight * W
        return average

    def prox(self, x: Any, anchor: Any, eta: float, mu: float) -> Any:
        """(10)."""
        return (x + eta * mu * anchor) / (1 + eta * mu)


class PlainComposite:
    """Algorithm 1 of composite, logistic regression with an l1 penalty; a state is (P(x), x, corrections)."""

    def __init__(self, problem: Any, weight: float) -> None:
        ends = problem.partition.offsets
        self.data = [(problem.features[a:b], problem.labels[a:b]) for a, b in pairwise(ends)]
        self.weights = problem.sizes / problem.sizes.sum()
        self.weight = weight

    def start(self) -> Any:
        """Line 1."""
        zero = np.zeros(self.data[0][0].shape[1])
        return zero, zero, np.zeros((len(self.data), len(zero)))

    def prox(self, x: Any, scale: float) -> Any:
        """Soft thresholding."""
        return np.sign(x) * np.maximum(np.abs(x) - scale * self.weight, 0)

    def gradient(self, w: Any, x: Any, y: Any) -> Any:
        """Mean gradient of the logistic loss; labels are 0 and 1."""
        return x.T @ (1 / (1 + np.exp(-(x @ w))) - y) / len(y)

    def round(self, method: Any, state: Any, draws: Any) -> Any:
        """Lines 3-18."""
        model, _, corrections = state
        eta, eta_g, tau = method.stepsize, method.server_stepsize, method.local_steps
        ends, sums = [], []
        for (X, Y), c, drawn in zip(self.data, corrections, draws["samples"], strict=True):
            before, after, total = model, model, np.zeros_like(model)
            for t, batch in enumerate(drawn):
                g = self.gradient(after, X[batch], Y[batch])
                total += g
                before = before - eta * (g + c)
                after = self.prox(before, (t + 1) * eta)
            ends.append(before)
            sums.append(total)
        average = self.weights @ np.array(ends)
        bar = model + eta_g * (average - model)
        corrections = (model - bar) / (eta * eta_g * tau) - np.array(sums) / tau
        return self.prox(bar, eta * eta_g * tau), bar, corrections
