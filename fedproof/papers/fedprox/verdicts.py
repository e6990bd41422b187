"""What an audit must find of the statements that do not simply hold: it is compared by `make audit`."""

from __future__ import annotations

VERDICTS = {
    # two devices with different gradients
    "fedprox.theorem3": "refuted",
    "fedprox.theorem3.general": "refuted",
    # by one reading of the text
    "fedprox.remark5": "holds amended",
}
