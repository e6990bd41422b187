"""Flags of a user's data: options of the problem in the shell's way, and the line on stderr."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fedproof.cli import main
from tests.problems.test_tables import HOSPITALS

ASKED = ["--client", "hospital", "--label", "outcome", "--missing", "mean"]
VERBS = {
    "describe": [],
    "measure": ["--rounds", "1", "--seeds", "2"],
    "run": ["--rounds", "1"],
    "sweep": ["--rounds", "1", "--seeds", "1"],
}


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A table of hospitals."""
    (tmp_path / "hospitals.csv").write_text(HOSPITALS)
    return str(tmp_path / "hospitals.csv")


def command(verb: str, path: str, *more: str) -> list[str]:
    """A verb on a file."""
    asked = [path] if verb in ("describe", "measure") else ["fedavg", "tau=2", "eta=1e-4", "--problem", path]
    return [verb, *asked, *VERBS[verb], *more]


@pytest.mark.parametrize("verb", VERBS)
def test_flags_are_options(verb: str, path: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A flag and the option of its name make one document, and one line on stderr says what was read."""
    documents = []
    options = [f"{flag[2:]}={value}" for flag, value in zip(ASKED[::2], ASKED[1::2], strict=True)]
    for given in (ASKED, [part for option in options for part in ("--option", option)]):
        assert main(command(verb, path, *given, "--json")) == 0
        out, err = capsys.readouterr()
        documents.append(json.loads(out))
        assert err.startswith("fedproof: hospitals.csv: 6 rows, 1 column of numbers and 1 of text")
        assert err.count("\n") == 1

    for document in documents:
        for constant in document.get("constants", {}).values():
            constant.get("cost", {}).pop("seconds", None)
    assert documents[0] == documents[1]


def test_labels_per_client_is_a_flag(capsys: pytest.CaptureFixture[str]) -> None:
    """The flag is the option of the split that deals by label."""
    documents = []
    for given in (["--labels-per-client", "3"], ["--option", "labels_per_client=3"]):
        assert main(["describe", "digits", "--clients", "4", *given, "--json"]) == 0
        documents.append(json.loads(capsys.readouterr().out))
    assert documents[0] == documents[1]
    assert "3 labels" in documents[0]["problem"]


def test_measure_says_what_was_read(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The line of stderr stands in the document under data, with every name."""
    assert main(command("measure", path, *ASKED, "--json")) == 0
    out, err = capsys.readouterr()
    read = json.loads(out)["data"]["read"]

    assert err == f"fedproof: {read['line']}\n"
    assert read["clients"] == ["Clinic, North", "Hospital 2", "Hospital 10", "St. Mary"]
    assert (read["classes"], read["filled_values"]) == (["ill", "well"], 2)
    assert read["missing"] == {"age": 1, "sex": 1}
    assert read["largest"] == {"client": "Hospital 2", "rows": 3}
    assert read["columns"] == {"numeric": 1, "one_hot": {"sex": 2}, "features": ["age", "sex=f", "sex=m"]}


@pytest.mark.parametrize("verb", ["measure", "run", "sweep"])
def test_quiet_is_quiet(verb: str, path: str, capsys: pytest.CaptureFixture[str]) -> None:
    """With --quiet nothing is said."""
    assert main(command(verb, path, *ASKED, "--quiet")) == 0
    assert capsys.readouterr().err == ""


def test_shipped_data_need_no_line(capsys: pytest.CaptureFixture[str]) -> None:
    """What ships with the package is known; --split is a flag there too."""
    assert main(["describe", "digits", "--split", "iid", "--clients", "7", "--json"]) == 0
    out, err = capsys.readouterr()

    assert "digits, 7 clients, iid" in json.loads(out)["problem"]
    assert err == ""


@pytest.mark.parametrize(("given", "message"), [
    (["--missing", "drop"], "client=hospital or split=iid, in the shell --client hospital or --split iid"),
    (["--client", "hospitl"], "expected one of hospital, age, sex, outcome; did you mean hospital?"),
    (["--client", "hospital"], "write missing=drop or missing=mean"),
    (["--client", "hospital", "--option", "client=age"], "client: got age and hospital, expected one value"),
    (["--client", "hospital", "--client", "age"], "client: got hospital and age, expected one value"),
    (["--client", "5"], "write clients=5 for a number of clients"),
    (["--split", "idd"], "split: got idd"),
    (["--client", "hospital", "--missing", "keep"], "missing: got keep, expected one of error, drop, mean"),
])  # fmt: skip
def test_what_cannot_be_meant_is_one_line(
    given: list[str], message: str, path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit 2, and one line with what to type instead."""
    assert main(command("measure", path, *given)) == 2
    out, err = capsys.readouterr()

    assert message in err
    assert (out, err.count("\n")) == ("", 1)


def test_a_name_that_looks_like_a_number_is_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A column called 0.50 is found by a sweep too, where other options are numbers."""
    (tmp_path / "d.csv").write_text("0.50,x,y\na,1,0\na,2,1\nb,3,1\n")
    arguments = command("sweep", str(tmp_path / "d.csv"), "--client", "0.50")

    assert main([*arguments, "--json"]) == 0
    assert "2 clients by 0.50" in capsys.readouterr().err
