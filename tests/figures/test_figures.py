"""What every figure of every paper keeps, asked of each figure that is found."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from fedproof.figures.api import FigureFiles, figure
from fedproof.figures.catalog import figure_ids, load
from fedproof.vocabulary.errors import DataError, InputError, UnknownName

IDS = figure_ids()


@cache
def toy(id: str) -> pd.DataFrame:
    """A figure's table at its toy size, computed once."""
    module = load(id)
    return module.compute({**module.SPEC.size, **module.SPEC.toy})


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, FigureFiles]:
    """Every figure at its toy size, on disk."""
    folder = tmp_path_factory.mktemp("figures")
    return {id: figure(id, folder, size=load(id).SPEC.toy, workers=1) for id in IDS}


def test_all_figures_are_found() -> None:
    """The figures and tables of the first paper are there, its own numbered ones first."""
    names = (
        "figure1",
        "figure2",
        "figure3",
        "figure4",
        "table1",
        "table2",
        "published_code",
        "region",
        "sharpened",
    )
    assert figure_ids("fedproxvr") == tuple(f"fedproxvr.{name}" for name in names)
    assert set(figure_ids("fedproxvr")) <= set(IDS)


def test_finding_figures_loads_no_library() -> None:
    """Listing figures imports none of the libraries that draw or compute them."""
    code = (
        "import sys; from fedproof.figures.catalog import figure_ids; assert figure_ids();"
        "print(sorted({m.partition('.')[0] for m in sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert not {"matplotlib", "numpy", "pandas", "sympy"} & set(eval_list(done.stdout))


def eval_list(text: str) -> list[str]:
    """The names in a printed list."""
    return text.strip("[]\n' ").split("', '")


@pytest.mark.parametrize("id", IDS)
def test_the_table_has_the_declared_columns(id: str) -> None:
    """A toy computation gives exactly the columns that the description declares, under the file's own id."""
    assert tuple(toy(id).columns) == load(id).SPEC.names
    assert load(id).SPEC.id == id
    assert len(toy(id)) > 0
    assert set(load(id).SPEC.toy) <= set(load(id).SPEC.size)


@pytest.mark.parametrize("id", IDS)
def test_drawing_leaves_the_table_alone(id: str) -> None:
    """Neither the picture nor the caption changes the table they are made from."""
    table = toy(id).copy(deep=True)
    before = table.copy(deep=True)
    load(id).draw(table).clear()
    load(id).caption(table)

    pd.testing.assert_frame_equal(table, before)


@pytest.mark.parametrize("id", IDS)
def test_drawing_leaves_no_global_trace(id: str) -> None:
    """A drawing changes no global setting and leaves no open figure behind."""
    import matplotlib as mpl

    before = dict(mpl.rcParams)
    load(id).draw(toy(id)).clear()

    assert dict(mpl.rcParams) == before
    assert "matplotlib.pyplot" not in sys.modules or not sys.modules["matplotlib.pyplot"].get_fignums()


@pytest.mark.parametrize("id", IDS)
def test_the_caption_says_all_four_things(id: str) -> None:
    """A caption says what is claimed, what was seen, whether they agree and what was chosen."""
    lines = load(id).caption(toy(id)).splitlines()
    heads = [line.partition(": ")[0] for line in lines]

    assert heads == ["Claimed", "Seen", "Agreement", "Chosen here"]
    assert all(line.partition(": ")[2].endswith(".") for line in lines)
    assert "nan" not in " ".join(lines)


@pytest.mark.parametrize("id", IDS)
def test_the_files_are_whole(id: str, made: dict[str, FigureFiles]) -> None:
    """The verb writes table, provenance and both pictures, and leaves nothing half-written behind."""
    document = made[id].to_dict()

    assert [Path(f).suffix for f in document["files"]] == [".csv", ".json", ".svg", ".png"]
    assert document["table"] == document["files"][0]
    assert ElementTree.parse(made[id].path("svg")).getroot().tag == "{http://www.w3.org/2000/svg}svg"
    assert made[id].path("png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    assert not [p for p in made[id].folder.iterdir() if p.suffix == ".tmp"]


@pytest.mark.parametrize("id", IDS)
def test_the_provenance_is_strict_and_says_no_path(id: str, made: dict[str, FigureFiles]) -> None:
    """The JSON beside a picture is strict, holds the hash of its table and names no local folder."""
    text = made[id].path("json").read_text(encoding="utf-8")
    found = json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))

    table = made[id].path("csv").read_bytes()
    assert found["table"]["sha256"] == hashlib.sha256(table).hexdigest()
    assert found["parameters"] == load(id).SPEC.size | load(id).SPEC.toy
    assert found["versions"]["numpy"] == np.__version__
    assert found["caption"] == made[id].caption.splitlines()
    assert str(made[id].folder) not in text


@pytest.mark.parametrize("id", IDS)
def test_a_picture_redrawn_from_its_table_is_the_same(id: str, made: dict[str, FigureFiles]) -> None:
    """Reusing the CSV gives the same SVG byte for byte, the same caption and the recorded parameters."""
    before = made[id].path("svg").read_bytes()
    again = figure(id, made[id].folder, reuse=True)

    assert again.path("svg").read_bytes() == before
    assert (again.caption, again.parameters) == (made[id].caption, made[id].parameters)
    assert again.seconds["compute"] == 0


def test_a_foreign_table_is_refused(tmp_path: Path) -> None:
    """Reusing a CSV with other columns is a one-line error that names the file."""
    (tmp_path / "fedproxvr.region.csv").write_text("a,b\n1,2\n")

    with pytest.raises(DataError, match=r"fedproxvr\.region\.csv: got a, b, expected the columns kind"):
        figure("fedproxvr.region", tmp_path, reuse=True)


def test_an_unknown_figure_is_answered_with_the_nearest() -> None:
    """A misspelt id names the nearest one."""
    with pytest.raises(UnknownName, match=r"did you mean fedproxvr\.region"):
        figure("fedproxvr.regoin")


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    """An output path that is a file is refused in one line."""
    (tmp_path / "taken").write_text("")

    with pytest.raises(InputError, match="expected a folder"):
        figure("fedproxvr.region", tmp_path / "taken")


def test_an_unknown_parameter_is_refused(tmp_path: Path) -> None:
    """A size that the figure does not know is answered with the nearest one, and nothing is written."""
    with pytest.raises(UnknownName, match="did you mean points"):
        figure("fedproxvr.region", tmp_path, size={"point": 3})

    assert list(tmp_path.iterdir()) == []


def test_a_figure_shows_itself_in_a_notebook(made: dict[str, FigureFiles]) -> None:
    """The notebook gets the picture itself and the escaped caption."""
    html = made["fedproxvr.region"]._repr_html_()

    assert "data:image/png;base64," in html
    assert "β &gt; 3" in html
