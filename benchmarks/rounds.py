"""How fast is a round, beside a plain loop over clients (benchmarks/plain_loop.py)?

A round here is all local work and the server's average, by both from the same drawn indices, which are drawn
outside the clock; drawing has a column of its own. Ours is what the driver calls, `round_in_blocks`, with two
threads; both run with one BLAS thread, as the driver sets it. A cycle is `--rounds` rounds from the same
start by ours, then by the loop; ratios are of the cycles' medians. Before the clock starts both have run
once: imports, compilation, threads. The losses after the last round must agree to 1e-12, relatively.

Run: python -m benchmarks.rounds [--scaling] [--memory] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.plain_loop import PlainLoop
from fedproof.problems.instances.synthetic import build as synthetic
from fedproof.problems.supervised.models.softmax import Softmax
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.supervised import Supervised
from fedproof.solvers.algorithms.fedavg import FedAvg
from fedproof.solvers.algorithms.fedprox import FedProx
from fedproof.solvers.algorithms.fedproxvr import FedProxVR
from fedproof.solvers.blocks import round_in_blocks
from fedproof.solvers.cohort import Cohort
from fedproof.solvers.local.stochastic_gradient import StochasticGradient
from fedproof.solvers.randomness import RandomSource

TAU, BATCH, ETA, MU = 20, 32, 0.01, 0.1
THREADS = 2
ALGORITHMS: dict[str, tuple[Any, Callable[..., Any]]] = {
    "fedavg": (FedAvg(ETA, TAU, BATCH), lambda loop, w, b: loop.fedavg(w, b, ETA)),
    "fedprox": (
        FedProx(MU, local_solver=StochasticGradient(ETA, TAU, BATCH)),
        lambda loop, w, b: loop.fedprox(w, b, ETA, MU),
    ),
    "fedproxvr-sarah": (
        FedProxVR(ETA, TAU, MU, "sarah", BATCH, returned="last"),
        lambda loop, w, b: loop.fedproxvr(w, b, ETA, MU, "sarah"),
    ),
    "fedproxvr-svrg": (
        FedProxVR(ETA, TAU, MU, "svrg", BATCH, returned="last"),
        lambda loop, w, b: loop.fedproxvr(w, b, ETA, MU, "svrg"),
    ),
}
KERNELS = ("numpy", "numba")


@dataclass(frozen=True)
class Times:
    """Wall and processor seconds of each cycle."""

    wall: list[float]
    processor: list[float]


def ours(algorithm: Any, problem: Any, drawn: list[Any], pool: Any) -> Any:
    """The server's model after one round for each of the draws."""
    state, cohort = algorithm.init(problem, problem.start()), Cohort.of(problem)
    for draws in drawn:
        state, _ = round_in_blocks(algorithm, problem, state, cohort, draws, pool, THREADS)
    return state.model


def plain(step: Callable[..., Any], loop: PlainLoop, problem: Any, drawn: list[Any]) -> Any:
    """The same by the loop."""
    W = problem.start().reshape(problem.model.classes, -1)
    for draws in drawn:
        W = step(loop, W, draws["samples"])
    return W.reshape(-1)


def draw(algorithm: Any, problem: Any, rounds: int) -> list[Any]:
    """All indices of some rounds."""
    ids = np.arange(problem.n_clients)
    return [algorithm.draw(problem, ids, RandomSource(seed=0, round=r + 1)) for r in range(rounds)]


def cycles(calls: list[Callable[[], Any]], count: int, patience: float) -> list[Times]:
    """Times of each call, one after the other, `count` times; each has been called once before.

    For `patience` seconds a cycle does not count in which other processes used over a tenth of a processor.
    """
    times = [Times([], []) for _ in calls]
    deadline = time.monotonic() + patience
    while len(times[0].wall) < count:
        before, began = others(), time.perf_counter()
        spent = []
        for call in calls:
            wall, processor = time.perf_counter(), time.process_time()
            call()
            spent.append((time.perf_counter() - wall, time.process_time() - processor))
        if others() - before > 0.1 * (time.perf_counter() - began) and time.monotonic() < deadline:
            time.sleep(0.2)
            continue
        for (wall, processor), time_of in zip(spent, times, strict=True):
            time_of.wall.append(wall)
            time_of.processor.append(processor)
    return times


def others() -> float:
    """Processor seconds that all processes but this one have used so far; 0 where Linux does not tell."""
    try:
        names = Path("/proc/stat").read_text(encoding="ascii").split("\n", 1)[0].split()
    except OSError:
        return 0.0
    user, nice, system, _, _, interrupt, soft, *_ = map(int, names[1:])
    return (user + nice + system + interrupt + soft) / os.sysconf("SC_CLK_TCK") - time.process_time()


def compare(
    problem: Any, name: str, rounds: int, count: int, patience: float, kernels: tuple[str, ...]
) -> list[dict[str, Any]]:
    """One row for each kernel: ratios to the loop, and seconds."""
    algorithm, step = ALGORITHMS[name]
    loop, drawn = PlainLoop(problem), draw(algorithm, problem, rounds)
    problems = [problem.with_kernel(kernel) for kernel in kernels]
    with ThreadPoolExecutor(THREADS - 1) as pool, threadpool_limits(1, "blas"), np.errstate(all="ignore"):
        calls: list[Callable[[], Any]] = [
            *(partial(ours, algorithm, p, drawn, pool) for p in problems),
            partial(plain, step, loop, problem, drawn),
        ]
        losses = [problem.loss(call()) for call in calls]
        apart = max(abs(loss / losses[-1] - 1) for loss in losses)
        assert apart <= 1e-12, f"{name}: losses differ by {apart}"
        *mine, its = cycles(calls, count, patience)
    drawing = statistics.median(cycles([partial(draw, algorithm, problem, 1)], count, 0)[0].wall)
    return [
        {
            "algorithm": name,
            "kernel": kernel,
            "ratio": statistics.median(times.wall) / statistics.median(its.wall),
            "least_ratio": min(times.wall) / min(its.wall),
            "processor_ratio": statistics.median(times.processor) / statistics.median(its.processor),
            "ms_per_round": 1e3 * statistics.median(times.wall) / rounds,
            "loop_ms_per_round": 1e3 * statistics.median(its.wall) / rounds,
            "drawing_ms_per_round": 1e3 * drawing,
            "loss_difference": apart,
        }
        for kernel, times in zip(kernels, mine, strict=True)
    ]


