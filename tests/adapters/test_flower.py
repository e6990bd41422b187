"""A simulation by Flower itself, logged and judged, against the same algorithm of ours."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fedproof.adapters.flower import LoggedStrategy
from fedproof.solvers.cohort import Participation
from fedproof.validate.api import validate
from fedproof.validate.logs.header import read_header
from fedproof.validate.logs.sources import groups_of
from fedproof.validate.logs.writer import LogWriter
from tests.adapters.flower_app import CLIENTS, ROUNDS, measured, simulate
from tests.adapters.test_recorded import ours

pytest.importorskip("flwr", reason="the extra flower is not installed; `make extras` runs these")
pytestmark = pytest.mark.filterwarnings("default")  # Flower's and Ray's own


def test_a_simulation_is_logged_and_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten rounds on two clients: the log is that of our own FedProx, and Remark 2's bound is beside it."""
    monkeypatch.setenv("FLWR_TELEMETRY_ENABLED", "0")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    pytest.importorskip("ray", reason="Flower's simulation needs its extra; `make extras` installs it")
    simulate(tmp_path, [7], CLIENTS)
    ((log,),) = groups_of(tmp_path, read_header(None))
    (row,) = validate(history=tmp_path).results
    history = ours(Participation(average="plain"))

    assert log.rounds == tuple(range(ROUNDS + 1))
    for column in ("loss", "squared_gradient"):
        assert np.allclose(log.columns[column], history.metrics[column], rtol=1e-10, atol=0)
    assert (row.id, row.verdict, row.seeds) == ("fedprox.remark2.general", "inconclusive", 1)
    assert row.bound == pytest.approx(2.02726, rel=1e-5)


def test_an_older_strategy_is_logged(tmp_path: Path) -> None:
    """The FedAvg of `flwr.server.strategy`, wrapped, evaluates and is logged as by itself."""
    from flwr.common import ndarrays_to_parameters
    from flwr.server.strategy import FedAvg

    def evaluated(
        server_round: int, model: list[np.ndarray], config: object
    ) -> tuple[float, dict[str, float]]:
        found = measured(model[0])
        return found.pop("loss"), found

    with LogWriter(tmp_path / "run.csv", algorithm="fedprox") as log:
        strategy = LoggedStrategy(FedAvg(evaluate_fn=evaluated), log)
        loss, metrics = strategy.evaluate(0, ndarrays_to_parameters([np.zeros(2)]))

    assert strategy.fraction_fit == 1.0
    assert log.path.read_text().splitlines()[-1] == f"0,{loss!r},{metrics['squared_gradient']!r}"
