"""What the text says between the results of composite: run, enumerated, and planted otherwise."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
import sympy as sp

from fedproof.algebra.expressions import printed
from fedproof.papers.composite.proofs import discussion as d
from fedproof.papers.composite.proofs import subgradients
from fedproof.proof.decide import decide
from fedproof.proof.step import Step


def test_two_local_steps_leave_the_optimum() -> None:
    """Two clients from the mean's minimiser: by eta^2 (h_1 - h_2) s_1/2, and one step stays."""
    eta, best, curved, slopes = Fraction(1, 10), Fraction(3), (Fraction(5), Fraction(1)), (2, -2)
    models = [[best], [best]]
    for _, (path, h, s) in product(range(2), zip(models, curved, slopes, strict=True)):
        path.append(path[-1] - eta * (s + h * (path[-1] - best)))
    means = [sum(points, Fraction(0)) / 2 for points in zip(*models, strict=True)]

    assert means == [best, best, best + eta**2 * (curved[0] - curved[1]) * slopes[0] / 2]


def test_the_prox_of_the_l1_norm_is_the_minimiser() -> None:
    """What the step calls soft is the point that minimises s |x| + (x - u)^2/2, on a grid of points."""
    s = Fraction(1, 2)
    for u in (Fraction(k, 4) for k in range(-8, 9)):
        best = min((Fraction(k, 4) for k in range(-12, 13)), key=lambda x: s * abs(x) + (x - u) ** 2 / 2)
        assert Fraction(str(d.soft(sp.Rational(u)).subs(d.threshold, sp.Rational(s)).doit())) == best


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_batch_has_the_variance_of_a_sample_over_its_size(size: int) -> None:
    """All draws of a batch, each sample with an error of 1 or -1: the bound is reached."""
    errors = [Fraction(sum(draw), size) ** 2 for draw in product((-1, 1), repeat=size)]

    assert sum(errors, Fraction(0)) / len(errors) == Fraction(1, size)


@pytest.mark.parametrize("far", [1, 10, 1000])
def test_a_flat_loss_is_small_far_away(far: int) -> None:
    """The instance's curvature is at most 1, and objective gap and squared gradient are within eps."""
    eps = Fraction(1, 100)
    h = eps / (eps + far**2)

    assert h <= 1
    assert h / 2 * far**2 <= eps
    assert (h * far) ** 2 <= eps


def _claim(step: Step, change: Any) -> Step:
    with printed():
        return replace(step, claim=change(step.claim))


PLANTED = {
    "equal curvatures": replace(d.DRIFTS, given=(d.eta > 0, *d.DRIFTS.given[3:])),
    "twice its share": _claim(d.SPARSE, lambda c: 2 * c.lhs <= c.rhs),
    "a large entry": replace(d.HELD, given=d.HELD.given[:1]),
    "as many numbers": _claim(d.CONTROL, lambda c: 2 * c.lhs < c.rhs),
    "two local steps": replace(d.ONE_STEP, given=d.ONE_STEP.given[1:]),
    "samples that correlate": replace(d.UNCORRELATED, given=()),
    "half the variance": _claim(d.BATCH, lambda c: c.lhs <= c.rhs / 2),
    "the gradient's whole square": _claim(d.EXTENDS, lambda c: sp.Eq(c.lhs, 2 * c.rhs, evaluate=False)),
    "half a gradient step": replace(
        d.EXTENDS_LEAST,
        given=(d.a > 0, sp.Eq(d.least, d.point - d.slope / (2 * d.a), evaluate=False)),
    ),
    "a tenth of eps": _claim(d.FAR_VALUE, lambda c: c.lhs <= c.rhs / 10),
    "a tenth of eps for the mapping": _claim(d.FAR_MAPPING, lambda c: c.lhs <= c.rhs / 10),
    "one bound on subgradients": _claim(
        d.VALUES, lambda c: c.lhs <= c.rhs - d.B_g * d.norm(d.here - d.there)
    ),
    "half the entries": _claim(subgradients.RELU_SQUARED, lambda c: c.lhs <= c.rhs / 2),
}


@pytest.mark.parametrize("planted", PLANTED)
def test_a_planted_falsehood_is_refuted(planted: str) -> None:
    """A wrong constant or a hypothesis left out is refuted by exact numbers."""
    assert decide(replace(PLANTED[planted], id="")).verdict == "refuted"
