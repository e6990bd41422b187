"""Is it true: engines, claims, checks in practice, verdicts.

The package is also the verb: importing it puts it at `fedproof.validate`, where the function of that name is.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Verb(ModuleType):
    def __call__(self, *ids: str, **options: Any) -> Any:
        """Do what `fedproof.validate.api.validate` does."""
        from fedproof.validate.api import validate

        return validate(*ids, **options)


sys.modules[__name__].__class__ = _Verb
