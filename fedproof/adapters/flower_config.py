"""What `tune` and `plan` found as the configuration of a Flower app, and back; it needs no Flower."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import tomli_w

from fedproof.solvers.catalog import algorithm_class
from fedproof.solvers.cohort import Participation
from fedproof.vocabulary.errors import InputError

TABLE = ("tool", "flwr", "app", "config")
"""Where a Flower app's `pyproject.toml` keeps its run configuration."""

#: our word -> the key in Flower's templates; other words become keys as they are, with dashes
KEYS: Mapping[str, str] = MappingProxyType(
    {"prox_weight": "proximal-mu", "stepsize": "learning-rate", "rounds": "num-server-rounds"}
)
_WORDS = {key: word for word, key in KEYS.items()}
_INSIDE = "participation"
EPOCHS = "local-epochs"


def flower_config(found: Any) -> dict[str, bool | int | float | str]:
    """The run configuration of a Flower app for what was found best.

    `proximal-mu` is mu of (mu / 2) |w - w_s|^2, as Flower's FedProx sends it; `learning-rate` is the step
    size. Where a local step takes all of a client's samples it is an epoch, and `local-epochs` is there too;
    with batches `local-steps` and `batch-size` stand alone.

    Arguments:
        found: a result of `tune` or `plan`, or hyper-parameters as `fedproof.run` takes them.

    Returns: keys with values that Flower allows; what is not set is left out.
    Raises: InputError where there is nothing to run.

    >>> flower_config({"algorithm": "fedavg", "stepsize": 0.1, "local_steps": 5, "batch_size": None})
    {'algorithm': 'fedavg', 'learning-rate': 0.1, 'local-steps': 5, 'local-epochs': 5}
    """
    given = _run_of(found)
    if given is None:
        raise InputError("configuration", "a result that recommends nothing to run", "one that does",
                         "give hyper-parameters, such as those of its suggested run")  # fmt: skip
    run = dict(given)
    taking = run.pop(_INSIDE, None)
    within = {} if taking is None else _fields(taking)
    flat = run | {f"{_INSIDE}_{name}": value for name, value in within.items()}
    config = {_key(word): _plain(word, value) for word, value in flat.items() if value is not None}
    if "local_steps" in run and _whole_passes(run):
        config[EPOCHS] = config["local-steps"]
    return config


def flower_toml(found: Any) -> str:
    """The configuration as the table of a `pyproject.toml`.

    Where nothing is to be run, it is empty, with a comment that says why.

    Arguments: as `flower_config`.

    >>> print(flower_toml({"algorithm": "fedprox", "prox_weight": 2.5, "rounds": 10}))
    [tool.flwr.app.config]
    algorithm = "fedprox"
    proximal-mu = 2.5
    num-server-rounds = 10
    """
    head = f"[{'.'.join(TABLE)}]\n"
    if _run_of(found) is None:
        return head + f"# nothing to run: {' '.join(found.headline().split())}"
    return head + tomli_w.dumps(flower_config(found)).strip("\n")


def read_flower(source: Mapping[str, Any] | str | Path) -> dict[str, Any]:
    """Hyper-parameters as `fedproof.run` takes them, from the configuration of a Flower app.

    Arguments:
        source: the configuration as Flower hands it to an app (`context.run_config`), or the path of a
            `pyproject.toml`.

    Returns: by canonical word; a key that stands beside `local-steps` to say the same is left out.
    Raises: InputError for a file without the table, a participation that cannot be meant, two keys that mean
        the same, and epochs beside batches or another number of local steps.

    >>> read_flower({"algorithm": "fedprox", "proximal-mu": 2.5, "participation-count": 3})["participation"]
    <Participation 3 clients drawn, mean weighed by size>
    """
    if not isinstance(source, Mapping | str | Path):
        raise InputError("configuration", type(source).__name__, "a mapping or the path of a pyproject.toml")
    config = dict(source) if isinstance(source, Mapping) else _table_of(Path(source))
    run: dict[str, Any] = {}
    taking: dict[str, Any] = {}
    keys: dict[str, str] = {}
    for key, value in config.items():
        word = _word(key)
        if word in keys:
            raise InputError(key, f"{keys[word]} beside it", "one of the two, which mean the same",
                             f"leave {key} out")  # fmt: skip
        keys[word] = key
        if word.startswith(f"{_INSIDE}_"):
            taking[word.removeprefix(f"{_INSIDE}_")] = value
        elif word != EPOCHS:
            run[word] = value
    if taking:
        run[_INSIDE] = Participation(**taking)
    return run | _whole_epochs(config[keys[EPOCHS]], run) if EPOCHS in keys else run


def _word(key: str) -> str:
    """The canonical word of a key, however it is written."""
    dashed = key.replace("_", "-")
    return EPOCHS if dashed == EPOCHS else _WORDS.get(dashed, key.replace("-", "_"))


def _whole_epochs(epochs: Any, run: Mapping[str, Any]) -> dict[str, Any]:
    """Epochs as local steps that take all of a client's samples.

    Raises: InputError beside batches, in which an epoch is several steps, and beside another number of steps.
    """
    if run.get("batch_size") is not None:
        raise InputError(EPOCHS, f"it beside batches of {run['batch_size']}", "local-steps beside batch-size",
                         f"write local-steps, the batches that a client takes, without {EPOCHS}")  # fmt: skip
    if run.get("local_steps", epochs) != epochs:
        raise InputError(EPOCHS, f"{epochs} beside local-steps = {run['local_steps']}", "the same number",
                         "leave one of the two out")  # fmt: skip
    return {"local_steps": epochs, "batch_size": None}


def _run_of(found: Any) -> Mapping[str, Any] | None:
    """What a result recommends to run; None where it recommends nothing."""
    if isinstance(found, Mapping):
        return found
    best = getattr(found, "recommended", None)
    if best is not None:
        return {"algorithm": best.algorithm, **best.run, "rounds": best.rounds}
    run: Mapping[str, Any] | None = getattr(found, "run", None)
    return run or None


def _fields(taking: Participation | int) -> dict[str, Any]:
    """Who takes part, by field."""
    return {"count": taking} if isinstance(taking, int) else dict(vars(taking))


def _key(word: str) -> str:
    return KEYS.get(word, word.replace("_", "-"))


def _plain(word: str, value: Any) -> bool | int | float | str:
    """A value as Flower allows it."""
    if isinstance(value, (bool, int, float, str)):
        return value
    if hasattr(value, "__float__"):
        return float(value)
    raise InputError(word, value, "a number, text, true or false")


def _whole_passes(run: Mapping[str, Any]) -> bool:
    """Whether a local step takes all of a client's samples."""
    if "batch_size" in run:
        return run["batch_size"] is None
    if "local_solver" in run:
        return bool(run["local_solver"] == "gradient_descent")
    known = (
        getattr(algorithm_class(run["algorithm"]), "__dataclass_fields__", {}) if "algorithm" in run else {}
    )
    return "batch_size" in known and known["batch_size"].default is None


def _table_of(path: Path) -> dict[str, Any]:
    """The table of a file.

    Raises: InputError.
    """
    try:
        table: Any = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError("configuration", f"{path.name}: {error}", "a TOML file") from error
    for name in TABLE:
        table = table.get(name, {}) if isinstance(table, dict) else {}
    if not table:
        where = f"[{'.'.join(TABLE)}]"
        raise InputError("configuration", f"{path.name} without {where}", "a pyproject.toml of a Flower app")
    return dict(table)
