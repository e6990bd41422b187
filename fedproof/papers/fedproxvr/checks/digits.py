"""Real data: handwritten digits, softmax regression, two labels a client. What of the theory applies."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from fedproof.bounds.statement_handle import statement
from fedproof.papers.fedproxvr.checks._theory import (
    PRINTED,
    SHARPENED,
    Hyperparameters,
    least_theta,
    local_settings,
)
from fedproof.problems.catalog import make_problem
from fedproof.problems.problem import Array
from fedproof.problems.supervised.margin import dissimilarity_bound, separate
from fedproof.problems.supervised.supervised import Supervised
from fedproof.solvers.algorithms.fedproxvr import FedProxVR
from fedproof.solvers.api import run
from fedproof.solvers.exact import surrogate_gradients
from fedproof.solvers.history import History
from fedproof.tuning.api import tune
from fedproof.validate.replicas import generator, local_models
from fedproof.validate.statistics import MeanTest, mean_test
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget

BETAS = {PRINTED: {"sarah": (20,), "svrg": (50,)}, SHARPENED: {"sarah": (3,), "svrg": (3,)}}
SEEDS, MOST_STEPS = 60, 75
ROUNDS, BETA, TAU, MU = 40, 10, 20, Fraction(1, 10)
GAMMA = Fraction(1, 1000)


@cache
def _data() -> Supervised:
    problem: Any = make_problem("digits")
    return problem  # type: ignore[no-any-return]


@cache
def practical_run() -> History:
    """FedProxVR with SARAH and numbers as in the paper's experiments."""
    metrics = ("loss", "squared_gradient", "dissimilarity")
    return run("fedproxvr", _data(), rounds=ROUNDS, seed=0, beta=BETA, tau=TAU, mu=MU, metrics=metrics)


def _tests(setting: Hyperparameters, start: Array, theta: float, seeds: int, salt: int) -> list[MeanTest]:
    """|grad J_n| / |grad F_n| over theta, tested against 1 for every client."""
    problem = _data()
    smooth = Fraction(problem.constants["smoothness_sample"].value)
    algorithm = FedProxVR(1 / (setting.beta * smooth), setting.tau, setting.mu * smooth, setting.estimator)
    clients = np.arange(problem.n_clients)
    models = local_models(algorithm, problem, start, clients, seeds, generator(6, salt, setting.tau))
    cohort = np.tile(clients, seeds)
    flat = models.reshape(len(cohort), -1)
    surrogate = surrogate_gradients(problem, flat, cohort, start, algorithm.prox_weight)
    gradient = problem.client_gradients(np.repeat(start[None], len(clients), axis=0), clients)
    lengths = np.linalg.norm(surrogate, axis=1).reshape(seeds, -1) / np.linalg.norm(gradient, axis=1)
    return [mean_test(lengths[:, n] / theta, 1.0) for n in clients]


def local(
    estimator: str, effort: SamplingBudget, shrink: float = 1.0, form: str = PRINTED
) -> BoundComparison:
    """Lemma 1 on digits: it needs L and lam only, and both are certified there.

    Every client, at the start and at the end of a run, under every setting at an end of (13) or (14) with few
    enough steps. Violated if it is anywhere (Bonferroni), obeyed if it is everywhere (the largest p-value).
    """
    id, seeds = f"fedproxvr.lemma1.{estimator}{form}", effort.seeds or SEEDS
    ends = local_settings(estimator, Fraction(0), BETAS[form][estimator], form)
    settings = [s for s in ends if s.tau <= MOST_STEPS]
    starts = {"w = 0": _data().start(), f"round {ROUNDS}": practical_run().model}
    found = []
    for setting in settings:
        theta = least_theta(setting, Fraction(0)) / shrink
        for name, start in starts.items():
            for client, test in enumerate(_tests(setting, start, theta, seeds, effort.salt)):
                found.append((test, theta, f"client {client} from {name}, {setting}"))
    worst, theta, where = max(found, key=lambda f: f[0].mean)
    return BoundComparison(
        id, "local_inexactness", "<=", worst.mean * theta, theta,
        f"{_data().name}, softmax, L certified, lam=0: {seeds} runs of one round, {where}",
        f"Over {len(found)} triples of client, start and setting, {seeds} runs each, E|grad J_n|/|grad F_n| "
        f"is largest beside the least theta where it is {worst.mean * theta:.4g} and theta = {theta:.4g}.",
        seeds,
        min(1.0, len(found) * min(t.p_above for t, _, _ in found)),
        max(t.p_below for t, _, _ in found),
    )  # fmt: skip


