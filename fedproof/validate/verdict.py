"""What a check finds, what it is then called, and why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from numbers import Rational
from typing import Any, Literal, get_args

from fedproof.solvers.runs.stored_runs import DONE_NOW, RunSource
from fedproof.validate.statistics import LEVEL, MeanTest, holm
from fedproof.vocabulary.result import Result, Table

VerdictName = Literal["consistent", "conditional", "violated", "inconclusive", "not applicable"]
Relation = Literal["<=", ">="]


def unchanged(algorithm: Any) -> Any:
    """The algorithm itself."""
    return algorithm


@dataclass(frozen=True, slots=True)
class SamplingBudget:
    """How hard a check tries; and, to see whether it can fail, which falsehood is planted in it.

    Arguments:
        seeds: independent runs; None leaves it to the check.
        salt: 0 at first; another one makes every draw anew, to repeat a violation on fresh seeds.
        tighten: upper bounds are divided by it, lower ones multiplied; 1 plants nothing.
        change: what runs in place of an algorithm.
        runs: where a check's runs come from that asks it for them; they are done unless it is said otherwise.
    """

    seeds: int | None = None
    salt: int = 0
    tighten: Any = 1
    change: Callable[[Any], Any] = unchanged
    runs: RunSource = DONE_NOW


@dataclass(frozen=True, slots=True)
class BoundComparison:
    """One comparison of a measured metric with a bound, before the correction over the report.

    Arguments:
        id: the statement or step it speaks of.
        metric: canonical name.
        relation: "<=" where the bound is above the metric, ">=" where it is below.
        measured, bound: the numbers compared, at the worst place found; None where there is none.
        problem: what was run, in words, with its range of rounds or clients.
        detail: one sentence made of the numbers.
        seeds: independent runs, None for an exact expectation.
        p_violated: p-value against the claim being true; 0 or 1 where the expectation is exact.
        p_obeyed: p-value against the claim being false.
        applies: whether the statement's conditions and assumptions hold.
        refuted: whether the claim is printed and known to be false here by exactly this number, so that a
            violation is no surprise and anything else is one.
        rests_on: what was taken on trust, a line each: numbers that a log gives, what no run shows.
        conditional: constants of all models that were measured at the runs' own models alone, a line each:
            what is kept then is kept on condition that they are no larger elsewhere, and what is not kept is
            no violation.
    """

    id: str
    metric: str
    relation: Relation
    measured: float | None
    bound: float | None
    problem: str
    detail: str
    seeds: int | None = None
    p_violated: float = 1.0
    p_obeyed: float = 1.0
    applies: bool = True
    refuted: bool = False
    rests_on: tuple[str, ...] = ()
    conditional: tuple[str, ...] = ()

    def tested(self, test: MeanTest) -> BoundComparison:
        """This finding with the p-values of a test of measured against bound."""
        up = self.relation == "<="
        violated, obeyed = (test.p_above, test.p_below) if up else (test.p_below, test.p_above)
        return replace(self, seeds=test.count, p_violated=violated, p_obeyed=obeyed)

    def decided(self, tolerance: float = 0.0) -> BoundComparison:
        """This finding with an exact expectation compared; within `tolerance` (relative) nothing is said.

        Fractions and whole numbers are compared exactly.
        """
        if self.measured is None or self.bound is None:
            return self
        sides = (self.bound, self.measured)
        kind: Any = Fraction if all(isinstance(side, Rational) for side in sides) else float
        bound, measured = map(kind, sides)
        gap = (bound - measured) * (1 if self.relation == "<=" else -1)
        room = kind(tolerance) * max(abs(bound), abs(measured))
        return replace(self, seeds=None, p_violated=float(not gap < -room), p_obeyed=float(not gap >= room))


@dataclass(frozen=True, slots=True)
class Verdict:
    """A finding with its word; `slack` is at least 1 where the claim is kept, and the looser the larger.

    `refuted` says that the claim is a printed one known to be false where it was looked at: a verdict other
    than "violated" is then as unexpected as a violation of anything else.
    """

    id: str
    verdict: VerdictName
    measured: float | None
    bound: float | None
    slack: float | None
    seeds: int | None
    confidence: float | None
    problem: str
    detail: str
    metric: str
    relation: Relation
    refuted: bool = False
    rests_on: tuple[str, ...] = ()
    conditional: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The row of the contract."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True)
class EmpiricalCheck:
    """A check in practice: what it speaks of and the function that makes the comparisons.

    Arguments:
        ids: of the statements or steps it has findings for.
        title: a few words for progress and report.
        find: from an effort to findings; everything random in it is drawn from fixed seeds and the salt.
    """

    ids: tuple[str, ...]
    title: str
    find: Callable[[SamplingBudget], tuple[BoundComparison, ...]]


def slack_of(finding: BoundComparison) -> float | None:
    """bound / measured for an upper bound, measured / bound for a lower one; None where it has no meaning."""
    if finding.measured is None or finding.bound is None:
        return None
    top, bottom = finding.bound, finding.measured
    if finding.relation == ">=":
        top, bottom = bottom, top
    return top / bottom if bottom > 0 else None


def assign_verdicts(
    findings: tuple[BoundComparison, ...], again: Callable[[], tuple[BoundComparison, ...]]
) -> tuple[Verdict, ...]:
    """Words for findings: Holm's correction over all of them, a violation repeated on fresh seeds.

    An exact violation of a claim known to be refuted needs no repetition. What is conditional on measured
    constants is neither consistent nor violated.

    They are corrected over everything, and leave the others' correction as it is without them.

    Arguments:
        findings: everything in the report.
        again: makes the same findings, in the same order, from fresh seeds; called if one looks violated.
    """
    violated = _corrected(findings, [f.p_violated for f in findings])
    obeyed = _corrected(findings, [f.p_obeyed for f in findings])
    beyond = [i for i, f in enumerate(findings) if f.applies and violated[i] <= LEVEL]
    suspects = [i for i in beyond if not findings[i].conditional]
    known = frozenset(i for i in suspects if findings[i].refuted and findings[i].seeds is None)
    asked = [i for i in suspects if i not in known]
    repeated = known | (_repeated(findings, asked, again) if asked else frozenset())
    verdicts = []
    for number, finding in enumerate(findings):
        word: VerdictName = "inconclusive"
        if not finding.applies:
            word = "not applicable"
        elif number in repeated:
            word = "violated"
        elif number not in beyond and obeyed[number] <= LEVEL and _keeps(finding):
            word = "conditional" if finding.conditional else "consistent"
        verdicts.append(_verdict(finding, word))
    return tuple(verdicts)


def _keeps(finding: BoundComparison) -> bool:
    """Whether the numbers that are shown are not beyond each other, whatever a test says of them."""
    if finding.measured is None or finding.bound is None:
        return True
    low, high = (finding.measured, finding.bound)[:: 1 if finding.relation == "<=" else -1]
    return low <= high


def _corrected(findings: tuple[BoundComparison, ...], values: list[float]) -> list[float]:
    """p-values after Holm's correction over what applies; what is conditional adds nothing to the others'."""
    found = [1.0] * len(findings)
    tested = [i for i, f in enumerate(findings) if f.applies]
    plain = [i for i in tested if not findings[i].conditional]
    for rows in (tested, plain):
        for i, p in zip(rows, holm([values[i] for i in rows]), strict=True):
            found[i] = p
    return found


def _repeated(
    findings: tuple[BoundComparison, ...],
    suspects: list[int],
    again: Callable[[], tuple[BoundComparison, ...]],
) -> frozenset[int]:
    """Which suspects are rejected a second time, on fresh seeds."""
    fresh = again()
    same = len(fresh) == len(findings) and all(a.id == b.id for a, b in zip(fresh, findings, strict=True))
    if not same:
        raise RuntimeError("a check made other findings the second time")
    adjusted = holm([fresh[i].p_violated for i in suspects])
    return frozenset(i for i, p in zip(suspects, adjusted, strict=True) if p <= LEVEL)


def _near_normal(seeds: int) -> str:
    """What Student's test takes for granted: what 3 runs in n do is in none of n runs with chance 1/20."""
    seen = f"what fewer than 1 run in {max(2, seeds // 3)} does may not be among them"
    return f"that the mean of {seeds} runs is near normal, as Student's test takes it: {seen}"


