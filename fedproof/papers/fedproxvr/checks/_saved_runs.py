"""Saved runs of FedProxVR against Theorem 1 and Lemma 1 closed, `fedproxvr.certified.*`."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from fedproof.validate.history import Record, SavedRuns, exactly


def _letters(run: Record, known: Mapping[str, Fraction]) -> dict[str, Any]:
    """Delta = the first loss - the least one; beta from the step size and L."""
    parameters = run["parameters"]
    return {
        **{name: known[name] for name in ("L", "lam", "sigma2")},
        "Delta": max(exactly(run["metrics"]["loss"][0]) - known["least"], Fraction(0)),
        "mu": exactly(parameters["prox_weight"]),
        "beta": 1 / (exactly(parameters["stepsize"]) * known["L"]),
        "tau": parameters["local_steps"],
        "T": run["rounds"],
    }


SAVED_RUNS = SavedRuns(
    algorithm="fedproxvr",
    metric="squared_gradient",
    span="s = 1..T as printed",
    rounds=slice(1, None),
    statements={"sarah": "fedproxvr.certified.sarah", "svrg": "fedproxvr.certified.svrg"},
    parameter="estimator",
    others=True,
    speaks_of="the theorem speaks of FedProxVR with SARAH or SVRG",
    printed={"batch_size": 1, "first_step": "full", "returned": "random"},
    constants={
        "L": "smoothness_sample",
        "lam": "weak_convexity",
        "sigma2": "dissimilarity",
        "least": "least_loss",
    },
    letters=_letters,
)
