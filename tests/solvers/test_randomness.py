"""Streams of randomness: apart for every key, uniform over their range; the log under interrupts."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.solvers.algorithm import ModelState, Trace
from fedproof.solvers.algorithms.fedproxvr import FedProxVR
from fedproof.solvers.driver import run
from fedproof.solvers.log import Log
from fedproof.solvers.metrics import METRICS
from fedproof.solvers.randomness import RandomSource, Uniform, draw_uniform
from fedproof.vocabulary.errors import InputError
from tests.refusals import refused


def test_streams_differ_by_seed_round_client_and_purpose() -> None:
    """Changing any one part of the key gives another stream, uncorrelated with the first."""
    keys = [(1, 1, "samples", 1), (2, 1, "samples", 1), (1, 2, "samples", 1), (1, 1, "returned", 1)]
    keys += [(1, 1, "samples", 2), (1, 1, "samples", 0)]
    made = [RandomSource(s, r).generator(p, c).standard_normal(4000) for s, r, p, c in keys]
    correlation = np.corrcoef(made) - np.eye(len(keys))

    assert np.abs(correlation).max() < 0.1


def test_draws_cover_their_range_evenly() -> None:
    """Sample numbers are uniform on 0..D_n-1: counts within five standard deviations of even."""
    ranges = {"samples": Uniform(np.array([3, 5]), (3000, 2))}
    draws = draw_uniform(ranges, np.array([4, 9]), RandomSource(0, 1))["samples"]
    for row, high in zip(draws, (3, 5), strict=True):
        counts = np.bincount(row.ravel(), minlength=high)

        assert len(counts) == high
        assert np.abs(counts - 6000 / high).max() < 5 * np.sqrt(6000 / high)


def test_too_many_draws_are_refused_before_allocating() -> None:
    """A round that would not fit into memory is an error of ours, at once."""
    ranges = {"samples": Uniform(np.array([2]), (10**12, 10**12))}
    refused(InputError, "draws in a round", draw_uniform, ranges, np.array([0]), RandomSource(0, 1))


class _Stop:
    def __int__(self) -> int:
        raise KeyboardInterrupt


class _Interrupting(list[Any]):
    def append(self, entry: Any) -> None:
        super().append(entry)
        raise KeyboardInterrupt


@pytest.mark.parametrize("late", [False, True])
def test_an_interrupt_within_the_log_keeps_lists_and_state_together(late: bool) -> None:
    """An interrupt while a round is counted leaves it out entirely; one right after keeps it whole."""
    problem = random_quadratic(0, n_clients=2).as_float()
    record = run(FedProxVR(0.1, 1, 1), problem, rounds=1)
    log = Log(record, ModelState(record.model), _Interrupting())
    counts, stop = np.ones(2, dtype=int), np.array([_Stop()])
    last = counts if late else stop
    trace = Trace(record.model, np.arange(2), np.ones(2) / 2, counts, counts, last)
    with pytest.raises(KeyboardInterrupt):
        log.add(ModelState(record.model + 1), {"loss": 1.0, "squared_gradient": 1.0}, trace)
    closed = log.close(diverged=False, interrupted=True)

    assert closed.rounds == 1 + late
    assert len(closed.metrics["loss"]) == len(closed.gradients) + 1 == 2 + late
    assert (closed.model == record.model + late).all()


def test_measured_dissimilarity_is_at_most_the_exact_constant() -> None:
    """On a quadratic the measured value is at most the weighted mean of sigma_n^2, in fractions."""
    problem = random_quadratic(4, n_clients=3, dimension=2, samples=[1, 2, 5])
    history = run(FedProxVR("1/8", 2, 1), problem, rounds=2, metrics=["dissimilarity", "drift"])
    bound = problem.constants["dissimilarity"].value

    x, weights = problem.start(), problem.sizes / Fraction(8)
    gaps = [problem.client_gradients(x[None], np.array([n]))[0] - problem.gradient(x) for n in range(3)]
    by_hand = sum(w * (g @ g) for w, g in zip(weights, gaps, strict=True))

    assert history.metrics["dissimilarity"][0] == by_hand / (problem.gradient(x) @ problem.gradient(x))
    assert all(0 < v <= bound for v in history.metrics["dissimilarity"])
    assert history.metrics["drift"][0] is None
    assert history.metrics["drift"][1] >= 0


def test_every_metric_answers_on_every_problem() -> None:
    """Metrics that do not apply are None, and None is no divergence."""
    history = run(FedProxVR(0.1, 1, 1), random_quadratic(0).as_float(), rounds=1, metrics=list(METRICS))

    assert history.metrics["accuracy"] == (None, None)
    assert not history.diverged


def test_streams_in_turn_are_the_streams() -> None:
    """One generator set anew draws what fresh ones draw, whatever was left over of the client before."""
    source, clients = RandomSource(seed=(1 << 64) - 1, round=7), np.array([3, 0, 3, 1 << 40])
    for client, stream in zip(clients, source.streams("samples", clients), strict=True):
        fresh = source.generator("samples", int(client))
        assert (stream.integers(0, 5, 7) == fresh.integers(0, 5, 7)).all()
        assert (stream.integers(0, 9, 3, dtype="uint32") == fresh.integers(0, 9, 3, dtype="uint32")).all()
        assert stream.random() == fresh.random()


@pytest.mark.parametrize("shape", [(), (3,), (20, 7)])
@pytest.mark.parametrize(("seed", "turn"), [(0, 1), (2**64 - 1, 7), (123, 2000)])
def test_compiled_draws_are_numpys(shape: tuple[int, ...], seed: int, turn: int) -> None:
    """One compiled call draws the bits that a generator a client draws, whatever the range is."""
    pytest.importorskip("numba")
    ids = np.array([0, 3, 5, 10**6])
    for high in ([1, 2, 2000, 2**32 - 1], [2**31 + 1, 3 * 2**30, 7, 1000], [2**32, 2**40, 3, 2**62]):
        ranges = {"samples": Uniform(np.array(high), shape), "returned": Uniform(np.array(high))}
        slow, fast = (draw_uniform(ranges, ids, RandomSource(seed, turn), k) for k in ("numpy", "numba"))
        for purpose, expected in slow.items():
            assert fast[purpose].dtype == expected.dtype
            assert np.array_equal(fast[purpose], expected)
