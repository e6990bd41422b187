"""What the papers' figures compute: against other routes to the same numbers, and from real runs."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from fedproof.bounds import catalog
from fedproof.figures.api import figure
from fedproof.figures.caption import NOT_APPLICABLE
from fedproof.figures.random_search import best_of
from fedproof.figures.runs import fluctuation
from fedproof.figures.spec import ComputeContext
from fedproof.figures.trends import trend
from fedproof.papers.composite.figures import figure2, figure3, figure4
from fedproof.papers.fedproxvr.figures import figure1, sharpened, table1
from fedproof.papers.fedproxvr.figures import figure2 as effects
from fedproof.papers.fedproxvr.figures import figure3 as perceptron
from fedproof.papers.fedproxvr.figures import figure4 as weights
from fedproof.problems.catalog import make_problem
from fedproof.problems.composite.composite import prox_gradient
from fedproof.vocabulary.errors import InputError
from tests.papers.planted_tables import (
    ONE,
    TEN,
    accurate,
    area,
    frame,
    losses,
    toy,
)


def test_figure4_counts_rounds_to_the_same_accuracy() -> None:
    """Two points ahead in each round is one round ahead."""
    ahead = accurate({(0.005, 5): 0.04})
    level = float(ahead[(ahead.method == "fedda") & (ahead["round"] == 20)].test_accuracy.mean())

    assert figure4.rounds_to(ahead, "fedda", 0.005, 5, level) == 20
    assert figure4.rounds_to(ahead, "ours", 0.005, 5, level) == 18


def test_numbers_read_off_a_table_by_hand() -> None:
    """Root mean squares of two fifths; the fluctuation of a loss; trends with level steps, or with none."""
    found = figure3._fifths(np.array([9.0, 5.0, 5.0, 5.0, 5.0, 5.0, 5.0, 1.0, 2.0, 3.0, 4.0]))
    rough = losses(wobble=0.1)
    own = rough[(rough.method == "svrg") & (rough.way == "code") & (rough.beta == 5) & (rough.tau == 20)]
    rows = pd.DataFrame({"x": [1.0, 2.0, 3.0], "y": [1.0, 1.0 - 1e-9, 2.0], "g": 0})
    nothing = trend(pd.DataFrame({"x": [1.0, 1.0], "y": [1.0, 2.0], "g": [0, 1]}), "y", "x", "g", rising=True)

    assert found == {"floor": pytest.approx(math.sqrt(12.5)), "before": pytest.approx(math.sqrt(2.5))}
    assert np.allclose(fluctuation(own), 0.4 * (1 + 0.01 * np.arange(4)))
    assert trend(rows, "y", "x", "g", rising=True).against == 0
    assert trend(rows.assign(y=[1.0, 0.999, 2.0]), "y", "x", "g", rising=True).against == 1
    assert (nothing.seen, nothing.word, nothing.measured) == (False, NOT_APPLICABLE, "Nothing to compare.")


def test_figure4_names_what_13_excludes_and_the_sharpened_theorem_admits() -> None:
    """eta_g = 1 with ten clients: the conditions on eta_g alone, of both statements."""
    assert "excludes 1, which composite.theorem3.5.sharpened admits" in figure4.caption(
        accurate({(0.005, 5): 0.0})
    ).substituted  # fmt: skip
    for id, admits in (("composite.theorem3.5", False), ("composite.theorem3.5.sharpened", True)):
        values = {"eta_g": 1, "n": 10}
        asked = [c.relation for c in catalog.statement(id).admissible]
        own = [r for r in asked if {x.name for x in r.free_symbols} <= set(values)]
        assert all(bool(r.subs({x: values[x.name] for x in r.free_symbols})) for r in own) is admits


def test_figure1_checks_every_statement_of_its_discussion() -> None:
    """Each `observed` statement about the optimum is one claim, as stated; the full figure is certified."""
    found = dict(figure1.trends(toy(figure1)))
    table = figure1.compute(figure1.SPEC.size)

    assert len(found) == 8
    assert found["fedproxvr.discussion1.beta.gamma"].rising is False
    assert found["fedproxvr.discussion1.mu.sigma2"].rising is True
    assert figure1.caption(toy(figure1)).agreement == "Of 8 claims 8 are seen."
    assert len(table) == 1200
    assert table.certified.all()
    assert all(one.seen for _, one in figure1.trends(table))


def test_region_agrees_with_the_formulas_by_another_route() -> None:
    """The grid's Theta and objective equal the paper's formulas typed a second time, in plain NumPy."""
    g = area()[lambda t: t.kind == "grid"]
    mt, s = g.mu - g.lam, 1 + g.sigma2
    theta2 = 24 * (g.beta**2 * g.L**2 + g.mu**2) / (mt * g.L * (5 * g.beta**2 - 4 * g.beta) * (g.beta - 3))
    lost = np.sqrt(2 * s * theta2) + 2 * g.L / mt * np.sqrt((1 + theta2) * s)
    factor = (1 - lost - 2 * g.L * g.mu / mt**2 * (1 + theta2) * s) / g.mu
    objective = (1 + g.gamma * (5 * g.beta**2 - 4 * g.beta) / 8) / factor

    np.testing.assert_allclose(g.Theta, factor, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(g.objective, objective, rtol=1e-6)
    assert (g.admissible == (factor > 0)).all()


def test_sharpened_gains_are_those_of_the_same_points() -> None:
    """Rows in another order, or halved objectives; the caption's ratios; the full figure is certified."""
    forms = toy(sharpened)
    keys, first = ["estimator", "sigma2", "gamma"], sharpened.gains(forms)
    halved = forms.assign(objective=forms.objective / np.where(forms.form == "sharpened", 2, 1))
    mixed = sharpened.gains(forms.sample(frac=1, random_state=1))
    sarah = first[first.estimator == "sarah"]
    span = f"{sarah.ratio.min():.3g} to {sarah.ratio.max():.3g}"
    said = f"With SARAH the least objective is {span} times smaller than printed, most at γ = 0.1 and σ̄² = 1:"
    table = sharpened.compute(sharpened.SPEC.size)
    side = sharpened.gains(table)

    np.testing.assert_allclose(sharpened.gains(halved).ratio, 2 * first.ratio)
    np.testing.assert_array_equal(first.sort_values(keys).ratio, mixed.sort_values(keys).ratio)
    assert first.sort_values(keys).ratio.iloc[0] == pytest.approx(39.127 / 7.0946, rel=1e-4)
    assert said in str(sharpened.caption(forms))
    assert len(table) == 3 * len(side) == 2178
    assert table.certified.all()
    assert (side.sure > 5).all()
    assert (side.fair > 5).all()


