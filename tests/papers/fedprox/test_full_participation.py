"""Remark 2: what its proof may go by holds in runs with every device in every round, and so do its bounds."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from fedproof.bounds import catalog
from tests.proof.formula_models import Array, Model, Value, formulas, turned

#: device m has the loss SLOPES[m] sqrt(1 + (w - CENTRES[m])^2): G and L are the largest slope
SLOPES, CENTRES, START, ROUNDS = np.array([0.5, 2.0, 1.0]), np.array([-3.0, -1.0, 2.0]), 4.0, 400
MOST = float(SLOPES.max())
IDS = (
    "full", "lipschitz 1", "lipschitz 2", "smooth 1", "smooth 2", "smooth 3", "oracle", "average", "start 1",
)  # fmt: skip
SIZES = {"L": MOST, "G": MOST, "I": 3.0}


def losses(w: Value, centres: Array) -> Array:
    """Every device's loss."""
    return SLOPES * np.sqrt(1 + (w - centres) ** 2)


def slopes(w: Value, centres: Array) -> Array:
    """Their derivatives."""
    return SLOPES * (w - centres) / np.sqrt(1 + (w - centres) ** 2)


def nearest(w: float, centres: Array, eta: float) -> Array:
    """Every device's proximal point, by bisection."""
    low, high = w - eta * SLOPES, w + eta * SLOPES
    for _ in range(80):
        middle = (low + high) / 2
        rises = slopes(middle, centres) + (middle - w) / eta > 0
        low, high = np.where(rises, low, middle), np.where(rises, middle, high)
    return (low + high) / 2


def run(rounds: int, centres: Array, eta: float) -> tuple[list[float], list[Array]]:
    """The server's models and the devices' in every round."""
    models, local = [START], list[Array]()
    for _ in range(rounds):
        local.append(nearest(models[-1], centres, eta))
        models.append(float(local[-1].mean()))
    return models, local


def least(centres: Array) -> float:
    """The least of the global risk on a grid."""
    return min(float(losses(w, centres).mean()) for w in np.linspace(-4, 5, 9001))


def mean_square(models: list[float], centres: Array) -> float:
    """The mean over the rounds of the squared gradient of the risk."""
    return float(np.mean([slopes(w, centres).mean() ** 2 for w in models[:-1]]))


@cache
def model(rounds: int, alike: bool) -> Model:
    """A run in the paper's names; with one centre for all devices they have (B, 0)-LGD."""
    centres = np.full(3, 1.0) if alike else CENTRES
    models, local = run(rounds, centres, 0.1)
    functions = {
        "Phi": lambda t, j, u: np.mean(SLOPES[j - 1] * np.sqrt(1 + (u - centres[j - 1]) ** 2)),
        "DPhi": lambda t, j, u: SLOPES[j - 1] * (u - centres[j - 1]) / np.sqrt(1 + (u - centres[j - 1]) ** 2),
        "R": lambda u: float(losses(u[:, None], centres).mean()),
        "DR": lambda u: slopes(u[:, None], centres).mean(axis=1),
        "W": lambda t: np.array([models[t]]),
        "X": lambda t, j: np.array([local[t][j - 1]]),
    }
    names = {
        "T": rounds, "I": 3, "G": MOST, "L": MOST, "eta": 0.1, "eps": 1e-9,
        "Delta": losses(START, centres).mean() - least(centres) + 1e-6,
        "B": np.sqrt(np.mean(SLOPES**2)) / SLOPES.mean(),
    }  # fmt: skip
    points = [np.array([x]) for x in (START, -2.5, 0.3, 1.0, 7.0)]
    return Model(np.ones(1), names, functions, points, range(3))


def bound(id: str, **values: float) -> float:
    """A statement's bound at these values."""
    found = catalog.statement(f"fedprox.{id}").bound
    assert found is not None
    return float(found.evalf(subs={s: values[s.name] for s in found.free_symbols}))


@pytest.mark.parametrize("id", [f"fedprox.{id}" for id in IDS])
def test_what_remark_2_may_assume_holds_together(id: str) -> None:
    """Each formula that its proofs go by holds in one run of all devices, and turned it fails."""
    said = formulas("fedprox")[id]

    assert model(3, False).holds(said)
    assert not model(3, False).holds(turned(said))


def test_devices_with_one_minimiser_have_lgd_and_others_have_not() -> None:
    """(B, 0)-LGD holds where all devices have the same stationary point, and fails where they have not."""
    lgd = formulas("fedprox")["fedprox.lgd"]

    assert model(3, True).holds(lgd)
    assert not model(3, False).holds(lgd)
    assert model(3, True).holds(formulas("fedprox")["fedprox.full"])


@pytest.mark.parametrize("rounds", [1, 10, ROUNDS])
def test_the_bounds_of_remark_2_hold_in_runs(rounds: int) -> None:
    """At the printed step size, and at any shorter one, exact runs are below the two bounds."""
    gap = float(losses(START, CENTRES).mean()) - least(CENTRES)
    eta = rounds ** (-1 / 3) / (3 * MOST)
    known = {**SIZES, "Delta": gap, "T": float(rounds), "eps": 1e-12}
    found = mean_square(run(rounds, CENTRES, eta)[0], CENTRES)

    assert found <= bound("remark2", **known)
    for step in (eta, eta / 7):
        met = mean_square(run(rounds, CENTRES, step)[0], CENTRES)
        assert met <= bound("remark2.general", **known, eta=step)


@pytest.mark.parametrize("rounds", [1, 10, ROUNDS])
def test_the_rate_with_lgd_holds_in_runs(rounds: int) -> None:
    """With (B, 0)-LGD and a fixed step size T times the mean is at most a constant, the bound's."""
    centres, factor = np.full(3, 1.0), float(np.sqrt(np.mean(SLOPES**2)) / SLOPES.mean())
    gap, eta = float(losses(START, centres).mean()) - least(centres), 1 / (5 * MOST * factor)
    known = {**SIZES, "Delta": gap, "T": float(rounds), "eps": 1e-15, "eta": eta}

    assert mean_square(run(rounds, centres, eta)[0], centres) <= bound("remark2.lgd", **known)
