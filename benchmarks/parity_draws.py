"""What `parity.py` asks about is drawn here: values as a user would type them, from seeds of their own.

A question is drawn from a seed made of its own words, so that one more statement changes few of the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count
from random import Random

__all__ = ["Symbol", "constants_of", "target_of", "turns", "values_of"]

Symbol = dict[str, str]
"""A symbol as `show` has it: name, quantity, domain."""

SEED = "parity"
USUAL = (0.1, 10.0)
#: quantity -> where its values are drawn from, log-uniformly
MAGNITUDES: dict[str, tuple[float, float]] = {
    "accuracy": (0.02, 1), "batch_size": (1, 100), "clients": (2, 100), "communication_delay": (0.1, 10),
    "compute_delay": (1e-3, 0.1), "delay_ratio": (1e-4, 1), "dissimilarity": (0.1, 4),
    "effective_stepsize": (1e-3, 0.2), "inexactness": (0.05, 1), "inverse_stepsize": (4, 400),
    "local_steps": (1, 500), "loss_accuracy": (0.02, 1), "loss_strong_convexity": (0.01, 0.5),
    "model_size": (1, 100), "pl_constant": (0.01, 0.5), "prox_weight": (2, 500), "rounds": (10, 1e5),
    "sample_delay": (1e-4, 0.01), "server_stepsize": (1, 50), "smoothness": (0.5, 2),
    "smoothness_sample": (0.5, 2), "stepsize": (1e-5, 1e-2), "weak_convexity": (0.05, 0.9),
}  # fmt: skip
WHOLE = ("batch_size", "clients", "model_size", "rounds")

#: how the names of quantities begin that conditions hardly ever speak of
IDLE = ("batch_", "correction_", "gradient_", "initial_", "objective_", "squared_", "subgradient_")

#: quantities that `tune` finds
TUNED = (
    "batch_size", "inverse_stepsize", "local_steps", "prox_weight", "rounds", "server_stepsize", "stepsize"
)  # fmt: skip
#: what `tune` takes beside the constants: costs of composite, ways of fedproxvr, forms of a bare key
COSTS = {
    "d_com": "communication_delay", "d_cmp": "compute_delay", "d_smp": "sample_delay", "b_max": "batch_size"
}  # fmt: skip
WAYS = {"estimator": ("sarah", "svrg"), "tau": ("real", "integer")}
FORMS = ("printed", "sharpened")


def turns(verb: str, ids: list[str]) -> Iterator[tuple[str, Random]]:
    """The ids in turn, without end, each time with a source of randomness of its own."""
    yield from ((id, Random(f"{SEED} {verb} {id} {turn}")) for turn in count() for id in ids)


def drawn(random: Random, quantity: str, domain: str) -> str:
    """A value of a quantity as a user would type it; at times 0, and at times out of its domain."""
    low, high = MAGNITUDES.get(quantity, USUAL)
    value, kind = low * (high / low) ** random.random(), random.random()
    if kind < 0.005:
        return "-1"
    if kind < 0.05 and domain.startswith("[0"):
        return "0"
    if quantity in WHOLE:
        return str(round(value))
    if kind < 0.3:
        return f"1/{round(1 / value)}" if value < 1 else f"{round(8 * value)}/8"
    return f"{value:.2g}"


def values_of(random: Random, symbols: Iterable[Symbol], probability: float) -> dict[str, str]:
    """Values of symbols by name, each kept with this probability."""
    found = {s["name"]: drawn(random, s["quantity"], s["domain"]) for s in symbols}
    return {name: value for name, value in found.items() if random.random() < probability}


def target_of(random: Random, symbols: list[Symbol]) -> str:
    """A symbol whose range is asked, seldom one that no condition speaks of."""
    first, second = random.choices(symbols, k=2)
    return (second if first["quantity"].startswith(IDLE) else first)["name"]


def constants_of(random: Random, id: str, symbols: list[Symbol]) -> dict[str, str]:
    """What `tune` takes: the constants among the symbols of a statement, and options."""
    given = values_of(random, (s for s in symbols if s["quantity"] not in TUNED), probability=0.99)
    if id.startswith("composite"):
        given["eps"] = drawn(random, "accuracy", "(0, inf)")
        given |= {k: drawn(random, quantity, "") for k, quantity in COSTS.items() if random.random() < 0.5}
    else:
        given |= {name: random.choice(options) for name, options in WAYS.items()}
    return given if "." in id else given | {"form": random.choice(FORMS)}
