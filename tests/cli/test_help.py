"""Help of every command ends in two examples that can be typed, and the shell completes names."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from fedproof.cli import app, main
from fedproof.completing import EXAMPLES
from tests.structure.code import ROOT

COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]


def test_every_command_has_examples() -> None:
    """The table of examples is of the commands, and of no others."""
    assert set(EXAMPLES) == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_ends_in_two_examples(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The last lines of `--help` are two different uses of the command, whole lines that can be copied."""
    assert main([name, "--help"]) == 0
    *_, title, first, second = [line.strip() for line in capsys.readouterr().out.rstrip().splitlines()]

    assert title == "Examples:"
    assert [first, second] == [f"fedproof {line}" for line in EXAMPLES[name]]
    assert first != second


@pytest.mark.parametrize("line", [line for lines in EXAMPLES.values() for line in lines])
def test_an_example_is_understood(line: str) -> None:
    """Each example has what its command takes; a misspelt option is refused, where it is no hypothesis."""
    name, *arguments = shlex.split(line)

    assert COMMANDS[name].make_context(name, list(arguments)).params
    if name == "decide":
        return
    with pytest.raises(Exception, match="No such option"):
        COMMANDS[name].make_context(name, [*arguments, "--jsn"])


def completed(*words: str, folder: Path) -> list[str]:
    """What bash offers after these words, where the one line of the README was typed."""
    script = """
        eval "$(_FEDPROOF_COMPLETE=source_bash fedproof)"
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _fedproof_completion fedproof
        printf '%s\\n' "${COMPREPLY[@]}"
    """
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    env = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)}
    command = ["bash", "-c", script, "bash", *words]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_completes_commands_ids_and_keys(tmp_path: Path) -> None:
    """With completion installed bash knows commands, statements, algorithms and papers."""
    assert completed("fedproof", "decid", folder=tmp_path) == ["decide"]
    assert completed("fedproof", "check", "fedproxvr.lemma1.sarah", folder=tmp_path) == [
        "fedproxvr.lemma1.sarah",
        "fedproxvr.lemma1.sarah.sharpened",
    ]
    assert completed("fedproof", "run", "fedmspp", folder=tmp_path) == ["fedmspp"]
    assert completed("fedproof", "list", "comp", folder=tmp_path) == ["composite"]


def test_completion_installs_by_one_line(tmp_path: Path) -> None:
    """The README's line writes what a shell reads at its start, into the user's home alone."""
    assert "fedproof --install-completion" in (ROOT / "README.md").read_text(encoding="utf-8")
    env = {**os.environ, "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    env["_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION"] = "1"
    program = [Path(sys.executable).with_name("fedproof"), "--install-completion", "bash"]
    done = subprocess.run(program, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=60)

    assert done.returncode == 0, done.stderr
    assert "_fedproof_completion" in (tmp_path / ".bash_completions" / "fedproof.sh").read_text(
        encoding="utf-8"
    )
    assert "fedproof.sh" in (tmp_path / ".bashrc").read_text(encoding="utf-8")
