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
from fedproof.figures.caption import NOT_SEEN, NOT_TOLD_APART, SEEN, TOO_SHORT, Caption, Claim
from fedproof.papers.composite.figures import figure2, figure3, figure4
from fedproof.problems.catalog import make_problem
from fedproof.problems.composite.composite import prox_gradient

ONE = ("ours", "printed", "fedda", "fedmid", "fast", "fast_linear", "longer")
TEN = ("ours", "printed", "fedda", "fedmid", "fast", "uncorrected", "constant", "after_prox")


def claim(caption: Caption, part: str) -> Claim:
    """The claim with these words."""
    return next(one for one in caption.claims if part in one.claim)


def full(
    rounds: Mapping[tuple[str, int], float],
    floors: Mapping[tuple[str, int], float] | None = None,
    seeds: int = 4,
) -> pd.DataFrame:
    """A table of Fig. 2 whose curves fall geometrically to 1e-10 in these rounds, never below the floors."""
    rows = []
    for method, tau, seed, r in product(
        dict.fromkeys((*ONE, *TEN)), (1, 10), range(seeds), range(0, 1001, 50)
    ):
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
    said = figure2.caption(full(AS_CLAIMED, {("fedmid", 1): 0.9}))

    assert "the algorithm on all 4 seeds, after 400 rounds" in claim(said, "With τ = 1").measured
    assert "Equally many rounds on 4 of 4 seeds" in claim(said, "same rate").measured
    assert "with 10 times fewer rounds" in claim(said, "1/τ").measured
    assert "gets there on all 4 seeds, with 10 times fewer" in claim(said, "not the longer").measured
    assert "FedDA on all 4 seeds, at 0.5 and FedMid on all 4 seeds" in claim(said, "FedMid stall").measured
    assert "7 runs" not in claim(said, "B_g").measured
    assert {one.word for one in said.claims if not one.ours} == {SEEN}


def test_figure2_contradicts_what_its_table_does_not_bear_out() -> None:
    """Fewer rounds by a half only, a FedDA at another rate, a floor, no stall: each claim falls by itself."""
    slower = AS_CLAIMED | {
        ("fedda", 1): 800.0,
        ("ours", 10): 200.0,
        ("fedda", 10): 200.0,
        ("constant", 10): 20.0,
    }
    said = figure2.caption(full(slower, {("ours", 10): 1e-12}))

    assert "Equally many rounds on 0 of 4 seeds" in claim(said, "same rate").measured
    assert "so the models are not the same" in claim(said, "same rate").measured
    assert "with 2 times fewer rounds" in claim(said, "1/τ").measured
    for part in ("same rate", "1/τ", "FedMid stall", "(t+1)η", "FedMid is the worst"):
        assert claim(said, part).word == NOT_SEEN
    floor = {(name, tau): 1e-3 for name in ("ours", "printed") for tau in (1, 10)}
    stalled = figure2.caption(full(AS_CLAIMED, floor))
    assert claim(stalled, "B_g").word == claim(stalled, "With τ = 10 the algorithm").word == NOT_SEEN


def test_figure2_cut_short_is_too_short_to_tell() -> None:
    """After 200 of 1000 rounds nothing has come to its end: no claim of the paper is called not seen."""
    table = full(AS_CLAIMED | {(name, tau): 900.0 for name in ("ours", "fedda", "fedmid") for tau in (1, 10)})
    short = table[table["round"] <= 200].assign(reached=math.nan)
    said = figure2.caption(short)

    assert NOT_SEEN not in {one.word for one in said.claims if not one.ours}
    for part in ("With τ = 1", "same rate", "With τ = 10 the algorithm", "1/τ", "FedMid stall", "B_g"):
        assert claim(said, part).word == TOO_SHORT


def test_figure2_tells_local_steps_from_a_longer_step() -> None:
    """Where the longer step alone fails the caption gives local steps the credit, and the other way round."""
    alone = {k: v for k, v in AS_CLAIMED.items() if k != ("longer", 1)}
    local = {k: v for k, v in AS_CLAIMED.items() if k != ("ours", 10)}
    first, second = (claim(figure2.caption(full(rounds)), "not the longer") for rounds in (alone, local))

    assert ("does not on 4 seeds, the other way round on 0" in first.measured, first.word) == (True, SEEN)
    assert ("does not on 0 seeds, the other way round on 4" in second.measured, second.word) == (
        True,
        NOT_SEEN,
    )


def test_figure2_tells_a_quick_fast_fedda() -> None:
    """Slowness is said to be no property of the method only where another choice of it is quick."""
    quick = claim(figure2.caption(full(AS_CLAIMED | {("fast_linear", 1): 30.0})), "slow").measured
    slow = claim(figure2.caption(full(AS_CLAIMED)), "slow")

    assert "more rounds than the algorithm on all 4 seeds" in quick
    assert "fewer on all 4 seeds with growing weights" in quick
    assert "no property of the method" in quick
    assert ("no property" in slow.measured, slow.word) == (False, SEEN)


