"""Equal sizes, each client's label distribution drawn from a Dirichlet distribution."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from fedproof.problems.data.dataset import Dataset
from fedproof.problems.data.split_helpers import SplitResult, check_enough, label_rows
from fedproof.problems.problem import Array
from fedproof.vocabulary.options import Option, number, shown

CONCENTRATION = Option(
    "concentration",
    "1/2",
    number("1e-3", "1e6"),
    "of the Dirichlet draws; small: unlike clients, large: alike",
)
OPTIONS = (CONCENTRATION,)


def split(
    data: Dataset, clients: int, rng: np.random.Generator, concentration: Fraction = Fraction(1, 2)
) -> SplitResult:
    """Client n draws q_n ~ Dirichlet(concentration p), p the shares of the labels, and its rows by q_n.

    Hsu, Qi and Brown 2019. Rows are drawn without replacement; where a label is used up, its weight goes
    to the others in proportion. Sizes differ by at most one and every row is used, so the clients that
    draw last take what is left: their order is random.

    >>> toy = Dataset("toy", np.zeros((9, 1)), np.arange(9) % 3, 3)
    >>> [len(part) for part in split(toy, 2, np.random.default_rng(0)).parts]
    [5, 4]
    """
    check_enough(data, clients)
    data.occurring()
    rows = label_rows(data, rng)
    left = np.array([len(r) for r in rows])
    prior = float(concentration) * left / left.sum()
    sizes = [len(part) for part in np.array_split(np.empty(len(data.labels)), clients)]
    parts: list[Array] = [np.empty(0, dtype=np.int64)] * clients
    for client in rng.permutation(clients):
        take = _drawn(rng.dirichlet(prior), left, sizes[client], rng)
        parts[client] = np.concatenate([r[n - t : n] for r, n, t in zip(rows, left, take, strict=True)])
        left = left - take
    return SplitResult(parts, f"labels by Dirichlet({shown(concentration)})")


def _drawn(weights: Array, left: Array, size: int, rng: np.random.Generator) -> Array:
    """How many rows of each label: multinomial draws, and again where a label has run out."""
    take = np.zeros(len(left), dtype=np.int64)
    while size > take.sum():
        open_ = np.where(take < left, weights, 0.0)
        if not open_.sum():
            open_ = (left - take).astype(np.float64)
        more = rng.multinomial(size - take.sum(), open_ / open_.sum())
        take = np.minimum(take + more, left)
    return take
