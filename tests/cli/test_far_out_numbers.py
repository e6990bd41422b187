"""Numbers that no double holds are refused in one line wherever a command reckons in doubles."""

from __future__ import annotations

from pathlib import Path

import pytest

from fedproof.cli import main

REGION = "region fedproxvr.lemma1.sarah beta tau L=1 lam=0 theta=1 mu=20"
PLAN = "plan quadratic --clients 2 --rounds 1"
LINES = [
    f"{PLAN} --epsilon 1e400", f"{PLAN} --epsilon 1e-400", f"{PLAN} --epsilon 1 --uplink 1e400",
    f"{PLAN} --epsilon 1 --downlink 1e400", f"{PLAN} --epsilon 1 --step-seconds 1e-400",
    f"{PLAN} --epsilon 1 --bits-per-value 1e400", f"{REGION} --window 3,1e400",
    "figure fedproxvr.figure1 gamma=1e-400,1 points=3 -o out",
    "run diana gradient_compressor=dithering levels=3 norm=1e400 --problem quadratic --rounds 1",
]  # fmt: skip
LOG = """# algorithm = "fedproxvr"
# [parameters]
# estimator = "sarah"
# mu = {mu}
# beta = 40
# tau = 60
# [constants]
# L = 1
# lam = 0
# sigma2 = {sigma2}
# least_loss = 0
round,loss,squared_gradient
0,0.7,0.12
1,0.5,0.08
"""


def one_line(capsys: pytest.CaptureFixture[str]) -> str:
    """What was said, which is one line."""
    out, said = capsys.readouterr()
    assert out == ""
    assert said.startswith("fedproof: ")
    assert said.count("\n") == 1
    return said


@pytest.mark.parametrize("line", LINES)
def test_a_number_beyond_the_doubles_is_refused(
    line: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is named, with what can be typed instead."""
    monkeypatch.chdir(tmp_path)

    assert main(line.split()) == 2
    assert "a number that a float can hold; use one between 1e-300 and 1e300" in one_line(capsys)


def test_an_effort_without_end_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """What multiplies the work of searches is bounded before they begin."""
    for effort in ("1e400", "1e99", "1000001"):
        assert main(["measure", "quadratic", "--effort", effort]) == 2
        assert f"effort: got {effort}, expected a number > 0, up to 1000000" in one_line(capsys)


@pytest.mark.parametrize("far", ['"1e400"', '"-1e400"', '"1e-400"'])
@pytest.mark.parametrize("letter", ["mu", "sigma2"])
def test_a_log_with_one_is_refused(
    letter: str, far: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Under its parameters and under its constants; the file is named."""
    path = tmp_path / "log.csv"
    path.write_text(LOG.format(**{"mu": "30", "sigma2": '"1/4"'} | {letter: far}))

    assert main(["validate", "--history", str(path)]) == 2
    said = one_line(capsys)
    assert f"log.csv: got {letter} = {far[1:-1]}, expected a number that a float can hold" in said


def test_more_runs_than_a_sweep_does_are_refused_and_not_announced(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """How many runs there will be is not said before it is said that there are too many."""
    assert main(["sweep", "fedavg", "--problem", "quadratic", "--seeds", "1000000000"]) == 2
    assert "seeds: got 1000000000, expected how many, from 1 to 1000000" in one_line(capsys)
