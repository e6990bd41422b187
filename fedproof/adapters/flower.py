"""Flower strategies that write a log of every round (extra `flower`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any

from fedproof.validate.logs.writer import LogWriter
from fedproof.vocabulary.errors import InputError

_CURE = "pass a function of round and model that measures the global loss and gradient: docs/logs.md"


class LoggedStrategy:
    """A Flower strategy, unchanged, whose evaluation on the server is written to a log, round by round.

    What a theorem bounds is a number of the global loss at the server's model, so that only what the server
    measures there is logged: what `evaluate_fn` returns, under its own names. Means over the clients that
    happened to answer are left to Flower.

    It wraps a strategy of `flwr.serverapp.strategy`, whose `start` takes the `evaluate_fn`, or one of
    `flwr.server.strategy`, which was made with one; everything else is passed on to it.

    Arguments:
        strategy: what decides and aggregates.
        log: an open `LogWriter`.

    Raises: InputError, when the run starts, for a strategy that measures nothing on the server.
    """

    def __init__(self, strategy: Any, log: LogWriter) -> None:
        self.strategy, self.log = strategy, log

    def __getattr__(self, name: str) -> Any:
        if name in ("strategy", "log"):
            raise AttributeError(name)
        return getattr(self.strategy, name)

    def start(self, *given: Any, **options: Any) -> Any:
        """The strategy's own `start`, each result of `evaluate_fn` written down."""
        bound = signature(self.strategy.start).bind(*given, **options)
        evaluate = bound.arguments.get("evaluate_fn")
        if evaluate is None:
            raise InputError("evaluate_fn", "none", "one, for without it the log has no rows", _CURE)
        bound.arguments["evaluate_fn"] = logged(evaluate, self.log)
        return self.strategy.start(*bound.args, **bound.kwargs)

    def evaluate(self, server_round: int, parameters: Any) -> Any:
        """The strategy's own `evaluate`, its loss and its metrics written down."""
        found = self.strategy.evaluate(server_round, parameters)
        if found is None:
            raise InputError("evaluate_fn", "none", "one, for without it the log has no rows", _CURE)
        loss, metrics = found
        self.log.write(server_round, **({"loss": loss} | dict(metrics)))
        return found


def logged(evaluate: Callable[..., Any], log: LogWriter) -> Callable[..., Any]:
    """A function for `evaluate_fn` that writes what another one measures.

    Arguments:
        evaluate: of a round and a model, and what else Flower hands it; it returns a `MetricRecord`, or a
            loss and a dictionary.
        log: an open `LogWriter`.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     log = LogWriter(Path(folder) / "run.csv", algorithm="fedprox")
    ...     measured = logged(lambda r, model: {"loss": model}, log)(0, 0.25)
    ...     measured, log.path.read_text().splitlines()[-1]
    ({'loss': 0.25}, '0,0.25')
    """

    def measured(server_round: int, *given: Any, **options: Any) -> Any:
        found = evaluate(server_round, *given, **options)
        if found is not None:
            row = dict(found) if isinstance(found, Mapping) else {"loss": found[0]} | dict(found[1])
            log.write(server_round, **row)
        return found

    return measured
