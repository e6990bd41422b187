"""A statement's bound over arrays is what `check` says of every element."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import fedproof as fp
from fedproof.vocabulary.errors import InputError, MissingName, UnknownName
from fedproof.vocabulary.values import parse_value

COMPOSITE: dict[str, Any] = {
    "L": 2, "n": 3, "tau": 4, "b": 5, "sigma2": "1/2", "eta": "0.002", "eta_g": "3", "Omega1": 7, "R": 50,
}  # fmt: skip
POINTS: dict[str, dict[str, Any]] = {
    "composite.theorem3.5": COMPOSITE | {"B_g": 1},
    "composite.theorem3.6.sharpened": COMPOSITE | {"mu": "1/10"},
    "fedproxvr.theorem1": {"L": 1, "lam": "0.1", "sigma2": 1, "mu": 40, "theta": "1/20", "Delta": 3, "T": 9},
    "fedproxvr.certified.svrg": {
        "L": 1, "lam": 0, "sigma2": 0, "mu": 60, "beta": 400, "tau": 70, "Delta": 2, "T": 10, "eps": "1/10",
    },
}  # fmt: skip
FACTORS = np.array([0.5, 1.0, 2.0, 9.0])


def of(id: str) -> tuple[Any, dict[str, Any]]:
    """A statement and a point with its letters alone."""
    handle = fp.statement(id)
    return handle, {k: v for k, v in POINTS[id].items() if k in handle.names}


@pytest.mark.parametrize("id", sorted(POINTS))
def test_every_element_is_what_check_says(id: str) -> None:
    """Along each letter, whole numbers aside: NaN where a condition fails, else check's bound to rounding."""
    handle, point = of(id)
    held = failed = 0
    for name in (n for n in point if n not in ("n", "tau", "b", "R", "T")):
        line = FACTORS * float(parse_value(point[name]))
        if name == "theta":
            line = np.minimum(line, 1.0)
        found = handle.bound(**point | {name: line})
        applies = handle.applies(**point | {name: line})
        plain = handle.bound(conditions=False, **point | {name: line})
        for i, value in enumerate(line):
            checked = handle.check(**point | {name: float(value)})
            assert applies[i] == checked.applicable
            if checked.applicable:
                assert found[i] == plain[i] == pytest.approx(checked.bound, rel=1e-12)
                assert handle.bound(**point | {name: float(value)}) == checked.bound
            else:
                assert math.isnan(found[i])
            held, failed = held + checked.applicable, failed + (not checked.applicable)
    assert held > 3
    assert failed > 0


def test_arrays_broadcast_and_borders_are_exact() -> None:
    """A table over two letters; a step of exactly the largest size is admitted, one just above is not."""
    handle, point = of("composite.theorem3.5")
    table = handle.bound(**point | {"R": [10, 20, 40], "eta_g": np.array([[3.0], [4.0]])})
    largest = {**point, "tau": 1, "eta_g": 3}
    line = handle.applies(**largest | {"L": 1, "eta": np.array([1 / 30, math.nextafter(1 / 30, 1)])})

    assert table.shape == (2, 3)
    assert np.all(np.diff(table, axis=1) < 0)
    for value, admitted in zip((1 / 30, math.nextafter(1 / 30, 1)), line, strict=True):
        assert handle.check(**largest | {"L": 1, "eta": value}).applicable == admitted
    assert handle.applies(**largest | {"L": 1, "eta": "1/30"})


def test_what_is_missing_or_wrong_is_said() -> None:
    """A letter without a value, an element outside its domain, and a statement that is no bound."""
    handle, point = of("composite.theorem3.5")
    with pytest.raises(MissingName, match="Omega1"):
        handle.bound(**{k: v for k, v in point.items() if k != "Omega1"})
    with pytest.raises(InputError, match="L: got -1"):
        handle.bound(**point | {"L": np.array([1.0, -1.0])})
    with pytest.raises(UnknownName, match="formula of"):
        fp.statement("fedproxvr.problem23").bound(L=1)
