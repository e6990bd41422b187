"""Composite quadratics whose solution and constants are known in fractions, for checks of the theorems."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from itertools import product
from typing import Any, ClassVar

import numpy as np

from fedproof.papers.composite.checks._metrics import losses, omegas
from fedproof.problems.composite.composite import Composite
from fedproof.problems.composite.constants import composite_constants
from fedproof.problems.problem import Array
from fedproof.problems.quadratics.exact_linear_algebra import fractions, solve
from fedproof.problems.quadratics.quadratic import Quadratic, Spectra
from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.problems.separable import Separable, SeparablePenalty
from fedproof.solvers.algorithms.fedcomposite import FedComposite


@dataclass(frozen=True, eq=False)
class Coordinates(SeparablePenalty):
    """The penalty that is one form in every coordinate.

    >>> Coordinates(Separable(Fraction(1, 2), high=Fraction(1))).text
    '1/2 |x|_1 + [-inf, 1]'
    """

    name: ClassVar[str] = "coordinates"

    form: Separable

    @property
    def separable(self) -> Separable:
        """The form."""
        return self.form

    @property
    def text(self) -> str:
        """The formula."""
        form = self.form
        parts = [f"{form.weight} |x|_1"] if form.weight else []
        parts += [f"{form.curvature} |x|^2/2"] if form.curvature else []
        ends = ["" if e is None else str(e) for e in (form.low, form.high)]
        if any(ends):
            parts.append(f"[{ends[0] or '-inf'}, {ends[1] or 'inf'}]")
        return " + ".join(parts) or "0"


CONSTANTS = {
    "L": "smoothness",
    "sigma2": "gradient_variance",
    "B_g": "subgradient_bound",
    "mu": "pl_constant",
    "mu_sc": "loss_strong_convexity",
}
"""What the letters of the theorems are called among a problem's constants."""


@dataclass(frozen=True, eq=False)
class QuadraticInstance:
    """A quadratic whose samples differ by additive noise alone, plus a separable penalty, in fractions.

    Arguments:
        smooth: in fractions; every client holds equally many samples, of equal matrix.
        penalty: g.
    """

    smooth: Quadratic
    penalty: Separable

    @cached_property
    def problem(self) -> Composite:
        """In fractions."""
        return Composite(self.smooth, Coordinates(self.penalty))

    @cached_property
    def rounded(self) -> Composite:
        """In floats."""
        return Composite(self.smooth.as_float(), Coordinates(self.penalty))

    @cached_property
    def constants(self) -> dict[str, Fraction]:
        """By letter, exact or proved on the safe side; what does not exist is left out."""
        known = composite_constants(self.smooth, self.problem.penalty, None)
        found = {letter: known[name] for letter, name in CONSTANTS.items()}
        proved = {n: c for n, c in found.items() if c.kind != "estimate" and c.value is not None}
        return {letter: Fraction(constant.value) for letter, constant in proved.items()}

    @property
    def strong_convexity(self) -> Fraction:
        """mu_sc of f; 0 where f is not strongly convex."""
        return self.constants.get("mu_sc", Fraction(0))

    @cached_property
    def solution(self) -> Array:
        """x*: the problem's own where f is convex, else the best of all stationary points."""
        found = self.problem.solution
        if found is not None:
            return found.model
        points = np.stack(list(stationary(self.smooth, self.penalty)))
        best: Array = points[int(np.argmin(losses(self.problem, points)))]
        return best

    @cached_property
    def least(self) -> Fraction:
        """F*."""
        value: Any = losses(self.problem, self.solution)
        return Fraction(value)


def stationary(smooth: Quadratic, g: Separable) -> Iterator[Array]:
    """All points at which every entry is at a bound, at 0, or has slope 0 on its side of it."""
    d = smooth.dimension
    matrix = smooth.mean_matrix + g.curvature * fractions(np.eye(d, dtype=int))
    slope = smooth.mean_slope - smooth.mean_matrix @ smooth.centre
    ends = [Fraction(0), *(e for e in (g.low, g.high) if e is not None)]
    for kind in product([*ends, "+", "-"], repeat=d):
        free = [j for j in range(d) if isinstance(kind[j], str)]
        x = fractions([0 if j in free else kind[j] for j in range(d)])
        if free:
            signs = fractions([1 if kind[j] == "+" else -1 for j in free])
            right = -(slope + matrix @ x)[free] - g.weight * signs
            inner = solve(matrix[np.ix_(free, free)], right)
            if inner is None or (inner * signs < 0).any():
                continue
            x[free] = inner
        if np.isfinite(float(g.value(x))):
            yield x


