"""Compressors: exact means and the least omega, by other routes and with planted falsehoods."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from math import ceil, floor, nextafter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fedproof.problems.problem import Array
from fedproof.solvers.compressor import COIN
from fedproof.solvers.compressors import _dithering_distortion as distortions
from fedproof.solvers.compressors import dithering as dithering_module
from fedproof.solvers.compressors import natural as natural_module
from fedproof.solvers.compressors.dithering import Dithering
from fedproof.solvers.compressors.identity import Identity
from fedproof.solvers.compressors.natural import Natural
from fedproof.solvers.compressors.rand_k import RandK
from fedproof.solvers.compressors.top_k import TopK
from tests.solvers.compressing import assert_fair, drawn, moments

F = Fraction
FLOATS = st.floats(-1e300, 1e300)


def exact_rows(d: int) -> list[Array]:
    """Vectors of fractions with zeros, equal entries, whole multiples and both signs."""
    values = [F(0), F(1), F(-2), F(5, 3)]
    return [np.array(row) for row in product(values, repeat=d)]


def by_definition(x: Array, s: int, norm: Any) -> tuple[Array, Any]:
    """E Q(x) and E|Q(x) - x|^2 of random dithering, entry by entry from the text."""
    size = max(abs(x)) if norm == "inf" else sum(abs(x))
    mean, error = [], F(0)
    for entry in x:
        reach = s * abs(entry) / size if size else F(0)
        low = floor(reach)
        values = [size * (1 if entry > 0 else -1) * F(level, s) for level in (low + 1, low)]
        chances = [reach - low, 1 - (reach - low)]
        mean.append(sum(c * v for c, v in zip(chances, values, strict=True)))
        error += sum(c * (v - entry) ** 2 for c, v in zip(chances, values, strict=True))
    return np.array(mean), error


@pytest.mark.parametrize("norm", [1, "inf"])
@pytest.mark.parametrize("s", [1, 2, 3, 4])
def test_dithering_over_all_outcomes(s: int, norm: Any) -> None:
    """For d <= 3, in fractions: the mean is x, and the error is that of the definition, within the bound."""
    for d in (1, 2, 3):
        for x in exact_rows(d):
            mean, error = moments(Dithering(s, norm), x)
            told, known = by_definition(x, s, norm)
            assert (mean == x).all()
            assert (told == x).all()
            assert error == known
            assert_fair(Dithering(s, norm), x)


@pytest.mark.parametrize("q", [Natural(), RandK(1), TopK(1), Identity()], ids=str)
def test_others_over_all_outcomes(q: Any) -> None:
    """For d <= 3, in fractions, their means and distortions are what they say."""
    for d in (1, 2, 3):
        for x in exact_rows(d):
            assert_fair(q, x)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_rand_k_keeps_every_set_alike(k: int) -> None:
    """Each of the sets of k of 3 entries is as likely as any other, and every x attains omega."""
    x = np.array([F(1), F(-2), F(1, 3)])
    weights, draws = RandK(k).outcomes(x)
    found = RandK(k).compress(np.tile(x, (len(draws), 1)), draws)
    sets = Counter[tuple[int, ...]]()
    for weight, row in zip(weights, found, strict=True):
        kept = np.flatnonzero(row)
        assert (row[kept] == x[kept] * F(3, k)).all()
        sets[tuple(kept.tolist())] += weight

    assert sets == {kept: F(1, len([*combinations(range(3), k)])) for kept in combinations(range(3), k)}
    assert moments(RandK(k), x)[1] == RandK(k).omega(3).value * (x @ x) == (F(3, k) - 1) * (x @ x)


@pytest.mark.parametrize("q", [Dithering(3, "inf"), Dithering(2, 1), Natural()], ids=str)
def test_coins_fall_at_the_chance_itself(q: Any) -> None:
    """An entry is rounded up by every draw below COIN times its chance, and by no other."""
    assert_edges(q, np.array([F(5, 7), F(-3, 11), F(1)]))


def assert_edges(q: Any, x: Array) -> None:
    """Every entry jumps at the edge that its outcomes name, and that is its chance."""
    tiny = F(1, 10**30)
    weights, draws = q.outcomes(x)
    looked = 0
    for entry in range(3):
        edge = draws[:, entry].max()
        if not edge:
            continue
        row = np.zeros((1, 3), dtype=object)
        sizes = []
        for at in (F(0), edge - tiny, edge, F(COIN) - tiny):
            row[0, entry] = at
            sizes.append(abs(q.compress(x[None], row)[0, entry]))
        assert sizes[0] == sizes[1] > sizes[2] == sizes[3]
        rises = draws[:, entry] < edge
        assert weights[rises].sum() == edge / COIN
        looked += 1
    assert looked


def largest_over_odd(s: int, d: int) -> tuple[float, tuple[int, ...]]:
    """The largest of (d / 4 - (|m| / 2 - s)^2) / s^2 over odd m with entries to 2 s + 3, and where."""
    odd = range(1, 2 * s + 4, 2)
    every = combinations_sorted(odd, d)
    return max(((d / 4 - (sum(v * v for v in m) ** 0.5 / 2 - s) ** 2) / s**2, m) for m in every)


def combinations_sorted(values: Any, d: int) -> list[tuple[int, ...]]:
    """All multisets of d values."""
    return [m for m in product(values, repeat=d) if list(m) == sorted(m)]


@pytest.mark.parametrize("d", [2, 3, 4])
@pytest.mark.parametrize("s", [1, 2, 3, 4, 7])
def test_euclidean_dithering_attains_omega(s: int, d: int) -> None:
    """Omega for p = 2 is the largest over all odd m, and x = m attains it."""
    omega = Dithering(s).omega(d)
    most, m = largest_over_odd(s, d)
    x = np.array(m, dtype=float)

    assert omega.kind == "exact"
    assert float(omega.value) == pytest.approx(most, rel=1e-12)
    assert moments(Dithering(s), x)[1] / (x @ x) == pytest.approx(float(omega.value), rel=1e-9)


@pytest.mark.parametrize("d", [2, 3, 9, 50])
@pytest.mark.parametrize("s", [1, 2, 5, 128])
def test_dithering_by_the_largest_entry_attains_omega(s: int, d: int) -> None:
    """Omega for p = infinity is attained where all but one entry are 1 / (2 s (1 + omega)) of it."""
    omega = Dithering(s, "inf").omega(d)
    z = 1 / (2 * (1 + float(omega.value)))
    rest = (z - z * z) * (d - 1)  # the variance of the levels 0 and 1

    assert omega.kind == "exact"
    assert rest / (s * s + (d - 1) * z * z) == pytest.approx(float(omega.value), rel=1e-9)
    if d <= 9:
        x = np.array([1.0, *[z / s] * (d - 1)])
        assert moments(Dithering(s, "inf"), x)[1] / (x @ x) == pytest.approx(float(omega.value), rel=1e-9)


@pytest.mark.parametrize(("s", "p", "d"), [(1, 1, 2), (2, 1, 9), (1, "3/2", 3), (3, "5/4", 30)])
def test_equal_entries_attain_omega_where_it_is_called_exact(s: int, p: Any, d: int) -> None:
    """For p < 2 and d^(1/p) >= 2 s the omega d^(1/p) / s - 1 is that of equal entries."""
    omega, z = Dithering(s, p).omega(d), s * d ** -float(1 / F(p))

    assert omega.kind == "exact"
    assert (z - z * z) / z**2 == pytest.approx(float(omega.value), rel=1e-9)
    for more in (ceil(s * d ** float(1 / F(p)) / s / 2) + 1, 2 * s * d):
        assert Dithering(more, p).omega(d).kind == "certified"


@settings(max_examples=150, deadline=None)
@given(
    st.integers(1, 6),
    st.sampled_from([1, "3/2", 2, 3, "inf"]),
    st.lists(st.floats(0, 1), min_size=1, max_size=7).filter(any),
)
def test_no_vector_is_distorted_more(s: int, p: Any, entries: list[float]) -> None:
    """Whatever the norm, no vector's distortion is above omega."""
    x = np.array(entries) + 1e-3
    norm = np.linalg.norm(x, np.inf if p == "inf" else float(F(p)))
    reach = s * x / norm
    spread = (reach - np.floor(reach)) * (np.ceil(reach) - reach) * (norm / s) ** 2

    assert spread.sum() <= (float(Dithering(s, p).omega(len(x)).value) + 1e-12) * (x @ x)


