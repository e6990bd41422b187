"""The one discovery: parts are files in folders, ours, a paper's, or another distribution's.

A package that another distribution announces in the entry-point group `fedproof.papers` is laid out as a
folder of `fedproof/papers`: with an `index` it is a paper; its folders (`checks`, `figures`, `algorithms`,
`models`, ...) add parts of each kind. Nothing of a part is imported before it is asked for.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, entry_points, version
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from traceback import extract_tb
from types import MappingProxyType, ModuleType
from typing import Any, TypeVar

from fedproof.vocabulary.errors import BrokenPart, InputError, LeftOut, UnknownName
from fedproof.vocabulary.own_file import own_files, plays

T = TypeVar("T")

GROUP = "fedproof.papers"

#: what PyTorch adds; the room of models may not know of it
_TORCH = "fedproof.adapters"

#: where our own parts of each kind lie; a package of others holds a folder named as the kind
OURS = MappingProxyType(
    {
        "algorithms": "fedproof.solvers.algorithms",
        "compressors": "fedproof.solvers.compressors",
        "local_solvers": "fedproof.solvers.local",
        "models": "fedproof.problems.supervised.models",
        "penalties": "fedproof.problems.composite.penalties",
        "plots": "fedproof.figures.plots",
        "problems": "fedproof.problems.instances",
        "readers": "fedproof.problems.data.readers",
        "splits": "fedproof.problems.data.splits",
    }
)


def packages() -> dict[str, str]:
    """Packages laid out as a paper's folder: ours by key, those of other distributions, files of a user.

    >>> packages()["composite"]
    'fedproof.papers.composite'
    """
    ours = {name: f"{GROUP}.{name}" for name, package in _modules(GROUP) if package} | {"torch": _TORCH}
    found = ours | dict(_announced(tuple(sys.path), entry_points, frozenset(ours)))
    return found | {key: name for key, name in own_files().items() if key not in found}


@cache
def _announced(
    path: tuple[str, ...], announced: Callable[..., Iterable[Any]], ours: frozenset[str]
) -> tuple[tuple[str, str], ...]:
    """Names and packages that distributions on a path of Python announce; a warning for what is none."""
    points: dict[str, str] = {point.name: point.value for point in announced(group=GROUP)}

    def package(name: str) -> str:
        value, what = points[name], f"entry point {name} of {GROUP}"
        if name in ours:
            raise BrokenPart(what, value, "a name that fedproof's own papers do not have", "rename it")
        if not _is_package(value):
            cure = f"mend or uninstall the distribution that announces {name}"
            raise BrokenPart(what, value, "the name of an installed package", cure)
        return read(value, lambda module: value)

    return tuple(readable(points, package).items())


def _is_package(name: str) -> bool:
    try:
        spec = find_spec(name)
    except Exception:
        return False
    return spec is not None and spec.submodule_search_locations is not None


def read(address: str, take: Callable[[ModuleType], T]) -> T:
    """What a part's module gives, imported.

    Raises: BrokenPart where a module of another distribution cannot be imported or does not give it.

    >>> read("fedproof.papers.composite.index", lambda index: index.KEY)
    'composite'
    """
    try:
        return take(import_module(address))
    except BrokenPart:
        raise
    except Exception as error:
        top = address.partition(".")[0]
        if top == "fedproof":
            raise
        place = _place(error, address)
        cure = "mend the file" if alone(address) else f"mend the file or uninstall the distribution of {top}"
        if isinstance(error, InputError):
            what = f"{place}: {error.what}"
            raise BrokenPart(what, error.got, error.expected, error.cure or cure) from error
        expected = f"no {type(error).__name__}"
        raise BrokenPart(place, " ".join(str(error).split()), expected, cure) from error


def _place(error: Exception, address: str) -> str:
    """Where a module's package went wrong: the last line of its own, or the module's file."""
    if isinstance(error, SyntaxError):
        return f"{error.filename}, line {error.lineno}"
    top = find_spec(address.partition(".")[0])
    folders = tuple(top.submodule_search_locations or ()) if top else ()
    lines = [
        f"{f.filename}, line {f.lineno}"
        for f in extract_tb(error.__traceback__)
        if f.filename.startswith(folders)
    ]
    file = getattr(sys.modules.get(address), "__file__", None)
    return lines[-1] if lines else file or address


def readable(names: Iterable[str], take: Callable[[str], T], asked: Iterable[str] = ()) -> dict[str, T]:
    """What is taken by each name; of another distribution's broken part there is a warning instead.

    Arguments:
        names: a paper's key each, or `<key>.<file>`.
        take: gives what has a name, read with `read`.
        asked: ids that a user asked for: a broken part of their papers is raised.
    """
    keys = {id.partition(".")[0] for id in asked}
    found = {}
    for name in names:
        try:
            found[name] = take(name)
        except BrokenPart as error:
            if name.partition(".")[0] in keys:
                raise
            warnings.warn(str(error), LeftOut, stacklevel=2)
    return found


def addresses(kind: str) -> Mapping[str, str]:
    """Names of the parts of a kind and where each comes from; a name of ours is not overridden.

    Raises: InputError where two other distributions give one name.

    >>> addresses("algorithms")["fedavg"]
    'fedproof.solvers.algorithms.fedavg'
    """
    found = {name: f"{OURS[kind]}.{name}" for name, _ in _modules(OURS[kind])}
    ours = frozenset(found)
    for key, package in packages().items():
        if alone(package) and plays(import_module(package), kind):
            found.setdefault(key, package)
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
    return read(known[name], lambda module: module)


def parts(kind: str) -> dict[str, Any]:
    """All parts of a kind by name, imported.

    >>> "iid" in parts("splits")
    True
    """
    known = addresses(kind)
    return readable(known, lambda name: read(known[name], lambda module: module))


def plot_of(name: str) -> Callable[..., Any]:
    """What draws a result of this name; the rooms of results may not know the one of figures.

    >>> plot_of("range").__module__
    'fedproof.figures.plots.range'
    """
    drawing: Callable[..., Any] = load("plots", name, "plot").plot
    return drawing


def paper_modules(folder: str) -> dict[str, str]:
    """What papers' folders of one name hold: `<key>.<file>` and its address; or the module of that name.

    >>> paper_modules("checks")["fedproxvr.lemma1"]
    'fedproof.papers.fedproxvr.checks.lemma1'
    >>> paper_modules("tuner")["composite"]
    'fedproof.papers.composite.tuner'
    """
    found: dict[str, str] = {}
    for key, package in packages().items():
        if alone(package):
            known = read(package, lambda module: module)
            found |= {f"{key}.{key}" if folder == "checks" else key: package} if plays(known, folder) else {}
            continue
        inside = dict(_modules(package))
        if folder in inside and not inside[folder]:
            found[key] = f"{package}.{folder}"
        for name, _ in _modules(f"{package}.{folder}") if inside.get(folder) else ():
            found[f"{key}.{name}"] = f"{package}.{folder}.{name}"
    return found


def alone(package: str) -> bool:
    """Whether a paper is one file and no folder."""
    return package in own_files().values()


def folder_of(package: str) -> Traversable:
    """Where a paper's data files lie: its folder, or `local_sgd.files` beside `local_sgd.py`."""
    if alone(package):
        return Path(str(import_module(package).__file__)).with_suffix(".files")
    return files(package)


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
