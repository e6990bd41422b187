"""Checks and figures from runs that ship with a paper: what is wrong with these is told, and they go."""

from __future__ import annotations

import json
import lzma
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from fedproof.figures.catalog import load
from fedproof.figures.parameters import read_parameters
from fedproof.figures.spec import ComputeContext
from fedproof.report import run_files, stored
from fedproof.report.dependencies import SourceTexts
from fedproof.report.parts import check_job
from fedproof.report.run_files import RunFile, file_digest, libraries, read_runs, source_digest, write_runs
from fedproof.solvers.runs.stored_runs import RecordedRuns, RepeatedRuns, RunsDiffer, as_numbers
from fedproof.validate.empirical.comparison import compare, sampled_place
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget, assign_verdicts
from fedproof.vocabulary.discovery import paper_modules

NAME, ID = "flecs.runs", "flecs.theorem4.repaired"
SEEDS, BOUND = 40, 1.0
HERE = "abcdefab" * 8


class Game:
    """A check whose runs are counted; `scale` is what its source is."""

    def __init__(self) -> None:
        self.calls = 0
        self.scale = 0.5

    def run(self, seed: int) -> list[float | str]:
        """A number about the scale."""
        self.calls += 1
        return as_numbers([self.scale + 0.01 * float(np.random.default_rng(seed).normal())])

    def find(self, budget: SamplingBudget) -> tuple[BoundComparison, ...]:
        """The mean of its runs below a bound."""
        first = 1000 * budget.salt
        values = [
            float(budget.runs("a game", f"seed {s}", lambda s=s: self.run(s))[0])  # type: ignore[misc]
            for s in range(first, first + SEEDS)
        ]
        place = sampled_place(np.array(values), BOUND, None)
        return (compare(ID, "lyapunov", [place], ("a game", "Words."), budget),)

    @property
    def check(self) -> EmpiricalCheck:
        """As the report takes it."""
        return EmpiricalCheck((ID,), "a game", self.find)


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    """A check of FLECS whose runs lie in this test's folder and were done here and now."""
    made = Game()
    monkeypatch.setattr(run_files, "place_of", lambda name: tmp_path / f"{name}.json.xz")
    monkeypatch.setattr(stored, "source_digest", lambda texts, module: HERE)
    monkeypatch.setattr(stored, "source_here", lambda module: HERE)
    module = SimpleNamespace(CHECK=made.check)
    monkeypatch.setattr(stored, "import_module", lambda name: module)
    monkeypatch.setattr("fedproof.report.parts.import_module", lambda name: module)
    stored.store(NAME)
    made.calls = 0
    return made


def rows(game: Game) -> tuple[BoundComparison, str]:
    """The report's one row, and what it says of its runs."""
    (row,) = stored.compared(NAME, game.check)
    return row, row.rests_on[-1]


def edit(change: Callable[[dict[str, Any]], Any], sealed: bool = True) -> None:
    """Change the document that is stored, by a hand that knows how to seal it, or not."""
    place = run_files.place_of(NAME)
    assert place is not None
    document = json.loads(lzma.decompress(place.read_bytes()))
    change(document)
    if sealed:
        write_runs(NAME, RunFile(document["source"], document["libraries"], document["runs"]))
    else:
        place.write_bytes(lzma.compress(json.dumps(document).encode()))


def test_the_verdict_is_of_the_stored_runs(game: Game) -> None:
    """The row is the one of all runs done, a tenth of them was done, and it says which and whose they are."""
    row, said = rows(game)
    (whole,) = game.find(SamplingBudget())

    assert game.calls == SEEDS / 10 + SEEDS
    assert (row.measured, row.bound, row.p_obeyed) == (whole.measured, whole.bound, whole.p_obeyed)
    assert "40 runs stored at source abcdefab; " in said
    assert "; 4 of them, drawn at random (seed " in said
    assert said.endswith("done again: equal bit for bit.")
    (verdict,) = assign_verdicts((row,), lambda: (row,))
    assert verdict.verdict == "consistent"
    assert said in verdict.rests_on


def forge(document: dict[str, Any]) -> None:
    """Every run far below the bound."""
    document["runs"]["a game"] = {run: [0.001] for run in document["runs"]["a game"]}


def drop(document: dict[str, Any]) -> None:
    """The runs that are least welcome are left out."""
    runs = document["runs"]["a game"]
    del runs[max(runs, key=lambda run: runs[run][0])]


def hide(document: dict[str, Any]) -> None:
    """Runs that nobody asks for, so that those are drawn."""
    document["runs"]["a game"] |= {f"seed {s}": [0.5] for s in range(900, 1900)}


def confuse(document: dict[str, Any]) -> None:
    """Something that is no run."""
    document["runs"]["a game"] = {run: {"no": "number"} for run in document["runs"]["a game"]}


@pytest.mark.parametrize("change", [forge, drop, hide, confuse])
def test_an_edited_store_is_refused_and_done_anew(
    game: Game, change: Callable[[dict[str, Any]], None]
) -> None:
    """The row is then that of runs done now, and says why; a seal that is right does not help."""
    edit(change)
    row, said = rows(game)
    (whole,) = game.find(SamplingBudget())

    assert said.startswith("All runs were done now: the stored ones were refused (")
    assert game.calls >= 2 * SEEDS
    assert row.measured == whole.measured


