"""Splits: every row at most once, no client empty, the promised labels and sizes; what cannot be says so."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from fedproof.problems.data.dataset import Dataset
from fedproof.problems.data.federate import federate, split_names
from fedproof.problems.data.splits.power import power_sizes
from fedproof.problems.problem import Array
from fedproof.vocabulary.discovery import load
from fedproof.vocabulary.errors import DataError, InputError, UnknownName
from tests.refusals import refused

RNG = np.random.default_rng(0)
LABELS = RNG.integers(0, 5, 900)
DATA = Dataset("toy", np.arange(1800.0).reshape(900, 2), LABELS, 5, owners=RNG.permutation(900) % 30)


def dealt(split: str, data: Dataset = DATA, clients: int = 12, seed: int = 1, **options: Any) -> Any:
    """What a split deals."""
    return load("splits", split, "split").split(data, clients, np.random.default_rng(seed), **options)


def shares(parts: list[Array], data: Dataset = DATA) -> Array:
    """The label distribution of every client."""
    counts = np.array([np.bincount(data.labels[p], minlength=data.classes) for p in parts])
    return counts / counts.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("clients", [3, 12, 30])
@pytest.mark.parametrize("split", split_names())
def test_every_split_is_a_partition(split: str, clients: int) -> None:
    """Every row goes to at most one client, no client is empty, and the words count what is left."""
    found = dealt(split, clients=clients)
    rows = np.concatenate(found.parts)

    assert len(found.parts) == clients
    assert len(np.unique(rows)) == len(rows)
    assert 0 <= rows.min() <= rows.max() < 900
    assert min(map(len, found.parts)) >= 1
    left = 900 - len(rows)
    assert (f", {left} row" in found.how) == (left > 0)
    if split in ("iid", "labels", "dirichlet", "shares", "half_labels"):
        assert left == 0


@pytest.mark.parametrize("split", split_names())
def test_the_seed_alone_decides(split: str) -> None:
    """The same seed gives the same parts, another seed others."""
    one, same, other = (np.concatenate(dealt(split, seed=s).parts).tolist() for s in (1, 1, 2))

    assert one == same != other


@pytest.mark.parametrize("per_client", [1, 2, 3])
@pytest.mark.parametrize("clients", [5, 7])
@pytest.mark.parametrize("split", ["labels", "power", "lognormal"])
def test_clients_hold_the_promised_number_of_labels(split: str, clients: int, per_client: int) -> None:
    """Every client has exactly that many labels, up to all of them; more is refused."""
    parts = dealt(split, clients=clients, labels_per_client=per_client).parts
    all_of_them = dealt(split, clients=clients, labels_per_client=5).parts

    assert ((shares(parts) > 0).sum(axis=1) == per_client).all()
    assert ((shares(all_of_them) > 0).sum(axis=1) == 5).all()
    with pytest.raises(InputError, match=r"got 6, expected from 1 to 5.*write labels_per_client=5"):
        dealt(split, clients=clients, labels_per_client=6)


@pytest.mark.parametrize("mixed", [Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(1)])
def test_half_labels_gives_a_share_to_all_and_the_rest_by_label(mixed: Fraction) -> None:
    """Of five clients each has an even part of the mixed rows, and the rest of label l is client l's."""
    parts = dealt("half_labels", clients=5, mixed=mixed).parts
    even = int(mixed * 900) // 5
    foreign = [int((LABELS[part] != n).sum()) for n, part in enumerate(parts)]
    own = [int((LABELS[part] == n).sum()) for n, part in enumerate(parts)]

    assert sum(map(len, parts)) == 900
    # a client's rows of other labels are all mixed ones, about four fifths of them
    assert all(abs(f - 0.8 * even) < 5 * (0.16 * even) ** 0.5 + 1 for f in foreign)
    rest = np.bincount(LABELS) * float(1 - mixed)
    assert np.allclose(own, rest + 0.2 * even, atol=30)
    if mixed == 0:
        assert foreign == [0] * 5


