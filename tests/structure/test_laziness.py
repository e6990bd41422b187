"""What starting up costs: seen in the modules that are loaded, not on a clock."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = {"cvc5", "flint", "matplotlib", "numpy", "pandas", "scipy", "sklearn", "sympy", "z3"}
CLI = """
import sys
from fedproof.cli import main
sys.argv = ["fedproof", *{arguments!r}]
assert not main()
"""
TAIL = "\nimport json, sys\nprint(json.dumps(sorted(sys.modules)), file=sys.stderr)"


def loaded(code: str) -> set[str]:
    """The top-level modules in a fresh interpreter that has run `code`."""
    done = subprocess.run([sys.executable, "-c", code + TAIL], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return {name.partition(".")[0] for name in json.loads(done.stderr.splitlines()[-1])}


def test_import_is_light() -> None:
    """`import fedproof` loads none of the heavy libraries."""
    assert loaded("import fedproof") & HEAVY == set()


@pytest.mark.parametrize("arguments", [["--help"], ["list"]], ids=" ".join)
def test_command_is_light(arguments: list[str]) -> None:
    """Asking for help or for what there is, figures too, loads none of the heavy libraries."""
    assert loaded(CLI.format(arguments=arguments)) & HEAVY == set()


def test_a_heavy_import_is_seen() -> None:
    """The probe does notice a library that was loaded."""
    assert "sympy" in loaded("import sympy")
