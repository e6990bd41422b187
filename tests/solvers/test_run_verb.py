"""The verb `run`: words and letters, text and numbers, parts and their names, and what is refused."""

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
from fedproof.vocabulary.errors import InputError
from tests.refusals import refused

if TYPE_CHECKING:
    from fedproof.vocabulary.interval import Interval

PROBLEM = random_quadratic(1, smoothness=2)
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


def test_letters_and_words_are_the_same_run() -> None:
    """beta sets the step size 1 / (beta L) with the problem's own L per sample, here 2."""
    letters = run("fedproxvr", PROBLEM, rounds=2, beta="5/2", tau="3", mu=1, estimator="svrg")
    words = run(
        "fedproxvr", PROBLEM, rounds=2, stepsize=0.2, local_steps=3, prox_weight="1", estimator="svrg"
    )

    assert letters.to_dict() == words.to_dict()
    assert (letters.model == words.model).all()


def test_a_given_smoothness_replaces_the_problems() -> None:
    """beta = 5 and L = 4 are the step size 1/20."""
    assert run("fedavg", PROBLEM, rounds=0, beta=5, L=4).parameters["stepsize"] == 0.05


def test_zero_weight_and_full_batches_are_allowed() -> None:
    """prox_weight = 0 and batch_size=full run."""
    history = run("fedproxvr", PROBLEM, rounds=1, mu=0, tau=2, batch_size="full")

    assert history.parameters["prox_weight"] == 0
    assert history.parameters["batch_size"] is None


def test_digits_by_default_lower_the_loss() -> None:
    """Both algorithms improve on the digits within ten rounds, as the shell would run them."""
    for name in ("fedavg", "fedproxvr"):
        losses = run(name, rounds=10, tau="10", beta="2").metrics["loss"]
        assert losses[-1] < 0.9 * losses[0]


def test_progress_is_a_short_note() -> None:
    """The callback of the shell gets one short text per round."""
    notes: list[str] = []
    run("fedavg", PROBLEM, rounds=3, tau=1, progress=notes.append)

    assert len(notes) == 3
    assert all(n.startswith("loss ") and len(n) < 30 for n in notes)


BAD = {
    "fedproxvr": [
        ({"tau": "2.5"}, "tau: got 2.5, expected a whole number"),
        ({"tau": -1}, "tau: got -1"),
        ({"mu": "-0.1"}, "mu: got -0.1, expected a number >= 0"),
        ({"beta": 0}, "beta: got 0, expected a number > 0"),
        ({"stepsize": "1e400"}, "stepsize: got 1e400"),
        ({"stepsize": "1e-400"}, "stepsize: got 1e-400"),
        ({"stepsize": "1e9999"}, "stepsize"),
        ({"stepsize": "9" * 10_000}, "stepsize"),
        ({"stepsize": "__import__('os')"}, "stepsize"),
        ({"tau": "1e8"}, "local_steps x batch_size: got 40000000."),
        ({"batch_size": 0}, "batch_size"),
        ({"estimator": "sara"}, "did you mean sarah"),
        ({"step_size": 1}, "did you mean stepsize"),
        ({"beta": 3, "eta": 1}, "not both"),
        ({"tau": 3, "local_steps": 3}, "once"),
        ({"parameters": {"seed": "3"}}, "seed"),
        ({"parameters": {"tau": 2}, "tau": 2}, "once"),
    ],
    "fedprox": [
        ({"local_solver": "gradient"}, "did you mean gradient_descent"),
        ({"local_solver": "gradient_descent", "batch_size": 3}, "fedprox parameter: got batch_size"),
        ({"local_solver": "to_inexactness"}, "no inexactness"),
        ({"local_solver": "to_inexactness", "theta": 0}, "theta: got 0"),
        ({"local_solver": "to_inexactness", "theta": 0.1, "gamma": 0.1}, "once"),
        ({"local_solver": 3}, "local_solver"),
        ({"mu": -1}, "mu: got -1"),
        ({"tau": 1.5}, "tau: got 1.5"),
        ({"update": "implicit"}, "update"),
        ({"local_solver": "shuffled_epochs", "epochs": 10**9}, "draws in a round"),
    ],
    "both": [
        ({"batch_size": 3}, r"got 3, expected both\.batch_size or local_solver\.batch_size; write"),
        ({"eta": 1, "local_solver.stepsize": 1}, "stepsize once"),
        ({"local_solver.step_size": 1}, r"did you mean local_solver\.stepsize"),
        ({"both.s": 1}, "both parameter: got both.s"),
        ({"local_solver.beta": 3, "eta": 1}, r"local_solver\.beta or a step size, not both"),
    ],
}


