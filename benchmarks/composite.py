"""How fast is Algorithm 1 of composite beside a plain loop over clients (benchmarks/plain_loop.py)?

The problem has the size of a sparse logistic regression: 30 clients with 2000 rows of 20 features each, an l1
penalty, 20 local steps with batches of 20, 2000 rounds. Ours is what the driver calls, `round_in_blocks`; all
work from the same drawn indices, which are drawn outside the clock, with one BLAS thread. The rounds are cut
into cycles: in each, every contestant advances its own run by as many rounds, one after the other, another
first each time. A cycle is quiet if other processes used less than a tenth of a processor in it. The losses
after the last round must agree to 1e-12, relatively.

`--driver` times whole runs: drawing, rounds, metrics and record. `--scaling` takes more and more clients, and
softmax regression on 784 features.

Run: python -m benchmarks.composite [--rounds 2000] [--cycle 10] [--driver] [--scaling]
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.plain_loop import PlainComposite
from benchmarks.rounds import gaussian, others
from fedproof.problems.composite.composite import Composite
from fedproof.problems.composite.penalties.l1 import L1
from fedproof.problems.supervised.models.logistic import Logistic
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.supervised import Supervised
from fedproof.solvers.algorithms.fedcomposite import FedComposite
from fedproof.solvers.blocks import round_in_blocks
from fedproof.solvers.cohort import Cohort
from fedproof.solvers.driver import run
from fedproof.solvers.randomness import RandomSource

CLIENTS, FEATURES, ROWS, WEIGHT = 30, 20, 2000, 0.0005
METHOD = FedComposite(stepsize=0.01, local_steps=20, server_stepsize=2, batch_size=20)
KERNELS, THREADS = ("numpy", "numba"), (1, 2)


@dataclass
class Contestant:
    """A run in progress.

    Arguments:
        advance: (state, draws of one round) -> the next state.
        state: the newest.
        wall, processor: seconds of every cycle.
    """

    advance: Callable[[Any, Any], Any]
    state: Any
    wall: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    def cycle(self, drawn: list[Any]) -> None:
        """Some rounds, timed."""
        wall, processor = time.perf_counter(), time.process_time()
        for draws in drawn:
            self.state = self.advance(self.state, draws)
        self.wall.append(time.perf_counter() - wall)
        self.processor.append(time.process_time() - processor)


def sparse_logistic(
    clients: int = CLIENTS, features: int = FEATURES, rows: int = ROWS, seed: int = 0
) -> Composite:
    """Normal features; labels that follow a model of each client's own, near a sparse common one."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((clients, rows, features))
    common = np.where(rng.random(features) < 0.5, rng.standard_normal(features), 0)
    own = common + 0.3 * rng.standard_normal((clients, features))
    y = rng.random((clients, rows)) < 1 / (1 + np.exp(-np.einsum("nip,np->ni", x, own)))
    parts = Partition.of_sizes([rows] * clients)
    smooth = Supervised(Logistic(), x.reshape(-1, features), y.reshape(-1).astype(np.int64), parts)
    return Composite(smooth, L1(WEIGHT))


def ours(problem: Any, cohort: Cohort, pool: Any, threads: int, state: Any, draws: Any) -> Any:
    """One round as the driver runs it."""
    return round_in_blocks(METHOD, problem, state, cohort, draws, pool, threads)[0]


def race(problem: Composite, contestants: list[Contestant], rounds: int, cycle: int) -> list[bool]:
    """All rounds by all contestants, a cycle of rounds by each in turn; which cycles were quiet."""
    ids, quiet = np.arange(problem.n_clients), []
    for first in range(0, rounds, cycle):
        drawn = [
            METHOD.draw(problem, ids, RandomSource(seed=0, round=r + 1)) for r in range(first, first + cycle)
        ]
        busy, began = others(), time.perf_counter()
        turn = first // cycle % len(contestants)
        for one in contestants[turn:] + contestants[:turn]:
            one.cycle(drawn)
        quiet.append(others() - busy < 0.1 * (time.perf_counter() - began))
    return quiet


