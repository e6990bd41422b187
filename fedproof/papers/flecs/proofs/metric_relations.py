"""How the proofs say what the statements bound: a metric, and the last step's relation for a bound on it."""

from __future__ import annotations

from fedproof.papers.flecs.proofs import lemma8, lemmas
from fedproof.papers.flecs.proofs.theorem4 import AFTER
from fedproof.papers.flecs.proofs.theorem4_fails import psi_1
from fedproof.papers.flecs.proofs.theorem5 import MEAN5
from fedproof.papers.flecs.proofs.theorem5_fails import drawn
from fedproof.proof.prelude import number, printed

#: stands for the bound
BOUND = number("bound")

with printed():
    METRIC_RELATIONS = {
        "next_shift_error": (lemmas.AFTER <= BOUND,),
        "search_direction_gap": (lemma8.LEFT <= BOUND,),
        "mean_shift_gap": (lemmas.MEAN_LEFT <= BOUND,),
        "server_gradient_square": (lemmas.SECOND <= BOUND,),
        "lyapunov": (AFTER <= BOUND,),
        "lyapunov >=": (BOUND <= psi_1,),
        "squared_gradient_of_drawn_model": (MEAN5 <= BOUND,),
        "squared_gradient_of_drawn_model >=": (BOUND <= drawn,),
    }
