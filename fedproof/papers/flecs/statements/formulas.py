"""The formulas of the statements, each once."""

from __future__ import annotations

from fedproof.bounds.prelude import *
from fedproof.papers.flecs.notation import *

with printed():
    KEEPS = 1 - alpha * mu * mu1 / 2
    CONTRACTION = KEEPS**K
    FLOOR4 = ((omega + 1) / (2 * n) + gamma * c) * (2 * L * mu2**2 * alpha / (mu * mu1)) * sigma2
    THEOREM4 = KEEPS**K * Psi0 + FLOOR4
    SHIFT_STEP = gamma * (1 + omega) <= 1
    #: in place of the printed conditions on alpha and c
    STEPSIZE4 = L**2 * mu2**2 * alpha * (1 + 2 * omega / n + 2 * c * gamma) <= Rational(3, 2) * mu * mu1
    LYAPUNOV4 = omega / n <= c * (gamma - alpha * mu * mu1 / 2)
    PRINTED_STEP = alpha <= 5 * mu * mu1 / (2 * L**2 * mu2**2 * (1 + omega / n))
    PRINTED_WEIGHT = Eq(c, sp.Min((1 - alpha * mu * mu1 / 2 - omega / n) / (1 - gamma), mu / (2 * gamma * L)))