def test_half_labels_wraps_round() -> None:
    """With fewer clients than labels a client has several."""
    parts = dealt("half_labels", clients=2, mixed=Fraction(0)).parts

    assert [set(LABELS[part]) for part in parts] == [{0, 2, 4}, {1, 3}]


def test_power_sizes_reach_both_ends() -> None:
    """Smallest and largest size are attained, whoever gets them, and rows of a client's labels are even."""
    parts = dealt("power", smallest=7, largest=200, labels_per_client=2).parts
    sizes = [len(p) for p in parts]
    counts = np.array([np.sort(np.bincount(LABELS[p], minlength=5))[-2:] for p in parts])

    assert (min(sizes), max(sizes)) == (7, 200)
    assert (counts[:, 1] - counts[:, 0] <= 1).all()
    assert sorted(sizes) == power_sizes(12, 7, 200, 2.0).tolist()


@pytest.mark.parametrize("exponent", ["0", "1/2", "1", "2", "5"])
def test_power_sizes_have_the_density_they_say(exponent: str) -> None:
    """Of 10^5 quantiles, the share below s is the integral of the density, by its closed form."""
    a = float(Fraction(exponent))
    sizes = power_sizes(100_000, 10, 10_000, a)
    for s in (11, 30, 100, 1000, 9000):
        low, high = 10, 10_000
        if a == 1:
            share = np.log(s / low) / np.log(high / low)
        else:
            share = (s ** (1 - a) - low ** (1 - a)) / (high ** (1 - a) - low ** (1 - a))
        assert (sizes < s).mean() == pytest.approx(share, abs=2e-5)


def test_the_largest_size_that_fits_is_found() -> None:
    """Left to the data, the largest client is as large as the rows of every label allow, and no larger."""
    how = dealt("power", smallest=5).how
    largest = int(how.split("..")[1].split()[0])

    assert dealt("power", smallest=5, largest=largest).how == how
    refused(InputError, f"write largest={largest}", dealt, "power", smallest=5, largest=largest + 1)


def test_lognormal_gives_everyone_the_least() -> None:
    """Each client has at least the stated rows of each of its labels; deviation 0 is even."""
    counts = [np.bincount(LABELS[p], minlength=5) for p in dealt("lognormal", least=9).parts]
    even = [len(p) for p in dealt("lognormal", clients=5, labels_per_client=5, deviation=Fraction(0)).parts]

    assert all(c[c > 0].min() >= 9 for c in counts)
    assert max(even) - min(even) <= 5


@pytest.mark.parametrize("split", ["dirichlet", "shares"])
def test_concentration_goes_from_one_label_to_all(split: str) -> None:
    """Large concentrations give the pooled distribution, small ones few labels."""
    pooled = np.bincount(LABELS, minlength=5) / 900
    alike, middle, apart = (
        np.abs(shares(dealt(split, clients=6, concentration=Fraction(c)).parts) - pooled).sum(axis=1).mean()
        for c in ("1e4", "1", "1/20")
    )

    assert alike < 0.25 < middle < apart


def test_dirichlet_shares_have_the_known_variance() -> None:
    """One label's share of a client has the Dirichlet variance a(1-a)/(c+1) with c the concentration."""
    data = Dataset("two", np.zeros((20_000, 1)), np.arange(20_000) % 2, 2)
    dealt_thrice = [dealt("dirichlet", data, 100, s, concentration=Fraction(3)).parts for s in range(3)]
    seen = np.concatenate([shares(parts, data)[:, 0] for parts in dealt_thrice])
    # of Beta(3/2, 3/2), and of 200 draws by it
    expected = 1 / 16 + (1 / 4 - 1 / 16) / 200

    assert np.mean(seen) == pytest.approx(1 / 2, abs=4 * np.sqrt(expected / 300))
    assert np.var(seen) == pytest.approx(expected, rel=0.3)


