"""A user's table: clients, labels, text and missing values become a problem, and what was read is said."""

from __future__ import annotations

import csv
import io
import itertools
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.datasets import dump_svmlight_file

import fedproof as fp
from fedproof.problems.data.columns import MISSING
from fedproof.problems.data.data_files import read_dataset
from fedproof.problems.data.dataset import Dataset
from fedproof.problems.data.natural_order import is_float, natural_order
from tests.problems.formats import put

HOSPITALS = """hospital,age,sex,outcome
St. Mary,61,f,well
"Clinic, North",58,m,ill
Hospital 10,70,m,ill
Hospital 2,,f,well
Hospital 2,49,?,ill
Hospital 2,53,f,well
"""
ASKED = {"client": "hospital", "label": "outcome"}
WORDS = st.text(alphabet="abAZé0 ,;|\t'#=.-", min_size=1, max_size=8).map(str.strip)
KINDS = WORDS.filter(
    lambda word: word.lower() not in MISSING | {"none", "-", ".", "missing"} and not is_float(word)
)


def table(folder: Path, content: str, name: str = "hospitals.csv") -> Path:
    """A file with this text."""
    return put(folder, name, content.encode())


def cells(data: Dataset) -> list[dict[str, Any]]:
    """Every row as features by name (those that are 0 left out), with its client and label by name."""
    assert data.reading is not None
    assert data.owners is not None
    assert data.owner_names is not None
    names = data.reading.columns
    return [
        {name: value for name, value in zip(names, row, strict=True) if value}
        | {"client": data.owner_names[owner], "label": data.label_text(int(label))}
        for row, owner, label in zip(data.features.tolist(), data.owners, data.labels, strict=True)
    ]


# --- what is read


def test_a_table_of_hospitals(tmp_path: Path) -> None:
    """Names of clients and classes are kept in natural order, text is one-hot, what is missing is dropped."""
    data = read_dataset(table(tmp_path, HOSPITALS), missing="drop", **ASKED)

    assert data.owner_names == ("Clinic, North", "Hospital 2", "Hospital 10", "St. Mary")
    assert data.reading is not None
    assert data.reading.columns == ("age", "sex=f", "sex=m")
    assert cells(data) == [
        {"age": 61, "sex=f": 1, "client": "St. Mary", "label": "well"},
        {"age": 58, "sex=m": 1, "client": "Clinic, North", "label": "ill"},
        {"age": 70, "sex=m": 1, "client": "Hospital 10", "label": "ill"},
        {"age": 53, "sex=f": 1, "client": "Hospital 2", "label": "well"},
    ]


def test_the_line_says_what_was_read(tmp_path: Path) -> None:
    """Rows, columns of each kind, classes, the smallest and largest client, what was dropped: one line."""
    read = fp.describe(table(tmp_path, HOSPITALS), problem_options={"missing": "drop", **ASKED}).read

    assert read is not None
    assert read["line"] == (
        "hospitals.csv: 4 rows, 1 column of numbers and 1 of text as 2 one-hot, label outcome of 2 classes "
        "(ill, well), 4 clients by hospital of 1 row each; 2 rows dropped for missing values (age 1, sex 1)"
    )
    assert (read["rows"], read["dropped_rows"], read["missing"]) == (4, 2, {"age": 1, "sex": 1})


def test_missing_values_are_an_error_until_something_is_said(tmp_path: Path) -> None:
    """The count, the columns and the cure are named."""
    with pytest.raises(fp.InputError) as error:
        fp.problem(table(tmp_path, HOSPITALS), **ASKED)

    assert str(error.value).endswith(
        "got 2 missing values, expected a value in every cell (column age: 1, column sex: 1; the first in "
        "row 5); write missing=drop or missing=mean"
    )


def test_a_filled_value_is_the_mean_of_its_column(tmp_path: Path) -> None:
    """Of numbers the mean of the others, of text the share of each kind, in fractions."""
    data = read_dataset(table(tmp_path, HOSPITALS), missing="mean", **ASKED)
    age = Fraction(61 + 58 + 70 + 49 + 53, 5)

    assert data.features[3, 0] == pytest.approx(float(age), rel=1e-15)
    assert data.features[4, 1:].tolist() == pytest.approx([3 / 5, 2 / 5], rel=1e-15)
    assert len(data.labels) == 6


