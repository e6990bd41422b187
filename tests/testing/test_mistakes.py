"""Each usual mistake, planted in an implementation of its own, is named; and nothing else is."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from fedproof.testing.api import conform
from fedproof.testing.methods import METHODS
from tests.testing.planted import PLANTS, PROX, TEXTS, exact, fedprox

SINGLES = [(name, wrong) for name, (_, mistakes) in PLANTS.items() for wrong in mistakes]
#: for steps on the gradient the current model as the centre and no proximal term are one thing
SAME = {PROX["no_prox"], PROX["current"]}


@pytest.mark.parametrize("name", PLANTS)
def test_a_right_implementation_conforms(name: str) -> None:
    """Loops in floats give the closed forms to rounding, and every check says so with its error."""
    found = conform(PLANTS[name][0](), name)

    assert found.conforms
    assert found.precision == "double"
    assert found.error < 1e-14
    assert all(check.passed for check in found.checks)
    assert len(found.checks) >= 4


@pytest.mark.parametrize(("name", "wrong"), SINGLES, ids=lambda value: str(value))
def test_a_planted_mistake_is_named(name: str, wrong: str) -> None:
    """The diagnosis is the mistake that was planted, alone."""
    found = conform(PLANTS[name][0](wrong), name)
    expected = SAME if name == "fedprox" and TEXTS[wrong] in SAME else {TEXTS[wrong]}

    assert not found.conforms
    assert set(found.diagnosis) == expected
    assert not any(check.passed for check in found.checks[-1:])


def test_every_mistake_is_planted() -> None:
    """The mistakes that the kit knows of a method are those that are planted in it."""
    for name, method in METHODS.items():
        assert {m.text for m in method.mistakes} == {TEXTS[wrong] for wrong in PLANTS[name][1]}
    assert len(SINGLES) >= 90


@pytest.mark.parametrize("pair", [("double", "plain"), ("chained", "no_half"), ("more_steps", "zero")])
def test_two_mistakes_at_once_are_named(pair: tuple[str, str]) -> None:
    """Where no mistake explains the answers alone, two that do are named together."""
    found = conform(fedprox(*pair), "fedprox")

    assert len(found.diagnosis) == 1
    assert all(TEXTS[wrong] in found.diagnosis[0] for wrong in pair)


@pytest.mark.parametrize("wrong", ["no_prox", "double", "half", "sign", "zero", "first", "current", "plain"])
def test_proximal_steps_have_their_mistakes_named(wrong: str) -> None:
    """FedProx by proximal steps is right too, and its mistakes are told from those of gradient steps."""
    right = conform(fedprox(update="prox"), "fedprox")
    found = conform(fedprox(wrong, update="prox"), "fedprox")

    assert right.form == "gradient steps on F_n, each followed by a proximal step"
    assert TEXTS[wrong] in found.diagnosis


def test_the_exact_proximal_point_conforms() -> None:
    """Clients that solve their surrogates by elimination are a right form of FedProx."""
    found = conform(exact, "fedprox")

    assert found.form == "the exact minimiser of F_n + (mu / 2) |w - w_s|^2"
    assert found.error < 1e-14


@pytest.mark.parametrize("name", METHODS)
def test_right_and_wrong_are_far_apart(name: str) -> None:
    """Right forms and mistakes differ by 0.02 or more in some answer, unless they are the same thing."""
    method = METHODS[name]
    for form, right in method.forms:
        known = {form: right, **{m.text: m.of(right) for m in method.mistakes}}
        answers = {
            text: np.array([[float(v) for v in model] for model in method.answers(departure)])
            for text, departure in known.items()
        }
        for one, other in combinations(answers, 2):
            apart = np.abs(answers[one] - answers[other]).max()
            assert apart > 0.02 or (apart == 0 and (right.form == "exact" or {one, other} == SAME))


def test_what_nobody_thought_of_is_shown_in_numbers() -> None:
    """An unknown mistake names the simplest check that fails, with both models."""
    found = conform(lambda w, clients, mu: 0.9 * w, "fedprox")

    assert found.diagnosis == ()
    assert found.first_failure is found.checks[0]
    assert "got (2.7, -2.25), expected (2.22222, -0.916667)" in found.headline()
