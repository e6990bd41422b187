"""composite, Fig. 2: sparse logistic regression with full gradients, tau = 1 and 10."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from fedproof.figures import style
from fedproof.figures.caption import Caption, Claim, word_if
from fedproof.figures.curves import LEAST_DRAWN, CurveStyle, draw_curve, legend_below
from fedproof.figures.number_format import listed, number
from fedproof.figures.outcomes import Outcome, outcome
from fedproof.figures.parameters import placed, real, whole
from fedproof.figures.power import seeds_for_all
from fedproof.figures.runs import last_rounds, on, root_table, spread_of
from fedproof.figures.spec import DEFAULT_CONTEXT, Column, ComputeContext, Frame, Spec, recorded
from fedproof.papers.composite.figures._sparse_logistic import (
    AXES,
    COLUMNS,
    OPTIMALITY,
    data_parameters,
    problem_spec,
    step_parameters,
)
from fedproof.solvers.runs.run_spec import make_run_spec
from fedproof.vocabulary.plurals import count
from fedproof.vocabulary.source import Source

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fedproof.figures.runs import Labelled

STALLED = 1e-6
"""Optimality above which a curve that has come to rest is said to stall."""
FACTOR = 1.5
"""How far from tau a ratio of rounds may lie to be called a reduction by about 1/tau."""
_PARAMETERS = (
    *data_parameters(100, 0.003),
    real("smoothness", (0.1, 0.05, 0.2), "largest L of a client; the first is drawn", zero=False),
    whole("tau", 10, "local steps beside τ = 1"),
    *step_parameters(4.0, 15.0),
    real("fedmid_eta", 1.0, "η of FedMid", zero=False),
    real("fedmid_eta_g", 5.0, "η_g of FedMid", zero=False),
    placed(real("fast_mu", (0.001, 0.0001), "μ of Fast-FedDA, with constant and with growing weights")),
    real("accuracy", 1e-10, "optimality that counts as reached", zero=False),
    placed(whole("rounds", (1500, 300), "rounds with τ = 1 and with local steps")),
    whole("seeds", seeds_for_all()),
    whole("kept", 300, "about so many rows of every run"),
)

SPEC = Spec(
    id="composite.figure2",
    title="Sparse logistic regression with full gradients",
    source=Source("composite", "Fig. 2 and Sec. 4.1"),
    parameters=_PARAMETERS,
    columns=(
        *COLUMNS,
        Column("reached", "the first of all rounds with the accuracy; empty where there is none", "rounds"),
        *recorded(_PARAMETERS, "clients", "samples", "penalty_weight"),
        Column("fast_mu", "mu of Fast-FedDA; 0 elsewhere", "loss/length^2"),
        *recorded(_PARAMETERS, "accuracy"),
    ),
    axes=AXES,
    toy={"clients": 4, "samples": 10, "smoothness": [0.1, 0.05], "rounds": [30, 12], "seeds": 2},
    brief={"smoothness": [0.1], "rounds": [650, 120], "seeds": 5},
)


def compute(size: Mapping[str, Any], context: ComputeContext = DEFAULT_CONTEXT) -> Frame:
    """One history for each method, number of local steps, scaling and seed."""
    runs = list(_runs(size))
    table = root_table(
        runs, context, size["kept"],
        lambda f: {"reached": float([*np.flatnonzero(f <= size["accuracy"]), math.nan][0])},
    )  # fmt: skip
    fast = {"fast": size["fast_mu"][0], "fast_linear": size["fast_mu"][-1]}
    given = {name: size[name] for name in ("clients", "samples", "penalty_weight", "accuracy")}
    table = table.assign(**given, fast_mu=[float(fast.get(method, 0.0)) for method in table.method])
    return table[list(SPEC.names)]


def _runs(size: Mapping[str, Any]) -> Iterator[Labelled]:
    """The runs; at scalings other than the first only ours and FedDA."""
    long = size["tau"]
    for place, smoothness in enumerate(size["smoothness"]):
        for seed in range(size["seeds"]):
            made = problem_spec(size, seed, smoothness)
            for tau, rounds in {1: size["rounds"][0], long: size["rounds"][-1]}.items():
                for method, algorithm, hyper in _methods(size, tau, brief=place > 0):
                    labels = {"method": method, "tau": tau, "L": float(smoothness),
                              "stepsize": float(hyper["eta"]),
                              "server_stepsize": float(hyper.get("eta_g", 1))}  # fmt: skip
                    yield labels, make_run_spec(
                        algorithm, made, rounds=rounds, seed=seed, metrics=(OPTIMALITY,),
                        parameters={**hyper, "tau": tau},
                    )  # fmt: skip


def _methods(size: Mapping[str, Any], tau: int, *, brief: bool) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """A name for each, the algorithm, and its hyper-parameters without tau."""
    same = {"eta": size["eta"], "eta_g": size["eta_g"]}
    yield "ours", "fedcomposite", {**same, "form": "compact"}
    yield "fedda", "fedda", same
    if tau == 1:
        yield "longer", "fedcomposite", {**same, "eta_g": size["tau"] * size["eta_g"], "form": "compact"}
    if brief:
        return
    yield "printed", "fedcomposite", same
    yield "fedmid", "fedmid", {"eta": size["fedmid_eta"], "eta_g": size["fedmid_eta_g"]}
    first = {"eta": size["eta"] * size["eta_g"]}
    yield "fast", "fast_fedda", {**first, "mu": size["fast_mu"][0]}
    if tau == 1:
        yield "fast_linear", "fast_fedda", {**first, "mu": size["fast_mu"][-1], "weights": "linear"}
    else:
        yield "uncorrected", "fedcomposite", {**same, "form": "compact", "correction": "none"}
        yield "constant", "fedcomposite", {**same, "form": "compact", "local_prox": "constant"}
        yield "after_prox", "fedcomposite", {**same, "communicated": "after_prox"}


def main(table: Frame) -> Frame:
    """The runs at the scaling that the table begins with."""
    return table[table.L == table.L.iloc[0]]


def looks(table: Frame) -> list[dict[tuple[str, int], CurveStyle]]:
    """What each panel shows."""
    long = int(table.tau.max())
    ours, fedda, fedmid, fast = style.CATEGORIES
    known = {
        "fedda": CurveStyle("FedDA", fedda, "--"), "fedmid": CurveStyle("FedMid", fedmid),
        "fast": CurveStyle("Fast-FedDA", fast),
    }  # fmt: skip
    one = {
        ("ours", 1): CurveStyle("Algorithm 1, (2)", ours, width=2.4),
        ("printed", 1): CurveStyle("Algorithm 1, lines 4–18", "#56B4E9", width=1.1),
        **{(name, 1): look for name, look in known.items()},
        ("fast_linear", 1): CurveStyle("Fast-FedDA, growing weights", fast, ":"),
    }
    many = {
        ("ours", long): CurveStyle("Algorithm 1, (2)", ours, width=2.4),
        **{(name, long): look for name, look in known.items()},
    }
    changed = {
        ("ours", long): CurveStyle("Algorithm 1, (2)", ours, width=2.4),
        ("uncorrected", long): CurveStyle("no correction", "#202124", "--"),
        ("constant", long): CurveStyle(r"prox with $\eta$", "#E69F00", "-."),
        ("after_prox", long): CurveStyle("after-prox models sent", "#CC79A7", ":"),
    }
    gain = {
        ("ours", 1): CurveStyle(r"$\tau = 1$", "#56B4E9", width=2.0),
        ("longer", 1): CurveStyle(rf"$\tau = 1$, $\eta_g$ times {long}", "#202124", "-."),
        ("ours", long): CurveStyle(rf"$\tau = {long}$", ours),
    }
    return [one, many, changed, gain] if long > 1 else [one]


def draw(table: Frame) -> Figure:
    """Medians and all seeds: tau = 1, tau = 10, the changed forms, and where the gain comes from."""
    rows, panels_of = main(table), looks(table)
    rows = rows.assign(optimality=rows.optimality.clip(lower=LEAST_DRAWN))
    long = int(table.tau.max())
    titles = ["τ = 1", f"τ = {long}", f"parts of the algorithm, τ = {long}", "local steps or a longer step?"]
    picture = style.blank(8.2, 7.6 if len(panels_of) > 1 else 4.2)
    panels = picture.subplots(-(-len(panels_of) // 2), min(2, len(panels_of)), sharey=True, squeeze=False)
    for axes, drawn in zip(panels.ravel(), panels_of, strict=True):
        for (method, tau), look in drawn.items():
            own = rows[(rows.method == method) & (rows.tau == tau)]
            draw_curve(axes, own, "optimality", look, band=False)
        axes.set_yscale("log")
        legend_below(axes)
        style.set_axes(axes, AXES["round"], None)
    for line in panels:
        style.set_axes(line[0], None, AXES["optimality"])
    panels[0, 0].set_ylim(1e-16, 10)
    ours = rows[(rows.method == "ours") & (rows.tau == 1)]
    reached = ours.reached.iloc[0]
    panels[-1, -1].set_xlim(0, float(min(2 * reached, ours["round"].max())) if reached > 0 else None)
    style.panel_letters(list(panels.ravel()), titles)
    return picture


_NAMES = {
    "ours": "the algorithm", "fedda": "FedDA", "fedmid": "FedMid", "fast": "Fast-FedDA",
    "uncorrected": "no correction", "after_prox": "after-prox models sent",
}  # fmt: skip


def caption(table: Frame) -> Caption:
    """Every claim by itself, from the runs at the first scaling."""
    rows = main(table)
    long = int(rows.tau.max())
    one, many = (
        {name: outcome(_NAMES.get(name, name), own) for name, own in rows[rows.tau == tau].groupby("method")}
        for tau in (1, long)
    )
    claims = [_precise(rows, 1, one["ours"], one["fedda"]), _same(rows, one["ours"], one["fedda"])]
    claims += [
        _worst(one),
        _slow(*(one[m] for m in ("ours", "fast", "fast_linear"))),
    ]
    if long > 1:
        claims += [
            _precise(rows, long, many["ours"]), _tenth(one["ours"], many["ours"], long),
            _stall(long, many["fedda"], many["fedmid"]), _growing(many["ours"], many["constant"]),
            _control(one["ours"], one["longer"], many["ours"], long),
            _stall(long, *(many[m] for m in ("fast", "uncorrected", "after_prox")), ours=True),
        ]  # fmt: skip
    claims += [_no_floor(one["ours"], many["ours"]), _digits(rows, one["printed"], one["ours"])]
    return Caption(tuple(claims), _substituted(table, rows))


def _precise(rows: Frame, tau: int, *curves: Outcome) -> Claim:
    accuracy, last = number(float(rows.accuracy.iloc[0])), int(rows[rows.tau == tau]["round"].max())
    each = [
        f"{one.name} {one.seeds}, after {spread_of(one.reached)} rounds, and ends at {spread_of(one.end)}"
        for one in curves
    ]
    return Claim(
        f"With τ = {tau} {listed(one.name for one in curves)} converge{'s' * (len(curves) == 1)} to machine "
        "precision.",
        f"In {count(last, 'round')} to {accuracy} come {listed(each)} (medians and quartiles).",
        word_if(
            all(one.reached.notna().all() for one in curves),
            long_enough=not any(one.moving for one in curves),
        ),
    )


def _same(rows: Frame, ours: Outcome, fedda: Outcome) -> Claim:
    """Whether FedDA and ours need equally many rounds, and whether their curves are one."""
    both = ours.reached.notna() & fedda.reached.notna()
    equal, got = int((ours.reached[both] == fedda.reached[both]).sum()), int(both.sum())
    wide = rows[rows.tau == 1].pivot(index=["seed", "round"], columns="method", values="optimality")
    wide = wide[(wide.ours > 1e-8) & (wide.fedda > 1e-8)]
    apart = float(np.abs(np.log(wide.ours / wide.fedda)).max()) if len(wide) else 0.0
    return Claim(
        "They do so at exactly the same rate.",
        f"Equally many rounds on {equal} of {count(got, 'seed')} where both get there; above 10⁻⁸ their "
        f"curves differ by up to {number(100 * math.expm1(apart), 2)} %"
        f"{', so the models are not the same' if apart > 1e-6 else ''}.",
        word_if(equal == got > 0, long_enough=got > 0),
    )


def _worst(one: Mapping[str, Outcome]) -> Claim:
    """Held against the others' ends only once the algorithm has done."""
    others = [one[name].end for name in ("ours", "fedda", "fast")]
    seeds = sum((one["fedmid"].end > other) for other in others) == len(others)
    return Claim(
        "FedMid is the worst.",
        f"It ends above all others {on(int(seeds.sum()), len(seeds))}, at {spread_of(one['fedmid'].end)}; "
        f"Fast-FedDA at {spread_of(one['fast'].end)}.",
        word_if(bool(seeds.all()), long_enough=not one["ours"].moving),
    )


