"""Whether a statement speaks of logged runs, and what a verdict on them takes on trust."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fedproof.bounds.statement import Statement
from fedproof.validate.logs.header import FULL
from fedproof.validate.logs.letters import by_word
from fedproof.validate.logs.readings import Reading
from fedproof.validate.logs.run_log import RunLog
from fedproof.validate.logs.saved_runs import SavedRuns
from fedproof.validate.statement_verdict import declared


def outside(logs: Sequence[RunLog], spec: SavedRuns, st: Statement) -> str:
    """Why the statement does not speak of these runs; "" where it does, as far as they say."""
    first = logs[0]
    value = first.choices.get(spec.parameter) if spec.parameter else None
    unknown = value is not None and value not in spec.statements
    if (first.algorithm and first.algorithm != spec.algorithm) or unknown:
        ran = first.algorithm + (f" with {spec.parameter}={value}" if unknown else "")
        return f"the theorem speaks of {spec.speaks_of or spec.algorithm}, not of {ran}"
    stated, printed = _stated(first, spec, st), spec.printed_for(first)
    if apart := [n for n, value in printed.items() if _word(stated.get(n, value)) != _word(value)]:
        own, other = (_listed({name: of[name] for name in apart}) for of in (printed, stated))
        return f"the theorem speaks of Algorithm 1 as printed, with {own}, not of {other}"
    if spec.takes_part.fits(first) == "no":
        return f"the theorem asks that {spec.takes_part.words}"
    return ""


def trusted(logs: Sequence[RunLog], spec: SavedRuns, st: Statement, reading: Reading) -> tuple[str, ...]:
    """What a verdict rests on beside the bound's numbers: what no log shows, a line each."""
    first, said = logs[0], []
    if not first.record:
        ran = f"that {spec.algorithm} ran, and that {reading.column} is what its name says"
        said.append(f"{ran}: the log's word")
        said.append("that the runs are independent: the log does not say")
    elif not first.sealed:
        said.append("that the record is as the run wrote it: it has no seal, which `save` and `sweep` give")
    for name in reading.numbers(first):
        if how := first.numbers[name].how:
            said.append(f"{name} = {float(first.numbers[name].value):.6g}: {how}")
    stated = _stated(first, spec, st)
    if unsaid := {name: value for name, value in spec.printed_for(first).items() if name not in stated}:
        said.append(f"the algorithm's own {_listed(unsaid)}: the log does not say")
    if spec.takes_part.fits(first) == "perhaps":
        said.append(f"that {spec.takes_part.words}: the log does not say")
    if word := declared(st.paper).get(st.id):
        said.append(f"the statement itself, which is {word}")
    if st.assumptions:
        said.append(f"what no run shows: {', '.join(st.assumptions)}")
    return tuple(said)


def _stated(log: RunLog, spec: SavedRuns, st: Statement) -> Mapping[str, Any]:
    """Every parameter that a log states, by canonical word."""
    return {**log.choices, **{word: known.value for word, known in by_word(log, spec, st).items()}}


def _listed(stated: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={_word(value)}" for name, value in stated.items())


def _word(value: Any) -> Any:
    """A parameter's value as a log writes it: a header and a record have None for "full"."""
    return FULL if value is None else value
