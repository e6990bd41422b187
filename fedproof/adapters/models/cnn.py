"""The convolutional networks of FedProxVR's and composite's experiments, in PyTorch (extra `torch`)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import isqrt
from typing import Any

import numpy as np

from fedproof.adapters.torch import TorchModel
from fedproof.adapters.torch_checks import import_torch
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.options import whole

_PURPOSE = 12


def paper_cnn(
    shape: Sequence[int],
    classes: int,
    channels: Sequence[int] = (32, 64),
    kernel: int = 5,
    seed: int = 0,
    dense: Sequence[int] = (),
) -> Any:
    """Two convolutions, each with ReLU and 2 x 2 max pooling, and a linear layer (FedProxVR, Section 5).

    With channels=(32, 32), kernel=3 and dense=(64, 32) it is the network of composite, Section 4.2, with its
    112,394 parameters on 28 x 28 pixels. Neither paper says how borders are padded or weights begin. Here a
    convolution keeps the size of its image, weights are normal of variance 2 / inputs (He et al. 2015),
    seeded, and biases 0.

    Arguments:
        shape: (channels, height, width) of a sample, at least 4 pixels each way.
        classes: >= 2.
        channels: of the two convolutions.
        kernel: side of their windows, odd.
        seed: of the start.
        dense: units of the linear layers with ReLU before the last one.

    Returns: a `torch.nn.Module` in float64.
    """
    depth, height, width = shape
    if min(height, width) < 4:
        raise InputError("shape", tuple(shape), "at least 4 pixels each way")
    if kernel % 2 == 0:
        raise InputError("kernel", kernel, "an odd number", f"write kernel={kernel + 1}")
    torch = import_torch()
    nn, (first, second) = torch.nn, channels
    widths = [second * (height // 4) * (width // 4), *dense]
    with torch.device("meta"):
        linear = [part for pair in pairwise(widths) for part in (nn.Linear(*pair), nn.ReLU())]
        net = nn.Sequential(
            nn.Conv2d(depth, first, kernel, padding=kernel // 2), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(first, second, kernel, padding=kernel // 2), nn.ReLU(), nn.MaxPool2d(2),
            nn.Flatten(), *linear, nn.Linear(widths[-1], classes),
        ).double()  # fmt: skip
    net = net.to_empty(device="cpu")
    rng = np.random.Generator(np.random.Philox(key=np.array([seed, _PURPOSE], dtype=np.uint64)))
    with torch.no_grad():
        for weights in net.parameters():
            drawn = np.zeros(weights.shape)
            if weights.ndim > 1:
                drawn = rng.standard_normal(weights.shape) * np.sqrt(2 / weights[0].numel())
            weights.copy_(torch.from_numpy(drawn))
    return net


def cnn(
    classes: int,
    features: int,
    channels: Any = "32,64",
    kernel: Any = 5,
    model_seed: Any = 0,
    dense: Any = "none",
) -> TorchModel:
    """The model `cnn`: `paper_cnn` on square images of one channel.

    Arguments:
        classes, features: of the data; features is the number of pixels, a square.
        channels: of the two convolutions, two whole numbers with a comma between.
        kernel: side of their windows, odd.
        model_seed: of the start.
        dense: units of the linear layers before the last one, whole numbers with commas between, or none.

    Raises: InputError for what cannot be meant, and where PyTorch is missing.
    """
    if classes < 2:
        raise InputError("model", f"cnn on {classes} classes", "at least 2", "use model=least_squares")
    side = isqrt(features)
    if side * side != features:
        raise InputError("model", f"cnn on {features} features", "square images of one channel",
                         "use model=perceptron")  # fmt: skip
    parts = channels.split(",") if isinstance(channels, str) else list(channels)
    if len(parts) != 2:
        raise InputError("channels", channels, "two whole numbers", "write channels=32,64")
    widths = [whole(1, 4096)[1]("channels", part) for part in parts]
    seed = whole(0, (1 << 64) - 1)[1]("model_seed", model_seed)
    layers = (dense.split(",") if dense != "none" else []) if isinstance(dense, str) else list(dense)
    units = [whole(1, 1 << 20)[1]("dense", part) for part in layers]
    net = paper_cnn((1, side, side), classes, widths, whole(1, 99)[1]("kernel", kernel), seed, units)
    return TorchModel(net, (1, side, side), classes, name="cnn")


MODEL = cnn
