"""Randomness keyed by seed, purpose, round and client: blocks, order and resumption cannot change it."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fedproof.problems.problem import Array, Problem
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.values import is_whole

Draws = Mapping[str, Array]
"""All randomness of a round by purpose; every array has the cohort as its first axis."""

MOST_DRAWS = 1 << 27


@dataclass(frozen=True, slots=True)
class RandomSource:
    """The random streams of one round of one run.

    Arguments:
        seed: of the run, 0 <= seed < 2^64.
        round: from 1.
        repeat: how often the client was drawn before in this round, below 2^32; other numbers, other streams.

    >>> a, b = (RandomSource(seed=1, round=2).generator("samples", client=3) for _ in range(2))
    >>> bool(a.integers(1 << 40) == b.integers(1 << 40))
    True
    """

    seed: int
    round: int
    repeat: int = 0

    def key(self, purpose: str) -> Array:
        """What tells the streams of one purpose from others: the generator's two key words."""
        return np.array([self.seed, zlib.crc32(purpose.encode()) | self.repeat << 32], dtype=np.uint64)

    def generator(self, purpose: str, client: int) -> np.random.Generator:
        """The stream of one client for one purpose; counters leave 2^128 blocks to each."""
        key = self.key(purpose)
        counter = np.array([0, 0, client, self.round], dtype=np.uint64)
        return np.random.Generator(np.random.Philox(key=key, counter=counter))

    def streams(self, purpose: str, clients: Array) -> Iterator[np.random.Generator]:
        """The streams of clients in turn, as `generator` gives them, by one generator that is set anew.

        Making a generator takes longer than most draws from it. Each must be used before the next is taken.
        """
        bits = np.random.Philox(key=self.key(purpose))
        generator, fresh = np.random.Generator(bits), bits.state
        for client in clients:
            fresh["state"]["counter"] = np.array([0, 0, client, self.round], dtype=np.uint64)
            bits.state = fresh
            yield generator


@dataclass(frozen=True, eq=False)
class Uniform:
    """Independent uniform whole numbers 0..high-1.

    Arguments:
        high: exclusive upper bound of each client, shape (k,), or of each number, (k, *shape).
        shape: of one client's draws.
    """

    high: Array
    shape: tuple[int, ...] = ()

    @property
    def highs(self) -> Array:
        """The upper bound of each number, shape (k, *shape)."""
        k, own = len(self.high), np.ndim(self.high) - 1
        high = np.reshape(self.high, (k,) + (1,) * (len(self.shape) - own) + np.shape(self.high)[1:])
        return np.broadcast_to(high, (k, *self.shape))


def draw_uniform(
    ranges: Mapping[str, Uniform], cohort: Array, source: RandomSource, kernel: str = "numpy"
) -> dict[str, Array]:
    """Draw every range from its own stream.

    Arguments:
        ranges: by purpose.
        cohort: client ids, shape (k,).
        source: the round's streams.
        kernel: "numba" draws the same numbers in one compiled call.

    Returns: arrays of shape (k, *range.shape).
    Raises: InputError if one round would hold more than 2^27 numbers.
    """
    total = sum(len(cohort) * int(np.prod(r.shape, dtype=object)) for r in ranges.values())
    check_total(total)
    if kernel == "numba":
        return {purpose: _at_once(purpose, uniform, cohort, source) for purpose, uniform in ranges.items()}
    draws = {}
    for purpose, uniform in ranges.items():
        out = np.empty((len(cohort), *uniform.shape), dtype=np.int64)
        for row, generator in enumerate(source.streams(purpose, cohort)):
            high = uniform.high[row]
            out[row] = generator.integers(0, high if np.ndim(high) else int(high), uniform.shape)
        draws[purpose] = out
    return draws


def _at_once(purpose: str, uniform: Uniform, cohort: Array, source: RandomSource) -> Array:
    """All clients' draws from one range by one compiled call."""
    from fedproof.solvers.compiled_draws import HIGHEST, uniform_draws

    if np.ndim(uniform.high) > 1 or (len(uniform.high) and int(uniform.high.max()) >= HIGHEST):
        return draw_uniform({purpose: uniform}, cohort, source)[purpose]
    key, word = source.key(purpose), np.uint64
    count = int(np.prod(uniform.shape, dtype=np.int64))
    ids, high = np.asarray(cohort).astype(word), np.asarray(uniform.high).astype(word)
    found: Array = uniform_draws(key[0], key[1], ids, word(source.round), high, count)
    return found.reshape(len(cohort), *uniform.shape)