def test_dirichlet_sizes_are_equal() -> None:
    """Sizes differ by at most one whatever the concentration."""
    for c in ("1e-3", "1/2", "1e6"):
        sizes = [len(p) for p in dealt("dirichlet", clients=7, concentration=Fraction(c)).parts]
        assert max(sizes) - min(sizes) <= 1


def test_shares_are_drawn_again() -> None:
    """Where a client stays empty, the number of draws is told."""
    descriptions = [dealt("shares", clients=40, seed=s, concentration=Fraction(1, 4)).how for s in range(20)]

    assert any("drawn" in how for how in descriptions)


def test_natural_keeps_writers_whole() -> None:
    """A client is one writer with all of its rows; without a number of clients, all writers take part."""
    parts = dealt("natural", clients=7).parts
    whole = federate(DATA, None, 0)

    for part in parts:
        (writer,) = np.unique(DATA.owners[part])
        assert (np.flatnonzero(DATA.owners == writer) == np.sort(part)).all()
    assert whole.n_clients == 30
    assert "by writer, 30 of 30" in whole.name


DEALING = [split for split in split_names() if split != "natural"]
FEW = Dataset("toy", np.zeros((4, 1)), np.array([0, 0, 1, 2]), 3)


@pytest.mark.parametrize(("split", "data", "clients", "options", "error", "message"), [
    *((split, FEW, 5, {}, DataError, "use at most 4 clients") for split in DEALING),
    *((split, FEW, 1, {}, InputError, "at least 2 clients") for split in ("labels", "power", "lognormal")),
    ("labels", FEW, 4, {}, DataError, r"rows of label 0 for 3 clients.*use at most 1 clients"),
    ("lognormal", FEW, 3, {}, DataError, "use at most 1 clients and least=1"),
    ("power", FEW, 3, {}, DataError, "too few rows for 3 clients of 10"),
    ("power", FEW, 3, {"smallest": 1}, InputError, "smallest: got 1"),
    ("power", DATA, 12, {"smallest": 20, "largest": 10}, InputError, "at least smallest=20"),
    ("natural", DATA, 31, {}, InputError, "at most 30"),
    ("natural", FEW, 2, {}, DataError, "without a writer"),
    ("shares", DATA, 100, {"concentration": Fraction(1, 1000)}, DataError,
     r"client \d+ without rows in 100 draws.*larger concentration"),
    ("half_labels", DATA, 6, {"mixed": Fraction(0)}, DataError,
     "client 5 without rows at mixed=0.*write mixed=1/2"),
])  # fmt: skip
def test_impossible_splits_say_so(
    split: str, data: Dataset, clients: int, options: dict[str, Any], error: type, message: str
) -> None:
    """Too many clients or too few, a label with too few rows, sizes that do not fit: errors with a cure."""
    refused(error, message, dealt, split, data, clients, **options)


@pytest.mark.parametrize("per_client", [1, 2, 3])
@pytest.mark.parametrize("split", ["labels", "power", "lognormal"])
def test_the_most_that_is_named_can_be_had(split: str, per_client: int) -> None:
    """What an error of too many clients or rows tells to write is then accepted, at every seed."""
    refused, kinds = 0, np.repeat(np.arange(5), 600)
    data = Dataset("big", np.zeros((3000, 1)), np.where(np.arange(3000) < 480, 1, kinds), 5)
    for clients, seed in product((1000, 500, 290, 120), range(4)):
        options: dict[str, Any] = {"labels_per_client": per_client}
        try:
            dealt(split, data, clients, seed, **options)
        except DataError as error:
            refused += 1
            most = re.search(r"at most (\d+) clients", error.cure)
            said = re.search(r"(?:write|and) (\w+)=(\d+)", error.cure)
            if most and (said is None or " or " not in error.cure):
                clients = int(most[1])
            if said:
                options[said[1]] = int(said[2])
            assert len(dealt(split, data, clients, seed, **options).parts) == clients

    assert refused


