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


def test_a_saved_run_lacks_the_sizes_of_its_devices() -> None:
    """A record of FedProx is held against Theorem 1, which it has too little for; that is said."""
    history = fp.run("fedprox", "quadratic", rounds=2, stepsize="1/8", tau=2)
    (row,) = fp.validate(history=history.to_dict()).results

    assert (row.id, row.verdict) == ("fedprox.theorem1.explicit", "not applicable")
    assert "equally many samples" in row.detail


def test_both_parts_of_the_rate_are_equal_at_i_cubed() -> None:
    """T = 1000 = I^3: the bound is (6 + 34/9) / 100."""
    found: Any = answer(QUESTIONS[0])

    assert found.bound == pytest.approx((6 + 34 / 9) / 100)
