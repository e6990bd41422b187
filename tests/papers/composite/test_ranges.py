"""Ranges and rounds under the theorems of composite federated learning, against fractions by hand."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import Any

import pytest

import fedproof as fp
from fedproof.bounds import catalog
from fedproof.validate.settings import judge_setting
from fedproof.vocabulary.errors import InputError

Q = Fraction
POINT: dict[str, Any] = {
    "L": 1,
    "n": 18,
    "tau": 5,
    "b": 4,
    "sigma2": 1,
    "B_g": 1,
    "eta": "1/100",
    "eta_g": 2,
    "Omega1": 1,
    "R": 100,
    "eps": 2,
}
PL = {k: v for k, v in POINT.items() if k not in ("B_g", "eps")} | {"mu": "1/2", "eps_F": "1/10"}


def asked(id: str, symbol: str, given: dict[str, Any]) -> Any:
    """The range of a symbol, all others given."""
    names = {letter.name for letter in catalog.statement(id).letters}
    return fp.statement(id).range(symbol, **{k: v for k, v in given.items() if k != symbol and k in names})


@pytest.mark.parametrize(
    ("symbol", "exact"),
    [
        ("eta", ["0", "1/100"]), ("eta_g", ["3/2", "2"]), ("tau", ["1", "5"]), ("L", ["0", "1"]),
        ("n", ["1", "32"]), ("b", ["1", None]), ("sigma2", ["0", None]), ("R", ["0", None]),
    ],
)  # fmt: skip
def test_what_theorem_3_5_admits(symbol: str, exact: list[str | None]) -> None:
    """eta~ <= 1/10 with eta_g tau eta = 1/10 at the point; eta_g^2 = 4 >= n/8."""
    assert asked("composite.theorem3.5", symbol, POINT).exact == [exact]


def test_what_the_sharpened_theorem_admits() -> None:
    """eta_g from 1, any n."""
    assert asked("composite.theorem3.5.sharpened", "eta_g", POINT).exact == [["1", "2"]]
    assert asked("composite.theorem3.5.sharpened", "n", POINT).exact == [["1", None]]


def test_rounds_to_an_accuracy_under_theorem_3_5() -> None:
    """R = Omega/(0.3 eta~ (eps - residual)), and each other symbol solved for by hand."""
    residual = Q(20, 360) + 187 * Q(1, 100) / 4
    rounds = 1 / (Q("0.3") * Q(1, 10) * (2 - residual))
    room = 2 - 1 / (Q("0.3") * 10)
    found = asked("composite.theorem3.5.rounds", "R", POINT)
    checked = fp.statement("composite.theorem3.5.rounds").check(**POINT)

    assert found.exact == [[str(rounds), None]]
    assert found.integers == (23, None)
    assert checked.derived["R_eps"] == pytest.approx(float(rounds))
    assert asked("composite.theorem3.5.rounds", "sigma2", POINT).exact == [
        ["0", str((room - Q(187, 400)) * 360 / 20)]
    ]
    assert asked("composite.theorem3.5.rounds", "eps", POINT).exact == [[str(residual + 1 / Q(3)), None]]
    top = asked("composite.theorem3.5.rounds", "B_g", POINT).intervals[0][1]
    assert top == pytest.approx(sqrt((room - Q(20, 360)) * 400 / 187), rel=1e-12)


def test_the_batch_that_an_accuracy_takes() -> None:
    """20 sigma^2/(n tau b) is at most what is left of eps."""
    given = POINT | {"sigma2": 100, "eps": 2}
    left = 2 - Q(1, 3) - Q(187, 400)

    assert asked("composite.theorem3.5.rounds", "b", given).exact == [[str(2000 / (90 * left)), None]]


def test_the_step_sizes_that_an_accuracy_takes() -> None:
    """Too short a step is slow, too long a one leaves a residual; both ends are where the bound is eps."""
    given = POINT | {"B_g": 2, "eps": Q(3, 2)}
    found = asked("composite.theorem3.5.rounds", "eta", given)
    low, high = found.intervals[0]
    admitted = [
        fp.statement("composite.theorem3.5.rounds").check(**given | {"eta": eta}).applicable
        for eta in (low * 0.999999, low, high, high * 1.000001)
    ]

    assert admitted == [False, True, True, False]
    assert found.binding == ["accuracy"]
    for eta in (low, high):
        step = 10 * eta
        assert 1 / (30 * step) + 20 / 360 + 187 * step**2 == pytest.approx(1.5, rel=1e-9)


@pytest.mark.parametrize(
    ("form", "kept", "residual"),
    [
        ("sharpened", 1 - Q("0.9") / 20, Q(20, 9) * (1 + Q("0.46") * 18 / 4) / 3600),
        ("repaired", 1 - Q(1, 60), 18 * Q(1, 10) * 2 / 360 + 168 * Q(1, 100) * Q(1, 100) * 2 / 4),
    ],
)
def test_rounds_under_the_proximal_pl_inequality(form: str, kept: Fraction, residual: Fraction) -> None:
    """The first whole R at which the bound is at most the accuracy, by computing the bound for every R."""
    id, given, rounds = f"composite.theorem3.6.rounds.{form}", PL | {"B_g": "1/10", "sigma2": "1/10"}, 1
    while kept**rounds + residual > Q(1, 10):
        rounds += 1
    letters = {letter.name for letter in catalog.statement(id).letters}
    own = {k: v for k, v in given.items() if k in letters}

    assert asked(id, "R", given).integers == (rounds, None)
    checked = [fp.statement(id).check(**own | {"R": r}).applicable for r in (rounds - 1, rounds)]
    assert checked == [False, True]


def test_the_exact_theorem_admits_any_number_of_rounds() -> None:
    """It has no accuracy to keep."""
    assert asked("composite.exact.pl", "R", PL).exact == [["0", None]]


def test_the_figures_step_sizes_bound_the_smoothness_that_13_allows() -> None:
    """L <= 1/(10 eta eta_g tau): 1/600 and 1/6000 in Fig. 2, 1/3200 in Fig. 3."""
    largest = {}
    for setting in catalog.settings("composite"):
        if "composite.theorem3.5" in setting.statements:
            given = {k: v for k, v in setting.parameters if k in ("n", "tau", "eta", "eta_g")}
            found = fp.statement("composite.theorem3.5").range("L", **given)
            largest[setting.where] = None if found.empty else found.exact[0][1]

    assert largest == {
        "Fig. 2, tau = 1": "1/600",
        "Fig. 2, tau = 10": "1/6000",
        "Fig. 3, b = 1": "1/3200",
        "Fig. 3, b = 20": "1/3200",
        "Fig. 4, tau = 5": None,
        "Fig. 4, tau = 10": None,
    }


def test_only_fig_4_violates_the_printed_condition_on_the_server_step() -> None:
    """eta_g = 1 < 1.5; the sharpened theorem admits it, and L is left to the reader."""
    verdicts = [v for s in catalog.settings("composite") for v in judge_setting(s)]
    against = {(v.setting.where, v.statement): v.violates for v in verdicts if not v.admissible}

    assert against == {(f"Fig. 4, tau = {t}", "composite.theorem3.5"): ("(13) server",) for t in (5, 10)}
    assert all("L" in v.detail for v in verdicts)


def test_settings_speak_of_letters_that_the_statements_have() -> None:
    """Every stated parameter is a letter of the paper's theorems."""
    known = {
        x.name for id in ("theorem3.5", "theorem3.6") for x in catalog.statement(f"composite.{id}").letters
    }

    for setting in catalog.settings("composite"):
        assert {k for k, _ in setting.parameters} <= known


@pytest.mark.parametrize("rounds", ["1e6", "1e30"])
@pytest.mark.parametrize("id", ["composite.theorem3.6.rounds", "composite.theorem3.6.rounds.sharpened"])
def test_many_rounds_are_checked_without_nearest_values(id: str, rounds: str) -> None:
    """q^R with R = 10^6 is decided, but not written out for a range, which says what is too large."""
    given: dict[str, Any] = {
        "L": "1/4", "n": 28, "tau": 2, "b": 5, "sigma2": 8, "B_g": 5, "mu": "14/11", "eta": "1/20",
        "eta_g": "1/10", "Omega1": "5/3", "eps_F": "1/20", "R": rounds,
    }  # fmt: skip
    given = {name: value for name, value in given.items() if name in fp.statement(id).names}
    found = fp.statement(id).check(**given)

    assert found.applicable is False
    assert found.nearest is not None
    assert found.nearest.notes == ("nearest values not looked for: the exponent R is above 10000",)
    del given["Omega1"]
    with pytest.raises(InputError, match=r"^R: got .*, expected an exponent of at most 10000 in a range"):
        fp.statement(id).range("Omega1", **given)
