"""What an audit must find of the statements that do not simply hold: it is compared by `make audit`."""

from __future__ import annotations

#: two devices with different gradients
VERDICTS = {"fedprox.theorem3": "refuted", "fedprox.theorem3.general": "refuted"}
