"""What every figure of every paper keeps, asked of each figure that is found."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from fedproof.figures.api import FigureFiles, figure
from fedproof.figures.caption import WORDS, Caption
from fedproof.figures.catalog import figure_ids, load
from fedproof.vocabulary.errors import DataError, InputError, UnknownName

IDS = figure_ids()


@cache
def made(id: str) -> FigureFiles:
    """A figure at its toy size, on disk, made once; a figure that cannot be made fails its own tests only."""
    return figure(id, Path(mkdtemp()), size=load(id).SPEC.toy, workers=1)


def toy(id: str) -> pd.DataFrame:
    """The table of that figure, read again."""
    return made(id).frame


def test_all_figures_are_found() -> None:
    """The figures and tables of the first paper are there, its own numbered ones first."""
    own = ("figure1", "figure2", "figure3", "figure4", "table1", "table2")
    names = (*own, "published_code", "region", "sharpened")
    assert figure_ids("fedproxvr") == tuple(f"fedproxvr.{name}" for name in names)
    assert set(figure_ids("fedproxvr")) <= set(IDS)


def test_finding_figures_loads_no_library() -> None:
    """Listing figures imports none of the libraries that draw or compute them."""
    code = (
        "import sys; from fedproof.figures.catalog import figure_ids; assert figure_ids();"
        "print(*{m.partition('.')[0] for m in sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert not {"matplotlib", "numpy", "pandas", "sympy"} & set(done.stdout.split())


@pytest.mark.parametrize("id", IDS)
def test_the_table_has_the_declared_columns(id: str) -> None:
    """A toy computation gives exactly the columns that the description declares, under the file's own id."""
    spec = load(id).SPEC

    assert tuple(toy(id).columns) == spec.names
    assert spec.id == id
    assert len(toy(id)) > 0
    assert set(spec.toy) | set(spec.brief) <= set(spec.size)


@pytest.mark.parametrize("id", IDS)
def test_the_parameters_are_declared(id: str) -> None:
    """Every parameter has a line of help, and its own default lies in its domain."""
    spec = load(id).SPEC

    assert len({p.name for p in spec.parameters}) == len(spec.parameters)
    for parameter in spec.parameters:
        assert parameter.help
        assert parameter.read(parameter.text) == spec.size[parameter.name]
    for given in (spec.toy, spec.brief):
        assert all(p.read(given[p.name]) == given[p.name] for p in spec.parameters if p.name in given)


@pytest.mark.parametrize("id", IDS)
def test_drawing_leaves_no_trace(id: str) -> None:
    """A drawing changes neither its table nor a global setting, and leaves no open figure behind."""
    import matplotlib as mpl

    table = toy(id)
    before, settings = table.copy(deep=True), dict(mpl.rcParams)
    load(id).draw(table).clear()
    load(id).caption(table)

    pd.testing.assert_frame_equal(table, before)
    assert dict(mpl.rcParams) == settings
    assert "matplotlib.pyplot" not in sys.modules or not sys.modules["matplotlib.pyplot"].get_fignums()


@pytest.mark.parametrize("id", IDS)
def test_the_caption_is_data_with_one_text(id: str) -> None:
    """A caption is claims with what was measured and a word each; its text says them line by line."""
    caption = load(id).caption(toy(id))
    lines = str(caption).splitlines()

    assert isinstance(caption, Caption)
    assert caption.claims
    assert len(lines) == len(caption.claims) + 2
    assert [lines[0].partition(": ")[0], lines[-1].partition(": ")[0]] == ["Agreement", "Substituted"]
    for claim, line in zip(caption.claims, lines[1:], strict=False):
        assert claim.word in WORDS
        assert claim.word in line.partition(": ")[0].lower()
        assert all(part.strip().endswith(".") for part in (claim.claim, claim.measured))
    assert " nan" not in str(caption)