def test_figure2_tells_what_limits_the_digits() -> None:
    """The last optimality of the printed form is told in those of the compact one."""
    table = full(AS_CLAIMED, {("printed", 1): 4.44e-12, ("ours", 1): 4.44e-15})

    assert "4.44×10⁻¹² after 1000, 1000 times that" in claim(figure2.caption(table), "rounding").measured


def test_figure2_counts_scalings_and_trivial_starts() -> None:
    """A start that is optimal counts as no convergence; other scalings are told from the table."""
    other = full(AS_CLAIMED)
    other = other[other.method.isin(["ours", "fedda", "longer"])].assign(L=0.05)
    other.loc[other.seed == 0, ["optimality", "reached"]] = 0.0
    said = figure2.caption(pd.concat([full(AS_CLAIMED), other])).substituted

    assert "at L = 0.1 on 4 of 4 (τ = 1) and 4 of 4 (τ = 10)" in said
    assert "at L = 0.05 on 3 of 3 (τ = 1) and 3 of 3 (τ = 10); x = 0 is optimal on 1 seed" in said


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
                "round": r, "optimality": floor, "batch_size": batch, "floor": floor, "before": floor,
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
    agreed = figure3.caption(noisy(CLAIMED3))
    against = figure3.caption(noisy(CLAIMED3 | {("fedda", 1): 1e-4}))

    assert {one.word for one in agreed.claims} == {SEEN}
    assert "lower in 2, higher in 0 of 2 comparisons" in claim(agreed, "FedDA performs").measured
    assert "lower in 1, higher in 1 of 2" in claim(against, "FedDA performs").measured
    assert claim(against, "FedDA performs").word == NOT_SEEN


def test_figure3_measures_what_a_batch_brings() -> None:
    """The fall of the squared floor is told beside the batches' ratio; none, or a rise, is told too."""
    flat = figure3.caption(noisy(CLAIMED3 | {("ours", 20): 1e-3}))
    worse = figure3.caption(noisy(CLAIMED3 | {("ours", 20): 1e-2}))
    seen = claim(figure3.caption(noisy(CLAIMED3, spread=0.0)), "precise").measured

    assert "|G|² falls 20 times, and proportional to σ²/b it would fall 20 times" in seen
    assert claim(flat, "precise").word == NOT_TOLD_APART
    assert "could have been seen" in claim(flat, "precise").measured
    assert claim(worse, "precise").word == NOT_SEEN


def test_figure3_before_its_floor_is_too_short_to_tell() -> None:
    """Where the fifth before is twice as large a floor is not told, but who is below whom already is."""
    falling = noisy(CLAIMED3)
    falling.loc[falling.batch_size == 20, "before"] = 2 * falling.floor
    said = figure3.caption(falling)

    assert "at rest on all 6 seeds and with b = 20 at" in claim(said, "neighbourhood").measured
    assert claim(said, "neighbourhood").word == TOO_SHORT
    assert claim(said, "FedDA performs").word == SEEN
    falling.loc[falling.method == "ours", "floor"] = 1e-1
    falling["before"] = 2 * falling.floor
    assert {one.word for one in figure3.caption(falling).claims} == {TOO_SHORT}


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
    """A gain at both tau, at one, or a loss: each has its own word."""
    more, one, less = (
        claim(figure4.caption(accurate({(0.005, 5): a, (0.005, 10): b})), "fewer rounds")
        for a, b in ((0.1, 0.1), (0.1, 0.0), (-0.1, -0.1))
    )

    assert [more.word, one.word, less.word] == [SEEN, NOT_TOLD_APART, NOT_SEEN]
    assert "less in 0, more in 1, not told apart in 1 of 2 comparisons (with 5 seeds" in one.measured
    assert "less in 2, more in 0 of 2" in less.measured


def test_figure4_counts_rounds_to_the_same_accuracy() -> None:
    """Two points ahead in each round is one round ahead; never getting there is told."""
    ahead = accurate({(0.005, 5): 0.04})
    behind = accurate({(0.005, 5): -0.1})
    level = float(ahead[(ahead.method == "fedda") & (ahead["round"] == 20)].test_accuracy.mean())

    assert figure4.rounds_to(ahead, "fedda", 0.005, 5, level) == 20
    assert figure4.rounds_to(ahead, "ours", 0.005, 5, level) == 18
    assert "they reach after no and 20 rounds" in str(figure4.caption(behind))


def test_figure4_says_what_was_substituted() -> None:
    """The caption names the paper's network; eta_g = 1 lies outside (13) and inside the sharpened theorem."""
    said = figure4.caption(accurate({(0.005, 5): 0.0})).substituted
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

    assert "1 of 15 runs diverged and are left out: fedda (1)." in str(figure4.caption(table))
    assert figure4.comparisons(table)["mean"][0].seeds == 4


def test_the_statements_name_these_figures() -> None:
    """Every claim that Sec. 4 reports of runs names a figure that exists and discusses it."""
    found = {
        claim.figure: claim
        for id in catalog.statement_ids("composite") if id.startswith("composite.section4")
        for claim in [catalog.statement(id).claim] if hasattr(claim, "figure")
    }  # fmt: skip

    assert set(found) == {"composite.figure2", "composite.figure3", "composite.figure4"}
