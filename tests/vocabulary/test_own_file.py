"""A paper in one file: every verb knows it once it is named, and it is read anew when it was edited."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import fedproof as fp
from fedproof.cli import main
from fedproof.vocabulary.errors import InputError

KEY = "gd_lemma"
TEXT = '''"""Gradient descent: how the loss falls in a step."""

from fedproof.author import *

KEY = "gd_lemma"
NOTATION = Notation()
L, eta = NOTATION.symbol("L", "smoothness_sample"), NOTATION.symbol("eta", "stepsize", r"\\eta")
SMOOTH = Assumption(f"{KEY}.smooth", "every sample loss is L-smooth", "L", Source(KEY, "Assumption 1"))
ASSUMPTIONS = {SMOOTH.id: SMOOTH}
F, grad, w = Function("F"), Field("grad"), Vector("w")
x, y = vectors("x y")
by = step_writer(KEY, __name__)

with printed():
    BENDS = ForEvery(F(y) <= F(x) + ip(grad(x), y - x) + L / 2 * n2(y - x), (x, y), SMOOTH.id)
    FORMULAS = (BENDS,)
    POINTS = "w"
    METRIC_RELATIONS = {"descent >=": (F(w - eta * grad(w)) <= F(w) - number("bound") * n2(grad(w)),)}
    DESCENT = by.real("eq2")(
        F(w - eta * grad(w)) <= F(w) - eta / FACTOR * n2(grad(w)),
        L > 0, eta > 0, L * eta <= 1, BENDS.at(w, w - eta * grad(w)),
    )
    LEMMA = Statement(
        id=f"{KEY}.lemma1", title="Lemma 1", source=Source(KEY, "Lemma 1"),
        letters=NOTATION.letters(L, eta), claim=Bound("descent", eta / FACTOR, ">="),
        conditions=(Condition("(1)", L * eta <= 1, "eq. (1)"),),
        assumptions=(SMOOTH.id,), proof=(f"{KEY}.eq2",),
    )
'''


def with_quantity(name: str) -> str:
    """The file with a quantity of its own."""
    own = f'QUANTITIES = (Quantity("{name}", "how fast", "1", POSITIVE),)\nNOTATION.symbol("p", "{name}")\n'
    return TEXT.replace("FACTOR", "2").replace("L, eta =", own + "L, eta =")


@pytest.mark.parametrize(
    "text", ["1/0", "import fedproof as fp\nfp.find('okapi')\n1/0", "x = ", "raise SystemExit"]
)
def test_a_file_that_cannot_be_read_is_known_no_more(
    own_papers: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever is asked after it is answered as before, and when it is mended it is read."""
    bad = own_papers / f"{KEY}.py"
    for before in ("", TEXT.replace("FACTOR", "2")):
        if before:
            bad.write_text(before)
            assert main(["list", "--from", str(bad)]) == 0
        bad.write_text(text)
        assert main(["list", "--from", str(bad)]) == 2
        capsys.readouterr()
        assert main(["list", "--json"]) == 0
        assert KEY not in {p["key"] for p in json.loads(capsys.readouterr().out)["papers"]}
        assert main(["find", "local", "--json"]) == 0
        assert KEY not in capsys.readouterr().out


@pytest.fixture
def file(own_papers: Path) -> Path:
    """The file of a paper."""
    made = own_papers / f"{KEY}.py"
    made.write_text(TEXT.replace("FACTOR", "2"))
    return made


