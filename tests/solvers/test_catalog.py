"""Finding algorithms: our files, and those that other distributions announce."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from typing import Any

import pytest

from fedproof.problems.random_quadratic import random_quadratic
from fedproof.solvers.algorithms.fedavg import FedAvg
from fedproof.solvers.api import run
from fedproof.solvers.catalog import algorithm_class, algorithm_names
from fedproof.vocabulary.errors import InputError, UnknownName


@pytest.fixture
def announced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another distribution announces a class, a module, a module without a class, and one of our names."""
    group = "fedproof.algorithms"
    points = [
        EntryPoint("theirs", "fedproof.solvers.algorithms.fedavg:FedAvg", group),
        EntryPoint("fedother", "fedproof.solvers.algorithms.fedproxvr", group),
        EntryPoint("fedavg", "nowhere:Other", group),
    ]
    monkeypatch.setattr(
        "fedproof.problems.discovery.entry_points", lambda group: [p for p in points if p.group == group]
    )


@pytest.mark.usefixtures("announced")
def test_entry_points_are_found_and_ours_stay_ours() -> None:
    """A class named by an entry point runs by its name; a name of ours is not overridden."""
    assert {"theirs", "fedother", "fedavg", "fedprox", "fedproxvr"} <= set(algorithm_names())
    assert algorithm_class("theirs") is algorithm_class("fedavg") is FedAvg
    assert run("theirs", random_quadratic(0), rounds=1, tau=1).rounds == 1


@pytest.mark.usefixtures("announced")
def test_a_module_without_its_class_is_refused() -> None:
    """A module that holds no class of the announced name is an error that says what is missing."""
    with pytest.raises(InputError, match='name = "fedother"'):
        algorithm_class("fedother")


@pytest.mark.parametrize(("typed", "meant"), [("fedprox-vr", "fedproxvr"), ("FedAvg", "fedavg")])
def test_the_nearest_name_is_offered(typed: str, meant: str) -> None:
    """An unknown algorithm comes with a suggestion."""
    with pytest.raises(UnknownName, match=f"did you mean {meant}"):
        algorithm_class(typed)


def test_parameters_may_come_as_a_mapping() -> None:
    """Names that the verb itself uses cannot hide in a mapping: they are unknown hyper-parameters."""
    problem: Any = random_quadratic(0)
    given = run("fedavg", problem, rounds=1, parameters={"tau": "2"}, beta=4)

    assert given.to_dict() == run("fedavg", problem, rounds=1, tau=2, beta=4).to_dict()
    with pytest.raises(UnknownName, match="seed"):
        run("fedavg", problem, rounds=1, parameters={"seed": "3"})
    with pytest.raises(InputError, match="once"):
        run("fedavg", problem, rounds=1, parameters={"tau": 2}, tau=2)
