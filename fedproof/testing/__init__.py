"""Is an implementation of a federated method right? Tiny quadratics whose rounds are known as fractions.

`assert_conforms` is one line of a test suite; `conform` says what is wrong.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

#: public name -> module that defines it; loaded when first used
_EXPORTS = {
    "Client": "fedproof.testing.clients",
    "assert_conforms": "fedproof.testing.api",
    "conform": "fedproof.testing.api",
}


def __getattr__(name: str) -> Any:
    if name not in _EXPORTS:
        raise AttributeError(f"module 'fedproof.testing' has no attribute {name!r}")
    return getattr(import_module(_EXPORTS[name]), name)
