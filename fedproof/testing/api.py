"""The verb `conform`: is my implementation of a federated method right?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import nan
from typing import Any

from fedproof.testing.calling import Implementation, as_fractions, implementation
from fedproof.testing.cases import Case
from fedproof.testing.clients import Array
from fedproof.testing.conformance import Check, Conformance
from fedproof.testing.departures import Departure
from fedproof.testing.methods import METHODS, Method, Model
from fedproof.vocabulary.errors import UnknownName

SINGLE, DOUBLE = 1e-5, 1e-12
"""Largest errors of an answer in single and in double precision; mistakes are off by 0.02 and more."""
_SHOWN = 3
"""Explanations that are shown together."""
CHANGED = "the model that it is given is changed in place: a caller who still needs it must copy it first"


def conform(function: Callable[..., Any] | str, algorithm: str = "fedprox") -> Conformance:
    """Does an implementation give the exact answers of a method on tiny quadratics?

    Algorithms: fedavg (McMahan et al., 2017), fedprox (Li, Sahu et al., 2020), fedproxvr and fedproxvr_svrg
    (Dinh et al., 2020, Algorithm 1), fedcomposite (Zhang, Hu, Johansson, Algorithm 1).

    Arguments:
        function: (w, clients, **parameters) -> the model after one round, shape (2,); one that takes `rounds`
            runs them all. Or its address, MODULE:FUNCTION or FILE.py:FUNCTION, which is imported and run.
        algorithm: what it is meant to be.

    Returns: the checks; where one fails, the usual mistakes that explain all answers.
    Raises: InputError for a function that cannot be called, fails or returns no model.

    >>> def my_round(w, clients, stepsize, local_steps, prox_weight):
    ...     ends = []
    ...     for client in clients:
    ...         u = w
    ...         for _ in range(local_steps):
    ...             u = u - stepsize * client.gradient(u)
    ...         ends.append(client.size * u)
    ...     return sum(ends) / sum(client.size for client in clients)
    >>> conform(my_round, "fedprox").diagnosis[0]
    'the proximal term is missing'
    >>> conform(my_round, "fedavg").conforms
    True
    """
    if algorithm not in METHODS:
        raise UnknownName("algorithm", algorithm, METHODS)
    method = METHODS[algorithm]
    given = implementation(function, method)
    answers = [given.answer(case) for case in method.cases]
    models = [model for model, _ in answers]
    form = next((f for f in method.forms if _explains(method, f[1], models)), None)
    shown = form or method.forms[0]
    checks = tuple(map(_check, method.cases, models, method.answers(shown[1])))
    return Conformance(
        given.name,
        algorithm,
        form is not None,
        form[0] if form else None,
        _precision(checks, models) if form else None,
        checks,
        () if form else _diagnosis(method, given, models),
        () if all(untouched for _, untouched in answers) else (CHANGED,),
    )


def assert_conforms(function: Callable[..., Any] | str, algorithm: str = "fedprox") -> None:
    """One line of a test suite: fails with the diagnosis where `conform` finds a mistake.

    Arguments:
        function, algorithm: as in `conform`.

    Raises: AssertionError with the headline of `conform`; InputError as there.

    >>> assert_conforms(lambda w, clients, lr, steps, rounds: w, "fedavg")
    Traceback (most recent call last):
    AssertionError: <lambda> as fedavg does not conform: nothing moves: the model is returned as it came
    """
    found = conform(function, algorithm)
    if not found.conforms:
        raise AssertionError(found.headline())


def _diagnosis(method: Method, given: Implementation, models: Sequence[Array]) -> tuple[str, ...]:
    """Mistakes that explain every answer; pairs of them where none does alone."""
    found: list[str] = []
    alone = len(method.mistakes) * len(method.forms)
    for number, (mistake, departure) in enumerate(method.suspects()):
        if number == alone and found:
            break
        if not given.runs_rounds and "rounds" in dict(mistake.fields):
            continue  # the kit runs them itself
        if mistake.text not in found and _explains(method, departure, models):
            found.append(mistake.text)
    return tuple(found[:_SHOWN])


def _explains(method: Method, departure: Departure, models: Sequence[Array]) -> bool:
    """Whether every answer is what this departure gives, up to single precision."""
    try:
        return all(
            _error(model, expected) <= SINGLE
            for model, expected in zip(models, method.answers(departure), strict=True)
        )
    except ZeroDivisionError:  # a mistaken sign can leave nothing to minimise
        return False


def _check(case: Case, model: Array, expected: Model) -> Check:
    error, got = _error(model, expected), as_fractions(model)
    shown = tuple(map(float, got)) if got else (nan,) * len(expected)
    return Check(case.name, case.tests, error <= SINGLE, shown, tuple(map(float, expected)), float(error))


def _error(model: Array, expected: Model) -> Fraction | float:
    """The largest difference of a coordinate, over the larger of 1 and the largest expected one."""
    got = as_fractions(model)
    if got is None:
        return nan
    scale = max(Fraction(1), *map(abs, expected))
    worst: Fraction = max(abs(g - e) for g, e in zip(got, expected, strict=True))
    return worst / scale


def _precision(checks: Sequence[Check], models: Sequence[Array]) -> str:
    worst = max(check.error for check in checks)
    if worst == 0 and all(model.dtype == object for model in models):
        return "exact"
    return "double" if worst <= DOUBLE else "single"
