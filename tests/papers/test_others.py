"""Another distribution's broken paper: others work, a line says what is wrong, asking for it fails."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from fedproof.bounds import catalog
from fedproof.cli import main
from fedproof.report.new_paper import new_paper
from fedproof.vocabulary import discovery
from fedproof.vocabulary.papers import papers

KEY = "zkey"
#: what remembers, within one process, which papers there are
REMEMBERED: tuple[Any, ...] = (
    papers,
    catalog.statement,
    catalog.proofs,
    discovery._modules,
    discovery._announced,
)
TUNE = ("tune", "fedproxvr", "L=1", "lam=0.5", "sigma2=0", "gamma=1e-3")
LEMMA = "composite.lemmaA1"
#: a cheap statement of ours, audited beside all papers' proofs
OURS = "fedproxvr.remark1.4.monotone"
LISTED = 'PROOFS = ("lemma1",)'

Run = Callable[..., tuple[int, list[str]]]


@pytest.fixture
def theirs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a paper that another distribution announces."""

    def forget() -> None:
        for each in REMEMBERED:
            each.cache_clear()
        for name in [n for n in sys.modules if n.partition(".")[0] == KEY]:
            del sys.modules[name]

    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    new_paper(KEY, tmp_path)
    announce(monkeypatch, KEY, KEY)
    monkeypatch.syspath_prepend(str(tmp_path))
    forget()
    yield tmp_path / KEY
    monkeypatch.undo()
    forget()


