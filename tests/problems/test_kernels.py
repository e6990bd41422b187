"""The compiled kernels against NumPy's and against the definition."""

from __future__ import annotations

import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest

from fedproof.problems.problem import Array
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.problems.steps import sample_differences, step_gradients
from fedproof.problems.supervised.kernels import kernel as choosing
from fedproof.problems.supervised.kernels.kernel import make_kernel
from fedproof.problems.supervised.linear import Linear
from fedproof.problems.supervised.models.least_squares import LeastSquares
from fedproof.problems.supervised.models.logistic import Logistic
from fedproof.problems.supervised.models.perceptron import Perceptron
from fedproof.problems.supervised.models.softmax import Softmax
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.regularisers import L2
from fedproof.problems.supervised.supervised import Supervised
from fedproof.solvers.algorithms.fedavg import FedAvg
from fedproof.solvers.algorithms.fedproxvr import FedProxVR
from fedproof.solvers.driver import run
from fedproof.solvers.history import load_history
from fedproof.vocabulary.errors import InputError, UnknownName
from tests.refusals import refused

RNG = np.random.default_rng(11)
LINEAR: list[Linear] = [Softmax(2), Softmax(3), Softmax(10), Logistic(), LeastSquares()]
SIZES = [1, 7, 8, 31, 32, 33, 100, 5]
each = pytest.mark.parametrize("model", LINEAR, ids=str)


def problem_of(model: Any, features: int = 5, sizes: list[int] = SIZES) -> Supervised:
    """Clients of these sizes, some below and some above a tile of 32 rows."""
    rows = sum(sizes)
    labels = RNG.integers(0, model.classes, rows) if model.classes else RNG.standard_normal(rows)
    return Supervised(model, RNG.standard_normal((rows, features)), labels, Partition.of_sizes(sizes))


def both(problem: Supervised) -> tuple[Supervised, Supervised]:
    """By NumPy, and compiled."""
    plain, fast = problem.with_kernel("numpy"), problem.with_kernel("numba")
    assert (plain.kernel_name, fast.kernel_name) == ("numpy", "numba")
    return plain, fast


def assert_close(found: Array, expected: Array) -> None:
    """Within 1e-12 of the largest entry of each gradient."""
    assert found.shape == expected.shape
    size = np.abs(expected).max(axis=-1, keepdims=True, initial=0)
    assert (np.abs(found - expected) <= 1e-12 * np.maximum(size, 1)).all()


@pytest.mark.parametrize("model", [Logistic(), LeastSquares()], ids=str)
@pytest.mark.parametrize("rows", [1, 7, 8, 128, 129, 1000])
@pytest.mark.parametrize("features", [1, 20, 25])
def test_loss_and_gradient_in_one_pass(model: Linear, rows: int, features: int) -> None:
    """They are the two passes' to rounding; small losses keep their digits, and nan goes the usual way."""
    rng = np.random.default_rng(rows + features)
    x = rng.standard_normal((rows, features))
    w = rng.standard_normal(features)
    labels = (x @ w > 0).astype(np.int64) if model.classes else rng.standard_normal(rows)
    plain, fast = both(Supervised(model, x, labels, Partition.of_sizes([rows])))
    for regulariser in (None, L2(2)):
        ours, other = (replace(p, regulariser=regulariser) for p in (fast, plain))
        for at in (0 * w, w, -w, 300 * w, rng.standard_normal(features)):
            found = ours.loss_and_gradient(at)
            assert found is not None
            apart = 1e-13 + 4 * np.finfo(float).eps * float((abs(x) @ abs(at)).max())  # that of scores
            assert found[0] == pytest.approx(other.loss(at), rel=apart, abs=1e-300)
            assert_close(found[1], other.gradient(at))
    assert other.loss_and_gradient(w) is None
    assert fast.loss_and_gradient(np.full(features, math.nan)) is None


