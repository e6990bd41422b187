"""Logs for tests: runs of ours, written as a stranger would write them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import fedproof as fp
from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.solvers.history import History

PROBLEM = random_quadratic(2, 3, 2, 3, heterogeneity=Fraction(1, 4), noise=0)
CONSTANTS = {
    "L": "1", "lam": "0", "least_loss": "0", "sigma2": str(PROBLEM.constants["dissimilarity"].value),
}  # fmt: skip
HYPER = {"beta": "40", "mu": "30", "tau": "60"}
SQUARES = (0.5, 0.25, 0.125, 0.0625)
LOSSES = (1.0, 0.5, 0.25, 0.125)


@cache
def ran(seed: int) -> History:
    """Three rounds of FedProxVR with SARAH."""
    return fp.run("fedproxvr", PROBLEM.as_float(), rounds=3, seed=seed, **HYPER)


def toml(algorithm: str = "fedproxvr", **tables: Mapping[str, Any]) -> str:
    """A header as TOML."""
    lines = [f'algorithm = "{algorithm}"'] if algorithm else []
    for table, said in tables.items():
        if table == "seed":
            lines.insert(0, f"seed = {said}")
            continue
        lines.append(f"[{table}]")
        lines += [
            f"{k} = {v if isinstance(v, int | float) else chr(34) + str(v) + chr(34)}"
            for k, v in said.items()
        ]
    return "".join(f"# {line}\n" for line in lines)


def csv_of(columns: Mapping[str, Any], header: str = "", first: int = 0) -> str:
    """Columns as CSV below a header."""
    names = ["round", *columns]
    rows = zip(*columns.values(), strict=True)
    return header + ",".join(names) + "\n" + "".join(
        ",".join(map(str, (r, *values))) + "\n" for r, values in enumerate(rows, first)
    )  # fmt: skip


def csv_run(seed: int, scale: float = 1) -> str:
    """A log of `ran`, its squared gradients times `scale`."""
    metrics = ran(seed).metrics
    squares = [scale * v for v in metrics["squared_gradient"]]
    said = toml(seed=seed, parameters={"estimator": "sarah", **HYPER}, constants=CONSTANTS)  # type: ignore[arg-type]
    return csv_of({"loss": metrics["loss"], "grad_norm_sq": squares}, said)
