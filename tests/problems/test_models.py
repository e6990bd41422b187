"""Facts that every model and every regulariser obeys, over all that the package discovers."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace
from fractions import Fraction
from importlib import resources
from typing import Any

import numpy as np
import pytest

from fedproof.problems.problem import Array, Problem
from fedproof.problems.supervised.concave_penalties import MCP, SCAD
from fedproof.problems.supervised.model import Model
from fedproof.problems.supervised.model_options import make_model, model_names, option_defaults
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.regularisers import L2, Nonconvex, Regulariser, Sum
from fedproof.problems.supervised.supervised import HeldOut, Supervised
from fedproof.vocabulary.errors import DataError, InputError, UnknownName
from tests.refusals import refused

RNG = np.random.default_rng(7)
SIZES = [2, 5, 1, 4, 2]
ROWS = sum(SIZES)
COLUMNS = {"cnn": 16}
CLASSES = {"logistic": 2, "hinge": 2, "least_squares": 0, "huber": 0, "cauchy": 0, "absolute": 0}
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "perceptron": [{"hidden": 3}, {"hidden": 2, "activation": "softplus"}],
    "cnn": [{"channels": "2,2", "kernel": 3}, {"channels": "2,1", "kernel": 1, "dense": "3"}],
}


def models() -> list[Any]:
    """Every model that can be made here, once with each of its choices."""
    made = []
    for name in model_names():
        for options in OPTIONS.get(name, [{}]):
            try:
                made.append(make_model(name, CLASSES.get(name, 3), COLUMNS.get(name, P), options))
            except InputError as error:
                if "extra" not in str(error):
                    raise
    return made


P = 4
MODELS = models()
SMOOTH = [model for model in MODELS if not getattr(model, "kinked", False)]
each = pytest.mark.parametrize("model", MODELS, ids=lambda m: m.name)
each_smooth = pytest.mark.parametrize("model", SMOOTH, ids=lambda m: m.name)
REGULARISERS: list[Any] = [L2("0.3"), Nonconvex("0.7"), Sum(L2("0.1"), Nonconvex("0.7"))]
FLATTENING: list[Any] = [MCP("0.7"), MCP("0.2", gamma="1/2"), SCAD("0.7"), SCAD("0.2", a="9/4")]
each_regulariser = pytest.mark.parametrize("regulariser", REGULARISERS, ids=lambda r: r.text)


def rows_for(model: Any, rows: int = ROWS) -> tuple[Array, Array]:
    """Features with a bias, and labels that the model accepts."""
    x = RNG.standard_normal((rows, COLUMNS.get(model.name, P)))
    x[:, -1] = 1
    classes = CLASSES.get(model.name, 3)
    return x, (RNG.integers(0, classes, rows) if classes else RNG.standard_normal(rows))


def problem_of(model: Any, regulariser: Regulariser | None = None) -> Supervised:
    """Five clients of different sizes."""
    return Supervised(model, *rows_for(model), Partition.of_sizes(SIZES), model.name, regulariser)


def point(problem: Supervised, *lead: int) -> Array:
    """Random parameters (*lead, d)."""
    return RNG.standard_normal((*lead, problem.dimension))


def differences(f: Any, at: Array, h: float = 1e-5) -> Array:
    """Central differences of f along every axis, along the last axis of the result."""
    return np.stack([(f(at + h * e) - f(at - h * e)) / (2 * h) for e in np.eye(len(at))], axis=-1)


def hessian(problem: Supervised, at: Array) -> Array:
    """The whole Hessian at one point."""
    return problem.hessian_product(at, np.eye(problem.dimension))


def test_every_file_is_covered() -> None:
    """The suite ran over every file of the models folder."""
    files = {
        p.name.removesuffix(".py") for p in resources.files("fedproof.problems.supervised.models").iterdir()
    }

    assert {n for n in files if not n.startswith("_")} <= {m.name for m in MODELS}
    assert len(MODELS) >= 5


@each
def test_shape(model: Any) -> None:
    """A frozen model under the name of its file, with a start of its dimension; a Supervised is a Problem."""
    problem = problem_of(model)

    assert isinstance(model, Model)
    assert isinstance(problem, Problem)
    assert model.name in model_names()
    assert problem.start().shape == (problem.dimension,)
    with pytest.raises((FrozenInstanceError, AttributeError)):
        model.classes = 5


@each
def test_the_start_is_fixed(model: Any) -> None:
    """Two models of the same description start at the same point, which is theirs to change."""
    first, second = (model.start(COLUMNS.get(model.name, P)) for _ in range(2))

    assert (first == second).all()
    assert first.flags.writeable
    assert not np.shares_memory(first, second)


@each
def test_gradients_are_differences_of_losses(model: Any) -> None:
    """Client and global gradients agree with central differences of the losses to 1e-8."""
    problem = problem_of(model)
    w, everyone = point(problem), np.arange(5)

    def all_at(v: Array) -> Array:
        return np.repeat(v[None], 5, axis=0)

    numeric = differences(lambda v: problem.client_losses(all_at(v), everyone), w)
    assert np.allclose(problem.client_gradients(all_at(w), everyone), numeric, atol=1e-8)
    assert np.allclose(problem.gradient(w), differences(problem.loss, w), atol=1e-8)


@each_smooth
def test_hessian_products_are_differences_of_gradients(model: Any) -> None:
    """Hessian products agree with central differences of gradients; the Hessian is symmetric."""
    problem = problem_of(model)
    w, everyone = point(problem), np.arange(5)
    v = point(problem, 2, 5)
    at = np.repeat(w[None], 5, axis=0)
    numeric = differences(lambda u: problem.client_gradients(np.repeat(u[None], 5, axis=0), everyone), w)
    whole = hessian(problem, w)

    assert np.allclose(
        problem.hessian_products(at, v, everyone), np.einsum("kij,skj->ski", numeric, v), atol=1e-7
    )
    assert np.allclose(whole, differences(problem.gradient, w), atol=1e-7)
    assert np.allclose(whole, whole.T, rtol=1e-13, atol=1e-15)


@each
def test_each_client_at_its_own_point(model: Any) -> None:
    """Clients with models of their own, in any order and repeated, get what each gets alone."""
    problem = problem_of(model)
    ids = np.array([3, 0, 3, 1])
    w, v = point(problem, 4), point(problem, 4)
    samples = np.array([[0, 3, 1], [1, 1, 0], [2, 2, 2], [4, 0, 1]])

    for i, n in enumerate(ids):
        own = slice(i, i + 1)
        a, b = problem.partition.offsets[n : n + 2]
        alone = Supervised(model, problem.features[a:b], problem.labels[a:b], Partition.of_sizes([b - a]))
        chosen = a + samples[i]
        part = Supervised(model, problem.features[chosen], problem.labels[chosen], Partition.of_sizes([3]))
        assert problem.client_losses(w, ids)[i] == pytest.approx(alone.loss(w[i]), rel=1e-13)
        assert np.allclose(problem.client_gradients(w, ids)[i], alone.gradient(w[i]), rtol=1e-12, atol=1e-14)
        assert np.allclose(problem.sample_gradients(w, ids, samples)[i], part.gradient(w[i]), atol=1e-13)
        if model not in SMOOTH:
            continue
        products = problem.hessian_products(w, v, ids)[i]
        assert np.allclose(products, alone.hessian_product(w[i], v[own])[0], rtol=1e-12, atol=1e-14)


@each
def test_points_share_a_pass(model: Any) -> None:
    """Stacked points, with any number of leading axes, give what separate calls give."""
    problem = problem_of(model)
    w, ids = point(problem, 2, 3, 5), np.arange(5)
    samples = RNG.integers(0, 1, (5, 2))
    calls: list[Any] = [
        lambda u: problem.sample_gradients(u, ids, samples),
        lambda u: problem.client_gradients(u, ids),
        lambda u: problem.client_losses(u, ids),
    ]
    if model in SMOOTH:
        calls.append(lambda u: problem.hessian_products(w[0, 0], u, ids))
    for call in calls:
        apart = np.stack([[call(w[i, j]) for j in range(3)] for i in range(2)])
        assert np.allclose(call(w), apart, rtol=1e-12, atol=1e-14)


@each
def test_the_weighted_mean_of_the_clients_is_the_whole(model: Any) -> None:
    """Losses, gradients and Hessian products of the clients, weighted by size, average to the global ones."""
    problem = problem_of(model)
    w, v, ids = point(problem), point(problem), np.arange(5)
    at, along = (np.repeat(a[None], 5, axis=0) for a in (w, v))
    weights = problem.sizes / ROWS

    assert weights @ problem.client_losses(at, ids) == pytest.approx(problem.loss(w), rel=1e-13)
    assert np.allclose(weights @ problem.client_gradients(at, ids), problem.gradient(w), atol=1e-13)
    if model in SMOOTH:
        products = problem.hessian_products(at, along, ids)
        assert np.allclose(weights @ products, problem.hessian_product(w, v), atol=1e-13)


@each
def test_constants_bound_sampled_hessians(model: Any) -> None:
    """No sampled Hessian leaves the range that the constants allow; a constant that is not known is None."""
    problem = problem_of(model)
    known = problem.constants
    for name, parts in (("smoothness_sample", [1] * ROWS), ("smoothness", SIZES)):
        split = replace(problem, partition=Partition.of_sizes(parts))
        if known[name].value is None:
            continue
        for _ in range(5):
            at = np.repeat(3 * point(problem)[None], len(parts), axis=0)
            eye = np.broadcast_to(np.eye(problem.dimension)[:, None], (problem.dimension, *at.shape))
            matrices = np.moveaxis(split.hessian_products(at, eye, np.arange(len(parts))), 0, 1)
            values = np.linalg.eigvalsh(matrices)
            assert values.max() <= known[name].value * (1 + 1e-12)
            assert values.min() >= -float(known["weak_convexity"].value) - 1e-12
    unknown = {name for name, c in known.items() if (c.value is None) != (c.kind == "estimate")}
    none = {"smoothness_sample", "smoothness"} if model not in SMOOTH else set()
    assert unknown == none | ({"lipschitz_sample"} if getattr(model, "steep", False) else set())
    assert problem.loss(point(problem)) >= known["least_loss"].value


@each
def test_large_models_do_not_overflow(model: Any) -> None:
    """At |w| = 1e3 losses, gradients and Hessian products are finite, without a warning."""
    problem = problem_of(model, Nonconvex(1))
    w = point(problem)
    w *= 1e3 / np.linalg.norm(w)

    bent = [problem.hessian_product(w, w)] if model in SMOOTH else []
    for found in (problem.loss(w), problem.gradient(w), *bent):
        assert np.isfinite(found).all()


@each
def test_input_is_left_as_it_was(model: Any) -> None:
    """Nothing writes into features, labels, parameters or vectors."""
    problem = problem_of(model)
    w, v, ids = point(problem, 5), point(problem, 5), np.arange(5)
    for array in (problem.features, problem.labels, w, v):
        array.flags.writeable = False

    problem.client_losses(w, ids)
    problem.client_gradients(w, ids)
    problem.sample_gradients(w, ids, np.zeros((5, 2), int))
    if model in SMOOTH:
        problem.hessian_products(w, v, ids)
    assert len(model.predictions(w[0], problem.features)) == ROWS


@each
def test_bad_labels_are_refused_by_row(model: Any) -> None:
    """Classes outside the range and targets that are not finite are told with file and row."""
    x, y = rows_for(model)
    worst = 99 if y.dtype.kind == "i" else np.nan
    for bad in (worst, -1) if y.dtype.kind == "i" else (worst, np.inf):
        spoilt = y.copy()
        spoilt[3] = bad
        with pytest.raises(DataError, match="toy: got row 3 with"):
            Supervised(model, x, spoilt, Partition.of_sizes(SIZES), "toy")
    refused(DataError, "labels of type", model.check, np.array(["0", "1"]), "toy")
    if y.dtype.kind == "i":
        for wrong in (y.astype(float), y == 1):
            refused(DataError, "number the classes", model.check, wrong, "toy")


@each
def test_the_type_of_the_labels_does_not_matter(model: Any) -> None:
    """Classes in any whole type, targets in any float type: the same losses and derivatives."""
    problem = problem_of(model)
    w, v = point(problem), point(problem)
    exact = problem.labels if problem.labels.dtype.kind == "i" else np.round(4 * problem.labels) / 4
    kinds = "int8 uint8 int32 uint64" if exact.dtype.kind == "i" else "float32 float16"
    problem = replace(problem, labels=exact)
    for kind in kinds.split():
        other = replace(problem, labels=exact.astype(kind))
        assert other.loss(w) == problem.loss(w)
        assert (other.gradient(w) == problem.gradient(w)).all()
        if model in SMOOTH:
            assert (other.hessian_product(w, v) == problem.hessian_product(w, v)).all()
        assert other.accuracy(w) == problem.accuracy(w)


@each
def test_predictions(model: Any) -> None:
    """The predicted class has the least loss; a predicted value has loss 0."""
    problem = problem_of(model)
    w = point(problem)
    guess = model.predictions(w, problem.features)
    losses = model.losses(w[None], problem.features[None], guess[None])[0]

    if guess.dtype.kind == "i":
        others = [
            model.losses(w[None], problem.features[None], np.full((1, ROWS), c))[0]
            for c in range(CLASSES.get(model.name, 3))
        ]
        assert np.allclose(losses, np.min(others, axis=0), rtol=1e-14)
        assert problem.accuracy(w) == np.mean(guess == problem.labels)
    else:
        assert np.allclose(losses, 0)
        assert problem.accuracy(w) is None


@each
@each_regulariser
def test_a_regulariser_is_added_to_everything(model: Any, regulariser: Any) -> None:
    """Losses, gradients, Hessian products and constants are the model's plus the regulariser's."""
    plain = problem_of(model)
    problem = replace(plain, regulariser=regulariser, held_out=HeldOut(plain.features, plain.labels))
    w, v, ids = point(problem, 5), point(problem, 2, 5), np.arange(5)
    bent = regulariser.curvature(w) * v

    assert np.allclose(problem.client_losses(w, ids) - plain.client_losses(w, ids), regulariser.value(w))
    for found, without in (
        (problem.client_gradients(w, ids), plain.client_gradients(w, ids)),
        (
            problem.sample_gradients(w, ids, ids[:, None] * 0),
            plain.sample_gradients(w, ids, ids[:, None] * 0),
        ),
    ):
        assert np.allclose(found - without, regulariser.gradient(w))
    if model in SMOOTH:
        assert np.allclose(problem.hessian_products(w, v, ids) - plain.hessian_products(w, v, ids), bent)
    assert np.allclose(differences(problem.loss, w[0]), problem.gradient(w[0]), atol=1e-8)
    assert problem.test_loss(w[0]) == pytest.approx(plain.loss(w[0]))
    for name in ("smoothness_sample", "smoothness"):
        one, other = problem.constants[name].value, plain.constants[name].value
        assert (one is None) == (other is None)
        assert one is None or Fraction(one) >= Fraction(other) + regulariser.smoothness


@pytest.mark.parametrize("regulariser", [*REGULARISERS, *FLATTENING], ids=lambda r: r.text)
def test_regularisers_by_differences(regulariser: Regulariser) -> None:
    """Gradient and curvature are the differences of value and gradient, entry by entry."""
    w = np.concatenate([np.linspace(-3, 3.01, 13), [0.99, -1.01, 40]])
    slopes = differences(regulariser.value, w)
    bends = differences(regulariser.gradient, w)

    assert isinstance(regulariser, Regulariser)
    assert np.allclose(regulariser.gradient(w), slopes, atol=1e-8)
    assert np.allclose(np.diag(regulariser.curvature(w)), bends, atol=1e-8)
    assert (regulariser.value(np.stack([w, 2 * w])) == [regulariser.value(w), regulariser.value(2 * w)]).all()


@each_regulariser
def test_extremes_of_curvature_are_attained(regulariser: Any) -> None:
    """No second derivative leaves the declared range; its ends are reached at 1 (least) and 0 (largest)."""
    bends = regulariser.curvature(np.linspace(-6, 6, 100_001))

    assert bends.min() >= float(regulariser.least_curvature) - 1e-15
    assert np.abs(bends).max() <= float(regulariser.smoothness) + 1e-15
    assert regulariser.curvature(np.ones(1))[0] == pytest.approx(
        float(regulariser.least_curvature), rel=1e-14
    )
    assert regulariser.curvature(np.zeros(1))[0] == pytest.approx(float(regulariser.smoothness), rel=1e-14)


@pytest.mark.parametrize("regulariser", FLATTENING, ids=lambda r: r.text)
def test_flattening_regularisers_are_convex_plus_just_so_much(regulariser: Any) -> None:
    """r + k w^2 / 2 has rising slopes at k = -least_curvature, and falling ones for any k below it."""
    w = np.linspace(-6, 6, 24_001)
    slopes = regulariser.gradient(w)
    k = -float(regulariser.least_curvature)

    assert (np.diff(slopes + k * w) >= -1e-12).all()
    assert (np.diff(slopes + 0.99 * k * w) < -1e-9).any()
    steepest = np.square(slopes).max()
    assert steepest * (1 - 1e-12) <= float(regulariser.slope_square) <= 1.03 * steepest
    assert regulariser.value(np.zeros(1)) == regulariser.gradient(np.zeros(1))[0] == 0
    assert regulariser.value(np.full(3, 1e9)) == pytest.approx(3 * float(flat_level(regulariser)), rel=1e-14)
    assert regulariser.smoothness is None


def flat_level(regulariser: Any) -> Fraction:
    """The value far from 0: gamma weight^2 / 2 of MCP, (a + 1) weight^2 / 2 of SCAD."""
    weight = Fraction(regulariser.weight)
    if isinstance(regulariser, MCP):
        return Fraction(regulariser.gamma) * weight**2 / 2
    return (Fraction(regulariser.a) + 1) * weight**2 / 2


def test_weights_must_make_sense() -> None:
    """A weight that is negative or no number is refused."""
    for kind in (L2, Nonconvex):
        refused(InputError, "weight", kind, -1)
        refused(InputError, "weight", kind, "much")


def test_models_by_name() -> None:
    """An unknown model or option is told with what is known; options may be text."""
    assert make_model("perceptron", 3, P, {"hidden": "7"}).dimension(P) == 7 * P + 3 * 8
    assert option_defaults("logistic") == {}
    refused(UnknownName, "did you mean softmax", make_model, "sofmax", 3, P)
    refused(UnknownName, "did you mean hidden", make_model, "perceptron", 3, P, {"hiden": 3})
    refused(UnknownName, "activation", make_model, "perceptron", 3, P, {"activation": "tan"})
    for bad in (0, "3/2", -1, 10**9, True):
        refused(InputError, "hidden", make_model, "perceptron", 3, P, {"hidden": bad})
    refused(InputError, "use model=softmax", make_model, "logistic", 3, P)
    refused(InputError, "least_squares", make_model("softmax", 0, P).check, np.array([0, 1]), "toy")