@each
@pytest.mark.parametrize("features", [1, 5, 8, 31, 64, 785])
@pytest.mark.parametrize("batch", [1, 7, 32, 33, 70])
def test_batches(model: Linear, features: int, batch: int) -> None:
    """Sample gradients of repeated clients, at one, two and a grid of points, agree with NumPy's."""
    problem = problem_of(model, features)
    clients = np.array([3, 0, 3, 7, 6])
    samples = RNG.integers(0, problem.sizes[clients][:, None], (5, batch))
    plain, fast = both(problem)
    for lead in ((), (2,), (2, 3)):
        at = RNG.standard_normal((*lead, 5, problem.dimension))
        assert_close(
            fast.sample_gradients(at, clients, samples), plain.sample_gradients(at, clients, samples)
        )


@pytest.mark.parametrize("kernel", ["numpy", "auto"])
@pytest.mark.parametrize("model", [*LINEAR, Perceptron(3, hidden=2)], ids=str)
def test_gradients_of_steps(model: Any, kernel: str) -> None:
    """Gradients of many steps, gathered together, are the steps' own to the bit, in any order of asking."""
    rows = problem_of(model, 301)
    clients, steps = np.array([3, 0, 3, 7, 6]), 9
    samples = RNG.integers(0, rows.sizes[clients][:, None, None], (5, steps, 11))
    for regulariser in (None, L2(2)):
        problem = replace(rows, regulariser=regulariser, kernel=kernel)
        at = RNG.standard_normal((steps, 5, problem.dimension))
        gradients = step_gradients(problem, clients, samples)
        for t in [*range(steps), 2, 8, 0, 8]:
            found = gradients(at[t], t)
            assert (found == problem.sample_gradients(at[t], clients, samples[:, t])).all()
            found += 1  # the caller may


@pytest.mark.parametrize("kernel", ["numpy", "auto"])
@pytest.mark.parametrize("model", [*LINEAR, Perceptron(3, hidden=2)], ids=str)
def test_differences(model: Any, kernel: str) -> None:
    """Differences at two points are those of the gradients, 0 at one point, alone as together."""
    rows = problem_of(model, 61)
    for regulariser in (None, L2(2)):
        problem = replace(rows, regulariser=regulariser, kernel=kernel)
        clients = np.array([3, 0, 3, 7, 6])
        here, there = RNG.standard_normal((2, 5, problem.dimension))
        for batch in (1, 7, 32, 70):
            samples = RNG.integers(0, problem.sizes[clients][:, None], (5, batch))
            first, second = problem.sample_gradients(np.stack([here, there]), clients, samples)
            found = sample_differences(problem, here, there, clients, samples)
            assert_close(found, first - second)
            assert not sample_differences(problem, here, here, clients, samples).any()
            for n in range(5):
                one = slice(n, n + 1)
                alone = sample_differences(problem, here[one], there[one], clients[one], samples[one])
                assert (alone == found[one]).all()


@each
def test_whole_clients(model: Linear) -> None:
    """Client gradients agree with NumPy's, which agree with the means over gathered rows."""
    problem = problem_of(model)
    clients = np.array([6, 2, 2, 0, 7, 1, 3, 4, 5])
    plain, fast = both(problem)
    for lead in ((), (2,)):
        at = RNG.standard_normal((*lead, 9, problem.dimension))
        expected = plain.client_gradients(at, clients)
        assert_close(fast.client_gradients(at, clients), expected)
        for i, n in enumerate(clients):
            rows = np.arange(SIZES[n])[None]
            assert_close(plain.sample_gradients(at[..., i : i + 1, :], clients[i : i + 1], rows),
                         expected[..., i : i + 1, :])  # fmt: skip


