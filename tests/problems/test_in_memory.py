"""Data in memory are taken where a path is: frames, arrays, a Bunch, sequences of pairs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.datasets import load_iris

import fedproof as fp
from fedproof.problems.catalog import as_problem
from fedproof.problems.data.in_memory import dataset_of
from fedproof.vocabulary.errors import InputError
from tests.refusals import refused

X = np.array([[0.0, 1.5], [2.0, -1.0], [4.0, 0.0], [1.0, 1.0]])
FRAME = pd.DataFrame({"p": X[:, 0], "q": X[:, 1], "site": list("abba"), "y": ["u", "v", "u", "v"]})
Y = [0, 1, 0, 1, 0, 1]


class Pairs:
    """What a PyTorch Dataset is to its readers: a length, and a pair for each number."""

    def __len__(self) -> int:
        return len(X)

    def __getitem__(self, number: int) -> tuple[Any, Any]:
        if number >= len(X):
            raise IndexError(number)
        return X[number].reshape(1, 2), np.int64(number % 2)


def rows(given: Any, **options: Any) -> tuple[list[list[float]], list[str]]:
    """Features, and labels by name."""
    data = dataset_of(given, options)
    return data.features.tolist(), [data.label_text(int(label)) for label in data.labels]


@pytest.mark.parametrize("given", [
    (X, [0, 1, 0, 1]), (X.tolist(), np.array([0, 1, 0, 1])), (X, np.array(["0", "1", "0", "1"])),
    (X.astype(np.float32), pd.Series([0.0, 1.0, 0.0, 1.0])), (csr_array(X), [False, True, False, True]),
    (FRAME[["p", "q"]], [0, 1, 0, 1]), {"data": X, "target": [0, 1, 0, 1]},
    {"data": FRAME[["p", "q"]], "target": pd.Series([0, 1, 0, 1], name="p")},
    Pairs(), [(x, y) for x, y in zip(X, [0, 1, 0, 1], strict=True)],
])  # fmt: skip
def test_every_form_holds_the_same_rows(given: Any) -> None:
    """Arrays, frames, sparse matrices, a Bunch, pairs: features in order and labels that mean 0 and 1."""
    features, labels = rows(given)

    assert features == X.tolist()
    assert labels in (["0", "1", "0", "1"], ["False", "True", "False", "True"])


def test_clients_may_stand_beside_the_arrays() -> None:
    """(X, y, clients): a client for each name, in natural order, with its own rows."""
    made: Any = fp.problem((X, ["u", "v", "u", "v"], ["s10", "s2", "s2", "s10"]))

    assert made.origin.clients == ("s2", "s10")
    assert made.features[:, :2].tolist() == X[[1, 2, 0, 3]].tolist()
    assert made.origin.classes == ("u", "v")


def test_a_column_of_x_may_be_the_client() -> None:
    """Beside y, in a frame and in a Bunch with names of its features."""
    frame: Any = fp.problem((FRAME[["p", "q", "site"]], FRAME["y"]), client="site")
    plain = {
        "data": np.column_stack([X, [7, 8, 8, 7]]),
        "target": [0, 1, 0, 1],
        "feature_names": ["p", "q", "s"],
    }
    bunch: Any = fp.problem(plain, client="s")

    assert frame.origin.clients == ("a", "b")
    assert bunch.origin.clients == ("7", "8")
    assert frame.features.tolist() == bunch.features.tolist()


def test_a_bunch_keeps_its_names() -> None:
    """Classes and features of scikit-learn's data are called what they are called there."""
    for bunch in (load_iris(), load_iris(as_frame=True)):
        found = fp.describe(bunch, clients=5, problem_options={"split": "iid"})

        assert found.class_names == ("setosa", "versicolor", "virginica")
        assert rows(bunch)[1] == ["setosa"] * 50 + ["versicolor"] * 50 + ["virginica"] * 50
        assert found.read is not None
        assert found.read["columns"]["features"][0] == "sepal length (cm)"


