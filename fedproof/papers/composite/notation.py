"""The paper's letters, each tied to a canonical quantity."""

from __future__ import annotations

from fedproof.bounds.letter import Notation

NOTATION = Notation()
letter, letters, symbol = NOTATION.letter, NOTATION.letters, NOTATION.symbol

L = symbol("L", "smoothness")
n = symbol("n", "clients")
tau = symbol("tau", "local_steps", r"\tau")
b = symbol("b", "batch_size")
sigma2 = symbol("sigma2", "gradient_variance", r"\sigma^{2}")
B_g = symbol("B_g", "subgradient_bound", "B_{g}")
mu = symbol("mu", "pl_constant", r"\mu")
mu_sc = symbol("mu_sc", "loss_strong_convexity", r"\mu_{sc}")
eta = symbol("eta", "stepsize", r"\eta")
eta_g = symbol("eta_g", "server_stepsize", r"\eta_{g}")
eta_t = symbol("eta_t", "effective_stepsize", r"\tilde\eta")
Omega1 = symbol("Omega1", "initial_potential", r"\mathbb E[\Omega^{1}]")
Omega1_sc = symbol("Omega1_sc", "initial_distance_potential", r"\mathbb E[\Omega_{sc}^{1}]")
R = symbol("R", "rounds")
eps = symbol("eps", "accuracy", r"\epsilon")
eps_F = symbol("eps_F", "loss_accuracy", r"\epsilon_{F}")
R_eps = symbol("R_eps", "rounds", r"R_{\epsilon}")
res_sigma = symbol("res_sigma", "variance_residual", r"\rho_{\sigma}")
res_g = symbol("res_g", "subgradient_residual", r"\rho_{g}")
#: |G(P)|^2; E|Lambda - mean|^2; the same over n; E|P^{r+1} - P^r|^2, of one round
G2 = symbol(
    "G2", "squared_prox_gradient", r"\mathbb E\|\mathcal G(P_{\tilde\eta}(\overline{\mathbf x}^{r}))\|^{2}"
)
LamSq = symbol(
    "LamSq", "correction_spread", r"\mathbb E\|\mathbf\Lambda^{r}-\overline{\mathbf\Lambda}^{r}\|^{2}"
)
Lam2 = symbol(
    "Lam2",
    "correction_spread",
    r"\tfrac{1}{n}\mathbb E\|\mathbf\Lambda^{r}-\overline{\mathbf\Lambda}^{r}\|^{2}",
)
moved = symbol(
    "moved",
    "squared_movement",
    r"\mathbb E\|P_{\tilde\eta}(\overline{\mathbf x}^{r+1})-P_{\tilde\eta}(\overline{\mathbf x}^{r})\|^{2}",
)
gap = symbol("gap", "objective_gap", r"(F(P_{\tilde\eta}(\overline{\mathbf x}^{r}))-F^{\star})")
eta_t2 = symbol("eta_t2", "effective_stepsize", r"\tilde\eta'")
d = symbol("d", "model_size")
vartheta = symbol("vartheta", "penalty_weight", r"\vartheta")
zeta2 = symbol("zeta2", "initial_dissimilarity", r"\zeta^{2}")
sent = symbol("sent", "sent_numbers", "N")
#: powers in Theorem 3.6, printed and sharpened: what all rounds leave of the initial potential
kept = symbol("kept", "contraction", r"\left(1-\tfrac{\mu\tilde\eta}{3}\right)^{R}")
kept_sharp = symbol("kept_sharp", "contraction", r"\left(1-\tfrac{9\mu\tilde\eta}{10}\right)^{R}")
#: the same in Theorem 3.8, printed and sharpened, and for any server step size
kept_sc = symbol("kept_sc", "contraction", r"\left(1-\tfrac{\mu_{sc}\tilde\eta}{3}\right)^{R}")
kept_sc_sharp = symbol("kept_sc_sharp", "contraction", r"\left(1-\mu_{sc}\tilde\eta\right)^{R}")
kept_any = symbol("kept_any", "contraction", r"\left(1-\tfrac{19\mu\tilde\eta}{20}\right)^{R}")
#: F(P^1) - F* + L^2 eta~ (1/n) |Lambda^1 - mean|^2
Omega1_hat = symbol("Omega1_hat", "initial_weighted_potential", r"\mathbb E[\hat\Omega^{1}]")
