"""FLECS-CGD, Fig. 2: objective and squared gradient by communicated bits, FLECS against FLECS-CGD."""

from __future__ import annotations

from fedproof.papers.flecs.figures._comparison import caption, compute, draw, spec

__all__ = ["SPEC", "caption", "compute", "draw"]

SPEC = spec(2, "breast_cancer", "a9a", "Section 5 and App. B")
