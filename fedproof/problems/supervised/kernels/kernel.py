"""What computes the gradients of a problem on rows, and which one is taken."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np

from fedproof.problems.problem import Array, Problem
from fedproof.problems.supervised.kernels.numpy_kernel import NumpyKernel
from fedproof.problems.supervised.model import Model
from fedproof.problems.supervised.model_options import known_name
from fedproof.problems.supervised.partition import Partition
from fedproof.vocabulary.errors import InputError, UnknownName

KERNELS = ("auto", "numpy", "numba")


def check_kernel(name: str) -> None:
    """Refuse a kernel that is not known, or that cannot run here.

    Raises: UnknownName; InputError if numba is asked for and not installed.
    """
    if name not in KERNELS:
        raise UnknownName("kernel", name, KERNELS)
    if name == "numba" and find_spec("numba") is None:
        raise InputError("kernel", "numba, which is not installed", "numpy or auto",
                         "or install fedproof[fast]")  # fmt: skip


def make_kernel(name: str, model: Model, features: Array, labels: Array, partition: Partition) -> NumpyKernel:
    """The kernel of this name; auto is numba where it works and has the model, else NumPy.

    Raises: UnknownName or InputError if there is none.

    >>> from fedproof.problems.supervised.models.softmax import Softmax
    >>> make_kernel("numpy", Softmax(2), np.eye(2), np.array([0, 1]), Partition.of_sizes([1, 1])).name
    'numpy'
    """
    check_kernel(name)
    plain = NumpyKernel(model, features, labels, partition)
    if name == "numpy" or (name == "auto" and find_spec("numba") is None):
        return plain
    compiled = known_name(model) and getattr(model, "link", None) is not None
    if not compiled or features.dtype != np.float64:
        if name == "numba":
            got = f"numba for {model.name} on {features.dtype} features"
            raise InputError(
                "kernel", got, "numpy or auto", "it knows softmax, logistic and least_squares on float64"
            )
        return plain
    try:  # numba is an extra, takes its time to load, and refuses versions of NumPy that it does not know
        from fedproof.problems.supervised.kernels.numba_kernel import NumbaKernel

        kernel = NumbaKernel(model, features, labels, partition)
        # one row, so that a compiler that is switched off or fails does so here and not in a run
        start = np.zeros((1, model.dimension(features.shape[1])))
        kernel.batch_gradients(start, np.zeros((1, 1), dtype=np.int64))
    except Exception as error:
        if name == "auto":
            return plain
        why = str(error).partition("\n")[0] or type(error).__name__
        raise InputError("kernel", f"numba, which fails: {why}", "numpy or auto") from None
    return kernel


def with_kernel(problem: Problem, kernel: str) -> Problem:
    """The same problem with its gradients computed by this kernel; auto is the problem's own choice.

    Raises: UnknownName or InputError if there is none.
    """
    check_kernel(kernel)
    if kernel == "auto":
        return problem
    if hasattr(problem, "with_kernel"):
        other: Problem = problem.with_kernel(kernel)
        return other
    if kernel != "numpy":
        raise InputError("kernel", f"{kernel} for {problem.name}", "numpy or auto",
                         "only linear models have it")  # fmt: skip
    return problem
