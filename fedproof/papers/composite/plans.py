"""Composite federated learning in a plan: Theorem 3.5 with full local gradients, printed and sharpened."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fedproof.tuning.admitted import admitted
from fedproof.tuning.guarantee import Costs, Guarantee, Setting
from fedproof.vocabulary.errors import InputError

#: the mean over x^1 to x^R
_SPAN, _OF = slice(None, -1), "squared prox-gradient, x_1 to x_R"
#: times the gap, what the start may count; halvings of the local step that may lead there
_ROOM, _HALVED = 1.001, 60
#: less than a half by what its decimal may add
_HALF = 0.5 * (1 - 1e-12)


def _solved(id: str, *more: str) -> Guarantee:
    def solve(numbers: Mapping[str, float], accuracy: float, costs: Costs) -> Setting:
        """With one full gradient a round nothing is sampled, and the step sizes may be dealt so that Omega^1
        is hardly more than the gap."""
        from fedproof.bounds.catalog import statement
        from fedproof.bounds.statement_handle import StatementHandle
        from fedproof.solvers.cohort import Participation
        from fedproof.tuning.api import tune

        gap, spread = numbers["initial_gap"], numbers["initial_dissimilarity"]
        known = {"L": numbers["smoothness"], "n": costs.clients, "sigma2": 0.0}
        known |= {"B_g": numbers["subgradient_bound"]} if more else {}
        start = StatementHandle(statement("composite.eq10.start"))
        best = dict(tune(id, **known, Omega1=gap * _ROOM, eps=accuracy).argmin or {})
        for _ in range(_HALVED if best else 0):
            chosen: dict[str, Any] = {name: best[name] for name in ("tau", "eta", "eta_g")}
            potential = float(start.value("Omega1", n=costs.clients, gap=gap, zeta2=spread, **chosen))
            if potential <= gap * _ROOM:
                least = best.pop("R")
                letters = {**known, **best, "Omega1": potential}
                rounds = admitted(id, letters, "R", least, accuracy)
                run = {
                    "stepsize": best["eta"], "local_steps": int(best["tau"]),
                    "server_stepsize": best["eta_g"], "batch_size": None,
                    "participation": Participation(average="plain"),
                }  # fmt: skip
                return Setting(letters, run, rounds, costs.samples * best["tau"])
            best |= {"eta": best["eta"] * _HALF, "eta_g": 2 * best["eta_g"]}
        raise InputError("epsilon", accuracy, "an accuracy that the bound reaches", "ask for more")

    needs = ("smoothness", "initial_gap", "initial_dissimilarity", *more)
    metric = ("R", "squared_prox_gradient", _SPAN, _OF)
    return Guarantee(id, "fedcomposite", needs, solve, *metric, equal=True, with_penalty=True)


GUARANTEES = (_solved("composite.theorem3.5", "subgradient_bound"), _solved("composite.theorem3.5.sharpened"))
