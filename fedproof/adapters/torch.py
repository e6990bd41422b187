"""PyTorch modules as models: any module and any loss becomes a federated problem (extra `torch`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from math import prod
from typing import Any, ClassVar

import numpy as np

from fedproof.adapters.torch_checks import check_module, check_trial, import_torch
from fedproof.problems.data.labels import check_classes, check_targets
from fedproof.problems.problem import Array, Constant
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.regularisers import Regulariser
from fedproof.problems.supervised.supervised import HeldOut, Supervised
from fedproof.vocabulary.errors import InputError

_ROWS = 1024
"""Samples in one pass through the module, which bounds its memory."""


@dataclass(frozen=True, eq=False)
class TorchModel:
    """f(w; x, y) = loss(module(x), y), w all trainable parameters of the module, one after the other.

    Clients are batched by `torch.func.vmap` over `grad`; a Hessian product is the gradient of <gradient, v>.
    NumPy float64 goes in and comes out. The module is copied to the CPU, in float64 and evaluation mode; its
    parameters are the start.

    Arguments:
        module: a `torch.nn.Module` without buffers and dropout, every sample on its own; outputs are scores
            (rows, classes), or values (rows,) or (rows, 1) where classes = 0.
        shape: of a sample, such as (1, 28, 28); features are flat rows of its product.
        classes: how many, 0 for real targets.
        loss: of (outputs, labels), one number a row; cross-entropy, or half the squared error, if None.
        name: what it is called.

    Raises: InputError where PyTorch is missing, or for a module or loss that cannot be meant.
    """

    bias: ClassVar[bool] = False

    module: Any
    shape: tuple[int, ...]
    classes: int
    loss: Callable[[Any, Any], Any] | None = None
    name: str = "torch"

    def __post_init__(self) -> None:
        check_module(self.module)
        object.__setattr__(self, "module", deepcopy(self.module).cpu().double().eval())
        object.__setattr__(self, "shape", tuple(self.shape))
        check_trial(self._losses, self._flat(), self.shape, self.classes)

    def dimension(self, features: int) -> int:
        """d for p features.

        Raises: InputError where p is not the size of a sample.
        """
        if features != prod(self.shape):
            expected = f"{prod(self.shape)} for samples of shape {self.shape}"
            raise InputError("features", f"{features} columns", expected, "leave out a column of ones")
        return int(self._flat().numel())

    def start(self, features: int) -> Array:
        """The parameters that the module came with."""
        self.dimension(features)
        found: Array = self._flat().numpy()
        return found

    def check(self, labels: Array, where: str) -> None:
        """Refuse labels outside 0..classes-1, or targets that are not finite numbers."""
        if self.classes:
            check_classes(labels, self.classes, where)
        else:
            check_targets(labels, where)

    def losses(self, w: Array, x: Array, y: Array) -> Array:
        """f of every sample at its client's parameters, shape (..., k, b)."""
        out = np.empty((*w.shape[:-1], x.shape[1]))
        each = import_torch().func.vmap(self._losses)
        for at, rows in self._passes(w, x):
            out[(*at, rows)] = each(*self._tensors(w[at], x[at[-1], rows], y[at[-1], rows])).numpy()
        return out

    def gradients(self, w: Array, x: Array, y: Array) -> Array:
        """Mean gradient over each client's samples, shape (..., k, d)."""
        func = import_torch().func
        each, out = func.vmap(func.grad(self._total)), np.zeros(w.shape)
        for at, rows in self._passes(w, x):
            out[at] += each(*self._tensors(w[at], x[at[-1], rows], y[at[-1], rows])).numpy()
        out /= x.shape[1]
        return out

    def hessian_products(self, w: Array, v: Array, x: Array, y: Array) -> Array:
        """Mean Hessian over each client's samples, times v: w (k, d), v and result (..., k, d)."""
        func = import_torch().func

        def bent(p: Any, u: Any, x: Any, y: Any) -> Any:
            return func.grad(lambda q: (func.grad(self._total)(q, x, y) * u).sum())(p)

        each, out = func.vmap(bent), np.zeros(v.shape)
        for at, rows in self._passes(v, x):
            own = at[-1]
            p, samples, labels = self._tensors(w[own], x[own, rows], y[own, rows])
            out[at] += each(p, _tensor(v[at]), samples, labels).numpy()
        out /= x.shape[1]
        return out

    def predictions(self, w: Array, x: Array) -> Array:
        """The class of the largest score, or the value."""
        parts = []
        with import_torch().no_grad():
            for first in range(0, len(x), _ROWS):
                p, samples, _ = self._tensors(w, x[first : first + _ROWS], np.zeros(1))
                parts.append(self._outputs(p, samples).numpy())
        outputs = np.concatenate(parts)
        found: Array = outputs.argmax(axis=1) if self.classes else outputs.reshape(-1)
        return found

    def constants(self, features: Array, labels: Array, partition: Partition) -> Mapping[str, Constant]:
        """Nothing is known of a module; that cross-entropy and squared errors are not negative is."""
        del features, labels, partition
        names = ("smoothness_sample", "smoothness", "weak_convexity", "dissimilarity", "least_loss")
        known = {name: Constant(None, "estimate", "not known of a module: measure it") for name in names}
        if self.loss is None:
            known["least_loss"] = Constant(0, "certified", "a lower bound: no sample loss is negative")
        return known

    def _flat(self) -> Any:
        """All trainable parameters, (d,), a copy."""
        torch = import_torch()
        return torch.cat([p.detach().reshape(-1) for p in self.module.parameters() if p.requires_grad])

    def _outputs(self, flat: Any, x: Any) -> Any:
        """Outputs for parameters (d,) and samples (b, p)."""
        # a call swaps the module's parameters, so every call has a module of its own around the same tensors
        module = deepcopy(self.module, {id(p): p for p in self.module.parameters()})
        at, parts = 0, {}
        for name, old in module.named_parameters():
            if old.requires_grad:
                parts[name] = flat[at : at + old.numel()].reshape(old.shape)
                at += old.numel()
        return import_torch().func.functional_call(module, parts, (x.reshape(-1, *self.shape),))

    def _losses(self, flat: Any, x: Any, y: Any) -> Any:
        """Losses (b,) for parameters (d,), samples (b, p) and labels (b,)."""
        outputs = self._outputs(flat, x)
        if self.loss is not None:
            return self.loss(outputs, y)
        if self.classes:
            return import_torch().nn.functional.cross_entropy(outputs, y, reduction="none")
        return (outputs.reshape(-1) - y).square() / 2

    def _total(self, flat: Any, x: Any, y: Any) -> Any:
        return self._losses(flat, x, y).sum()

    def _tensors(self, w: Array, x: Array, y: Array) -> tuple[Any, Any, Any]:
        kind = np.int64 if self.classes else np.float64
        return _tensor(w), _tensor(x), _tensor(y.astype(kind))

    def _passes(self, w: Array, x: Array) -> Iterator[tuple[tuple[Any, ...], slice]]:
        """Indices of w (..., k, d) and rows of x (k, b, p): a point, and some `_ROWS` samples, at a time."""
        clients, b = x.shape[:2]
        step = max(1, _ROWS // b)
        for lead in np.ndindex(w.shape[:-2]):
            for n in range(0, clients, step):
                for first in range(0, b, _ROWS):
                    yield (*lead, slice(n, n + step)), slice(first, first + _ROWS)


def torch_problem(
    module: Any,
    shape: Sequence[int],
    classes: int,
    features: Array,
    labels: Array,
    sizes: Sequence[int] | Array,
    *,
    loss: Callable[[Any, Any], Any] | None = None,
    regulariser: Regulariser | None = None,
    held_out: HeldOut | None = None,
    name: str = "torch",
) -> Supervised:
    """A federated problem of a PyTorch module on rows that lie client after client.

    Arguments:
        module, shape, classes, loss: as `TorchModel` takes them.
        features: shape (rows, p), or (rows, *shape).
        labels: shape (rows,).
        sizes: rows of each client, in order.
        regulariser, held_out, name: as `Supervised` takes them.

    Returns: the problem; everything that runs on problems runs on it.
    Raises: InputError or DataError for what cannot be meant.
    """
    model = TorchModel(module, tuple(shape), classes, loss, name)
    flat = np.asarray(features, dtype=np.float64).reshape(len(features), -1)
    model.dimension(flat.shape[1])
    partition = Partition.of_sizes(sizes, name)
    return Supervised(model, flat, np.asarray(labels), partition, name, regulariser, held_out)


def _tensor(array: Array) -> Any:
    """The same numbers for PyTorch, which warns of arrays that must not be written."""
    return import_torch().from_numpy(array if array.flags.writeable else array.copy())
