"""A sweep and other commands that are killed or interrupted at a random moment."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

_START = [sys.executable, "-c", "import sys; from fedproof.start import main; sys.exit(main())"]
_SWEEP = ["sweep", "fedavg", "tau=2,3", "--problem", "quadratic", "--rounds", "3", "--seeds", "40"]
RUNS = 80
#: that Python is up and has read where the command begins: what comes earlier is the interpreter's own
_UP = "import sys; from fedproof.start import main; print('up', flush=True); sys.exit(main())"
_LINES = (
    ["check", "fedproxvr.lemma1.sarah", "L=1", "lam=0", "mu=20", "beta=30", "tau=40", "theta=1"],
    ["range", "fedproxvr.lemma1.svrg", "tau", "beta=400", "theta=1/2", "mu=200", "L=1", "lam=1/2"],
    ["tune", "fedproxvr.certified.sarah.sharpened", "L=1", "lam=0.5", "sigma2=1", "gamma=0.01", "--json"],
    ["run", "fedavg", "--problem", "quadratic", "--rounds", "400"],
    ["decide", "x**2 + y**2 >= 2*x*y"],
    ["list", "--json"],
    ["find", "local", "steps"],
    ["show", "composite.theorem3.5"],
    ["conditions"],
    ["describe", "digits", "--clients", "5"],
    ["measure", "quadratic", "--clients", "3", "--rounds", "2"],
    ["plan", "quadratic", "--clients", "3", "--epsilon", "0.1", "--rounds", "5", "--step-seconds", "1e-6"],
    ["sweep", "fedavg", "tau=2,3", "--problem", "quadratic", "--rounds", "50", "--seeds", "20"],
    ["validate", "fedproxvr.lemma1.sarah"],
    ["audit", "fedproxvr.eq39"],
)


def _metrics(folder: Path) -> dict[str, object]:
    return {file.name: json.loads(file.read_text())["metrics"] for file in folder.glob("*.json")}


def kill_fault(seed: int, number: int, whole: dict[str, object] | None = None) -> str:
    """A sweep killed or interrupted once, then gone on with: every run once, to the same bits.

    Of even numbers it is stopped after its first run is written, of odd ones at any moment of its start too.
    """
    rng = Random(f"kill {seed} {number}")
    stop = rng.choice((signal.SIGKILL, signal.SIGINT))
    with TemporaryDirectory() as where:
        folder = Path(where)
        line, quiet = [*_START, *_SWEEP, "-o", where], subprocess.DEVNULL
        child = subprocess.Popen(line, stdout=quiet, stderr=subprocess.PIPE, text=True)
        while number % 2 == 0 and child.poll() is None and not any(folder.glob("*.json")):
            time.sleep(0.01)
        time.sleep(rng.uniform(0, 0.3) if number % 2 == 0 else rng.uniform(0.3, 2.0))
        child.send_signal(stop)
        _, said = child.communicate(timeout=60)
        again = subprocess.run(
            [*_START, *_SWEEP, "-o", where, "--json"], capture_output=True, text=True, timeout=120
        )
        if again.returncode or again.stderr:
            return f"{stop.name}: going on ends with {again.returncode}: {again.stderr[:200]}"
        found = _metrics(folder)
        if len(found) != RUNS or (whole and found != whole):
            return f"{stop.name}: {len(found)} runs, or other bits"
    if stop == signal.SIGINT and "Traceback" in said and "fedproof" in said:
        return f"SIGINT: {said.splitlines()[-1:]}"
    return ""


def interrupt_fault(seed: int, number: int) -> str:
    """Ctrl-C at a random moment once the interpreter is up: one line and 130, or the answer."""
    rng = Random(f"interrupt {seed} {number}")
    line = rng.choice(_LINES)
    words, pipe = [sys.executable, "-c", _UP, *line], subprocess.PIPE
    child = subprocess.Popen(words, stdout=pipe, stderr=pipe, text=True)
    assert child.stdout is not None
    child.stdout.readline()
    time.sleep(rng.uniform(0.01, 1.2) * rng.choice((1, 1, 4)))
    child.send_signal(signal.SIGINT)
    _, said = child.communicate(timeout=60)
    # killed by the interrupt is what a shell calls 130 too: the interpreter was ending already
    fine = child.returncode in (0, 1, 130, -signal.SIGINT) and said.count("\n") <= 1
    quiet = not any(word in said for word in ("Traceback", "Exception ignored"))
    return "" if fine and quiet else f"{line}: {child.returncode} {said[-300:]!r}"


def whole_sweep() -> dict[str, object]:
    """What the sweep finds when nothing stops it."""
    with TemporaryDirectory() as where:
        subprocess.run([*_START, *_SWEEP, "-o", where], check=True, capture_output=True, timeout=120)
        return _metrics(Path(where))
