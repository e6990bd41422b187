"""Settings that every test shares."""

from __future__ import annotations

import os

from hypothesis import settings

# The same examples in every run and on every machine; the clock decides nothing.
settings.register_profile("suite", derandomize=True, deadline=None, database=None)
settings.load_profile("suite")

# Nothing is taken from the user's cache, and nothing left in it; child processes inherit this.
os.environ["FEDPROOF_CACHE"] = "off"
