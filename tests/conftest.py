"""Settings that every test shares."""

from __future__ import annotations

import atexit
import os
import tempfile

from hypothesis import settings

# The same examples in every run and on every machine; the clock decides nothing.
settings.register_profile("suite", derandomize=True, deadline=None, database=None)
settings.load_profile("suite")

# Nothing is taken from the user's cache, and nothing left in it: one of this run's own, which the
# workers of a parallel run and the commands that tests start inherit and share.
if "PYTEST_XDIST_WORKER" not in os.environ:
    OWN_CACHE = tempfile.TemporaryDirectory(prefix="fedproof-tests-")
    os.environ["FEDPROOF_CACHE"] = OWN_CACHE.name
    atexit.register(OWN_CACHE.cleanup)
