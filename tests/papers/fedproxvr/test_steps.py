"""Every proof step of fedproxvr is what Algorithm 1 and any local solver, typed from the page, do."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import sqrt
from typing import Any

import numpy as np
import pytest
import sympy as sp

from fedproof.bounds import catalog
from fedproof.papers.fedproxvr.proofs import (
    algorithm1,
    appendix_a,
    heterogeneous_means,
    lemma1,
    lemma1_sarah,
    lemma1_svrg,
    lemma2,
    lemma3,
    means,
    round_end,
    section3,
    telescoping,
    theorem1,
    theorem1_descent,
    training_time,
)
from fedproof.proof.notation import steps_of
from fedproof.proof.step import Step
from fedproof.validate.audit import judge
from fedproof.validate.proof_basis import beside, taken
from tests.papers.fedproxvr.paths import Round, World, agrees, world
from tests.papers.fedproxvr.worlds import Clients, changed, clients, jointly, lengths, sequences
from tests.papers.fedproxvr.worlds import world as federated

#: refuted or damaged as printed, without numbers of these rounds, or of weights that no round has
ELSEWHERE = {
    "eq39", "eq76", "telescope.rendering", "eq23.nonconvex", "algorithm1.line10",
}  # fmt: skip
#: of one estimator alone; of the start of a round; true as printed from t = 1 on
OWN = {
    **dict.fromkeys(("eq32", "eq33.step", "eq33a", "eq33b.term", "eq33b", "eq33c", "eq33"), "sarah"),
    **dict.fromkeys(("eq34", "eq35"), "svrg"),
    **{s.id.removeprefix("fedproxvr."): "sarah" for s in steps_of(lemma1_sarah)},
    **{s.id.removeprefix("fedproxvr."): "svrg" for s in steps_of(lemma1_svrg)},
}
AT_START, LATER, JOINT = {"eq33.start", "eq54.start"}, {"eq56"}, {"eq73", "round_end.spread"}
LOCAL = [
    (s, e)
    for m in (appendix_a, lemma1_sarah, lemma1, lemma1_svrg, lemma2)
    for s in steps_of(m)
    for e in ("sarah", "svrg")
    if OWN.get(s.id.removeprefix("fedproxvr."), e) == e
]
MEANS = [s for s in steps_of(heterogeneous_means) if not s.id.endswith(("history", "loss", "theorem1"))]
ROUND = [
    *(s for m in (section3, lemma3, theorem1_descent, theorem1, round_end) for s in steps_of(m)),
    *MEANS,
]  # fmt: skip
OF_ROUNDS = [
    s
    for s in (*steps_of(telescoping), *steps_of(heterogeneous_means))
    if s.id.startswith(("fedproxvr.telescope", "fedproxvr.theorem1", "fedproxvr.corollary1"))
    or s.id.endswith(("means.history", "means.theorem1"))
    if not s.id.endswith("factor")
]


def name(step: Any) -> str:
    """Its id without the paper; of another argument, itself."""
    return getattr(step, "id", str(step)).removeprefix("fedproxvr.")


def those(steps: Any) -> list[Step]:
    """The steps that are looked at."""
    return [s for s in steps if name(s) not in ELSEWHERE]


@cache
def locally(estimator: str) -> tuple[World, ...]:
    """Every local step of a round that satisfies (13) or (14), with theta the least that they allow."""
    if estimator == "sarah":
        run = Round("sarah", beta=12, mu=24, tau=9, L=2.0)
    else:
        run = Round("svrg", beta=56, mu=56, tau=8, seed=3)
    weight = 4 * (run.tau + 1 + run.tau + 2 + 2 * ((run.tau + 1) * (run.tau + 2)) ** 0.5) * 1.0001
    lower = 3 * (run.beta**2 * run.L**2 + run.mu**2) / ((run.mu - run.lam) * run.L * (run.beta - 3))
    theta = (lower / run.tau) ** 0.5 * 1.0001
    assert theta <= 1
    return tuple(world(run, t, a=weight, theta=theta) for t in range(run.tau + 1))


@pytest.mark.parametrize(
    ("step", "estimator"), [(s, e) for s, e in LOCAL if name(s) not in ELSEWHERE], ids=name
)
def test_a_local_step_is_what_the_algorithm_does(step: Step, estimator: str) -> None:
    """What a step assumes and claims is so on all sample paths of an admissible round of its estimator."""
    places = locally(estimator)[:1] if name(step) in AT_START else locally(estimator)
    assert agrees(step, places) == len(places) - (name(step) in LATER)


@pytest.mark.parametrize(
    ("step", "estimator"), [(appendix_a.EQ32, "svrg"), (appendix_a.EQ34, "sarah")], ids=name
)
def test_the_oracle_tells_estimators_apart(step: Step, estimator: str) -> None:
    """SARAH's recursion is not what SVRG does, nor the other way round."""
    with pytest.raises(AssertionError):
        agrees(step, locally(estimator))


