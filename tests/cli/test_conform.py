"""`fedproof conform`: documents, exit codes, and what a user's code prints."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from fedproof.cli import main

MINE = """
print("loaded")


def right(w, clients, *, lr, epochs, mu):
    print("working")
    new = 0
    for client in clients:
        u = w
        for _ in range(epochs):
            u = u - lr * (client.gradient(u) + mu * (u - w))
        new = new + client.size * u
    return new / sum(client.size for client in clients)


def wrong(w, clients, *, lr, epochs, mu):
    return right(w, clients, lr=lr, epochs=epochs, mu=0)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a user's file, which the commands are run in."""
    (tmp_path / "mine.py").write_text(MINE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_document(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One JSON document on stdout with the contract's keys; what the user's code prints is on stderr."""
    assert main(["conform", "mine.py:right", "--json"]) == 0
    out, err = capsys.readouterr()
    found = json.loads(out)

    assert list(found) == [
        "schema", "fedproof", "function", "algorithm", "conforms", "form", "precision", "error", "checks",
        "diagnosis", "notes",
    ]  # fmt: skip
    assert (found["function"], found["algorithm"], found["conforms"]) == ("mine.py:right", "fedprox", True)
    assert list(found["checks"][0]) == ["name", "tests", "passed", "got", "expected", "error"]
    assert err.splitlines()[:2] == ["loaded", "working"]


def test_a_wrong_one_exits_with_1(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The mistake is named on the first line, and the check that shows it has its numbers."""
    assert main(["conform", "mine.py:wrong"]) == 1
    out = capsys.readouterr().out

    assert out.startswith("mine.py:wrong as fedprox does not conform: the proximal term is missing")
    assert "(1.58927, -0.106445)" in out
    assert "(1.85131, -0.565674)" in out
    assert main(["conform", "mine.py:wrong", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["diagnosis"][0] == "the proximal term is missing"


@pytest.mark.parametrize(
    "arguments", [["mine.py:nothing"], ["nowhere:f"], ["mine.py"], ["mine.py:right", "--algorithm", "adam"]]
)
def test_bad_input_exits_with_2(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    """What leads nowhere is one line on stderr."""
    assert main(["conform", *arguments]) == 2
    out, err = capsys.readouterr()

    assert out == ""
    assert err.splitlines()[-1].startswith("fedproof: ")


def test_it_answers_without_the_heavy_libraries(folder: Path) -> None:
    """Judging a function loads NumPy, and neither SymPy nor pandas, SciPy or an engine."""
    code = (
        "import sys\nfrom fedproof.cli import main\n"
        "assert main(['conform', 'mine.py:wrong', '--json']) == 1\n"
        "heavy = {'sympy', 'pandas', 'scipy', 'z3', 'cvc5', 'sklearn'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, timeout=60
    )

    assert done.stderr.splitlines()[-1] == "[]"


def test_the_help_says_that_code_is_run(capsys: pytest.CaptureFixture[str]) -> None:
    """Who asks for help reads that the function is imported and called."""
    assert main(["conform", "--help"]) == 0
    assert "Imports and runs your code" in " ".join(capsys.readouterr().out.split())
