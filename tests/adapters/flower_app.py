"""FedProx in Flower on two clients: binary logistic regression in NumPy, logged by `LoggedStrategy`.

`python -m tests.adapters.flower_app FOLDER SEEDS DRAWN` wrote the logs that lie in `logs/`.

Every row of the data has length 1, so that a sample's loss is 1-Lipschitz and its gradient 1/4-Lipschitz, and
no loss is below 0: the constants of the header are exact by construction.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from fedproof.problems.problem import Array
from fedproof.validate.logs.writer import LogWriter

CLIENTS, SAMPLES, ROUNDS = 2, 12, 10
ETA = "1"
"""1 / mu of the proximal term."""

CONSTANTS = {"L": "1/4", "G": "1", "least_loss": "0"}
PROBLEM = "logistic regression on two clients in Flower"


def rows() -> tuple[Array, Array]:
    """Features (clients, samples, 2) on the unit circle and labels; the clients' labels disagree."""
    angles = np.linspace(0, 2 * np.pi, CLIENTS * SAMPLES, endpoint=False).reshape(SAMPLES, CLIENTS).T
    features = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    labels = np.stack([features[0, :, 0] > 0.3, features[1, :, 1] > -0.2]).astype(float)
    return features, labels


def client_loss(model: Array, client: int) -> tuple[float, Array, Array]:
    """Mean loss of a client at a model (2,), with gradient and Hessian."""
    features, labels = (part[client] for part in rows())
    scores = features @ model
    chance = 1 / (1 + np.exp(-scores))
    loss = float(np.mean(np.logaddexp(0, scores) - labels * scores))
    gradient = features.T @ (chance - labels) / SAMPLES
    hessian = (features * (chance * (1 - chance))[:, None]).T @ features / SAMPLES
    return loss, gradient, hessian


def proximal_point(anchor: Array, client: int, weight: float) -> Array:
    """The least point of F_n + weight/2 |w - anchor|^2, by Newton's method to the last digits."""
    model = anchor.copy()
    for _ in range(50):
        _, gradient, hessian = client_loss(model, client)
        step = np.linalg.solve(hessian + weight * np.eye(2), gradient + weight * (model - anchor))
        model = model - step
    return model


def measured(model: Array) -> dict[str, float]:
    """The global loss and the square of its gradient."""
    found = [client_loss(model, client) for client in range(CLIENTS)]
    gradient = np.mean([g for _, g, _ in found], axis=0)
    return {"loss": float(np.mean([f for f, *_ in found])), "squared_gradient": float(gradient @ gradient)}


def client_app() -> Any:
    """A client returns its proximal point; which client it is stands in its partition."""
    from flwr.app import ArrayRecord, Message, MetricRecord, RecordDict
    from flwr.clientapp import ClientApp

    app = ClientApp()

    @app.train()  # type: ignore[untyped-decorator]
    def train(message: Any, context: Any) -> Any:
        anchor = message.content["arrays"].to_numpy_ndarrays()[0]
        client = int(context.node_config["partition-id"])
        model = proximal_point(anchor, client, 1 / float(ETA))
        content = RecordDict({
            "arrays": ArrayRecord([model]), "metrics": MetricRecord({"num-examples": SAMPLES}),
        })  # fmt: skip
        return Message(content=content, reply_to=message)

    return app


def server_app(folder: Path, seeds: Sequence[int], drawn: int) -> Any:
    """Each seed is a run of its own, with a log of its own; with one drawn client it decides which."""
    from flwr.app import ArrayRecord, MetricRecord
    from flwr.serverapp import ServerApp
    from flwr.serverapp.strategy import FedAvg

    from fedproof.adapters.flower import LoggedStrategy

    app = ServerApp()

    @app.main()  # type: ignore[untyped-decorator]
    def main(grid: Any, context: Any) -> None:
        import random

        for seed in seeds:
            random.seed(seed)
            strategy = FedAvg(
                fraction_train=drawn / CLIENTS,
                fraction_evaluate=0,
                min_train_nodes=drawn,
                min_available_nodes=CLIENTS,
            )
            header = {
                "algorithm": "fedprox", "seed": seed, "problem": PROBLEM,
                "parameters": {"eta": ETA, "eps": "1e-12"},
                "constants": {**CONSTANTS, "M": CLIENTS, "I": drawn},
                "participation": {"average": "plain"} | ({"count": drawn} if drawn < CLIENTS else {}),
            }  # fmt: skip
            with LogWriter(folder / f"seed{seed}.csv", **header) as log:
                LoggedStrategy(strategy, log).start(
                    grid=grid,
                    initial_arrays=ArrayRecord([np.zeros(2)]),
                    num_rounds=ROUNDS,
                    evaluate_fn=lambda r, arrays: MetricRecord(measured(arrays.to_numpy_ndarrays()[0])),
                )

    return app


def simulate(folder: Path, seeds: Sequence[int], drawn: int) -> None:
    """Flower's own simulation: the logs of these seeds are then in the folder."""
    from flwr.simulation import run_simulation

    run_simulation(
        server_app(folder, seeds, drawn), client_app(), num_supernodes=CLIENTS,
        backend_config={"client_resources": {"num_cpus": 1, "num_gpus": 0}, "init_args": {"num_cpus": 2}},
    )  # fmt: skip


if __name__ == "__main__":
    import sys

    where, count, cohort = sys.argv[1:]
    Path(where).mkdir()
    simulate(Path(where), range(int(count)), int(cohort))
