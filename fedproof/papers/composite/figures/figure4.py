"""composite, Fig. 4: test accuracy of a network with an l1 penalty, against FedDA."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fedproof.figures.number_format import listed, number
from fedproof.figures.paired import LEVEL, Difference, decided, difference
from fedproof.figures.runs import METRICS, RUN_COLUMNS, run_table
from fedproof.figures.spec import DEFAULT_CONTEXT, Axis, Column, ComputeContext, Frame, Spec, compose
from fedproof.solvers.runs.problem_spec import make_problem_spec
from fedproof.solvers.runs.run_spec import RunSpec, make_run_spec
from fedproof.vocabulary.plurals import count
from fedproof.vocabulary.source import Source

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SHIPPED = "digits"
METHODS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "ours": ("fedcomposite", {"form": "compact"}),
    "fedda": ("fedda", {}),
    "uncorrected": ("fedcomposite", {"form": "compact", "correction": "none"}),
}
_PAPER_CNN = {"channels": "32,32", "kernel": 3, "dense": "64,32"}

SPEC = Spec(
    id="composite.figure4",
    title="Test accuracy of a network with an l1 penalty",
    source=Source("composite", "Fig. 4 and Sec. 4.2"),
    claims=(
        "With τ = 5 and τ = 10 the algorithm overcomes client drift and is more accurate with fewer rounds "
        "than FedDA."
    ),
    columns=(
        Column("method", "ours, fedda, or ours without correction"),
        Column("eta", "step size of the local updates", "length^2/loss"),
        Column("tau", "local steps", "steps"),
        *RUN_COLUMNS,
        Column("eta_g", "server step size"),
        Column("batch_size", "b, samples a step", "samples"),
        Column("penalty_weight", "ϑ", "loss/length"),
        Column("clients", "clients, all of which take part", "clients"),
        Column("task", "data and model, in words"),
    ),
    axes={"round": Axis("round"), "test_accuracy": Axis("test accuracy")},
    size={
        "data": SHIPPED, "model": "perceptron", "clients": 10, "mixed": 0.5, "penalty_weight": 0.0001,
        "eta": [0.005, 0.1], "eta_g": 1.0, "tau": [5, 10], "batch_size": 10, "rounds": 250, "seeds": 10,
    },
    toy={"model": "softmax", "eta": [0.1], "tau": [2], "rounds": 4, "seeds": 2},
    brief={"rounds": 80, "seeds": 4},
)  # fmt: skip


def compute(size: Mapping[str, Any], context: ComputeContext = DEFAULT_CONTEXT) -> Frame:
    """One history for each step size, number of local steps, method and seed."""
    table = run_table(list(_jobs(size)), context)
    given = {name: size[name] for name in ("eta_g", "batch_size", "penalty_weight", "clients")}
    return table.assign(**given, task=_task(size))[list(SPEC.names)]


def _jobs(size: Mapping[str, Any]) -> Iterator[tuple[dict[str, Any], RunSpec]]:
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
                    job = make_run_spec(
                        algorithm, made, rounds=size["rounds"], seed=seed, metrics=METRICS,
                        parameters={**common, **hyper},
                    )  # fmt: skip
                    yield {"method": method, "eta": float(eta), "tau": tau}, job


def _task(size: Mapping[str, Any]) -> str:
    data = "scikit-learn's digits (8 × 8 pixels)" if size["data"] == SHIPPED else Path(size["data"]).name
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
    from fedproof.figures.style import blank, house_style, panel_letters

    taus = list(table.tau.unique())
    with house_style():
        picture = blank(8.2, 5.6)
        panels = picture.subplots(2, len(taus), sharex=True, sharey="row", squeeze=False)
        for (top, bottom), tau in zip(panels.T, taus, strict=True):
            runs = table[table.tau == tau]
            _accuracies(top, runs)
            _gains(bottom, runs)
            bottom.set_xlabel(SPEC.axes["round"].label)
        panels[0, 0].set_ylabel(SPEC.axes["test_accuracy"].label)
        panels[1, 0].set_ylabel("gain on FedDA (points)")
        panels[1, -1].legend(loc="upper right")
        panel_letters(list(panels.ravel()), [f"τ = {tau}" for tau in taus] * 2)
        picture.legend(*panels[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
        return picture


def _accuracies(axes: Axes, runs: Frame) -> None:
    """Mean accuracies and bands of quartiles; the step sizes are written beside the curves."""
    from fedproof.figures.style import CATEGORIES

    looks = {
        "ours": ("Algorithm 1", CATEGORIES[0], "-", 3.0), "fedda": ("FedDA", CATEGORIES[1], "-", 1.5),
        "uncorrected": ("Algorithm 1, no correction", "#202124", ":", 1.2),
    }  # fmt: skip
    for again, (eta, of_eta) in enumerate(runs.groupby("eta", sort=False)):
        for method, (label, colour, style, width) in looks.items():
            by_round = of_eta[of_eta.method == method].groupby("round").test_accuracy
            mean, low, high = by_round.mean(), by_round.quantile(0.25), by_round.quantile(0.75)
            axes.fill_between(low.index, low, high, color=colour, alpha=0.15, linewidth=0)
            axes.plot(mean, color=colour, linestyle=style, linewidth=width,
                      alpha=0.6 if method == "ours" else 1, label=None if again else label)  # fmt: skip
        place = int(0.35 * (len(mean) - 1))
        axes.annotate(f"η = {number(float(eta))}", (mean.index[place], mean.iloc[place]), xytext=(6, -18),
                      textcoords="offset points", fontsize=10)  # fmt: skip
    axes.margins(x=0)


def _gains(axes: Axes, runs: Frame) -> None:
    """Ours less FedDA on the same seed, in points: means and bands of quartiles."""
    from fedproof.figures.style import ordered_colours

    etas = list(runs.eta.unique())
    for eta, colour in zip(etas, ordered_colours(len(etas) + 1), strict=False):
        wide = runs[runs.eta == eta].pivot(index="round", columns=["method", "seed"], values="test_accuracy")
        gap = 100 * (wide["ours"] - wide["fedda"])
        low, high = gap.quantile(0.25, axis=1), gap.quantile(0.75, axis=1)
        axes.fill_between(gap.index, low, high, color=colour, alpha=0.2, linewidth=0)
        axes.plot(gap.mean(axis=1), color=colour, linewidth=1.3, label=f"η = {number(float(eta))}")
    axes.axhline(0, color="black", linewidth=0.8)
    axes.margins(x=0)


def _finished(table: Frame, method: str, eta: float, tau: int) -> Frame:
    """The finished runs of a method in one setting."""
    own = table[(table.method == method) & (table.eta == eta) & (table.tau == tau)]
    return own[own.ended == "finished"]


def comparisons(table: Frame) -> list[tuple[float, int, str, Difference]]:
    """Ours less FedDA, paired by seed: mean accuracy over all rounds, and over the last tenth of them.

    Returns: (eta, tau, "mean" or "last", difference).
    """
    late = table["round"].max() - max(1, int(table["round"].max()) // 10)
    found = []
    for eta, tau in settings(table):
        for kind, first in (("mean", 0), ("last", late)):
            ours, other = (
                runs[runs["round"] > first].groupby("seed").test_accuracy.mean()
                for runs in (_finished(table, name, eta, tau) for name in ("ours", "fedda"))
            )
            both = ours.index.intersection(other.index)
            found.append((eta, tau, kind, difference(ours[both], other[both])))
    return found


def rounds_to(table: Frame, method: str, eta: float, tau: int, level: float) -> int | None:
    """The first round whose accuracy, averaged over seeds, is at least this high."""
    mean = _finished(table, method, eta, tau).groupby("round").test_accuracy.mean()
    at = mean.index[mean >= level]
    return int(at[0]) if len(at) else None


def caption(table: Frame) -> str:
    """Who is more accurate, and by how much; numbers from the table."""
    found = comparisons(table)
    return compose(
        claims=SPEC.claims,
        seen=_seen(table, found),
        agreement=_agreement(table, found),
        chosen=_chosen(table),
    )


def _seen(table: Frame, found: list[tuple[float, int, str, Difference]]) -> str:
    """Accuracies in percent, the differences, and rounds to where FedDA ends."""
    last = (
        table[table["round"] == table["round"].max()].groupby(["eta", "tau", "method"]).test_accuracy.mean()
    )
    said = []
    for eta, tau in settings(table):
        level = float(last[eta, tau, "fedda"])
        own, other = (rounds_to(table, name, eta, tau, level) for name in ("ours", "fedda"))
        gap = next(one for *key, one in found if tuple(key) == (eta, tau, "mean"))
        said.append(
            f"η = {number(eta)}, τ = {tau}: {number(100 * float(last[eta, tau, 'ours']))} % against "
            f"{number(100 * level)} %, which they reach after {'no' if own is None else own} and "
            f"{'no' if other is None else other} rounds; averaged over all rounds "
            f"{_points(gap)}"
        )
    apart = [last[*at, "uncorrected"] - last[*at, "fedda"] for at in settings(table)]
    spread = 100 * max(abs(float(gap)) for gap in apart)
    return (
        f"Mean final test accuracy of the algorithm and of FedDA, and the difference in points: "
        f"{'; '.join(said)}. Without correction it ends within {number(spread, 2)} points of FedDA."
        f"{_lost(table)}"
    )


def _points(gap: Difference) -> str:
    scaled = Difference(100 * gap.mean, 100 * gap.low, 100 * gap.high, gap.p, gap.seeds)
    return f"{scaled.text()}, p = {number(gap.p, 2)}"


def _lost(table: Frame) -> str:
    ends = table[["method", "eta", "tau", "seed", "ended"]].drop_duplicates()
    lost = int((ends.ended == "diverged").sum())
    return f" {lost} of {count(len(ends), 'run')} diverged and are left out." if lost else ""


def _agreement(table: Frame, found: list[tuple[float, int, str, Difference]]) -> str:
    signs = decided([one for *_, one in found])
    judged = {one[:3]: sign for one, sign in zip(found, signs, strict=True)}
    said = []
    for eta in dict.fromkeys(eta for eta, _ in settings(table)):
        taus = [tau for e, tau in settings(table) if e == eta]
        for kind, words in (("mean", "over all rounds"), ("last", "over the last tenth of them")):
            own = [judged[eta, tau, kind] for tau in taus]
            said.append(
                f"{words}, η = {number(eta)}: more accurate in {own.count(1)}, less in {own.count(-1)}, "
                f"not told apart in {own.count(0)} of {count(len(own), 'case')}"
            )
    main = [judged[eta, tau, "mean"] for eta, tau in settings(table) if eta == table.eta.iloc[0]]
    lead = (
        "With the paper's step the algorithm is more accurate than FedDA at every τ."
        if all(sign > 0 for sign in main)
        else "With the paper's step the algorithm is not seen to be more accurate than FedDA at every τ."
    )
    together = f"All verdicts hold together at {number(100 * LEVEL)} % (Holm)."
    return f"{lead} Against FedDA {'; '.join(said)}. {together}"


def _chosen(table: Frame) -> str:
    row = table.iloc[0]
    etas = listed(number(float(eta)) for eta in table.eta.unique())
    return (
        f"The paper trains a network with two convolutions and 112,394 parameters on MNIST; here "
        f"{row.task}. ReLU and max pooling have no Lipschitz gradient, so no theorem speaks of that network. "
        f"{count(int(row.clients), 'client')} (the paper: 10, with half of the rows at random). "
        f"ϑ = {number(row.penalty_weight)}, b = {int(row.batch_size)}, η = {etas} (the paper: 0.005), "
        f"η_g = {number(row.eta_g)}: (13) asks for η_g of at least 1.5 and excludes 1, which "
        "composite.theorem3.5.sharpened admits. Lines are means and bands quartiles over "
        f"{count(int(table.seed.nunique()), 'seed')} of split and draws; data=FOLDER and model=cnn take "
        "MNIST's files and the paper's network."
    )