@pytest.mark.parametrize("estimator", ["sarah", "svrg"])
def test_the_listing_is_what_the_algorithm_does(estimator: str) -> None:
    """Lines 4, 8 and 10 on all sample paths of a round, with t' uniform."""
    run = Round(estimator, beta=5, mu=3, tau=4)
    for t in range(run.tau):
        here = world(run, t)
        vectors = {"now": run.w[t], "after": run.w[t + 1], "v_t": run.v[t], "grad_0": run.F(run.w[0])}
        place = World(
            {**here.numbers, "returned": here.numbers["G_end"]},
            {**here.vectors, **vectors},
            {**here.sequences, "value": here.sequences["G"]},
        )
        steps = (algorithm1.LINE8, algorithm1.LINE10_REPAIRED) if t else (algorithm1.LINE4,)
        assert [agrees(step, [place]) for step in steps] == [1] * len(steps)


def test_the_ends_of_inexactness() -> None:
    """With tau = 0 the surrogate's gradient is that at the start: theta = 1; at the minimiser theta = 0."""
    here = federated(clients(0))
    still = {"grad_J_local": here.vectors["grad"], "local": here.vectors["start"]}

    assert agrees(algorithm1.NO_STEPS, [replace(here, vectors={**here.vectors, **still})]) == 1
    assert agrees(algorithm1.EXACT_SOLVE, [changed(here, theta=0, k=2, r=np.zeros(4), dist=0)]) == 1


def from_the_end(here: World, c: Clients) -> World:
    """The letters of (76) and (77) for the gradient at the round's end."""
    at_end, at_local = c.at(c.server), c.grad(c.local)
    bar, grad_J = at_end.mean(0), at_local + c.mu * (c.local - c.start)
    end = lengths(bar)
    return changed(
        here,
        along=float(np.sum((c.server - c.start) * bar, axis=1).mean()),
        I=np.einsum("nij,ij->ni", at_end - at_local, bar).mean(1),
        K=np.einsum("nij,ij->ni", grad_J, bar).mean(1),
        h=(end * lengths(c.local - c.server)).mean(0),
        k=(end * lengths(grad_J)).mean(0),
    )


def of_section_3(here: World, c: Clients, step: str) -> World:
    """Names that Section 3 alone uses, of client 1, or of quadratics with one minimiser."""
    rng, at_start = np.random.default_rng(0), c.at(c.start)
    sizes, h = np.array([3.0, 5.0, 2.0]), rng.uniform(0, 2, 3)
    free, x, rows = rng.normal(size=2), rng.normal(size=2), np.ones((4, 1))
    prox = 0.3 / (1 + 0.3 * c.mu) * (c.mu * c.start + x / 0.3)
    vectors = {**here.vectors, "free": rows * free, "given_point": rows * x, "prox": rows * prox}
    if step.endswith("variance"):
        vectors |= {"x": at_start, "m": np.tile(at_start.mean(0), (3, 1))}
    if step.endswith("stationary"):
        vectors |= {"bar": 0 * rows * free, "grad": 0 * rows * free}
    return changed(
        replace(here, vectors=vectors),
        D=sizes, F=h, S=sizes * h, D_all=sizes.sum(), client=2, weight=1 / 3,
        Bd=sqrt((lengths(at_start) ** 2).mean() / lengths(at_start.mean(0)) ** 2),
        V_n=lengths(at_start[1] - at_start.mean(0)) ** 2,
        hn=h[0] + h.mean() + 0.1, hbar=h.mean(), s0=2.0, point=3.0 / (h[0] + 0.1), eta=0.3,
    )  # fmt: skip


