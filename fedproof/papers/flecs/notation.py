"""The paper's letters, each tied to a canonical quantity.

omega is the compressor's of (2); the truncation constants, also omega and Omega in the listings, are trunc_lo
and trunc_hi here, and enter the theorems by mu1 = 1/Omega and mu2 = 1/omega. c is that of the Lyapunov
function; the c of the messages is `bits`.
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
#: the truncation constants, the spectrum and FedSONIA's factor of what lies outside the sketch
trunc_lo = symbol("trunc_lo", "truncation_floor", r"\underline{\omega}")
trunc_hi = symbol("trunc_hi", "truncation_ceiling", r"\Omega")
eigenvalue = symbol("eigenvalue", "hessian_eigenvalue", r"\lambda")
rho = symbol("rho", "outside_step", r"\rho")
#: of a message: bits of a compressed value, columns of the sketch, entries of a model
bits = symbol("bits", "bits_per_value", r"c_{\mathrm{bits}}")
m = symbol("m", "memory_size")
d = symbol("d", "model_size")
up = symbol("up", "message_bits", r"b_{\uparrow}")
down = symbol("down", "broadcast_bits", r"b_{\downarrow}")
work = symbol("work", "operations", r"\#")
#: of one round and one worker: E|h - h_*|^2, E|g - h_*|^2, E|g - h|^2, E|grad f(w) - h_*|^2 and the noise
off2 = symbol("off2", "shift_error", r"\mathbb E\|h_k^i-h_*^i\|^2")
sample2 = symbol("sample2", "sample_error", r"\mathbb E\|g_k^i-h_*^i\|^2")
sent2 = symbol("sent2", "sent_square", r"\mathbb E\|g_k^i-h_k^i\|^2")
away2 = symbol("away2", "gradient_error", r"\mathbb E\|\nabla f_i(w_k)-h_*^i\|^2")
noise2 = symbol("noise2", "client_variance", r"\sigma_i^2")
#: the means of the first and the fourth over the workers
mean_off = symbol("mean_off", "mean_shift_error", r"\tfrac1n\sum_i\mathbb E\|h_k^i-h_*^i\|^2")
mean_away = symbol("mean_away", "mean_gradient_error", r"\tfrac1n\sum_i\mathbb E\|\nabla f_i(w_k)-h_*^i\|^2")
