"""Who takes part: the exact law of the draws, which averages are unbiased, and what a run records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fedproof.cli import main
from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.solvers.algorithms.fedavg import FedAvg
from fedproof.solvers.algorithms.fedproxvr import FedProxVR
from fedproof.solvers.cohort import Cohort, Participation
from fedproof.solvers.driver import run
from fedproof.solvers.history import load_history
from fedproof.solvers.randomness import RandomSource
from fedproof.vocabulary.errors import InputError, UnknownName
from tests.refusals import refused

SIZES = [1, 2, 4]
PROBLEM = random_quadratic(1, n_clients=3, dimension=2, samples=SIZES, heterogeneity=2)
EQUAL = random_quadratic(1, n_clients=3, dimension=2, samples=2, heterogeneity=2)
FULL = [Fraction(n, 7) for n in SIZES]
ALL = [
    Participation(count, replacement, probability, average)
    for count, replacement, probability, average in product(
        (1, 2, 3), (False, True), ("uniform", "size"), ("size", "plain", "scaled")
    )
    if (probability, average) != ("size", "scaled")
]
each = pytest.mark.parametrize("participation", ALL, ids=str)


def outcomes(participation: Participation, problem: Any) -> Iterator[tuple[Fraction, Cohort]]:
    """Every sequence of tickets with its probability and cohort: the law of the code itself."""
    paths: list[list[int]] = [[]]
    while paths:
        path, highs = paths.pop(), []

        def draw(high: int, number: int, path: list[int] = path, highs: list[int] = highs) -> Any:
            first = len(highs)
            highs += [high] * number
            return np.array([*path[first : len(highs)], *[0] * (len(highs) - max(first, len(path)))])

        cohort = participation.cohort(problem, draw)
        if len(highs) > len(path):
            paths += [[*path, i] for i in range(highs[len(path)])]
        else:
            yield Fraction(1, int(np.prod(highs, dtype=object))), cohort


def law(participation: Participation, problem: Any = PROBLEM) -> dict[tuple[Any, ...], Fraction]:
    """Probability of every pair (clients, weights)."""
    found: dict[tuple[Any, ...], Fraction] = {}
    for chance, cohort in outcomes(participation, problem):
        key = (tuple(cohort.clients), tuple(cohort.weights))
        found[key] = found.get(key, Fraction(0)) + chance
    return found


def by_hand(participation: Participation) -> dict[tuple[Any, ...], Fraction]:
    """The same from ordered draws of clients, with nothing of the code's."""
    count: Any = participation.count
    sizes = SIZES if participation.probability == "size" else [1, 1, 1]
    found: dict[tuple[Any, ...], Fraction] = {}
    ordered = product(range(3), repeat=count) if participation.replacement else permutations(range(3), count)
    for drawn in ordered:
        chance, left = Fraction(1), list(sizes)
        for client in drawn:
            chance *= Fraction(left[client], sum(left))
            if not participation.replacement:
                left[client] = 0
        ids = sorted(set(drawn))
        times = [drawn.count(n) for n in ids]
        if participation.average == "scaled":
            weights = [FULL[n] * m * Fraction(3, count) for n, m in zip(ids, times, strict=True)]
        else:
            mass = [
                m * (SIZES[n] if participation.average == "size" else 1)
                for n, m in zip(ids, times, strict=True)
            ]
            weights = [Fraction(m, sum(mass)) for m in mass]
        key = (tuple(ids), tuple(weights))
        found[key] = found.get(key, Fraction(0)) + chance
    return found


def mean_weights(found: dict[tuple[Any, ...], Fraction]) -> list[Fraction]:
    """The expected weight of every client's model, 0 where it is not drawn."""
    drawn = [(dict(zip(*key, strict=True)), chance) for key, chance in found.items()]
    return [sum((p * weights.get(n, 0) for weights, p in drawn), Fraction(0)) for n in range(3)]


