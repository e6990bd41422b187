"""Steps of the paper's proofs, in the order of its equations."""

from __future__ import annotations

from fedproof.bounds.papers.fedproxvr import sharp_convexity
from fedproof.bounds.papers.fedproxvr.convexity import FACTS
from fedproof.bounds.papers.fedproxvr.steps import (
    appendix_a,
    lemma1,
    lemma1_sarah,
    lemma1_svrg,
    lemma2,
    sharp_lemma1,
    sharp_theorem1,
)

__all__ = ["STEPS"]

STEPS = (
    *appendix_a.STEPS,
    *lemma2.STEPS,
    *lemma1_sarah.STEPS,
    *lemma1.STEPS,
    *lemma1_svrg.STEPS,
    *FACTS,
    *sharp_convexity.FACTS,
    *sharp_lemma1.STEPS,
    *sharp_theorem1.STEPS,
)
