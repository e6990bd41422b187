"""Settings of every planner at drawn constants: each is admitted by its theorem in exact arithmetic, also as
the document of a plan has it.

`python -m tests.planning.many_constants 1000` draws so many for each guarantee and says what came out.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from time import process_time
from typing import Any

import numpy as np

from fedproof.bounds.catalog import statement
from fedproof.bounds.statement_handle import StatementHandle
from fedproof.planning.api import guarantees
from fedproof.tuning.admitted import taken
from fedproof.tuning.guarantee import Costs, Guarantee
from fedproof.vocabulary.errors import FedproofError
from fedproof.vocabulary.result import jsonable

#: words whose value is often exactly 0, and then other branches are taken
MAY_VANISH = ("weak_convexity", "dissimilarity", "initial_dissimilarity", "subgradient_bound",
              "mean_shift_error", "gradient_dissimilarity")  # fmt: skip


def drawn(guarantee: Guarantee, rng: np.random.Generator) -> tuple[dict[str, float], float, Costs]:
    """Constants over eight decades, an accuracy, and costs."""
    numbers = {word: float(10 ** rng.uniform(-4, 4)) for word in guarantee.needs}
    for word in MAY_VANISH:
        if word in numbers and rng.random() < 0.3:
            numbers[word] = 0.0
    if "loss_strong_convexity" in numbers:
        numbers["loss_strong_convexity"] *= min(1.0, numbers["smoothness"] / numbers["loss_strong_convexity"])
    clients, samples, dimension = (int(10 ** rng.uniform(0, 3)) for _ in range(3))
    speeds = [float(10 ** rng.uniform(3, 8)) for _ in range(2)]
    costs = Costs(*speeds, float(10 ** rng.uniform(-8, -3)), 64, dimension, clients, samples)
    return numbers, float(10 ** rng.uniform(-6, 1)), costs


def wrong(guarantee: Guarantee, numbers: dict[str, float], accuracy: float, costs: Costs) -> str:
    """What is wrong with the setting of a planner: "" if it is admitted, "none" if it refused."""
    try:
        setting = guarantee.solve(numbers, accuracy, costs)
    except FedproofError:
        return "none"
    asked = StatementHandle(statement(guarantee.statement))
    letters: dict[str, Any] = json.loads(json.dumps(jsonable(taken(asked, setting.letters))))
    found = asked.check(**letters, **{guarantee.rounds: setting.rounds})
    if not found.applicable or found.bound is None:
        return f"fails {', '.join(c.label for c, d in found.conditions if not d.holds)}"
    exact = asked.statement.formulas["bound"].at(
        {n: Fraction(v) for n, v in asked.read({**letters, guarantee.rounds: setting.rounds}).items()}
    )
    if exact > Fraction(accuracy) and found.bound > accuracy:
        return f"bound {found.bound} above {accuracy}"
    up, down = setting.bits(costs)
    return "" if up > 0 and down > 0 and setting.rounds >= 1 else "no message or no round"


def results(count: int, seed: int = 0) -> Iterator[tuple[Guarantee, Counter[str], float]]:
    """For each guarantee what came out of so many draws, and the processor seconds."""
    for place, guarantee in enumerate(guarantees()):
        rng, begun = np.random.default_rng([seed, place]), process_time()
        found = Counter(wrong(guarantee, *drawn(guarantee, rng)) for _ in range(count))
        yield guarantee, found, process_time() - begun


if __name__ == "__main__":
    for guarantee, found, seconds in results(int(sys.argv[1]), int(sys.argv[2]) if sys.argv[2:] else 0):
        said = ", ".join(f"{number} {what or 'admitted'}" for what, number in found.items())
        sys.stdout.write(f"{guarantee.statement}, {guarantee.algorithm}: {said}; {seconds:.1f} s\n")
