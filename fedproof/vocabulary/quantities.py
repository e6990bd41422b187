"""The canonical quantities of federated optimisation: name, meaning, unit and domain."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.interval import NONNEGATIVE, POSITIVE, REAL, UNIT, Interval
from fedproof.vocabulary.papers import named
from fedproof.vocabulary.surd import Surd

Number = TypeVar("Number", Fraction, Surd, Fraction | Surd)


@dataclass(frozen=True, slots=True)
class Quantity:
    """One quantity with the field's standard name.

    Arguments:
        name: the canonical word used outside the papers' own folders.
        meaning: one clause.
        unit: in powers of loss and model length; "1" is dimensionless.
        domain: the values that make sense at all (a *condition* is something else).
        whole: whether an algorithm can only use whole numbers.
    """

    name: str
    meaning: str
    unit: str
    domain: Interval
    whole: bool = False

    def check(self, value: Number, given_name: str = "") -> Number:
        """Return `value` if it lies in the domain.

        >>> quantity("smoothness_sample").check(Fraction(1), "L")
        Fraction(1, 1)
        """
        if value not in self.domain:
            raise InputError(
                given_name or self.name, value, self.domain.describe(), f"it is the {self.meaning}"
            )
        return value


_COUNTED = Interval(lo=Fraction(1), lo_open=False)

_ALL = (
    Quantity("smoothness_sample", "Lipschitz constant of every sample's gradient", "loss/length^2", POSITIVE),
    Quantity(
        "smoothness", "Lipschitz constant of the gradient of a client's loss", "loss/length^2", POSITIVE
    ),
    Quantity("lipschitz_sample", "Lipschitz constant of every sample's loss", "loss/length", NONNEGATIVE),
    Quantity(
        "weak_convexity",
        "extent of non-convexity: F_n + weak_convexity/2 |w|^2 is convex",
        "loss/length^2",
        NONNEGATIVE,
    ),
    Quantity("strong_convexity", "strong convexity constant of the local surrogate", "loss/length^2", REAL),
    Quantity("dissimilarity", "weighted mean of the squared gradient divergence sigma_n^2", "1", NONNEGATIVE),
    Quantity(
        "gradient_dissimilarity",
        "mean over clients of the squared distance of a client's gradient from the global one, at any model",
        "loss^2/length^2",
        NONNEGATIVE,
    ),
    Quantity(
        "gradient_variance",
        "largest mean squared distance of a client's sample gradients from their mean",
        "loss^2/length^2",
        NONNEGATIVE,
    ),
    Quantity(
        "prox_weight",
        "weight of the proximal term that ties local models to the global one",
        "loss/length^2",
        NONNEGATIVE,
    ),
    Quantity("stepsize", "step size of the local updates", "length^2/loss", POSITIVE),
    Quantity(
        "inverse_stepsize",
        "step-size parameter: stepsize = 1/(inverse_stepsize x smoothness_sample)",
        "1",
        NONNEGATIVE,
    ),
    Quantity(
        "local_steps", "number of local iterations of a client in a round", "steps", NONNEGATIVE, whole=True
    ),
    Quantity("inexactness", "accuracy of the local solve relative to the gradient at its start", "1", UNIT),
    Quantity("suboptimality", "local surrogate at the local model minus its least value", "loss", POSITIVE),
    Quantity(
        "federated_factor",
        "guaranteed descent per unit of squared gradient in a round",
        "length^2/loss",
        REAL,
    ),
    Quantity(
        "step_deviation",
        "distance of a round's step from the gradient step 1/L, over the length of that step",
        "1",
        REAL,
    ),
    Quantity(
        "delay_ratio",
        "computation delay of a local step over communication delay of a round",
        "rounds/step",
        NONNEGATIVE,
    ),
    Quantity("compute_delay", "time of one local step", "seconds", NONNEGATIVE),
    Quantity("sample_delay", "time of one sample gradient", "seconds", NONNEGATIVE),
    Quantity("communication_delay", "time of one round's communication", "seconds", POSITIVE),
    Quantity("initial_gap", "loss at the start minus the least loss", "loss", NONNEGATIVE),
    Quantity("rounds", "number of global rounds", "rounds", POSITIVE, whole=True),
    Quantity(
        "accuracy",
        "target for the mean squared norm of gradient or prox-gradient, or for what else is bounded",
        "loss^2/length^2",
        POSITIVE,
    ),
    Quantity("young_weight", "free weight of a Young inequality in a proof", "1", POSITIVE),
    Quantity("time", "total training time", "seconds", NONNEGATIVE),
    Quantity("clients", "number of clients, each of the same weight", "clients", _COUNTED, whole=True),
    Quantity(
        "batch_size", "samples in a client's mini-batch at one local step", "samples", _COUNTED, whole=True
    ),
    Quantity("model_size", "number of entries of a model", "1", _COUNTED, whole=True),
    Quantity("penalty_weight", "factor of the penalty in the objective", "loss/length", NONNEGATIVE),
    Quantity("subgradient_bound", "largest norm of a subgradient of the penalty", "loss/length", NONNEGATIVE),
    Quantity(
        "pl_constant", "constant of the proximal Polyak-Lojasiewicz inequality", "loss/length^2", POSITIVE
    ),
    Quantity(
        "loss_strong_convexity", "strong convexity of the smooth part of the loss", "loss/length^2", POSITIVE
    ),
    Quantity("server_stepsize", "factor of the clients' mean movement at the server", "1", POSITIVE),
    Quantity(
        "effective_stepsize",
        "step size of a round: stepsize x server_stepsize x local_steps",
        "length^2/loss",
        POSITIVE,
    ),
    Quantity(
        "initial_potential",
        "objective gap at the start plus the spread of the clients' corrections over the effective step size",
        "loss",
        NONNEGATIVE,
    ),
    Quantity(
        "initial_weighted_potential",
        "objective gap at the start plus smoothness^2 x effective step size x "
        "spread of the clients' corrections",
        "loss",
        NONNEGATIVE,
    ),
    Quantity(
        "initial_distance_potential",
        "squared distance of the start from the solution plus the spread of the clients' corrections",
        "length^2",
        NONNEGATIVE,
    ),
    Quantity("loss_accuracy", "target for the expected objective gap", "loss", POSITIVE),
    Quantity("objective_gap", "objective minus its least value", "loss", NONNEGATIVE),
    Quantity(
        "squared_prox_gradient",
        "squared norm of the prox-gradient mapping at the server's model",
        "loss^2/length^2",
        NONNEGATIVE,
    ),
    Quantity(
        "correction_spread",
        "mean over clients of the squared distance of a client's accumulated direction from their mean",
        "length^2",
        NONNEGATIVE,
    ),
    Quantity(
        "squared_movement", "squared movement of the server's model in a round", "length^2", NONNEGATIVE
    ),
    Quantity(
        "variance_residual",
        "part of a bound that more rounds leave and that comes from the variance of gradients",
        "that of the bound",
        NONNEGATIVE,
    ),
    Quantity(
        "subgradient_residual",
        "part of a bound that more rounds leave and that comes from the bound on subgradients",
        "that of the bound",
        NONNEGATIVE,
    ),
    Quantity("contraction", "factor that all rounds leave of the initial potential", "1", REAL),
    Quantity(
        "initial_dissimilarity",
        "mean over clients of the squared distance of a client's gradient from the global one at the start",
        "loss^2/length^2",
        NONNEGATIVE,
    ),
    Quantity("sent_numbers", "numbers sent one way in a round, by or to all clients", "1", NONNEGATIVE),
)

#: what the data, the loss and the clients decide, and who runs a method does not choose
OF_PROBLEM = frozenset({
    "smoothness_sample", "smoothness", "lipschitz_sample", "weak_convexity", "strong_convexity",
    "loss_strong_convexity", "dissimilarity", "gradient_variance", "gradient_dissimilarity", "initial_gap",
    "initial_dissimilarity", "subgradient_bound", "pl_constant", "clients", "model_size",
})  # fmt: skip

QUANTITIES: dict[str, Quantity] = {q.name: q for q in _ALL}


def quantity(name: str) -> Quantity:
    """The quantity with this canonical name: one of the field's, or one that a paper's index points to.

    Raises: UnknownName with the nearest name.

    >>> quantity("local_steps").whole
    True
    """
    found = QUANTITIES.get(name)
    return named("quantity", name, QUANTITIES) if found is None else found
