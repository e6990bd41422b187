"""Whether a planned bound is about the problem, the run and the accuracy that its row names."""

from __future__ import annotations

from collections.abc import Mapping

from fedproof.bounds.statement import Statement
from fedproof.measure.api import CONSTANTS
from fedproof.measure.measure_result import LESS_IS_SAFE
from fedproof.measure.start import FROM_START
from fedproof.tuning.guarantee import SQUARED_GRADIENT, Guarantee, Setting
from fedproof.vocabulary.metrics import metric
from fedproof.vocabulary.values import parse_value

#: metrics of which a bound is one on the mean squared gradient, in its own units
SQUARED = frozenset({
    "mean_squared_gradient", "drawn_squared_gradient", "squared_gradient_of_drawn_model",
    "mean_squared_prox_gradient",
})  # fmt: skip

#: constants of a problem, which no planner chooses
MEASURED = frozenset({*CONSTANTS, *FROM_START} - {"inexactness"})


def about(guarantee: Guarantee, statement: Statement) -> str:
    """What the accuracy is of, in words: the squared gradient only where that is the statement's metric."""
    name = str(getattr(statement.claim, "metric", ""))
    if guarantee.about != SQUARED_GRADIENT or name in SQUARED:
        return guarantee.about
    return metric(name).meaning


def unfaithful(
    guarantee: Guarantee, statement: Statement, setting: Setting, known: Mapping[str, float]
) -> str:
    """Why a setting is of other constants, of another run or in other units than its row; "" where it is not.

    A letter for a constant of the problem has its value, or one on the safe side; a letter for a
    hyper-parameter has the value that is run. What a theorem takes for granted of a run without a letter for
    it nobody can compare: it stands among what the row assumes.
    """
    for letter in statement.letters:
        if letter.name not in setting.letters:
            continue
        word, value = letter.means, parse_value(setting.letters[letter.name], letter.name)
        if word in MEASURED and not (word == "gradient_variance" and value == 0 and _full(setting)):
            if word not in known:
                return f"{letter.name} = {float(value):g}, and no value of the {word} is known"
            least = parse_value(known[word], word)
            if value > least if word in LESS_IS_SAFE else value < least:
                side = f"on the wrong side of the {word}, {float(least):g}"
                return f"{letter.name} = {float(value):g} is {side}"
        elif (run := setting.run.get(word)) is not None and float(value) != float(parse_value(run, word)):
            return f"{letter.name} = {float(value):g}, and {word} = {run} is run"
    per = guarantee.per({w: known[w] for w in guarantee.needs})
    if about(guarantee, statement) == SQUARED_GRADIENT and per != 1:
        return f"its bound is one on the squared gradient, not on {per:g} times it"
    return ""


def _full(setting: Setting) -> bool:
    """Whether clients run with full gradients, which have no variance."""
    return setting.run.get("batch_size", "") is None
