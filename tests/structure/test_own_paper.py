"""The page on a theorem of one's own is followed word for word, and its example is what the page says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import fedproof as fp
from fedproof.bounds.catalog import steps
from fedproof.validate.verdict import SamplingBudget
from tests.structure.code import ROOT
from tests.structure.following import agrees, blocks, follow, forgotten

PAGE, EXAMPLE = ROOT / "docs" / "own_paper.md", ROOT / "docs" / "examples" / "local_sgd.py"


@pytest.fixture
def example() -> Iterator[ModuleType]:
    """The module of the example."""
    with forgotten():
        yield import_module(fp.use(EXAMPLE))


def test_the_page_is_true_word_for_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From an empty folder on, files are written and commands run, and each prints what the page says."""
    monkeypatch.setenv("COLUMNS", "80")
    (tmp_path / "fedproof").symlink_to(ROOT)
    with forgotten():
        found = follow(PAGE.read_text(encoding="utf-8"), tmp_path)

    assert len(found) >= 12
    wrong = [f"{what}\n{got}" for what, said, got in found if not agrees(said, got)]
    assert not wrong, "\n".join(wrong)


def test_what_the_page_shows_of_the_example_stands_there() -> None:
    """A block of Python that is no file of its own is copied from the example."""
    text = EXAMPLE.read_text(encoding="utf-8")
    shown = [
        body
        for kind, title, body in blocks(PAGE.read_text(encoding="utf-8"))
        if kind == "python" and not title
    ]

    assert len(shown) == 3
    assert [body for body in shown if body not in text] == []


@pytest.mark.parametrize(
    ("right", "wrong", "step", "verdict"),
    [
        # samples of two workers that may depend on each other
        (", OTHERS.at(t, k, j), SLOPES", ", SLOPES", "lemma32.pair", "open"),
        # half of the room that Young's inequality needs
        ("<= 2 * L * n2(v) + n2(u)", "<= L * n2(v) + n2(u)", "lemma31.young", "refuted"),
        # a step size twice as long
        ("eta > 0, 4 * L * eta <= 1, LEAST", "eta > 0, 2 * L * eta <= 1, LEAST", "lemma31.half", "open"),
        # the drift without the square of H
        ("Last(t)) <= eta**2 * G**2 * H**2", "Last(t)) <= eta**2 * G**2 * H", "lemma33.walk", "open"),
    ],
)  # fmt: skip
def test_a_planted_error_is_found_where_it_stands(
    tmp_path: Path, right: str, wrong: str, step: str, verdict: str
) -> None:
    """With one line changed that step is no longer proved; as it stands in the example it is."""
    text = EXAMPLE.read_text(encoding="utf-8")
    assert text.count(right) == 1
    found = []
    for name, said in (("right", text), ("wrong", text.replace(right, wrong))):
        (tmp_path / name).mkdir()
        copy = tmp_path / name / EXAMPLE.name
        copy.write_text(said, encoding="utf-8")
        with forgotten():
            key = fp.use(copy)
            found += [fp.decide(s).verdict for s in steps(key) if s.id == f"{key}.{step}"]

    assert found == ["proved", verdict]


def test_the_measured_distance_is_the_closed_form_where_there_is_one(example: ModuleType) -> None:
    """With mu = L the mean model takes steps of gradient descent, with noise of variance sigma^2/K."""
    run = example.Run(Fraction(1), Fraction(1), Fraction(1, 2), Fraction(1, 4), 2, 4, (3,))
    kept = (1 - run.eta * run.L) ** 2
    noise = sum(kept**s for s in range(run.T)) * run.eta**2 * run.error**2 / run.K
    distance, largest = run.measured

    assert distance == kept**run.T + noise
    assert largest == run.L**2 + run.error**2
    assert (run.H, replace(run, averages=(1, 2, 3)).H, replace(run, averages=()).H) == (3, 1, 4)


def test_averages_count_where_the_gradient_bends(example: ModuleType) -> None:
    """With mu < L and noise, workers that average rarely end elsewhere than those that do in every step."""
    often = example.Run(Fraction(1), Fraction(1, 4), Fraction(1), Fraction(1, 4), 2, 5, (1, 2, 3, 4))

    assert often.measured[0] != replace(often, averages=()).measured[0]


@pytest.mark.parametrize(
    ("budget", "kept"),
    [({}, True), ({"tighten": 10}, False), ({"change": lambda run: replace(run, eta=-run.eta)}, False)],
    ids=["as it is", "a bound ten times as small", "steps uphill"],
)
def test_the_check_can_fail(example: ModuleType, budget: dict[str, Any], kept: bool) -> None:
    """Runs keep the theorem's bound; they do not keep a tenth of it, nor do runs that go uphill keep it."""
    (row,) = example.CHECK.find(SamplingBudget(**budget))

    assert (row.p_violated, row.p_obeyed) == ((1.0, 0.0) if kept else (0.0, 1.0))
