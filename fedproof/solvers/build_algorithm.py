"""From what a user typed to an algorithm with its parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from fractions import Fraction
from typing import Any

from fedproof.problems.problem import Problem
from fedproof.solvers.catalog import part_class
from fedproof.solvers.parameters import checked, whole_number
from fedproof.vocabulary.errors import InputError, UnknownName

_BETA = Fraction(10)
_DERIVED = ("inverse_stepsize", "smoothness_sample")


def make_algorithm(known: Any, problem: Problem, hyper: Mapping[str, Any]) -> Any:
    """An algorithm from what a user typed.

    Arguments:
        known: the algorithm's class. Its `parts`, if any, name the fields that hold an object of their own
            and which is the default; the parts' hyper-parameters lie flat beside the algorithm's.
        problem: gives L where a step size is asked for as beta.
        hyper: words or letters to numbers or text; a part by its name, or the object itself.

    Raises: InputError or UnknownName naming the parameter as it was typed.
    """
    given = dict(hyper)
    chosen = {kind: given.pop(kind, usual) for kind, usual in getattr(known, "parts", {}).items()}
    parts = {k: part_class(k, v) if isinstance(v, str) else v for k, v in chosen.items()}
    words = _ParameterNames.of(
        known, [known, *(p for p in parts.values() if isinstance(p, type))], tuple(parts)
    )
    values = words.read(given)
    if words.derived:
        _set_stepsize(values, problem)
    missing = [word for word in words.needed if word not in values]
    if missing:
        raise InputError(known.name, f"no {missing[0]}", "one", f"add {missing[0]}=...")
    made = {k: _filled(p, values) if isinstance(p, type) else p for k, p in parts.items()}
    return _filled(known, values, **made)


@dataclass(frozen=True)
class _ParameterNames:
    """What may be said to an algorithm and the classes of its parts."""

    owner: str
    types: Mapping[str, str]
    needed: tuple[str, ...]
    letters: Mapping[str, str]
    choices: Mapping[str, tuple[str, ...]]
    parts: tuple[str, ...]

    @classmethod
    def of(cls, known: Any, classes: list[Any], parts: tuple[str, ...]) -> _ParameterNames:
        every = [f for c in classes for f in fields(c) if f.name not in parts]
        letters: dict[str, str] = {}
        choices: dict[str, tuple[str, ...]] = {}
        for c in classes:
            letters |= getattr(c, "letters", {})
            choices |= getattr(c, "choices", {})
        needed = tuple(f.name for f in every if f.default is MISSING)
        return cls(known.name, {f.name: str(f.type) for f in every}, needed, letters, choices, parts)

    @property
    def derived(self) -> tuple[str, ...]:
        return _DERIVED if "stepsize" in self.types else ()

    def read(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Canonical words to values."""
        values: dict[str, Any] = {}
        for spoken, value in given.items():
            word = self.letters.get(spoken, spoken)
            if word not in self.types and word not in self.derived:
                names = [*self.types, *self.derived, *self.letters, *self.parts]
                raise UnknownName(f"{self.owner} parameter", spoken, names)
            if word in values:
                raise InputError(spoken, value, f"{word} once", "leave one of them out")
            values[word] = self._parsed(word, spoken, value)
        return values

    def _parsed(self, word: str, spoken: str, value: Any) -> Any:
        kind = self.types.get(word, "")
        if word in self.choices:
            if value not in self.choices[word]:
                raise UnknownName(spoken, str(value), self.choices[word])
            return value
        if "None" in kind and (value is None or value == "full"):
            return None
        try:
            return whole_number(word, value) if "int" in kind else checked(word, value)
        except InputError as error:
            raise InputError(spoken, error.got, error.expected, error.cure.replace(word, spoken)) from None


def _filled(known: Any, values: Mapping[str, Any], **parts: Any) -> Any:
    return known(**{f.name: values[f.name] for f in fields(known) if f.name in values}, **parts)


def _set_stepsize(values: dict[str, Any], problem: Problem) -> None:
    beta, smooth = (values.pop(name, None) for name in _DERIVED)
    if "stepsize" in values:
        if beta is not None:
            raise InputError("beta", str(beta), "beta or a step size, not both", "leave one of them out")
        return
    if smooth is None:
        smooth = problem.constants["smoothness_sample"].value
        if not smooth:
            got = "no step size" if beta is None else f"beta={beta} alone"
            named = getattr(getattr(problem, "model", None), "name", None)
            owner = f"model={named}" if named else f"{problem.name},"
            raise InputError("stepsize", got, f"one: {owner} has no certified L", "give stepsize= or L=")
    values["stepsize"] = 1 / ((_BETA if beta is None else beta) * Fraction(smooth))
