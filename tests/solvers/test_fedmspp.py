"""FedMSPP: its listing by hand, its limits, the law of its minibatches, and certificates on them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, product
from typing import Any, ClassVar

import mpmath  # type: ignore[import-untyped]
import numpy as np
import pytest

from fedproof.cli import main
from fedproof.problems.catalog import make_problem
from fedproof.problems.minibatches import minibatches
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.problems.supervised.kernels.kernel import with_kernel
from fedproof.problems.supervised.models.cauchy import Cauchy
from fedproof.problems.supervised.models.huber import Huber
from fedproof.problems.supervised.models.least_squares import LeastSquares
from fedproof.problems.supervised.models.logistic import Logistic
from fedproof.problems.supervised.models.softmax import Softmax
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.supervised import Supervised
from fedproof.solvers.algorithm import ModelState
from fedproof.solvers.algorithms.fedmspp import FedMSPP, distinct
from fedproof.solvers.algorithms.fedprox import FedProx
from fedproof.solvers.api import run as verb
from fedproof.solvers.cohort import Cohort, Participation
from fedproof.solvers.driver import run
from fedproof.solvers.exact import expectation, local_outcomes
from fedproof.solvers.local.gradient_descent import GradientDescent
from fedproof.solvers.local.shuffled_epochs import ShuffledEpochs
from fedproof.solvers.local.stochastic_gradient import StochasticGradient
from fedproof.solvers.local.to_suboptimality import ToSuboptimality
from fedproof.solvers.randomness import RandomSource
from fedproof.vocabulary.errors import InputError
from tests.refusals import refused
from tests.solvers.test_to_suboptimality import METHODS, Exactly, drawn

EXACT = random_quadratic(3, n_clients=3, dimension=2, samples=[2, 3, 4], heterogeneity=2)
ROWS = np.random.default_rng(7).standard_normal((72, 4))
EQUAL = Supervised(Softmax(3), ROWS, np.arange(72) * 5 % 3, Partition.of_sizes([12] * 6))
SMOOTH: list[Any] = [Logistic(), Softmax(2), LeastSquares()]
MODELS = pytest.mark.parametrize("model", SMOOTH, ids=lambda m: m.name)
GRADIENT = GradientDescent(Fraction(1, 4), 1)


def mspp(b: int | None = 2, solver: Any = None, mu: Any = Fraction(1, 2), **others: Any) -> FedMSPP:
    """A small one with a sharp oracle."""
    return FedMSPP(mu, b, local_solver=solver or ToSuboptimality("1e-12"), **others)


def test_the_listing_line_by_line() -> None:
    """Two rounds in fractions, devices drawn twice among them: minimisers and averages by hand, exactly."""
    algorithm, w = mspp(2, ToSuboptimality("1e-99")), EXACT.start()
    taking, twice = Participation(4, True, "uniform", "plain"), 0
    history = run(algorithm, EXACT, rounds=2, seed=5, participation=taking)
    for number in (1, 2):
        source = RandomSource(5, number)
        tickets = source.generator("participation", 0).integers(3, size=4)
        counts: Counter[int] = Counter()
        sent = []
        for device in tickets:
            stream = replace(source, repeat=counts[int(device)]).generator("minibatch", int(device))
            counts[int(device)] += 1
            batch = EXACT.partition.offsets[device] + stream.integers(0, int(EXACT.sizes[device]), 2)
            a = sum(EXACT.matrices[i] for i in batch) / 2 + np.diag([Fraction(1, 2)] * 2)
            g = sum(EXACT.matrices[i] @ (w - EXACT.centre) + EXACT.slopes[i] for i in batch) / 2
            (p, q), (r, s) = a
            sent.append(w - np.array([s * g[0] - q * g[1], p * g[1] - r * g[0]]) / (p * s - q * r))
        w = sum(sent) / Fraction(4)
        twice += max(counts.values()) > 1

    assert (history.model == w).all()
    assert twice > 0
    assert history.uplink_bits == (4 * 64 * 2,) * 2


def test_a_device_drawn_again_draws_again() -> None:
    """It stands in the cohort as often, its first draws are those it has alone, and the others are others."""
    for solver in (GRADIENT, StochasticGradient("1/8", 2, 3), ShuffledEpochs("1/8", 2, 3)):
        algorithm = mspp(3, solver)
        several = algorithm.draw(EQUAL, np.array([4, 1, 4, 4]), RandomSource(2, 7))
        alone = algorithm.draw(EQUAL, np.array([4]), RandomSource(2, 7))
        for purpose, found in several.items():
            assert (found[0] == alone[purpose][0]).all()
            assert len({tuple(found[n].ravel()) for n in (0, 2, 3)}) == 3
    cohort = Participation(5, True, "uniform", "plain").draw(EXACT, RandomSource(0, 1), apart=True)
    assert len(cohort.clients) == 5
    assert set(cohort.weights) == {Fraction(1, 5)}


@pytest.mark.parametrize("average", ["size", "plain", "scaled"])
def test_apart_is_the_same_average(average: str) -> None:
    """Of models that are not drawn apart the average is the one of distinct clients, in fractions."""
    taking = Participation(6, True, "uniform", average)
    models = random_quadratic(0, n_clients=3, dimension=2).client_slopes
    for seed in range(5):
        one, other = (taking.draw(EXACT, RandomSource(seed, 1), apart) for apart in (False, True))
        assert (one.weights @ models[one.clients] == other.weights @ models[other.clients]).all()
        assert sorted(set(other.clients.tolist())) == one.clients.tolist()


def test_full_batches_are_fedprox() -> None:
    """Without a batch size to the bit; with b = N_m distinct samples to the bit where Newton steps go."""
    for method in METHODS:
        oracle = ToSuboptimality("1e-10", method)
        prox = run(FedProx(Fraction(1, 2), local_solver=oracle), EQUAL, rounds=3)
        whole = run(mspp(None, oracle), EQUAL, rounds=3)
        every = run(mspp(12, oracle, sampler="distinct"), EQUAL, rounds=3)

        assert (whole.model == prox.model).all()
        assert (whole.metrics, whole.gradients) == (prox.metrics, prox.gradients)
        if method == "newton":
            assert (every.model == prox.model).all()
            assert (every.metrics, every.gradients) == (prox.metrics, prox.gradients)
        else:  # the step is that of the roughest sample: models agree to what the certificates allow
            apart = 2 * np.sqrt(2 * 1e-10 / 0.5)
            assert 0 < np.linalg.norm(every.model - prox.model) < 3 * apart


def test_all_devices_without_replacement_are_full_participation() -> None:
    """I = M distinct devices, averaged plainly, are all of them, to the bit."""
    runs = [run(mspp(4), EQUAL, rounds=2, participation=Participation(count, average="plain"))
            for count in (None, 6)]  # fmt: skip
    assert (runs[0].model == runs[1].model).all()
    assert runs[0].metrics == runs[1].metrics


@pytest.mark.parametrize("sampler", ["uniform", "distinct"])
def test_the_minibatch_gradient_is_unbiased(sampler: str) -> None:
    """The mean over all minibatches of a step along their gradients is the step along grad F_n, exactly."""
    x = EXACT.start()
    for n, b in product(range(3), (1, 2)):
        mean = expectation(mspp(b, GRADIENT, sampler=sampler), EXACT, x, n, lambda models: models)
        assert (mean == x - EXACT.client_gradients(x[None], np.array([n]))[0] / 4).all()


def test_every_set_is_drawn_equally_often() -> None:
    """Over all draws of "distinct" each of the subsets comes up alike, and "uniform" has all sequences."""
    for size, b in ((4, 1), (4, 2), (5, 3), (3, 3)):
        numbers = np.array(list(product(*(range(size - b + 1 + j) for j in range(b)))))
        found = Counter(map(tuple, distinct(numbers, np.full(len(numbers), size)).tolist()))
        assert set(found) == set(combinations(range(size), b))
        assert len(set(found.values())) == 1
    outcomes = np.concatenate(list(local_outcomes(mspp(2, GRADIENT), EXACT, EXACT.start(), 1)))
    assert len(outcomes) == 9


@dataclass(frozen=True)
class Single:
    """What `Exactly` reads of a problem, for one minibatch."""

    name: ClassVar[str] = "single"

    features: Any
    labels: Any
    partition: Any
    model: Any
    regulariser: Any


@MODELS
@pytest.mark.parametrize("method", METHODS)
def test_certificates_of_minibatches_are_true(model: Any, method: str) -> None:
    """Q_B(u) - min Q_B <= certificate <= eps on each minibatch's own rows, minima in sixty digits."""
    for seed in range(4):
        problem, rng = drawn(seed, model), np.random.default_rng(seed)
        ids, samples = np.array([1, 1, 2]), rng.integers(0, 4, (3, 3))
        eps, mu, w = float(10 ** rng.uniform(-14, -1)), 0.5, rng.standard_normal(problem.dimension)
        algorithm = FedMSPP(mu, 3, local_solver=ToSuboptimality(eps, method, 20_000))
        local = algorithm.local(problem, ModelState(w), ids, {"minibatch": samples})
        assert local.suboptimality is not None
        with mpmath.workdps(60):
            for j, client in enumerate(ids):
                rows = problem.partition.offsets[client] + samples[j]
                x, y = problem.features[rows], problem.labels[rows]
                single: Any = Single(x, y, Partition.of_sizes([3]), model, problem.regulariser)
                exact, u = Exactly(single, 0, w, mu), local.models[j]
                truth = exact.value(*(mpmath.mpf(float(v)) for v in u)) - exact.least(u)
                assert truth <= local.suboptimality[j] <= eps


