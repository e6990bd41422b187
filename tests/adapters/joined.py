"""Logs of one setting as one file: their header once, and a column for the seed."""

from __future__ import annotations

from pathlib import Path


def joined(folder: Path) -> str:
    """The logs `seed0.csv`, `seed1.csv`, ... of a folder as the text of one."""
    files = sorted(folder.glob("seed*.csv"), key=lambda file: int(file.stem[4:]))
    parts = []
    for file in files:
        lines = file.read_text(encoding="utf-8").splitlines()
        above = [line for line in lines if line.startswith("#") and not line.startswith("# seed")]
        head, *rows = [line for line in lines if not line.startswith("#")]
        parts += [f"{file.stem[4:]},{row}" for row in rows]
    return "\n".join([*above, f"seed,{head}", *parts]) + "\n"