def unbiased(participation: Participation) -> bool:
    """What the docstring says for unequal sizes."""
    one = participation.count == 1
    everyone = participation.count == 3 and not participation.replacement
    if participation.average == "scaled":
        return True
    if participation.probability == "size":
        again = (participation.replacement or one) and (participation.average == "plain" or one)
        return again or (everyone and participation.average == "size")
    return everyone and participation.average == "size"


@each
def test_the_law_of_the_draws_is_the_one_by_hand(participation: Participation) -> None:
    """Probabilities of every cohort with its weights equal those of ordered draws, in fractions.

    Weights sum to one, with "scaled" in expectation; expected ones are D_n / D where the docstring says so.
    """
    found = law(participation)

    assert found == by_hand(participation)
    assert (mean_weights(found) == FULL) == unbiased(participation)
    sums = {sum(weights) for _, weights in found}
    assert participation.average == "scaled" or sums == {1}
    assert sum(mean_weights(found)) == 1


@pytest.mark.parametrize("replacement", [False, True])
@pytest.mark.parametrize(("average", "problem"), [
    ("size", EQUAL), ("plain", EQUAL), ("scaled", EQUAL), ("plain", PROBLEM),
], ids=["size", "plain", "scaled", "plain of any sizes"])  # fmt: skip
def test_uniform_draws_weigh_clients_alike(average: str, problem: Any, replacement: bool) -> None:
    """With equal sizes every average does in expectation; Yuan and Li's plain one whatever the sizes."""
    taking = Participation(2, replacement, "uniform", average)
    assert mean_weights(law(taking, problem)) == [Fraction(1, 3)] * 3


def test_everyone_is_the_default_and_draws_nothing() -> None:
    """No participation, everyone, and as many as there are without replacement are the same bits."""
    problem = PROBLEM.as_float()
    runs = [
        run(FedAvg(0.1, 3), problem, rounds=2, seed=1, participation=p) for p in (None, Participation(), 3)
    ]

    assert all((runs[0].model == r.model).all() for r in runs)
    assert runs[0].to_dict() == runs[1].to_dict()


@pytest.mark.parametrize("participation", ALL[::4], ids=str)
def test_resumption_and_workers_change_no_bit(participation: Participation, tmp_path: Path) -> None:
    """Three rounds at once, one and then two through a file, and with two workers are the same record."""
    problem, algorithm = PROBLEM.as_float(), FedProxVR(0.1, 3, 1)
    taking: dict[str, Any] = {"seed": 4, "participation": participation}
    whole = run(algorithm, problem, rounds=3, **taking)
    path = run(algorithm, problem, rounds=1, **taking).save(tmp_path / "h.json")
    resumed = run(algorithm, problem, rounds=3, resume=load_history(path), **taking)
    pair = run(algorithm, problem, rounds=3, workers=2, **taking)

    assert whole.to_dict() == resumed.to_dict() == pair.to_dict()
    assert (whole.model == resumed.model).all()
    assert (whole.model == pair.model).all()


def test_who_is_counted() -> None:
    """Each client of the cohort sends one message and works once, however often it was drawn."""
    twice = Participation(3, True, "size", "plain")
    history = run(FedAvg(0.1, 4, 2), PROBLEM, rounds=12, seed=2, participation=twice)
    taking = [len(twice.draw(PROBLEM, RandomSource(2, s)).clients) for s in range(1, 13)]

    assert set(taking) > {1}
    assert history.uplink_bits == history.downlink_bits == tuple(2 * 64 * k for k in taking)
    assert history.gradients == tuple(4 * 2 * k for k in taking)


def test_drift_is_weighted_as_the_average() -> None:
    """Drift is the mean of the squared distances with the weights of the average, by size or plain."""
    x = PROBLEM.start()
    gradients = PROBLEM.client_gradients(np.stack([x] * 3), np.arange(3))
    for average, weights in (("size", FULL), ("plain", [Fraction(1, 3)] * 3)):
        taking = Participation(average=average)
        history = run(FedAvg("1/8", 1, None), PROBLEM, rounds=1, participation=taking, metrics=["drift"])
        by_hand = sum(p * (g @ g) / 64 for p, g in zip(weights, gradients, strict=True))

        assert history.metrics["drift"][1] == by_hand