@pytest.mark.parametrize("model", [*SMOOTH, Huber(), Cauchy()], ids=lambda m: m.name)
def test_minibatches_are_clients_with_those_rows(model: Any) -> None:
    """Gradients, losses and Hessian products are means over the rows; bounds hold for each."""
    problem, ids = drawn(2, model), np.array([2, 0, 2])
    samples, rng = np.array([[0, 0, 3], [1, 0, 1], [2, 1, 0]]), np.random.default_rng(0)
    batches = minibatches(problem, ids, samples)
    w, v = rng.standard_normal((2, 3, problem.dimension))
    one = replace(problem, partition=Partition.of_sizes([1] * 11))
    rows = problem.partition.offsets[ids][:, None] + samples
    for name, given in (("client_gradients", (w,)), ("client_losses", (w,)), ("hessian_products", (w, v))):
        each = [getattr(one, name)(*given, rows[:, i]) for i in range(3)]
        assert np.allclose(getattr(batches, name)(*given, np.arange(3)), sum(each) / 3, rtol=1e-12)
    assert np.allclose(batches.client_gradients(w, np.arange(3)), problem.sample_gradients(w, ids, samples))
    assert batches.sizes.tolist() == [3, 3, 3]
    values = [np.linalg.eigvalsh(np.stack([batches.hessian_products(w, np.tile(e, (3, 1)), np.arange(3))
              for e in np.eye(problem.dimension)], axis=1))]  # fmt: skip
    assert np.min(values) >= float(batches.least_curvature.value) - 1e-9
    assert np.max(np.abs(values)) <= float(batches.constants["smoothness"].value) * (1 + 1e-9)


