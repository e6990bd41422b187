"""The pages under docs/ tell the truth."""

from __future__ import annotations

import ast
import doctest
import re
from pathlib import Path

import pytest

from tests.structure.code import ROOT

ALL = sorted((Path(__file__).parents[2] / "docs").glob("*.md"))
#: the other is followed with its files and commands, by test_own_paper
DOCS = [page for page in ALL if page.name != "own_paper.md"]


@pytest.mark.parametrize("page", DOCS, ids=lambda page: page.name)
def test_every_example_of_a_page_runs_as_printed(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The examples of a page are run in order, in an empty folder, and give what it says."""
    monkeypatch.chdir(tmp_path)
    failures, tried = doctest.testfile(str(page), module_relative=False)
    assert tried > 0
    assert failures == 0


def test_there_are_pages() -> None:
    """The check covers the pages on proofs and on sweeps."""
    assert {page.name for page in DOCS} >= {"proofs.md", "sweeps.md"}


#: a program on a page, which needs an extra -> the test that runs it as it stands
PROGRAMS = {
    "conformance.md": "tests/adapters/test_flower_conform.py",
    "exports.md": "tests/adapters/test_exports_page.py",
    "models.md": "tests/adapters/test_torch.py",
    "own_paper.md": "tests/structure/test_own_paper.py",
    "sweeps.md": "tests/solvers/test_sweep_dask.py",
}
#: where what is left out is a user's own
SKETCHES = {"logs.md": 2}


def programs(page: Path) -> list[str]:
    """The blocks of Python on a page that have no prompt, so that no example is tried in them."""
    blocks = re.findall(
        r"^```(?:py|python)(?: [^\n]*)?\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S
    )
    return [block for block in blocks if ">>>" not in block]


def test_every_program_of_a_page_is_run_by_a_test() -> None:
    """Python without a prompt is run by the test that names its page; else it is a sketch with dots."""
    found = {page.name: len(programs(page)) for page in ALL if programs(page)}

    assert found.keys() == PROGRAMS.keys() | SKETCHES.keys()
    assert {name: found[name] for name in SKETCHES} == SKETCHES
    for name, test in PROGRAMS.items():
        assert name in (ROOT / test).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", SKETCHES)
def test_what_a_sketch_imports_is_there(name: str) -> None:
    """A sketch is Python, and each name that it imports of us is defined where it says."""
    for block in programs(DOCS[0].with_name(name)):
        said = [n for n in ast.walk(ast.parse(block)) if isinstance(n, ast.ImportFrom) and n.module]
        ours = [(n.module, a.name) for n in said for a in n.names if n.module.startswith("fedproof")]
        assert "..." in block
        assert ours
        assert [one for one in ours if not defines(*one)] == []


def defines(module: str, name: str) -> bool:
    """Whether a module's file defines a name: it is read and not imported, for an extra may be absent."""
    text = (ROOT / module.replace(".", "/")).with_suffix(".py").read_text(encoding="utf-8")
    return name in {getattr(node, "name", None) for node in ast.parse(text).body}
