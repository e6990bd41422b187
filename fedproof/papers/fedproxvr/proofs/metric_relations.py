"""How the proofs say what the statements bound: a metric, and the last step's relation for a bound on it."""

from fedproof.papers.fedproxvr.proofs import direct_rounds as rounds
from fedproof.papers.fedproxvr.proofs.heterogeneous import SQUARED_GRADIENT
from fedproof.papers.fedproxvr.proofs.vectors import *

#: stands for the bound
BOUND = number("bound")
#: E|grad J_n(w_n)|, its second moment, |grad F_n(start)|^2; F(start), F(next), |grad F(start)|^2
E1, E2, G0, F0, F1, B2 = numbers("E1 E2 G0 F0 F1 B2")
#: |grad F(start)|, E[F(next) - F(start)], E|next - start|^2
B, D, moved = numbers("B D moved")
#: E|grad F(w^(s))|^2
g, G = sequence("g", nonnegative=True), sequence("G", nonnegative=True)
r, s = numbers("r s")

with printed():
    METRIC_RELATIONS = {
        "local_inexactness": (E1 <= BOUND * sqrt(G0),),
        "local_inexactness_rms": (E2 <= BOUND**2 * G0,),
        "relative_movement": (moved <= BOUND * B2,),
        "descent >=": (
            F1 <= F0 - BOUND * G0,
            D <= -BOUND * B**2,
            rounds.Total(rounds.after) <= rounds.Total(rounds.start) - BOUND * n2(rounds.bar),
        ),
        "mean_squared_gradient": (
            1 / T * total(g(r), r, 1, T) <= BOUND,
            1 / T * total(G(s), s, 1, T) <= BOUND,
            rounds.MEAN_SQUARE <= BOUND,
        ),
        "mean_squared_gradient >=": (BOUND <= SQUARED_GRADIENT,),
    }