@dataclass(frozen=True, eq=False)
class RunExperiment:
    """An instance, the algorithm with its numbers, and where it starts.

    Arguments:
        start: pre-proximal model, shape (d,), in fractions.
        corrections: c^1, shape (n, d), of mean 0; None for 0 as in line 1.
    """

    instance: QuadraticInstance
    method: FedComposite
    start: Array
    corrections: Array | None = None

    @property
    def applied_corrections(self) -> Array:
        """c^1, 0 where none is given."""
        zero = self.instance.smooth.client_slopes * 0
        return zero if self.corrections is None else self.corrections

    @property
    def problem(self) -> Composite:
        """In fractions."""
        return self.instance.problem

    @property
    def rounded(self) -> Composite:
        """In floats."""
        return self.instance.rounded

    @cached_property
    def method_letters(self) -> dict[str, Any]:
        """The letters of problem and method alone; what does not exist is left out."""
        i, m = self.instance, self.method
        found = {
            "n": i.smooth.n_clients, "tau": m.local_steps, "b": m.batch_size or 1,
            "eta": m.stepsize, "eta_g": m.server_stepsize,
        }  # fmt: skip
        return i.constants | found | ({} if m.batch_size else {"sigma2": 0})

    @cached_property
    def numbers(self) -> dict[str, Any]:
        """The letters of the theorems except R; what does not exist is left out."""
        i, m = self.instance, self.method
        first = i.penalty.prox(self.start, m.effective_stepsize)
        start = i.problem, m, first, self.applied_corrections
        return self.method_letters | omegas(*start, i.constants["L"], i.least, i.solution)

    def letters(self, rounds: Any) -> dict[str, Any]:
        """The letters of the theorems after some rounds."""
        return {**self.numbers, "R": rounds}

    @property
    def grain(self) -> float:
        """The potential at the start, whose parts cancel in every metric."""
        return float(abs(self.numbers["Omega1"]))

    def describe(self) -> str:
        """Where the case lies, in words."""
        i, m = self.instance, self.method
        batch = "full gradients" if m.batch_size is None else f"b={m.batch_size}"
        return (
            f"{i.smooth.name} + {i.problem.penalty.text}, eta={m.stepsize}, eta_g={m.server_stepsize}, "
            f"tau={m.local_steps}, {batch}"
        )


def line(
    curvatures: Any, slopes: Any, penalty: Separable, noise: Any = (0,), name: str = "one dimension"
) -> QuadraticInstance:
    """f_i(x) = a_i x^2 / 2 + (s_i + noise) x; every client has a sample for each value of the noise.

    >>> lasso = line([1, 1], [-2, -4], Separable(Fraction(1)))
    >>> lasso.solution, lasso.least, lasso.strong_convexity
    (array([Fraction(2, 1)], dtype=object), Fraction(-2, 1), Fraction(1, 1))
    """
    a, s, e = fractions(curvatures), fractions(slopes), fractions(noise)
    rows = np.repeat(s, len(e)) + np.tile(e, len(s))
    values = np.repeat(a, len(e))[:, None]
    spectra = Spectra(fractions([[1]]), values)
    sizes = [len(e)] * len(a)
    return QuadraticInstance(
        Quadratic.of(values[:, :, None], rows[:, None], sizes, name=name, spectra=spectra), penalty
    )


def _random(
    seed: int, n: int, d: int, heterogeneity: Any, condition: int, penalty: Separable
) -> QuadraticInstance:
    """A quadratic of the package's own family, L = 1, its clients' gradients moved apart."""
    smooth = random_quadratic(
        seed, n, d, 2, heterogeneity=heterogeneity if n > 1 else 0, sample_spread=0, noise=2,
        condition=condition,
    )  # fmt: skip
    rng = np.random.Generator(np.random.Philox(key=np.array([seed, 5], dtype=np.uint64)))
    moves = fractions(rng.integers(-16, 17, (n, d))) / Fraction(8)
    slopes = smooth.slopes + np.repeat(moves, smooth.sizes, axis=0)
    return QuadraticInstance(replace(smooth, slopes=slopes), penalty)


@cache
def family() -> tuple[QuadraticInstance, ...]:
    """Convex and non-convex clients, n = 1 to 20, d = 1 to 3; l1, elastic net, box and none."""
    third = Fraction(1, 3)
    penalties = (
        Separable(third),
        Separable(third),
        Separable(Fraction(1), Fraction(1, 8)),
        Separable(Fraction(1, 8), low=Fraction(-1), high=Fraction(1, 2)),
        Separable(),
    )
    clients, levels = (1, 2, 3, 4, 9, 20), (Fraction(0), Fraction(1, 2), Fraction(3, 2), Fraction(3))
    found = [
        _random(
            seed, clients[seed % 6], 1 + seed % 3, levels[seed % 4], (1, 10, 100)[seed // 2 % 3],
            penalties[seed % 5],
        )
        for seed in range(18)
    ]  # fmt: skip
    box = Separable(Fraction(1, 4), low=Fraction(-1), high=Fraction(2))
    kink = line([1, "1/2"], ["1/2", "-1/2"], Separable(Fraction(1, 5)), ["-1", "1"], "solution at the kink")
    return (
        *found,
        kink,
        line([-1, "-1/2"], [1, -2], box, ["-1", "1"], "concave on an interval"),
        line([1, -1], [2, -2], Separable(Fraction(1, 5), low=Fraction(-2), high=Fraction(2)), name="flat"),
    )
