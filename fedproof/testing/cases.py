"""What an implementation is asked: a few clients, a start and parameters, each case for one thing."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from fedproof.testing.clients import EQUAL, UNEQUAL, Rows


@dataclass(frozen=True)
class Case:
    """One question.

    Arguments:
        name: what is tried, in a word or two.
        tests: what a wrong answer would mean, as a sentence.
        clients: who takes part, in every round.
        start: the model before the first round.
        stepsize, local_steps, prox_weight, rounds: the parameters.
        server_stepsize, l1_weight: those of FedComposite.
    """

    name: str
    tests: str
    clients: tuple[Rows, ...]
    start: tuple[Fraction, ...]
    stepsize: Fraction
    local_steps: int = 1
    prox_weight: Fraction = Fraction(0)
    rounds: int = 1
    server_stepsize: Fraction = Fraction(1)
    l1_weight: Fraction = Fraction(0)


_START = (Fraction(3), Fraction(-5, 2))
_ZERO = (Fraction(0), Fraction(0))
_FIFTH, _SIXTH, _EIGHTH, _TENTH = Fraction(1, 5), Fraction(1, 6), Fraction(1, 8), Fraction(1, 10)
_MU = Fraction(3, 2)

_STEP = "one client takes one step along its mean gradient, scaled by the step size"
_STEPS = "one client takes as many steps as it is told"
_WEIGHTS = "three clients of 2, 3 and 5 samples start from the same model and weigh 2/10, 3/10 and 5/10"
_AGAIN = "the next round starts from the average of the one before"

FEDAVG = (
    Case("gradient step", _STEP, UNEQUAL[1:2], _START, _SIXTH),
    Case("local steps", _STEPS, UNEQUAL[1:2], _START, _EIGHTH, 3),
    Case("weighting", _WEIGHTS, UNEQUAL, _START, _EIGHTH, 2),
    Case("second round", _AGAIN, UNEQUAL, _START, _TENTH, 3, rounds=2),
)

FEDPROX = (
    Case("gradient step", _STEP, UNEQUAL[1:2], _START, _SIXTH),
    Case("local steps", _STEPS + "; without proximal term it is FedAvg", UNEQUAL[1:2], _START, _EIGHTH, 3),
    Case("proximal term", "(mu / 2) |w - w_s|^2 ties one client's steps to the round's start w_s",
         UNEQUAL[1:2], _START, _EIGHTH, 3, _MU),
    Case("weighting", _WEIGHTS, UNEQUAL, _START, _EIGHTH, 2, _MU),
    Case("second round", _AGAIN + ", and ties to it", UNEQUAL, _START, _TENTH, 3, _MU / 2, rounds=2),
)  # fmt: skip

FEDPROXVR = (
    Case("gradient step", "one client with one sample: every direction is its gradient",
         (Rows(UNEQUAL[1].rows[1:2], (0,)),), _START, _TENTH, 1),
    Case("estimator", "directions are built from the sample that is drawn for each step",
         UNEQUAL[1:2], _START, _EIGHTH, 3),
    Case("proximal step", "every step ends with the proximal point (10), tied to the round's start",
         UNEQUAL[1:2], _START, _EIGHTH, 3, _MU),
    Case("weighting", _WEIGHTS, UNEQUAL, _START, _EIGHTH, 2, _MU),
    Case("second round", _AGAIN + ", with a new full gradient", UNEQUAL, _START, _TENTH, 3, _MU / 2,
         rounds=2),
)  # fmt: skip

FEDCOMPOSITE = (
    Case("gradient steps", "without penalty one client takes its steps, lengthened by the server's step size",
         EQUAL[1:2], _ZERO, _EIGHTH, 3, server_stepsize=Fraction(3, 2)),
    Case("penalty", "local proximal steps grow as (t + 1) eta, and the server's is eta eta_g tau long",
         EQUAL[1:2], _ZERO, _FIFTH, 3, server_stepsize=Fraction(3, 2), l1_weight=Fraction(3, 4)),
    Case("averaging", "what clients send and the server averages are the models before the proximal step",
         EQUAL, _ZERO, _FIFTH, 2, server_stepsize=Fraction(3, 2), l1_weight=Fraction(3, 4)),
    Case("correction", "in the second round c_i makes up for how a client differs from the others",
         EQUAL, _ZERO, _FIFTH, 3, rounds=2, server_stepsize=Fraction(5, 4), l1_weight=Fraction(1, 3)),
    Case("third round", "corrections are made anew in every round",
         EQUAL, _ZERO, _FIFTH, 3, rounds=3, server_stepsize=Fraction(3, 2), l1_weight=Fraction(1, 4)),
    Case("weighting", "three clients of 2, 3 and 5 samples count alike, as in the paper's (1)",
         UNEQUAL, _ZERO, _EIGHTH, 3, rounds=2, server_stepsize=Fraction(5, 4), l1_weight=Fraction(1, 4)),
)  # fmt: skip
