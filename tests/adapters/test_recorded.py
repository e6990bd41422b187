"""Logs that a Flower simulation and a PyTorch loop wrote, judged everywhere; what the recorders refuse."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fedproof as fp
from fedproof.adapters.flower import LoggedStrategy, logged
from fedproof.problems.supervised.models.logistic import Logistic
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.supervised import Supervised
from fedproof.solvers.cohort import Participation
from fedproof.solvers.history import History
from fedproof.validate.api import validate
from fedproof.validate.logs.header import read_header
from fedproof.validate.logs.sources import groups_of
from fedproof.validate.logs.writer import LogWriter
from fedproof.vocabulary.errors import DataError, InputError
from tests.adapters.flower_app import CLIENTS, ROUNDS, SAMPLES, rows
from tests.refusals import refused

LOGS = Path(__file__).parent / "logs"
#: the log, the statement that speaks of its draws, how many runs differ, and its letters
RECORDED: dict[str, tuple[str, int, dict[str, Any]]] = {
    "flower_run.csv": ("fedprox.remark2.general", 1, {"I": 2}),
    "flower_runs.csv": ("fedprox.section2.distinct.general", 38, {"I": 1, "M": 2}),
    "torch_runs.csv": ("fedprox.theorem1.general", 40, {"I": 2}),
}


def ours(participation: Participation, seed: int = 0) -> History:
    """The same problem and the same algorithm by fedproof."""
    features, labels = rows()
    problem = Supervised(Logistic(2), features.reshape(-1, 2), labels.reshape(-1).astype(int),
                         Partition.of_sizes([SAMPLES] * CLIENTS), "two clients")  # fmt: skip
    return fp.run("fedprox", problem, rounds=ROUNDS, seed=seed, mu=1, local_solver="to_suboptimality",
                  eps="1e-26", participation=participation)  # fmt: skip


@pytest.mark.parametrize("name", RECORDED)
def test_a_recorded_log_is_judged(name: str) -> None:
    """The mean over rounds 0 to 9 and runs, in fractions, beside the bound of `check`; 30 runs decide."""
    id, count, drawn = RECORDED[name]
    (row,) = validate(history=LOGS / name).results
    (logs,) = groups_of(LOGS / name, read_header(None))
    squares = [Fraction(v) for run in logs for v in run.columns["squared_gradient"][:ROUNDS] if v is not None]
    gap = logs[0].columns["loss"][0]
    known = {"L": "1/4", "G": 1, "eta": 1, "eps": "1e-12", "Delta": repr(gap), "T": ROUNDS, **drawn}

    assert row.id == id
    assert row.measured == pytest.approx(float(sum(squares) / len(squares)), rel=1e-14)
    assert row.bound == fp.statement(id).check(**known).bound
    assert (row.verdict, row.seeds) == ("consistent" if count >= 30 else "inconclusive", count)
    assert any("fedprox.oracle" in said for said in row.rests_on)


def test_flower_ran_what_we_run() -> None:
    """With both clients in every round, Flower's losses and gradients are those of our own FedProx."""
    history = ours(Participation(average="plain"))
    ((log,),) = groups_of(LOGS / "flower_run.csv", read_header(None))

    for column in ("loss", "squared_gradient"):
        assert np.allclose(log.columns[column], history.metrics[column], rtol=1e-10, atol=0)


def test_pytorch_ran_what_we_run() -> None:
    """Means over seeds of the PyTorch loop and of our own runs differ by less than five standard errors."""
    (logs,) = groups_of(LOGS / "torch_runs.csv", read_header(None))
    who = Participation(2, replacement=True, average="plain")
    theirs = np.array([run.columns["loss"] for run in logs], dtype=float)
    mine = np.array([ours(who, seed).metrics["loss"] for seed in range(len(logs))], dtype=float)
    error = np.hypot(*(part[:, 1:].std(axis=0, ddof=1) / len(logs) ** 0.5 for part in (theirs, mine)))

    assert np.allclose(theirs[:, 0], np.log(2), rtol=1e-14)
    assert (np.abs(theirs[:, 1:].mean(axis=0) - mine[:, 1:].mean(axis=0)) < 5 * error).all()


def test_a_planted_falsehood_is_seen(tmp_path: Path) -> None:
    """With L told far too small and eta too large the runs are beyond their bound; no word is green."""
    text = (LOGS / "torch_runs.csv").read_text(encoding="utf-8")
    lies = {'L = "1/4"': 'L = "1/10000"', 'eta = "1"': 'eta = "30"'}
    lying = text
    for said, instead in lies.items():
        assert said in lying
        lying = lying.replace(said, instead)
    (tmp_path / "run.csv").write_text(lying)
    (row,) = validate(history=tmp_path / "run.csv").results

    assert row.verdict == "inconclusive"
    assert row.slack is not None
    assert row.slack < 1
    assert "it is beyond its bound" in row.detail