def _slow(ours: Outcome, fast: Outcome, linear: Outcome) -> Claim:
    """Whether Fast-FedDA is slow whatever its mu and weights."""
    rounds = [one.reached.fillna(math.inf) for one in (ours, fast, linear)]
    slower, quick = int((rounds[1] > rounds[0]).sum()), int((rounds[2] < rounds[0]).sum())
    seeds = len(ours.reached)
    return Claim(
        "Fast-FedDA is slow.",
        f"It needs more rounds than the algorithm {on(slower, seeds)} with the weights of its code, and "
        f"fewer {on(quick, seeds)} with growing weights and a smaller μ"
        f"{': slowness is no property of the method' if 2 * quick > seeds else ''}.",
        word_if(slower == seeds, long_enough=ours.there > 0),
    )


def _tenth(one: Outcome, many: Outcome, long: int) -> Claim:
    fewer = many.times_fewer(one)
    middle = float(np.median(fewer)) if len(fewer) else math.nan
    return Claim(
        "In rounds roughly reduced by 1/τ.",
        f"With τ = {long} the algorithm gets there {many.seeds}, with {spread_of(fewer)} times fewer rounds.",
        word_if(
            long / FACTOR <= middle <= long * FACTOR,
            long_enough=len(fewer) > 0 or (one.there > 0 and not many.moving),
        ),
    )


