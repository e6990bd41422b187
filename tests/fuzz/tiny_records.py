"""Records of tiny runs, and logs of runs that nobody did, which `validate --history` reads."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from fedproof.figures.api import figure
from fedproof.solvers.api import run
from fedproof.solvers.cohort import Participation
from fedproof.solvers.runs.sweep import sweep


def _record(folder: Path, seed: int, algorithm: str, taking: Participation | None, **hyper: object) -> None:
    (folder / "records").mkdir(exist_ok=True)
    metrics = ["loss", "squared_gradient"]
    metrics += ["squared_prox_gradient"] if algorithm == "fedcomposite" else []
    history = run(algorithm, "quadratic", rounds=2, seed=seed, clients=3, participation=taking,
                  problem_options={"weights": "equal"}, parameters=hyper, metrics=metrics)  # fmt: skip
    history.save(folder / "records" / f"{seed}.json")


def _fedproxvr(folder: Path, seed: int) -> None:
    _record(folder, seed, "fedproxvr", None, beta=20, tau=50, mu=40)


def _fedprox(folder: Path, seed: int) -> None:
    taking = Participation(2, replacement=True, average="plain")
    _record(folder, seed, "fedprox", taking, mu=40, local_solver="to_suboptimality", eps="1e-8")


def _fedcomposite(folder: Path, seed: int) -> None:
    _record(folder, seed, "fedcomposite", None, eta="0.001", tau=2, eta_g=2)


RECORDS = (
    (_fedproxvr, ("fedproxvr.theorem1", "fedproxvr.certified.sarah", "fedproxvr.corollary1")),
    (_fedprox, ("fedprox.theorem1.general", "fedprox.remark2.general")),
    (_fedcomposite, ("composite.theorem3.5", "composite.theorem3.5.sharpened")),
)


def log(rng: Random, folder: Path) -> list[str]:
    """A log in CSV or JSON lines of a run that nobody did, with all that a theorem asks, and its flags."""
    header = {"algorithm": "fedproxvr", "parameters": {"estimator": "sarah", "mu": 30, "beta": 40, "tau": 60},
              "constants": {"L": 1, "lam": 0, "sigma2": "1/4", "least_loss": 0}}  # fmt: skip
    rows = [(r, round(0.7 * 0.8**r, 4), round(0.12 * 0.7**r, 5)) for r in range(rng.randint(2, 6))]
    if rng.random() < 0.5:
        lines = [json.dumps({"header": header})]
        lines += [json.dumps({"round": r, "loss": a, "squared_gradient": b}) for r, a, b in rows]
        (folder / "log.jsonl").write_text("\n".join(lines) + "\n")
        return ["log.jsonl"]
    said = ['algorithm = "fedproxvr"', "[parameters]", 'estimator = "sarah"', "mu = 30", "beta = 40",
            "tau = 60", "[constants]", "L = 1", "lam = 0", 'sigma2 = "1/4"', "least_loss = 0"]  # fmt: skip
    apart = rng.random() < 0.5
    (folder / "header.toml").write_text("\n".join(said) + "\n" if apart else "")
    lines = ["round,loss,squared_gradient", *(",".join(map(str, row)) for row in rows)]
    above = [] if apart else [f"# {line}" for line in said]
    (folder / "log.csv").write_text("\n".join((*above, *lines)) + "\n")
    return ["log.csv", *(["--header", "header.toml"] if apart else [])]


def begun(folder: Path) -> None:
    """The runs of a sweep that was done before, in a folder."""
    sweep("fedavg", "quadratic", grid={"tau": [2, 3]}, seeds=1, rounds=2, clients=3, folder=folder)


def drawn(folder: Path) -> None:
    """A small table and its record, from which a figure is drawn again."""
    folder.mkdir()
    for name, content in _table().items():
        (folder / name).write_bytes(content)


@cache
def _table() -> dict[str, bytes]:
    with TemporaryDirectory() as where:
        figure("fedprox.table1", where, size={"points": 3}, workers=1, fmt="svg")
        return {p.name: p.read_bytes() for p in Path(where).iterdir() if p.suffix in (".csv", ".json")}
