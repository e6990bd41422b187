"""Sentences that the captions of Figs. 2 and 3 share; every number in them is from the table."""

from __future__ import annotations

from collections.abc import Sequence

from fedproof.figures.fedproxvr._compare import ESTIMATORS, Compared, fluctuation
from fedproof.figures.paired import LEVEL, Difference, difference
from fedproof.figures.spec import Frame
from fedproof.figures.words import count, listed, number

__all__ = ["agreement", "final_losses", "gaps", "rougher"]

_WAYS = {"printed": "Algorithm 1 as printed", "code": "the last of τ steps (published code)"}


def final_losses(table: Frame) -> str:
    """FedAvg's mean loss and accuracy after the last round, for every data set and setting."""
    said = []
    for data, runs in table[table.method == "fedavg"].groupby("data", sort=False):
        last = runs[runs["round"] == runs["round"].max()]
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


def gaps(results: Sequence[Compared]) -> str:
    """How much lower or higher FedProxVR ends than FedAvg, and what variance reduction does, by data."""
    said = []
    for way, words in _WAYS.items():
        for data in dict.fromkeys(c.data for c in results):
            said.append(
                f"{words}, {data}: {_ends([c.loss for c in results if (c.way, c.data) == (way, data)])}"
            )
    alone = _ends([c.reduced for c in results if c.reduced is not None])
    return (
        f"FedProxVR's final loss less FedAvg's (paired by seed, {number(100 * LEVEL)} % intervals): "
        f"{'; '.join(said)}. Variance reduction alone, against the same method with plain SGD: {alone}."
    )


def _ends(found: Sequence[Difference]) -> str:
    """The least and the greatest of some differences, and how many are of which sign."""
    low, high = min(found, key=lambda d: d.mean), max(found, key=lambda d: d.mean)
    return f"from {low.text()} to {high.text()}, {_counted(found)}"


def _counted(found: Sequence[Difference]) -> str:
    signs = [d.sign for d in found]
    return (
        f"lower in {signs.count(-1)}, higher in {signs.count(1)}, not told apart in {signs.count(0)} "
        f"of {count(len(signs), 'comparison')}"
    )


def agreement(results: Sequence[Compared]) -> str:
    """Whether FedProxVR ends with the smaller loss, for both ways, and whether variance reduction does it."""
    said = [_verdict([c.loss for c in results if c.way == way], words) for way, words in _WAYS.items()]
    reduced = [c.reduced for c in results if c.reduced is not None]
    helps = _counted(reduced)
    return " ".join([*said, f"Variance reduction by itself makes the final loss {helps}."])


def _verdict(found: Sequence[Difference], words: str) -> str:
    if all(d.sign < 0 for d in found):
        return f"With {words} FedProxVR's smaller loss is seen everywhere."
    if all(d.sign > 0 for d in found):
        return f"With {words} the opposite is seen everywhere: FedAvg's loss is smaller."
    return f"With {words} FedProxVR's loss is {_counted(found)}."


def rougher(
    table: Frame, calm: tuple[float, float], wild: tuple[float, float]
) -> list[tuple[str, Difference]]:
    """By data set and way: FedProxVR's fluctuation of the loss in one setting less that in another.

    Arguments:
        calm, wild: (beta, tau).
    """
    found, ours = [], table[table.method.isin(list(ESTIMATORS))]
    for (data, method, way), runs in ours.groupby(["data", "method", "way"], sort=False):
        each = [fluctuation(runs[(runs.beta == beta) & (runs.tau == tau)]) for beta, tau in (wild, calm)]
        found.append((f"{data}, {ESTIMATORS[method]}, {way}", difference(*each)))
    return found
