"""Saved runs of Algorithm 1 against Theorem 3.5: what a record lacks for its bound."""

from __future__ import annotations

from fedproof.validate.history import SavedRuns

SAVED_RUNS = SavedRuns(
    algorithm="fedcomposite",
    metric="squared_prox_gradient",
    span="r = 1..R as printed",
    rounds=slice(None, -1),
    statements={"": "composite.theorem3.5.sharpened"},
    lacks="a record does not hold how the clients' gradients differ at the start, which Omega^1 of (10) "
    "needs, nor how many clients of which sizes there were.",
)
