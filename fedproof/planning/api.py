"""The verb `plan`: from data, network and accuracy to what to run."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from time import perf_counter
from types import ModuleType
from typing import Any

import numpy as np

from fedproof.bounds.catalog import statement, statement_ids, statements
from fedproof.bounds.statement_handle import StatementHandle
from fedproof.measure.api import measure
from fedproof.measure.measure_result import MeasureResult
from fedproof.measure.start import constants, in_floats, smooth_part
from fedproof.planning.faithful import about, unfaithful
from fedproof.planning.pilots import Trial, affordable, defaults, searched, short_runs
from fedproof.planning.plan_result import Pilot, Plan, PlanResult
from fedproof.planning.verdicts import Ask, beside
from fedproof.problems.catalog import as_problem, every_client_alike
from fedproof.problems.composite.composite import Composite
from fedproof.problems.problem import Problem, counts_alike
from fedproof.problems.supervised.supervised import Supervised
from fedproof.solvers.parameters import whole_number
from fedproof.solvers.runs.cluster import Cluster, cluster
from fedproof.tuning.admitted import as_run, taken
from fedproof.tuning.guarantee import SQUARED_GRADIENT, Costs, Guarantee, Setting
from fedproof.validate.statement_verdict import StatementVerdict
from fedproof.vocabulary.discovery import paper_modules, read, readable
from fedproof.vocabulary.errors import FedproofError, InputError
from fedproof.vocabulary.values import parse_double

_TIMED = 5
_LEAST = 1e-50
#: proved bounds and estimates that differ by less are one
_ALIKE = 1e-6
_EACH = "Of the plain mean over the clients, each of which counts the same."


@dataclass(frozen=True)
class Asked:
    """A row of the plan, and what is to be run and reckoned before it is whole."""

    row: Plan
    trial: Trial | None = None
    setting: Setting | None = None
    verdict: Callable[[], StatementVerdict] | None = None


def guarantees() -> tuple[Guarantee, ...]:
    """What all papers offer, a paper after the other.

    >>> {g.statement for g in guarantees()} >= {"fedprox.theorem1.general", "fedproxvr.certified.sarah"}
    True
    """
    known = paper_modules("plans")
    found = readable(known, lambda key: read(known[key], partial(_own, key)))
    return tuple(g for key in sorted(found) for g in found[key])


def _own(key: str, module: ModuleType) -> tuple[Guarantee, ...]:
    """What a paper offers: guarantees of its own statements."""
    found = module.GUARANTEES
    if not isinstance(found, tuple) or not all(isinstance(g, Guarantee) for g in found):
        raise InputError("GUARANTEES", found, "a tuple of Guarantee", "write GUARANTEES = (...,)")
    for g in found:
        if g.statement not in statement_ids(key):
            raise InputError("statement of GUARANTEES", g.statement, f"a statement of {key}", "plan your own")
    return found


def plan(
    problem: str | Path | Problem = "digits",
    *,
    epsilon: Any,
    uplink: Any = 1_000_000,
    downlink: Any = None,
    step_seconds: Any = None,
    bits_per_value: Any = 64,
    clients: int | None = None,
    problem_seed: int = 0,
    problem_options: Mapping[str, Any] | None = None,
    rounds: int = 50,
    seed: int = 0,
    scheduler: str | None = None,
    progress: Callable[[str], Any] | None = None,
) -> PlanResult:
    """Say which theorem of which paper covers a problem, the best parameters, and how loose the promise is.

    Constants are measured; each theorem is asked for the fewest rounds until its bound is at most epsilon,
    with constants that are proved, and else with estimates, which is said. What comes out is run for a few
    rounds beside its bound, beside the best of an honest search, and beside what people begin with.

    Arguments:
        problem, clients, problem_seed, problem_options: as every verb takes them.
        epsilon: what the mean squared gradient shall be at most, in the units of the theorem's metric.
        uplink, downlink: of a client's network, bits a second; both are alike where one is given.
        step_seconds: what one sample gradient takes a client; measured on this machine if not given.
        bits_per_value: of a number that is sent.
        rounds: of the short runs, a whole number >= 1.
        seed: of their draws.
        scheduler: address of a Dask cluster that does the short runs, such as tcp://192.0.2.1:8786.
        progress: gets a short note after each part.

    Returns: constants, a row for every theorem, what is recommended (the quickest theorem whose constants are
        proved), what is suggested (by search, nothing is promised), and the short runs.
    Raises: InputError, UnknownName, DataError or ClusterLost, one line each.

    >>> found = plan("quadratic", clients=3, epsilon="0.1", rounds=5, step_seconds="1e-6")
    >>> found.recommended.applicable, found.recommended.pilot.ratio >= 1
    (True, True)
    """
    network = (uplink, downlink, step_seconds, bits_per_value)
    made = (problem, clients, problem_seed, problem_options)
    with beside() as ask:
        return planned(ask, made, network, epsilon, rounds, seed, scheduler, progress)


def planned(
    ask: Ask,
    problem: tuple[Any, int | None, int, Mapping[str, Any] | None],
    network: tuple[Any, Any, Any, Any],
    epsilon: Any,
    rounds: int,
    seed: int,
    scheduler: str | None = None,
    progress: Callable[[str], Any] | None = None,
) -> PlanResult:
    """A plan by verdicts that an audit has found, for a report that has one, made or stored and re-checked.

    Arguments:
        ask: is asked of each statement that applies, and gives what is called for the audit's verdict.
        problem: with its clients, seed and options, as `plan` takes them.
        network: uplink, downlink, seconds of a step and bits of a number.
        epsilon, rounds, seed, scheduler, progress: as `plan` takes them.
    """
    accuracy = parse_double(epsilon, "epsilon")
    if not _LEAST <= accuracy <= 1 / _LEAST:
        raise InputError("epsilon", epsilon, f"a number from {_LEAST:g} to {1 / _LEAST:g}")
    count = whole_number("rounds", rounds)
    if count < 1:
        raise InputError("rounds", rounds, "a whole number >= 1")
    made = in_floats(as_problem(*problem))
    costs = _costs(made, *network)
    with nullcontext() if scheduler is None else cluster(scheduler) as there:
        return _plan(made, costs, accuracy, count, seed, progress or (lambda said: None), there, ask)


def _plan(
    made: Problem, costs: Costs, accuracy: float, count: int, seed: int, note: Callable[[str], Any],
    there: Cluster | None, ask: Ask,
) -> PlanResult:  # fmt: skip
    """The plan of a problem that was made, its short runs done here or there."""
    measured = measure(smooth_part(made), progress=lambda said: note(f"measure {said}"))
    if measured.interrupted:
        raise KeyboardInterrupt
    asked: list[Asked] = []
    for guarantee in guarantees():
        asked += _rows(guarantee, made, measured, costs, accuracy, count, seed, ask)
        note(guarantee.statement)
    rows = _with_pilots(asked, costs, there)
    found = (measured.known.get(word) for word in ("smoothness", "smoothness_sample"))
    smoothness = next((float(value) for value in found if value), None)
    suggested = searched(made, smoothness, count, costs, accuracy, note, there)
    naive = tuple(defaults(made, smoothness, count, costs, accuracy, there))
    rows = [_judged(row, a.verdict, note) for row, a in zip(rows, asked, strict=True)]
    ordered = tuple(sorted(rows, key=_rank))
    best = next((p for p in ordered if p.certified), None)
    return PlanResult(measured, asdict(costs), accuracy, ordered, best, suggested, naive, made)


def _rank(row: Plan) -> tuple[bool, bool, str, float]:
    """What applies first, of that what is about the squared gradient, the quickest first."""
    return not row.applicable, row.about != SQUARED_GRADIENT, row.about, row.seconds or math.inf


def _costs(problem: Problem, uplink: Any, downlink: Any, step_seconds: Any, bits_per_value: Any) -> Costs:
    up = parse_double(uplink, "uplink")
    down = up if downlink is None else parse_double(downlink, "downlink")
    step = _step_seconds(problem) if step_seconds is None else parse_double(step_seconds, "step_seconds")
    bits = parse_double(bits_per_value, "bits_per_value")
    sizes = problem.sizes
    return Costs(up, down, step, bits, problem.dimension, problem.n_clients, int(np.max(sizes)))


def _step_seconds(problem: Problem) -> float:
    """What one sample gradient takes here, in the quickest of a few full gradients."""
    at, times = problem.start(), []
    for _ in range(_TIMED):
        begun = perf_counter()
        problem.gradient(at)
        times.append(perf_counter() - begun)
    return min(times) / int(np.sum(problem.sizes))


def _rows(
    guarantee: Guarantee, problem: Problem, measured: MeasureResult, costs: Costs, accuracy: float,
    rounds: int, seed: int, ask: Ask,
) -> Iterator[Asked]:  # fmt: skip
    """One row with proved constants, one with estimates where these differ, or one that says what fails."""
    named = (guarantee.algorithm, guarantee.statement, _metric(guarantee.statement))
    of = about(guarantee, statement(guarantee.statement))
    row = Plan(*named, applicable=False, note=guarantee.note, about=of)
    meant = _meant(guarantee, problem)
    if isinstance(meant, str):
        yield Asked(replace(row, blame=("penalty" if "penalty" in meant else "clients",), why=meant))
        return
    proved, known = constants(meant, measured, same_weights=meant is problem)
    missing = tuple(w for w in guarantee.needs if w not in known)
    if missing:
        why = _missing(missing, measured) + _of_a_run(guarantee.statement, missing)
        yield Asked(replace(row, blame=missing, why=why))
        return
    if meant is not problem:
        row = replace(row, note=f"{_EACH} {row.note}".strip())
    guessed = tuple(
        w for w in guarantee.needs if not math.isclose(proved.get(w, math.nan), known[w], rel_tol=_ALIKE)
    )
    if all(w in proved for w in guarantee.needs):
        yield _planned(row, guarantee, meant, proved, costs, accuracy, rounds, seed, ask)
    if guessed:
        asked = replace(row, rests_on=guessed)
        yield _planned(asked, guarantee, meant, known, costs, accuracy, rounds, seed, ask)


def _meant(guarantee: Guarantee, problem: Problem) -> Problem | str:
    """The problem that the theorem is about, or why it is about no such one.

    A theorem about the plain mean over clients of different sizes is one about that loss.
    """
    if isinstance(problem, Composite) and not guarantee.with_penalty:
        return "it is about losses without a penalty"
    if not guarantee.equal and counts_alike(problem):
        return "its loss weighs clients by their size, and here each counts the same"
    if not guarantee.equal or len(set(problem.sizes.tolist())) == 1:
        return problem
    if isinstance(smooth_part(problem), Supervised):
        return every_client_alike(problem)
    return "its loss is the plain mean over clients, and these have different sizes"


def _missing(words: tuple[str, ...], measured: MeasureResult) -> str:
    """What is known of constants that have no finite value."""
    from_gap = measured.constants.get("initial_gap") if "mean_shift_error" in words else None
    said = [f"{w}: {measured.constants[w].why}" for w in words if w in measured.constants]
    if from_gap is not None and not said:
        said = [
            f"mean_shift_error: no minimiser is proved to exist (a weight of l2 gives one): {from_gap.how}"
        ]
    return "; ".join(said) or "not known"


def _of_a_run(id: str, missing: tuple[str, ...]) -> str:
    """How a run can be held against a twin of a theorem that asks for a dissimilarity at its models alone."""
    own = statement(id)
    many = len(own.assumptions)
    twins = (s for s in statements(own.paper) if s.amends == id and len(s.assumptions) == many)
    found = next((s.id for s in twins if len({*s.assumptions} - {*own.assumptions}) == 1), None)
    if found is None or not {*missing} <= {"dissimilarity", "gradient_dissimilarity"}:
        return ""
    return f"; `validate {found} --history LOG` takes what a run measures of it instead"


def _metric(id: str) -> str:
    return str(getattr(statement(id).claim, "metric", ""))


def _short(guarantee: Guarantee, setting: Setting, accuracy: float) -> str:
    """Why a theorem does not promise the accuracy, as asked or with the step that is run; "" if it does."""
    asked = StatementHandle(statement(guarantee.statement))
    named = taken(asked, setting.letters)
    run = as_run(statement(guarantee.statement), named, setting.run)
    for letters in (named, *((run,) if run != named else ())):
        reached = asked.check(**letters, **{guarantee.rounds: setting.rounds})
        if not reached.applicable or reached.bound is None or reached.bound > accuracy:
            return f"its own bound is {reached.bound} after {setting.rounds} rounds"
    return ""


def _planned(
    row: Plan, guarantee: Guarantee, problem: Problem, known: Mapping[str, float], costs: Costs,
    accuracy: float, rounds: int, seed: int, ask: Ask,
) -> Asked:  # fmt: skip
    """The best that the theorem admits, and what is to be run of it."""
    numbers = {w: known[w] for w in guarantee.needs}
    try:
        setting = guarantee.solve(numbers, accuracy, costs)
        wrong = unfaithful(guarantee, statement(guarantee.statement), setting, known, costs.clients)
        wrong = wrong or _short(guarantee, setting, accuracy)
    except FedproofError as error:
        return Asked(replace(row, blame=guarantee.needs, why=str(error)))
    if wrong:
        return Asked(replace(row, blame=guarantee.needs, why=wrong))
    asked = StatementHandle(statement(guarantee.statement))
    named = taken(asked, setting.letters)

    def bound(count: int) -> float | None:
        return asked.check(**named, **{guarantee.rounds: count}).bound

    named_run = (f"{guarantee.statement}, {guarantee.algorithm}", problem, guarantee.algorithm)
    length = affordable(setting.rounds, setting.gradients, costs.clients, rounds)
    trial = None
    if length:
        trial = Trial(
            *named_run, setting.run, length, costs, accuracy,
            metric=guarantee.metric, span=guarantee.span, of=guarantee.of, bound=bound,
            network=costs.seconds(*setting.bits(costs)), per=guarantee.per(numbers), seed=seed,
        )  # fmt: skip
    up, down = setting.bits(costs)
    planned = replace(
        row, applicable=True, constants=numbers,
        parameters={**setting.letters, guarantee.rounds: setting.rounds},
        run=setting.run, rounds=setting.rounds,
        promised=bound(min(rounds, setting.rounds)),
        bits=setting.rounds * (up + down),
        uplink_bits=setting.rounds * up, downlink_bits=setting.rounds * down,
        start=_start(problem, guarantee, numbers),
        sensitivity=_sensitivity(guarantee, numbers, accuracy, costs, setting.rounds),
    )  # fmt: skip
    return Asked(planned, trial, setting, ask(guarantee.statement))


def _judged(row: Plan, verdict: Callable[[], StatementVerdict] | None, note: Callable[[str], Any]) -> Plan:
    """The row with what an audit finds of its theorem, where that was asked, and what it rests on."""
    if verdict is None:
        return row
    note(f"audit {row.statement}")
    found = verdict()
    rests = tuple({"kind": g.kind, "id": g.id, "text": g.text} for g in found.grounds)
    return replace(row, verdict=found.verdict, assumes=rests)


def _with_pilots(asked: Sequence[Asked], costs: Costs, there: Cluster | None) -> list[Plan]:
    """The rows with their short runs, all of which are done at once."""
    found = iter(short_runs([a.trial for a in asked if a.trial is not None], there))
    return [_with_pilot(a, costs, None if a.trial is None else next(found)) for a in asked]


def _with_pilot(asked: Asked, costs: Costs, found: Pilot | FedproofError | None) -> Plan:
    """A row with its short run, or why there is none; and what all rounds take."""
    row, setting = asked.row, asked.setting
    if isinstance(found, FedproofError):
        row, found = replace(row, note=f"{row.note} No short run: {found}.".strip()), None
    if setting is None:
        return row
    seconds = None
    if setting.gradients is not None:
        each = costs.seconds(*setting.bits(costs)) + setting.gradients * costs.step_seconds
        seconds = setting.rounds * each
    elif found is not None and found.rounds:
        seconds = found.seconds / found.rounds * setting.rounds
    return replace(row, pilot=found, seconds=seconds)


def _start(problem: Problem, guarantee: Guarantee, numbers: Mapping[str, float]) -> float | None:
    """What the theorem bounds, at the start, where that is the squared gradient."""
    if guarantee.metric != "squared_gradient" and isinstance(problem, Composite):
        return None
    slope = smooth_part(problem).gradient(problem.start())
    return float(np.sum(slope * slope)) / guarantee.per(numbers)


def _sensitivity(
    guarantee: Guarantee, numbers: Mapping[str, float], accuracy: float, costs: Costs, rounds: int
) -> dict[str, float | None]:
    """By constant, how many times the rounds are with twice of it; None where nothing is admitted then."""
    found: dict[str, float | None] = {}
    for word, value in numbers.items():
        if not value:
            continue
        try:
            found[word] = guarantee.solve({**numbers, word: 2 * value}, accuracy, costs).rounds / rounds
        except FedproofError:
            found[word] = None
    return found