def test_a_client_all_of_whose_rows_are_dropped_is_told(tmp_path: Path) -> None:
    """The clients that are left keep their names, and the line says that one is gone."""
    text = "site,x,y\nb,1,0\na,,1\nc,3,1\n"
    made: Any = fp.problem(table(tmp_path, text), client="site", missing="drop")

    assert made.origin.clients == ("b", "c")
    assert "1 row dropped for missing values (x 1), 1 client with them" in made.origin.line(made.sizes)


@pytest.mark.parametrize("chosen", [{}, {"missing": "mean"}])
def test_labels_and_clients_have_no_mean(chosen: dict[str, str], tmp_path: Path) -> None:
    """A row without a label or client can be dropped, not filled."""
    path = table(tmp_path, "site,x,y\na,1,0\n,2,1\nb,3,\nb,4,1\n")
    with pytest.raises(fp.InputError, match=r"column y: 1, column site: 1; the first in row 3\)"):
        fp.problem(path, client="site", **chosen)

    assert fp.problem(path, client="site", missing="drop").sizes.tolist() == [1, 1]


def test_standardised_columns_have_one_scale(tmp_path: Path) -> None:
    """Mean 0 and deviation 1 of numbers, 0 of a constant, text as it was; L is that of the rows after it."""
    text = "site,x,c,sex,y\na,1,5,m,0\na,5,5,f,1\nb,1,5,m,1\nb,5,5,f,0\n"
    path = table(tmp_path, text)
    made: Any = fp.problem(path, client="site", standardise="yes")
    before, after = made.origin.reading.largest

    assert made.features.tolist() == [[s, 0, f, 1 - f, 1] for s, f in ((-1, 0), (1, 1), (-1, 0), (1, 1))]
    assert made.origin.reading.scales == {"x": (3.0, 2.0), "c": (5.0, 0.0)}
    assert (before, after) == (pytest.approx(51**0.5), pytest.approx(2**0.5))
    assert float(made.constants["smoothness_sample"].value) == pytest.approx((after**2 + 1) / 2)
    assert float(fp.problem(path, client="site").constants["smoothness_sample"].value) == (51 + 1) / 2
    assert made.name.startswith("hospitals (standardise=yes), 2 clients, by site")


def test_columns_can_be_left_out(tmp_path: Path) -> None:
    """One that is ignored is no feature, whatever it holds."""
    data = read_dataset(table(tmp_path, HOSPITALS), ignore=("sex",), missing="drop", **ASKED)

    assert data.reading is not None
    assert data.reading.columns == ("age",)
    assert data.name == "hospitals (label=outcome, ignore=sex, missing=drop)"


def test_names_are_as_they_are_written(tmp_path: Path) -> None:
    """A client 007 is not 7, and numbers are in the order of their size."""
    made: Any = fp.problem(table(tmp_path, "id,x,y\n10,1,0\n007,2,1\n9,3,0\n"), client="id")

    assert made.origin.clients == ("007", "9", "10")


def test_without_a_header_columns_are_numbered(tmp_path: Path) -> None:
    """Columns are called 1, 2, 3, and said to be columns."""
    made: Any = fp.problem(table(tmp_path, "a,1,m,0\nb,2,f,1\nb,3,m,0\n"), client="1")

    assert made.origin.clients == ("a", "b")
    assert made.name == "hospitals, 2 clients, by column 1, 2 of 2, split seed 0"
    assert "label column 4 of 2 classes" in made.origin.line(made.sizes)


@pytest.mark.parametrize("text", ["site;x;y\na;1,5;0\nb;-2,25;1\n", "site\tx\ty\na\t1,5\t0\nb\t-2,25\t1\n"])
def test_a_comma_may_be_a_decimal_point(text: str, tmp_path: Path) -> None:
    """Where it does not stand between cells."""
    assert read_dataset(table(tmp_path, text), client="site").features.tolist() == [[1.5], [-2.25]]


def test_a_target_may_have_a_decimal_comma(tmp_path: Path) -> None:
    """As features have one, where commas stand between no cells."""
    made: Any = fp.problem(
        table(tmp_path, "site;x;y\na;1;0,5\na;2;-2\nb;3;1,25\n"), client="site", model="huber"
    )

    assert made.labels.tolist() == [0.5, -2, 1.25]


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_ends_of_lines_and_marks_mean_nothing(ending: str, mark: bytes, tmp_path: Path) -> None:
    """Whatever a system writes between lines and before the first, the rows are the same."""
    path = put(tmp_path, "d.csv", mark + HOSPITALS.replace("\n", ending).encode())

    assert cells(read_dataset(path, missing="drop", **ASKED)) == cells(
        read_dataset(table(tmp_path, HOSPITALS), missing="drop", **ASKED)
    )


