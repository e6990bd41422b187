"""The verb `tune`: which numbers are best?"""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType
from typing import Any

from fedproof.tuning.tune_result import TuneResult
from fedproof.vocabulary.discovery import paper_modules, read, readable
from fedproof.vocabulary.papers import unknown


def tuner(id: str) -> ModuleType:
    """The module that solves a tuning problem.

    Raises: UnknownName.
    """
    known = paper_modules("tuner")
    every = readable(
        known, lambda key: read(known[key], lambda module: dict.fromkeys(module.TUNES, module)), (id,)
    )
    found: dict[str, ModuleType] = {}
    for tuned in every.values():
        found = tuned | found
    if id not in found:
        raise unknown("tune", id, found)
    return found[id]


def tune(id: str, /, **values: Any) -> TuneResult:
    """Find the parameters that minimise a paper's own objective, with a proven lower bound.

    Arguments:
        id: a paper's key for the paper's own problem, or the id of a statement that is one.
        values: the problem's constants by letter or canonical word, numbers or text, read exactly as
            written; and its options: for FedProxVR (problem (23)-(24)) estimator="sarah" or "svrg",
            tau="real" or "integer", form="printed" or "sharpened".

    Returns: objective, argmin, lower bound, certificate and a ready call of `run`.
    Raises: InputError, MissingName or UnknownName, one line each.

    >>> best = tune("fedproxvr", L=1, lam="0.5", sigma2=0, gamma="1e-3")
    >>> round(best.objective, 3), best.certified, best.run["local_steps"]
    (39.127, True, 309)
    >>> best.inputs["gamma"]
    '1e-3'
    """
    found: TuneResult = tuner(id).tune(id, **values)
    return replace(found, inputs={name: _as_typed(value) for name, value in values.items()})


def _as_typed(value: Any) -> Any:
    """A number, or text that is read exactly as the value was."""
    return value if isinstance(value, (bool, int, float, str)) else str(value)
