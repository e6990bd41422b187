"""The paper's formulas, each typed once, as printed; statements, optima and figures derive from them."""

from __future__ import annotations

from sympy import Add, Mul, factor

from fedproof.bounds.prelude import *
from fedproof.papers.fedproxvr.notation import *

with printed():
    #: below (7)
    MU_TILDE = mu - lam
    #: (13), (14), left; (55)
    LOWER = 3 * (beta**2 * L**2 + mu**2) / (theta**2 * mt * L * (beta - 3))
    #: (13), right; (48)
    SARAH_UPPER = (5 * beta**2 - 4 * beta) / Integer(8)
    #: (14), right; (66)
    SVRG_UPPER = (5 * beta**2 - 4 * beta) / (8 * a) - 2
    #: below (14); (65)
    SVRG_SIDE = a - 4 >= 4 * sqrt(a * (tau + 1))
    #: the least a that satisfies SVRG_SIDE, which is where it holds with equality
    SVRG_BEST_A = 4 * (sqrt(tau + 1) + sqrt(tau + 2)) ** 2
    #: Lemma 3, right
    MOVEMENT = 4 * (1 + theta**2) * (1 + sigma2) / mt**2
    #: mu x Theta: what is left of 1, the display under (17); (86)
    DESCENT = Add(
        1,
        -(theta * sqrt(2 * (1 + sigma2))),
        -(2 * L / mt * sqrt((1 + theta**2) * (1 + sigma2))),
        -(2 * L * mu / mt**2 * (1 + theta**2) * (1 + sigma2)),
    )
    #: the display under (17)
    FACTOR = Mul(1 / mu, DESCENT)
    #: (17), right
    MEAN_GRADIENT = Delta / (Theta * T)
    #: (18), right
    ROUNDS = Delta / (Theta * eps)
    #: (19), right
    TRAINING_TIME = T * (d_com + d_cmp * tau)
    #: (20)
    OBJECTIVE = 1 / Theta * (1 + gamma * tau)
    #: (22), right
    THETA2_MATCHED = 24 * (beta**2 * L**2 + mu**2) / (mt * L * (5 * beta**2 - 4 * beta) * (beta - 3))

#: the least theta that the lower bound on tau of (13) and (14) allows
THETA_LEAST = sqrt(factor(LOWER.doit() * theta**2 / tau))