@pytest.mark.parametrize(("name", "hyper", "message"), [(n, *row) for n, rows in BAD.items() for row in rows])
def test_bad_hyper_parameters(
    name: str, hyper: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line that names the parameter as it was typed: unknown, out of its domain, said twice, unclear."""
    find = {"both": lambda _: Both}.get(name, algorithm_class)
    monkeypatch.setattr("fedproof.solvers.api.algorithm_class", find)
    assert len(refused(InputError, message, run, name, PROBLEM, rounds=1, **hyper)) < 300


@pytest.mark.parametrize(("arguments", "message"), [
    ({"algorithm": "fedprox_vr"}, "did you mean fedproxvr"),
    ({"problem": "digit"}, "did you mean digits"),
    ({"problem": "none.csv"}, "no such file"),
    ({"problem": "digits", "clients": 0}, "clients"),
    ({"problem": "digits", "clients": 5000}, "use at most 1797 clients"),
    ({"problem": "digits", "problem_options": {"split": "none"}}, "split"),
    ({"rounds": 2.5}, "rounds"),
    ({"clients": 3}, "leave one out"),
])  # fmt: skip
def test_bad_calls(arguments: dict[str, Any], message: str) -> None:
    """Unknown names come with the nearest known one; counts are checked."""
    refused(InputError, message, run, **{"algorithm": "fedavg", "problem": PROBLEM, "rounds": 1} | arguments)


def test_parameters_may_come_as_a_mapping() -> None:
    """Text in a mapping is what an argument is; a part's name goes before a parameter, and is not needed."""
    flat = run("fedprox", PROBLEM, rounds=1, stepsize="1/8", tau=2)
    full = {"local_solver.eta": "1/8", "local_solver.tau": "2", "fedprox.mu": "0.1"}

    assert run("fedprox", PROBLEM, rounds=1, parameters=full).to_dict() == flat.to_dict()


def test_two_of_one_name_are_told_apart() -> None:
    """A paper's b is its own and not the local solver's; records name both, and the same run comes back."""
    made = make_algorithm(Both, PROBLEM, {"b": 3, "local_solver.batch_size": 2, "s": 4})
    parameters = flat_parameters(made)

    assert (made.batch_size, made.local_solver.batch_size, made.local_solver.local_steps) == (3, 2, 4)
    assert (parameters["both.batch_size"], parameters["local_solver.batch_size"]) == (3, 2)
    assert "batch_size" not in parameters
    assert flat_parameters(make_algorithm(Both, PROBLEM, parameters)) == parameters


def test_whole_is_what_is_declared_so() -> None:
    """The type of a field decides, not its text: an alias of int is whole, a name with "int" in it is not."""
    made = make_algorithm(Toy, PROBLEM, {"count": "3", "few": "full", "printed": "1/2", "on": "no"})

    assert (made.count, made.few, made.printed, made.on) == (3, None, Fraction(1, 2), False)
    assert make_algorithm(Toy, PROBLEM, {"few": "4"}).few == 4
    for wrong in ({"count": "1/2"}, {"few": "1/2"}, {"on": 2}):
        refused(InputError, None, make_algorithm, Toy, PROBLEM, wrong)
    half: Any = Fraction(1, 2)
    for given in ({"count": half}, {"few": half}, {"on": half}):
        refused(InputError, None, Toy, **given)


@pytest.mark.parametrize("name", ["fedavg", "fedprox", "fedcomposite", "fedda", "fedmid", "scaffold"])
def test_batches_must_be_drawn(name: str) -> None:
    """A method with a batch size that is handed no draws says so, and does not take all samples."""
    algorithm = make_algorithm(algorithm_class(name), PROBLEM, {"batch_size": 2, "stepsize": "1/8"})
    with pytest.raises(InputError, match="no sample numbers, expected those of batch_size=2"):
        algorithm.local(PROBLEM, algorithm.init(PROBLEM, PROBLEM.start()), np.arange(2), {})


@pytest.mark.parametrize(
    "given",
    [{"rounds": 10**20}, {"workers": 10**5}, {"local_steps": "1e12"}],
    ids=lambda one: next(iter(one)),
)
def test_what_would_never_end_is_refused_before_it_begins(given: dict[str, Any]) -> None:
    """More rounds, processes or local steps than anybody waits for: the most is said."""
    asked = {"rounds": 1, "stepsize": 0.1, "local_steps": 1} | given

    with pytest.raises(InputError, match="and <="):
        run("fedavg", PROBLEM, **asked)
