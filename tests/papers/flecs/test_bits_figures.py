"""Fig. 1 to 3 of FLECS-CGD: outcomes planted in tables are said as they are, and bits are those of runs."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from fedproof.figures.caption import NOT_SEEN, NOT_TOLD_APART, SEEN, TOO_SHORT
from fedproof.figures.reaching import Series, either
from fedproof.figures.spec import DEFAULT_CONTEXT
from fedproof.papers.flecs.figures import _bits as bits
from fedproof.papers.flecs.figures import figure1, figure2, figure3
from fedproof.solvers.api import run
from fedproof.solvers.runs.problem_spec import make_problem_spec
from tests.papers.planted_tables import claim

SEEDS = 16
D = 30


def table(rounds: Callable[[str, int], float], methods: Any = None, spread: float = 0.05) -> pd.DataFrame:
    """A table whose runs come to 20 % of their first gap after these rounds; messages have their true sizes.

    The gap falls by the same factor every round; where the rounds are infinite it stays, where they are NaN
    the run diverges.
    """
    kept = {(name, m): 64 * m * m + 64 + 8 * D * m + (64 * D if name == bits.FLECS else 64 + 8 * D)
            for name, m in product((bits.FLECS, bits.CGD), (1, 2, 4, 8))}  # fmt: skip
    sizes = {
        **{key: (up, 64 * D * (1 + key[1])) for key, up in kept.items()},
        (bits.DIANA, 0): (64 + 8 * D, 64 * D),
        (bits.ADIANA, 0): (2 * (64 + 8 * D), 128 * D),
        (bits.FEDNL, 0): (64 * D + 128 + 4 * D * (D + 1), 64 * D),
    }
    chosen = methods or [(*key, bits.BASELINES.get(key[0], "fedsonia"), 1e-5) for key in sizes]
    rng, parts = np.random.default_rng(0), []
    for (name, m, direction, low), seed in product(chosen, range(SEEDS)):
        need = rounds(name if methods is None else f"{direction} {low}", m)
        need *= 1 + spread * rng.standard_normal()
        every = np.arange(0, 400, 2)
        gap = 0.6 * 0.2 ** (every / need) if np.isfinite(need) else np.full(200, 0.6)
        last = 5 if math.isnan(need) else 199
        up, down = sizes[name, m]
        parts.append(pd.DataFrame({
            "round": every, "up": up * every, "down": down * every, "gap": gap, "squared_gradient": gap,
            "seed": seed, "method": name, "direction": direction, "trunc_lo": low if m else 0.0, "memory": m,
            "ended": "diverged" if math.isnan(need) else "finished",
        })[: last + 1])  # fmt: skip
    whole = pd.concat(parts, ignore_index=True)
    return whole.assign(
        data="digits", targets="0.2,0.05", clients=10, order="shuffled", mu=0.001, levels=64, update="direct",
        trunc_hi=1e8, alpha=1.0, beta=1.0, shift_stepsize=1.0, kilobits=1000,
    )  # fmt: skip


def alike(name: str, m: int) -> float:
    """All methods take as many rounds, so that m = 1 takes the fewest bits up and down, and DIANA fewer."""
    return 20.0


def test_what_the_paper_says_is_seen_where_it_is_so() -> None:
    """With equal rounds m = 1 and compression save bits that are sent; received ones are the same."""
    said = figure1.caption(table(alike))

    assert claim(said, "m = 1, counted in bits that a node has sent").word == SEEN
    assert claim(said, "outperforms FLECS with m = 1, counted in bits that a node has sent").word == SEEN
    assert claim(said, "larger m too, counted in bits that a node has sent").word == SEEN
    assert claim(said, "FLECS outperforms DIANA, counted in bits that a node has sent").word == NOT_SEEN
    assert claim(said, "FLECS outperforms ADIANA, counted in bits that a node has sent").word == NOT_SEEN
    assert claim(said, "FLECS outperforms FedNL, counted in bits that a node has sent").word == SEEN
    assert claim(said, "FLECS outperforms FedNL, counted in bits that a node has received").word == NOT_SEEN
    assert claim(said, "performance with m = 1, counted in bits that a node has received").word == SEEN
    received = claim(said, "outperforms FLECS with m = 1, counted in bits that a node has received")
    assert received.word in (NOT_TOLD_APART, TOO_SHORT)


def test_a_large_m_that_saves_more_rounds_than_its_messages_cost_is_not_hidden() -> None:
    """Where m = 8 takes a fortieth of the rounds the claim on m = 1 is not seen, either way."""
    said = figure2.caption(table(lambda name, m: 200.0 / 40 if m == 8 else 200.0))

    for way in ("sent", "received"):
        assert claim(said, f"performance with m = 1, counted in bits that a node has {way}").word == NOT_SEEN


def test_a_compression_that_costs_rounds_is_not_hidden() -> None:
    """Where FLECS-CGD takes five times the rounds of FLECS its smaller messages do not help."""
    said = figure1.caption(table(lambda name, m: 100.0 if name == bits.CGD else 20.0))

    assert claim(said, "outperforms FLECS with m = 1, counted in bits that a node has sent").word == NOT_SEEN


def test_who_never_arrives_is_said_and_loses() -> None:
    """Where m = 1 stays where it is, its caption says never, and the other m are better."""
    said = figure1.caption(table(lambda name, m: math.inf if m == 1 else 20.0))
    first = claim(said, "performance with m = 1, counted in bits that a node has sent")

    assert first.word == NOT_SEEN
    assert "FLECS never," in first.measured
    assert "nan" not in str(said)
    assert claim(said, "outperforms FLECS with m = 1").word == TOO_SHORT


STEPS = (("fedsonia", 1e-5), ("truncated_inverse", 1e-5), ("truncated_inverse", 1.0))
UPDATES = [(bits.CGD, m, *step) for step in STEPS for m in (1, 8)]


def test_an_update_that_diverges_is_said_to() -> None:
    """Runs that diverge are counted, do not end below their start, and take more than any other."""
    rounds = {"fedsonia 1e-05": 20.0, "truncated_inverse 1e-05": math.nan, "truncated_inverse 1.0": 10.0}
    said = figure3.caption(table(lambda name, m: rounds[name], UPDATES))

    falls = claim(said, "With Algorithm 4, ω = 10⁻⁵")
    assert (falls.word, falls.measured) == (NOT_SEEN, "It does in 0 of 32 runs; 32 diverged.")
    assert claim(said, "With Algorithm 5 the objective").word == SEEN
    assert claim(said, "fewer bits than Algorithm 4, ω = 10⁻⁵").word == SEEN
    assert claim(said, "fewer bits than Algorithm 4, ω = 1.").word == NOT_SEEN


def test_bits_and_gaps_are_those_of_the_runs() -> None:
    """The table's bits are a run's totals over its clients, and gaps are losses less one number."""
    size = figure2.SPEC.size | dict(figure2.SPEC.toy) | {"memory": [2]}
    made = figure2.compute(size, DEFAULT_CONTEXT)
    own = made[(made.method == bits.CGD) & (made.seed == 1)]
    dithering = {"gradient_compressor": "dithering", "hessian_compressor": "dithering"}
    fine = {f"{name}.{k}": v for name in dithering for k, v in (("levels", 64), ("norm", "inf"))}
    history = run(
        "flecs_cgd", "binary_logistic", clients=4, problem_seed=1, seed=1, rounds=int(own["round"].max()),
        problem_options={"mu": "1/1000"}, parameters=dithering | fine | {"memory": 2},
    )  # fmt: skip

    at = own["round"].to_numpy()
    assert own.up.tolist() == np.concatenate([[0], np.cumsum(history.uplink_bits) // 4])[at].tolist()
    assert own.down.tolist() == np.concatenate([[0], np.cumsum(history.downlink_bits) // 4])[at].tolist()
    losses = np.array(history.metrics["loss"])[at]
    assert np.ptp(losses - own.gap) < 1e-12
    assert own.up.max() >= 1000 * size["kilobits"] or at.max() == size["rounds"]


@pytest.mark.parametrize(
    ("name", "up", "down"),
    [(bits.DIANA, 64 + 8 * D, 64 * D), (bits.ADIANA, 2 * (64 + 8 * D), 128 * D),
     (bits.FEDNL, 64 * D + 128 + 4 * D * (D + 1), 64 * D)],
)  # fmt: skip
def test_baselines_send_what_their_messages_hold_and_end_by_the_same_budget(
    name: str, up: int, down: int
) -> None:
    """A round's bits by hand, each way, and the last round is the first beyond the kilobits."""
    size = figure2.SPEC.size | dict(figure2.SPEC.toy) | {"memory": [1], "seeds": 1, "rounds": 50}
    made = figure2.compute(size, DEFAULT_CONTEXT)
    own = made[made.method == name]
    last = min(50, math.ceil(1000 * size["kilobits"] / up))

    assert own.up.tolist() == (up * own["round"]).tolist()
    assert own.down.tolist() == (down * own["round"]).tolist()
    assert own["round"].max() == last


