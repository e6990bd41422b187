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
    K = 1 / eta + 1 / rho - 2 * nu
    GENERAL2 = K / (T * (1 - rho * nu)) * Delta_rho + 2 * G**2 * eta / (rho * (1 - rho * nu))
    EXPLICIT2 = Delta_rho / (T * rho) + (2 * Delta_rho + 4 * G**2 * rho) / (rho * sqrt(T))
    HIDDEN2 = (Delta_rho + rho * G**2) / (rho * sqrt(T))