def test_figure2_measures_the_papers_optimality(tmp_path: Path) -> None:
    """Ours with tau = 1 is proximal gradient steps, iterated here; with fewer rows the last one stays."""
    small = {"clients": 4, "samples": 20, "smoothness": [0.1], "rounds": [11, 6], "seeds": 1, "accuracy": 0.2}
    size = {**figure2.SPEC.size, **small}
    table = figure2.compute(size, ComputeContext(folder=tmp_path))
    thin = figure2.compute({**size, "kept": 3}, ComputeContext(folder=tmp_path))
    options = {"alpha": 50, "beta": 50, "samples": 20, "penalty_weight": 0.003, "smoothness": 0.1}
    problem: Any = make_problem("sparse_logistic", 4, 0, options)
    model, found = problem.start(), []
    for _ in range(12):
        mapping = prox_gradient(problem, model, 60.0)
        found.append(float(np.linalg.norm(mapping)))
        model = model - 60.0 * mapping
    own = table[(table.method == "ours") & (table.tau == 1)]
    hit = np.flatnonzero(np.array(found) <= 0.2 * found[0])

    assert own.optimality.to_numpy() == pytest.approx(np.array(found) / found[0], rel=1e-9)
    assert own.reached.iloc[0] == hit[0] if len(hit) else math.isnan(own.reached.iloc[0])
    assert set(table[table.tau == 1].method) == set(ONE)
    assert set(table[table.tau == 10].method) == set(TEN)
    assert sorted(thin[thin.tau == 1]["round"].unique()) == [0, 4, 8, 11]
    by_run = [t.groupby(["method", "tau"]).reached.first() for t in (table, thin)]
    pd.testing.assert_series_equal(*by_run)


