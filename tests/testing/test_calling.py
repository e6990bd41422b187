"""What the kit does with a function: names of parameters, addresses, failures."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fedproof.testing import assert_conforms
from fedproof.testing.api import conform
from fedproof.testing.clients import UNEQUAL, Array, Client
from fedproof.vocabulary.errors import InputError, UnknownName
from tests.refusals import refused
from tests.testing.planted import fedavg, fedcomposite, fedprox

RIGHT = fedprox()


def test_the_field_and_the_papers_names_are_understood() -> None:
    """lr, epochs and mu, and canonical words through **, mean the same parameters."""

    def short(
        w: Array, clients: list[Client], lr: float, epochs: int, mu: float = 0, verbose: int = 0
    ) -> Array:
        return RIGHT(w, clients, lr, epochs, mu, 1)

    def words(w: Array, clients: list[Client], **p: Any) -> Array:
        return RIGHT(w, clients, p["stepsize"], p["local_steps"], p["prox_weight"], 1)

    assert_conforms(short)
    assert_conforms(words, "fedprox")


def test_a_function_that_runs_the_rounds_is_called_once() -> None:
    """With `rounds` among its parameters it is called once a check, otherwise once a round."""
    calls: list[int] = []

    def all_rounds(w: Array, clients: list[Client], lr: float, steps: int, rounds: int) -> Array:
        calls.append(rounds)
        return fedavg()(w, clients, lr, steps, rounds)

    def one_round(w: Array, clients: list[Client], lr: float, steps: int) -> Array:
        calls.append(1)
        return fedavg()(w, clients, lr, steps, 1)

    assert_conforms(all_rounds, "fedavg")
    assert calls == [1, 1, 1, 2]
    calls.clear()
    assert_conforms(one_round, "fedavg")
    assert calls == [1, 1, 1, 1, 1]


def test_an_own_soft_threshold_will_do() -> None:
    """FedComposite takes the kit's prox or the weight of the l1 penalty."""

    def own(
        w: Array, clients: list[Client], eta: float, tau: int, eta_g: float, rounds: int, l1_weight: float
    ) -> Array:
        def prox(v: Array, length: float) -> Array:
            return v - np.clip(v, -length * l1_weight, length * l1_weight)

        return fedcomposite()(w, clients, eta, tau, eta_g, rounds, prox)

    assert_conforms(own, "fedcomposite")


def test_single_precision_passes_and_is_called_so() -> None:
    """Answers of float32 arithmetic conform, and the result says single precision."""

    def rough(w: Array, clients: list[Client], lr: float, steps: int, mu: float) -> Array:
        mean = np.zeros(2, np.float32)
        for client in clients:
            u = w.astype(np.float32)
            for _ in range(steps):
                u = (u - lr * (client.gradient(u) + mu * (u - w))).astype(np.float32)
            mean += np.float32(client.size / sum(c.size for c in clients)) * u
        return mean

    found = conform(rough)

    assert (found.conforms, found.precision) == (True, "single")
    assert 1e-12 < found.error < 1e-6


def test_a_model_changed_in_place_is_noted() -> None:
    """Steps in place on the model handed over are seen, also where the answer is right."""

    def greedy(w: Array, clients: list[Client], lr: float, steps: int) -> Array:
        found = fedavg()(w, clients, lr, steps, 1)
        w += 1
        return found

    found = conform(greedy, "fedavg")

    assert found.conforms
    assert "changed in place" in found.notes[0]
    assert conform(RIGHT).notes == ()


def test_gradients_are_those_of_the_losses() -> None:
    """A client's gradient is the slope of its loss, and the mean of its samples' gradients."""
    for rows in UNEQUAL:
        client, w, h = Client(rows), np.array([0.5, -1.5]), 1e-6
        slopes = [(client.loss(w + e) - client.loss(w - e)) / (2 * h) for e in h * np.eye(2)]
        samples = [client.sample_gradient(w, i) for i in range(client.size)]

        assert client.gradient(w) == pytest.approx(slopes, abs=1e-8)
        assert client.gradient(w) == pytest.approx(np.mean(samples, axis=0), abs=1e-15)
        assert client.size == len(client.features) == len(client.targets)


