"""What the report asks about FedProx has the answers that its sentences tell."""

from __future__ import annotations

from typing import Any

import pytest

import fedproof as fp
from fedproof.papers.fedprox.report import QUESTIONS
from fedproof.report.questions import answer


@pytest.mark.parametrize("asked", QUESTIONS, ids=lambda q: f"{q.verb} {q.id}")
def test_each_has_an_answer(asked: Any) -> None:
    """Checks decide every condition and give a bound where they apply; ranges are not empty."""
    found: Any = answer(asked)

    if asked.verb == "range":
        assert not found.empty
    else:
        assert found.applicable == (found.bound is not None)
        assert found.applicable == ("not covered" not in asked.why)


def test_what_a_saved_run_lacks_is_said_by_name() -> None:
    """A record of FedProx has no constant of the gradients; Theorem 1 asks for another cohort too."""
    history = fp.run("fedprox", "quadratic", rounds=2, stepsize="1/8", tau=2)
    (row,) = fp.validate(history=history.to_dict()).results
    (first,) = fp.validate("fedprox.theorem1.explicit", history=history.to_dict()).results

    assert {row.verdict, first.verdict} == {"not applicable"}
    assert "no lipschitz_sample (G)" in row.detail
    assert "drawn uniformly with replacement" in first.detail


def test_both_parts_of_the_rate_are_equal_at_i_cubed() -> None:
    """T = 1000 = I^3: the bound is (6 + 34/9) / 100."""
    found: Any = answer(QUESTIONS[0])

    assert found.bound == pytest.approx((6 + 34 / 9) / 100)
