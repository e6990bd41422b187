"""FedProxVR in a plan: Theorem 1 with Lemma 1 put in, for both estimators, printed and sharpened."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fedproof.tuning.admitted import admitted, as_run
from fedproof.tuning.guarantee import Costs, Guarantee, Setting
from fedproof.vocabulary.errors import InputError

#: the mean over w^(1) to w^(T), as printed
_SPAN = slice(1, None)
_NEEDS = ("smoothness_sample", "weak_convexity", "dissimilarity", "initial_gap")


def _solved(estimator: str, form: str) -> Guarantee:
    id = f"fedproxvr.certified.{estimator}" + (".sharpened" if form == "sharpened" else "")

    def solve(numbers: Mapping[str, float], accuracy: float, costs: Costs) -> Setting:
        """The best that the theorem admits with whole local steps, and what (18) then says of the rounds."""
        from fedproof.bounds.catalog import statement
        from fedproof.bounds.statement_handle import StatementHandle
        from fedproof.tuning.api import tune

        constants = dict(zip(("L", "lam", "sigma2"), (numbers[word] for word in _NEEDS), strict=False))
        ratio = 2 * costs.step_seconds / (costs.network + costs.samples * costs.step_seconds)
        best = tune(id, **constants, gamma=ratio, tau="integer")
        if best.argmin is None or best.run is None:
            raise InputError(id, constants, "constants with a best step size", "see `fedproof tune`")
        letters: dict[str, Any] = {**constants, **{name: best.argmin[name] for name in ("mu", "beta", "tau")}}
        letters |= {"Delta": numbers["initial_gap"], "eps": accuracy}
        needed = float(StatementHandle(statement(id)).value("T_eps", **letters))
        run = {k: v for k, v in best.run.items() if k != "algorithm"}
        gradients = costs.samples + 2 * best.argmin["tau"]
        rounds = admitted(id, letters, "T", needed, accuracy)
        rounds = admitted(id, as_run(statement(id), letters, run), "T", rounds, accuracy)
        return Setting(letters, run, rounds, gradients)

    return Guarantee(
        id, "fedproxvr", _NEEDS, solve, "T", "squared_gradient", _SPAN, "squared gradient, w_1 to w_T"
    )


GUARANTEES = tuple(
    _solved(estimator, form) for estimator in ("sarah", "svrg") for form in ("printed", "sharpened")
)
