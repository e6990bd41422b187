"""Captions of composite's figures follow their tables: plant another outcome and the sentences change."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from fedproof.bounds import catalog
from fedproof.figures.api import figure
from fedproof.papers.composite.figures import _figure2_caption as _full
from fedproof.papers.composite.figures import figure2, figure3, figure4
from fedproof.papers.composite.figures._runs import relative
from fedproof.problems.catalog import make_problem
from fedproof.problems.composite.composite import prox_gradient

ONE = ("ours", "printed", "fedda", "fedmid", "fast", "fast_linear", "longer")
TEN = ("ours", "printed", "fedda", "fedmid", "fast", "uncorrected", "constant", "after_prox")


def part(text: str, label: str) -> str:
    """One labelled line of a caption."""
    return dict(line.split(": ", 1) for line in text.splitlines())[label]


def full(
    rounds: Mapping[tuple[str, int], float],
    floors: Mapping[tuple[str, int], float] | None = None,
    seeds: int = 4,
) -> pd.DataFrame:
    """A table of Fig. 2 whose curves fall geometrically to 1e-10 in these rounds, never below the floors."""
    rows = []
    for method, tau, seed, r in product((*ONE, *TEN), (1, 10), range(seeds), range(0, 1001, 50)):
        if method not in (ONE if tau == 1 else TEN):
            continue
        need = rounds.get((method, tau), math.inf)
        floor = (floors or {}).get((method, tau), 1e-15)
        curve = 10 ** (-10 * r / need) if math.isfinite(need) else 0.5
        rows.append(
            {
                "method": method, "tau": tau, "L": 0.1, "seed": seed, "stepsize": 4.0,
                "server_stepsize": 15.0, "round": r, "optimality": max(curve, floor),
                "reached": need if floor <= 1e-10 and need <= 1000 else math.nan, "clients": 30,
                "samples": 100, "penalty_weight": 0.003, "fast_mu": 0.001 * (method == "fast"),
                "accuracy": 1e-10,
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


AS_CLAIMED = {
    ("ours", 1): 400.0, ("printed", 1): 400.0, ("fedda", 1): 400.0, ("longer", 1): 40.0, ("ours", 10): 40.0,
    ("printed", 10): 40.0,
}  # fmt: skip


def test_figure2_tells_every_claim_that_its_table_bears_out() -> None:
    """Equal rounds, a tenth of them, stalling others: each is told as seen."""
    said = part(figure2.caption(full(AS_CLAIMED)), "Agreement")

    assert "the algorithm comes to the accuracy on all 4 seeds, FedDA on all 4 seeds" in said
    assert "equally many rounds on 4 of 4 seeds" in said
    assert "So the rate is the same." in said
    assert "with 10 times fewer rounds: about 1/τ is seen" in said
    assert "η_g times 10 takes 10 times fewer rounds where it gets there, on all 4 seeds" in said
    assert "FedDA on all 4 seeds, FedMid on all 4 seeds" in said
    assert "(t+1)η in place of η ends better on all 4 seeds: the improvement is seen" in said
    assert "Wherever the algorithm gets there no error by B_g is left" in said


def test_figure2_contradicts_what_its_table_does_not_bear_out() -> None:
    """Fewer rounds by a half only, a FedDA at another rate, a floor, no stall: each claim falls by itself."""
    slower = AS_CLAIMED | {
        ("fedda", 1): 800.0,
        ("ours", 10): 200.0,
        ("fedda", 10): 200.0,
        ("constant", 10): 20.0,
    }
    said = part(figure2.caption(full(slower, {("ours", 10): 1e-12})), "Agreement")

    assert "equally many rounds on 0 of 4 seeds" in said
    assert "So the rate is not always the same, the models are not" in said
    assert "with 2 times fewer rounds: about 1/τ is not seen" in said
    assert "FedDA on none of 4 seeds, FedMid on all 4 seeds" in said
    assert "ends better on none of 4 seeds: the improvement is not seen" in said
    floor = {(name, tau): 1e-3 for name in ("ours", "printed") for tau in (1, 10)}
    assert "No run gets there" in part(figure2.caption(full(AS_CLAIMED, floor)), "Agreement")


def test_figure2_tells_local_steps_from_a_longer_step() -> None:
    """Where the longer step alone fails the caption gives local steps the credit, and the other way round."""
    alone = {k: v for k, v in AS_CLAIMED.items() if k != ("longer", 1)}
    local = {k: v for k, v in AS_CLAIMED.items() if k != ("ours", 10)}

    assert "alone does not on 4 seeds, the other way round on 0" in figure2.caption(full(alone))
    assert "alone does not on 0 seeds, the other way round on 4" in figure2.caption(full(local))


def test_figure2_tells_a_quick_fast_fedda() -> None:
    """Slowness is said to be no property of the method only where another choice of it is quick."""
    quick = part(figure2.caption(full(AS_CLAIMED | {("fast_linear", 1): 30.0})), "Agreement")
    slow = part(figure2.caption(full(AS_CLAIMED)), "Agreement")

    assert "slower than the algorithm on all 4 seeds" in quick
    assert "faster on all 4 seeds with growing weights" in quick
    assert "no property of the method" in quick
    assert "no property" not in slow


def test_figure2_tells_what_limits_the_digits() -> None:
    """The last optimality of the printed form is told in those of the compact one."""
    table = full(AS_CLAIMED, {("printed", 1): 4.44e-12, ("ours", 1): 4.44e-15})

    assert "4.4×10⁻¹² after 1000, 1000 times that of form (2)" in part(figure2.caption(table), "Seen")


def test_figure2_counts_scalings_and_trivial_starts() -> None:
    """A start that is optimal counts as no convergence; other scalings are told from the table."""
    other = full(AS_CLAIMED)
    other = other[other.method.isin(["ours", "fedda", "longer"])].assign(L=0.05)
    other.loc[other.seed == 0, ["optimality", "reached"]] = 0.0
    said = part(figure2.caption(pd.concat([full(AS_CLAIMED), other])), "Chosen here")

    assert "at L = 0.1 on 4 of 4 (τ = 1) and 4 of 4 (τ = 10)" in said
    assert "at L = 0.05 on 3 of 3 (τ = 1) and 3 of 3 (τ = 10); x = 0 is optimal on 1 seed" in said
    assert relative([0.0, 0.0]).tolist() == [0.0, 0.0]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Fig. 2 on a small problem, from real runs."""
    size = {"clients": 4, "samples": 20, "smoothness": 0.1, "rounds": [12, 6], "seeds": 2, "accuracy": 0.2}
    return figure("composite.figure2", tmp_path_factory.mktemp("figure2"), size=size, workers=1)


