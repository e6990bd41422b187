"""What a statement admits, in the decimals that are handed on."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from fedproof.bounds.catalog import statement
from fedproof.bounds.statement import Statement
from fedproof.bounds.statement_handle import StatementHandle
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.values import parse_value

#: rounds beyond which no plan goes
MOST = 1e15


def taken(asked: StatementHandle, letters: Mapping[str, Any]) -> dict[str, Any]:
    """The letters that a statement has.

    >>> taken(StatementHandle(statement("fedprox.remark2.general")), {"L": 1, "tau": 5})
    {'L': 1}
    """
    return {name: value for name, value in letters.items() if name in asked.names}


def as_run(of: Statement, letters: Mapping[str, Any], run: Mapping[str, Any]) -> dict[str, Any]:
    """The letters as a run has them: 1/beta in units of 1/L is the step size that is run, in its decimals.

    Arguments:
        of: the statement.
        letters: their values.
        run: parameters of the run, by canonical word.

    >>> of, letters = statement("fedproxvr.certified.sarah"), {"L": 2, "beta": 3}
    >>> as_run(of, letters, {"stepsize": 1 / 6})["beta"]
    Fraction(25000000000000000, 8333333333333333)
    """
    words = {letter.means: letter.name for letter in of.letters}
    step = run.get("stepsize")
    inverse, bend = (words.get(word, "") for word in ("inverse_stepsize", "smoothness_sample"))
    if step is None or inverse not in letters or bend not in letters:
        return dict(letters)
    return {**letters, inverse: 1 / (parse_value(step) * parse_value(letters[bend]))}


def admitted(id: str, letters: Mapping[str, Any], rounds: str, count: float, accuracy: float) -> int:
    """The first number of rounds from `count` on that the statement admits with a bound of at most accuracy.

    Arguments:
        id: of the statement.
        letters: all but the number of rounds; those that it has no letter for are left out.
        rounds: the letter of that number.
        count: at least so many; more than `MOST` are refused.

    Raises: InputError naming the conditions that fail.

    >>> known = {"L": 1, "G": 1, "Delta": 1, "I": 4, "eta": "1/30", "eps": "1e-9"}
    >>> admitted("fedprox.remark2.general", known, "T", 1741.9, 0.1)
    1742
    """
    if not count <= MOST:
        raise InputError("epsilon", accuracy, f"one that at most {MOST:g} rounds reach", "ask for more")
    asked, least = StatementHandle(statement(id)), max(1, math.ceil(count))
    known = taken(asked, letters)
    for more in (0, 1, 2, math.ceil(least * 1e-6) + 3):
        found = asked.check(**known, **{rounds: least + more})
        if found.bound is not None and found.bound <= accuracy:
            return least + more
    failing = [c.label for c, decided in found.conditions if not decided.holds]
    raise InputError(id, f"constants that fail {', '.join(failing) or 'the accuracy'}",
                     "constants that the theorem admits", "see `fedproof show`")  # fmt: skip
