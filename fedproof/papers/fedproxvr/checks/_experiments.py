"""Cases for whole rounds: problems with settings that the closed chain admits, and their exact moments."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from typing import Any

import numpy as np

from fedproof.bounds.statement_handle import statement
from fedproof.papers.fedproxvr.checks._family import federated_family
from fedproof.papers.fedproxvr.checks._hyperparameters import PRINTED, SHARPENED, Hyperparameters
from fedproof.papers.fedproxvr.checks._quadratic_forms import RoundForms
from fedproof.papers.fedproxvr.training_time.minimise import minimise
from fedproof.problems.problem import Array
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.solvers.algorithms.fedproxvr import FedProxVR
from fedproof.validate.empirical.theory import definition_value

GAMMAS = (Fraction(1, 100), Fraction(1, 10_000))
LARGE = 20
GRAINS = {PRINTED: 1, SHARPENED: 8}


@dataclass(frozen=True, eq=False)
class RoundExperiment:
    """A problem with L = 1 and a setting that `fedproxvr.certified.*` admits for its exact constants."""

    problem: Quadratic
    setting: Hyperparameters

    @property
    def algorithm(self) -> FedProxVR:
        """Algorithm 1 with the setting's numbers."""
        return self.setting.algorithm

    @cached_property
    def numbers(self) -> dict[str, Any]:
        """The letters of the closed chain except Delta, T and eps."""
        known = self.problem.constants
        return {
            "L": known["smoothness_sample"].value,
            "lam": known["weak_convexity"].value,
            "sigma2": known["dissimilarity"].value,
            "mu": self.setting.mu,
            "beta": self.setting.beta,
            "tau": self.setting.tau,
        }

    @cached_property
    def factor(self) -> float:
        """Theta with the least theta that Lemma 1 allows."""
        return float(definition_value(self.setting.certified, "Theta", **self.numbers))

    @cached_property
    def reached(self) -> float:
        """The least theta of (11), in root mean square, over all clients and starts of the problem."""
        return float(np.sqrt(np.linalg.eigvalsh(self.forms.local.inexactness).max()))

    @cached_property
    def factor_reached(self) -> float:
        """Theta of Theorem 1 with the theta that is reached."""
        id = f"fedproxvr.theorem1{self.setting.form}"
        return float(definition_value(id, "Theta", **self.numbers, theta=self.reached))

    @cached_property
    def forms(self) -> RoundForms:
        """Exact moments of a round."""
        return RoundForms(self.problem.as_float(), self.algorithm)

    def describe(self) -> str:
        """Where the case lies, in words."""
        lam, sigma2 = float(self.numbers["lam"]), float(self.numbers["sigma2"])
        return f"{self.problem.name}, lam={lam:.4g} L, sigma2={sigma2:.4g}, {self.setting}"


@cache
def cases(estimator: str, form: str = PRINTED, size: int = 24) -> tuple[RoundExperiment, ...]:
    """For every problem of the family: two tuned settings at the ends of tau, and one with a large mu.

    mu and beta are rounded from the optima for two delay ratios; the range engine gives the whole tau that
    the closed chain admits there.
    """
    handle = statement(f"fedproxvr.certified.{estimator}{form}")
    found = []
    for problem in federated_family(size):
        known = {
            name: value for name, value in RoundExperiment(problem, _NONE).numbers.items() if name not in _SET
        }
        for mu, beta in _proposals(estimator, form, known):
            whole = handle.range("tau", **known, mu=mu, beta=beta).integers
            if whole is None or whole[0] is None or whole[1] is None:
                continue
            found += [
                RoundExperiment(problem, Hyperparameters(estimator, beta, mu, int(tau), form))
                for tau in sorted({whole[0], whole[1]})
            ]
    return tuple(found)


_NONE = Hyperparameters("sarah", Fraction(4), Fraction(1), 1)
_SET = ("mu", "beta", "tau")


def _proposals(estimator: str, form: str, known: dict[str, Any]) -> list[tuple[Fraction, Fraction]]:
    """mu and beta rounded from the optima of problem (23) for two delay ratios, and both much larger."""
    smoothness, lam, sigma2 = (float(known[name]) for name in ("L", "lam", "sigma2"))
    options: Any = {"estimator": estimator, "form": form.removeprefix(".") or "printed"}
    best = minimise(smoothness, lam, sigma2, np.array(GAMMAS, dtype=float), **options)
    grain = GRAINS[form]
    pairs = [
        (Fraction(math.ceil(grain * mu), grain), Fraction(math.ceil(grain * beta), grain))
        for mu, beta in zip(best.prox_weight, best.inverse_stepsize, strict=True)
        if math.isfinite(mu + beta)
    ]
    mu, beta = pairs[-1]
    return [*pairs, (LARGE * mu, LARGE * beta)]


def worst_direction(upper: Array, lower: Array) -> tuple[float, Array]:
    """The largest x^T upper x / x^T lower x and a unit x that reaches it; `lower` is positive definite.

    >>> round(worst_direction(np.diag([1.0, 6.0]), np.diag([1.0, 2.0]))[0], 9)
    3.0
    """
    values, vectors = np.linalg.eigh(lower)
    root = vectors / np.sqrt(values)
    tops, axes = np.linalg.eigh(root.T @ upper @ root)
    x = root @ axes[:, -1]
    return float(tops[-1]), x / np.linalg.norm(x)
