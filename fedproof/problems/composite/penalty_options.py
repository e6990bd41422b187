"""A penalty by options: `penalty=l1`, and what it takes as `penalty_weight=0.01` and the like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fedproof.problems.composite.penalty import Penalty, penalty_names
from fedproof.vocabulary.discovery import load
from fedproof.vocabulary.options import Option, read_options, word

_PREFIX = "penalty_"

PENALTY = Option("penalty", "none", word(penalty_names), "the convex g that is added to the loss")


def own_options(name: str) -> tuple[Option, ...]:
    """What a penalty takes, named as users type it.

    >>> [option.name for option in own_options("elastic_net")]
    ['penalty_weight', 'penalty_curvature']
    """
    options = load("penalties", name, "penalty").OPTIONS
    return tuple(replace(option, name=_PREFIX + option.name) for option in options)


def penalty_options(given: Mapping[str, Any]) -> tuple[Option, ...]:
    """The choice of a penalty, and what the one that is asked for takes.

    >>> [option.name for option in penalty_options({"penalty": "box"})]
    ['penalty', 'penalty_low', 'penalty_high']
    """
    return (PENALTY, *own_options(PENALTY.read(given.get("penalty", PENALTY.default))))


def takers(given: Mapping[str, Any]) -> dict[str, str]:
    """Options of the other penalties, and which of these take them.

    >>> takers({"penalty": "l1"})["penalty_low"]
    'it with penalty=box'
    """
    found: dict[str, list[str]] = {}
    for name in penalty_names():
        for option in own_options(name):
            found.setdefault(option.name, []).append(f"penalty={name}")
    known = {option.name for option in penalty_options(given)}
    return {name: f"it with {' or '.join(by)}" for name, by in found.items() if name not in known}


def parted(given: Mapping[str, Any]) -> tuple[dict[str, Any], Penalty | None]:
    """The options that are not a penalty's, and the penalty of those that are; None where it is 0.

    Raises: UnknownName with the nearest known one, or InputError.

    >>> parted({"split": "iid", "penalty": "l1", "penalty_weight": "1/2"})
    ({'split': 'iid'}, L1(weight=Fraction(1, 2)))
    """
    own = {name: value for name, value in given.items() if name.startswith("penal")}
    if not own:
        return dict(given), None
    read = read_options(own, penalty_options(own), lambda: takers(own))
    rest = {name: value for name, value in given.items() if name not in own}
    made = make_penalty(read)
    return rest, None if made.name == PENALTY.default else made


def make_penalty(given: Mapping[str, Any]) -> Penalty:
    """The penalty of these options; other options are left alone.

    Raises: UnknownName or InputError for a penalty that cannot be.

    >>> make_penalty({"penalty": "box", "penalty_high": 2}).text
    '[x in [-1, 2]]'
    """
    name = PENALTY.read(given.get("penalty", PENALTY.default))
    own = {o.name.removeprefix(_PREFIX): o.read(given.get(o.name, o.default)) for o in own_options(name)}
    penalty: Penalty = load("penalties", name, "penalty").PENALTY(**own)
    return penalty
