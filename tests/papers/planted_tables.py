"""Tables of both papers' figures as their runs would leave them, with the outcome that a test plants."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from fedproof.figures.caption import Caption, Claim
from fedproof.papers.composite.figures import figure4
from fedproof.papers.fedproxvr.figures import figure2 as effects
from fedproof.papers.fedproxvr.figures import published_code, region, sharpened, table1


def frame(**axes: Any) -> pd.DataFrame:
    """A row for every combination."""
    return pd.MultiIndex.from_product(list(axes.values()), names=list(axes)).to_frame(index=False)


def claim(caption: Caption, part: str) -> Claim:
    """The claim with these words."""
    return next(one for one in caption.claims if part in one.claim)


ONE = ("ours", "printed", "fedda", "fedmid", "fast", "fast_linear", "longer")
TEN = ("ours", "printed", "fedda", "fedmid", "fast", "uncorrected", "constant", "after_prox")
Numbers = Mapping[tuple[str, int], float]
NONE: dict[Any, float] = {}


def logistic(more: Numbers = NONE, floors: Numbers = NONE, without: str = "") -> pd.DataFrame:
    """A table of Fig. 2 as claimed: curves fall to 1e-10 in these rounds, never below the floors."""
    rounds = {("ours", 1): 400.0, ("printed", 1): 400.0, ("fedda", 1): 400.0, ("longer", 1): 40.0,
              ("ours", 10): 40.0, ("printed", 10): 40.0, **more}  # fmt: skip
    rounds = {k: v for k, v in rounds.items() if f"{k[0]}{k[1]}" != without}
    runs = [(m, tau) for tau, names in ((1, ONE), (10, TEN)) for m in names]
    table = frame(run=runs, seed=range(4), round=range(0, 1001, 50))
    need, floor = (
        table.run.map(lambda run, d=d, e=e: d.get(run, e)) for d, e in ((rounds, math.inf), (floors, 1e-15))
    )
    curve = np.where(np.isfinite(need), 10 ** (-10 * table["round"] / need), 0.5)
    return table.assign(
        method=[m for m, _ in table.run], tau=[tau for _, tau in table.run], L=0.1, stepsize=4.0,
        server_stepsize=15.0, optimality=np.maximum(curve, floor), clients=30, samples=100,
        reached=need.where((floor <= 1e-10) & (need <= 1000)), penalty_weight=0.003, accuracy=1e-10,
    ).assign(fast_mu=lambda t: 0.001 * (t.method == "fast"))  # fmt: skip


SLOWER = {("fedda", 1): 800.0, ("ours", 10): 200.0, ("fedda", 10): 200.0, ("constant", 10): 20.0}
LATE = {(name, tau): 900.0 for name in ("ours", "fedda", "fedmid") for tau in (1, 10)}
STALLED = {(name, tau): 1e-3 for name in ("ours", "printed") for tau in (1, 10)}


@cache
def cut_short() -> pd.DataFrame:
    """200 of 1000 rounds, in which nothing comes to its end."""
    return logistic(LATE)[lambda t: t["round"] <= 200].assign(reached=math.nan)


def scaled() -> pd.DataFrame:
    """Two scalings, the second with one seed whose start is optimal."""
    other = logistic()[lambda t: t.method.isin(["ours", "fedda", "longer"])].assign(L=0.05)
    other.loc[other.seed == 0, ["optimality", "reached"]] = 0.0
    return pd.concat([logistic(), other])


def batches(ends: Numbers = NONE, spread: float = 0.03) -> pd.DataFrame:
    """A table of composite's Fig. 3 with these floors, a few percent apart between seeds."""
    floors = {("ours", 1): 1e-3, ("fedda", 1): 1e-2, ("fast", 1): 1e-1, ("ours", 20): 1e-3 / math.sqrt(20),
              ("fedda", 20): 1e-2, ("fast", 20): 1e-1, **ends}  # fmt: skip
    runs = frame(run=list(floors), seed=range(6))
    noise = 1 + spread * np.random.default_rng(3).standard_normal(len(runs))
    runs["floor"] = runs.run.map(floors.get) * noise
    table = runs.merge(frame(round=range(3)), how="cross")
    return table.assign(
        method=[m for m, _ in table.run], batch_size=[b for _, b in table.run], tau=20, L=0.01, stepsize=2.0,
        server_stepsize=8.0, optimality=table.floor, before=table.floor, clients=30, samples=2000,
        penalty_weight=0.0005,
    )  # fmt: skip


