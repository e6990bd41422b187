"""Data too large for squares, and things that are no problem: one error with a cure, wherever they enter."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fedproof.problems.catalog import make_problem
from fedproof.problems.data.dataset import Dataset
from fedproof.problems.data.describe import describe
from fedproof.problems.data.federate import federate
from fedproof.problems.supervised.supervised import Supervised
from fedproof.solvers.api import run
from fedproof.vocabulary.errors import DataError, InputError
from tests.refusals import refused

BASE = np.arange(24.0).reshape(12, 2)


def scaled(factor: float) -> np.ndarray:
    """Twelve rows, the sixth of them large."""
    rows = BASE.copy()
    rows[5] *= factor
    return rows


@pytest.mark.parametrize("factor", [1e154, 1e160, 1e300])
@pytest.mark.parametrize("kind", ["csv", "npz"])
def test_a_file_with_features_too_large_is_refused(kind: str, factor: float, tmp_path: Path) -> None:
    """The row is named, and to scale is the cure."""
    path, rows = tmp_path / f"big.{kind}", scaled(factor)
    if kind == "csv":
        path.write_text("".join(f"{a},{b},{n % 2}\n" for n, (a, b) in enumerate(rows)))
    else:
        np.savez(path, features=rows, labels=np.arange(12) % 2)
    refused(DataError, rf"row {6 if kind == 'csv' else 5}: .*scale the features", make_problem, path, 2)


@pytest.mark.parametrize("held", [0, "1/2"])
def test_a_problem_with_features_too_large_is_refused(held: Any) -> None:
    """Arrays in memory too, also among the rows for testing."""
    with pytest.raises(DataError, match=r"row \d+: .*scale the features"):
        federate(Dataset("big", np.full((12, 2), 1e200), np.arange(12) % 2, 2), 2, 0, test_fraction=held)


def test_targets_too_large_are_refused() -> None:
    """Least squares squares them as well."""
    with pytest.raises(DataError, match=r"row \d+: .*scale the targets"):
        federate(Dataset("big", BASE, np.where(np.arange(12) == 3, 1e200, 1.0), 0), 1, 0,
                 model="least_squares", split="iid", test_fraction=0)  # fmt: skip


@pytest.mark.parametrize("model", ["softmax", "logistic", "least_squares"])
def test_the_largest_features_can_be_used(model: str) -> None:
    """Just below the end, constants, losses and `describe` are finite and nothing overflows."""
    data = Dataset("large", scaled(1e142), np.arange(12) % 2, 2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        problem = federate(data, 2, 0, model=model, l2="1/10")

        assert isinstance(problem, Supervised)
        assert np.isfinite(float(problem.constants["smoothness_sample"].value))
        assert np.isfinite(problem.loss(problem.start()))
        assert describe(problem).heterogeneity.feature_distance is not None


def test_options_that_are_no_dict_are_refused() -> None:
    """A list of options is told what is taken."""
    with pytest.raises(InputError, match="problem_options: got list, expected a dict"):
        make_problem("digits", options=["l2=1"])  # type: ignore[arg-type]


def test_a_perceptron_needs_a_step_size() -> None:
    """No L is certified for it: the error says so, and what to give; with either it runs."""
    options = {"model": "perceptron", "hidden": 3}
    with pytest.raises(InputError, match=r"model=perceptron has no certified L; give stepsize= or L="):
        run("fedavg", "digits", rounds=1, problem_options=options)

    assert run("fedavg", "digits", rounds=1, problem_options=options, L=10).rounds == 1
