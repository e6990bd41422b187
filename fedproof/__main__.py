"""`python -m fedproof` is the command `fedproof`."""

from __future__ import annotations

from fedproof.start import main

if __name__ == "__main__":
    raise SystemExit(main())
