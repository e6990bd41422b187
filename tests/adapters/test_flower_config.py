"""What was found best goes into a Flower app and comes back."""

from __future__ import annotations

import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import fedproof as fp
from fedproof.adapters.flower_config import TABLE, flower_config, flower_toml, read_flower
from fedproof.cli import main
from fedproof.planning.plan_result import Plan
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.schema import stamped
from tests.refusals import refused

PROXVR = ["L=1", "lam=0.5", "sigma2=1", "gamma=0.01"]
PROX = ["L=1", "G=1", "Delta=1", "epsilon=0.1", "d_dev=0.01"]
COMPOSITE = ["L=1", "n=30", "sigma2=1", "B_g=1", "Omega1=1", "eps=0.1", "d_smp=0.001"]
TUNED = {"fedproxvr": PROXVR, "fedprox": PROX, "composite": COMPOSITE}


def tuned(key: str) -> Any:
    """The best parameters of a paper's problem."""
    return fp.tune(key, **dict(text.split("=") for text in TUNED[key]))


def without_none(run: Any) -> Any:
    """What TOML can say of a run."""
    if isinstance(run, dict):
        return {k: without_none(v) for k, v in run.items() if v is not None}
    return run


def project(folder: Path, table: str) -> Path:
    """A Flower app's pyproject.toml with this configuration."""
    path = folder / "pyproject.toml"
    path.write_text(
        '[project]\nname = "app"\nversion = "1.0.0"\ndescription = ""\nlicense = "Apache-2.0"\n'
        'dependencies = []\n[tool.flwr.app]\npublisher = "me"\n[tool.flwr.app.components]\n'
        'serverapp = "app.server:app"\nclientapp = "app.client:app"\n\n' + table + "\n"
    )
    return path


@pytest.mark.parametrize("key", TUNED)
def test_there_and_back(key: str, tmp_path: Path) -> None:
    """What `tune` recommends is, read from the app's file, the same call of `run`, to the last digit."""
    best = tuned(key)

    assert read_flower(project(tmp_path, flower_toml(best))) == without_none(dict(best.run))
    assert ("participation" in best.run) == (key == "fedprox")


def test_the_keys_are_flowers() -> None:
    """Words that Flower's templates have are theirs; proximal-mu is the weight in (mu / 2) |w - w_s|^2."""
    best = tuned("fedproxvr")
    config = flower_config(best)

    assert config["proximal-mu"] == best.argmin["mu"]
    assert config["learning-rate"] == 1 / best.argmin["beta"]
    assert config["local-steps"] == 225
    assert "local-epochs" not in config  # one sample a step
    assert flower_config(tuned("fedprox"))["num-server-rounds"] == 967


def test_epochs_are_steps_on_all_samples_alone() -> None:
    """local-epochs stands there where a step takes all samples, and means so when it is read."""
    whole = {"algorithm": "fedprox", "prox_weight": 1.0, "local_solver": "gradient_descent", "local_steps": 3}
    drawn = {"algorithm": "fedavg", "stepsize": 0.1, "local_steps": 3}

    assert flower_config(whole)["local-epochs"] == 3
    assert "local-epochs" not in flower_config(drawn)
    assert flower_config({**drawn, "batch_size": None})["local-epochs"] == 3
    assert (
        flower_config({"algorithm": "fedcomposite", "stepsize": 0.1, "local_steps": 3})["local-epochs"] == 3
    )
    assert read_flower({"local-epochs": 3}) == {"local_steps": 3, "batch_size": None}


def test_an_app_runs_what_was_found() -> None:
    """The configuration that is read back is taken by `run` as it stands."""
    run = read_flower(flower_config(tuned("fedproxvr")) | {"local-steps": 2})
    history = fp.run(**run, problem="quadratic", rounds=2, seed=1)

    assert history.rounds == 2


