"""What the tests of sweeps share: a small sweep, and everything a result says, bit for bit."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from fedproof.solvers.history import History
from fedproof.solvers.runs.sweep import sweep
from fedproof.solvers.runs.sweep_result import Sweep

SMALL: dict[str, Any] = {
    "problem": "synthetic", "clients": 3, "grid": {"tau": [1, 3], "mu": [0, "1/3"]}, "seeds": 3, "rounds": 2,
    "beta": 4,
}  # fmt: skip
CHILD = """
import json, sys, time
from fedproof.solvers.runs.sweep import sweep
sweep("fedproxvr", **json.loads(sys.argv[1]), folder=sys.argv[2], progress=lambda _: time.sleep({pause}))
"""


def small(**changes: Any) -> Sweep:
    """The small sweep, with changes."""
    return sweep("fedproxvr", **(SMALL | changes))


@cache
def whole() -> Sweep:
    """The small sweep, done once."""
    return small()


def start(folder: Path, pause: float = 0.0, **changes: Any) -> subprocess.Popen[str]:
    """The small sweep in a process of its own that waits a little after each run."""
    command = [sys.executable, "-c", CHILD.format(pause=pause), json.dumps(SMALL | changes), str(folder)]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)


def bits(histories: Iterable[History]) -> list[str]:
    """All that the histories hold; floats as text are exact."""
    return [
        json.dumps([h.to_dict(), {k: v.tolist() for k, v in h.state.items()}], sort_keys=True)
        for h in histories
    ]


def files(folder: Path) -> dict[str, tuple[int, bytes]]:
    """The finished runs of a folder: when each was written, and its content."""
    return {p.name: (p.stat().st_mtime_ns, p.read_bytes()) for p in folder.glob("*.json")}