def places(step: Step, seed: int) -> list[World]:
    """Every client of a round, with the names that this step alone uses."""
    c, id = clients(seed), name(step)
    if id in JOINT:
        return [jointly(c)]
    if step in steps_of(section3):
        return [of_section_3(federated(c, 1), c, id)]
    found = []
    for n in range(3):
        here = federated(c, n)
        if step in steps_of(lemma3):
            found.append(changed(here, X=lengths(c.least[n] - c.local[n]) ** 2))
            continue
        grad, at_local, moved = c.at(c.start)[n], c.grad(c.local)[n], c.server - c.start
        turned = lengths(c.at(c.server)[:, 0] - c.at(c.start))
        if id.endswith(("eq79", "outcome", "round_end.expected")):
            bar = c.at(c.start).mean(0)
            products = {
                "along": moved @ bar,
                "first": c.mu * moved @ bar,
                "second": (c.mu * moved + bar) @ bar,
            }
            here = changed(here, **{k: float(x.mean()) for k, x in products.items()})
        names = {"apart": lengths(moved[0]), "X": turned, "mean_size": turned.mean()}
        names["size"] = lengths(c.at(c.server)[:, 0].mean(0) - c.at(c.start).mean(0))
        names = {
            "eq80.client": {"X": lengths(grad - at_local), "Y": lengths(c.start - c.local[n])},
            "eq84b": {},
            "heterogeneous.means.squares": {"far": lengths(c.local[n] - c.start).mean()},
            "heterogeneous.means.eq83": {"far2": (lengths(c.local - c.start) ** 2).mean()},
            "heterogeneous.means.roots": {"one_part": 1 + c.mu, "other_part": 2 + lengths(grad).mean()},
        }.get(id, names)
        here = changed(from_the_end(here, c) if id.startswith("round_end") else here, **names)
        if id == "global_smooth.client":
            vectors = {"grad": at_local, "grad_before": np.tile(grad, (4, 1))}
            here = replace(here, vectors={**here.vectors, **vectors})
        found.append(here)
    return found


@pytest.mark.parametrize("step", those(ROUND), ids=name)
def test_a_step_of_a_round_is_so_in_random_rounds(step: Step) -> None:
    """What it assumes and claims holds of three clients with local models as far off as (11) allows."""
    here = [w for seed in range(3) for w in places(step, seed)]

    assert agrees(step, here) == len(here)


@pytest.mark.parametrize("step", steps_of(means), ids=name)
def test_facts_about_means_are_so_for_random_vectors(step: Step) -> None:
    """Vectors with a mean m and a fixed z; the lengths of three vectors and their products with the mean."""
    rng = np.random.default_rng(0)
    x, z, y = rng.normal(size=(7, 3)), np.tile(rng.normal(size=3), (7, 1)), rng.normal(size=(7, 3))
    three = rng.normal(size=(3, 3))
    mean = three.mean(0)
    vectors = {"x": x, "y": y, "z": z, "m": np.tile(x.mean(0), (7, 1)), "one": np.ones((7, 1))}
    if name(step) == "mean_below_rms":
        vectors["x"] = np.abs(x[:, :1])
    numbers = {"N": 3.0, "size": float(lengths(mean)), "mean_size": float(lengths(three).mean())}
    here = changed(World(numbers, vectors), p=np.full(3, 1 / 3), X=lengths(three), Y=three @ mean)

    assert agrees(step, [here]) == 1


