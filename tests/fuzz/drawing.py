"""Command lines and files, drawn from a seed: half of the lines are valid by the registry of statements."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from fedproof.bounds import catalog
from fedproof.vocabulary.papers import papers

WILD = (
    "1e79", "1e-79", "1e999", "1e9999", "-1", "0", "", "nan", "inf", "1/0", "0x10", "1e400", "9" * 41, "1/3",
    "sqrt(2)", "sqrt(-1)", "2^999", "2^-999", "7e38", "1e15", "--", "\x1b[2J", "[/b]", "é" * 5, "1_000",
    "1,2", "__import__('os')", "1e-300", "0.5.5", "=", "None", "True",
)  # fmt: skip
_VERBS = (
    "check", "range", "tune", "show", "find", "list", "run", "sweep", "describe", "measure", "validate",
    "decide", "figure", "plan", "conform", "new", "audit", "nonsense", "",
)  # fmt: skip
_FLAGS = (
    "--json", "--toml", "--rounds", "--seed", "--clients", "--problem", "--option", "--workers", "--quiet",
    "--nothing", "-o", "--history", "--cohort", "--help",
)  # fmt: skip
TUNED = {
    "fedproxvr": ("L", "lam", "sigma2", "gamma"),
    "fedproxvr.certified.sarah": ("L", "lam", "sigma2", "gamma"),
    "fedproxvr.certified.svrg": ("L", "lam", "sigma2", "gamma"),
    "fedproxvr.certified.sarah.sharpened": ("L", "lam", "sigma2", "gamma"),
    "fedproxvr.certified.svrg.sharpened": ("L", "lam", "sigma2", "gamma"),
    "composite": ("L", "n", "sigma2", "B_g", "Omega1", "eps"),
    "composite.theorem3.6": ("L", "n", "sigma2", "B_g", "Omega1", "eps", "mu"),
    "fedprox": ("L", "G", "Delta", "epsilon"),
    "fedprox.theorem1.general": ("L", "G", "Delta", "epsilon"),
}


def value(rng: Random, domain: Any = None, whole: bool = False) -> str:
    """A number in its domain, most of them plain, some far out."""
    if whole:
        return str(rng.choice((1, 2, 3, 10, rng.randint(1, 10 ** rng.randint(1, 12)))))
    low = getattr(domain, "lo", None)
    if low == 0 and not getattr(domain, "lo_open", True) and rng.random() < 0.15:
        return "0"
    size = rng.choice((1, 1, 2, 6, 30))
    x = 10 ** rng.uniform(-size, size)
    top = getattr(domain, "hi", None)
    if top is not None and x > float(top) > 0:
        x = rng.random() * float(top)
    return rng.choice(
        (f"{x:.3g}", f"{x:.8g}", f"{rng.randint(1, 99)}/{rng.randint(1, 99)}" if size < 6 else "1")
    )


def valid(rng: Random) -> list[str]:
    """A line whose words and numbers are meant: check, range, tune, show or find of what there is."""
    verb = rng.choice(("check", "check", "range", "range", "tune", "show", "find", "list"))
    json_too = ["--json"] if rng.random() < 0.5 else []
    if verb == "find":
        return ["find", rng.choice(("local", "step", "proximal", "bits")), *json_too]
    if verb == "list":
        return ["list", *rng.choice(([], [rng.choice(sorted(papers()))])), *json_too]
    if verb == "tune":
        id = rng.choice(sorted(TUNED))
        given = [f"{name}={value(rng, whole=name == 'n')}" for name in TUNED[id]]
        more = ["tau=integer"] if "fedproxvr" in id and rng.random() < 0.5 else []
        return ["tune", id, *given, *more, *json_too]
    key = rng.choice(sorted(papers()))
    of = catalog.statement(rng.choice(catalog.statement_ids(key)))
    if verb == "show":
        return ["show", of.id, *json_too]
    given = [f"{x.name}={value(rng, x.quantity.domain, x.quantity.whole)}" for x in of.letters]
    if verb == "check" or not of.letters:
        return ["check", of.id, *given, *json_too]
    symbol = rng.choice(of.letters).name
    kept = [g for g in given if not g.startswith(f"{symbol}=") and rng.random() < 0.92]
    return ["range", of.id, symbol, *kept, *json_too]


def broken(rng: Random) -> list[str]:
    """A line with something wrong: a word left out, twice, foreign or far out of bounds."""
    line = valid(rng) if rng.random() < 0.7 else [rng.choice(_VERBS), *rng.choices(WILD, k=rng.randint(0, 3))]
    for _ in range(rng.randint(1, 3)):
        place = rng.randrange(len(line)) if line else 0
        match rng.randrange(6):
            case 0:
                line[place : place + 1] = []
            case 1:
                line[place:place] = line[place : place + 1]
            case 2:
                line.insert(place, rng.choice(_FLAGS))
            case 3 if line and "=" in line[place]:
                line[place] = f"{line[place].partition('=')[0]}={rng.choice(WILD)}"
            case 4 if line:
                word = list(line[place] or "x")
                word[rng.randrange(len(word))] = chr(
                    rng.choice((0x41, 0x3D, 0x2E, 0x1B, 0x7F, 0x3B1, 0x202E))
                )
                line[place] = "".join(word)
            case _:
                line.insert(place, f"{rng.choice('LTn')}={rng.choice(WILD)}")
    safe = [word.replace("\0", "") for word in line]
    # what writes to folders, searches for minutes or lists everything is asked elsewhere
    heavy = {"audit", "report", "plan", "figure", "new", "validate", "measure", "conform", "--history", "-o"}
    return ["check", *safe] if heavy & set(safe) else safe


def command_line(seed: int, number: int) -> list[str]:
    """The line of a number: valid where the number is even."""
    rng = Random(f"line {seed} {number}")
    return valid(rng) if number % 2 == 0 else broken(rng)


def plain_files(rng: Random) -> dict[str, bytes]:
    """A small good file of each kind."""
    n = rng.randint(2, 12)
    rows = [[rng.randint(0, 1), *(round(rng.gauss(0, 1), 3) for _ in range(3))] for _ in range(n)]
    arrays = io.BytesIO()
    features = np.array([r[1:] for r in rows])
    np.savez(arrays, features=features, labels=np.array([r[0] for r in rows]))
    users = {"u": {"x": [r[1:] for r in rows], "y": [r[0] for r in rows]}}
    leaf = {"users": ["u"], "num_samples": [n], "user_data": users}
    return {
        "a.csv": "\n".join(["y,a,b,c", *(",".join(map(str, r)) for r in rows)]).encode(),
        "a.svm": "\n".join(f"{r[0]} 1:{r[1]} 2:{r[2]} 3:{r[3]}" for r in rows).encode(),
        "a.npz": arrays.getvalue(),
        "a.json": json.dumps(leaf).encode(),
    }


def worsened(rng: Random, content: bytes) -> bytes:
    """Bytes changed, cut, repeated or put in, at up to five places."""
    data = bytearray(content)
    for _ in range(rng.choice((0, 1, 1, 2, 5))):
        at = rng.randrange(len(data) + 1)
        match rng.randrange(5):
            case 0:
                data[at : at + 1] = bytes([rng.randrange(256)])
            case 1:
                del data[at:]
            case 2:
                data[at:at] = data[max(0, at - 20) : at] * rng.choice((1, 3, 1000))
            case 3:
                data[at:at] = rng.choice(
                    (b"9" * 5000, b"1e999", b"nan", b" " * 3000, b"\x00", b"\xff", b"[" * 3000)
                )
            case _:
                del data[at : at + rng.randint(1, 9)]
    return bytes(data)


def data_file(seed: int, number: int, folder: Path) -> Path:
    """A good file with some bytes changed, cut, repeated or put in, packed now and then."""
    rng = Random(f"file {seed} {number}")
    name, content = rng.choice(sorted(plain_files(rng).items()))
    data = worsened(rng, content)
    packed = rng.random() < 0.2
    path = folder / (name + ".gz" if packed else name)
    path.write_bytes(gzip.compress(data) if packed else data)
    return path


def record(seed: int, number: int, good: dict[str, Any]) -> str:
    """A record of a run with one entry, at any depth, made something else."""
    rng = Random(f"record {seed} {number}")
    document = json.loads(json.dumps(good))
    place: Any = document
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys:
            break
        key = rng.choice(keys)
        if isinstance(place[key], dict | list) and place[key] and rng.random() < 0.7:
            place = place[key]
            continue
        place[key] = rng.choice(
            (None, -1, 10**400, "x", "1e99999999", [], {}, True, 0.5, "[/b]\x1b[2J", [[]] * 9)
        )
        break
    text = json.dumps(document)
    return text if rng.random() < 0.9 else text[: rng.randrange(len(text))]
