"""What every check in practice keeps: it speaks of what there is, and can fail."""

from __future__ import annotations

from fedproof.bounds import catalog
from fedproof.validate.statistics import LEVEL
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget
from fedproof.vocabulary.papers import papers
from tests.conformance.parts import Part

#: no metric comes so near to its bound that a bound of a hundred-millionth is kept
PLANTED = SamplingBudget(seeds=40, tighten=10**8)
ROUNDING = 1e-12


def test_it_speaks_of_what_there_is(check: Part) -> None:
    """Of statements or steps of its paper, with a title for progress and report."""
    found: EmpiricalCheck = check.load()
    known = {*catalog.statement_ids(), *(id for key in papers() for id in catalog.parts(key))}

    assert found.ids
    assert set(found.ids) <= known
    assert found.title


def passes(row: BoundComparison) -> bool:
    """Whether a planted bound is called kept; few runs may leave it undecided, exact numbers may not.

    A metric that is 0 to rounding beside the true bound has nothing that could exceed any.
    """
    if not row.applies or row.measured is None or row.bound is None:
        return False
    if abs(row.measured) <= ROUNDING * abs(row.bound) * PLANTED.tighten:
        return False
    return row.p_obeyed <= LEVEL or (row.seeds is None and row.p_violated > LEVEL)


def test_a_falsehood_planted_in_it_is_caught(planted_check: Part) -> None:
    """With every bound made a hundred million times as tight nothing is kept, and something is violated."""
    check: EmpiricalCheck = planted_check.load()
    rows = check.find(PLANTED)

    assert {row.id for row in rows} <= set(check.ids)
    assert [row.detail for row in rows if passes(row)] == []
    assert any(row.p_violated <= LEVEL for row in rows)
