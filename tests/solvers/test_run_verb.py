"""The verb `run`: words and letters, text and numbers, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.solvers.api import run
from fedproof.vocabulary.errors import InputError, UnknownName
from tests.refusals import refused

PROBLEM = random_quadratic(1, smoothness=2)


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


@pytest.mark.parametrize(("hyper", "message"), [
    ({"tau": "2.5"}, "tau: got 2.5, expected a whole number"),
    ({"tau": -1}, "tau: got -1"),
    ({"mu": "-0.1"}, "mu: got -0.1, expected a number >= 0"),
    ({"beta": 0}, "beta: got 0, expected a number > 0"),
    ({"stepsize": "1e400"}, "stepsize: got 1e400"),
    ({"stepsize": "1e-400"}, "stepsize: got 1e-400"),
    ({"stepsize": "1e9999"}, "stepsize"),
    ({"stepsize": "9" * 10_000}, "stepsize"),
    ({"stepsize": "__import__('os')"}, "stepsize"),
    ({"tau": "1e300"}, "local_steps x batch_size: got 4000"),
    ({"batch_size": 0}, "batch_size"),
    ({"estimator": "sara"}, "did you mean sarah"),
    ({"step_size": 1}, "did you mean stepsize"),
    ({"beta": 3, "eta": 1}, "not both"),
    ({"tau": 3, "local_steps": 3}, "once"),
])  # fmt: skip
def test_bad_hyper_parameters(hyper: dict[str, Any], message: str) -> None:
    """One line that names the parameter as it was typed."""
    assert len(refused(InputError, message, run, "fedproxvr", PROBLEM, rounds=1, **hyper)) < 300


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
    """Names that the verb itself uses cannot hide in a mapping: they are unknown hyper-parameters."""
    given = run("fedavg", PROBLEM, rounds=1, parameters={"tau": "2"}, beta=4)

    assert given.to_dict() == run("fedavg", PROBLEM, rounds=1, tau=2, beta=4).to_dict()
    refused(UnknownName, "seed", run, "fedavg", PROBLEM, rounds=1, parameters={"seed": "3"})
    refused(InputError, "once", run, "fedavg", PROBLEM, rounds=1, parameters={"tau": 2}, tau=2)
