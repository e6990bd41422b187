"""Regularised logistic regression on two classes, clients with equally many rows; FLECS-CGD, Section 5."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from fedproof.problems.composite.constants import gradient_variance, spectral_smoothness
from fedproof.problems.data.data_files import is_path, read_dataset
from fedproof.problems.data.dataset import Dataset, gathered
from fedproof.problems.problem import Array, Constant
from fedproof.problems.supervised.models.logistic import Logistic
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.regularisers import L2
from fedproof.problems.supervised.supervised import Supervised
from fedproof.vocabulary.errors import DataError, InputError
from fedproof.vocabulary.options import MOST_NUMBER, Option, number, read_options, shown, word
from fedproof.vocabulary.values import parse_value

WORDS = ("breast_cancer", "digits")
ORDERS = ("shuffled", "sorted", "file")


def _read_source(name: str, value: Any) -> str:
    """A word, or a path as text."""
    if str(value) not in WORDS and not is_path(str(value)):
        raise InputError(name, value, _SOURCES, "check the path")
    return str(value)


_SOURCES = f"{', '.join(WORDS)} or the path of a file with two kinds of label"
OPTIONS = (
    Option("data", WORDS[0], (_SOURCES, _read_source), "whose rows; of digits the odd against the even"),
    Option("l2", "1/1000", number("1e-30", MOST_NUMBER), "weight of half the squared norm", ("mu",)),
    Option("order", ORDERS[0], word(lambda: ORDERS), "rows shuffled, sorted by label, or as they are"),
)


@dataclass(frozen=True, eq=False)
class BinaryLogistic(Supervised):
    """Logistic regression plus half a squared norm, with what theorems on every f_i ask for."""

    @cached_property
    def constants(self) -> Mapping[str, Constant]:
        """Those of a supervised problem; L by spectra, mu, exact, and the variance of a sample's gradient."""
        known = dict(super().constants)
        assert self.regulariser is not None
        how = (
            "the regulariser's: along almost every ray the rest of a Hessian vanishes, so that none is larger"
        )
        known["loss_strong_convexity"] = Constant(self.regulariser.least_curvature, "exact", how)
        if (spectral := spectral_smoothness(self)) is not None:
            known["smoothness"] = spectral
        known["gradient_variance"] = gradient_variance(self)
        return known


def build(clients: int = 10, seed: int = 0, **options: Any) -> BinaryLogistic:
    """The paper's problem on data that ships, or on a user's file, LIBSVM text among others; no bias.

    Every client has floor(rows / clients) rows, so that the mean over clients is that over rows; what is left
    over is not used. The paper's own mu is not stated.

    Arguments:
        clients: n.
        seed: of the shuffling.
        options: data, l2 (mu) and order.

    >>> build(clients=8).sizes.tolist()
    [71, 71, 71, 71, 71, 71, 71, 71]
    """
    given = {o.name: o.default for o in OPTIONS} | read_options(options, OPTIONS)
    data, weight = _dataset(given["data"]), parse_value(given["l2"])
    each = len(data.labels) // clients
    if not each:
        raise DataError(data.name, f"{len(data.labels)} rows for {clients} clients", "a row for each",
                        "use fewer clients")  # fmt: skip
    rows = _ordered(data, given["order"], seed)[: each * clients]
    name = f"logistic on {data.name}, {clients} clients of {each} rows, {given['order']}"
    name += f", split seed {seed}" if given["order"] == "shuffled" else ""
    return BinaryLogistic(
        Logistic(), gathered(data.features, rows, bias=False), data.labels[rows],
        Partition.of_sizes([each] * clients), f"{name}, plus {shown(weight)}/2 |w|^2", L2(weight),
    )  # fmt: skip


def _dataset(source: str) -> Dataset:
    """Two classes: breast cancer's, odd and even digits, or a file's."""
    from fedproof.problems.instances import breast_cancer, digits

    if source == "breast_cancer":
        return breast_cancer.dataset()
    if source == "digits":
        data = digits.dataset()
        return replace(data, name="odd and even digits", labels=data.labels % 2, classes=2)
    data = read_dataset(source)
    if data.classes != 2:
        raise DataError(source, f"{data.classes} kinds of label", "two", "use a softmax model on the file")
    return data


def _ordered(data: Dataset, order: str, seed: int) -> Array:
    """Row numbers in the order in which clients take them."""
    rows = np.arange(len(data.labels))
    if order == "file":
        return rows
    if order == "sorted":
        return np.argsort(data.labels, kind="stable")
    rng = np.random.Generator(np.random.Philox(key=np.array([seed, 2], dtype=np.uint64)))
    shuffled: Array = rng.permutation(rows)
    return shuffled
