"""FedProxVR's formulas follow from each other; those of the page are typed again where (23) is certified."""

from __future__ import annotations

import sympy as sp

from fedproof.papers.fedproxvr.statements import formulas as f
from fedproof.proof.engines.smt import prove


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
