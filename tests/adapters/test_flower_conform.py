"""Flower's FedProx, its strategies and a client, is judged by the kit; where Flower is installed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from runpy import run_path
from typing import Any

import numpy as np
import pytest

from fedproof.testing.api import conform
from fedproof.testing.clients import Array, Client

PAGE = Path(__file__).parents[2] / "docs" / "conformance.md"
BLOCKS = re.findall(r"```py\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)

pytestmark = pytest.mark.filterwarnings("default")  # Flower's imports warn of their own dependencies


def local(w: Array, client: Client, lr: float, epochs: int, mu: float, squared: bool = True) -> Array:
    """A client's work in the precision of what it is sent; the norm as Flower's docstring has it."""
    u = w.copy()
    for _ in range(epochs):
        pull = mu * (u - w)
        if not squared:
            length = np.linalg.norm(u - w)
            pull = mu / 2 * (u - w) / length if length > 0 else 0 * u
        u = (u - lr * (client.gradient(u) + pull)).astype(w.dtype)
    return u


def old_strategy(squared: bool = True, dtype: Any = np.float64) -> Callable[..., Array]:
    """A round through `configure_fit` and `aggregate_fit` of flwr.server."""
    common = pytest.importorskip("flwr.common")
    server = pytest.importorskip("flwr.server.strategy")

    def one_round(w: Array, clients: Sequence[Client], lr: float, epochs: int, mu: float) -> Array:
        start = common.ndarrays_to_parameters([w.astype(dtype)])
        strategy = server.FedProx(proximal_mu=mu, min_fit_clients=1, min_available_clients=1)
        results = []
        for number, asked in strategy.configure_fit(1, start, Everybody(len(clients))):
            (sent,) = common.parameters_to_ndarrays(asked.parameters)
            client = clients[number]
            u = local(sent, client, lr, epochs, asked.config["proximal_mu"], squared)
            results.append((number, fit_result(u, client.size)))
        averaged, _ = strategy.aggregate_fit(1, results, [])
        found: Array = common.parameters_to_ndarrays(averaged)[0]
        return found

    return one_round


def new_strategy(squared: bool = True, dtype: Any = np.float64) -> Callable[..., Array]:
    """A round through `configure_train` and `aggregate_train` of flwr.serverapp."""
    app = pytest.importorskip("flwr.app")
    strategies = pytest.importorskip("flwr.serverapp.strategy")

    def one_round(w: Array, clients: Sequence[Client], lr: float, epochs: int, mu: float) -> Array:
        everybody = {"min_train_nodes": len(clients), "min_available_nodes": len(clients)}
        strategy = strategies.FedProx(proximal_mu=mu, **everybody)
        start, config = app.ArrayRecord([w.astype(dtype)]), app.ConfigRecord({})
        replies = []
        for message in strategy.configure_train(1, start, config, Everybody(len(clients))):
            client = clients[message.metadata.dst_node_id]
            (sent,) = message.content["arrays"].to_numpy_ndarrays()
            u = local(sent, client, lr, epochs, message.content["config"]["proximal-mu"], squared)
            replies.append(reply(message, u, client.size))
        averaged, _ = strategy.aggregate_train(1, replies)
        found: Array = averaged.to_numpy_ndarrays()[0]
        return found

    return one_round


class Everybody:
    """Clients by number, all of them available."""

    def __init__(self, count: int) -> None:
        self.count = count

    def num_available(self) -> int:
        """How many."""
        return self.count

    def sample(self, num_clients: int, min_num_clients: int) -> list[int]:
        """All, as flwr.server asks."""
        del num_clients, min_num_clients
        return list(range(self.count))

    def get_node_ids(self) -> list[int]:
        """All, as flwr.serverapp asks."""
        return list(range(self.count))


def fit_result(array: Array, size: int) -> Any:
    """What a client of flwr.server answers."""
    common = pytest.importorskip("flwr.common")
    packed = common.ndarrays_to_parameters([array])
    return common.FitRes(common.Status(common.Code.OK, ""), packed, size, {})


def reply(message: Any, array: Array, size: int) -> Any:
    """What a client of flwr.serverapp answers."""
    app = pytest.importorskip("flwr.app")
    metrics = app.MetricRecord({"num-examples": size})
    return app.Message(
        app.RecordDict({"arrays": app.ArrayRecord([array]), "metrics": metrics}), reply_to=message
    )


def old_average(arrays: Sequence[Array], sizes: Sequence[int]) -> Array:
    """What flwr.server makes of arrays."""
    common = pytest.importorskip("flwr.common")
    server = pytest.importorskip("flwr.server.strategy")
    results = [(None, fit_result(a, n)) for a, n in zip(arrays, sizes, strict=True)]
    averaged, _ = server.FedProx(proximal_mu=1.0).aggregate_fit(1, results, [])
    found: Array = common.parameters_to_ndarrays(averaged)[0]
    return found


def new_average(arrays: Sequence[Array], sizes: Sequence[int]) -> Array:
    """What flwr.serverapp makes of arrays."""
    app = pytest.importorskip("flwr.app")
    strategies = pytest.importorskip("flwr.serverapp.strategy")
    strategy = strategies.FedProx(proximal_mu=1.0, min_train_nodes=2, min_available_nodes=2)
    nothing = app.ArrayRecord([np.zeros(1)])
    asked = strategy.configure_train(1, nothing, app.ConfigRecord({}), Everybody(len(arrays)))
    replies = [reply(m, a, n) for m, a, n in zip(asked, arrays, sizes, strict=True)]
    averaged, _ = strategy.aggregate_train(1, replies)
    found: Array = averaged.to_numpy_ndarrays()[0]
    return found


@pytest.fixture(autouse=True)
def _in_a_run(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Messages of newer versions of Flower carry the run that this process belongs to."""
    pytest.importorskip("flwr")
    try:
        from flwr.supercore.task_identity import TaskIdentity
    except ImportError:
        yield
        return
    for name in ("_task_id", "_run_id", "_node_id"):
        monkeypatch.setattr(TaskIdentity, name, 1)
    yield


