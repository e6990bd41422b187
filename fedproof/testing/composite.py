"""Rounds of FedComposite on quadratics with an l1 penalty, as fractions, one coordinate at a time.

Written from the listing of Algorithm 1 (Zhang, Hu, Johansson); it shares nothing with `fedproof.solvers`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from fedproof.testing.cases import Case
from fedproof.testing.clients import Rows
from fedproof.testing.closed_forms import gradient_factor, weighted
from fedproof.testing.departures import Departure


@dataclass(frozen=True)
class _Ends:
    """Where a client's steps end: models before and after the prox, and the sum of its gradients."""

    before: Fraction
    after: Fraction
    total: Fraction


def composite(case: Case, axis: int, departure: Departure) -> Fraction:
    """A coordinate of line 20's output, P(x of the last round), P(v) of length s being the l1 prox.

    Arguments:
        case: what is run, from x = 0, where the paper's listing and P(x) agree.
        axis: which coordinate.
        departure: how it is done otherwise.
    """
    tau, eta_g = case.local_steps, case.server_stepsize if departure.server_stepsize else Fraction(1)
    effective = case.stepsize * eta_g * tau  # line 2
    length = {"effective": effective, "local": case.stepsize, "none": Fraction(0)}[departure.server_prox]
    model, corrections = case.start[axis], [Fraction(0)] * len(case.clients)
    for _ in range(case.rounds + departure.rounds):
        ends: list[_Ends] = []
        for client, correction in zip(case.clients, corrections, strict=True):
            begin = ends[-1].after if departure.sequential and ends else model
            ends.append(_local(case, axis, departure, client, begin, departure.correction * correction))
        sent = [end.after if departure.averaged == "after" else end.before for end in ends]  # line 12
        before = model + eta_g * (weighted(case, departure, sent) - model)  # line 14
        before = before + model if departure.added else before
        per = 1 if departure.summed else tau
        corrections = [(model - before) / effective - end.total / per for end in ends]  # line 18
        model = shrink(before, length * case.l1_weight)  # lines 5 and 20
    return model


def _local(
    case: Case, axis: int, departure: Departure, client: Rows, begin: Fraction, correction: Fraction
) -> _Ends:
    """Lines 5-11 of one client."""
    times, eta = gradient_factor(client, departure), case.stepsize
    h, b = times * client.curvature(axis), times * client.slope(axis)
    before = after = begin
    total = Fraction(0)
    for t in range(case.local_steps + departure.steps):
        gradient = h * after - b
        total += gradient
        before = (after if departure.averaged == "after" else before) - eta * (gradient + correction)
        length = {"growing": (t + 1) * eta, "constant": eta, "none": Fraction(0), "weight": Fraction(1)}
        after = shrink(before, length[departure.local_prox] * case.l1_weight)
    return _Ends(before, after, total)


def shrink(value: Fraction, by: Fraction) -> Fraction:
    """The proximal point of `by` |.|: towards 0 by that much, and not beyond.

    >>> shrink(Fraction(-3), Fraction(1)), shrink(Fraction(1, 2), Fraction(1))
    (Fraction(-2, 1), Fraction(0, 1))
    """
    size = max(abs(value) - by, Fraction(0))
    return size if value > 0 else -size
