"""What `describe` says is what a count by hand says."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fedproof.cli import main
from fedproof.measure.api import measure
from fedproof.problems.data.dataset import Dataset
from fedproof.problems.data.describe import describe
from fedproof.problems.data.federate import federate, federated
from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.solvers.api import run
from fedproof.vocabulary.errors import InputError

RNG = np.random.default_rng(4)
ROWS = Dataset("toy", RNG.standard_normal((60, 3)) + 5, RNG.integers(0, 4, 60), 4)
PARTS = [np.arange(0, 10), np.arange(10, 13), np.arange(13, 60)]
TOY = describe(federated(ROWS, PARTS, "toy"))


def test_counts_are_those_of_a_loop() -> None:
    """Sizes, the matrix of counts and labels per client, client by client."""
    assert TOY.counts is not None
    for n, part in enumerate(PARTS):
        labels = ROWS.labels[part].tolist()
        assert TOY.counts[n].tolist() == [labels.count(k) for k in range(4)]
        assert TOY.sizes[n] == len(part)
        assert TOY.labels_per_client is not None
        assert TOY.labels_per_client[n] == len(set(labels))


def test_label_distance_is_the_largest_difference_of_an_event() -> None:
    """Total variation is the largest difference in probability over all sets of labels."""
    pooled = np.bincount(ROWS.labels) / 60
    events = [[k for k in range(4) if mask >> k & 1] for mask in range(16)]
    far = [max(abs(np.isin(ROWS.labels[p], e).mean() - pooled[e].sum()) for e in events) for p in PARTS]

    assert TOY.label_distances == pytest.approx(far)
    assert TOY.heterogeneity.label_distance_max == pytest.approx(max(far))
    assert TOY.heterogeneity.label_distance_mean == pytest.approx(
        sum(f * len(p) for f, p in zip(far, PARTS, strict=True)) / 60
    )


def test_feature_distance_is_the_share_between_clients() -> None:
    """The total variance is that within clients and that between; only the second counts."""
    within = sum(((ROWS.features[p] - ROWS.features[p].mean(axis=0)) ** 2).sum() for p in PARTS)
    total = ((ROWS.features - ROWS.features.mean(axis=0)) ** 2).sum()

    assert TOY.heterogeneity.feature_distance == pytest.approx(np.sqrt(1 - within / total))


def test_sizes_vary_as_the_definitions_say() -> None:
    """Gini as the mean absolute difference of all pairs; variation as deviation over mean."""
    sizes = np.array([10, 3, 47])
    pairs = np.abs(sizes[:, None] - sizes).mean() / (2 * sizes.mean())

    assert TOY.heterogeneity.size_gini == pytest.approx(pairs)
    assert TOY.heterogeneity.size_variation == pytest.approx(sizes.std() / sizes.mean())


def test_extremes() -> None:
    """Copies of one client are at distance 0, clients of one label and one row each at the far end."""
    alike = describe(federated(ROWS, [np.arange(60)] * 3, "alike")).heterogeneity
    apart = Dataset("apart", np.repeat([[1.0], [2.0], [5.0]], 4, axis=0), np.repeat([0, 1, 2], 4), 3)
    far = describe(federated(apart, np.split(np.arange(12), 3), "apart")).heterogeneity
    constant = describe(federated(Dataset("c", np.ones((4, 1)), np.array([0, 1, 0, 1]), 2),
                                  [np.arange(4)], "c")).heterogeneity  # fmt: skip

    assert alike.label_distance_max == pytest.approx(0, abs=1e-15)
    assert alike.feature_distance == pytest.approx(0, abs=1e-7)
    assert alike.size_gini == 0
    assert far.label_distance_max == pytest.approx(2 / 3)
    assert far.feature_distance == pytest.approx(1)
    assert constant.feature_distance is None


def test_splits_differ_as_they_should() -> None:
    """iid is nearer to the pooled labels than Dirichlet(1/2), and this nearer than one label per client."""
    data = Dataset("big", np.zeros((3000, 1)), np.arange(3000) % 10, 10)
    near, middle, far = (
        describe(federate(data, 10, 0, **o)).heterogeneity.label_distance_mean
        for o in ({"split": "iid"}, {"split": "dirichlet"}, {"split": "labels", "labels_per_client": 1})
    )

    assert near is not None
    assert middle is not None
    assert near < 0.15 < middle < far == pytest.approx(0.9)


def test_problems_without_labels() -> None:
    """Quadratics have sizes alone; real targets have features and no counts."""
    plain = describe(random_quadratic(1).as_float())
    real = describe(
        federate(Dataset("r", ROWS.features, RNG.standard_normal(60), 0), 3, 0, model="least_squares")
    )

    assert plain.counts is None
    assert plain.features is None
    assert plain.heterogeneity.label_distance_mean is None
    assert real.counts is None
    assert real.heterogeneity.feature_distance is not None
    for found in (plain, real):
        assert list(found.frame.columns) == ["size"]
        assert found._repr_html_()
        assert found.to_dict()["counts"] is None


def test_the_frame_has_a_row_a_client() -> None:
    """Sizes, labels, distance and one column a label."""
    frame = TOY.frame

    assert frame.shape == (3, 3 + 4)
    assert frame["size"].tolist() == [10, 3, 47]
    assert frame.filter(like="label ").to_numpy().sum() == 60


def test_held_out_rows_are_told() -> None:
    """Rows for testing are counted apart, and the sizes are of what stays."""
    found = describe("digits", clients=20, problem_options={"test_fraction": "1/4"})

    assert found.held_out + found.sizes.sum() == 1797
    assert 420 < found.held_out <= 449
    assert f"{found.held_out} held out" in found.headline()


def test_the_shell_describes_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The verb takes a path, clients and options; its document holds the whole matrix."""
    path = tmp_path / "d.csv"
    path.write_text("".join(f"{i},{i % 3}\n" for i in range(30)))
    dealt = ["--clients", "3", "--split", "labels", "--option", "labels_per_client=1"]
    arguments = ["describe", str(path), *dealt, "--json"]

    assert main(arguments) == 0
    found = json.loads(capsys.readouterr().out)
    assert sorted(found["counts"]) == [[0, 0, 10], [0, 10, 0], [10, 0, 0]]
    assert found["heterogeneity"]["label_distance_mean"] == pytest.approx(2 / 3)
    assert main(arguments[:-1]) == 0
    assert "3 clients, 30 rows" in capsys.readouterr().out
    assert main(["describe", str(path), "--option", "splitt=iid"]) == 2
    assert "did you mean split" in capsys.readouterr().err