def _control(one: Outcome, alone: Outcome, local: Outcome, long: int) -> Claim:
    """Whether a longer server step alone does as well as local steps."""
    more, less = (
        int((a.reached.notna() & b.reached.isna()).sum()) for a, b in ((local, alone), (alone, local))
    )
    return Claim(
        "Local steps bring this, and not the longer η̃ alone.",
        f"τ = 1 with η_g times {long} gets there {alone.seeds}, with {spread_of(alone.times_fewer(one))} "
        f"times fewer rounds. Local steps get there and the longer step alone does not on "
        f"{count(more, 'seed')}, the other way round on {less}.",
        word_if(more > less, long_enough=alone.there + local.there > 0),
        ours=True,
    )


def _stall(long: int, *outcomes: Outcome, ours: bool = False) -> Claim:
    """Which of the others end far from a stationary point with local steps."""
    said = [
        f"{o.name} {on(int((o.end > STALLED).sum()), len(o.end))}, at {spread_of(o.end)}" for o in outcomes
    ]
    rest = not any(one.moving for one in outcomes)
    return Claim(
        f"With τ = {long} {listed(one.name for one in outcomes)} stall.",
        f"Above {number(STALLED)} at the end: {listed(said)}.",
        word_if(rest and all((one.end > STALLED).all() for one in outcomes), long_enough=rest),
        ours,
    )


