"""Captions follow their tables: plant another outcome and its sentence and its word change."""

from __future__ import annotations

from typing import Any

import pytest

from fedproof.figures.caption import NOT_APPLICABLE, NOT_SEEN, NOT_TOLD_APART, SEEN, TOO_SHORT, Claim
from fedproof.papers.composite.figures import figure2, figure3, figure4
from fedproof.papers.fedproxvr.figures import figure1, published_code, region, sharpened, table1
from fedproof.papers.fedproxvr.figures import figure2 as effects
from fedproof.papers.fedproxvr.figures import figure3 as perceptron
from fedproof.papers.fedproxvr.figures import figure4 as weights
from tests.papers.planted_tables import (
    HALF,
    SETTINGS,
    SLOWER,
    STALLED,
    WORSE,
    accuracies,
    accurate,
    area,
    batches,
    below,
    claim,
    cut_short,
    diverging,
    falling,
    fate,
    logistic,
    losses,
    noisy,
    of_forms,
    one_worse,
    scaled,
    switched,
    toy,
    wider,
    with_lost,
)

PRINTED, CODE, VARIANCE = "(Algorithm 1 as printed)", "(the last of τ steps", "Variance"
MORE, LESS = "lower in 0, higher in 4 of 4", "or diverges, for SARAH with η = 0.3 of these"
#: a figure, its planted table, words of a claim, the claim's word or None, and what is measured
SAID: list[tuple[Any, Any, str, str | None, str]] = [
    (figure2, logistic, "With τ = 1", SEEN, "the algorithm on all 4 seeds, after 400 rounds"),
    (figure2, logistic, "same rate", SEEN, "Equally many rounds on 4 of 4 seeds"),
    (figure2, logistic, "1/τ", SEEN, "with 10 times fewer rounds"),
    (figure2, logistic, "not the longer", None, "gets there on all 4 seeds, with 10 times fewer"),
    (figure2, logistic, "FedMid stall", SEEN, "FedDA on all 4 seeds, at 0.5 and FedMid on all 4 seeds"),
    (figure2, logistic, "slow", SEEN, "more rounds than the algorithm on all 4 seeds"),
    (figure2, lambda: logistic({("fast_linear", 1): 30.0}), "slow", None,
     "fewer on all 4 seeds with growing weights and a smaller μ: slowness is no property of the method"),
    (figure2, lambda: logistic(floors={("fedmid", 1): 0.9}), "FedMid is the worst", SEEN, ""),
    (figure2, lambda: logistic(SLOWER, {("ours", 10): 1e-12}), "same rate", NOT_SEEN,
     "Equally many rounds on 0 of 4 seeds"),
    (figure2, lambda: logistic(SLOWER), "same rate", NOT_SEEN, "so the models are not the same"),
    (figure2, lambda: logistic(SLOWER), "1/τ", NOT_SEEN, "with 2 times fewer rounds"),
    *((figure2, lambda: logistic(SLOWER, {("ours", 10): 1e-12}), part, NOT_SEEN, "")
      for part in ("FedMid stall", "(t+1)η", "FedMid is the worst")),
    *((figure2, lambda: logistic(floors=STALLED), part, NOT_SEEN, "")
      for part in ("B_g", "With τ = 10 the algorithm")),
    *((figure2, cut_short, part, TOO_SHORT, "")
      for part in ("With τ = 1", "same rate", "With τ = 10 the algorithm", "1/τ", "FedMid stall", "B_g")),
    (figure2, lambda: logistic(without="longer1"), "not the longer", SEEN,
     "does not on 4 seeds, the other way round on 0"),
    (figure2, lambda: logistic(without="ours10"), "not the longer", NOT_SEEN,
     "does not on 0 seeds, the other way round on 4"),
    (figure2, lambda: logistic(floors={("printed", 1): 4.44e-12, ("ours", 1): 4.44e-15}), "rounding", None,
     "4.44×10⁻¹² after 1000, 1000 times that"),
    (figure2, scaled, "", None, "at L = 0.1 on 4 of 4 (τ = 1) and 4 of 4 (τ = 10)"),
    (figure2, scaled, "", None,
     "at L = 0.05 on 3 of 3 (τ = 1) and 3 of 3 (τ = 10); x = 0 is optimal on 1 seed"),
    (figure3, batches, "FedDA performs", SEEN, "lower in 2, higher in 0 of 2 comparisons"),
    (figure3, lambda: batches({("fedda", 1): 1e-4}), "FedDA performs", NOT_SEEN,
     "lower in 1, higher in 1 of 2"),
    (figure3, lambda: batches(spread=0.0), "precise", None,
     "|G|² falls 20 times, and proportional to σ²/b it would fall 20 times"),
    (figure3, lambda: batches({("ours", 20): 1e-3}), "precise", NOT_TOLD_APART, "could have been seen"),
    (figure3, lambda: batches({("ours", 20): 1e-2}), "precise", NOT_SEEN, ""),
    (figure3, lambda: falling(False), "neighbourhood", TOO_SHORT,
     "at rest on all 6 seeds and with b = 20 at"),
    (figure3, lambda: falling(False), "FedDA performs", SEEN, ""),
    *((figure3, lambda: falling(True), part, TOO_SHORT, "")
      for part in ("neighbourhood", "FedDA", "precise")),
    (figure4, lambda: accurate({(0.005, 5): 0.1, (0.005, 10): 0.1}), "fewer rounds", SEEN, ""),
    (figure4, lambda: accurate({(0.005, 5): 0.1, (0.005, 10): 0.0}), "fewer rounds", NOT_TOLD_APART,
     "less in 0, more in 1, not told apart in 1 of 2 comparisons (with 5 seeds"),
    (figure4, lambda: accurate({(0.005, 5): -0.1, (0.005, 10): -0.1}), "fewer rounds", NOT_SEEN,
     "less in 2, more in 0 of 2"),
    (figure4, lambda: accurate({(0.005, 5): -0.1}), "at the end", None, "they reach after no and 20 rounds"),
    (figure4, lambda: accurate({(0.005, 5): 0.0}), "", None, "112,394 parameters on MNIST; here a toy"),
    (figure1, lambda: toy(figure1), "β* falls", SEEN, "None against it (2 curves, 2 steps each)."),
    (figure1, lambda: toy(figure1)[1:], "β* falls", SEEN, "None against it (2 curves, 3 steps in all)."),
    *((figure1, lambda c=column: toy(figure1).assign(**{c: 1 / toy(figure1)[c]}), f"{letter} {way} as γ",
       NOT_SEEN, "of 4 steps go the other way, on 2 of 2 curves")
      for column, letter, way in (("beta", "β*", "falls"), ("mu", "μ*", "rises"), ("theta", "θ*", "rises"),
                                  ("tau", "τ*", "falls"))),
    (figure1, lambda: toy(figure1), "", None, "γ takes 3 values from 0.001 to 0.1"),
    (figure1, lambda: toy(figure1), "", None, "6 of 6 optima are certified"),
    (figure1, lambda: toy(figure1).assign(gamma=10 * toy(figure1).gamma), "", None, "values from 0.01 to 1"),
    (figure1, lambda: toy(figure1).assign(sigma2=3 * toy(figure1).sigma2), "", None,
     "σ̄² is 0 and 3: of these alone"),
    (figure1, lambda: toy(figure1).assign(certified=[False, *toy(figure1).certified[1:]]), "", None,
     "5 of 6 optima are certified"),
    (region, area, "global optimum", SEEN, "certified up to a relative gap of"),
    (region, area, "global optimum", SEEN, "; no grid point lies below it"),
    (region, lambda: below("grid", 1e-6), "global optimum", NOT_SEEN,
     "a grid point lies below its lower bound"),
    (region, lambda: below("optimum", 2.0), "global optimum", NOT_SEEN, "; a grid point lies below it"),
    (region, lambda: area(certified=False), "global optimum", NOT_SEEN, "not certified"),
    (region, lambda: area(certified=False, lower_bound=0.0), "global optimum", NOT_SEEN,
     "without a proven lower bound"),
    (sharpened, of_forms, "promise", SEEN, "At 12 of 12 points"),
    (sharpened, of_forms, "", None, "36 of 36 optima are certified"),
    (sharpened, one_worse, "promise", NOT_SEEN, "At 11 of 12 points"),
    (sharpened, lambda: of_forms(lower_bound=0.0), "promise", NOT_SEEN, "At 0 of 12 points"),
    (sharpened, lambda: of_forms(certified=[False, *toy(sharpened).certified[1:]]), "", None,
     "35 of 36 optima are certified"),
    *((effects, lambda: losses(HALF), part, SEEN, "") for part in (PRINTED, CODE, "other settings")),
    (effects, lambda: losses(HALF), VARIANCE, SEEN, "lower in 6, higher in 0 of 6"),
    *((effects, lambda: losses(WORSE), part, NOT_SEEN, "") for part in (PRINTED, CODE, VARIANCE)),
    (effects, lambda: losses({"printed": 1.5, "code": 0.5}), PRINTED, NOT_SEEN, ""),
    (effects, lambda: losses({"printed": 1.5, "code": 0.5}), CODE, SEEN, ""),
    (effects, lambda: losses({"printed": 1.5, "code": 0.5}), VARIANCE, NOT_TOLD_APART, "a difference of"),
    (effects, noisy, PRINTED, TOO_SHORT, "a difference of 5 % needs"),
    (effects, wider, "gap grows", SEEN, ""),
    (effects, lambda: losses({"svrg": 0.9, "sarah": 0.9}), "gap grows", NOT_TOLD_APART, ""),
    (effects, lambda: losses(wobble=0.1), "fluctuate", SEEN, MORE),
    (effects, losses, "fluctuate", NOT_TOLD_APART, ""),
    (effects, losses, "", None, "the upper bound of (13) is 13.1 for β = 5 and 27.1 for β = 7"),
    (effects, diverging, PRINTED, NOT_SEEN, "3 of 72 runs diverged and are left out: fedavg (3)."),
    (effects, diverging, CODE, NOT_SEEN, ""),
    (perceptron, lambda: losses(HALF), "slightly larger", NOT_APPLICABLE, ""),
    (perceptron, lambda: losses(HALF), "", None, "No L is proved"),
    (published_code, switched, "run Algorithm 1", NOT_SEEN, "lower in 2, higher in 0 of 2 comparisons"),
    (published_code, switched, "last iterate", SEEN, ""),
    (published_code, switched, "τ + 1", NOT_TOLD_APART, ""),
    (weights, lambda: fate(True), "diverges", SEEN, LESS),
    (weights, lambda: fate(False), "diverges", NOT_SEEN, ""),
    (weights, lambda: fate(False), "slower", NOT_SEEN, "higher in 4 of 4"),
    (table1, lambda: accuracies(0.05), "accurate", SEEN, "higher in 2 of 2"),
    (table1, lambda: accuracies(-0.05), "accurate", NOT_SEEN, ""),
    (table1, lambda: accuracies(0.05), "earlier", SEEN, "before FedAvg's in 2 of 2"),
    (table1, lambda: accuracies(0.05), "small batches", NOT_APPLICABLE, ""),
    (table1, lambda: accuracies(0.05), "(84.12 % and 84.21 % against 84.02 %)", None, ""),
]  # fmt: skip


