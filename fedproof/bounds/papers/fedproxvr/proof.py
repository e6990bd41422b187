"""Steps of the paper's proofs, in the order of its equations."""

from __future__ import annotations

from types import ModuleType

from fedproof.bounds.papers.fedproxvr import convexity, sharp_convexity
from fedproof.bounds.papers.fedproxvr.steps import (
    algorithm1,
    appendix_a,
    certified,
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
from fedproof.bounds.step import Step

__all__ = ["PARTS", "STEPS"]


def _part(module: ModuleType, steps: tuple[Step, ...]) -> tuple[str, tuple[Step, ...]]:
    """A part of the proofs under its heading, the first line of what its file says of itself."""
    return (module.__doc__ or module.__name__).splitlines()[0].rstrip("."), steps


PARTS = (
    _part(section3, section3.STEPS),
    _part(algorithm1, algorithm1.STEPS),
    _part(appendix_a, appendix_a.STEPS),
    _part(lemma2, lemma2.STEPS),
    _part(lemma1_sarah, lemma1_sarah.STEPS),
    _part(lemma1, lemma1.STEPS),
    _part(lemma1_svrg, lemma1_svrg.STEPS),
    _part(means, means.STEPS),
    _part(lemma3, lemma3.STEPS),
    _part(theorem1_descent, theorem1_descent.STEPS),
    _part(theorem1, theorem1.STEPS),
    _part(round_end, round_end.STEPS),
    _part(telescoping, telescoping.STEPS),
    _part(certified, certified.STEPS),
    _part(heterogeneous, heterogeneous.STEPS),
    _part(heterogeneous_means, heterogeneous_means.STEPS),
    _part(training_time, training_time.STEPS),
    _part(experiments, experiments.STEPS),
    _part(convexity, convexity.FACTS),
    _part(sharp_convexity, sharp_convexity.FACTS),
    _part(sharp_lemma1, sharp_lemma1.STEPS),
    _part(sharp_long, sharp_long.STEPS),
    _part(sharp_svrg, sharp_svrg.STEPS),
    _part(sharp_theorem1, sharp_theorem1.STEPS),
    _part(sharp_dominates, sharp_dominates.STEPS),
    _part(sharp_dominates_theorem1, sharp_dominates_theorem1.STEPS),
)
STEPS = tuple(step for _, steps in PARTS for step in steps)
