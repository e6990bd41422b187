"""The paper's own parameter values against the paper's own conditions."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import sqrt

import pytest
import sympy as sp

from fedproof.bounds import catalog
from fedproof.bounds.claims import Bound
from fedproof.bounds.statement import Condition, PaperSetting, Statement
from fedproof.papers.composite.notation import L, R, eta, letters, tau
from fedproof.validate.settings import SettingVerdict, by_setting, judge_setting, judge_values
from fedproof.vocabulary.errors import InputError, UnknownName

SETTINGS = {s.where: s for s in catalog.settings("fedproxvr")}
VERDICTS = {(s.where, v.statement): v for s in SETTINGS.values() for v in judge_setting(s)}


def verdict(where: str, statement: str) -> SettingVerdict:
    """The verdict on one setting under one statement."""
    return VERDICTS[where, f"fedproxvr.{statement}"]


def test_every_setting_with_a_theory_is_decided() -> None:
    """Each stated (beta, tau, mu, estimator) is judged under Lemma 1 and under the chain."""
    assert len(VERDICTS) == 21
    assert all(v.admissible is not None for v in VERDICTS.values())
    assert all(bool(v.violates) != v.admissible for v in VERDICTS.values())


@pytest.mark.parametrize("where", [w for w in SETTINGS if "SVRG" in w and "mu = 0" not in w])
def test_svrg_settings_exceed_the_upper_bound(where: str) -> None:
    """With the friendliest a, (14) admits fewer local steps than stated: typed from the page."""
    values = dict(SETTINGS[where].parameters)
    beta, tau = float(values["beta"]), float(values["tau"])
    a = 4 * (sqrt(tau + 1) + sqrt(tau + 2)) ** 2

    assert tau > (5 * beta**2 - 4 * beta) / (8 * a) - 2
    assert verdict(where, "lemma1.svrg").violates == ("(14) upper",)


def test_sarah_beta_5_tau_10_cannot_meet_the_lower_bound() -> None:
    """At theta = 1, lam = 0 the bound is 1.5 (25 L/mu + mu/L) >= 15 > 10, by the two means."""
    least = Fraction(3, 2) * 2 * 5

    assert least > 10
    assert verdict("Fig. 2, smaller (SARAH)", "lemma1.sarah").admissible is False
    assert "(13) lower" in verdict("Fig. 2, smaller (SARAH)", "lemma1.sarah").violates


def test_sarah_beta_7_tau_20_fits_the_lemma_but_not_the_theorem() -> None:
    """(13) leaves theta^2 >= 10.5/20, while Theta > 0 needs theta^2 < 1/2."""
    assert verdict("Fig. 2, larger (SARAH)", "lemma1.sarah").admissible is True
    assert verdict("Fig. 2, larger (SARAH)", "certified.sarah").violates == ("Theta > 0",)


def test_mu_zero_is_outside_every_statement() -> None:
    """mu = 0 cannot exceed lam >= 0."""
    found = [v for (where, _), v in VERDICTS.items() if "mu = 0" in where]

    assert len(found) == 4
    assert all(v.violates == ("mu > lam",) for v in found)


def test_a_planted_admissible_setting_is_admissible() -> None:
    """Values taken from inside the range pass."""
    planted = replace(SETTINGS["Table 1, SARAH"], parameters=(("beta", "50"), ("tau", "1000"), ("mu", "20")))

    assert [v.admissible for v in judge_setting(planted)] == [True, True]


def test_the_admissible_settings_are_these() -> None:
    """Only Fig. 1, and two SARAH settings under Lemma 1 alone, can satisfy the conditions."""
    assert {(w, s) for (w, s), v in VERDICTS.items() if v.admissible} == {
        ("Fig. 1", "fedproxvr.problem23"),
        ("Fig. 2, larger (SARAH)", "fedproxvr.lemma1.sarah"),
        ("Table 2, SARAH", "fedproxvr.lemma1.sarah"),
    }
    assert isinstance(SETTINGS["Fig. 1"], PaperSetting)


def test_what_the_range_engine_refuses_stays_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no range can be told a setting is neither admissible nor not."""

    def refuse(*arguments: object, **options: object) -> None:
        raise InputError("range", "too much left out", "fewer symbols left out")

    monkeypatch.setattr("fedproof.validate.settings.admissible", refuse)
    verdicts = judge_setting(SETTINGS["Table 2, SARAH"])

    assert verdicts[0].admissible is None
    assert verdicts[0].violates == ()


