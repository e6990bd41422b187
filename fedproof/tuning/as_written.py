"""What a search in doubles may say of constants that are given exactly.

A search takes each constant as its nearest double. In a product or quotient that is one more rounding, which
the searches allow for; where constants alone are added or subtracted it may change everything (L - mu), and
a comparison of constants may turn. So conditions of constants alone and what the answer satisfies are decided
for the constants as written, and no answer is certified where a sum of constants is lost in the doubles.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy as sp

from fedproof.algebra.expressions import names_in
from fedproof.algebra.formula import Formula, Relation
from fedproof.bounds.statement import Statement
from fedproof.tuning.tune_result import TuneResult
from fedproof.vocabulary.constant import Constant
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.values import parse_value

LOST = Fraction(1, 10**12)
"""Relative: by so much a sum of constants may differ in doubles, below what the searches allow for."""


def refuse_unmet(asked: Statement, constants: Mapping[str, float]) -> None:
    """Refuse constants that fail a condition of constants alone, decided as they are written.

    Raises: InputError naming the conditions, or a sum of constants whose sign doubles do not have.

    >>> from fedproof.bounds.catalog import statement
    >>> known = {"L": Constant(Fraction(1)), "mu": Constant(1 + Fraction(1, 10**20))}
    >>> refuse_unmet(statement("composite.theorem3.6.repaired"), known)
    Traceback (most recent call last):
        ...
    fedproof.vocabulary.errors.InputError: composite.theorem3.6.repaired: got constants that fail mu <= L, \
expected constants that the theorem admits; see `fedproof show`
    """
    written, searched = _both(constants)
    alone = {label: r for label, r in asked.relations.items() if {*r.names} <= {*constants}}
    if failing := [label for label, relation in alone.items() if not relation.holds(written)]:
        raise InputError(asked.id, f"constants that fail {', '.join(failing)}",
                         "constants that the theorem admits", "see `fedproof show`")  # fmt: skip
    lost = [label for label, relation in alone.items() if not relation.holds(searched)]
    for part in _sums(asked, {*constants}):
        if sp.sign(_at(part, written)) != sp.sign(_at(part, searched)):
            lost.append(f"the sign of {part}")
    if lost:
        got = f"constants whose doubles fail {', '.join(lost)}"
        rounded = [n for n in constants if written[n] != searched[n]]
        cure = f"give {' and '.join(rounded)} in 15 digits or fewer"
        raise InputError(asked.id, got, "constants that doubles tell apart", cure)


def keeps(bound: Formula, values: Mapping[str, Any], accuracy: float) -> bool:
    """Whether a bound is at most an accuracy, both as written.

    >>> x = sp.Symbol("x", real=True)
    >>> tenth = Constant(Fraction(1, 10))
    >>> more = Constant(tenth.exact + Fraction(1, 10**20))
    >>> keeps(Formula(x), {"x": tenth}, tenth), keeps(Formula(x), {"x": more}, tenth)
    (True, False)
    """
    exact = {name: parse_value(values[name]) for name in bound.names}
    found, most = bound.at(exact), parse_value(accuracy)
    if found != float(most):
        return bool(found < float(most))
    return bool(Relation(sp.Le(bound.expr, sp.Rational(most.numerator, most.denominator))).holds(exact))


def confirmed(
    found: TuneResult, asked: Statement, constants: Mapping[str, float], failing: Iterable[str] = ()
) -> TuneResult:
    """The answer of a search, certified only as far as it holds for the constants as written.

    Arguments:
        found: in doubles.
        asked: the statement that was searched.
        constants: all that were given.
        failing: labels of what the minimiser does not satisfy, decided exactly.
    """
    lost = [str(part) for part in _sums(asked, {*constants}) if _differs(part, constants)]
    rounded = tuple(n for n, v in constants.items() if isinstance(v, Constant) and v.rounded)
    said = [found.note] if found.note else []
    if lost:
        said.append(f"Best among doubles only: {', '.join(lost)} is another number in the nearest doubles.")
    if unmet := [*failing]:
        said.append(f"The minimiser's decimals do not satisfy {', '.join(unmet)}.")
    certified = found.certified and not lost and not unmet
    return replace(found, certified=certified, rounded=rounded, note=" ".join(said))


def _sums(asked: Statement, known: set[str]) -> Iterator[Any]:
    """What is added of constants alone, in the conditions, the definitions and the claim."""
    sides = (side for c in asked.admissible for side in c.relation.args)
    claimed = (asked.expand(part) for part in (getattr(asked.claim, "expr", None),) if part is not None)
    every = (*sides, *(f.expr for f in asked.formulas.values()), *claimed)
    sums = {part for expr in every for part in expr.atoms(sp.Add)}
    for part in sorted(sums, key=sp.default_sort_key):
        alone = [term for term in part.args if names_in(term) <= known]
        if len(alone) > 1 and set().union(*map(names_in, alone)):
            yield sp.Add(*alone)


def _differs(part: Any, constants: Mapping[str, float]) -> bool:
    """Whether it is another number in doubles, beyond rounding."""
    written, searched = (_at(part, values) for values in _both(constants))
    return bool(abs(written - searched) > sp.Rational(LOST.numerator, LOST.denominator) * abs(written))


def _both(constants: Mapping[str, float]) -> tuple[dict[str, Fraction], dict[str, Fraction]]:
    """The constants as written, and their doubles."""
    written = {name: parse_value(value) for name, value in constants.items()}
    return written, {name: Fraction(float(value)) for name, value in constants.items()}


def _at(part: Any, values: Mapping[str, Fraction]) -> Any:
    numbers = {
        s: sp.Rational(values[s.name].numerator, values[s.name].denominator) for s in part.free_symbols
    }
    return sp.N(part.xreplace(numbers), 60)
