"""Sec. 5: what the text says of its parameter values and tables, in numbers.

Statements about learning curves are runs on data and are not decided here; `fedproxvr.section5.*` list them.
"""

from fedproof.papers.fedproxvr.proofs.vectors import *
from fedproof.papers.fedproxvr.statements import formulas as f

by = step_writer("fedproxvr", __name__, "Sec. 5, step-size parameter and local iterations")
TABLES = "Sec. 5, tables 1 and 2"


def _sarah(name: str, value: int, steps: int) -> Step:
    with printed():
        return by.real(f"section5.{name}.sarah")(
            tau <= f.SARAH_UPPER,
            assume("definition: Fig. 2", Eq(beta, value), Eq(tau, steps)),
            note="The upper bound of (13).",
        )


def _svrg(name: str, value: int, steps: int) -> Step:
    with printed():
        return by.real(f"section5.{name}.svrg")(
            tau <= f.SVRG_UPPER.xreplace({a: f.SVRG_BEST_A}),
            assume("definition: Fig. 2", Eq(beta, value), Eq(tau, steps)),
            witness=values(f"beta={value} tau={steps}"),
            flaw="gap",
            note="The upper bound of (14) with the a that admits the most. The text chooses tau by the "
            "bounds of Lemma 1; the same values serve SARAH, SVRG and FedAvg, and only SARAH's bound holds.",
        )


with printed():
    NONE = by.real("section5.svrg.none")(
        f.SVRG_UPPER < 0,
        (beta > 3, beta <= 9, a > 0, tau >= 0),
        f.SVRG_SIDE,
        note="With beta up to 9, so with 5 and 7, no number of local steps satisfies (14).",
    )
    NONE_10 = by.real("section5.svrg.ten", TABLES)(
        f.SVRG_UPPER < tau,
        assume("definition: tables 1 and 2", Eq(beta, 10), Eq(tau, 20)),
        a > 0,
        f.SVRG_SIDE,
        note="Nor does tau = 20 with beta = 10. The tables' values come from a search, not from Lemma 1.",
    )
    BEST_SARAH = by.real("section5.table1.sarah", TABLES)(
        f.SARAH_UPPER < tau,
        assume("definition: table 1", Eq(beta, 5), Eq(tau, 20)),
        note="Table 1's best setting for SARAH is outside (13); table 2's, beta = 9, is within its "
        "upper bound.",
    )
    RATE = by.real("section5.stepsize")(
        1 / (7 * L) < 1 / (5 * L),
        L > 0,
        note="Smaller beta and larger eta = 1/(beta L), as said. That it also goes with a larger gamma is "
        "fedproxvr.discussion1.beta.gamma.",
    )


def _table(name: str, low: int, high: int, note: str) -> Step:
    return by.interval(f"section5.{name}", TABLES)(sp.Lt(low, high, evaluate=False), note=note)


ACCURACY = tuple(
    _table(
        f"accuracy.{name}",
        low,
        high,
        "Accuracy of FedAvg and of FedProxVR, in hundredths of a per cent.",
    )
    for name, low, high in (
        ("convex.svrg", 8402, 8412),
        ("convex.sarah", 8402, 8421),
        ("nonconvex.svrg", 9352, 9406),
        ("nonconvex.sarah", 9352, 9375),
    )
)
ROUNDS_TAKEN = tuple(
    _table(f"rounds.{name}", low, high, "Rounds T of FedProxVR and of FedAvg.")
    for name, low, high in (
        ("convex.svrg", 895, 983),
        ("convex.sarah", 965, 983),
        ("nonconvex.svrg", 970, 995),
        ("nonconvex.sarah", 958, 995),
    )
)
BATCH = _table("batch", 16, 32, "Best batch of FedAvg and of FedProxVR on the convex task.")
SARAH = (_sarah("smaller", 5, 10), _sarah("larger", 7, 20))
SVRG = (_svrg("smaller", 5, 10), _svrg("larger", 7, 20))
