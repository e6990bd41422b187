"""What the statements say at given numbers: admissible settings and the constants they promise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import sympy as sp

from fedproof.bounds import catalog
from fedproof.bounds.expressions import compile_numpy, names_in
from fedproof.tuning.decisions import decide
from fedproof.tuning.handle import statement
from fedproof.validate.verdict import Relation

__all__ = ["PRINTED", "SHARPENED", "Setting", "derived", "holds", "local_settings", "promise"]

PRINTED, SHARPENED = "", ".sharpened"
"""What the ids of a form of the theory end in."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Parameters of a run in units of L, as the paper writes them, and the form of the theory they obey."""

    estimator: str
    beta: Fraction
    mu: Fraction
    tau: int
    form: str = PRINTED

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


def _definition(id: str, name: str) -> sp.Expr:
    st = catalog.statement(id)
    return next(st.expand(d.expr) for d in st.where if d.letter.name == name)


@cache
def _function(id: str, name: str) -> tuple[Any, tuple[str, ...]]:
    expr = _definition(id, name)
    names = tuple(s.name for s in catalog.statement(id).letters if s.name in names_in(expr))
    return compile_numpy(expr, names), names


def derived(id: str, name: str, **values: Any) -> Any:
    """A derived quantity of a statement, from its own definition.

    Arguments:
        id: of the statement.
        name: the letter of the definition.
        values: numbers or arrays by letter; those it does not depend on are ignored.

    >>> round(float(derived("fedproxvr.certified.sarah", "theta", L=1, lam=0, mu=20, beta=20, tau=28)), 3)
    0.502
    """
    function, names = _function(id, name)
    return function(*(_plain(values[n]) for n in names))


def holds(
    measured: Fraction, relation: Relation, id: str, name: str, values: Mapping[str, Fraction], power: int = 1
) -> bool:
    """Whether a measured number is at most, or at least, a power of a derived quantity: decided exactly.

    >>> numbers = {name: Fraction(value) for name, value in dict(L=1, lam=0, mu=1, beta=2, tau=2).items()}
    >>> chain = "fedproxvr.certified.sarah.sharpened"
    >>> [holds(Fraction(1), relation, chain, "theta", numbers, power=2) for relation in ("<=", ">=")]
    [True, True]
    """
    sides = sp.Symbol("measured", real=True), _definition(id, name) ** power
    claim = sp.Le(*sides, evaluate=False) if relation == "<=" else sp.Ge(*sides, evaluate=False)
    return decide(claim, {**values, "measured": measured}).holds


def promise(id: str, **values: Any) -> float | None:
    """The bound that a statement gives at these numbers, None where it is not applicable."""
    return statement(id).check(**values).bound


def _plain(value: Any) -> Any:
    return float(value) if isinstance(value, Fraction) else value


@cache
def local_settings(
    estimator: str,
    lam: Fraction,
    betas: tuple[int | Fraction, ...],
    form: str = PRINTED,
    least: int = 1,
    most: int = 4000,
) -> tuple[Setting, ...]:
    """Settings that Lemma 1 admits for L = 1 and this lam: for every beta and several mu the ends of tau.

    The range engine decides; nothing is typed a second time.

    Arguments:
        estimator: "sarah" or "svrg".
        lam: weak convexity over L.
        betas: step-size parameters to try.
        form: of Lemma 1.
        least, most: local steps that a check is ready to run.
    """
    handle = statement(f"fedproxvr.lemma1.{estimator}{form}")
    found = []
    for beta in betas:
        for mu in _weights(lam, beta):
            whole = handle.range("tau", L=1, lam=lam, mu=mu, beta=beta, theta=1).integers
            if whole is None:
                continue
            low, high = max(whole[0] or 0, least), min(whole[1] or most, most)
            ends = {low, high} if low <= high else set()
            found += [Setting(estimator, Fraction(beta), mu, tau, form) for tau in sorted(ends)]
    return tuple(found)


def _weights(lam: Fraction, beta: int | Fraction) -> Iterable[Fraction]:
    return sorted({lam + m for m in (Fraction(1, 4), Fraction(1), Fraction(4), Fraction(beta))})
