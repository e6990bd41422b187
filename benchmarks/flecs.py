"""Time and memory of FLECS-CGD's rounds (Algorithms 3 and 5) by d, m and clients, beside a loop over clients.

Both compute the same round from the same draws on logistic regression with dithering, s = 64, p = infinity:
ours, all clients in arrays, and one client after the other in plain NumPy, which keeps d x m factors too. The
draws are made before, in either case. Times are of the processor, medians of calls.

Run: python -m benchmarks.flecs            (a line for each size)
     python -m benchmarks.flecs rounds     (by the number k of the round)
     python -m benchmarks.flecs memory     (100 rounds at d = 20,958 with 50 clients, and the peak of memory)
"""

from __future__ import annotations

import resource
import sys
import time
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from benchmarks.timing import median_seconds
from fedproof.problems.supervised.models.logistic import Logistic
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.regularisers import L2
from fedproof.problems.supervised.supervised import Supervised
from fedproof.solvers.algorithms.flecs_cgd import FlecsCgd
from fedproof.solvers.blocks import round_in_blocks
from fedproof.solvers.cohort import Cohort
from fedproof.solvers.compressors.dithering import Dithering
from fedproof.solvers.driver import run
from fedproof.solvers.randomness import RandomSource

LEVELS, WEIGHT, LOW, HIGH, REPEATS = 64, 1e-3, 1e-5, 1e8, 9
#: d, clients, rows of each
SIZES = (
    (31, 50, 11),
    (31, 100, 11),
    (123, 80, 50),
    (123, 100, 11),
    (1000, 50, 20),
    (5000, 50, 20),
    (20_958, 50, 20),
)
MEMORIES = (1, 2, 4, 8)
LARGE = (20_958, 50, 20)


def problem_of(d: int, clients: int, rows: int) -> Supervised:
    """Logistic regression on standard normal features with random labels."""
    rng = np.random.default_rng(0)
    features = rng.standard_normal((clients * rows, d)) / np.sqrt(d)
    labels = rng.integers(0, 2, clients * rows)
    parts = Partition.of_sizes([rows] * clients)
    return Supervised(Logistic(2), features, labels, parts, regulariser=L2(str(WEIGHT)))


def method_of(memory: int, **others: Any) -> FlecsCgd:
    """The paper's parameters."""
    q = Dithering(LEVELS, "inf")
    return FlecsCgd(memory=memory, gradient_compressor=q, hessian_compressor=q, **others)


class PlainFlecs:
    """One round of Algorithm 1 with Algorithms 3 (beta = 1) and 5, client by client in plain NumPy."""

    def __init__(self, problem: Supervised) -> None:
        ends = problem.partition.offsets
        self.data = [(problem.features[a:b], problem.labels[a:b]) for a, b in pairwise(ends)]
        self.weights = problem.sizes / problem.sizes.sum()

    def dithered(self, x: Any, coins: Any) -> Any:
        """Random dithering of one vector."""
        norm = np.abs(x).max()
        if norm == 0:
            return x
        reach = LEVELS * np.abs(x) / norm
        floor = np.floor(reach)
        return norm * np.sign(x) * (floor + (coins < (reach - floor) * 2.0**53)) / LEVELS

    def round(self, state: Any, draws: Any) -> Any:
        """The next model, shifts and factors from state = (w, h, F, K)."""
        w, shifts, factors, cores = state
        d, m = draws["sketch"].shape[1:]
        g_mean, y_mean, m_mean = np.zeros(d), np.zeros((d, m)), np.zeros((m, m))
        new = [], [], []
        for i, (X, y) in enumerate(self.data):
            S = draws["sketch"][i]
            received = factors[i] @ (cores[i] @ (factors[i].T @ S))
            p = 1 / (1 + np.exp(-(X @ w)))
            g = X.T @ (p - y) / len(y) + WEIGHT * w
            Y = X.T @ ((p * (1 - p))[:, None] * (X @ S)) / len(y) + WEIGHT * S
            M = S.T @ Y
            c = self.dithered(g - shifts[i], draws["gradient_compressor"][i])
            C = self.dithered((Y - received).ravel(), draws["hessian_compressor"][i]).reshape(d, m)
            sketched = C + received
            for kept, value in zip(new, (shifts[i] + c, sketched, np.linalg.pinv(M)), strict=True):
                kept.append(value)
            for mean, value in zip((g_mean, y_mean, m_mean), (c + shifts[i], sketched, M), strict=True):
                mean += self.weights[i] * value
        q, r = np.linalg.qr(y_mean)
        values, v = np.linalg.eigh(r @ np.linalg.pinv(m_mean) @ r.T)
        v = q @ v
        along = v.T @ g_mean
        step = v @ (along / np.clip(np.abs(values), LOW, HIGH)) + (g_mean - v @ along) / HIGH
        return w - step, *new


