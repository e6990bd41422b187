"""Logs that contradict themselves are refused in one line, and quickly."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import fedproof as fp
from fedproof.vocabulary.errors import DataError, InputError
from fedproof.vocabulary.result import to_json
from tests.validate.logs_for_tests import ran

HEADER = """# algorithm = "fedproxvr"
# [parameters]
# estimator = "sarah"
# mu = 30
# beta = 40
# tau = 60
# [constants]
# L = 1
# lam = 0
# sigma2 = "1/4"
# least_loss = {least}
round,loss,squared_gradient
"""


def judged(folder: Path, rows: str, least: str = "0", old: str = "", new: str = "") -> str:
    """The verdict on a log of these rows."""
    file = folder / "run.csv"
    file.write_text(HEADER.format(least=least).replace(old, new) + rows)
    return fp.validate(history=str(file)).results[0].verdict


def test_the_honest_twin_is_judged(tmp_path: Path) -> None:
    """One run of three rows is too few to decide and is read."""
    assert judged(tmp_path, "0,0.69,0.12\n1,0.52,0.08\n2,0.43,0.05\n") == "inconclusive"


@pytest.mark.parametrize(("rows", "least", "said"), [
    ("0,0.69,0.12\n1,0.52,-0.08\n2,0.43,0.05\n", "0", "a square, which is at least 0"),
    ("0,0.69,0.12\n1,0.52,0.08\n2,0.43,0.05\n", "0.5", "a loss of 0.43"),
    ("0,0.69,0.12\n99999999999999999999,0.5,0.1\n", "0", "no squared_gradient in round 1"),
])  # fmt: skip
def test_what_cannot_be_is_refused(tmp_path: Path, rows: str, least: str, said: str) -> None:
    """A negative square, a loss below the least one, rounds without end."""
    with pytest.raises(DataError, match=said) as caught:
        judged(tmp_path, rows, least)
    assert "\n" not in str(caught.value)


def test_names_that_are_numbers_are_refused(tmp_path: Path) -> None:
    """`algorithm = 5` is no name."""
    with pytest.raises(InputError, match="algorithm = 5"):
        judged(tmp_path, "0,0.69,0.12\n1,0.5,0.1\n", "0", '"fedproxvr"', "5")


LINES = """{"header": {"algorithm": "fedproxvr", "seed": 1}}
{"round": 0, "squared_gradient": 1}
{"round": 1, "squared_gradient": 2}
"""


@pytest.mark.parametrize(("old", "new", "said"), [
    ('1, "squared_gradient": 2', '1, "squared_gradient": 9, "squared_gradient": 2', "squared_gradient twice"),
    ('"seed": 1', '"seed": 1, "seed": 2', "seed twice"),
    ("2}", "false}", "squared_gradient = False in line 3"),
])  # fmt: skip
def test_json_lines_say_each_number_once_and_as_a_number(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    """Of a key that stands twice no value is chosen, and a truth value is no 0."""
    file = tmp_path / "run.jsonl"
    file.write_text(LINES.replace(old, new))
    with pytest.raises(DataError, match=said):
        fp.validate(history=str(file))


@pytest.mark.parametrize(("old", "new", "said"), [
    ('"rounds": 3', '"rounds": 2, "rounds": 3', "rounds twice"),
    ('"squared_gradient": [', '"squared_gradient": [true, ', "a truth value, which is no number"),
])  # fmt: skip
def test_a_record_says_each_number_once_and_as_a_number(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    """A record is read as JSON lines are."""
    document = {name: value for name, value in ran(0).to_dict().items() if name != "sha256"}
    document["metrics"]["squared_gradient"] = document["metrics"]["squared_gradient"][: 4 - ("true" in new)]
    text = to_json(document)
    file = tmp_path / "run.json"
    file.write_text(text.replace(old, new, 1))
    assert old in text
    with pytest.raises(DataError, match=said):
        fp.validate(history=str(file))


def test_a_frame_of_truth_values_is_no_column_of_numbers() -> None:
    """False in a DataFrame is no squared gradient of 0."""
    frame = pd.DataFrame({"round": [0, 1], "squared_gradient": [True, False]})
    with pytest.raises(DataError, match="squared_gradient = True in row 1"):
        fp.validate(history=frame, header={"algorithm": "fedproxvr"})
