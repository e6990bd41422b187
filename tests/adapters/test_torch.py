"""PyTorch modules as problems, against finite differences and our own models in NumPy."""

from __future__ import annotations

import pickle
import re
import runpy
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fedproof.adapters.models.cnn import cnn, paper_cnn
from fedproof.adapters.torch import TorchModel, torch_problem
from fedproof.problems.catalog import make_problem
from fedproof.problems.problem import Array, Problem
from fedproof.problems.supervised.model import Model
from fedproof.problems.supervised.models.least_squares import LeastSquares
from fedproof.problems.supervised.models.perceptron import Perceptron
from fedproof.problems.supervised.models.softmax import Softmax
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.regularisers import Nonconvex
from fedproof.problems.supervised.supervised import HeldOut, Supervised
from fedproof.solvers.algorithms.fedavg import FedAvg
from fedproof.solvers.algorithms.fedproxvr import FedProxVR
from fedproof.solvers.driver import run
from fedproof.vocabulary.errors import DataError, InputError
from tests.refusals import refused

torch = pytest.importorskip("torch", reason="the extra torch is not installed; `make torch` runs these")
nn = torch.nn

RNG = np.random.default_rng(5)
SIZES = [3, 4, 5]
CLIENTS = Partition.of_sizes(SIZES)
CLASSES = RNG.integers(0, 3, 12)
X = RNG.standard_normal((12, 6))


class TwoLayers(nn.Module):  # type: ignore[misc]
    """The perceptron: its parameters lie in the order of ours."""

    def __init__(self, activation: Any) -> None:
        super().__init__()
        self.inner, self.outer = nn.Linear(6, 4, bias=False), nn.Linear(4, 3)
        self.activation = activation

    def forward(self, x: Any) -> Any:
        """Scores."""
        return self.outer(self.activation(self.inner(x)))


def small_cnn() -> Any:
    """The paper's network on 8 x 8 images, with few channels."""
    return paper_cnn((1, 8, 8), 3, channels=(2, 3), kernel=3)


def images(module: Any = None, **options: Any) -> Supervised:
    """Twelve random images at three clients."""
    x = np.random.default_rng(1).standard_normal((12, 1, 8, 8))
    return torch_problem(module or small_cnn(), (1, 8, 8), 3, x, CLASSES, SIZES, **options)


PAIRS = {
    "softmax": (lambda: nn.Linear(6, 3, bias=False), Softmax(3), CLASSES),
    "tanh": (lambda: TwoLayers(nn.Tanh()), Perceptron(3, hidden=4), CLASSES),
    "softplus": (lambda: TwoLayers(nn.Softplus()), Perceptron(3, hidden=4, activation="softplus"), CLASSES),
    "least_squares": (lambda: nn.Linear(6, 1, bias=False), LeastSquares(), RNG.standard_normal(12)),
}


def pair(name: str) -> tuple[Supervised, Supervised]:
    """The same problem by PyTorch and by us."""
    make, ours, labels = PAIRS[name]
    classes = 3 if labels.dtype.kind == "i" else 0
    theirs = torch_problem(make(), (6,), classes, X, labels, SIZES)
    return theirs, Supervised(ours, X, labels, CLIENTS)


@pytest.mark.parametrize("name", PAIRS)
def test_the_same_model_in_numpy_agrees(name: str) -> None:
    """Losses, gradients, Hessian products and predictions equal our own models' to 1e-12."""
    theirs, ours = pair(name)
    w, v = RNG.standard_normal((2, 3, ours.dimension)), RNG.standard_normal((2, 3, ours.dimension))
    ids, samples = np.array([2, 0, 1]), RNG.integers(0, 3, (3, 4))

    for call in (
        lambda p: p.client_losses(w, ids),
        lambda p: p.client_gradients(w, ids),
        lambda p: p.sample_gradients(w, ids, samples),
        lambda p: p.hessian_products(w[0], v, ids),
        lambda p: p.hessian_product(w[0, 0], v[:, 0]),
        lambda p: p.loss(w[0, 0]),
        lambda p: p.gradient(w[0, 0]),
        lambda p: p.model.predictions(w[0, 0], X),
    ):
        assert np.allclose(call(theirs), call(ours), rtol=1e-12, atol=1e-12)
    assert theirs.accuracy(w[0, 0]) == ours.accuracy(w[0, 0])


