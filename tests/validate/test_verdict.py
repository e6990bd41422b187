"""From findings to words: correction, repetition, and what never counts as green."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fedproof.validate.verdict import BoundComparison, Validation, assign_verdicts, slack_of

BASE = BoundComparison("key.claim", "loss", "<=", 1.0, 2.0, "toy", "one", seeds=40)


def words(*findings: BoundComparison, fresh: tuple[BoundComparison, ...] | None = None) -> list[str]:
    """The verdicts of findings, repeated as `fresh`."""
    return [v.verdict for v in assign_verdicts(findings, lambda: fresh or findings)]


def test_each_word() -> None:
    """Small p-values decide either way; none decides nothing; outside the hypotheses nothing is decided."""
    obeyed = replace(BASE, p_obeyed=1e-9)
    broken = replace(BASE, p_violated=1e-9)
    outside = replace(BASE, p_violated=0.0, p_obeyed=0.0, applies=False)

    assert words(obeyed, broken, BASE, outside) == [
        "consistent",
        "violated",
        "inconclusive",
        "not applicable",
    ]


def test_violation_must_come_back_on_fresh_seeds() -> None:
    """A violation that is not seen again is inconclusive, and never consistent."""
    broken = replace(BASE, p_violated=1e-9, p_obeyed=0.0)

    assert words(broken, fresh=(replace(BASE, p_violated=0.5, p_obeyed=0.0),)) == ["inconclusive"]
    assert words(broken, fresh=(broken,)) == ["violated"]


def test_fresh_seeds_are_asked_for_only_when_needed() -> None:
    """Nothing is repeated while nothing looks violated."""

    def again() -> tuple[BoundComparison, ...]:
        raise AssertionError("not needed")

    assert assign_verdicts((replace(BASE, p_obeyed=0.0),), again)[0].verdict == "consistent"


def test_other_findings_the_second_time_are_an_error() -> None:
    """A repetition that does not make the same findings is refused."""
    with pytest.raises(RuntimeError):
        words(replace(BASE, p_violated=0.0), fresh=(replace(BASE, id="key.other"),))


def test_correction_runs_over_the_whole_report() -> None:
    """A p-value that would do alone does not among twenty comparisons."""
    weak = replace(BASE, p_violated=2e-5)

    assert words(weak) == ["violated"]
    assert words(weak, *[BASE] * 19)[0] == "inconclusive"


def test_not_applicable_rows_do_not_weaken_the_correction() -> None:
    """Rows outside their hypotheses are no comparisons."""
    outside = replace(BASE, applies=False)

    assert words(replace(BASE, p_violated=2e-5), *[outside] * 19)[0] == "violated"


def test_exact_expectations_are_compared_up_to_rounding() -> None:
    """An exact expectation below, above and within rounding of the bound: one word each."""
    below, above = BASE.decided(), replace(BASE, measured=3.0).decided()
    near = replace(BASE, measured=2 * (1 - 1e-12)).decided(1e-9)

    assert words(below, above, near) == ["consistent", "violated", "inconclusive"]


def test_exact_equality_keeps_a_claim() -> None:
    """Measured equal to the bound in exact arithmetic obeys "at most"."""
    assert words(replace(BASE, measured=2.0).decided()) == ["consistent"]


def test_lower_bounds_point_the_other_way() -> None:
    """For a claim "at least" the larger measured value is the good one, and the slack is measured / bound."""
    claim = replace(BASE, relation=">=", measured=3.0)

    assert words(claim.decided(), replace(claim, measured=1.0).decided()) == ["consistent", "violated"]
    assert slack_of(claim) == 1.5
    assert slack_of(BASE) == 2.0


def test_slack_without_meaning_is_none() -> None:
    """A measured value of 0, a negative one or none has no slack."""
    assert [slack_of(replace(BASE, measured=m)) for m in (0.0, -1.0, None)] == [None, None, None]


def test_only_violations_are_unexpected() -> None:
    """A validation lists violations as unexpected and counts every word."""
    rows = assign_verdicts((replace(BASE, p_violated=0.0), BASE, replace(BASE, p_obeyed=0.0)), lambda: (
        replace(BASE, p_violated=0.0), BASE, BASE))  # fmt: skip
    found = Validation(rows)

    assert [v.verdict for v in found.unexpected] == ["violated"]
    assert found.headline() == "1 consistent, 1 violated, 1 inconclusive"
    assert set(found.to_dict()["results"][0]) >= {
        "id", "verdict", "measured", "bound", "slack", "seeds", "confidence", "problem", "detail",
    }  # fmt: skip
    assert list(found.frame["verdict"]) == ["violated", "inconclusive", "consistent"]


def test_a_known_refutation_is_not_repeated_and_not_unexpected() -> None:
    """An exact violation of a refuted claim makes nothing run again; the same one not known does."""
    known = BoundComparison("a", "loss", "<=", 2.0, 1.0, "toy", "words", refuted=True).decided()
    calls: list[int] = []

    def again() -> tuple[BoundComparison, ...]:
        calls.append(1)
        return (known,)

    verdicts = assign_verdicts((known,), again)
    assert [v.verdict for v in verdicts] == ["violated"]
    assert not calls
    assert not Validation(verdicts).unexpected

    fresh = replace(known, refuted=False)
    assert Validation(assign_verdicts((fresh,), lambda: (fresh,))).unexpected


def test_a_known_refutation_that_is_kept_is_unexpected() -> None:
    """A printed claim known to be false that comes out true, or undecided, means that something changed."""
    kept = BoundComparison("a", "loss", "<=", 1.0, 2.0, "toy", "words", refuted=True)
    for finding in (kept.decided(), kept):
        found = Validation(assign_verdicts((finding,), lambda: (finding,)))  # noqa: B023

        assert found.results[0].verdict in ("consistent", "inconclusive")
        assert found.unexpected == found.results


def test_a_sampled_refutation_is_repeated_though_known() -> None:
    """Only what is exact needs no fresh seeds: a sampled violation that is not seen again is not one."""
    sampled = replace(BASE, p_violated=1e-9, refuted=True)
    calls: list[int] = []

    def again() -> tuple[BoundComparison, ...]:
        calls.append(1)
        return (replace(sampled, p_violated=0.5),)

    assert [v.verdict for v in assign_verdicts((sampled,), again)] == ["inconclusive"]
    assert calls == [1]
