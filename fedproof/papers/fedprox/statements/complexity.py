"""The formulas of Table 1 and the remarks: how many rounds suffice for an accuracy, each once."""

from __future__ import annotations

from fedproof.bounds.prelude import *
from fedproof.papers.fedprox.notation import *
from fedproof.papers.fedprox.statements.formulas import CUBE_ROOT

with printed():
    #: what Theorem 1 with constants has before its rate, and Theorem 2 before 1/sqrt(T)
    SIZE1 = 6 * L * Delta + Rational(34, 9) * G**2
    SIZE2 = (3 * Delta_rho + 4 * G**2 * rho) / rho
    #: T^(-2/3) and 1/sqrt(TI), of which Theorem 1's rate is the larger
    RATE_FEW, RATE_MANY = CUBE_ROOT**2, sqrt(1 / (T * I))
    ROUNDS_FEW = sqrt(SIZE1 / epsilon) ** 3
    ROUNDS_MANY = (SIZE1 / epsilon) ** 2 / I
    ROUNDS1 = ROUNDS_FEW + ROUNDS_MANY
    ROUNDS2 = (SIZE2 / epsilon) ** 2
    #: Remark 2: every device in every round; its rate at eta = 1/(3 L T^(1/3)); with (B, 0)-LGD besides
    FULL = 4 / (eta * T) * Delta + 28 * L**2 * G**2 * eta**2
    FULL_RATE = (12 * L * Delta + Rational(28, 9) * G**2) * RATE_FEW
    FULL_LGD = 4 / (eta * T) * Delta + 24 * (L + 1 / eta) * eps
