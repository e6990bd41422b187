"""Algorithm 1's listing, (11)'s remarks, (19)-(24) and the numbers of Sec. 5: verdicts and oracles."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import sqrt

import numpy as np
import pytest
import sympy as sp

from fedproof.algebra.expressions import printed
from fedproof.bounds.statement_handle import statement
from fedproof.papers.fedproxvr.proofs import algorithm1 as A
from fedproof.papers.fedproxvr.proofs import experiments as X
from fedproof.papers.fedproxvr.proofs import training_time as T
from fedproof.proof.decide import decide
from fedproof.proof.notation import steps_of
from fedproof.proof.step import Step
from tests.papers.fedproxvr.paths import Round, World, agrees
from tests.papers.fedproxvr.paths import world as local_world
from tests.papers.fedproxvr.worlds import changed, clients, world


@pytest.mark.parametrize("estimator", ["sarah", "svrg"])
@pytest.mark.parametrize("step", [A.LINE8, A.LINE10_REPAIRED], ids=lambda s: s.id)
def test_lines_8_and_10_are_what_the_algorithm_does(step: Step, estimator: str) -> None:
    """On all sample paths of an admissible round, with t' uniform."""
    run = Round(estimator, beta=5, mu=3, tau=4)
    for t in range(1, run.tau):
        here = local_world(run, t)
        mapped = here.sequences["G"]
        vectors = {**here.vectors, "now": run.w[t], "after": run.w[t + 1], "v_t": run.v[t]}
        numbers = {**here.numbers, "returned": here.numbers["G_end"]}
        assert agrees(step, [World(numbers, vectors, {**here.sequences, "value": mapped})]) == 1


def test_line_4_is_what_the_algorithm_does() -> None:
    """The first local step."""
    run = Round("svrg", beta=5, mu=3, tau=2)
    here = local_world(run, 0)
    vectors = {**here.vectors, "now": run.w[0], "after": run.w[1], "v_t": run.v[0], "grad_0": run.F(run.w[0])}

    assert agrees(A.LINE4, [World(here.numbers, vectors)]) == 1


def test_both_estimators_agree_at_the_first_draw_and_not_later() -> None:
    """(8a) and (8b) with the same samples."""
    sarah, svrg = (Round(e, beta=5, mu=3, tau=3) for e in ("sarah", "svrg"))

    assert np.allclose(sarah.v[1], svrg.v[1])
    assert not np.allclose(sarah.v[2], svrg.v[2])


def test_line_10_as_printed_returns_another_model() -> None:
    """The last of tau + 1 models has another squared gradient mapping than their mean."""
    run = Round("sarah", beta=5, mu=3, tau=4)
    here = local_world(run, 1)

    assert here.sequences["G"](run.tau) != pytest.approx(here.numbers["G_end"])


def test_no_local_step_is_theta_1() -> None:
    """With tau = 0 the surrogate's gradient at the returned model is the gradient at the start."""
    c = clients(0)
    here = world(c)
    vectors = {**here.vectors, "grad_J_local": here.vectors["grad"], "local": here.vectors["start"]}

    assert agrees(A.NO_STEPS, [World(here.numbers, vectors, here.sequences)]) == 1


def test_exact_solves_are_theta_0() -> None:
    """Where every outcome is the minimiser."""
    here = changed(world(clients(0)), theta=0, k=2, r=np.zeros(4), dist=0)

    assert agrees(A.EXACT_SOLVE, [here]) == 1


def point(mu: float, beta: float) -> dict[str, float]:
    """A point of (15), (16) at Fig. 1's constants, with gamma = 1/100, typed from the page."""
    L, lam, sigma2, gamma = 1.0, 0.5, 0.0, 0.01
    mt, tau = mu - lam, (5 * beta**2 - 4 * beta) / 8
    theta = sqrt(24 * (beta**2 * L**2 + mu**2) / (mt * L * (5 * beta**2 - 4 * beta) * (beta - 3)))
    kept = 1 - theta * sqrt(2 * (1 + sigma2)) - 2 * L / mt * sqrt((1 + theta**2) * (1 + sigma2))
    kept -= 2 * L * mu / mt**2 * (1 + theta**2) * (1 + sigma2)
    return {
        "L": L, "lam": lam, "sigma2": sigma2, "gamma": gamma, "mt": mt, "mu": mu, "beta": beta, "tau": tau,
        "theta": theta, "Theta": kept / mu, "eps": 0.1, "Delta": 2.0, "T": 2.0 / (kept / mu * 0.1),
        "d_com": 5.0, "d_cmp": 0.05,
    }  # fmt: skip


@pytest.mark.parametrize(
    "step", [s for s in steps_of(T) if s.id != "fedproxvr.eq23.nonconvex"], ids=lambda s: s.id
)
def test_19_to_24_are_so_at_points_of_the_problem(step: Step) -> None:
    """Numbers computed from the page."""
    here = [World(point(mu, beta)) for mu, beta in ((10, 280), (105, 152.5), (30, 20))]

    assert agrees(step, here) == 3


def test_problem_23_is_not_convex_between_feasible_points() -> None:
    """The objective at the middle exceeds the mean of the ends; all three have Theta > 0."""
    ends, middle = [point(10, 280), point(200, 25)], point(105, 152.5)
    objective = [1 / p["Theta"] * (1 + p["gamma"] * p["tau"]) for p in (*ends, middle)]

    assert all(p["Theta"] > 0 for p in (*ends, middle))
    assert objective[2] > 1.5 * (objective[0] + objective[1]) / 2


@pytest.mark.parametrize(("beta", "tau"), [(5, 10), (7, 20)])
def test_fig_2_is_within_the_bounds_of_sarah_and_not_of_svrg(beta: int, tau: int) -> None:
    """By hand, and by the exact ranges of both statements at any other numbers."""
    least_a = 4 * (sqrt(tau + 1) + sqrt(tau + 2)) ** 2
    svrg = statement("fedproxvr.lemma1.svrg").range("tau", L=1, lam="1/2", mu=100000, theta=1, beta=beta)

    assert tau <= Fraction(5 * beta**2 - 4 * beta, 8)
    assert (5 * beta**2 - 4 * beta) / (8 * least_a) - 2 < 0
    assert svrg.empty


with printed():
    PLANTED = {
        "line 8 with a longer step": replace(
            A.LINE8, claim=sp.Eq(A.after, A.now - A.eta * (A.v_t + A.mu * (A.now - A.start)))
        ),
        "(8a) and (8b) at t = 2": replace(A.SAME, given=A.SAME.given[2:]),
        "(20) without d_com": replace(
            T.EQ20, claim=sp.Eq(T.EQ20.claim.lhs, T.Delta / T.eps * T.f.OBJECTIVE, evaluate=False)
        ),
        "(22) for half": replace(T.EQ22, claim=sp.Eq(2 * T.theta**2, T.f.THETA2_MATCHED, evaluate=False)),
        "theta below 1/2": replace(T.EQ24, claim=T.theta < sp.Rational(1, 2)),
        "SVRG up to beta = 15": replace(
            X.NONE, given=tuple((T.beta <= 15) if h == (T.beta <= 9) else h for h in X.NONE.given)
        ),
    }  # fmt: skip


@pytest.mark.parametrize("name", PLANTED)
def test_planted_falsehoods_are_refuted(name: str) -> None:
    """A constant, a hypothesis or a step size changed."""
    assert decide(PLANTED[name], briefly=True).verdict == "refuted"
