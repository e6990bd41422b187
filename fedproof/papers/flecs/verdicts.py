"""What an audit must find of the statements that do not simply hold: it is compared by `make audit`."""

from __future__ import annotations

#: a quadratic with the longest printed step
VERDICTS = {"flecs.theorem4": "refuted"}
