"""The numbers that a statement's bound takes, from what a log says of its run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from fedproof.bounds.statement import Statement
from fedproof.solvers.catalog import algorithm_class, algorithm_names
from fedproof.validate.logs.along import measured
from fedproof.validate.logs.limits import check_least, check_limits
from fedproof.validate.logs.run_log import GIVEN, Known, RunLog, full_batches
from fedproof.validate.logs.saved_runs import SavedRuns
from fedproof.validate.statistics import ROUNDING
from fedproof.vocabulary.errors import InputError, UnknownName
from fedproof.vocabulary.papers import letters_of
from fedproof.vocabulary.quantities import QUANTITIES


@dataclass(frozen=True)
class Numbers:
    """What a statement's bound takes, as far as it is known.

    Arguments:
        letters: values by letter.
        missing: letters without a value, with their canonical words.
        rests_on: where values come from that nothing proves, a line each.
        conditional: which of them were measured at the runs' own models alone, a line each.
        hints: by canonical word of what is missing, why the runs do not show it either.
        apart: what the statement itself chooses and the run did otherwise, in words; "" where nothing is.
    """

    letters: Mapping[str, Fraction]
    missing: tuple[tuple[str, str], ...]
    rests_on: tuple[str, ...]
    apart: str
    conditional: tuple[str, ...] = ()
    hints: Mapping[str, str] = field(default_factory=dict)


def numbers_of(logs: Sequence[RunLog], spec: SavedRuns, st: Statement) -> Numbers:
    """The letters of a statement for runs of one setting.

    Raises: InputError for two values of one quantity; UnknownName for a name that means nothing here;
        DataError for a constant that the log's own columns contradict.
    """
    words = by_word(logs[0], spec, st)
    words = _with_full_batches(_with_runs(words, logs), logs[0])
    for word, value in spec.fixed.items():
        _put(words, word, Known(value, ""), logs[0].name)
    _derive(words, logs[0], spec)
    check_limits(spec.limits, words, logs, st)
    asked = {*st.needed, *(st.formulas["bound"].names if "bound" in st.formulas else ())}
    wanted = [letter for letter in st.letters if letter.name in asked]
    seen, hints = measured(spec.along, [x.means for x in wanted if x.means not in words], logs)
    words |= seen
    missing = tuple((x.name, x.means) for x in wanted if x.means not in words)
    known = {x.name: words[x.means] for x in wanted if x.means in words}
    letters = {name: found.value for name, found in known.items()}
    said = {name: f"{name} = {float(k.value):.6g}: {k.how}" for name, k in known.items() if k.how}
    rests = tuple(said.values())
    conditional = tuple(said[name] for name, k in known.items() if k.measured)
    apart, chosen = ("", ()) if missing else _chosen(st, letters, words)
    return Numbers(letters, missing, (*rests, *chosen), apart, conditional, hints)


def _derive(words: dict[str, Known], log: RunLog, spec: SavedRuns) -> None:
    """Add what follows from the numbers that are there; a stated one that is another is refused."""
    for word, (inputs, formula) in spec.derived.items():
        if not all(name in words for name in inputs):
            continue
        more = [name for name in spec.beside.get(word, ()) if name in words]
        beside = (words[n].value if n in words else log.choices.get(n) for n in spec.beside.get(word, ()))
        value = formula(*(words[name].value for name in inputs), *beside)
        if value is not None:
            names = (*inputs, *more)
            how = _source([words[name] for name in names], names)
            _put(words, word, Known(Fraction(value), how), log.name, f"{word} follows from {_and(names)}")


def _and(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def by_word(log: RunLog, spec: SavedRuns, st: Statement) -> dict[str, Known]:
    """The log's numbers by canonical word."""
    letters = {x.name: x.means for x in (*st.letters, *(d.letter for d in st.where))}
    paper = {x.name: x.means for x in letters_of(st.paper)}
    method = algorithm_class(spec.algorithm) if spec.algorithm in algorithm_names() else None
    own = dict(getattr(method, "letters", {}))
    words: dict[str, Known] = {}
    for name, known in log.numbers.items():
        word = letters.get(name) or own.get(name) or paper.get(name) or name
        if word == name and not _means_something(name, log, spec, st):
            raise UnknownName(
                f"parameter or constant of {log.name}", name, [*letters, *own, *letters.values()]
            )
        _put(words, word, known, log.name)
    return words


