"""Losses on the line: proximal points, losses and constants by other routes."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from fedproof.papers.fedprox.checks._instances import nonsmooth_lines, smooth_lines
from fedproof.papers.fedprox.checks._line import Line
from fedproof.papers.fedprox.checks._oracle import ProximalPoint
from fedproof.problems.quadratics.exact_linear_algebra import fractions
from fedproof.problems.supervised.models.absolute import Absolute
from fedproof.problems.supervised.models.huber import Huber
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.supervised import Supervised
from fedproof.solvers.algorithms.fedprox import FedProx
from fedproof.solvers.cohort import Participation
from fedproof.solvers.driver import run
from fedproof.solvers.envelope import envelope_gradient
from fedproof.solvers.local.to_suboptimality import ToSuboptimality
from fedproof.vocabulary.errors import InputError

LINES = (*smooth_lines(), *nonsmooth_lines())
POINTS = fractions([Fraction(n, 16) for n in range(-56, 57)])
#: |w + 1/2| and |w - 1|, and their Huber losses with width 1
TARGETS = np.array([-0.5, 1.0])
ABSOLUTE = Line.of(["-1/2", 1], [[-1, 1], [-1, -1]], [[1, 1], [-1, 1]], origin=2)
HUBER = Line.of(["-3/2", 0, "1/2", 2], [[-1, "1/2", 1, 1], [-1, -1, "-1/2", 1]], origin=3)


def supervised(model: Huber | Absolute) -> Supervised:
    """The same losses as regression on one row a client."""
    return Supervised(model, np.ones((2, 1)), TARGETS, Partition.of_sizes([1, 1]))


@pytest.mark.parametrize("line", LINES, ids=lambda line: line.name)
def test_proximal_points_are_no_worse_than_any_of_a_grid(line: Line) -> None:
    """f(u) + (mu / 2) (u - w)^2 at the point found is least, in fractions, for every client and many w."""
    mu, clients = line.number(3), np.arange(line.n_clients)
    anchors = np.repeat(POINTS[None, ::11], len(clients), axis=0)
    found = replace(line, copies=anchors.shape[1]).proximal_points(anchors, mu, clients)

    def surrogate(points: np.ndarray) -> np.ndarray:
        loss: np.ndarray = line.copy_losses(points, clients) + mu / 2 * (points - anchors) ** 2
        return loss

    for point in (*POINTS[::3], *line.kinks):
        assert (surrogate(found) <= surrogate(anchors * 0 + point)).all()


@pytest.mark.parametrize("line", LINES, ids=lambda line: line.name)
def test_losses_are_integrals_of_the_slopes(line: Line) -> None:
    """A difference of losses is the slope in the middle wherever both points lie on one piece."""
    clients = np.arange(line.n_clients)
    ends = [np.repeat(POINTS[None, part], len(clients), axis=0) for part in (slice(None, -1), slice(1, None))]
    rises = (line.copy_losses(ends[1], clients) - line.copy_losses(ends[0], clients)) * 16
    slopes = line.client_gradients((ends[0] + ends[1]) / 2, clients)
    same = np.array([not ((ends[0][0] < k) & (k < ends[1][0])).any() for k in line.kinks]).all()

    assert same
    assert (rises == slopes).all()


@pytest.mark.parametrize("line", LINES, ids=lambda line: line.name)
def test_constants_are_those_of_a_grid(line: Line) -> None:
    """The steepest slope, the largest and least rise of slopes, and the least mean loss."""
    clients = np.arange(line.n_clients)
    ends = np.repeat(POINTS[None], len(clients), axis=0)
    slopes = line.client_gradients(ends, clients)
    rises = (slopes[:, 1:] - slopes[:, :-1]) * 16
    known = {name: constant.value for name, constant in line.constants.items()}
    losses = line.pooled.copy_losses(POINTS[None], np.zeros(1, dtype=int))[0]

    assert known["lipschitz_sample"] == np.abs(slopes).max()
    assert known["weak_convexity"] == max(0, -rises.min())
    if known["smoothness_sample"] is not None:
        assert known["smoothness_sample"] == np.abs(rises).max()
    assert 0 <= losses.min() - known["least_loss"] <= Fraction(1, 16**2)


def test_a_run_is_that_of_huber_regression() -> None:
    """The driver on the line takes the path of regression on the same losses, solved to 1e-24."""
    taking = Participation(2, replacement=True, average="plain")
    pairs: tuple[tuple[Any, Any], ...] = (
        (ProximalPoint(), HUBER.as_float()),
        (ToSuboptimality("1e-24"), supervised(Huber(1))),
    )
    exact, near = (
        run(FedProx(3, local_solver=solver), problem, 9, 5, x0=np.array([3.0]), participation=taking)
        for solver, problem in pairs
    )

    assert exact.model == pytest.approx(near.model, abs=1e-9)
    assert exact.metrics["squared_gradient"] == pytest.approx(near.metrics["squared_gradient"], abs=1e-9)


@pytest.mark.parametrize("model", [Huber(1), Absolute()], ids=lambda model: model.name)
def test_envelopes_are_those_of_regression(model: Huber | Absolute) -> None:
    """Value and slope of the Moreau envelope agree with the certified ones of the package."""
    line, there = HUBER if isinstance(model, Huber) else ABSOLUTE, supervised(model)
    points = np.linspace(-3, 3, 13)
    values, slopes = replace(line.as_float(), copies=13).envelope(points, Fraction(1, 2))
    shift = there.loss(np.array([0.25])) - line.as_float().loss(np.array([0.25]))
    for point, value, slope in zip(points, values, slopes, strict=True):
        found = envelope_gradient(there, np.array([point]), Fraction(1, 2))
        assert found.value - shift == pytest.approx(value, abs=1e-9)
        assert slope == pytest.approx(found.gradient[0], abs=found.error + 1e-12)


def test_what_has_no_least_value_or_jumps_down_is_refused() -> None:
    """A mean loss that falls for ever has no gap, and a slope that jumps down no weak convexity."""
    with pytest.raises(InputError, match="ends <= 0 on the left"):
        _ = Line.of([0, 1], [[-1, "-1/2"]]).least
    with pytest.raises(InputError, match="jump up"):
        Line.of([0], [[1]], [[-1]])
