"""What `global_metrics` asks of a loss, told by a few numbers and without PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fedproof.adapters.torch_log import _check_sum
from fedproof.vocabulary.errors import InputError
from tests.refusals import refused


class Number(float):
    """A loss as PyTorch gives it."""

    def detach(self) -> Number:
        """Itself."""
        return self


def squares(outputs: Any, labels: Any) -> Number:
    """The sum of squared errors."""
    return Number(((outputs - labels) ** 2).sum())


@pytest.mark.parametrize("size", [1, 2, 3, 32])
def test_a_sum_is_taken_and_a_mean_is_not(size: int) -> None:
    """Of one sample the two are one; else the halves of a batch tell them apart, whatever the samples are."""
    for seed in range(20):
        y, labels = np.random.default_rng(seed).exponential(size=(2, size)) ** 3
        whole = squares(y, labels)
        _check_sum(squares, y, labels, whole)

        def mean(outputs: Any, labels: Any) -> Number:
            return Number(squares(outputs, labels) / len(labels))

        if size > 1:
            refused(InputError, "expected the sum over the batch", _check_sum, mean, y, labels, whole / size)
