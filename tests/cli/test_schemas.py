"""Every document of the shell says which schema it keeps, and keeps it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fedproof import __version__
from fedproof.cli import app, main
from fedproof.report.api import Report
from fedproof.vocabulary.errors import UnknownName
from fedproof.vocabulary.schema import COMMANDS, schema, stamped
from tests.cli.keeping import faults

SARAH = "fedproxvr.lemma1.sarah"
POINT = ["L=1", "lam=1/2", "beta=30", "theta=1"]
SMALL = ["--problem", "quadratic", "--rounds", "2", "--clients", "3"]
#: commands that take seconds, each in the forms that its document has
LINES = [
    ["list"],
    ["list", "flecs"],
    ["find", "local", "steps"],
    ["show", SARAH],
    ["show", "flecs.theorem5"],
    ["check", SARAH, *POINT, "mu=20", "tau=40"],
    ["check", SARAH, *POINT, "mu=1/4", "tau=40"],
    ["range", SARAH, "tau", *POINT, "mu=20"],
    ["range", SARAH, "tau", *POINT],
    ["range", "fedproxvr.lemma1.svrg", "beta", "mu=1", "theta=1/100", "L=1", "lam=0", "tau=2"],
    ["region", SARAH, "mu", "tau", *POINT, "--window", "10,40", "--columns", "3"],
    ["region", SARAH, "mu", "tau", "L=1", "lam=1/2", "theta=1", "beta=30,40", "--window", "10,40"],
    ["list", "--problems"],
    ["tune", "fedproxvr", "L=1", "lam=0.5", "sigma2=1", "gamma=0.01"],
    ["tune", "fedproxvr", "L=1", "lam=0.5", "sigma2=1", "gamma=0"],
    ["tune", "fedprox", "L=1", "G=1", "Delta=1", "epsilon=0.1", "d_dev=0.01"],
    ["describe", "digits", "--clients", "5"],
    ["measure", "quadratic", "--clients", "3", "--rounds", "1", "--seeds", "2"],
    ["run", "fedprox", *SMALL],
    ["sweep", "fedprox", "mu=0,0.1", *SMALL, "--seeds", "2"],
    ["validate", "fedproxvr.remark1.2"],
    ["audit", "fedproxvr.remark1.4.monotone"],
    ["audit", "fedproxvr.eq46"],
    ["decide", "sqrt(x*y) <= (x + y)/2", "x >= 0", "y >= 0"],
    ["decide", "n2(u + v) <= n2(u) + n2(v)"],
    ["conform", "fedproof.testing.example:my_round", "--algorithm", "fedprox"],
    ["figure", "fedproxvr.figure1", "points=3", "sigma2=0,1", "--fmt", "svg", "-o", "figures"],
    ["new", "paper", "mine", "-o", "."],
]


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[list[str], Any], Any]:
    """What a command prints with --json in an empty folder, kept for the tests of this file."""
    kept: dict[str, Any] = {}

    def answer(line: list[str], capsys: pytest.CaptureFixture[str]) -> Any:
        name = " ".join(line)
        if name not in kept:
            with pytest.MonkeyPatch.context() as patch:
                patch.chdir(tmp_path_factory.mktemp("asked"))
                assert main([*line, "--json"]) in (0, 1)
            kept[name] = json.loads(capsys.readouterr().out)
        return kept[name]

    return answer


def opened(of: Any) -> Iterator[dict[str, Any]]:
    """Every object within a schema that names properties."""
    if isinstance(of, dict):
        yield from (of,) if "properties" in of else ()
        for inner in of.values():
            yield from opened(inner)


@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_a_document_keeps_its_schema(
    line: list[str], printed: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a command prints says which schema it keeps and which release wrote it, and keeps the schema."""
    found = printed(line, capsys)

    assert (found["schema"], found["fedproof"]) == (f"{line[0]}/1", __version__)
    assert list(faults(found, schema(line[0]))) == []


@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_a_library_agrees(line: list[str], printed: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """A validator of others finds the schemas well-formed and the documents kept."""
    library = pytest.importorskip("jsonschema", reason="`make docs` has it")
    library.Draft202012Validator.check_schema(schema(line[0]))
    library.Draft202012Validator(schema(line[0])).validate(printed(line, capsys))


def test_each_command_has_a_schema() -> None:
    """Every command is in the table, and all but those that take long are tried above."""
    names = {c.name or c.callback.__name__ for c in app.registered_commands if c.callback}

    assert set(COMMANDS.values()) == names
    assert names - {line[0] for line in LINES} == {"conditions", "plan", "report"}
    with pytest.raises(UnknownName, match="did you mean check"):
        schema("chek")


def test_the_report_keeps_its_schema() -> None:
    """The document of a report, which takes minutes to make, has a folder and what was found."""
    assert list(faults(stamped(Report(Path("report/index.html"), {"a": 1})), schema("report"))) == []


@pytest.mark.parametrize("key", ["applicable", "conditions", "missing", "bound", "schema"])
def test_a_key_that_is_gone_is_seen(key: str, printed: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """A document without a key of the contract breaks its schema, and so does one with another type there."""
    found = printed(LINES[5], capsys)
    fewer = {name: value for name, value in found.items() if name != key}

    assert list(faults(fewer, schema("check"))) == [f": no {key}"]
    assert len(list(faults(found | {key: {"no": "such"}}, schema("check")))) == 1
    assert list(faults(found | {"another": 1}, schema("check"))) == []


def test_a_word_of_a_verdict_is_one_of_the_known(printed: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """A verdict that nobody defined breaks the schema, deep inside a list too."""
    found = printed(["validate", "fedproxvr.remark1.2"], capsys)
    (row,) = found["results"]

    assert len(list(faults(found | {"results": [row | {"verdict": "fine"}]}, schema("validate")))) == 1


def test_schemas_leave_room_for_keys() -> None:
    """No schema forbids a key that it does not name."""
    closed = [
        name
        for name in set(COMMANDS.values())
        for inner in opened(schema(name))
        if inner.get("additionalProperties") is False
    ]

    assert closed == []
