"""Steps of the paper's proofs, in the order of its equations."""

from __future__ import annotations

import sympy as sp

from fedproof.bounds.expressions import printed
from fedproof.bounds.papers.fedproxvr import formulas as f
from fedproof.bounds.papers.fedproxvr import sharp_convexity
from fedproof.bounds.papers.fedproxvr.convexity import FACTS
from fedproof.bounds.papers.fedproxvr.steps import sharp_lemma1, sharp_theorem1
from fedproof.bounds.papers.fedproxvr.symbols import L, beta, mt, mu, tau, theta
from fedproof.bounds.step import Step
from fedproof.vocabulary.source import Source

__all__ = ["STEPS"]

#: the squared gradient norm at the start of the round
G = sp.Symbol("G", real=True)

with printed():
    EQ54 = Step(
        2
        * (mu**2 / (beta**2 * L**2) + 1)
        * (1 / (2 * mt))
        * (3 * L * beta**2 / (beta - 3))
        * (1 / (tau + 1))
        * G
        <= 3 * (beta**2 * L**2 + mu**2) / (mt * L * (beta - 3)) * (1 / tau) * G,
        (L > 0, mt > 0, beta > 3, tau > 0, G >= 0),
        "fedproxvr.eq54",
        source=Source("fedproxvr", "eq. (53)-(54)"),
    )
    EQ55 = Step(
        3 * (beta**2 * L**2 + mu**2) / (mt * L * (beta - 3)) * (1 / tau) * G <= theta**2 * G,
        (L > 0, mt > 0, beta > 3, theta > 0, G >= 0, tau > 0, f.LOWER <= tau),
        "fedproxvr.eq55",
        source=Source("fedproxvr", "eq. (55)"),
    )

STEPS = (EQ54, EQ55, *FACTS, *sharp_convexity.FACTS, *sharp_lemma1.STEPS, *sharp_theorem1.STEPS)
