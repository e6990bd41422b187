"""Logs that contradict themselves are refused in one line, and quickly."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

import fedproof as fp
from fedproof.solvers.cohort import Participation
from fedproof.solvers.metrics import METRICS
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


@pytest.mark.parametrize("text", ["1_0e-5", "\uff11", "0x1", "1e-5_0"])
def test_a_number_of_a_programs_source_is_no_number(text: str, tmp_path: Path) -> None:
    """What Python reads as a number and no log writes, underscores and other scripts' digits, is refused."""
    with pytest.raises(DataError, match=r"squared_gradient = .* in row 2, expected a number"):
        judged(tmp_path, f"0,0.69,0.12\n1,0.52,{text}\n2,0.43,0.05\n")
    lines = tmp_path / "run.jsonl"
    lines.write_text(f'{{"round": 0, "squared_gradient": "{text}"}}\n{{"round": 1, "squared_gradient": 1}}\n')
    with pytest.raises(DataError, match=r"squared_gradient = .* in line 1, expected a number"):
        fp.validate("fedproxvr.theorem1", history=str(lines))


@pytest.mark.parametrize("value", [-0.5, -1e-6, -1e-12])
def test_a_potential_below_zero_is_refused(value: float, tmp_path: Path) -> None:
    """A gap plus a square is at least 0, but for the rounding of the gap."""
    log = tmp_path / "run.csv"
    known = {"L": 1, "n": 3, "sigma2": 0, "B_g": 0, "Omega1": 1, "eta": "1/20", "eta_g": 2, "tau": 1, "b": 1}
    said = "".join(f'# {name} = "{number}"\n' for name, number in known.items())
    log.write_text(
        f'# algorithm = "fedcomposite"\n# [parameters]\n{said}round,potential\n0,1\n1,0.5\n2,{value}\n'
    )
    if value > -1e-9:
        assert fp.validate("composite.theorem3.6", history=str(log)).results[0].verdict != "consistent"
        return
    with pytest.raises(DataError, match=r"potential = -.* in round 2, expected a gap plus a square"):
        fp.validate("composite.theorem3.6", history=str(log), header={"constants": {"mu": "1/2"}})


@pytest.mark.parametrize("whole", [True, False])
def test_an_omega_beside_a_record_is_that_of_its_compressor(whole: bool, tmp_path: Path) -> None:
    """A header cannot say that a compressor adds no variance: the record names it, and omega is computed."""
    chosen = {"stepsize": "0.1", "shift_stepsize": "0.1", "gradient_compressor": "natural"}
    history = fp.run("diana", "quadratic", rounds=2, participation=Participation(average="plain"), **chosen)
    given = history if whole else json.loads(to_json(history.to_dict()))
    with pytest.raises(InputError, match=r"compression_variance = .*expected one value"):
        fp.validate("flecs.theorem5.repaired", history=given, header={"constants": {"omega": 0}})
    same = fp.validate("flecs.theorem5.repaired", history=given, header={"constants": {"omega": "1/8"}})
    assert same.results[0].verdict != "consistent"


def test_a_function_of_ones_own_has_a_name_of_its_own() -> None:
    """A record is judged by the names of its metrics, so that none of them may mean something else."""
    for name in ("squared_gradient", "squared_prox_gradient", "loss"):
        with pytest.raises(InputError, match=f"a function of your own called {name}"):
            fp.run("fedavg", "quadratic", rounds=1, metrics={name: lambda *_: 0.0})
    own = {"squared_gradient": METRICS["squared_gradient"], "mine": lambda *_: 0.0}
    assert set(fp.run("fedavg", "quadratic", rounds=1, metrics=own).metrics) == {"squared_gradient", "mine"}


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