@pytest.mark.parametrize(("s", "d"), [(1, 2), (2, 3), (5, 7), (64, 123), (128, 5000), (1 << 20, 20958)])
def test_irrational_constants_are_rounded_up_once(s: int, d: int) -> None:
    """They are the nearest floats that are not below, decided in fractions."""
    four = 4 * s * s
    for square in distortions._two_odd_squares(s) if d == 2 else distortions._near(s, d):
        # c >= (4 s sqrt(R) - R + d - 4 s^2) / (4 s^2)
        assert F(Dithering(s).omega(d).value) * four + square - d + four > 0
        assert (F(Dithering(s).omega(d).value) * four + square - d + four) ** 2 >= 4 * four * square
    largest = Dithering(s, "inf").omega(d).value
    assert four * F(largest) * (1 + F(largest)) >= d - 1
    if isinstance(largest, float):
        below = F(nextafter(largest, 0))
        assert four * below * (1 + below) < d - 1


def test_sums_of_odd_squares() -> None:
    """Those nearest to 4 s^2 on both sides, by search: of two, and of three as Gauss says."""
    for s in range(1, 30):
        odd = range(1, 2 * s + 4, 2)
        for d, found in ((2, distortions._two_odd_squares(s)), (3, distortions._near(s, 3))):
            sums = {sum(v * v for v in m) for m in combinations_sorted(odd, d)}
            below, above = (v for v in found)
            assert below == max(v for v in sums if v <= max(4 * s * s, d))
            assert above == min(v for v in sums if v > max(4 * s * s, d))


