"""Both ends of F*, and every rounding error that they allow for, against 60 digits."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import mpmath as mp
import numpy as np
import pytest

from fedproof.problems.composite import duality_gap
from fedproof.problems.composite.duality_gap import enclose, max_conjugate
from fedproof.problems.problem import Array
from fedproof.problems.separable import Separable
from fedproof.problems.supervised.models.least_squares import LeastSquares
from fedproof.problems.supervised.models.logistic import Logistic
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.supervised import Supervised

MODELS = {"logistic": Logistic(), "least_squares": LeastSquares()}
SCALES = [1e-6, 1e-3, 1.0, 1e3]
UNIT = 2.0**-53
FORMS = {
    "l1": Separable(Fraction(1, 7)),
    "elastic_net": Separable(Fraction(1, 7), Fraction(1, 3)),
    "box": Separable(low=Fraction(-100), high=Fraction(10_000)),
    "steep": Separable(curvature=Fraction(1, 10**6)),
    "flat": Separable(curvature=Fraction(10**24)),
}


@pytest.fixture(autouse=True)
def digits() -> Iterator[None]:
    """All of mpmath's numbers have 60 digits here."""
    with mp.workdps(60):
        yield


def exact(value: Any) -> Any:
    """A float or a fraction as mpmath's number."""
    return (
        mp.mpf(value.numerator) / value.denominator if isinstance(value, Fraction) else mp.mpf(float(value))
    )


def loss(name: str, z: Any, y: Any) -> Any:
    """phi(z), as the module's first lines have it."""
    return mp.log1p(mp.exp(-z if y == 1 else z)) if name == "logistic" else (z - y) ** 2 / 2


def conjugate(name: str, v: Any, y: Any) -> Any:
    """phi*(v), as the module's first lines have it; q is |v| where y = 0 and 1 - |v| where y = 1."""
    if name == "least_squares":
        return v * v / 2 + y * v
    small = abs(v)
    inner = small * mp.log(small) if small else mp.mpf(0)
    return inner + ((1 - small) * mp.log1p(-small) if small != 1 else 0)


def own(form: Separable, u: Any) -> Any:
    """The penalty of one entry, in its domain."""
    return exact(form.weight) * abs(u) + exact(form.curvature) * u * u / 2


def penalty_conjugate(form: Separable, c: Any) -> Any:
    """sup_u c u - phi(u) of one entry: the best of the points where the supremum can be."""
    weight, curvature = exact(form.weight), exact(form.curvature)
    low, high = (None if end is None else exact(end) for end in (form.low, form.high))
    points = [mp.mpf(0), *(end for end in (low, high) if end is not None)]
    if curvature:
        points += [(c - weight) / curvature, (c + weight) / curvature]
    elif (c > weight and high is None) or (c < -weight and low is None):
        return mp.inf
    inside = [u for u in points if (low is None or u >= low) and (high is None or u <= high)]
    return max(c * u - own(form, u) for u in inside)


def scores(features: Array, model: Array) -> list[Any]:
    """a x of every row."""
    return [mp.fdot(zip(map(exact, row), map(exact, model), strict=True)) for row in features]


def problem_of(name: str, features: Array, labels: Array) -> Supervised:
    """One client with these rows."""
    return Supervised(MODELS[name], features, labels, Partition.of_sizes([len(labels)]))


def cancelling(name: str, scale: float, seed: int) -> tuple[Supervised, Array]:
    """Rows whose scores are small sums of large numbers, a model, and labels."""
    rng = np.random.default_rng([seed, 17])
    large = rng.standard_normal((70, 3)) * 1e3
    features = np.column_stack([large, -large * (1 + 1e-4 * rng.standard_normal((70, 3)))]) * scale
    model = np.tile(rng.standard_normal(3), 2) * 10
    labels = rng.integers(0, 2, 70) if name == "logistic" else rng.standard_normal(70) * scale
    return problem_of(name, features, labels), model


def opposed(name: str, scale: float, seed: int) -> tuple[Supervised, Array]:
    """Scores near the labels' negatives, where the parts of least squares' phi* cancel."""
    rng = np.random.default_rng([seed, 23])
    labels = rng.integers(0, 2, 70) if name == "logistic" else rng.standard_normal(70) * scale
    own = rng.standard_normal(70) * scale if name == "logistic" else labels
    features = np.column_stack([own, own * rng.standard_normal(70)])
    return problem_of(name, features, labels), np.array([-1.0, 1e-9])


def allowance(whole: Separable, a: Array, y: Array, v: Array, pull: list[Any]) -> Any:
    """How far below the dual value the lower end may be: some hundred roundings of what is added up."""
    logs = np.abs(v * np.log(np.maximum(np.abs(v), 1e-300)))
    allowed = 400 * UNIT * float((np.square(v) + np.abs(v * y) + logs).mean())
    for c, column in zip(pull, a.T, strict=True):
        reach = 400 * UNIT * float((np.abs(v) @ np.abs(column)) / len(y))
        near = [penalty_conjugate(whole, -c + side * reach) for side in (-1, 0, 1)]
        allowed += max(near) - near[1] + 8 * UNIT * abs(near[1])
    return allowed


