"""Files of logs: what is read alike, and what is refused in one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from fedproof.validate.api import validate
from fedproof.validate.logs.header import read_header
from fedproof.validate.logs.run_log import RunLog
from fedproof.validate.logs.sources import groups_of
from fedproof.validate.verdict import Verdict
from fedproof.vocabulary.errors import DataError, InputError, UnknownName
from tests.refusals import refused
from tests.validate.logs_for_tests import CONSTANTS, HYPER, LOSSES, SQUARES, csv_of, csv_run, toml

HEADER = {"algorithm": "fedproxvr", "parameters": {"estimator": "sarah", **HYPER}, "constants": CONSTANTS}
ABOVE = toml(parameters=HEADER["parameters"], constants=CONSTANTS)  # type: ignore[arg-type]
TEXT = csv_of({"loss": LOSSES, "squared_gradient": SQUARES}, ABOVE)


def verdict(path: Path, header: Any = None) -> Verdict:
    """The verdict on one log."""
    (row,) = validate(history=path, header=header).results
    return row


def log(path: Path, header: Any = None) -> RunLog:
    """The one run in a file."""
    (runs,) = groups_of(path, read_header(header))
    (run,) = runs
    return run


def written(tmp_path: Path, text: str, name: str = "run.csv") -> Path:
    """A file with this text."""
    path = tmp_path / name
    path.write_text(text)
    return path


def json_lines(header: Any = HEADER) -> str:
    """The same log as JSON lines."""
    rows: list[Any] = [{"header": header}] if header else []
    rows += [{"round": r, "loss": a, "grad_norm_sq": b}
             for r, (a, b) in enumerate(zip(LOSSES, SQUARES, strict=True))]  # fmt: skip
    return "".join(json.dumps(row) + "\n" for row in rows)


def lightning() -> str:
    """What the CSVLogger of Lightning 2.6.6 writes: a row a metric, empty cells, a step beside the round."""
    rows = ["epoch,step,train/loss,val/grad_sq"]
    for epoch, (loss, square) in enumerate(zip(LOSSES, SQUARES, strict=True)):
        rows += [f"{epoch},{7 * epoch},{loss},", f"{epoch},{7 * epoch + 6},,{square}"]
    return "\n".join(rows) + "\n"


def mlflow() -> str:
    """The table of `get_metric_history` of MLflow 3.17.2, metric after metric, as pandas writes it."""
    rows = ["dataset_digest,dataset_name,key,model_id,run_id,step,timestamp,value"]
    for key, values in (("loss", LOSSES), ("grad", SQUARES)):
        rows += [f",,{key},,,{step},{1795465158485 + step},{value}" for step, value in enumerate(values)]
    return "\n".join(rows) + "\n"


COLUMNS = {"round": "epoch", "loss": "train/loss", "squared_gradient": "val/grad_sq"}
ALIKE = {
    "semicolons.csv": (TEXT.replace(",", ";"), None),
    "tabs.tsv": (TEXT.replace(",", "\t"), None),
    "lines.jsonl": (json_lines(), None),
    "bare.ndjson": (json_lines(None), HEADER),
    "bare.csv": (csv_of({"loss": LOSSES, "squared_gradient": SQUARES}), HEADER),
    "server.csv": (TEXT.replace("round,", "server_round,"), None),
    "metrics.csv": (lightning(), HEADER | {"columns": COLUMNS}),
    "mlflow.csv": (mlflow(), HEADER | {"columns": {"round": "step", "squared_gradient": "grad"}}),
    "crlf.csv": ("\ufeff" + TEXT.replace("\n", "\r\n"), None),
    "spaces.csv": (TEXT.replace(",", " , ") + "\n\n", None),
    "notes.csv": (csv_of({"loss": LOSSES, "note": "abcd", "squared_gradient": SQUARES}, ABOVE), None),
}


@pytest.mark.parametrize("name", ALIKE)
def test_one_log_in_many_files(name: str, tmp_path: Path) -> None:
    """However it is written, a log gives the verdict of the plain file."""
    text, header = ALIKE[name]
    plain, other = verdict(written(tmp_path, TEXT)), verdict(written(tmp_path, text, name), header)

    assert plain.bound is not None
    assert (other.measured, other.bound, other.verdict) == (plain.measured, plain.bound, plain.verdict)


def test_numbers_are_read_as_they_are_written(tmp_path: Path) -> None:
    """A decimal number of the header is exact, not the nearest double."""
    path = written(tmp_path, '# [constants]\n# L = 0.1\n# G = "1/3"\nround,loss\n0,1\n')
    numbers = log(path).numbers

    assert [str(numbers[name].value) for name in "LG"] == ["1/10", "1/3"]


def test_runs_in_one_table_of_mlflow_are_told_apart(tmp_path: Path) -> None:
    """Each run_id is a run; a metric whose steps are repeated or out of order is refused."""
    rows = ["run_id,key,value,step"]
    rows += [
        f"{run},grad_norm_sq,{v + n},{step}" for n, run in enumerate("ab") for step, v in enumerate(SQUARES)
    ]
    header = HEADER | {"columns": {"round": "step"}, "constants": CONSTANTS | {"Delta": 1}}
    (row,) = validate(history=written(tmp_path, "\n".join(rows)), header=header).results

    assert row.measured == pytest.approx(sum(SQUARES[1:]) / 3 + 0.5, rel=1e-14)
    for line in ("b,grad_norm_sq,1,3", "b,grad_norm_sq,1,2"):
        path = written(tmp_path, "\n".join([*rows, line]))
        refused(DataError, "of grad_norm_sq after step 3 in row 9", validate, history=path, header=header)
    refused(DataError, "no value in row 1", validate, history=written(tmp_path, rows[0] + "\na,loss,,1\n"),
            header=header)  # fmt: skip


def test_a_header_file_is_read(tmp_path: Path) -> None:
    """What --header names is TOML, and stands beside what the log says itself."""
    bare = written(tmp_path, csv_of({"loss": LOSSES, "squared_gradient": SQUARES}))
    said = written(tmp_path, ABOVE.replace("# ", ""), "header.toml")

    assert verdict(bare, said).bound == verdict(written(tmp_path, TEXT, "own.csv")).bound
    refused(InputError, "sarah.* and .*svrg", validate, history=written(tmp_path, TEXT),
            header={"parameters": {"estimator": "svrg"}})  # fmt: skip


def test_replicas_must_be_alike(tmp_path: Path) -> None:
    """Files that differ in more than seed and numbers are refused, and it is said in what."""
    written(tmp_path, csv_run(0), "a.csv")
    written(tmp_path, csv_run(1).replace('L = "1"', 'L = "2"'), "b.csv")
    refused(InputError, "a.csv and b.csv: got L = 1 and 2", validate, history=tmp_path)
    written(tmp_path, csv_run(0), "b.csv")
    refused(InputError, "a.csv and b.csv: got seed 0 in both", validate, history=tmp_path)
    written(tmp_path, "\n".join(csv_run(1).splitlines()[:-1]), "b.csv")
    refused(InputError, "got rounds = 3 and 2", validate, history=tmp_path)


def test_files_of_a_folder_come_in_natural_order(tmp_path: Path) -> None:
    """run2 comes before run10; hidden files and other endings are passed over."""
    for number in (10, 2):
        written(tmp_path, csv_run(number), f"run{number}.csv")
    written(tmp_path, "no log", "notes.md")
    written(tmp_path, "no log", ".hidden.csv")
    (logs,) = groups_of(tmp_path, read_header(None))

    assert [run.name for run in logs] == ["run2.csv", "run10.csv"]


ROWS = ABOVE + "round,loss,squared_gradient\n"
BROKEN = [
    ("", "an empty file"),
    ('# algorithm = "fedproxvr"\n', "a header and no columns"),
    (ROWS, "no rows"),
    (ABOVE + "loss,squared_gradient\n1,1\n", "expected a column round"),
    (ABOVE + "epoch,loss\n1,1\n", r'write \[columns\] round = "epoch"'),
    (ABOVE + "round,loss,loss\n0,1,1\n", "two columns called loss"),
    (ABOVE + "round,grad_norm_sq,squared_gradient\n0,1,1\n", "columns grad_norm_sq and squared_gradient"),
    (ROWS + "0,1,1\n1,1,1\n1,1,1\n2,1,1\n", "of round 1 again in row 3"),
    (ROWS + "0,1,1\n2,1,1\n1,1,1\n", "round 1 after round 2 in row 3"),
    (ROWS + "0,1,1\n1,1,1\n3,1,1\n", "no squared_gradient in round 2, expected one in each of rounds 1 to 3"),
    (ROWS + "0,1,1\n9,1,1\n", "in round 1, 2, 3, 4, ..., expected"),
    (ROWS + "0,1,1\n1,1,nan\n2,1,1\n", "nan in round 1.*the others alone are no sample"),
    (ROWS + "0,1,1\n1,1,inf\n2,1,1\n", "got squared_gradient = inf in round 1"),
    (ROWS + "0,1,1\n1,1,\n2,1,1\n", "no squared_gradient in round 1"),
    (ROWS + "0,1,1\n1,1,small\n", "squared_gradient = small in row 2"),
    (ROWS + "0,1,1\n1,1\n", "2 cells in row 2"),
    (ROWS + "0,1,1\nfirst,1,1\n", "round first in row 2"),
    (ROWS + "-1,1,1\n", "round -1 in row 1"),
    (ROWS + "0.5,1,1\n", "round 0.5 in row 1"),
    (ROWS + ",1,1\n", "no round in row 1"),
    ("# algorithm = fedproxvr\nround,loss\n0,1\n", "a header that is no TOML"),
    ('# [constants]\n# L = "big"\nround,loss\n0,1\n', "L = big"),
    ("# [constants]\n# L = true\nround,loss\n0,1\n", "L = True"),
    ("# [constants]\n# L = 1e9999\nround,loss\n0,1\n", "L = 1e9999"),
    ("# constants = 3\nround,loss\n0,1\n", r"expected a table \[constants\]"),
    ("# seed = true\nround,loss\n0,1\n", "seed = True"),
    ("# [columns]\n# loss = 3\nround,loss\n0,1\n", "loss = 3 under"),
]


@pytest.mark.parametrize(("text", "match"), BROKEN)
def test_a_broken_log_is_refused_in_one_line(text: str, match: str, tmp_path: Path) -> None:
    """What, got, expected: of rounds, cells and header."""
    path = written(tmp_path, text)
    refused(DataError, match, validate, history=path)


@pytest.mark.parametrize(
    ("header", "match"),
    [
        ({"algoritm": "fedproxvr"}, "did you mean algorithm"),
        ({"constants": {"Lipschitz": 1}}, "parameter or constant of run.csv: got Lipschitz"),
        ({"participation": {"cohort": 3}}, "got cohort, expected one of count"),
        ({"columns": {"squared_gradient": "grad"}}, "column of run.csv for squared_gradient: got grad"),
    ],
)
def test_unknown_keys_are_refused(header: dict[str, Any], match: str, tmp_path: Path) -> None:
    """A key, a number, a column that means nothing here is named, with the nearest that does."""
    refused(UnknownName, match, validate, history=written(tmp_path, TEXT), header=header)


def test_numbers_that_contradict_each_other_are_refused(tmp_path: Path) -> None:
    """beta and the step size, Delta and the losses, the rounds: one value each."""
    for name, value in (("stepsize", "1/7"), ("Delta", 3), ("T", 17), ("inverse_stepsize", 41)):
        header = {"parameters": {name: value}}
        refused(InputError, "one value", validate, history=written(tmp_path, TEXT), header=header)
    agreeing = {"parameters": {"stepsize": "1/40", "Delta": 1, "T": 3}}
    assert verdict(written(tmp_path, TEXT), agreeing).bound is not None


def test_a_number_outside_its_domain_is_refused(tmp_path: Path) -> None:
    """A negative constant is no constant."""
    path = written(tmp_path, TEXT.replace('sigma2 = "', 'sigma2 = "-'))
    refused(InputError, "sigma2", validate, history=path)


def test_json_lines_are_refused_where_they_are_none(tmp_path: Path) -> None:
    """A line that is no object is named by its number."""
    for text, match in (("[1]\n", "line 1"), ('{"round": 0}\n{', "line 2 that is no JSON"),
                        ('{"round": 0, "squared_gradient": NaN}\n', "algorithm")):  # fmt: skip
        refused(InputError, match, validate, history=written(tmp_path, text, "run.jsonl"))


def test_folders_and_documents_without_logs_are_refused(tmp_path: Path) -> None:
    """An empty folder, a folder's other files, an empty list, a file that is nothing."""
    refused(DataError, "no log", validate, history=tmp_path)
    refused(DataError, "an empty list", validate, history=[])
    refused(DataError, "a log ..csv", validate, history=written(tmp_path, "words", "run.txt"))
    refused(DataError, "nothing.csv", validate, history=tmp_path / "nothing.csv")
    refused(DataError, "no rows", validate, history=pd.DataFrame({"round": []}), header=HEADER)
    path = tmp_path / "run.csv"
    path.write_bytes(b"\xff\xfe\x00")
    refused(DataError, "run.csv", validate, history=path)


def test_what_a_frame_calls_missing_is_no_value() -> None:
    """NaN in a DataFrame is a hole, said like one; an index of rounds is a column."""
    frame = pd.DataFrame({"loss": LOSSES, "squared_gradient": [1, np.nan, 1, 1]}).rename_axis("round")
    refused(DataError, "no squared_gradient in round 1", validate, history=frame, header=HEADER)


def test_a_start_that_was_not_logged_is_asked_for(tmp_path: Path) -> None:
    """A theorem that counts w_0 wants round 0; one that counts from 1 on does without, Delta given."""
    numbers = {"eta": "1/10", "eps": "1e-7", "I": 2, "L": 1, "G": 1, "Delta": 1}
    late = csv_of({"squared_gradient": SQUARES}, first=1)
    path = written(tmp_path, toml("fedprox", parameters=numbers) + late)
    match = "no squared_gradient in round 0.*write the start as round 0"
    refused(DataError, match, validate, "fedprox.theorem1.general", history=path)
    assert verdict(written(tmp_path, ABOVE + late), {"constants": {"Delta": 1}}).measured == sum(SQUARES) / 4
