"""Conditions on how unlike clients are: implications and counterexamples, proved and in exact numbers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

import pytest
import sympy as sp

from fedproof.algebra.expressions import rational_value
from fedproof.proof.certificates import shipped
from fedproof.proof.certify.live import proof
from fedproof.proof.conditions.implications import IMPLICATIONS, STEPS, Implication, with_constants
from fedproof.proof.conditions.instances import INSTANCES, Instance, w
from fedproof.proof.conditions.table import CONDITIONS, EQUAL
from fedproof.proof.decide import decide
from fedproof.proof.step import Step

Vectors = Sequence[tuple[Fraction, ...]]


def mean(rows: Vectors, weights: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """The weighted mean of vectors."""
    return tuple(
        sum((p * x for p, x in zip(weights, c, strict=True)), Fraction(0)) for c in zip(*rows, strict=True)
    )


def square(row: Sequence[Fraction]) -> Fraction:
    """The squared norm."""
    return sum((x * x for x in row), Fraction(0))


class World:
    """Gradients of clients at one point, exactly, and what each condition says of them, in plain sums."""

    def __init__(
        self, rows: Vectors, weights: Sequence[Fraction] = (), penalty: Fraction = Fraction(0)
    ) -> None:
        self.weights = weights or [Fraction(1, len(rows))] * len(rows)
        middle = mean(rows, self.weights)
        self.bar, self.penalty = square(middle), penalty
        self.squares = [square(r) for r in rows]
        self.apart = [square([a - b for a, b in zip(r, middle, strict=True)]) for r in rows]

    def over(self, values: Sequence[Fraction]) -> Fraction:
        """A mean over the clients."""
        return sum((p * v for p, v in zip(self.weights, values, strict=True)), Fraction(0))

    def least(self, condition: str) -> dict[str, Fraction] | None:
        """The least constants with which a condition holds here; None where none do."""
        if condition == "identical clients":
            return None if any(self.apart) else {}
        if condition == "relative divergence":
            return {"sigma2": self.over(self.apart) / self.bar} if self.bar else None
        if condition == "local dissimilarity":
            return {"B2": self.over(self.squares) / self.bar} if self.bar else None
        return {
            "bounded dissimilarity": {"zeta2": self.over(self.apart)},
            "bounded divergence": {"delta2": self.over(self.apart)},
            "bounded gradients": {"G2": max(self.squares)},
            "bounded mean square": {"H2": self.over(self.squares)},
        }[condition]

    def sides(self, condition: str, value: dict[str, Fraction]) -> tuple[Fraction, Fraction]:
        """Left and right of a condition; of a family with one constant for all clients, the worst client."""
        said = {
            name: value.get(name, Fraction(0))
            for name in ("sigma2", "B2", "H2", "zeta2", "delta2", "G2", "B_g2")
        }
        return {
            "identical clients": (max(self.apart), Fraction(0)),
            "relative divergence": (max(self.apart), said["sigma2"] * self.bar),
            "local dissimilarity": (self.over(self.squares), said["B2"] * self.bar),
            "gradient dissimilarity": (self.over(self.squares), said["B2"] * self.bar + said["H2"]),
            "bounded dissimilarity": (self.over(self.apart), said["zeta2"]),
            "bounded divergence": (max(self.apart), said["delta2"]),
            "bounded gradients": (max(self.squares), said["G2"]),
            "bounded mean square": (self.over(self.squares), said["H2"]),
            "bounded subgradients": (self.penalty**2, said["B_g2"]),
        }[condition]

    def holds(self, condition: str, value: dict[str, Fraction]) -> bool:
        """Whether a condition holds here with these constants."""
        left, right = self.sides(condition, value)
        return left <= right


def implied(found: Implication, world: World) -> dict[str, Fraction] | None:
    """What an implication gives with the least constants of what it assumes, if there are any."""
    known = {"n": Fraction(len(world.squares))}
    for condition in found.given:
        least = world.least(condition.name)
        if least is None:
            return None
        known |= least
    return {str(c): exact(e, known) for c, e in found.constants.items() if isinstance(c, sp.Symbol)}


def exact(expr: Any, at: dict[str, Fraction]) -> Fraction:
    """A value in fractions."""
    value = rational_value(expr, at)
    assert value is not None
    return value


def drawn(seed: int, equal: bool) -> World:
    """Small rational gradients in the plane, of two to five clients, in each fifth case all alike."""
    draw = Random(seed)
    clients = 2 + seed % 4
    rows = [
        tuple(Fraction(draw.randint(-3, 3), draw.choice((1, 2))) for _ in range(2)) for _ in range(clients)
    ]
    if seed % 5 == 0:
        rows = [rows[0]] * clients
    sizes = [1 if equal else draw.randint(1, 4) for _ in range(clients)]
    return World(rows, [Fraction(size, sum(sizes)) for size in sizes])


def line(*slopes: int) -> World:
    """Gradients on a line, equal weights."""
    return World([(Fraction(slope),) for slope in slopes])


#: gradients at which both sides of what follows are equal: no smaller constant would do
TIGHT = {
    "local_of_relative": line(2, 0),
    "relative_of_local": line(3, 0, 0),
    "both_of_local": line(2, 0),
    "distant_of_bounded": line(3, 0, 0),
    "bounded_of_distant": line(1, -1),
    "both_of_bounded": line(3, 0, 0),
    "squares_of_gradients": line(1, -1),
    "gradients_of_squares": line(1, 0),
    "both_of_squares": line(3, 0, 0),
    "bounded_of_squares": line(1, -1),
    "bounded_of_both_ways": World([(Fraction(1), Fraction(1)), (Fraction(1), Fraction(-1))]),
}


@pytest.mark.parametrize("step", STEPS, ids=lambda s: s.id)
def test_every_step_ships_a_certificate(step: Step) -> None:
    """Each step of the implications is proved by the certificate that ships, with no search."""
    found = decide(step)

    assert shipped(step) is not None
    assert (found.verdict, found.engines) == ("proved", ("certificate",))


@pytest.mark.parametrize("found", IMPLICATIONS, ids=lambda x: x.proof.id)
def test_an_implication_holds_in_exact_numbers(found: Implication) -> None:
    """At exact gradients what is assumed with its least constants gives what is said, by plain sums.

    A family's mean is what its implications go by, and every client may then have the least of its own.
    """
    known = [(w, implied(found, w)) for w in (drawn(seed, found.weights is EQUAL) for seed in range(200))]
    tried = [(w, given) for w, given in known if given is not None]

    assert len(tried) >= 30
    assert all(w.holds(found.gives.name, given) for w, given in tried)


@pytest.mark.parametrize("name", TIGHT)
def test_no_smaller_constant_would_do(name: str) -> None:
    """At these gradients both sides are equal, and nine tenths of the constants are too few."""
    (found,) = (x for x in IMPLICATIONS if x.proof.id == f"conditions.{name}")
    given = implied(found, TIGHT[name])
    assert given is not None
    left, right = TIGHT[name].sides(found.gives.name, given)

    assert left == right > 0
    assert not TIGHT[name].holds(found.gives.name, {c: v * 9 / 10 for c, v in given.items()})


@pytest.mark.parametrize("found", IMPLICATIONS, ids=lambda x: x.proof.id)
def test_a_proof_is_of_what_the_table_says(found: Implication) -> None:
    """The last step claims the condition with the constants put in, and lists what it assumes."""
    listed = {str(h.relation) for h in found.proof.hypotheses}
    parts = [part for c in found.given for part in c.assumed(found.weights)]

    assert found.proof.claim == with_constants(found.gives, found.weights, found.constants)
    assert {str(getattr(part, "relation", part)) for part in parts} <= listed


def test_a_smaller_constant_is_not_proved() -> None:
    """The same hypotheses prove no B^2 = sigma^2 and no zeta^2 = sigma^2 G^2 / 2."""
    for name, constants in (
        ("local_of_relative", {"B2": "sigma2"}),
        ("bounded_of_squares", {"zeta2": "H2/2"}),
    ):
        (found,) = (x for x in IMPLICATIONS if x.proof.id == f"conditions.{name}")
        wrong = {
            c: sp.sympify(constants[str(c)], {s.name: s for g in found.given for s in g.constants})
            for c in found.constants
        }
        claim = with_constants(found.gives, found.weights, wrong)

        assert isinstance(proof(Step(claim, found.proof.given, "wrong"), 2.0), str)


def world_of(found: Instance, at: Fraction) -> World:
    """The gradients of an instance at one w, by central differences, which are exact for quadratics."""

    def slope(loss: Any) -> Fraction:
        ends = [exact(loss, {"w": at + step}) for step in (1, -1)]
        return (ends[0] - ends[1]) / 2

    return World([(slope(loss),) for loss in found.losses], penalty=slope(found.penalty))


@pytest.mark.parametrize("found", INSTANCES, ids=lambda x: x.name)
def test_a_counterexample_is_one_in_exact_numbers(found: Instance) -> None:
    """What is kept holds at many w, and what is broken fails at its point for small and large constants."""
    for condition, constants in found.keeps:
        value = {c.name: exact(v, {}) for c, v in constants.items()}
        assert all(world_of(found, Fraction(k, 3)).holds(condition.name, value) for k in range(-30, 31))
    for condition, point in found.breaks:
        for size in (Fraction(0), Fraction(1, 7), Fraction(1), Fraction(10**6)):
            value = {c.name: size for c in condition.constants}
            assert not world_of(found, exact(point, value)).holds(condition.name, value), condition.name


@pytest.mark.parametrize("found", INSTANCES, ids=lambda x: x.name)
def test_a_counterexample_is_proved(found: Instance) -> None:
    """What is kept is proved for every w, and what is broken for all constants."""
    assert [s.id for _, steps in found.kept for s in steps if decide(s).verdict != "proved"] == []
    assert [s.id for _, s in found.broken if decide(s).verdict != "proved"] == []


def test_a_condition_that_is_kept_is_not_broken() -> None:
    """A planted counterexample is not proved: equal quadratics break no bounded dissimilarity."""
    bounded = next(c for c in CONDITIONS if c.name == "bounded dissimilarity")
    planted = Instance("planted", (w**2 / 2, w**2 / 2), (), ((bounded, w),), "nothing")

    assert [decide(step, briefly=True).verdict for _, step in planted.broken] == ["refuted"]


def test_names_are_unique() -> None:
    """Each condition, step and instance has a name of its own."""
    steps = [*(s.id for s in STEPS), *(s.id for x in INSTANCES for _, found in x.kept for s in found)]
    steps += [s.id for x in INSTANCES for _, s in x.broken]

    assert len(set(steps)) == len(steps)
    assert len({c.name for c in CONDITIONS}) == len(CONDITIONS) == 9