def test_every_verb_takes_data() -> None:
    """`run`, `measure` and `describe` make the problem that `fp.problem` makes, with the same options."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.standard_normal((40, 2)), columns=["a", "b"])
    frame = frame.assign(site=np.arange(40) % 3, y=rng.integers(0, 2, 40))
    options = {"client": "site"}
    made: Any = as_problem(frame, problem_options=options)

    assert fp.run("fedavg", frame, rounds=1, tau=2, problem_options=options).problem == made.name
    found = fp.measure(frame, rounds=1, seeds=2, problem_options=options)
    assert found.data["read"]["line"] == made.origin.line(made.sizes)
    assert fp.describe(frame, problem_options=options).sizes.tolist() == made.sizes.tolist()


def test_types_of_pandas_are_numbers_and_text() -> None:
    """Nullable numbers and booleans are numbers, categories are text even where they are numbers."""
    frame = pd.DataFrame({
        "n": pd.array([1, None, 3], dtype="Int64"), "b": pd.array([True, False, None], dtype="boolean"),
        "c": pd.Categorical([10, 2, 10]), "y": [0, 1, 0],
    })  # fmt: skip
    data = dataset_of(frame, {"missing": "mean"})

    assert data.reading is not None
    assert data.reading.columns == ("n", "b", "c=2", "c=10")
    assert data.features.tolist() == [[1, 1, 0, 1], [2, 0, 1, 0], [3, 0.5, 0, 1]]


def test_an_index_may_be_the_client() -> None:
    """Where it is asked for by its name; else an index is no feature."""
    made: Any = fp.problem(FRAME.set_index("site"), client="site")
    plain: Any = fp.problem(FRAME, client="site")

    assert made.digest == plain.digest
    assert dataset_of(FRAME.set_index("site"), {}).features.shape == (4, 2)


def test_what_becomes_a_frame_is_one() -> None:
    """Tables of other libraries are asked for a pandas DataFrame."""

    class Other:
        def to_pandas(self) -> pd.DataFrame:
            return FRAME

    assert dataset_of(Other(), {"client": "site"}).owner_names == ("a", "b")


def test_the_data_are_not_changed() -> None:
    """Neither filling nor scaling writes into what was given."""
    frame = FRAME.assign(p=[1.0, np.nan, 2.0, 3.0])
    before, x = frame.copy(), X.copy()
    dataset_of(frame, {"missing": "mean", "standardise": True})
    dataset_of((x, [0, 1, 0, 1]), {"standardise": True})

    pd.testing.assert_frame_equal(frame, before)
    assert (x == X).all()


@pytest.mark.parametrize(("given", "options", "message"), [
    (pd.DataFrame(), {}, "got 0 columns, expected two at least"),
    (FRAME[:0], {"client": "site"}, "got no rows below the names of the columns"),
    (FRAME.assign(q=[[1], [2], [3], [4]]), {"client": "site"}, "column q: got cells that are no values"),
    (FRAME.assign(q=pd.to_datetime(["2020"] * 4)), {"client": "site"}, "column q: got Timestamp"),
    (FRAME.assign(q=[1j] * 4), {"client": "site"}, "column q: got complex"),
    (FRAME.assign(q=pd.Series([10**400, 1, 2, 3], dtype=object)), {"client": "site"}, "q, row 0: got '1000"),
    (FRAME.assign(q=[np.inf, 1, 2, 3]), {"client": "site"}, "row 0, column q: got a value that is not"),
    (FRAME.set_axis(["p", "q", "p", "y"], axis=1), {"client": "p"}, "two columns named p"),
    (FRAME.set_axis(pd.MultiIndex.from_product([["a"], list("pqsy")]), axis=1), {}, "several levels"),
    ((X, [0, 1]), {}, "got 2 labels, expected 4, one for each row of X"),
    ((X, [0, 1, 0, 1], ["a"]), {}, "got 1 clients, expected 4"),
    ((X,), {}, "got 1 parts, expected (X, y)"),
    ((np.zeros((0, 2)), []), {"split": "iid"}, "no rows"),
    ((X, X), {}, "y of shape (4, 2)"),
    (([["a"], ["b"]], [0, 1]), {}, "give text in a DataFrame"),
    (([[10**400], [1]], [0, 1]), {}, "expected X as rows of numbers"),
    (([[1], [2]], [10**400, 1]), {}, "arrays"),
    (([[1], [2, 3]], [0, 1]), {}, "expected X as rows of numbers"),
    ((X, [0, 1, 0, 1]), {"client": "a"}, "client: got a, expected it with a table"),
    ((X, [0, 1, 0, 1]), {"label": "a"}, "label: got a, expected none beside y"),
    ((FRAME[["p", "site"]], FRAME["y"], list("aabb")), {"client": "site"}, "none beside (X, y, clients)"),
    ((X, [0, 1, 0, np.nan]), {"split": "iid"}, "(column label: 1; the first in row 3)"),
    ((np.full((2, 2), np.nan), [0, 1]), {"missing": "mean"}, "column 0: got no value in any row"),
    ((X, [0.5, 1, 2, 3]), {"split": "iid"}, "got 0.5, expected classes"),
    ([1, 2, 3], {}, "list, item 0: got "),
    ([(X[0], 0), (X[0, :1], 1)], {}, "item 1: got 1 features and 1 labels, expected 2 features"),
    ([], {}, "list: got no rows"),
    (FRAME.drop(columns="site"), {}, "write client=COLUMN or split=iid"),
    ((X, [0, 1, 0, 1]), {}, "got rows without clients, expected who holds which row; write split=iid"),
    (FRAME, {}, "got rows without clients"),
    ({}, {}, "a DataFrame, (X, y) or (X, y, clients), a Bunch"),
    (7, {}, "problem: got 7"),
    (None, {}, "problem: got None"),
])  # fmt: skip
def test_what_cannot_be_meant_is_one_line(given: Any, options: dict[str, Any], message: str) -> None:
    """The error says what was got, what is expected and what to write."""
    assert message in refused(InputError, None, fp.problem, given, **options)


def test_long_numbers_of_clients_stay_apart() -> None:
    """2^53 and 2^53 + 1 are two clients beside a missing one; as floats they are one, which is refused."""
    ids = [2**53, 2**53 + 1, None, 2**53, 2**53 + 1, 2**53]
    data = dataset_of((np.eye(6), Y, ids), {"missing": "drop"})
    frame = pd.DataFrame({"site": ids, "x": range(6), "y": Y})

    assert data.owner_names == (str(2**53), str(2**53 + 1))
    cure = "client 9007199254740992 as a floating-point number, .*; read the column as text or as Int64"
    refused(InputError, cure, dataset_of, (np.eye(6), Y, np.array(ids, float)), {"missing": "drop"})
    refused(InputError, cure, dataset_of, frame, {"client": "site", "missing": "drop"})
    small = np.array([2.0**24, 1, 1, 2, 2, 2], np.float32)
    refused(InputError, "client 16777216", dataset_of, (np.eye(6), Y, pd.Series(small)), {})
    assert dataset_of((np.eye(6), Y, [1.0, None, 2, 2, 2, 1]), {"missing": "drop"}).owner_names == ("1", "2")


def test_a_sweep_asks_whose_rows_they_are() -> None:
    """A table without clients is refused as by `run`; the type of the data is named, not its content."""
    said = refused(InputError, None, fp.sweep, "fedavg", FRAME)

    assert said.startswith("DataFrame: got rows without clients, expected who holds which row")
