"""The verb `figure`: what it is asked, what it refuses, and in which forms a figure comes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fedproof.figures.api import figure
from fedproof.figures.catalog import figure_ids, load
from fedproof.vocabulary.errors import DataError, InputError, UnknownName
from tests.refusals import refused

REGION = "fedproxvr.region"
TOY = load(REGION).SPEC.toy


def test_all_figures_are_found() -> None:
    """The figures and tables of the first paper are there, its own numbered ones first."""
    own = ("figure1", "figure2", "figure3", "figure4", "table1", "table2")
    names = (*own, "published_code", "region", "sharpened")
    assert figure_ids("fedproxvr") == tuple(f"fedproxvr.{name}" for name in names)
    assert set(figure_ids("fedproxvr")) <= set(figure_ids())


def test_a_table_that_is_not_its_own_is_not_drawn_again(tmp_path: Path) -> None:
    """A CSV that was touched, one without provenance or of other columns, and parameters with reuse."""
    csv = figure(REGION, tmp_path, size=TOY, fmt=()).path("csv")
    refused(InputError, "one of them", figure, REGION, tmp_path, size=TOY, reuse=True)
    csv.write_bytes(csv.read_bytes()[:-200])
    refused(DataError, "changed since", figure, REGION, tmp_path, reuse=True)
    csv.with_suffix(".json").unlink()
    refused(DataError, "no provenance", figure, REGION, tmp_path, reuse=True)
    csv.write_text("a,b\n1,2\n")
    foreign = r"fedproxvr\.region\.csv: got a, b, expected the columns kind"
    refused(DataError, foreign, figure, REGION, tmp_path, reuse=True)


def test_an_unknown_name_is_answered_with_the_nearest(tmp_path: Path) -> None:
    """A misspelt id, parameter or format names the nearest one and writes nothing; a file is no folder."""
    refused(UnknownName, r"did you mean fedproxvr\.region", figure, "fedproxvr.regoin", tmp_path)
    refused(UnknownName, "did you mean points", figure, REGION, tmp_path, size={"point": 3})
    refused(UnknownName, "did you mean pdf", figure, REGION, tmp_path, fmt="pfd")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "taken").write_text("")
    refused(InputError, "expected a folder", figure, REGION, tmp_path / "taken")


@pytest.mark.parametrize("formats", [("pdf",), ("png",), ("svg", "png")])
def test_formats_are_chosen(formats: tuple[str, ...], tmp_path: Path) -> None:
    """A figure comes in the formats asked for, or two, twice the same bytes; a notebook shows what it can."""
    asked: dict[str, Any] = {} if len(formats) == 2 else {"fmt": formats[0]}
    found = figure(REGION, tmp_path, size=TOY, **asked)
    first = [found.path(fmt).read_bytes() for fmt in formats]
    figure(REGION, tmp_path, reuse=True, **asked)
    html = found._repr_html_()

    assert {p.suffix for p in tmp_path.iterdir()} == {".csv", ".json", *(f".{fmt}" for fmt in formats)}
    assert [Path(file).suffix[1:] for file in found.to_dict()["files"]] == ["csv", "json", *formats]
    begin = {"pdf": b"%PDF", "png": b"\x89PNG\r\n\x1a\n", "svg": b"<?xml"}
    assert all(content.startswith(begin[fmt]) for fmt, content in zip(formats, first, strict=True))
    assert [found.path(fmt).read_bytes() for fmt in formats] == first
    assert ("data:image/png;base64," in html) == ("<img" in html) == ("png" in formats)
    assert "β &gt; 3" in html


def test_a_single_panel_is_drawn_into_given_axes(tmp_path: Path) -> None:
    """With axes a figure of one panel draws into them and writes no picture; one of several refuses."""
    from matplotlib.figure import Figure

    axes = Figure().add_subplot()
    figure(REGION, tmp_path, size=TOY, ax=axes)

    assert axes.has_data()
    assert sorted(p.suffix for p in tmp_path.iterdir()) == [".csv", ".json"]
    refused(InputError, "a figure of a single panel", figure, "fedproxvr.figure1", tmp_path, ax=axes)
