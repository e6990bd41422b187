"""Steps of the paper's proofs, in the order of its equations."""

from __future__ import annotations

from fedproof.bounds.step import Step

__all__ = ["PARTS", "STEPS"]

PARTS: tuple[tuple[str, tuple[Step, ...]], ...] = ()
STEPS: tuple[Step, ...] = tuple(step for _, steps in PARTS for step in steps)
