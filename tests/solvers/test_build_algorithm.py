"""What an algorithm declares is what a user may say: types, letters, and the names of its parts."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pytest

from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.solvers.algorithms.fedprox import FedProx
from fedproof.solvers.api import run
from fedproof.solvers.build_algorithm import make_algorithm
from fedproof.solvers.catalog import algorithm_class
from fedproof.solvers.parameters import check_parameters, flat_parameters
from fedproof.vocabulary.errors import InputError, UnknownName
from tests.refusals import refused

if TYPE_CHECKING:
    from fedproof.vocabulary.interval import Interval

EXACT = random_quadratic(3, n_clients=4, dimension=3, samples=[1, 2, 3, 2], heterogeneity=2)
Count = int


@dataclass(frozen=True)
class Both(FedProx):
    """A method of another paper, with a batch of its own beside its local solver's."""

    name: ClassVar[str] = "both"
    letters: ClassVar[dict[str, str]] = {"mu": "prox_weight", "b": "batch_size", "s": "local_steps"}

    batch_size: int = 7  # type: ignore[assignment]


@dataclass(frozen=True)
class Toy:
    """Declarations whose text says nothing, or the wrong thing."""

    name: ClassVar[str] = "toy"

    count: Count = 2
    few: Count | None = None
    printed: Interval | Any = 1
    on: bool = True

    def __post_init__(self) -> None:
        check_parameters(self)


def test_a_parts_name_goes_before_its_parameters() -> None:
    """local_solver.tau is tau, and fedprox.mu is mu."""
    full = {"local_solver.eta": "1/8", "local_solver.tau": 2, "fedprox.mu": "0.1"}
    flat = run("fedprox", EXACT, rounds=1, stepsize="1/8", tau=2)

    assert run("fedprox", EXACT, rounds=1, parameters=full).to_dict() == flat.to_dict()


def test_two_of_one_name_are_told_apart() -> None:
    """A paper's b is its own and not the local solver's; records name both, and the same run comes back."""
    made = make_algorithm(Both, EXACT, {"b": 3, "local_solver.batch_size": 2, "s": 4})
    parameters = flat_parameters(made)

    assert (made.batch_size, made.local_solver.batch_size, made.local_solver.local_steps) == (3, 2, 4)
    assert (parameters["both.batch_size"], parameters["local_solver.batch_size"]) == (3, 2)
    assert "batch_size" not in parameters
    assert flat_parameters(make_algorithm(Both, EXACT, parameters)) == parameters


@pytest.mark.parametrize(("hyper", "message"), [
    ({"batch_size": 3}, r"got 3, expected both\.batch_size or local_solver\.batch_size; write"),
    ({"eta": 1, "local_solver.stepsize": 1}, "stepsize once"),
    ({"local_solver.step_size": 1}, r"did you mean local_solver\.stepsize"),
    ({"both.s": 1}, "both parameter: got both.s"),
    ({"local_solver.beta": 3, "eta": 1}, r"local_solver\.beta or a step size, not both"),
])  # fmt: skip
def test_what_is_not_clear_is_one_line(hyper: dict[str, Any], message: str) -> None:
    """A name that two have, one that is said twice, and one that nobody has."""
    refused((InputError, UnknownName), message, make_algorithm, Both, EXACT, hyper)


def test_whole_is_what_is_declared_so() -> None:
    """The type of a field decides, not its text: an alias of int is whole, a name with "int" in it is not."""
    made = make_algorithm(Toy, EXACT, {"count": "3", "few": "full", "printed": "1/2", "on": "no"})

    assert (made.count, made.few, made.printed, made.on) == (3, None, Fraction(1, 2), False)
    assert make_algorithm(Toy, EXACT, {"few": "4"}).few == 4
    for wrong in ({"count": "1/2"}, {"few": "1/2"}, {"on": 2}):
        refused(InputError, None, make_algorithm, Toy, EXACT, wrong)
    half: Any = Fraction(1, 2)
    for given in ({"count": half}, {"few": half}, {"on": half}):
        refused(InputError, None, Toy, **given)


@pytest.mark.parametrize("name", ["fedavg", "fedprox", "fedcomposite", "fedda", "fedmid", "scaffold"])
def test_batches_must_be_drawn(name: str) -> None:
    """A method with a batch size that is handed no draws says so, and does not take all samples."""
    algorithm = make_algorithm(algorithm_class(name), EXACT, {"batch_size": 2, "stepsize": "1/8"})
    with pytest.raises(InputError, match="no sample numbers, expected those of batch_size=2"):
        algorithm.local(EXACT, algorithm.init(EXACT, EXACT.start()), np.arange(2), {})