def _verdict(finding: BoundComparison, word: VerdictName) -> Verdict:
    exact = finding.seeds is None and (finding.p_violated == 0 or finding.p_obeyed == 0)
    confidence = None if word in ("not applicable", "inconclusive") else 1.0 if exact else 1 - LEVEL
    shared = {name: getattr(finding, name) for name in Verdict.__slots__ if hasattr(finding, name)}
    if word in ("consistent", "conditional", "violated") and not exact and finding.seeds:
        shared["rests_on"] = (*finding.rests_on, _near_normal(finding.seeds))
    return Verdict(verdict=word, slack=slack_of(finding), confidence=confidence, **shared)


@dataclass(frozen=True)
class Validation(Result):
    """Verdicts of checks in practice, one row each."""

    results: tuple[Verdict, ...]

    def to_dict(self) -> dict[str, Any]:
        """The contract's `validate` document."""
        return {"results": [v.to_dict() for v in self.results]}

    @property
    def unexpected(self) -> tuple[Verdict, ...]:
        """What should hold and was seen not to, and what is known refuted as printed and was not seen so."""
        return tuple(v for v in self.results if (v.verdict == "violated") != v.refuted)

    @property
    def frame(self) -> Any:
        """The rows as a pandas table."""
        import pandas as pd

        return pd.DataFrame([v.to_dict() for v in self.results])

    def headline(self) -> str:
        """How many of each verdict."""
        counts = [(sum(v.verdict == w for v in self.results), w) for w in get_args(VerdictName)]
        return ", ".join(f"{n} {w}" for n, w in counts if n) or "nothing was checked"

    def tables(self) -> tuple[Table, ...]:
        """Numbers, then the sentences."""
        columns = ("", "id", "verdict", "metric", "measured", "", "bound", "slack", "seeds")
        rows, words, trusted = [], [], []
        for number, v in enumerate(self.results, 1):
            seeds = v.seeds or ("exact" if v.confidence == 1 else None)
            metric = v.metric.replace("_", " ")
            rows.append((number, v.id, v.verdict, metric, v.measured, v.relation, v.bound, v.slack, seeds))
            words.append((number, v.problem, v.detail))
            trusted += [(number, said) for said in v.rests_on]
        tables = (
            Table("Theory against runs", columns, tuple(rows)),
            Table("In words", ("", "problem", "detail"), tuple(words)),
        )
        return (*tables, Table("Taken on trust", ("", "rests on"), tuple(trusted))) if trusted else tables
