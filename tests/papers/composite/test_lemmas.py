"""Lemmas A.1 and A.2 of composite in one round, and what noise does where F is constant."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from fedproof.papers.composite.checks import constant, lemmas
from fedproof.papers.composite.checks._metrics import exchangeable, one_round
from fedproof.solvers.algorithms.fedcomposite import FedComposite
from fedproof.validate.verdict import SamplingBudget, Validation, assign_verdicts
from tests.papers.verdicts import PLAIN, words

SEEN: dict[Any, Any] = {}
"""Rounds of Algorithm 1 that these tests share."""
LONG = SamplingBudget(change=lambda method: replace(method, stepsize=10 * method.stepsize))
"""Steps ten times as long."""
BARE = SamplingBudget(change=lambda method: replace(method, correction="none"))
"""A correction that is never renewed."""


def test_states_have_zero_mean_corrections_and_reach_the_lemmas_edge() -> None:
    """(17) in every state; L eta tau = 223/1000 lies within 1/sqrt(20) = 0.22360...; corrections differ."""
    edge = lemmas.states(lemmas.REACHES[""])

    assert all(not case.applied_corrections.sum() for case in edge)
    assert {case.method.stepsize * case.method.local_steps for case in edge} == {Fraction(223, 1000)}
    assert Fraction(223, 1000) ** 2 * 20 < 1 < Fraction(224, 1000) ** 2 * 20
    assert sum(bool(case.applied_corrections.any()) for case in edge) > 20


@pytest.mark.parametrize("id", lemmas.IDS)
def test_a_lemma_holds_at_its_states_and_a_twentieth_of_it_does_not(id: str) -> None:
    """It speaks of the states chosen for it, and of none with steps longer by a hundredth."""
    reach = lemmas.REACHES["short" if ".short" in id else ""]
    within = lemmas.compared(id, PLAIN, seen=SEEN)
    beyond = lemmas.compared(id, PLAIN, reach * Fraction(101, 100), SEEN)
    twentieth = lemmas.compared(id, SamplingBudget(tighten=20), seen=SEEN)

    assert within == lemmas.compared(id, PLAIN, reach, SEEN)
    assert words(within, beyond, twentieth) == ["consistent", "not applicable", "violated"]
    assert (within.p_obeyed, beyond.measured) == (0, None)


def test_states_beyond_a_lemma_hide_none_within(monkeypatch: pytest.MonkeyPatch) -> None:
    """The worst is looked for among the states of which the lemma speaks, wherever the others stand."""
    inside, outside = lemmas.states(Fraction(1, 8))[:12], lemmas.states(Fraction(2))[:12]
    id, bare = "composite.lemmaA1.short.sharpened", LONG
    found = []
    for chosen in (inside, (*outside, *inside)):
        monkeypatch.setattr(lemmas, "states", lambda reach, chosen=chosen: chosen)
        found.append(lemmas.compared(id, bare))

    assert found[0] == found[1]
    assert words(found[1]) == ["violated"]


def test_another_algorithm_is_violated() -> None:
    """Steps ten times as long under the lemma's step size, and a correction that is never renewed."""
    assert words(lemmas.compared("composite.lemmaA1", LONG)) == ["violated"]
    assert words(lemmas.compared("composite.lemmaA2.short.sharpened", BARE)) == ["violated"]


def report(change: Any = lambda method: method) -> Validation:
    """The rows of (46) and Theorem 3.6 where F is constant."""
    findings = constant.find(SamplingBudget(change=change))
    return Validation(assign_verdicts(findings, lambda: findings))


def test_noise_where_f_is_constant_by_hand() -> None:
    """(n - 1)/n eta~ sigma^2 / eta_g^2 = 17/18 4/9 /10, against 6 eta~ / 18 = 1/30: no surprise."""
    small, rows = 56 * Fraction(1, 10) ** 5 * Fraction(4, 9), report()
    false = [v for v in rows.results if v.verdict == "violated"]
    kept, outside = "consistent", "not applicable"

    assert constant.after(constant.ROUND, Om0=0, G2=0, L=1, n=18, tau=1, b=1, sigma2=1, B_g="1/10",
                          eta_g="3/2", eta_t="1/10") == Fraction(1, 30) + small  # fmt: skip
    assert rows.results[2].bound == 1
    assert [v.verdict for v in rows.results] == ["violated", "consistent", *[kept, outside] * 2]
    assert [v.id for v in false] == ["composite.eq46"]
    assert all(v.refuted and v.measured == 17 / 405 for v in false)
    assert not rows.unexpected


def test_the_theorem_is_read_with_mu_at_most_l() -> None:
    """Above L, which only a constant F admits, nothing is decided; at mu = L a false bound is seen."""
    outside = [constant.constant(id, Fraction(30), SamplingBudget(tighten=30)) for id in constant.IDS]
    within = [constant.constant(id, Fraction(1), SamplingBudget(tighten=30)) for id in constant.IDS]

    assert not any(row.applies for row in outside)
    assert all("above L" in row.detail for row in outside)
    assert words(*within) == ["violated", "violated"]


@pytest.mark.parametrize(("n", "server"), [(18, Fraction(3, 2)), (5, Fraction(3)), (18, Fraction(17, 4))])
def test_the_known_number_is_the_steps_own(n: int, server: Fraction) -> None:
    """What the instance's step says is what every outcome gives; eta_g = sqrt(18) rounded up keeps (46)."""
    method = FedComposite(1 / (10 * server), 1, server, 1)
    case = replace(constant.experiment(n), method=method)
    known = constant.after(constant.KNOWN, **case.numbers, eta_t=Fraction(1, 10))

    assert constant.potential(case, method) == known == Fraction(n - 1, 10 * n) / server**2
    assert (known > Fraction(6, 10 * n)) == (server**2 < n * (n - 1) / (6 * n))


def test_outcomes_of_clients_alike_stand_for_all() -> None:
    """Five clients: 6 weighted outcomes give what all 32 give."""
    case = constant.experiment(5)
    draws, shares = exchangeable(5)

    assert shares.sum() == 1
    assert one_round(case, case.method, draws=draws, shares=shares) == one_round(case, case.method)


@pytest.mark.parametrize(
    "change",
    [
        lambda m: replace(m, server_stepsize=m.server_stepsize / 2),
        lambda m: replace(m, stepsize=2 * m.stepsize),
        BARE.change,
    ],
    ids=["half the server's step", "twice the step", "no correction"],
)
def test_another_number_than_the_known_one_is_a_surprise(change: Any) -> None:
    """A planted method neither passes for the known refutation nor goes unseen where it keeps the claim.

    Without corrections Omega is F - F*, which is 0 there: they are what breaks (46).
    """
    rows = report(change)

    assert {v.id for v in rows.unexpected if v.id != constant.REPAIRED} == {"composite.eq46"}
    assert (rows.results[0].verdict == "consistent") == (change is BARE.change)
