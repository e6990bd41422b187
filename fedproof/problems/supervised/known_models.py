"""Models whose facts are proved: our own classes, and no subclass of them."""

from __future__ import annotations

from typing import Any

from fedproof.problems.supervised.models.least_squares import LeastSquares
from fedproof.problems.supervised.models.logistic import Logistic
from fedproof.problems.supervised.models.softmax import Softmax


def known_name(model: Any) -> str:
    """The name of one of our linear models; empty for every other, whatever it calls itself.

    Bounds on gradients and third derivatives, and compiled losses, belong to the class: a subclass may
    change the loss and keep the name.

    >>> known_name(Softmax(3))
    'softmax'
    """
    return str(model.name) if type(model) in (LeastSquares, Logistic, Softmax) else ""
