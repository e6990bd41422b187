"""What a result is computed from: the text of its modules, and of every module of ours that these name."""

from __future__ import annotations

import ast
import platform
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from fedproof.vocabulary.discovery import GROUP, OURS, alone, packages, version_of

#: what computes the numbers, beside our own source
LIBRARIES = (
    "cvc5", "matplotlib", "numba", "numpy", "pandas", "python-flint", "scikit-learn", "scipy", "sympy",
    "z3-solver",
)  # fmt: skip
#: parts of a paper's folder on which nothing else of it rests
_ENDS = ("checks", "figures", "report")
#: names places for all rooms, or exports lazily: naming is not using
_FINDERS = frozenset({"fedproof", GROUP, packages.__module__})
_DOTTED = re.compile(r"fedproof(\.\w+)+")


def paper_modules_of(package: str) -> list[str]:
    """A paper's modules but its checks, its figures and what the report asks: all that these rest on."""
    return [m for m in _inside(package) if m.removeprefix(f"{package}.").split(".")[0] not in _ENDS]


class SourceTexts:
    """The texts of modules as they are now; each file is read once."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[str, frozenset[str]]] = {}
        self._digests: dict[tuple[str, ...], str] = {}

    @cached_property
    def surroundings(self) -> str:
        """Versions of the numerical libraries and of Python, and the kind of machine."""
        found = [f"{name} {version_of(name)}" for name in LIBRARIES]
        return "\n".join([*found, platform.python_version(), platform.machine()])

    @cached_property
    def _packages(self) -> tuple[str, ...]:
        return tuple(packages().values())

    @cached_property
    def _tops(self) -> frozenset[str]:
        return frozenset({"fedproof", *(p.partition(".")[0] for p in self._packages)})

    def modules(self, roots: Iterable[str]) -> list[str]:
        """The modules of these names, and all that they name, directly or through others."""
        found: set[str] = set()
        waiting = list(roots)
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting += self._read(name)[1]
        return sorted(m for m in found if self._read(m)[0])

    def digest(self, roots: Iterable[str]) -> str:
        """One hash of their texts and the surroundings."""
        asked = tuple(roots)
        if asked not in self._digests:
            lines = [f"{m} {self._read(m)[0]}" for m in self.modules(asked)]
            self._digests[asked] = sha256("\n".join([*lines, self.surroundings]).encode()).hexdigest()
        return self._digests[asked]

    def changed_since(self, roots: Iterable[str], moment: float) -> bool:
        """Whether one of their files was written after a moment: what was imported may be another text."""
        files = (_file(module) for module in self.modules(roots))
        return any(file is not None and file.stat().st_mtime > moment for file in files)

    def _read(self, name: str) -> tuple[str, frozenset[str]]:
        """The digest of a module's text, "" where there is no such module; and what it names."""
        if name not in self._known:
            file = _file(name)
            text = "" if file is None else file.read_text(encoding="utf-8")
            package = file is not None and file.name == "__init__.py"
            named = set(self._named(text, name, package)) if name not in _FINDERS else set()
            if "fedproof" in named and not name.startswith("fedproof"):
                named.update(m for m in _inside("fedproof") if not m.startswith(f"{GROUP}."))
            ours = frozenset(n for n in named if n.partition(".")[0] in self._tops)
            self._known[name] = (sha256(text.encode()).hexdigest() if file else "", ours)
        return self._known[name]

    def _named(self, text: str, name: str, package: bool) -> Iterator[str]:
        """Modules that are imported anywhere, or named in a text."""
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                up = name.split(".")[: len(name.split(".")) + package - node.level] if node.level else []
                base = ".".join([*up, *([node.module] if node.module else [])])
                yield from (base, *(f"{base}.{alias.name}" for alias in node.names))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield from self._named_in_text(node.value)

    def _named_in_text(self, text: str) -> Iterator[str]:
        """What a text names, with all that it holds: an address, or a kind of parts that is discovered."""
        address = _DOTTED.match(text)
        if text in OURS:
            for place in (OURS[text], *(f"{package}.{text}" for package in self._packages)):
                yield from _inside(place)
        elif address and address[0] != GROUP:
            yield from _inside(address[0])


def _folder(top: str) -> Path | None:
    """Where a package of the first level lies; nothing below it is imported."""
    spec = find_spec(top)
    places = spec.submodule_search_locations if spec else None
    return Path(places[0]) if places else None


def _file(name: str) -> Path | None:
    """The file of a module, or of what a package says when it is imported."""
    top, *rest = name.split(".")
    home = _folder(top)
    if home is None:
        spec = find_spec(name) if alone(name) else None
        return Path(spec.origin) if spec and spec.origin else None
    place = home.joinpath(*rest)
    found = (place / "__init__.py", place.with_name(f"{place.name}.py"))
    return next((file for file in found if file.is_file()), None)


def _inside(name: str) -> Iterator[str]:
    """A module; a package with all the modules in it, at any depth."""
    yield name
    file = _file(name)
    if file is not None and file.name == "__init__.py":
        for module in sorted(file.parent.rglob("*.py")):
            inner = module.relative_to(file.parent).with_suffix("").parts
            yield ".".join((name, *(inner[:-1] if inner[-1] == "__init__" else inner)))


def text_of(name: str) -> str:
    """The text of a module as it is now; "" where there is no such module."""
    file = _file(name)
    return "" if file is None else file.read_text(encoding="utf-8")
