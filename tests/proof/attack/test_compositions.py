"""Steps used in steps at random: whatever comes out proved is true in every model that was tried."""

from __future__ import annotations

from time import process_time
from typing import Any

import pytest

from fedproof.proof.certify import citing
from tests.proof.attack import compositions
from tests.proof.attack.compositions import attack, composition

SHARE = range(1000, 1035)


def test_no_proved_composition_is_broken() -> None:
    """Random substitutions, names, reasons, ids, kinds, conditions and closings; a good share is proved."""
    count, wrong = attack(SHARE)

    assert wrong == []
    assert count["made"] > 0.8 * len(SHARE)
    assert count["proved"] > 0.2 * count["made"]
    assert count["with steps that it uses"] > 0.15 * count["made"]


@pytest.mark.parametrize("seed", [11652, 14136, 14688])
def test_what_was_broken_once_is_not_proved(seed: int) -> None:
    """A citation used at 2/c, by a step that is used, and at 1/2 where it is of whole numbers."""
    count, wrong = attack(range(seed, seed + 1))

    assert (count["made"], count["proved"], wrong) == (1, 0, [])


def test_a_search_among_long_factors_ends() -> None:
    """A gap whose factors have thousands of terms: no proof, within seconds where 0.06 s are given.

    It took all memory once, and twenty seconds when asked the second time, when nothing is imported.
    """
    for most in (60, 3):
        started = process_time()
        count, wrong = attack(range(13663, 13664))

        assert (count["made"], wrong) == (1, [])
        assert process_time() - started < most


def test_a_seed_makes_one_composition() -> None:
    """Whatever was made before."""
    one, other = composition(7), composition(7)

    assert one is not None
    assert other is not None
    assert one.step == other.step


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("unpaid", lambda found: compositions.ground_module.unpaid(found)[1:]),
        ("unpaid", lambda found: ()),
    ],
    ids=["one hypothesis is forgotten", "whatever is carried is forgotten"],
)
def test_the_attack_finds_what_is_wrong(name: str, wrong: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A verdict that forgets what its steps assume is broken by some model."""
    monkeypatch.setattr(compositions, name, wrong)

    assert any(attack(range(s, s + 10))[1] for s in range(1000, 1100, 10))


def test_the_attack_finds_citations_that_owe_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A result that is cited and need not hold where it is cited is broken by some model."""
    monkeypatch.setattr(citing, "owed", lambda step, use: iter(()))

    assert any(attack(range(s, s + 10))[1] for s in range(20090, 20300, 10))
