"""Captions of the experiments follow their tables: plant another outcome and the sentences change."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from fedproof.figures.api import figure
from fedproof.figures.caption import NOT_APPLICABLE, NOT_SEEN, NOT_TOLD_APART, SEEN, TOO_SHORT, Caption, Claim
from fedproof.figures.random_search import best_of
from fedproof.figures.runs import fluctuation
from fedproof.figures.spec import ComputeContext
from fedproof.papers.fedproxvr.figures import figure2, figure3, figure4, published_code, table1
from fedproof.papers.fedproxvr.figures.figure2 import CONTROL, compared
from fedproof.vocabulary.errors import InputError

SETTINGS = ((5.0, 10), (7.0, 20), (5.0, 20))
METHODS = (("fedavg", "fedavg"), *product(("svrg", "sarah"), ("printed", "code")), (CONTROL, "code"))


def claim(caption: Caption, part: str) -> Claim:
    """The claim with these words."""
    return next(one for one in caption.claims if part in one.claim)


def planted(ends: dict[str, float], wobble: float = 0.0, seeds: int = 4) -> pd.DataFrame:
    """A table of Fig. 2 whose final losses by method or way are given, with a little noise between seeds."""
    rows = []
    for (beta, tau), (method, way), seed, r in product(SETTINGS, METHODS, range(seeds), range(9)):
        end = ends.get(method, ends.get(way, 1.0)) + 1e-4 * seed * len(method)
        rough = wobble * (1 + 0.01 * seed) * (-1) ** r * (tau > 10 and beta == 5 and method != "fedavg")
        rows.append(
            {
                "data": "toy", "beta": beta, "tau": tau, "method": method, "way": way, "seed": seed,
                "round": r,
                "loss": 2 + (end - 2) * r / 8 + rough, "test_accuracy": 0.5, "gradients": r,
                "ended": "finished", "mu": 0.1, "batch_size": 32, "task": "a toy", "L": np.nan,
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


PRINTED, CODE = "(Algorithm 1 as printed)", "(the last of τ steps"


def test_who_ends_lower_decides_the_word() -> None:
    """Each way of running gets the verdict of its own losses, variance reduction one against its control."""
    better = figure2.caption(planted({"svrg": 0.5, "sarah": 0.5}))
    worse = figure2.caption(planted({"svrg": 1.5, "sarah": 1.5}))
    mixed = figure2.caption(planted({"printed": 1.5, "code": 0.5}))

    assert [claim(better, way).word for way in (PRINTED, CODE, "Variance", "other settings")] == [SEEN] * 4
    assert [claim(worse, way).word for way in (PRINTED, CODE, "Variance")] == [NOT_SEEN] * 3
    assert [claim(mixed, way).word for way in (PRINTED, CODE, "Variance")] == [NOT_SEEN, SEEN, NOT_TOLD_APART]
    assert "lower in 6, higher in 0 of 6" in claim(better, "Variance").measured
    assert "a difference of" in claim(mixed, "Variance").measured


def test_a_difference_within_the_noise_is_not_told_apart() -> None:
    """Losses that differ less than they scatter give no verdict, and too few seeds are told."""
    table = planted({})
    rng = np.random.default_rng(0)
    noisy = table.assign(loss=table.loss * np.exp(0.1 * rng.standard_normal(len(table))))
    found = claim(figure2.caption(noisy), PRINTED)

    assert found.word == TOO_SHORT
    assert "a difference of 5 % needs" in found.measured


def test_a_gap_that_grows_is_told_from_one_that_does_not() -> None:
    """The gap of the second setting is held against that of the first on the same seeds."""
    table = planted({"svrg": 0.9, "sarah": 0.9})
    ours = table.method.isin(["svrg", "sarah"]) & (table.beta == 7)
    wider = table.assign(loss=table.loss.where(~ours, (0.5 + 0.01 * table.seed) * table.loss))

    assert claim(figure2.caption(wider), "gap grows").word == SEEN
    assert claim(figure2.caption(table), "gap grows").word == NOT_TOLD_APART


def test_fluctuation_is_measured_and_told() -> None:
    """A curve that jumps up and down beyond the bound of tau is counted; a smooth one is not."""
    smooth, rough = (claim(figure2.caption(planted({}, wobble=w)), "fluctuate") for w in (0.0, 0.1))

    assert smooth.word != SEEN
    assert (rough.word, "lower in 0, higher in 4 of 4" in rough.measured) == (SEEN, True)
    table = planted({}, wobble=0.1)
    own = table[(table.method == "svrg") & (table.way == "code") & (table.beta == 5) & (table.tau == 20)]
    assert np.allclose(fluctuation(own), 0.4 * (1 + 0.01 * np.arange(4)))


def test_the_bound_of_tau_is_that_of_the_paper() -> None:
    """(5 beta^2 - 4 beta)/8 of (13), worked out by hand for the betas of Fig. 2."""
    said = figure2.caption(planted({})).substituted

    assert "the upper bound of (13) is 13.1 for β = 5 and 27.1 for β = 7" in said


def test_runs_that_diverged_are_told_and_left_out() -> None:
    """A seed on which FedAvg diverged is not a win of FedProxVR, and the caption counts it."""
    table = planted({"svrg": 1.5, "sarah": 1.5})
    lost = (table.method == "fedavg") & (table.seed == 1)
    early = table[~(lost & (table["round"] > 2))].copy()
    early.loc[(early.method == "fedavg") & (early.seed == 1), ["loss", "ended"]] = [9.0, "diverged"]
    said = figure2.caption(early)

    assert "3 of 72 runs diverged and are left out: fedavg (3)." in claim(said, PRINTED).measured
    assert claim(said, PRINTED).word == claim(said, CODE).word == NOT_SEEN
    assert {c.loss.seeds for c in compared(early)} == {3}
    assert "diverged" not in str(figure2.caption(table))


@pytest.mark.parametrize("pairs", [1, 2])
def test_fewer_settings_are_compared_as_far_as_they_go(pairs: int) -> None:
    """A figure of one or two settings has a caption too."""
    table = planted({"svrg": 0.5, "sarah": 0.5})
    fewer = table[[(b, t) in SETTINGS[:pairs] for b, t in zip(table.beta, table.tau, strict=True)]]
    said = str(figure2.caption(fewer))

    assert ("the gap grows" in said) == (pairs == 2)
    assert "fluctuate more" not in said


def test_figure3_is_the_same_comparison_on_a_perceptron(tmp_path: Path) -> None:
    """The toy figure runs the perceptron and says that no L is proved for it."""
    made = figure("fedproxvr.figure3", tmp_path, size=figure3.SPEC.toy, workers=1)

    assert "No L is proved" in made.claims.substituted
    assert claim(made.claims, "slightly larger").word == NOT_APPLICABLE
    spent = made.frame.groupby(["method", "way", "beta", "seed"]).gradients
    assert (spent.first() == 0).all()
    assert (spent.nth(2).to_numpy() == 2 * spent.nth(1).to_numpy()).all()
    assert set(made.frame.method) == {"fedavg", "svrg", "sarah", "sgd"}


def test_the_effect_of_a_switch_is_that_of_its_losses() -> None:
    """A switch that lowers every final loss is told as such; one that changes nothing is not."""
    rows = [
        {
            "data": "toy", "method": m, "switch": switch, "seed": s, "round": r, "test_accuracy": 0.5,
            "loss": 2.0 - 0.5 * r * (switch in ("last", "code")) + 1e-3 * s * r * len(switch),
            "gradients": r, "ended": "finished", "beta": 5.0, "tau": 10, "mu": 0.1, "batch_size": 32,
            "task": "a toy",
        }
        for m in ("svrg", "sarah") for switch in published_code.SWITCHES for s in range(4) for r in range(2)
    ]  # fmt: skip
    said = published_code.caption(pd.DataFrame(rows))

    assert "lower in 2, higher in 0 of 2 comparisons" in claim(said, "run Algorithm 1").measured
    assert claim(said, "run Algorithm 1").word == NOT_SEEN
    assert claim(said, "last iterate").word == SEEN
    assert (claim(said, "τ + 1").word, claim(said, "τ + 1").ours) == (NOT_TOLD_APART, True)


def fate(rise: bool) -> pd.DataFrame:
    """A table of Fig. 4 where SARAH without the proximal term and with long steps rises or falls."""
    rows = []
    grid = product(("svrg", "sarah"), ((0.3, 0.06), (0.001, 5.0)), (0.0, 4.0), range(3), range(5))
    for method, (eta, beta), mu, seed, r in grid:
        up = rise and method == "sarah" and eta == 0.3 and mu == 0
        noise = 1e-4 * seed * (1 + mu) * r
        rows.append(
            {
                "method": method, "step": f"η = {eta}", "stepsize": eta, "beta": beta, "mu": mu, "seed": seed,
                "round": r, "loss": 2.3 + (0.5 if up else -0.1 * (1 + mu)) * r + noise, "test_accuracy": 0.5,
                "gradients": r, "ended": "finished", "tau": 20, "batch_size": 1, "clients": 100,
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


def test_figure4_tells_where_a_loss_rises() -> None:
    """A loss that ends above its start on most seeds is told; none is where none does."""
    risen, fallen = (figure4.caption(fate(rise)) for rise in (True, False))

    assert claim(risen, "diverges").word == SEEN
    assert "or diverges, for SARAH with η = 0.3 of these" in claim(risen, "diverges").measured
    assert (claim(fallen, "diverges").word, claim(fallen, "slower").word) == (NOT_SEEN, NOT_SEEN)
    assert "higher in 4 of 4" in claim(fallen, "slower").measured


def test_figure4_tells_divergence_apart_from_a_rise() -> None:
    """A run that diverged is counted as such, and its last number is no final loss."""
    table = fate(False)
    lost = (table.method == "svrg") & (table.mu == 0) & (table.stepsize == 0.3) & (table.seed == 0)
    early = table[~(lost & (table["round"] > 1))].copy()
    early.loc[(early.method == "svrg") & (early.mu == 0) & (early.stepsize == 0.3) & (early.seed == 0),
              "ended"] = "diverged"  # fmt: skip
    first = figure4.outcomes(early)[0]

    assert (first.risen, first.diverged) == (0, 1)
    assert first.gaps[0].seeds == 2
    assert len(figure4.outcomes(fate(False)[lambda t: t.seed == 0])) == 4


def test_a_search_is_judged_on_seeds_that_it_did_not_see(tmp_path: Path) -> None:
    """The final seeds are fresh, the best setting is the search's, and the paper's rows are its settings."""
    size = {**table1.SPEC.size, **table1.SPEC.toy}
    table = table1.compute(size, ComputeContext(folder=tmp_path))

    search, final, paper = (table[table.stage == stage] for stage in ("search", "final", "paper"))
    assert not set(search.seed) & set(final.seed)
    assert (len(search), len(final)) == (3 * 2, 3 * 2)
    for method, rows in final.groupby("method"):
        own = search[search.method == method]
        tried = {tuple(r) for r in own[["tau", "beta", "mu", "batch_size"]].itertuples(index=False)}
        assert len(tried) == 2
        assert set(rows[["tau", "beta", "mu", "batch_size"]].itertuples(index=False, name=None)) <= tried
    assert list(paper.accuracy) == [0.8402, 0.8412, 0.8421]
    assert "(84.12 % and 84.21 % against 84.02 %)" in table1.caption(table).claims[0].claim
    assert "Steps are 1/(βL) with the certified L." in table1.caption(table).substituted
    assert list(paper.method) == ["fedavg", "svrg", "sarah"]


def test_accuracies_decide_the_verdict_of_a_table() -> None:
    """A gain on every fresh seed is told as one; the paper's own rows never count."""

    def rows(gain: float) -> pd.DataFrame:
        found = [
            {
                "data": "toy", "method": m, "stage": "final", "tau": 5, "beta": 1.0, "mu": 0.1,
                "batch_size": 16,
                "seed": s, "rounds": 10 + (m == "fedavg"), "accuracy": 0.8 + 1e-4 * s * len(m)
                + gain * (m != "fedavg"), "task": "a toy", "tried": 3, "L": np.nan,
            }
            for m in table1.METHODS for s in range(4)
        ]  # fmt: skip
        return pd.DataFrame([*found, *table1.printed("Table 1")])

    more, less = (table1.caption(rows(gain)) for gain in (0.05, -0.05))
    assert (claim(more, "accurate").word, claim(less, "accurate").word) == (SEEN, NOT_SEEN)
    assert "higher in 2 of 2" in claim(more, "accurate").measured
    assert (claim(more, "earlier").word, claim(more, "small batches").word) == (SEEN, NOT_APPLICABLE)
    assert "before FedAvg's in 2 of 2" in claim(more, "earlier").measured


