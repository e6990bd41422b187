"""The paper's letters, each tied to a canonical quantity.

eta is eta_t of (3), called gamma_t in Algorithm 1's input; the experiments' mu_t is 1/eta_t.
"""

from __future__ import annotations

from fedproof.bounds.letter import Notation

NOTATION = Notation()
letter, letters, symbol = NOTATION.letter, NOTATION.letters, NOTATION.symbol

L = symbol("L", "smoothness_sample")
G = symbol("G", "lipschitz_sample")
nu = symbol("nu", "weak_convexity", r"\nu")
I = symbol("I", "cohort_size")  # noqa: E741  # the letter of the paper
b = symbol("b", "batch_size")
T = symbol("T", "rounds")
eta = symbol("eta", "prox_stepsize", r"\eta_{t}")
eps = symbol("eps", "suboptimality", r"\varepsilon_{t}")
rho = symbol("rho", "envelope_stepsize", r"\rho")
Delta = symbol("Delta", "initial_gap", r"\bar\Delta^{(0)}")
Delta_rho = symbol("Delta_rho", "initial_envelope_gap", r"\bar\Delta_{\rho}^{(0)}")
epsilon = symbol("epsilon", "accuracy", r"\epsilon")
#: min{T^(-1/3), sqrt(I/T)}, and the same with bI for I
pace = symbol("pace", "pace", r"\min\{T^{-1/3},\sqrt{I/T}\}")
pace_b = symbol("pace_b", "pace", r"\min\{T^{-1/3},\sqrt{bI/T}\}")
J = symbol("J", "effective_draws", r"\frac{G^{2}I}{G^{2}/b+H^{2}}")
H2 = symbol("H2", "gradient_dissimilarity", "H^{2}")
n = symbol("n", "clients")