@cache
def rounds() -> World:
    """Five rounds of gradient descent on w^2/2, fast enough for Theta to be the least descent."""
    w = 0.8 ** np.arange(6)
    loss, square = w * w / 2, w * w
    least = (-np.diff(loss) / square[:-1]).min()
    numbers = {
        "T": 5.0, "Theta": least, "L": 1.0, "mu": 3.0, "mt": 2.5, "theta": 0.1, "sigma2": 0.0, "Fs": 0.0,
        "Delta": 0.5, "eps": 0.5 / (least * 5), "M": 5.0, "Fp": loss[0], "Fl": 0.0, "far": 1.0, "q": 1.0,
    }  # fmt: skip
    outcomes = {"P": np.full(5, 0.2), "fall": np.diff(loss), "start2": square[:-1], "end2": square[1:]}
    one = np.ones((1, 1))
    vectors = {"point": one, "lower": 0 * one, "slope": one}
    by_round = {"F": lambda k: loss[k], "g": lambda k: square[k]}
    return World(numbers, vectors, {**sequences(outcomes), **by_round})


@pytest.mark.parametrize("step", those(OF_ROUNDS), ids=name)
def test_a_step_over_rounds_is_so(step: Step) -> None:
    """What it assumes and claims holds of a run whose losses and gradients are known."""
    assert agrees(step, [rounds()]) == 1


def point(mu: float, beta: float) -> World:
    """A point of (15), (16) at Fig. 1's constants, with gamma = 1/100, typed from the page."""
    L, lam, sigma2, gamma = 1.0, 0.5, 0.0, 0.01
    mt, tau = mu - lam, (5 * beta**2 - 4 * beta) / 8
    theta = sqrt(24 * (beta**2 * L**2 + mu**2) / (mt * L * (5 * beta**2 - 4 * beta) * (beta - 3)))
    kept = 1 - theta * sqrt(2 * (1 + sigma2)) - 2 * L / mt * sqrt((1 + theta**2) * (1 + sigma2))
    kept -= 2 * L * mu / mt**2 * (1 + theta**2) * (1 + sigma2)
    numbers = {
        "L": L, "lam": lam, "sigma2": sigma2, "gamma": gamma, "mt": mt, "mu": mu, "beta": beta, "tau": tau,
        "theta": theta, "Theta": kept / mu, "eps": 0.1, "Delta": 2.0, "T": 2.0 / (kept / mu * 0.1),
        "d_com": 5.0, "d_cmp": 0.05,
    }  # fmt: skip
    return World(numbers)


@pytest.mark.parametrize("step", those(steps_of(training_time)), ids=name)
def test_19_to_24_are_so_at_points_of_the_problem(step: Step) -> None:
    """Numbers computed from the page."""
    assert agrees(step, [point(mu, beta) for mu, beta in ((10, 280), (105, 152.5), (30, 20))]) == 3


CRITERION = "fedproxvr.criterion11.squared"


@pytest.mark.parametrize("id", ["lemma3", "eq87", "theorem1", "corollary1"])
def test_11_alone_is_not_enough_for_them(id: str) -> None:
    """(70) takes (11) in mean square, which Lemma 1's conditions give."""
    found = catalog.statement(f"fedproxvr.{id}")
    rest = tuple(a for a in found.assumptions if a != CRITERION)

    assert beside(found, taken(found)) == []
    assert beside(replace(found, assumptions=rest), taken(found)) == [CRITERION]


def test_a_grant_counts_only_where_its_proof_is_used() -> None:
    """The chain without Lemma 1's steps needs the criterion that Lemma 1 grants."""
    chain = catalog.statement("fedproxvr.certified.sarah")

    assert beside(chain, ()) == []
    assert CRITERION in beside(replace(chain, proof=("fedproxvr.theorem1.end",)), ())


def test_a_counterexample_must_satisfy_the_statement() -> None:
    """With a condition that the instance breaks, or a step that is open, nothing is refuted."""
    broken = catalog.statement("fedproxvr.section3.heterogeneous.theorem1")
    condition = broken.conditions[0]
    turned = replace(condition, relation=sp.Lt(*condition.relation.args))
    unknown = replace(condition, relation=sp.Symbol("somewhere", real=True) > 0)

    assert judge(replace(broken, conditions=(turned,))).verdict == "open"
    assert judge(replace(broken, conditions=(*broken.conditions, unknown))).verdict == "open"
    assert judge(replace(broken, counterexample=broken.counterexample[:-1])).verdict == "open"
