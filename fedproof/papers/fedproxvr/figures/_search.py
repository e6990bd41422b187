"""Random search and runs on fresh seeds: the numbers of Tables 1 and 2."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import numpy as np

from fedproof.figures.number_format import listed, number
from fedproof.figures.runs import run_table
from fedproof.figures.spec import Axis, Column, ComputeContext, Frame
from fedproof.papers.fedproxvr.figures._compare import ESTIMATORS, WAYS
from fedproof.papers.fedproxvr.figures._tasks import TASK, name_of, task
from fedproof.solvers.runs.run_spec import RunSpec, make_run_spec

COLUMNS = (
    Column("data", "the task's data; paper for the values that it prints"),
    Column("method", "fedavg, or the estimator of FedProxVR"),
    Column("stage", "search: one drawn setting; final: the best one on fresh seeds; paper: as printed"),
    Column("tau", "local steps", "steps"),
    Column("beta", "step-size parameter, stepsize = 1/(beta L)"),
    Column("mu", "weight of the proximal term; 0 in FedAvg", "loss/length^2"),
    Column("batch_size", "samples a step", "samples"),
    Column("seed", "of data, split and draws"),
    Column("rounds", "rounds after which the accuracy is read", "rounds"),
    Column("accuracy", "test accuracy"),
    Column("L", "smoothness in stepsize = 1/(beta L); empty: each problem's certified one", "loss/length^2"),
    TASK,
    Column("tried", "settings drawn for each method"),
)
AXES = {"accuracy": Axis("test accuracy (%)")}
METHODS = {"fedavg": "FedAvg"} | {name: f"FedProxVR ({label})" for name, label in ESTIMATORS.items()}
HYPER = ("tau", "beta", "mu", "batch_size")


def printed(table: str) -> Iterator[dict[str, Any]]:
    """The rows of the paper's table, from its settings."""
    from fedproof.papers.fedproxvr.settings import SETTINGS

    for setting in SETTINGS:
        where, _, name = setting.where.partition(", ")
        if where == table:
            own, extra = dict(setting.parameters), dict(setting.extra)
            yield {
                "data": "paper", "stage": "paper", "method": name.lower(), "seed": 0,
                "task": "as printed", "L": math.nan, "tried": 0,
                "tau": int(own["tau"]), "beta": float(own["beta"]), "mu": float(own["mu"]),
                "batch_size": int(extra["batch_size"]), "rounds": int(extra["rounds"]),
                "accuracy": float(extra["accuracy"]),
            }  # fmt: skip


def compute(size: Mapping[str, Any], context: ComputeContext, table: str) -> Frame:
    """Search on some seeds, then the best setting of each method on fresh ones, and the paper's rows."""
    import pandas as pd

    drawn = list(_drawn(size))
    seeds = range(size["search_seeds"])
    search = run_table([job for key in drawn for job in _jobs(size, *key, seeds)], context)
    best = {key: _best(rows) for key, rows in search.groupby(["data", "method"], sort=False)}
    fresh = range(size["search_seeds"], size["search_seeds"] + size["seeds"])
    chosen = [
        job
        for data, method, hyper in drawn
        if hyper == best[name_of(data), method][0]
        for job in _jobs(size, data, method, hyper, fresh)
    ]
    final = run_table(chosen, context)
    read = [{"data": data, "method": method, "read": at} for (data, method), (_, at) in best.items()]
    final = final.merge(pd.DataFrame(read))
    final = final[final["round"] == final["read"]]
    last = search[search["round"] == search.groupby([*_KEY, "seed"])["round"].transform("max")]
    rows = [
        frame.assign(stage=stage).rename(columns={"round": "rounds", "test_accuracy": "accuracy"})
        for frame, stage in ((last, "search"), (final, "final"))
    ]
    whole = pd.concat([*rows, pd.DataFrame(printed(table))], ignore_index=True)
    ours = whole.stage != "paper"
    whole.loc[ours, "tried"] = size["tried"]
    return whole[[c.name for c in COLUMNS]].astype({"tried": int, "rounds": int})


_KEY = ["data", "method", *HYPER]


def _drawn(size: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The settings to be tried: the same for every data set, drawn without repetition for each method."""
    for data in size["data"]:
        for place, method in enumerate(METHODS):
            mus = [0.0] if method == "fedavg" else size["mu"]
            every = list(product(size["tau"], size["beta"], mus, size["batch_size"]))
            rng = np.random.Generator(
                np.random.Philox(key=np.array([size["search"], place], dtype=np.uint64))
            )
            for i in sorted(rng.permutation(len(every))[: size["tried"]]):
                yield data, method, dict(zip(HYPER, every[i], strict=True))


def _jobs(
    size: Mapping[str, Any], data: str, method: str, hyper: Mapping[str, Any], seeds: range
) -> Iterator[tuple[dict[str, Any], RunSpec]]:
    place = size["data"].index(data)
    smooth = size["L"][min(place, len(size["L"]) - 1)]
    given = {k: v for k, v in hyper.items() if method != "fedavg" or k != "mu"}
    given |= {"L": smooth} if smooth else {}
    given |= {} if method == "fedavg" else {"estimator": method, **WAYS["code"]}
    for seed in seeds:
        problem_spec, words = task(data, size, seed)
        job = make_run_spec(
            "fedavg" if method == "fedavg" else "fedproxvr", problem_spec, rounds=size["rounds"], seed=seed,
            parameters=given, metrics=("loss", "test_accuracy"),
        )  # fmt: skip
        yield {"data": name_of(data), "method": method, **hyper, "task": words, "L": smooth or math.nan}, job


def _best(rows: Frame) -> tuple[dict[str, Any], int]:
    """The setting and the round of the highest mean accuracy, among those that every search seed reached."""
    found = rows.groupby([*HYPER, "round"], sort=False).test_accuracy
    whole = found.count() == rows.seed.nunique()
    *hyper, at = found.mean()[whole].idxmax()
    tau, beta, mu, batch = hyper
    return {"tau": int(tau), "beta": float(beta), "mu": float(mu), "batch_size": int(batch)}, int(at)


def claimed(table: str) -> str:
    """The accuracies that the paper prints, FedAvg's last."""
    base, *ours = (f"{number(100 * row['accuracy'], 4)} %" for row in printed(table))
    return f"{listed(ours)} against {base}"