def announce(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    """A distribution with one entry point."""
    points = [EntryPoint(name, value, discovery.GROUP)]
    monkeypatch.setattr(discovery, "entry_points", lambda group: points)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command; its exit code and the lines on stderr."""

    def done(*words: str) -> tuple[int, list[str]]:
        quiet = ("--quiet",) if words[0] in ("audit", "validate") else ()
        code = main([*words, *quiet])
        return code, capsys.readouterr().err.splitlines()

    return done


def change(folder: Path, file: str, old: str, new: str) -> None:
    """A file of the paper with other text; a new one where there is none."""
    path = folder / file
    text = path.read_text() if path.exists() else ""
    assert old in text
    path.write_text(text.replace(old, new) if old else new)


BROKEN = [
    pytest.param("index.py", "", "KEY = (", ("list",), ("list", KEY), "index.py, line 1: got", id="syntax"),
    pytest.param("index.py", "VENUE", "PLACE", ("list",), ("list", KEY), "attribute 'VENUE'", id="venue"),
    pytest.param(
        "index.py", 'KEY = "zkey"', 'KEY = "composite"', ("list", "composite"), ("audit", "zkey.lemma1"),
        "index of zkey: got KEY composite, expected", id="key",
    ),
    pytest.param(
        "index.py", "STATEMENTS = (", "STATEMENTS = 5, (", ("show", LEMMA), ("show", "zkey.lemma1"),
        "index.py", id="statements",
    ),
    pytest.param("__init__.py", "", "raise OSError('no')", ("list",), None, "__init__.py, line 1", id="init"),
    pytest.param(
        "checks/x.py", "", "CHECK = (", ("validate", OURS), ("validate", "zkey.lemma1"),
        "checks/x.py, line 1", id="check",
    ),
    pytest.param(
        "checks/x.py", "", "pass", ("validate", OURS), ("validate", "zkey.lemma1"),
        "attribute 'CHECK'", id="no check",
    ),
    pytest.param("tuner.py", "", "TUNES = (", TUNE, ("tune", KEY), "tuner.py, line 1", id="tuner"),
    pytest.param("tuner.py", "", "pass", TUNE, ("tune", KEY), "attribute 'TUNES'", id="no tuner"),
    pytest.param(
        "proofs/lemma1.py", "by = step_writer", "1 / 0\nby = step_writer", ("audit", OURS), ("audit", KEY),
        "lemma1.py, line 11: got division by zero", id="proof",
    ),
    pytest.param(
        "index.py", LISTED, 'PROOFS = ("gone",)', ("audit", OURS), ("audit", KEY), "zkey.proofs.gone",
        id="missing proof",
    ),
    pytest.param(
        "index.py", LISTED, 'PROOFS = "lemma1"', ("audit", OURS), ("audit", KEY),
        'write PROOFS = ("lemma1",)', id="proofs in one string",
    ),
    pytest.param(
        "index.py", "statements.printed", "statements.gone", ("audit", OURS), ("show", "zkey.lemma1"),
        "zkey.statements.gone", id="missing statements",
    ),
    pytest.param(
        "notation.py", '"stepsize"', '"stepsiz"', ("audit", OURS), ("audit", KEY),
        "did you mean stepsize?", id="quantity",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("file", "old", "new", "other", "asked", "said"), BROKEN)
def test_a_broken_file_fails_its_own_paper_alone(
    theirs: Path, run: Run, file: str, old: str, new: str, other: tuple[str, ...],
    asked: tuple[str, ...] | None, said: str,
) -> None:  # fmt: skip
    """Another paper's command works with one line on stderr at most; the paper's own says it and exits 2."""
    change(theirs, file, old, new)
    code, lines = run(*other)

    assert code == 0
    assert len(lines) <= 1
    assert all(said in line for line in lines)
    if asked is not None:
        code, lines = run(*asked)
        assert code == 2
        assert len(lines) == 1
        assert said in lines[0]
        assert KEY in lines[0]


def test_our_paper_stays(theirs: Path, run: Run) -> None:
    """An index with our key takes nothing of our paper, and one line says so."""
    change(theirs, "index.py", 'KEY = "zkey"', 'KEY = "composite"')
    code, lines = run("list")

    assert code == 0
    assert lines == [
        "fedproof: "
        f'{theirs}/index.py: index of zkey: got KEY composite, expected KEY = "zkey", as the package is '
        "announced; mend KEY"
    ]
    assert LEMMA in papers()["composite"].statements


@pytest.mark.parametrize(
    ("name", "value"), [(KEY, "nosuchpackage"), (KEY, "zkey:foo"), (KEY, "zkey.index"), ("composite", KEY)]
)
def test_a_wrong_entry_point_is_said(
    theirs: Path, run: Run, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    """What is no package, or has a name of ours, is one line, and everything else works."""
    announce(monkeypatch, name, value)
    code, (line,) = run("list")

    assert code == 0
    assert f"entry point {name} of fedproof.papers: got {value}, expected" in line


def test_our_tuner_stays(theirs: Path, run: Run) -> None:
    """A tuner of what one of ours tunes is not asked."""
    change(theirs, "tuner.py", "", "TUNES = ('fedproxvr',)")

    assert run(*TUNE) == (0, [])


def test_a_check_of_nothing_is_refused(theirs: Path, run: Run) -> None:
    """Ids of a check that are neither statements nor steps name its file and the nearest id."""
    change(
        theirs, "checks/lemma1.py", "CHECK = EmpiricalCheck((ID,)", 'CHECK = EmpiricalCheck(("zkey.lema1",)'
    )
    code, (line,) = run("validate", "zkey.lema1")

    assert code == 2
    assert "checks/lemma1.py" in line
    assert line.endswith("did you mean zkey.lemma1?")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("VERDICTS = {'zkey.lema1': 'refuted'}", "did you mean zkey.lemma1?"),
        ("VERDICTS = {'zkey.lemma1': 'refutd'}", "did you mean refuted?"),
        ("VERDICTS = ['zkey.lemma1']", "expected a dict"),
    ],
)
def test_verdicts_are_of_statements_in_known_words(theirs: Path, run: Run, text: str, said: str) -> None:
    """What `verdicts.py` cannot mean is one line that names the file."""
    change(theirs, "verdicts.py", "", text)
    code, (line,) = run("audit", KEY)

    assert code == 2
    assert "verdicts.py" in line
    assert said in line


def test_another_verdict_than_declared_fails_the_audit(theirs: Path, run: Run) -> None:
    """A statement that holds and is declared refuted is said, with exit code 1."""
    change(theirs, "verdicts.py", "", "VERDICTS = {'zkey.lemma1': 'refuted'}")

    said = "fedproof: zkey.lemma1 is declared refuted in its paper's verdicts and is judged holds"
    assert run("audit", KEY) == (1, [said])
