"""The search for problems that come nearest to composite's bounds, and what it found."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from fedproof.papers.composite.checks import _random_search as _search
from fedproof.papers.composite.checks import adversary
from fedproof.papers.composite.checks._family import RunExperiment
from fedproof.papers.composite.checks._metrics import one_round, runs_of
from fedproof.papers.composite.checks._problem_batch import measured
from fedproof.papers.composite.checks._random_search import ProblemFamily, drawn, made, ratios, search
from fedproof.papers.composite.checks._worst_instances import WORST
from fedproof.validate.empirical.regimes import enumerated, full
from fedproof.validate.empirical.theory import bounds, metric
from fedproof.validate.replicas import generator
from fedproof.validate.verdict import BoundComparison, SamplingBudget, assign_verdicts
from tests.papers.verdicts import PLAIN, words

SHARP = ProblemFamily(
    "composite.theorem3.5.sharpened", n=2, tau=3, server=Fraction(1), rounds=3, bounded=True
)
ANY = ProblemFamily(
    "composite.theorem3.5.any_server.sharpened", 2, 3, Fraction(1, 4), 3, Fraction(1, 40), bounded=True,
    corrected=True,
)  # fmt: skip
FAR = ProblemFamily("composite.theorem3.8.sharpened", 2, 2, Fraction(1), 4, Fraction(1, 20), least_mu=0.5)
PL = ProblemFamily("composite.theorem3.6.repaired", n=2, tau=2, rounds=4, corrected=True, least_mu=0.25)


def in_fractions(id: str, case: RunExperiment, rounds: int, tighten: int = 1) -> BoundComparison:
    """A problem of a search, every outcome of its run in fractions."""
    return enumerated(id, [(case, rounds)], runs_of(metric(id)), SamplingBudget(tighten=tighten))


def test_the_worst_instances_found_are_kept() -> None:
    """Every theorem, printed and amended, survives the worst that the search found for it."""
    rows = assign_verdicts(adversary.find(PLAIN), lambda: adversary.find(PLAIN))

    assert {v.id for v in rows} == set(adversary.IDS)
    assert [v.verdict for v in rows] == ["consistent"] * len(WORST)


@pytest.mark.parametrize(
    "kind",
    [
        SHARP,
        PL,
        replace(PL, id="composite.theorem3.5", corrected=True, least_mu=0),
        ANY,
        replace(ANY, id="composite.theorem3.6.any_server.sharpened", least_mu=0.25),
        FAR,
    ],
)
def test_a_batch_measures_what_fractions_do(kind: ProblemFamily) -> None:
    """Entries of a batch, taken out as instances, have the same ratio when run alone in fractions."""
    batch = made(kind, drawn(kind, 40, generator(1)))
    found = ratios(kind, batch, 1, 0)
    chosen = np.flatnonzero(found)[:6]

    assert len(chosen) == 6
    for number in chosen:
        case = batch.case(int(number), kind.method)
        # the batch's L is 1, which the instance's smoothness may fall short of
        eta_t, smooth = kind.method.effective_stepsize, case.instance.constants["L"]
        given = case.numbers | {"L": Fraction(1)}
        spread = (given["Omega1"] - given["Omega1_hat"]) / (1 / eta_t - smooth**2 * eta_t)
        given["Omega1_hat"] += (1 - smooth**2) * eta_t * spread
        if kind.least_mu:
            given["mu"] = max(case.instance.strong_convexity, Fraction(kind.least_mu))
            given["mu_sc"] = given["mu"]
        object.__setattr__(case, "numbers", given)
        finding = in_fractions(kind.id, case, kind.rounds)

        assert finding.measured is not None
        assert finding.bound
        assert finding.measured / finding.bound == pytest.approx(found[number], rel=1e-9)


def test_a_batchs_round_is_that_of_the_lemmas() -> None:
    """Drift, spread, movement and |G|^2 of one round agree with those in fractions."""
    kind = ProblemFamily("composite.lemmaA1", n=3, tau=4, corrected=True)
    batch = made(kind, drawn(kind, 12, generator(2)))
    found = measured(batch, kind.method, 1)
    for number in range(12):
        exact = one_round(batch.case(number, kind.method), kind.method)
        for name in ("local_drift", "correction_spread", "moved", "G2", "LamSq"):
            assert found[name][number] == pytest.approx(float(exact[name]), rel=1e-9, abs=1e-15)


def test_the_search_finds_what_is_known_in_closed_form() -> None:
    """One prox-gradient step falls by (1 - q/2) eta~ |G|^2 at least: the largest ratio is known, 98% found.

    Reached where the step ends at the minimiser; the bound after one round is Omega^1/(c eta~).
    """
    kind = ProblemFamily("composite.theorem3.5.sharpened", server=Fraction(1), bounded=True)
    found = search(kind, generations=30, population=200)
    given = {"L": 1, "n": 1, "tau": 1, "b": 1, "sigma2": 0, "eta": 0.1, "eta_g": 1, "R": 1}
    limit = 10 / float(bounds(kind.id, **given, Omega1=1)) / (1 - 0.05)

    assert 0.98 * limit < found.ratio <= limit * (1 + 1e-12)
    assert found.tried == 6000


def test_the_search_is_the_same_again() -> None:
    """Equal salts find equal problems, other salts others."""
    one, same, other = (search(SHARP, 5, 60, salt=salt) for salt in (0, 0, 1))

    assert one.ratio == same.ratio != other.ratio
    assert (one.batch.start == same.batch.start).all()


def test_another_salt_draws_other_noise() -> None:
    """The same problems under another salt or turn have other ratios, under the same ones equal ones."""
    kind = replace(SHARP, noisy=True, settled=True)
    batch = made(kind, drawn(kind, 20, generator(3)))
    one, same, salted, later = (
        ratios(kind, batch, 8, salt, turn) for salt, turn in ((0, 1), (0, 1), (1, 1), (0, 2))
    )

    assert (one == same).all()
    assert (one != salted).any()
    assert (one != later).any()


def test_a_bound_of_zero_that_is_exceeded_is_the_worst(monkeypatch: pytest.MonkeyPatch) -> None:
    """Above 0 the ratio is infinite; one that is negative or no number is none."""
    batch = made(SHARP, drawn(SHARP, 40, generator(1)))
    usual = ratios(SHARP, batch, 1, 0)
    found = {}
    for bound in (0.0, -1.0, np.nan):
        monkeypatch.setattr(_search, "bounds", lambda id, bound=bound, **numbers: bound)
        found[bound] = ratios(SHARP, batch, 1, 0)
    zero, negative, undefined = found.values()

    assert (np.isinf(zero) == (usual > 0)).all()
    assert usual.any()
    assert not negative.any()
    assert not undefined.any()


@pytest.mark.parametrize("kind", [SHARP, PL, ANY, FAR])
def test_planted_bounds_are_broken_by_the_search(kind: ProblemFamily) -> None:
    """A bound divided by four is exceeded within a few generations, in fractions too."""
    found = search(kind, generations=15, population=150, shrink=4)

    assert found.ratio > 1
    case = found.batch.case(0, kind.method)
    assert words(in_fractions(kind.id, case, kind.rounds, tighten=4)) == ["violated"]


@pytest.mark.parametrize("number", range(len(WORST)))
def test_planted_bounds_are_violated_at_the_worst(number: int) -> None:
    """A bound a little below what each instance reaches is violated there."""
    worst = WORST[number]
    finding = adversary.looked_at(worst, PLAIN)
    assert finding.measured
    assert finding.bound
    tighten = int(np.ceil(1.2 * finding.bound / finding.measured)) + 1

    assert words(adversary.looked_at(worst, SamplingBudget(tighten=tighten))) == ["violated"]


def test_without_correction_the_worst_breaks_the_gap() -> None:
    """Algorithm 1 without its correction fails Theorem 3.6 on a longest instance of it."""
    worst = next(w for w in WORST if w.id == "composite.theorem3.6.repaired" and w.rounds == 20)
    bare = SamplingBudget(change=lambda m: replace(m, correction="none"))
    rows = [full(worst.id, [worst.experiment], 600, runs_of(metric(worst.id)), b) for b in (bare, PLAIN)]

    assert [words(row) for row in rows] == [["violated"], ["consistent"]]