def series(values: Any, spent: Any = 100.0) -> Series:
    """What runs took, NaN where they did not arrive, and what they spent."""
    took = pd.Series(values, dtype=float)
    return Series(took, took.fillna(spent))


def test_either_way_is_the_same_comparison_turned_round() -> None:
    """Exchanging both series turns sign and interval round and keeps p, also where runs are lost."""
    rng = np.random.default_rng(0)
    first, second = rng.uniform(1, 2, 16), rng.uniform(1.5, 3, 16)
    lost = np.where(np.arange(16) < 3, np.nan, second)
    for a, b in ((first, second), (first, lost), (lost, second), (lost, lost), (3 * first, first)):
        one, other = either(series(a), series(b)), either(series(b), series(a))
        assert one.p == pytest.approx(other.p)
        assert one.direction == -other.direction or one.p == 1


def test_a_run_that_did_not_arrive_decides_only_what_is_certain() -> None:
    """What spent less before it was stopped is not better; what arrived with less than the other spent is."""
    arrived, stopped = series([50.0] * 8 + [51.0] * 8), series([math.nan] * 16, spent=10.0)
    assert either(stopped, arrived).p == 1
    assert either(arrived, stopped).p == 1
    longer = series([math.nan] * 16, spent=90.0)
    assert either(arrived, longer).direction == -1
    assert either(arrived, longer).p < 1e-3
    assert either(longer, arrived).direction == 1


