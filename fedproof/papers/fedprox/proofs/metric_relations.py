"""How the proofs say what the statements bound: a metric, and the last step's relation for a bound on it."""

from __future__ import annotations

from fedproof.papers.fedprox.proofs.rates import MEAN2
from fedproof.papers.fedprox.proofs.remarks import DEVICES, DISTANCE
from fedproof.papers.fedprox.proofs.rounds import MEAN1
from fedproof.papers.fedprox.proofs.theorem3_fails import MEAN
from fedproof.proof.prelude import number, printed

#: stands for the bound
BOUND = number("bound")

with printed():
    METRIC_RELATIONS = {
        "drawn_squared_gradient": (MEAN1 <= BOUND,),
        "drawn_squared_gradient >=": (BOUND <= MEAN,),
        "drawn_squared_envelope_gradient": (MEAN2 <= BOUND,),
        "drawn_squared_prox_distance": (DISTANCE <= BOUND,),
        "drawn_squared_device_gradient": (DEVICES <= BOUND,),
    }
