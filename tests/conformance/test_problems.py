"""What every problem keeps: constants called exact or certified hold wherever one looks."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from fedproof.problems.catalog import make_problem
from fedproof.problems.problem import Array, Problem
from fedproof.vocabulary.errors import UnknownName
from fedproof.vocabulary.quantities import quantity
from tests.conformance.parts import Part

POINTS = 6
ROUNDING = 1 + 1e-9


@cache
def made(id: str) -> Any:
    """The problem at its defaults, in floats, where it may by a kernel that needs no compiling."""
    problem: Any = make_problem(id)
    problem = problem.with_kernel("numpy") if hasattr(problem, "with_kernel") else problem
    return problem.as_float() if hasattr(problem, "as_float") else problem


def known(problem: Problem, name: str) -> float | None:
    """A constant that is proved, None where there is none."""
    found = problem.constants.get(name)
    return None if found is None or found.value is None or found.kind == "estimate" else float(found.value)


def models(problem: Problem) -> Array:
    """Points near the start and far from it, shape (POINTS, d)."""
    rng = np.random.default_rng(5)
    scale = 10.0 ** rng.integers(-2, 2, (POINTS, 1))
    return problem.start().astype(float) + scale * rng.standard_normal((POINTS, problem.dimension))


def test_its_constants_are_of_the_vocabulary(problem: Part) -> None:
    """Each but the least loss is a quantity with a value of its domain, and says where it comes from."""
    problem.load()
    for name, constant in made(problem.id).constants.items():
        assert constant.kind in ("exact", "certified", "estimate")
        assert constant.how
        if name != "least_loss" and constant.value is not None:
            assert Fraction(constant.value) in quantity(name).domain


def test_no_gradient_turns_faster_than_its_smoothness(problem: Part) -> None:
    """Of clients and of samples; and it never falls faster than the weak convexity allows."""
    found = made(problem.id)
    clients = np.arange(min(found.n_clients, 5))
    samples = np.zeros((len(clients), 1), int)
    routes = {
        "smoothness": lambda x: found.client_gradients(x, clients),
        "smoothness_sample": lambda x: found.sample_gradients(x, clients, samples),
    }
    places = [np.tile(x, (len(clients), 1)) for x in models(found)]
    looked = 0
    for name, gradients in routes.items():
        bound, convex = known(found, name), known(found, "weak_convexity")
        for x, y in pairwise(places):
            turned, moved = gradients(x) - gradients(y), x - y
            if bound is not None:
                assert (
                    np.linalg.norm(turned, axis=1) <= ROUNDING * bound * np.linalg.norm(moved, axis=1)
                ).all()
            if name == "smoothness" and convex is not None:
                least = -convex * (moved**2).sum(1) - 1e-9 * np.abs(turned * moved).sum(1)
                assert ((turned * moved).sum(1) >= least).all()
            looked += bound is not None
    assert looked


def test_no_loss_is_below_the_least(problem: Part) -> None:
    """At the start and at random models."""
    found = made(problem.id)
    least = known(found, "least_loss")
    value = found.objective if hasattr(found, "objective") else found.loss

    assert least is not None
    assert min(float(value(x)) for x in (found.start(), *models(found))) >= least - 1e-12 * abs(least)


def test_an_option_that_it_does_not_know_is_refused(problem: Part) -> None:
    """With the nearest one, in one line."""
    with pytest.raises(UnknownName) as error:
        make_problem(problem.id, options={"no_such_option": "1"})
    assert "\n" not in str(error.value)
