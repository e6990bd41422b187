"""Lemma 1 decided in fractions over every outcome."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from fedproof.papers.fedproxvr.checks import enumeration
from fedproof.papers.fedproxvr.checks.enumeration import enumerated, inexactness, settings
from fedproof.solvers.algorithms.fedproxvr import FedProxVR
from fedproof.validate.verdict import SamplingBudget
from tests.papers.verdicts import PLAIN, words


def by_hand(eta: Fraction, mu: Fraction, tau: int, curvatures: tuple[int, int], estimator: str) -> Fraction:
    """E|grad J| with gradient 1 at the start, from Algorithm 1 written out once more in one dimension."""
    mean, total = Fraction(sum(curvatures), 2), Fraction(0)
    for path in product(curvatures, repeat=tau):
        u, v = [Fraction(0)], Fraction(1)
        u.append((u[0] - eta * v) / (1 + eta * mu))
        for t in range(1, tau + 1):
            v = path[t - 1] * (u[t] - u[t - 1]) + v if estimator == "sarah" else path[t - 1] * u[t] + 1
            u.append((u[t] - eta * v) / (1 + eta * mu))
        total += sum(abs(1 + (mean + mu) * u[t]) for t in range(tau + 1))
    return total / 2**tau / (tau + 1)


@pytest.mark.parametrize("estimator", ["sarah", "svrg"])
@pytest.mark.parametrize("client", [0, 1, 2])
def test_enumeration_is_the_algorithm_by_hand(estimator: str, client: int) -> None:
    """The exact inexactness equals that of the listing written out in one dimension, in fractions."""
    curvatures = [(1, -1), (0, -1), (1, 0)][client]
    algorithm = FedProxVR(Fraction(1, 3), 4, Fraction(3, 4), estimator)

    assert inexactness(algorithm, enumeration.problem(), client) == by_hand(
        Fraction(1, 3), Fraction(3, 4), 4, curvatures, estimator
    )


@pytest.mark.parametrize("estimator", ["sarah", "svrg"])
def test_lemma_1_exactly_and_ten_times_worse(estimator: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Consistent with certainty as measured, violated with a tenth of theta; of SVRG's two settings one."""
    monkeypatch.setattr(enumeration, "MOST_STEPS", 8 if estimator == "sarah" else 7)
    kept, tenth = (enumerated(estimator, SamplingBudget(tighten=by)) for by in (1, 10))

    assert words(kept, tenth) == ["consistent", "violated"]
    assert (kept.p_obeyed, tenth.p_violated) == (0, 0)
    assert settings(estimator)


def test_the_decision_turns_at_the_least_theta() -> None:
    """A measured value enlarged to just below the least theta obeys, to just above it violates."""
    finding = enumerated("sarah", PLAIN)
    assert finding.measured is not None
    assert finding.bound is not None
    factor = Fraction(finding.bound / finding.measured)

    shares = (Fraction(999_999, 10**6), Fraction(1_000_001, 10**6))
    below, above = (enumerated("sarah", SamplingBudget(tighten=factor * share)) for share in shares)

    assert (below.p_violated, below.p_obeyed) == (1.0, 0.0)
    assert (above.p_violated, above.p_obeyed) == (0.0, 1.0)
