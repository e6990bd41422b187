"""The paper's letters, each tied to a canonical quantity."""

from __future__ import annotations

import sympy as sp

from fedproof.bounds.letter import Letter


def _letter(name: str, means: str, latex: str) -> Letter:
    return Letter(sp.Symbol(name, real=True), means, latex)


_L = _letter("L", "smoothness_sample", "L")
_LAM = _letter("lam", "weak_convexity", r"\lambda")
_SIGMA2 = _letter("sigma2", "dissimilarity", r"\bar\sigma^{2}")
_MU = _letter("mu", "prox_weight", r"\mu")
_BETA = _letter("beta", "inverse_stepsize", r"\beta")
_TAU = _letter("tau", "local_steps", r"\tau")
_THETA = _letter("theta", "inexactness", r"\theta")
_GAMMA = _letter("gamma", "delay_ratio", r"\gamma")
_DELTA = _letter("Delta", "initial_gap", r"\Delta(\bar w^{(0)})")
_T = _letter("T", "rounds", "T")
_EPS = _letter("eps", "accuracy", r"\epsilon")
_D_COM = _letter("d_com", "communication_delay", "d_{com}")
_D_CMP = _letter("d_cmp", "compute_delay", "d_{cmp}")
_MT = _letter("mt", "strong_convexity", r"\tilde\mu")
_BIG_THETA = _letter("Theta", "federated_factor", r"\Theta")
_A = _letter("a", "young_weight", "a")
_T_EPS = _letter("T_eps", "rounds", r"T_\epsilon")
_BETA2 = _letter("beta2", "inverse_stepsize", r"\beta'")
_TAU2 = _letter("tau2", "local_steps", r"\tau'")
_Q = _letter("q", "step_deviation", "q")
_TIME = _letter("time", "time", r"\mathcal{T}")

#: Every letter of the paper; derived ones last.
LETTERS = (
    _L, _LAM, _SIGMA2, _MU, _BETA, _TAU, _THETA, _GAMMA, _DELTA, _T, _EPS, _D_COM, _D_CMP,
    _MT, _BIG_THETA, _A, _T_EPS, _BETA2, _TAU2, _TIME, _Q,
)  # fmt: skip

(
    L,
    lam,
    sigma2,
    mu,
    beta,
    tau,
    theta,
    gamma,
    Delta,
    T,
    eps,
    d_com,
    d_cmp,
    mt,
    Theta,
    a,
    T_eps,
    beta2,
    tau2,
    time,
    q,
) = (letter.symbol for letter in LETTERS)

BY_SYMBOL = {letter.symbol: letter for letter in LETTERS}


def letters(*symbols: sp.Symbol) -> tuple[Letter, ...]:
    """The letters of these symbols."""
    return tuple(BY_SYMBOL[s] for s in symbols)


def letter(symbol: sp.Symbol) -> Letter:
    """The letter of one symbol."""
    return BY_SYMBOL[symbol]