def falling(all_of_ours: bool) -> pd.DataFrame:
    """The fifth before is twice as large, with b = 20, or everywhere with ours on top."""
    table = batches()
    if all_of_ours:
        table.loc[table.method == "ours", "floor"] = 1e-1
        return table.assign(before=2 * table.floor)
    return table.assign(before=table.before.where(table.batch_size != 20, 2 * table.floor))


def accurate(gains: Mapping[tuple[float, int], float], seeds: int = 5) -> pd.DataFrame:
    """A table of composite's Fig. 4 where our accuracy exceeds FedDA's by these numbers after the start."""
    runs = frame(at=list(gains), method=list(figure4.METHODS), seed=range(seeds))
    noise = 1e-3 * np.random.default_rng(4).standard_normal(len(runs))
    runs["gain"] = runs["at"].map(gains.get) * (runs.method == "ours") + noise
    table = runs.merge(frame(round=range(21)), how="cross")
    return table.assign(
        eta=[eta for eta, _ in table["at"]], tau=[tau for _, tau in table["at"]], loss=1.0,
        test_accuracy=0.1 + (0.02 * table["round"] + table.gain) * (table["round"] > 0),
        gradients=table["round"], ended="finished", eta_g=1.0, batch_size=10, penalty_weight=1e-4, clients=10,
        task="a toy",
    )  # fmt: skip


SETTINGS = ((5.0, 10), (7.0, 20), (5.0, 20))
WAYS = (("fedavg", "fedavg"), *product(("svrg", "sarah"), ("printed", "code")), (effects.CONTROL, "code"))
RUN = {"data": "toy", "test_accuracy": 0.5, "ended": "finished", "mu": 0.1, "batch_size": 32, "task": "a toy"}
HALF = {"svrg": 0.5, "sarah": 0.5}
WORSE = {"svrg": 1.5, "sarah": 1.5}


def losses(ends: Mapping[Any, float] = NONE, wobble: float = 0.0) -> pd.DataFrame:
    """A table of fedproxvr's Fig. 2 whose final losses by method or way are given, with a little noise."""
    table = frame(setting=SETTINGS, run=WAYS, seed=range(4), round=range(9))
    table = table.assign(beta=[s[0] for s in table.setting], tau=[s[1] for s in table.setting],
                         method=[r[0] for r in table.run], way=[r[1] for r in table.run])  # fmt: skip
    end = (
        pd.Series([ends.get(m, ends.get(w, 1.0)) for m, w in table.run])
        + 1e-4 * table.seed * table.method.str.len()
    )
    rough = (table.tau > 10) & (table.beta == 5) & (table.method != "fedavg")
    rough = wobble * (1 + 0.01 * table.seed) * (-1.0) ** table["round"] * rough
    return table.assign(
        **RUN, loss=2 + (end - 2) * table["round"] / 8 + rough, gradients=table["round"], L=np.nan
    )


def noisy() -> pd.DataFrame:
    """Losses that scatter by a tenth."""
    table = losses()
    noise = np.random.default_rng(0).standard_normal(len(table))
    return table.assign(loss=table.loss * np.exp(0.1 * noise))


def wider() -> pd.DataFrame:
    """In the second setting FedProxVR's losses are about halved."""
    table = losses({"svrg": 0.9, "sarah": 0.9})
    ours = table.method.isin(["svrg", "sarah"]) & (table.beta == 7)
    return table.assign(loss=table.loss.where(~ours, (0.5 + 0.01 * table.seed) * table.loss))


