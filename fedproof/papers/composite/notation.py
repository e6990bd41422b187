"""The paper's letters, each tied to a canonical quantity."""

from __future__ import annotations

import sympy as sp

from fedproof.bounds.letter import Letter


def _letter(name: str, means: str, latex: str) -> Letter:
    return Letter(sp.Symbol(name, real=True), means, latex)


_L = _letter("L", "smoothness", "L")
_N = _letter("n", "clients", "n")
_TAU = _letter("tau", "local_steps", r"\tau")
_B = _letter("b", "batch_size", "b")
_SIGMA2 = _letter("sigma2", "gradient_variance", r"\sigma^{2}")
_B_G = _letter("B_g", "subgradient_bound", "B_{g}")
_MU = _letter("mu", "pl_constant", r"\mu")
_MU_SC = _letter("mu_sc", "loss_strong_convexity", r"\mu_{sc}")
_ETA = _letter("eta", "stepsize", r"\eta")
_ETA_G = _letter("eta_g", "server_stepsize", r"\eta_{g}")
_ETA_T = _letter("eta_t", "effective_stepsize", r"\tilde\eta")
_OMEGA1 = _letter("Omega1", "initial_potential", r"\mathbb E[\Omega^{1}]")
_OMEGA1_SC = _letter("Omega1_sc", "initial_distance_potential", r"\mathbb E[\Omega_{sc}^{1}]")
_R = _letter("R", "rounds", "R")
_EPS = _letter("eps", "accuracy", r"\epsilon")
_EPS_F = _letter("eps_F", "loss_accuracy", r"\epsilon_{F}")
_R_EPS = _letter("R_eps", "rounds", r"R_{\epsilon}")
_RES_S = _letter("res_sigma", "variance_residual", r"\rho_{\sigma}")
_RES_G = _letter("res_g", "subgradient_residual", r"\rho_{g}")
#: |G(P)|^2; E|Lambda - mean|^2; the same over n; E|P^{r+1} - P^r|^2, of one round
_G2 = _letter(
    "G2", "squared_prox_gradient", r"\mathbb E\|\mathcal G(P_{\tilde\eta}(\overline{\mathbf x}^{r}))\|^{2}"
)
_LAM_SQ = _letter(
    "LamSq", "correction_spread", r"\mathbb E\|\mathbf\Lambda^{r}-\overline{\mathbf\Lambda}^{r}\|^{2}"
)
_LAM2 = _letter(
    "Lam2",
    "correction_spread",
    r"\tfrac{1}{n}\mathbb E\|\mathbf\Lambda^{r}-\overline{\mathbf\Lambda}^{r}\|^{2}",
)
_MOVED = _letter(
    "moved",
    "squared_movement",
    r"\mathbb E\|P_{\tilde\eta}(\overline{\mathbf x}^{r+1})-P_{\tilde\eta}(\overline{\mathbf x}^{r})\|^{2}",
)
_GAP = _letter("gap", "objective_gap", r"(F(P_{\tilde\eta}(\overline{\mathbf x}^{r}))-F^{\star})")
_ETA_T2 = _letter("eta_t2", "effective_stepsize", r"\tilde\eta'")
_D = _letter("d", "model_size", "d")
_VARTHETA = _letter("vartheta", "penalty_weight", r"\vartheta")
_ZETA2 = _letter("zeta2", "initial_dissimilarity", r"\zeta^{2}")
_SENT = _letter("sent", "sent_numbers", "N")
#: powers in Theorem 3.6, printed and sharpened: what all rounds leave of the initial potential
_KEPT = _letter("kept", "contraction", r"\left(1-\tfrac{\mu\tilde\eta}{3}\right)^{R}")
_KEPT_SHARP = _letter("kept_sharp", "contraction", r"\left(1-\tfrac{9\mu\tilde\eta}{10}\right)^{R}")
#: the same in Theorem 3.8, printed and sharpened, and for any server step size
_KEPT_SC = _letter("kept_sc", "contraction", r"\left(1-\tfrac{\mu_{sc}\tilde\eta}{3}\right)^{R}")
_KEPT_SC_SHARP = _letter("kept_sc_sharp", "contraction", r"\left(1-\mu_{sc}\tilde\eta\right)^{R}")
_KEPT_ANY = _letter("kept_any", "contraction", r"\left(1-\tfrac{19\mu\tilde\eta}{20}\right)^{R}")
#: F(P^1) - F* + L^2 eta~ (1/n) |Lambda^1 - mean|^2
_OMEGA1_HAT = _letter("Omega1_hat", "initial_weighted_potential", r"\mathbb E[\hat\Omega^{1}]")

#: Every letter of the paper; derived ones and those of one round last.
LETTERS = (
    _L, _N, _TAU, _B, _SIGMA2, _B_G, _MU, _MU_SC, _ETA, _ETA_G, _ETA_T, _OMEGA1, _OMEGA1_SC, _R, _EPS, _EPS_F,
    _R_EPS, _RES_S, _RES_G, _G2, _LAM_SQ, _LAM2, _MOVED, _GAP, _ETA_T2, _D, _VARTHETA, _SENT, _ZETA2,
    _KEPT, _KEPT_SHARP, _KEPT_SC, _KEPT_SC_SHARP, _KEPT_ANY, _OMEGA1_HAT,
)  # fmt: skip

(
    L,
    n,
    tau,
    b,
    sigma2,
    B_g,
    mu,
    mu_sc,
    eta,
    eta_g,
    eta_t,
    Omega1,
    Omega1_sc,
    R,
    eps,
    eps_F,
    R_eps,
    res_sigma,
    res_g,
    G2,
    LamSq,
    Lam2,
    moved,
    gap,
    eta_t2,
    d,
    vartheta,
    sent,
    zeta2,
    kept,
    kept_sharp,
    kept_sc,
    kept_sc_sharp,
    kept_any,
    Omega1_hat,
) = (letter.symbol for letter in LETTERS)

BY_SYMBOL = {letter.symbol: letter for letter in LETTERS}


def letters(*symbols: sp.Symbol) -> tuple[Letter, ...]:
    """The letters of these symbols."""
    return tuple(BY_SYMBOL[s] for s in symbols)


def letter(symbol: sp.Symbol) -> Letter:
    """The letter of one symbol."""
    return BY_SYMBOL[symbol]