@pytest.mark.parametrize("verb", [describe, measure, partial(run, "fedavg")])
@pytest.mark.parametrize(
    "beside", [{"clients": 3}, {"problem_seed": 3}, {"problem_options": {"dimension": 3}}]
)
def test_a_problem_object_takes_no_options(verb: Callable[..., Any], beside: dict[str, Any]) -> None:
    """A problem that is there cannot be made otherwise; every verb names what it was given beside it."""
    with pytest.raises(InputError, match=f"^{next(iter(beside))}: got .* and a problem .*leave one out$"):
        verb(random_quadratic(1).as_float(), **beside)


def test_a_run_takes_the_same_options(capsys: pytest.CaptureFixture[str]) -> None:
    """Options and the problem's seed reach the problem of a run as they reach `describe`."""
    made = ["--clients", "3", "--option", "most_samples=60", "--option", "beta=1/2", "--problem-seed", "4"]
    called = []
    for verb in ("run fedavg tau=2 --rounds 1 --problem synthetic", "describe synthetic"):
        assert main([*verb.split(), *made, "--json"]) == 0
        called.append(json.loads(capsys.readouterr().out)["problem"])

    assert called == ["synthetic(alpha=1, beta=0.5 as variances, sizes cut at 60, clients=3, seed=4)"] * 2
