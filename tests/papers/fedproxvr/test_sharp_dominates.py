"""The sharpened statements admit what the printed ones admit: the proof's steps, and random instances."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from fedproof.bounds.statement_handle import statement
from fedproof.papers.fedproxvr.notation import tau
from fedproof.papers.fedproxvr.proofs import sharp_dominates, sharp_dominates_theorem1
from fedproof.proof.decide import decide


def test_planted_falsehoods_are_refuted() -> None:
    """Twice the largest tau, and any lam: exact counterexamples."""
    upper, steep = sharp_dominates.UPPER, sharp_dominates_theorem1.STEEP
    x, ell = sharp_dominates_theorem1.x, sharp_dominates_theorem1.ell

    assert decide(replace(upper, claim=2 * tau <= upper.claim.rhs)).verdict == "refuted"
    assert decide(replace(steep, given=tuple(g for g in steep.given if g != (ell <= 12 * x)))).verdict == (
        "refuted"
    )


def draws(estimator: str, seed: int, count: int) -> Iterator[dict[str, Fraction]]:
    """Points that the printed statements admit, with lam up to 12 L and theta above the least."""
    rng, lemma = np.random.default_rng(seed), statement(f"fedproxvr.lemma1.{estimator}")
    theorem, found = statement("fedproxvr.theorem1"), 0
    while found < count:
        beta, extra = np.exp(rng.uniform(1.2, 7)), np.exp(rng.uniform(1, 7))
        lam = rng.choice([0.0, rng.uniform(0, 1), rng.uniform(0, 12)])
        most = beta * (5 * beta - 4) / 8 if estimator == "sarah" else 0.19 * beta
        mu, steps = lam + extra, most * rng.uniform(0.2, 1)
        least = (3 * (beta**2 + mu**2) / (extra * max(beta - 3, 1e-9) * max(steps, 1e-9))) ** 0.5
        if least > 1:
            continue
        numbers = {"L": 1.0, "lam": lam, "mu": mu, "beta": beta, "tau": steps}
        numbers |= {"theta": least ** rng.uniform(0, 1)}
        point = {name: Fraction(float(f"{value:.6g}")) for name, value in numbers.items()}
        sigma2 = Fraction(float(f"{rng.choice([0.0, np.exp(rng.uniform(-3, 3))]):.6g}"))
        known = {name: point[name] for name in ("L", "lam", "mu", "theta")} | {"sigma2": sigma2}
        if theorem.check(**known).applicable and lemma.check(**point).applicable:
            found += 1
            yield point | {"sigma2": sigma2}


@pytest.mark.parametrize("estimator", ["sarah", "svrg"])
def test_what_the_printed_statements_admit_the_sharpened_ones_admit(estimator: str) -> None:
    """Lemma 1, Theorem 1 with a Theta at least as large, and the chain with a smaller theta."""
    ids = (f"lemma1.{estimator}", "theorem1", f"certified.{estimator}")
    printed, sharp = ([statement(f"fedproxvr.{id}{end}") for id in ids] for end in ("", ".sharpened"))
    for point in draws(estimator, 3, 15):
        lemma = {name: point[name] for name in ("L", "lam", "mu", "beta", "tau", "theta")}
        theorem = {name: point[name] for name in ("L", "lam", "sigma2", "mu", "theta")}
        chain = {name: point[name] for name in ("L", "lam", "sigma2", "mu", "beta", "tau")}
        found = [s.check(**values) for s, values in zip(sharp, (lemma, theorem, chain), strict=True)]
        before = [s.check(**values) for s, values in zip(printed, (lemma, theorem, chain), strict=True)]

        assert [c.applicable for c in before] == [c.applicable for c in found] == [True] * 3
        assert found[1].derived["Theta"] > before[1].derived["Theta"]
        assert found[2].derived["Theta"] > before[2].derived["Theta"]
        assert found[2].derived["theta"] < before[2].derived["theta"]