def test_minibatches_of_quadratics_bound_their_curvature() -> None:
    """The client's mean is convex where a sample is not: a minibatch is judged by its samples."""
    bent = Quadratic.of([[[-1]], [[3]]], [[0], [0]], sizes=[2])
    batches = minibatches(bent, np.array([0]), np.array([[0, 0]]))
    for found, least in ((bent.least_curvature, 1), (batches.least_curvature, -1)):
        assert least - Fraction(1, 10**8) <= found.value <= least
    assert batches.constants["weak_convexity"].value == -batches.least_curvature.value
    refused(InputError, "prox_weight: got 1.*eta < 1 / nu", run, mspp(1, mu=1), bent, 1)
    assert run(mspp(1, mu=2), bent, 1).rounds == 1
    for problem in (EXACT, EXACT.as_float()):
        least = minibatches(problem, np.array([0]), np.array([[1]])).least_curvature.value
        assert least <= min(np.linalg.eigvalsh(m.astype(float))[0] for m in EXACT.matrices) + 1e-9


def test_blocks_and_workers_change_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Minibatches of a client are its own, whichever others are solved beside it."""
    taking = Participation(40, True, "uniform", "plain")
    monkeypatch.setattr("fedproof.solvers.local.to_suboptimality.MOST_DENSE", 0)  # auto is not newton
    for method in (*METHODS, "auto"):
        one = run(mspp(5, ToSuboptimality("1e-6", method)), EQUAL, rounds=2, participation=taking)
        with monkeypatch.context() as patch:
            patch.setattr("fedproof.solvers.blocks.LEAST_WORK", 1)
            patch.setattr("fedproof.solvers.blocks._NUMBERS", 1)
            other = run(mspp(5, ToSuboptimality("1e-6", method)), EQUAL, rounds=2, participation=taking,
                        workers=2)  # fmt: skip
        assert (one.model == other.model).all()
        assert one.to_dict() == other.to_dict()


class Counted:
    """A problem that counts samples whose gradients or Hessians are asked for."""

    def __init__(self, problem: Any) -> None:
        self.problem, self.spent = problem, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.problem, name)

    def minibatches(self, clients: Any, samples: Any) -> Any:
        """Counted too, into the same sum."""
        inner = Counted(self.problem.minibatches(clients, samples))
        inner.count = self.count  # type: ignore[method-assign]
        return inner

    def count(self, number: int) -> None:
        """So many more."""
        self.spent += number

    def client_gradients(self, models: Any, clients: Any) -> Any:
        """The problem's."""
        self.count(int(self.problem.sizes[clients].sum()))
        return self.problem.client_gradients(models, clients)

    def client_hessians(self, models: Any, clients: Any) -> Any:
        """The problem's; a pass for a Hessian counts as one."""
        self.count(int(self.problem.sizes[clients].sum()))
        return self.problem.client_hessians(models, clients)

    def hessian_solutions(self, models: Any, right: Any, shift: float, clients: Any) -> Any:
        """The problem's, which counts where it is no more than a question."""
        found = self.problem.hessian_solutions(models, right, shift, clients)
        self.count(0 if found is None else int(self.problem.sizes[clients].sum()))
        return found


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kernel", ["numpy", "auto"])
@pytest.mark.parametrize("batch", [None, 4])
def test_gradients_are_those_that_were_spent(batch: int | None, kernel: str, method: str) -> None:
    """The record has the passes that were made, below what `work` says is the most there can be."""
    problem = with_kernel(make_problem("breast_cancer", 5, options={"model": "logistic"}), kernel)
    algorithm = mspp(batch, ToSuboptimality("1e-6", method))
    counted: Any = Counted(problem)
    cohort = Cohort.of(problem)
    draws = algorithm.draw(problem, cohort.clients, RandomSource(0, 1))
    _, trace = algorithm.round(counted, ModelState(problem.start()), cohort, draws)

    assert counted.spent == trace.gradients.sum()
    assert run(algorithm, problem, 1).gradients == (counted.spent,)
    assert (trace.gradients <= algorithm.work(problem, cohort.clients, draws)).all()