def measured(problem: Supervised, memory: int) -> str:
    """Milliseconds of the third round, ours and client after client, which give the same model."""
    method, cohort, plain = method_of(memory), Cohort.of(problem), PlainFlecs(problem)
    state = method.init(problem, problem.start())
    d, n = problem.dimension, problem.n_clients
    other: Any = (state.model, np.zeros((n, d)), [np.zeros((d, memory))] * n, [np.zeros((memory,) * 2)] * n)
    for number in (1, 2, 3):
        draws = method.draw(problem, cohort.clients, RandomSource(0, number))
        ours = partial(round_in_blocks, method, problem, state, cohort, draws, None, 1)
        theirs = partial(plain.round, other, draws)
        if number < 3:
            state, other = ours()[0], theirs()
    gap = np.abs(ours()[0].model - theirs()[0]).max() / np.abs(state.model).max()
    assert gap < 1e-6, gap
    repeats = REPEATS if d < 10_000 else 3
    mine, plain_time = (median_seconds(f, repeats, time.process_time) for f in (ours, theirs))
    draw = median_seconds(
        partial(method.draw, problem, cohort.clients, RandomSource(0, 3)), repeats, time.process_time
    )
    return (
        f"{1e3 * mine:.2f} ms a round, client by client {1e3 * plain_time:.2f} ms, "
        f"ratio {mine / plain_time:.2f}; draws {1e3 * draw:.2f} ms"
    )


def memory_of(rate: str, memory: int) -> None:
    """Print how much memory 100 rounds at the size of real-sim take."""
    problem = problem_of(*LARGE)
    method = method_of(memory, hessian_learning_rate=rate)
    start = time.process_time()
    history = run(method, problem, rounds=100, metrics=["loss"])
    seconds, peak = time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    held = sum(array.nbytes for array in history.state.values()) / 2**30
    losses = f"loss {history.metrics['loss'][0]:.4f} -> {history.metrics['loss'][-1]:.4f}"
    print(
        f"d, clients, rows = {LARGE}, m = {memory}, beta = {rate}: {history.rounds} rounds, {seconds:.1f} s, "
        f"state {held:.2f} GiB, data {problem.features.nbytes / 2**30:.2f} GiB, peak {peak:.2f} GiB; {losses}"
    )


def by_round(memory: int) -> None:
    """Print milliseconds of rounds 10, 50, 100 and 200 at d = 123, for each way to keep the B_i."""
    problem, ways = problem_of(123, 80, 50), {
        "direct, beta = 1": method_of(memory),
        "direct, beta = 1/2": method_of(memory, hessian_learning_rate="1/2"),
        "truncated L-SR1": method_of(memory, hessian_update="truncated_lsr1"),
    }  # fmt: skip
    cohort = Cohort.of(problem)
    for name, method in ways.items():
        state, taken = method.init(problem, problem.start()), []
        for k in range(1, 201):
            draws = method.draw(problem, cohort.clients, RandomSource(0, k))
            one = partial(round_in_blocks, method, problem, state, cohort, draws, None, 1)
            if k in (10, 50, 100, 200):
                taken.append(f"{1e3 * median_seconds(one, REPEATS, time.process_time):.2f} at k = {k}")
            state = one()[0]
        print(f"d = 123, 80 clients of 50 rows, m = {memory}, {name}: ms {', '.join(taken)}", flush=True)


def main() -> None:
    """Print one line a size, or one on memory."""
    if sys.argv[1:2] == ["rounds"]:
        for memory in (1, 4):
            by_round(memory)
        return
    if sys.argv[1:2] == ["memory"]:
        rate, memory = [*sys.argv[2:], "1", "1"][:2]
        memory_of(rate, int(memory))
        return
    for d, clients, rows in SIZES:
        problem = problem_of(d, clients, rows)
        for memory in MEMORIES:
            print(
                f"d = {d}, {clients} clients of {rows} rows, m = {memory}: {measured(problem, memory)}",
                flush=True,
            )


if __name__ == "__main__":
    main()
