"""Rounds of smooth methods on quadratics, as fractions, one coordinate at a time.

Along one axis client n has F_n' = h w - b. A gradient step on F_n + (mu / 2) (w - a)^2 is
w -> w - eta ((h + mu) w - b - mu a). Its fixed point is (b + mu a) / (h + mu), and the distance to it is
multiplied by 1 - eta (h + mu): K steps give fixed + (1 - eta (h + mu))^K (w - fixed). A proximal step,
FedProxVR (10), has the same fixed point and the factor (1 - eta h) / (1 + eta mu); the exact minimiser is the
factor 0.

Nothing here is shared with the algorithms of `fedproof.solvers`, which are judged by it too.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import dist
from typing import TypeAlias

from fedproof.testing.cases import Case
from fedproof.testing.clients import Rows
from fedproof.testing.departures import Departure

Local: TypeAlias = Callable[[Rows, Fraction, Fraction, int], Fraction]
"""From (client, where it begins, what it is tied to, number of the round) to where it ends."""


def proximal(case: Case, axis: int, departure: Departure) -> Fraction:
    """A coordinate of the model that FedAvg or FedProx returns.

    Forms: "gradient", "prox" and "exact", by the factors above.

    Arguments:
        case: what is run.
        axis: which coordinate.
        departure: how it is done otherwise.

    >>> from fedproof.testing.clients import Row, Rows
    >>> one = Case("", "", (Rows((Row(0, 1, 0),), (0,)),), (Fraction(4),), Fraction(1, 2), local_steps=2)
    >>> proximal(one, 0, Departure(form="gradient"))
    Fraction(1, 1)
    """
    eta, mu = case.stepsize, case.prox_weight * departure.prox
    steps = case.local_steps + departure.steps

    def local(client: Rows, begin: Fraction, tied: Fraction, number: int) -> Fraction:
        del number
        times = gradient_factor(client, departure)
        h, b = times * client.curvature(axis), times * client.slope(axis)
        if departure.form == "exact":
            return (b + mu * tied) / (h + mu)
        if departure.form == "gradient" and departure.centre == "current":
            return _repeated(begin, 1 - eta * h, eta * b, steps)  # mu (w - w) = 0
        if departure.form == "gradient":
            return _repeated(begin, 1 - eta * (h + mu), eta * (b + mu * tied), steps)
        short = eta / (1 + eta * mu)
        if departure.centre == "current":  # a proximal step to where it stands is a shorter gradient step
            return _repeated(begin, 1 - short * h, short * b, steps)
        return _repeated(begin, (1 - eta * h) / (1 + eta * mu), short * (b + mu * tied), steps)

    return rounds_of(case, axis, departure, local)


def variance_reduced(case: Case, axis: int, departure: Departure) -> Fraction:
    """A coordinate of the model that FedProxVR (Dinh et al., 2020, Algorithm 1) returns, its last iterate.

    v^(0) is the full gradient; then v^(t) is by (8a), (8b) or plain SGD from the sample drawn for step t, and
    every step ends with (10), the proximal point (w - eta v + eta mu a) / (1 + eta mu). Form "gradient" takes
    the gradient of the proximal term instead, and "prox" is the listing.

    Arguments:
        case, axis, departure: as in `proximal`.
    """
    eta, mu = case.stepsize, case.prox_weight * departure.prox
    steps = case.local_steps + departure.steps

    def moved(w: Fraction, v: Fraction, tied: Fraction) -> Fraction:
        to = w if departure.centre == "current" else tied
        if departure.form == "gradient":
            return w - eta * (v + mu * (w - to))
        return (w - eta * v + eta * mu * to) / (1 + eta * mu)

    def local(client: Rows, begin: Fraction, tied: Fraction, number: int) -> Fraction:
        times = gradient_factor(client, departure)
        full = times * (client.curvature(axis) * begin - client.slope(axis))
        before, at, v = begin, moved(begin, full, tied), full
        for t in range(steps):
            row = client.draw(number * steps + t)
            if departure.estimator == "sgd":
                v = times * row.gradient(axis, at)
            elif departure.estimator == "svrg":
                v = times * row.curvature(axis) * (at - begin) + full
            else:
                v = times * row.curvature(axis) * (at - before) + v
            before, at = at, moved(at, v, tied)
        return at

    return rounds_of(case, axis, departure, local)


def unsquared(case: Case, departure: Departure) -> tuple[Fraction, ...]:
    """The model of FedProx by steps on the gradient of F_n + (mu / 2) |w - w_s|, whose norm is not squared.

    A norm is no polynomial: this mistake alone is computed in floats. Its gradient at w_s is taken to be 0.

    Arguments:
        case, departure: as in `proximal`.
    """
    mu, eta, axes = float(case.prox_weight * departure.prox), float(case.stepsize), range(len(case.start))
    model = tuple(map(float, case.start))
    for _ in range(case.rounds + departure.rounds):
        ends: list[tuple[float, ...]] = []
        for client in case.clients:
            w, times = (
                ends[-1] if departure.sequential and ends else model,
                gradient_factor(client, departure),
            )
            h = [float(times * client.curvature(axis)) for axis in axes]
            b = [float(times * client.slope(axis)) for axis in axes]
            first = tuple(map(float, case.start))
            tied = {"zero": (0.0,) * len(model), "first": first}.get(departure.centre, model)
            for _ in range(case.local_steps + departure.steps):
                pull = mu / 2 / (dist(w, tied) or 1.0)
                w = tuple(w[j] - eta * (h[j] * w[j] - b[j] + pull * (w[j] - tied[j])) for j in axes)
            ends.append(w)
        average = [weighted(case, departure, [Fraction(end[j]) for end in ends]) for j in axes]
        model = tuple(
            float(v) + (old if departure.added else 0.0) for v, old in zip(average, model, strict=True)
        )
    return tuple(map(Fraction, model))


def rounds_of(case: Case, axis: int, departure: Departure, local: Local) -> Fraction:
    """A coordinate of the server's model after the rounds: local work, then the weighted average."""
    model = case.start[axis]
    for number in range(case.rounds + departure.rounds):
        tied = {"zero": Fraction(0), "first": case.start[axis]}.get(departure.centre, model)
        ends: list[Fraction] = []
        for client in case.clients:
            begin = ends[-1] if departure.sequential and ends else model
            ends.append(local(client, begin, tied, number))
        average = weighted(case, departure, ends)
        model = average + model if departure.added else average
    return model


def weighted(case: Case, departure: Departure, values: list[Fraction]) -> Fraction:
    """The server's average of one number per client."""
    sizes = [Fraction(client.size) for client in case.clients]
    total, count = sum(sizes, Fraction(0)), len(sizes)
    weights = {
        "size": [size / total for size in sizes],
        "plain": [Fraction(1, count)] * count,
        "sum": [Fraction(1)] * count,
        "sizes": sizes,
        "last": [Fraction(n == count - 1) for n in range(count)],
    }[departure.weights]
    return sum((p * value for p, value in zip(weights, values, strict=True)), Fraction(0))


def gradient_factor(client: Rows, departure: Departure) -> int:
    """By what a client's mean gradient is multiplied."""
    return {"mean": 1, "sum": client.size, "double": 2}[departure.gradient]


def _repeated(w: Fraction, factor: Fraction, shift: Fraction, steps: int) -> Fraction:
    """w -> factor w + shift, so many times, by its fixed point."""
    if factor == 1:
        return w + steps * shift
    fixed = shift / (1 - factor)
    return fixed + factor**steps * (w - fixed)
