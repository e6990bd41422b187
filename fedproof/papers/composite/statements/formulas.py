"""The paper's formulas, each typed once, as printed; and those of the amending statements."""

from __future__ import annotations

from sympy import Max

from fedproof.bounds.prelude import *
from fedproof.papers.composite.notation import *

with printed():
    #: Algorithm 1, line 2
    ETA_T = eta * eta_g * tau
    #: (13)
    STEP = eta_t <= 1 / (10 * L)
    SERVER = eta_g >= Max(Rational(3, 2), sqrt(n / 8))
    #: Lemmas A.1 and A.2
    LEMMA_STEP = eta_t <= eta_g / (sqrt(20) * L)
    #: (45), (46), before the squared prox-gradient; Theorems 3.5 and 3.6, before B_g^2
    DESCENT = Rational(3, 10)
    PENALTY35, PENALTY36 = Integer(187), Integer(168)
    #: Theorem 3.5: the part that rounds remove, the residual's two sources, the sum
    THEOREM35_START = Omega1 / (DESCENT * eta_t * R)
    THEOREM35_VARIANCE = 20 * sigma2 / (n * tau * b)
    THEOREM35_SUBGRADIENTS = PENALTY35 * L**2 * eta_t**2 * B_g**2 / eta_g**2
    THEOREM35 = THEOREM35_START + THEOREM35_VARIANCE + THEOREM35_SUBGRADIENTS
    #: Theorem 3.6, likewise
    FACTOR = 1 - mu * eta_t / 3
    CONTRACTION = FACTOR**R
    THEOREM36_START = kept * Omega1
    THEOREM36_VARIANCE = 18 * sigma2 / (mu * n * tau * b)
    THEOREM36_SUBGRADIENTS = PENALTY36 * L**2 * eta_t**2 * B_g**2 / (mu * eta_g**2)
    THEOREM36 = THEOREM36_START + THEOREM36_VARIANCE + THEOREM36_SUBGRADIENTS
    #: Theorem 3.8
    STEP_SC = eta_t <= mu_sc / (150 * L**2)
    CONTRACTION_SC = (1 - mu_sc * eta_t / 3) ** R
    THEOREM38_START = kept_sc * Omega1_sc
    THEOREM38_VARIANCE = 30 * eta_t * sigma2 / (mu_sc * n * tau * b)
    THEOREM38_SUBGRADIENTS = 21 * eta_t * B_g**2 / (mu_sc * eta_g**2)
    THEOREM38 = THEOREM38_START + THEOREM38_VARIANCE + THEOREM38_SUBGRADIENTS
    #: (21), right
    DRIFT = (
        5 * tau**3 * eta**2 * n * 4 * B_g**2
        + 5 * n * tau**3 * eta**2 * G2
        + 5 * tau * LamSq
        + 10 * n * tau**2 * eta**2 * (sigma2 / b)
    )
    #: Lemma A.2, its subtracted term on the right
    SPREAD = (
        2 * eta**2 * tau**2 * L**2 * moved
        + 1 / n * (4 * eta**2 * tau * L**2) * DRIFT
        + 1 / n * 4 * eta**2 * n**2 * tau**2 * (sigma2 / (n * tau * b))
    )
    #: the sharpened forms: no bound on subgradients
    SHARP_SERVER = eta_g >= 1
    #: eta tau <= 1/(8 L), which is (33)
    SHORT_STEP = eta_t <= eta_g / (8 * L)
    _SHARP_TERMS = 2 * eta_t**2 * G2 + 4 * Lam2 + 8 * tau * eta**2 * (sigma2 / b)
    SHARP_DRIFT = Rational(5, 4) * (n * tau) * _SHARP_TERMS
    SHORT_DRIFT = Rational(23, 20) * (n * tau) * _SHARP_TERMS
    SHARP_SPREAD = (
        2 * eta**2 * tau**2 * L**2 * moved
        + 4 * eta**2 * tau * L**2 / n * SHARP_DRIFT
        + 4 * eta**2 * tau * (sigma2 / b)
    )
    SHORT_SPREAD = (
        2 * eta**2 * tau**2 * L**2 * moved
        + 4 * eta**2 * tau * L**2 / n * SHORT_DRIFT
        + 4 * eta**2 * tau * (sigma2 / b)
    )
    SHARP_DESCENT = Rational(47, 100)
    SHARP35_START = Omega1 / (SHARP_DESCENT * eta_t * R)
    SHARP35_VARIANCE = (Rational(9, 4) + Rational(4, 5) * (n / eta_g**2)) * (sigma2 / (n * tau * b))
    SHARP35 = SHARP35_START + SHARP35_VARIANCE
    SHARP_FACTOR = 1 - Rational(9, 10) * mu * eta_t
    SHARP_CONTRACTION = SHARP_FACTOR**R
    SHARP36_START = kept_sharp * Omega1
    SHARP36_VARIANCE = (
        Rational(10, 9) / mu * (1 + Rational(23, 50) * (n / eta_g**2)) * (sigma2 / (n * tau * b))
    )
    SHARP36 = SHARP36_START + SHARP36_VARIANCE
    #: rounds after which the bound of Theorem 3.5 is at most eps, printed and sharpened
    ROUNDS35 = Omega1 / (DESCENT * eta_t * (eps - THEOREM35_VARIANCE - THEOREM35_SUBGRADIENTS))
    SHARP_ROUNDS35 = Omega1 / (SHARP_DESCENT * eta_t * (eps - SHARP35_VARIANCE))
    #: the convolutional network of Sec. 4.2: two 3x3 layers of 32 maps, 7x7 after pooling, 64, 32, 10
    CNN_SIZE = (
        (Integer(9) * 1 * 32 + 32)
        + (Integer(9) * 32 * 32 + 32)
        + (Integer(7) * 7 * 32 * 64 + 64)
        + (Integer(64) * 32 + 32)
        + (Integer(32) * 10 + 10)
    )