def test_a_function_that_cannot_be_meant_is_refused_in_one_line() -> None:
    """What cannot be called, fails, or returns no model is an input error that says so."""

    def fails(w: Any, clients: Any, mu: float) -> Any:
        raise RuntimeError("no\nluck")

    def leaves(w: Any, clients: Any, mu: float) -> Any:
        raise SystemExit(3)

    cases: list[tuple[Any, str]] = [
        (3, "expected a function of"),
        (lambda: 0, "expected \\(w, clients"),
        (lambda w, clients, *, mu, what: w, "got a parameter what without a default"),
        (lambda w, clients: w, "no parameter for the prox_weight of fedprox.*add prox_weight"),
        (fails, "RuntimeError: no.luck.*look at test_calling.py, line"),
        (leaves, "SystemExit: 3"),
        (lambda w, clients, mu: None, "let it return w"),
        (lambda w, clients, mu: w[:1], "got a model of shape \\(1,\\)"),
        (lambda w, clients, mu: ["a", "b"], "got a model of type"),
        (lambda w, clients, mu: [1j, 2], "got a model of type complex128"),
    ]
    for function, match in cases:
        refused(InputError, match, conform, function)
    refused(InputError, "no parameter for the rounds of fedcomposite", conform,
            lambda w, clients, eta, tau, eta_g, prox: w, "fedcomposite")  # fmt: skip
    refused(UnknownName, "did you mean fedprox", conform, RIGHT, "fedprx")


def test_a_model_that_is_not_finite_fails_its_checks() -> None:
    """NaN and infinities are wrong answers, and no number in the JSON."""
    found = conform(lambda w, clients, mu: w * np.nan)

    assert not found.conforms
    assert found.diagnosis == ()
    assert found.to_dict()["checks"][0]["passed"] is False
    assert not conform(lambda w, clients, mu: w + np.inf).conforms


def test_addresses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A function is found in a file, in a module of the current folder, and inside a class."""
    text = "class Kit:\n    @staticmethod\n    def step(w, clients, mu): return w\nnumber = 3\n"
    (tmp_path / "of_mine.py").write_text(text)
    monkeypatch.chdir(tmp_path)

    for address in ("of_mine:Kit.step", "of_mine.py:Kit.step"):
        assert conform(address).diagnosis == ("nothing moves: the model is returned as it came",)
    refused(InputError, "MODULE:FUNCTION", conform, "of_mine")
    refused(UnknownName, "did you mean Kit", conform, "of_mine:Kitt")
    refused(InputError, "got a int, expected a function", conform, "of_mine:number")
    refused(InputError, "No module named", conform, "not_there:f")
    refused(InputError, "a file that is there", conform, "not_there.py:f")
    (tmp_path / "broken.py").write_text("def f(:\n")
    refused(InputError, "SyntaxError", conform, "broken.py:f")


@pytest.mark.parametrize(("returned", "said"), [
    (np.array([None, "a"], dtype=object), "holds a NoneType"),
    (np.array([Decimal("NaN"), Decimal(1)], dtype=object), "holds a Decimal"),
    (np.array([1j, 1], dtype=object), "holds a complex"),
    (np.ma.array([1.0, 2.0], mask=True), "masked entries"),
])  # fmt: skip
def test_a_model_of_no_numbers_is_refused_in_one_line(returned: Any, said: str) -> None:
    """Objects that are no numbers, and masks that NumPy would drop."""

    def own(w: Array, clients: list[Client], lr: float, epochs: int, mu: float) -> Any:
        return returned

    refused(InputError, said, conform, own, "fedprox")


def test_whatever_is_raised_is_one_line(tmp_path: Path) -> None:
    """Even what is no Exception; a file without functions, and one that is no Python, name the place."""

    def own(w: Array, clients: list[Client], lr: float, epochs: int, mu: float) -> Any:
        raise BaseException("boo")

    refused(InputError, "BaseException: boo", conform, own, "fedprox")
    bare, broken = tmp_path / "bare.py", tmp_path / "broken.py"
    bare.write_text("x = 1\n")
    broken.write_text("x = 1\ny = (\n")
    refused(InputError, "which has none", conform, f"{bare}:f", "fedprox")
    refused(InputError, "broken.py, line 2", conform, f"{broken}:f", "fedprox")


def test_one_buffer_for_every_answer_is_read_in_time() -> None:
    """A right function that writes all its answers into one array, as a model does, conforms."""
    buffer = np.zeros(2)

    def own_memory(w: Array, clients: list[Client], lr: float, steps: int, mu: float = 0) -> Array:
        buffer[:] = RIGHT(w, clients, lr, steps, mu, 1)
        return buffer

    assert conform(own_memory, "fedprox").conforms
