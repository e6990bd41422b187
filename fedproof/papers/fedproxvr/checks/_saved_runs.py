"""Logs of FedProxVR against Theorem 1, with Lemma 1 put in and as it stands, and the descent of a round."""

from __future__ import annotations

from fractions import Fraction

from fedproof.validate.logs.along import Along
from fedproof.validate.logs.limits import Limit
from fedproof.validate.logs.saved_runs import EVERYONE, SavedRuns


def _inverse_stepsize(stepsize: Fraction, smoothness: Fraction) -> Fraction:
    """beta, where eta = 1 / (beta L)."""
    return 1 / (stepsize * smoothness)


SAVED_RUNS = SavedRuns(
    algorithm="fedproxvr",
    statements={
        "sarah": tuple(f"fedproxvr.certified.sarah{form}" for form in ("", ".sharpened", ".along")),
        "svrg": tuple(f"fedproxvr.certified.svrg{form}" for form in ("", ".sharpened", ".along")),
        "": (
            "fedproxvr.theorem1", "fedproxvr.theorem1.sharpened", "fedproxvr.corollary1",
            "fedproxvr.corollary1.sharpened", "fedproxvr.section3.heterogeneous.theorem1",
            "fedproxvr.section3.heterogeneous.theorem1.repaired", "fedproxvr.eq87",
            "fedproxvr.eq87.sharpened", "fedproxvr.lemma3", "fedproxvr.theorem1.along",
            "fedproxvr.theorem1.along.sharpened",
        ),
    },
    takes_part=EVERYONE,
    parameter="estimator",
    others=True,
    speaks_of="FedProxVR with SARAH or SVRG",
    printed={
        "batch_size": 1, "first_step": "full", "returned": "random", "counted": "stochastic",
        "sampler": "uniform",
    },
    along={
        "dissimilarity": Along("dissimilarity", "before", "the models that rounds start from, as in (5)"),
        "inexactness": Along("inexactness", "after", "the clients' models, of all clients"),
    },
    limits=(
        Limit(
            "dissimilarity", ("dissimilarity",), "fedproxvr.assumption1.dissimilarity", rounds="before"
        ),
    ),
    derived={"inverse_stepsize": (("stepsize", "smoothness_sample"), _inverse_stepsize)},
)  # fmt: skip
