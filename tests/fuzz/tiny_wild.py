"""Lines with something wrong in them, and files that are damaged, which a command must refuse in one line."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

from tests.fuzz import drawing

#: flags with what is far out, of another kind, or not there
_FLAGS = (
    ("--rounds", "99999999999999999999"), ("--rounds", "-1"), ("--rounds", "1.5"), ("--seeds", "1000000000"),
    ("--seeds", "0"), ("--clients", "1000000000"), ("--clients", "0"), ("--clients", "9" * 30),
    ("--workers", "100000"), ("--workers", "0"), ("--cohort", "1000000000"), ("--cohort", "0"),
    ("--seed", "9" * 30), ("--seed", "-1"), ("--problem-seed", "9" * 30), ("--epsilon", "1e400"),
    ("--epsilon", "0"), ("--epsilon", "nan"), ("--uplink", "-1"), ("--bits-per-value", "1e999"),
    ("--step-seconds", "inf"), ("--effort", "1e99"), ("--effort", "0"), ("--metric", "x"),
    ("--average", "mean"), ("--probability", "0.5"), ("--weights", "heavy"), ("--split", "nonsense"),
    ("--label", "nobody"),
    ("--client", "[/b]"), ("--delimiter", "ab"), ("--missing", "perhaps"), ("--standardise", "2"),
    ("--ignore", "a,,b"), ("--labels-per-client", "99"), ("--kernel", "fast"), ("--option", "x=1"),
    ("--option", "split"), ("--option", "test_fraction=1"), ("--option", "dimension=1e9"),
    ("--option", "model=nonsense"), ("--option", "samples=99999"), ("--option", "l2=1e30"),
    ("--history", "."),
    ("--history", "/nowhere"), ("--header", "nothing.toml"), ("--problem", "nowhere.csv"), ("--problem", ""),
    ("--scheduler", "tcp://x"), ("--scheduler", "8786"), ("--fmt", "bmp"), ("--algorithm", "sgd"),
    ("--toml",),
    ("--flower",), ("--json", "--toml"), ("--help",), ("--nothing",), ("-o", ""), ("-o", "own.txt"),
    ("-o", "own.txt/x"), ("--replacement",),
)  # fmt: skip
_MORE_WILD = (
    "\udc80", "a" * 300, "a/../b", "1e30", "-1e30", "1e-30", "inf", "full", "none", "[1]", "x\ny", "0.1,0.1",
    ",", "1,,2", "sarah",
)  # fmt: skip
#: verbs that take long where a word of theirs is left out, such as the size of a figure
_BOUNDED = ("figure", "validate", "audit", "plan", "measure")
_REPORTS = (
    ["report", "--workers", "0"], ["report", "-o", "own.txt"], ["report", "x"], ["report", "--nothing"],
    ["report", "-o", "own.txt/x"], ["report", "--help"], ["report", "--workers"],
)  # fmt: skip


def broken(rng: Random, line: list[str], folder: Path) -> list[str]:
    """A valid line with a word left out, twice, foreign or far out, or with its file damaged."""
    (folder / "own.txt").write_text("x\n")
    if rng.random() < 0.03:
        return list(rng.choice(_REPORTS))
    if rng.random() < 0.35 and _damage(rng, folder) and rng.random() < 0.8:
        return line
    line = list(line)
    for _ in range(rng.randint(1, 2)):
        _worsen(rng, line)
    return [word.replace("\0", "") for word in line]


def _worsen(rng: Random, line: list[str]) -> None:
    """One thing made wrong, in place."""
    kept = line[0] in _BOUNDED
    place = rng.randrange(1, len(line)) if len(line) > 1 else 0
    valued = [at for at, word in enumerate(line) if "=" in word]
    match rng.randrange(6):
        case 0 if not kept:
            del line[place]
        case 1 if not kept:
            line[place:place] = line[place : place + 1]
        case 2 if valued:
            at = rng.choice(valued)
            wild = rng.choice((*drawing.WILD, *_MORE_WILD))
            line[at] = f"{line[at].partition('=')[0]}={wild}"
        case 3 if not kept:
            word = list(line[place] or "x")
            word[rng.randrange(len(word))] = chr(rng.choice((0x41, 0x3D, 0x2E, 0x1B, 0x7F, 0x3B1, 0x202E)))
            line[place] = "".join(word)
        case 4:
            line.append(f"{rng.choice(('L', 'tau', 'eta', 'rounds', 'xx'))}={rng.choice(drawing.WILD)}")
        case _:
            flag = rng.choice(_FLAGS)
            if flag[0] in line and len(flag) > 1 and flag[0] != "--option":
                line[line.index(flag[0]) + 1 : line.index(flag[0]) + 2] = flag[1:]
            else:
                line += flag


def _damage(rng: Random, folder: Path) -> bool:
    """One of the files in the folder with bytes changed, cut, repeated or put in; False if it has none."""
    files = sorted(p for p in folder.rglob("*") if p.is_file() and p.suffix != ".py")
    if not files:
        return False
    path = rng.choice(files)
    if path.suffix == ".json" and rng.random() < 0.5:
        path.write_text(drawing.record(rng.randrange(1 << 32), 0, json.loads(path.read_text())))
    else:
        path.write_bytes(drawing.worsened(rng, path.read_bytes()))
    return True
