"""How an implementation can depart from its method: the usual mistakes, as fields of one record."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Any


@dataclass(frozen=True)
class Departure:
    """What an implementation does otherwise; the defaults are the method itself.

    Arguments:
        form: which of a method's local steps it takes; each method says what its forms are.
        gradient: times the gradient of a client: "mean", "sum" (over its samples) or "double".
        prox: times the proximal weight.
        unsquared: whether the proximal term is (mu / 2) |w - w_s|, the norm itself, in steps on the gradient.
        centre: what the proximal term ties to: "start" of the round, "first" round's start, "zero", or the
            "current" local model.
        steps, rounds: how many more.
        weights: of the clients: "size", "plain", "sum" (all 1), "sizes" (not divided by their sum), "last".
        sequential: whether a client begins where the one before it ended.
        added: whether the average of the models is added to the server's model.
        estimator: of FedProxVR: "sarah", "svrg" or "sgd".
        correction: times the correction of FedComposite.
        summed: whether its correction takes the sum of the local gradients instead of their mean.
        local_prox: of FedComposite: "growing", "constant", "none" or "weight" (no step size in it).
        averaged: which local models: "before" or "after" the proximal step.
        server_prox: length of the server's proximal step: "effective", "local" or "none".
        server_stepsize: whether it is used.
        idle: whether nothing is done at all.
    """

    form: str = ""
    gradient: str = "mean"
    prox: Fraction = Fraction(1)
    unsquared: bool = False
    centre: str = "start"
    steps: int = 0
    rounds: int = 0
    weights: str = "size"
    sequential: bool = False
    added: bool = False
    estimator: str = "sarah"
    correction: int = 1
    summed: bool = False
    local_prox: str = "growing"
    averaged: str = "before"
    server_prox: str = "effective"
    server_stepsize: bool = True
    idle: bool = False


@dataclass(frozen=True)
class Mistake:
    """A usual mistake.

    Arguments:
        text: what is wrong, as a clause.
        fields: of the departure, and their values.
    """

    text: str
    fields: tuple[tuple[str, Any], ...]

    def of(self, right: Departure) -> Departure:
        """The departure of one who makes it, and is right otherwise."""
        return replace(right, **dict(self.fields))


def mistake(text: str, **fields: Any) -> Mistake:
    """A mistake from the fields in which it differs.

    >>> mistake("one local step too many", steps=1).of(Departure()).steps
    1
    """
    return Mistake(text, tuple(fields.items()))


def pairs(mistakes: Iterable[Mistake]) -> list[Mistake]:
    """Two mistakes at once, where they concern different things."""
    return [
        Mistake(f"{one.text}; and {other.text}", one.fields + other.fields)
        for one, other in combinations(mistakes, 2)
        if not dict(one.fields).keys() & dict(other.fields).keys()
    ]


#: of any method whose clients work and whose server averages
LOCAL = (
    mistake("one local step too many", steps=1),
    mistake("one local step too few", steps=-1),
    mistake("a client's gradients are summed over its samples, not averaged", gradient="sum"),
    mistake("gradients are twice as large, as of a squared error without the half", gradient="double"),
    mistake(
        "a client begins where the one before it ended: copy the server's model for each", sequential=True
    ),
)
PLAIN = mistake("the clients' models are averaged plainly, not weighted by their sizes", weights="plain")
BY_SIZE = mistake("the clients' models are weighted by their sizes, not averaged plainly", weights="size")
SERVER = (
    mistake("nothing moves: the model is returned as it came", idle=True),
    PLAIN,
    mistake("the clients' models are summed, not averaged", weights="sum"),
    mistake("the weights are sizes that are not divided by their sum", weights="sizes"),
    mistake("only the last client's model is returned", weights="last"),
    mistake("the average of the models is added to the server's model, as if it were a change", added=True),
)
ROUNDS = (mistake("one round too many", rounds=1), mistake("one round too few", rounds=-1))

PROX = (
    mistake("the proximal weight is doubled, as of mu |w - w_s|^2 without the half", prox=Fraction(2)),
    mistake("the proximal weight is halved", prox=Fraction(1, 2)),
    mistake("the proximal term has the wrong sign", prox=Fraction(-1)),
    mistake("the proximal term ties to 0, as weight decay does, not to the round's start", centre="zero"),
    mistake("the proximal term ties to the first round's start, not to this round's", centre="first"),
)
NO_PROX = mistake("the proximal term is missing", prox=Fraction(0))
NORM = mistake("the proximal term is the norm |w - w_s|, which is not squared", unsquared=True)
CURRENT = mistake(
    "the proximal term ties to the current local model, not to the round's start", centre="current"
)
