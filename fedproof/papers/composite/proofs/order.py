"""Steps of the paper's proofs, in the order of its equations."""

from __future__ import annotations

from fedproof.papers.composite.proofs import (
    algorithm1,
    any_server,
    corollaries,
    descent,
    drift_mean,
    drift_sharp,
    experiments,
    fact1,
    lemma_a1,
    lemma_a2,
    local_step,
    mapping,
    potential,
    printed35,
    printed36,
    printed45,
    prox_pl,
    prox_pl_bounded,
    prox_pl_fails,
    sampling,
    stopping,
    subgradients,
    telescoped,
    theorem38,
    theorem38_rounds,
    theorems,
)
from fedproof.proof.notation import part

__all__ = ["PARTS", "STEPS"]

PARTS = (
    part(algorithm1, algorithm1.STEPS),
    part(stopping, stopping.STEPS),
    part(mapping, mapping.STEPS),
    part(subgradients, subgradients.STEPS),
    part(local_step, local_step.STEPS),
    part(sampling, sampling.STEPS),
    part(lemma_a1, lemma_a1.STEPS),
    part(lemma_a2, lemma_a2.STEPS),
    part(drift_sharp, drift_sharp.STEPS),
    part(fact1, fact1.STEPS),
    part(descent, descent.STEPS),
    part(printed35, printed35.STEPS),
    part(prox_pl, prox_pl.STEPS),
    part(printed45, printed45.STEPS),
    part(potential, potential.STEPS),
    part(printed36, printed36.STEPS),
    part(telescoped, telescoped.STEPS),
    part(theorems, theorems.STEPS),
    part(corollaries, corollaries.STEPS),
    part(drift_mean, drift_mean.STEPS),
    part(theorem38, theorem38.STEPS),
    part(theorem38_rounds, theorem38_rounds.STEPS),
    part(any_server, any_server.STEPS),
    part(prox_pl_bounded, prox_pl_bounded.STEPS),
    part(prox_pl_fails, prox_pl_fails.STEPS),
    part(experiments, experiments.STEPS),
)
STEPS = tuple(step for _, steps in PARTS for step in steps)
