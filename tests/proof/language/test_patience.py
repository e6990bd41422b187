"""A way within a search that is cut short by its own share is tried again with more of what is left."""

from __future__ import annotations

import pytest

import fedproof as fp
from fedproof.bounds.catalog import steps
from fedproof.proof.certificates import Proved
from fedproof.proof.certify import live
from tests.structure.code import ROOT
from tests.structure.following import forgotten


@pytest.mark.parametrize(("shares", "found"), [((0.0,), False), ((0.0, 1.0), True)])
def test_a_slow_machine_finds_what_a_fast_one_does(
    shares: tuple[float, ...], found: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With no share at all, as on the slowest machine, it is not found; with a second round it is."""
    monkeypatch.setattr(live, "PATIENCE", shares)
    with forgotten():
        key = fp.use(ROOT / "docs" / "examples" / "local_sgd.py")
        flat = next(s for s in steps(key) if s.id.endswith("lemma31.flat"))
        assert isinstance(live.proof(flat, 20.0), Proved) is found
