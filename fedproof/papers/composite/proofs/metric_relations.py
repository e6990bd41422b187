"""How the proofs say what the statements bound: a metric, and the last step's relation for a bound on it.

A key that ends with >= is for bounds from below.
"""

from fedproof.papers.composite.proofs.vectors import *

#: stands for the bound
BOUND = number("bound")
G = sequence("G(r)", r"\mathbb E\|\mathcal G(P_{\tilde\eta}(\overline{\mathbf x}^{r}))\|^2", nonnegative=True)
Om = sequence("Om(r)", r"\mathbb E[\Omega^{r}]")
Osc = sequence("Osc(r)", r"\mathbb E[\Omega_{sc}^{r}]")
F = sequence("F(r)", r"\mathbb E F(P_{\tilde\eta}(\overline{\mathbf x}^{r}))")
dist2 = sequence(
    "dist2(r)", r"\mathbb E\|P_{\tilde\eta}(\overline{\mathbf x}^{r})-\mathbf x^{\star}\|^2", nonnegative=True
)
#: of one round: the drift (21), (1/n) E|Lambda^{r+1} - mean|^2
drift, spread = numbers("drift spread")
Fs = number("Fs", r"F^{\star}")
r, j = numbers("r j")
defect = number("defect", r"\Delta_{\mu}")
defect_L = number("defect_L", r"\Delta_{L}")
difference = number("difference", r"\|\mathbf x^{r+1}-\mathbf y^{r+1}\|^{2}")
longest = number("longest", r"\|\mathbf s\|")
#: the mean correction by the coordinate
mean_c = sequence("mean_c")

with printed():
    METRIC_RELATIONS = {
        "mean_squared_prox_gradient": (1 / R * total(G(r), r, 1, R) <= BOUND,),
        "potential": (Om(R + 1) <= BOUND,),
        "distance_potential": (Osc(R + 1) <= BOUND,),
        "objective_gap": (F(R + 1) - Fs <= BOUND,),
        "squared_distance": (dist2(R + 1) <= BOUND,),
        "local_drift": (drift <= BOUND,),
        "correction_spread": (spread <= BOUND,),
        "prox_pl_defect": (defect <= BOUND,),
        "prox_pl_defect_smooth": (defect_L <= BOUND,),
        "prox_pl_defect_smooth >=": (defect_L >= BOUND,),
        "squared_difference": (difference <= BOUND,),
        "squared_difference >=": (difference >= BOUND,),
        "subgradient_norm": (longest <= BOUND,),
        "squared_prox_gradient": (G2 <= BOUND,),
        "squared_movement": (moved <= BOUND,),
        "squared_mean_correction": (total(mean_c(j) * mean_c(j), j, 1, d) <= BOUND,),
    }
