"""What theorems bound, measured in a PyTorch loop: the global loss and its gradient (extra `torch`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from fedproof.adapters.torch_checks import import_torch
from fedproof.vocabulary.errors import InputError

_ROUNDING = 1e-9
#: of the sum of two halves of a batch, in half precision too; a mean is at least a third of it away
_SUM = 0.01


def global_metrics(
    module: Any,
    clients: Sequence[Iterable[tuple[Any, Any]]],
    loss: Callable[[Any, Any], Any],
    weights: Sequence[float] | None = None,
) -> dict[str, float]:
    """The global loss F = sum_n p_n F_n at a module's parameters, and |grad F|^2, over all data.

    The gradient is that of the mean over all samples, never of a minibatch, which would be larger by its
    variance. Gradients that the module holds, its mode and its parameters stay as they are.

    Arguments:
        module: a `torch.nn.Module`, used in the mode that it is in.
        clients: of each client all its data, as pairs of inputs and labels in batches, such as a
            `DataLoader`.
        loss: of outputs and labels; the sum over the batch, as `torch.nn.CrossEntropyLoss(reduction="sum")`.
        weights: p_n of each client, sum 1; None weighs clients by their samples.

    Returns: `loss` and `squared_gradient`, columns of a log.
    Raises: InputError where PyTorch is missing, for a client without samples, for weights whose sum is not 1,
        and for a loss that is not the sum over the batch.
    """
    torch = import_torch()
    parameters = [p for p in module.parameters() if p.requires_grad]
    found = [_client(torch, module, parameters, batches, loss, n) for n, batches in enumerate(clients)]
    total = sum(size for *_, size in found)
    shares = [size / total for *_, size in found] if weights is None else [float(w) for w in weights]
    if len(shares) != len(found) or abs(sum(shares) - 1) > _ROUNDING:
        raise InputError("weights", shares, f"{len(found)} numbers whose sum is 1")
    pairs = list(zip(shares, found, strict=True))
    gradient = [sum(w * parts[i] for w, (_, parts, _) in pairs) for i in range(len(parameters))]
    return {
        "loss": float(sum(w * value for w, (value, *_) in pairs)),
        "squared_gradient": float(sum((part * part).sum() for part in gradient)),
    }


def _client(
    torch: Any, module: Any, parameters: Any, batches: Any, loss: Callable[[Any, Any], Any], number: int
) -> tuple[float, list[Any], int]:
    """A client's mean loss, the gradient of it by parameter, and its samples; sums are in float64."""
    total, size = 0.0, 0
    sums = [torch.zeros_like(p, dtype=torch.float64) for p in parameters]
    for inputs, labels in batches:
        with torch.enable_grad():
            outputs = module(inputs)
            value = loss(outputs, labels)
            if value.dim():
                raise InputError("loss", f"shape {tuple(value.shape)}", "one number", 'use reduction="sum"')
            _check_sum(loss, outputs, labels, float(value.detach()))
            parts = torch.autograd.grad(value, parameters, allow_unused=True)
        sums = [s if g is None else s + g.double() for s, g in zip(sums, parts, strict=True)]
        total, size = total + float(value.detach()), size + len(labels)
    if not size:
        raise InputError(f"client {number}", "no sample", "one at least", "leave it out")
    return total / size, [s / size for s in sums], size


def _check_sum(loss: Callable[[Any, Any], Any], outputs: Any, labels: Any, whole: float) -> None:
    """Refuse a loss that is not the sum over the samples, such as their mean: halves of a batch tell.

    Raises: InputError.
    """
    size = len(labels)
    if size < 2 or not hasattr(outputs, "shape") or len(outputs) != size:
        return
    half = size // 2
    parts = [float(loss(outputs[part], labels[part]).detach()) for part in (slice(half), slice(half, None))]
    if abs(sum(parts) - whole) > _SUM * sum(map(abs, parts)):
        got = f"{whole:.6g} over {size} samples, {sum(parts):.6g} over their halves together"
        raise InputError("loss", got, "the sum over the batch", 'use reduction="sum"')