@settings(max_examples=80)
@given(data=st.data())
def test_a_table_reads_back_however_it_is_written(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Any sign between cells, quotes, order of columns and ends of lines give the same rows by name."""
    kinds, rows = (
        data.draw(st.lists(KINDS, min_size=2, max_size=4, unique=True)),
        data.draw(st.integers(2, 6)),
    )
    number = st.one_of(st.integers(-(10**6), 10**6), st.floats(-1e6, 1e6).filter(lambda x: abs(x) > 1e-6))

    def column(values: Any) -> list[Any]:
        return data.draw(st.lists(values, min_size=rows, max_size=rows))

    labels = column(st.sampled_from(kinds))
    assume(len(set(labels)) > 1)
    text = {"word": column(st.sampled_from(kinds))} if data.draw(st.booleans()) else {}
    made = {"site": column(KINDS), "x": column(number), "z": column(number), **text, "label": labels}
    order = data.draw(st.permutations(list(made)))
    sign = data.draw(st.sampled_from(",;\t|"))
    out = io.StringIO()
    quoting = data.draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]))
    writer = csv.writer(
        out, delimiter=sign, quoting=quoting, lineterminator=data.draw(st.sampled_from(["\n", "\r\n"]))
    )
    writer.writerow(order)
    writer.writerows(zip(*(made[name] for name in order), strict=True))
    path = put(tmp_path_factory.getbasetemp(), "any.csv", out.getvalue().encode())

    found = cells(read_dataset(path, client="site", label="label", delimiter=sign))

    expected = [
        {k: float(row[k]) for k in ("x", "z") if row[k]}
        | ({f"word={row['word']}": 1} if text else {})
        | {"client": row["site"], "label": row["label"]}
        for row in ({name: made[name][n] for name in made} for n in range(rows))
    ]
    assert found == expected


@settings(max_examples=60)
@given(data=st.data())
def test_the_sign_between_cells_is_found(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Of a table of plain words and numbers, whichever of the four signs it is."""
    word = st.text(alphabet="abcXYZ ", min_size=1, max_size=6).map(str.strip).filter(bool)
    rows = data.draw(st.lists(st.tuples(word, st.floats(-99, 99), st.integers(0, 9)), min_size=2, max_size=8))
    assume(not any(site.lower() in MISSING | {"none", "missing"} or is_float(site) for site, _, _ in rows))
    assume(len({label for _, _, label in rows}) > 1)
    sign = data.draw(st.sampled_from(",;\t|"))
    lines = [sign.join(map(str, row)) for row in [("site", "x", "y"), *rows]]
    path = put(tmp_path_factory.getbasetemp(), "sign.csv", "\n".join(lines).encode())

    found = read_dataset(path, client="site")

    assert found.features[:, 0].tolist() == [x for _, x, _ in rows]
    assert found.owner_names == tuple(natural_order(site for site, _, _ in rows))


def test_natural_order_is_that_of_people() -> None:
    """Every shuffle of names with numbers in them comes back in one order, capitals beside small letters."""
    names = ["a", "a1", "a2", "a10", "B", "b2c3", "b2c20"]

    assert all(natural_order(shuffled) == names for shuffled in itertools.permutations(names))
    assert natural_order(["1e1", "2", "-3", "2"]) == ["-3", "2", "1e1"]


# --- whose a row is


@pytest.mark.parametrize(
    ("columns", "offered"), [("hospital,x,y", "client=hospital"), ("a,x,y", "client=COLUMN")]
)
def test_rows_without_clients_are_not_dealt_in_silence(columns: str, offered: str, tmp_path: Path) -> None:
    """An error shows how to name a column or ask for a split; with a split the rows are dealt."""
    path = table(tmp_path, f"{columns}\n1,2,0\n3,4,1\n5,6,0\n")
    with pytest.raises(fp.InputError) as error:
        fp.problem(path, clients=3)
    assert f"write {offered} or split=iid, in the shell --client {offered[7:]} or --split iid" in str(
        error.value
    )

    assert fp.problem(path, clients=3, split="iid").sizes.tolist() == [1, 1, 1]


def test_a_split_that_is_asked_for_decides(tmp_path: Path) -> None:
    """With a client column as well the rows are dealt anew, and the column is still no feature."""
    made: Any = fp.problem(table(tmp_path, HOSPITALS), clients=2, split="iid", missing="drop", **ASKED)

    assert made.sizes.tolist() == [2, 2]
    assert made.features.shape[1] == 4
    assert made.origin.clients is None


def test_some_of_the_clients_keep_their_names(tmp_path: Path) -> None:
    """With a number of clients so many are drawn, with their own rows and names."""
    text = "site,x,y\n" + "".join(f"s{n},{n},{n % 2}\n" for n in range(12))
    made: Any = fp.problem(table(tmp_path, text), client="site", clients=5, seed=3)

    assert made.n_clients == 5
    assert [f"s{x:.0f}" for x in made.features[:, 0]] == list(made.origin.clients)


def test_libsvm_with_clients_of_very_different_sizes(tmp_path: Path) -> None:
    """Three classes and 17 clients by a power law: sizes from 4 to over 100, classes by their names."""
    rng = np.random.default_rng(1)
    x, y = rng.standard_normal((900, 6)), rng.permutation(np.repeat([-1, 2, 10], 300))
    path = tmp_path / "three"
    dump_svmlight_file(x, y, str(path), zero_based=False)
    options = {"split": "power", "smallest": 4, "largest": 200, "labels_per_client": 3}
    found = fp.describe(path, clients=17, problem_options=options)

    assert found.class_names == ("-1", "2", "10")
    assert (len(found.sizes), int(found.sizes.min())) == (17, 4)
    assert found.sizes.max() > 100
    assert found.read is not None
    assert "labels of 3 classes (-1, 2, 10), 17 clients (smallest" in found.read["line"]


# --- where names are shown


def test_names_are_shown_where_clients_and_classes_are(tmp_path: Path) -> None:
    """In the tables, the frame and the document of `describe`."""
    found = fp.describe(table(tmp_path, HOSPITALS), problem_options={"missing": "mean", **ASKED})
    shown = {row[0]: row[1:] for row in found.tables()[-1].rows}

    assert found.tables()[-1].columns == ("client", "ill", "well")
    assert shown["Hospital 2"] == (1, 2)
    assert found.frame.loc["Hospital 2", ["label ill", "label well"]].tolist() == [1, 2]
    assert list(found.to_dict()["client_names"]) == ["Clinic, North", "Hospital 2", "Hospital 10", "St. Mary"]


def test_numbers_stay_numbers_where_nobody_names() -> None:
    """Shipped data have clients 0, 1, ... and their own labels, and nothing was read."""
    found = fp.describe("digits", clients=20)

    assert found.client_names[:3] == ("0", "1", "2")
    assert found.frame.index.dtype.kind == "i"
    assert "label 9" in found.frame
    assert found.read is None


def test_a_message_names_the_client(tmp_path: Path) -> None:
    """A minibatch that is too large for a client says which one by its name."""
    made = fp.problem(table(tmp_path, HOSPITALS), missing="drop", **ASKED)
    with pytest.raises(fp.InputError, match="client Clinic, North has 1 samples"):
        fp.run("fedmspp", made, rounds=1, b=2, eps="1e-3", mu=1, sampler="distinct")


def test_an_option_that_nobody_knows_is_told_before_the_file_is_read(tmp_path: Path) -> None:
    """The nearest known name is offered even where the file is not there."""
    with pytest.raises(fp.InputError, match=r"problem option: got clinet, .*did you mean client"):
        fp.problem(tmp_path / "none.csv", clinet="site")


def test_columns_are_only_of_tables(tmp_path: Path) -> None:
    """A client column of a LIBSVM file or of shipped data is refused with what takes it."""
    path = put(tmp_path, "d.svm", b"1 1:2\n0 1:3\n")
    with pytest.raises(
        fp.InputError, match=r"client: got site, expected it with a table .*\.csv.* not with d\.svm"
    ):
        fp.problem(path, client="site")
    with pytest.raises(fp.InputError, match="client: got site, expected it with data of your own"):
        fp.problem("digits", client="site")


def test_a_file_is_the_problem_of_its_frame(tmp_path: Path) -> None:
    """A file and the frame that it was written from have one digest."""
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(rng.standard_normal((300, 3)), columns=["a", "b", "c"])
    frame = frame.assign(
        kind=rng.choice(["u", "v"], 300), site=rng.choice(["n2", "n10"], 300), y=rng.integers(0, 3, 300)
    )
    path = tmp_path / "d.csv"
    frame.to_csv(path, index=False)
    file: Any = fp.problem(path, client="site")
    memory: Any = fp.problem(frame, client="site")

    assert file.digest == memory.digest
    assert file.origin.clients == memory.origin.clients == ("n2", "n10")
