"""Where the command begins and ends: an interrupt is one line, in an import, a finaliser or at the end."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line; 130 after an interrupt, however early.

    Returns: the exit code.
    """
    # nothing is imported before: an interrupt then would be the interpreter's to tell
    try:
        sys.unraisablehook = _interrupt_again
        from fedproof.cli import main as command

        code = command()
        _let_end()
    except KeyboardInterrupt:
        _let_end()
        sys.stderr.write("fedproof: interrupted; files that were written are kept\n")
        return 130
    return code


def _let_end() -> None:
    """From now on an interrupt ends the process without a word: all is said, and a shell calls it 130."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _interrupt_again(met: sys.UnraisableHookArgs) -> None:
    """An interrupt that met a finaliser, where Python would print and forget it, comes a moment later."""
    from _thread import interrupt_main
    from threading import Timer

    if issubclass(met.exc_type, KeyboardInterrupt):
        # raised in this hook it would be forgotten too
        again = Timer(0.01, interrupt_main)
        again.daemon = True
        again.start()
    else:
        sys.__unraisablehook__(met)
