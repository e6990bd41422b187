"""What the README shows is run."""

from __future__ import annotations

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from fedproof.cli import main
from tests.structure.code import PACKAGE, ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The fenced blocks of the README in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.M | re.S)


def commands(program: str) -> list[str]:
    """The README's shell lines that start with a program's name."""
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    return [line for line in lines if shlex.split(line)[0] == program]


def verbs() -> set[str]:
    """The first column of the README's table of verbs."""
    return set(re.findall(r"^\| `(\w+)` \|", README, re.M))


def fedproof(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the installed command."""
    program = Path(sys.executable).with_name("fedproof")
    return subprocess.run([program, *arguments], cwd=folder, capture_output=True, text=True, timeout=120)


def test_the_readme_shows_something() -> None:
    """The README has the two make commands, a Python example and shell commands to run."""
    assert commands("make") == ["make report", "make test"]
    assert len(blocks("pycon")) >= 2
    assert len(commands("fedproof")) >= 5


def test_the_python_examples_run() -> None:
    """The README's Python examples, read one after the other, print what they say."""
    parser = doctest.DocTestParser()
    example = parser.get_doctest("\n".join(blocks("pycon")), {}, "README", "README.md", 0)
    said: list[str] = []
    outcome = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(example, out=said.append)

    assert outcome.failed == 0, "".join(said)
    assert outcome.attempted >= 11


@pytest.mark.parametrize("line", commands("fedproof"))
def test_a_shell_command_runs(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Each of the README's commands answers with exit code 0 and says something."""
    monkeypatch.chdir(tmp_path)
    code = main(shlex.split(line)[1:])
    said = capfd.readouterr()

    assert code == 0, said.err
    assert said.out.strip()


def test_the_verbs_are_the_commands(tmp_path: Path) -> None:
    """The README's table of verbs holds each command of the shell, and no other."""
    listed = fedproof("--help", folder=tmp_path).stdout.partition("Commands:")[2]

    assert set(re.findall(r"^  (\w+) ", listed, re.M)) == verbs()
    assert len(verbs()) >= 8


def test_the_make_targets_exist() -> None:
    """Each make command in the README is a target of the Makefile."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    missing = [line for line in commands("make") if f"\n{line.split()[1]}:" not in makefile]

    assert missing == []


def test_the_links_lead_somewhere() -> None:
    """Each relative link or picture of the README is a file or folder of the checkout."""
    targets = [t for t in re.findall(r"\]\(([^)#]+)\)", README) if "://" not in t]

    assert [t for t in targets if not (ROOT / t).exists()] == []
    assert len(targets) > 8


def test_the_rooms_are_all_named() -> None:
    """The README's table of rooms names every room of the package."""
    rooms = {p.parent.name for p in PACKAGE.glob("*/__init__.py")}

    assert [room for room in sorted(rooms) if f"](fedproof/{room})" not in README] == []
