"""Packages whose name is also a verb: `fedproof.validate` is a room, and `fp.validate(...)` works."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any


class _Verb(ModuleType):
    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """Do what the function of the package's own name in its `api` module does."""
        verb = getattr(import_module(f"{self.__name__}.api"), self.__name__.rpartition(".")[2])
        return verb(*arguments, **options)


def make_callable(package: str) -> None:
    """Let a package be called as the function of its name: importing it must not hide the verb.

    >>> import fedproof, fedproof.validate
    >>> callable(fedproof.validate)
    True
    """
    sys.modules[package].__class__ = _Verb
