"""Where logs come from: files, folders, records, sweeps and tables, each as groups of replicas."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from fedproof.solvers.history_file import parsed
from fedproof.solvers.runs.sweep_result import Sweep
from fedproof.validate.logs.header import FULL, Header
from fedproof.validate.logs.records import documents, record_log
from fedproof.validate.logs.rounds import run_logs
from fedproof.validate.logs.run_log import RunLog
from fedproof.validate.logs.tables import raw_frame, raw_log
from fedproof.vocabulary.errors import DataError, InputError

_TABLES = (".csv", ".tsv", ".jsonl", ".ndjson")
_ENDINGS = (*_TABLES, ".json")
_SHOWN = 12


def groups_of(history: Any, beside: Header) -> tuple[tuple[RunLog, ...], ...]:
    """Runs in groups of one setting, replicas in each.

    Arguments:
        history: a path of a log or of a folder of logs; a record or a list of records; a `History`, a
            `Sweep`, whose settings are the groups, or a DataFrame.
        beside: what the logs do not say themselves.

    Raises: DataError for what is no log; InputError for runs in a group that are no replicas.
    """
    if isinstance(history, Sweep) or (isinstance(history, Mapping) and "settings" in history):
        return _settings(history, beside)
    logs = _logs(history, beside)
    sweep = isinstance(history, str | os.PathLike) and Path(history).is_dir() and all(x.record for x in logs)
    return _by_setting(logs) if sweep else (_alike(logs),)


def _settings(sweep: Any, beside: Header) -> tuple[tuple[RunLog, ...], ...]:
    """Of a sweep, the replicas of each setting, in order."""
    runs = zip(sweep.points, sweep.histories, strict=True) if isinstance(sweep, Sweep) else (
        (run.get("point", {}), run) for run in documents(sweep))  # fmt: skip
    found: dict[tuple[tuple[str, str], ...], list[RunLog]] = {}
    for number, (point, run) in enumerate(runs):
        setting = tuple((name, str(value)) for name, value in point.items())
        label = " ".join(f"{name}={value}" for name, value in setting)
        found.setdefault(setting, []).append(record_log(run, f"{label} run {number}".strip(), beside))
    return tuple(_alike(tuple(logs)) for logs in found.values())


def _by_setting(logs: Sequence[RunLog]) -> tuple[tuple[RunLog, ...], ...]:
    """Of a folder of fedproof's own records, such as a sweep's, the replicas of each setting.

    The rounds that were asked for tell settings apart, so that no run leaves its replicas by ending early.
    """
    found: dict[str, list[RunLog]] = {}
    for log in logs:
        asked = {**log.setting, ("run", "rounds"): log.requested}
        found.setdefault(repr(sorted(asked.items())), []).append(log)
    return tuple(_alike(tuple(group)) for group in found.values())


def _logs(history: Any, beside: Header) -> tuple[RunLog, ...]:
    if isinstance(history, str | os.PathLike):
        return _at(Path(history), beside)
    if type(history).__name__ == "DataFrame":
        return run_logs(raw_frame(history), beside)
    records = documents(history)
    if not records:
        raise DataError("record", "an empty list", "at least one run")
    if any(type(one).__name__ == "DataFrame" for one in records):
        raws = [raw_frame(one, f"DataFrame {n}") for n, one in enumerate(records)]
        return tuple(log for raw in raws for log in run_logs(raw, beside))
    many = len(records) > 1
    return tuple(
        record_log(one, f"record {n}" if many else "record", beside) for n, one in enumerate(records)
    )


def _at(path: Path, beside: Header) -> tuple[RunLog, ...]:
    """The logs of a file, or of every file in a folder."""
    if path.is_dir():
        files = sorted((f for f in path.iterdir() if f.suffix in _ENDINGS and f.name[0] != "."), key=_natural)
        if not files:
            raise DataError(str(path), "no log", f"a file that ends in {', '.join(_ENDINGS)}")
        return tuple(log for file in files for log in _at(file, beside))
    if path.suffix in _TABLES:
        return run_logs(raw_log(path), beside)
    try:
        document = parsed(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        got = getattr(error, "strerror", None) or error
        expected = "a log (.csv, .tsv, .jsonl) or a document of `fedproof run --json`"
        raise DataError(path.name, got, expected, "check the path") from None
    records = documents(document)
    if not records:
        raise DataError(path.name, "an empty list", "at least one run")
    many = len(records) > 1
    return tuple(
        record_log(one, f"{path.name}, {n}" if many else path.name, beside) for n, one in enumerate(records)
    )


def _natural(path: Path) -> list[tuple[int, str]]:
    """Names with numbers in the order of the numbers."""
    return [(int(part or 0), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d+)", path.name)]


def _alike(logs: tuple[RunLog, ...]) -> tuple[RunLog, ...]:
    """The runs, if they are replicas of each other, and none is there twice."""
    first = logs[0]
    for log in logs[1:]:
        mine, other = first.setting, log.setting
        for key in dict.fromkeys((*mine, *other)):
            if (key in mine, mine.get(key)) != (key in other, other.get(key)):
                values = [_short(said, key) for said in (mine, other)]
                got, cure = f"{key[1]} = {values[0]} and {values[1]}", "judge each setting by itself"
                raise InputError(f"{first.name} and {log.name}", got, "the same run with other seeds", cure)
    seeds: dict[Any, str] = {}
    for log in logs:
        if log.seed is not None and log.seed in seeds:
            both = f"{seeds[log.seed]} and {log.name}"
            raise InputError(both, f"seed {log.seed} in both", "other seeds", "give each run once")
        seeds[log.seed] = log.name
    return _weakest(logs)


def _weakest(logs: tuple[RunLog, ...]) -> tuple[RunLog, ...]:
    """Replicas, each known as the least known of them is: a record vouches for no log beside it."""
    hows = {n: dict.fromkeys(log.numbers[n].how for log in logs) for n in logs[0].numbers}
    numbers = {n: replace(logs[0].numbers[n], how=", or ".join(filter(None, hows[n]))) for n in hows}
    record, seal = all(log.record for log in logs), all(log.sealed for log in logs)
    return tuple(replace(log, record=record, sealed=seal, numbers=numbers) for log in logs)


def _short(setting: Mapping[tuple[str, str], Any], key: tuple[str, str]) -> str:
    value = setting.get(key)
    if value is None:
        return FULL if key in setting and key[0] == "choices" else "nothing"
    if key == ("run", "problem_digest"):
        return f"{value[:_SHOWN]}..." if value else "nothing"
    return str(value)
