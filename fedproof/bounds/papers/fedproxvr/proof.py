"""Steps of the paper's proofs, in the order of its equations."""

from __future__ import annotations

from fedproof.bounds.papers.fedproxvr import sharp_convexity
from fedproof.bounds.papers.fedproxvr.convexity import FACTS
from fedproof.bounds.papers.fedproxvr.steps import (
    appendix_a,
    certified,
    lemma1,
    lemma1_sarah,
    lemma1_svrg,
    lemma2,
    lemma3,
    means,
    round_end,
    sharp_lemma1,
    sharp_long,
    sharp_svrg,
    sharp_theorem1,
    telescoping,
    theorem1,
    theorem1_descent,
)

__all__ = ["STEPS"]

STEPS = (
    *appendix_a.STEPS,
    *lemma2.STEPS,
    *lemma1_sarah.STEPS,
    *lemma1.STEPS,
    *lemma1_svrg.STEPS,
    *means.STEPS,
    *lemma3.STEPS,
    *theorem1_descent.STEPS,
    *theorem1.STEPS,
    *round_end.STEPS,
    *telescoping.STEPS,
    *certified.STEPS,
    *FACTS,
    *sharp_convexity.FACTS,
    *sharp_lemma1.STEPS,
    *sharp_long.STEPS,
    *sharp_svrg.STEPS,
    *sharp_theorem1.STEPS,
)
