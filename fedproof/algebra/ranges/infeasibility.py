"""Why a range with symbols left out is empty: which conditions exclude each other, and how."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from fedproof.algebra.elimination.problem import least_part
from fedproof.algebra.projection.cells import decompose
from fedproof.algebra.ranges.projection import range_with_free
from fedproof.algebra.ranges.result import Range, excluded, why_empty
from fedproof.algebra.regions.clauses import Clause, substitute_values, symbols_of
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.interval import REAL, Interval

SAMPLES = 24


def explained(empty_range: Range, clauses: Sequence[Clause], domains: Mapping[str, Interval]) -> Range:
    """An empty range with conditions that by themselves exclude everything, and the reason in words.

    Elimination uses what some conditions say about others and keeps no account of it, so the labels it
    leaves are tried first and then every condition is left out in turn.

    Arguments:
        empty_range: an empty range.
        clauses: what was asked, numbers put in.
        domains: of all symbols.
    """
    own = [c for c in clauses if set(c.labels) <= set(empty_range.conflict)]
    excluding = own if own and _empty(own, empty_range.symbol, domains) else list(clauses)
    excluding = least_part(
        excluding, lambda fewer: bool(fewer) and _empty(fewer, empty_range.symbol, domains)
    )
    labels = tuple(dict.fromkeys(label for c in excluding for label in c.labels))
    return replace(empty_range, conflict=labels, why=_why(excluding, labels, empty_range.symbol, domains))


def _empty(clauses: Sequence[Clause], target: str, domains: Mapping[str, Interval]) -> bool:
    """Whether these clauses are proved to admit no value of the target."""
    free = sorted(symbols_of(clauses) - {target})
    try:
        return range_with_free(clauses, target, free, domains, "alone").empty
    except InputError:
        return False


def _why(
    clauses: Sequence[Clause], labels: tuple[str, ...], target: str, domains: Mapping[str, Interval]
) -> str:
    """What each clause needs of the one symbol left out at some value of the target, or who is involved."""
    used = symbols_of(clauses)
    rest = sorted(used - {target})
    if not rest:
        cells = decompose(clauses, target, domains.get(target, REAL))
        return why_empty(cells, tuple(range(len(clauses))), target, domains.get(target, REAL))
    if len(labels) > 1 and len(rest) == 1:
        domain = domains.get(rest[0], REAL)
        for at in _samples(domains.get(target, REAL)):
            cells = decompose(substitute_values(clauses, {target: at}), rest[0], domain)
            if len(cells.conflict()) == len(clauses):
                words = why_empty(cells, cells.conflict(), rest[0], domain)
                return f"at {target} = {at}, for example, {words}" if target in used else words
    return excluded(labels, [target, *rest] if target in used else rest)


def _samples(domain: Interval) -> list[Fraction]:
    """Values of the target to show a conflict at: 1, 2, 4, ..., 1/2, 1/4, ..., 0, -1, -2, ..."""
    powers = [Fraction(2) ** k for k in (*range(SAMPLES), *range(-1, -SAMPLES, -1))]
    return [v for v in (*powers, Fraction(0), *(-p for p in powers)) if v in domain]
