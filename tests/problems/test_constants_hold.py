"""Constants called exact or certified hold, for features of any type and size; data too large are refused."""

from __future__ import annotations

import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fedproof.problems.catalog import make_problem
from fedproof.problems.data.dataset import Dataset
from fedproof.problems.data.describe import describe
from fedproof.problems.data.federate import federate
from fedproof.problems.problem import Array
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.problems.supervised.models.least_squares import LeastSquares
from fedproof.problems.supervised.models.logistic import Logistic
from fedproof.problems.supervised.models.perceptron import Perceptron
from fedproof.problems.supervised.models.softmax import Softmax
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.regularisers import L2, Nonconvex, Sum
from fedproof.problems.supervised.supervised import HeldOut, Supervised
from fedproof.solvers.api import run
from fedproof.vocabulary.errors import DataError, InputError
from tests.measure.toys import Sunk
from tests.refusals import refused


class Shifted(Nonconvex):
    """The non-convex regulariser about 4: its curvature is least at 3 and 5, where that about 0 is not."""

    def curvature(self, w: Array) -> Array:
        """Of each term."""
        return super().curvature(w - 4)


def squares(features: Array) -> Fraction:
    """max |x_i|^2 in fractions."""
    return max(sum((Fraction(v.item()) ** 2 for v in row), Fraction(0)) for row in features)


