"""Composite's Algorithm 1 on the line, typed out from its listing in fractions, one outcome at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

ZERO = Fraction(0)
State = tuple[Fraction, list[Fraction], Fraction]


def prox(penalty: Any, x: Fraction, step: Fraction) -> Fraction:
    """The proximal point of |x|, a square and bounds."""
    shrunk = max(abs(x) - step * penalty.weight, ZERO) * (1 if x > 0 else -1)
    shrunk /= 1 + step * penalty.curvature
    shrunk = shrunk if penalty.low is None else max(shrunk, penalty.low)
    return shrunk if penalty.high is None else min(shrunk, penalty.high)


def gradients(case: Any) -> list[tuple[Fraction, list[Fraction]]]:
    """Of each client the curvature and the slopes of its samples."""
    smooth = case.instance.smooth
    rows = [Fraction(v) for v in smooth.slopes[:, 0]]
    size = len(rows) // smooth.n_clients
    a = [Fraction(v) for v in smooth.client_matrices[:, 0, 0]]
    return [(a[k], rows[k * size : (k + 1) * size]) for k in range(smooth.n_clients)]


def states(case: Any, outcome: Sequence[int] | None, rounds: int) -> Iterator[State]:
    """P(x^r) and c^r before every round and after the last, and the drift of the round that led there.

    Arguments:
        outcome: the samples drawn, by round, client and local step; None for full gradients.
    """
    m, penalty, clients = case.method, case.instance.penalty, gradients(case)
    n, eta = len(clients), Fraction(m.stepsize)
    size = eta * m.server_stepsize * m.local_steps
    picks = iter(outcome or ())
    model, c = (
        prox(penalty, Fraction(case.start[0]), size),
        [Fraction(v[0]) for v in case.applied_corrections],
    )
    yield model, c, ZERO
    for _ in range(rounds):
        ends, sums, drift = [], [], ZERO
        for k, (a, rows) in enumerate(clients):
            hat = z = model
            total = ZERO
            for t in range(m.local_steps):
                drift += (z - model) ** 2
                g = a * z + (sum(rows) / len(rows) if outcome is None else rows[next(picks)])
                total += g
                hat -= eta * (g + c[k])
                z = prox(penalty, hat, (t + 1) * eta)
            ends.append(hat)
            sums.append(total)
        bar = model + m.server_stepsize * (sum(ends) / n - model)
        c = [(model - bar) / size - total / m.local_steps for total in sums]
        model = prox(penalty, bar, size)
        yield model, c, drift


def spread(case: Any, model: Fraction, c: Sequence[Fraction]) -> Fraction:
    """(1/n) |Lambda - mean|^2 with Lambda_i = eta tau (grad f_i(P) + c_i)."""
    reach = Fraction(case.method.stepsize) * case.method.local_steps
    shares = [
        reach * (a * model + sum(rows) / len(rows) + c[k]) for k, (a, rows) in enumerate(gradients(case))
    ]
    return sum(((s - sum(shares) / len(shares)) ** 2 for s in shares), ZERO) / len(shares)
