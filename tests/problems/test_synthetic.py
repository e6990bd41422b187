"""Synthetic(alpha, beta): the distributions it says, and the same bits on every machine."""

from __future__ import annotations

import hashlib
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import stats

from fedproof.problems.instances import synthetic
from fedproof.problems.problem import Array
from fedproof.vocabulary.errors import DataError, InputError, UnknownName
from tests.refusals import refused

GRID = 1 << 16
DEVIATIONS = np.arange(1, 61) ** -0.6


def drawn(clients: int = 30, seed: int = 0, **options: Any) -> tuple[list[Array], list[Array]]:
    """Features and labels of every client."""
    data, parts = synthetic.dataset(clients, seed, **options)
    return [data.features[p] for p in parts], [data.labels[p] for p in parts]


def digest(clients: int, seed: int, **options: Any) -> str:
    """SHA-256 of features in units of the grid, labels and sizes, as little-endian whole numbers."""
    xs, ys = drawn(clients, seed, **options)
    found = hashlib.sha256()
    for values in (np.concatenate(xs) * GRID, np.concatenate(ys), np.array([len(y) for y in ys])):
        found.update(values.astype("<i8").tobytes())
    return found.hexdigest()


def test_the_data_are_these_bits() -> None:
    """Whatever machine drew them: the digests are those of the machine on which this was written."""
    assert digest(100, 0) == "7622cd61b3ef64483663fa0d7ba4df90b6b1432a20e782e2bfc49f7fe8d8c8d1"
    assert (
        digest(10, 2**64 - 1, alpha=Fraction(1, 2), beta=Fraction(256))
        == "fa8b088a9e12fcde927de5f9c6e66dabe3b2d9a0448265492b0815198885f08b"
    )
    assert digest(10, 1, iid=True) == "f893cfe4c5549cf48cae95267bb2db617912064cb5db7e69b6704f2b582820ed"


def test_everything_lies_on_the_grid() -> None:
    """Features are multiples of 2^-16 below 2^8, even at the largest alpha and beta."""
    xs, _ = drawn(20, 1, alpha=Fraction(256), beta=Fraction(256))
    features = np.concatenate(xs) * GRID

    assert (features == np.rint(features)).all()
    assert np.abs(features).max() < 2**24


