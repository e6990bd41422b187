"""What `plan` answers: which theorems speak of a problem, what they promise, and what short runs measured."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fedproof.measure.measure_result import MeasureResult
from fedproof.problems.catalog import every_client_alike
from fedproof.solvers.cohort import Participation
from fedproof.tuning.guarantee import SQUARED_GRADIENT
from fedproof.vocabulary.result import Result, Table, cell, jsonable

#: a promise that is more than so many times what a run measured is of no use
USELESS = 100.0


@dataclass(frozen=True)
class Pilot:
    """A short run beside what its theorem says of it.

    Arguments:
        label: what was run, in words.
        algorithm, parameters: as `run` takes them.
        rounds: how many were run.
        loss: before the first and after the last.
        measured: the mean over the rounds of what the theorem bounds; of a run without a theorem the squared
            gradient's.
        bound: what the theorem says after these rounds; None without one.
        seconds: what these rounds take clients and network, as predicted.
        reached: the first round at which that mean is at most the accuracy; None where it is not.
        of: what is averaged, in words.
    """

    label: str
    algorithm: str
    parameters: Mapping[str, Any]
    rounds: int
    loss: tuple[float, float]
    measured: float
    bound: float | None
    seconds: float
    reached: int | None = None
    of: str = ""

    @property
    def kept(self) -> bool:
        """Whether the bound, if there is one, is not below what was measured."""
        return self.bound is None or self.measured <= self.bound * (1 + 1e-9)

    @property
    def ratio(self) -> float | None:
        """How many times the measured value the bound is."""
        return None if self.bound is None or self.measured <= 0 else self.bound / self.measured

    def to_dict(self) -> dict[str, Any]:
        """One row of the JSON document."""
        return {**self.__dict__, "ratio": self.ratio}


@dataclass(frozen=True)
class Plan:
    """What one theorem offers.

    Arguments:
        algorithm, statement, metric: of the theorem.
        applicable: whether it speaks of this problem and reaches the accuracy.
        verdict: what an audit finds of the statement; asked where it applies.
        assumes: what the statement's proof rests on, down to the paper's assumptions: kind, id, formula.
        constants: by canonical word, what went in.
        blame: by canonical word, the constants that are missing or too large.
        why: one clause, where it does not apply.
        rests_on: constants that are estimates and no proved bounds.
        parameters: of the theorem, by letter.
        run: hyper-parameters as `fedproof.run` takes them.
        rounds, seconds: until the bound is at most the accuracy; what they take, all clients in parallel.
        bits: what a client that always takes part sends and receives in them; uplink_bits and downlink_bits
            are those of each way.
        about: what the accuracy is of, in words.
        start: what the theorem bounds, at the start.
        promised: its bound after as many rounds as a short run has, whether one was made or not.
        sensitivity: by constant, how many times the rounds are with twice of it; None if nothing is admitted.
        note: what a careful reader should know.
    """

    algorithm: str
    statement: str
    metric: str
    applicable: bool
    verdict: str = ""
    assumes: tuple[Mapping[str, str], ...] = ()
    constants: Mapping[str, float] = field(default_factory=dict)
    blame: tuple[str, ...] = ()
    why: str = ""
    rests_on: tuple[str, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    run: Mapping[str, Any] = field(default_factory=dict)
    rounds: int | None = None
    seconds: float | None = None
    bits: float | None = None
    uplink_bits: float | None = None
    downlink_bits: float | None = None
    about: str = SQUARED_GRADIENT
    start: float | None = None
    promised: float | None = None
    sensitivity: Mapping[str, float | None] = field(default_factory=dict)
    pilot: Pilot | None = None
    note: str = ""

    @property
    def certified(self) -> bool:
        """Whether it applies, its statement holds, its constants are proved, and its run kept the bound."""
        kept = self.pilot is None or self.pilot.kept
        return self.applicable and not self.rests_on and self.verdict.startswith("holds") and kept

    @property
    def label(self) -> str:
        """What a reader may make of it, in words."""
        if not self.applicable:
            return "not applicable"
        if self.pilot is not None and not self.pilot.kept:
            return "on estimates that are too low" if self.rests_on else "exceeded by its run"
        kind = (
            "certified" if self.certified else "on estimates" if self.rests_on else f"theorem {self.verdict}"
        )
        ratio = self.loose if self.pilot is None else self.pilot.ratio
        return f"{kind}, not useful" if ratio is not None and ratio > USELESS else kind

    @property
    def loose(self) -> float | None:
        """How many times the value at the start what is promised after a short run is."""
        return None if self.promised is None or not self.start else self.promised / self.start

    @property
    def kept_so_far(self) -> str:
        """How far its run went, and whether the bound was kept until there."""
        ran, all = self.pilot, self.rounds
        if ran is None or ran.bound is None or all is None:
            return "none: a round is too much work for a short run" if ran is None else ""
        rest = "all of them" if ran.rounds >= all else f"{ran.rounds} of {all}, the others were not run"
        word = "kept" if ran.kept else "not kept"
        return f"bound {word} for {rest}: {cell(ran.measured)} measured, bound {cell(ran.bound)}"

    def to_dict(self) -> dict[str, Any]:
        """One row of the contract's `plan` document."""
        return {**self.__dict__, "label": self.label, "certified": self.certified, "loose": self.loose}


