"""A reader that has seen enough, a compiler that is switched off: the command line bears both."""

from __future__ import annotations

import subprocess
import sys

import pytest

from fedproof.pipe import exit_code

RUN = ["run", "fedavg", "--problem", "quadratic", "--rounds", "2", "stepsize=0.1", "tau=2"]


@pytest.mark.parametrize("arguments", [RUN, [*RUN, "--json"], ["list"], ["list", "--json"], ["--help"]])
def test_a_closed_pipe_ends_quietly(arguments: list[str]) -> None:
    """Nothing on stderr, and the exit code of a program that the closed pipe ended: 128 + 13."""
    command = "import sys; from fedproof.cli import main; sys.exit(main(sys.argv[1:]))"
    child = subprocess.Popen(
        [sys.executable, "-c", command, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    child.stdout.close()
    assert child.stderr is not None
    said = child.stderr.read()
    child.stderr.close()

    assert (child.wait(timeout=60), said) == (141, "")


def test_the_kernel_that_cannot_compile_is_left() -> None:
    """With numba switched off a run is NumPy's; asked for numba, it says why not in one line."""
    command = "import sys; from fedproof.cli import main; sys.exit(main(sys.argv[1:]))"
    run = [sys.executable, "-c", command, "run", "fedproxvr", "--problem", "breast_cancer", "--rounds", "1"]
    pytest.importorskip("numba")
    off = {"NUMBA_DISABLE_JIT": "1", "PATH": ""}
    done = subprocess.run([*run, "--json"], capture_output=True, text=True, timeout=60, env=off)
    asked = subprocess.run([*run, "--kernel", "numba"], capture_output=True, text=True, timeout=60, env=off)

    assert (done.returncode, done.stderr) == (0, "")
    assert '"kernel": "numpy"' in done.stdout
    assert asked.returncode == 2
    assert asked.stderr.startswith("fedproof: kernel: got numba, which fails")
    assert asked.stderr.count("\n") == 1


def test_an_interrupt_that_python_met_between_its_own_steps_is_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It comes as the cause of an error of the interpreter; another such error is not taken for it."""

    def interrupted(cause: BaseException) -> None:
        raise SystemError("returned a result with an exception set") from cause

    assert exit_code(lambda: interrupted(KeyboardInterrupt())) == 130
    assert capsys.readouterr().err == "fedproof: interrupted; files that were written are kept\n"
    with pytest.raises(SystemError):
        exit_code(lambda: interrupted(ValueError()))
