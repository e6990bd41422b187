"""The one discovery: parts are files in folders, ours, a paper's, or another distribution's.

A package that another distribution announces in the entry-point group `fedproof.papers` is laid out as a
folder of `fedproof/papers`: with an `index` it is a paper; its folders (`checks`, `figures`, `algorithms`,
`models`, ...) add parts of each kind. Nothing of a part is imported before it is asked for.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, entry_points, version
from importlib.util import find_spec
from pkgutil import iter_modules
from types import MappingProxyType
from typing import Any

from fedproof.vocabulary.errors import InputError, UnknownName

GROUP = "fedproof.papers"

#: what PyTorch adds; the room of models may not know of it
_TORCH = "fedproof.adapters"

#: where our own parts of each kind lie; a package of others holds a folder named as the kind
OURS = MappingProxyType(
    {
        "algorithms": "fedproof.solvers.algorithms",
        "local_solvers": "fedproof.solvers.local",
        "models": "fedproof.problems.supervised.models",
        "penalties": "fedproof.problems.composite.penalties",
        "problems": "fedproof.problems.instances",
        "readers": "fedproof.problems.data.readers",
        "splits": "fedproof.problems.data.splits",
    }
)


def packages() -> dict[str, str]:
    """Packages laid out as a paper's folder: ours by key, then those of other distributions.

    >>> packages()["composite"]
    'fedproof.papers.composite'
    """
    ours = {name: f"{GROUP}.{name}" for name, package in _modules(GROUP) if package} | {"torch": _TORCH}
    theirs = _announced(tuple(sys.path), entry_points)
    return ours | {name: value for name, value in theirs if name not in ours}


@cache
def _announced(path: tuple[str, ...], read: Callable[..., Iterable[Any]]) -> tuple[tuple[str, str], ...]:
    """Names and packages that distributions on a path of Python announce."""
    return tuple((point.name, point.value) for point in read(group=GROUP))


def addresses(kind: str) -> Mapping[str, str]:
    """Names of the parts of a kind and where each comes from; a name of ours is not overridden.

    Raises: InputError where two other distributions give one name.

    >>> addresses("algorithms")["fedavg"]
    'fedproof.solvers.algorithms.fedavg'
    """
    found = {name: f"{OURS[kind]}.{name}" for name, _ in _modules(OURS[kind])}
    ours = frozenset(found)
    for package in packages().values():
        for name, _ in _modules(f"{package}.{kind}"):
            address = f"{package}.{kind}.{name}"
            if name not in ours and found.setdefault(name, address) != address:
                raise InputError(f"{kind} {name}", f"{found[name]} and {address}", "one module", "rename one")
    return dict(sorted(found.items()))


def load(kind: str, name: str, what: str) -> Any:
    """The part of this name, imported.

    Arguments:
        kind: a key of `OURS`.
        what: how an error calls such a part.

    Raises: UnknownName with the nearest known one.
    """
    known = addresses(kind)
    if name not in known:
        raise UnknownName(what, name, known)
    return import_module(known[name])


def parts(kind: str) -> dict[str, Any]:
    """All parts of a kind by name, imported.

    >>> "iid" in parts("splits")
    True
    """
    return {name: import_module(address) for name, address in addresses(kind).items()}


def paper_modules(folder: str) -> dict[str, str]:
    """What papers' folders of one name hold: `<key>.<file>` and its address; or the module of that name.

    >>> paper_modules("checks")["fedproxvr.lemma1"]
    'fedproof.papers.fedproxvr.checks.lemma1'
    >>> paper_modules("tuner")["composite"]
    'fedproof.papers.composite.tuner'
    """
    found = {}
    for key, package in packages().items():
        inside = dict(_modules(package))
        if folder in inside and not inside[folder]:
            found[key] = f"{package}.{folder}"
        for name, _ in _modules(f"{package}.{folder}") if inside.get(folder) else ():
            found[f"{key}.{name}"] = f"{package}.{folder}.{name}"
    return found


@cache
def _modules(package: str) -> tuple[tuple[str, bool], ...]:
    """The public modules of a package, and which are packages; none where there is no such package."""
    try:
        spec = find_spec(package)
    except ModuleNotFoundError:
        return ()
    where = None if spec is None else spec.submodule_search_locations
    return tuple((m.name, m.ispkg) for m in iter_modules(where or []) if not m.name.startswith("_"))


@cache
def version_of(name: str) -> str | None:
    """The installed version of a distribution; None where there is none."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None