def problem(features: Array, model: Any = None, regulariser: Any = None) -> Supervised:
    """Two clients, labels drawn apart."""
    labels = np.random.default_rng(1).integers(0, 2, len(features))
    parts = Partition.of_sizes([len(features) // 2, len(features) - len(features) // 2])
    return Supervised(model or Logistic(), features, labels, parts, regulariser=regulariser)


@pytest.mark.parametrize("kind", ["bool", "uint8", "int16", "int32", "int64", "float16", "float32", ">f8"])
def test_features_of_any_real_type_give_the_bounds_of_their_values(kind: str) -> None:
    """8-bit squares overflow, 32-bit ones round: L and L_n are those of the numbers, in fractions."""
    values = np.random.default_rng(0).integers(0, 256, (40, 8)).astype(kind)
    found = problem(values)
    known = found.constants

    assert found.features.dtype == np.float64
    assert Fraction(known["smoothness_sample"].value) == squares(values) / 4
    exact = [
        sum((Fraction(v.item()) ** 2 for v in half.ravel()), Fraction(0)) / 80 for half in np.split(values, 2)
    ]
    assert max(exact) <= Fraction(known["smoothness"].value) <= max(exact) * (1 + Fraction(1, 10**12))


def test_rows_of_nearly_equal_length_in_single_precision() -> None:
    """The longest row by its rounded square is not the longest: L is above the longest of all."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        rows = rng.standard_normal((40, 50))
        single = (3 * rows / np.linalg.norm(rows, axis=1)[:, None]).astype(np.float32)
        assert Fraction(problem(single).constants["smoothness_sample"].value) >= squares(single) / 4


def test_features_in_double_precision_are_not_copied() -> None:
    """What lies row after row stays where it is, also what is held out; other orders are copied."""
    x, y = np.ones((6, 2)), np.array([0, 1, 0, 1, 0, 1])
    found = Supervised(Logistic(), x, y, Partition.of_sizes([6]), held_out=HeldOut(x, y))

    assert found.features is x
    assert found.held_out is not None
    assert found.held_out.features is x
    assert problem(np.asfortranarray(x)).features.flags.c_contiguous


@pytest.mark.parametrize("kind", ["complex128", "object", "U3", "M8[s]"])
def test_features_that_are_no_real_numbers_are_refused(kind: str) -> None:
    """The error names the type."""
    refused(DataError, r"features of type .*expected real numbers", problem, np.zeros((4, 2)).astype(kind))


@pytest.mark.parametrize("size", [1e-170, 1e-120, 1e140])
@pytest.mark.parametrize("rows", [20, 160])
def test_squares_that_a_float_cannot_hold_are_bounded(size: float, rows: int) -> None:
    """L of tiny and of huge rows is not below max |x_i|^2 / 4 of fractions."""
    base = size * np.random.default_rng(0).standard_normal(6)
    features = np.stack([np.random.default_rng(i).permutation(base) for i in range(rows)])
    known = problem(features).constants

    for name in ("smoothness_sample", "smoothness"):
        assert Fraction(known[name].value) >= squares(features) / 4 > 0


def test_squares_above_all_floats_are_an_error() -> None:
    """One line that names the features, not an overflow."""
    with pytest.raises(InputError, match=r"got features up to .*; scale the features"):
        _ = problem(np.full((4, 2), 1e160)).constants


def test_a_singular_quadratic_with_a_minimum_has_its_least_loss() -> None:
    """F = w_1^2 / 2 - w_1 in the plane: least -1/2; with slope along the null vector it falls without end."""
    flat = [[[1, 0], [0, 0]]] * 2
    low = Quadratic.of(flat, [[-1, 0]] * 2, sizes=[1, 1]).constants["least_loss"]
    none = Quadratic.of(flat, [[-1, 1]] * 2, sizes=[1, 1]).constants["least_loss"]

    assert (low.value, low.kind) == (Fraction(-1, 2), "exact")
    assert (none.value, none.kind) == (None, "exact")
    assert "unbounded" in none.how


def test_singular_quadratics_at_random_points() -> None:
    """V V^T of low rank, slopes in its range: no point lies below the least loss, one attains it."""
    rng = np.random.default_rng(0)
    for _ in range(10):
        v, u = rng.integers(-3, 4, (4, 2)), rng.integers(-3, 4, 4)
        matrix = v @ v.T
        bowl = Quadratic.of(matrix[None].tolist(), (matrix @ u)[None].tolist(), sizes=[1])
        least = bowl.constants["least_loss"].value
        assert least == bowl.loss(np.array([Fraction(int(-e)) for e in u], dtype=object))
        for _ in range(20):
            assert bowl.loss(np.array([Fraction(int(e), 2) for e in rng.integers(-9, 10, 4)])) >= least


def test_a_regulariser_below_zero_lowers_the_least_loss() -> None:
    """One that does not say its least value leaves no bound; L2 and Nonconvex leave the model's 0."""
    x = np.random.default_rng(0).standard_normal((10, 3))
    for model in (Logistic(), Perceptron(2, hidden=2)):
        found = problem(x, model, Sunk())
        assert found.constants["least_loss"].value is None
        assert found.loss(found.start()) < 0
        assert problem(x, model, Sum(L2(1), Nonconvex(1))).constants["least_loss"].value == 0

    class Said(Sunk):
        least_value = Fraction(-12)

    known = problem(x, None, Sum(Said(), L2(1))).constants["least_loss"]
    assert (known.value, known.kind) == (-12, "certified")
    assert problem(x, None, Sum(Said(), Sunk())).constants["least_loss"].value is None


def test_extremes_that_are_not_attained_together_are_no_exact_lambda() -> None:
    """A sum of two whose least curvatures lie apart: lambda is certified, and above the true one."""
    regulariser = Sum(Nonconvex(1), Shifted(1))
    known = problem(np.eye(4), Softmax(2), regulariser).constants["weak_convexity"]
    true = -regulariser.curvature(np.linspace(-10, 10, 100_001)).min()

    assert known.kind == "certified"
    assert known.value > true > 0


@pytest.mark.parametrize("model", [Logistic(), Softmax(2)], ids=lambda m: m.name)
def test_no_sample_loss_is_steeper_than_its_lipschitz_constant(model: Any) -> None:
    """Its square is not below slope^2 max |x|^2 in fractions; far out it is attained to a part in 10^9."""
    rng = np.random.default_rng(7)
    found = problem(rng.standard_normal((10, 3)), model)
    bound = found.constants["lipschitz_sample"].value
    assert Fraction(bound) ** 2 >= model.slope_square * squares(found.features)
    steepest = 0.0
    for n in range(10):
        client, sample = divmod(n, 5)
        x, wrong = found.features[n], 1 - 2 * int(found.labels[n])
        w = 50 * wrong * x / (x @ x) if found.dimension == 3 else 50 * np.kron([-wrong, wrong], x / (x @ x))
        g = found.sample_gradients(w[None], np.array([client]), np.array([[sample]]))
        steepest = max(steepest, float(np.linalg.norm(g)))
    assert bound * (1 - 1e-9) <= steepest <= bound * (1 + 1e-12)


def test_losses_that_are_not_lipschitz_have_no_constant() -> None:
    """Least squares, and any loss beside a regulariser: no number is given."""
    x = np.random.default_rng(0).standard_normal((10, 3))
    assert problem(x, LeastSquares()).constants["lipschitz_sample"].value is None
    assert problem(x, None, L2(1)).constants["lipschitz_sample"].value is None


BASE = np.arange(24.0).reshape(12, 2)


def scaled(factor: float) -> np.ndarray:
    """Twelve rows, the sixth of them large."""
    rows = BASE.copy()
    rows[5] *= factor
    return rows


@pytest.mark.parametrize("factor", [1e154, 1e160, 1e300])
@pytest.mark.parametrize("kind", ["csv", "npz"])
def test_a_file_with_features_too_large_is_refused(kind: str, factor: float, tmp_path: Path) -> None:
    """The row is named, and to scale is the cure."""
    path, rows = tmp_path / f"big.{kind}", scaled(factor)
    if kind == "csv":
        path.write_text("".join(f"{a},{b},{n % 2}\n" for n, (a, b) in enumerate(rows)))
    else:
        np.savez(path, features=rows, labels=np.arange(12) % 2)
    refused(DataError, rf"row {6 if kind == 'csv' else 5}: .*scale the features", make_problem, path, 2)


@pytest.mark.parametrize("held", [0, "1/2"])
def test_a_problem_with_features_too_large_is_refused(held: Any) -> None:
    """Arrays in memory too, also among the rows for testing."""
    with pytest.raises(DataError, match=r"row \d+: .*scale the features"):
        federate(Dataset("big", np.full((12, 2), 1e200), np.arange(12) % 2, 2), 2, 0, test_fraction=held)


def test_targets_too_large_are_refused() -> None:
    """Least squares squares them as well."""
    with pytest.raises(DataError, match=r"row \d+: .*scale the targets"):
        federate(Dataset("big", BASE, np.where(np.arange(12) == 3, 1e200, 1.0), 0), 1, 0,
                 model="least_squares", split="iid", test_fraction=0)  # fmt: skip


@pytest.mark.parametrize("model", ["softmax", "logistic", "least_squares"])
def test_the_largest_features_can_be_used(model: str) -> None:
    """Just below the end, constants, losses and `describe` are finite and nothing overflows."""
    data = Dataset("large", scaled(1e142), np.arange(12) % 2, 2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        problem = federate(data, 2, 0, model=model, l2="1/10")

        assert isinstance(problem, Supervised)
        assert np.isfinite(float(problem.constants["smoothness_sample"].value))
        assert np.isfinite(problem.loss(problem.start()))
        assert describe(problem).heterogeneity.feature_distance is not None


def test_options_that_are_no_dict_are_refused() -> None:
    """A list of options is told what is taken."""
    with pytest.raises(InputError, match="problem_options: got list, expected a dict"):
        make_problem("digits", options=["l2=1"])  # type: ignore[arg-type]


def test_a_perceptron_needs_a_step_size() -> None:
    """No L is certified for it: the error says so, and what to give; with either it runs."""
    options = {"model": "perceptron", "hidden": 3}
    with pytest.raises(InputError, match=r"model=perceptron has no certified L; give stepsize= or L="):
        run("fedavg", "digits", rounds=1, problem_options=options)

    assert run("fedavg", "digits", rounds=1, problem_options=options, L=10).rounds == 1
