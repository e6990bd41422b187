"""Saved runs against the bound that applies to them, as far as what they hold allows."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from fedproof.bounds.statement_handle import statement
from fedproof.solvers.cohort import Participation
from fedproof.solvers.history_file import parsed
from fedproof.validate.statistics import LEAST_SEEDS, mean_test
from fedproof.validate.verdict import BoundComparison
from fedproof.vocabulary.errors import DataError, InputError, UnknownName

METRIC = "mean_squared_gradient"
#: by algorithm: the statement that speaks of it, its metric, and what a record lacks for a bound
LACKING = {
    "fedcomposite": (
        "composite.theorem3.5.sharpened",
        "squared_prox_gradient",
        "a record does not hold how the clients' gradients differ at the start, which Omega^1 of (10) needs, "
        "nor how many clients of which sizes there were",
    ),
}
_EVERYONE = Participation().to_dict()
CONSTANTS = {
    "L": "smoothness_sample", "lam": "weak_convexity", "sigma2": "dissimilarity", "least": "least_loss",
}  # fmt: skip


def check_history(history: Any, ids: Sequence[str] = ()) -> tuple[BoundComparison, ...]:
    """Compare saved runs with Theorem 1 and Lemma 1 closed, `fedproxvr.certified.*`.

    Arguments:
        history: the path of a document of `fedproof run --json`, or of a list of them (the same run with
            other seeds); or the document or list itself. Constants of the problem are taken from its
            `constants`, by canonical word, if it has them.
        ids: statements asked for; none means the one of the run's estimator.

    Returns: one finding; a bound on an expectation is decided by 30 seeds or more, never by one run.
    Raises: DataError for what is not such a document; InputError for runs that do not belong together;
        UnknownName for an id that no run can be held against.
    """
    runs, where = _runs(history)
    first = runs[0]
    if first["algorithm"] in LACKING:
        return (_lacking(runs, ids, where),)
    estimator = first["parameters"].get("estimator", "")
    id = f"fedproxvr.certified.{estimator}"
    possible = [id] if estimator in ("sarah", "svrg") else ["fedproxvr.certified.sarah"]
    for wanted in ids:
        if wanted not in possible:
            raise UnknownName("statement for a saved run", wanted, possible)
    problem = f"{first['algorithm']} on {first['problem']}, {first['rounds']} rounds, s = 1..T as printed"
    squares = np.array([run["metrics"]["squared_gradient"][1:] for run in runs], dtype=np.float64)
    values = squares.mean(axis=1)
    why, bound = _bound(first, id, estimator)
    if bound is None:
        measured = float(values.mean())
        return (
            BoundComparison(
                possible[0], METRIC, "<=", measured, None, problem, f"{where}: {why}", applies=False
            ),
        )
    test = mean_test(values, bound)
    few = "" if len(runs) >= LEAST_SEEDS else f"; {len(runs)} of the {LEAST_SEEDS} seeds that decide"
    text = f"{where}: mean squared gradient {test.mean:.4g}, bound {bound:.4g}{few}."
    return (BoundComparison(id, METRIC, "<=", test.mean, bound, problem, text).tested(test),)


def _lacking(runs: Sequence[Mapping[str, Any]], ids: Sequence[str], where: str) -> BoundComparison:
    """Why a run of another paper's algorithm is not held against its theorem, and its mean over r = 1..R."""
    first = runs[0]
    id, metric, why = LACKING[first["algorithm"]]
    for wanted in ids:
        if wanted != id:
            raise UnknownName("statement for a saved run", wanted, [id])
    values = np.array([run["metrics"][metric][:-1] for run in runs], dtype=np.float64)
    problem = f"{first['algorithm']} on {first['problem']}, {first['rounds']} rounds, r = 1..R as printed"
    said = f"{where}: {why}."
    return BoundComparison(
        id, f"mean_{metric}", "<=", float(values.mean()), None, problem, said, applies=False
    )


