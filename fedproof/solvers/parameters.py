"""Hyper-parameters: what an algorithm or a part of one declares, read and checked in one place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields, replace
from fractions import Fraction
from functools import cache
from numbers import Number
from typing import Any, get_args, get_type_hints

from fedproof.vocabulary.errors import InputError, UnknownName
from fedproof.vocabulary.interval import POSITIVE, UNIT, Interval
from fedproof.vocabulary.options import Option, Reader, flag, or_none, word
from fedproof.vocabulary.quantities import QUANTITIES
from fedproof.vocabulary.values import double_of, is_whole, json_number, parse_value

STEP_LETTERS = {"eta": "stepsize", "beta": "inverse_stepsize", "L": "smoothness_sample"}
"""What papers write for a step size, or for beta and L in stepsize = 1/(beta L)."""

DERIVED = ("inverse_stepsize", "smoothness_sample")
"""What sets a step size in its place: beta, and L where it is not the problem's."""

UNIT_WITH_ZERO = replace(UNIT, lo_open=False)


def _counted(least: int, most: int) -> Interval:
    """What can be counted within a lifetime, or be held in memory."""
    return Interval(Fraction(least), Fraction(most), lo_open=False, hi_open=False)


# What a run can use where it differs from what a statement is about.
_OWN: dict[str, Interval] = {
    "inverse_stepsize": POSITIVE,
    "hessian_learning_rate": UNIT,
    "momentum_weight": UNIT,
    "anchor_weight": UNIT_WITH_ZERO,
    "anchor_probability": UNIT,
    "momentum_factor": UNIT_WITH_ZERO,
    "workers": _counted(1, 256),
    "rounds": _counted(0, 10**7),
    "local_steps": _counted(0, 10**8),
    "seeds": _counted(1, 10**6),
}


def domain(name: str) -> Interval:
    """The values of a hyper-parameter that a run can use.

    >>> Fraction(0) in domain("prox_weight"), Fraction(0) in domain("stepsize")
    (True, False)
    """
    known = QUANTITIES.get(name)
    return _OWN.get(name, known.domain if known else POSITIVE)


def whole_number(name: str, value: Any, of: Interval | None = None) -> int:
    """`value` as an int, refused unless it is whole and in its domain: that of its name, or another.

    >>> whole_number("local_steps", "3")
    3
    """
    exact = checked(name, value, of)
    if exact.denominator != 1:
        raise InputError(name, value, "a whole number", f"write {name}={round(exact)}")
    return int(exact)


def checked(name: str, value: Any, of: Interval | None = None) -> Fraction:
    """`value` read exactly and found in its domain: that of its name, or another."""
    exact, allowed = parse_value(value, name), domain(name) if of is None else of
    if exact not in allowed:
        raise InputError(name, value, allowed.describe())
    double_of(exact, name, value)
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


@cache
def _types(owner: Any) -> dict[str, tuple[Any, ...]]:
    """The types that each field of a dataclass is declared with; what is not there at run time is Any."""
    absent: dict[str, Any] = {}
    while True:
        try:
            hints = get_type_hints(owner, localns=absent)
        except NameError as error:
            absent[str(error.name)] = Any
            continue
        return {field.name: get_args(hints[field.name]) or (hints[field.name],) for field in fields(owner)}


def own_options(owner: Any, letters: Mapping[str, str], namespace: str) -> tuple[Option, ...]:
    """What may be said to an algorithm or a part of one, in the order of its fields.

    Arguments:
        owner: a dataclass; fields with `choices` are words, those with `readers` what these read, those
            declared int or bool are whole or flags, all others numbers; those in `parts` hold objects with
            options of their own.
        letters: other names of its words.
        namespace: the name that tells them from those of another part.

    >>> from fedproof.solvers.algorithms.fedavg import FedAvg
    >>> [option.name for option in own_options(FedAvg, {}, "fedavg")][:3]
    ['stepsize', 'local_steps', 'batch_size']
    """
    defaults = {f.name: f.default for f in fields(owner) if f.name not in getattr(owner, "parts", {})}
    if defaults.get("stepsize") is MISSING:
        defaults |= dict.fromkeys(DERIVED)
    return tuple(
        Option(
            name, default, _kind(owner, name), QUANTITIES[name].meaning if name in QUANTITIES else "",
            tuple(letter for letter, meant in letters.items() if meant == name), namespace,
        )
        for name, default in defaults.items()
    )  # fmt: skip


