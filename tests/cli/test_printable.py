"""Names that would move a terminal's cursor, or that look like markup, are shown as they are."""

from __future__ import annotations

import io
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fedproof import terminal
from fedproof.cli import main

ROWS = "a,b,label\n1,2,0\n3,4,1\n1,1,0\n2,2,1\n"
DEAL = ["--split", "iid", "--clients", "2"]


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    """A table whose name is red in a terminal, and no markup."""
    path = tmp_path / "\x1b[31m[bold]x[red].csv"
    path.write_text(ROWS)
    return path


def test_no_escape_reaches_the_terminal(
    odd: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither by what is read, nor by a headline, nor by an error; nobody says that it is still at work."""
    monkeypatch.setattr(terminal, "SILENT", 600.0)
    assert main(["measure", str(odd), *DEAL]) == 0
    assert main(["measure", f"{odd}.none"]) == 2
    said = capsys.readouterr()

    assert "\x1b" not in said.out + said.err
    assert said.err.count("\\x1b[31m[bold]x[red]") == 2
    assert "\\x1b[31m[bold]x[red], 2 clients" in said.out


def test_a_progress_bar_shows_markup_as_it_is(odd: Path) -> None:
    """A sweep on a terminal ends well, and the name in its bar is not read as markup."""
    sweep = ["sweep", "fedavg", "--problem", str(odd), *DEAL, "--rounds", "2", "--seeds", "2"]
    command = [sys.executable, "-m", "fedproof", *sweep, "stepsize=0.1", "local_steps=1"]
    main_end, other = pty.openpty()
    done = subprocess.Popen(command, stderr=other, stdout=subprocess.DEVNULL,
                            env={**os.environ, "TERM": "xterm", "COLUMNS": "200"})  # fmt: skip
    os.close(other)
    said = io.BytesIO()
    try:
        while piece := os.read(main_end, 4096):
            said.write(piece)
    except OSError:
        pass
    assert done.wait(timeout=60) == 0
    assert re.search(rb"fedavg on \S*\\x1b\[31m\[bold\]x\[red\]\.csv", said.getvalue())
