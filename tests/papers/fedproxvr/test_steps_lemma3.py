"""(67)-(75), Lemma 3 and facts about means: verdicts, every step in random rounds, planted falsehoods."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import sympy as sp

from fedproof.bounds import catalog
from fedproof.papers.fedproxvr.proofs import lemma3 as C
from fedproof.papers.fedproxvr.proofs import means
from fedproof.proof.decide import decide
from fedproof.proof.notation import steps_of
from fedproof.proof.step import Step
from fedproof.validate.audit import judge
from tests.papers.fedproxvr.paths import World, agrees
from tests.papers.fedproxvr.worlds import Clients, changed, clients, jointly, lengths, world
from tests.papers.planting import scaled

SEEDS = range(3)
REFUTED = {"fedproxvr.eq70.lemma1": "citation"}
JOINT = {"fedproxvr.eq73"}


def places(step: Step, c: Clients) -> list[World]:
    """Every client of a round, with the names that this step alone uses."""
    if step.id in JOINT:
        return [jointly(c)]
    return [changed(world(c, n), X=lengths(c.least[n] - c.local[n]) ** 2) for n in range(3)]


@pytest.mark.parametrize("step", [s for s in steps_of(C) if s.id not in REFUTED], ids=lambda s: s.id)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_step_is_so_in_random_rounds(step: Step, seed: int) -> None:
    """What it assumes and claims holds of three clients with local models as far off as (11) allows."""
    here = places(step, clients(seed))

    assert agrees(step, here) == len(here)


@pytest.mark.parametrize("step", steps_of(means), ids=lambda s: s.id)
def test_facts_about_means_are_so_for_random_vectors(step: Step) -> None:
    """Vectors with a mean m and a fixed z; the lengths of three vectors and their products with the mean."""
    rng = np.random.default_rng(0)
    x, z = rng.normal(size=(7, 3)), np.tile(rng.normal(size=3), (7, 1))
    three = rng.normal(size=(3, 3))
    mean = three.mean(0)
    vectors = {
        "x": x,
        "y": rng.normal(size=(7, 3)),
        "z": z,
        "m": np.tile(x.mean(0), (7, 1)),
        "one": np.ones((7, 1)),
    }
    if step.id == "fedproxvr.mean_below_rms":
        vectors["x"] = np.abs(x[:, :1])
    numbers = {"N": 3.0, "size": float(lengths(mean)), "mean_size": float(lengths(three).mean())}
    here = changed(World(numbers, vectors), p=np.full(3, 1 / 3), X=lengths(three), Y=three @ mean)

    assert agrees(step, [here]) == 1


def test_the_mean_of_the_norm_does_not_bound_the_mean_square() -> None:
    """The witness by hand: 2 and 0, equally likely, have mean 1 <= theta |grad F|, mean square 2 > 1."""
    point = dict(decide(C.EQ70_CITED).witness or {})
    mean = point["P_1"] * point["r_1"] + point["P_2"] * point["r_2"]
    square = point["P_1"] * point["r_1"] ** 2 + point["P_2"] * point["r_2"] ** 2

    assert point["P_1"] + point["P_2"] == 1
    assert mean <= point["theta"] * point["size"] < square


def test_lemma_3_needs_the_criterion_in_mean_square() -> None:
    """With (11) alone it is amended; with the mean square, which Lemma 1's conditions give, it holds."""
    lemma = catalog.statement("fedproxvr.lemma3")
    rest = tuple(a for a in lemma.assumptions if a != "fedproxvr.criterion11.squared")
    first = replace(lemma, assumptions=(*rest, "fedproxvr.criterion11"))

    assert judge(first).verdict == "holds amended"
    assert judge(lemma).verdict == "holds"


@pytest.mark.parametrize(
    "step",
    [C.EQ71_YOUNG, C.EQ72_YOUNG, C.EQ74, C.EQ75, C.EQ69, means.JENSEN, means.SCHWARZ],
    ids=lambda s: s.id,
)
def test_half_the_right_side_is_refuted(step: Step) -> None:
    """Planted: no constant of these can be halved."""
    assert decide(scaled(step, sp.Rational(1, 2))).verdict == "refuted"


def test_jensen_the_wrong_way_is_refuted() -> None:
    """Planted: the mean squared distance is not below that of the mean."""
    turned = replace(means.JENSEN, claim=sp.Le(*reversed(means.JENSEN.claim.args), evaluate=False))

    assert decide(turned).verdict == "refuted"
