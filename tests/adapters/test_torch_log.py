"""What a PyTorch loop measures and logs, against NumPy; the loop itself, logged and judged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fedproof.adapters.torch_log import global_metrics
from fedproof.validate.api import validate
from fedproof.validate.logs.header import read_header
from fedproof.validate.logs.sources import groups_of
from fedproof.vocabulary.errors import InputError
from tests.adapters.flower_app import measured
from tests.adapters.torch_loop import batches, summed, train
from tests.refusals import refused

torch = pytest.importorskip("torch", reason="the extra torch is not installed; `make torch` runs these")


def linear(*weights: float) -> object:
    """A linear module with these weights."""
    module = torch.nn.Linear(2, 1, bias=False, dtype=torch.float64)
    module.weight.data[:] = torch.tensor([weights], dtype=torch.float64)
    return module


def test_the_metrics_are_those_of_the_global_loss() -> None:
    """Loss and squared gradient over two clients in batches are NumPy's over all rows, to 1e-12."""
    module = linear(0.3, -1.5)
    found, known = global_metrics(module, batches(), summed), measured(np.array([0.3, -1.5]))

    assert found == pytest.approx(known, rel=1e-12)


def test_weights_are_of_clients() -> None:
    """Clients of other sizes weigh by their samples, or as they are told."""
    one, two = batches()
    half = two[:1]
    module = linear(0.3, -1.5)
    alone = [global_metrics(module, [part], summed)["loss"] for part in (one, half)]

    assert global_metrics(module, [one, half], summed)["loss"] == pytest.approx(
        (12 * alone[0] + 5 * alone[1]) / 17, rel=1e-12
    )
    assert global_metrics(module, [one, half], summed, [0.25, 0.75])["loss"] == pytest.approx(
        alone[0] / 4 + 3 * alone[1] / 4, rel=1e-12
    )


def test_the_users_gradients_are_left_alone() -> None:
    """Gradients that the module holds, its mode and its parameters stay."""
    module = linear(0.3, -1.5)
    module.weight.grad = torch.ones_like(module.weight)
    with torch.no_grad():
        global_metrics(module, batches(), summed)

    assert (module.weight.grad == 1).all()
    assert module.training
    assert module.weight.tolist() == [[0.3, -1.5]]


def test_what_cannot_be_meant_is_refused() -> None:
    """A loss a sample, a client without data, weights that do not sum to 1."""
    module = linear(0, 0)

    def each(outputs: object, labels: object) -> object:
        return torch.nn.functional.binary_cross_entropy_with_logits(outputs[:, 0], labels, reduction="none")

    refused(InputError, 'use reduction="sum"', global_metrics, module, batches(), each)
    refused(InputError, "client 1: got no sample", global_metrics, module, [batches()[0], []], summed)
    refused(InputError, "weights", global_metrics, module, batches(), summed, [0.5, 0.4])


def test_a_loop_is_logged_and_judged(tmp_path: Path) -> None:
    """The loop's log begins as the one that is kept, whose draws are the same, and is judged."""
    train(tmp_path / "seed3.csv", 3)
    ((log,),) = groups_of(tmp_path, read_header(None))
    (kept,) = groups_of(Path(__file__).parent / "logs" / "torch_runs.csv", read_header(None))
    (row,) = validate(history=tmp_path).results

    assert np.allclose(log.columns["loss"], kept[3].columns["loss"], rtol=1e-7)
    assert (row.id, row.verdict) == ("fedprox.theorem1.general", "inconclusive")


@pytest.mark.parametrize("loss", [torch.nn.functional.mse_loss, torch.nn.MSELoss()])
def test_a_mean_over_the_batch_is_refused(loss: Any) -> None:
    """PyTorch's default is the mean, whose squared gradient is smaller by the square of the batch."""
    rows = [(torch.eye(2, dtype=torch.float64), torch.ones(2, 1, dtype=torch.float64))]
    expected = "^loss: got .* over their halves together"
    said = refused(InputError, expected, global_metrics, linear(0.3, -1.5), [rows], loss)

    assert said.endswith('use reduction="sum"')
