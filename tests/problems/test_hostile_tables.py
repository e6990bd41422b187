"""Tables that are broken, strange or huge: an answer or one line, soon."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fedproof as fp
from fedproof.problems.data.data_files import read_dataset
from fedproof.vocabulary.errors import InputError
from tests.problems.formats import put
from tests.problems.test_tables import HOSPITALS
from tests.refusals import refused

HEAD = "site,age,sex,y\n"
DIGITS, BLANKS = "9" * 65_536, " " * 300_000
PIECES = [
    *(sign.encode() for sign in (*",;\t|\"'#\\ +-?", "\n", "\r", "\r\n", "\xa0", "\x0b", "\u2028", "\ufeff")),
    b"", b"\0", b"\xff", b"nan", b"inf", b"1e999", b"None", b"True", b"1_0", b"9" * 30, b"hospital",
]  # fmt: skip
NOTES = HEAD + "".join(f"a,{n},text {n},{n % 2}\n" for n in range(1500))


@pytest.mark.parametrize(("text", "options", "message"), [
    ("", {}, "no rows of features and a label"),
    ("\n" * 300_000, {}, "no rows of features and a label"),
    (HEAD, {}, "no rows of features and a label"),
    (HEAD + "a,1,m,0\nb,2,f,0\n", {}, "1 kind of label, expected at least two"),
    (HEAD + "a,1,m,0\n", {"client": "sight"}, "expected one of site, age, sex, y; did you mean site"),
    (HEAD + "a,1,m,0\n", {"label": "yy"}, "label: got yy, expected one of site, age, sex, y; did you mean y"),
    (HEAD + "a,1,m,0\n", {"ignore": "agee"}, "did you mean age"),
    (HEAD + "a,1,m,0\n", {"client": "10"}, "write clients=10 for a number of clients"),
    ("a,1,0\nb,2,1\n", {}, "client: got site, expected one of 1, 2, 3; its columns have no names"),
    (HEAD + "a,1,m,0\n", {"label": "site"}, "column site in two places"),
    ("site,y\na,0\nb,1\n", {}, "no column of features beside label and client"),
    ("site,age,age,y\na,1,2,0\nb,1,2,1\n", {}, "two columns named age"),
    (HEAD + "a,inf,m,0\nb,2,f,1\n", {}, "row 2, column age: got a value that is not finite"),
    (HEAD + "a,1e999,m,0\nb,2,f,1\n", {}, "row 2, column age: got a value that is not finite"),
    (HEAD + "a,1e200,m,0\nb,2,f,1\n", {}, "scale the features"),
    (HEAD + f"a,{DIGITS},m,0\nb,2,f,1\n", {}, "column age, row 2: got '9999"),
    (HEAD + f"a,1,m,{DIGITS}\nb,2,f,1\n", {}, "a label of 65536 letters"),
    (HEAD + f"{DIGITS},1,m,0\nb,2,f,1\n", {}, "a name of 65536 letters in site"),
    (DIGITS, {}, "no rows of features and a label"),
    (BLANKS, {}, "no rows of features and a label"),
    (HEAD + f"a,1{BLANKS},m,0\n", {}, "field larger than field limit"),
    (HEAD + f'a,"1{BLANKS}', {}, "field larger than field limit"),
    (HEAD + "a,1,m,0\nb,two,f,1\nb,3,m,0\n", {}, "column age, row 3: got 'two'"),
    (HEAD + "a,1,m\n", {}, "row 2: got 3 columns, expected 4"),
    (HEAD + "a,1,5,m,0\n", {}, "row 2: got 5 columns, expected 4"),
    (HEAD + "a,1\0,m,0\n", {}, "row 2: got a zero byte"),
    (HEAD + "a,1,m,0\n", {"delimiter": "semicolon"}, "1 column when cut at ';'"),
    (HEAD + "a,1,m,0\n", {"delimiter": "abc"}, "delimiter: got 'abc', expected one sign, or comma"),
    (HEAD + "a,1,m,0\n", {"missing": "keep"}, "missing: got keep, expected one of error, drop, mean"),
    (HEAD + "a,1,m,0\n", {"standardise": "maybe"}, "expected yes or no"),
    (HEAD + "a,,m,1\nb,,f,0\n", {"missing": "mean"}, "column age: got no value in any row"),
    (HEAD + "a,,m,1\nb,,f,0\n", {"missing": "drop"}, "a missing value in every row"),
    (NOTES, {}, "column sex: got 1500 kinds of text of up to 9 letters, expected at most 1000"),
    ("," + HEAD + "0,a,1,m,0\n1,b,2,f,1\n", {}, "pandas saves without its own with index=False"),
    ("site,x,y\na,1,0.5\nb,2,1.25\n", {}, "got 0.5, expected classes: whole numbers below 2^53, or text"),
])  # fmt: skip
def test_it_is_told_in_one_line(text: str, options: dict[str, Any], message: str, tmp_path: Path) -> None:
    """What, got, expected, cure; never a traceback, whatever the file holds."""
    path = put(tmp_path, "d.csv", text.encode())

    assert message in refused(InputError, None, fp.problem, path, **{"client": "site", **options})


def test_other_codes_of_letters_are_named(tmp_path: Path) -> None:
    """Latin-1 and UTF-16 are refused with the byte and the cure."""
    text = HEAD + "é,1,m,0\nb,2,f,1\n"
    for code, byte in (("latin-1", "0xe9"), ("utf-16", "0xff")):
        said = refused(InputError, None, read_dataset, put(tmp_path, "d.csv", text.encode(code)))
        assert f"byte {byte}" in said
        assert said.endswith("save it as UTF-8")


@pytest.mark.parametrize("text", ["m,x,yes\nf,x,no\nm,z,yes\nf,z,no\n", "yes,no\nno,yes\nyes,no\n"])
def test_a_header_that_may_be_data_is_refused(text: str, tmp_path: Path) -> None:
    """A first row of words that all stand below it again: nobody can know, unless one is asked for."""
    path = put(tmp_path, "d.csv", text.encode())

    assert "a header or data" in refused(InputError, None, read_dataset, path)


def test_one_client_is_an_answer(tmp_path: Path) -> None:
    """A table of one client is a problem whose client is the whole."""
    path = put(tmp_path, "d.csv", (HEAD + "a,1,m,0\na,2,f,1\na,4,f,0\n").encode())
    found = fp.measure(path, rounds=1, seeds=2, problem_options={"client": "site"})

    assert found.data["clients"] == 1
    assert "1 client by site of 3 rows" in found.data["read"]["line"]


def test_real_targets_have_models(tmp_path: Path) -> None:
    """A label column of decimals is a target of least_squares and huber, as it is written."""
    path = put(tmp_path, "d.csv", b"site,x,y\na,1,0.5\nb,2,1.25\nb,3,7\n")
    for model in ("least_squares", "huber"):
        made: Any = fp.problem(path, client="site", model=model)
        assert made.labels.tolist() == [0.5, 1.25, 7]
        assert "label y of real targets" in made.origin.line(made.sizes)


def test_blank_lines_are_no_rows(tmp_path: Path) -> None:
    """However many there are, of blanks too."""
    path = put(tmp_path, "d.csv", (HEAD + "a,1,m,0\n" + " \n" * 100_000 + "b,2,f,1\n").encode())

    assert fp.problem(path, client="site").sizes.tolist() == [1, 1]


@pytest.mark.parametrize("content", [
    DIGITS, DIGITS + "x", DIGITS + " 1:1x", "1 1:" + DIGITS + "x", BLANKS, BLANKS + "x", "1 " + BLANKS + "x",
    "1 1:2" + BLANKS + "x", "#" * 300_000, "1" + " 1:1" * 70_000 + "x", "\n" * 300_000 + "x",
])  # fmt: skip
@pytest.mark.parametrize("name", ["d.svm", "a9a"])
def test_long_lines_are_gone_through_once(name: str, content: str, tmp_path: Path) -> None:
    """Of digits, blanks or pairs, in LIBSVM's format or one that it might be: seconds of work at most."""
    path, begun = put(tmp_path, name, content.encode()), time.process_time()
    refused(InputError, None, read_dataset, path)

    assert time.process_time() - begun < 5


