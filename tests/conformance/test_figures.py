"""What every figure keeps: its toy table is as described; files, pictures and caption are made of that."""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

from fedproof.bounds import catalog
from fedproof.figures.api import FigureFiles
from fedproof.figures.api import figure as make
from fedproof.figures.caption import WORDS, Caption
from fedproof.figures.catalog import figure_ids
from tests.conformance.parts import Part


def test_its_parameters_are_declared(figure: Part) -> None:
    """Every parameter has a line of help and a default in its domain, where toy and brief sizes lie too."""
    spec = figure.load().SPEC

    assert (spec.id, spec.source.paper) == (figure.id, figure.id.partition(".")[0])
    assert len({p.name for p in spec.parameters}) == len(spec.parameters)
    assert set(spec.toy) | set(spec.brief) <= set(spec.size)
    for parameter in spec.parameters:
        assert parameter.help
        assert parameter.read(parameter.text) == spec.size[parameter.name]
    for given in (spec.toy, spec.brief):
        assert all(p.read(given[p.name]) == given[p.name] for p in spec.parameters if p.name in given)


def test_it_computes_draws_and_speaks(figure: Part, tmp_path: Path) -> None:
    """The verb makes table, picture, provenance and caption at toy size, and the same again of the CSV."""
    module = figure.load()
    made = make(figure.id, tmp_path, size=module.SPEC.toy, workers=1, fmt="svg")
    table = made.frame

    assert tuple(table.columns) == module.SPEC.names
    assert len(table) > 0
    leaves_no_trace(module, table)
    speaks(module.caption(table))
    is_whole(made, module.SPEC)
    before = made.path("svg").read_bytes()
    again = make(figure.id, tmp_path, reuse=True, fmt="svg")
    assert again.path("svg").read_bytes() == before
    assert (again.caption, again.parameters) == (made.caption, made.parameters)
    assert again.seconds["compute"] == 0


def leaves_no_trace(module: Any, table: pd.DataFrame) -> None:
    """A drawing changes neither its table nor a global setting, and leaves no open figure behind."""
    before, settings = table.copy(deep=True), dict(mpl.rcParams)
    module.draw(table)
    module.caption(table)

    pd.testing.assert_frame_equal(table, before)
    assert dict(mpl.rcParams) == settings
    assert "matplotlib.pyplot" not in sys.modules or not sys.modules["matplotlib.pyplot"].get_fignums()


def speaks(caption: Caption) -> None:
    """A caption is claims with what was measured and a word each; its text says them line by line."""
    lines = str(caption).splitlines()

    assert caption.claims
    assert len(lines) == len(caption.claims) + 2
    assert [lines[0].partition(": ")[0], lines[-1].partition(": ")[0]] == ["Agreement", "Substituted"]
    assert all(": " in line and line.endswith((".", ")")) for line in lines)
    for claim, line in zip(caption.claims, lines[1:], strict=False):
        assert claim.word in WORDS
        assert claim.word in line.partition(": ")[0].lower()
        assert all(part.strip().endswith(".") for part in (claim.claim, claim.measured))
    assert "nan" not in str(caption)


def is_whole(made: FigureFiles, spec: Any) -> None:
    """There are table, strict provenance without a local folder, and the picture."""
    document, text = made.to_dict(), made.path("json").read_text(encoding="utf-8")
    found = json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))

    assert [Path(f).suffix for f in document["files"]] == [".csv", ".json", ".svg"]
    assert document["table"] == document["files"][0]
    assert ElementTree.parse(made.path("svg")).getroot().tag == "{http://www.w3.org/2000/svg}svg"
    assert not [p for p in made.folder.iterdir() if p.suffix == ".tmp"]
    assert found["table"]["sha256"] == hashlib.sha256(made.path("csv").read_bytes()).hexdigest()
    assert found["parameters"] == spec.size | dict(spec.toy)
    assert found["versions"]["numpy"] == np.__version__
    assert found["caption"] == made.caption.splitlines()
    assert [claim["word"] for claim in found["claims"]] == [c.word for c in made.claims.claims]
    assert str(made.folder) not in text


def test_what_a_report_of_runs_names_is_a_figure() -> None:
    """A statement that says which figure looks at it names one that there is."""
    named = {getattr(s.claim, "figure", "") for s in catalog.statements() if s.claim.kind == "reported"}

    assert named - {"", None} <= set(figure_ids())
