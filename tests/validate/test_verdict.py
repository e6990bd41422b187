"""From findings to words: correction, repetition, and what never counts as green."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fedproof.validate.verdict import BoundComparison, Validation, assign_verdicts, slack_of

BASE = BoundComparison("key.claim", "loss", "<=", 1.0, 2.0, "toy", "one", seeds=40)


OBEYED, BROKEN = replace(BASE, p_obeyed=1e-9), replace(BASE, p_violated=1e-9)
OUTSIDE, WEAK = replace(BASE, p_violated=0.0, p_obeyed=0.0, applies=False), replace(BASE, p_violated=2e-5)
LOWER = replace(BASE, relation=">=", measured=3.0)
Findings = tuple[BoundComparison, ...]


@pytest.mark.parametrize(("findings", "fresh", "words"), [
    ((OBEYED, BROKEN, BASE, OUTSIDE), (), ["consistent", "violated", "inconclusive", "not applicable"]),
    # a violation that is not seen again on fresh seeds is inconclusive, and never consistent
    ((replace(BROKEN, p_obeyed=0.0),), (replace(BASE, p_violated=0.5, p_obeyed=0.0),), ["inconclusive"]),
    # a p-value that would do alone does not among twenty comparisons; rows outside their hypotheses are none
    ((WEAK,), (), ["violated"]),
    ((WEAK, *[BASE] * 19), (), ["inconclusive"] * 20),
    ((WEAK, *[replace(BASE, applies=False)] * 19), (), ["violated", *["not applicable"] * 19]),
    # exact expectations below, above, equal to and within rounding of the bound; the other way for "at least"
    ((BASE.decided(), replace(BASE, measured=3.0).decided()), (), ["consistent", "violated"]),
    ((replace(BASE, measured=2.0).decided(),), (), ["consistent"]),
    ((replace(BASE, measured=2 * (1 - 1e-12)).decided(1e-9),), (), ["inconclusive"]),
    ((LOWER.decided(), replace(LOWER, measured=1.0).decided()), (), ["consistent", "violated"]),
])  # fmt: skip
def test_words(findings: Findings, fresh: Findings, words: list[str]) -> None:
    """Small p-values decide either way, corrected over the report and repeated; none decides nothing."""
    assert [v.verdict for v in assign_verdicts(findings, lambda: fresh or findings)] == words


def test_fresh_seeds_are_asked_for_only_when_needed() -> None:
    """Nothing is repeated while nothing looks violated."""

    def again() -> tuple[BoundComparison, ...]:
        raise AssertionError("not needed")

    assert assign_verdicts((OBEYED,), again)[0].verdict == "consistent"


def test_other_findings_the_second_time_are_an_error() -> None:
    """A repetition that does not make the same findings is refused."""
    with pytest.raises(RuntimeError):
        assign_verdicts((BROKEN,), lambda: (replace(BASE, id="key.other"),))


def test_slack() -> None:
    """It is bound / measured, or the reverse; none where the measured value is 0, negative or none."""
    assert (slack_of(BASE), slack_of(LOWER)) == (2.0, 1.5)
    assert [slack_of(replace(BASE, measured=m)) for m in (0.0, -1.0, None)] == [None, None, None]


def test_only_violations_are_unexpected() -> None:
    """A validation lists violations as unexpected and counts every word."""
    found = Validation(assign_verdicts((BROKEN, BASE, OBEYED), lambda: (BROKEN, BASE, BASE)))

    assert [v.verdict for v in found.unexpected] == ["violated"]
    assert found.headline() == "1 consistent, 1 violated, 1 inconclusive"
    assert set(found.to_dict()["results"][0]) >= {
        "id", "verdict", "measured", "bound", "slack", "seeds", "confidence", "problem", "detail",
    }  # fmt: skip
    assert list(found.frame["verdict"]) == ["violated", "inconclusive", "consistent"]


def test_known_refutations() -> None:
    """An exact violation of a refuted claim is not repeated and not unexpected; that of another claim is.

    Kept or undecided it is unexpected, for something changed; a sampled one is repeated though known.
    """
    known = BoundComparison("a", "loss", "<=", 2.0, 1.0, "toy", "words", refuted=True)
    kept, sampled = replace(known, bound=3.0), replace(BROKEN, refuted=True)
    calls: list[int] = []

    def judged(finding: BoundComparison, fresh: BoundComparison) -> tuple[str, bool, int]:
        calls.clear()
        found = Validation(assign_verdicts((finding,), lambda: calls.append(1) or (fresh,)))  # type: ignore[func-returns-value]
        return found.results[0].verdict, bool(found.unexpected), len(calls)

    assert judged(known.decided(), known.decided()) == ("violated", False, 0)
    new = replace(known, refuted=False).decided()
    assert judged(new, new) == ("violated", True, 1)
    assert judged(kept.decided(), kept) == ("consistent", True, 0)
    assert judged(kept, kept) == ("inconclusive", True, 0)
    assert judged(sampled, replace(sampled, p_violated=0.5)) == ("inconclusive", True, 1)
