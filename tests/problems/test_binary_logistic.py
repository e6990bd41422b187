"""Regularised logistic regression as FLECS-CGD states it: its formula, constants, least loss and files."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fedproof.measure.counting_problem import CountingProblem
from fedproof.measure.least_loss import minimise
from fedproof.problems.catalog import make_problem
from fedproof.problems.composite.constants import gradient_variance
from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.solvers.algorithms.diana import Diana
from fedproof.solvers.compressors.natural import Natural
from fedproof.solvers.driver import run
from fedproof.vocabulary.errors import DataError, InputError


def made(clients: int = 7, **options: Any) -> Any:
    """The problem by its word."""
    return make_problem("binary_logistic", clients, options=options)


def test_the_loss_is_the_papers_formula() -> None:
    """F is the mean over clients of means of log(1 + exp(-b a w)), plus mu/2 |w|^2, b = 1 or -1; no bias."""
    problem = made(mu="1/8")
    w = np.random.default_rng(0).standard_normal(30)
    b = np.where(problem.labels == 1, 1, -1)
    each = np.log1p(np.exp(-b * (problem.features @ w))).reshape(7, 81)

    assert problem.dimension == 30
    assert problem.loss(w) == pytest.approx(each.mean(axis=1).mean() + w @ w / 16, rel=1e-13)


@pytest.mark.parametrize("data", ["breast_cancer", "digits"])
def test_the_least_loss_is_proved_to_a_part_in_10_12(data: str) -> None:
    """A Newton solve ends with F(w) - F* <= 1e-12 proved, and F grows from there as mu says."""
    problem = made(10, data=data)
    found = minimise(CountingProblem(problem), problem.start(), 2000)
    assert found.gap is not None
    assert found.gap <= 1e-12
    mu = float(problem.constants["loss_strong_convexity"].value)
    aside = found.model + np.random.default_rng(0).standard_normal(len(found.model))

    assert problem.loss(aside) >= found.loss + mu / 2 * np.square(aside - found.model).sum()


def test_mu_and_l_enclose_every_hessian_and_mu_is_least() -> None:
    """At models near and far every client's eigenvalues lie in [mu, L]; far along a ray the least is mu."""
    problem = made(data="digits", mu="1/50")
    mu = float(problem.constants["loss_strong_convexity"].value)
    top = float(problem.constants["smoothness"].value)
    rng, clients = np.random.default_rng(0), np.arange(7)
    ray = rng.standard_normal((1, problem.dimension))
    for model in (0 * ray, ray, 1e5 * ray):
        values = np.linalg.eigvalsh(problem.client_hessians(np.repeat(model, 7, axis=0), clients))
        assert values.min() >= mu * (1 - 1e-9)
        assert values.max() <= top
    assert np.allclose(values, mu, rtol=1e-6)
    at_zero = np.linalg.eigvalsh(problem.client_hessians(np.zeros((7, problem.dimension)), clients))
    assert at_zero.max() == pytest.approx(top, rel=1e-9)


def test_the_variance_of_a_samples_gradient_is_below_its_bound() -> None:
    """The mean of |g_i - grad f_i|^2 over a client's rows, at models near and far."""
    problem = made()
    bound, clients = float(problem.constants["gradient_variance"].value), np.arange(7)
    rng, samples = np.random.default_rng(0), np.arange(81)
    for scale in (0, 1, 100):
        models = np.repeat(scale * rng.standard_normal((1, 30)), 7, axis=0)
        full = problem.client_gradients(models, clients)
        each = [problem.sample_gradients(models, clients, np.full((7, 1), i)) - full for i in samples]
        assert np.square(each).sum(axis=2).mean(axis=0).max() <= bound


def test_odd_and_even_digits_and_orders() -> None:
    """Digits are odd (1) or even (0); sorted rows leave most clients one label, shuffled ones none."""
    digits = made(data="digits", order="file")
    from sklearn.datasets import load_digits

    features, labels = load_digits(return_X_y=True)
    assert (digits.labels == labels[: len(digits.labels)] % 2).all()
    assert (digits.features == features[: len(digits.labels)] / 16).all()
    kinds = {order: [len(set(part)) for part in made(data="digits", order=order).labels.reshape(7, -1)]
             for order in ("sorted", "shuffled")}  # fmt: skip
    assert sum(kinds["sorted"]) == 8
    assert sum(kinds["shuffled"]) == 14


def test_a_libsvm_file_gives_its_rows(tmp_path: Path) -> None:
    """Labels -1 and +1 become 0 and 1, missing indices are 0, and methods run on it."""
    file = tmp_path / "a9a"
    file.write_text("-1 1:1 3:0.5\n+1 2:1\n-1 3:1\n+1 1:0.25\n+1 2:1\n")
    problem = made(2, data=str(file), order="file")

    assert problem.features.tolist() == [[1, 0, 0.5], [0, 1, 0], [0, 0, 1], [0.25, 0, 0]]
    assert problem.labels.tolist() == [0, 1, 0, 1]
    history = run(Diana(stepsize=1, gradient_compressor=Natural()), problem, rounds=5)
    assert history.metrics["loss"][-1] < history.metrics["loss"][0]


def test_what_cannot_be_is_one_line(tmp_path: Path) -> None:
    """Three kinds of label, more clients than rows, mu = 0 and unknown data are refused in a line."""
    file = tmp_path / "three.svm"
    file.write_text("1 1:1\n2 1:2\n3 1:3\n")
    for clients, options, said in (
        (2, {"data": str(file)}, "3 kinds of label, expected two"),
        (1000, {}, "569 rows for 1000 clients"),
        (2, {"mu": 0}, "mu: got 0, expected a number from 1e-30"),
        (2, {"data": "iris"}, "breast_cancer, digits or the path"),
    ):
        with pytest.raises((DataError, InputError), match=said) as caught:
            made(clients, **options)
        assert "\n" not in str(caught.value)


def test_noise_of_quadratics_is_exactly_known_where_samples_share_their_matrix() -> None:
    """With sample_spread = 0 the mean of |g_i - grad f_i|^2 is sigma^2 at every model."""
    problem = random_quadratic(1, n_clients=3, dimension=2, samples=4, sample_spread=0)
    sigma2, clients = gradient_variance(problem), np.arange(3)
    assert sigma2.kind == "exact"
    for model in (problem.start(), problem.start() + Fraction(7)):
        models = np.repeat(model[None], 3, axis=0)
        full = problem.client_gradients(models, clients)
        each = [problem.sample_gradients(models, clients, np.full((3, 1), i)) - full for i in range(4)]
        means = sum((e * e).sum(axis=1) for e in each) / Fraction(4)
        assert max(means) == sigma2.value
    assert gradient_variance(random_quadratic(1, samples=4)).value is None