@pytest.mark.parametrize("name", ["softmax", "tanh"])
@pytest.mark.parametrize(
    "algorithm",
    [
        FedAvg(Fraction(1, 5), 5, 2),
        FedProxVR(stepsize=Fraction(1, 5), local_steps=5, batch_size=2, prox_weight=1),
    ],
    ids=lambda a: a.name,
)
def test_a_run_equals_ours(name: str, algorithm: Any) -> None:
    """Five rounds of an algorithm from the same start end in the same model to 1e-10."""
    theirs, ours = pair(name)
    start = ours.model.start(6) + 0.1
    one, other = (run(algorithm, p, 5, 1, x0=start, metrics=("loss", "accuracy")) for p in (theirs, ours))

    assert np.allclose(one.model, other.model, rtol=1e-10, atol=1e-12)
    assert np.allclose(one.metrics["loss"], other.metrics["loss"], rtol=1e-10)
    assert one.metrics["accuracy"] == other.metrics["accuracy"]


def test_the_cnn_by_differences() -> None:
    """Gradients and Hessian products of the network are central differences, client by client."""
    problem = images(regulariser=Nonconvex("0.1"))
    d, h = problem.dimension, 1e-6
    w, v = problem.start(), RNG.standard_normal(problem.dimension)
    at = np.repeat(w[None], 3, axis=0)
    ids = np.arange(3)
    steps = h * np.eye(d)[:, None]
    numeric = (problem.client_losses(at + steps, ids) - problem.client_losses(at - steps, ids)) / (2 * h)
    along = np.repeat(v[None], 3, axis=0)
    bent = (problem.client_gradients(at + h * along, ids) - problem.client_gradients(at - h * along, ids)) / (
        2 * h
    )

    assert np.allclose(problem.client_gradients(at, ids), numeric.T, atol=1e-7)
    assert np.allclose(problem.hessian_products(at, along, ids), bent, atol=1e-6)
    assert np.allclose(
        problem.gradient(w), problem.sizes @ problem.client_gradients(at, ids) / 12, atol=1e-14
    )


def test_the_cnn_is_the_papers() -> None:
    """On 28 x 28 pixels: 5 x 5 windows, 32 and 64 channels, two poolings, a linear layer; seeded."""
    net = paper_cnn((1, 28, 28), 10)
    shapes = [tuple(p.shape) for p in net.parameters()]

    assert shapes == [(32, 1, 5, 5), (32,), (64, 32, 5, 5), (64,), (10, 64 * 7 * 7), (10,)]
    assert sum(isinstance(m, nn.MaxPool2d) for m in net) == 2
    start = cnn(10, 64).start(64)
    assert (start == cnn(10, 64).start(64)).all()
    assert (start != cnn(10, 64, model_seed="1").start(64)).any()
    assert np.std(start[832 : 832 + 64 * 800]) == pytest.approx((2 / 800) ** 0.5, rel=0.02)


def test_the_cnn_of_composite_has_its_parameters() -> None:
    """Two 3 x 3 convolutions of 32 maps, layers of 64, 32 and 10 units: 112,394 numbers, counted by hand."""
    model = cnn(10, 784, channels="32,32", kernel="3", dense="64,32")
    by_hand = (9 + 1) * 32 + (9 * 32 + 1) * 32 + (7 * 7 * 32 + 1) * 64 + (64 + 1) * 32 + (32 + 1) * 10

    assert model.dimension(784) == by_hand == 112394
    kinds = [type(part).__name__ for part in model.module]
    assert kinds[6:] == ["Flatten", "Linear", "ReLU", "Linear", "ReLU", "Linear"]
    with pytest.raises(InputError, match="dense: got 0"):
        cnn(10, 64, dense="8,0")


