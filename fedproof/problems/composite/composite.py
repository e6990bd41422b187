"""A smooth federated loss plus a convex penalty."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from typing import Any

from fedproof.problems.composite.penalty import Penalty, as_penalty
from fedproof.problems.digest import problem_digest, value_digest
from fedproof.problems.problem import Array, Constant, Forwarded, Problem, Solution, problem_headline
from fedproof.problems.steps import loss_and_gradient
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.result import Shown


@dataclass(frozen=True, eq=False)
class Composite(Shown):
    """F(x) = f(x) + g(x), f the smooth problem's global loss; composite (1).

    The paper averages the clients' losses with 1 / n; as everywhere here they are averaged with D_n / D,
    which is the same where all clients hold equally many samples.

    Arguments:
        smooth: any problem; gradients, Hessians and client losses are its.
        penalty: g.
        known: constants of F, such as `least_loss`, that replace or join those of the smooth part.

    >>> from fedproof.problems.composite.penalties.l1 import L1
    >>> from fedproof.problems.quadratics.quadratic import Quadratic
    >>> lasso = Composite(Quadratic.of([[[1]]], [[-3]], sizes=[1]), L1(2))
    >>> lasso.loss(lasso.number(1) + lasso.start())
    Fraction(-1, 2)
    """

    smooth: Problem
    penalty: Penalty
    known: Mapping[str, Constant] | None = None

    # what is the smooth part's, where it has it
    n_clients = Forwarded("smooth")
    dimension = Forwarded("smooth")
    sizes = Forwarded("smooth")
    weights = Forwarded("smooth")
    number = Forwarded("smooth")
    sample_gradients = Forwarded("smooth")
    step_gradients = Forwarded("smooth")
    proximal_steps = Forwarded("smooth")
    client_gradients = Forwarded("smooth")
    hessian_products = Forwarded("smooth")
    gradient = Forwarded("smooth")
    hessian_product = Forwarded("smooth")
    accuracy = Forwarded("smooth")
    test_accuracy = Forwarded("smooth")
    test_loss = Forwarded("smooth")
    kernel_name = Forwarded("smooth")

    def __post_init__(self) -> None:
        if not hasattr(self.smooth, "sample_gradients"):
            raise InputError("smooth", self.smooth, "a problem object", 'write fp.problem("digits")')
        if getattr(self.smooth, "penalty", None) is not None:
            got = "a problem that has a penalty already"
            raise InputError("smooth", got, "a smooth problem", "use its smooth part")
        # a penalty that cannot be on models of this length says so here and not in a run
        as_penalty(self.penalty).subgradient_bound(self.smooth.dimension)

    @property
    def name(self) -> str:
        """What the problem is, in words."""
        return f"{self.smooth.name} + {self.penalty.text}"

    def headline(self) -> str:
        """What it is, in words, and how large a model."""
        return problem_headline(self)

    @cached_property
    def constants(self) -> Mapping[str, Constant]:
        """The smooth part's constants, those of F and of g, and what is `known` of F in their place."""
        from fedproof.problems.composite.constants import composite_constants

        solution = None if "least_loss" in (self.known or {}) else self.solution
        return {**composite_constants(self.smooth, self.penalty, solution), **(self.known or {})}

    @cached_property
    def solution(self) -> Solution | None:
        """A minimiser and F*, exact or enclosed; None where neither is known how to be found."""
        from fedproof.problems.composite.constants import solve

        return solve(self.smooth, self.penalty)

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of all that determines the problem's numbers."""
        return value_digest((problem_digest(self.smooth), self.penalty))

    def with_kernel(self, kernel: str) -> Composite:
        """The same problem with its gradients computed by another kernel."""
        from fedproof.problems.supervised.kernels.kernel import with_kernel

        return replace(self, smooth=with_kernel(self.smooth, kernel))

    def start(self) -> Array:
        """The smooth part's initial model, shape (d,), brought into the domain of g where it lies outside."""
        start = self.smooth.start()
        if self.penalty.value(start) < inf:
            return start
        return self.penalty.prox(start, self.number(1))

    def client_losses(self, models: Array, clients: Array) -> Array:
        """f_i + g of each client at its own model (..., k, d)."""
        losses: Array = self.smooth.client_losses(models, clients) + self.penalty.value(models)
        return losses

    def loss(self, model: Array) -> Any:
        """F at one model (d,)."""
        return self.smooth.loss(model) + self.penalty.value(model)

    def loss_and_gradient(self, model: Array) -> tuple[Any, Array] | None:
        """F, and the gradient of the smooth part, at one model (d,); None where that takes two passes."""
        found = loss_and_gradient(self.smooth, model)
        return None if found is None else (found[0] + self.penalty.value(model), found[1])


def smooth_only(problem: Problem) -> Problem:
    """The smooth part of a problem whose penalty is 0, and a smooth problem itself.

    Raises: InputError for a problem with another penalty.

    >>> from fedproof.problems.composite.penalties.none import Zero
    >>> from fedproof.problems.quadratics.quadratic import Quadratic
    >>> bowl = Quadratic.of([[[1]]], [[0]], sizes=[1])
    >>> smooth_only(Composite(bowl, Zero())) is bowl
    True
    """
    if not isinstance(problem, Composite):
        return problem
    if getattr(problem.penalty, "name", "") == "none":
        return problem.smooth
    got = f"one with the penalty {problem.penalty.text}"
    raise InputError("problem", got, "a smooth problem", "write penalty=none, or give its smooth part")


def prox_gradient(problem: Problem, model: Array, stepsize: Any) -> Array:
    """(x - P(x - step grad f(x))) / step, the prox-gradient mapping at a model; the gradient where g = 0.

    composite (4) and (11).

    Arguments:
        problem: composite or smooth.
        model: x, shape (d,).
        stepsize: eta~ > 0, length^2 / loss.

    Returns: shape (d,), loss / length.

    >>> from fedproof.problems.composite.penalties.l1 import L1
    >>> from fedproof.problems.quadratics.quadratic import Quadratic
    >>> lasso = Composite(Quadratic.of([[[1]]], [[-3]], sizes=[1]), L1(2))
    >>> prox_gradient(lasso, lasso.start(), lasso.number(1))
    array([Fraction(-1, 1)], dtype=object)
    """
    gradient = problem.gradient(model)
    penalty: Penalty | None = getattr(problem, "penalty", None)
    if penalty is None:
        return gradient
    mapping: Array = (model - penalty.prox(model - stepsize * gradient, stepsize)) / stepsize
    return mapping
