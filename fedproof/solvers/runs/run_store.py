"""Finished runs in a folder: one JSON file each, named by its run specification, checked when it is read."""

from __future__ import annotations

import hashlib
import inspect
import json
import os
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_info

from fedproof import __version__
from fedproof.problems.digest import problem_digest
from fedproof.solvers.build_algorithm import make_algorithm
from fedproof.solvers.catalog import algorithm_class
from fedproof.solvers.history import History, history_of
from fedproof.solvers.history_file import COUNTS, read_document
from fedproof.solvers.parameters import flat_parameters
from fedproof.solvers.runs.run_spec import RunSpec
from fedproof.vocabulary.errors import DataError
from fedproof.vocabulary.result import jsonable

_OTHER = {
    "parameters": "other parameters",
    "participation": "other clients",
    "problem": "another problem",
    "problem_digest": "other data",
}
_SOURCES = {
    "algorithm": "another source of its algorithm",
    "source": "another source of problems or drivers",
}


@dataclass(frozen=True)
class StoredRun:
    """What a folder says about a run specification.

    Arguments:
        history: of the finished run; None if there is none to use.
        note: what the user should know of it; empty if nothing.
    """

    history: History | None
    note: str = ""


def made_with(algorithm: str) -> dict[str, str]:
    """What runs' numbers depend on beside their specification: versions, and digests of source.

    Numba is among them because the kernels that it compiles round otherwise than NumPy's; a record also keeps
    which kernel ran. So is NumPy's BLAS with the kind of core that it found, which settles in which order its
    products are summed.
    """
    return {
        "fedproof": __version__,
        "numpy": np.__version__,
        "numba": _numba(),
        "blas": _blas(),
        "algorithm": _source(algorithm),
        "source": _rooms(),
    }


@cache
def _source(algorithm: str) -> str:
    return hashlib.sha256(Path(inspect.getfile(algorithm_class(algorithm))).read_bytes()).hexdigest()


