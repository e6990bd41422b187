"""Where PyTorch is missing, one line says which extra brings it."""

from __future__ import annotations

import sys

import pytest

from fedproof.adapters.models.cnn import cnn
from fedproof.adapters.torch import TorchModel
from fedproof.vocabulary.errors import InputError
from tests.refusals import refused


def test_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Importing the adapter needs no PyTorch; using it names the extra."""
    monkeypatch.setitem(sys.modules, "torch", None)

    for make in (lambda: TorchModel(None, (1,), 2), lambda: cnn(10, 64)):
        refused(InputError, r"expected the extra torch; run pip install 'fedproof\[torch\]'", make)
