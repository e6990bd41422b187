"""Sentences of Fig. 2's caption; every number in them is from the table."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from fedproof.figures.number_format import listed, number
from fedproof.figures.spec import Frame
from fedproof.vocabulary.plurals import count

STALLED = 1e-6
"""Optimality above which a curve that has ended is said to stall."""
FACTOR = 1.5
"""How far from tau a ratio of rounds may lie to be called a reduction by about 1/tau."""
_NAMES = {
    "ours": "the algorithm", "printed": "its printed form", "fedda": "FedDA", "fedmid": "FedMid",
    "fast": "Fast-FedDA", "fast_linear": "Fast-FedDA with growing weights",
    "longer": "the longer server step", "uncorrected": "no correction", "constant": "η in place of (t+1)η",
    "after_prox": "after-prox models sent",
}  # fmt: skip


def _runs(table: Frame, method: str, tau: int) -> Frame:
    """The last recorded round of every seed, by seed."""
    own = table[(table.method == method) & (table.tau == tau)]
    return own.sort_values("round").groupby("seed").last()


def reached(table: Frame, method: str, tau: int) -> Frame:
    """Rounds to the accuracy by seed; NaN where it is not reached."""
    return _runs(table, method, tau).reached


def ends(table: Frame, method: str, tau: int) -> Frame:
    """Optimality after the last round, by seed."""
    return _runs(table, method, tau).optimality


def on(seeds: int, of: int) -> str:
    """On how many of the seeds.

    >>> on(3, 3), on(0, 3), on(2, 3)
    ('on all 3 seeds', 'on none of 3 seeds', 'on 2 of 3 seeds')
    """
    if seeds == 0:
        return f"on none of {count(of, 'seed')}"
    return f"on all {count(of, 'seed')}" if seeds == of and of > 1 else f"on {seeds} of {count(of, 'seed')}"


def _span(values: Iterable[float]) -> str:
    """Median and range."""
    found = np.asarray([v for v in values if not math.isnan(v)], dtype=float)
    if not len(found):
        return "none"
    median = number(float(np.median(found)))
    if len(found) == 1 or found.min() == found.max():
        return median
    return f"{median} ({number(float(found.min()))} to {number(float(found.max()))})"


def _each(table: Frame, method: str, tau: int) -> str:
    """How many seeds get there, after how many rounds, and the final optimality of one method."""
    hits, last = reached(table, method, tau), ends(table, method, tau)
    got = int(hits.notna().sum())
    rounds = f" after {_span(hits)}" if got else ""
    return f"{_NAMES[method]} {got} of {len(hits)}{rounds}, {number(float(last.median()), 2)}"


def _long(table: Frame) -> int:
    return int(table.tau.max())


def seen(table: Frame) -> str:
    """What every method did, by number of local steps."""
    accuracy = number(float(table.accuracy.iloc[0]))
    said = []
    for tau, runs in table.groupby("tau"):
        each = "; ".join(_each(table, name, int(tau)) for name in _NAMES if (runs.method == name).any())
        last = count(int(runs["round"].max()), "round")
        said.append(f"τ = {tau}, {last}: {each}.")
    lead = (
        f"Seeds that reach {accuracy}, after how many rounds (median and range), and median last optimality."
    )
    said.insert(0, lead)
    return " ".join([*said, _digits(table)])


def _digits(table: Frame) -> str:
    """What limits the digits of the printed form."""
    ratio = (ends(table, "printed", 1) / ends(table, "ours", 1).clip(lower=np.finfo(float).eps)).to_numpy()
    half = table[(table.method == "printed") & (table.tau == 1)]
    middle = half[half["round"] <= half["round"].max() / 2].sort_values("round").groupby("seed").last()
    return (
        "In the printed form every round leaves a rounding in the mean of the c_i: with τ = 1 it is at "
        f"{number(float(middle.optimality.median()), 2)} after {int(middle['round'].max())} rounds and "
        f"{number(float(ends(table, 'printed', 1).median()), 2)} after {int(half['round'].max())}, "
        f"{number(float(np.median(ratio)), 2)} times that of form (2) (medians)."
    )


def agreement(table: Frame) -> str:
    """Each claim by itself."""
    said = [_precise(table, 1), _same(table), _slow(table)]
    if _long(table) > 1:
        said += [_tenth(table), _control(table), _stalls(table), _growing(table)]
    return " ".join([*said, _no_floor(table)])


def _precise(table: Frame, tau: int) -> str:
    both = [reached(table, name, tau).notna() for name in ("ours", "fedda")]
    return (
        f"Machine precision with τ = {tau}: the algorithm comes to the accuracy "
        f"{on(int(both[0].sum()), len(both[0]))}, FedDA {on(int(both[1].sum()), len(both[1]))}."
    )


def _same(table: Frame) -> str:
    """Whether FedDA and ours need equally many rounds, and whether their curves are one."""
    ours, fedda = (reached(table, name, 1) for name in ("ours", "fedda"))
    both = ours.notna() & fedda.notna()
    equal = int((ours[both] == fedda[both]).sum())
    keys = ["seed", "round"]
    one, two = (
        table[(table.method == name) & (table.tau == 1)].set_index(keys).optimality
        for name in ("ours", "fedda")
    )
    above = (one > 1e-8) & (two > 1e-8)
    apart = float(np.abs(np.log(one[above] / two[above])).max()) if above.any() else 0.0
    return (
        f"The same rate: equally many rounds on {equal} of {count(int(both.sum()), 'seed')} where both get "
        f"there; above 10⁻⁸ their curves differ by up to {number(100 * math.expm1(apart), 2)} %. So the "
        "rate is "
        f"{'' if equal == int(both.sum()) > 0 else 'not always '}the same"
        f"{', the models are not' if apart > 1e-6 else ''}."
    )


def _slow(table: Frame) -> str:
    """Whether Fast-FedDA is slow whatever its mu and weights, and whether FedMid is last."""
    ours = reached(table, "ours", 1).fillna(math.inf)
    slow, linear = (reached(table, name, 1).fillna(math.inf) for name in ("fast", "fast_linear"))
    last = {name: ends(table, name, 1) for name in ("ours", "fedda", "fedmid", "fast")}
    worst = sum(max(last, key=lambda name: last[name][seed]) == "fedmid" for seed in ours.index)
    quick = int((linear < ours).sum())
    return (
        f"FedMid ends the worst {on(worst, len(ours))}; Fast-FedDA is slower than the algorithm "
        f"{on(int((slow > ours).sum()), len(ours))} with the weights of its code, and faster "
        f"{on(quick, len(ours))} with growing weights and a smaller μ"
        f"{': slowness is no property of the method' if 2 * quick > len(ours) else ''}."
    )


def _ratio(table: Frame, first: tuple[str, int], second: tuple[str, int]) -> Any:
    """Rounds of the first over rounds of the second, where both get there after the start."""
    one, two = reached(table, *first), reached(table, *second)
    both = (one > 0) & (two > 0)
    return (one[both] / two[both]).to_numpy()


def _tenth(table: Frame) -> str:
    long = _long(table)
    got, ratio = reached(table, "ours", long), _ratio(table, ("ours", 1), ("ours", long))
    least = float(np.median(ratio)) if len(ratio) else math.nan
    holds = long / FACTOR <= least <= long * FACTOR
    return (
        f"With τ = {long} the algorithm gets there {on(int(got.notna().sum()), len(got))}, with "
        f"{_span(ratio)} times fewer rounds: about 1/τ is {'seen' if holds else 'not seen'}."
    )


def _control(table: Frame) -> str:
    """Whether a longer server step alone does as well as local steps."""
    long = _long(table)
    alone = reached(table, "longer", 1)
    ratio = _ratio(table, ("ours", 1), ("longer", 1))
    ours = reached(table, "ours", long)
    more = int((ours.notna() & alone.isna()).sum())
    less = int((ours.isna() & alone.notna()).sum())
    return (
        f"That is the longer η̃: τ = 1 with η_g times {long} takes {_span(ratio)} times fewer rounds where it "
        f"gets there, {on(int(alone.notna().sum()), len(alone))}. Local steps get there and the longer step "
        f"alone does not on {count(more, 'seed')}, the other way round on {less}."
    )


def _stalls(table: Frame) -> str:
    """Which of the others end far from a stationary point with local steps."""
    long = _long(table)
    said = []
    for name in ("fedda", "fedmid", "fast", "uncorrected", "constant", "after_prox"):
        last = ends(table, name, long)
        said.append(f"{_NAMES[name]} {on(int((last > STALLED).sum()), len(last))}")
    return f"With τ = {long} these end above {number(STALLED)}: {listed(said)}."


def _growing(table: Frame) -> str:
    long = _long(table)
    ours, plain = (ends(table, name, long) for name in ("ours", "constant"))
    better = int((ours < plain).sum())
    return (
        f"(t+1)η in place of η ends better {on(better, len(ours))}: the improvement is "
        f"{'seen' if 2 * better > len(ours) else 'not seen'}."
    )


def _no_floor(table: Frame) -> str:
    got = sum(int(reached(table, "ours", int(tau)).notna().sum()) for tau in table.tau.unique())
    if not got:
        return "No run gets there: nothing is seen of an error by B_g."
    return (
        "Wherever the algorithm gets there no error by B_g is left; composite.theorem3.5.sharpened proves "
        "that there is none."
    )
