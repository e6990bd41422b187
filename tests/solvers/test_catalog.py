"""Finding algorithms: our files, and those that other distributions announce."""

from __future__ import annotations

from typing import Any

import pytest

from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.solvers.api import run
from fedproof.solvers.catalog import algorithm_class
from fedproof.vocabulary.errors import InputError, UnknownName
from tests.refusals import refused


@pytest.mark.parametrize(("typed", "meant"), [("fedprox-vr", "fedproxvr"), ("FedAvg", "fedavg")])
def test_the_nearest_name_is_offered(typed: str, meant: str) -> None:
    """An unknown algorithm comes with a suggestion."""
    refused(UnknownName, f"did you mean {meant}", algorithm_class, typed)


def test_parameters_may_come_as_a_mapping() -> None:
    """Names that the verb itself uses cannot hide in a mapping: they are unknown hyper-parameters."""
    problem: Any = random_quadratic(0)
    given = run("fedavg", problem, rounds=1, parameters={"tau": "2"}, beta=4)

    assert given.to_dict() == run("fedavg", problem, rounds=1, tau=2, beta=4).to_dict()
    refused(UnknownName, "seed", run, "fedavg", problem, rounds=1, parameters={"seed": "3"})
    refused(InputError, "once", run, "fedavg", problem, rounds=1, parameters={"tau": 2}, tau=2)
