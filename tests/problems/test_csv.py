"""Comma-separated text: which rows are data, which a header, and what is refused because nobody can know."""

from __future__ import annotations

from pathlib import Path

import pytest

from fedproof.problems.data.data_files import read_dataset
from fedproof.vocabulary.errors import DataError
from tests.problems.formats import put
from tests.refusals import refused


@pytest.mark.parametrize(("text", "message"), [
    ('1,2,0\n3,4,"0\n5,6,1\n7,8,2\n', "row 2: got unexpected end of data"),
    ('1,2,0\n3,4,"0\n5,6,"\n7,8,2\n', "row 2: got a quoted cell of 2 rows"),
    ('1,2,0\n3,4,"0"1\n5,6,1\n', "row 2: got"),
    ('1,2,a\n3,4,b"\n5,6,a\n', "row 2: got label 'b\"'"),
    ("1,2,0\n1_0,2,1\n", "row 2: got '1_0', expected a number"),
    ("1_0,2_0,a\n1,2,b\n", "row 1: got '1_0'"),
    ("1,2,1_0\n1,2,2_0\n", "row 1: got label '1_0'"),
    ("\u0661,2,1\n1,2,2\n", "row 1: got '\u0661', expected a number"),
    ("0,1,y\n5,6,0\n7,8,1\n", "row 1: got 0,1,y, a header or data"),
    ("0,1,2\n5,6,0\n7,8,1\n", "row 1: got 0,1,2, a header or data"),
    ("0,1\n5,0\n7,1\n", "row 1: got 0,1, a header or data"),
    ("3,4,y\n5,6,0\n7,8,1\n", "row 1: got label 'y', expected one like the others, numbers; remove or name"),
    ("3,4,5\n5,6,a\n7,8,b\n", "row 1: got label '5', expected one like the others, text"),
    ("3,4,1\n5,6,0\n7,8,oops\n", "row 3: got label 'oops'"),
    ("3,4,1\n5,6,?\n7,8,?\n5,6,0\n", "got 2 missing values, expected a value in every cell (column 3: 2; "),
    (",a,b,y\n0,1,2,0\n1,3,4,1\n", "row 1: got '', expected a number, or a name"),
    ("NA,na,0\n5,6,0\n7,8,1\n", "row 1: got 'NA', expected a number, or a name"),
    ("a,b,0\n5,6,0\n7,8,1\n", "row 1: got '0', expected a number, or a name"),
    ("a,7,y\n5,6,0\n7,8,1\n", "row 1: got 'a', expected a number"),
    ("", "no rows"),
    ("1,2,a\n1,b\n", "row 2: got 2 columns, expected 3"),
    ("x,y,label\n1,2,a\n\n1,two,b\n", "row 4: got 'two'"),
    ("1,2,a\n1,nan,b\n", "(column 2: 1; the first in row 2); write missing=drop or missing=mean"),
    ("1,2,a\n1,1e999,b\n", "row 2, column 2: got a value that is not finite"),
    ("a,b,c\n\n1,2,x\n\n\n1,inf,y\n", "row 6, column b: got a value that is not finite"),
    ("1,2,a\n1,2," + 101 * "b", "row 2: got a label of 101 letters"),
    ('1,2,"' + 200_000 * "b", "field larger than field limit"),
    ("1,2,a\n1,2,\n", "(column 3: 1; the first in row 2)"),
    ("1,2,a\n1,2,a\n", "at least two"),
    ("1\n2\n", "no rows of features"),
    ("1,1\n2,nan\n", "(column 2: 1; the first in row 2)"),
    ('1,"2\n', "row"),
])  # fmt: skip
def test_no_row_of_a_csv_is_lost_or_invented(text: str, message: str, tmp_path: Path) -> None:
    """Open quotes, headers that may be data, stray labels, Python's own numbers: errors with file and row."""
    said = refused(DataError, None, read_dataset, put(tmp_path, "data.csv", text.encode()))

    assert message in said
    assert str(tmp_path)[:20] in said


@pytest.mark.parametrize(("text", "rows"), [
    ("0.0,1,2\n5,6,0\n7,8,1\n", 3),
    ('"x 1","x 2","y"\n5,6,0\n7,8,1\n', 2),
    ("_,x_1,2nd\n5,6,0\n7,8,1\n", 2),
    ("1,2,0\n1,2,a\n3,4,1\n5,6,b\n", 4),
    ('1,2,"a, b"\n3,4,c\n', 2),
    ("1,2,none\n3,4,some\n", 2),
    ("0,x\n1,y\n", 2),
])  # fmt: skip
def test_what_a_csv_may_say(text: str, rows: int, tmp_path: Path) -> None:
    """Every row but a header of names is data; labels of both kinds are labels."""
    assert len(read_dataset(put(tmp_path, "data.csv", text.encode())).labels) == rows
