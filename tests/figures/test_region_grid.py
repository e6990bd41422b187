"""Regions under sliders: every place is the exact region, and the page holds all of it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import fedproof as fp
from fedproof.bounds.region_grid import RegionGrid
from fedproof.cli import main
from fedproof.vocabulary.errors import InputError, UnknownName

ID, FIXED = "fedproxvr.lemma1.sarah", {"L": 1, "lam": 0}
ASKED = ["region", ID, "beta", "tau", "L=1", "lam=0", "--columns", "6", "--window", "3,40"]


@pytest.fixture(scope="module")
def grid() -> RegionGrid:
    """Two sliders, one of which empties the region at its first place."""
    sliders = {"theta": ["1/100", 1], "mu": ["40", "20"]}
    return fp.region_grid(ID, "beta", "tau", sliders=sliders, window=(3, 40), columns=6, **FIXED)


def data_of(page: str) -> Any:
    """The numbers that a page draws."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


def test_every_place_is_the_exact_region(grid: RegionGrid) -> None:
    """What a place holds is what `region` answers there; sliders are in increasing order."""
    assert [s.texts for s in grid.sliders] == [("1/100", "1"), ("20", "40")]
    for theta in ("1/100", "1"):
        for mu in ("20", "40"):
            alone = fp.region(ID, "beta", "tau", window=(3, 40), columns=6, theta=theta, mu=mu, **FIXED)
            assert grid.at(theta=theta, mu=mu).to_dict() == alone.to_dict()
    with pytest.raises(InputError, match="nothing lies between"):
        grid.at(theta="1/2", mu="20")


def test_the_page_holds_every_end_and_needs_no_network(grid: RegionGrid) -> None:
    """Ends, openness and conditions of all columns stand in it; no address is loaded."""
    page = grid.page()
    drawn = data_of(page)
    region = grid.regions[1, 0]

    assert set(drawn["regions"]) == {"0,0", "0,1", "1,0", "1,1"}
    for (at, intervals), column in zip(drawn["regions"]["1,0"]["columns"], region.columns, strict=True):
        assert at == float(column.at)
        assert [i[:2] for i in intervals] == column.range.intervals
        assert [i[2:4] for i in intervals] == [[s.lo_open, s.hi_open] for s in column.range.stretches]
    assert "admits no pair" in drawn["regions"]["0,0"]["why"]
    assert drawn["regions"]["1,0"]["why"] == ""
    assert not re.search(r"(?:src|href)=|url\(|fetch\(|import ", page)
    assert re.findall(r"https?://[^\s\"']+", page) == ["http://www.w3.org/2000/svg"]
    assert page.count("</script>") == 2


def test_a_notebook_shows_the_page(grid: RegionGrid, tmp_path: Path) -> None:
    """The headline, then the page in a frame of its own, escaped, which is what `save` writes."""
    shown = grid._repr_html_()

    assert shown.startswith(f"<p>{grid.headline()}</p><iframe title=")
    assert 'srcdoc="&lt;!doctype html&gt;' in shown
    assert shown.count('"') == 6
    assert grid.save(tmp_path / "page.html").read_text() == grid.page()


def test_the_shell_writes_pictures_tables_and_pages(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One value each makes a picture or a table, several a page; another ending is one line."""
    for values, ending in ((["theta=1", "mu=20"], "svg"), (["theta=1", "mu=20"], "csv"),
                           (["theta=1", "mu=20,40"], "html")):  # fmt: skip
        file = tmp_path / f"region.{ending}"
        assert main([*ASKED[:4], *values, *ASKED[4:], "-o", str(file), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["id"] == ID
        assert file.stat().st_size > 100
    assert (tmp_path / "region.csv").read_text().startswith("beta,tau,side,open,binding")
    for values, ending in ((["theta=1", "mu=20"], "html"), (["theta=1", "mu=20,40"], "svg")):
        assert main([*ASKED[:4], *values, *ASKED[4:], "-o", str(tmp_path / f"no.{ending}")]) == 2
        assert capsys.readouterr().err.strip().count("\n") == 0
    assert main([*ASKED[:4], "theta=1", "mu=20", "--window", "3"]) == 2


@pytest.mark.parametrize(("sliders", "message"), [
    ({}, "one or two symbols"),
    ({"mu": [1]}, "two values or more"),
    ({"mu": range(1, 30), "theta": [f"1/{k}" for k in range(1, 30)]}, "at most 400"),
    ({"mu": [1, 2], "prox_weight": [1, 2]}, "two different symbols"),
])  # fmt: skip
def test_what_is_no_slider_is_refused(sliders: dict[str, Any], message: str) -> None:
    """One line each, before anything is computed."""
    with pytest.raises(InputError, match=message):
        fp.region_grid(ID, "beta", "tau", sliders=sliders, **FIXED)
    with pytest.raises(UnknownName, match="symbol"):
        fp.region_grid(ID, "beta", "tau", sliders={"nu": [1, 2]}, **FIXED)


@pytest.mark.parametrize("ending", ["svg", "pdf"])
def test_a_picture_of_a_region_is_the_same_bytes_each_time(ending: str, tmp_path: Path) -> None:
    """Neither a date nor a number drawn anew is in it."""
    files = [tmp_path / f"{k}.{ending}" for k in range(2)]
    for file in files:
        assert main([*ASKED, "theta=1", "mu=20", "-o", str(file)]) == 0

    assert files[0].read_bytes() == files[1].read_bytes()
