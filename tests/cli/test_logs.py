"""`validate --history`: exit codes, the header's file, one line where it cannot be meant."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fedproof.cli import main
from tests.validate.logs_for_tests import csv_run


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """The exit code and what was written."""
    code = main(["validate", *arguments])
    out, err = capsys.readouterr()
    return code, out, err


def written(folder: Path, count: int, scale: float = 1) -> Path:
    """A folder with logs."""
    folder.mkdir()
    for seed in range(count):
        (folder / f"run{seed}.csv").write_text(csv_run(seed, scale))
    return folder


def test_the_exit_code_says_whether_theory_was_obeyed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """0 for runs that obey, 1 for runs that do not; what is taken on trust is shown in both forms."""
    good, bad = written(tmp_path / "good", 30), written(tmp_path / "bad", 60, 1000)
    code, out, err = call(capsys, "--history", str(good), "--json")
    row = json.loads(out)["results"][0]

    assert (code, err, row["verdict"], row["seeds"]) == (0, "", "consistent", 30)
    assert "L = 1: given in the log" in row["rests_on"]
    assert "given in the log" in call(capsys, "--history", str(good))[1]
    assert call(capsys, "--history", str(bad), "--json")[0] == 1


def test_a_header_beside_the_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Lines of TOML and a bare CSV are what the CSV with a header is."""
    lines = csv_run(0).splitlines()
    whole, bare, header = (tmp_path / name for name in ("whole.csv", "bare.csv", "header.toml"))
    whole.write_text("\n".join(lines))
    bare.write_text("\n".join(line for line in lines if not line.startswith("#")))
    header.write_text("\n".join(line[2:] for line in lines if line.startswith("#")))
    one, two = (
        json.loads(call(capsys, "--history", *given, "--json")[1])["results"][0]
        for given in ([str(whole)], [str(bare), "--header", str(header)])
    )

    assert (one["measured"], one["bound"]) == (two["measured"], two["bound"])
    assert one["bound"] is not None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("\n1,", "\n7,"), "round 2 after round 7"),
        (("sigma2 = ", "sigma3 = "), "got sigma3"),
        (("squared", "squared"), "nothing.csv"),
    ],
)
def test_what_cannot_be_meant_is_one_line(
    change: tuple[str, str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit 2, nothing on stdout, one line on stderr."""
    path = tmp_path / ("nothing.csv" if said == "nothing.csv" else "run.csv")
    if path.name == "run.csv":
        path.write_text(csv_run(0).replace(*change))
    code, out, err = call(capsys, "--history", str(path), "--json")

    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