both = pytest.mark.parametrize("strategy", [old_strategy, new_strategy])
averages = pytest.mark.parametrize("average", [old_average, new_average])


@both
def test_flowers_fedprox_conforms(strategy: Callable[..., Any]) -> None:
    """With a client that adds mu (w - w_s) it is FedProx, weighted by examples, to rounding."""
    found = conform(strategy(), "fedprox")

    assert (found.conforms, found.precision) == (True, "double")
    assert found.error < 1e-14


@both
def test_a_client_as_the_docstring_has_it_does_not(strategy: Callable[..., Any]) -> None:
    """The norm without its square is recognised."""
    found = conform(strategy(squared=False), "fedprox")

    assert found.diagnosis == ("the proximal term is the norm |w - w_s|, which is not squared",)


@both
def test_clients_in_float32_conform_in_single_precision(strategy: Callable[..., Any]) -> None:
    """The strategies keep the precision of what they are sent."""
    found = conform(strategy(dtype=np.float32), "fedprox")

    assert (found.conforms, found.precision) == (True, "single")


def test_the_docstrings_have_the_norm_unsquared() -> None:
    """What the page says of Flower's docstrings is still so; where this fails, the page is to be mended."""
    for module in ("flwr.server.strategy", "flwr.serverapp.strategy"):
        text = pytest.importorskip(module).FedProx.__doc__
        assert "(local_weights - global_weights).norm(2)\n" in text


@averages
def test_clients_without_examples(average: Callable[..., Array]) -> None:
    """One of them weighs nothing, unless what it sends is no number; all of them are an error."""
    one, three, nan = np.ones(2), np.full(2, 3.0), np.full(2, np.nan)

    assert average([one, three], [0, 5]).tolist() == [3, 3]
    assert np.isnan(average([nan, three], [0, 5])).all()
    with pytest.raises(ZeroDivisionError):
        average([one, three], [0, 0])


@averages
def test_the_first_client_sets_the_precision(average: Callable[..., Array]) -> None:
    """The average is in float32 where the first client sends float32."""
    single, double = np.ones(2, np.float32), np.ones(2)

    assert average([single, double], [1, 2]).dtype == np.float32
    assert average([double, single], [1, 2]).dtype == np.float64


def test_whole_numbers() -> None:
    """Arrays of whole numbers become 0 in flwr.server and their mean in flwr.serverapp."""
    one, three = np.ones(2, np.int64), np.full(2, 3)

    assert old_average([one, three], [1, 1]).tolist() == [0, 0]
    assert new_average([one, three], [1, 1]).tolist() == [2, 2]


def test_the_pages_program_runs(tmp_path: Path) -> None:
    """The program on the page, as it stands, finds Flower's FedProx right."""
    (program,) = BLOCKS
    (tmp_path / "program.py").write_text(program)
    names = run_path(str(tmp_path / "program.py"))

    assert names["found"].conforms
    assert names["found"].precision == "double"
