"""Results of other texts are cited: neither proved nor refuted, whatever they say."""

from __future__ import annotations

import pytest
import sympy as sp

from fedproof.proof.certify.citing import Taken
from fedproof.proof.decide import decide
from fedproof.proof.kernel.trees import Rejected
from fedproof.proof.rules import cite
from fedproof.proof.step import Given, Step
from tests.proof.logic import Eq, numbers

(x,) = numbers("x,")


@pytest.mark.parametrize("claim", [x**2 >= -1, x**2 <= -1, Eq(x, x + 1)], ids=str)
def test_a_citation_is_cited(claim: object) -> None:
    """True or false, a cited result is only cited; no engine takes part and nothing is asked."""
    step = Step(claim, rule="cite", note="Theorem 1 of [1]")
    decision = decide(step)

    assert (decision.verdict, decision.engines, decision.questions) == ("cited", (), ())
    assert decision.detail == "Theorem 1 of [1]"
    assert list(cite.reductions(step)) == list(cite.instances(step)) == []


def test_what_rests_on_a_citation_says_so() -> None:
    """A step proved from a cited one lists it."""
    known = Step(x**2 >= x, id="known", rule="cite")
    decision = decide(Step(2 * x**2 >= 2 * x, (known.at(),)))

    assert decision.verdict == "proved"
    assert decision.step.uses == ("known",)


def test_what_is_cited_keeps_what_says_that_an_argument_is_defined() -> None:
    """That 0 <= n is cited where x = F(sum of n ones); with F = 3 that says x = 3, and nothing of n."""
    n, t, i = sp.symbols("n t i", integer=True)
    taken = sp.Function("F", real=True)
    long = taken(sp.Sum(1, (i, 1, n)))
    known = Step(sp.Ge(n, 0), (Given(sp.Eq(x, long, evaluate=False)),), "known", rule="cite", note="[1]")

    decision = decide(Step(sp.Ge(n, 0), (Given(sp.Eq(x, 3)), known.at({taken(t): sp.Integer(3)})), "here"))

    assert decision.verdict == "open"
    assert "is defined is lost" in decision.detail


def test_what_a_step_that_cites_needs_keeps_it_too() -> None:
    """Where the step is used with a map for the name of a function."""
    need = ("=", "x", ("of", "f", ("sum", "i", "1", "n", "u")))
    taken = Taken("known", ("<=", "0", "n"), (need,))

    assert taken.at({"f": ("map", ("w",), ("n2", "w"))}).needs[0][2][0] == "n2"
    with pytest.raises(Rejected, match="is defined is lost"):
        taken.at({"f": ("map", ("w",), "3")})
