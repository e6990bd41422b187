"""Logs whose columns contradict their constants are refused in one line; their honest twins are kept."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import fedproof as fp
from fedproof.vocabulary.errors import DataError
from tests.validate.logs_for_tests import csv_of, toml

SARAH = "fedproxvr.certified.sarah"
VR: dict[str, Any] = {
    "parameters": {"estimator": "sarah", "mu": 30, "beta": 40, "tau": 60},
    "constants": {"L": 1, "lam": 0, "initial_gap": 1},
}
PROX: dict[str, Any] = {
    "parameters": {"mu": 40, "eps": "1e-8"},
    "constants": {"L": 1, "initial_gap": 1},
    "participation": {"count": 2, "replacement": "true", "average": "plain"},
}
#: by column a statement, its algorithm and header, and the constant that limits the column, with its power
CASES: dict[str, tuple[str, str, dict[str, Any], str, int]] = {
    "dissimilarity": (SARAH, "fedproxvr", VR, "dissimilarity", 1),
    "squared_gradient": ("fedprox.theorem1.general", "fedprox", PROX, "lipschitz_sample", 2),
    "mean_squared_device_gradient": ("fedprox.theorem1.general", "fedprox", PROX, "lipschitz_sample", 2),
}


def written(folder: Path, column: str, value: float, at: int) -> Path:
    """Thirty logs of three rounds with a constant of 1/2; the last has a value of a column in a round."""
    _, algorithm, tables, word, _ = CASES[column]
    constants = {**tables["constants"], word: "1/2"}
    for seed in range(30):
        noise = [0.1 + 0.01 * random.Random(f"{seed} {r}").random() for r in range(4)]
        columns = {"squared_gradient": noise, column: [*noise]}
        if seed == 29:
            columns[column][at] = value
        said = toml(algorithm, seed=seed, **{**tables, "constants": constants})  # type: ignore[arg-type]
        (folder / f"{seed}.csv").write_text(csv_of(columns, said.replace('"true"', "true")))
    return folder


@pytest.mark.parametrize("column", CASES)
@pytest.mark.parametrize("at", [0, 2])
def test_a_constant_that_a_column_exceeds(column: str, at: int, tmp_path: Path) -> None:
    """One value of one of thirty logs above the constant is enough; at the constant nothing is wrong."""
    id, *_, word, power = CASES[column]
    (row,) = fp.validate(id, history=written(tmp_path, column, 0.5**power, at)).results
    assert row.verdict == "consistent", row.detail

    wrong = written(tmp_path, column, 0.5**power * 1.001, at)
    with pytest.raises(
        DataError, match=rf"29.csv, round {at}: got {column} = .* at most the constant {word}.*, which"
    ) as caught:
        fp.validate(id, history=wrong)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("at", [1, 3])
def test_what_a_statement_does_not_assume_is_no_limit(at: int, tmp_path: Path) -> None:
    """A sigma2 in the mean over runs may be exceeded in one of them, and any after the last round."""
    id = f"{SARAH}.along" if at == 1 else SARAH
    (row,) = fp.validate(id, history=written(tmp_path, "dissimilarity", 9.0, at)).results

    assert row.verdict == "consistent"


@pytest.mark.parametrize(("gap", "refused"), [("0.9", False), ("0.899", True)])
def test_a_gap_that_the_losses_exceed(gap: str, refused: bool, tmp_path: Path) -> None:
    """The gap at the start is at least what the losses fall by."""
    constants = {**VR["constants"], "sigma2": 1, "initial_gap": gap}
    file = tmp_path / "run.csv"
    columns = {"loss": (1.0, 0.1, 0.5, 0.4), "squared_gradient": (1.0, 0.1, 0.1, 0.1)}
    file.write_text(csv_of(columns, toml(**{**VR, "constants": constants})))

    if not refused:
        assert fp.validate(history=file).results[0].verdict == "inconclusive"
        return
    with pytest.raises(DataError, match=r"initial_gap = 0.899, and losses of 1 and 0.1"):
        fp.validate(history=file)