@cache
def _rooms() -> str:
    """One digest of all that runs are computed by: drivers, kernels, problems."""
    home = Path(__file__).parents[2]
    files = sorted(f for room in ("vocabulary", "problems", "solvers") for f in (home / room).rglob("*.py"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


@cache
def _numba() -> str:
    try:
        # so switched off, numba interprets, and its kernels cannot run
        return "none" if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0" else version("numba")
    except PackageNotFoundError:
        return "none"


@cache
def _blas() -> str:
    """NumPy's BLAS, its version and kind of core, as threadpoolctl tells; "unknown" where it does not."""
    found = [x for x in threadpool_info() if x.get("user_api") == "blas"]
    own = [x for x in found if "numpy" in str(x.get("filepath"))] or found
    told = (
        (str(own[0].get(name) or "") for name in ("internal_api", "version", "architecture")) if own else ()
    )
    return " ".join(filter(None, told)) or "unknown"


def save_run(folder: Path, spec: RunSpec, history: History) -> Path:
    """Write a finished run under its specification's key, all or nothing."""
    return history.save(folder / f"{spec.key}.json", job=spec.document(),
                        made_with=made_with(spec.algorithm) | {"kernel": history.kernel})  # fmt: skip


def load_run(folder: Path, spec: RunSpec, current: bool = False) -> StoredRun:
    """The finished run of a specification, if the folder has it.

    A file that cannot be read (only a damaged disk or a hand can leave one) counts as none, with a note; so
    does one whose content is of another run than its name and its job say, and, where only what is `current`
    will do, a run that another version or source made.

    Raises: DataError if what lies under its name is a folder or the record of another run, neither of which
        is overwritten, or of a run that another BLAS made: its last bits are not those that are made here.
    """
    path = folder / f"{spec.key}.json"
    if path.is_dir():
        raise DataError(str(path), "a folder", "a file or nothing", "move it away")
    if not path.is_file():
        return StoredRun(None)
    try:
        document = read_document(path)
        history = history_of(document)
        its, theirs = document["job"], dict(document["made_with"])
        whole = _whole(history, spec)
    except (DataError, KeyError, TypeError, ValueError, OSError) as error:
        return StoredRun(None, f"{path.name} cannot be read ({_short(error)}); computed again")
    if _text(its) != _text(spec.document()):
        raise DataError(str(path), "the record of another run", "the one of its name", "move it away")
    if not whole:
        return StoredRun(None, f"{path.name} is not a whole run; computed again")
    if other := _other(history, spec):
        return StoredRun(None, f"{path.name} is a record of {' and '.join(other)}; computed again")
    changed = _difference(theirs, made_with(spec.algorithm))
    if current and changed:
        return StoredRun(None)
    _same_blas(path, theirs.get("blas"))
    ordered = {name: history.metrics[name] for name in spec.metrics}
    return StoredRun(replace(history, metrics=ordered), changed)


def _same_blas(path: Path, theirs: object) -> None:
    """Refuse to put a run beside others that another kind of core rounds otherwise.

    Raises: DataError, with the cure.
    """
    ours = _blas()
    if theirs not in (None, ours):
        core = str(theirs).rpartition(" ")[2]
        cure = f"choose another folder, or set OPENBLAS_CORETYPE={core} where the core can be it"
        raise DataError(str(path), f"a run made with {theirs}", f"{ours}, which sums in another order", cure)


def longest_prefix(folder: Path, spec: RunSpec, lengths: Iterable[int]) -> History | None:
    """The longest finished run that this specification's run begins with, made with what is here now.

    Arguments:
        lengths: rounds of the runs in the folder that are of its `run_key`, as `lengths_in` finds them.
    """
    for rounds in sorted((n for n in lengths if 0 < n < spec.rounds), reverse=True):
        try:
            record = load_run(folder, replace(spec, rounds=rounds))
        except DataError:
            continue
        if record.history is not None and not record.note:
            return record.history
    return None


def lengths_in(folder: Path | None, keys: Container[str]) -> dict[str, list[int]]:
    """The rounds of the folder's runs, by `run_key`, of these keys; it is looked through once."""
    found: dict[str, list[int]] = {}
    for name in () if folder is None else os.listdir(folder):
        key, _, text = name.removesuffix(".json").rpartition("-")
        if name.endswith(".json") and text.isdecimal() and len(text) < 20 and key in keys:
            found.setdefault(key, []).append(int(text))
    return found


def _whole(history: History, spec: RunSpec) -> bool:
    """Whether a history is a finished one of the specification, with no round missing."""
    lengths = {len(values) - 1 for values in history.metrics.values()}
    counts = {len(getattr(history, name)) for name in COUNTS}
    return (
        lengths | counts <= {history.rounds}
        and set(history.metrics) == set(spec.metrics)
        and (history.algorithm, history.seed) == (spec.algorithm, spec.seed)
        and history.requested == spec.rounds
        and (history.rounds == spec.rounds or history.diverged)
        and not history.interrupted
        and "model" in history.state
    )


def _other(history: History, spec: RunSpec) -> list[str]:
    """What a record, whatever its job says, has otherwise than the specification's run."""
    problem = spec.problem_spec.build()
    algorithm = make_algorithm(algorithm_class(spec.algorithm), problem, spec.parameters)
    ours = {
        "parameters": flat_parameters(algorithm),
        "participation": spec.participation.to_dict(),
        "problem": problem.name,
        "problem_digest": problem_digest(problem),
    }
    theirs = {n: getattr(history, n) for n in ours}
    return [_OTHER[n] for n in ours if _text(jsonable(ours[n])) != _text(jsonable(theirs[n]))]


def _difference(theirs: Mapping[str, Any], ours: Mapping[str, str]) -> str:
    changed = [name for name in ours if theirs.get(name) != ours[name]]
    words = [_SOURCES.get(n, f"{n} {theirs.get(n, 'that is not told')}") for n in changed]
    return (
        f"found in the folder, made with {' and '.join(words)}; another folder makes it anew" if words else ""
    )


def _text(document: Any) -> str:
    return json.dumps(document, sort_keys=True)


def _short(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".partition("\n")[0][:80]
