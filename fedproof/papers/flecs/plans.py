"""FLECS-CGD, FLECS and DIANA in a plan: Theorems 4 and 5, repaired and printed, with full gradients.

A_k enters the theorems by mu1 and mu2 alone, and every bound is best where they are one: then A_k is the
identity, up to a factor that alpha takes. So the truncation that is planned makes it that, FLECS sends its
sketches for nothing, and DIANA, which is FLECS-CGD with A_k = I and without them, is under the same theorems.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from fedproof.tuning.admitted import MOST, admitted, taken
from fedproof.tuning.guarantee import Costs, Guarantee, Setting
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.values import json_number

if TYPE_CHECKING:
    from fedproof.papers.flecs.tuner import Choice
    from fedproof.solvers.compressor import Compressor

_FIRST = ("smoothness", "initial_gap", "mean_shift_error")
_NEEDS = {
    "flecs.theorem5": (*_FIRST, "gradient_dissimilarity"),
    "flecs.theorem4": (*_FIRST, "weak_convexity", "loss_strong_convexity"),
}
_BEST = "With A_k = I, as any other makes the bound larger"
_NOTES = {
    "flecs": f"{_BEST}: the sketches are sent for nothing. Gradients are not compressed: omega = 0.",
    "flecs_cgd": f"{_BEST}: the sketches are sent for nothing.",
    "diana": "DIANA is FLECS-CGD with A_k = I, without sketches.",
}


def _sent(algorithm: str, compressor: Compressor, costs: Costs) -> tuple[float, float]:
    """Bits up and down in a round: those of the listing with m = 1."""
    model, d = costs.message, costs.dimension
    gradient = model if compressor.name == "identity" else float(compressor.bits(d))
    if algorithm == "diana":
        return gradient, model
    return gradient + model + costs.bits_per_value, 2 * model


def _run(algorithm: str, compressor: Any, letters: Mapping[str, Any]) -> dict[str, Any]:
    """Hyper-parameters with A_k = I; a compressor's own numbers lie beside it.

    No bound speaks of the sketches' compressor, but the direct update squares what compression errs by: so
    they are sent as they are, and B_i = Y M^+ Y^T is at most the Hessian.
    """
    from fedproof.solvers.cohort import Participation

    part, run = "gradient_compressor", dict[str, Any](stepsize=float(letters["alpha"]))
    if algorithm != "flecs":
        own = {f"{part}.{f.name}": getattr(compressor, f.name) for f in fields(compressor)}
        run |= {"shift_stepsize": float(letters["gamma"]), part: compressor.name, **own}
    if algorithm != "diana":
        run |= {
            "hessian_compressor": "identity",
            "memory": 1,
            "direction": "fedsonia",
            "trunc_lo": 1,
            "trunc_hi": 1,
        }
    return run | {"batch_size": None, "participation": Participation(average="plain")}


def _numbers(id: str, numbers: Mapping[str, float], accuracy: float, costs: Costs) -> dict[str, float]:
    """What the search takes, by letter."""
    if numbers.get("weak_convexity"):
        raise InputError("weak_convexity", numbers["weak_convexity"], "0: every client's loss is convex")
    found = {
        "L": numbers["smoothness"], "mu1": 1.0, "mu2": 1.0, "n": float(costs.clients), "sigma2": 0.0,
        "gap": numbers["initial_gap"], "shift2": numbers["mean_shift_error"], "eps": accuracy,
        "d": float(costs.dimension), "m": 1.0,
    }  # fmt: skip
    if id.startswith("flecs.theorem4"):
        # a smaller modulus holds too
        return found | {"mu": min(numbers["loss_strong_convexity"], numbers["smoothness"])}
    return found | {"zeta2": numbers["gradient_dissimilarity"]}


def _solved(id: str, algorithm: str) -> Callable[[Mapping[str, float], float, Costs], Setting]:
    def solve(numbers: Mapping[str, float], accuracy: float, costs: Costs) -> Setting:
        """The compressor, alpha, gamma and c with the fewest seconds."""
        from fedproof.bounds.catalog import statement
        from fedproof.bounds.statement_handle import StatementHandle
        from fedproof.papers.flecs.tuner import admitted_setting, choices

        known = _numbers(id, numbers, accuracy, costs)
        work = costs.samples * (1 if algorithm == "diana" else 2)

        def seconds(choice: Choice) -> float:
            network = costs.seconds(*_sent(algorithm, choice.compressor, costs))
            return choice.found.value * (network + work * costs.step_seconds)

        uncompressed = algorithm == "flecs"
        found = [c for c in choices(id, known) if not (uncompressed and c.compressor.name != "identity")]
        best = min(found, key=seconds, default=None)
        if best is None or not best.found.value <= MOST:
            raise InputError("epsilon", accuracy, f"one that at most {MOST:g} rounds reach", "ask for more")
        letters, rounds = admitted_setting(best, known)
        asked = taken(StatementHandle(statement(id)), {**known, "omega": best.search.omega, **letters})
        asked.pop("K", None)
        asked |= {
            name: math.nextafter(float(asked[name]), math.inf) for name in ("kappa0", "Psi0") if name in asked
        }
        # c of Theorem 4 as printed is one number and no other, which no decimal may be: then it is text, p/q
        asked = {name: json_number(number, name) for name, number in asked.items()}
        return Setting(
            asked, _run(algorithm, best.compressor, letters), admitted(id, asked, "K", rounds, accuracy),
            work, _sent(algorithm, best.compressor, costs),
        )  # fmt: skip

    return solve


def _twice_smoothness(numbers: Mapping[str, float]) -> float:
    """2 L: |grad F|^2 is at most so many times the gap to the least loss."""
    return 2 * numbers["smoothness"]


def _guarantee(id: str, algorithm: str) -> Guarantee:
    """Theorem 5 about the squared gradient, Theorem 4 about the gap after the last round."""
    kind = id.removesuffix(".repaired")
    found = Guarantee(
        id, algorithm, _NEEDS[kind], _solved(id, algorithm), "K", "squared_gradient", slice(None, -1),
        "squared gradient, w_0 to w_{K-1}", equal=True, note=_NOTES[algorithm],
    )  # fmt: skip
    if kind == "flecs.theorem5":
        return found
    return replace(
        found, span=slice(-1, None), of="squared gradient at w_K over 2 L, which the gap is at least",
        about="gap to the least loss, with the shifts' error", per=_twice_smoothness,
    )  # fmt: skip


_PLANNED = (
    ("flecs.theorem5.repaired", ("flecs_cgd", "flecs", "diana")),
    ("flecs.theorem4.repaired", ("flecs_cgd", "flecs", "diana")),
    ("flecs.theorem5", ("flecs_cgd",)),
    ("flecs.theorem4", ("flecs_cgd",)),
)
GUARANTEES = tuple(_guarantee(id, algorithm) for id, names in _PLANNED for algorithm in names)
