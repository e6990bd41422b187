"""FedProxVR against FedAvg on real data that ships with a dependency."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import pandas as pd

from fedproof.figures.spec import Axis, Column, Frame, Progress, Spec, compose, silent
from fedproof.figures.words import count, listed, number
from fedproof.problems.catalog import make_problem
from fedproof.solvers.api import run
from fedproof.tuning.handle import statement
from fedproof.vocabulary.source import Source

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["SPEC", "caption", "compute", "draw"]

SPEC = Spec(
    id="fedproxvr.convergence",
    title="FedProxVR and FedAvg on handwritten digits",
    source=Source("fedproxvr", "Sec. 5, effects of β and τ (Fig. 2, smaller values)"),
    claims=(
        "With the same β, τ and batch size, FedProxVR with SVRG or SARAH reaches a smaller training loss "
        "than SGD-based FedAvg on a convex task."
    ),
    columns=(
        Column("method", "algorithm, with its estimator"),
        Column("returned", "which local iterate is averaged: random (line 10 of Algorithm 1) or last"),
        Column("seed", "fixes every draw of the run"),
        Column("round", "global rounds finished", "rounds"),
        Column("loss", "global loss at the server's model", "loss"),
        Column("squared_gradient", "squared norm of the global gradient", "loss^2/length^2"),
        Column("gradients", "sample gradients evaluated so far, all clients", "gradients"),
        Column("beta", "step-size parameter, stepsize = 1/(beta L)"),
        Column("tau", "local steps", "steps"),
        Column("mu", "weight of the proximal term; none in FedAvg", "loss/length^2"),
        Column("batch_size", "samples a step", "samples"),
        Column("clients", "clients, all of which take part", "clients"),
        Column("L", "certified smoothness of every sample's loss", "loss/length^2"),
        Column("lam", "extent of non-convexity", "loss/length^2"),
    ),
    axes={
        "round": Axis("round"),
        "loss": Axis(r"loss $\bar F$"),
        "squared_gradient": Axis(r"squared gradient $\|\nabla\bar F\|^2$", "log"),
    },
    size={
        "clients": 20, "labels_per_client": 2, "beta": 5, "tau": 10, "mu": 0.1, "batch_size": 32,
        "rounds": 100, "seeds": 5,
    },
    toy={
        "clients": 5, "labels_per_client": 2, "beta": 5, "tau": 3, "mu": 0.1, "batch_size": 4,
        "rounds": 3, "seeds": 2,
    },
)  # fmt: skip

_NAMES = {
    "fedavg": "FedAvg",
    "fedproxvr sgd": "FedProxVR, SGD",
    "fedproxvr svrg": "FedProxVR, SVRG",
    "fedproxvr sarah": "FedProxVR, SARAH",
}
_PANELS = {"random": "random local iterate, as printed", "last": "last local iterate"}


def compute(size: Mapping[str, Any], progress: Progress = silent) -> Frame:
    """One history for each method, way of returning and seed, all on one split of the digits."""
    problem = make_problem("digits", size["clients"], 0, {"labels_per_client": size["labels_per_client"]})
    common = {name: size[name] for name in ("beta", "tau", "batch_size")}
    tables = []
    for method, options in _runs(size):
        algorithm, _, estimator = method.partition(" ")
        hyper = common | options | ({"estimator": estimator} if estimator else {})
        for seed in range(size["seeds"]):
            history = run(algorithm, problem, rounds=size["rounds"], seed=seed, **hyper)
            if history.interrupted:
                raise KeyboardInterrupt
            frame = history.frame.reset_index()
            frame["gradients"] = frame["gradients"].cumsum()
            tables.append(frame.assign(method=method, seed=seed, **{"returned": "last"} | options))
        progress(f"{method}, {options.get('returned', 'last')}")
    known = {name: problem.constants[name].value for name in ("smoothness_sample", "weak_convexity")}
    smooth, bent = (float("nan") if v is None else float(v) for v in known.values())
    table: Frame = pd.concat(tables, ignore_index=True).assign(
        **common, mu=size["mu"], clients=size["clients"], L=smooth, lam=bent
    )
    return table[list(SPEC.names)]


def _runs(size: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for method in _NAMES:
        if method == "fedavg":
            yield method, {}
        else:
            yield from ((method, {"returned": how, "mu": size["mu"]}) for how in _PANELS)


def draw(table: Frame) -> Figure:
    """Loss above, squared gradient below; the listing as printed left, the last iterate right."""
    from fedproof.figures.style import blank, house_style, panel_letters, plain_ticks, set_axes

    with house_style():
        picture = blank(7.2, 5.4)
        panels = picture.subplots(2, 2, sharex=True, sharey="row")
        for column, returned in zip(panels.T, _PANELS, strict=True):
            chosen = table[(table.returned == returned) | (table.method == "fedavg")]
            for axes, metric in zip(column, ("loss", "squared_gradient"), strict=True):
                _curves(axes, chosen, metric)
                axes.set_yscale(SPEC.axes[metric].scale)
        for row, metric in zip(panels, ("loss", "squared_gradient"), strict=True):
            set_axes(row[0], None, SPEC.axes[metric])
        for axes in panels[1]:
            set_axes(axes, SPEC.axes["round"], None)
            plain_ticks(axes.yaxis)
        titles = list(_PANELS.values())
        panel_letters(panels.ravel(), [*titles, *titles])
        handles = panels[0, 0].get_legend_handles_labels()
        picture.legend(*handles, loc="outside upper center", ncols=len(_NAMES))
        return picture


def _curves(axes: Axes, table: Frame, metric: str) -> None:
    """The mean over seeds and, as a band, their whole range."""
    from fedproof.figures.style import CATEGORIES

    # Marks at staggered rounds: curves that lie on each other all stay visible.
    marks = ("", "o", "s", "^")
    for place, ((method, label), colour) in enumerate(zip(_NAMES.items(), CATEGORIES, strict=True)):
        by_round = table[table.method == method].groupby("round")[metric]
        mean, low, high = by_round.mean(), by_round.min(), by_round.max()
        axes.fill_between(mean.index, low, high, color=colour, alpha=0.25, linewidth=0)
        every = max(len(mean) // 8, 1)
        look: Any = {"marker": marks[place], "markersize": 5.5, "markevery": (place * every // 3, every)}
        axes.plot(mean.index, mean, color=colour, linewidth=1.4, markeredgecolor="white", label=label, **look)
    axes.margins(x=0)


def caption(table: Frame) -> str:
    """What each way of returning the local model shows; numbers from the table."""
    last = table[table["round"] == table["round"].max()]
    base = last[last.method == "fedavg"].set_index("seed")
    said, better = [], {}
    for returned, panel in _PANELS.items():
        chosen = {m: last[(last.method == m) & (last.returned == returned)].set_index("seed") for m in _NAMES}
        ours = {m: chosen[m].loss.reindex(base.index) for m in ("fedproxvr svrg", "fedproxvr sarah")}
        wins = {m: int((loss < base.loss).sum()) for m, loss in ours.items()}
        better[returned] = all(w == len(base) for w in wins.values())
        losses = ", ".join(f"{_NAMES[m]} {_spread(chosen[m].loss)}" for m in list(_NAMES)[1:])
        said.append(
            f"With the {panel}: {losses}; SVRG below FedAvg for {wins['fedproxvr svrg']} and SARAH for "
            f"{wins['fedproxvr sarah']} of {count(len(base), 'seed')}."
        )
    cost = (
        last[last.method == "fedproxvr sarah"].gradients.mean() / base.gradients.mean()
    )  # the same for either way of returning
    means = last[last.method != "fedavg"].groupby(["returned", "method"]).loss.mean()
    apart = (means.groupby("returned").max() - means.groupby("returned").min()).max()
    rounds = int(table["round"].max())
    seen = (
        f"Loss after {count(rounds, 'round')} (mean, and range over {count(len(base), 'seed')}): FedAvg "
        f"{_spread(base.loss)}. {' '.join(said)} The mean losses of the "
        f"three estimators differ by at most {number(apart, 2)}. FedProxVR with SARAH evaluates "
        f"{number(cost)} times as many sample gradients as FedAvg.{_stopped(table)}"
    )
    return compose(claims=SPEC.claims, seen=seen, agreement=_agreement(better), chosen=_chosen(table))


def _stopped(table: Frame) -> str:
    """How many runs diverged, which ends their curves early."""
    ends = table.groupby(["method", "returned", "seed"])["round"].max()
    early = int((ends < ends.max()).sum())
    return f" {early} of {count(len(ends), 'run')} diverged and are left out." if early else ""


def _spread(values: Frame) -> str:
    return f"{number(values.mean())} ({number(values.min())} to {number(values.max())})"


def _agreement(better: Mapping[str, bool]) -> str:
    words = {True: "is seen", False: "is not seen"}
    if len(set(better.values())) == 1:
        return f"The smaller loss {words[better['random']]}, whichever local iterate is returned."
    return (
        f"The smaller loss {words[better['random']]} with Algorithm 1 as printed, which returns a random "
        f"local iterate; it {words[better['last']]} when the last one is returned, "
        "which takes one step more than FedAvg."
    )


def _chosen(table: Frame) -> str:
    row = table.iloc[0]
    return (
        f"The paper uses Fashion-MNIST on 100 devices; here scikit-learn's digits, softmax regression, split "
        f"over {count(int(row.clients), 'client')}. β = {number(row.beta)}, τ = {number(row.tau)} and "
        f"batches of {number(row.batch_size)} are the paper's; μ = {number(row.mu)} is that of its Table 1; "
        f"L = {number(row.L)} is certified, which makes the step size {number(1 / (row.beta * row.L))}. "
        f"{_covered(row)}"
    )


def _covered(row: Frame) -> str:
    """Whether the closed chain of Lemma 1 and Theorem 1 says anything about these runs."""
    values = {name: float(row[name]) for name in ("L", "lam", "mu", "beta", "tau")}
    answer = statement("fedproxvr.certified.sarah").range("sigma2", **values)
    if answer.empty:
        return (
            f"Lemma 1 and Theorem 1 cover these values for no dissimilarity ({listed(answer.conflict)}): no "
            "guarantee is tested here."
        )
    return f"Lemma 1 and Theorem 1 cover these values where {answer.headline()}."
