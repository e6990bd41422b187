"""FedProxVR, Fig. 2: the effect of beta and tau on FedAvg, SVRG and SARAH; a convex task."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fedproof.figures.number_format import listed, number
from fedproof.figures.spec import DEFAULT_CONTEXT, ComputeContext, Frame, Spec, compose
from fedproof.papers.fedproxvr.figures import _compare
from fedproof.papers.fedproxvr.figures._caption_sentences import (
    agreement,
    bands,
    cost,
    diverged,
    final_losses,
    gaps,
    judged,
    rougher,
)
from fedproof.vocabulary.plurals import count
from fedproof.vocabulary.source import Source

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SPEC = Spec(
    id="fedproxvr.figure2",
    title="FedProxVR against FedAvg for several β and τ, convex task",
    source=Source("fedproxvr", "Fig. 2 and Sec. 5, effects of β and τ"),
    claims=(
        "With β = 5, τ = 10 FedProxVR gains notably on FedAvg; with 7 and 20 the gap grows and all methods "
        "converge faster; with τ beyond its upper bound in Lemma 1 the curves of FedProxVR fluctuate more."
    ),
    columns=_compare.COLUMNS,
    axes=_compare.AXES,
    size={
        "data": ["synthetic", "digits"], "clients": 0, "paper_clients": 100, "alpha": 1.0, "most_samples": 0,
        "heterogeneity": 1.0, "model": "softmax", "L": [0.0], "mu": 0.1, "batch_size": 32,
        "settings": ["5:10", "7:20", "5:20", "0.5:10"], "rounds": 50, "seeds": 10,
    },
    toy={
        "data": ["digits"], "clients": 5, "settings": ["5:3", "7:4", "5:4", "0.5:4"], "batch_size": 4,
        "rounds": 4, "seeds": 2,
    },
    brief={"seeds": 5, "rounds": 30},
)  # fmt: skip


def compute(size: Mapping[str, Any], context: ComputeContext = DEFAULT_CONTEXT) -> Frame:
    """One history for each data set, setting, method and seed."""
    return _compare.compute(size, context)


def draw(table: Frame) -> Figure:
    """Loss and test accuracy in rows, the settings in columns."""
    return _compare.draw(table)


def caption(table: Frame) -> str:
    """What each setting shows; numbers from the table."""
    results, pairs = _compare.compared(table), _pairs(table)
    wilder = len(pairs) > 2 and pairs[2][0] == pairs[0][0]
    losses, reduced, rough = judged(results, rougher(table, pairs[0], pairs[2]) if wilder else ())
    seen = [final_losses(table) + diverged(table), gaps(results), cost(table)]
    agreed = [agreement(results, losses, reduced)]
    if len(pairs) > 1:
        seen.append(_faster(table, *pairs[:2]))
        agreed.append(_growing(results, *pairs[:2]))
    if wilder:
        seen.append(_fluctuates(rough, pairs[0], pairs[2]))
    return compose(claims=SPEC.claims, seen=" ".join(seen), agreement=" ".join(agreed), chosen=_chosen(table))


def _pairs(table: Frame) -> list[tuple[float, int]]:
    pairs = table[["beta", "tau"]].drop_duplicates()
    return [(float(beta), int(tau)) for beta, tau in pairs.itertuples(index=False)]


def _faster(table: Frame, first: tuple[float, int], second: tuple[float, int]) -> str:
    """Whether every method's mean loss ends lower in the second setting than in the first."""
    last = table[table["round"] == table["round"].max()]
    means = last.groupby(["data", "method", "way", "beta", "tau"]).loss.mean().unstack(["beta", "tau"])
    lower = int((means[second] < means[first]).sum())
    return (
        f"From β = {number(first[0])}, τ = {first[1]} to {number(second[0])}, {second[1]} the mean loss "
        f"falls for {lower} of {count(len(means), 'curve')}."
    )


def _fluctuates(signs: list[int], calm: tuple[float, int], wild: tuple[float, int]) -> str:
    """Where the loss moves up and down more with a larger tau, beta the same."""
    return (
        f"Between τ = {calm[1]} and τ = {wild[1]} at β = {number(wild[0])} the loss fluctuates (mean size of "
        f"its second difference) more in {signs.count(1)}, less in {signs.count(-1)} of "
        f"{count(len(signs), 'curve')}."
    )


def _growing(
    results: tuple[_compare.Compared, ...], first: tuple[float, int], second: tuple[float, int]
) -> str:
    """Whether the mean advantage over FedAvg grows from the first setting to the second."""
    means = {(c.data, c.method, c.way, c.beta, c.tau): c.loss.mean for c in results}
    curves = list(dict.fromkeys(key[:3] for key in means))
    wider = sum(means[*curve, *second] < means[*curve, *first] for curve in curves)
    return (
        f"From the first setting to the second the mean difference moves in its favour in {wider} "
        f"of {len(curves)}."
    )


def _most_steps(beta: float) -> float:
    """The upper bound of (13) on tau."""
    from fedproof.papers.fedproxvr import notation as symbols
    from fedproof.papers.fedproxvr.statements import formulas

    return float(formulas.SARAH_UPPER.doit().subs(symbols.beta, beta))


def _chosen(table: Frame) -> str:
    row = table.iloc[0]
    betas = [float(beta) for beta in table.beta.unique() if beta > 1]
    bounds = listed(f"{number(_most_steps(beta))} for β = {number(beta)}" for beta in betas)
    return (
        f"The paper uses Fashion-MNIST on 100 devices, B = 32; here {listed(table.task.unique())}, "
        f"B = {number(row.batch_size)} and μ = {number(row.mu)} (0.1 in its Table 1). It prints "
        "no β and τ for "
        f"its third panel; the upper bound of (13) is {bounds}. The published code takes τ = 10 "
        "with steps of "
        "0.005, where L of (3) is about 390 or more on 784 standardised pixels: that is β of about 0.5 or "
        "less. Steps are 1/(βL) with the certified L of every problem, unless the table says otherwise. "
        f"{bands(table)}"
    )