def test_the_cnn_by_name() -> None:
    """`model=cnn` trains on the digits: 64 pixels without a bias column, and its options are text."""
    options = {"model": "cnn", "channels": "2,3", "kernel": "3", "test_fraction": "1/4"}
    problem = make_problem("digits", 5, options=options)

    assert problem.dimension == 2 * 9 + 2 + 3 * 2 * 9 + 3 + 10 * 3 * 4 + 10
    assert isinstance(problem, Supervised)
    assert problem.held_out is not None
    assert problem.features.shape[1] == problem.held_out.features.shape[1] == 64
    history = run(FedAvg(Fraction(1, 5), 10, 16), problem, 2, 1)
    assert history.metrics["loss"][-1] < history.metrics["loss"][0]


def test_it_is_a_problem_and_a_model() -> None:
    """Both protocols are met, held-out rows and accuracy included, and training lowers the loss."""
    x = RNG.standard_normal((2, 64))
    problem = images(held_out=HeldOut(x, np.array([0, 1])))
    history = run(
        FedAvg(Fraction(1, 10), 5, 3), problem, 5, 1, metrics=("loss", "test_loss", "test_accuracy")
    )

    assert isinstance(problem, Problem)
    assert isinstance(problem.model, Model)
    assert history.metrics["loss"][-1] < 0.7 * history.metrics["loss"][0]
    assert history.metrics["test_loss"][0] > 0
    assert problem.constants["least_loss"].value == 0
    assert problem.constants["smoothness_sample"].value is None


def test_the_pass_size_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """With two samples a pass, losses, gradients and products are those of one pass."""
    problem, ids = images(), np.arange(3)
    w = problem.start() + 0.1 * RNG.standard_normal((2, 3, problem.dimension))

    def all_of() -> list[Array]:
        return [
            problem.client_losses(w, ids),
            problem.client_gradients(w, ids),
            problem.hessian_products(w[0], w, ids),
            problem.model.predictions(w[0, 0], problem.features),
        ]

    whole = all_of()
    monkeypatch.setattr("fedproof.adapters.torch._ROWS", 2)
    assert all(np.allclose(a, b, rtol=1e-12, atol=1e-14) for a, b in zip(whole, all_of(), strict=True))


