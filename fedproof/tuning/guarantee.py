"""A theorem that a plan may go by: what it needs, and the best run that it admits."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fedproof.vocabulary.errors import InputError

#: what most theorems promise, of the loss or with proximal steps
SQUARED_GRADIENT = "mean squared gradient"
#: seconds of a message beyond which nobody waits
_LONGEST = 1e30


@dataclass(frozen=True)
class Costs:
    """What a round costs a client, all clients working at the same time.

    Arguments:
        uplink, downlink: of a client's network, bits a second.
        step_seconds: what one sample gradient takes a client.
        bits_per_value: of a number that is sent.
        dimension: numbers in a message.
        clients: how many.
        samples: of the client that has most.

    Raises: InputError for a number that is not > 0.

    >>> Costs(1e6, 1e7, step_seconds=1e-5, bits_per_value=32, dimension=1000, clients=5, samples=10).network
    0.0352
    """

    uplink: float
    downlink: float
    step_seconds: float
    bits_per_value: float
    dimension: int
    clients: int
    samples: int

    def __post_init__(self) -> None:
        for name in ("uplink", "downlink", "step_seconds", "bits_per_value"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value > 0):
                raise InputError(name, value, "a number > 0")
        if not 0 < self.network < _LONGEST:
            what = f"{self.network:g} seconds for a model down and up"
            raise InputError("uplink", what, f"less than {_LONGEST:g}", "mend uplink or bits_per_value")

    @property
    def message(self) -> float:
        """Bits of one model."""
        return self.dimension * self.bits_per_value

    @property
    def network(self) -> float:
        """Seconds in which a model goes down and another comes up."""
        return self.seconds(self.message, self.message)

    def seconds(self, up: float, down: float) -> float:
        """Seconds in which so many bits come up and go down."""
        return down / self.downlink + up / self.uplink


@dataclass(frozen=True)
class Setting:
    """A run that a theorem admits.

    Arguments:
        letters: everything that the statement takes but the number of rounds, as `check` reads it.
        run: hyper-parameters as `fedproof.run` takes them, without the rounds.
        rounds: how many bring the bound to the accuracy.
        gradients: sample gradients of a client in a round, at most; None where only a run tells.
        messages: bits that a client sends in a round, and bits that it receives; None for a model each.
    """

    letters: Mapping[str, Any]
    run: Mapping[str, Any]
    rounds: int
    gradients: float | None = None
    messages: tuple[float, float] | None = None

    def bits(self, costs: Costs) -> tuple[float, float]:
        """What a client sends in a round and what it receives, in bits."""
        return (costs.message, costs.message) if self.messages is None else self.messages


Solve = Callable[[Mapping[str, float], float, Costs], Setting]


@dataclass(frozen=True)
class Guarantee:
    """A theorem that a plan may go by.

    Arguments:
        statement: id of the bound that is held.
        algorithm: by name.
        needs: canonical words of the constants that `solve` takes.
        solve: from constants, accuracy and costs to the best run; raises FedproofError where there is none.
        rounds: the letter of the statement's number of rounds.
        metric: what is bounded, as runs measure it at every round.
        span: over which of a run's values the theorem takes the mean.
        of: the same in words.
        equal: whether clients must be equally large, so that the plain mean is the problem's loss.
        with_penalty: whether the theorem is for a loss with a penalty too.
        note: what a careful reader should know.
        about: what the accuracy is of, in words; rows are ranked only beside others about the same.
        per: what one unit of the bound is of the metric, from the constants; the metric is divided by it.
    """

    statement: str
    algorithm: str
    needs: tuple[str, ...]
    solve: Solve
    rounds: str
    metric: str
    span: slice
    of: str
    equal: bool = False
    with_penalty: bool = False
    note: str = field(default="")
    about: str = SQUARED_GRADIENT
    per: Callable[[Mapping[str, float]], float] = lambda _: 1.0
