"""Algorithm 1 of FLECS-CGD in one dimension over all outcomes, by the listing's lines in fractions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

#: w, and every worker's shift
State = tuple[Fraction, tuple[Fraction, ...]]


def after(
    states: dict[State, Fraction], slopes: Sequence[tuple[Fraction, Fraction]], omega: Fraction,
    alpha: Fraction, gamma: Fraction, noise: Fraction = Fraction(0),
) -> dict[State, Fraction]:  # fmt: skip
    """The states after a round with their probabilities.

    Worker i has the derivative a w + b for (a, b) = slopes[i], its sample errs by +-noise; a compressor sends
    (1 + omega) x with probability 1/(1 + omega), else nothing; A = 1.
    """
    n, kept = len(slopes), 1 / (1 + omega)
    found: dict[State, Fraction] = {}
    signs = product((-1, 1), repeat=n) if noise else [(0,) * n]
    cases = [(s, coins) for s in signs for coins in product((0, 1), repeat=n)]
    for (w, h), chance in states.items():
        for signed, coins in cases:
            p = chance / (2**n if noise else 1)
            sent = []
            for (a, b), shift, sign, coin in zip(slopes, h, signed, coins, strict=True):
                sent.append((1 + omega) * coin * (a * w + b + sign * noise - shift))
                p *= kept if coin else 1 - kept
            server = sum((c + shift for c, shift in zip(sent, h, strict=True)), Fraction(0)) / n
            shifts = tuple(shift + gamma * c for c, shift in zip(sent, h, strict=True))
            to = (w - alpha * server, shifts)
            if p:
                found[to] = found.get(to, Fraction(0)) + p
    return found


def rounds(
    start: State, slopes: Sequence[tuple[Fraction, Fraction]], omega: Fraction, alpha: Fraction,
    gamma: Fraction, many: int, noise: Fraction = Fraction(0),
) -> list[dict[State, Fraction]]:  # fmt: skip
    """The states at the start and after every round."""
    found = [{start: Fraction(1)}]
    for _ in range(many):
        found.append(after(found[-1], slopes, omega, alpha, gamma, noise))
    return found


def mean_squared_gradient(
    states: Sequence[dict[State, Fraction]], slopes: Sequence[tuple[Fraction, Fraction]]
) -> Fraction:
    """E|F'(w)|^2 at one of the models, drawn uniformly."""
    a, b = (sum(part, Fraction(0)) / len(slopes) for part in zip(*slopes, strict=True))
    return sum((p * (a * w + b) ** 2 for at in states for (w, _), p in at.items()), Fraction(0)) / len(states)
