"""The paper's letters, each tied to a canonical quantity.

omega is the compressor's of (2); the truncation constants, also omega and Omega in the listings, enter by
mu1 and mu2 alone: 1/Omega and 1/omega. c is the Lyapunov function's.
"""

from __future__ import annotations

from fedproof.bounds.letter import Notation

NOTATION = Notation()
letter, letters, symbol = NOTATION.letter, NOTATION.letters, NOTATION.symbol

L = symbol("L", "smoothness")
mu = symbol("mu", "loss_strong_convexity", r"\mu")
mu1 = symbol("mu1", "inverse_hessian_floor", r"\mu_{1}")
mu2 = symbol("mu2", "inverse_hessian_ceiling", r"\mu_{2}")
omega = symbol("omega", "compression_variance", r"\omega")
n = symbol("n", "clients")
sigma2 = symbol("sigma2", "gradient_variance", r"\sigma^{2}")
alpha = symbol("alpha", "server_step", r"\alpha")
gamma = symbol("gamma", "shift_stepsize", r"\gamma")
c = symbol("c", "lyapunov_weight")
K = symbol("K", "rounds")
Psi0 = symbol("Psi0", "initial_lyapunov", r"\Psi_{0}")
zeta2 = symbol("zeta2", "gradient_dissimilarity", r"\zeta^{2}")
kappa0 = symbol("kappa0", "initial_nonconvex_lyapunov", r"\bar{\kappa}^{0}")