@pytest.mark.parametrize("key", TUNED)
def test_the_shell_prints_the_table(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`tune --flower` is the table alone, `tune --toml` the whole document without what is not set."""
    assert main(["tune", key, *TUNED[key], "--flower"]) == 0
    table = tomllib.loads(capsys.readouterr().out)
    for name in TABLE:
        table = table[name]
    assert table == flower_config(tuned(key))
    assert main(["tune", key, *TUNED[key], "--toml"]) == 0
    assert tomllib.loads(capsys.readouterr().out) == without_none(stamped(tuned(key)))


def test_range_as_toml(capsys: pytest.CaptureFixture[str]) -> None:
    """`range --toml` is the document of `range --json`; the end of what is unbounded is the text null."""
    assert main(["range", "fedproxvr.certified.sarah", "mu", "L=1", "lam=1/2", "sigma2=1", "--toml"]) == 0
    found = tomllib.loads(capsys.readouterr().out)

    assert found["intervals"] == [[pytest.approx(7.60973169), "null"]]
    assert found["integers"] == [8, "null"]
    assert "why" not in found


def test_what_cannot_be_meant_is_refused(tmp_path: Path) -> None:
    """Nothing to run, and files without the table, are errors of one line."""
    refused(InputError, "recommends nothing", flower_config, tuned_without_answer())
    refused(InputError, "a TOML file", read_flower, tmp_path / "none.toml")
    (tmp_path / "other.toml").write_text("[tool]\nx = 1\n")
    refused(InputError, r"without \[tool.flwr.app.config\]", read_flower, tmp_path / "other.toml")


def test_nothing_to_run_is_an_empty_table(capsys: pytest.CaptureFixture[str]) -> None:
    """Where the infimum is not attained, or no theorem applies, the table is empty and a comment says why."""
    assert main(["tune", "fedproxvr", "L=1", "lam=0.5", "sigma2=1", "gamma=0", "--flower"]) == 0
    out = capsys.readouterr().out

    assert tomllib.loads(out)["tool"]["flwr"]["app"]["config"] == {}
    assert "# nothing to run: fedproxvr: the infimum" in out


def test_a_plan_becomes_a_table() -> None:
    """What a plan recommends, with the rounds of its theorem."""
    run = {"estimator": "svrg", "stepsize": 0.25, "local_steps": 9, "prox_weight": 1.5}
    best = Plan("fedproxvr", "fedproxvr.certified.svrg", "", applicable=True, run=run, rounds=56)
    plans = SimpleNamespace(recommended=best)

    assert read_flower(flower_config(plans)) == {"algorithm": "fedproxvr", **run, "rounds": 56}


def tuned_without_answer() -> Any:
    """A problem whose infimum is not attained."""
    return fp.tune("fedproxvr", L=1, lam="0.5", sigma2=1, gamma=0)


def test_flower_reads_the_file(tmp_path: Path) -> None:
    """Flower's own reader takes the file, checks it, and hands the app the same configuration."""
    common = pytest.importorskip("flwr.common.config")
    for key in TUNED:
        project(tmp_path, flower_toml(tuned(key)))
        found = common.get_project_config(str(tmp_path))["tool"]["flwr"]["app"]["config"]
        assert common.flatten_dict(found) == flower_config(tuned(key))
        typed = common.parse_config_args(['algorithm="fedavg"'])  # as in flwr run --run-config
        assert read_flower(common.fuse_dicts(found, typed))["algorithm"] == "fedavg"


@pytest.mark.parametrize(("config", "said"), [
    ({"local-epochs": 2, "batch-size": 32}, "write local-steps, the batches that a client takes"),
    ({"local_epochs": 2, "local-steps": 50}, "local-epochs: got 2 beside local-steps = 50"),
    ({"proximal-mu": 0.1, "prox-weight": 5}, "prox-weight: got proximal-mu beside it"),
    ({"proximal-mu": 0.1, "proximal_mu": 5}, "proximal_mu: got proximal-mu beside it"),
])  # fmt: skip
def test_a_configuration_that_says_two_things_is_refused(config: dict[str, Any], said: str) -> None:
    """An epoch of batches is several steps, and two keys of one meaning leave open which is meant."""
    refused(InputError, said, read_flower, {"algorithm": "fedprox", **config})


def test_keys_may_have_underscores() -> None:
    """A key that is written as Python's names are means the same."""
    assert read_flower({"proximal_mu": 0.1, "local_epochs": 3, "local_steps": 3}) == {
        "prox_weight": 0.1, "local_steps": 3, "batch_size": None,
    }  # fmt: skip