def _no_floor(*outcomes: Outcome) -> Claim:
    there = sum(one.there for one in outcomes)
    return Claim(
        "No error by B_g is seen.",
        f"None is left in the {count(there, 'run')} of the algorithm that get there; "
        "composite.theorem3.5.sharpened proves that there is none.",
        word_if(there > 0, long_enough=not any(one.moving for one in outcomes)),
    )


def _growing(ours: Outcome, constant: Outcome) -> Claim:
    better = ours.end < constant.end / 10
    return Claim(
        "The growing parameter (t+1)η improves the performance significantly (Sec. 2.2).",
        f"With η in its place a run ends at {spread_of(constant.end)}, more than ten times higher "
        f"{on(int(better.sum()), len(better))}.",
        word_if(bool(better.all()), long_enough=not ours.moving),
    )


def _digits(rows: Frame, printed: Outcome, ours: Outcome) -> Claim:
    """What limits the digits of the printed form."""
    times = (printed.end / ours.end.clip(lower=np.finfo(float).eps)).to_numpy()
    own = rows[(rows.method == "printed") & (rows.tau == 1)]
    half = last_rounds(own[own["round"] <= own["round"].max() / 2])
    return Claim(
        "In the printed form every round leaves a rounding in the mean of the c_i.",
        f"With τ = 1 it is at {spread_of(half.optimality)} after {int(half['round'].max())} rounds and at "
        f"{spread_of(printed.end)} after {int(own['round'].max())}, {spread_of(times)} times that of (2).",
        word_if(float(np.median(times)) > 2, long_enough=not ours.moving),
        ours=True,
    )


