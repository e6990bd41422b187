"""The conformance suite itself: how much it covers, another distribution's parts, and parts that are bad."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest

from fedproof.vocabulary.papers import papers
from tests.conformance.parts import ONE_IN, parts, sampled
from tests.structure.code import ROOT

#: at least so many of each kind
LEAST = {
    "paper": 2, "statement": 149, "step": 678, "setting": 20, "check": 20, "figure": 13, "tuner": 8,
    "problem": 8,
}  # fmt: skip
FIGURE = """
import pandas as pd
from fedproof.figures import style
from fedproof.figures.caption import SEEN, Caption, Claim
from fedproof.figures.spec import Column, Spec
from fedproof.vocabulary.source import Source
SPEC = Spec("theirs.good", "One point", Source("theirs", "Fig. 1"), (), (Column("x", "a number"),), {}, {})
def compute(size, context=None):
    return pd.DataFrame({"x": [1.0]})
def draw(table):
    return style.blank(3, 2)
def caption(table):
    return Caption((Claim("x is one.", "One row.", SEEN),), "Nothing.")
"""


@pytest.mark.parametrize("kind", LEAST)
def test_so_many_are_covered(kind: str) -> None:
    """No fewer than there were, each under its own name, and a share of one in twenty of what is dear."""
    ids = [part.id for part in parts(kind)]

    assert len(ids) >= LEAST[kind]
    assert len(ids) == len(set(ids))
    assert len(sampled(kind)) == -(-len(ids) // ONE_IN)


@pytest.mark.parametrize("kind", ["checks", "figures"])
def test_every_file_is_covered(kind: str) -> None:
    """Every public file of every paper's folder of that kind is a part."""
    for key in papers():
        folder = resources.files(f"fedproof.papers.{key}.{kind}")
        files = {p.name.removesuffix(".py") for p in folder.iterdir() if p.name.endswith(".py")}
        covered = {part.id for part in parts(kind.removesuffix("s"))}
        assert {f"{key}.{name}" for name in files if not name.startswith("_")} <= covered


@pytest.fixture
def theirs(tmp_path: Path) -> Path:
    """Another distribution with a good figure, one that cannot be imported and one that draws nothing."""
    files = {
        "figures/good": FIGURE,
        "figures/broken": "import no_such_library\n",
        "figures/silent": FIGURE.replace("theirs.good", "theirs.silent").replace("One row.", ""),
    }
    for name, text in files.items():
        path = tmp_path.joinpath("theirpaper", name).with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        (path.parent / "__init__.py").touch()
        path.write_text(text)
    known = tmp_path / "theirs-1.0.dist-info"
    known.mkdir()
    (known / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    (known / "entry_points.txt").write_text("[fedproof.papers]\ntheirs = theirpaper\n")
    return tmp_path


def test_a_bad_part_fails_its_own_test_alone(theirs: Path) -> None:
    """With a broken figure installed the suite is collected, and only what is broken fails."""
    path = os.pathsep.join([str(theirs), str(ROOT)])
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rfp", "-k", "theirs"]
    done = subprocess.run(
        [*command, "tests/conformance/test_figures.py"], cwd=ROOT, env=os.environ | {"PYTHONPATH": path},
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    said = re.findall(r"^(PASSED|FAILED) .*_(\w+)\[theirs\.(\w+)\]", done.stdout, re.M)

    assert sorted(said) == [
        ("FAILED", "declared", "broken"), ("FAILED", "speaks", "broken"), ("FAILED", "speaks", "silent"),
        ("PASSED", "declared", "good"), ("PASSED", "declared", "silent"), ("PASSED", "speaks", "good"),
    ], done.stdout  # fmt: skip
