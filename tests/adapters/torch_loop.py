"""FedProx in a PyTorch loop, on the two clients of `flower_app`, logged with `global_metrics`.

`python -m tests.adapters.torch_loop FOLDER SEEDS` wrote the logs that lie in `logs/`.
"""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

from fedproof.adapters.torch_log import global_metrics
from fedproof.validate.logs.writer import LogWriter
from tests.adapters.flower_app import CLIENTS, CONSTANTS, ETA, ROUNDS, rows

DRAWN, EPS = 2, 1e-12


def batches() -> list[list[tuple[Any, Any]]]:
    """Of each client its samples, in two batches."""
    import torch

    features, labels = (torch.from_numpy(part.copy()) for part in rows())
    return [
        [(features[n, part], labels[n, part]) for part in (slice(0, 5), slice(5, None))]
        for n in range(CLIENTS)
    ]


def summed(outputs: Any, labels: Any) -> Any:
    """The sum of the samples' losses."""
    import torch

    return torch.nn.functional.binary_cross_entropy_with_logits(outputs[:, 0], labels, reduction="sum")


def local(server: Any, client: list[tuple[Any, Any]], weight: float) -> Any:
    """A copy of the server's module that minimises the client's loss with the proximal term.

    The surrogate is `weight`-strongly convex, so that a gradient of norm g leaves at most g^2 / (2 weight).
    """
    import torch

    module, anchors = deepcopy(server), [p.detach().clone() for p in server.parameters()]
    solver = torch.optim.LBFGS(
        module.parameters(), max_iter=200, tolerance_grad=1e-12, tolerance_change=0,
        line_search_fn="strong_wolfe",
    )  # fmt: skip

    def surrogate() -> Any:
        solver.zero_grad()
        size = sum(len(labels) for _, labels in client)
        value = sum(summed(module(inputs), labels) for inputs, labels in client) / size
        value = value + weight / 2 * sum(
            ((p - a) ** 2).sum() for p, a in zip(module.parameters(), anchors, strict=True)
        )
        value.backward()
        return value

    solver.step(surrogate)
    surrogate()
    assert float(sum((p.grad**2).sum() for p in module.parameters())) / (2 * weight) <= EPS
    return module


def train(path: Path, seed: int) -> None:
    """One run: in each round two draws with replacement, whose models are averaged plainly."""
    import torch

    draw = torch.Generator().manual_seed(seed)
    clients, server = batches(), torch.nn.Linear(2, 1, bias=False, dtype=torch.float64)
    torch.nn.init.zeros_(server.weight)
    header = {
        "algorithm": "fedprox", "seed": seed, "problem": "logistic regression on two clients in PyTorch",
        "parameters": {"eta": ETA, "eps": EPS}, "constants": CONSTANTS,
        "participation": {"count": DRAWN, "replacement": True, "average": "plain"},
    }  # fmt: skip
    with LogWriter(path, **header) as log:
        log.write(0, **global_metrics(server, clients, summed))
        for r in range(1, ROUNDS + 1):
            cohort = torch.randint(CLIENTS, (DRAWN,), generator=draw).tolist()
            models = [local(server, clients[n], 1 / float(ETA)) for n in cohort]
            with torch.no_grad():
                server.weight.copy_(sum(m.weight for m in models) / DRAWN)
            log.write(r, **global_metrics(server, clients, summed))


if __name__ == "__main__":
    import sys

    where, count = Path(sys.argv[1]), int(sys.argv[2])
    where.mkdir()
    for number in range(count):
        train(where / f"seed{number}.csv", number)
