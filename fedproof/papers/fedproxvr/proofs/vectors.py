"""Vectors, sequences and numbers that the proofs speak of, and how the paper prints them."""

from fedproof.papers.fedproxvr.assumptions import SMOOTH, WEAKLY_CONVEX
from fedproof.papers.fedproxvr.notation import *
from fedproof.proof.prelude import *


def smooth(*relations: sp.Basic | ForAll) -> tuple[Any, ...]:
    """Consequences of (3) that are assumed."""
    return assume(SMOOTH.id, *relations)


def weakly_convex(*relations: sp.Basic | ForAll) -> tuple[Any, ...]:
    """Consequences of (4) that are assumed."""
    return assume(WEAKLY_CONVEX.id, *relations)
