"""The runs of Section 5: FLECS, FLECS-CGD and baselines by communicated bits per node, each way apart."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from fedproof.figures.parameters import real, text, whole
from fedproof.figures.reaching import Series
from fedproof.figures.runs import rows_of_runs
from fedproof.figures.spec import Column, ComputeContext, Frame, recorded
from fedproof.figures.tasks import name_of
from fedproof.solvers.algorithm import BITS
from fedproof.solvers.compressors.dithering import Dithering
from fedproof.solvers.runs.problem_spec import ProblemSpec, make_problem_spec
from fedproof.solvers.runs.run_spec import make_run_spec

if TYPE_CHECKING:
    from fedproof.figures.runs import Labelled

FLECS, CGD, DIANA, ADIANA, FEDNL = "FLECS", "FLECS-CGD", "DIANA", "ADIANA", "FedNL"
BASELINES = {DIANA: "gradient", ADIANA: "accelerated gradient", FEDNL: "newton"}
"""What the text compares with -> the direction of its steps."""
WAYS = ("up", "down")
Key = tuple[str, str, float, int]
"""Method, direction, trunc_lo and memory."""
_POINTS = 60
"""Rows of a run beside those at which it comes to a target."""
PARAMETERS = (
    text("data", "breast_cancer", "breast_cancer, digits or a file with two kinds of label, such as a9a"),
    whole("clients", 10, "nodes, all of which take part, with equally many rows"),
    text("order", "shuffled", "how rows are dealt: shuffled, sorted by label, or as in the file"),
    real("mu", 0.001, "weight of half the squared norm", zero=False),
    whole("memory", (1, 2, 4, 8), "m, columns of the sketch"),
    whole("levels", 64, "s of random dithering with the infinity norm, for gradients and sketched Hessians"),
    text("update", "direct", "of the Hessian approximations: direct (Algorithm 3) or truncated_lsr1 (2)"),
    real("trunc_lo", 1e-5, "ω of the truncation", zero=False),
    real("trunc_hi", 1e8, "Ω of the truncation; rho is 1/Ω", zero=False),
    real("alpha", 1.0, "step size of FLECS and FLECS-CGD", zero=False),
    real("beta", 1.0, "learning rate of the direct update", zero=False),
    real("shift_stepsize", 1.0, "gamma of FLECS-CGD and DIANA", zero=False),
    real("target", (0.2, 0.05, 0.02), "objective gaps to come to, over that at the start", zero=False),
    whole("kilobits", 1000, "thousands of bits that a node sends before a run ends"),
    whole("rounds", 3000, "rounds at most"),
    whole("seeds", 16),
)
_RECORDED = (
    "clients", "order", "mu", "levels", "update", "trunc_hi", "alpha", "beta", "shift_stepsize", "kilobits",
)  # fmt: skip
COLUMNS = (
    Column("data", "the task's data"),
    Column("method", "FLECS, FLECS-CGD, DIANA, ADIANA or FedNL"),
    Column("direction", "of the step: fedsonia (Algorithm 5), truncated_inverse (4) or a baseline's"),
    Column("trunc_lo", "ω of the truncation; 0 for the baselines", "loss/length^2"),
    Column("memory", "m; 0 for the baselines", "columns"),
    Column("seed", "of the rows' order and of all draws"),
    Column("round", "rounds finished", "rounds"),
    Column("up", "bits that a node has sent", "bits"),
    Column("down", "bits that a node has received", "bits"),
    Column("gap", "objective less the least one, which is proved to 1e-12", "loss"),
    Column("squared_gradient", "squared norm of the objective's gradient", "(loss/length)^2"),
    Column("ended", "finished, or diverged: a number that is not finite or beyond 1e100"),
    Column("targets", "gaps over that at the start, at whose first round a run has a row"),
    *recorded(PARAMETERS, *_RECORDED),
)
TOY = {"memory": [1, 2], "kilobits": 20, "rounds": 12, "seeds": 2, "clients": 4, "target": [0.5, 0.2]}
BRIEF = {"kilobits": 300, "seeds": 4, "rounds": 1000}


def compute(
    size: Mapping[str, Any],
    context: ComputeContext,
    methods: Sequence[tuple[str, str, float]],
    baselines: bool,
) -> Frame:
    """A row for each run at some of its rounds, and at those where it first comes to a target.

    Arguments:
        methods: each a method's name, its direction and its trunc_lo.
        baselines: whether DIANA, ADIANA and FedNL run beside them.
    """
    runs = list(_runs(size, methods, baselines))
    given = {name: size[name] for name in _RECORDED}
    given["targets"] = ",".join(map(str, size["target"]))
    parts = []

    def of(spec: Any, history: Any) -> Frame:
        return _rows(history, int(size["clients"]), _least(spec.problem_spec), size["target"])

    for (labels, spec), rows in rows_of_runs(runs, context, of):
        parts.append(rows.assign(**labels, seed=spec.seed, data=name_of(size["data"]), **given))
    return pd.concat(parts, ignore_index=True)[[c.name for c in COLUMNS]]


def _runs(
    size: Mapping[str, Any], methods: Sequence[tuple[str, str, float]], baselines: bool
) -> Iterator[Labelled]:
    options = {"data": size["data"], "l2": str(size["mu"]), "order": size["order"]}
    for seed in range(size["seeds"]):
        made = make_problem_spec("binary_logistic", size["clients"], seed, options)
        for name, direction, low in methods:
            for m in size["memory"]:
                labels = {"method": name, "direction": direction, "trunc_lo": low, "memory": m}
                yield labels, _run(size, made, seed, name, _second_order(size, name, direction, low, m))
        for name, direction in BASELINES.items() if baselines else ():
            labels = {"method": name, "direction": direction, "trunc_lo": 0.0, "memory": 0}
            yield labels, _run(size, made, seed, name, baseline(name, size, made))


def baseline(name: str, size: Mapping[str, Any], made: ProblemSpec) -> dict[str, Any]:
    """A baseline's parameters: DIANA with 1/L, ADIANA with its theorem's for p = 1, FedNL with Option 2."""
    if name == DIANA:
        step = {"stepsize": repr(_inverse_smoothness(made)), "shift_stepsize": size["shift_stepsize"]}
        return {**step, **_dithering("gradient_compressor", size)}
    d, q = made.build().dimension, Dithering(size["levels"], "inf")
    if name == FEDNL:
        omega = float(q.omega(d * (d + 1) // 2).value)
        rate = {"hessian_learning_rate": repr(1 / (1 + omega)), "direction": "shifted"}
        return {**rate, **_dithering("hessian_compressor", size)}
    omega, mu, n = float(q.omega(d).value), float(size["mu"]), int(size["clients"])
    share = n / (64 * omega * (2 * omega + 3) ** 2) if omega else 0.5  # omega is 0 for a single feature
    eta = min(0.5, share) * _inverse_smoothness(made)
    first = min(0.25, math.sqrt(eta * mu))
    gamma = eta / (2 * (first + eta * mu))
    numbers = {
        "stepsize": eta, "shift_stepsize": 1 / (1 + omega), "momentum_weight": first,
        "momentum_stepsize": gamma, "momentum_factor": 1 - gamma * mu,
    }  # fmt: skip
    return {**{k: repr(v) for k, v in numbers.items()}, **_dithering("gradient_compressor", size)}


def _second_order(
    size: Mapping[str, Any], name: str, direction: str, low: float, memory: int
) -> dict[str, Any]:
    given = {
        "stepsize": size["alpha"], "memory": memory, "hessian_update": size["update"], "direction": direction,
        "hessian_learning_rate": size["beta"], "trunc_lo": low, "trunc_hi": size["trunc_hi"],
        **_dithering("hessian_compressor", size),
    }  # fmt: skip
    if name == CGD:
        given |= {"shift_stepsize": size["shift_stepsize"], **_dithering("gradient_compressor", size)}
    return given


def _dithering(part: str, size: Mapping[str, Any]) -> dict[str, Any]:
    return {part: "dithering", f"{part}.levels": size["levels"], f"{part}.norm": "inf"}


def _run(size: Mapping[str, Any], made: ProblemSpec, seed: int, name: str, given: dict[str, Any]) -> Any:
    """As many rounds as a node can send in its kilobits."""
    d, q, m = made.build().dimension, Dithering(size["levels"], "inf"), given.get("memory", 0)
    dithered = {
        DIANA: [d], ADIANA: [d, d], FEDNL: [d * (d + 1) // 2], FLECS: [d * m], CGD: [d, d * m]
    }[name]  # fmt: skip
    whole = {FLECS: d + m**2, CGD: m**2, FEDNL: d + 1}.get(name, 0)
    each = sum(map(q.bits, dithered)) + BITS * whole
    rounds = max(1, min(size["rounds"], math.ceil(1000 * size["kilobits"] / each)))
    return make_run_spec(
        name.lower().replace("-", "_"), made, rounds=rounds, seed=seed, parameters=given,
        metrics=("loss", "squared_gradient"),
    )  # fmt: skip


@lru_cache(maxsize=64)
def _least(made: ProblemSpec) -> float:
    """F*, proved to 1e-12.

    Raises: ArithmeticError where that is not proved.
    """
    from fedproof.measure.counting_problem import CountingProblem
    from fedproof.measure.least_loss import minimise

    problem = made.build()
    found = minimise(CountingProblem(problem), problem.start(), 2000)
    if found.gap is None or found.gap > 1e-12:
        raise ArithmeticError(f"the least loss is not proved to 1e-12: {found.how}")
    return found.loss


def _inverse_smoothness(made: ProblemSpec) -> float:
    return 1 / float(made.build().constants["smoothness"].value)


def _rows(history: Any, clients: int, least: float, targets: Sequence[float]) -> Frame:
    gap = np.maximum(np.array(history.metrics["loss"], dtype=float) - least, 0.0)
    last = len(gap) - 1
    grid = {0, last, *np.unique(np.round(np.geomspace(1, max(last, 1), _POINTS)).astype(int))}
    first = (np.flatnonzero(gap <= target * gap[0])[:1] for target in targets)
    kept = sorted({int(r) for r in grid if r <= last} | {int(r) for found in first for r in found})
    sums = {
        way: np.concatenate([[0], np.cumsum(getattr(history, f"{name}_bits"))])[kept] // clients
        for way, name in zip(WAYS, ("uplink", "downlink"), strict=True)
    }
    ended = "diverged" if history.diverged else "finished"
    squares = np.array(history.metrics["squared_gradient"], dtype=float)[kept]
    return pd.DataFrame(
        {"round": kept, **sums, "gap": gap[kept], "squared_gradient": squares, "ended": ended}
    )


def series(table: Frame, way: str) -> dict[tuple[Key, float], Series]:
    """Bits per node, one way, that every method took to every target, by seed.

    Arguments:
        way: up or down.
    """
    budget = max(1.0, float(table[way].max()))  # all runs may have diverged at once
    ordered = table.sort_values("round")
    return {
        (key, target): _reached(rows, way, target, budget)
        for key, rows in ((key, of(ordered, key)) for key in keys(table)) for target in targets(table)
    }  # fmt: skip


def _reached(rows: Frame, way: str, target: float, budget: float) -> Series:
    """Of one method, rows in the order of rounds; a run that diverged never comes there."""
    by_seed = rows.groupby("seed")
    start, spent, ended = (by_seed[name].agg(which) for name, which in
                           (("gap", "first"), (way, "last"), ("ended", "first")))  # fmt: skip
    there = rows[rows.gap <= target * rows.seed.map(start)].groupby("seed")[way].first()
    took = there.reindex(spent.index)
    return Series(took, took.fillna(spent.where(ended == "finished", budget)))


def of(table: Frame, key: Key) -> Frame:
    """The rows of one method with one direction, truncation and memory."""
    method, direction, low, memory = key
    return table[
        (table.method == method) & (table.direction == direction) & (table.trunc_lo == low)
        & (table.memory == memory)
    ]  # fmt: skip


def keys(table: Frame) -> list[Key]:
    """What was run: method, direction, trunc_lo and memory, in the table's order."""
    names = ["method", "direction", "trunc_lo", "memory"]
    return [(str(a), str(b), float(c), int(d)) for a, b, c, d in table[names].drop_duplicates().to_numpy()]


def targets(table: Frame) -> list[float]:
    """The relative gaps that runs were looked at for."""
    return [float(t) for t in str(table.targets.iloc[0]).split(",")]
