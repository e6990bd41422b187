"""FedDA: its formulas by hand, dual averaging in closed form, how slowly it can be and where it ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from fedproof.problems.composite.composite import Composite
from fedproof.problems.composite.penalties.l1 import L1
from fedproof.problems.problem import Array, Constant
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.solvers.algorithms.fedcomposite import FedComposite
from fedproof.solvers.algorithms.fedda import FedDA
from fedproof.solvers.algorithms.fedmid import FedMid
from fedproof.solvers.driver import run

SMOOTH = random_quadratic(8, n_clients=4, dimension=3, samples=[2, 1, 3, 2])


@dataclass(frozen=True)
class Ridge:
    """|x|^2 / 2, written here so that the expected numbers need no other code."""

    name: ClassVar[str] = "ridge"
    text: ClassVar[str] = "|x|^2 / 2"

    def value(self, x: Array) -> Any:
        """Half the squared norm."""
        return np.add.reduce(x * x, axis=-1) / 2

    def prox(self, x: Array, scale: Any) -> Array:
        """A shorter vector."""
        shorter: Array = x / (1 + scale)
        return shorter

    def subgradient_bound(self, dimension: int) -> Constant:
        """There is none."""
        return Constant(None, "unknown", f"|x| grows without bound in dimension {dimension}")


def test_without_a_penalty_it_is_fedmid() -> None:
    """With g = 0 dual states are models: every round is FedMid's with g = 0, with the same draws."""
    ours, theirs = (
        run(kind(Fraction(1, 9), 3, Fraction(5, 2), batch_size=1), SMOOTH, 3, seed=5)
        for kind in (FedDA, FedMid)
    )

    assert (ours.model == theirs.model).all()


def test_one_local_step_is_dual_averaging() -> None:
    """With tau = 1 the model is P_{r s}(x0 - s sum of all gradients), s = eta eta_g: the closed form."""
    problem, weight, s = Composite(SMOOTH, L1("1/50")), Fraction(1, 50), Fraction(3, 4)
    models = [problem.start()]
    for r in range(1, 6):
        z = problem.start() - s * np.add.reduce([problem.gradient(w) for w in models], axis=0)
        models.append(np.sign(z) * np.maximum(abs(z) - r * s * weight, 0))

        assert (run(FedDA(Fraction(1, 2), 1, Fraction(3, 2)), problem, r).model == models[-1]).all()


def errors(method: Any, problem: Any, solution: Fraction, rounds: int) -> list[Fraction]:
    """Distances of the models in one dimension from the solution, round by round."""
    distance: Callable[..., Any] = lambda problem, state, trace: state.model[0] - solution  # noqa: E731
    return list(run(method, problem, rounds, metrics={"distance": distance}).metrics["distance"])


def test_one_local_step_is_not_the_proximal_gradient_method() -> None:
    """(x - 4)^2 / 2 + x^2 / 2, tau = 1, eta eta_g = 1/2: errors fall as 2 / ((r + 1)(r + 2)) and as 1 / 3^r.

    Both methods take the same steps; dual averaging is slower without end, so that "exactly the same rate" at
    tau = 1 is not true of every penalty.
    """
    problem = Composite(Quadratic.of([[[1]]], [[-4]], sizes=[1]), Ridge())
    dual = errors(FedDA(Fraction(1, 4), 1, 2), problem, Fraction(2), 30)
    ours = errors(FedComposite(Fraction(1, 4), 1, 2), problem, Fraction(2), 30)

    assert dual == [dual[0] * Fraction(2, (r + 1) * (r + 2)) for r in range(31)]
    assert ours == [ours[0] / 3**r for r in range(31)]


def test_different_clients_draw_it_away() -> None:
    """Curvatures 1 and 3, tau = 2, g = |x|: it stays at 100/27 for ever; the solution is 7/2.

    At a fixed point the mean of (1 - (1 - eta a_i)^2) (w - x_i) is 0, x_i the minimiser of f_i + g: with
    eta = 1/8 the factors are 15/64 and 39/64, the minimisers 9 and 5/3.
    """
    smooth = Quadratic.of([[[1]], [[3]]], [[-10], [-6]], sizes=[1, 1])
    problem = Composite(smooth, L1(1))
    stays = problem.start() + Fraction(100, 27)

    assert run(FedDA(Fraction(1, 8), 2, 3), problem, 5, x0=stays).model == stays
    drawn = run(FedDA(0.125, 2, 1), Composite(smooth.as_float(), L1(1)), 300).model[0]
    assert abs(drawn - 100 / 27) < 1e-12
    ours = run(FedComposite(0.125, 2, 1), Composite(smooth.as_float(), L1(1)), 300).model[0]
    assert abs(ours - 7 / 2) < 1e-12


def test_its_drift_is_that_of_dual_states() -> None:
    """The trace compares what clients return with what they were sent: no drift where gradients vanish."""
    bowl = Composite(Quadratic.of([[[1]]] * 2, [[0]] * 2, sizes=[1, 1]), L1(1))

    assert run(FedDA(Fraction(1, 2), 3), bowl, 2, metrics=["drift"]).metrics["drift"] == (None, 0, 0)
