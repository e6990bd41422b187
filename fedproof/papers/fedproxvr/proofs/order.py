"""Steps of the paper's proofs, in the order of its equations."""

from __future__ import annotations

from fedproof.papers.fedproxvr.proofs import (
    algorithm1,
    appendix_a,
    certified,
    convexity,
    experiments,
    heterogeneous,
    heterogeneous_means,
    lemma1,
    lemma1_sarah,
    lemma1_svrg,
    lemma2,
    lemma3,
    means,
    round_end,
    section3,
    sharp_convexity,
    sharp_dominates,
    sharp_dominates_theorem1,
    sharp_lemma1,
    sharp_long,
    sharp_svrg,
    sharp_theorem1,
    telescoping,
    theorem1,
    theorem1_descent,
    training_time,
)
from fedproof.proof.notation import part

__all__ = ["PARTS", "STEPS"]


PARTS = (
    part(section3, section3.STEPS),
    part(algorithm1, algorithm1.STEPS),
    part(appendix_a, appendix_a.STEPS),
    part(lemma2, lemma2.STEPS),
    part(lemma1_sarah, lemma1_sarah.STEPS),
    part(lemma1, lemma1.STEPS),
    part(lemma1_svrg, lemma1_svrg.STEPS),
    part(means, means.STEPS),
    part(lemma3, lemma3.STEPS),
    part(theorem1_descent, theorem1_descent.STEPS),
    part(theorem1, theorem1.STEPS),
    part(round_end, round_end.STEPS),
    part(telescoping, telescoping.STEPS),
    part(certified, certified.STEPS),
    part(heterogeneous, heterogeneous.STEPS),
    part(heterogeneous_means, heterogeneous_means.STEPS),
    part(training_time, training_time.STEPS),
    part(experiments, experiments.STEPS),
    part(convexity, convexity.FACTS),
    part(sharp_convexity, sharp_convexity.FACTS),
    part(sharp_lemma1, sharp_lemma1.STEPS),
    part(sharp_long, sharp_long.STEPS),
    part(sharp_svrg, sharp_svrg.STEPS),
    part(sharp_theorem1, sharp_theorem1.STEPS),
    part(sharp_dominates, sharp_dominates.STEPS),
    part(sharp_dominates_theorem1, sharp_dominates_theorem1.STEPS),
)
STEPS = tuple(step for _, steps in PARTS for step in steps)