def test_every_verb_knows_the_paper(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is listed, shown, checked, ranged and audited by its name, wherever `--from` stands."""
    commands = [
        ["list", KEY], ["show", f"{KEY}.lemma1"], ["check", f"{KEY}.lemma1", "L=1", "eta=1/2"],
        ["range", f"{KEY}.lemma1", "eta", "L=4"], ["audit", KEY],
    ]  # fmt: skip
    found = []
    for command in commands:
        assert main([*command, "--json", "--from", str(file)]) == 0
        found.append(json.loads(capsys.readouterr().out))

    assert found[0]["papers"][0]["title"] == "Gradient descent: how the loss falls in a step"
    assert found[2]["bound"] == 0.25
    assert found[3]["intervals"][0][1] == 0.25
    assert [row["verdict"] for row in found[4]["statements"]] == ["holds"]
    assert [row["id"] for row in found[4]["statements"][0]["rests_on"]] == [f"{KEY}.smooth"]


def test_an_edited_file_is_read_anew(file: Path) -> None:
    """A planted error is found: with eta for eta/2 the step is not proved, and the statement is open."""
    fp.use(file)
    assert fp.audit(KEY).statements[0].verdict == "holds"

    file.write_text(TEXT.replace("FACTOR", "1"))
    fp.use(file)
    found = fp.audit(KEY)
    assert found.statements[0].verdict == "open"
    assert found.steps[0].verdict != "proved"


def test_a_quantity_of_its_own_hides_no_statement(file: Path) -> None:
    """A letter that asks for a quantity while the file is read does not make what was read so far all."""
    file.write_text(with_quantity("gd_speed"))
    fp.use(file)

    assert [row.id for row in fp.audit(KEY).statements] == [f"{KEY}.lemma1"]


def test_a_quantity_of_another_paper_keeps_its_meaning(file: Path) -> None:
    """A file that calls something else by the name of a quantity of FedProx is refused."""
    file.write_text(with_quantity("pace"))

    with pytest.raises(InputError, match="quantity: got pace, expected a name that has no other meaning"):
        fp.use(file)


def test_a_ledger_of_it_is_confirmed_by_the_standalone_checker(file: Path, tmp_path: Path) -> None:
    """What is proved of a user's own paper a stranger's program checks too."""
    import subprocess

    fp.use(file)
    fp.write_ledger(fp.audit(KEY), tmp_path / "ledger")
    checker = [sys.executable, "-I", "recheck.py", "audit.json", "--json"]
    done = subprocess.run(checker, cwd=tmp_path / "ledger", capture_output=True, text=True, check=True)

    assert json.loads(done.stdout)["proofs"] == {
        "confirmed": 1,
        "rejected": [],
        "without": [],
        "carrying": [],
    }
    assert json.loads(done.stdout)["statements"]["confirmed"] == 1


@pytest.mark.parametrize(("text", "said"), [
    ("KEY = 1 +\n", "line 1"),
    ("\nraise ValueError('my own mistake')\n", "line 2: got my own mistake"),
    ("import nowhere_to_be_found\n", "line 1: got No module named 'nowhere_to_be_found'"),
])  # fmt: skip
def test_what_is_wrong_in_the_file_is_said_with_its_line(file: Path, text: str, said: str) -> None:
    """A mistake in a user's file is one line that names the place."""
    file.write_text(text)

    with pytest.raises(InputError, match=said) as caught:
        fp.use(file)
    assert "\n" not in str(caught.value)


def test_names_that_are_taken_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file called as a module of Python's, or as one of our papers, is not read."""
    for name in ("json.py", "my-paper.py", "fedprox.py", "Paper.py"):
        (tmp_path / name).write_text("KEY = 1\n")
        assert main(["list", "--from", str(tmp_path / name)]) == 2
        assert capsys.readouterr().err.count("\n") == 1
    assert main(["list", "--from", str(tmp_path / "none.py")]) == 2


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    """An empty file, UTF-16 and a path that PATH would split are one line each."""
    (tmp_path / "e:f").mkdir()
    (tmp_path / "e:f" / "colon.py").write_text("KEY = 1\n")
    (tmp_path / "empty.py").write_text(" \n")
    (tmp_path / "wide.py").write_text("KEY = 1\n", encoding="utf-16")
    for name, said in (("e:f/colon.py", "without :"), ("empty.py", "not empty"), ("wide.py", "UTF-8")):
        with pytest.raises(InputError, match=said):
            fp.use(tmp_path / name)
