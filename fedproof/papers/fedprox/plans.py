"""FedProx and FedMSPP in a plan: Theorem 1, Remark 2 and Theorem 3 repaired, with a free step size."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fedproof.tuning.guarantee import Costs, Guarantee, Setting
from fedproof.tuning.least_rounds import least_rounds

#: the mean over w_0 to w_{T-1}
_SPAN = slice(None, -1)
_OF = "squared gradient, w_0 to w_{T-1}"
_NEEDS = ("smoothness_sample", "lipschitz_sample", "initial_gap")
_DIGITS = 0.999


def _oracle(id: str, numbers: Mapping[str, float]) -> Callable[[float], Mapping[str, float]]:
    """Of a step size, a little less than the largest inexactness that the theorem allows."""
    from fedproof.algebra.formula import Formula
    from fedproof.bounds.catalog import statement

    limits = [Formula(c.relation.rhs) for c in statement(id).conditions if str(c.relation.lhs) == "eps"]

    def allowed(step: float) -> Mapping[str, float]:
        at = {**numbers, "eta": step}
        return {"eps": float(f"{_DIGITS * min(_at(limit, at) for limit in limits):.6e}")}

    return allowed


def _at(formula: Any, numbers: Mapping[str, float]) -> float:
    return float(formula.at({name: numbers[name] for name in formula.names}))


def _solved(id: str, longest: float, algorithm: str, count: int, everyone: bool, batch: int | None) -> Any:
    """How a theorem is solved: `longest` times 1/L is the longest step."""

    def solve(numbers: Mapping[str, float], accuracy: float, costs: Costs) -> Setting:
        from fedproof.solvers.cohort import Participation

        known = {"L": numbers["smoothness_sample"], "G": numbers["lipschitz_sample"]}
        known |= {"Delta": numbers["initial_gap"], "I": float(count or costs.clients)}
        if batch is not None:
            known |= {"b": float(min(batch, costs.samples)), "H2": known["G"] ** 2}
        letters, rounds = least_rounds(
            id, known, accuracy, "T", "eta", longest / known["L"], _oracle(id, known)
        )
        drawn = Participation(int(known["I"]), replacement=True, average="plain")
        taking = {"participation": Participation(average="plain") if everyone else drawn}
        size = {} if batch is None else {"batch_size": int(known["b"])}
        run = {"prox_weight": 1 / letters["eta"], "local_solver": "to_suboptimality", **size, **taking}
        return Setting(letters, {**run, "suboptimality": letters["eps"]}, rounds)

    return Guarantee(
        id, algorithm, _NEEDS, solve, "T", "squared_gradient", _SPAN, _OF, equal=True,
        note="" if batch is None else "H^2 is taken to be G^2, which it never exceeds.",
    )  # fmt: skip


GUARANTEES = (
    _solved("fedprox.remark2.general", 1 / 3, "fedprox", 0, True, None),
    _solved("fedprox.theorem1.general", 1 / 3, "fedprox", 0, False, None),
    _solved("fedprox.theorem3.general.repaired", 1 / 8, "fedmspp", 0, False, 10),
)