def test_each_setting_counts_once() -> None:
    """Admissible where every printed statement admits it; a sharpened one does not decide."""
    rows = [
        {"paper": "key", "where": where, "admissible": said, "printed": printed}
        for where, said, printed in (
            ("a", True, True), ("a", True, True), ("b", True, True), ("b", False, True),
            ("c", False, True), ("c", True, False), ("d", True, True), ("d", None, True), ("e", True, False),
        )
    ]  # fmt: skip

    assert by_setting(rows) == [True, False, False, None, True]
    composite = [v.to_dict() for s in catalog.settings("composite") for v in judge_setting(s)]
    assert by_setting(composite) == [True] * 4 + [False] * 2
    assert by_setting(v.to_dict() for v in VERDICTS.values()) == [True] + [False] * 10


def test_a_setting_says_below_which_l_it_is_admissible() -> None:
    """(13): 1/(10 eta eta_g tau) = 1/600; nothing is said where L is stated or any L will do."""
    (first, *_) = catalog.settings("composite")
    told = replace(first, parameters=(*first.parameters, ("L", "1/1000")))

    assert "only with L <= 1/600, and the text does not say L" in judge_setting(first)[0].detail
    assert "only with" not in judge_setting(told)[0].detail
    assert "only with" not in verdict("Fig. 2, larger (SARAH)", "lemma1.sarah").detail


def test_minibatches_are_no_part_of_lemma_1() -> None:
    """Every row of SVRG and SARAH with a batch says so; FedAvg, and a setting without one, do not."""
    said = {where for where, s in SETTINGS.items() if s.beside}

    assert said == {w for w, s in SETTINGS.items() if s.statements and dict(s.extra).get("batch_size")}
    assert len(said) == 8
    assert all("Lemma 1 does not model" in SETTINGS[w].beside for w in said)


THEOREM = Statement(
    "composite.theorem",
    "a step below 1/L, so many steps",
    catalog.statement("composite.theorem3.5").source,
    letters=letters(),
    claim=Bound("squared_gradient", L),
    conditions=(
        Condition("least", tau * L >= sp.Rational(16, 5)),
        Condition("most", tau * L <= sp.Rational(19, 5)),
        Condition("step", eta * L <= 1),
    ),
)


def judged(*parameters: tuple[str, str]) -> SettingVerdict:
    """Values held against `THEOREM`."""
    return judge_values(PaperSetting("composite", "Table 1", parameters, ()), THEOREM)


def test_what_counts_takes_whole_values() -> None:
    """No whole tau lies in [3.2, 3.8]; at L = 1/2 it is in [6.4, 7.6], where 7 is."""
    assert judged(("L", "1")).violates == ("least", "most")
    assert judged(("L", "1")).detail == "no whole tau, eta satisfy least and most together"
    assert judged(("L", "1/2")).admissible is True
    assert judged(("eta", "1")).admissible is True


def test_stated_values_have_to_make_sense() -> None:
    """Half a step, and a step size below 0, satisfy no theorem, whatever its conditions say."""
    assert judged(("L", "1"), ("tau", "3.5"), ("eta", "1")).violates == ("whole tau",)
    found = judged(("L", "1/2"), ("tau", "7"), ("eta", "-5"))

    assert found.admissible is False
    assert (found.violates, found.detail) == (("domain of eta",), "eta = -5 is not a number > 0")


def test_a_setting_is_read_by_words_too_and_says_each_letter_once() -> None:
    """The word of a letter is that letter; a letter said twice, and a name that is none, are refused."""
    assert judged(("L", "1/2"), ("stepsize", "100")).violates == ("step",)
    assert judged(("L", "1/2"), ("tau", "7"), ("eta", "1")).detail == "every condition holds"
    assert judged(("L", "1"), ("tau", "7"), ("eta", "1")).detail == "fails most"
    for parameters in ((("L", "1"), ("L", "2")), (("eta", "1"), ("stepsize", "1"))):
        with pytest.raises(InputError, match="once"):
            judged(*parameters)
    with pytest.raises(UnknownName, match="Table 1"):
        judged(("learning_rate", "1"))


def test_an_empty_range_of_powers_with_a_base_below_one_proves_nothing() -> None:
    """2^R >= 3 and eta = 1 has R = 2, though the base is not below 1; what is not looked at is undecided."""
    power = replace(THEOREM, conditions=(Condition("rounds", (1 + eta) ** R >= 3),))
    setting = PaperSetting("composite", "Table 1", (), ())

    assert judge_values(setting, power).admissible is None
    assert judge_values(replace(setting, parameters=(("eta", "1"),)), power).admissible is True
