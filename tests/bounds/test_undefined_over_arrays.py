"""Over arrays every formula is at each element what it is at that point alone: a number, or NaN."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sympy as sp

import fedproof as fp
from fedproof.algebra.expressions import printed
from fedproof.algebra.formula import Formula
from fedproof.bounds import catalog
from fedproof.bounds.statement import Statement
from fedproof.vocabulary.errors import InputError
from tests.refusals import refused

LEVELS = ("0", "1/10", "1/2", "1", "1", "1", "2", "3", "9", "40")
POINTS = 6


def degenerate(statement: Statement, rng: random.Random) -> dict[str, str]:
    """A point of a statement's letters where zeros and equal letters are frequent."""
    point = {}
    for letter in statement.letters:
        fits = [v for v in LEVELS if Fraction(v) in letter.domain]
        whole = [v for v in fits if "/" not in v] if letter.quantity.whole else fits
        point[letter.name] = rng.choice(whole)
    return point


def test_arrays_say_what_each_point_says() -> None:
    """All statements' formulas at seeded points with zeros and equal letters, in arrays."""
    rng = random.Random(7)
    defined = undefined = formulas = 0
    for statement in catalog.statements():
        handle = fp.statement(statement.id)
        points = [degenerate(statement, rng) for _ in range(POINTS)]
        lines = {n: np.array([float(Fraction(p[n])) for p in points]) for n in handle.names}
        for name, formula in statement.formulas.items():
            if not {*formula.names} <= {*handle.names}:
                continue
            one = [handle.value(name, **p) for p in points]
            many = np.broadcast_to(handle.value(name, **lines), POINTS)
            np.testing.assert_allclose(many, one, rtol=1e-9, err_msg=f"{statement.id} {name} {lines}")
            for letter in formula.names[:3]:
                mixed = handle.value(name, **points[0] | {letter: [points[0][letter]]})
                np.testing.assert_allclose(mixed, one[:1], rtol=1e-9, err_msg=f"{statement.id} {name}")
            formulas += 1
            undefined += int(np.isnan(one).sum())
            defined += int(np.isfinite(one).sum())
    assert formulas >= 220
    assert defined + undefined == formulas * POINTS
    assert undefined > 100
    assert defined > 1000


def test_the_printed_form_is_evaluated_at_decimals() -> None:
    """0/0 where NumPy cancels or rounds: 0.1 + 0.2 - 0.3 in a denominator; a root of 0 beside one of -1."""
    x, y, z = sp.symbols("x y z", real=True)
    with printed():
        gap = x + y - z
        quotient, cancelled, raised = 1 / (1 / gap), gap / gap, x**y / x
    at = {"x": np.array([0.1, 0.1]), "y": np.array([0.2, 0.3]), "z": Fraction(3, 10)}

    np.testing.assert_allclose(Formula(quotient).at(at), [np.nan, 0.1])
    np.testing.assert_allclose(Formula(cancelled).at(at), [np.nan, 1.0])
    np.testing.assert_allclose(Formula(sp.sqrt(gap)).at(at | {"x": np.array([0.1, -0.9])}), [0, np.nan])
    with pytest.raises(InputError, match="y: got 5/2, expected a whole number"):
        Formula(raised).at({"x": np.array([1.0]), "y": Fraction(5, 2)})


def test_a_number_beyond_doubles_stands_beside_an_array() -> None:
    """It is evaluated and decided as it is at points alone."""
    handle = fp.statement("fedproxvr.theorem1")
    values = THEOREM | {"L": "1e400", "Delta": "1e-250", "mu": "3e400"}
    ones = np.array([1.0])

    for verb in (lambda **k: handle.bound(False, **k), handle.applies):
        np.testing.assert_array_equal(verb(**values | {"lam": ones}), [verb(**values | {"lam": 1})])


THEOREM = {"L": 1, "lam": 1, "sigma2": 0, "theta": "1/10", "Delta": 1, "T": 10}
READ: dict[str, tuple[Any, Any]] = {
    "text": (["1/2", "9"], [0.5, 9]),
    "text and numbers": (["1/2", 9, Fraction(1, 4)], [0.5, 9, 0.25]),
    "text array": (np.array(["1/2", "9"]), [0.5, 9]),
    "series": (pd.Series([3, 9]), [3, 9]),
    "range": (range(3, 9), [3, 4, 5, 6, 7, 8]),
    "nested": ([[3], [9]], [[3], [9]]),
    "no element": ([], []),
    "no axis": (np.array(9), 9),
    "text without axis": (np.array("9"), 9),
}
REFUSED: dict[str, tuple[Any, str]] = {
    "complex": (np.array([1j, 9]), "mu: got an array of complex128, expected .*real numbers; "),
    "complex in a list": ([1j, 9], "mu: got 1j"),
    "dates": (np.array(["2020-01-01"], dtype="datetime64[D]"), "mu: got an array of datetime64"),
    "date in a list": ([np.datetime64("2020-01-01"), 9], "mu: got 2020-01-01"),
    "durations": (np.array([3], dtype="timedelta64[s]"), "mu: got an array of timedelta64"),
    "masked": (np.ma.array([1, 9], mask=[True, False]), "mu: got a masked array.*; "),
    "masked in a list": ([np.ma.masked, 9], "mu: got a masked array"),
    "truth values": (np.array([True, False]), "mu: got an array of bool"),
    "truth value in a list": ([True, 9], "mu: got True"),
    "truth value without axis": (np.array(True), "mu: got an array of bool"),
    "ragged": ([[1], [1, 2]], r"mu: got \[\[1\], \[1, 2\]\], expected an array whose rows"),
    "ragged arrays": ([np.ones((2, 2)), np.ones((2, 3))], "mu: got .* expected an array whose rows"),
    "beyond doubles": ([10**400, 9], "mu: got a number beyond"),
    "no number": ([None, 9], "mu: got None"),
    "not finite": ([9, np.inf], "mu: got inf"),
    "no text of a number": ([9, "x"], "mu: got x"),
}


@pytest.mark.parametrize(("given", "meant"), READ.values(), ids=READ)
def test_arrays_of_many_kinds_are_read(given: Any, meant: Any) -> None:
    """Text, series, ranges and arrays without axes are the arrays or numbers they hold."""
    handle = fp.statement("fedproxvr.theorem1")
    expected = handle.bound(False, **THEOREM, mu=np.array(meant, dtype=float) if np.ndim(meant) else meant)

    np.testing.assert_array_equal(handle.bound(False, **THEOREM, mu=given), expected)


@pytest.mark.parametrize(("given", "match"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_array_of_numbers_is_refused(given: Any, match: str) -> None:
    """An error names the letter, whichever verb reads the array."""
    handle = fp.statement("fedproxvr.theorem1")
    refused(InputError, match, handle.bound, False, **THEOREM, mu=given)
    refused(InputError, match, handle.applies, **THEOREM, mu=given)


def test_shapes_that_do_not_broadcast_name_their_letters() -> None:
    """Two lengths are told with the letters that have them."""
    handle = fp.statement("fedproxvr.theorem1")
    match = r"L, mu: got shape \(3,\) and shape \(2,\), expected arrays that broadcast"
    refused(InputError, match, handle.bound, False, **THEOREM | {"L": [1, 2, 3], "mu": [1, 2]})
