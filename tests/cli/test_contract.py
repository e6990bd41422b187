"""The command contract: documents, exit codes, one line of error."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from fractions import Fraction
from importlib import import_module
from pathlib import Path

import pytest

from fedproof import __version__
from fedproof.bounds.statement_handle import statement
from fedproof.cli import main

SARAH = "fedproxvr.lemma1.sarah"
POINT = ["L=1", "lam=1/2", "mu=20", "beta=30", "tau=40", "theta=1"]


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Run the command line in this process."""
    code = main(list(arguments))
    out, err = capsys.readouterr()
    return code, out, err


def document(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    """The JSON a command prints, strictly parsed; it must exit 0 and keep stderr for progress."""
    code, out, err = call(capsys, *arguments, "--json")
    assert (code, err) == (0, "")

    def refuse(text: str) -> None:
        raise AssertionError(f"{text} is no JSON")

    found = json.loads(out, parse_constant=refuse)
    assert isinstance(found, dict)
    assert found.pop("schema").endswith("/1")
    assert found.pop("fedproof") == __version__
    return found


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    """Papers with statements, algorithms and figures."""
    papers = {paper["key"]: paper for paper in document(capsys, "list")["papers"]}

    assert {"fedproxvr", "composite"} <= set(papers)
    for paper in papers.values():
        assert {"key", "title", "statements", "algorithms", "figures"} <= set(paper)
    assert "fedproxvr.figure1" in papers["fedproxvr"]["figures"]
    for key, paper in papers.items():
        assert document(capsys, "list", key)["papers"] == [paper]


def test_show(capsys: pytest.CaptureFixture[str]) -> None:
    """A statement with symbols, conditions and assumptions."""
    shown = document(capsys, "show", SARAH)

    assert set(shown) >= {
        "id", "paper", "source", "kind", "metric", "claim_latex", "bound_latex", "symbols", "conditions",
        "assumptions", "amends", "amended_by",
    }  # fmt: skip
    assert shown["bound_latex"] == r"\theta"
    assert set(shown["symbols"][0]) >= {"name", "quantity", "domain", "unit", "meaning"}
    assert [c["label"] for c in shown["conditions"]] == ["mu > lam", "(13) sign", "(13) lower", "(13) upper"]
    assert document(capsys, "show", "fedproxvr.remark1.4.monotone")["amended_by"] == [
        "fedproxvr.remark1.4.monotone.repaired"
    ]


def test_check_applies(capsys: pytest.CaptureFixture[str]) -> None:
    """All conditions hold and the bound is theta; the command prints what the verb returns."""
    checked = document(capsys, "check", SARAH, *POINT)

    assert set(checked) >= {"id", "applicable", "conditions", "missing", "bound"}
    assert checked["applicable"] is True
    assert checked["bound"] == 1.0
    assert all(c["holds"] for c in checked["conditions"])
    assert checked["conditions"][0]["margin"] == pytest.approx((20 - 0.5) / 20)
    assert checked["conditions"] == [
        {"label": c.label, "holds": d.holds, "margin": d.margin}
        for c, d in statement(SARAH).check(**dict(p.split("=") for p in POINT)).conditions
    ]


def test_check_takes_letters_and_words_alike(capsys: pytest.CaptureFixture[str]) -> None:
    """The canonical word means the letter; convex and identical clients, zeros, are inside the domain."""
    words = [
        "smoothness_sample=1", "weak_convexity=0.5", "prox_weight=20", "inverse_stepsize=30",
        "local_steps=40", "inexactness=1",
    ]  # fmt: skip

    assert document(capsys, "check", SARAH, *words) == document(capsys, "check", SARAH, *POINT)
    zeros = ["L=1", "lam=0", "sigma2=0", "mu=9", "theta=1/10"]
    assert document(capsys, "check", "fedproxvr.theorem1", *zeros)["applicable"] is True


@pytest.mark.parametrize(
    "change",
    ["mu=1/2", "mu=1/4", "beta=3", "beta=2", "tau=10000", "tau=1", "theta=1e-999", "L=1e999", "mu=1e999"],
)
def test_failing_a_condition_is_an_answer(capsys: pytest.CaptureFixture[str], change: str) -> None:
    """Outside its conditions, however far, a statement is not applicable, returns no number, and exits 0."""
    name = change.split("=")[0]
    point = [p for p in POINT if not p.startswith(f"{name}=")] + [change]
    checked = document(capsys, "check", SARAH, *point)

    assert checked["applicable"] is False
    assert checked["bound"] is None
    assert not all(c["holds"] for c in checked["conditions"])


def test_the_bound_names_what_it_lacks(capsys: pytest.CaptureFixture[str]) -> None:
    """Delta and T are asked for where only the bound needs them."""
    point = ["L=1", "lam=0.5", "sigma2=1", "mu=20", "beta=50", "tau=1000"]
    without = document(capsys, "check", "fedproxvr.certified.sarah", *point)
    with_them = document(capsys, "check", "fedproxvr.certified.sarah", *point, "Delta=2", "T=10", "eps=1/100")

    assert (without["missing"], without["bound"]) == (["Delta", "T"], None)
    assert with_them["missing"] == []
    assert with_them["bound"] == pytest.approx(2 / (with_them["derived"]["Theta"] * 10))
    assert with_them["derived"]["T_eps"] == pytest.approx(200 / with_them["derived"]["Theta"])


def test_range(capsys: pytest.CaptureFixture[str]) -> None:
    """The issue's own example, to the whole numbers inside."""
    given = ["beta=400", "theta=1/2", "mu=200", "L=1", "lam=1/2"]
    found = document(capsys, "range", "fedproxvr.lemma1.svrg", "tau", *given)

    assert set(found) >= {
        "symbol", "intervals", "open", "exact", "integers", "empty", "free", "binding", "method",
    }  # fmt: skip
    assert found["intervals"][0] == pytest.approx([30.30245, 77.22864], abs=1e-5)
    assert found["integers"] == [31, 77]
    assert found["open"] == [[False, False]]


def test_check_accepts_every_end_that_range_returns(capsys: pytest.CaptureFixture[str]) -> None:
    """Closed ends, as the floats that JSON shows, satisfy every condition."""
    rest = [p for p in POINT if not p.startswith("tau=")]
    for end in document(capsys, "range", SARAH, "tau", *rest)["intervals"][0]:
        assert document(capsys, "check", SARAH, *rest, f"tau={end!r}")["applicable"] is True


def test_tune(capsys: pytest.CaptureFixture[str]) -> None:
    """The paper's own problem, and a run that takes its answer as it stands."""
    import fedproof as fp

    found = document(capsys, "tune", "fedproxvr", "L=1", "lam=0.5", "sigma2=0", "gamma=1e-3")

    assert set(found) >= {"objective", "argmin", "lower_bound", "certified", "active", "run"}
    assert set(found["argmin"]) == {"mu", "beta", "tau", "theta", "Theta"}
    assert found["objective"] == pytest.approx(39.127, abs=1e-3)
    assert fp.run(**found["run"], problem="quadratic", rounds=1).rounds == 1
    assert found["inputs"] == {"L": "1", "lam": "0.5", "sigma2": "0", "gamma": "1e-3"}
    assert fp.tune("fedproxvr", **found["inputs"]).to_dict() == found


def test_run(capsys: pytest.CaptureFixture[str]) -> None:
    """A history with one entry a round beside the start."""
    options = ["--problem", "quadratic", "--rounds", "2", "--seed", "5"]
    found = document(capsys, "run", "fedproxvr", "mu=1", "beta=10", "tau=3", *options)

    assert set(found) >= {
        "algorithm", "rounds", "metrics", "uplink_bits", "downlink_bits", "gradients", "diverged", "seed",
    }  # fmt: skip
    assert found["seed"] == 5
    assert len(found["metrics"]["loss"]) == 3


def test_sweep(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Settings with quantiles and every run whole; said again from the folder, with nothing run."""
    options = ["--problem", "quadratic", "--rounds", "2", "--seeds", "3", "-o", str(tmp_path / "new")]
    found = document(capsys, "sweep", "fedproxvr", "tau=1,2", "mu=0,1/2", "beta=10", *options)
    again = document(capsys, "sweep", "fedproxvr", "tau=1,2", "mu=0,1/2", "beta=10", *options)

    assert set(found) >= {"requested", "found", "interrupted", "notes", "settings", "runs"}
    assert [s["point"] for s in found["settings"]] == [
        {"tau": 1, "mu": 0}, {"tau": 1, "mu": 0.5}, {"tau": 2, "mu": 0}, {"tau": 2, "mu": 0.5},
    ]  # fmt: skip
    assert (len(found["runs"]), found["found"], again["found"]) == (12, 0, 12)
    assert again | {"found": 0} == found


def test_decide(capsys: pytest.CaptureFixture[str]) -> None:
    """A claim and its hypotheses as text: a verdict with its certificate and what it rests on."""
    found = document(capsys, "decide", "sqrt(x*y) <= (x + y)/2", "x >= 0", "y >= 0")

    assert set(found) >= {"verdict", "witness", "engines", "certificate", "detail", "rests_on"}
    assert (found["verdict"], found["witness"], found["rests_on"]) == ("proved", None, [])
    assert found["engines"] == ["certificate"]
    assert set(found["certificate"]) == {"names", "given", "claim", "lines", "uses"}
    assert document(capsys, "decide", "-x <= 0", "x >= 0, y >= 0")["verdict"] == "proved"
    assert document(capsys, "decide", "-x <= 0", "-x <= -1")["verdict"] == "proved"
    assert call(capsys, "decide", "--", "-x <= 0", "-x <= -1")[0] == 0


def test_decide_exits_1_unless_it_is_proved(capsys: pytest.CaptureFixture[str]) -> None:
    """The document is printed whole: exact numbers that break the claim, or why it is open."""
    code, out, err = call(capsys, "decide", "-x <= x^2", "--json")
    refuted = json.loads(out)
    assert (code, err) == (1, "")
    assert (refuted["verdict"], refuted["certificate"]) == ("refuted", None)
    assert -1 < Fraction(refuted["witness"]["x"]) < 0

    code, out, err = call(capsys, "decide", "exp(x) >= 1 + x", "--json")
    assert (code, err) == (1, "")
    assert json.loads(out)["verdict"] == "open"


def test_audit(capsys: pytest.CaptureFixture[str]) -> None:
    """What is false as printed is reported with verdict, engines and exact numbers; the exit code is 0."""
    found = document(capsys, "audit", "fedproxvr.remark1.4.monotone", "fedproxvr.eq39", "fedproxvr.eq43")
    (statement,), by_id = found["statements"], {s["id"]: s for s in found["steps"]}

    assert set(statement) >= {"id", "verdict", "because", "witness"}
    assert set(by_id["fedproxvr.eq39"]) >= {
        "id", "paper", "equation", "claim", "verdict", "engines", "witness", "detail", "deep",
    }  # fmt: skip
    assert statement["verdict"] == by_id["fedproxvr.eq39"]["verdict"] == "refuted"
    assert by_id["fedproxvr.eq39"]["sides"] == "4 > 2"
    assert by_id["fedproxvr.eq43"]["engines"] == ["certificate"]
    assert set(by_id["fedproxvr.eq43"]["certificate"]) == {"names", "given", "claim", "lines", "uses"}
    assert by_id["fedproxvr.eq43"]["deep"] is None
    assert found["settings"] == []


def test_audit_writes_the_ledger(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """With a folder the page, the document, the re-check and the questions are written, and named."""
    found = document(capsys, "audit", "fedproxvr.eq76.repaired", "-o", str(tmp_path / "new" / "folder"))
    names = {Path(f).name for f in found["files"]}

    assert names >= {"ledger.html", "ledger.md", "audit.json", "recheck.py"}
    assert json.loads((tmp_path / "new/folder/audit.json").read_text())["steps"] == found["steps"]


def test_audit_looks_deeper_when_asked(capsys: pytest.CaptureFixture[str]) -> None:
    """Only then a step's row says what it needs and how tight it is."""
    deep = document(capsys, "audit", "fedproxvr.eq43", "--deep")["steps"][0]["deep"]

    assert [n["verdict"] for n in deep["needs"]] == ["needed"]
    assert deep["slack"]["tight"] is True


def test_audit_exits_1_when_a_correction_fails(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The document is still printed whole; what failed is a line each on stderr."""
    from fedproof.validate.audit_result import Audit
    from fedproof.validate.statement_verdict import StatementVerdict

    id = "fedproxvr.remark1.4.monotone.repaired"
    failed = Audit((), (StatementVerdict(id, "open", (), "planted"),), ())
    monkeypatch.setattr("fedproof.validate.audit.audit", lambda *ids, **options: failed)
    code, out, err = call(capsys, "audit", id, "--json")

    assert code == 1
    assert json.loads(out)["statements"][0]["verdict"] == "open"
    assert err == f"fedproof: {id} corrects fedproxvr.remark1.4.monotone and is open\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", SARAH, "L=0", *POINT[1:]],
        ["check", SARAH, "L=-1", *POINT[1:]],
        ["check", SARAH, "lam=-1"],
        ["check", "fedproxvr.theorem1", "sigma2=-1"],
        ["check", SARAH, "theta=0"],
        ["check", SARAH, "theta=1.0001"],
        ["check", SARAH, "L=nan"],
        ["check", SARAH, "L=1e999999999"],
        ["check", SARAH, "L=" + "9" * 10_000],
        ["check", SARAH, "L=__import__('os').system('true')"],
        ["check", SARAH, "L"],
        ["check", SARAH, "=1"],
        ["check", SARAH, "L=1", "L=1"],
        ["check", SARAH, "lamda=1"],
        ["check", SARAH, *POINT, "inexactness=0.5"],
        ["check", SARAH, *POINT, "self=3"],
        ["range", SARAH, "tau", "symbol=3"],
        ["range", SARAH, "tau", "L=1e-999"],
        ["tune", "fedproxvr", "id=3"],
        ["run", "fedavg", "--problem", "quadratic", "--clients", "100000000000"],
        ["check", SARAH, *POINT[:-1]],
        ["check", "fedproxvr.lema1.sarah"],
        ["check"],
        ["frobnicate"],
        ["check", SARAH, "--frobnicate"],
        ["show", "nothing"],
        ["list", "nobody"],
        ["range", SARAH, "bta", *POINT],
        ["range", SARAH, "tau", *POINT],
        ["tune", "fedproxvr", "L=1"],
        ["tune", "fedproxvr", "L=1", "lam=0", "sigma2=0", "gamma=-1"],
        ["tune", "fedprox"],
        ["run", "fedproxvr", "tau=1.5"],
        ["run", "fedproxvr", "seed=3"],
        ["run", "fedopt"],
        ["run", "fedavg", "--problem", "nowhere.csv"],
        ["run", "fedavg", "--rounds", "-1"],
        ["sweep", "fedavg", "tau=1,1", "--problem", "quadratic"],
        ["sweep", "fedavg", "tau=1,", "--problem", "quadratic"],
        ["sweep", "fedavg", "tua=1,2", "--problem", "quadratic"],
        ["sweep", "fedavg", "--problem", "quadratic", "--seeds", "0"],
        ["sweep", "fedavg", "--problem", "quadratic", "--metric", "los"],
        ["sweep", "fedavg", "--problem", "quadratic", "-o", __file__],
        ["figure", "fedproxvr.figure9", "-o", "out"],
        ["validate", "fedproxvr.theorem9"],
        ["decide"],
        ["decide", ""],
        ["decide", "x"],
        ["decide", "x", "=", "1"],
        ["decide", "x <= 1", ""],
        ["decide", "x <= 1", "--jsn"],
        ["decide", "x <= \udcff"],
        ["decide", "__import__('os').system('true') <= 1"],
        ["decide", "9^9^9^9 <= 1"],
        ["decide", "n2(x) <= x"],
        ["audit", "fedproxvr.theorem9"],
        ["audit", "fedproxvr.eq43", "-o", __file__],
    ],
    ids=lambda a: " ".join(a)[:60],
)
def test_bad_input_is_one_line_on_stderr_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Never a traceback, never silence, nothing on stdout."""
    monkeypatch.chdir(tmp_path)
    code, out, err = call(capsys, *arguments)

    assert code == 2
    assert out == ""
    assert err.startswith("fedproof: ")
    assert err.count("\n") == 1
    assert len(err) < 400


def test_conditions_that_hold_do_not_vouch_for_a_claim(capsys: pytest.CaptureFixture[str]) -> None:
    """Checking a remark that is refuted points to audit and never says that it applies."""
    _, out, _ = call(
        capsys, "check", "fedproxvr.remark1.4.monotone", "L=1", "lam=0", "mu=2", "beta=5", "theta=1"
    )

    assert "audit tells" in out
    assert "applies" not in out


@pytest.mark.parametrize("arguments", [["list"], ["show", SARAH], ["check", SARAH, *POINT], ["--help"]])
def test_without_json_people_get_text(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    """Every command has a readable form."""
    code, out, err = call(capsys, *arguments)

    assert (code, err) == (0, "")
    assert len(out.splitlines()) > 3


@pytest.mark.parametrize(
    ("module", "verb", "arguments"),
    [
        ("fedproof.validate.audit", "audit", ["audit", "--quiet"]),
        ("fedproof.proof.decide", "decide", ["decide", "1 < 2"]),
    ],
)
def test_an_interrupt_says_so_and_exits_130(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    module: str,
    verb: str,
    arguments: list[str],
) -> None:
    """Ctrl-C is one line on stderr, however the command library passes it on; it promises files alone."""

    def interrupted(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(import_module(module), verb, interrupted)
    code, _, err = call(capsys, *arguments)

    assert code == 130
    assert err == "fedproof: interrupted; files that were written are kept\n"


def test_a_locale_without_greek_gets_an_answer() -> None:
    """Letters that a terminal cannot show are replaced, never a traceback."""
    plain = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    command = [sys.executable, "-m", "fedproof", "show", SARAH]
    done = subprocess.run(command, env=plain, capture_output=True, check=False)

    assert (done.returncode, done.stderr) == (0, b"")