def is_needed(option: Option) -> bool:
    """Whether a hyper-parameter has no default."""
    return option.default is MISSING


def _kind(owner: Any, name: str) -> tuple[str, Reader]:
    """What a hyper-parameter's declaration says that it may be."""
    types, choices = _types(owner).get(name, ()), getattr(owner, "choices", {})
    if name in choices:
        return word(lambda: choices[name])
    if name in getattr(owner, "readers", {}):
        own_kind: tuple[str, Reader] = owner.readers[name]
        return own_kind
    if bool in types:
        return flag()
    read, own = whole_number if int in types else checked, domain(name)
    described = own.describe()
    if int in types:
        described = described.replace("a number", "a whole number", 1)
    kind: tuple[str, Reader] = described, lambda given_name, value: read(given_name, value, own)
    return or_none(kind, ("full",)) if type(None) in types else kind


def check_parameters(algorithm: Any) -> None:
    """Refuse an algorithm's hyper-parameters that cannot be run.

    Arguments:
        algorithm: a dataclass; some fields have their `choices` or `readers`, those declared int are whole,
            those declared bool are flags, and those in `parts` are objects that check themselves.

    Raises: InputError or UnknownName naming field, value and what is expected.
    """
    choices = getattr(algorithm, "choices", {})
    for name, types in _types(algorithm.__class__).items():
        value = getattr(algorithm, name)
        if name in getattr(algorithm, "parts", {}) or (value is None and type(None) in types):
            continue
        if name in choices:
            if value not in choices[name]:
                raise UnknownName(name, str(value), choices[name])
        elif name in getattr(algorithm, "readers", {}):
            algorithm.readers[name][1](name, value)
        elif bool in types:
            if not isinstance(value, bool):
                raise InputError(name, value, "True or False")
        elif int in types:
            if not is_whole(value):
                raise InputError(name, value, "a whole number", f"write {name}={_near(value)}")
            whole_number(name, value)
        else:
            checked(name, value)


def _near(value: Any) -> int:
    try:
        return max(1, round(float(value)))
    except (TypeError, ValueError, OverflowError):
        return 1


def flat_parameters(algorithm: Any) -> dict[str, Any]:
    """Hyper-parameters as JSON keeps them and `run` takes them: those of a part follow its name.

    One that several have carries the owner's name, as in local_solver.stepsize and fedprox.stepsize.

    >>> from fedproof.solvers.algorithms.fedavg import FedAvg
    >>> flat_parameters(FedAvg(Fraction(1, 8), 5))
    {'stepsize': 0.125, 'local_steps': 5, 'batch_size': 1}
    """
    parts = {field.name: flat_parameters(getattr(algorithm, field.name)) for field in _part_fields(algorithm)}
    taken = [f.name for f in fields(algorithm)] + [name for own in parts.values() for name in own]
    shared = {name for name in taken if taken.count(name) > 1}
    flat: dict[str, Any] = {}
    for field in fields(algorithm):
        value = getattr(algorithm, field.name)
        if field.name in parts:
            flat[field.name] = value.name
            own = parts[field.name].items()
            flat |= {f"{field.name}.{name}" if name in shared else name: v for name, v in own}
            continue
        number = isinstance(value, Number) and not isinstance(value, bool)
        known = json_number(value, field.name) if number else value
        flat[f"{algorithm.name}.{field.name}" if field.name in shared else field.name] = known
    return flat


def _part_fields(algorithm: Any) -> list[Any]:
    return [field for field in fields(algorithm) if field.name in getattr(algorithm, "parts", {})]