def test_runs_are_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two runs, and a resumed one, agree bit for bit; threads, which share the module, change nothing."""
    monkeypatch.setattr("fedproof.solvers.blocks.LEAST_WORK", 1)
    algorithm, problem = FedAvg(Fraction(1, 10), 3, 2), images()
    whole = run(algorithm, problem, 3, 1)

    assert (whole.model == run(algorithm, images(), 3, 1).model).all()
    assert (whole.model == run(algorithm, problem, 3, 1, resume=run(algorithm, problem, 1, 1)).model).all()
    for _ in range(5):
        assert (whole.model == run(algorithm, problem, 3, 1, workers=3).model).all()


def test_the_pages_example_runs(tmp_path: Path) -> None:
    """The example of the page on models runs and lowers the loss."""
    page = (Path(__file__).parents[2] / "docs" / "models.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```py\n(.*?)^```$", page, re.M | re.S)
    (tmp_path / "example.py").write_text(block)
    history = runpy.run_path(str(tmp_path / "example.py"))["history"]

    assert history.metrics["loss"][-1] < history.metrics["loss"][0]


def test_the_users_module_is_left_alone() -> None:
    """The module keeps its type, mode and parameters, and changing it later changes no problem."""
    net = small_cnn().float().train()
    kept = [p.detach().clone() for p in net.parameters()]
    problem = images(net)
    start = problem.start()
    problem.gradient(start)

    assert net.training
    assert all(
        p.dtype == torch.float32 and torch.equal(p, k) for p, k in zip(net.parameters(), kept, strict=True)
    )
    with torch.no_grad():
        next(net.parameters()).add_(1)
    assert (problem.start() == start).all()
    start += 1
    assert (problem.start() != start).any()


def test_a_model_crosses_processes() -> None:
    """A problem survives the way to another process."""
    problem = images()
    again = pickle.loads(pickle.dumps(problem))  # noqa: S301

    assert (again.gradient(again.start()) == problem.gradient(problem.start())).all()


def test_frozen_parameters_stay() -> None:
    """Parameters without gradients are constants: the model is the others."""
    net = TwoLayers(nn.Tanh())
    net.inner.weight.requires_grad = False
    problem = torch_problem(net, (6,), 3, X, CLASSES, SIZES)

    assert problem.dimension == 3 * 4 + 3
    inner = np.tanh(X @ net.inner.weight.double().numpy().T)
    features = np.concatenate([inner, np.ones((12, 1))], axis=1)
    softmax = Supervised(Softmax(3), features, CLASSES, CLIENTS)
    w = RNG.standard_normal((3, 5))
    flat = np.concatenate([w[:, :4].ravel(), w[:, 4]])
    assert problem.loss(flat) == pytest.approx(softmax.loss(w.ravel()), rel=1e-12)


def test_a_loss_of_ones_own() -> None:
    """Any loss of outputs and labels that gives a number a sample is taken, and nothing is claimed of it."""

    def hinge(outputs: Any, labels: Any) -> Any:
        own = outputs.gather(1, labels[:, None])
        return (1 - own + outputs).relu().sum(dim=1) - 1

    problem = torch_problem(nn.Linear(6, 3, bias=False), (6,), 3, X, CLASSES, SIZES, loss=hinge)
    w = RNG.standard_normal((3, 6))
    scores = X @ w.T
    margins = np.maximum(0, 1 - scores[np.arange(12), CLASSES][:, None] + scores)
    margins[np.arange(12), CLASSES] = 0

    assert problem.loss(w.ravel()) == pytest.approx(margins.sum(axis=1).mean(), rel=1e-12)
    assert problem.constants["least_loss"].value is None


class Noisy(nn.Linear):  # type: ignore[misc]
    """Draws at every call."""

    def forward(self, x: Any) -> Any:
        """Scores with noise."""
        return super().forward(x) + torch.randn(len(x), 3)


REFUSED = [
    (lambda: nn.Sequential(nn.Linear(6, 3), nn.BatchNorm1d(3)), "BatchNorm1d 1.*use GroupNorm"),
    (lambda: nn.Sequential(nn.Linear(6, 3), nn.BatchNorm1d(3, track_running_stats=False)), "use GroupNorm"),
    (lambda: nn.Sequential(nn.Dropout(0.5), nn.Linear(6, 3)), "Dropout 0.*leave dropout out"),
    (lambda: nn.LSTM(6, 3, num_layers=2, dropout=0.1), "LSTM.*leave dropout out"),
    (lambda: Noisy(6, 3), "another loss when asked again"),
    (lambda: nn.Softmax(dim=0), "no trainable parameter"),
    (lambda: nn.Sequential(nn.Linear(6, 3), nn.Softmax(dim=0)), "depends on the other samples"),
    (lambda: nn.Linear(5, 3), "expected samples of shape"),
    (lambda: nn.Linear(6, 2), "expected samples of shape"),
    (lambda: nn.Linear, "expected a torch.nn.Module"),
]


@pytest.mark.parametrize(("make", "said"), REFUSED)
def test_modules_that_cannot_be_meant(make: Any, said: str) -> None:
    """Shared statistics, dropout, chance, wrong shapes: each is refused with its cure."""
    refused(InputError, said, TorchModel, make(), (6,), 3)


def test_other_bad_input() -> None:
    """Buffers, losses that are reduced, labels, features and shapes that do not fit are refused."""
    net, labels = nn.Linear(6, 3), CLASSES + 3 - CLASSES[0]
    refused(InputError, 'use reduction="none"', TorchModel, net, (6,), 3, nn.functional.cross_entropy)
    wide = np.ones((12, 7))
    refused(InputError, "7 columns, expected 6", torch_problem, net, (6,), 3, wide, CLASSES, SIZES)
    refused(DataError, "row 0 with label 3", torch_problem, net, (6,), 3, X, labels, SIZES)
    nowhere = np.full(12, np.nan)
    refused(DataError, "finite targets", torch_problem, nn.Linear(6, 1), (6,), 0, X, nowhere, SIZES)
    refused(InputError, "square images", cnn, 3, 30)
    refused(InputError, "odd number", cnn, 3, 64, kernel="4")
    refused(InputError, "write channels=32,64", cnn, 3, 64, channels="3")
    refused(InputError, "4 pixels", cnn, 3, 9)
    net.register_buffer("mean", torch.zeros(3))
    refused(InputError, "buffer mean", TorchModel, net, (6,), 3)
