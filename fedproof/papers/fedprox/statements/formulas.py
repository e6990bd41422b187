"""The formulas of the statements, each once."""

from __future__ import annotations

from fedproof.bounds.prelude import *
from fedproof.papers.fedprox.notation import *


def general1(first: sp.Expr) -> sp.Expr:
    """The bound of Theorem 1 for any step size, with its first term."""
    return first + 4 * L**2 * G**2 * eta**2 + 10 * L * G**2 * eta / I


def general2(gap: sp.Expr) -> sp.Expr:
    """The bound of Theorems 2 and 4 for any step size, with the gap of the envelope."""
    return K / (T * (1 - rho * nu)) * gap + 2 * G**2 * eta / (rho * (1 - rho * nu))


def repaired3(first: sp.Expr, spread: sp.Expr) -> sp.Expr:
    """The bound of the repaired Theorem 3 for any step size, with its first term and the draws' spread."""
    return first + 16 * L**2 * G**2 * eta**2 + 21 * L * eta * spread / I


def explicit1(rate: sp.Expr) -> sp.Expr:
    """Theorem 1 with constants."""
    return (6 * L * Delta + Rational(34, 9) * G**2) * rate


def explicit3(rate: sp.Expr) -> sp.Expr:
    """The repaired Theorem 3 with constants."""
    return (32 * L * Delta + Rational(23, 8) * G**2) * rate


def hidden1(rate: sp.Expr) -> sp.Expr:
    """Theorem 1 without its constant."""
    return (L * Delta + G**2) * rate


with printed():
    CUBE_ROOT = (1 / T) ** Rational(1, 3)
    #: min{T^(-1/3), sqrt(I/T)}, by which the step size falls, and max{T^(-2/3), 1/sqrt(TI)}
    PACE = sp.Min(CUBE_ROOT, sqrt(I / T))
    RATE = sp.Max(CUBE_ROOT**2, sqrt(1 / (T * I)))
    GENERAL1 = general1(2 / (eta * T) * Delta)
    EXPLICIT1, HIDDEN1 = explicit1(RATE), hidden1(RATE)
    ORACLE1 = (
        eps <= 2 * L**2 * G**2 * eta**3 / (I**2 * (L * eta + 1)),
        eps <= G**2 * eta / (2 * I * (L * eta + 1)),
    )
    #: Theorem 3 as printed, with b beside I, and what is right
    PACE3 = sp.Min(CUBE_ROOT, sqrt(b * I / T))
    RATE3 = sp.Max(CUBE_ROOT**2, sqrt(1 / (T * b * I)))
    GENERAL3 = 4 / (eta * T) * Delta + 376 * L**2 * G**2 * eta**2 + 24 * L * G**2 * eta / (b * I)
    HIDDEN3 = hidden1(RATE3)
    ORACLE3 = (
        eps <= G**2 * eta / (2 * (L * eta + 1)),
        eps <= G**2 * eta / (8 * b**2),
        eps <= L**2 * G**2 * eta**3 / (2 * b * I * (L * eta + 1)),
    )
    SPREAD3 = G**2 / b + H2
    REPAIRED3 = repaired3(4 / (eta * T) * Delta, SPREAD3)
    #: the draws that count: bI where all devices are equal
    DRAWS3 = G**2 * I / SPREAD3
    REPAIRED_PACE3 = sp.Min(CUBE_ROOT, sqrt(J / T))
    REPAIRED_RATE3 = sp.Max(CUBE_ROOT**2, sqrt(1 / (T * J)))
    EXPLICIT3 = explicit3(REPAIRED_RATE3)
    REPAIRED_ORACLE3 = (
        eps <= G**2 * eta / (2 * (L * eta + 1)),
        eps <= L**2 * G**2 * eta**3 / (2 * b**2 * I**2 * (L * eta + 1)),
    )
    K = 1 / eta + 1 / rho - 2 * nu
    GENERAL2 = general2(Delta_rho)
    EXPLICIT2 = Delta_rho / (T * rho) + (2 * Delta_rho + 4 * G**2 * rho) / (rho * sqrt(T))
    HIDDEN2 = (Delta_rho + rho * G**2) / (rho * sqrt(T))
