"""What is refused: an error of the kind expected, in one line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


def refused(kind: Any, match: str | None, call: Callable[..., object], /, *given: Any, **options: Any) -> str:
    """The text of the error that a call meets: of this kind, matching what is given, without a line break."""
    with pytest.raises(kind, match=match) as error:
        call(*given, **options)
    text = str(error.value)

    assert "\n" not in text
    return text
