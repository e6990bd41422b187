"""Every proof step of composite is what Algorithm 1, typed from the page, does over all that may be drawn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import pytest

from fedproof.bounds import catalog
from fedproof.papers.composite.proofs import (
    algorithm1,
    any_server,
    corollaries,
    descent,
    drift_sharp,
    lemma_a1,
    lemma_a2,
    local_step,
    mapping,
    potential,
    printed35,
    printed36,
    printed45,
    prox_pl,
    sampling,
    telescoped,
    theorem38,
    theorems,
)
from fedproof.proof.notation import steps_of
from fedproof.proof.step import Applied, Given, Step
from fedproof.validate.audit import judge
from fedproof.validate.proof_basis import beside, taken
from tests.papers.composite.paths import Rounds, coordinate, next_round, renamed, world
from tests.papers.composite.rounds import over_rounds, server
from tests.papers.fedproxvr.paths import World, agrees

#: sums that begin at t = 1 in print
LATE = ("eq15a", "correction.second", "correction.third", "correction.fourth", "update.second")
#: refuted as printed, or of what these rounds do not have: a first round with another correction, an average
#: that (17) makes 0, a model or a penalty of another kind, mu > L
ELSEWHERE = {
    *LATE, "eq7", "eq7.exact", "eq2.start", "eq17.coordinate", "eq12.smooth", "eq12.stays", "eq12.stationary",
    "eq12.converse", "eq8", "eq10.mean", "eq34.exp", "eq41.young", "eq45", "eq46", "eq51",
    "prox_pl.constant", "theorem3.8.segment", "theorem3.8.growth",
}  # fmt: skip
NEXT = {"eq35a", "eq35", "eq36.young", "eq36.smooth"}
ALL = {
    "coordinate": (*steps_of(algorithm1), lemma_a2.MEAN_LAMBDA),
    "client": [
        s
        for m in (mapping, local_step, sampling, lemma_a1, lemma_a2, drift_sharp)
        for s in steps_of(m)
    ],
    "server": [
        s
        for m in (descent, printed35, printed45, potential, printed36, prox_pl, theorem38, any_server)
        for s in steps_of(m)
        if "rounds" not in s.id and ".end" not in s.id
    ],
    "rounds": [
        *steps_of(theorems),
        *(s for s in steps_of(corollaries) if "stronger" not in s.id),
        *(s for s in steps_of(telescoped) if "telescoped" in s.id),
    ],
}  # fmt: skip


def name(step: Step) -> str:
    """Its id without the paper."""
    return step.id.removeprefix("composite.")


def own_numbers(hypothesis: Given) -> bool:
    """Whether a hypothesis is one of the instance that a refuted line shows, not of every run."""
    return hypothesis.why.startswith(("instance: ", "definition: (13)"))


def of(kind: str) -> Any:
    """Every step of a kind that is looked at there, as a parameter."""
    found = [s for s in ALL[kind] if name(s) not in ELSEWHERE]
    return pytest.mark.parametrize("step", found, ids=name)


@cache
def coordinates() -> tuple[World, ...]:
    """Every client in both coordinates on some of the paths of the second round."""
    run = Rounds(clients=2, tau=2, seed=3, theta=0.25, eta_g=2.0, exact=True)
    return tuple(coordinate(run, i, p, k) for i, p, k in product(range(2), (0, 77, 201), range(2)))


@of("coordinate")
def test_a_step_on_coordinates_is_what_the_algorithm_does(step: Step) -> None:
    """What a step assumes and claims is so in every coordinate."""
    assert agrees(step, coordinates()) == len(coordinates())


@pytest.mark.parametrize("id", LATE)
def test_late_sums_are_not_what_the_algorithm_does(id: str) -> None:
    """What they assume is so, what they claim is not; from t = 0 it is, and that is what repairs them."""
    (step,) = (s for s in ALL["coordinate"] if name(s) == id)
    for here in coordinates():
        general = [h for h in step.hypotheses if isinstance(h, Applied) or not own_numbers(h)]
        assert all(here.holds(h.relation) for h in general)
        assert not here.holds(step.claim)
    assert len([s for s in ALL["coordinate"] if s.repairs == step.id]) == 1


@cache
def rounds(tau: int) -> Rounds:
    """The longest steps that (33) and the sharpened lemmas allow."""
    return Rounds(tau=tau, seed=tau) if tau < 3 else Rounds(tau=3, clients=1, seed=7, eta_g=1.0)


@cache
def clients(tau: int) -> tuple[World, ...]:
    """Every local step of every client in the second round."""
    run = rounds(tau)
    return tuple(world(run, i, t) for i in range(run.clients) for t in range(tau))


@pytest.mark.parametrize("tau", [2, 3])
@of("client")
def test_a_step_on_clients_is_what_the_algorithm_does(step: Step, tau: int) -> None:
    """What a step assumes and claims is so over all that is drawn; (35) and (36) for all clients at once."""
    run = rounds(tau)
    places = [renamed(run, here, name(step)) for here in clients(tau)]
    if name(step) in NEXT:
        places = [next_round(run)]

    assert agrees(step, places) == len(places) - (run.clients if name(step) == "eq31.step" else 0)


def test_the_oracle_tells_corrections_apart() -> None:
    """(28) is not what the algorithm does when the corrections are those of the round before."""
    here = clients(2)[1]
    with pytest.raises(AssertionError):
        agrees(local_step.EQ28A, [replace(here, vectors={**here.vectors, "c": 0 * here.vectors["c"]})])


@cache
def servers() -> tuple[World, ...]:
    """Rounds at each of their draws, with mu, and with L in D_g; as long as each theorem admits."""
    found: list[World] = []
    for seed, (share, curved, eta_g) in enumerate(
        ((0.1, 0, 1.6), (0.1, 0, 1.6), (0.1, 1, 1.6), (1 / 150, 1, 2**0.5), (0.1, 0, 0.25))
    ):
        run = Rounds(seed=seed, convex=True, eta_g=eta_g)
        long = share * (run.curvature / run.L) ** curved
        run = replace(run, reach=min(long / eta_g, 0.1))
        found += [*(server(run, draw) for draw in range(1, 5)), server(run, 1, "L")]
    return tuple(found)


def assumed(step: Step) -> Iterator[Given]:
    """Its conditions, and what one of the two readings of D_g satisfies: Assumption 3.3(2), what y is."""
    for h in step.hypotheses:
        if isinstance(h, Given) and (not h.why or h.why.endswith(("3.3.2", ".weak", "minimum in D_g"))):
            yield h


@of("server")
def test_a_step_on_the_server_is_what_the_algorithm_does(step: Step) -> None:
    """What it claims holds of a round over all its outcomes, with mu in D_g, or with L."""
    own = [w for w in servers() if all(w.holds(h.relation) for h in assumed(step))]

    assert own
    assert [w for w in own if not w.holds(step.claim)] == []


@pytest.mark.parametrize(
    "id", ["descent.model", "descent.server", "eq42", "eq42.change", "eq42.noise.one", "eq38"]
)
def test_what_they_assume_is_so_too(id: str) -> None:
    """Of steps whose hypotheses speak of the round alone, all are so."""
    (step,) = (s for s in ALL["server"] if name(s) == id)
    own = replace(step, given=tuple(h for h in step.given if not isinstance(h, Applied)))
    here = [
        replace(w, numbers={**w.numbers, "g_w": w.numbers["g_P"]}, vectors={**w.vectors, "w": w.vectors["P"]})
        for w in servers()
    ]

    assert agrees(own, here) >= len(here) - 5


@cache
def many() -> World:
    """Six rounds with full gradients of three clients with three local steps."""
    run = Rounds(clients=3, tau=3, seed=7, convex=True, samples=1, rounds=6, reach=0.1 / 1.6)
    return over_rounds(run)


@of("rounds")
def test_a_step_over_rounds_is_what_the_algorithm_does(step: Step) -> None:
    """What it assumes and claims holds of six rounds of the algorithm with full gradients."""
    assert agrees(step, [many()]) == 1


@pytest.mark.parametrize("kind", [kind for kind in ALL if kind != "coordinate"])
def test_nothing_is_assumed_but_assumptions(kind: str) -> None:
    """Every reason is a definition, a meaning, an assumption of the paper, a convention, or mu <= L."""
    known = (*catalog.assumptions("composite"), "definition", "meaning")
    reasons = {h.why for s in ALL[kind] for h in s.hypotheses if isinstance(h, Given) and h.why}

    assert {r for r in reasons if not r.startswith((*known, "instance: "))} <= {
        "unstated: mu <= L, which fails only where F is constant"
    }


def test_stopping_needs_a_stationary_point() -> None:
    """Without the corrections that belong to it, or without its condition, the statement is amended."""
    several = catalog.statement("composite.stops")
    kept = tuple(a for a in several.assumptions if a != "composite.settled")

    assert judge(replace(several, assumptions=kept)).verdict == "holds amended"
    assert judge(replace(several, proof=("composite.stops.corrections",))).verdict == "open"


BOUNDED = "convention: on a bounded set of models"
MU = "unstated: mu <= L, which fails only where F is constant"
LEAST, CONVEX = "composite.assumption3.3.1", "composite.remark3.7.strongly_convex"
INDEPENDENT, LIPSCHITZ, PAST = (f"composite.convention.{x}" for x in ("independent", "lipschitz", "past"))


@pytest.mark.parametrize(
    ("id", "conventions"),
    [
        ("section3.pl.least_squares", {BOUNDED, "convention: with L in D_g, as in [11]", LEAST}),
        (
            "section4.pl.logistic",
            {f"{BOUNDED}, with features that span the space, so that f is strongly convex there", CONVEX},
        ),
        ("lemmaA1", {LIPSCHITZ}),
        ("lemmaA2", {LIPSCHITZ}),
        ("theorem3.6", {INDEPENDENT, LIPSCHITZ, PAST, MU}),
        ("theorem3.8", {INDEPENDENT, LIPSCHITZ, PAST, LEAST}),
        ("theorem3.8.sharpened", set()),
        ("theorem3.5.any_server.sharpened", set()),
        ("lemmaA2.short.sharpened", set()),
        ("theorem3.6.sharpened", set()),
        ("exact.pl", set()),
        ("theorem3.6.any_server.sharpened", set()),
    ],
)
def test_what_amends_the_printed_statements(id: str, conventions: set[str]) -> None:
    """What is cited or left unsaid, F* <= F(x) too, and nothing else; the sharpened need nothing."""
    assert (
        set(beside(catalog.statement(f"composite.{id}"), taken(catalog.statement(f"composite.{id}"))))
        == conventions
    )


@pytest.mark.parametrize(
    ("id", "uses", "not_used"),
    [
        ("lemmaA1", "assumption3.1", ""),
        ("lemmaA1.sharpened", "", "assumption3.1"),
        ("theorem3.6.sharpened", "assumption3.3.2.weak", "assumption3.3.2"),
        ("exact.pl", "assumption3.3.2.weak", "assumption3.3.2"),
        ("theorem3.6.any_server.sharpened", "assumption3.3.2.weak", "assumption3.3.2"),
    ],
)
def test_what_a_proof_takes_from_the_assumptions(id: str, uses: str, not_used: str) -> None:
    """The printed lemma's bound on subgradients is not needed, nor more of (11) than the weak inequality."""
    found = beside(
        replace(catalog.statement(f"composite.{id}"), assumptions=()),
        taken(catalog.statement(f"composite.{id}")),
    )

    assert not uses or f"composite.{uses}" in found
    assert not not_used or f"composite.{not_used}" not in found
