"""What an audit must find of the statements that do not simply hold: it is compared by `make audit`."""

from __future__ import annotations

VERDICTS = {
    # a quadratic with the longest printed step
    "flecs.theorem4": "refuted",
    # two workers with different gradients, and a small weight of the shifts
    "flecs.theorem5": "refuted",
    "flecs.corollary6": "refuted",
}
