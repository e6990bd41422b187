"""The one loop: rounds, metrics, progress, divergence, interruption and resumption."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor as Pool
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from fedproof.problems.digest import problem_digest
from fedproof.problems.problem import Array, Constant, Problem, counts_alike
from fedproof.problems.supervised.kernels.kernel import with_kernel
from fedproof.solvers.algorithm import Algorithm, Trace
from fedproof.solvers.blocks import round_in_blocks
from fedproof.solvers.cohort import Participation
from fedproof.solvers.composite import check_penalty, check_start
from fedproof.solvers.history import History
from fedproof.solvers.log import Log, arrays_of
from fedproof.solvers.metrics import AtModel, MetricFunction, chosen_metrics, usual_metrics
from fedproof.solvers.parameters import flat_parameters, whole_number
from fedproof.solvers.randomness import RandomSource, checked_seed
from fedproof.vocabulary.errors import InputError

Progress = Callable[[int, int, Mapping[str, Any]], None]
"""Called after every round with the round, the rounds asked for and the metrics."""

TOO_LARGE = 1e100
"""A run with a model or a metric beyond it has diverged."""


def run(
    algorithm: Algorithm,
    problem: Problem,
    rounds: int,
    seed: int = 0,
    *,
    x0: Array | None = None,
    participation: Participation | int | None = None,
    metrics: Iterable[str] | Mapping[str, MetricFunction] | None = None,
    progress: Progress | None = None,
    resume: History | None = None,
    workers: int = 1,
    kernel: str = "auto",
) -> History:
    """Run an algorithm on a problem for a number of rounds.

    Arguments:
        algorithm, problem: what runs on what.
        rounds: in all, those of `resume` included.
        seed: 0 <= seed < 2^64; it fixes every draw.
        x0: initial model, shape (d,); the problem's own by default.
        participation: who takes part in a round; a whole number draws that many as FedAvg does, None
            takes all clients.
        metrics: names, or a mapping name -> function of (problem, state, trace); by default the loss, the
            squared gradient and what the algorithm `reports` of itself.
        progress: called after every round.
        resume: an earlier record of the same run, continued bit for bit as if it had not stopped;
            one of another problem is refused though the names be equal, and one with more rounds too.
        workers: threads that share a round's clients; the result does not depend on it.
        kernel: "numpy", "numba", or "auto", the problem's own choice; the record says which one ran.

    Returns: the record; a run that diverges or is interrupted returns its finished rounds, marked.
    Raises: InputError for what cannot be run.

    >>> from fedproof.problems.quadratics.quadratic import Quadratic
    >>> from fedproof.solvers.algorithms.fedavg import FedAvg
    >>> bowl = Quadratic.of([[[1]]], [[-1]], sizes=[1])
    >>> run(FedAvg(stepsize=1, local_steps=1), bowl, rounds=1).metrics["loss"]
    (Fraction(0, 1), Fraction(-1, 2))
    """
    check_penalty(algorithm, problem)
    taking = Participation.of(participation, "plain" if counts_alike(problem) else "size")
    taking.check(problem)
    digest, constants = problem_digest(problem), problem.constants
    problem = with_kernel(problem, kernel)
    wanted = usual_metrics(algorithm) if metrics is None else metrics
    chosen, named = chosen_metrics(wanted, algorithm), not isinstance(wanted, Mapping)
    loop = _Loop(algorithm, problem, checked_seed(seed), taking, chosen, digest, named, constants)
    total, threads = whole_number("rounds", rounds), whole_number("workers", workers)
    # one BLAS thread: its products here are small, and more threads only wait for each other
    with np.errstate(all="ignore"), threadpool_limits(1, "blas"):
        record = loop.begin(x0) if resume is None else loop.resume(resume, x0, total)
        record = replace(record, requested=total)
        pool = Pool(threads - 1) if threads > 1 else None  # and this one
        with pool or nullcontext():
            return loop.advance(record, total, progress, pool, threads)


@dataclass(frozen=True)
class _Loop:
    algorithm: Algorithm
    problem: Problem
    seed: int
    participation: Participation
    metrics: Mapping[str, MetricFunction]
    digest: str
    named: bool
    constants: Mapping[str, Constant]

    @property
    def apart(self) -> bool:
        """Whether a client that is drawn several times works as often."""
        return getattr(self.algorithm, "apart", False)

    def begin(self, x0: Array | None) -> History:
        """The record before the first round."""
        start = _start(self.problem, x0)
        check_start(self.problem, start)
        state = self.algorithm.init(self.problem, start)
        values = self.measure(state, None)
        if values is None:
            got = f"a start with numbers not finite or beyond {TOO_LARGE:g}"
            raise InputError("x0", got, "a model and metrics below it", "start elsewhere or scale the losses")
        fresh = self.record({k: (v,) for k, v in values.items()}, arrays_of(state))
        begins = getattr(self.algorithm, "begins", None)
        more = {} if begins is None else begins(self.problem, state.model)
        return replace(fresh, constants={n: c.to_dict() for n, c in more.items()} | dict(fresh.constants))

    def record(self, metrics: Mapping[str, tuple[Any, ...]], state: Mapping[str, Array]) -> History:
        """A record of this run with no rounds."""
        return History(
            algorithm=self.algorithm.name,
            parameters=flat_parameters(self.algorithm),
            problem=self.problem.name,
            participation=self.participation.to_dict(),
            seed=self.seed,
            rounds=0,
            metrics=metrics,
            state=state,
            constants={name: constant.to_dict() for name, constant in self.constants.items()},
            kernel=getattr(self.problem, "kernel_name", "numpy"),
            problem_digest=self.digest,
        )

    def resume(self, earlier: History, x0: Array | None, total: int) -> History:
        """An earlier record, if it is one of this run."""
        if not isinstance(earlier, History):
            raise InputError("resume", earlier, "a history", "read a file with load_history")
        fresh = self.record(dict.fromkeys(self.metrics, ()), {})
        same = ("algorithm", "parameters", "problem", "problem_digest", "participation", "seed", "kernel")
        for what in (*same, "metrics"):
            mine, its = getattr(fresh, what), getattr(earlier, what)
            if what == "metrics":
                mine, its = sorted(mine), sorted(its)
            if mine != its:
                cure = f"use kernel={its}" if what == "kernel" else "start a new run"
                mine, its = _differing(mine, its)
                raise InputError("resume", f"a history whose {what}: {its}", f"{mine}", cure)
        if x0 is not None:
            raise InputError("x0", "a start for a run that is resumed", "no x0", "leave x0 out")
        if total < earlier.rounds:
            raise InputError("rounds", total, f"{earlier.rounds} or more, which the history has finished",
                             "start a new run")  # fmt: skip
        usual = self.algorithm.init(self.problem, self.problem.start())
        growing = getattr(usual, "growing", {})
        mine, its = _shapes(arrays_of(usual), growing), _shapes(earlier.state, growing)
        if mine != its:
            raise InputError("resume", _unlike(mine, its), "the state of this algorithm", "start a new run")
        return replace(earlier, interrupted=False)

    def advance(
        self, record: History, total: int, progress: Progress | None, pool: Pool | None, threads: int
    ) -> History:
        """Rounds up to `total`, or to divergence, or to an interrupt."""
        log = Log(record, replace(self.algorithm.init(self.problem, record.model), **record.state))
        diverged, interrupted = record.diverged, False
        drawn = self.participation.count is not None
        everyone = None if drawn else self.participation.draw(self.problem, RandomSource(self.seed, 0))
        try:
            while log.finished < total and not diverged:
                number = log.finished + 1
                source = RandomSource(self.seed, number)
                cohort = everyone or self.participation.draw(self.problem, source, self.apart)
                draws = self.algorithm.draw(self.problem, cohort.clients, source)
                after, trace = round_in_blocks(
                    self.algorithm, self.problem, log.state, cohort, draws, pool, threads
                )
                values = self.measure(after, trace)
                diverged = values is None
                if values is not None:
                    log.add(after, values, trace)
                    if progress:
                        progress(number, total, values)
        except KeyboardInterrupt:
            interrupted = True
        return log.close(diverged=diverged, interrupted=interrupted)

    def measure(self, state: Any, trace: Trace | None) -> dict[str, Any] | None:
        """All metrics at a state, or None if a number is not finite or too large."""
        if not _fine(np.max(np.abs(state.model), initial=0)):
            return None
        at: Any = AtModel(self.problem, state.model) if self.named else self.problem
        values = {name: metric(at, state, trace) for name, metric in self.metrics.items()}
        plain = {k: float(v) if isinstance(v, np.floating) else v for k, v in values.items()}
        return plain if all(v is None or _fine(v) for v in plain.values()) else None


def _differing(mine: Any, its: Any) -> tuple[Any, Any]:
    """Two mappings cut down to what they differ in; anything else as it is."""
    if not (isinstance(mine, Mapping) and isinstance(its, Mapping)):
        return mine, its
    same = {name for name in mine.keys() & its.keys() if mine[name] == its[name]}
    first, second = ({k: v for k, v in side.items() if k not in same} for side in (mine, its))
    return first, second


def _shapes(state: Mapping[str, Array], growing: Mapping[str, int]) -> dict[str, str]:
    """Every array in words; an axis along which it may grow in a run has no length."""
    found = {}
    for name, array in state.items():
        shape: list[Any] = [*array.shape]
        if name in growing and growing[name] < len(shape):
            shape[growing[name]] = "any"
        text = str(tuple(shape)).replace("'", "")
        found[name] = f"{name} of shape {text} and type {array.dtype}"
    return found


def _unlike(mine: Mapping[str, str], its: Mapping[str, str]) -> str:
    missing = [name for name in mine if name not in its]
    if missing:
        return f"a state without {', '.join(missing)}"
    return f"a state with {next(text for name, text in its.items() if text != mine.get(name))}"


def _fine(value: Any) -> bool:
    try:
        return math.isfinite(float(value)) and abs(float(value)) < TOO_LARGE
    except OverflowError:
        return False


def _start(problem: Problem, x0: Array | None) -> Array:
    default = problem.start()
    if x0 is None:
        return default
    given = np.asarray(x0, dtype=object)
    if given.shape != default.shape:
        raise InputError("x0", f"shape {given.shape}", f"shape {default.shape}")
    start = np.empty_like(default)
    start[:] = [problem.number(value) for value in given]
    return start
