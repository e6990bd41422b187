"""Files of runs that ship with a paper, and whether what would do them here is what did them."""

from __future__ import annotations

import ast
import json
import lzma
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from fedproof.report.dependencies import SourceTexts, text_of
from fedproof.solvers.runs.run_store import made_with
from fedproof.solvers.runs.stored_runs import Stored
from fedproof.vocabulary.discovery import GROUP, folder_of, packages
from fedproof.vocabulary.files import folder_for, write_whole

#: rooms that compute runs; the others only say which are done, and that is in the runs' names
ROOMS = ("vocabulary", "problems", "solvers", "measure", "figures")
_ALSO = ("fedproof.validate.replicas", "fedproof.validate.empirical")
_OURS = GROUP.rpartition(".")[0]
KIND = "stored runs/1"
#: what may begin with a docstring
_SAID = (ast.Module, ast.ClassDef, ast.FunctionDef)


@dataclass(frozen=True)
class RunFile:
    """What a file says.

    Arguments:
        source: digest of the source that did the runs.
        libraries: with which, and the kind of core.
        runs: what they gave.
    """

    source: str
    libraries: Mapping[str, str]
    runs: Stored


def place_of(name: str) -> Path | None:
    """Where the runs of a check or a figure lie or would lie; None for another distribution's.

    >>> place_of("flecs.runs").name, place_of("theirs.runs")
    ('flecs.runs.json.xz', None)
    """
    package = packages().get(name.partition(".")[0], "")
    if not package.startswith(f"{GROUP}."):
        return None
    return Path(str(folder_of(package))) / "stored" / f"{name}.json.xz"


def file_digest(name: str) -> str:
    """The SHA-256 of the file of a check's or figure's runs; "" where there is none."""
    place = place_of(name)
    return sha256(place.read_bytes()).hexdigest() if place and place.is_file() else ""


def read_runs(name: str) -> RunFile | None:
    """What the file says; None where there is none, or it is damaged."""
    place = place_of(name)
    if place is None or not place.is_file():
        return None
    try:
        document = json.loads(lzma.decompress(place.read_bytes()))
        seal = document.pop("seal")
        whole = seal == _seal(document) and (document["kind"], document["name"]) == (KIND, name)
        return RunFile(document["source"], document["libraries"], document["runs"]) if whole else None
    except (lzma.LZMAError, ValueError, KeyError, AttributeError):
        return None


def write_runs(name: str, file: RunFile) -> Path:
    """Write runs where they ship with their paper; the seal tells damage, not intent."""
    place = place_of(name)
    assert place is not None, name
    document: dict[str, Any] = {"kind": KIND, "name": name, "source": file.source}
    document |= {"libraries": dict(file.libraries), "runs": file.runs}
    text = json.dumps(document | {"seal": _seal(document)}, allow_nan=False)
    return write_whole(folder_for(place.parent) / place.name, lzma.compress(text.encode()))


def _seal(document: Mapping[str, Any]) -> str:
    return sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()


def libraries() -> dict[str, str]:
    """The libraries that compute runs, and the kind of core that NumPy's BLAS found.

    >>> sorted(libraries())
    ['blas', 'numba', 'numpy']
    """
    found = made_with("fedavg")
    return {name: found[name] for name in ("numpy", "numba", "blas")}


def source_digest(texts: SourceTexts, module: str) -> str:
    """The digest of what does the runs of a check or figure: its folder and the rooms that compute.

    What a comment or a docstring says is not part of it.

    Arguments:
        texts: of the source as it is now.
        module: of the check or figure.
    """
    folder = module.rpartition(".")[0]
    begin = (f"{folder}.", *(f"{_OURS}.{room}." for room in ROOMS), *_ALSO)
    lines = [f"{m} {_meaning(text_of(m))}" for m in texts.modules([module]) if m.startswith(begin)]
    return sha256("\n".join(lines).encode()).hexdigest()


@cache
def source_here(module: str) -> str:
    """The same of the source that this process began with; computed once."""
    return source_digest(_texts(), module)


@cache
def _texts() -> SourceTexts:
    return SourceTexts()


@cache
def _meaning(text: str) -> str:
    """A module's digest without what only people read.

    >>> _meaning("x = 1  # one") == _meaning("x = 1"), _meaning("x = 1") == _meaning("x = 2")
    (True, False)
    """
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, _SAID) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return sha256(ast.dump(tree).encode()).hexdigest()
