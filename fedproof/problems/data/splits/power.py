"""Sizes by a power law within a range, a few labels per client."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import log

import numpy as np

from fedproof.problems.data.dataset import Dataset
from fedproof.problems.data.split_helpers import (
    LABELS_PER_CLIENT,
    SplitResult,
    check_enough,
    check_labels,
    dealt,
    label_holders,
    label_rows,
    most_clients,
    unassigned_rows,
)
from fedproof.problems.problem import Array
from fedproof.vocabulary.errors import DataError, InputError
from fedproof.vocabulary.options import MOST_COUNT, Option, at_least, number, shown, whole
from fedproof.vocabulary.plurals import count

SMALLEST = Option("smallest", 10, whole(1, MOST_COUNT), "rows of the smallest client, held-out ones included")
LARGEST = Option("largest", None, at_least(1), "rows of the largest client; none: the most that fits")
EXPONENT = Option("exponent", 2, number(0, 10), "a of the density s^-a of sizes")
OPTIONS = (LABELS_PER_CLIENT, SMALLEST, LARGEST, EXPONENT)

_GRID = 1 << 20


def split(
    data: Dataset,
    clients: int,
    rng: np.random.Generator,
    labels_per_client: int = 2,
    smallest: int = 10,
    largest: int | None = None,
    exponent: Fraction = Fraction(2),
) -> SplitResult:
    """Client sizes are the evenly spaced quantiles of a density s^-exponent on smallest..largest.

    So both ends are attained (FedProxVR, section 5: "[37, 1350]"), whatever the seed, which says who gets
    which size. A client's rows are divided evenly over its labels; labels are given out as in split=labels.

    Raises: InputError or DataError where the sizes do not fit the rows, with the largest that do.

    >>> toy = Dataset("toy", np.zeros((40, 1)), np.arange(40) % 2, 2)
    >>> dealt = split(toy, 4, np.random.default_rng(0), 2, 2, 20, Fraction(1))
    >>> sorted(len(part) for part in dealt.parts), dealt.how
    ([2, 4, 9, 20], 'power-law sizes 2..20 of density s^-1, 2 labels each, 5 rows unused')
    """
    check_enough(data, clients)
    kinds = check_labels(data, per_client := labels_per_client)
    if smallest < per_client:
        raise InputError("smallest", smallest, f"at least {per_client}, a row of each label of a client",
                         f"write smallest={per_client}")  # fmt: skip
    if largest is not None and largest < smallest:
        raise InputError("largest", largest, f"at least smallest={smallest}", f"write largest={smallest}")
    holders = label_holders(kinds, clients, per_client, rng)
    places = rng.permutation(clients)
    rows = label_rows(data, rng)
    counts = np.array([len(r) for r in rows])

    def needs(most: int, low: int = smallest) -> list[Array]:
        sizes = power_sizes(clients, low, most, float(exponent))[places]
        return _shares(sizes, holders, per_client)

    def fits(most: int, low: int = smallest) -> bool:
        return all(need.sum() <= count for need, count in zip(needs(most, low), counts, strict=True))

    if not fits(smallest):
        least = per_client
        cure = f"use at most {most_clients(rows, per_client)} clients and smallest={least}"
        if fits(least, least):
            cure = f"write smallest={_most(lambda s: fits(s, s), least, smallest)}"
        raise DataError(data.name, f"too few rows for {clients} clients of {smallest} rows",
                        "enough rows of each label", cure)  # fmt: skip
    most = _most(fits, smallest, len(data.labels)) if largest is None else largest
    if not fits(most):
        raise InputError("largest", largest, "sizes that the rows of each label allow",
                         f"write largest={_most(fits, smallest, most)}")  # fmt: skip
    parts = dealt(rows, holders, [np.cumsum(need) for need in needs(most)], clients)
    sizes = sorted(len(part) for part in parts)
    how = f"power-law sizes {sizes[0]}..{sizes[-1]} of density s^-{shown(exponent)}"
    return SplitResult(
        parts, f"{how}, {count(per_client, 'label')} each{unassigned_rows(len(data.labels), parts)}"
    )


def power_sizes(clients: int, smallest: int, largest: int, exponent: float) -> Array:
    """Whole sizes, ascending: quantiles 0, 1/(n-1), ..., 1 of the density s^-exponent; 1 for one client.

    >>> power_sizes(3, 1, 100, 1.0).tolist()
    [1, 10, 100]
    """
    at = np.linspace(0, 1, clients) if clients > 1 else np.ones(1)
    low, high, power = log(smallest), log(largest), 1 - exponent
    if power == 0:
        logs = low + at * (high - low)
    else:
        # (1 - u + u r) lies between 1 and r = (largest/smallest)^power; its logarithm loses no digits
        logs = low + np.log1p(at * np.expm1(power * (high - low))) / power
    # a grid first: another machine's rounding of a logarithm must not move a size across a whole number
    sizes: Array = np.floor(np.round(np.exp(logs) * _GRID) / _GRID).astype(np.int64)
    return np.clip(sizes, smallest, largest)


def _shares(sizes: Array, holders: list[list[int]], per_client: int) -> list[Array]:
    """Rows of every label for each of its holders: a client's size in parts that differ by at most one."""
    taken = np.zeros(len(sizes), dtype=np.int64)
    needs = []
    for owners in holders:
        mine = np.array(owners, dtype=np.int64)
        needs.append((sizes[mine] + taken[mine]) // per_client)
        taken[mine] += 1
    return needs


def _most(fits: Callable[[int], bool], low: int, high: int) -> int:
    """The largest number for which `fits` holds; it holds at `low` and is monotone."""
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return low