def test_a_bad_file_and_another_source_are_not_used(game: Game) -> None:
    """A broken seal, and runs that another source did, are left: all are done now, and the row says so."""
    edit(lambda d: d["runs"]["a game"].update({"seed 0": [0.4]}), sealed=False)
    assert rows(game)[1] == "All runs were done now, as the file of the stored ones is damaged."
    stored.store(NAME)
    edit(lambda d: d.update(source="f" * 64))
    game.calls = 0
    assert rows(game)[1] == "All runs were done now: another source, ffffffff, did the stored ones."
    assert game.calls == SEEDS


def test_a_change_of_what_runs_is_seen_in_the_runs(game: Game) -> None:
    """Where the runs give something else and no digest tells it, the share that is done again does."""
    game.scale = 0.6
    row, said = rows(game)

    assert "done again it gives something else" in said
    assert row.measured == pytest.approx(0.6, abs=0.01)


def test_other_libraries_are_named(game: Game) -> None:
    """Runs of another BLAS are compared to rounding, and the row says whose they are."""
    edit(lambda d: d["libraries"].update(blas="openblas 9 Zen"))

    assert rows(game)[1].endswith("done again: equal to 1e-06, as blas openblas 9 Zen did them.")


def test_a_broken_bound_is_broken_by_stored_runs(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """The verdict is computed from the runs each time: with a smaller bound the same runs violate it."""
    monkeypatch.setitem(globals(), "BOUND", 0.4)
    row, said = rows(game)

    assert "equal bit for bit" in said
    assert row.p_violated < 1e-9


def test_fresh_seeds_are_done(game: Game) -> None:
    """What repeats a violation is never stored, and what is stored is part of a job's name."""
    check_job(NAME, 1).make(Path(), lambda said="": None)
    assert game.calls == SEEDS

    before = check_job(NAME).parameters
    edit(forge)
    assert check_job(NAME).parameters != before


def test_a_source_that_changes_meanwhile_is_not_stored(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs are stored under the source that did them, or not at all."""
    digests = iter(["a" * 64, "b" * 64])
    monkeypatch.setattr(stored, "source_digest", lambda texts, module: next(digests))
    with pytest.raises(Exception, match="a source that changed meanwhile"):
        stored.store(NAME)


def test_a_source_is_what_computes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Docstrings and comments are no part of it; a constant of an algorithm or of the check is."""
    texts, module = SourceTexts(), paper_modules("checks")[NAME]
    before = source_digest(texts, module)
    real = run_files.text_of

    def changed(name: str, old: str, new: str) -> str:
        assert old in real(name)
        texts_of = {name: real(name).replace(old, new)}
        monkeypatch.setattr(run_files, "text_of", lambda asked: texts_of.get(asked) or real(asked))
        return source_digest(texts, module)

    assert changed(module, "ROUNDS = (5, 30)", "ROUNDS = (5, 31)") != before
    assert changed("fedproof.solvers.algorithms.flecs_cgd", "class FlecsCgd", "class FlecsCgdX") != before
    assert (
        changed(module, '"""The minimiser and the least loss, to rounding."""', '"""Other words."""')
        == before
    )
    assert changed("fedproof.bounds.catalog", "def statement(", "def statement_(") == before


def test_what_ships_is_whole_and_small() -> None:
    """Each file that ships reads, is of a check or figure, says who made it, and all take less than 5 MB."""
    names = [name for name in stored.known() if file_digest(name)]
    files = [read_runs(name) for name in names]
    places = [place for name in names if (place := run_files.place_of(name))]

    assert names
    assert all(file is not None and file.runs and set(file.libraries) == set(libraries()) for file in files)
    assert sum(place.stat().st_size for place in places) < 5_000_000
    assert {p.name for place in places for p in place.parent.iterdir()} == {place.name for place in places}


def test_a_figures_table_is_the_same_from_stored_runs() -> None:
    """Done, recorded and from what was recorded, a table is the same to the last bit and kind of column."""
    module = load("composite.figure4")
    size = read_parameters("composite.figure4", module.SPEC.parameters, module.SPEC.toy)
    recorded = RecordedRuns()
    done = module.compute(size, ComputeContext())
    first = module.compute(size, ComputeContext(runs=recorded))
    kept = json.loads(json.dumps(recorded.values, allow_nan=False))
    repeated = RepeatedRuns(kept, np.random.default_rng(1), exact=True)
    again = module.compute(size, ComputeContext(runs=repeated))
    repeated.close()

    assert 0 < repeated.again < repeated.count
    for table in (first, again):
        pd.testing.assert_frame_equal(table, done, check_exact=True)
    case, runs = next(iter(kept.items()))
    for rows in runs.values():
        rows["doubles"]["loss"][-1] += 1e-9
    with pytest.raises(RunsDiffer, match=case):
        module.compute(size, ComputeContext(runs=RepeatedRuns(kept, np.random.default_rng(1), exact=True)))