def not_applicable() -> BoundComparison:
    """Theorem 1 on digits: why it does not apply to a run as in the paper, and what its bound would be."""
    history, problem = practical_run(), _data()
    sigma2 = float(f"{max(history.metrics['dissimilarity']):.4g}")  # an estimate: no more digits than it has
    smooth = problem.constants["smoothness_sample"].value
    known = {"L": smooth, "lam": 0, "sigma2": sigma2}
    check = statement("fedproxvr.certified.sarah").check(**known, mu=MU, beta=BETA, tau=TAU)
    failing = ", ".join(c.label for c, d in check.conditions if not d.holds)
    theta, factor = check.derived["theta"], check.derived["Theta"]
    measured = float(np.mean(history.metrics["squared_gradient"][1:]))
    return BoundComparison(
        "fedproxvr.theorem1", "mean_squared_gradient", "<=", measured, None,
        f"{problem.name}, softmax: SARAH, beta={BETA}, tau={TAU}, mu={float(MU)}, {ROUNDS} rounds",
        f"Not applicable: fails {failing} (least theta {theta:.3g}, Theta {factor:.3g}). "
        f"{_about_sigma(problem, sigma2)} {_would_be(known, history)}",
        seeds=1,
        applies=bool(check.applicable),
    )  # fmt: skip


def _about_sigma(problem: Supervised, sigma2: float) -> str:
    """What is known of sigma2 on this data, in words."""
    said = (
        f"(5) needs sigma2 >= {sigma2:.4g}, the largest seen along the run (an estimate from below: no sigma "
        "is finite if the global gradient vanishes at a point where the clients' do not)."
    )
    margin = separate(problem)
    if margin is None:
        return said
    return (
        f"{said} This data has no such point: a linear separation with margin {margin.least:.3g}, rounding "
        f"included, proves sigma2 <= {dissimilarity_bound(problem, margin):.3g}."
    )


def _would_be(known: dict[str, Any], history: History) -> str:
    """What the theory would ask for and give if the sigma2 seen were the true one, in words."""
    admitted = statement("fedproxvr.certified.sarah").range("beta", **known).intervals
    best = tune("fedproxvr", **known, gamma=GAMMA).argmin
    if best is None or not admitted:
        return "No parameters are admissible with it."
    gap = float(history.metrics["loss"][0])
    bound = gap / (best["Theta"] * history.rounds)
    return (
        f"With sigma2={known['sigma2']:.4g} some mu and tau are admissible only for beta > "
        f"{admitted[0][0]:.4g}, and the least training time at gamma={float(GAMMA)} would need "
        f"mu={best['mu']:.4g} ({best['mu'] / float(known['L']):.3g} L), beta={best['beta']:.3g}, "
        f"tau={best['tau']:.4g}, with Theta={best['Theta']:.3g}: after {history.rounds} rounds a bound of "
        f"{bound:.3g} on the mean squared gradient, which starts at "
        f"{history.metrics['squared_gradient'][0]:.3g}."
    )


def find(effort: SamplingBudget) -> tuple[BoundComparison, ...]:
    """Lemma 1 for both estimators, and Theorem 1's absence."""
    return (*(local(e, effort) for e in BETAS[PRINTED]), not_applicable())


CHECK = EmpiricalCheck(
    ("fedproxvr.lemma1.sarah", "fedproxvr.lemma1.svrg", "fedproxvr.theorem1"),
    "real data (digits)",
    find,
)
