"""Saved runs of FedProx against Theorem 1: what a record lacks for its bound."""

from __future__ import annotations

from fedproof.validate.history import SavedRuns

SAVED_RUNS = SavedRuns(
    algorithm="fedprox",
    metric="squared_gradient",
    span="t = 0..T-1",
    rounds=slice(None, -1),
    statements={"": "fedprox.theorem1.explicit"},
    lacks="a record does not say whether all devices hold equally many samples, as the loss of the theorem, "
    "the plain mean over devices, asks for.",
)