@pytest.mark.parametrize("model", [Logistic(), LeastSquares()], ids=str)
@pytest.mark.parametrize("features", [1, 3, 8, 9, 20, 33, 70])
def test_newton_systems(model: Linear, features: int) -> None:
    """The compiled solutions satisfy the systems made by NumPy, and no client depends on its neighbours."""
    problem = replace(problem_of(model, features), regulariser=L2("1/10"))
    plain, fast = both(problem)
    clients = np.array([6, 2, 2, 0, 7, 1, 3, 4, 5])
    at, right = RNG.standard_normal((2, 9, features))
    found = fast.hessian_solutions(at, right, 0.5, clients)
    hessians = plain.client_hessians(at, clients)

    assert plain.hessian_solutions(at, right, 0.5, clients) is None
    assert found is not None
    assert hessians is not None
    assert_close(np.matvec(hessians + 0.5 * np.eye(features), found), right)
    for part in (slice(0, 1), slice(3, 7)):
        alone = fast.hessian_solutions(at[part], right[part], 0.5, clients[part])
        assert (alone == found[part]).all()


def test_newton_systems_that_are_not_positive_or_not_finite() -> None:
    """A negative shift gives 0 for whom it is too much alone, and NaN in a model touches no other client."""
    fast = both(problem_of(LeastSquares(), 3, [1, 50]))[1]
    at, right, clients = np.zeros((2, 3)), np.ones((2, 3)), np.arange(2)
    found = fast.hessian_solutions(at, right, -1e-3, clients)
    assert found is not None
    assert (found[0] == 0).all()
    assert (found[1] != 0).all()
    bad = both(problem_of(Logistic(), 3, [9, 50]))[1]
    at[0, 1], good = math.nan, bad.hessian_solutions(at, right, 0.1, clients)
    spoiled = bad.hessian_solutions(at, right, 0.1, clients)
    assert good is not None
    assert spoiled is not None
    assert (spoiled[1] == good[1]).all()
    assert both(problem_of(Softmax(3)))[1].hessian_solutions(np.zeros((8, 15)), np.ones((8, 15)), 1.0,
                                                             np.arange(8)) is None  # fmt: skip


def test_runs_of_clients_are_cut_without_a_trace() -> None:
    """Clients whose rows exceed one pass over the scores, alone or together, keep their bits."""
    problem = problem_of(Softmax(3), 2, [3000, 3000, 5, 5000, 1]).with_kernel("numpy")
    at, clients = RNG.standard_normal((5, 6)), np.arange(5)
    alone = [problem.client_gradients(at[n : n + 1], clients[n : n + 1])[0] for n in clients]

    assert (problem.client_gradients(at, clients) == alone).all()


@pytest.mark.parametrize("kernel", ["numpy", "numba"])
@each
def test_a_client_does_not_depend_on_its_neighbours(model: Linear, kernel: str) -> None:
    """Blocks of any size give the same bits: two points, batches and whole clients."""
    problem = problem_of(model).with_kernel(kernel)
    at, clients = RNG.standard_normal((2, 8, problem.dimension)), np.arange(8)
    samples = RNG.integers(0, problem.sizes[:, None], (8, 20))
    batch, whole = problem.sample_gradients(at, clients, samples), problem.client_gradients(at, clients)
    for part in (slice(0, 1), slice(1, 4), slice(4, 8)):
        assert (problem.sample_gradients(at[:, part], clients[part], samples[part]) == batch[:, part]).all()
        assert (problem.client_gradients(at[:, part], clients[part]) == whole[:, part]).all()


@each
def test_extreme_scores(model: Linear) -> None:
    """Models of size 1e5 overflow nowhere, and agree with NumPy's to rounding of their scores."""
    problem = problem_of(model)
    at, clients = 1e5 * RNG.standard_normal((8, problem.dimension)), np.arange(8)
    plain, fast = both(problem)

    assert np.isfinite(fast.client_gradients(at, clients)).all()
    assert_close(fast.client_gradients(at, clients), plain.client_gradients(at, clients))


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@each
def test_numbers_that_are_not_finite_stay_so(model: Linear, bad: float) -> None:
    """NaN and infinity in a client's model lead to what they do in NumPy, and touch no other client."""
    problem = problem_of(model)
    at, clients = RNG.standard_normal((8, problem.dimension)), np.arange(8)
    at[3, 1] = bad
    with np.errstate(all="ignore"):
        plain, fast = (p.client_gradients(at, clients) for p in both(problem))

    assert (np.isfinite(plain) == np.isfinite(fast)).all()
    assert np.isfinite(fast[3]).all() == (model.name == "logistic" and math.isinf(bad))
    assert np.isfinite(np.delete(fast, 3, axis=0)).all()


