"""Proved enclosures of problem (23)'s minimiser, for claims about how it moves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from fedproof.algebra.arithmetic import Array, Enclosure, Intervals, Mask, enclose
from fedproof.papers.fedproxvr.training_time.minimise import enclosed, flat, ratio_of
from fedproof.papers.fedproxvr.training_time.minimiser_box import enclose_on_box
from fedproof.papers.fedproxvr.training_time.newton import Newton, descend, start
from fedproof.papers.fedproxvr.training_time.problem import Instances, Problem
from fedproof.vocabulary.errors import InputError

#: lower and upper ends, arrays of the inputs' common shape
Ends = tuple[Array, Array]


@dataclass(frozen=True, eq=False)
class MinimiserEnclosure:
    """Lower and upper ends of the minimiser's coordinates; NaN where `proved` is False."""

    proved: Mask
    prox_weight: Ends
    inverse_stepsize: Ends
    local_steps: Ends
    inexactness: Ends
    federated_factor: Ends
    objective: Ends


def enclose_minimiser(
    smoothness_sample: ArrayLike,
    weak_convexity: ArrayLike,
    dissimilarity: ArrayLike,
    delay_ratio: ArrayLike,
    *,
    rule: Newton = Newton(),  # noqa: B008 - frozen
) -> MinimiserEnclosure:
    """Enclose the one minimiser of problem (23) as printed, for SARAH and real tau.

    Source: FedProxVR, problem (23)-(24); the discussion of Fig. 1 is about these coordinates.

    Arguments:
        smoothness_sample, weak_convexity, dissimilarity, delay_ratio: as `minimise` takes them, with
            delay_ratio > 0, since without it there is no minimiser.
        rule: when Newton's method stops.

    Returns: ends between which mu, beta, tau, theta, Theta and the least objective are proved to lie.
    Raises: InputError for a value outside its domain.

    >>> at = enclose_minimiser(1.0, 0.5, 1.0, [0.01, 0.02])
    >>> bool(at.prox_weight[1][0] < at.prox_weight[0][1])  # mu grows with gamma
    True
    """
    shape, (unit, lam, sigma2, gamma) = flat(smoothness_sample, weak_convexity, dissimilarity, delay_ratio)
    if np.any(gamma == 0):
        raise InputError("delay_ratio", 0, "a number > 0", "at 0 the infimum is not attained")
    problem = Problem("sarah")
    with np.errstate(all="ignore"):
        case = Instances(lam / unit, sigma2, gamma)
        point = descend(problem, case, start(problem, case), rule)
        far, found = enclose_on_box(problem, enclosed(case, ratio_of(lam, unit)), point)
        scale, ball = enclose(unit), Intervals()
        found |= {name: ball.mul(found[name], scale) for name in ("mu", "objective")}
        found["Theta"] = ball.mul(found["Theta"], ball.power(scale, -1))
    ends = {name: _ends(found[name], shape) for name in found}
    return MinimiserEnclosure(
        proved=np.isfinite(far).reshape(shape),
        prox_weight=ends["mu"],
        inverse_stepsize=ends["beta"],
        local_steps=ends["tau"],
        inexactness=ends["theta"],
        federated_factor=ends["Theta"],
        objective=ends["objective"],
    )


def _ends(found: Enclosure, shape: tuple[int, ...]) -> Ends:
    return found.lo.reshape(shape), found.hi.reshape(shape)
