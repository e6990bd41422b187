"""Formulas that a minimiser is granted by are used only where there is one."""

from __future__ import annotations

from typing import Any

import pytest

from fedproof.proof.certificates import stored

#: the formula, the constant that is positive where there is a minimiser, and what may say so
GRANTED = {
    "fedproxvr.definition.solution.least": (["<", "0", "mt"],),
    "composite.definition.minimiser": (["<", "0", "mu_sc"], ["<=", "mu", "mu_sc"]),
}


def resting(id: str) -> dict[str, list[Any]]:
    """The relations of every certificate and closing that goes by a formula, by its step."""
    found: dict[str, list[Any]] = {}
    for step, row in stored(id.partition(".")[0]).items():
        for given in (row.get("given", []), row.get("closing", {}).get("given", [])):
            if any(g["from"].get("id") == id for g in given):
                found[step] = [g["is"] for g in given]
    return found


@pytest.mark.parametrize("id", GRANTED)
def test_a_minimiser_is_granted_only_to_strongly_convex_functions(id: str) -> None:
    """What rests on it has among its hypotheses that the constant of strong convexity is positive."""
    rows = resting(id)

    assert rows
    for given in rows.values():
        assert any(sign in given for sign in GRANTED[id])
        assert ["<=", "mu", "mu_sc"] not in given or ["<", "0", "mu"] in given
