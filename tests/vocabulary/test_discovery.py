"""The one discovery: what another distribution's package adds, and what it may not replace."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from fedproof.figures.catalog import figure_ids
from fedproof.figures.catalog import load as load_figure
from fedproof.solvers.algorithms.fedavg import FedAvg
from fedproof.solvers.catalog import algorithm_class, algorithm_names
from fedproof.validate.api import checks
from fedproof.vocabulary import discovery
from fedproof.vocabulary.errors import InputError, LeftOut, UnknownName
from tests.refusals import refused

CHECK = (
    "from fedproof.validate.verdict import EmpiricalCheck\n"
    "CHECK = EmpiricalCheck((), 'theirs', lambda effort: ())\n"
)


def plant(folder: Path, package: str, **files: str) -> str:
    """A package on disk with files named `folder__module`; returns its name."""
    for place, text in {"__init__": "", **files}.items():
        path = folder.joinpath(package, *place.split("____")).with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        (path.parent / "__init__.py").touch()
        path.write_text(text)
    return package


def announce(monkeypatch: pytest.MonkeyPatch, folder: Path, **packages: str) -> None:
    """Other distributions announce packages that lie in a folder."""
    points = [EntryPoint(name, value, discovery.GROUP) for name, value in packages.items()]
    monkeypatch.setattr(discovery, "entry_points", lambda group: points)
    monkeypatch.syspath_prepend(str(folder))


def test_one_entry_point_brings_parts_of_every_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package adds its checks, figures and algorithms; a name of ours stays ours; nothing is imported."""
    files = {
        "checks____theorem1": CHECK,
        "checks____helper": CHECK,
        "figures____table2": "SPEC = 'theirs'",
        "figures_____helper": "",
        "algorithms____fedother": "class Other:\n    name = 'fedother'\n",
        "algorithms____fedavg": "",
        "algorithms____empty": "",
    }
    announce(monkeypatch, tmp_path, theirs=plant(tmp_path, "theirpaper", **files))

    assert {"fedother", "fedavg", "fedprox"} <= set(algorithm_names())
    assert figure_ids("theirs") == ("theirs.table2",)
    assert "theirpaper.figures.table2" not in sys.modules
    assert load_figure("theirs.table2").SPEC == "theirs"
    assert checks()["theirs.theorem1"].title == "theirs"
    assert "Theorem 1" in checks()["fedproxvr.theorem1"].title
    assert algorithm_class("fedavg") is FedAvg
    assert algorithm_class("fedother").__name__ == "Other"
    refused(InputError, 'name = "empty"', algorithm_class, "empty")


def test_a_paper_of_ours_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second `fedproxvr` brings nothing under that key, and a warning says so."""
    announce(monkeypatch, tmp_path, fedproxvr=plant(tmp_path, "elsewhere", checks____theorem1=CHECK))

    with pytest.warns(LeftOut, match="entry point fedproxvr"):
        assert "Theorem 1" in checks()["fedproxvr.theorem1"].title


def test_two_parts_of_one_name_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two distributions with an algorithm of one name are an error that names both modules."""
    first = plant(tmp_path, "firstpaper", algorithms____twice="")
    second = plant(tmp_path, "secondpaper", algorithms____twice="")
    announce(monkeypatch, tmp_path, first=first, second=second)

    refused(InputError, r"twice: got firstpaper.* and secondpaper", algorithm_names)


def test_a_package_that_is_not_there_brings_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry point of a package that was removed is warned of; an unknown name says the nearest."""
    announce(monkeypatch, tmp_path, gone="nowhere.at.all")

    with pytest.warns(LeftOut, match=r"entry point gone .* got nowhere\.at\.all"):
        assert "fedavg" in algorithm_names()
    refused(UnknownName, "did you mean fedavg", algorithm_class, "FedAvg")