@settings(max_examples=150)
@given(data=st.data())
def test_a_few_changed_pieces(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Signs, quotes, ends of lines and odd bytes anywhere: a problem, or one line."""
    content = bytearray(HOSPITALS.encode())
    for _ in range(data.draw(st.integers(1, 5))):
        at = data.draw(st.integers(0, len(content)))
        content[at : at + data.draw(st.sampled_from([0, 0, 1, 4]))] = data.draw(st.sampled_from(PIECES))
    path = put(tmp_path_factory.getbasetemp(), "changed.csv", bytes(content))
    try:
        made: Any = fp.problem(path, client="hospital", label="outcome", missing="mean")
        said = made.origin.line(made.sizes)
        assert np.isfinite(made.features).all()
    except InputError as error:
        said = str(error)

    assert len(said.splitlines()) == 1


def test_a_wide_table_is_refused_before_memory_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Text of many kinds would make columns without end; what would not fit is told with what would."""
    rng = np.random.default_rng(0)
    columns = ",".join(f"c{n}" for n in range(20))
    body = "".join(",".join(f"k{k}" for k in rng.integers(0, 900, 20)) + f",s,{n % 2}\n" for n in range(900))
    path = put(tmp_path, "d.csv", f"{columns},site,y\n{body}".encode())
    monkeypatch.setattr(sys.modules["fedproof.problems.data.files"], "MOST_ARRAY", 1 << 26)

    assert "keep at most" in refused(InputError, None, fp.problem, path, client="site")


def test_what_a_file_says_is_shown_on_one_line(tmp_path: Path) -> None:
    """A vertical tab within the name of a column, and of a client."""
    path = put(tmp_path, "changed.csv", HOSPITALS.replace("hospital", "h\x0bospital", 1).encode())

    with pytest.raises(InputError, match=r"h\\x0bospital"):
        fp.problem(path, client="hospital", label="outcome")
    made: Any = fp.problem(path, client="h\x0bospital", label="outcome", missing="mean")

    assert made.origin.line(made.sizes).splitlines()[1:] == []
