"""Composite federated learning in a plan: Theorem 3.5 with full local gradients, printed and sharpened."""

from __future__ import annotations

from collections.abc import Mapping

from fedproof.tuning.guarantee import Costs, Guarantee, Setting
from fedproof.vocabulary.errors import InputError

#: the mean over x^1 to x^R
_SPAN = slice(None, -1)
_TRIED = 30


def _solved(id: str, *more: str) -> Guarantee:
    def solve(numbers: Mapping[str, float], accuracy: float, costs: Costs) -> Setting:
        """With one full gradient a round nothing is sampled; Omega^1 is what the step size makes of it."""
        from fedproof.bounds.statement_handle import statement
        from fedproof.solvers.cohort import Participation
        from fedproof.tuning.api import tune

        gap, spread = numbers["initial_gap"], numbers["initial_dissimilarity"]
        known = {"L": numbers["smoothness"], "n": costs.clients, "sigma2": 0.0}
        known |= {"B_g": numbers["subgradient_bound"]} if more else {}
        potential, asked = gap, statement(id)
        for _ in range(_TRIED):
            best = tune(id, **known, Omega1=potential, eps=accuracy)
            assert best.argmin is not None
            step = best.argmin["eta"] * best.argmin["eta_g"] * best.argmin["tau"]
            potential = gap + step / best.argmin["eta_g"] ** 2 * spread
            letters = {**known, **{k: v for k, v in best.argmin.items() if k != "R"}, "Omega1": potential}
            rounds = int(best.argmin["R"])
            found = asked.check(**letters, R=rounds)
            if found.bound is not None and found.bound <= accuracy:
                run = {
                    "stepsize": best.argmin["eta"], "local_steps": int(best.argmin["tau"]),
                    "server_stepsize": best.argmin["eta_g"], "batch_size": None,
                    "participation": Participation(average="plain"),
                }  # fmt: skip
                return Setting(letters, run, rounds, costs.samples * best.argmin["tau"])
            potential *= 1 + 1e-9
        raise InputError(id, accuracy, "an accuracy that it reaches", "ask for a larger epsilon")

    needs = ("smoothness", "initial_gap", "initial_dissimilarity", *more)
    return Guarantee(
        id, "fedcomposite", needs, solve, "R", "squared_prox_gradient", _SPAN, equal=True, with_penalty=True
    )


GUARANTEES = (_solved("composite.theorem3.5", "subgradient_bound"), _solved("composite.theorem3.5.sharpened"))
