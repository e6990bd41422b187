"""From labelled samples to a federated problem: split, hold out, model, regularise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from itertools import chain
from typing import Any

import numpy as np

from fedproof.problems.data.dataset import Dataset, gathered, real_targets
from fedproof.problems.data.origin import Origin
from fedproof.problems.data.table_options import TABLE
from fedproof.problems.problem import Array
from fedproof.problems.supervised.concave_penalties import FALL, KNOT, MCP, SCAD
from fedproof.problems.supervised.model_options import (
    make_model,
    model_names,
    option_defaults,
)
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.regularisers import L2, Nonconvex, Regulariser, Sum
from fedproof.problems.supervised.supervised import HeldOut, Supervised
from fedproof.vocabulary.discovery import addresses, load, parts
from fedproof.vocabulary.errors import DataError, InputError, UnknownName
from fedproof.vocabulary.options import (
    MOST_LABELS,
    MOST_NUMBER,
    Option,
    elsewhere,
    number,
    read_options,
    whole,
    word,
)
from fedproof.vocabulary.values import parse_value


def split_names() -> tuple[str, ...]:
    """Names of the splits, each a file of `problems/splits`.

    >>> {"iid", "labels", "power"} <= set(split_names())
    True
    """
    return tuple(addresses("splits"))


SPLIT = Option("split", None, word(split_names), "how rows are dealt; by default natural, labels or iid")
MODEL = Option("model", "softmax", word(model_names), "what is trained")
REST = (
    Option("l2", 0, number(0, MOST_NUMBER), "weight of half the squared norm"),
    Option("nonconvex", 0, number(0, MOST_NUMBER), "weight of sum w^2 / (1 + w^2)"),
    Option("mcp", 0, number(0, MOST_NUMBER), "weight of the minimax concave penalty"),
    Option("mcp_gamma", 3, FALL, "how far it falls: its weak convexity is 1 / gamma"),
    Option("scad", 0, number(0, MOST_NUMBER), "weight of the smoothly clipped absolute deviation"),
    Option("scad_a", Fraction(37, 10), KNOT, "where it is flat: its weak convexity is 1 / (a - 1)"),
    Option("test_fraction", 0, number(0, below=1), "share of every client's rows held out, rounded down"),
)


#: a model checks its own options
_AS_MODEL = ("as the model takes it", lambda name, value: value)


def model_options(given: Mapping[str, Any]) -> tuple[Option, ...]:
    """What `federated` takes, with the options of the model that is asked for."""
    model = MODEL.read(given.get("model", MODEL.default))
    defaults = option_defaults(model)
    own = (Option(name, default, _AS_MODEL, f"of model={model}") for name, default in defaults.items())
    return (MODEL, *own, *REST)


def split_options(given: Mapping[str, Any]) -> tuple[Option, ...]:
    """What `federate` takes, with the options of the split and of the model that are asked for."""
    split = SPLIT.read(given.get("split") or "labels")
    return (SPLIT, *load("splits", split, "split").OPTIONS, *model_options(given))


def _elsewhere(given: Mapping[str, Any]) -> dict[str, str]:
    """Options of the other splits and models, and which of these take them."""
    splits = ((f"split={name}", [o.name for o in part.OPTIONS]) for name, part in parts("splits").items())
    models = ((f"model={name}", option_defaults(name)) for name in model_names())
    return elsewhere(chain(splits, models), split_options(given))


def check_names(given: Mapping[str, Any]) -> None:
    """Refuse an option that no user's data take, whatever they are, before they are read.

    Raises: UnknownName with the nearest known one.
    """
    known = [option.name for option in (*TABLE, *split_options(given))]
    for name in given:
        if name not in known and name not in _elsewhere(given):
            raise UnknownName("problem option", name, known)


def federate(data: Dataset, clients: int | None, seed: int, **options: Any) -> Supervised:
    """A model on a split of the data.

    Arguments:
        data: the samples.
        clients: how many; None is all writers in split=natural.
        seed: of the split and of what is held out.
        options: split (natural where the data name writers, iid for real targets, labels otherwise), what the
            split takes, and what `federated` takes; numbers or text.

    Raises: UnknownName, InputError or DataError for a problem that cannot be.

    >>> toy = Dataset("toy", np.eye(4), np.array([0, 1, 0, 1]), 2)
    >>> federate(toy, 2, 0, split="labels", labels_per_client="1").name
    'toy, 2 clients, 1 label each, split seed 0'
    """
    data = _meant(data, options)
    usual = "natural" if data.owners is not None else "labels" if data.classes else "iid"
    split = SPLIT.read(options.get("split") or usual)
    options = {**options, "split": split}
    given = read_options(options, split_options(options), lambda: _elsewhere(options))
    writers = int(data.owners.max()) + 1 if split == "natural" and data.owners is not None else 10
    count = writers if clients is None else whole(1)[1]("clients", clients)
    part = load("splits", split, "split")
    names = {option.name for option in part.OPTIONS}
    rng = np.random.Generator(np.random.Philox(key=np.array([seed, 2], dtype=np.uint64)))
    dealt = part.split(data, count, rng, **{k: v for k, v in given.items() if k in names})
    name = f"{data.name}, {count} clients, {dealt.how}, split seed {seed}"
    rest = {k: v for k, v in options.items() if k not in names and k != "split"}
    made = federated(data, dealt.parts, name, seed=seed, **rest)
    return replace(made, origin=Origin(data.reading, dealt.clients, _class_names(data)))


def federated(
    data: Dataset, parts: Sequence[Array], name: str, *, seed: int = 0, bias: bool = True, **options: Any
) -> Supervised:
    """The problem whose client n holds the rows `parts[n]`; an empty part is refused.

    Arguments:
        data, parts, name: the samples, who holds which, and what it is in words.
        seed: of the choice of what is held out.
        bias: whether rows get a last column of ones, where the model takes one.
        options: model and its own options; l2, nonconvex, mcp and scad, weights >= 0 of the regularisers of
            these names, with mcp_gamma and scad_a; test_fraction, the share of every client's rows held out
            for testing, rounded down.
    """
    given = read_options(options, model_options(options), lambda: _elsewhere(options))
    data = _meant(data, given)
    Partition.of_sizes([len(part) for part in parts], name)
    training, tests = _held_out(parts, given.get("test_fraction", 0), seed)
    model, held = given.get("model", MODEL.default), None
    own = {k: v for k, v in given.items() if k in option_defaults(model)}
    made = make_model(model, data.classes, data.features.shape[1], own)
    bias = bias and getattr(made, "bias", True)
    if given.get("test_fraction"):
        outside = np.concatenate(tests)
        if not len(outside):
            got = f"no row held out at test_fraction={options['test_fraction']}"
            least = max(2, max(map(len, training)))
            cure = f"use fewer clients, or test_fraction=1/{least} or more"
            raise DataError(name, got, "at least one row", cure)
        held = HeldOut(gathered(data.features, outside, bias), data.labels[outside])
        name = f"{name}, {len(outside)} rows held out"
    regulariser = _regulariser(options)
    if regulariser is not None:
        name = f"{name}, plus {regulariser.text}"
    if model != MODEL.default:
        name = f"{', '.join([model, *(f'{k}={v}' for k, v in own.items())])} on {name}"
    order = np.concatenate(training)
    return Supervised(
        made, gathered(data.features, order, bias), data.labels[order],
        Partition.of_sizes([len(part) for part in training], name), name, regulariser, held,
    )  # fmt: skip


def _class_names(data: Dataset) -> tuple[str, ...] | None:
    """What the labels are called; None for real targets."""
    return tuple(map(data.label_text, range(data.classes))) if data.classes else None


def _meant(data: Dataset, given: Mapping[str, Any]) -> Dataset:
    """The data with real targets in place of labels where the model is one for these."""
    model = load("models", MODEL.read(given.get("model", MODEL.default)), "model").MODEL
    if data.classes and getattr(model, "classes", None) == 0:
        return replace(data, labels=real_targets(data), classes=0, kinds=None)
    if data.classes > MOST_LABELS:
        raise DataError(data.name, f"{data.classes} kinds of label", f"at most {MOST_LABELS}",
                        "use model=least_squares for real targets")  # fmt: skip
    if data.kinds is not None and data.kinds.dtype.kind == "f" and data.classes:
        odd = next((kind for kind in data.kinds.tolist() if kind != int(kind)), data.kinds[0])
        where = f", label {data.reading.label}" if data.reading is not None and data.reading.label else ""
        raise DataError(f"{data.name}{where}", odd, "classes: whole numbers below 2^53, or text",
                        "for real targets write model=least_squares or model=huber")  # fmt: skip
    return data


def _held_out(parts: Sequence[Array], share: Any, seed: int) -> tuple[list[Array], list[Array]]:
    """The rows that stay with each client and those held out; at least one stays as share < 1."""
    if not share:
        return list(parts), []
    rng = np.random.Generator(np.random.Philox(key=np.array([seed, 5], dtype=np.uint64)))
    mixed = [rng.permutation(part) for part in parts]
    cuts = [int(share * len(part)) for part in parts]
    pairs = list(zip(mixed, cuts, strict=True))
    return [part[cut:] for part, cut in pairs], [part[:cut] for part, cut in pairs]


def _regulariser(given: Mapping[str, Any]) -> Regulariser | None:
    kinds: tuple[tuple[str, Any, tuple[str, ...]], ...] = (
        ("l2", L2, ()), ("nonconvex", Nonconvex, ()), ("mcp", MCP, ("gamma",)), ("scad", SCAD, ("a",)),
    )  # fmt: skip
    chosen: list[Regulariser] = []
    for name, kind, beside in kinds:
        own = {word: given[f"{name}_{word}"] for word in beside if f"{name}_{word}" in given}
        if parse_value(given.get(name, 0), name):
            chosen.append(kind(given[name], **own))
        elif own:
            word = next(iter(own))
            raise InputError(f"{name}_{word}", own[word], f"it with a weight {name}", f"add {name}=...")
    return reduce(Sum, chosen) if chosen else None
