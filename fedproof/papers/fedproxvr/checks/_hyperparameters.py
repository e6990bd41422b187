"""Hyper-parameters at the ends of what Lemma 1 admits, and the least theta that it allows them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any

import sympy as sp

from fedproof.algebra.expressions import compile_numpy
from fedproof.bounds import catalog
from fedproof.bounds.statement_handle import statement
from fedproof.papers.fedproxvr.notation import theta
from fedproof.solvers.algorithms.fedproxvr import FedProxVR

PRINTED, SHARPENED, FEW = "", ".sharpened", ".few.sharpened"
"""What the ids of a form of the theory end in."""
NUMBERS = ("L", "mu", "beta", "tau", "lam")
ENDLESS, BEYOND = 10**12, 10
"""More local steps than matter, and how far to go beyond those that the least theta matches."""


@dataclass(frozen=True, slots=True)
class Hyperparameters:
    """Parameters of a run in units of L, as the paper writes them, and the form of the theory they obey."""

    estimator: str
    beta: Fraction
    mu: Fraction
    tau: int
    form: str = PRINTED

    @property
    def algorithm(self) -> FedProxVR:
        """Algorithm 1 as printed, L = 1."""
        return FedProxVR(1 / self.beta, self.tau, self.mu, self.estimator)

    @property
    def lemma1(self) -> str:
        """Id of its Lemma 1."""
        return f"fedproxvr.lemma1.{self.estimator}{self.form}"

    @property
    def certified(self) -> str:
        """Id of its closed chain."""
        return f"fedproxvr.certified.{self.estimator}{self.form}"

    @property
    def values(self) -> dict[str, Any]:
        """The letters, L included."""
        return {"L": 1, "mu": self.mu, "beta": self.beta, "tau": self.tau}

    def __str__(self) -> str:
        return f"beta={self.beta}, mu={self.mu} L, tau={self.tau}"


@cache
def _squares(id: str) -> tuple[Any, ...]:
    """For each condition of a Lemma 1 that theta decides, the theta^2 at which it holds with equality."""
    square, found = sp.Symbol("square", positive=True), []
    for condition in catalog.statement(id).admissible:
        relation = condition.relation.doit()
        gap = sp.numer(sp.cancel((relation.gts - relation.lts).subs(theta, sp.sqrt(square))))
        if gap.has(square):
            slope, rest = sp.Poly(gap, square).all_coeffs()
            found.append(compile_numpy(-rest / slope, NUMBERS))
    return tuple(found)


def least_theta(setting: Hyperparameters, lam: Any) -> float:
    """The least theta that the setting's Lemma 1 admits, rounded.

    >>> round(least_theta(Hyperparameters("sarah", Fraction(2), Fraction(1), 2, SHARPENED), 0), 9)
    1.0
    """
    values = [float(v) for v in (setting.values | {"lam": lam}).values()]
    return math.sqrt(max(float(square(*values)) for square in _squares(setting.lemma1)))


def admitted_theta(setting: Hyperparameters, lam: Fraction) -> float:
    """A double that the setting's Lemma 1 admits as theta, decided exactly, next to the least."""
    found, handle = least_theta(setting, lam), statement(setting.lemma1)
    while not handle.check(**setting.values, lam=lam, theta=found).applicable:
        found = math.nextafter(found, 1)
    return found


@cache
def local_hyperparameters(
    estimator: str,
    lam: Fraction,
    betas: tuple[int | Fraction, ...],
    form: str = PRINTED,
    least: int = 1,
    most: int = 4000,
) -> tuple[Hyperparameters, ...]:
    """Settings that Lemma 1 admits for L = 1 and this lam: for every beta and several mu the ends of tau.

    Where tau has no upper end: the tau from which more steps admit no smaller theta, and ten times as many.
    The range engine decides; nothing is typed a second time.
    """
    handle = statement(f"fedproxvr.lemma1.{estimator}{form}")
    found = []
    for beta in betas:
        for mu in sorted({lam + m for m in (Fraction(1, 4), Fraction(1), Fraction(4), Fraction(beta))}):
            whole = handle.range("tau", L=1, lam=lam, mu=mu, beta=beta, theta=1).integers
            if whole is None:
                continue
            first = Hyperparameters(estimator, Fraction(beta), mu, max(whole[0] or 0, least), form)
            tops = (whole[1],) if whole[1] is not None else _beyond(first, lam)
            taus = {first.tau, *(min(top, most) for top in tops)}
            found += [replace(first, tau=tau) for tau in sorted(taus) if first.tau <= tau <= most]
    return tuple(found)


def _beyond(setting: Hyperparameters, lam: Fraction) -> tuple[int, ...]:
    """The least whole tau that admits the theta of endless local steps, and ten times as many."""
    theta = admitted_theta(replace(setting, tau=ENDLESS), lam)
    values = {n: v for n, v in setting.values.items() if n != "tau"}
    whole = statement(setting.lemma1).range("tau", **values, lam=lam, theta=theta).integers
    least = whole[0] if whole is not None else None
    return () if least is None else (least, BEYOND * least)