@dataclass(frozen=True)
class PlanResult(Result):
    """Every theorem on one problem, what short runs measured, and what to do.

    Arguments:
        measured: the constants.
        costs: what was assumed of network and devices.
        epsilon: what the bounds shall be at most.
        plans: every theorem, the applicable ones first, the quickest first.
        recommended: the plan of the quickest applicable theorem whose constants are proved; None without one.
        suggested: the best run of an honest search; nothing is promised of it.
        defaults: runs with the parameters that people begin with.
        problem: that was measured, in floats.
    """

    measured: MeasureResult
    costs: Mapping[str, float]
    epsilon: float
    plans: tuple[Plan, ...]
    recommended: Plan | None
    suggested: Pilot
    defaults: tuple[Pilot, ...]
    problem: Any = field(default=None, repr=False)

    def problem_of(self, row: Plan) -> Any:
        """The problem that a row's theorem is about: the given one, or every client counts the same.

        A run of the row is one on it: `fp.run(row.algorithm, problem, rounds=row.rounds, **row.run)`.

        Arguments:
            row: of `plans`.
        """
        plain = getattr(row.run.get("participation"), "average", "size") == "plain"
        return every_client_alike(self.problem) if plain else self.problem

    def to_dict(self) -> dict[str, Any]:
        """The contract's document: constants, plans and pilot."""
        pilots = [p.pilot for p in self.plans if p.pilot is not None]
        document: dict[str, Any] = jsonable(
            {
                "constants": self.measured.to_dict()["constants"],
                "data": self.measured.to_dict()["data"],
                "costs": self.costs,
                "epsilon": self.epsilon,
                "plans": [p.to_dict() for p in self.plans],
                "recommended": None if self.recommended is None else self.recommended.statement,
                "pilot": {
                    "theorems": [p.to_dict() for p in pilots],
                    "suggested": self.suggested.to_dict(),
                    "defaults": [p.to_dict() for p in self.defaults],
                },
            }
        )
        return document

    @property
    def frame(self) -> Any:
        """Every theorem, one a row, as a pandas table."""
        import pandas as pd

        return pd.DataFrame([plan.to_dict() for plan in self.plans])

    def headline(self) -> str:
        """What to do, and what it promises."""
        first, last = self.suggested.loss
        found = (
            f"{self.suggested.label} is suggested: loss {cell(last)} after {self.suggested.rounds} rounds, "
        )
        found += (
            "nothing is promised of it" if last < first else f"no less than the {cell(first)} at the start"
        )
        best = self.recommended
        there = next((p for p in self.plans if p.start is not None and p.about == SQUARED_GRADIENT), None)
        if there is not None and there.start is not None and there.start <= self.epsilon:
            found = f"the start is already there, its squared gradient is {cell(there.start)}; {found}"
        if best is None:
            return f"no theorem applies with proved constants; {found}"
        said = f"{best.algorithm} under {best.statement} is recommended: {best.rounds} rounds, "
        return (
            f"{said}{duration(best.seconds)}, until its bound is {cell(self.epsilon)} ({best.label}); {found}"
        )

    def tables(self) -> tuple[Table, ...]:
        """The theorems, what does not apply, and the runs."""
        known = [p for p in self.plans if p.applicable]
        theorems = tuple(self._about(about) for about in dict.fromkeys(p.about for p in known))
        out = _joined(
            (p.statement, p.algorithm, ", ".join(p.blame), p.why) for p in self.plans if not p.applicable
        )
        runs = [*(p.pilot for p in known if p.pilot is not None), self.suggested, *self.defaults]
        pilots = Table(
            "Short runs",
            ("run", "rounds", "loss", "mean", "of", "bound there", "times", "time"),
            tuple(
                (r.label, r.rounds, f"{cell(r.loss[0])} -> {cell(r.loss[1])}", r.measured, r.of, r.bound,
                 r.ratio, duration(r.seconds))
                for r in runs
            ),
        )  # fmt: skip
        best = self.recommended
        settings = Table("", ("", ""), ())
        if best is not None:
            felt = ((f"twice the {k}", v) for k, v in best.sensitivity.items())
            grown = tuple((k, "no setting" if v is None else f"{v:.2g} times the rounds") for k, v in felt)
            chosen = {k: _typed(v) for k, v in best.run.items()}
            chosen |= {"batch_size": "all"} if best.run.get("batch_size", 1) is None else {}
            ran = () if best.pilot is None else (("its run", best.kept_so_far),)
            settings = Table(f"Recommended: {best.algorithm}", ("", ""), (*chosen.items(), *ran, *grown))
        refused = Table("Theorems that do not apply", ("statement", "algorithm", "blame", "why"), out)
        said = _joined((p.statement, p.algorithm, p.note) for p in known if p.note)
        notes = Table("Mind", ("statement", "algorithm", "note"), said)
        return tuple(t for t in (*theorems, settings, notes, refused, pilots) if t.rows)

    def _about(self, about: str) -> Table:
        """The theorems that apply and promise the same, the quickest of a kind first."""
        rows = (
            (f"{p.statement}, {p.algorithm}", p.label + (f" ({', '.join(p.rests_on)})" if p.rests_on else ""),
             p.rounds, duration(p.seconds), f"{p.uplink_bits:.2g} / {p.downlink_bits:.2g}", p.loose)
            for p in self.plans if p.applicable and p.about == about
        )  # fmt: skip
        columns = ("statement, algorithm", "kind", "rounds", "time", "bits up / down", "bound / start")
        title = f"Theorems that apply, until their bound on the {about} is {cell(self.epsilon)}"
        return Table(title, columns, tuple(rows))


