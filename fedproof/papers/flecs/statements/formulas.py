"""The formulas of the statements, each once."""

from __future__ import annotations

from fedproof.bounds.prelude import *
from fedproof.papers.flecs.notation import *

with printed():
    KEEPS = 1 - alpha * mu * mu1 / 2
    CONTRACTION = KEEPS**K
    FLOOR4 = ((omega + 1) / (2 * n) + gamma * c) * (2 * L * mu2**2 * alpha / (mu * mu1)) * sigma2
    #: what the mean squared error of the shifts has before it in the Lyapunov functions of Theorems 4 and 5
    SHIFTS4 = c * L * mu2**2 * alpha**2
    SHIFTS5 = c * L * alpha**2 / 2
    THEOREM4 = KEEPS**K * Psi0 + FLOOR4
    SHIFT_STEP = gamma * (1 + omega) <= 1
    #: in place of the printed conditions on alpha and c
    STEPSIZE4 = L**2 * mu2**2 * alpha * (1 + 2 * omega / n + 2 * c * gamma) <= Rational(3, 2) * mu * mu1
    LYAPUNOV4 = omega / n <= c * (gamma - alpha * mu * mu1 / 2)
    PRINTED_STEP = alpha <= 5 * mu * mu1 / (2 * L**2 * mu2**2 * (1 + omega / n))
    PRINTED_WEIGHT = Eq(c, sp.Min((1 - alpha * mu * mu1 / 2 - omega / n) / (1 - gamma), mu / (2 * gamma * L)))
    # -- Theorem 5: the denominator as it ends the proof, and with 2 c L alpha, as the last term of (5) has it
    FALLS5 = 2 * mu1 - L * alpha * mu2**2 - 2 * c * L * alpha * gamma
    FALLS5_PRINTED = 2 * mu1 - L * alpha * mu2**2 - 2 * c * L * alpha
    START5 = 2 * kappa0 / (K * alpha * FALLS5)
    THEOREM5 = START5 + 4 * c * L * alpha / FALLS5 * zeta2 + (mu2**2 + 2 * c) / FALLS5_PRINTED * L * sigma2
    LAST5 = (
        START5 + 4 * c * L * alpha * gamma / FALLS5 * zeta2
        + (mu2**2 + 2 * c * gamma) / FALLS5 * L * alpha * sigma2
    )  # fmt: skip
    #: the last display of its proof as printed: zeta^2 without the factor gamma of the lines before
    PRINTED_LAST5 = (
        START5 + 4 * c * L * alpha / FALLS5 * zeta2
        + (mu2**2 + 2 * c * gamma) / FALLS5 * L * alpha * sigma2
    )  # fmt: skip
    SHARP5 = (
        START5 + 4 * c * L * alpha * gamma / FALLS5 * zeta2
        + (mu2**2 / n + c * gamma) / FALLS5 * L * alpha * sigma2
    )  # fmt: skip
    PRINTED_STEP5 = alpha <= sqrt(n / (2 * L * omega * (omega + 1) * mu2**2))
    PRINTED_SHIFT5 = gamma <= (1 + sqrt(1 - 2 * L * alpha**2 * omega * (omega + 1) * mu2**2 / n)) / (
        2 * (omega + 1)
    )
    PRINTED_WEIGHT5 = c < mu1 / (L * alpha * gamma) - mu2**2 / (2 * gamma)
    #: in place of the printed conditions on alpha and gamma: T <= 0 with the factor of its second term
    WEIGHT5 = mu2**2 * omega / n <= c * gamma * (1 - gamma * (1 + omega))
    # -- Corollary 6
    LEVEL6 = mu2**2 + 2 * c * gamma
    STEP6 = (2 * mu1 - 1) / (L * LEVEL6 * sqrt(K))
    COROLLARY6 = (
        2 / sqrt(K) * (L * LEVEL6 / (2 * mu1 - 1)) * kappa0
        + 1 / sqrt(K) * (4 * c * (2 * mu1 - 1) / LEVEL6) * zeta2
        + 1 / sqrt(K) * (LEVEL6 * (2 * mu1 - 1) / LEVEL6) * sigma2
    )
    #: the same step size and bound with mu1 in place of 2 mu1 - 1, and mu1 for the 1 below it
    UNIT_STEP6 = mu1 / (L * LEVEL6 * sqrt(K))
    UNITS6 = (
        2 / sqrt(K) * (L * LEVEL6 / mu1**2) * kappa0
        + 1 / sqrt(K) * (4 * c * gamma / LEVEL6) * zeta2
        + 1 / sqrt(K) * sigma2
    )
