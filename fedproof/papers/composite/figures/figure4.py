"""composite, Fig. 4: test accuracy of a network with an l1 penalty, against FedDA."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fedproof.figures import style
from fedproof.figures.caption import NOT_APPLICABLE, Caption, Claim, sentences
from fedproof.figures.comparison import TOGETHER, Difference, counted, difference, judge_groups, word
from fedproof.figures.curves import CurveStyle, draw_curve, legend_above
from fedproof.figures.number_format import listed, number
from fedproof.figures.parameters import real, text, whole
from fedproof.figures.power import seeds_needed
from fedproof.figures.runs import METRICS, RUN_COLUMNS, lost_runs, paired, run_table
from fedproof.figures.spec import DEFAULT_CONTEXT, Axis, Column, ComputeContext, Frame, Spec, recorded
from fedproof.figures.tasks import DATA_NAMES
from fedproof.solvers.runs.problem_spec import make_problem_spec
from fedproof.solvers.runs.run_spec import make_run_spec
from fedproof.vocabulary.plurals import count
from fedproof.vocabulary.source import Source

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from fedproof.figures.runs import Labelled

SHIPPED = "digits"
METHODS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "ours": ("fedcomposite", {"form": "compact"}),
    "fedda": ("fedda", {}),
    "uncorrected": ("fedcomposite", {"form": "compact", "correction": "none"}),
}
_PAPER_CNN = {"channels": "32,32", "kernel": 3, "dense": "64,32"}
MATTERS = 1.0
"""A gain of less than one point is of no interest."""
_PARAMETERS = (
    text("data", SHIPPED),
    text("model", "perceptron"),
    whole("clients", 10),
    real("mixed", 0.5, "part of the rows that is dealt at random"),
    real("penalty_weight", 0.0001),
    real("eta", (0.005, 0.1), "step size of the local updates", zero=False),
    real("eta_g", 1.0, "server step size", zero=False),
    whole("tau", (5, 10)),
    whole("batch_size", 10, "b, samples a step"),
    whole("rounds", 250),
    whole("seeds", seeds_needed(2.0, 8)),
)

SPEC = Spec(
    id="composite.figure4",
    title="Test accuracy of a network with an l1 penalty",
    source=Source("composite", "Fig. 4 and Sec. 4.2"),
    parameters=_PARAMETERS,
    columns=(
        Column("method", "ours, fedda, or ours without correction"),
        Column("eta", "step size of the local updates", "length^2/loss"),
        Column("tau", "local steps", "steps"),
        *RUN_COLUMNS,
        *recorded(_PARAMETERS, "eta_g", "batch_size", "penalty_weight", "clients"),
        Column("task", "data and model, in words"),
    ),
    axes={"round": Axis("round"), "test_accuracy": Axis("test accuracy")},
    toy={"model": "softmax", "eta": [0.1], "tau": [2], "rounds": 4, "seeds": 2},
    brief={"rounds": 50, "seeds": 7},
)  # fmt: skip


def compute(size: Mapping[str, Any], context: ComputeContext = DEFAULT_CONTEXT) -> Frame:
    """One history for each step size, number of local steps, method and seed."""
    table = run_table(list(_runs(size)), context)
    given = {name: size[name] for name in ("eta_g", "batch_size", "penalty_weight", "clients")}
    return table.assign(**given, task=_task(size))[list(SPEC.names)]


def _runs(size: Mapping[str, Any]) -> Iterator[Labelled]:
    shipped = size["data"] == SHIPPED
    options = {
        "split": "half_labels", "mixed": size["mixed"], "model": size["model"], "penalty": "l1",
        "penalty_weight": size["penalty_weight"], "test_fraction": "1/4" if shipped else "1/7",
        **(_PAPER_CNN if size["model"] == "cnn" else {}),
    }  # fmt: skip
    for seed in range(size["seeds"]):
        made = make_problem_spec(size["data"], size["clients"], seed, options)
        for eta in size["eta"]:
            for tau in size["tau"]:
                common = {"eta": eta, "eta_g": size["eta_g"], "tau": tau, "b": size["batch_size"]}
                for method, (algorithm, hyper) in METHODS.items():
                    spec = make_run_spec(
                        algorithm, made, rounds=size["rounds"], seed=seed, metrics=METRICS,
                        parameters={**common, **hyper},
                    )  # fmt: skip
                    yield {"method": method, "eta": float(eta), "tau": tau}, spec


def _task(size: Mapping[str, Any]) -> str:
    data = DATA_NAMES.get(size["data"], Path(size["data"]).name)
    models = {
        "perceptron": "a perceptron with 32 hidden units", "softmax": "softmax regression",
        "cnn": "the paper's convolutional network",
    }  # fmt: skip
    model = models.get(size["model"], size["model"])
    share = number(100 * size["mixed"])
    return f"{data} and {model}, {share} % of the rows dealt at random and the others by label"


def settings(table: Frame) -> list[tuple[float, int]]:
    """The pairs (eta, tau), in order."""
    pairs = table[["eta", "tau"]].drop_duplicates()
    return [(float(eta), int(tau)) for eta, tau in pairs.itertuples(index=False)]


def draw(table: Frame) -> Figure:
    """Accuracy above, ours less FedDA's below; a column for each number of local steps."""
    taus = list(table.tau.unique())
    picture = style.blank(8.2, 5.6)
    panels = picture.subplots(2, len(taus), sharex=True, sharey="row", squeeze=False)
    for (top, bottom), tau in zip(panels.T, taus, strict=True):
        runs = table[table.tau == tau]
        _accuracies(top, runs)
        _gains(bottom, runs)
        style.set_axes(bottom, SPEC.axes["round"], None)
    style.set_axes(panels[0, 0], None, SPEC.axes["test_accuracy"])
    panels[1, 0].set_ylabel("gain on FedDA (points)")
    panels[1, -1].legend(loc="upper right")
    style.panel_letters(list(panels.ravel()), [f"τ = {tau}" for tau in taus] * 2)
    legend_above(picture, panels[0, 0], 3)
    return picture