def test_runs_that_are_kept_are_not_done_again(tmp_path: Path) -> None:
    """A figure made twice in one folder finds its runs, whatever the number of workers."""
    size = {**figure4.SPEC.toy, "rounds": 2}
    first = figure("fedproxvr.figure4", tmp_path, size=size, workers=1).path("csv").read_bytes()
    stamps = {f.name: f.stat().st_mtime_ns for f in (tmp_path / "fedproxvr.figure4.runs").iterdir()}
    again = figure("fedproxvr.figure4", tmp_path, size=size, workers=1).path("csv").read_bytes()

    assert again == first
    assert {f.name: f.stat().st_mtime_ns for f in (tmp_path / "fedproxvr.figure4.runs").iterdir()} == stamps
    assert len(stamps) == 2 * 2 * 2 * 2


@pytest.mark.parametrize("text", ["abc", "5", "0:3", "5:2.5", "5:x"])
def test_settings_are_pairs(text: str, tmp_path: Path) -> None:
    """A setting that is not beta:tau is refused before anything runs."""
    with pytest.raises(InputError):
        figure2.compute(
            {**figure2.SPEC.size, **figure2.SPEC.toy, "settings": [text]}, ComputeContext(folder=tmp_path)
        )


def test_a_search_that_diverges_is_not_chosen(tmp_path: Path) -> None:
    """A setting that one search seed did not finish is not the best, however accurate the other was."""
    rows = [
        {"tau": 5, "beta": beta, "mu": 0.1, "batch_size": 8, "round": r, "seed": s,
         "test_accuracy": 0.9 if beta == 0.1 else 0.5 + 0.1 * r}
        for beta in (0.1, 1.0) for s in range(2) for r in range(2) if not (beta == 0.1 and s == 1)
    ]  # fmt: skip
    best, at = best_of(pd.DataFrame(rows), list(table1.HYPER))

    assert (best["beta"], at) == (1.0, 1)


def test_a_users_own_file_takes_the_place_of_the_data(tmp_path: Path) -> None:
    """A figure runs on a file, names it without its folder, and says how it is split."""
    rng = np.random.default_rng(0)
    rows = np.column_stack([rng.integers(0, 9, (200, 3)), np.arange(200) % 4])
    np.savetxt(tmp_path / "mine.csv", rows, fmt="%d", delimiter=",")
    size = figure2.SPEC.toy | {"data": str(tmp_path / "mine.csv"), "clients": 4, "rounds": 2}

    made = figure("fedproxvr.figure2", tmp_path, size=size, workers=1)

    assert "here mine.csv on 4 clients with two labels each and lognormal sizes" in made.caption
    assert str(tmp_path) not in made.path("json").read_text()
    assert set(made.frame["data"]) == {"mine.csv"}
