"""Vectors, sequences and numbers that the proofs speak of, and how the paper prints them."""

from __future__ import annotations

from typing import Any

import sympy as sp

from fedproof.papers.fedproxvr.assumptions import SMOOTH, WEAKLY_CONVEX
from fedproof.proof.notation import step_writer
from fedproof.proof.prelude import *

KEY = "fedproxvr"
by = step_writer("fedproxvr", __name__)


def smooth(*relations: sp.Basic | ForAll) -> tuple[Any, ...]:
    """Consequences of (3) that are assumed."""
    return assume(SMOOTH.id, *relations)


def weakly_convex(*relations: sp.Basic | ForAll) -> tuple[Any, ...]:
    """Consequences of (4) that are assumed."""
    return assume(WEAKLY_CONVEX.id, *relations)