def _accuracies(axes: Axes, runs: Frame) -> None:
    """Mean accuracies and bands of quartiles; the step sizes are written beside the curves."""
    looks = {
        "ours": ("Algorithm 1", style.CATEGORIES[0], "-", 3.0, 0.6),
        "fedda": ("FedDA", style.CATEGORIES[1], "-", 1.5, 1.0),
        "uncorrected": ("Algorithm 1, no correction", style.DARK, ":", 1.2, 1.0),
    }
    highest = runs[runs["round"] == runs["round"].max()].groupby("eta").test_accuracy.mean().max()
    for again, (eta, of_eta) in enumerate(runs.groupby("eta", sort=False)):
        for method, (label, colour, line, width, alpha) in looks.items():
            look = CurveStyle(None if again else label, colour, line, width, alpha)
            draw_curve(axes, of_eta[of_eta.method == method], "test_accuracy", look, "mean")
        mean = of_eta.groupby("round").test_accuracy.mean()
        shift = 8 if mean.iloc[-1] >= highest else -20
        axes.annotate(f"η = {number(float(eta))}", (mean.index[-1], mean.iloc[-1]), xytext=(-4, shift),
                      textcoords="offset points", fontsize=10, ha="right")  # fmt: skip


def _gains(axes: Axes, runs: Frame) -> None:
    """Ours less FedDA on the same seed, in points: means with their intervals; shaded is the last tenth."""
    etas, last = list(runs.eta.unique()), int(runs["round"].max())
    for eta, colour in zip(etas, style.ordered_colours(len(etas) + 1), strict=False):
        own = runs[(runs.eta == eta) & (runs.ended == "finished")]
        wide = 100 * own.pivot(index="round", columns=["method", "seed"], values="test_accuracy")
        both = wide["ours"].columns.intersection(wide["fedda"].columns)
        rows = (wide[name][both].to_numpy() for name in ("ours", "fedda"))
        found = [difference(*pair) for pair in zip(*rows, strict=True)]
        axes.fill_between(
            wide.index, [f.low for f in found], [f.high for f in found], color=colour, alpha=0.2, linewidth=0
        )
        axes.plot(
            wide.index,
            [f.mean for f in found],
            color=colour,
            label=f"η = {number(float(eta))}",
            linewidth=1.3,
        )
    axes.axvspan(late_from(runs), last, color=style.GREY, zorder=0)
    axes.axhline(0, color="black", linewidth=0.8)
    axes.margins(x=0)