def test_available_clients_are_the_only_ones() -> None:
    """Only the named ids are drawn, and "scaled" is unbiased for their own average."""
    taking = Participation(1, average="scaled", available=(2, 0))
    mean: dict[int, Fraction] = {}
    for (clients, weights), chance in law(taking).items():
        mean[int(clients[0])] = chance * weights[0]

    assert mean == {0: Fraction(1, 5), 2: Fraction(4, 5)}


@pytest.mark.parametrize(("fields", "message"), [
    ({"count": 0}, "cohort size: got 0"),
    ({"count": 1.5}, "cohort size: got 1.5, expected a whole number"),
    ({"count": "2"}, "cohort size"),
    ({"count": True}, "cohort size"),
    ({"replacement": True}, "a cohort size too"),
    ({"probability": "size"}, "a cohort size too"),
    ({"count": 2, "probability": "sise"}, "did you mean size"),
    ({"average": "plane"}, "did you mean plain"),
    ({"count": 2, "probability": "size", "average": "scaled"}, "uniform draws only"),
    ({"count": 10_000_001, "replacement": True}, "cohort size: got 10000001, expected at most 10000000"),
])  # fmt: skip
def test_what_means_nothing_is_refused(fields: dict[str, Any], message: str) -> None:
    """One line that names the field."""
    refused((InputError, UnknownName), message, Participation, **fields)


def test_a_cohort_is_ordered_and_distinct() -> None:
    """Ids out of order, twice, or none at all are refused; `of` sorts them."""
    half = np.array([Fraction(1, 2)] * 2)
    for ids in ([1, 0], [1, 1]):
        refused(InputError, "increasing", Cohort, np.array(ids), half)
    refused(InputError, "increasing", Cohort, np.array([], int), half[:0])
    assert Cohort.of(PROBLEM, [2, 0]).clients.tolist() == [0, 2]


@pytest.mark.parametrize(("flags", "code", "said"), [
    (["--cohort", "2"], 0, '"count": 2'),
    (["--cohort", "5", "--replacement", "--probability", "size", "--average", "plain"], 0, '"plain"'),
    (["--cohort", "4"], 2, "at most 3"),
    (["--cohort", "1.5"], 2, "cohort"),
    (["--replacement"], 2, "cohort size"),
    (["--cohort", "2", "--average", "mean"], 2, "plain"),
])  # fmt: skip
def test_the_shell(flags: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Flags reach the record; bad ones are one line on stderr and exit code 2."""
    command = ["run", "fedavg", "tau=1", "--problem", "quadratic", "--clients", "3", "--rounds", "1"]
    answer = main([*command, "--json", "--quiet", *flags])
    out = capsys.readouterr()

    assert answer == code
    assert said in (out.err if code else out.out)
    assert len(out.err.strip().splitlines()) == (code == 2)


@pytest.mark.parametrize("probability", ["uniform", "size"])
def test_many_draws_are_those_of_one_at_a_time(probability: str) -> None:
    """Drawn as arrays, in several pieces, the cohort is the one that single draws from the stream give."""
    several = Participation(2_500_001, True, probability, "plain")
    replace(several, count=10_000_000).check(PROBLEM)  # the most there may be
    rng = RandomSource(3, 1).generator("participation", client=0)
    ends = np.cumsum(SIZES if probability == "size" else [1, 1, 1])
    tickets = [int(rng.integers(ends[-1])) for _ in range(3000)]
    times = [sum(low <= t < high for t in tickets) for low, high in zip([0, *ends[:-1]], ends, strict=True)]

    few = replace(several, count=3000).draw(PROBLEM, RandomSource(3, 1))
    assert list(few.weights) == [Fraction(m, 3000) for m in times]
    many = several.draw(PROBLEM, RandomSource(3, 1))
    rng = RandomSource(3, 1).generator("participation", client=0)
    drawn = np.searchsorted(ends, rng.integers(ends[-1], size=several.count), side="right")
    assert list(many.weights) == [Fraction(int(m), 2_500_001) for m in np.bincount(drawn)]
