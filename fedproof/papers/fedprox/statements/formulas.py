"""The formulas of the statements, each once."""

from __future__ import annotations

from fedproof.bounds.prelude import *
from fedproof.papers.fedprox.notation import *

with printed():
    CUBE_ROOT = (1 / T) ** Rational(1, 3)
    #: min{T^(-1/3), sqrt(I/T)}, by which the step size falls, and max{T^(-2/3), 1/sqrt(TI)}
    PACE = sp.Min(CUBE_ROOT, sqrt(I / T))
    RATE = sp.Max(CUBE_ROOT**2, sqrt(1 / (T * I)))
    GENERAL1 = 2 / (eta * T) * Delta + 4 * L**2 * G**2 * eta**2 + 10 * L * G**2 * eta / I
    EXPLICIT1 = (6 * L * Delta + Rational(34, 9) * G**2) * RATE
    HIDDEN1 = (L * Delta + G**2) * RATE
    #: Theorem 3 as printed, with b beside I, and what is right
    PACE3 = sp.Min(CUBE_ROOT, sqrt(b * I / T))
    RATE3 = sp.Max(CUBE_ROOT**2, sqrt(1 / (T * b * I)))
    GENERAL3 = 4 / (eta * T) * Delta + 376 * L**2 * G**2 * eta**2 + 24 * L * G**2 * eta / (b * I)
    HIDDEN3 = (L * Delta + G**2) * RATE3
    ORACLE3 = (
        eps <= G**2 * eta / (2 * (L * eta + 1)),
        eps <= G**2 * eta / (8 * b**2),
        eps <= L**2 * G**2 * eta**3 / (2 * b * I * (L * eta + 1)),
    )
    SPREAD3 = G**2 / b + H2
    REPAIRED3 = 4 / (eta * T) * Delta + 16 * L**2 * G**2 * eta**2 + 21 * L * eta * SPREAD3 / I
    #: the draws that count: bI where all devices are equal
    DRAWS3 = G**2 * I / SPREAD3
    REPAIRED_PACE3 = sp.Min(CUBE_ROOT, sqrt(J / T))
    REPAIRED_RATE3 = sp.Max(CUBE_ROOT**2, sqrt(1 / (T * J)))
    EXPLICIT3 = (32 * L * Delta + Rational(23, 8) * G**2) * REPAIRED_RATE3
    REPAIRED_ORACLE3 = (
        eps <= G**2 * eta / (2 * (L * eta + 1)),
        eps <= L**2 * G**2 * eta**3 / (2 * b**2 * I**2 * (L * eta + 1)),
    )
    K = 1 / eta + 1 / rho - 2 * nu
    GENERAL2 = K / (T * (1 - rho * nu)) * Delta_rho + 2 * G**2 * eta / (rho * (1 - rho * nu))
    EXPLICIT2 = Delta_rho / (T * rho) + (2 * Delta_rho + 4 * G**2 * rho) / (rho * sqrt(T))
    HIDDEN2 = (Delta_rho + rho * G**2) / (rho * sqrt(T))
