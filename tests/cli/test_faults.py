"""Interrupts at any moment, full disks, many runs: each is told in one line."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from fedproof.cli import main
from fedproof.vocabulary import files

START = [sys.executable, "-c", "import sys; from fedproof.start import main; sys.exit(main())"]
#: an interrupt as soon as a module is asked for, whatever the machine is busy with
PLANTED = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have told its children to ignore it
module = sys.argv.pop(1)
class At:
    def find_spec(self, name, path=None, target=None):
        if name == module:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, At())
from fedproof.start import main
sys.exit(main())
"""


@pytest.mark.parametrize("module", ["fedproof.cli", "typer", "numpy", "sympy", "fedproof.tuning.api"])
def test_an_interrupt_while_importing_is_one_line(module: str) -> None:
    """Exit 130 and one line, whatever was being imported."""
    command = [
        sys.executable,
        "-c",
        PLANTED,
        module,
        "tune",
        "fedproxvr",
        "L=1",
        "lam=0",
        "sigma2=0",
        "gamma=1",
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)

    assert done.returncode == 130
    assert done.stderr == "fedproof: interrupted; files that were written are kept\n"
    assert done.stdout == ""


def test_the_command_begins_before_anything_slow_is_imported() -> None:
    """Up to the line that catches an interrupt no module is imported that Python had not loaded itself."""
    text = (
        "import sys; before = {*sys.modules}; import fedproof.start; print(*sorted({*sys.modules} - before))"
    )
    done = subprocess.run(
        [sys.executable, "-c", text], capture_output=True, text=True, check=True, timeout=60
    )

    assert {name.partition(".")[0] for name in done.stdout.split()} == {"__future__", "fedproof"}


#: an interrupt while an object is finalised in the middle of a command, and while the interpreter ends
IN_FINALISER = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
import typer.main
real = typer.main.get_command
class Met:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(100): pass
def get_command(app):
    Met()
    return real(app)
typer.main.get_command = get_command
from fedproof.start import main
sys.exit(main())
"""
AT_EXIT = """
import atexit, os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
def late():
    os.kill(os.getpid(), signal.SIGINT)
    for _ in range(100): pass
atexit.register(late)
from fedproof.start import main
sys.exit(main())
"""


def test_an_interrupt_in_a_finaliser_is_not_forgotten() -> None:
    """Python would print three lines of it and go on; it is the one line of any interrupt."""
    done = subprocess.run(
        [sys.executable, "-c", IN_FINALISER, "list"], capture_output=True, text=True, timeout=60
    )

    assert done.stderr == "fedproof: interrupted; files that were written are kept\n"
    assert (done.returncode, done.stdout) == (130, "")


@pytest.mark.parametrize("line", [["list"], ["check", "nothing"]])
def test_an_interrupt_while_the_interpreter_ends_says_nothing(line: list[str]) -> None:
    """The answer, or the line of error, is out already; a shell calls the end 130."""
    plain, late = ("from fedproof.start import main; import sys; sys.exit(main())", AT_EXIT)
    done, met = (
        subprocess.run([sys.executable, "-c", text, *line], capture_output=True, text=True, timeout=60)
        for text in (plain, late)
    )

    assert (met.stdout, met.stderr) == (done.stdout, done.stderr)
    assert met.returncode == -signal.SIGINT


@pytest.mark.parametrize("wait", [0.15, 0.35, 0.7])
def test_an_interrupt_at_some_moment_is_one_line(wait: float) -> None:
    """A real SIGINT to the process, at three moments of a start; one that is done by then is done."""
    child = subprocess.Popen(
        [*START, "check", "fedproxvr.lemma1.sarah", "L=1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    time.sleep(wait)
    child.send_signal(signal.SIGINT)
    _, said = child.communicate(timeout=60)

    # before Python has come to the first line of ours the interpreter says what it likes
    if "fedproof/start.py" in said or "fedproof" in said.partition("\n")[0]:
        assert said.count("\n") == 1
        # the answer's own, ours, or what a shell calls 130 too: the interpreter was ending already
        assert child.returncode in (2, 130, -signal.SIGINT)


def test_a_full_disk_names_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    """What the system says of a temporary file, or of none, is said of the file that was to be written."""
    real = os.fdopen

    def full(handle: int, mode: str) -> Any:
        stream = real(handle, mode)
        monkeypatch.setattr(files.os, "fdopen", real)

        class Full:
            def __enter__(self) -> Any:
                return self

            def __exit__(self, *_: object) -> None:
                stream.close()

            def write(self, _: bytes) -> int:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        return Full()

    monkeypatch.setattr(files.os, "fdopen", full)
    run = ["sweep", "fedavg", "--problem", "quadratic", "--rounds", "1", "--seeds", "1", "-o", str(tmp_path)]
    assert main(run) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert str(tmp_path) in said
    assert said.rstrip().endswith("json: No space left on device")
    assert list(tmp_path.iterdir()) == []
    assert main(run) == 0


def test_many_runs_are_counted_at_once(capsys: Any) -> None:
    """How many they are is said before anything is made of them; few are not spoken of."""
    many = ["sweep", "fedavg", "--problem", "quadratic", "--rounds", "1", "--seeds", "10001", "nothing=1,2"]
    assert main(many) == 2
    assert capsys.readouterr().err.startswith("fedproof: 20002 runs, 2 settings from 10001 seeds each\n")
    few = ["sweep", "fedavg", "--problem", "quadratic", "--rounds", "1", "--seeds", "2"]
    assert main(few) == 0
    assert capsys.readouterr().err == ""


def test_ten_thousand_clients_of_the_synthetic_problem_are_refused_before_they_are_drawn(capsys: Any) -> None:
    """Their four and a half million rows took 4.4 GB; the line says how to have fewer."""
    begun = time.process_time()
    assert main(["describe", "synthetic", "--clients", "10000"]) == 2
    said = capsys.readouterr().err

    assert time.process_time() - begun < 5
    assert said.count("\n") == 1
    assert "most_samples" in said
