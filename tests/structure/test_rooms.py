"""Which room may know of which."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from tests.structure.code import Module, imports, modules, named_modules

#: each may import those above it, where it says so
ROOMS = (
    "vocabulary", "algebra", "proof", "bounds", "problems", "solvers", "measure", "tuning", "validate",
    "figures", "papers", "planning", "report",
)  # fmt: skip
VOCABULARY = frozenset({"vocabulary"})
NUMBERS = frozenset({"problems", "solvers"})
ALLOWED = {
    "vocabulary": frozenset(),
    "algebra": VOCABULARY,
    "proof": VOCABULARY | {"algebra"},
    "bounds": VOCABULARY | {"algebra", "proof"},
    "problems": VOCABULARY,
    "solvers": VOCABULARY | {"problems"},
    "measure": VOCABULARY | NUMBERS | {"bounds"},
    "tuning": VOCABULARY | NUMBERS | {"algebra", "bounds", "measure"},
    "validate": frozenset(ROOMS[:8]),
    "figures": frozenset(ROOMS[:9]),
    "papers": frozenset(ROOMS[:10]),
    "report": frozenset(ROOMS[:10]) | {"planning"},
    "planning": frozenset(ROOMS[:9]),
    "adapters": frozenset(ROOMS[:9]),
    # What judges implementations shares nothing with ours.
    "testing": VOCABULARY,
    # The shell's side: modules beside the rooms, for cli alone.
    "listing": frozenset({"vocabulary", "bounds", "figures"}),
    "finding": frozenset({"vocabulary", "proof", "bounds", "figures"}),
    "option_listing": VOCABULARY | NUMBERS,
    "lookups": frozenset({"vocabulary", "validate", "listing", "option_listing", "finding"})
    | {"options", "output"},
    "asking": frozenset({"vocabulary", "bounds", "tuning", "figures", "options", "output", "terminal"}),
    "terminal": VOCABULARY | {"terminal_tables"},
    "terminal_tables": VOCABULARY,
    "pipe": VOCABULARY,
    "output": VOCABULARY | {"adapters", "terminal"},
    "options": VOCABULARY | {"completing"},
    "completing": VOCABULARY,
    # What a paper in one file imports.
    "author": VOCABULARY | {"bounds", "proof", "validate"},
    "cli": (frozenset(ROOMS) - {"papers"})
    | {"asking", "completing", "lookups", "options", "output", "pipe", "terminal", "testing"},
    "start": frozenset({"cli"}),
    "__main__": frozenset({"start"}),
}
# Modules whose purpose is to know where things lie.
FINDERS = {"fedproof.vocabulary.discovery"}
# Libraries that one part alone may use.
HOME = {
    "cvc5": {"proof"},
    "z3": {"proof"},
    "jinja2": {"report"},
    "rich": {"cli", "terminal", "terminal_tables"},
    "typer": {"asking", "cli", "lookups", "options", "output", "pipe"},
    "flwr": {"adapters"},
    "optuna": {"adapters"},
    "tomli_w": {"adapters", "output"},
    "torch": {"adapters"},
}


def wrong_edges(module: Module) -> Iterator[str]:
    """The imports of one module that its room may not make, as sentences."""
    if module.room not in ALLOWED:
        yield f"{module.name}: {module.room} is no room of the table in this test"
        return
    own = ALLOWED[module.room] | {module.room, "__version__", "LOADED"}
    for name in imports(module):
        top, room = (name + "..").split(".")[:2]
        if top == "fedproof":
            if room not in own and (module.room, room) != ("cli", ""):
                yield f"{module.name} imports {name}"
        elif module.room not in HOME.get(top, {module.room}):
            yield f"{module.name} imports {top}, which belongs to {sorted(HOME[top])}"
        elif module.room == "vocabulary" and top not in sys.stdlib_module_names:
            yield f"{module.name} imports {top}: vocabulary is plain Python"
    for name in named_modules(module):
        if module.name not in FINDERS and name.split(".")[1] not in own:
            yield f"{module.name} names {name}"


def test_rooms_import_only_rooms_above_them() -> None:
    """No module reaches a room below its own, at its top or inside a function."""
    found = [line for module in modules() if module.room for line in wrong_edges(module)]

    assert found == []


def test_rooms_are_all_looked_at() -> None:
    """The walk over the source sees the package's rooms, each under its name."""
    seen = {module.room for module in modules()}

    assert {"", "vocabulary", "bounds"} <= seen
    assert len(modules()) > 10


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("fedproof.vocabulary.x", "import numpy"),
        ("fedproof.vocabulary.x", "from fedproof.bounds import statement"),
        ("fedproof.bounds.x", "from fedproof import solvers"),
        ("fedproof.bounds.x", "import z3"),
        ("fedproof.problems.x", "from ..bounds.catalog import statement"),
        ("fedproof.solvers.x", "def f():\n    from fedproof.bounds.catalog import statement"),
        ("fedproof.solvers.x", "f = import_module('fedproof.bounds.catalog')"),
        ("fedproof.solvers.x", "import fedproof"),
        ("fedproof.tuning.x", "import fedproof.proof.rules"),
        ("fedproof.proof.x", "import fedproof.bounds.statement"),
        ("fedproof.validate.x", "from fedproof.papers.fedproxvr import notation"),
        ("fedproof.validate.x", "from fedproof.figures import api"),
        ("fedproof.validate.x", "import rich.progress"),
        ("fedproof.adapters.x", "from fedproof.figures import api"),
        ("fedproof.testing.x", "from fedproof.solvers import prox"),
        ("fedproof.cellar.x", ""),
    ],
)
def test_a_forbidden_import_is_caught(name: str, text: str) -> None:
    """Each way of reaching a lower room is seen when planted."""
    assert len(list(wrong_edges(Module(name, text)))) == 1


def test_permitted_imports_pass() -> None:
    """Rooms above, the own room and outside libraries are no violation."""
    text = """
import numpy as np
from fedproof import __version__
from fedproof.bounds.catalog import statement
from .ranges import solve
where = "fedproof.algebra.ranges.admissible:solve"
"""
    assert list(wrong_edges(Module("fedproof.tuning.api", text))) == []
