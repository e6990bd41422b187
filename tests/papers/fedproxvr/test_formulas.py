"""FedProxVR's formulas against independently typed ones."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
import sympy as sp

from fedproof.algebra.expressions import compile_numpy
from fedproof.bounds import catalog
from fedproof.papers.fedproxvr.statements import formulas as f
from fedproof.proof.engines.smt import prove

RNG = np.random.default_rng(7)


def _points(n: int) -> list[dict[str, float]]:
    lam = RNG.uniform(0, 2, n)
    draws = {
        "L": RNG.uniform(0.1, 5, n), "lam": lam, "mu": lam + RNG.uniform(0.1, 30, n),
        "beta": RNG.uniform(3.1, 60, n),
        "tau": RNG.uniform(1, 500, n), "theta": RNG.uniform(0.01, 1, n), "sigma2": RNG.uniform(0, 8, n),
    }  # fmt: skip
    return [{k: float(v[i]) for k, v in draws.items()} for i in range(n)]


def lower(p: dict[str, float]) -> float:
    """(13), left, typed from the page."""
    top = 3 * (p["beta"] ** 2 * p["L"] ** 2 + p["mu"] ** 2)
    return top / (p["theta"] ** 2 * (p["mu"] - p["lam"]) * p["L"] * (p["beta"] - 3))


def factor(p: dict[str, float]) -> float:
    """Theta, typed from the page."""
    mt, s = p["mu"] - p["lam"], 1 + p["sigma2"]
    inner = 1 - p["theta"] * sqrt(2 * s) - 2 * p["L"] / mt * sqrt((1 + p["theta"] ** 2) * s)
    return (inner - 2 * p["L"] * p["mu"] / mt**2 * (1 + p["theta"] ** 2) * s) / p["mu"]


@pytest.mark.parametrize("point", _points(20))
def test_lower_bound_and_theta_agree_with_the_page(point: dict[str, float]) -> None:
    """The SymPy expressions evaluate to independently typed formulas."""
    lemma, theorem = catalog.statement("fedproxvr.lemma1.sarah"), catalog.statement("fedproxvr.theorem1")
    names = tuple(point)
    values = tuple(point.values())

    assert compile_numpy(lemma.expand(f.LOWER), names)(*values) == pytest.approx(lower(point), rel=1e-12)
    assert compile_numpy(theorem.expand(f.FACTOR), names)(*values) == pytest.approx(
        factor(point), rel=1e-9, abs=1e-12
    )


def test_the_matched_theta_is_the_least_theta_at_the_upper_bound() -> None:
    """(22) is the lower bound of (13) solved for theta at tau = the upper bound, identically."""
    tau = sp.Symbol("tau", real=True)
    least = (f.THETA_LEAST**2).doit().subs(tau, f.SARAH_UPPER.doit())

    assert sp.cancel(least - f.THETA2_MATCHED.doit()) == 0


def test_the_least_a_settles_its_side_condition_with_equality() -> None:
    """a = 4 (sqrt(tau+1) + sqrt(tau+2))^2 gives a - 4 = 4 sqrt(a (tau+1)), for every tau >= 0."""
    tau, a = sp.symbols("tau a", real=True)
    left = (f.SVRG_SIDE.args[0] - f.SVRG_SIDE.args[1]).doit()
    for value in (0, sp.Rational(1, 3), 7, 1000):
        best = f.SVRG_BEST_A.doit().subs(tau, value)
        assert sp.simplify(left.subs(tau, value).subs(a, best)) == 0


def test_no_smaller_a_satisfies_the_side_condition() -> None:
    """Both engines prove a >= the eliminated value wherever the side condition holds."""
    tau, a = sp.symbols("tau a", real=True)
    root_a, x, y = sp.symbols("root_a x y", real=True)
    # with a = root_a^2, x = sqrt(tau+1), y = sqrt(tau+2)
    given = [root_a > 0, x >= 1, y >= 0, sp.Eq(y**2, x**2 + 1), root_a**2 - 4 >= 4 * root_a * x]

    assert prove(given, root_a >= 2 * (x + y)).proved
    assert not prove(given, root_a >= 2 * (x + y) + sp.Rational(1, 100)).proved
    assert {s.name for s in f.SVRG_SIDE.free_symbols} == {tau.name, a.name}
