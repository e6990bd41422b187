"""From labelled samples to a federated problem: split, hold out, model, regularise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fedproof.problems.dataset import Dataset, with_bias
from fedproof.problems.discovery import load
from fedproof.problems.problem import Array
from fedproof.problems.regularisers import L2, Nonconvex, Regulariser, Sum
from fedproof.problems.rows import Partition
from fedproof.problems.splits import iid_split, labels_split
from fedproof.problems.supervised import HeldOut, Supervised
from fedproof.vocabulary.errors import DataError, InputError, UnknownName
from fedproof.vocabulary.values import parse_value

__all__ = ["SPLITS", "federate", "federated"]

SPLITS = ("labels", "iid")
_MODELS = "fedproof.problems.models"


def federate(
    data: Dataset, clients: int, seed: int, split: str = "labels", labels_per_client: int = 2, **options: Any
) -> Supervised:
    """A model on a split of the data.

    Arguments:
        data: the samples.
        clients: how many.
        seed: of the split.
        split: "labels" (`labels_per_client` labels each) or "iid".
        labels_per_client: labels of one client; at most the number of classes.
        options: as `federated` takes them.

    Raises: UnknownName, InputError or DataError for a split that cannot be.
    """
    rng = np.random.Generator(np.random.Philox(key=np.array([seed, 2], dtype=np.uint64)))
    if split not in SPLITS:
        raise UnknownName("split", split, SPLITS)
    if split == "iid":
        parts, how = iid_split(data.labels, clients, rng), "iid"
    else:
        parts = labels_split(data.labels, clients, rng, labels_per_client)
        how = f"{labels_per_client} labels each"
    return federated(
        data, parts, f"{data.name}, {clients} clients, {how}, split seed {seed}", seed=seed, **options
    )


def federated(
    data: Dataset,
    parts: Sequence[Array],
    name: str,
    *,
    seed: int = 0,
    model: str = "softmax",
    l2: Any = 0,
    nonconvex: Any = 0,
    test_fraction: Any = 0,
) -> Supervised:
    """The problem whose client n holds the rows `parts[n]`; an empty part is refused.

    Arguments:
        data, parts, name: the samples, who holds which, and what it is in words.
        seed: of the choice of what is held out.
        model: a file of `problems/models`.
        l2, nonconvex: weights >= 0 of the regularisers of these names.
        test_fraction: share of every client's rows held out for testing, rounded down; from 0 to below 1.
    """
    share = parse_value(test_fraction, "test_fraction")
    if not 0 <= share < 1:
        raise InputError("test_fraction", test_fraction, "a number from 0 to below 1")
    Partition.of_sizes([len(part) for part in parts], name)
    kept, tests = list(parts), []
    if share:
        rng = np.random.Generator(np.random.Philox(key=np.array([seed, 5], dtype=np.uint64)))
        mixed = [rng.permutation(part) for part in parts]
        cuts = [int(share * len(part)) for part in parts]
        tests = [part[:cut] for part, cut in zip(mixed, cuts, strict=True)]
        kept = [part[cut:] for part, cut in zip(mixed, cuts, strict=True)]
    features = with_bias(data.features)
    order = np.concatenate(kept)
    held = None
    if tests:
        outside = np.concatenate(tests)
        if not len(outside):
            raise DataError(name, f"no row held out of {len(features)} at test_fraction={test_fraction}",
                            "clients large enough to hold some out", "use fewer clients")  # fmt: skip
        held = HeldOut(features[outside], data.labels[outside])
        name = f"{name}, {len(outside)} rows held out"
    regulariser = _regulariser(l2, nonconvex)
    if regulariser is not None:
        name = f"{name}, plus {regulariser.text}"
    built = load(_MODELS, _MODELS, model, "model").MODEL
    if model != "softmax":
        name = f"{model} on {name}"
    return Supervised(
        built(data.classes), features[order], data.labels[order],
        Partition.of_sizes([len(part) for part in kept], name), name, regulariser, held,
    )  # fmt: skip


def _regulariser(l2: Any, nonconvex: Any) -> Regulariser | None:
    chosen: list[Regulariser] = []
    if parse_value(l2, "l2"):
        chosen.append(L2(l2))
    if parse_value(nonconvex, "nonconvex"):
        chosen.append(Nonconvex(nonconvex))
    if not chosen:
        return None
    return chosen[0] if len(chosen) == 1 else Sum(*chosen)
