"""Formulas of the strongest statements: for strongly convex losses, and for any server step size."""

from __future__ import annotations

from fedproof.bounds.prelude import *
from fedproof.papers.composite.notation import *

with printed():
    #: sigma^2/(n tau b)
    NOISE = sigma2 / (n * tau * b)
    #: eta tau <= 1/(10 L), beside eta~ <= 1/(10 L)
    LOCAL_STEP = eta_t <= eta_g / (10 * L)
    #: Theorem 3.8, sharpened
    STEP_SC = eta_t <= mu_sc / (10 * L**2)
    CONTRACTION_SC = (1 - mu_sc * eta_t) ** R
    DISTANCE_VARIANCE = (Rational(21, 5) + Rational(3, 5) * (n / eta_g**2)) * (eta_t / mu_sc) * NOISE
    DISTANCE = kept_sc_sharp * Omega1_sc + DISTANCE_VARIANCE
    #: n (eta tau L)^2 times the constant of the noise that the corrections carry
    CARRIED = Rational(523, 100) * n * (L * eta_t / eta_g) ** 2
    #: Theorem 3.5 for any server step size
    DESCENT = Rational(19, 40)
    ANY35_VARIANCE = 1 / DESCENT * (1 + CARRIED) * NOISE
    ANY35 = Omega1_hat / (DESCENT * eta_t * R) + ANY35_VARIANCE
    #: Theorem 3.6 for any server step size
    CONTRACTION_ANY = (1 - Rational(19, 20) * mu * eta_t) ** R
    ANY36_VARIANCE = Rational(20, 19) / mu * (1 + CARRIED) * NOISE
    ANY36 = kept_any * Omega1_hat + ANY36_VARIANCE
