"""Figures of FedProx (Yuan and Li): captions follow planted tables, and runs are what they are said to be."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fedproof as fp
from fedproof.figures import reaching
from fedproof.figures.caption import NOT_SEEN, NOT_TOLD_APART, SEEN, TOO_SHORT
from fedproof.figures.runs import run_table
from fedproof.figures.spec import DEFAULT_CONTEXT
from fedproof.papers.fedprox.figures import _targets as targets
from fedproof.papers.fedprox.figures import figure1, figure2
from tests.papers.planted_tables import claim, frame

METHODS = {("fedmspp", 10): 40, ("fedmspp", 5): 44, ("fedprox", 0): 38, ("fedavg", 0): 36}
SAMPLES = {10: 10, 5: 5, 0: 60}
NONE: Mapping[Any, float] = {}


def reached(more: Mapping[Any, float] = NONE, *, seeds: int = 12, spread: float = 0.05) -> pd.DataFrame:
    """A table of Figs. 1 and 2 where the methods need so many rounds, of ten devices, within 200."""
    need = {**METHODS, **more}
    table = frame(run=list(METHODS), target=[0.8, 0.9], seed=range(seeds))
    noise = np.random.default_rng(5).standard_normal(len(table))
    rounds = table.run.map(need) * table.target / 0.8 * np.exp(spread * noise)
    sizes = np.array([SAMPLES[b] for _, b in table.run])
    table = table.assign(
        method=[m for m, _ in table.run], batch_size=[b for _, b in table.run],
        rounds=rounds.where(rounds <= 200), samples=(20 * sizes * rounds).where(rounds <= 200),
        all_rounds=200, all_samples=20 * sizes * 200, per_client=60, model="softmax", clients=20, labels=2,
        held_out=0.25, cohort=10, epochs=2, sgd_batch=0, stepsize=0.25, mu=0.1,
    )  # fmt: skip
    return table.assign(data="toy")


def lost(method: str, batch_size: int, seeds: int) -> pd.DataFrame:
    """The same, but on the first seeds a method does not arrive."""
    table = reached()
    gone = (table.method == method) & (table.batch_size == batch_size) & (table.seed < seeds)
    return table.assign(**{name: table[name].mask(gone) for name in ("rounds", "samples")})


FEWER, SMALLER, SLIGHTLY = "significantly fewer samples", "smaller minibatches", "slightly more rounds"
SAID: list[tuple[Any, Any, str, str | None, str]] = [
    (figure1, reached, FEWER, SEEN, "lower in 8, higher in 0 of 8 comparisons"),
    (figure1, reached, FEWER, None, "to 80 % FedMSPP with b = 10 "),
    (figure1, lambda: reached({("fedmspp", 10): 150}), FEWER, SEEN, ""),
    (figure1, lambda: reached({("fedprox", 0): 2.0}), FEWER, NOT_SEEN, "lower in 4, higher in 4 of 8"),
    (figure1, lambda: reached({("fedprox", 0): 40 / 6}), FEWER, NOT_TOLD_APART, "not told apart in 2 of 8"),
    (figure1, lambda: reached(spread=0.0), FEWER, TOO_SHORT, "lower in 0, higher in 0"),
    (figure1, lambda: lost("fedprox", 0, 12), FEWER, SEEN, "FedProx never"),
    (figure1, lambda: lost("fedmspp", 5, 1), FEWER, None, "(on 11 of 12 seeds), FedProx"),
    (figure1, lambda: lost("fedmspp", 5, 6), FEWER, TOO_SHORT, "too few seeds to tell in 4 of 8"),
    (figure1, lambda: lost("fedmspp", 5, 12), FEWER, TOO_SHORT, "FedMSPP with b = 5 never"),
    (figure1, reached, SMALLER, SEEN, "lower in 2, higher in 0 of 2 comparisons"),
    (figure1, lambda: reached({("fedmspp", 5): 150}), SMALLER, NOT_SEEN, "higher in 2 of 2"),
    (figure1, lambda: reached({("fedmspp", 5): 80}), SMALLER, NOT_TOLD_APART, "not told apart in 2 of 2"),
    (figure2, reached, SLIGHTLY, SEEN, "fewer than 1.5 times as many in 8, more than 1.5 times as many in 0"),
    (figure2, lambda: reached({("fedmspp", 5): 90}), SLIGHTLY, NOT_SEEN, "more than 1.5 times as many in 4"),
    (figure2, lambda: reached({("fedmspp", 5): 56}), SLIGHTLY, None, "not told apart in"),
    (figure2, lambda: reached(spread=2.0), SLIGHTLY, TOO_SHORT, "too few seeds to tell in 8 of 8"),
    (figure2, reached, "", None, "Slightly more is fewer than 1.5 times as many"),
    (figure2, reached, "", None, "Sent140 is left out"),
]  # fmt: skip


@pytest.mark.parametrize(("module", "table", "part", "word", "measured"), SAID)
def test_a_caption_says_what_its_table_shows(
    module: Any, table: Any, part: str, word: str | None, measured: str
) -> None:
    """A claim has the word and the numbers of the table; without words of a claim, what was substituted."""
    said = module.caption(table())
    found = claim(said, part) if part else None

    assert found is None or word in (None, found.word)
    assert measured in (found.measured if found else said.substituted)


def test_one_minibatch_size_says_nothing_of_smaller_ones() -> None:
    """With a single b only the comparison with FedProx and FedAvg is left."""
    table = reached()[lambda t: t.batch_size != 5]

    assert [SMALLER in one.claim for one in figure1.caption(table).claims] == [False]


def test_the_sign_test_counts_what_did_not_arrive_against_the_claim() -> None:
    """Its p-value is the sum of binomial coefficients, exact here; infinite ratios decide nothing."""
    values = np.array([-1.0] * 14 + [0.5] + [math.inf] * 2)
    tail = 2 * sum(Fraction(math.comb(17, k), 2**17) for k in range(3 + 1))

    assert reaching.by_signs(values).p == pytest.approx(float(tail), rel=1e-12)
    assert reaching.by_signs(values).mean == -1.0
    assert reaching.by_signs(values).high == 0.5
    assert reaching.by_signs(np.full(17, math.inf)).p == 1.0
    assert reaching.by_signs(np.full(3, -1.0)).low == -math.inf


def test_the_interval_of_the_median_covers_it() -> None:
    """Of 21 normal samples, drawn 2000 times, the median lies in its 99 % interval in 99 % or more."""
    rng = np.random.default_rng(2)
    found = [reaching.by_signs(rng.standard_normal(21)) for _ in range(2000)]
    inside = sum(one.low <= 0 <= one.high for one in found)

    assert inside >= 1960
    assert max(one.low for one in found) < 1.5


SMALL = figure1.SPEC.size | {
    "clients": 6, "cohort": 3, "model": "softmax", "batch_size": [4, 2], "target": [0.3, 0.99],
    "rounds": 12, "seeds": 1,
}  # fmt: skip


def test_a_target_is_reached_in_its_first_round_and_samples_are_counted() -> None:
    """FedMSPP reads 2 epochs of b samples on 3 devices a round; rounds are those of the run itself."""
    table = targets.compute(SMALL, DEFAULT_CONTEXT)
    options = {"split": "labels", "labels_per_client": 2, "model": "softmax", "test_fraction": "1/4"}
    history = fp.run(
        "fedmspp", "digits", rounds=12, clients=6, problem_options=options, participation=3, b=4, mu="0.1",
        local_solver="gradient_descent", stepsize="0.25", local_steps=2, metrics=["test_accuracy"],
    )  # fmt: skip
    accuracy = np.array(history.metrics["test_accuracy"])
    own = table[(table.method == "fedmspp") & (table.batch_size == 4)].set_index("target")

    assert own.rounds[0.3] == np.flatnonzero(accuracy >= 0.3)[0] > 0
    assert own.samples[0.3] == 2 * 4 * 3 * own.rounds[0.3]
    assert own.rounds[[0.99]].isna().all()
    assert (own.all_rounds == 12).all()
    assert (own.all_samples == 2 * 4 * 3 * 12).all()


def test_fedavg_is_the_algorithm_of_that_name() -> None:
    """FedProx with mu = 0 and two full local steps gives the accuracies and counts of fedavg itself."""
    (labels, spec), = [run for run in targets._runs(SMALL) if run[0]["method"] == "fedavg"]  # fmt: skip
    table = run_table([(labels, spec)], DEFAULT_CONTEXT)
    history = fp.run(
        "fedavg", spec.problem_spec.build(), rounds=12, participation=3, stepsize="0.25", local_steps=2,
        batch_size=None, metrics=["test_accuracy"],
    )  # fmt: skip

    assert table.test_accuracy.tolist() == list(history.metrics["test_accuracy"])
    assert table.gradients.tolist() == np.cumsum([0, *history.gradients]).tolist()


def test_local_sgd_takes_steps_on_parts_of_what_a_device_works_on() -> None:
    """With steps on 3 samples, b = 2 takes all of its minibatch and FedProx 3 of a device's samples."""
    local = {
        (labels["method"], labels["batch_size"]): spec.parameters["local_solver.batch_size"]
        for labels, spec in targets._runs({**SMALL, "sgd_batch": 3})
    }

    assert local == {("fedmspp", 4): 3, ("fedmspp", 2): 2, ("fedprox", 0): 3, ("fedavg", 0): 3}