def test_sixteen_equal_ratios_decide() -> None:
    """Ratios without spread are counted by the sign test: 2 / 2^16."""
    one = either(series(np.arange(1.0, 17.0)), series(2 * np.arange(1.0, 17.0)))

    assert one.p == pytest.approx(2.0**-15)
    assert one.mean == pytest.approx(-math.log(2))


@pytest.mark.parametrize("end", ["at once", "but for baselines", "at the least loss"])
def test_a_picture_is_made_of_runs_that_have_no_curve(end: str) -> None:
    """Runs that diverge in the first round leave panels empty, runs that begin at the least loss flat."""
    import matplotlib.pyplot as plt

    planted = table(alike)
    own = planted.method.isin([bits.FLECS, bits.CGD])
    if end == "at the least loss":
        planted = planted.assign(gap=0.0, squared_gradient=0.0)
    else:
        gone = own | (end == "at once")
        planted = planted[(planted["round"] == 0) | ~gone]
        planted = planted.assign(ended=np.where(gone[planted.index], "diverged", "finished"))
    picture = figure1.draw(planted)
    low, high = picture.axes[0].get_ylim()
    plt.close(picture)

    assert 0 < low < high < math.inf
    assert figure1.caption(planted)


def test_of_a_single_feature_nothing_is_lost_and_adiana_takes_its_longest_step(tmp_path: Path) -> None:
    """With d = 1 the compressor's omega is 0, which ADIANA's step size divides by: 1/(2 L) is left."""
    (tmp_path / "one.csv").write_text("x,y\n" + "1,0\n-1,1\n2,1\n-2,0\n" * 2)
    size = {p.name: p.default for p in figure1.SPEC.parameters} | {"clients": 2}
    made = make_problem_spec("binary_logistic", 2, 0, {"data": str(tmp_path / "one.csv")})
    top = float(made.build().constants["smoothness"].value)

    assert float(bits.baseline(bits.ADIANA, size, made)["stepsize"]) == pytest.approx(1 / (2 * top))


def test_a_baseline_that_falls_far_leaves_room_for_the_papers_methods() -> None:
    """Its line is cut at a hundredth of the least that FLECS and FLECS-CGD come to; theirs are whole."""
    import matplotlib.pyplot as plt

    planted = table(lambda name, m: 4.0 if name == bits.FEDNL else 200.0, spread=0.0)
    picture = figure1.draw(planted)
    axes = picture.axes[0]
    by_label = {str(line.get_label()): np.asarray(line.get_ydata()) for line in axes.get_lines()}
    plt.close(picture)

    own = min(y.min() for label, y in by_label.items() if label.startswith("FLECS"))
    assert by_label[bits.FEDNL].min() < 1e-9 * own
    assert axes.get_ylim()[0] == pytest.approx(own / 100)
