"""Theorems 3 and 4 of FedProx (FedMSPP) in practice: what holds passes, what is refuted is exceeded."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

import fedproof as fp
from fedproof.papers.fedprox.checks import theorem1, theorem2, theorem3, theorem3_fails, theorem4
from fedproof.papers.fedprox.checks._experiments import EXACT, admitted, minibatched, nonsmooth
from fedproof.papers.fedprox.checks._instances import nonsmooth_lines, sampled_lines, two_devices
from fedproof.papers.fedprox.checks._line import Line
from fedproof.papers.fedprox.checks._runs import cohorts, enumerated, sampled
from fedproof.validate.verdict import SamplingBudget, Validation, assign_verdicts
from fedproof.vocabulary.errors import InputError
from tests.papers.verdicts import PLAIN, words

ALIKE, APART = sampled_lines()[:2]
LONGER = SamplingBudget(change=lambda method: replace(method, prox_weight=method.prox_weight / 1000))


def test_the_repaired_theorem3_holds_in_practice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both forms keep their bounds on the line and on data, and what lies outside is said."""
    short, data = [e for e in theorem3.short() if e.rounds < 9 or e.rounds > 99], theorem3.on_data()[2:]
    monkeypatch.setattr(theorem3, "short", lambda: short)
    monkeypatch.setattr(theorem3, "on_data", lambda: data)
    found = theorem3.find(SamplingBudget(30))

    assert words(*found) == ["consistent"] * 4 + ["not applicable"] * 2


def test_theorem4_holds_in_practice(monkeypatch: pytest.MonkeyPatch) -> None:
    """All forms keep their bounds on the line and on data, and a step above rho is not covered."""
    data = theorem4.on_data()[1:]
    monkeypatch.setattr(theorem4, "on_data", lambda: data)
    found = theorem4.find(SamplingBudget(30))

    assert {row.id for row in found} == set(theorem4.CHECK.ids)
    assert words(*found) == ["consistent"] * 6 + ["not applicable"]


def test_planted_bounds_are_violated() -> None:
    """A sixth of Theorem 3's bound and a third of Theorem 4's are exceeded on the way down."""
    planted: tuple[tuple[str, Any, Any, int], ...] = (
        (theorem3.GENERAL, theorem3, theorem1, 6),
        (theorem4.GENERAL, theorem4, theorem2, 3),
        (theorem4.EXPLICIT, theorem4, theorem2, 3),
    )
    for id, check, of, times in planted:
        cases = admitted(id, [e for e in check.short() if e.rounds > 99])
        assert words(enumerated(id, cases, of.runs(), "", SamplingBudget(tighten=times))) == ["violated"]


def test_longer_steps_are_caught() -> None:
    """Devices that go all the way to the minimiser of their minibatch keep neither bound."""
    between, three = (replace(line, origin=Fraction(0)) for line in (ALIKE, nonsmooth_lines()[-1]))
    step = Fraction(1, 1000)
    one = minibatched(between, 1, 1, 6, step, EXACT)
    other = nonsmooth(three, 1, 6, Fraction(1, 4), eta=step, batch=1)
    for budget, word in ((PLAIN, "consistent"), (LONGER, "violated")):
        rows = (
            enumerated(theorem3.GENERAL, admitted(theorem3.GENERAL, [one]), theorem1.runs(), "", budget),
            enumerated(theorem4.GENERAL, admitted(theorem4.GENERAL, [other]), theorem2.runs(), "", budget),
        )
        assert words(*rows) == [word] * 2


@pytest.mark.parametrize(
    ("line", "count", "batch"), [(ALIKE, 1, 2), (APART, 2, 1), (sampled_lines()[2], 1, 2)]
)
def test_expectations_are_those_of_every_sequence_of_draws(line: Any, count: int, batch: int) -> None:
    """The mean over all ordered devices and samples of two rounds, run by hand, is what is enumerated."""
    case = minibatched(line, count, batch, 3, Fraction(1, 8), EXACT)
    device = list(product(range(2), *[range(2)] * batch))
    total, number = Fraction(0), 0
    for drawn in product(device, repeat=2 * count):
        path = [line.origin]
        for t in range(2):
            chosen = np.array(drawn[t * count : (t + 1) * count])
            where = line.samples._means(2 * chosen[:, :1] + chosen[:, 1:])
            anchors = np.full((count, 1), path[-1], dtype=object)
            path.append(sum(where.proximal_points(anchors, Fraction(8), np.arange(count))[:, 0]) / count)
        total += sum(line.gradient(np.array([w], dtype=object))[0] ** 2 for w in path)
        number += 3

    assert theorem1.runs().expected(case, case.method)[0] == total / number


def test_chances_add_up_and_cohorts_stand_apart() -> None:
    """The chances of all devices with their minibatches sum to 1; a device drawn twice stands there twice."""
    case = minibatched(ALIKE, 2, 2, 3, Fraction(1, 8), EXACT)
    every = list(cohorts(case))

    assert sum(chance for chance, *_ in every) == 1
    assert all(len(cohort.clients) == 2 and cohort.apart for _, cohort, _ in every)
    assert all(draws["minibatch"].shape == (2, 2) for *_, draws in every)


