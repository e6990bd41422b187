"""Steps whose certificates were found once are found again, with nothing but the steps that they use."""

from __future__ import annotations

import pytest

from fedproof.bounds import catalog
from fedproof.proof.certificates import Proved, shipped
from fedproof.proof.certify.live import searched
from fedproof.proof.obligations import used


@pytest.mark.parametrize(
    "id",
    [
        "composite.theorem3.5.sharpened.end",
        "fedproxvr.eq56a",
        "fedproxvr.eq58",
        "fedproxvr.eq60",
        "fedproxvr.eq76.repaired",
        "fedproxvr.heterogeneous.means.eq83",
        "fedproxvr.round_end.inner",
        "fedproxvr.sharp.theorem1",
    ],
)
def test_a_step_is_found_within_a_few_seconds(id: str) -> None:
    """Where terms cancel but for rounding or a line says 0 when it is cleared; where products are many."""
    step = next(s for s in catalog.steps(id.partition(".")[0]) if s.id == id)
    proofs = (shipped(u) for u in used(step))

    assert isinstance(searched(step, {p.step.id: p for p in proofs if p is not None}, 15.0), Proved)