def compare(problem: Composite, rounds: int, cycle: int) -> None:
    """Print a line for each contestant: its shares of the loop's time, and what a round takes."""
    loop, cohort = PlainComposite(problem.smooth, WEIGHT), Cohort.of(problem)
    its, mine = Contestant(partial(loop.round, METHOD), loop.start()), {}
    with ThreadPoolExecutor(1) as pool, threadpool_limits(1, "blas"), np.errstate(all="ignore"):
        for kernel in KERNELS:
            at = problem.with_kernel(kernel)
            for threads in THREADS:
                step = partial(ours, at, cohort, pool if threads > 1 else None, threads)
                mine[kernel, threads] = Contestant(step, METHOD.init(at, at.start()))
        for one in (its, *mine.values()):  # imports, compilation, threads
            one.advance(one.state, METHOD.draw(problem, cohort.clients, RandomSource(seed=1, round=1)))
        quiet = race(problem, [its, *mine.values()], rounds, cycle)
    expected = problem.loss(its.state[0])
    print(
        f"{len(quiet)} cycles of {cycle} rounds, {sum(quiet)} of them quiet; ms a round by the loop:", end=" "
    )
    print(f"{1e3 * statistics.median(its.wall) / cycle:.3g}; loss {float(expected)!r}")
    for (kernel, threads), one in mine.items():
        apart = abs(problem.loss(one.state.model) / expected - 1)
        assert apart <= 1e-12, f"{kernel}: losses differ by {apart}"
        shares = [a / b for a, b in zip(one.wall, its.wall, strict=True)]
        calm = [share for share, still in zip(shares, quiet, strict=True) if still]
        print(
            f"{kernel}, {threads} thread(s): share {statistics.median(shares):.4f}"
            f" ({min(shares):.4f}-{max(shares):.4f}),"
            f" quiet {statistics.median(calm) if calm else float('nan'):.4f},"
            f" of totals {sum(one.wall) / sum(its.wall):.4f},"
            f" least of least {min(one.wall) / min(its.wall):.4f},"
            f" processor {statistics.median(one.processor) / statistics.median(its.processor):.4f};"
            f" {1e3 * statistics.median(one.wall) / cycle:.3f} ms a round; losses apart {apart:.0e}"
        )


def driver(problem: Composite, rounds: int) -> None:
    """Print what a round of a whole run takes, without and with the default metrics."""
    for kernel in KERNELS:
        seconds: dict[str, list[float]] = {"no metrics": [], "default metrics": []}
        for _ in range(3):
            for name, metrics in (("no metrics", ()), ("default metrics", None)):
                began = time.perf_counter()
                run(METHOD, problem, rounds, metrics=metrics, kernel=kernel)
                seconds[name].append(time.perf_counter() - began)
        said = [f"{name} {1e3 * statistics.median(found) / rounds:.3f}" for name, found in seconds.items()]
        print(f"{kernel}, {rounds} rounds by the driver, ms a round: {', '.join(said)}")


def scaling() -> None:
    """Print microseconds a client and step for more clients, and for softmax on 784 features."""
    problems: dict[str, Any] = {
        f"logistic, {clients} clients": sparse_logistic(clients, rows=200) for clients in (30, 300, 3000)
    }
    problems["softmax, 20 clients, 784 features"] = Composite(gaussian(20, 784, 200), L1(WEIGHT))
    with ThreadPoolExecutor(1) as pool, threadpool_limits(1, "blas"), np.errstate(all="ignore"):
        for name, problem in problems.items():
            cohort, found = Cohort.of(problem), []
            drawn = [METHOD.draw(problem, cohort.clients, RandomSource(seed=0, round=1))]
            for kernel in KERNELS:
                at = problem.with_kernel(kernel)
                for threads in THREADS:
                    one = Contestant(partial(ours, at, cohort, pool, threads), METHOD.init(at, at.start()))
                    for _ in range(6):
                        one.cycle(drawn)
                    each = 1e6 * statistics.median(one.wall[1:]) / problem.n_clients / METHOD.local_steps
                    found.append(f"{kernel}, {threads} thread(s) {each:.3g}")
            print(f"{name}, us a client and step: {'; '.join(found)}")


def main() -> None:
    """Print the lines."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=2000)
    parser.add_argument("--cycle", type=int, default=10)
    parser.add_argument("--driver", action="store_true")
    parser.add_argument("--scaling", action="store_true")
    chosen = parser.parse_args()
    before, problem = os.getloadavg()[0], sparse_logistic()
    compare(problem, chosen.rounds // chosen.cycle * chosen.cycle, chosen.cycle)
    if chosen.driver:
        driver(problem, min(chosen.rounds, 200))
    if chosen.scaling:
        scaling()
    print(f"load {before:.2f} before, {os.getloadavg()[0]:.2f} after; one BLAS thread")


if __name__ == "__main__":
    main()