def test_figure2_measures_the_papers_optimality(made: Any) -> None:
    """The rows of our method with tau = 1 are proximal gradient steps, iterated here from the definition."""
    table = made.frame
    options = {"alpha": 50, "beta": 50, "samples": 20, "penalty_weight": 0.003, "smoothness": 0.1}
    problem: Any = make_problem("sparse_logistic", 4, 1, options)
    model, found = problem.start(), []
    for _ in range(13):
        mapping = prox_gradient(problem, model, 60.0)
        found.append(float(np.linalg.norm(mapping)))
        model = model - 60.0 * mapping
    own = table[(table.method == "ours") & (table.tau == 1) & (table.seed == 1)]

    assert own.optimality.to_numpy() == pytest.approx(np.array(found) / found[0], rel=1e-9)
    hit = np.flatnonzero(np.array(found) <= 0.2 * found[0])
    assert own.reached.iloc[0] == hit[0] if len(hit) else math.isnan(own.reached.iloc[0])
    assert set(table[table.tau == 1].method) == set(ONE)
    assert set(table[table.tau == 10].method) == set(TEN)


def test_figure2_thins_rows_but_keeps_the_last(tmp_path: Path) -> None:
    """With fewer rows a run has its last round, and `reached` is that of all rounds."""
    size = {"clients": 3, "samples": 10, "smoothness": 0.1, "rounds": [11], "seeds": 1, "tau": 2}
    every, thin = (
        figure("composite.figure2", tmp_path / str(kept), size={**size, "kept": kept}, workers=1).frame
        for kept in (100, 3)
    )

    assert sorted(thin["round"].unique()) == [0, 4, 8, 11]
    keys = ["method", "tau", "seed"]
    pd.testing.assert_series_equal(every.groupby(keys).reached.first(), thin.groupby(keys).reached.first())


