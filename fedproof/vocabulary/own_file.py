"""A paper in one file: which files a user named, and their modules."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path
from types import ModuleType

from fedproof.vocabulary.errors import InputError

#: the files, listed as PATH lists folders; processes that are started inherit it
NAMED = "FEDPROOF_FROM"
#: what a paper's folder has a file for, and the name by which one file holds it
ROLES = {
    "algorithms": "ALGORITHM", "checks": "CHECK", "index": "__name__", "plans": "GUARANTEES",
    "standing": "FORMULAS", "verdicts": "VERDICTS",
}  # fmt: skip
#: called when a file is read anew, so that nothing is remembered of it
FORGET: list[Callable[[], None]] = []


def own_files() -> dict[str, str]:
    """The papers that are one file, by key, and their modules, which are named alike."""
    named = os.environ.get(NAMED, "")
    return {Path(path).stem: Path(path).stem for path in named.split(os.pathsep) if path and _known(path)}


def _known(path: str) -> bool:
    """Make the file's module importable; a process that was started reads it as its parent did."""
    folder = str(Path(path).parent)
    if folder not in sys.path:
        sys.path.append(folder)
    return True


def use(path: str | os.PathLike[str]) -> str:
    """Run a file that holds a paper of one's own, so that every verb knows it; again after it was edited.

    Arguments:
        path: of a Python file, whose name is the paper's key. It is code, and it is run.

    Returns: the key.
    Raises: InputError for what is no such file, and for what goes wrong in it.

    >>> use("nowhere.py")
    Traceback (most recent call last):
    ...
    fedproof.vocabulary.errors.InputError: from: got nowhere.py, expected a Python file; check the path
    """
    file = Path(path).expanduser().resolve()
    if file.suffix != ".py" or not file.is_file():
        raise InputError("from", path, "a Python file", "check the path")
    if os.pathsep in str(file):
        raise InputError("from", path, f"a path without {os.pathsep}", "move the file")
    _check_text(file)
    key = file.stem
    if not key.isidentifier() or iskeyword(key) or key != key.lower():
        cure = "rename it, such as local_sgd.py"
        raise InputError("from", file.name, "a file named by a word of small letters, digits and _", cure)
    named = [path for path in os.environ.get(NAMED, "").split(os.pathsep) if path]
    if str(file) not in named:
        _free(key, file)
        os.environ[NAMED] = os.pathsep.join([*named, str(file)])
    _known(str(file))
    sys.modules.pop(key, None)
    _forget()
    try:
        _run(key, file)
    except BaseException:  # what cannot be read is known no more
        os.environ[NAMED] = os.pathsep.join(path for path in named if path != str(file))
        sys.modules.pop(key, None)
        raise
    finally:
        _forget()  # letters look for quantities in papers, this one half read among them
    return key


def _forget() -> None:
    for forget in FORGET:
        forget()


def _check_text(file: Path) -> None:
    """Refuse what is no text of Python's."""
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise InputError("from", file.name, "a text in UTF-8", "save it as UTF-8")
    if not text.strip():
        raise InputError("from", file.name, "a file that is not empty", "see docs/own_paper.md")


def _free(key: str, file: Path) -> None:
    """Refuse a name that another module, paper or file has."""
    ours = find_spec(f"{__name__.partition('.')[0]}.papers.{key}")
    spec = ours or (None if key in own_files() else find_spec(key))
    other = own_files().get(key) or (spec and spec.origin and Path(spec.origin).resolve() != file)
    if other:
        raise InputError("from", file.name, "the name of no other paper or Python module", "rename it")


def _run(key: str, file: Path) -> ModuleType:
    try:
        return import_module(key)
    except InputError as error:
        raise InputError(f"{file.name}: {error.what}", error.got, error.expected, error.cure) from error
    except (Exception, SystemExit) as error:
        place = _line(error, file)
        said = " ".join(str(error).split()) or type(error).__name__
        raise InputError(
            f"{file.name}{place}", said, f"no {type(error).__name__}", "mend the file"
        ) from error


def _line(error: BaseException, file: Path) -> str:
    if isinstance(error, SyntaxError):
        return f", line {error.lineno}"
    at, found = error.__traceback__, ""
    while at is not None:
        if at.tb_frame.f_code.co_filename == str(file):
            found = f", line {at.tb_lineno}"
        at = at.tb_next
    return found


def plays(module: ModuleType, folder: str) -> bool:
    """Whether a paper in one file holds what papers' folders have in a file or folder of this name."""
    return hasattr(module, ROLES.get(folder, " "))


def from_first(given: list[str]) -> list[str]:
    """Arguments with `--from` and its file before the command, wherever they stand.

    >>> from_first(["audit", "local_sgd", "--from", "local_sgd.py"])
    ['--from', 'local_sgd.py', 'audit', 'local_sgd']
    """
    ahead: list[str] = []
    rest: list[str] = []
    while given:
        word = given.pop(0)
        if word == "--from":
            ahead += [word, *given[:1]]
            given = given[1:]
        else:
            (ahead if word.startswith("--from=") else rest).append(word)
    return [*ahead, *rest]