def _means_something(name: str, log: RunLog, spec: SavedRuns, st: Statement) -> bool:
    if log.record or name in QUANTITIES or name == "least_loss":
        return True
    if any(name in inputs for inputs, _ in spec.derived.values()):
        return True
    if any(name in names for names in spec.beside.values()):
        return True
    if name in {x.means for x in letters_of(st.paper)} | {x.means for x in st.letters}:
        return True
    return name in parameter_names(spec.algorithm)


def parameter_names(algorithm: str) -> frozenset[str]:
    """Every parameter that an algorithm or one of its parts can have; none for an unknown algorithm."""
    from dataclasses import fields

    from fedproof.solvers.catalog import part_class, part_names

    if algorithm not in algorithm_names():
        return frozenset()
    method = algorithm_class(algorithm)
    parts = [part_class(kind, name) for kind in getattr(method, "parts", {}) for name in part_names(kind)]
    return frozenset(f.name for cls in (method, *parts) for f in fields(cls))


def _with_runs(words: dict[str, Known], logs: Sequence[RunLog]) -> dict[str, Known]:
    """What the runs themselves show: rounds, the cohort's size, the gap at the start."""
    first = logs[0]
    _put(words, "rounds", Known(Fraction(first.last), ""), first.name)
    count = (first.participation or {}).get("count")
    if count is not None:
        _put(words, "cohort_size", Known(Fraction(count), "" if first.record else GIVEN), first.name)
    starts = [log.columns["loss"][0] for log in logs if "loss" in log.columns and log.rounds[0] == 0]
    check_least(words, logs)
    proved = "initial_gap" in words and first.record and not words["initial_gap"].how
    if "least_loss" in words and not proved and len(starts) == len(logs) and None not in starts:
        high, low = max(starts), min(starts)  # type: ignore[type-var]
        if high - low <= ROUNDING * max(abs(high), abs(low)):  # type: ignore[operator, arg-type]
            gap = Fraction(repr(float(starts[0]))) - words["least_loss"].value  # type: ignore[arg-type]
            how = words["least_loss"].how
            said = f"the loss of round 0 minus least_loss, {how}" if how else ""
            _put(words, "initial_gap", Known(max(gap, Fraction(0)), said), first.name)
    return words


def _with_full_batches(words: dict[str, Known], log: RunLog) -> dict[str, Known]:
    """Full gradients have no variance, whatever is divided by the size of a batch."""
    if not full_batches(log) or "batch_size" in words:
        return words
    return {**words, "gradient_variance": Known(Fraction(0), ""), "batch_size": Known(Fraction(1), "")}


def _put(words: dict[str, Known], word: str, known: Known, where: str, why: str = "") -> None:
    """Add a number, which may be there already if it is the same; `why` says where this one is from."""
    there = words.get(word)
    if there is not None and not _same(there.value, known.value):
        got = f"{word} = {float(there.value):.6g} and {float(known.value):.6g}"
        cure = why or "the second is of other numbers of the log"
        raise InputError(where, got, "one value", f"leave one of them out: {cure}")
    words.setdefault(word, known)


def _same(one: Any, other: Any) -> bool:
    return bool(one == other or abs(one - other) <= ROUNDING * max(abs(one), abs(other)))


def _source(inputs: Sequence[Known], names: Sequence[str]) -> str:
    hows = [known.how for known in inputs if known.how]
    return f"from {', '.join(names)}: {hows[0]}" if hows else ""


def _chosen(
    st: Statement, letters: Mapping[str, Fraction], words: Mapping[str, Known]
) -> tuple[str, tuple[str, ...]]:
    """What the statement defines: whether the run has the same, and what it does not say."""
    said, own = [], {x.means for x in st.letters}
    for definition in st.where:
        name, word = definition.letter.name, definition.letter.means
        formula = st.formulas[name]
        if word in own or not {*formula.names} <= {*letters}:
            continue
        value = formula.at({n: letters[n] for n in formula.names})
        if word in words and not _same(float(words[word].value), float(value)):
            there = float(words[word].value)
            return f"the statement takes {name} ({word}) = {float(value):.9g}, the run {there:.9g}", ()
        if word not in words and word in _RUN:
            said.append(f"{name} = {float(value):.6g}: as the statement chooses it, the log does not say")
    return "", tuple(said)


_RUN = frozenset(
    {"prox_stepsize", "stepsize", "server_step", "shift_stepsize", "server_stepsize", "prox_weight"}
)
"""Words of what a run chooses; a definition of one is a demand on the run."""
