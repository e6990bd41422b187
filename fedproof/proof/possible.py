"""Whether the hypotheses of a proved step can hold, names that its proof takes to be whole being so."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

import sympy as sp

from fedproof.proof.counterexamples import feasible_point
from fedproof.proof.engines.smt import prove
from fedproof.proof.forall import ForAll
from fedproof.proof.instance import Instance
from fedproof.proof.rules.query import Query
from fedproof.proof.step import Step

#: what names that count may be
WHOLE = (1, 2, 3)


def reading_of(step: Step, counts: Collection[str]) -> str:
    """In words, which exponents of a step without a paper a proof takes to be whole, as no symbol says so.

    >>> x, n = sp.symbols("x n", real=True)
    >>> reading_of(Step(x ** (2 * n) >= 0), {"n"})
    'the exponent n is read as a whole number'
    """
    if step.source is not None:
        return ""
    relations = (step.claim, *(h.relation for h in step.hypotheses))
    said = (r.relation if isinstance(r, ForAll) else r for r in relations)
    powers = (power for part in said for power in part.atoms(sp.Pow))
    names = sorted({s.name for p in powers for s in p.exp.free_symbols if not s.is_integer} & set(counts))
    many = len(names) > 1
    read = "are read as whole numbers" if many else "is read as a whole number"
    return f"the exponent{'s' * many} {', '.join(names)} {read}" if names else ""


def possible(
    cases: Callable[[], Iterable[Query]], hypotheses: Sequence[Any], counts: Collection[str]
) -> Instance | bool | None:
    """A point of a special case at which hypotheses hold; else whether they can hold; None if unknown.

    Arguments:
        cases: special cases of a step in plain numbers.
        hypotheses: of the step itself, those about plain numbers.
        counts: the names that are whole at such a point.
    """
    for case in cases():
        point = feasible_point(case.given, counts)
        if point is not None:
            return Instance(case.given, None, point, case.about)
    if prove(hypotheses, sp.false).proved:
        return False
    asked = (given for case in cases() for given in _at_wholes(case.given, counts))
    return True if any(prove(given, sp.false).refutable for given in asked) else None


def _at_wholes(given: Sequence[Any], counts: Collection[str]) -> Iterator[Sequence[Any]]:
    """Hypotheses at small values of the names that are whole, unless they say a whole one themselves."""
    said = {r.lhs for r in given if isinstance(r, sp.Eq) and r.rhs.is_Integer}
    names = {s for r in given for s in r.free_symbols if s.name in counts} - said
    if not names:
        yield given
        return
    for value in WHOLE:
        put = [r.xreplace(dict.fromkeys(names, sp.Integer(value))) for r in given]
        if sp.false not in put:
            yield [r for r in put if r != sp.true]
