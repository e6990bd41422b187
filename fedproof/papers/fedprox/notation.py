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
#: the devices, another number of drawn ones, and how many rounds suffice for an accuracy
M = symbol("M", "clients")
I2 = symbol("I2", "cohort_size", r"I'")
T_eps = symbol("T_eps", "rounds", r"T_{\epsilon}")
#: Definition 1: (B, H), the mean of the squared norms of the devices' gradients, and that of their mean
B_lgd = symbol("B", "dissimilarity_factor")
H_lgd = symbol("H", "dissimilarity_level")
h2 = symbol("h2", "mean_squared_device_gradient", r"\tfrac1M\sum_m\|\nabla R^{(m)}(w)\|^2")
g2 = symbol("g2", "squared_risk_gradient", r"\|\nabla\bar R(w)\|^2")
#: T^(-1/3), 1/sqrt(TI) and 1/sqrt(T), of which the rates are made
cube = symbol("cube", "pace", r"T^{-1/3}")
rate_I = symbol("rate_I", "pace", r"\tfrac{1}{\sqrt{TI}}")
rate_T = symbol("rate_T", "pace", r"\tfrac{1}{\sqrt{T}}")
#: a smoothness that the losses also have
L_more = symbol("L_more", "smoothness_sample", "L'")
