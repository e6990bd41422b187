"""Where Lemma 1 and Theorem 1 speak: what the numbers of a refuted line must satisfy, all of it."""

from fedproof.papers.fedproxvr.proofs.vectors import *
from fedproof.papers.fedproxvr.statements import formulas as f

with printed():
    #: Assumption 1 with lambda > 0, below (7), theta of (11) and (13)
    IN_LEMMA1 = (
        *assume("definition: Assumption 1, and below (7)", L > 0, lam > 0, Eq(mt, mu - lam), mt > 0),
        *assume("definition: (11), theta between 0 and 1", theta > 0, theta < 1),
        *assume("definition: (13)", beta > 3, f.LOWER <= tau, tau <= f.SARAH_UPPER),
    )
    #: besides: Theta > 0
    IN_THEOREM1 = (*IN_LEMMA1, *assume("definition: Theorem 1", sigma2 > 0, f.DESCENT > 0))

#: numbers within both
WITHIN = "L=1 lam=1 mu=16 mt=15 beta=16 theta=1/4 tau=150 sigma2=1/4"
