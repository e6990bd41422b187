"""What every end of a command must be: within time and memory, one line of error, a document where asked."""

from __future__ import annotations

import contextlib
import io
import json
import re
import resource
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from fedproof.cli import main

#: processor seconds, and bytes of memory that a command may add to what the process had
SECONDS, BYTES = 20.0, 1 << 30
#: the line by which work of over ten seconds is announced, and processor seconds for what was
ANNOUNCED_SECONDS = 60.0
ANNOUNCED = re.compile(r": at work for \d+ s.*; Ctrl-C ends it$")


@dataclass(frozen=True)
class End:
    """How a command ended."""

    code: int
    out: str
    said: str
    seconds: float
    grown: int


def ended(line: Sequence[str]) -> End:
    """A command of the shell in this process."""
    out, said = io.StringIO(), io.StringIO()
    before, begun = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(said):
        try:
            code = main(list(line))
        except SystemExit as stop:
            code = int(stop.code or 0)
        except BaseException:
            code = -1
            said.write(traceback.format_exc())
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    return End(code, out.getvalue(), said.getvalue(), time.process_time() - begun, grown)


def fault(line: Sequence[str], end: End, seconds: float = SECONDS) -> str:
    """What is wrong with an end; "" where nothing is."""
    if end.code not in (0, 1, 2) or "Traceback" in end.said:
        return f"exit {end.code}: {end.said.strip().splitlines()[-1:]}"
    said = "".join(text for text in end.said.splitlines(keepends=True) if not ANNOUNCED.search(text))
    if end.code == 2 and not (said.startswith("fedproof: ") and said.count("\n") == 1 and not end.out):
        return f"exit 2 with {said.count(chr(10))} lines and {len(end.out)} characters of output"
    if any(ord(c) < 32 and c != "\n" for c in end.said):
        return "a control character on stderr"
    if _asks_json(line) and end.code == 0 and "--help" not in line:
        try:
            json.loads(end.out, parse_constant=_none)
        except ValueError as error:
            return f"no document: {error}"
    if end.seconds > (seconds if said == end.said else ANNOUNCED_SECONDS):
        return f"{end.seconds:.0f} s of processor time"
    if end.grown > BYTES:
        return f"{end.grown >> 20} MiB of memory"
    return ""


def _asks_json(line: Sequence[str]) -> bool:
    """Whether a line has the flag, and not as the name of a folder."""
    return any(one == "--json" and before not in ("-o", "--output") for before, one in pairwise(["", *line]))


def _none(word: str) -> None:
    raise ValueError(word)