@pytest.mark.parametrize("kind", [cancelling, opposed], ids=lambda f: f.__name__)
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("form", FORMS)
def test_both_ends_hold_at_sixty_digits(
    name: str, form: str, kind: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """low <= the dual value at the v that was used, and F(x) <= high, by little more than is proved."""
    losses, dual = duality_gap._CONJUGATES[name]
    used: list[Array] = []

    def recorded(z: Array, y: Array, scale: float) -> Any:
        found = dual(z, y, scale)
        used.append(found[0])
        return found

    monkeypatch.setitem(duality_gap._CONJUGATES, name, (losses, recorded))
    whole, finite = FORMS[form], 0
    for scale, seed in product(SCALES, range(4)):
        smooth, model = kind(name, scale, seed)
        a, y, rows = smooth.features, smooth.labels, len(smooth.labels)
        ends = enclose(smooth, whole, model)
        z = scores(a, model)
        value = sum(loss(name, s, exact(t)) for s, t in zip(z, y, strict=True)) / rows
        value += sum(own(whole, exact(u)) for u in model)
        assert exact(ends.high) >= value
        apart = np.array([float(abs(s - t)) for s, t in zip(z, y, strict=True)])
        slopes = 1 if name == "logistic" else apart
        proved = (a.shape[1] + 4) * UNIT * float(((np.abs(a) @ np.abs(model)) * slopes).mean())
        assert exact(ends.high) - value <= 3 * proved + 64 * UNIT * value + 1e-290

        if ends.low == -np.inf:
            continue
        finite += 1
        v = [exact(t) for t in used[-1]]
        pull = [mp.fdot(zip(v, map(exact, column), strict=True)) / rows for column in a.T]
        below = -sum(conjugate(name, u, exact(t)) for u, t in zip(v, y, strict=True)) / rows
        below -= sum(penalty_conjugate(whole, -c) for c in pull)
        assert exact(ends.low) <= below <= value
        assert below - exact(ends.low) <= allowance(whole, a, y, used[-1], pull) + 8 * UNIT * abs(below)
    assert finite == len(SCALES) * 4


@pytest.mark.parametrize("name", MODELS)
def test_the_errors_of_losses_hold(name: str) -> None:
    """Each loss differs from its value at the score within `off` by no more than is said."""
    rng = np.random.default_rng(5)
    losses, _ = duality_gap._CONJUGATES[name]
    apart = 0
    for scale in (*SCALES, 30.0):
        z, y = rng.standard_normal(200) * scale, rng.integers(0, 2, 200).astype(float)
        for off in (np.zeros(200), np.full(200, 1e-7 * scale)):
            value, errors = losses(z, y, off)
            for s, t, o, found, error in zip(z, y, off, value, errors, strict=True):
                for shift in (-1, 0, 1):
                    true = loss(name, exact(s) + shift * exact(o), exact(t))
                    assert abs(exact(found) - true) <= exact(error)
                    apart += true != exact(found)
                assert error <= 2 * o * (1 + abs(s - t) + o) + 64 * UNIT * found + 1e-290
    assert apart > 1000


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("factor", [1.0, 0.37, 1e-3, 1e-9])
def test_the_errors_of_conjugates_hold(name: str, factor: float) -> None:
    """phi* at the v that is given back lies within the error that is said; v is feasible."""
    rng = np.random.default_rng(6)
    _, dual = duality_gap._CONJUGATES[name]
    apart = 0
    for scale in (*SCALES, 30.0):
        z, y = rng.standard_normal(200) * scale, rng.integers(0, 2, 200).astype(float)
        y, z = (y, z) if name == "logistic" else (rng.standard_normal(200) * scale, z)
        z[:50] = -y[:50] if name == "least_squares" else z[:50]
        v, value, errors = dual(z, y, factor)
        for u, t, found, error in zip(v, y, value, errors, strict=True):
            if name == "logistic":
                assert 0 <= Fraction(float(u)) + Fraction(float(t)) <= 1
            true = conjugate(name, exact(u), exact(t))
            assert abs(exact(found) - true) <= exact(error)
            assert error <= 64 * UNIT * (abs(found) + abs(t * u) + u * u) + 1e-290
            apart += true != exact(found)
    assert apart > 500


@pytest.mark.parametrize("rows", [1, 63, 64, 65, 200])
@pytest.mark.parametrize("scale", SCALES)
def test_the_radius_of_a_pull_holds(rows: int, scale: float) -> None:
    """(1/D) sum_l v_l a_l, in fractions, lies within the radius, though its terms cancel."""
    rng = np.random.default_rng(rows)
    apart = 0
    for _ in range(5):
        a, v = rng.standard_normal((rows, 6)) * scale, rng.standard_normal(rows)
        if rows > 1:
            a[1::2][: rows // 2] = a[::2][: rows // 2] * (1 + 1e-6)
            v[1::2][: rows // 2] = -v[::2][: rows // 2]
        pull, radius = duality_gap._pull(a, v)
        for j in range(6):
            terms = (Fraction(float(u)) * Fraction(float(x)) for u, x in zip(v, a[:, j], strict=True))
            true = sum(terms, Fraction(0)) / rows
            assert abs(Fraction(float(pull[j])) - true) <= Fraction(float(radius[j]))
            assert radius[j] <= 200 * UNIT * (np.abs(v) @ np.abs(a[:, j])) / rows + 1e-290
            apart += true != Fraction(float(pull[j]))
    assert apart > 20


@pytest.mark.parametrize("form", FORMS)
def test_the_largest_conjugate_is_over_the_whole_radius(form: str) -> None:
    """No c' within the radius has a larger g*, and one of the corners has it."""
    whole, rng = FORMS[form], np.random.default_rng(7)
    for size in (1e-3, 0.05, 2.0):
        c, radius = rng.standard_normal(3) * size, np.abs(rng.standard_normal(3)) * size / 4
        found = max_conjugate(whole, c, radius)
        each = [
            [penalty_conjugate(whole, exact(u) + exact(r) * k / 8) for k in range(-8, 9)]
            for u, r in zip(c, radius, strict=True)
        ]
        true = sum(max(values) for values in each)
        if true == mp.inf:
            assert found is None
        else:
            assert found is not None
            assert abs(exact(found) - true) <= abs(true) * mp.mpf(10) ** -50
