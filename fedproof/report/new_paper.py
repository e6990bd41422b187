"""A new paper's folder, written from templates: a statement, a proof step and a check, which pass."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from fedproof.vocabulary.discovery import GROUP, packages
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.files import folder_for, write_whole
from fedproof.vocabulary.result import Result, Table

_ENDING = ".jinja"
_ABROAD = "README.md"
"""How to announce the package: only a folder outside fedproof needs it."""


@dataclass(frozen=True)
class NewPaper(Result):
    """A paper's folder as it was written.

    Arguments:
        key: of the paper.
        package: how its modules are imported.
        files: in the folder's own order.
        ours: whether it lies among fedproof's own papers, where it needs no entry point.
    """

    key: str
    package: str
    files: tuple[Path, ...]
    ours: bool

    def to_dict(self) -> dict[str, Any]:
        """The `new` document."""
        return {
            "key": self.key,
            "package": self.package,
            "folder": str(self.files[0].parent),
            "files": [str(file) for file in self.files],
        }

    def headline(self) -> str:
        """Where it lies, and what makes fedproof find it."""
        folder = self.files[0].parent
        found = "fedproof finds it" if self.ours else f"{folder / _ABROAD} says how fedproof finds it"
        return f"{folder}: a paper with one statement, one proof step and one check; {found}"

    def tables(self) -> tuple[Table, ...]:
        """The files, and the commands that show that all of it passes."""
        commands = (f"list {self.key}", f"audit {self.key}", f"validate {self.key}.lemma1")
        return (
            Table("", ("file",), tuple((file,) for file in self.files)),
            Table("Try", ("command",), tuple((f"fedproof {command}",) for command in commands)),
        )


def new_paper(key: str, output: str | os.PathLike[str] = ".") -> NewPaper:
    """Write a folder laid out as those of `fedproof/papers`.

    Arguments:
        key: of the paper, and the folder's name: a word of small letters, digits and underscores.
        output: the folder that will hold it: `fedproof/papers` of a checkout, or any other, where it is a
            package of its own.

    Raises: InputError for a key that is no such word or is taken, and for a folder that is there.

    >>> new_paper("composite")
    Traceback (most recent call last):
    ...
    fedproof.vocabulary.errors.InputError: key: got composite, expected a key of no paper; choose another
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", key) or iskeyword(key):
        raise InputError("key", key, "a word of a-z, 0-9 and _, a letter first", "such as scaffold")
    if key in packages():
        raise InputError("key", key, "a key of no paper", "choose another")
    home = folder_for(output).resolve()
    ours = home in {Path(place).resolve() for place in _own_folders()}
    if (home / key).exists():
        raise InputError("output", Path(output) / key, "no folder there yet", "move it away, or choose -o")
    if not ours and find_spec(key) is not None:
        raise InputError("key", key, "the name of no module that Python finds", "choose another")
    package = f"{GROUP}.{key}" if ours else key
    title = "The title of the paper"
    written = {}
    for name in sorted(_names(files("fedproof.report") / "templates" / "paper")):
        place = Path(name.removesuffix(_ENDING))
        if not (ours and place.name == _ABROAD):
            text = _environment().get_template(f"paper/{name}").render(key=key, package=package, title=title)
            written[place] = _sorted(text, package).encode()
    _write_folder(home / key, written)
    return NewPaper(key, package, tuple(Path(output) / key / place for place in written), ours)


def _write_folder(folder: Path, written: Mapping[Path, bytes]) -> None:
    """Write a folder with all of its files, or none: half of one would be in the way of the next attempt."""
    with TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}.", suffix=".tmp") as begun:
        for place, content in written.items():
            file = Path(begun) / folder.name / place
            write_whole(folder_for(file.parent) / file.name, content)
        os.rename(Path(begun) / folder.name, folder)


def _sorted(text: str, package: str) -> str:
    """A module whose imports stand as ruff has them: in order, those of another distribution apart."""
    lines = text.splitlines(keepends=True)
    block = [line for line in lines if line.startswith(("from fedproof.", f"from {package}."))]
    if not block:
        return text
    first = lines.index(block[0])
    ours = sorted(line for line in block if line.startswith("from fedproof."))
    own = sorted(line for line in block if line not in ours)
    return "".join([*lines[:first], *ours, *(["\n"] if own else []), *own, *lines[first + len(block) :]])


def _own_folders() -> list[str]:
    spec = find_spec(GROUP)
    return [] if spec is None else list(spec.submodule_search_locations or [])


def _names(folder: Traversable, before: str = "") -> Iterator[str]:
    """The templates in a folder, as paths from it; those of the folder itself first."""
    for entry in folder.iterdir():
        if entry.name.endswith(_ENDING):
            yield before + entry.name
        elif entry.is_dir():
            yield from _names(entry, f"{before}{entry.name}/")


def _environment() -> Environment:
    loader = PackageLoader("fedproof.report")
    return Environment(loader=loader, undefined=StrictUndefined, keep_trailing_newline=True)
