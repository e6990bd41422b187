"""What the checks run on: instances on the line, some found by a search for the worst, and data."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from fedproof.papers.fedprox.checks._line import Line
from fedproof.problems.catalog import make_problem
from fedproof.problems.data.federate import federated
from fedproof.problems.data.splits.labels import split
from fedproof.problems.instances.digits import dataset
from fedproof.problems.supervised.supervised import Supervised

#: name, kinks, slopes at them of each client, start; G = 1
_SMOOTH = (
    ("one client", "-11/8 7/4", ("-1 1",), "21/8"),
    ("one client at a bend", "-19/8 -9/8 1/2", ("-1 1/4 1",), "-19/8"),
    ("two clients alike", "-17/8 9/4", ("-1 1", "-1 1"), "11/4"),
    ("two clients a little apart", "-2 -15/8 -1/4", ("-1 -7/8 3/4", "-1 -1 5/8"), "-21/8"),
    ("clients apart, concave between", "-3/2 0 1 9/8", ("-1 1/2 1/2 3/8", "-1 1/2 -1/2 -3/8"), "-15/8"),
    ("opposite slopes, from between", "-2 0 2", ("-1 1 1", "-1 -1 1"), "0"),
    ("opposite slopes, from outside", "-2 0 2", ("-1 1 1", "-1 -1 1"), "3"),
    ("opposite slopes, from far outside", "-3 -1 1 3", ("-1 0 1 1", "-1 -1 0 1"), "5/2"),
    ("three clients", "-2 -1 0 1 2", ("-1 0 1 1 1", "-1 -1 0 1 1", "-1 -1 -1 0 1"), "3/2"),
)  # fmt: skip
#: with the slopes behind the kinks
_NONSMOOTH = (
    ("one absolute value", "0", ("-1",), ("1",), "1"),
    ("absolute values apart", "-1 1", ("-1 1", "-1 -1"), ("1 1", "-1 1"), "1/2"),
    ("absolute values, from outside", "-1 1", ("-1 1", "-1 -1"), ("1 1", "-1 1"), "3"),
    ("a kink and a bend", "-1 0 1", ("-1 -1 1", "-1 -1/2 1/2"), ("-1 1 1", "-1 -1/2 1/2"), "2"),
    ("kinks with concave sides", "-1 0 1", ("-1/2 -1 1/2", "-1 -1/2 0"), ("-1/2 1 1/2", "-1 1/2 1"), "3/4"),
    ("three absolute values", "-1 0 1", ("-1 1 1", "-1 -1 1", "-1 -1 -1"), ("1 1 1", "-1 1 1", "-1 -1 1"),
     "2"),
)  # fmt: skip


@cache
def smooth_lines() -> tuple[Line, ...]:
    """Instances of Theorem 1, in fractions."""
    return tuple(
        Line.of(kinks.split(), _table(rows), origin=start, name=name) for name, kinks, rows, start in _SMOOTH
    )


@cache
def nonsmooth_lines() -> tuple[Line, ...]:
    """Instances of Theorem 2, in fractions."""
    return tuple(
        Line.of(kinks.split(), _table(left), _table(right), start, name)
        for name, kinks, left, right, start in _NONSMOOTH
    )


@cache
def sampled_lines() -> tuple[Line, ...]:
    """Instances of Theorem 3: two devices with two samples each, that differ within or between devices."""
    up, down, flat = ["-1", "1", "1"], ["-1", "-1", "1"], ["-1", "0", "1"]
    orders = {
        "alike devices": (up, down, up, down),
        "devices apart": (up, up, down, down),
        "devices a little apart": (up, flat, flat, down),
    }
    lines = {name: Line.of([-2, 0, 2], rows, origin=1, name=name) for name, rows in orders.items()}
    return tuple(line.federated(2) for line in lines.values())


@cache
def kinked_samples() -> tuple[Line, ...]:
    """Instances of Theorem 4: absolute values at -1 and 1, in either device or one in each."""
    orders = {"kinks within devices": (0, 1, 0, 1), "kinks between devices": (0, 0, 1, 1)}
    left, right = (["-1", "1"], ["-1", "-1"]), (["1", "1"], ["-1", "1"])
    lines = (
        Line.of([-1, 1], [left[k] for k in order], [right[k] for k in order], 2, name)
        for name, order in orders.items()
    )
    return tuple(line.federated(2) for line in lines)


def two_devices() -> Line:
    """h(u) + u and h(u) - u with Huber's h: the instance that refutes Theorem 3 as printed."""
    return Line.of([-1, 1], [[0, 2], [-2, 0]], name="two devices, h(u) + u and h(u) - u")


def _table(rows: tuple[str, ...]) -> list[list[str]]:
    return [row.split() for row in rows]


def slope(length: Fraction) -> Line:
    """One Huber loss, started so far away that a way of this length leads to its bend."""
    return Line.of([-1, 1], [[-1, 1]], origin=1 + length, name="down a slope")


def ridge(length: Fraction) -> Line:
    """One absolute value, started at this distance from its kink."""
    return Line.of([0], [[-1]], [[1]], length, name="down to a kink")


@cache
def equal_digits(model: str = "softmax", clients: int = 20) -> Supervised:
    """The digits, two labels a client, every client's rows cut to the number of the one with the fewest."""
    data = dataset()
    parts = split(data, clients, np.random.Generator(np.random.Philox(key=0))).parts
    fewest = min(map(len, parts))
    name = f"digits, {clients} clients, 2 labels and {fewest} images each"
    return federated(data, [part[:fewest] for part in parts], name, model=model)


@cache
def robust(model: str, heterogeneity: int = 4, clients: int = 12, samples: int = 20) -> Any:
    """Robust regression with outliers, or classification with kinks, on clients apart."""
    options = {"model": model, "heterogeneity": heterogeneity, "samples": samples}
    return make_problem("robust", clients, options=options)
