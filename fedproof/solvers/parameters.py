"""Hyper-parameters: domains, whole numbers and choices, checked in one place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from fractions import Fraction
from math import inf, isinf
from numbers import Integral, Number
from typing import Any

from fedproof.vocabulary.errors import InputError, UnknownName
from fedproof.vocabulary.interval import NONNEGATIVE, POSITIVE, Interval
from fedproof.vocabulary.quantities import QUANTITIES
from fedproof.vocabulary.values import json_number, parse_value

STEP_LETTERS = {"eta": "stepsize", "beta": "inverse_stepsize", "L": "smoothness_sample"}
"""What papers write for a step size, or for beta and L in stepsize = 1/(beta L)."""

_FROM_ONE = Interval(lo=Fraction(1), lo_open=False)
# What a run can use where it differs from what a statement is about.
_OWN: dict[str, Interval] = {
    "prox_weight": NONNEGATIVE,
    "inverse_stepsize": POSITIVE,
    "stepsize": POSITIVE,
    "smoothness_sample": POSITIVE,
    "batch_size": _FROM_ONE,
    "workers": _FROM_ONE,
    "rounds": NONNEGATIVE,
}


def domain(name: str) -> Interval:
    """The values of a hyper-parameter that a run can use.

    >>> Fraction(0) in domain("prox_weight"), Fraction(0) in domain("stepsize")
    (True, False)
    """
    known = QUANTITIES.get(name)
    return _OWN.get(name, known.domain if known else POSITIVE)


def whole_number(name: str, value: Any) -> int:
    """`value` as an int, refused unless it is whole and in its domain.

    >>> whole_number("local_steps", "3")
    3
    """
    exact = checked(name, value)
    if exact.denominator != 1:
        raise InputError(name, value, "a whole number", f"write {name}={round(exact)}")
    return int(exact)


def checked(name: str, value: Any) -> Fraction:
    """`value` read exactly and found in its domain."""
    exact = parse_value(value, name)
    if exact not in domain(name):
        raise InputError(name, value, domain(name).describe())
    try:
        held = float(exact)
    except OverflowError:
        held = inf
    if isinf(held) or (exact and not held):
        raise InputError(name, value, "a number that a float can hold", "use one between 1e-300 and 1e300")
    return exact


def merged(parameters: Mapping[str, Any], hyper: Mapping[str, Any]) -> dict[str, Any]:
    """Hyper-parameters from both together.

    Raises: InputError for a name that is in both.

    >>> merged({"tau": 5}, {"mu": 1})
    {'tau': 5, 'mu': 1}
    """
    twice = sorted(parameters.keys() & hyper.keys())
    if twice:
        raise InputError(twice[0], "two values", "one", "give it once")
    return {**parameters, **hyper}


def check_parameters(algorithm: Any) -> None:
    """Refuse an algorithm's hyper-parameters that cannot be run.

    Arguments:
        algorithm: a dataclass; fields typed str have their `choices`, the int ones are whole, and those in
            `parts` are objects that check themselves.

    Raises: InputError or UnknownName naming field, value and what is expected.
    """
    choices = getattr(algorithm, "choices", {})
    for field in fields(algorithm):
        value = getattr(algorithm, field.name)
        if field.name in getattr(algorithm, "parts", {}):
            continue
        if field.name in choices:
            if value not in choices[field.name]:
                raise UnknownName(field.name, str(value), choices[field.name])
        elif "int" in str(field.type):
            if value is None and "None" in str(field.type):
                continue
            if not isinstance(value, Integral) or isinstance(value, bool):
                raise InputError(field.name, value, "a whole number", f"write {field.name}={_near(value)}")
            whole_number(field.name, value)
        else:
            checked(field.name, value)


def _near(value: Any) -> int:
    try:
        return max(1, round(float(value)))
    except (TypeError, ValueError, OverflowError):
        return 1


def flat_parameters(algorithm: Any) -> dict[str, Any]:
    """Hyper-parameters as JSON keeps them and `run` takes them: those of a part follow its name.

    >>> from fedproof.solvers.algorithms.fedavg import FedAvg
    >>> flat_parameters(FedAvg(Fraction(1, 8), 5))
    {'stepsize': 0.125, 'local_steps': 5, 'batch_size': 1}
    """
    flat: dict[str, Any] = {}
    for field in fields(algorithm):
        value = getattr(algorithm, field.name)
        if field.name in getattr(algorithm, "parts", {}):
            flat |= {field.name: value.name, **flat_parameters(value)}
        else:
            flat[field.name] = json_number(value, field.name) if isinstance(value, Number) else value
    return flat
