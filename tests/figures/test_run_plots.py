"""Runs and sweeps as pictures: what is drawn is what the runs and `validate` say."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.figure import Figure

import fedproof as fp
from fedproof.figures.run_curves import rate
from fedproof.solvers.metrics import METRICS, OF_ALGORITHM, UNITS
from fedproof.validate.logs.bound_curve import some_of
from fedproof.vocabulary.errors import InputError, UnknownName

ID = "fedproxvr.certified.sarah"
SETTING: dict[str, Any] = {"mu": 14, "beta": 16, "batch_size": 1}


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    """No figure of pyplot is left open."""
    yield
    pyplot.close("all")


@pytest.fixture(scope="module")
def history() -> Any:
    """A run that the certified chain speaks of."""
    return fp.run("fedproxvr", "quadratic", rounds=12, tau=141, **SETTING)


@pytest.fixture(scope="module")
def sweep() -> Any:
    """Two settings of three seeds."""
    return fp.sweep("fedproxvr", "quadratic", grid={"tau": [4, 141]}, rounds=9, seeds=3, **SETTING)


def texts(axes: Any) -> list[str]:
    """The legend's entries."""
    legend = axes.get_legend() or axes.figure.legends[0]
    return [text.get_text() for text in legend.get_texts()]


def test_the_curve_is_the_metric(history: Any) -> None:
    """The first metric is drawn unasked, another by name, with rounds, name and unit on the axes."""
    first, named = history.plot(), history.plot(metric="squared_gradient")

    assert first.get_lines()[0].get_ydata().tolist() == list(history.metrics["loss"])
    assert named.get_lines()[0].get_ydata().tolist() == list(history.metrics["squared_gradient"])
    assert named.get_lines()[0].get_xdata().tolist() == list(range(13))
    assert named.get_ylabel() == "squared gradient (loss$^{2}$/length$^{2}$)"
    assert first.get_ylabel() == "loss"


def test_the_bound_is_what_validate_compares(history: Any) -> None:
    """At 5 of 12 rounds the curves are the bound and the mean of a run that has 5 rounds."""
    axes = history.plot(bound=ID)
    shorter = fp.run("fedproxvr", "quadratic", rounds=5, tau=141, **SETTING)
    row = fp.validate(ID, history=shorter).results[0]
    _, measured, bound = axes.get_lines()
    at = measured.get_xdata().tolist().index(5)

    assert measured.get_ydata()[at] == row.measured
    assert bound.get_ydata()[at] == row.bound
    assert axes.get_lines()[0].get_ydata().tolist() == list(history.metrics["squared_gradient"])


def test_the_axis_is_logarithmic_over_more_than_a_decade(history: Any) -> None:
    """A bound far above makes the axis logarithmic, a metric that hardly moves does not."""
    assert history.plot(bound=ID).get_yscale() == "log"
    assert fp.run("fedavg", "quadratic", rounds=2, tau=1, beta=400).plot().get_yscale() == "linear"


def test_where_a_statement_does_not_apply_there_is_no_bound(sweep: Any) -> None:
    """Of two settings the one that fails a condition has no bound, and the legend names the condition."""
    axes = sweep.plot(bound=ID)
    dashed = [line for line in axes.get_lines() if line.get_linestyle() == "--" and len(line.get_xdata())]

    assert len(dashed) == 1
    assert [text for text in texts(axes) if "fails" in text and "tau=4" in text]


def test_a_theorem_that_chooses_its_step_by_the_rounds_bounds_the_whole_run_alone() -> None:
    """Theorem 1 of FedProx takes another step for fewer rounds: of the 8 numbers of rounds 8 has a bound."""
    history = fp.run(
        "fedprox", "quadratic", rounds=8, mu=6, local_solver="to_suboptimality", eps="1e-9",
        participation=fp.Participation(8, replacement=True, average="plain"),
    )  # fmt: skip
    axes = history.plot(bound="fedprox.theorem1.explicit", header={"constants": {"lipschitz_sample": 100}})
    bound = axes.get_lines()[2].get_ydata()

    assert np.isfinite(bound).tolist() == [False] * 7 + [True]


def test_a_long_run_has_its_bound_at_some_rounds() -> None:
    """Of 400 rounds about 60 are taken, the first and the last among them."""
    found = some_of(400)

    assert found[[0, -1]].tolist() == [1, 400]
    assert 30 <= len(found) <= 60


def test_verdicts_stand_in_the_legend_and_belong_to_the_run(history: Any, sweep: Any) -> None:
    """What validate answered on this run is shown with its word; an answer on another run is refused."""
    found = fp.validate(ID, history=history)

    assert any("inconclusive" in text for text in texts(history.plot(bound=found)))
    assert any(
        "tau=141: inconclusive" in text for text in texts(sweep.plot(bound=fp.validate(ID, history=sweep)))
    )
    with pytest.raises(InputError, match="12 rounds"):
        history.plot(bound=fp.validate(ID, history=sweep.histories[-1]))


