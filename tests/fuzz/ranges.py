"""Ranges of Lemma 1 and optima of problem (23) against formulas typed here, apart from the product's."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np

from fedproof.bounds.statement_handle import statement
from fedproof.tuning.api import tune
from fedproof.vocabulary.errors import InputError
from tests.papers.fedproxvr.referee import PRINTED

_LETTERS = ("L", "lam", "mu", "beta", "tau", "theta")


def admits(at: dict[str, Fraction]) -> bool:
    """Lemma 1 for SARAH, (13), in fractions."""
    L, lam, mu, beta, tau, theta = (at[name] for name in _LETTERS)
    if mu <= lam or beta == 3 or theta == 0:
        return False
    lower = 3 * (beta**2 * L**2 + mu**2) / (theta**2 * (mu - lam) * L * (beta - 3))
    return 0 <= lower <= tau <= (5 * beta**2 - 4 * beta) / 8


def _drawn(rng: Random) -> dict[str, Fraction]:
    lam = Fraction(rng.randint(0, 40), 8)
    beta = Fraction(rng.randint(20, 800), 4)
    return {
        "L": Fraction(rng.randint(1, 30), 10), "lam": lam, "mu": lam + Fraction(rng.randint(1, 4000), 8),
        "beta": beta, "tau": (5 * beta**2 - 4 * beta) / 8 * Fraction(rng.randint(1, 40), 32),
        "theta": Fraction(rng.randint(1, 100), 100),
    }  # fmt: skip


def range_fault(seed: int, number: int) -> str:
    """Whether interior points of a range are admitted and exterior ones not; "" where all are right."""
    rng = Random(f"range {seed} {number}")
    known = _drawn(rng)
    symbol = rng.choice(_LETTERS)
    del known[symbol]
    found = statement("fedproxvr.lemma1.sarah").range(symbol, **known)
    inside = [(Fraction(a), Fraction(b) if b is not None else Fraction(a) * 4 + 9) for a, b in
              ((0 if lo is None else lo, hi) for lo, hi in found.intervals)]  # fmt: skip
    points = [a + (b - a) * Fraction(k, 6) for a, b in inside for k in range(1, 6)]
    top = max([Fraction(100), *(b for _, b in inside)])
    tried = [top * Fraction(rng.randint(1, 10**6), 5 * 10**5) for _ in range(20)]
    ends = [a * f for pair in inside for a in pair for f in (1 - Fraction(1, 10**9), 1 + Fraction(1, 10**9))]
    for x in (*points, *tried, *ends):
        if symbol == "theta" and not 0 < x <= 1:
            continue
        told = any(a < x < b for a, b in inside)
        near = any(abs(x - a) <= abs(a) * Fraction(1, 10**14) for pair in inside for a in pair)
        if x > 0 and not near and admits({**known, symbol: x}) != told and not _beyond(found.intervals, x):
            return f"{symbol} = {x} with { ({k: str(v) for k, v in known.items()}) }: told {told}"
    return ""


def _beyond(intervals: object, x: Fraction) -> bool:
    """Whether an unbounded interval holds the point, whose end was only made up here."""
    return any(hi is None and x > (lo or 0) for lo, hi in intervals)  # type: ignore[attr-defined]


def optimum_fault(seed: int, number: int) -> str:
    """Whether a point of the printed chain, typed apart, lies below what is proved of all of them."""
    rng = Random(f"optimum {seed} {number}")
    lam, s2, gamma = (
        rng.choice((0.0, 10 ** rng.uniform(-3, 2))),
        10 ** rng.uniform(-2, 2),
        10 ** rng.uniform(-8, 2),
    )
    values = {"L": 1, "lam": f"{lam:.6g}", "sigma2": f"{s2:.6g}", "gamma": f"{gamma:.6g}"}
    lam, s2, gamma = (float(values[name]) for name in ("lam", "sigma2", "gamma"))
    estimator = rng.choice(("sarah", "svrg"))
    try:
        best = tune(f"fedproxvr.certified.{estimator}", **values)
    except InputError as error:
        return f"{values}: {error}"
    if best.argmin is None:
        return ""
    draws, n = np.random.default_rng(rng.randrange(1 << 32)), 4000
    spread = np.repeat([1e-6, 1e-3, 0.1, 1.0], n // 4)
    margin, tau, more = (np.exp(spread * draws.normal(size=n)) for _ in range(3))
    mu = lam + (best.argmin["mu"] - lam) * margin
    tau = best.argmin["tau"] * tau
    with np.errstate(all="ignore"):
        least = PRINTED.least_beta[estimator](mu, tau, lam)
        beta = np.maximum(least * (1 + 1e-12), best.argmin["beta"] * more)
        objective = PRINTED.value(mu, beta, tau, lam, s2, gamma)
        good = PRINTED.admits(mu, beta, tau, lam, s2, estimator)
    below = good & (objective < best.lower_bound * (1 - 1e-12))
    return f"{values} {estimator}: {objective[below].min()} below {best.lower_bound}" if below.any() else ""
