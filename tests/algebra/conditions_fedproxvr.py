"""FedProxVR's condition sets, typed here independently of the package, for the range engine's tests."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp

from fedproof.algebra.expressions import compile_numpy
from fedproof.vocabulary.interval import NONNEGATIVE, POSITIVE, UNIT

L, lam, mu, beta, tau, theta, sigma2 = sp.symbols("L lam mu beta tau theta sigma2", real=True)
DOMAINS = {
    "L": POSITIVE, "lam": NONNEGATIVE, "mu": POSITIVE, "beta": POSITIVE, "tau": NONNEGATIVE,
    "theta": UNIT, "sigma2": NONNEGATIVE,
}  # fmt: skip


@dataclass(frozen=True)
class Row:
    """A labelled relation."""

    label: str
    relation: Any


def f(text: str | int) -> Fraction:
    """A rational."""
    return Fraction(text)


def values(**given: Any) -> dict[str, Fraction]:
    """Exact values by name."""
    return {k: Fraction(v) for k, v in given.items()}


with sp.evaluate(False):
    MT = mu - lam
    LOWER = 3 * (beta**2 * L**2 + mu**2) / (theta**2 * MT * L * (beta - 3))
    Q = (5 * beta**2 - 4 * beta) / 8
    A = 4 * (sp.sqrt(tau + 1) + sp.sqrt(tau + 2)) ** 2
    UPPER = (5 * beta**2 - 4 * beta) / (8 * A) - 2
    STANDING = Row("standing", sp.Gt(mu, lam))
    SARAH = (STANDING, Row("sign", sp.Ge(LOWER, 0)), Row("lower", LOWER <= tau), Row("upper", tau <= Q))
    SVRG = (*SARAH[:3], Row("upper", tau <= UPPER))
    ACC = sp.sqrt(3 * (beta**2 * L**2 + mu**2) / (MT * L * (beta - 3) * tau))


def big_theta(t: Any) -> Any:
    """Theta of Theorem 1 at local accuracy t."""
    with sp.evaluate(False):
        first = 1 - t * sp.sqrt(2 * (1 + sigma2)) - 2 * L / MT * sp.sqrt((1 + t**2) * (1 + sigma2))
        return (first - 2 * L * mu / MT**2 * (1 + t**2) * (1 + sigma2)) / mu


THEOREM1 = (STANDING, Row("Theta", sp.Gt(big_theta(theta), 0)))
CHAIN = (STANDING, Row("theta", ACC <= 1), Row("upper", tau <= Q), Row("Theta", sp.Gt(big_theta(ACC), 0)))
CHAIN_SVRG = (*CHAIN[:2], Row("upper", tau <= UPPER), CHAIN[3])

#: condition sets with the symbols of which any one may be asked for
FAMILIES: dict[str, tuple[tuple[Row, ...], tuple[str, ...]]] = {
    "sarah": (SARAH, ("L", "lam", "mu", "beta", "tau", "theta")),
    "svrg": (SVRG, ("L", "lam", "mu", "beta", "tau", "theta")),
    "theorem1": (THEOREM1, ("L", "lam", "mu", "theta", "sigma2")),
    "chain": (CHAIN, ("L", "lam", "mu", "beta", "tau", "sigma2")),
    "chain_svrg": (CHAIN_SVRG, ("L", "lam", "mu", "beta", "tau", "sigma2")),
}


def in_floats(expr: Any, at: dict[str, Any]) -> Any:
    """An expression at floats or arrays, by SymPy's own compiler."""
    with np.errstate(all="ignore"):
        return compile_numpy(expr, tuple(at))(*at.values())


def sampled(rows: tuple[Row, ...], at: dict[str, Any]) -> Any:
    """Whether all conditions hold, in floats."""
    compare = {sp.Le: np.less_equal, sp.Lt: np.less, sp.Ge: np.greater_equal, sp.Gt: np.greater}
    sides = ((r.relation.func, *(in_floats(side, at) for side in r.relation.args)) for r in rows)
    return np.logical_and.reduce(np.broadcast_arrays(*(compare[kind](a, b) for kind, a, b in sides)))
