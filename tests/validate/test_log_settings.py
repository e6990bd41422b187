"""Records of settings that a theorem does not have are not applicable, where their twins are consistent."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import fedproof as fp
from fedproof.solvers.history import History
from fedproof.validate.verdict import Verdict

ALIKE = fp.Participation(average="plain")
DRAWN = fp.Participation(2, replacement=True, average="plain")
GIVEN = {"gradient_variance": 10, "gradient_dissimilarity": 10, "lyapunov_weight": 5, "mean_shift_error": 10}
SPECTRUM = {"inverse_hessian_floor": "1/2", "inverse_hessian_ceiling": 2}

#: a statement, how its algorithm is run, what stands beside the records, the twin's setting, and the other's
CASES: dict[str, tuple[str, dict[str, Any], dict[str, Any], dict[str, Any], dict[str, Any], str]] = {
    "all steps are counted": (
        "fedproxvr.certified.sarah",
        {"algorithm": "fedproxvr", "mu": 30, "beta": 40, "tau": 60},
        {}, {}, {"counted": "all"}, "with counted=stochastic, not of counted=all",
    ),
    "blocks of rows": (
        "fedproxvr.certified.sarah",
        {"algorithm": "fedproxvr", "mu": 30, "beta": 40, "tau": 60},
        {}, {}, {"sampler": "blocks"}, "with sampler=uniform, not of sampler=blocks",
    ),
    "samples without replacement": (
        "fedprox.theorem3.general.repaired",
        {"algorithm": "fedmspp", "mu": 1800, "batch_size": 2, "eps": "1e-9", "participation": DRAWN},
        {"gradient_dissimilarity": 900, "lipschitz_sample": 30},
        {}, {"sampler": "distinct"}, "with sampler=uniform, not of sampler=distinct",
    ),
    "a biased compressor": (
        "flecs.theorem5.repaired",
        {"algorithm": "diana", "stepsize": "1/50", "shift_stepsize": "1/10", "batch_size": 1, "kept": 4,
         "participation": ALIKE},
        {**GIVEN, "compression_variance": "1/4", "clients": 3},
        {"gradient_compressor": "rand_k"}, {"gradient_compressor": "top_k"},
        "asks that gradient_compressor is unbiased, which top_k is not",
    ),
    "samples of the gradient in A_k": (
        "flecs.theorem5.repaired",
        {"algorithm": "flecs_cgd", "stepsize": "1/100", "shift_stepsize": "1/10", "batch_size": 1,
         "trunc_lo": "1/2", "trunc_hi": 2, "participation": ALIKE},
        {**GIVEN, **SPECTRUM, "compression_variance": "1/8", "clients": 3},
        {}, {"hessian_samples": "shared"}, "with hessian_samples=own, not of hessian_samples=shared",
    ),
}  # fmt: skip


@cache
def records(**setting: Any) -> list[History]:
    """Thirty seeds of three rounds on three clients."""
    return [fp.run(problem="quadratic", clients=3, rounds=3, seed=s, **setting) for s in range(30)]


def judged(id: str, setting: dict[str, Any], beside: dict[str, Any]) -> Verdict:
    """The verdict on runs of a setting."""
    (row,) = fp.validate(id, history=records(**setting), header={"constants": beside}).results
    return row


@pytest.mark.parametrize("name", CASES)
def test_a_setting_that_the_theorem_does_not_have(name: str) -> None:
    """The theorem speaks of the setting as printed, whatever constants are given beside the other."""
    id, common, beside, twin, other, why = CASES[name]
    honest, row = judged(id, common | twin, beside), judged(id, common | other, beside)

    assert honest.verdict == "consistent", honest.detail
    assert (row.verdict, row.bound) == ("not applicable", None)
    assert why in row.detail


def test_a_biased_compressor_beside_its_problem() -> None:
    """What the data prove of omega is nothing there, and the header's word does not stand in for it."""
    id, common, beside, _, other, why = CASES["a biased compressor"]
    (row,) = fp.validate(
        id, history=records(**common, **other), header={"constants": beside}, problem="quadratic", clients=3
    ).results

    assert (row.verdict, row.bound) == ("not applicable", None)
    assert why in row.detail


@pytest.mark.parametrize("name", ["samples without replacement", "samples of the gradient in A_k"])
def test_full_batches_are_drawn_in_one_way(name: str) -> None:
    """How samples are drawn is no other setting where all are taken; with minibatches it is."""
    id, common, beside, twin, other, _ = CASES[name]
    full = common | {"batch_size": "full"}

    one, same = judged(id, full | twin, beside), judged(id, full | other, beside)

    # replicas that drew the same clients are one run where nothing else is drawn: there may be too few
    assert one.verdict == same.verdict in ("consistent", "inconclusive"), same.detail
    assert one.bound == same.bound is not None