def _substituted(table: Frame, rows: Frame) -> str:
    ours, row = rows[rows.method == "ours"].iloc[0], rows.iloc[0]
    scale, steps = float(row.L), ours.stepsize * ours.server_stepsize
    fast = rows[rows.method == "fast"]
    moves = listed(f"{number(steps * tau * scale)} (τ = {tau})" for tau in sorted(rows.tau.unique()))
    mu = (
        f"Fast-FedDA begins with 1/γ = {number(fast.stepsize.iloc[0])}, μ = {number(fast.fast_mu.max())} and "
        "the constant weights of its published code; its theorem's values were not at hand. "
        if len(fast)
        else ""
    )
    return (
        f"The paper leaves the scaling of the features out. Here they are multiplied by one number that "
        f"makes the largest L of a client {number(scale)} (with rows in the unit ball it is at most 0.25). "
        f"η̃L is {moves}; (13) asks for 0.1. {_others(table)}"
        f"{count(int(row.clients), 'client')}, m = {int(row.samples)}, ϑ = {number(row.penalty_weight)}; "
        f"{count(int(rows.seed.nunique()), 'seed')}, each with data of its own. {mu}Optimality is that of "
        "each method's own step, as in the paper: equal at the start, and elsewhere apart by at most the "
        f"ratio of the steps. Heavy curves are medians over seeds, light ones the seeds."
    )


def _others(table: Frame) -> str:
    """What the other scalings do."""
    said = []
    for scale, runs in table.groupby("L", sort=False):
        ours = runs[runs.method == "ours"].drop_duplicates(["tau", "seed"])
        trivial = int((ours[ours.tau == 1].reached == 0).sum())
        each = listed(
            f"{int((own.reached > 0).sum())} of {len(own) - trivial} (τ = {tau})"
            for tau, own in ours.groupby("tau")
        )
        start = f"; x = 0 is optimal on {count(trivial, 'seed')}" if trivial else ""
        said.append(f"at L = {number(float(scale))} on {each}{start}")
    accuracy = number(float(table.accuracy.iloc[0]))
    return f"Seeds on which the algorithm reaches {accuracy}: {'; '.join(said)}. "
