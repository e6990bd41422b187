"""Composite federated learning in a plan: Theorem 3.5 with full local gradients, printed and sharpened."""

from __future__ import annotations

from collections.abc import Mapping

from fedproof.tuning.guarantee import Costs, Guarantee, Setting
from fedproof.tuning.least_rounds import admitted
from fedproof.vocabulary.errors import InputError

#: the mean over x^1 to x^R
_SPAN, _OF = slice(None, -1), "squared prox-gradient, x_1 to x_R"
_TRIED = 30


def _solved(id: str, *more: str) -> Guarantee:
    def solve(numbers: Mapping[str, float], accuracy: float, costs: Costs) -> Setting:
        """With one full gradient a round nothing is sampled; Omega^1 is what the step size makes of it."""
        from fedproof.solvers.cohort import Participation
        from fedproof.tuning.api import tune

        gap, spread = numbers["initial_gap"], numbers["initial_dissimilarity"]
        known = {"L": numbers["smoothness"], "n": costs.clients, "sigma2": 0.0}
        known |= {"B_g": numbers["subgradient_bound"]} if more else {}
        granted = gap
        for _ in range(_TRIED):
            best = tune(id, **known, Omega1=granted, eps=accuracy)
            at = dict(best.argmin or {})
            if not at:
                break
            potential = gap + at["eta"] * at["tau"] / at["eta_g"] * spread
            if potential <= granted:
                least = at.pop("R")
                letters = {**known, **at, "Omega1": potential}
                rounds = admitted(id, letters, "R", least, accuracy)
                run = {
                    "stepsize": at["eta"], "local_steps": int(at["tau"]), "server_stepsize": at["eta_g"],
                    "batch_size": None, "participation": Participation(average="plain"),
                }  # fmt: skip
                return Setting(letters, run, rounds, costs.samples * at["tau"])
            granted = potential * (1 + 1e-9)
        raise InputError("epsilon", accuracy, "an accuracy that the bound reaches", "ask for more")

    needs = ("smoothness", "initial_gap", "initial_dissimilarity", *more)
    metric = ("R", "squared_prox_gradient", _SPAN, _OF)
    return Guarantee(id, "fedcomposite", needs, solve, *metric, equal=True, with_penalty=True)


GUARANTEES = (_solved("composite.theorem3.5", "subgradient_bound"), _solved("composite.theorem3.5.sharpened"))