def test_one_entry_is_kept() -> None:
    """With d = 1 dithering gives x itself, whatever the norm."""
    for p in (1, "3/2", 2, "inf"):
        q = Dithering(3, p)
        x = np.array([[0.3], [-1e-7], [0.0]])
        assert q.omega(1).value == 0
        assert (q.compress(x, drawn(q, x)) == x).all()


def test_natural_attains_an_eighth() -> None:
    """Its omega is 1/8, attained at 4/3 of powers of two, exactly."""
    x = np.array([F(4, 3), F(-8, 3), F(1, 6)])
    assert moments(Natural(), x)[1] == Natural().omega(3).value * (x @ x) == F(1, 8) * (x @ x)


def test_top_k_is_the_nearest_of_its_kind() -> None:
    """Its error is the least over all sets of k entries, and equal entries attain 1 - k / d."""
    rng = np.random.default_rng(0)
    x = rng.integers(-5, 6, (40, 5)).astype(float)
    none = np.zeros((40, 0))
    for k in (1, 2, 5):
        errors = ((TopK(k).compress(x, none) - x) ** 2).sum(axis=1)
        best = [min((r[list(out)] ** 2).sum() for out in combinations(range(5), 5 - k)) for r in x]
        assert (errors == best).all()
    same = np.array([F(2)] * 3)
    assert moments(TopK(2), same)[1] == TopK(2).distortion(3).value * (same @ same)


@pytest.mark.parametrize(
    "q", [Dithering(4), Dithering(2, "inf"), Dithering(3, 1), RandK(50), Natural()], ids=str
)
def test_large_vectors_on_average(q: Any) -> None:
    """Of 3000 clients the mean is as far from x as independent errors say, which the constant bounds."""
    rng = np.random.default_rng(1)
    x = np.tile(rng.standard_normal(500), (3000, 1))
    found = q.compress(x, drawn(q, x))
    errors = ((found - x) ** 2).sum(axis=1)

    off = found.mean(axis=0) - x[0]

    assert 0.5 <= 3000 * (off @ off) / errors.mean() <= 1.5
    slack = 6 * errors.std() / 3000**0.5 + 1e-9
    assert errors.mean() <= float(q.omega(500).value) * (x[0] @ x[0]) + slack


def scaled(restore: Any) -> Any:
    """What a server gives that divides by one level too many."""
    return lambda q, message, d, draws: restore(q, message, d, draws) * 0.75


def a_level_off(message: Any) -> Any:
    """What a client sends whose levels or exponents are one too high."""
    return lambda q, x, draws: (*message(q, x, draws)[:-1], message(q, x, draws)[-1] + 1)


@pytest.mark.parametrize("q", [Dithering(3, "inf"), Natural(), RandK(1), Identity()], ids=str)
@pytest.mark.parametrize(("name", "plant"), [("restore", scaled), ("message", a_level_off)])
def test_a_planted_bias_is_seen(monkeypatch: pytest.MonkeyPatch, q: Any, name: str, plant: Any) -> None:
    """A wrong scale, or a level off, turns the check of means red."""
    x = np.array([1.0, -0.3, 0.7])
    assert_fair(q, x)
    monkeypatch.setattr(type(q), name, plant(getattr(type(q), name)))
    with pytest.raises(AssertionError):
        assert_fair(q, x)


@pytest.mark.parametrize(("module", "q"), [(dithering_module, Dithering(3, 1)), (natural_module, Natural())])
def test_a_planted_coin_is_seen(monkeypatch: pytest.MonkeyPatch, module: Any, q: Any) -> None:
    """A coin that falls at half its chance turns the check of the chances red."""
    monkeypatch.setattr(module, "COIN", COIN // 2)
    with pytest.raises(AssertionError):
        assert_edges(q, np.array([F(5, 7), F(-3, 11), F(1)]))


def test_a_planted_omega_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """An omega a millionth too small is caught by the x that attains it."""
    x = np.array(largest_over_odd(2, 3)[1], dtype=float)
    assert_fair(Dithering(2), x)
    less = distortions.dithering_distortion(2, 3, F(2))
    planted = type(less)(less.value * (1 - 1e-6), less.kind, less.how)
    monkeypatch.setattr(dithering_module, "dithering_distortion", lambda *given: planted)
    with pytest.raises(AssertionError):
        assert_fair(Dithering(2), x)