def gaussian(clients: int, features: int, rows: int, seed: int = 0) -> Supervised:
    """Softmax regression on normal features, clients of `rows` to 2 rows samples, 10 classes."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(rows, 2 * rows, clients, endpoint=True)
    x = rng.standard_normal((sizes.sum(), features))
    return Supervised(Softmax(10), x, rng.integers(0, 10, sizes.sum()), Partition.of_sizes(sizes))


def scaling(count: int, patience: float, kernels: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """Microseconds per client and step of FedAvg for more and more clients; memory of the process so far."""
    for clients in (100, 1000, 10_000):
        problem, algorithm = gaussian(clients, 61, 50), ALGORITHMS["fedavg"][0]
        drawn = draw(algorithm, problem, 1)
        with ThreadPoolExecutor(THREADS - 1) as pool, threadpool_limits(1, "blas"), np.errstate(all="ignore"):
            for kernel in kernels:
                at = problem.with_kernel(kernel)
                ours(algorithm, at, drawn, pool)
                times = cycles([partial(ours, algorithm, at, drawn, pool)], count, patience)[0]
                yield {
                    "clients": clients,
                    "kernel": kernel,
                    "us_per_client_and_step": 1e6 * statistics.median(times.wall) / clients / TAU,
                    "processor_us": 1e6 * statistics.median(times.processor) / clients / TAU,
                    "peak_mib_so_far": peak() / 2**20,
                }


MEMORY = """
from benchmarks import rounds
from fedproof.solvers.driver import run
algorithm = rounds.ALGORITHMS[{name!r}][0]
run(algorithm, rounds.synthetic(clients=3), rounds=1, workers=2, kernel={kernel!r})
before = rounds.peak()
problem = rounds.synthetic(clients={clients})
built = rounds.peak()
run(algorithm, problem, rounds=3, workers=2, kernel={kernel!r})
data = problem.features.nbytes + problem.labels.nbytes
print(before, built, rounds.peak(), data, problem.n_clients * problem.dimension * 8)
"""


def peak() -> int:
    """The most memory that this process has had, in bytes; Linux only.

    (`getrusage` would tell the parent's instead, if that was larger.)
    """
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return 1024 * int(status.partition("VmHWM:")[2].split()[0])


def memory(kernels: tuple[str, ...], clients: int = 2000) -> Iterator[dict[str, Any]]:
    """Peak memory of a process that builds a problem and runs three rounds, less that of a tiny run."""
    for name in ("fedavg", "fedproxvr-sarah"):
        for kernel in kernels:
            code = MEMORY.format(name=name, kernel=kernel, clients=clients)
            done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
            before, built, after, data, models = map(int, done.stdout.split())
            yield {
                "algorithm": name,
                "kernel": kernel,
                "data_mib": data / 2**20,
                "model_copies_mib": models / 2**20,
                "built_mib": (built - before) / 2**20,
                "peak_mib": (after - before) / 2**20,
                "peak_over_data": (after - before) / data,
            }


def shown(rows: list[dict[str, Any]]) -> None:
    """A table."""
    if rows:
        print("  ".join(f"{name:>22}" for name in rows[0]))
    for row in rows:
        print("  ".join(f"{v:22.4g}" if isinstance(v, float) else f"{v:>22}" for v in row.values()))


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--cycles", type=int, default=11)
    parser.add_argument(
        "--patience", type=float, default=0, help="seconds to wait for a quiet machine, a line"
    )
    parser.add_argument("--kernel", action="append", choices=KERNELS)
    parser.add_argument("--scaling", action="store_true")
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--json")
    chosen = parser.parse_args()
    kernels = tuple(chosen.kernel or KERNELS)
    found: dict[str, Any] = {
        "load_before": os.getloadavg()[0],
        "processors": os.cpu_count(),
        "threads": THREADS,
    }
    problem = synthetic(clients=100)
    found["synthetic"] = [
        row
        for name in ALGORITHMS
        for row in compare(problem, name, chosen.rounds, chosen.cycles, chosen.patience, kernels)
    ]
    shown(found["synthetic"])
    if chosen.scaling:
        wide = gaussian(20, 784, 200)
        found["wide"] = [
            row
            for name in ALGORITHMS
            for row in compare(wide, name, chosen.rounds, chosen.cycles, chosen.patience, kernels)
        ]
        shown(found["wide"])
        found["scaling"] = list(scaling(chosen.cycles, chosen.patience, kernels))
        shown(found["scaling"])
    if chosen.memory:
        found["memory"] = list(memory(kernels))
        shown(found["memory"])
    found["load_after"] = os.getloadavg()[0]
    print(f"load {found['load_before']:.2f} before, {found['load_after']:.2f} after; one BLAS thread")
    if chosen.json:
        with open(chosen.json, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=1)


if __name__ == "__main__":
    main()
