"""Compiling once a machine: numba's cache on disk, where there is one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit

_FUSED = {"contract"}
"""The one liberty that is taken with floats: a product and a sum may be rounded once. NaN and inf stay."""


def compiled(function: Callable[..., Any]) -> Any:
    """The function compiled at its first call, outside the interpreter's lock.

    numba keeps the result beside the source (as Python keeps its own), else in the user's cache folder, or in
    NUMBA_CACHE_DIR; where none of them can be written, every process compiles anew.
    """
    try:
        return njit(nogil=True, cache=True, fastmath=_FUSED, error_model="numpy")(function)
    except RuntimeError:
        return njit(nogil=True, fastmath=_FUSED, error_model="numpy")(function)


def inlined(function: Callable[..., Any]) -> Any:
    """The function as a part of the compiled ones that call it: no arrays are handed over."""
    return njit(nogil=True, fastmath=_FUSED, error_model="numpy", forceinline=True)(function)
