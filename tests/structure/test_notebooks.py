"""The notebooks under docs/ run, and hold what they show."""

from __future__ import annotations

import base64
import json
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[2] / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def runner() -> Any:
    """The module that runs notebooks."""
    spec = spec_from_file_location("execute", FOLDER / "execute.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def kinds(notebook: dict[str, Any]) -> list[list[tuple[str, ...]]]:
    """Of each cell what kinds of output it has, and what it printed."""
    return [
        [
            ("printed", *output["text"]) if output["output_type"] == "stream" else (*sorted(output["data"]),)
            for output in cell.get("outputs", ())
        ]
        for cell in notebook["cells"]
    ]


def pictures(notebook: dict[str, Any]) -> list[bytes]:
    """The pictures among a notebook's outputs."""
    outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", ())]
    found = [output["data"]["image/png"] for output in outputs if "image/png" in output.get("data", {})]
    return [base64.b64decode(text) for text in found]


def notebook_of(*sources: str) -> dict[str, Any]:
    """A notebook of code cells."""
    return {"cells": [{"cell_type": "code", "source": [source], "outputs": []} for source in sources]}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_runs_and_shows_what_it_holds(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run in an empty folder, each cell prints what is stored and has outputs of the stored kinds."""
    monkeypatch.chdir(tmp_path)
    stored = json.loads(path.read_text(encoding="utf-8"))

    assert kinds(runner().executed(stored)) == kinds(stored)
    assert all(png.startswith(b"\x89PNG") for png in pictures(stored))
    assert pictures(stored)


@pytest.mark.parametrize(
    ("name", "said", "drawn"),
    [
        ("main_job", "1 consistent", 3),
        ("decide", "claim: proved by certificate", 2),
        ("audit", "fedproxvr.remark1.4.monotone: confirmed: 240024/97 > 14232/97", 1),
        ("figures", "Of 8 claims 8 are seen", 4),
    ],
)
def test_there_is_a_notebook_of_each_job(name: str, said: str, drawn: int) -> None:
    """Plan for data, decide an inequality, audit a proof, restyle figures: each with its answer."""
    text = (FOLDER / f"{name}.ipynb").read_text(encoding="utf-8")

    assert FOLDER / f"{name}.ipynb" in NOTEBOOKS
    assert said in text
    assert len(pictures(json.loads(text))) >= drawn
    assert len(text) < 300_000


def test_a_cell_that_fails_is_seen() -> None:
    """An error in a cell stops the run, and another output than the stored one is told apart."""
    with pytest.raises(ZeroDivisionError):
        runner().executed(notebook_of("x = 1", "x / 0"))

    done = runner().executed(notebook_of("x = 2", "print(x)\nx + 1", "x;"))
    assert kinds(done) == [[], [("printed", "2\n"), ("text/plain",)], []]


def test_figures_of_others_are_no_outputs() -> None:
    """What was open before a notebook is run stands in none of its cells."""
    from matplotlib import pyplot

    pyplot.figure()
    (cell,) = runner().executed(notebook_of("1 + 1"))["cells"]

    assert [sorted(output["data"]) for output in cell["outputs"]] == [["text/plain"]]