def late_from(table: Frame) -> int:
    """The round after which the last tenth of the rounds begins."""
    last = int(table["round"].max())
    return last - max(1, last // 10)


def _finished(table: Frame, method: str, eta: float, tau: int) -> Frame:
    """The finished runs of a method in one setting."""
    own = table[(table.method == method) & (table.eta == eta) & (table.tau == tau)]
    return own[own.ended == "finished"]


def comparisons(table: Frame) -> dict[str, list[Difference]]:
    """Ours less FedDA in points, paired by seed, for every (eta, tau).

    Returns: `mean` over all rounds but the first, `last` over the last tenth of them.
    """
    found: dict[str, list[Difference]] = {}
    for kind, first in (("mean", 0), ("last", late_from(table))):
        found[kind] = []
        for eta, tau in settings(table):
            ours, other = (
                100 * runs[runs["round"] > first].groupby("seed").test_accuracy.mean()
                for runs in (_finished(table, name, eta, tau) for name in ("ours", "fedda"))
            )
            found[kind].append(paired(difference, ours, other))
    return found


def rounds_to(table: Frame, method: str, eta: float, tau: int, level: float) -> int | None:
    """The first round whose accuracy, averaged over seeds, is at least this high."""
    mean = _finished(table, method, eta, tau).groupby("round").test_accuracy.mean()
    at = mean.index[mean >= level]
    return int(at[0]) if len(at) else None


def caption(table: Frame) -> Caption:
    """Who is more accurate, with the paper's step and with others; all comparisons are decided together."""
    judged = judge_groups(comparisons(table), matters=MATTERS)
    claims = []
    for eta in dict.fromkeys(eta for eta, _ in settings(table)):
        at = [place for place, (other, _) in enumerate(settings(table)) if other == eta]
        taus = listed(f"τ = {settings(table)[place][1]}" for place in at)
        ours = eta != float(table.eta.iloc[0])
        for kind, words in (("mean", "with fewer rounds"), ("last", "at the end")):
            own = [judged[kind][place] for place in at]
            window = "all rounds" if kind == "mean" else "the last tenth of the rounds"
            gains = listed(one.difference.text() for one in own)
            claims.append(
                Claim(
                    f"With {taus} the algorithm is more accurate than FedDA {words} (η = {number(eta)}).",
                    sentences([
                        f"Mean gain over {window}, in points: {gains}; {counted(own, 'less', 'more')}.",
                        *([_ends(table, eta)] if kind == "last" else []),
                    ]),
                    word(own, 1),
                    ours,
                )
            )  # fmt: skip
    claims.append(
        Claim(
            "It overcomes client drift.",
            f"Drift itself is not measured; without correction it ends within {_uncorrected(table)} points "
            f"of FedDA. {lost_runs(table, ['eta', 'tau'])}".strip(),
            NOT_APPLICABLE,
        )
    )
    return Caption(tuple(claims), _substituted(table))


def _mean_ends(table: Frame) -> Frame:
    last = table[(table["round"] == table["round"].max()) & (table.ended == "finished")]
    return last.groupby(["eta", "tau", "method"]).test_accuracy.mean()


def _ends(table: Frame, eta: float) -> str:
    """Mean final accuracies, and the rounds after which FedDA's is reached."""
    last, said = _mean_ends(table), []
    for own_eta, tau in settings(table):
        if own_eta == eta:
            level = float(last[eta, tau, "fedda"])
            own, other = (rounds_to(table, name, eta, tau, level) for name in ("ours", "fedda"))
            said.append(
                f"{number(100 * float(last[eta, tau, 'ours']))} % against {number(100 * level)} % with "
                f"τ = {tau}, which they reach after {own or 'no'} and {other or 'no'} rounds"
            )
    return f"Mean final accuracy: {'; '.join(said)}."


def _uncorrected(table: Frame) -> str:
    last = _mean_ends(table)
    apart = [float(last[*at, "uncorrected"] - last[*at, "fedda"]) for at in settings(table)]
    return number(100 * max(map(abs, apart)), 2)


def _substituted(table: Frame) -> str:
    row = table.iloc[0]
    etas = listed(number(float(eta)) for eta in table.eta.unique())
    seeds = count(int(table.seed.nunique()), "seed")
    return (
        f"The paper trains a network with two convolutions and 112,394 parameters on MNIST; here "
        f"{row.task}. ReLU and max pooling have no Lipschitz gradient, so no theorem speaks of that network. "
        f"{count(int(row.clients), 'client')} (the paper: 10, with half of the rows at random). "
        f"ϑ = {number(row.penalty_weight)}, b = {int(row.batch_size)}, η = {etas} (the paper: 0.005), "
        f"η_g = {number(row.eta_g)}: (13) asks for η_g of at least 1.5 and excludes 1, which "
        f"composite.theorem3.5.sharpened admits. Lines are means over {seeds} of split and draws, bands "
        "quartiles, those of gains the intervals of the mean; the last tenth of the rounds is shaded. "
        f"data=FOLDER and model=cnn take MNIST's files and the paper's network. {TOGETHER}"
    )
