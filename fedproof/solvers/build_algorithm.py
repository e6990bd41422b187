"""From what a user typed to an algorithm with its parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from fractions import Fraction
from typing import Any

from fedproof.problems.problem import Problem
from fedproof.solvers.catalog import part_class
from fedproof.solvers.parameters import DERIVED, is_needed, own_options
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.options import Option, missing, read_options, word

_BETA = Fraction(10)
"""What the stepsize is without one: 1 / (10 L)."""


def make_algorithm(
    known: Any, problem: Problem, hyper: Mapping[str, Any], smoothness: Callable[[], Any] | None = None
) -> Any:
    """An algorithm from what a user typed.

    Arguments:
        known: the algorithm's class. Its `parts`, if any, name the fields that hold an object of their own
            and which is the default; the parts' hyper-parameters lie flat beside the algorithm's, or behind
            the field's name: local_solver.stepsize=0.1.
        problem: gives L where a step size is asked for as beta.
        hyper: words or letters to numbers or text; a part by its name, or the object itself.
        smoothness: gives L where the problem has none.

    Raises: InputError or UnknownName naming the parameter as it was typed.
    """
    given = dict(hyper)
    chosen = {kind: given.pop(kind, usual) for kind, usual in getattr(known, "parts", {}).items()}
    parts = {k: part_class(k, v) if isinstance(v, str) else v for k, v in chosen.items()}
    classes = {known.name: known, **{k: p for k, p in parts.items() if isinstance(p, type)}}
    options = {owner: own_options(c, _letters(known, c), owner) for owner, c in classes.items()}
    # a part has been read by now; here only its name counts, which a misspelling may be near to
    kinds = [Option(kind, None, word(tuple), "a part") for kind in parts]
    every = [option for own in options.values() for option in own]
    values = read_options(given, [*every, *kinds], what=f"{known.name} parameter")
    for own in options.values():
        if any(option.name == DERIVED[0] for option in own):
            _set_stepsize(values, {option.name: option for option in own}, given, problem, smoothness)
    absent = missing(values, filter(is_needed, every))
    if absent:
        raise InputError(known.name, f"no {absent[0]}", "one", f"add {absent[0]}=...")
    filled = {owner: _filled(c, values, owner) for owner, c in classes.items() if c is not known}
    return _filled(known, values, known.name, **parts | filled)


def _letters(known: Any, owner: Any) -> dict[str, str]:
    """Letters of an algorithm, or of its part and the algorithm's for words that it has not itself."""
    theirs = dict(getattr(owner, "letters", {}))
    if owner is known:
        return theirs
    own = {field.name for field in fields(known)}
    own |= set(DERIVED if "stepsize" in own else ())
    return {letter: w for letter, w in getattr(known, "letters", {}).items() if w not in own} | theirs


def _filled(known: Any, values: Mapping[str, Any], owner: str, **parts: Any) -> Any:
    own = {f.name: f"{owner}.{f.name}" for f in fields(known)}
    return known(**{name: values[full] for name, full in own.items() if full in values}, **parts)


def _set_stepsize(
    values: dict[str, Any],
    own: Mapping[str, Option],
    given: Mapping[str, Any],
    problem: Problem,
    smoothness: Callable[[], Any] | None,
) -> None:
    """The step size 1 / (beta L) where none is given."""
    beta, smooth = (values.pop(own[name].full_name, None) for name in DERIVED)
    given_name = next((name for name in given if own[DERIVED[0]].answers_to(name)), DERIVED[0])
    if own["stepsize"].full_name in values:
        if beta is not None:
            expected = f"{given_name} or a step size, not both"
            raise InputError(given_name, str(beta), expected, "leave one of them out")
        return
    if smooth is None:
        smooth = problem.constants["smoothness_sample"].value or (smoothness() if smoothness else None)
        if not smooth:
            got = "no step size" if beta is None else f"{given_name}={beta} alone"
            named = getattr(getattr(problem, "model", None), "name", None)
            owner = f"model={named}" if named else f"{problem.name},"
            letter = (*own[DERIVED[1]].aliases, DERIVED[1])[0]
            cure = f"give stepsize= or {letter}="
            raise InputError("stepsize", got, f"one: {owner} has no certified L", cure)
    values[own["stepsize"].full_name] = 1 / ((_BETA if beta is None else beta) * Fraction(smooth))
