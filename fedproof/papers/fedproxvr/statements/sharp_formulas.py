"""Formulas of the sharpened statements, each typed once; their proofs are in `sharp_proof`."""

from __future__ import annotations

from fedproof.bounds.prelude import *
from fedproof.papers.fedproxvr.notation import *

with printed():
    #: least number of returnable local models: sharpened (13), (14), left
    LOWER = (beta * L + mu) / (theta**2 * mt)
    #: sharpened (13), right
    SARAH_UPPER = (beta - 1) * (beta + mu / L)
    #: sharpened (14): left and right
    SVRG_STEPS = tau * (tau + 1)
    SVRG_UPPER = 2 * (beta - 1) * (beta + mu / L)
    #: the condition on beta that frees SARAH, and SVRG, of any upper bound on tau
    SARAH_BETA = LOWER <= SARAH_UPPER + 1
    SVRG_BETA = beta >= 1 + L * (L + mu) / (mt**2 * theta**2)
    #: the largest tau + 1 at which SVRG_BETA holds for THETA_LEAST
    SVRG_REACH = (beta - 1) * (beta + mu / L) * (mt / (L + mu))
    #: the least theta that the sharpened lower bound allows
    THETA_LEAST = sqrt((beta * L + mu) / (mt * (tau + 1)))
    #: the same with tau in place of tau + 1, which keeps the training time log-convex
    THETA_MATCHED = sqrt((beta * L + mu) / (mt * tau))
    #: the minimiser of a surrogate lies in a ball around a gradient step; its centre and radius
    CENTRE = (1 / (L + mu) + 1 / mt) / Integer(2)
    RADIUS = (1 / mt - 1 / (L + mu)) / Integer(2)
    #: the centre's step is at most 1/L
    SHORT = L * CENTRE <= 1
    #: how far the averaged step may be from a gradient step of size 1/L, relative to it
    DEVIATION = 1 - L * CENTRE + sqrt(1 + sigma2) * L * (RADIUS + theta / mt)
    #: descent of a round per squared gradient
    FACTOR = (1 - q**2) / (2 * L)
