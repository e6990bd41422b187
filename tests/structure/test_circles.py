"""No two files need each other, at their tops or inside functions."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter

import pytest

from tests.structure.code import Module, imports, modules


def edges(found: tuple[Module, ...]) -> dict[str, set[str]]:
    """Which modules each module imports: a name in a module, or a module of a package."""
    known = {m.name for m in found}
    return {
        m.name: {
            name if name in known else name.rpartition(".")[0]
            for name in imports(m)
            if name in known or name.rpartition(".")[0] in known
        }
        - {m.name, "fedproof"}
        for m in found
    }


def test_no_two_files_need_each_other() -> None:
    """The files of the package can be read in some order, each after all that it imports."""
    TopologicalSorter(edges(modules())).prepare()


def test_a_planted_circle_is_found() -> None:
    """Two files that import each other, one of them inside a function, are found; a chain is none."""
    first = Module("fedproof.a", "def f():\n    from fedproof.b import g")
    second, third = (
        Module("fedproof.b", "from fedproof.a import f"),
        Module("fedproof.c", "import fedproof.b"),
    )

    with pytest.raises(CycleError, match=r"fedproof\.a.*fedproof\.b"):
        TopologicalSorter(edges((first, second, third))).prepare()
    TopologicalSorter(edges((second, third))).prepare()
