"""What a PyTorch module must be for its loss to be a mean over samples."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from fedproof.vocabulary.errors import InputError

_TRIAL = 3


def import_torch() -> Any:
    """PyTorch.

    Raises: InputError naming the extra where it is not installed.
    """
    try:
        import torch
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise InputError(
            "torch", "no PyTorch", "the extra torch", "run pip install 'fedproof[torch]'"
        ) from None
    return torch


def check_module(module: Any) -> None:
    """Refuse what is no module, has nothing to train, state beside its parameters, or dropout.

    Raises: InputError.
    """
    torch = import_torch()
    if not isinstance(module, torch.nn.Module):
        raise InputError("module", type(module).__name__, "a torch.nn.Module", "give an instance")
    if not any(p.requires_grad for p in module.parameters()):
        raise InputError("module", "no trainable parameter", "at least one", "set requires_grad=True")
    if any(p.is_complex() for p in module.parameters()):
        raise InputError("module", "complex parameters", "real ones")
    for name, part in module.named_modules():
        what = f"{type(part).__name__} {name}".strip()
        if isinstance(part, torch.nn.modules.batchnorm._BatchNorm):
            raise InputError("module", what, "samples that do not share statistics",
                             "use GroupNorm or LayerNorm")  # fmt: skip
        rates = (
            getattr(part, "dropout", 0),
            getattr(part, "p", 0) if "Dropout" in type(part).__name__ else 0,
        )
        if any(isinstance(rate, float | int) and rate > 0 for rate in rates):
            raise InputError("module", what, "a loss without chance", "leave dropout out or set it to 0")
    buffers = [name for name, _ in module.named_buffers()]
    if buffers:
        raise InputError("module", f"buffer {buffers[0]}", "parameters only",
                         "make it a parameter with requires_grad=False if it is constant")  # fmt: skip


def check_trial(
    losses: Callable[[Any, Any, Any], Any], flat: Any, shape: tuple[int, ...], classes: int
) -> None:
    """Try three samples: a loss each, the same again, and the same alone as in company.

    Raises: InputError.
    """
    torch = import_torch()
    x = torch.linspace(-1, 1, _TRIAL * prod(shape), dtype=torch.float64).reshape(_TRIAL, -1).sin()
    y = torch.arange(_TRIAL) % classes if classes else torch.linspace(0, 1, _TRIAL, dtype=torch.float64)
    with torch.no_grad():
        try:
            found = losses(flat, x, y)
        except (RuntimeError, IndexError, ValueError, TypeError) as error:
            got = str(error).partition("\n")[0]
            expected = f"samples of shape {shape} in {classes} classes to be understood"
            raise InputError("module", got, expected, "check shape, classes and loss") from error
        if tuple(found.shape) != (_TRIAL,):
            raise InputError("loss", f"shape {tuple(found.shape)} for {_TRIAL} samples", "a number a sample",
                             'use reduction="none"')  # fmt: skip
        alone = torch.cat([losses(flat, x[i : i + 1], y[i : i + 1]) for i in range(_TRIAL)])
        if not torch.equal(found, losses(flat, x, y)):
            raise InputError("module", "another loss when asked again", "a loss without chance",
                             "leave dropout out")  # fmt: skip
    if not torch.allclose(found, alone, rtol=1e-9, atol=1e-12):
        raise InputError("module", "a loss that depends on the other samples", "samples on their own",
                         "normalise each sample by itself")  # fmt: skip