def test_what_cannot_be_drawn_is_refused() -> None:
    """More distinct samples than a client has, a problem without samples, no eps: one line each."""
    refused(InputError, "batch_size: got 3, expected at most 2, for client 0 has 2 samples", run,
            mspp(3, sampler="distinct"), EXACT, 1)  # fmt: skip
    assert run(mspp(3), EXACT, 1).rounds == 1

    class Bare:
        """Only a name."""

        name = "bare"

    refused(
        InputError, "problem: got bare, expected one that has minibatches", minibatches, Bare(), None, None
    )
    with pytest.raises(InputError, match="no suboptimality"):
        verb("fedmspp", "quadratic", rounds=1)


def test_the_shell(capsys: pytest.CaptureFixture[str]) -> None:
    """The paper's sampling from the shell: certificates in the record, bad options in one line."""
    command = ["run", "fedmspp", "eps=1e-8", "mu=0.1", "--problem", "breast_cancer", "--rounds", "2"]
    flags = ["--cohort", "5", "--replacement", "--average", "plain", "--json", "--quiet"]
    assert main([*command, "b=8", *flags]) == 0
    said = capsys.readouterr().out
    assert '"batch_size": 8' in said
    assert '"unsolved": [\n' in said
    assert main([*command, "sampler=distinct", "b=9999", *flags]) == 2
    assert "batch_size: got 9999, expected at most" in capsys.readouterr().err
