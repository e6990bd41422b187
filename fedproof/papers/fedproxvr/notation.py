"""The paper's letters, each tied to a canonical quantity."""

from __future__ import annotations

from fedproof.bounds.letter import Notation

NOTATION = Notation()
letter, letters, symbol = NOTATION.letter, NOTATION.letters, NOTATION.symbol

L = symbol("L", "smoothness_sample")
lam = symbol("lam", "weak_convexity", r"\lambda")
sigma2 = symbol("sigma2", "dissimilarity", r"\bar\sigma^{2}")
mu = symbol("mu", "prox_weight", r"\mu")
beta = symbol("beta", "inverse_stepsize", r"\beta")
tau = symbol("tau", "local_steps", r"\tau")
theta = symbol("theta", "inexactness", r"\theta")
gamma = symbol("gamma", "delay_ratio", r"\gamma")
Delta = symbol("Delta", "initial_gap", r"\Delta(\bar w^{(0)})")
T = symbol("T", "rounds")
eps = symbol("eps", "accuracy", r"\epsilon")
d_com = symbol("d_com", "communication_delay", "d_{com}")
d_cmp = symbol("d_cmp", "compute_delay", "d_{cmp}")
mt = symbol("mt", "strong_convexity", r"\tilde\mu")
Theta = symbol("Theta", "federated_factor", r"\Theta")
a = symbol("a", "young_weight")
T_eps = symbol("T_eps", "rounds", r"T_\epsilon")
beta2 = symbol("beta2", "inverse_stepsize", r"\beta'")
tau2 = symbol("tau2", "local_steps", r"\tau'")
time = symbol("time", "time", r"\mathcal{T}")
q = symbol("q", "step_deviation")