def test_seeds_have_the_exact_expectation() -> None:
    """The mean of runs of the driver with FedMSPP lies where the enumeration says."""
    case = minibatched(APART, 2, 1, 4, solver=EXACT)
    exact = float(theorem1.runs().expected(case, case.method)[0])
    values = theorem1.runs().sampled(case.in_floats(), case.method, 200, 0)

    assert abs(values.mean() - exact) < 4 * values.std() / 200**0.5
    assert values.std() > 0


def test_minibatches_are_means_of_samples() -> None:
    """A minibatch's slope is the mean of its samples', those that are drawn twice counting twice."""
    point = np.full((1, 1), Fraction(1, 2), dtype=object)
    samples = ALIKE.samples
    assert samples is not None
    drawn = ALIKE.minibatches(np.array([1]), np.array([[0, 0, 1]]))
    slopes = samples.client_gradients(np.repeat(point, 4, axis=0), np.arange(4))[:, 0]

    assert drawn.client_gradients(point, np.zeros(1, dtype=int))[0, 0] == (2 * slopes[2] + slopes[3]) / 3


@pytest.mark.parametrize("line", sampled_lines(), ids=lambda line: line.name)
def test_dissimilarity_is_the_largest_of_a_grid(line: Any) -> None:
    """H^2 is the largest mean squared distance of the devices' slopes from their mean over a grid."""
    points = np.array([Fraction(n, 8) for n in range(-24, 25)], dtype=object)
    slopes = line.client_gradients(np.repeat(points[None], 2, axis=0), np.arange(2))
    gaps = slopes - slopes.mean(axis=0)

    assert line.dissimilarity == (gaps * gaps).mean(axis=0).max()
    assert (line.dissimilarity == 0) == (line is ALIKE)
    assert Line.of([0], [[-1], [-1]], [[1], [-1]]).dissimilarity == 1


def test_step_size_and_accuracy_are_the_theorem_s() -> None:
    """eta is what the statement says, eps lies on the edge of its conditions, and a tenth more is refused."""
    asked = fp.statement(theorem3.EXPLICIT)
    for case in (*(e for e in theorem3.short() if e.own), *theorem3.on_data()):
        letters = {name: case.letters[name] for name in asked.names}
        check = asked.check(**letters)

        assert check.applicable
        assert check.derived["eta"] == pytest.approx(float(case.stepsize), rel=1e-14)
        assert not asked.check(**letters | {"eps": letters["eps"] * Fraction(11, 10)}).applicable
    with pytest.raises(InputError):
        minibatched(sampled_lines()[2], 1, 1, 4)


def test_two_devices_exceed_the_printed_bound_and_nothing_is_surprising() -> None:
    """The printed general form is violated, which is expected of it; the repaired one is kept."""
    found = theorem3_fails.find(PLAIN)
    verdicts = assign_verdicts(found, lambda: found)

    assert [(v.id, v.verdict) for v in verdicts] == [
        (theorem3_fails.PRINTED, "violated"),
        (theorem3_fails.REPAIRED, "consistent"),
        (theorem3_fails.THEOREM, "not applicable"),
    ]
    assert Validation(verdicts).unexpected == ()


def test_the_mean_square_is_that_of_every_draw() -> None:
    """The recursion agrees with the enumeration and with eta (1 - (1 + eta)^(-2t)) / (2 + eta)."""
    eta = Fraction(1, 8)
    case = minibatched(two_devices(), 1, 3, 9, eta, EXACT)
    every = float(theorem1.runs().expected(case, case.method)[0])
    closed = sum(eta / (2 + eta) * (1 - (1 + eta) ** (-2 * t)) for t in range(9)) / 9

    assert theorem3_fails.mean_square(case, case.method) == pytest.approx(every, rel=1e-12)
    assert every == pytest.approx(float(closed), rel=1e-12)


def test_over_the_printed_rate_the_mean_grows_with_b() -> None:
    """It is more than b / 136 at every b of the family, as the refutation says, by the closed form."""
    detail = theorem3_fails.growth(PLAIN).detail
    ratios = [float(part.split(" at ")[0].split()[-1]) for part in detail.split(",")[-3:]]

    for number, ratio in zip(theorem3_fails.FAMILY, ratios, strict=True):
        eta, rounds = 1 / (8 * number), number**3
        kept = (1 + eta) ** -2
        mean = eta / (2 + eta) * (1 - (1 - kept**rounds) / (1 - kept) / rounds)
        assert ratio == pytest.approx(mean * number**2 / 4, rel=0.01)
        assert ratio > number / 136


def test_rounds_that_are_not_affine_are_refused() -> None:
    """Losses that bend at 0 have no such moments."""
    case = minibatched(APART, 1, 1, 9, Fraction(1, 8), EXACT)

    with pytest.raises(RuntimeError, match="not affine"):
        theorem3_fails.affine(case, case.method)


def test_planted_bounds_on_data_are_violated() -> None:
    """A hundredth of a bound is exceeded over seeds, so that runs on data decide something."""
    pairs = admitted(theorem4.EXPLICIT, theorem4.on_data()[:1])
    row = sampled(theorem4.EXPLICIT, pairs, theorem2.runs(), 30, "", SamplingBudget(tighten=100))

    assert words(row) == ["violated"]
