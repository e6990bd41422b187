"""Records of fedproof's own runs as logs: a `History`, or the document that `run --json` writes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from fedproof.solvers.cohort import Participation
from fedproof.solvers.history import History
from fedproof.solvers.history_file import sealed
from fedproof.validate.logs.compressor_omega import omega_of
from fedproof.validate.logs.header import FULL, Header
from fedproof.validate.logs.run_log import GIVEN, Known, RunLog, number_of
from fedproof.vocabulary.errors import DataError, InputError
from fedproof.vocabulary.values import double_of, is_whole, parse_value

_EXPECTED = "a document of `fedproof run --json` with at least one round"
_PROVED = ("exact", "certified")
_SAID = (
    "algorithm", "parameters", "problem", "seed", "rounds", "metrics", "constants", "participation",
    "diverged", "requested", "problem_digest",
)  # fmt: skip


def record_log(record: Any, name: str, beside: Header) -> RunLog:
    """A record as a log; what the header beside it adds is given, what the record says is known.

    Arguments:
        record: a `History`, or its document.
        name: in messages.
        beside: constants that the record lacks.

    Raises: DataError for what is no record of a run; InputError where the header says otherwise.
    """
    said = {n: getattr(record, n) for n in _SAID} if isinstance(record, History) else record
    try:
        columns, requested = _columns(said, name), _requested(said, name)
        numbers, choices = _parameters(said["parameters"])
        constants = _constants(said.get("constants") or {}, name)
        constants |= omega_of(choices, numbers, _dimension(record))
        texts = {n: said[n] for n in ("algorithm", "problem", "seed")}
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        if isinstance(error, InputError):
            raise
        raise DataError(name, f"{type(error).__name__}: {error}", _EXPECTED) from None
    if beside.columns:
        raise InputError(
            "header", "a table [columns]", "none beside a record", "a record's columns have names"
        )
    took_part = said.get("participation") or Participation().to_dict()
    own = Header(texts, numbers | constants, choices, took_part)
    merged = own.beside(replace(beside, numbers=_new(beside.numbers, own.numbers)), name)
    return RunLog(
        name, tuple(range(said["rounds"] + 1)), columns, texts["algorithm"], texts["problem"], texts["seed"],
        merged.numbers, merged.choices, took_part, record=True,
        sealed=isinstance(record, History) or _seal_fits(record, name), diverged=bool(said.get("diverged")),
        requested=requested, digest=str(said.get("problem_digest") or ""),
    )  # fmt: skip


def _seal_fits(document: Mapping[str, Any], name: str) -> bool:
    """Whether a document has a seal; one that does not fit is refused.

    Raises: DataError.
    """
    if "sha256" not in document:
        return False
    if sealed(document)["sha256"] != document["sha256"]:
        raise DataError(name, "another content than its sha256 says", "an unchanged record", "run it again")
    return True


def _columns(said: Mapping[str, Any], name: str) -> dict[str, tuple[float | None, ...]]:
    rounds, metrics = said["rounds"], said["metrics"]
    least = 0 if said.get("diverged") else 1
    fine = is_whole(rounds) and rounds >= least and isinstance(said["parameters"], Mapping)
    fine = fine and all(isinstance(v, list | tuple) and len(v) == rounds + 1 for v in metrics.values())
    if not fine:
        raise DataError(name, "metrics that do not fit its rounds", _EXPECTED)
    return {c: tuple(None if v is None else number_of(v) for v in values) for c, values in metrics.items()}


def _dimension(record: Any) -> int | None:
    """The length of the model that a record ends with; None where it keeps none."""
    if isinstance(record, History):
        return len(record.model) if "model" in record.state else None
    model = (record.get("state") or {}).get("model") or {}
    return int(model["shape"][0]) if model.get("shape") else None


def _requested(said: Mapping[str, Any], name: str) -> int:
    """The rounds that were asked for; a record of a run that diverged has to say them."""
    rounds = said["rounds"]
    asked = said["requested"] if said.get("diverged") else said.get("requested", rounds)
    if not is_whole(asked) or asked < rounds:
        raise DataError(
            name, f"requested = {asked} beside {rounds} rounds", "a whole number of at least these"
        )
    return int(asked)


def _parameters(said: Mapping[str, Any]) -> tuple[dict[str, Known], dict[str, Any]]:
    numbers: dict[str, Known] = {}
    choices: dict[str, Any] = {}
    for name, value in said.items():
        try:
            exact = parse_value(value, name)
        except InputError:
            choices[name] = None if value == FULL else value
            continue
        double_of(exact, name, value)
        numbers[name] = Known(exact, "")
    return numbers, choices


def _constants(said: Mapping[str, Any], name: str) -> dict[str, Known]:
    """What is known of the problem; a constant that is none, or infinite, is left out."""
    found: dict[str, Known] = {}
    for word, entry in said.items():
        value = entry.get("value") if isinstance(entry, Mapping) else entry
        kind = entry.get("kind") if isinstance(entry, Mapping) else None
        if value is None:
            continue
        try:
            exact = Fraction(parse_value(value, word))
            double_of(exact, word, value)
        except InputError as error:
            raise DataError(name, f"{word} = {value}", "a finite number", error.cure) from None
        how = "" if kind in _PROVED else "an estimate" if kind == "estimate" else GIVEN
        found[word] = Known(exact, how)
    return found


def _new(given: Mapping[str, Known], own: Mapping[str, Known]) -> dict[str, Known]:
    """The header's numbers that the record has not, or has otherwise."""
    return {n: k for n, k in given.items() if n not in own or own[n].value != k.value}


def documents(document: Any) -> Sequence[Any]:
    """The records in a JSON document: one, a list, or the runs of a sweep."""
    if isinstance(document, Mapping) and isinstance(document.get("runs"), list):
        return tuple(document["runs"])
    return tuple(document) if isinstance(document, list | tuple) else (document,)
