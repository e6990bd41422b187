"""FLECS-CGD, Fig. 1: objective and squared gradient by communicated bits, FLECS against FLECS-CGD."""

from __future__ import annotations

from fedproof.papers.flecs.figures._comparison import caption, compute, draw, spec

__all__ = ["SPEC", "caption", "compute", "draw"]

SPEC = spec(1, "digits", "gisette and real-sim", "Section 5")
