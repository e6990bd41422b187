"""Steps whose certificates were found once are found again, with nothing but the steps that they use."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp

from fedproof.bounds import catalog
from fedproof.proof.certificates import Proved, shipped
from fedproof.proof.certify.live import searched
from fedproof.proof.obligations import used
from fedproof.proof.step import Applied, Step


def the(id: str) -> Step:
    """A step of a paper."""
    return next(s for s in catalog.steps(id.partition(".")[0]) if s.id == id)


def found(step: Step) -> bool:
    """Whether a search finds its certificate from those of the steps that it uses."""
    proofs = (shipped(u) for u in used(step))
    known = {p.step.id: p for p in proofs if p is not None}

    return isinstance(searched(step, known, 15.0), Proved)


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
    assert found(the(id))


@pytest.mark.parametrize("id", ["composite.exact.level.end", "flecs.eq14"])
def test_multipliers_that_do_not_serve_are_no_obstacle(id: str) -> None:
    """Of steps that are used, between numbers and of functions: the search goes on without them."""
    step = the(id)
    given = (replace(h, weight=-sp.Integer(5)) if isinstance(h, Applied) else h for h in step.given)

    assert found(replace(step, given=tuple(given)))