@each
def test_any_layout_and_type(model: Linear) -> None:
    """Strided models and samples, labels of other types and Fortran's order of rows change nothing."""
    problem = problem_of(model)
    clients, samples = np.array([6, 3]), RNG.integers(0, 30, (2, 4, 9))
    at = RNG.standard_normal((3, 2, 2 * problem.dimension))[..., ::2]
    expected = problem.with_kernel("numpy").sample_gradients(at, clients, samples[:, 1])
    labels = problem.labels.astype("int8" if model.name != "least_squares" else "float64")
    other = Supervised(model, np.asfortranarray(problem.features), labels, problem.partition, kernel="numba")

    assert_close(other.sample_gradients(at, clients, samples[:, 1]), expected)


@pytest.mark.parametrize("kernel", ["numpy", "numba"])
def test_rows_that_are_not_there_are_refused(kernel: str) -> None:
    """A sample number beyond the last row is an error, not memory of something else."""
    problem = problem_of(Softmax(3)).with_kernel(kernel)
    with pytest.raises(IndexError):
        problem.sample_gradients(np.zeros((1, 15)), np.array([7]), np.array([[5]]))
    with pytest.raises(IndexError):
        problem.sample_differences(np.zeros((1, 15)), np.zeros((1, 15)), np.array([7]), np.array([[5]]))
    for sample in (5, -300):
        with pytest.raises(IndexError):
            problem.step_gradients(np.array([7]), np.array([[[sample]]]))(np.zeros((1, 15)), 0)


def test_compiled_exponential() -> None:
    """Within 4e-16 of 60-digit values from 0 to -708, 0 below, NaN for NaN."""
    from fedproof.problems.supervised.kernels.cached import compiled
    from fedproof.problems.supervised.kernels.exponential import exponential
    from fedproof.problems.supervised.kernels.lanes import load, store

    @compiled
    def exponentials(z: Array) -> None:
        for i in range(z.shape[0]):
            store(z, i, 0, exponential(load(z, i, 0)))

    z = np.concatenate(
        [-np.geomspace(1e-300, 708, 4000), -708 * RNG.random(4000), [0.0, -0.0, -708.0, -1e-17]]
    )
    z = z[: len(z) // 8 * 8]
    found = z.reshape(-1, 8).copy()
    exponentials(found)
    with mpmath.workdps(60):
        errors = [abs(mpmath.mpf(f) / mpmath.exp(x) - 1) for f, x in zip(found.ravel(), z, strict=True)]
    special = np.array([[-708.1, -1e4, -math.inf, math.nan, 0.0, -0.0, -1e308, -745.0]])
    exponentials(special)

    assert max(errors) < 4e-16
    assert np.array_equal(special, [[0, 0, 0, math.nan, 1, 1, 0, 0]], equal_nan=True)


def test_which_kernel_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """auto is numba for linear models where it is installed, else NumPy; what is not there is an error."""
    linear, bent = problem_of(Softmax(3)), Perceptron(3, hidden=2)
    arrays = linear.features, linear.labels, linear.partition

    assert linear.kernel_name == "numba"
    assert make_kernel("auto", bent, *arrays).name == "numpy"
    assert Supervised(Softmax(3), arrays[0].astype("float32"), *arrays[1:]).kernel_name == "numba"
    refused(InputError, r"kernel: got numba for perceptron", make_kernel, "numba", bent, *arrays)
    with pytest.raises(InputError, match=r"kernel: got numba for softmax on float32"):
        make_kernel("numba", Softmax(3), arrays[0].astype("float32"), *arrays[1:])
    refused(UnknownName, "did you mean numba", linear.with_kernel, "nmba")
    monkeypatch.setattr(choosing, "find_spec", lambda name: None)
    assert problem_of(Softmax(3)).kernel_name == "numpy"
    refused(InputError, r"not installed.*fedproof\[fast\]", linear.with_kernel, "numba")


def test_a_numba_that_does_not_load_is_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where importing numba fails, as beside a NumPy that is too new, auto is NumPy and numba an error."""
    problem = problem_of(Softmax(3))
    monkeypatch.setitem(sys.modules, "fedproof.problems.supervised.kernels.numba_kernel", None)

    assert problem.kernel_name == "numpy"
    with pytest.raises(InputError, match="kernel: got numba, which fails"):
        run(FedAvg(1, 1), problem_of(Softmax(3)), 1, kernel="numba")


def test_numba_is_loaded_when_it_runs_and_compiles_once() -> None:
    """Building a problem imports no numba; its first gradient does, and takes what was compiled before."""
    problem = problem_of(Softmax(10))
    assert problem.kernel_name == "numba"  # compiled by now, for all processes
    code = """
import sys
from fedproof.problems.instances.synthetic import build
problem = build(clients=2)
assert "numba" not in sys.modules
assert problem.kernel_name == "numba"
from fedproof.problems.supervised.kernels.compiled import batch_gradients as found
print(sum(found.stats.cache_hits.values()), sum(found.stats.cache_misses.values()))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)

    assert done.stdout == "1 0\n", done.stderr