@pytest.mark.parametrize(("module", "table", "part", "word", "measured"), SAID)
def test_a_caption_says_what_its_table_shows(
    module: Any, table: Any, part: str, word: str | None, measured: str
) -> None:
    """A claim has the word and the numbers of the table; without words of a claim, what was substituted."""
    said = module.caption(table())
    found = claim(said, part) if part else Claim("", said.substituted, SEEN)

    assert word in (None, found.word)
    assert measured in found.measured


def test_all_claims_of_a_figure_stand_together() -> None:
    """As claimed everything is seen; cut short nothing is called not seen; nor is a slow method's end."""
    claimed = figure2.caption(logistic(floors={("fedmid", 1): 0.9}))
    short = figure2.caption(cut_short())

    assert {one.word for one in claimed.claims if not one.ours} == {SEEN}
    assert NOT_SEEN not in {one.word for one in short.claims if not one.ours}
    assert "no property" not in claim(figure2.caption(logistic()), "slow").measured
    assert {one.word for one in figure3.caption(falling(True)).claims} == {TOO_SHORT}
    assert "diverged" not in str(effects.caption(losses(WORSE)))


@pytest.mark.parametrize("pairs", [1, 2])
def test_fewer_settings_are_compared_as_far_as_they_go(pairs: int) -> None:
    """A figure of one or two settings has a caption too."""
    table = losses(HALF)
    said = str(effects.caption(table[table.setting.isin(SETTINGS[:pairs])]))

    assert ("the gap grows" in said) == (pairs == 2)
    assert "fluctuate more" not in said


def test_what_diverged_enters_no_difference() -> None:
    """A run that diverged is counted as such, and its last number is no final loss."""
    table = accurate({(0.005, 5): 0.1})
    table.loc[(table.method == "fedda") & (table.seed == 0), "ended"] = "diverged"
    falls = fate(False)
    lost = (falls.method == "svrg") & (falls.mu == 0) & (falls.stepsize == 0.3) & (falls.seed == 0)
    first = weights.outcomes(with_lost(falls, lost, 1))[0]

    assert "1 of 15 runs diverged and are left out: fedda (1)." in str(figure4.caption(table))
    assert figure4.comparisons(table)["mean"][0].seeds == 4
    assert {c.loss.seeds for c in effects.compared(diverging())} == {3}
    assert (first.risen, first.diverged, first.gaps[0].seeds) == (0, 1, 2)
    assert len(weights.outcomes(falls[falls.seed == 0])) == 4