def draw_apart(draw: Callable[[Array, RandomSource], Draws], clients: Array, source: RandomSource) -> Draws:
    """Draws of clients that may stand there several times, each time with other streams.

    Arguments:
        draw: gives those of distinct clients.
        clients: ids, shape (k,), in any order; the first of a client has the draws that it has alone.

    Returns: arrays whose rows belong to `clients`; what is not used of an array is -1.

    >>> def number(ids, source):
    ...     return draw_uniform({"any": Uniform(np.full(len(ids), 1 << 40))}, ids, source)
    >>> a, b = (draw_apart(number, np.array(ids), RandomSource(0, 1))["any"] for ids in ([7, 7], [7]))
    >>> bool(a[0] == b[0]), bool(a[1] == b[0])
    (True, False)
    """
    order = np.argsort(clients, kind="stable")
    repeats = np.empty(len(clients), dtype=np.int64)
    repeats[order] = np.arange(len(clients)) - np.searchsorted(clients, clients[order], sorter=order)
    found = dict(draw(clients[repeats == 0], source))
    if not repeats.any():
        return found
    for purpose, first in found.items():
        found[purpose] = np.full((len(clients), *first.shape[1:]), -1, dtype=first.dtype)
        found[purpose][repeats == 0] = first
    for repeat in range(1, int(repeats.max()) + 1):
        rows = np.flatnonzero(repeats == repeat)
        for purpose, values in draw(clients[rows], replace(source, repeat=repeat)).items():
            place: Any = (rows, *map(slice, values.shape[1:]))
            found[purpose][place] = values
    return found


def distinct(numbers: Array, sizes: Array) -> Array:
    """b different numbers 0..D_n - 1 of each client, ascending, shape (k, b), every set equally likely.

    Floyd's way (Bentley and Floyd, 1987): number j is one of 0..D_n - b + j, and is replaced by the last of
    these if it was taken before.

    Arguments:
        numbers: independent and uniform, number j below D_n - b + 1 + j, shape (k, b).
        sizes: D_n, shape (k,).

    >>> distinct(np.array([[0, 1, 1]]), np.array([3])).tolist()
    [[0, 1, 2]]
    """
    found, (k, b) = numbers.copy(), numbers.shape
    rows, taken = np.arange(k), np.zeros((k, int(sizes.max(initial=0))), dtype=bool)
    for j in range(b):
        found[:, j] = np.where(taken[rows, found[:, j]], sizes - b + j, found[:, j])
        taken[rows, found[:, j]] = True
    found.sort(axis=1)
    return found


class UniformDraws:
    """What draws all randomness of a round as independent uniform whole numbers, by its `ranges`."""

    def ranges(self, problem: Problem, cohort: Array) -> dict[str, Uniform]:
        """Every draw of a round by purpose; exact expectations enumerate them."""
        raise NotImplementedError(type(self).__name__)

    def draw(self, problem: Problem, cohort: Array, source: RandomSource) -> Draws:
        """All randomness of one round."""
        kernel = getattr(problem, "kernel_name", "numpy")
        return draw_uniform(self.ranges(problem, cohort), cohort, source, kernel)


class NoDraws(UniformDraws):
    """What draws nothing."""

    def ranges(self, problem: Problem, cohort: Array) -> dict[str, Uniform]:
        """No draw."""
        del problem, cohort
        return {}


class BatchSteps(UniformDraws):
    """What takes `local_steps` steps, each on a batch drawn with replacement or on all samples."""

    local_steps: int

    @property
    def batch_size(self) -> int | None:
        """Samples per step; None takes all of a client's."""
        return None

    def ranges(self, problem: Problem, cohort: Array) -> dict[str, Uniform]:
        """One batch of sample numbers per step."""
        if self.batch_size is None:
            return {}
        return {"samples": Uniform(problem.sizes[cohort], (self.local_steps, self.batch_size))}

    def work(self, problem: Problem, cohort: Array, draws: Draws) -> Array:
        """Sample gradients evaluated per client."""
        del draws
        each = problem.sizes[cohort] if self.batch_size is None else np.full(len(cohort), self.batch_size)
        evaluations: Array = each * self.local_steps
        return evaluations


def drawn_samples(draws: Draws, batch_size: int | None) -> Array | None:
    """The sample numbers of a round's steps; None where every step takes all samples.

    Raises: InputError where batches are asked for and none are drawn.

    >>> drawn_samples({}, batch_size=None) is None
    True
    """
    if "samples" not in draws and batch_size is not None:
        expected = f"those of batch_size={batch_size}"
        raise InputError("draws", "no sample numbers", expected, "pass what draw gives, or batch_size=None")
    return draws.get("samples")


def checked_seed(seed: Any, cure: str = "write seed=0") -> int:
    """A seed as an int.

    Raises: InputError for what is no whole number from 0 to 2^64 - 1.
    """
    if not is_whole(seed) or not 0 <= seed < 1 << 64:
        raise InputError("seed", seed, "a whole number from 0 to 2^64 - 1", cure)
    return int(seed)


def check_total(total: int) -> None:
    """Refuse a round of more than 2^27 drawn numbers before anything is allocated.

    Raises: InputError.
    """
    if total > MOST_DRAWS:
        raise InputError(
            "local_steps x batch_size",
            f"{total} draws in a round",
            f"at most {MOST_DRAWS}",
            "use fewer local steps, a smaller batch or fewer clients",
        )
