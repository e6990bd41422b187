"""How the proofs say what the statements bound: a metric, and the last step's relation for a bound on it.

A key that ends with >= is for bounds from below.
"""

from __future__ import annotations

import sympy as sp

from fedproof.papers.composite.notation import *
from fedproof.proof.prelude import *

#: stands for the bound
BOUND = sp.Symbol("bound", real=True)
#: per round, in expectation: |G(P^r)|^2; Omega^r; Omega_sc^r; F(P^r); |P^r - X*|^2
G = sequence("G", nonnegative=True)
Om, Osc, F, dist2 = sequence("Om"), sequence("Osc"), sequence("F"), sequence("dist2", nonnegative=True)
#: the least objective; of one round: the drift (21), (1/n) E|Lambda^{r+1} - mean|^2
Fs, drift, spread = (sp.Symbol(i, real=True) for i in ("Fs", "drift", "spread"))
r, j = sp.Symbol("r", real=True), sp.Symbol("j", real=True)
#: mu (F(x) - F*) - D_g(x, mu)/2; the same with D_g(x, L)
defect, defect_L = (sp.Symbol(i, real=True) for i in ("defect", "defect_L"))
#: squared distance of the models of two algorithms
difference = sp.Symbol("difference", real=True)
#: the norm of a subgradient of g
longest = sp.Symbol("longest", real=True)
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