@pytest.mark.parametrize("spread", [Fraction(1), Fraction(256)])
def test_labels_do_not_depend_on_the_order_of_a_sum(
    spread: Fraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The labels are those of whole-number arithmetic, and of scores summed from the last feature on."""
    models = []
    client = synthetic._client
    monkeypatch.setattr(synthetic, "_client", lambda *a: models.append(client(*a)) or models[-1])
    xs, ys = drawn(20, 3, alpha=spread, beta=spread)
    for x, y, (weights, bias, _) in zip(xs, ys, models, strict=True):
        whole = [np.rint(a * s).astype(np.int64) for a, s in ((x, GRID), (weights, GRID), (bias, GRID**2))]
        scores = whole[0] @ whole[1].T + whole[2]
        backwards = np.cumsum((x[:, None, ::-1] * weights[None, :, ::-1]), axis=-1)[..., -1] + bias
        assert np.abs(scores).max() < 2**53
        assert (y == scores.argmax(axis=1)).all()
        assert (backwards * GRID**2 == scores).all()


def test_no_size_is_near_a_whole_number() -> None:
    """Of all draws on the grid, one is within 3 last digits of a whole number: z = -2, where exp(0) is 1."""
    normals = np.arange(-9 * GRID, 9 * GRID + 1) / GRID
    values = np.exp(4 + 2 * normals)
    gap = np.abs(values - np.rint(values)) / np.spacing(values)
    near = normals[(gap < 3) & (np.rint(values) > 0)]

    assert near.tolist() == [-2.0]
    assert synthetic.size_of(-2.0) == 1


def test_no_power_is_near_the_middle_of_the_grid() -> None:
    """The 60 deviations j^-0.6 are far from where rounding to the grid would depend on the last digit."""
    exact = DEVIATIONS * GRID

    assert np.abs(exact - np.floor(exact) - 0.5).min() > 1e-3
    assert np.abs(synthetic.DEVIATIONS - DEVIATIONS).max() <= 0.5 / GRID


def test_a_client_is_the_same_among_any_number() -> None:
    """Client k's rows depend on the seed and on k alone."""
    few, many = drawn(3, 5), drawn(40, 5)

    assert all((a == b).all() for a, b in zip(few[0], many[0][:3], strict=True))
    assert all((a == b).all() for a, b in zip(few[1], many[1][:3], strict=True))
    assert not (drawn(3, 6)[0][0][:50] == few[0][0][:50]).any()


def test_sizes_are_fifty_and_lognormal() -> None:
    """Of 3000 clients: logarithms of the sizes less 50 are N(4, 2) by Kolmogorov and Smirnov, none is cut."""
    rng = [synthetic.stream(7, 3, k) for k in range(3000)]
    sizes = np.array([synthetic._size(r, None) for r in rng])

    assert sizes.min() == 50
    assert sizes.max() > 10_000
    # size 50 + floor(v): compare at whole numbers, where the floor does not matter
    for v in (1, 10, 55, 200, 1000, 8000):
        expected = stats.norm.cdf((np.log(v) - 4) / 2)
        deviation = np.sqrt(expected * (1 - expected) / 3000)
        assert abs((sizes < 50 + v).mean() - expected) < 4 * deviation


def test_features_have_their_means_and_variances() -> None:
    """Within clients feature j varies by j^-1.2; client means vary by beta + 1, of which beta is common."""
    xs, _ = drawn(400, 11, beta=Fraction(4), most_samples=400)
    inside = [((x - x.mean(axis=0)) ** 2).sum(axis=0) for x in xs]
    total = sum(len(x) - 1 for x in xs)
    means = np.array([x.mean(axis=0) for x in xs])

    assert np.sum(inside, axis=0) / total == pytest.approx(DEVIATIONS**2, rel=0.03)
    assert means[:, 0].var() == pytest.approx(5, rel=0.3)
    assert np.cov(means[:, 10], means[:, 40])[0, 1] == pytest.approx(4, rel=0.3)


def test_models_have_their_means_and_variances() -> None:
    """W_k ~ N(u_k, 1) with u_k ~ N(0, alpha): variance within a client 1, of the client means alpha."""
    drawn_models = [synthetic._client(synthetic.stream(2, 3, k), 2.0, 1.0)[0] for k in range(400)]

    assert np.mean([w.var() for w in drawn_models]) == pytest.approx(1, rel=0.02)
    assert np.var([w.mean() for w in drawn_models]) == pytest.approx(4, rel=0.25)


def test_alpha_and_beta_are_variances_unless_told() -> None:
    """beta = 4 as a variance is beta = 2 as a deviation, to the bit; the name says which it was."""
    one, other = (synthetic.build(4, 0, alpha=1, beta=b, most_samples=60) for b in (4, 2))
    deviation = synthetic.build(4, 0, alpha="1", beta="2", scale="deviation", most_samples="60")

    assert (one.features == deviation.features).all()
    assert (one.features != other.features).any()
    assert "alpha=1, beta=4 as variances, sizes cut at 60" in one.name
    assert "alpha=1, beta=2 as deviations" in deviation.name


def test_iid_clients_share_model_and_distribution() -> None:
    """One linear rule labels the rows of all clients, and features have mean 0 for all."""
    problem, own = (synthetic.build(60, 0, iid=v, most_samples=100) for v in ("yes", "no"))
    weights, bias = synthetic._model(synthetic.stream(0, 13, 0), 0.0)
    clients = np.repeat(np.arange(60), problem.sizes)
    x = problem.features[:, :60]
    means = [x[clients == k].mean(axis=0) / DEVIATIONS * np.sqrt((clients == k).sum()) for k in range(60)]

    assert (problem.labels == (x @ weights.T + bias).argmax(axis=1)).all()
    assert (own.labels == (own.features[:, :60] @ weights.T + bias).argmax(axis=1)).mean() < 0.5
    assert np.var(means) == pytest.approx(1, abs=0.1)
    assert "synthetic(iid, " in problem.name


def test_alpha_changes_no_label() -> None:
    """u_k adds u_k (sum_j x_j + 1) to every score of client k: the largest stays the largest at any alpha."""
    labels = [np.concatenate(drawn(30, 2, alpha=Fraction(a))[1]) for a in (0, 1, 256)]
    features = [np.concatenate(drawn(30, 2, beta=Fraction(b))[0]) for b in (0, 1)]

    assert (labels[0] == labels[1]).all()
    assert (labels[0] == labels[2]).all()
    assert (features[0] != features[1]).any()


@pytest.mark.parametrize(("options", "error", "message"), [
    ({"alpha": -1}, InputError, "alpha: got -1, expected a number from 0 to 256"),
    ({"beta": "257"}, InputError, "beta: got 257"),
    ({"alpha": 17, "scale": "deviation"}, InputError, "deviations from 0 to 16"),
    ({"scale": "std"}, UnknownName, "variance, deviation"),
    ({"iid": "maybe"}, InputError, "yes or no"),
    ({"iid": True, "alpha": 1}, InputError, "leave them out"),
    ({"most_samples": 10}, InputError, "a whole number from 50 to"),
    ({"split": "iid"}, UnknownName, "problem option: got split"),
    ({"alhpa": 1}, UnknownName, "did you mean alpha"),
])  # fmt: skip
def test_what_cannot_be_is_refused(options: dict[str, Any], error: type[Exception], message: str) -> None:
    """Values outside the domain, contradictions and misspelt options: one line each."""
    refused(error, message, synthetic.build, 2, 0, **options)


def test_too_many_rows_are_refused_before_they_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """More rows than fit: the cure is named."""
    monkeypatch.setattr(synthetic, "MOST_ROWS", 1000)
    monkeypatch.setattr(synthetic, "_client", None)
    refused(DataError, r"rows for 40 clients, expected at most 1000.*most_samples", synthetic.build, 40, 0)
