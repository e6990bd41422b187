"""Whose a row of a LIBSVM file is: the number in qid:N, where it is asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import dump_svmlight_file

import fedproof as fp
from tests.problems.formats import put
from tests.refusals import refused


@pytest.fixture
def seventeen(tmp_path: Path) -> Path:
    """A LIBSVM file, written by scikit-learn, of 17 clients with 3 to 400 rows each and three classes."""
    rng = np.random.default_rng(16)
    owners = rng.permutation(np.repeat(np.arange(1, 18), np.round(np.geomspace(3, 400, 17)).astype(int)))
    path = tmp_path / "seventeen.svm"
    x, y = rng.standard_normal((len(owners), 4)), owners % 3
    dump_svmlight_file(x, y, str(path), zero_based=False, query_id=owners)
    return path


def test_the_clients_of_a_libsvm_file_are_its_qid(seventeen: Path) -> None:
    """client=qid: whose rows carry one N are one client, in the order of the numbers, each with its rows."""
    made: Any = fp.problem(seventeen, client="qid")
    first = np.cumsum([0, *made.sizes])[:-1]

    assert made.origin.clients == tuple(map(str, range(1, 18)))
    assert made.sizes.tolist() == np.round(np.geomspace(3, 400, 17)).astype(int).tolist()
    assert made.labels[first].tolist() == [n % 3 for n in range(1, 18)]
    assert made.features.shape[1] == 5
    assert "17 clients by qid (smallest 1 with 3 rows, largest 17 with 400)" in made.origin.line(made.sizes)


def test_qid_is_no_client_unless_it_is_asked_for(seventeen: Path) -> None:
    """Without a split the data are refused and qid is offered; with one the line says it was passed over."""
    assert "write client=qid or split=iid" in refused(fp.FedproofError, None, fp.problem, seventeen)
    made: Any = fp.problem(seventeen, split="iid", clients=4)

    assert made.n_clients == 4
    assert "qid passed over (client=qid makes it the client)" in made.origin.line(made.sizes)


def test_rows_without_qid_are_nobodys(tmp_path: Path) -> None:
    """In one row it is a missing value, in all an error; another name than qid is none here."""
    some = put(tmp_path, "some.svm", b"1 qid:7 1:2\n0 1:3\n0 qid:08 1:4\n1 qid:8 1:1\n")
    none = put(tmp_path, "none.svm", b"1 1:2\n0 1:3\n")

    assert "1 missing value" in (said := refused(fp.FedproofError, None, fp.problem, some, client="qid"))
    assert "column qid: 1; the first in row 2" in said
    made: Any = fp.problem(some, client="qid", missing="drop")
    assert (made.origin.clients, made.sizes.tolist()) == (("7", "8"), [1, 2])
    assert "got no row with qid, expected qid:N in each row" in refused(
        fp.FedproofError, None, fp.problem, none, client="qid"
    )
    assert "write client=qid if its rows have qid:N" in refused(
        fp.InputError, None, fp.problem, some, client="site"
    )
