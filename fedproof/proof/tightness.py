"""What a proved step needs of its hypotheses, and how much its inequality leaves unused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor
from typing import Any

import sympy as sp

from fedproof.algebra.exact_evaluation import evaluate_expression
from fedproof.proof.decide import decide
from fedproof.proof.forall import ordered, relation_text
from fedproof.proof.instance import at
from fedproof.proof.step import Applied, Step
from fedproof.proof.step_verdict import StepDecision, numbers
from fedproof.vocabulary.values import text_of

#: halvings of the interval in which the supremum of left/right lies
HALVINGS = 7
#: a supremum below this is as good as zero
LEAST = Fraction(1, 64)
#: more numbers than these are left to the document
MOST = 6
#: ratios that are reached are told to so many parts, rounded down
DIGITS = 10**6


@dataclass(frozen=True)
class HypothesisNeed:
    """Whether a step survives without one of its hypotheses.

    Arguments:
        place: of the hypothesis in `given`.
        hypothesis: in words.
        verdict: "needed" (it is refuted without), "not needed" (proved without) or "unknown".
        detail: both sides at the numbers that break it without.
    """

    place: int
    hypothesis: str
    verdict: str
    detail: str = ""


@dataclass(frozen=True)
class Slack:
    """Where the supremum of left/right over all that the hypotheses admit lies, for left <= right.

    Arguments:
        low: a ratio that is reached, or exceeded, at `point`.
        high: a ratio that is proved never to be exceeded.
        point: exact numbers near the supremum.
    """

    low: Fraction
    high: Fraction
    point: Mapping[str, Fraction]

    @property
    def tight(self) -> bool:
        """Whether both sides are equal somewhere."""
        return self.low >= 1

    def words(self, with_point: bool = True) -> str:
        """The slack in a sentence."""
        where = f" at {at(self.point)}" if self.shown and with_point else ""
        if self.tight:
            return f"tight: both sides are equal{where}" if where else "tight: both sides can be equal"
        low, high = floor(10**4 * self.low) / 10**4, ceil(10**4 * self.high) / 10**4
        reached = f"reaches {low:g} of it{where}" if self.low else "was not seen near it"
        return f"the smaller side never exceeds {high:g} of the larger and {reached}"

    @property
    def shown(self) -> bool:
        """Whether the point is short enough to be shown in a sentence."""
        return 0 < len(self.point) <= MOST


@dataclass(frozen=True)
class Tightness:
    """What was found about a proved step.

    Arguments:
        id: of the step.
        needs: one for each hypothesis.
        slack: None where it has no meaning.
        why: why there is no slack.
        numbers: the point of the slack in LaTeX.
    """

    id: str
    needs: tuple[HypothesisNeed, ...]
    slack: Slack | None
    why: str = ""
    numbers: tuple[tuple[str, str], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The `deep` key of the step's row."""
        s = self.slack
        return {
            "needs": [dict(vars(n)) for n in self.needs],
            "slack": None
            if s is None
            else {
                "low": text_of(s.low),
                "high": text_of(s.high),
                "tight": s.tight,
                "at": {k: text_of(v) for k, v in s.point.items()},
                "words": s.words(),
                "said": s.words(with_point=False),
                "numbers": self.numbers,
            },
            "why": self.why or None,
        }


def measure_tightness(decision: StepDecision) -> Tightness | None:
    """Drop each hypothesis of a proved step in turn, and enclose the supremum of left/right.

    Returns: None for a step that is not proved.

    >>> x = sp.Symbol("x", real=True)
    >>> found = measure_tightness(decide(Step(2 * x <= x**2 + 1, (x > 0,))))
    >>> found.needs[0].verdict, found.slack.words()
    ('not needed', 'tight: both sides are equal at x = 1')
    """
    if decision.verdict != "proved":
        return None
    step = replace(decision.step, witness=())
    needs = tuple(_need(step, i) for i in range(len(step.given)))
    slack = _slack(step)
    if not isinstance(slack, Slack):
        return Tightness(step.id, needs, None, slack)
    shown = numbers(step, slack.point)["given"] if slack.shown else []
    return Tightness(step.id, needs, slack, numbers=tuple((latex, value) for latex, value in shown))


def _tried(step: Step) -> StepDecision:
    """A step decided with little effort; open where it says nothing without what was dropped."""
    try:
        return decide(step, briefly=True)
    except (ArithmeticError, TypeError, ValueError) as error:
        return StepDecision(step, "open", (), str(error))


def _need(step: Step, place: int) -> HypothesisNeed:
    used = step.hypotheses[place]
    said = used.step.id if isinstance(used, Applied) else relation_text(used.relation)
    without = _tried(replace(step, given=(*step.given[:place], *step.given[place + 1 :])))
    verdict = {"proved": "not needed", "refuted": "needed"}.get(without.verdict, "unknown")
    return HypothesisNeed(place, said, verdict, without.detail if verdict == "needed" else "")


def _slack(step: Step) -> Slack | str:
    """The slack, or why there is none."""
    if not isinstance(step.claim, (sp.Le, sp.Lt, sp.Ge, sp.Gt)):
        return "an equation has no slack"
    small, large = ordered(step.claim)
    if step.rule in ("induction", "interval") or step.lets:
        return "not asked of a claim by induction, between constants or with named parts"
    if (small.is_number and large.is_number) or small == 0 or large == 0:
        return "a sign has no slack"
    if _tried(replace(step, claim=sp.Ge(large, 0, evaluate=False))).verdict != "proved":
        return "the larger side is not proved to be >= 0"
    positive = (*step.given, sp.Gt(large, 0, evaluate=False))
    equal = _tried(replace(step, claim=sp.Lt(small, large, evaluate=False), given=positive))
    if equal.verdict == "refuted" and equal.witness:
        return Slack(Fraction(1), Fraction(1), equal.witness)
    return _enclosed(replace(step, given=positive), small, large)


def _enclosed(step: Step, small: sp.Expr, large: sp.Expr) -> Slack:
    """Halve the interval: a ratio is either proved never to be exceeded, or exceeded at exact numbers."""
    low, high = Fraction(0), Fraction(1)
    point: Mapping[str, Fraction] = {}
    for _ in range(HALVINGS):
        if high <= LEAST:
            break
        middle = (low + high) / 2
        ratio = sp.Rational(middle.numerator, middle.denominator)
        scaled = sp.Le(small, sp.Mul(ratio, large, evaluate=False), evaluate=False)
        found = _tried(replace(step, claim=scaled))
        if found.verdict == "proved":
            high = middle
        elif found.verdict == "refuted" and found.witness:
            low, point = max(middle, _ratio(found, middle, high)), found.witness
        else:
            break
    return Slack(low, high, point)


def _ratio(decision: StepDecision, middle: Fraction, high: Fraction) -> Fraction:
    """left/right at the point that breaks a scaled claim, rounded down."""
    assert decision.broken is not None
    assert decision.witness is not None
    small, scaled = (evaluate_expression(side, decision.witness) for side in decision.broken.claim.args)
    if small is None or not scaled:
        return middle
    reached = Fraction(floor(DIGITS * float(middle) * small / scaled) - 1, DIGITS)
    return reached if middle < reached < high else middle