def test_what_cannot_be_drawn_is_said(history: Any) -> None:
    """Unknown metrics, statements and fits, and a metric that the bound is not about, are refused."""
    with pytest.raises(UnknownName, match="squared_gradient"):
        history.plot(metric="squared_gradients")
    with pytest.raises(UnknownName, match=r"fedproxvr\.certified\.sarah"):
        history.plot(bound="fedproxvr.certified.sara")
    with pytest.raises(UnknownName, match="linear"):
        history.plot(fit="liner")
    with pytest.raises(InputError, match="squared_gradient"):
        history.plot(metric="loss", bound=ID)
    assert pyplot.get_fignums() == []


def test_a_sweep_shows_medians_and_quartiles(sweep: Any) -> None:
    """The curve of a setting is the median of its seeds' values, the band their quartiles."""
    axes = sweep.plot(metric="squared_gradient")
    values = np.array([h.metrics["squared_gradient"] for h in sweep.histories[:3]])
    band = axes.collections[0].get_paths()[0].vertices

    assert axes.get_lines()[0].get_ydata() == pytest.approx(np.median(values, axis=0))
    assert texts(axes) == ["tau=4", "tau=141"]
    assert {*np.round(np.quantile(values[:, 9], [0.25, 0.75]), 9)} <= {round(y, 9) for x, y in band if x == 9}


def test_a_run_that_diverged_is_counted_in_the_legend() -> None:
    """A setting that leaves the numbers says how many of its seeds did."""
    sweep = fp.sweep("fedavg", "quadratic", grid={"beta": ["0.001", 5]}, tau=40, rounds=12, seeds=2)

    assert texts(sweep.plot())[0] == "beta=0.001 (2 of 2 diverged)"


def test_a_fit_finds_the_rate_and_its_interval() -> None:
    """Of sequences 0.9^s and s^-2 with noise the rates lie in the intervals; one run has none."""
    rng = np.random.Generator(np.random.Philox(3))
    noise = np.exp(0.1 * rng.standard_normal((40, 1)))
    rounds = np.arange(60.0)
    linear, sub = rate(noise * 0.9**rounds, "linear"), rate(noise / np.maximum(rounds, 0.5) ** 2, "sublinear")
    wandering = rate(0.9**rounds * np.exp(0.1 * rng.standard_normal((40, 60))), "linear")

    assert linear.value == pytest.approx(0.9)
    assert sub.value == pytest.approx(2.0)
    assert wandering.low < 0.9 < wandering.high  # type: ignore[operator]
    assert rate(0.9 ** rounds[None], "linear").low is None
    assert "no interval" in rate(0.9 ** rounds[None], "linear").text


@pytest.mark.parametrize(("values", "kind"), [(np.zeros(20), "linear"), (np.ones(5), "sublinear")])
def test_what_has_no_rate_is_refused(values: Any, kind: str) -> None:
    """Values that are not positive, and too few rounds, are refused."""
    with pytest.raises(InputError, match="fit"):
        rate(values[None], kind)


def test_the_axes_of_the_user_are_used(history: Any) -> None:
    """With axes given nothing is opened, and they come back."""
    axes = Figure().subplots()

    assert history.plot(axes, bound=ID) is axes
    assert pyplot.get_fignums() == []


def test_two_runs_in_one_picture_are_told_apart(history: Any) -> None:
    """A second run drawn into a picture of ours has the next colour and the same legend's style."""
    other = fp.run("fedavg", "quadratic", rounds=12, tau=4, beta=5)
    axes = other.plot(history.plot())
    colours = [line.get_color() for line in axes.get_lines()]

    assert len({*colours}) == len(colours) == 2
    assert texts(axes) == ["fedproxvr, loss", "fedavg, loss"]
    assert not axes.get_legend().get_frame_on()


def test_every_metric_of_a_run_has_a_unit() -> None:
    """What a run can record stands in the table of units."""
    assert {*METRICS, *OF_ALGORITHM} <= {*UNITS}


def test_a_run_loads_no_matplotlib() -> None:
    """Running, sweeping and asking for a range import nothing to draw with."""
    code = (
        "import sys, fedproof as fp\n"
        "fp.run('fedavg', 'quadratic', rounds=1, tau=1, beta=5)\n"
        "fp.statement('fedproxvr.lemma1.sarah').range('tau', L=1, lam=0, mu=20, beta=30, theta=1)\n"
        "assert 'matplotlib' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)

    assert done.returncode == 0, done.stderr
