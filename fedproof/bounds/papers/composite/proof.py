"""Steps of the paper's proofs, in the order of its equations."""

from __future__ import annotations

from fedproof.bounds.papers.composite.steps import (
    algorithm1,
    drift_sharp,
    lemma_a1,
    lemma_a2,
    local_step,
    mapping,
    sampling,
    stopping,
)
from fedproof.bounds.step_words import part

__all__ = ["PARTS", "STEPS"]

PARTS = (
    part(algorithm1, algorithm1.STEPS),
    part(stopping, stopping.STEPS),
    part(mapping, mapping.STEPS),
    part(local_step, local_step.STEPS),
    part(sampling, sampling.STEPS),
    part(lemma_a1, lemma_a1.STEPS),
    part(lemma_a2, lemma_a2.STEPS),
    part(drift_sharp, drift_sharp.STEPS),
)
STEPS = tuple(step for _, steps in PARTS for step in steps)
