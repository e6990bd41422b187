"""Where the command begins: an interrupt while the rest is still being imported is one line too."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line; 130 after an interrupt, however early.

    Returns: the exit code.
    """
    try:
        from fedproof.cli import main as command

        return command()
    except KeyboardInterrupt:
        sys.stderr.write("fedproof: interrupted; files that were written are kept\n")
        return 130
