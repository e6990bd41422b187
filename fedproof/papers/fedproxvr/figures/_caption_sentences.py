"""Sentences that the captions of Figs. 2 and 3 share; every number in them is from the table."""

from __future__ import annotations

from collections.abc import Sequence

from fedproof.figures.number_format import listed, number
from fedproof.figures.paired import LEVEL, Difference, counted, decided, difference
from fedproof.figures.spec import Frame
from fedproof.papers.fedproxvr.figures._compare import CONTROL, ESTIMATORS, Compared, fluctuation
from fedproof.vocabulary.plurals import count

_WAYS = {"printed": "Algorithm 1 as printed", "code": "the last of τ steps (published code)"}


def final_losses(table: Frame) -> str:
    """FedAvg's mean loss and accuracy after the last round, for every data set and setting."""
    said = []
    for data, runs in table[table.method == "fedavg"].groupby("data", sort=False):
        last = runs[runs["round"] == table["round"].max()]
        means = last.groupby(["beta", "tau"], sort=False)[["loss", "test_accuracy"]].mean()
        each = [
            f"{number(row.loss)} ({number(100 * row.test_accuracy)} %) at β = {number(beta)}, τ = {tau}"
            for (beta, tau), row in means.iterrows()
        ]
        said.append(f"on {data} {listed(each)}")
    return (
        f"FedAvg's mean training loss (test accuracy) after {count(int(table['round'].max()), 'round')}: "
        f"{'; '.join(said)}."
    )


def diverged(table: Frame) -> str:
    """How many runs diverged, and of which methods; nothing where none did."""
    ends = table[["data", "beta", "tau", "method", "way", "seed", "ended"]].drop_duplicates()
    lost = ends[ends.ended == "diverged"]
    if lost.empty:
        return ""
    methods = listed(f"{m} ({n})" for m, n in lost.method.value_counts().items())
    return (
        f" {len(lost)} of {count(len(ends), 'run')} diverged and are left out of the differences: {methods}."
    )


def judged(
    results: Sequence[Compared], rough: Sequence[Difference] = ()
) -> tuple[list[int], list[int], list[int]]:
    """Signs of the differences to FedAvg, to the control and of fluctuation, all decided together."""
    reduced = [c.reduced for c in results if c.reduced is not None]
    signs = decided([*(c.loss for c in results), *reduced, *rough])
    n, m = len(results), len(results) + len(reduced)
    return signs[:n], signs[n:m], signs[m:]


def gaps(results: Sequence[Compared]) -> str:
    """How much lower or higher FedProxVR ends than FedAvg, and what variance reduction does, by data."""
    said = []
    for way, words in _WAYS.items():
        for data in dict.fromkeys(c.data for c in results):
            own = [c.loss for c in results if (c.way, c.data) == (way, data)]
            said.append(f"{words}, {data}: {_ends(own)}")
    alone = _ends([c.reduced for c in results if c.reduced is not None])
    return (
        f"FedProxVR's final loss less FedAvg's (paired by seed, {number(100 * LEVEL)} % interval of each): "
        f"{'; '.join(said)}. Variance reduction alone, against the same method with plain SGD: {alone}."
    )


def _ends(found: Sequence[Difference]) -> str:
    """The least and the greatest of some differences."""
    low, high = min(found, key=lambda d: d.mean), max(found, key=lambda d: d.mean)
    return f"from {low.text()} to {high.text()}"


def cost(table: Frame) -> str:
    """How many gradients each method evaluates, in FedAvg's."""
    last = table[table["round"] == table["round"].max()]
    spent = last.groupby("method").gradients.mean()
    if "fedavg" not in spent:
        return ""
    ratios = {method: number(float(spent[method] / spent.fedavg), 2) for method in spent.index}
    names = {**ESTIMATORS, CONTROL: "SGD"}
    each = listed(f"{ratios[m]} with {name}" for m, name in names.items() if m in ratios)
    return f"Sample gradients evaluated, in FedAvg's: {each}."


def agreement(results: Sequence[Compared], losses: Sequence[int], reduced: Sequence[int]) -> str:
    """Whether FedProxVR ends with the smaller loss, in both ways, and whether variance reduction does it.

    Arguments:
        results, losses, reduced: the comparisons and their signs, as `judged` gives them.
    """
    said = [
        _verdict([sign for c, sign in zip(results, losses, strict=True) if c.way == way], words)
        for way, words in _WAYS.items()
    ]
    return (
        f"{' '.join(said)} Variance reduction by itself makes the final loss {counted(reduced)}. "
        f"All verdicts hold together at {number(100 * LEVEL)} % (Holm)."
    )


def _verdict(signs: Sequence[int], words: str) -> str:
    if all(sign < 0 for sign in signs):
        return f"With {words} FedProxVR's smaller loss is seen everywhere."
    if all(sign > 0 for sign in signs):
        return f"With {words} the opposite is seen everywhere: FedAvg's loss is smaller."
    return f"With {words} FedProxVR's loss is {counted(signs)}."


def rougher(table: Frame, calm: tuple[float, int], wild: tuple[float, int]) -> list[Difference]:
    """By data set, estimator and way: the fluctuation of the loss in one setting less that in another.

    Arguments:
        calm, wild: (beta, tau).
    """
    ours = table[table.method.isin(list(ESTIMATORS)) & (table.ended == "finished")]
    found = []
    for _, runs in ours.groupby(["data", "method", "way"], sort=False):
        first, second = (
            fluctuation(runs[(runs.beta == beta) & (runs.tau == tau)]) for beta, tau in (wild, calm)
        )
        both = first.index.intersection(second.index)
        found.append(difference(first[both], second[both]))
    return found


def bands(table: Frame) -> str:
    """What the bands are and what a seed fixes."""
    seeds = count(int(table.seed.nunique()), "seed")
    return (
        f"Bands are quartiles over {seeds}; a seed fixes the split and all draws, and Synthetic's "
        "data too: real "
        "data are the same rows, dealt anew."
    )