def test_a_run_says_which_kernel_ran(tmp_path: Path) -> None:
    """The record names the kernel; the two agree; a run goes on with its own."""
    problem, algorithm = problem_of(Softmax(3)), FedProxVR(0.1, 4, 0.5, batch_size=3)
    plain, fast = (run(algorithm, problem, 3, kernel=kernel) for kernel in ("numpy", "numba"))

    assert (plain.kernel, fast.kernel, run(algorithm, problem, 1).kernel) == ("numpy", "numba", "numba")
    assert load_history(plain.save(tmp_path / "run.json")).kernel == "numpy"
    assert ("kernel", "numba") in fast.tables()[1].rows
    assert fast.metrics["loss"] == pytest.approx(plain.metrics["loss"], rel=1e-12)
    with pytest.raises(InputError, match="resume: got a history whose kernel: numpy, expected numba"):
        run(algorithm, problem, 4, resume=plain)
    assert run(algorithm, problem, 4, resume=plain, kernel="numpy").rounds == 4


def test_a_problem_without_a_compiled_kernel_says_so() -> None:
    """Asking numba of a quadratic or a perceptron is an error of one line; numpy and auto run."""
    bowl, algorithm = Quadratic.of([[[1]]], [[-1]], sizes=[1]), FedAvg(1, 1)
    bent = problem_of(Perceptron(3, hidden=2))
    for problem in (bowl, bent):
        assert {run(algorithm, problem, 1, kernel=kernel).kernel for kernel in ("numpy", "auto")} == {"numpy"}
        refused(InputError, "kernel: got numba for", run, algorithm, problem, 1, kernel="numba")
    refused(UnknownName, "kernel", run, algorithm, bowl, 1, kernel="cuda")


@pytest.mark.parametrize(("features", "same"), [(999, False), (1000, True)])
def test_whole_clients_with_many_features_are_left_to_numpy(features: int, same: bool) -> None:
    """From 1,000 features on full gradients are NumPy's to the bit, whichever kernel is asked for."""
    problem = problem_of(Logistic(), features, [40, 33])
    models = RNG.standard_normal((2, problem.dimension))
    plain, fast = (each.client_gradients(models, np.arange(2)) for each in both(problem))

    assert_close(fast, plain)
    assert (fast.tobytes() == plain.tobytes()) == same
