"""A new paper's folder: it passes as it is written, among ours and as a package of its own."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from fedproof.bounds import catalog
from fedproof.bounds.statement_handle import statement
from fedproof.cli import main
from fedproof.listing import list_papers
from fedproof.report import new_paper as new_paper_module
from fedproof.report.new_paper import NewPaper, new_paper
from fedproof.validate.api import validate
from fedproof.validate.audit import audit
from fedproof.validate.verdict import SamplingBudget
from fedproof.vocabulary import discovery
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.papers import papers

KEY = "brandnew"
#: what remembers, within one process, which papers there are
REMEMBERED = (papers, catalog.statement, catalog.proofs, discovery._modules)


@pytest.fixture(params=["abroad", "ours"])
def written(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[NewPaper]:
    """A paper just written: announced by an entry point, or found among fedproof's own."""
    if request.param == "ours":
        found = import_module(discovery.GROUP)
        monkeypatch.setattr(found, "__path__", [*found.__path__, str(tmp_path)])
        monkeypatch.setattr(found.__spec__, "submodule_search_locations", found.__path__)
    else:
        points = [EntryPoint(KEY, KEY, discovery.GROUP)]
        monkeypatch.setattr(discovery, "entry_points", lambda group: points)
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.setattr("fedproof.report.new_paper.packages", dict)
    made = new_paper(KEY, tmp_path)
    for each in REMEMBERED:
        each.cache_clear()
    yield made
    for name in [n for n in sys.modules if n.startswith(made.package)]:
        del sys.modules[name]
    monkeypatch.undo()
    for each in REMEMBERED:
        each.cache_clear()


def test_what_is_written_passes(written: NewPaper) -> None:
    """The paper is listed, shown and checked; its step is proved, its statement holds, its check agrees."""
    id = f"{KEY}.lemma1"
    judged = audit(KEY)

    assert list_papers(KEY).papers[0].statements == (id,)
    assert statement(id).show().to_dict()["conditions"][0]["label"] == "(1)"
    assert [statement(id).check(L=1, eta=e).applicable for e in (1, "3/2")] == [True, False]
    assert [s.verdict for s in judged.steps] == ["proved"]
    assert [s.verdict for s in judged.statements] == ["holds"]
    assert judged.failed == ()
    assert [v.verdict for v in validate(id).results] == ["consistent"]


def test_its_check_catches_a_planted_falsehood(written: NewPaper) -> None:
    """With steps five times as long the loss does not fall as the lemma says."""
    check = import_module(f"{written.package}.checks.lemma1").CHECK
    (found,) = check.find(SamplingBudget(change=lambda method: replace(method, stepsize=5 * method.stepsize)))

    assert found.p_violated == 0
    assert found.measured < found.bound


def test_how_to_announce_it_is_said_where_that_is_needed(written: NewPaper) -> None:
    """Outside fedproof there is a README with the entry point; among our own there is none."""
    readme = written.files[0].parent / "README.md"

    assert readme.exists() == (not written.ours)
    if not written.ours:
        text = readme.read_text()
        assert f'[project.entry-points."fedproof.papers"]\n{KEY} = "{KEY}"' in text
        assert written.headline().endswith("README.md says how fedproof finds it")


@pytest.mark.parametrize("key", ["Upper", "two words", "1st", "", "class", "composite", "json", "../up"])
def test_a_bad_key_is_refused(key: str, tmp_path: Path) -> None:
    """A key that is no word, or is taken, is one line, and nothing is written."""
    with pytest.raises(InputError, match=r"^key: got"):
        new_paper(key, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder that is there stays as it is, and the command says so with exit code 2."""
    (tmp_path / KEY).mkdir()

    assert main(["new", "paper", KEY, "-o", str(tmp_path)]) == 2
    assert "no folder there yet" in capsys.readouterr().err
    assert list((tmp_path / KEY).iterdir()) == []
    assert main(["new", "figure", KEY]) == 2


def test_half_a_folder_is_not_left_in_the_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped between two files it leaves nothing, so that the same line can be typed again."""
    write, written = new_paper_module.write_whole, []

    def stopped(path: Path, content: bytes) -> Path:
        if len(written) == 3:
            raise KeyboardInterrupt
        written.append(path)
        return write(path, content)

    with monkeypatch.context() as patch:
        patch.setattr(new_paper_module, "write_whole", stopped)
        with pytest.raises(KeyboardInterrupt):
            new_paper(KEY, tmp_path)
    assert len(written) == 3
    assert list(tmp_path.iterdir()) == []

    assert all(file.is_file() for file in new_paper(KEY, tmp_path).files)
    assert [p.name for p in tmp_path.iterdir()] == [KEY]
