"""Whether a planned bound is about the problem, the run and the accuracy that its row names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from fedproof.bounds.statement import Statement
from fedproof.measure.api import CONSTANTS
from fedproof.measure.measure_result import LESS_IS_SAFE
from fedproof.measure.start import FROM_START
from fedproof.solvers.catalog import algorithm_class
from fedproof.tuning.guarantee import SQUARED_GRADIENT, Guarantee, Setting
from fedproof.vocabulary.metrics import metric
from fedproof.vocabulary.values import parse_value

#: metrics of which a bound is one on the mean squared gradient, in its own units
SQUARED = frozenset({
    "mean_squared_gradient", "drawn_squared_gradient", "squared_gradient_of_drawn_model",
    "mean_squared_prox_gradient",
})  # fmt: skip

_LEFT_OUT = "what the algorithm has where nothing is said"

#: constants of a problem, which no planner chooses
MEASURED = frozenset({*CONSTANTS, *FROM_START} - {"inexactness"})


def about(guarantee: Guarantee, statement: Statement) -> str:
    """What the accuracy is of, in words: the squared gradient only where that is the statement's metric."""
    name = str(getattr(statement.claim, "metric", ""))
    if guarantee.about != SQUARED_GRADIENT or name in SQUARED:
        return guarantee.about
    return metric(name).meaning


def unfaithful(
    guarantee: Guarantee, statement: Statement, setting: Setting, known: Mapping[str, float], clients: int
) -> str:
    """Why a setting is of other constants, of another run or in other units than its row; "" where it is not.

    A letter for a constant of the problem has its value, or one on the safe side; a letter for a number of
    clients, or for a parameter of the algorithm, has the value that is run. What a theorem takes for granted
    of a run without a letter for it nobody can compare: it stands among what the row assumes.
    """
    run = _run(guarantee.algorithm, setting, clients)
    for letter in statement.letters:
        if letter.name not in setting.letters:
            continue
        word, value = letter.means, parse_value(setting.letters[letter.name], letter.name)
        if word in MEASURED and not (
            word == "gradient_variance" and value == 0 and run["batch_size"] is None
        ):
            if word not in known:
                return f"{letter.name} = {float(value):g}, and no value of the {word} is known"
            least = parse_value(known[word], word)
            if value > least if word in LESS_IS_SAFE else value < least:
                side = f"on the wrong side of the {word}, {float(least):g}"
                return f"{letter.name} = {float(value):g} is {side}"
        elif (own := run.get(word)) is not None and (own == _LEFT_OUT or float(value) != float(own)):
            return f"{letter.name} = {float(value):g}, and {word} = {own} is run"
    per = guarantee.per({w: known[w] for w in guarantee.needs})
    if about(guarantee, statement) == SQUARED_GRADIENT and per != 1:
        return f"its bound is one on the squared gradient, not on {per:g} times it"
    return ""


def _run(algorithm: str, setting: Setting, clients: int) -> dict[str, Any]:
    """What is run, by word: None where a word has no number, as full batches have none."""
    taking = setting.run.get("participation")
    found: dict[str, Any] = dict.fromkeys((f.name for f in fields(algorithm_class(algorithm))), _LEFT_OUT)
    found |= {"batch_size": _LEFT_OUT, **setting.run}
    return found | {"clients": clients, "cohort_size": getattr(taking, "count", None) or clients}
