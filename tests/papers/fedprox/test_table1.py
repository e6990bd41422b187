"""Table 1 as data, the rounds that suffice for an accuracy, and the remarks: each by another route."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, isclose

import mpmath as mp
import pytest

from fedproof.bounds import catalog
from fedproof.papers.fedprox.table1 import ROWS, row
from fedproof.vocabulary.errors import UnknownName

SMOOTH = {"L": 2.0, "G": 1.5, "Delta": 3.0}
NON_SMOOTH = {"G": 1.5, "rho": 0.25, "Delta_rho": 3.0}
#: the table typed again, as plain functions of epsilon, I, M and b
PRINTED = {
    "li": lambda e, i, m, b: 1 / e,
    "theorem1": lambda e, i, m, b: 1 / i / e**2 + e**-1.5,
    "theorem2": lambda e, i, m, b: e**-2,
    "theorem3": lambda e, i, m, b: 1 / (b * i) / e**2 + e**-1.5,
    "theorem4": lambda e, i, m, b: e**-2,
    "fedavg": lambda e, i, m, b: 1 / (b * i) / e**2 + e**-1.5 + 1 / e,
    "yu": lambda e, i, m, b: 1 / (b * m) / e**2 + m * b / e,
    "khanduri": lambda e, i, m, b: e**-1.5,
    "scaffold": lambda e, i, m, b: 1 / (b * i) / e**2 + (m / i) ** (2 / 3) / e,
    "fedpd": lambda e, i, m, b: 1 / e,
    "stem": lambda e, i, m, b: 1 / e,
    "fco": lambda e, i, m, b: 1 / (b * m) / e**2 + 1 / e,
}


def bound1(rounds: mp.mpf, I: float) -> mp.mpf:  # noqa: E741  # the letter of the paper
    """Theorem 1 with constants, written again from the paper's last displays."""
    T, L, G, gap = mp.mpf(rounds), SMOOTH["L"], SMOOTH["G"], SMOOTH["Delta"]
    return (6 * L * gap + mp.mpf(34) / 9 * G**2) * max(T ** (-mp.mpf(2) / 3), 1 / mp.sqrt(T * I))


def bound2(rounds: mp.mpf) -> mp.mpf:
    """Theorem 2 with constants, the last line of its proof."""
    T, rho = mp.mpf(rounds), NON_SMOOTH["rho"]
    gap, G = NON_SMOOTH["Delta_rho"], NON_SMOOTH["G"]
    return gap / (T * rho) + (2 * gap + 4 * G**2 * rho) / (rho * mp.sqrt(T))


def least(bound, epsilon: float) -> int:  # type: ignore[no-untyped-def]
    """The least whole number of rounds with a falling bound at most epsilon, by bisection."""
    low, high = 0, 1
    while bound(high) > epsilon:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if bound(middle) > epsilon else (low, middle)
    return high


def rounds(id: str, **values: float) -> float:
    """How many rounds a statement says suffice."""
    formula = catalog.statement(f"fedprox.{id}").formulas["T_eps"]
    return float(formula.expr.evalf(subs={s: values[s.name] for s in formula.expr.free_symbols}))


@pytest.mark.parametrize("epsilon", [3.0, 0.5, 0.02, 0.001])
@pytest.mark.parametrize("devices", [1, 4, 30, 1000])
def test_the_rounds_of_theorem_1_suffice_and_are_at_most_twice_too_many(devices: int, epsilon: float) -> None:
    """The least T with the bound at most epsilon is between half of what Table 1's row says and that."""
    said = rounds("table1.theorem1", **SMOOTH, I=devices, epsilon=epsilon)

    assert said / 2 <= least(lambda T: bound1(T, devices), epsilon) <= ceil(said)


@pytest.mark.parametrize("devices", [1, 4, 30])
@pytest.mark.parametrize("epsilon", [3.0, 0.5, 0.02, 0.001])
def test_each_regime_has_its_own_rounds(devices: int, epsilon: float) -> None:
    """On its side of I^3 the least T is what that regime's statement says, rounded up."""
    found = least(lambda T: bound1(T, devices), epsilon)
    regime = "few" if found < devices**3 else "many"

    assert found == ceil(rounds(f"section1.rounds.{regime}", **SMOOTH, I=devices, epsilon=epsilon))


