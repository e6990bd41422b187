"""What a paper says of logs: of which algorithm its statements speak, and who takes part."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from types import ModuleType
from typing import Any, Literal

from fedproof.solvers.cohort import Participation
from fedproof.validate.logs.along import Along
from fedproof.validate.logs.limits import Limit
from fedproof.validate.logs.readings import COLUMNS, READINGS, Reading
from fedproof.validate.logs.run_log import RunLog, full_batches
from fedproof.vocabulary.discovery import read, readable
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.papers import data, papers

Said = Literal["yes", "no", "perhaps"]


@dataclass(frozen=True)
class TakesPart:
    """Who has to take part in a round.

    Arguments:
        words: the demand.
        drawn: whether clients are drawn, or all take part.
        replacement: whether a client can be drawn again.
        average: how the server has to average.
    """

    words: str
    drawn: bool = False
    replacement: bool = False
    average: str = "size"

    def fits(self, log: RunLog) -> Said:
        """Whether a log says so; averages by size and plain ones agree on equal clients, hence "perhaps"."""
        said = log.participation
        if said is None:
            return "perhaps"
        who = Participation(**{k: v for k, v in said.items() if k != "available"})
        if (who.count is not None) != self.drawn or who.replacement != self.replacement:
            return "no"
        if said.get("available") is not None or (self.drawn and who.probability != "uniform"):
            return "no"
        if who.average != self.average:
            return "no" if self.average == "size" or who.average == "scaled" else "perhaps"
        return "yes"


EVERYONE = TakesPart("all clients take part in every round, averaged by size")
EVERYONE_ALIKE = TakesPart("all clients take part in every round, each of the same weight", average="plain")
DRAWN = TakesPart("the clients of a round are drawn uniformly with replacement, each of the same weight",
                  drawn=True, replacement=True, average="plain")  # fmt: skip
DRAWN_DISTINCT = TakesPart("the clients of a round are drawn uniformly without replacement, each of the same "
                           "weight", drawn=True, average="plain")  # fmt: skip


@dataclass(frozen=True)
class SavedRuns:
    """Which statements a log of an algorithm can be held against: an index calls one or more SAVED_RUNS.

    Arguments:
        algorithm: of which the statements speak.
        statements: by the value of `parameter`, ids; the first is what a run is held against unasked. Under
            "" those for every value.
        takes_part: who has to take part.
        parameter: of the algorithm, that tells its statements apart.
        speaks_of: the statements' algorithm, in words.
        printed: the algorithm's other parameters, as the statements' algorithm has them.
        samples: those of `printed` that say how minibatches are drawn: full batches are drawn in one way.
        unbiased: its compressors of which the statements assume E Q(x) = x.
        free: its choices for whose every value the statements hold; with `parameter`, `printed` and
            `unbiased` these are all that it has.
        readings: of the paper's own metrics.
        derived: by canonical word, the words that it is computed from, and how; None is no number.
        beside: by canonical word of `derived`, parameters that its formula takes after the words, words or
            numbers; each is None where the log does not state it.
        fixed: by canonical word, constants that the algorithm has whatever it is given.
        lacks: by canonical word, what to know where neither a record nor a log has it.
        along: by canonical word of a constant of all models, the column that has it at each model of a run.
        limits: constants that no value of a column exceeds.
        others: whether it answers, as not applicable, for runs of algorithms that no paper names.
    """

    algorithm: str
    statements: Mapping[str, Sequence[str]]
    takes_part: TakesPart
    parameter: str = ""
    speaks_of: str = ""
    printed: Mapping[str, Any] = field(default_factory=dict)
    samples: Sequence[str] = ()
    unbiased: Sequence[str] = ()
    free: Sequence[str] = ()
    readings: Mapping[str, Reading] = field(default_factory=dict)
    derived: Mapping[str, tuple[tuple[str, ...], Callable[..., Any]]] = field(default_factory=dict)
    beside: Mapping[str, Sequence[str]] = field(default_factory=dict)
    fixed: Mapping[str, Fraction] = field(default_factory=dict)
    lacks: Mapping[str, str] = field(default_factory=dict)
    along: Mapping[str, Along] = field(default_factory=dict)
    limits: Sequence[Limit] = ()
    others: bool = False

    @property
    def ids(self) -> tuple[str, ...]:
        """Every statement."""
        return tuple(dict.fromkeys(id for ids in self.statements.values() for id in ids))

    def ids_for(self, log: RunLog) -> tuple[str, ...]:
        """The statements that speak of a log's run, by its parameter; all where it does not say."""
        value = log.choices.get(self.parameter)
        if not self.parameter or value is None:
            return self.ids
        return (*self.statements.get(value, ()), *self.statements.get("", ()))

    def printed_for(self, log: RunLog) -> Mapping[str, Any]:
        """What a run has to have as printed: how samples are drawn is nothing to one with full batches."""
        passed = self.samples if full_batches(log) else ()
        return {name: value for name, value in self.printed.items() if name not in passed}

    def reading(self, metric: str) -> Reading | None:
        """How a metric is read off a log; None where no log can show it."""
        return self.readings.get(metric, READINGS.get(metric))


def every_spec() -> tuple[SavedRuns, ...]:
    """What every paper says of logs, each of its own statements."""
    pointed = readable(papers(), lambda key: read(papers()[key].index.__name__, partial(_own, key)))
    return tuple(spec for found in pointed.values() for spec in found)


def _own(key: str, index: ModuleType) -> tuple[SavedRuns, ...]:
    """What a paper's index calls SAVED_RUNS."""
    said = data(key, "SAVED_RUNS")
    specs = (said,) if isinstance(said, SavedRuns) else said
    if not isinstance(specs, tuple) or not all(isinstance(spec, SavedRuns) for spec in specs):
        raise InputError("SAVED_RUNS", type(said).__name__, "a SavedRuns, or a tuple of them")
    for id in (id for spec in specs for id in spec.ids):
        if id not in papers()[key].statements:
            raise InputError("statement of SAVED_RUNS", id, f"a statement of {key}", "speak of your own")
    return specs


def columns_read() -> frozenset[str]:
    """Every column that some paper's metric is read off: its cells are numbers, one a round."""
    own = (reading.column for spec in every_spec() for reading in spec.readings.values())
    return COLUMNS | frozenset(own)


def spec_of(log: RunLog) -> SavedRuns:
    """What speaks of a log's algorithm, of several what fits who took part.

    Raises: InputError where the log does not name its algorithm.
    """
    specs = every_spec()
    if not log.algorithm:
        known = ", ".join(sorted({spec.algorithm for spec in specs}))
        got, cure = "no algorithm and no ID of a statement", 'write algorithm = "..." in the header'
        raise InputError(log.name, got, f"one of them (algorithms: {known})", cure)
    named = [spec for spec in specs if spec.algorithm == log.algorithm]
    fit = [spec for spec in named if spec.takes_part.fits(log) != "no"]
    own = [s for key, paper in papers().items() if log.algorithm in paper.algorithms
           for s in specs if s.ids[0] in paper.statements]  # fmt: skip
    alone = own if len({s.ids[0].partition(".")[0] for s in own}) == 1 else []
    return [*fit, *named, *alone, *(spec for spec in specs if spec.others), *specs][0]


def spec_for(id: str, log: RunLog) -> SavedRuns | None:
    """What holds a log against a statement; None where no log of any algorithm can be."""
    having = [spec for spec in every_spec() if id in spec.ids]
    return next((s for s in having if s.algorithm == log.algorithm), next(iter(having), None))