def _typed(value: Any) -> Any:
    """A setting as it may be typed back: with all its digits, for fewer may be more than is admitted."""
    if isinstance(value, Participation):
        return value.headline()
    return repr(value) if isinstance(value, float) else value


def _joined(rows: Iterable[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """One row for those that end alike, after the statement and the algorithm.

    >>> _joined([("t1", "a", "L"), ("t1", "b", "L"), ("t2", "a", "G")])
    (('t1', 'a, b', 'L'), ('t2', 'a', 'G'))
    """
    ends: dict[tuple[str, ...], tuple[dict[str, None], ...]] = {}
    for row in rows:
        for names, name in zip(ends.setdefault(row[2:], ({}, {})), row, strict=False):
            names[name] = None
    return tuple((*map(", ".join, names), *end) for end, names in ends.items())


def duration(seconds: float | None) -> str | None:
    """Seconds as people say them.

    >>> duration(0.5), duration(90), duration(7200), duration(2e7), duration(3e9)
    ('0.5 s', '1.5 min', '2 h', '230 days', '95 years')
    """
    if seconds is None:
        return None
    for unit, size in (("years", 31557600.0), ("days", 86400.0), ("h", 3600.0), ("min", 60.0)):
        if seconds >= size:
            return f"{float(f'{seconds / size:.2g}'):g} {unit}"
    return f"{seconds:.2g} s"