@pytest.mark.parametrize("name", ["table1.theorem2", "table1.theorem4"])
@pytest.mark.parametrize("epsilon", [3.0, 0.5, 0.02])
def test_the_rounds_of_theorem_2_suffice(name: str, epsilon: float) -> None:
    """The least T with the bound at most epsilon is at most what the row says and more than a third of it."""
    said = rounds(name, **NON_SMOOTH, epsilon=epsilon)

    assert said / 3 <= least(bound2, epsilon) <= ceil(said)


@pytest.mark.parametrize("name", ["theorem1", "theorem2", "theorem4"])
def test_the_rows_are_the_orders_of_the_rounds(name: str) -> None:
    """The rounds that suffice are at most a fixed multiple of the table's expression, whatever I is."""
    values = SMOOTH if name == "theorem1" else NON_SMOOTH
    size = 6 * 6 + 34 / 9 * 2.25 if name == "theorem1" else (9 + 4 * 2.25 * 0.25) / 0.25
    for epsilon in (1.0, 0.1, 1e-3, 1e-5):
        for devices in (1, 10, 1000):
            said = rounds(f"table1.{name}", **values, I=devices, epsilon=epsilon)
            known = {"epsilon": epsilon, "I": devices} if name == "theorem1" else {"epsilon": epsilon}
            assert said <= max(size**1.5, size**2) * row(name).at(**known) * (1 + 1e-12)


def test_the_table_is_the_papers() -> None:
    """Every row's expression is what was typed a second time; names are given once; ours need no LGD."""
    sizes = {"epsilon": 0.3, "I": 5.0, "M": 40.0, "b": 7.0}
    for line in ROWS:
        used = {k: v for k, v in sizes.items() if k in {s.name for s in line.complexity.free_symbols}}
        assert isclose(line.at(**used), PRINTED[line.name](*sizes.values()), rel_tol=1e-12), line.name
    assert {r.name for r in ROWS} == set(PRINTED)
    assert len(ROWS) == len(PRINTED)
    assert {r.name for r in ROWS if r.dissimilarity} == {"li", "fedavg", "yu"}
    assert {r.name for r in ROWS if r.non_smooth} == {"theorem2", "theorem4", "fco"}
    assert {r.name for r in ROWS if not r.partial} == {"yu", "khanduri", "fedpd", "stem", "fco"}
    assert [r.name for r in ROWS if r.convex] == ["fco"]


def test_an_unknown_row_or_letter_is_told() -> None:
    """A row that is none and a quantity that the table has not are refused with the nearest name."""
    with pytest.raises(UnknownName, match=r"row of Table 1: got scafold, .*scaffold"):
        row("scafold")
    with pytest.raises(UnknownName, match=r"quantity of Table 1: got eps,"):
        row("li").at(eps=0.1)


@pytest.mark.parametrize("name", ["remark1.slower", "remark6.comparable", "remark6.slower", "remark6.full"])
def test_the_comparisons_of_rates_hold_at_many_points(name: str) -> None:
    """With 30 digits, over T to 10^12 and I to 10^6, each remark's relation holds where it may."""
    relations = {
        "remark1.slower": lambda T, rate, i: T ** -(mp.mpf(2) / 3) <= rate,
        "remark6.comparable": lambda T, rate, i: 1 / mp.sqrt(T) <= mp.sqrt(i) * rate * (1 + mp.mpf("1e-25")),
        "remark6.slower": lambda T, rate, i: rate <= 1 / mp.sqrt(T),
        "remark6.full": lambda T, rate, i: T ** -(mp.mpf(2) / 3) <= 1 / mp.sqrt(T),
    }
    assert catalog.statement(f"fedprox.{name}").claim.kind == "implies"
    with mp.workdps(30):
        for power in range(13):
            for i in (1, 2, 10, 1000, 10**6):
                T = mp.mpf(10) ** power
                rate = max(T ** -(mp.mpf(2) / 3), 1 / mp.sqrt(T * i))
                assert relations[name](T, rate, i), (T, i)


def test_the_proximal_point_is_as_far_as_remark_5_says() -> None:
    """For the absolute value, in exact numbers: w - prox(w) is rho times the envelope's gradient, which is a
    regular subgradient at the proximal point.
    """
    rho, start = Fraction(1, 4), Fraction(3)
    near = start - rho
    gradient = (start - near) / rho

    assert (start - near) ** 2 == rho**2 * gradient**2 == rho**2
    for k in range(-20, 21):
        point = Fraction(k, 4)
        assert abs(point) >= abs(near) + gradient * (point - near) - (point - near) ** 2 / (2 * rho)
