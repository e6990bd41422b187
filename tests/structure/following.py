"""A page followed word for word: files are written, commands run, Python examples tried, in order."""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fedproof.cli import main
from fedproof.vocabulary import own_file

BLOCK = re.compile(r"^```(\w+)(?: title=(\S+))?\n(.*?)^```$", re.M | re.S)


def blocks(page: str) -> Iterator[tuple[str, str, str]]:
    """Language, name of the file and text of every fenced block of a page."""
    return ((language, title, body) for language, title, body in BLOCK.findall(page))


def commands(body: str) -> Iterator[tuple[str, str]]:
    """The commands of a block with what the page says that they print."""
    for part in re.split(r"^\$ ", body, flags=re.M)[1:]:
        command, _, said = part.partition("\n")
        yield command, said


def agrees(said: str, found: str) -> bool:
    """Whether what was printed is what the page says, as far as that goes."""
    start, left_out, _ = said.partition("...\n")
    return found.rstrip() == said.rstrip() if not left_out else found.startswith(start)


def printed(command: str, folder: Path) -> str:
    """What a command prints in a folder; ours is run in this process.

    Raises: AssertionError where it fails.
    """
    program, *arguments = shlex.split(command)
    if program != "fedproof":
        done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True, check=True)
        return done.stdout
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.chdir(folder):
        assert main(arguments) == 0, command
    return re.sub(r" +$", "", out.getvalue(), flags=re.M)


@contextlib.contextmanager
def forgotten() -> Iterator[None]:
    """Papers in files of one's own that are named inside are forgotten outside."""
    named, path, modules = os.environ.get(own_file.NAMED), list(sys.path), set(sys.modules)
    os.environ[own_file.NAMED] = ""
    try:
        yield
    finally:
        for key in own_file.own_files():
            if key not in modules:
                sys.modules.pop(key, None)
        os.environ.pop(own_file.NAMED)
        if named is not None:
            os.environ[own_file.NAMED] = named
        sys.path[:] = path
        for forget in own_file.FORGET:
            forget()


def follow(page: str, folder: Path) -> list[tuple[str, str, str]]:
    """Do what a page says in a folder.

    Returns: for every command and block of Python examples what it is, what the page says and what was found.
    """
    found: list[tuple[str, str, str]] = []
    names: dict[str, Any] = {}
    for language, title, body in blocks(page):
        if title:
            (folder / title).write_text(body, encoding="utf-8")
        elif language == "console":
            found += [(command, said, printed(command, folder)) for command, said in commands(body)]
        elif language == "pycon":
            example = doctest.DocTestParser().get_doctest(body, names, "page", "page", 0)
            wrong: list[str] = []
            with contextlib.chdir(folder):
                doctest.DocTestRunner().run(example, out=wrong.append, clear_globs=False)
            names = example.globs
            found.append((body, "", "".join(wrong)))
    return found