def noisy(ends: Mapping[tuple[str, int], float], spread: float = 0.03, seeds: int = 6) -> pd.DataFrame:
    """A table of Fig. 3 with these floors, a few percent apart between seeds."""
    rng = np.random.default_rng(3)
    rows = []
    for (method, batch), seed in product(ends, range(seeds)):
        floor = ends[method, batch] * (1 + spread * rng.standard_normal())
        rows += [
            {
                "method": method, "tau": 20, "L": 0.01, "seed": seed, "stepsize": 2.0, "server_stepsize": 8.0,
                "round": r, "optimality": floor, "batch_size": batch, "floor": floor, "before": 2 * floor,
                "clients": 30, "samples": 2000, "penalty_weight": 0.0005,
            }
            for r in range(3)
        ]  # fmt: skip
    return pd.DataFrame(rows)


CLAIMED3 = {
    ("ours", 1): 1e-3, ("fedda", 1): 1e-2, ("fast", 1): 1e-1,
    ("ours", 20): 1e-3 / math.sqrt(20), ("fedda", 20): 1e-2, ("fast", 20): 1e-1,
}  # fmt: skip


def test_figure3_tells_who_ends_lower() -> None:
    """Others that end higher at both batches are told as worse; one that ends lower is not."""
    agreed = part(figure3.caption(noisy(CLAIMED3)), "Agreement")
    against = part(figure3.caption(noisy(CLAIMED3 | {("fedda", 1): 1e-4})), "Agreement")

    assert agreed.startswith(
        "The others are worse everywhere. With the larger batch the algorithm's precision improves"
    )
    assert against.startswith("The others are worse in 3, better in 1 of 4 cases.")
    assert "Against FedDA at b = 1 it ends higher (" in against


def test_figure3_measures_what_a_batch_brings() -> None:
    """The fall of the squared floor is told beside the batches' ratio; none, or a rise, is told too."""
    flat = CLAIMED3 | {("ours", 20): 1e-3}
    worse = CLAIMED3 | {("ours", 20): 1e-2}

    seen = part(figure3.caption(noisy(CLAIMED3, spread=0.0)), "Seen")
    assert "|G|² falls 20 times (median; 20 to 20); proportional to σ²/b it would fall 20 times" in seen
    assert "precision is not seen to change" in part(figure3.caption(noisy(flat)), "Agreement")
    assert "precision worsens" in part(figure3.caption(noisy(worse)), "Agreement")
    still = noisy(CLAIMED3)
    still.loc[still.batch_size == 20, "before"] = still.floor
    assert "on 0 of 6 seeds with b = 1 and 0 of 6 seeds with b = 20" in figure3.caption(noisy(CLAIMED3))
    assert "on 0 of 6 seeds with b = 1 and 6 of 6 seeds with b = 20" in figure3.caption(still)


def test_figure3_takes_fifths_of_the_rounds() -> None:
    """The floor is the root mean square of the last fifth, however many rows are kept."""
    found = figure3._fifths(np.array([9.0, 5.0, 5.0, 5.0, 5.0, 5.0, 5.0, 1.0, 2.0, 3.0, 4.0]))

    assert found == {"floor": pytest.approx(math.sqrt(12.5)), "before": pytest.approx(math.sqrt(2.5))}


def accurate(gains: Mapping[tuple[float, int], float], seeds: int = 5) -> pd.DataFrame:
    """A table of Fig. 4 where our accuracy exceeds FedDA's by these numbers in every round but the first."""
    rng = np.random.default_rng(4)
    rows = []
    for (eta, tau), method, seed in product(gains, figure4.METHODS, range(seeds)):
        gain = gains[eta, tau] * (method == "ours") + 1e-3 * rng.standard_normal()
        rows += [
            {
                "method": method, "eta": eta, "tau": tau, "seed": seed, "round": r, "loss": 1.0,
                "test_accuracy": 0.1 + (0.02 * r + gain) * (r > 0), "gradients": r, "ended": "finished",
                "eta_g": 1.0, "batch_size": 10, "penalty_weight": 1e-4, "clients": 10, "task": "a toy",
            }
            for r in range(21)
        ]  # fmt: skip
    return pd.DataFrame(rows)


