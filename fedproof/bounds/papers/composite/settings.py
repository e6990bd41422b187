"""Every parameter value that the paper's text and figures state."""

from __future__ import annotations

from fedproof.bounds.statement import Setting

__all__ = ["SETTINGS"]

SETTINGS: tuple[Setting, ...] = ()