def test_real_targets_are_split_iid() -> None:
    """Targets that are no labels go to split=iid by default, and other splits refuse them."""
    data = Dataset("real", RNG.standard_normal((20, 3)), RNG.standard_normal(20), 0)

    assert "iid" in federate(data, 4, 0, model="least_squares").name
    with pytest.raises(DataError, match=r"real-valued targets.*use split=iid"):
        federate(data, 4, 0, model="least_squares", split="labels")
    named = Dataset("named", np.zeros((2, 1)), np.array([0, 1]), 2, np.array(["a", "b"]))
    refused(DataError, "label a, expected numbers", federate, named, 1, 0, model="least_squares")


@pytest.mark.parametrize("share", ["1/4", "0.25", 0.25, Fraction(1, 4)])
def test_a_quarter_is_held_out_of_every_client(share: Any) -> None:
    """No row is in both sets, the rest is split as before, every client loses a quarter rounded down."""
    whole = federate(DATA, 12, 3, split="power")
    held = federate(DATA, 12, 3, split="power", test_fraction=share)
    cuts = whole.sizes // 4
    assert held.held_out is not None
    seen = np.concatenate([held.features[:, 0], held.held_out.features[:, 0]])
    parts = np.split(whole.features[:, 0], whole.partition.offsets[1:-1])
    kept = np.split(held.features[:, 0], held.partition.offsets[1:-1])

    assert (held.sizes == whole.sizes - cuts).all()
    assert len(held.held_out.labels) == cuts.sum()
    assert sorted(seen) == sorted(whole.features[:, 0])
    assert all(set(k) <= set(p) for k, p in zip(kept, parts, strict=True))
    # feature 0 of row i is 2 i, which says what its label must be
    assert (held.held_out.labels == LABELS[(held.held_out.features[:, 0] / 2).astype(int)]).all()
    assert (held.labels == LABELS[(held.features[:, 0] / 2).astype(int)]).all()


def test_a_row_stays_with_everyone() -> None:
    """Even at 99 % every client keeps a row; where nothing can be held out, that is an error."""
    held = federate(DATA, 300, 0, split="iid", test_fraction="0.99")

    assert (held.sizes == 1).all()
    with pytest.raises(DataError, match=r"no row held out at test_fraction=1/4.*test_fraction=1/3 or more"):
        federate(DATA, 300, 0, split="iid", test_fraction="1/4")
    with pytest.raises(InputError, match="test_fraction: got 1, expected a number from 0 to below 1"):
        federate(DATA, 3, 0, test_fraction=1)


@pytest.mark.parametrize(("options", "error", "message"), [
    ({"splitt": "iid"}, UnknownName, "problem option: got splitt.*did you mean split"),
    ({"split": "lables"}, UnknownName, "split: got lables.*did you mean labels"),
    ({"split": "iid", "labels_per_client": 2}, InputError, "it with split=labels.*leave labels_per_client"),
    ({"hidden": 5}, InputError, "it with model=perceptron"),
    (
        {"split": "labels", "labels_per_client": "1.5"},
        InputError,
        "from 1 to 1000; write labels_per_client=1",
    ),
    ({"split": "labels", "labels_per_client": "0"}, InputError, "write labels_per_client=1"),
    ({"split": "dirichlet", "concentration": "0"}, InputError, "a number from 1e-3 to 1e6"),
    ({"l2": "-1"}, InputError, "l2: got -1, expected a number from 0 to 1e30"),
    ({"l2": "1e999"}, InputError, "expected a number from 0 to 1e30"),
    ({"nonconvex": "1e31"}, InputError, "expected a number from 0 to 1e30"),
    ({"split": "power", "smallest": "1e300"}, InputError, "write smallest=1000000000"),
    ({"model": "sofmax"}, UnknownName, "did you mean softmax"),
])  # fmt: skip
def test_options_are_refused_in_words(options: dict[str, Any], error: type[Exception], message: str) -> None:
    """A misspelt option, one of another split or model, and values outside the domain: one line each."""
    refused(error, message, federate, DATA, 5, 0, **options)