def test_figure4_tells_who_is_more_accurate() -> None:
    """A gain at both tau, at one, or a loss: each has its own sentence."""
    more = part(figure4.caption(accurate({(0.005, 5): 0.1, (0.005, 10): 0.1})), "Agreement")
    one = part(figure4.caption(accurate({(0.005, 5): 0.1, (0.005, 10): 0.0})), "Agreement")
    less = part(figure4.caption(accurate({(0.005, 5): -0.1, (0.005, 10): -0.1})), "Agreement")

    assert more.startswith("With the paper's step the algorithm is more accurate than FedDA at every τ.")
    assert one.startswith("With the paper's step the algorithm is not seen to be more accurate")
    assert "over all rounds, η = 0.005: more accurate in 1, less in 0, not told apart in 1 of 2" in one
    assert "over all rounds, η = 0.005: more accurate in 0, less in 2" in less


def test_figure4_counts_rounds_to_the_same_accuracy() -> None:
    """Two points ahead in each round is one round ahead; never getting there is told."""
    ahead = accurate({(0.005, 5): 0.04})
    behind = accurate({(0.005, 5): -0.1})
    level = float(ahead[(ahead.method == "fedda") & (ahead["round"] == 20)].test_accuracy.mean())

    assert figure4.rounds_to(ahead, "fedda", 0.005, 5, level) == 20
    assert figure4.rounds_to(ahead, "ours", 0.005, 5, level) == 18
    assert "which they reach after no and 20 rounds" in part(figure4.caption(behind), "Seen")


def test_figure4_says_what_was_substituted() -> None:
    """The caption names the paper's network; eta_g = 1 lies outside (13) and inside the sharpened theorem."""
    said = part(figure4.caption(accurate({(0.005, 5): 0.0})), "Chosen here")
    printed = catalog.statement("composite.theorem3.5")
    sharp = catalog.statement("composite.theorem3.5.sharpened")

    assert "112,394 parameters on MNIST; here a toy" in said
    assert "excludes 1, which composite.theorem3.5.sharpened admits" in said
    for statement, admits in ((printed, False), (sharp, True)):
        values = {"eta_g": 1, "n": 10}
        asked = [c.relation for c in statement.admissible]
        own = [r for r in asked if {x.name for x in r.free_symbols} <= set(values)]
        held = [bool(r.subs({x: values[x.name] for x in r.free_symbols})) for r in own]
        assert all(held) is admits


def test_figure4_leaves_out_what_diverged() -> None:
    """A run that diverged is counted and enters no difference."""
    table = accurate({(0.005, 5): 0.1})
    lost = (table.method == "fedda") & (table.seed == 0)
    table.loc[lost, "ended"] = "diverged"

    assert "1 of 15 runs diverged and are left out" in part(figure4.caption(table), "Seen")
    assert figure4.comparisons(table)[0][-1].seeds == 4


def test_the_statements_name_these_figures() -> None:
    """Every claim that Sec. 4 reports of runs names a figure that exists and discusses it."""
    found = {
        claim.figure: claim
        for id in catalog.statement_ids("composite") if id.startswith("composite.section4")
        for claim in [catalog.statement(id).claim] if hasattr(claim, "figure")
    }  # fmt: skip

    assert set(found) == {"composite.figure2", "composite.figure3", "composite.figure4"}


def test_on_how_many_seeds() -> None:
    """All, some and none read as a sentence does, one seed too."""
    assert [_full.on(k, 2) for k in range(3)] == ["on none of 2 seeds", "on 1 of 2 seeds", "on all 2 seeds"]
    assert _full.on(1, 1) == "on 1 of 1 seed"
