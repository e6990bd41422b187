"""A paper declares each letter once, and may bring quantities and metrics of its own."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from fedproof.bounds.claims import Bound
from fedproof.bounds.letter import Notation
from fedproof.papers.composite import index
from fedproof.papers.composite.notation import L
from fedproof.vocabulary.errors import InputError, UnknownName
from fedproof.vocabulary.interval import POSITIVE
from fedproof.vocabulary.metrics import Metric
from fedproof.vocabulary.quantities import Quantity, quantity


def test_a_letter_is_declared_once_with_a_known_quantity() -> None:
    """A second declaration and a misspelt quantity are errors of one line, the nearest name among it."""
    notation = Notation()
    eta = notation.symbol("eta", "stepsize", r"\eta")

    assert [x.latex for x in notation.letters()] == [r"\eta"]
    assert notation.letters(eta) == (notation.letter(eta),)
    with pytest.raises(InputError, match="declared once"):
        notation.symbol("eta", "rounds")
    with pytest.raises(UnknownName, match="did you mean smoothness"):
        notation.symbol("L", "smothness")
    with pytest.raises(UnknownName, match="did you mean objective_gap"):
        Bound("objectve_gap", L)


def test_a_paper_brings_quantities_and_metrics(monkeypatch: pytest.MonkeyPatch) -> None:
    """What an index points to as QUANTITIES and METRICS is known; a known name cannot change its meaning."""
    own = ModuleType("fedproof.papers.composite.own")
    own.QUANTITIES = (Quantity("momentum", "weight of the past", "1", POSITIVE),)  # type: ignore[attr-defined]
    own.METRICS = (Metric("lag", "how far behind", "l", "every round"),)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, own.__name__, own)
    monkeypatch.setattr(index, "QUANTITIES", "own:QUANTITIES", raising=False)
    monkeypatch.setattr(index, "METRICS", "own:METRICS", raising=False)

    assert Notation().symbol("beta", "momentum").name == "beta"
    assert Bound("lag", L).latex(str) == r"l \le L"
    changed = Quantity("rounds", "something else", "1", POSITIVE)
    monkeypatch.setattr(own, "QUANTITIES", (changed,))
    with pytest.raises(InputError, match="no other meaning"):
        quantity("momentum")
