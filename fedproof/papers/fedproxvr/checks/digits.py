"""Real data: handwritten digits, softmax regression, two labels a client. What of the theory applies."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from fedproof.bounds.statement_handle import statement
from fedproof.papers.fedproxvr.checks._hyperparameters import (
    PRINTED,
    SHARPENED,
    Hyperparameters,
    least_theta,
    local_hyperparameters,
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
from fedproof.validate.empirical.comparison import Place, compare, nearest
from fedproof.validate.replicas import generator, local_models
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


def _inexactness(setting: Hyperparameters, start: Array, seeds: int, salt: int) -> Array:
    """|grad J_n| / |grad F_n| in repetitions of a round, shape (seeds, n)."""
    problem = _data()
    smooth = Fraction(problem.constants["smoothness_sample"].value)
    algorithm = FedProxVR(1 / (setting.beta * smooth), setting.tau, setting.mu * smooth, setting.estimator)
    clients = np.arange(problem.n_clients)
    models = local_models(algorithm, problem, start, clients, seeds, generator(6, salt, setting.tau))
    cohort = np.tile(clients, seeds)
    flat = models.reshape(len(cohort), -1)
    surrogate = surrogate_gradients(problem, flat, cohort, start, algorithm.prox_weight)
    gradient = problem.client_gradients(np.repeat(start[None], len(clients), axis=0), clients)
    lengths: Array = np.linalg.norm(surrogate, axis=1).reshape(seeds, -1) / np.linalg.norm(gradient, axis=1)
    return lengths


def local(estimator: str, budget: SamplingBudget, form: str = PRINTED) -> BoundComparison:
    """Lemma 1 on digits: it needs L and lam only, and both are certified there.

    Every client, at the start and at the end of a run, under every setting at an end of (13) or (14) with few
    enough steps.
    """
    id, seeds = f"fedproxvr.lemma1.{estimator}{form}", budget.seeds or SEEDS
    ends = local_hyperparameters(estimator, Fraction(0), BETAS[form][estimator], form)
    starts, places = {"w = 0": _data().start(), f"round {ROUNDS}": practical_run().model}, []
    for setting in (s for s in ends if s.tau <= MOST_STEPS):
        theta = least_theta(setting, Fraction(0))
        for name, start in starts.items():
            for client, values in enumerate(_inexactness(setting, start, seeds, budget.salt).T):
                mean = float((values / theta).mean()) * theta
                places.append(Place(mean, theta, f"client {client} from {name}, {setting}", values))
    worst = nearest(places)
    return compare(
        id, "local_inexactness", places,
        (f"{_data().name}, softmax, L certified, lam=0: {seeds} runs of one round, {worst.at}",
         f"Over {len(places)} triples of client, start and setting, {seeds} runs each, "
         f"E|grad J_n|/|grad F_n| is largest beside the least theta where it is {worst.measured:.4g} and "
         f"theta = {worst.bound:.4g}."), budget,
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
        f"{said} This data has no such point: a linear separation with margin {margin:.3g}, rounding "
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


def find(budget: SamplingBudget) -> tuple[BoundComparison, ...]:
    """Lemma 1 for both estimators, and Theorem 1's absence."""
    return (*(local(e, budget) for e in BETAS[PRINTED]), not_applicable())


CHECK = EmpiricalCheck(
    ("fedproxvr.lemma1.sarah", "fedproxvr.lemma1.svrg", "fedproxvr.theorem1"),
    "real data (digits)",
    find,
)