@pytest.mark.parametrize("id", IDS)
def test_the_files_are_whole(id: str) -> None:
    """The verb writes table, strict provenance without a local folder, and both pictures."""
    document = made(id).to_dict()
    text = made(id).path("json").read_text(encoding="utf-8")
    found = json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))

    assert [Path(f).suffix for f in document["files"]] == [".csv", ".json", ".svg", ".png"]
    assert document["table"] == document["files"][0]
    assert ElementTree.parse(made(id).path("svg")).getroot().tag == "{http://www.w3.org/2000/svg}svg"
    assert made(id).path("png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    assert not [p for p in made(id).folder.iterdir() if p.suffix == ".tmp"]
    assert found["table"]["sha256"] == hashlib.sha256(made(id).path("csv").read_bytes()).hexdigest()
    assert found["parameters"] == load(id).SPEC.size | dict(load(id).SPEC.toy)
    assert found["versions"]["numpy"] == np.__version__
    assert found["caption"] == made(id).caption.splitlines()
    assert [claim["word"] for claim in found["claims"]] == [c.word for c in made(id).claims.claims]
    assert str(made(id).folder) not in text


@pytest.mark.parametrize("id", IDS)
def test_a_picture_redrawn_from_its_table_is_the_same(id: str) -> None:
    """Reusing the CSV gives the same SVG byte for byte, the same caption and the recorded parameters."""
    before = made(id).path("svg").read_bytes()
    again = figure(id, made(id).folder, reuse=True)

    assert again.path("svg").read_bytes() == before
    assert (again.caption, again.parameters) == (made(id).caption, made(id).parameters)
    assert again.seconds["compute"] == 0


def test_a_foreign_table_is_refused(tmp_path: Path) -> None:
    """Reusing a CSV with other columns is a one-line error that names the file."""
    (tmp_path / "fedproxvr.region.csv").write_text("a,b\n1,2\n")

    with pytest.raises(DataError, match=r"fedproxvr\.region\.csv: got a, b, expected the columns kind"):
        figure("fedproxvr.region", tmp_path, reuse=True)


def test_a_changed_table_is_not_drawn_again(tmp_path: Path) -> None:
    """A CSV that was touched, one without provenance, and new parameters with reuse are refused."""
    id, size = "fedproxvr.figure1", load("fedproxvr.figure1").SPEC.toy
    csv = figure(id, tmp_path, size=size, workers=1).path("csv")
    with pytest.raises(InputError, match="one of them"):
        figure(id, tmp_path, size=size, reuse=True)

    csv.write_bytes(csv.read_bytes()[:-200])
    with pytest.raises(DataError, match="changed since"):
        figure(id, tmp_path, reuse=True)
    csv.with_suffix(".json").unlink()
    with pytest.raises(DataError, match="no provenance"):
        figure(id, tmp_path, reuse=True)


def test_an_unknown_name_is_answered_with_the_nearest(tmp_path: Path) -> None:
    """A misspelt id, parameter or format names the nearest one, and nothing is written."""
    with pytest.raises(UnknownName, match=r"did you mean fedproxvr\.region"):
        figure("fedproxvr.regoin", tmp_path)
    with pytest.raises(UnknownName, match="did you mean points"):
        figure("fedproxvr.region", tmp_path, size={"point": 3})
    with pytest.raises(UnknownName, match="did you mean pdf"):
        figure("fedproxvr.region", tmp_path, fmt="pfd")

    assert list(tmp_path.iterdir()) == []


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    """An output path that is a file is refused in one line."""
    (tmp_path / "taken").write_text("")

    with pytest.raises(InputError, match="expected a folder"):
        figure("fedproxvr.region", tmp_path / "taken")


def test_formats_are_chosen(tmp_path: Path) -> None:
    """A figure comes in the format that is asked for, and a PDF twice is the same bytes."""
    size = load("fedproxvr.region").SPEC.toy
    found = figure("fedproxvr.region", tmp_path, size=size, fmt="pdf")
    first = found.path("pdf").read_bytes()
    figure("fedproxvr.region", tmp_path, reuse=True, fmt="pdf")

    assert sorted(p.suffix for p in tmp_path.iterdir()) == [".csv", ".json", ".pdf"]
    assert found.to_dict()["files"][-1].endswith(".pdf")
    assert first.startswith(b"%PDF")
    assert found.path("pdf").read_bytes() == first
    assert "<img" not in found._repr_html_()


def test_a_single_panel_is_drawn_into_given_axes(tmp_path: Path) -> None:
    """With axes a figure of one panel draws into them and writes no picture; one of several refuses."""
    from matplotlib.figure import Figure

    axes = Figure().add_subplot()
    figure("fedproxvr.region", tmp_path, size=load("fedproxvr.region").SPEC.toy, ax=axes)

    assert axes.has_data()
    assert sorted(p.suffix for p in tmp_path.iterdir()) == [".csv", ".json"]
    with pytest.raises(InputError, match="a figure of a single panel"):
        figure("fedproxvr.figure1", tmp_path, ax=axes)


def test_a_figure_shows_itself_in_a_notebook() -> None:
    """The notebook gets the picture itself and the escaped caption."""
    html = made("fedproxvr.region")._repr_html_()

    assert "data:image/png;base64," in html
    assert "β &gt; 3" in html
