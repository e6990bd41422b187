"""The problem `robust`: what its draws are, which constants follow, and what its options change."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import fedproof as fp
from fedproof.problems.data.describe import describe
from fedproof.problems.instances.robust import build, rows_of
from fedproof.vocabulary.errors import DataError, InputError
from tests.refusals import refused

MODELS = ("huber", "cauchy", "absolute", "hinge")


@pytest.mark.parametrize("model", MODELS)
def test_constants_are_those_of_rows_just_within_one(model: str) -> None:
    """max |x|^2 lies in [1/4, 1), clients are equal, and G follows; each kind of loss has what it should."""
    problem = build(4, 3, model=model)
    longest = max(sum(Fraction(float(v)) ** 2 for v in row) for row in problem.features)
    known = problem.constants

    assert Fraction(1, 4) <= longest < 1
    assert set(problem.sizes) == {20}
    slope = Fraction(1, 4) if model == "cauchy" else Fraction(1)
    assert known["lipschitz_sample"].value ** 2 == pytest.approx(float(slope * longest), rel=1e-14)
    assert (known["smoothness"].value is None) == (model in ("absolute", "hinge"))
    assert float(known["weak_convexity"].value) == (float(longest / 8) if model == "cauchy" else 0)


def test_numbers_are_exact() -> None:
    """All targets are what the grid's numbers give in fractions: no rounding depends on the machine."""
    features, targets = rows_of(0, 3, 64, 40, (Fraction(64), Fraction(64)))
    scale = Fraction(2) ** 20

    assert all((Fraction(float(v)) * 2**30 * scale).denominator == 1 for v in targets)
    assert all((Fraction(float(v)) * 2**14 * scale).denominator == 1 for v in features.ravel())
    assert np.abs(targets).max() < 2**24


def test_clients_are_alike_without_heterogeneity() -> None:
    """Without noise and heterogeneity one model fits every client exactly; with heterogeneity none does."""
    for apart, fits in ((0, True), (3, False)):
        features, targets = rows_of(1, 5, 4, 10, (Fraction(apart), Fraction(0)))
        left = np.linalg.lstsq(features, targets, rcond=None)[1]
        assert (left[0] < 1e-20) == fits
        own = [np.linalg.lstsq(features[i : i + 10], targets[i : i + 10])[1][0] for i in range(0, 50, 10)]
        assert max(own) < 1e-18


def test_more_heterogeneity_sets_gradients_apart() -> None:
    """The spread of the clients' gradients at the start grows with it."""
    spreads = []
    for apart in (0, 1, 8):
        problem = build(10, 0, model="least_squares", heterogeneity=apart, noise=0)
        each = problem.client_gradients(np.zeros((10, 5)), np.arange(10))
        spreads.append(float(np.square(each - each.mean(axis=0)).sum(axis=1).mean()))
    assert spreads[0] < spreads[1] < spreads[2]
    assert spreads[2] > 10 * spreads[0]


def test_a_client_is_the_same_in_any_company() -> None:
    """Up to the common power of two its rows do not depend on how many clients there are; seeds differ."""
    deviations = (Fraction(1), Fraction(1, 4))
    (few, y), (many, z) = (rows_of(5, n, 3, 8, deviations) for n in (2, 6))
    ratio = few[few != 0][0] / many[:16][few != 0][0]

    assert (few == many[:16] * ratio).all()
    assert (y == z[:16] * ratio).all()
    assert (rows_of(6, 2, 3, 8, deviations)[1] != y).any()


def test_one_error_in_ten_is_large() -> None:
    """The share of errors beyond what plain normals reach is about that of the outliers."""
    rows, targets = rows_of(0, 1, 1, 20_000, (Fraction(0), Fraction(1)))
    _, plain = rows_of(0, 1, 1, 20_000, (Fraction(0), Fraction(0)))
    errors = (targets - plain) / rows.std()

    assert np.mean(np.abs(errors) > 5) == pytest.approx(0.1 * 0.532, abs=0.01)  # P(8 |N(0, 1)| > 5)


def test_everything_runs_on_it() -> None:
    """Names, regularisers, held-out rows, certified local solves and the shell's options."""
    for model in MODELS:
        solver = "to_suboptimality" if model in ("huber", "cauchy") else "to_duality_gap"
        given: dict[str, Any] = {"model": model, "samples": "8", "l2": "1/10", "test_fraction": "1/4"}
        history = fp.run("fedprox", "robust", rounds=3, mu=1, local_solver=solver, eps="1e-8",
                         clients=4, problem_options=given)  # fmt: skip
        assert history.metrics["unsolved"][-1] == 0
        assert history.problem.startswith(f"{model}")
    assert describe(build(3, model="hinge")).to_dict()["clients"] == 3
    refused(InputError, "heterogeneity", build, heterogeneity=-1)
    refused(DataError, "use fewer samples", build, 100_000, samples=1000)
