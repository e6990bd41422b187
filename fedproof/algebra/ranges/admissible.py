"""Which values of one symbol a list of conditions admits: exact intervals, ends, reasons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from fedproof.algebra.elimination.problem import Cuts
from fedproof.algebra.projection.cells import decompose
from fedproof.algebra.ranges.exponents import in_exponents, powered, with_values
from fedproof.algebra.ranges.infeasibility import explained
from fedproof.algebra.ranges.interval_ends import SMALLEST
from fedproof.algebra.ranges.projection import range_with_free
from fedproof.algebra.ranges.result import Range, from_cells
from fedproof.algebra.regions.clauses import Labelled, clauses_of, substitute_values, symbols_of
from fedproof.vocabulary.errors import InputError, UnknownName
from fedproof.vocabulary.interval import REAL, Interval


def admissible(
    conditions: Iterable[Labelled],
    target: str,
    values: Mapping[str, Fraction],
    domains: Mapping[str, Interval],
    explain: bool = True,
    cuts: Cuts = "all",
) -> Range:
    """The values of `target` for which, with some value of each symbol left out, every condition holds.

    Arguments:
        conditions: labelled SymPy relations, definitions substituted.
        target: name of the symbol asked about.
        values: exact values of symbols that are given; the others are free.
        domains: for each symbol the values that make sense at all.
        explain: whether an empty range with symbols left out says which conditions exclude each other, which
            takes many times as long as to find that it is empty.
        cuts: which irrational values are decided with symbols left out; unless all are, ends may be left
            open, and what binds is not said.

    Returns: exact intervals with open or closed ends and the conditions that bind there.
    Raises: UnknownName for an unknown target; InputError naming symbols to supply where nothing could be
        proved about those left out.

    >>> from collections import namedtuple
    >>> from sympy import Symbol
    >>> row = namedtuple("row", "label relation")
    >>> x = Symbol("x", real=True)
    >>> admissible([row("square", x**2 <= 2)], "x", {}, {}).exact
    [['-sqrt(2)', 'sqrt(2)']]
    """
    rows = list(conditions)
    if in_exponents(rows):
        rows = with_values(rows, values)
        if in_exponents(rows):
            return powered(rows, target, values, domains, admissible)
    clauses = clauses_of(rows)
    used = symbols_of(clauses)
    if target not in used | set(domains):
        raise UnknownName("symbol", target, sorted(used))
    for name, value in values.items():
        if value and not SMALLEST <= abs(value) <= 1 / SMALLEST:
            raise InputError(name, value, "0 or a magnitude between 1e-100 and 1e100", "rescale the question")
    free = sorted(used - set(values) - {target})
    domain = domains.get(target, REAL)
    given = {k: v for k, v in values.items() if k != target}
    if free:
        asked = substitute_values(clauses, given)
        found = range_with_free(asked, target, free, domains, cuts)
        return explained(found, asked, domains) if found.empty and explain else found
    return from_cells(decompose(substitute_values(clauses, given), target, domain), target, domain)