def _bound(run: Mapping[str, Any], id: str, estimator: str) -> tuple[str, float | None]:
    """Why there is no bound, or the bound."""
    parameters, known = run["parameters"], _constants(run)
    printed = {"batch_size": 1, "first_step": "full", "returned": "random"}
    other = [f"{k}={parameters.get(k)}" for k, v in printed.items() if parameters.get(k) != v]
    if run["algorithm"] != "fedproxvr" or estimator not in ("sarah", "svrg"):
        return "the theorem speaks of FedProxVR with SARAH or SVRG", None
    if other:
        return f"the theorem speaks of Algorithm 1 as printed, not of {', '.join(other)}", None
    if _participation(run) != _EVERYONE:
        return "the theorem lets all clients take part in every round, averaged by size", None
    if run.get("diverged"):
        return "the run diverged, so its problem or its numbers lie outside the hypotheses", None
    missing = [word for name, word in CONSTANTS.items() if name not in known]
    if missing:
        return f"no {', '.join(missing)} in the record or none is finite, so nothing can be decided", None
    beta = 1 / (_fraction(parameters["stepsize"]) * known["L"])
    gap = _fraction(run["metrics"]["loss"][0]) - known["least"]
    values = {"L": known["L"], "lam": known["lam"], "sigma2": known["sigma2"], "Delta": max(gap, Fraction(0))}
    numbers = {"mu": _fraction(parameters["prox_weight"]), "beta": beta, "tau": parameters["local_steps"]}
    check = statement(id).check(**values, **numbers, T=run["rounds"])
    if not check.applicable:
        return f"fails {', '.join(c.label for c, d in check.conditions if not d.holds)}", None
    return "", check.bound


def _constants(run: Mapping[str, Any]) -> dict[str, Fraction]:
    """L, lam, sigma2 and the least loss, as far as the record has them."""
    found: dict[str, Fraction] = {}
    for name, word in CONSTANTS.items():
        entry = (run.get("constants") or {}).get(word)
        value = entry.get("value") if isinstance(entry, Mapping) else entry
        if value is not None:
            found[name] = _fraction(value)
    return found


def _participation(run: Mapping[str, Any]) -> Any:
    return run.get("participation", _EVERYONE)


def _fraction(value: Any) -> Fraction:
    return Fraction(repr(value)) if isinstance(value, float) else Fraction(value)


def _runs(history: Any) -> tuple[list[Mapping[str, Any]], str]:
    """The documents and what to call them."""
    document, where = history, "record"
    if isinstance(history, (str, os.PathLike)):
        where = Path(history).name
        try:
            document = parsed(Path(history).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise DataError(where, error, "a document of `fedproof run --json`", "check the path") from None
    runs = document if isinstance(document, list) else [document]
    for run in runs or [None]:
        _refuse(run, where)
    alike = {
        json.dumps(
            [r["algorithm"], r["parameters"], r["problem"], r["rounds"], _participation(r)], sort_keys=True
        )
        for r in runs
    }
    if len(alike) > 1 or len({r["seed"] for r in runs}) < len(runs):
        raise InputError(where, f"{len(runs)} runs that differ in more than their seeds, or repeat one",
                         "the same run with other seeds")  # fmt: skip
    return runs, where


def _refuse(run: Any, where: str) -> None:
    expected = "a document of `fedproof run --json` with at least one round"
    try:
        rounds, metrics = run["rounds"], run["metrics"]
        _, asked, _ = LACKING.get(run["algorithm"], ("", "squared_gradient", ""))
        whole = all(
            isinstance(metrics[n], list | tuple) and len(metrics[n]) == rounds + 1 for n in ("loss", asked)
        )
        numbers = whole and np.isfinite(np.array([*metrics["loss"], *metrics[asked]], dtype=float))
        fine = isinstance(rounds, int) and rounds >= 1 and bool(np.all(numbers))
        fine = (
            fine and isinstance(run["parameters"], Mapping) and {"algorithm", "problem", "seed"} <= set(run)
        )
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(where, f"{type(error).__name__}: {error}", expected) from None
    if not fine:
        raise DataError(where, "metrics that do not fit its rounds", expected)