def test_runs_that_are_kept_are_not_done_again(tmp_path: Path) -> None:
    """A figure made twice in one folder finds its runs; its picture and its table are the same."""
    size = {**weights.SPEC.toy, "rounds": 2}
    first = figure("fedproxvr.figure4", tmp_path, size=size, workers=1).path("csv").read_bytes()
    stamps = {f.name: f.stat().st_mtime_ns for f in (tmp_path / "fedproxvr.figure4.runs").iterdir()}
    again = figure("fedproxvr.figure4", tmp_path, size=size, workers=1).path("csv").read_bytes()

    assert again == first
    assert {f.name: f.stat().st_mtime_ns for f in (tmp_path / "fedproxvr.figure4.runs").iterdir()} == stamps
    assert len(stamps) == 2 * 2 * 2 * 2


def test_the_perceptron_spends_two_gradients_a_step(tmp_path: Path) -> None:
    """Fig. 3's toy runs every method; gradients of its two rounds are equally many, from 0."""
    table = perceptron.compute(
        {**perceptron.SPEC.size, **perceptron.SPEC.toy, "rounds": 2}, ComputeContext(folder=tmp_path)
    )
    spent = table.groupby(["method", "way", "beta", "seed"]).gradients

    assert (spent.first() == 0).all()
    assert (spent.nth(2).to_numpy() == 2 * spent.nth(1).to_numpy()).all()
    assert set(table.method) == {"fedavg", "svrg", "sarah", "sgd"}


def test_a_search_is_judged_on_seeds_that_it_did_not_see(tmp_path: Path) -> None:
    """The final seeds are fresh, the best setting is the search's, and the paper's rows are its settings."""
    table = table1.compute({**table1.SPEC.size, **table1.SPEC.toy}, ComputeContext(folder=tmp_path))
    search, final, paper = (table[table.stage == stage] for stage in ("search", "final", "paper"))

    assert not set(search.seed) & set(final.seed)
    assert (len(search), len(final)) == (3 * 2, 3 * 2)
    for method, rows in final.groupby("method"):
        own = search[search.method == method]
        tried = {tuple(r) for r in own[list(table1.HYPER)].itertuples(index=False)}
        assert len(tried) == 2
        assert set(rows[list(table1.HYPER)].itertuples(index=False, name=None)) <= tried
    assert list(paper.accuracy) == [0.8402, 0.8412, 0.8421]
    assert list(paper.method) == ["fedavg", "svrg", "sarah"]
    assert "Steps are 1/(βL) with the certified L." in table1.caption(table).substituted


def test_a_search_that_diverges_is_not_chosen() -> None:
    """A setting that one search seed did not finish is not the best, however accurate the other was."""
    rows = frame(tau=[5], beta=[0.1, 1.0], mu=[0.1], batch_size=[8], seed=range(2), round=range(2))
    rows = rows.assign(test_accuracy=np.where(rows.beta == 0.1, 0.9, 0.5 + 0.1 * rows["round"]))
    best, at = best_of(rows[(rows.beta != 0.1) | (rows.seed != 1)], list(table1.HYPER))

    assert (best["beta"], at) == (1.0, 1)


@pytest.mark.parametrize("text", ["abc", "5", "0:3", "5:2.5", "5:x"])
def test_settings_are_pairs(text: str) -> None:
    """A setting that is not beta:tau is refused before anything runs."""
    with pytest.raises(InputError):
        effects.compute({**effects.SPEC.size, **effects.SPEC.toy, "settings": [text]})


def test_a_users_own_file_takes_the_place_of_the_data(tmp_path: Path) -> None:
    """A figure runs on a file, names it without its folder, and says how it is split."""
    rng = np.random.default_rng(0)
    rows = np.column_stack([rng.integers(0, 9, (200, 3)), np.arange(200) % 4])
    np.savetxt(tmp_path / "mine.csv", rows, fmt="%d", delimiter=",")
    size = {**effects.SPEC.size, **effects.SPEC.toy, "data": [str(tmp_path / "mine.csv")], "clients": 4,
            "rounds": 2, "settings": ["5:3"]}  # fmt: skip
    table = effects.compute(size, ComputeContext(folder=tmp_path))

    assert "here mine.csv on 4 clients with two labels each and lognormal sizes" in str(
        effects.caption(table)
    )
    assert set(table["data"]) == {"mine.csv"}
    assert str(tmp_path) not in table.to_csv()
