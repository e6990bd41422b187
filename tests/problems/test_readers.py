"""A user's file: what is read, and what is refused with file, row and cure."""

from __future__ import annotations

import gzip
import os
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

from fedproof.problems.catalog import make_problem
from fedproof.problems.data import data_files as reading
from fedproof.problems.data import files
from fedproof.problems.data.data_files import files_of, read_dataset
from fedproof.problems.data.origin import client_names
from fedproof.problems.supervised.supervised import Supervised
from fedproof.vocabulary.errors import DataError, InputError, UnknownName
from tests.problems.formats import CSV, IMAGES, LABELS, LEAF, LIBSVM, images, labels, leaf, pair, put
from tests.refusals import refused


def refusal_and_memory(path: Path) -> tuple[str, int]:
    """The error that a path meets, and the bytes that were held at most on the way."""
    tracemalloc.start()
    said = refusal(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return said, peak


def refusal(path: Path) -> str:
    """The error that a path meets, in one line that names it."""
    text = refused(DataError, None, read_dataset, path)

    assert str(path.parent)[:20] in text
    return text


# --- what is read


@pytest.mark.parametrize("name", ["data.csv", "data.csv.gz"])
def test_csv(name: str, tmp_path: Path) -> None:
    """Features and labels of any kind; labels are numbered in sorted order and keep their names."""
    data = read_dataset(put(tmp_path, name, CSV))
    plain = read_dataset(put(tmp_path, "plain.csv", CSV.partition(b"\n")[2]))

    assert data.features.tolist() == plain.features.tolist() == [[1, 2.5], [-1000, 4], [0, 0]]
    assert data.labels.tolist() == [0, 1, 0]
    assert data.kinds is not None
    assert data.kinds.tolist() == ["x", "y"]
    assert (data.classes, data.name) == (2, "data")


def test_labels_that_are_numbers_are_sorted_as_numbers(tmp_path: Path) -> None:
    """10 comes after 2, and 1.0 is 1."""
    data = read_dataset(put(tmp_path, "d.csv", b"0,10\n0,2\n0,1.0\n0,1\n"))

    assert data.labels.tolist() == [2, 1, 0, 0]
    assert data.label_text(2) == "10"


@pytest.mark.parametrize("names", [("features", "labels"), ("X", "y")])
def test_npz_becomes_a_federated_problem(names: tuple[str, str], tmp_path: Path) -> None:
    """Arrays saved by numpy are split over clients, a bias added; owners make a natural split."""
    path = tmp_path / "data.npz"
    arrays = dict(zip(names, (np.arange(12.0).reshape(6, 2), np.array([0, 1, 2, 0, 1, 2])), strict=True))
    np.savez_compressed(path, **arrays)
    problem = make_problem(path, clients=3, options={"split": "labels"})
    np.savez(path, **arrays, owners=np.array(["b", "a", "b", "c", "c", "c"]))
    natural = make_problem(str(path))

    assert (problem.n_clients, problem.dimension, int(problem.sizes.sum())) == (3, 9, 6)
    assert natural.sizes.tolist() == [1, 2, 3]
    assert client_names(natural) == ("a", "b", "c")


@pytest.mark.parametrize("name", ["d.libsvm", "d.svm.gz", "a9a", "a9a.t"])
def test_libsvm(name: str, tmp_path: Path) -> None:
    """Pairs become columns from index 1, whatever the name; comments and empty lines are skipped."""
    data = read_dataset(put(tmp_path, name, LIBSVM))

    assert data.features.tolist() == [[0.5, 0, -20, 0], [0, 1, 0, 0], [0.25, 3, 0, 0.001]]
    assert data.labels.tolist() == [1, 0, 1]
    assert [data.label_text(k) for k in (0, 1)] == ["-1", "1"]


def test_libsvm_indices_from_zero(tmp_path: Path) -> None:
    """Where index 0 occurs it is the first column."""
    data = read_dataset(put(tmp_path, "d.svm", b"2 0:5 2:6\n3 1:7\n"))

    assert data.features.tolist() == [[5, 0, 6], [0, 7, 0]]


@pytest.mark.parametrize("zero_based", [True, False])
def test_libsvm_agrees_with_scikit_learn(zero_based: bool, tmp_path: Path) -> None:
    """A random sparse file written by scikit-learn comes back as it reads it, to the bit."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal((50, 20)) * (rng.random((50, 20)) < 0.3)
    x[0, 0], x[1, -1] = 1, 1
    path = tmp_path / "d.svmlight"
    dump_svmlight_file(x, rng.integers(1, 4, 50), str(path), zero_based=zero_based)
    data = read_dataset(path)

    assert (data.features == load_svmlight_file(str(path))[0].toarray()).all()
    assert np.allclose(data.features, x, rtol=1e-15)


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("asked", [0, 1])
def test_idx_pair(asked: int, packed: bool, tmp_path: Path) -> None:
    """Either file of a pair stands for both; pixels are divided by 255, row after row of an image."""
    data = read_dataset(pair(tmp_path, packed=packed)[asked])

    assert (data.features == IMAGES.reshape(5, 6) / 255).all()
    assert data.kinds is not None
    assert data.kinds[data.labels].tolist() == LABELS.tolist()


def test_idx_folder_joins_its_pairs(tmp_path: Path) -> None:
    """train and t10k together, packed or not, and a pair that is there both ways counts once."""
    pair(tmp_path, "train-")
    pair(tmp_path, "train-", packed=True)
    pair(tmp_path, "t10k-", packed=True)
    (tmp_path / "LICENSE").write_text("x")
    data = read_dataset(tmp_path)
    problem = make_problem(tmp_path, clients=2, options={"split": "iid", "test_fraction": "1/4"})

    assert data.features.shape == (10, 6)
    assert (data.features[:5] == data.features[5:]).all()
    assert problem.sizes.tolist() == [4, 4]
    assert [p.name for p in files_of(tmp_path)] == [
        "t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz", "train-images-idx3-ubyte",
        "train-labels-idx1-ubyte",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["all_data_0.json", "all_data_0.json.gz"])
def test_leaf(name: str, tmp_path: Path) -> None:
    """Every user is a client with its own rows, in the file's order."""
    path = put(tmp_path, name, leaf())
    data = read_dataset(path)
    problem = make_problem(path)

    assert data.features.tolist() == [[0, 0.5], [1, 0.25], [0.125, 1]]
    assert data.labels.tolist() == [0, 1, 0]
    assert data.label_text(1) == "61"
    assert isinstance(problem, Supervised)
    assert problem.sizes.tolist() == [2, 1]
    assert problem.features[2].tolist() == [0.125, 1, 1]
    assert "by writer, 2 of 2" in problem.name
    assert problem.origin is not None
    assert problem.origin.clients == ("f_b", "f_a")


def test_leaf_folder_joins_files_and_users(tmp_path: Path) -> None:
    """A user of two files is one writer with the rows of both."""
    put(tmp_path, "all_data_0.json", leaf())
    put(tmp_path, "all_data_1.json.gz",
        leaf(users=["f_a"], num_samples=[1], user_data={"f_a": {"x": [[1, 1]], "y": [2]}}))  # fmt: skip
    data = read_dataset(tmp_path)

    assert data.owners is not None
    assert data.owners.tolist() == [0, 0, 1, 1]
    assert [p.name for p in files_of(tmp_path)] == ["all_data_0.json", "all_data_1.json.gz"]


def test_real_targets_come_from_any_file(tmp_path: Path) -> None:
    """With a model of real targets, labels are the numbers that the file has."""
    path = put(tmp_path, "d.csv", b"1,0.5\n2,-3\n3,0.5\n4,7\n")
    problem = make_problem(path, clients=1, options={"model": "least_squares", "split": "iid"})

    assert isinstance(problem, Supervised)
    assert sorted(problem.labels) == [-3, 0.5, 0.5, 7]


# --- what is refused


@pytest.mark.parametrize(("line", "message"), [
    (b"one 1:2", "got one, expected a finite number as label"),
    (b"nan 1:2", "got nan, expected a finite number as label"),
    (b"1:2 2:3", "got 1:2, expected a finite number as label"),
    (b"1,2 1:1", "got 1,2, expected a finite number as label"),
    (b"1 2", "got 2, expected INDEX:VALUE"),
    (b"1 x:2", "got x:2"),
    (b"1 2:", "got 2:"),
    (b"1 2:nan", "got 2:nan"),
    (b"1 2:inf", "got 2:inf"),
    (b"1 -1:2", "got -1:2"),
    (b"1 9999999999:2", "a whole number below 1e9"),
    (b"1 2:3:4", "got 2:3:4"),
    (b"1 qid:x 2:3", "got qid:x, expected qid:N right after the label"),
    (b"1 qid:-3 2:3", "got qid:-3, expected qid:N right after the label"),
    (b"1 qid:1000000000000000000 2:3", "a whole number below 1e18"),
    (b"1 2:3 qid:3", "got qid:3, expected qid:N right after the label"),
    (b"1 qid:3 qid:3 2:1", "got qid:3, expected qid:N right after the label"),
    (b"1 qid:3 3:1 2:1", "index 2 after 3"),
    (b"1 3:1 2:1", "index 2 after 3"),
    (b"1 2:1 2:1", "index 2 after 2"),
    (b"1 2:1e999", "not finite"),
    (b"\xff 1:1", "label"),
    (b"1 1:\x00", "row 3"),
])  # fmt: skip
def test_malformed_libsvm(line: bytes, message: str, tmp_path: Path) -> None:
    """The third row is wrong, and is named."""
    said = refusal(put(tmp_path, "d.svm", b"1 1:1\n\n" + line + b"\n2 1:1\n"))

    assert "row 3" in said
    assert message in said


def test_sparse_data_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    """100 rows of 20 million columns would take 16 GB: the error says how many would do, before it does."""
    path = put(tmp_path, "wide", b"1 20000000:1\n-1 1:1\n" + b"1 5:1\n" * 98)
    said, peak = refusal_and_memory(path)

    assert "100 rows x 20000000 features" in said
    assert "keep at most 13 rows" in said
    assert peak < 50e6


@pytest.mark.parametrize(("content", "message"), [
    (b"", "0 bytes, expected a header of 16"),
    (images()[:9], "9 bytes, expected a header of 16"),
    (images(magic=0x801), "magic number 0x00000801, expected 0x00000803"),
    (images(magic=0xD03), "magic number 0x00000d03"),
    (images()[:-1], "29 bytes of data, expected 30 by its header"),
    (images() + b"x", "more than 30 bytes of data"),
    (images(shape=(2**31, 1, 1)), "expected at most 2 GiB"),
    (images(shape=(2**32 - 1, 2**32 - 1, 2**32 - 1)), "expected at most 2 GiB"),
    (images(shape=(300_000, 28, 28)), "30 bytes of data, expected 235200000"),
    (images(shape=(0, 2, 3)), "sizes of at least 1"),
    (images(IMAGES[:4]), "4 images, expected 5"),
])  # fmt: skip
@pytest.mark.parametrize("packed", [False, True])
def test_malformed_idx(content: bytes, message: str, packed: bool, tmp_path: Path) -> None:
    """Truncated, too long, of another kind, or with a header that lies: refused before memory is taken."""
    pair(tmp_path)
    (tmp_path / "train-images-idx3-ubyte").unlink()
    path = put(tmp_path, "train-images-idx3-ubyte" + ".gz" * packed, content)
    said, peak = refusal_and_memory(path)

    assert message in said
    assert peak < 5e6


def test_a_lonely_idx_file(tmp_path: Path) -> None:
    """Images without labels, labels without images, and pairs of other sizes: the missing file is named."""
    first, second = pair(tmp_path)
    second.unlink()
    assert "no train-labels-idx1-ubyte beside it" in refusal(first)
    assert "no train-labels-idx1-ubyte beside it" in refusal(tmp_path)
    second.write_bytes(labels())
    first.unlink()
    assert "no train-images-idx3-ubyte beside it" in refusal(second)
    first.write_bytes(images())
    put(tmp_path, "t10k-images-idx3-ubyte", images(IMAGES.reshape(5, 3, 2)))
    put(tmp_path, "t10k-labels-idx1-ubyte", labels())
    assert "images of (2, 3) pixels" in refusal(tmp_path)
    pair(tmp_path, "emnist-letters-train-")
    assert "several sets: emnist-letters-train-, t10k-, train-" in refusal(tmp_path)


A, B = LEAF["user_data"]["f_a"], LEAF["user_data"]["f_b"]
ROWS = [[1, 2], [1, 2]]


def first(user: Any) -> bytes:
    """A LEAF file with another first user."""
    return leaf(user_data={"f_b": user, "f_a": A})


def rows_and_labels(x: Any, y: Any) -> bytes:
    """A LEAF file whose first user has these."""
    return first({"x": x, "y": y})


@pytest.mark.parametrize(("content", "message"), [
    (b"", "JSON document"),
    (b"[1, 2]", "without users and user_data"),
    (b'{"a": {"f": 1, "f": 2}}', "2 keys, one of them twice"),
    (b"{", "JSON document"),
    (b"[" * 100_000, "JSON document"),
    (b'{"users": ' + b"9" * 5000 + b"}", "JSON document"),
    (leaf().replace(b"0.125", b"NaN"), "NaN, expected finite numbers"),
    (leaf().replace(b"0.125", b"1e999"), "user f_a, sample 0: got a value that is not finite"),
    (leaf(users=["f_a"]), "the same"),
    (leaf(users=["f_a", "f_a"]), "the same"),
    (leaf(users=["f_a", "f_b", "f_b"]), "each user once"),
    (leaf(num_samples=[2]), "a number for each user"),
    (leaf(num_samples=[2, 3]), "user f_a: got 1 samples, expected num_samples, 3"),
    (leaf(user_data={"f_b": B, "f_a": {"x": [], "y": []}}, num_samples=[2, 0]), "got no samples"),
    (leaf(user_data={"f_b": B, "f_a": {"x": [[1]], "y": [1]}}), "1 features, expected 2"),
    (rows_and_labels([[1, 2], [1]], [1, 2]), "user f_b, sample 1: got 1 num"),
    (rows_and_labels([[1, 2], [1, "a"]], [1, 2]), "user f_b, sample 1"),
    (rows_and_labels(ROWS, [1, 1.5]), "sample 1: got label 1.5"),
    (rows_and_labels(ROWS, [1, -1]), "sample 1: got label -1"),
    (rows_and_labels(ROWS, [1]), "a label for each row"),
    (rows_and_labels([1, 2], [1, 2]), "sample 0: got a number as x"),
    (rows_and_labels([[1, 2], [1, "2"]], [1, 1]), "user f_b, sample 1: got '2' in x"),
    (rows_and_labels([["1", "2"], ["1", "2"]], [1, 1]), "sample 0: got '1' in x"),
    (rows_and_labels([[1, 2], [1, True]], [1, 1]), "sample 1: got True in x"),
    (rows_and_labels([[1, 2], [1, None]], [1, 1]), "sample 1: got None in x"),
    (rows_and_labels(ROWS, [1, False]), "sample 1: got False in y"),
    (rows_and_labels(ROWS, [1, "3"]), "sample 1: got '3' in y"),
    (rows_and_labels([[1, 2], [1, 10**400]], [1, 1]), "user f_b, sample 1: got a number that no float holds"),
    (first({"x": [[1, 2]]}), "no x and y"),
    (first(3), "no x and y"),
    (rows_and_labels("abc", [1]), "x of type str"),
])  # fmt: skip
def test_malformed_leaf(content: bytes, message: str, tmp_path: Path) -> None:
    """The error names file, user and sample, each once."""
    said = refusal(put(tmp_path, "all_data_0.json", content))

    assert message in said
    assert said.count("all_data_0.json") == 1


@pytest.mark.parametrize(("arrays", "message"), [
    ({"a": np.zeros(1)}, "expected features and labels"),
    ({"features": np.zeros((2, 1)), "labels": np.zeros(3)}, "shapes"),
    ({"features": np.zeros((2, 0)), "labels": np.zeros(2)}, "shapes"),
    ({"features": np.array([[None]]), "labels": np.zeros(1)}, "plain arrays"),
    ({"features": np.array([["x"]]), "labels": np.zeros(1)}, "numbers"),
    ({"features": np.zeros((1, 1)), "labels": np.zeros(1, dtype="M8[s]")}, "numbers or text"),
    ({"features": np.array([[0.0], [np.nan]]), "labels": np.array([0, 1])}, "row 1"),
    ({"features": np.zeros((2, 1)), "labels": np.array([0, np.inf])}, "row 1"),
    ({"features": np.zeros((2, 1)), "labels": np.zeros(2), "owners": np.zeros(2)}, "for each row"),
])  # fmt: skip
def test_malformed_npz(arrays: dict[str, Any], message: str, tmp_path: Path) -> None:
    """Missing, misshapen, pickled or textual arrays are refused; nothing is unpickled."""
    path = tmp_path / "data.npz"
    np.savez(path, **arrays)

    assert message in refusal(path)


@pytest.mark.parametrize("name", ["d.csv.gz", "d.svm.gz", "train-images-idx3-ubyte.gz", "all_data.json.gz"])
def test_what_unpacks_a_hundredfold_is_stopped(name: str, tmp_path: Path) -> None:
    """A small file that unpacks to over 32 MiB and 100 times its size stops there."""
    pair(tmp_path)
    path = tmp_path / name
    start = images(shape=(300_000, 28, 28)) if "idx3" in name else b""
    path.write_bytes(gzip.compress(start + b" " * (1 << 26)))
    said, peak = refusal_and_memory(path)

    assert "bytes once unpacked" in said
    assert "gunzip" in said
    assert peak < 300e6


@pytest.mark.parametrize("name", ["d.csv.gz", "d.svm.gz", "train-images-idx3-ubyte.gz", "all_data.json.gz"])
def test_a_gzip_bomb_is_stopped(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What unpacks to more than the limit stops there: 64 MiB of zeros in 64 KiB, at a limit of 1 MiB."""
    pair(tmp_path)
    path = tmp_path / name
    start = images(shape=(60_000, 28, 28)) if "idx3" in name else b""
    path.write_bytes(gzip.compress(start + bytes(1 << 26)))
    monkeypatch.setattr(files.opened.__wrapped__, "__defaults__", (1 << 20,))
    monkeypatch.setattr("fedproof.problems.data.readers.leaf.MOST_BYTES", 1 << 20)
    said, peak = refusal_and_memory(path)

    assert "over 1048576 bytes once unpacked" in said
    assert peak < 10e6


@pytest.mark.parametrize("name", ["d.csv.gz", "d.svm.gz", "train-images-idx3-ubyte.gz", "all_data.json.gz"])
def test_damaged_gzip(name: str, tmp_path: Path) -> None:
    """Cut short, or with a flipped byte, a packed file is told to be damaged."""
    pair(tmp_path)
    content = {"csv": CSV, "svm": LIBSVM, "idx": images(), "jso": leaf()}
    whole = gzip.compress(next(c for key, c in content.items() if key in name))
    flipped = bytearray(whole)
    flipped[-6] ^= 1
    for bad in (whole[:-9], bytes(flipped), whole[:12]):
        (tmp_path / name).write_bytes(bad)
        assert "damaged gzip" in refusal(tmp_path / name)


def test_files_that_are_not_what_they_say(tmp_path: Path) -> None:
    """A missing file, another kind, bytes that are no text, other packers, pipes, folders: one line each."""
    for name, content, message in (
        ("bad.csv", b"\xff\xfe\x00", "comma-separated text"),
        ("bad.npz", b"PK\x03\x04 cut short", "plain arrays"),
        ("d.svm", b"BZh91AY", "unpack it with bunzip2"),
    ):
        assert message in refusal(put(tmp_path, name, content))
    said = refusal(put(tmp_path, "data.txt", b"1,2"))
    assert all(word in said for word in ("got a .txt file", ".csv", "IDX"))
    assert "no such file" in refusal(tmp_path / "none.csv")
    for folder in (tmp_path / "folder", tmp_path / "folder.csv"):
        folder.mkdir()
        assert "got a folder without any" in refusal(folder)
    os.mkfifo(tmp_path / "pipe.csv")
    assert "a .csv file" in refusal(tmp_path / "pipe.csv")


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    """A file of 3 GiB (a hole on disk) is refused by its size."""
    for name in ("d.csv", "d.svm", "d.npz", "d.json"):
        with (tmp_path / name).open("wb") as sparse:
            sparse.truncate(3 << 30)
        most = 1 << 28 if name.endswith(".json") else 1 << 31
        assert f"3221225472 bytes, expected at most {most}" in refusal(tmp_path / name)


def test_too_many_kinds_of_label(tmp_path: Path) -> None:
    """Real-valued labels under a model of classes are told, before a model of that size is made."""
    path = put(tmp_path, "d.csv", b"".join(b"0,%d.5\n" % n for n in range(2000)))
    refused(
        DataError, r"2000 kinds of label.*model=least_squares", make_problem, path, 2, 0, {"split": "iid"}
    )


def test_paths_and_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is neither a word nor a path names both; a word wins over a file of its name."""
    monkeypatch.chdir(tmp_path)
    put(tmp_path, "digits", LIBSVM)
    put(tmp_path, "a9a", LIBSVM)
    refused(UnknownName, r"digits, .*\.csv .*did you mean digits", make_problem, "digit")
    refused(DataError, "no such file", make_problem, "none.csv")

    for option, given in (("clients", {"clients": 3}), ("seed", {"seed": 3})):
        with pytest.raises(InputError, match=f"{option}: got 2 as an option too"):
            make_problem("digits", options={option: 2}, **given)

    assert make_problem("digits", options={"clients": "7"}).n_clients == 7
    assert make_problem("digits").sizes.sum() == 1797
    assert not reading.is_path("x" * 5000)
    assert "File name too long" in refusal(tmp_path / ("x" * 5000 + ".csv"))
    assert make_problem("a9a", 2, options={"split": "labels", "labels_per_client": 1}).sizes.sum() == 3