def with_lost(table: pd.DataFrame, lost: pd.Series, after: int) -> pd.DataFrame:
    """Some runs diverge after so many rounds."""
    table = table[~(lost & (table["round"] > after))].copy()
    table.loc[lost[table.index], ["loss", "ended"]] = [9.0, "diverged"]
    return table


def diverging() -> pd.DataFrame:
    """One seed of FedAvg diverges where it is the better one."""
    table = losses(WORSE)
    return with_lost(table, (table.method == "fedavg") & (table.seed == 1), 2)


def switched() -> pd.DataFrame:
    """A table of the published code's switches, of which the last iterate alone lowers every loss."""
    table = frame(
        method=["svrg", "sarah"], switch=list(published_code.SWITCHES), seed=range(4), round=range(2)
    )
    lower = 0.5 * table["round"] * table.switch.isin(["last", "code"])
    noise = 1e-3 * table.seed * table["round"] * table.switch.str.len()
    return table.assign(**RUN, loss=2 - lower + noise, gradients=table["round"], beta=5.0, tau=10)


def fate(rise: bool) -> pd.DataFrame:
    """A table of fedproxvr's Fig. 4: SARAH without the proximal term and with long steps rises or falls."""
    table = frame(
        method=["svrg", "sarah"], at=[(0.3, 0.06), (0.001, 5.0)], mu=[0.0, 4.0], seed=range(3), round=range(5)
    )
    table = table.assign(stepsize=[a[0] for a in table["at"]], beta=[a[1] for a in table["at"]])
    up = rise & (table.method == "sarah") & (table.stepsize == 0.3) & (table.mu == 0)
    slope = np.where(up, 0.5, -0.1 * (1 + table.mu)) + 1e-4 * table.seed * (1 + table.mu)
    return table.assign(
        loss=2.3 + slope * table["round"], step=[f"η = {eta}" for eta in table.stepsize], test_accuracy=0.5,
        gradients=table["round"], ended="finished", tau=20, batch_size=1, clients=100,
    )  # fmt: skip


def accuracies(gain: float) -> pd.DataFrame:
    """A final stage of Table 1 with this gain on FedAvg, and the paper's rows."""
    table = frame(method=list(table1.METHODS), seed=range(4))
    ours = table.method != "fedavg"
    table = table.assign(
        data="toy", stage="final", tau=5, beta=1.0, mu=0.1, batch_size=16, rounds=10 + ~ours, task="a toy",
        accuracy=0.8 + 1e-4 * table.seed * table.method.str.len() + gain * ours, tried=3, L=np.nan,
    )  # fmt: skip
    return pd.concat([table, pd.DataFrame(table1.printed("Table 1"))])


@cache
def toy(module: Any) -> pd.DataFrame:
    """A figure at its toy size."""
    table: pd.DataFrame = module.compute({**module.SPEC.size, **module.SPEC.toy})
    return table


def area(**columns: Any) -> pd.DataFrame:
    """The map of (23) with columns changed."""
    return toy(region).assign(**columns)


def below(where: str, factor: float) -> pd.DataFrame:
    """The map with one objective changed: of the first admissible grid point, or of the optimum."""
    table = toy(region).copy()
    chosen = table[(table.kind == where) & (table.admissible | (where == "optimum"))].index[0]
    table.loc[chosen, "objective"] *= factor
    return table


def of_forms(**columns: Any) -> pd.DataFrame:
    """Printed and sharpened optima with columns changed."""
    return toy(sharpened).assign(**columns)


def one_worse() -> pd.DataFrame:
    """One sharpened optimum above the bound on the printed one."""
    table = toy(sharpened).copy()
    table.loc[table.index[table.form == "sharpened"][0], "objective"] = 1e9
    return table