def test_a_falsehood_that_the_gradients_show_is_refused(tmp_path: Path) -> None:
    """A G below the norm of a gradient that the loop wrote is no Lipschitz constant."""
    text = (LOGS / "torch_runs.csv").read_text(encoding="utf-8")
    (tmp_path / "run.csv").write_text(text.replace('G = "1"', 'G = "1/5"'))

    refused(DataError, "squared_gradient = 0.05", validate, history=tmp_path / "run.csv")


class Stand:
    """Stands in for a strategy of Flower."""

    def __init__(self, evaluated: Any = (0.5, {"squared_gradient": 0.1})) -> None:
        self.evaluated, self.name = evaluated, "stand-in"

    def start(self, grid: Any, num_rounds: int = 1, evaluate_fn: Any = None) -> Any:
        """Evaluate at the start and after each round."""
        return [evaluate_fn(r, grid) for r in range(num_rounds + 1)]

    def evaluate(self, server_round: int, parameters: Any) -> Any:
        """What it was made with."""
        del server_round, parameters
        return self.evaluated


def test_a_wrapped_strategy_is_itself(tmp_path: Path) -> None:
    """Everything but the evaluation is passed on, and what that returns comes back unchanged."""
    with LogWriter(tmp_path / "run.csv", algorithm="fedprox") as log:
        strategy = LoggedStrategy(Stand(), log)
        found = strategy.start("model", 2, evaluate_fn=lambda r, model: {"loss": 1 / (r + 1)})

    assert strategy.name == "stand-in"
    assert found == [{"loss": 1.0}, {"loss": 0.5}, {"loss": 1 / 3}]
    assert log.path.read_text().splitlines()[-3:] == ["0,1.0", "1,0.5", f"2,{1 / 3!r}"]


def test_both_kinds_of_evaluation_are_logged(tmp_path: Path) -> None:
    """A loss with a dictionary, as older strategies have it, is a row; a round without one is none."""
    with LogWriter(tmp_path / "run.jsonl", algorithm="fedprox") as log:
        assert LoggedStrategy(Stand(), log).evaluate(0, None) == (0.5, {"squared_gradient": 0.1})
        assert logged(lambda r, model, config: (0.25, {}), log)(1, None, {}) == (0.25, {})
        assert logged(lambda r, model: None, log)(2, None) is None

    rounds = log.path.read_text().splitlines()[1:]
    assert rounds == ['{"round": 0, "loss": 0.5, "squared_gradient": 0.1}', '{"round": 1, "loss": 0.25}']


def test_a_strategy_that_measures_nothing_is_refused(tmp_path: Path) -> None:
    """Without an evaluation on the server there is no log, and that is said before the run."""
    with LogWriter(tmp_path / "run.csv", algorithm="fedprox") as log:
        refused(InputError, "evaluate_fn", LoggedStrategy(Stand(), log).start, "model")
        refused(InputError, "evaluate_fn", LoggedStrategy(Stand(None), log).evaluate, 0, None)


def test_what_a_writer_refuses(tmp_path: Path) -> None:
    """A file that is there, an ending, a header, a round and a value that cannot be meant."""
    with LogWriter(tmp_path / "run.csv", algorithm="fedprox") as log:
        log.write(0, loss=1)
        refused(InputError, "expected a whole number > 0", log.write, 0, loss=1)
        refused(InputError, "loss: got small", log.write, 1, loss="small")
    refused(InputError, "a file that exists", LogWriter, tmp_path / "run.csv")
    refused(InputError, "ends in .csv", LogWriter, tmp_path / "run.txt")
    refused(InputError, "did you mean algorithm", LogWriter, tmp_path / "new.csv", algoritm="fedprox")
    refused(InputError, "L = big", LogWriter, tmp_path / "new.csv", constants={"L": "big"})
    assert not (tmp_path / "new.csv").exists()


@pytest.mark.parametrize("name", ["run.csv", "run.jsonl"])
def test_what_is_written_is_what_is_read(name: str, tmp_path: Path) -> None:
    """Header and rows come back, exactly; a column that begins later is empty before."""
    with LogWriter(
        tmp_path / name, algorithm="fedprox", seed=3, problem='"two"',
        constants={"L": Fraction(1, 3), "G": 0.1}, parameters={"local_solver": "exact", "mu": 2},
        participation={"count": 2, "replacement": True},
    ) as log:  # fmt: skip
        log.write(0, loss=0.1)
        log.write(1, loss=np.float32(0.25), **{"a,b": 2})
    ((read,),) = groups_of(log.path, read_header(None))

    assert (read.algorithm, read.seed, read.problem) == ("fedprox", 3, '"two"')
    assert {n: str(k.value) for n, k in read.numbers.items()} == {"L": "1/3", "G": "1/10", "mu": "2"}
    assert read.choices == {"local_solver": "exact"}
    assert read.participation is not None
    assert (read.participation["count"], read.participation["replacement"]) == (2, True)
    assert dict(read.columns) == {"loss": (0.1, 0.25), "a,b": (None, 2.0)}
