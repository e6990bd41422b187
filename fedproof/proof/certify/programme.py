"""A linear programme over products of what is known: which of them add up to a contradiction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import flint
import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csc_matrix

from fedproof.proof.certify.limits import NotFound
from fedproof.proof.certify.limits import left as left_of

Polynomial = Mapping[Any, Any]
#: a weight that is smaller is none
SMALL = 1e-9


@dataclass(frozen=True)
class Candidate:
    """A product that may take part.

    Arguments:
        value: its polynomial.
        factors: as a certificate writes them, or what tells how to write them.
        free: whether its weight may have any sign.
        strict: whether it is > 0 where the claim fails.
    """

    value: Polynomial
    factors: tuple[Any, ...]
    free: bool = False
    strict: bool = False
    terms: tuple[tuple[Any, float], ...] = field(default=(), compare=False)

    def floats(self) -> tuple[tuple[Any, float], ...]:
        """The coefficients, the largest of them 1, as floats."""
        if not self.terms:
            top = max((abs(v) for v in self.value.values()), default=None) or 1
            scaled = ((m, v / top) for m, v in self.value.items())
            object.__setattr__(self, "terms", tuple((m, int(v.p) / int(v.q)) for m, v in scaled))
        return self.terms


@dataclass
class Outcome:
    """What a programme found: weights, or else values of monomials with which nothing contradicts."""

    weights: list[tuple[Any, Candidate]] | None
    values: dict[Any, float]


def unmatched(candidates: Sequence[Candidate], sign: Callable[[Any], int]) -> list[Candidate]:
    """The candidates all of whose terms can cancel, by others or by monomials that have a sign."""
    left = list(candidates)
    while True:
        signs: dict[Any, int] = {}
        for c in left:
            for m, v in c.floats():
                signs[m] = signs.get(m, 0) | (3 if c.free else 1 if v > 0 else 2)
        kept = []
        for c in left:
            for m, v in c.floats():
                other = 2 if v > 0 else 1
                if not signs[m] & other and not (other == 1 and sign(m)) and not c.free:
                    break
            else:
                kept.append(c)
        if len(kept) == len(left):
            return kept
        left = kept


def by_one(
    base: Candidate, others: Sequence[Candidate], one: Candidate
) -> list[tuple[Any, Candidate]] | None:
    """Weights with which a candidate taken once, one other and the number 1 add up to 0.

    Arguments:
        one: the number 1, as a candidate that is strict.
    """
    ((unit, _),) = one.value.items()
    terms = len(base.value) - (unit in base.value)
    for c in others:
        if terms == 0 or len(c.value) - (unit in c.value) != terms:
            continue
        m = next(m for m in base.value if m != unit)
        weight = -base.value[m] / c.value[m] if m in c.value else 0
        if weight == 0 or (weight < 0 and not c.free):
            continue
        rest = -base.value.get(unit, 0) - weight * c.value.get(unit, 0)
        if rest < 0 or not (base.strict or rest > 0 or (c.strict and weight > 0)):
            continue
        if all(m == unit or v + weight * c.value.get(m, 0) == 0 for m, v in base.value.items()):
            return [(flint.fmpq(1), base), (weight, c), *([(rest, one)] if rest > 0 else [])]
    return None


def connected(base: Candidate, others: Sequence[Candidate], one: Candidate) -> list[Candidate]:
    """The candidates that can cancel terms of a first one, or of what does so; none where a term stays.

    Arguments:
        one: the number 1, which joins nothing.
    """
    left = unmatched([base, *others, one], lambda m: 0)
    if not left or left[0] is not base:
        return []
    by_term: dict[Any, list[int]] = {}
    for j, c in enumerate(left):
        for m in c.value:
            by_term.setdefault(m, []).append(j)
    found, waiting = {0}, [0]
    while waiting:
        for m in left[waiting.pop()].value:
            more = [j for j in by_term.pop(m, ()) if j not in found] if m not in one.value else []
            found.update(more)
            waiting += more
    return [c for j, c in enumerate(left) if j in found or c is one]


def solve(
    candidates: Sequence[Candidate], sign: Callable[[Any], int], monomial: Callable[[Any], Candidate]
) -> Outcome:
    """Weights with which the candidates and monomials that have a sign add up to 0, or values that forbid it.

    Arguments:
        sign: 2 for a monomial > 0, 1 for one >= 0, 0 for others.
        monomial: it as a candidate.
    """
    left = unmatched(candidates, sign)
    strict = [m for c in left for m in c.value if sign(m) == 2]
    if not strict and not any(c.strict for c in left):
        return Outcome(None, {})
    least: dict[Any, int] = {}
    exact_rows: dict[Any, int] = {}
    for c in left:
        for m in c.value:
            rows = least if sign(m) else exact_rows
            rows.setdefault(m, len(rows))
    norm = len(least)
    tables: tuple[list[Any], list[Any]] = ([], [])
    gain = np.zeros(len(left))
    for j, c in enumerate(left):
        gain[j] += c.strict
        for m, v in c.floats():
            kind = sign(m)
            tables[0 if kind else 1].append((v, least[m] if kind else exact_rows[m], j))
            if kind == 2:
                gain[j] -= v
    tables[0].extend((g, norm, j) for j, g in enumerate(gain) if g)
    upper = np.zeros(norm + 1)
    upper[norm] = 1.0
    found = linprog(
        -gain + np.array([0.0 if c.free else 1e-7 for c in left]),
        A_ub=_matrix(tables[0], norm + 1, len(left)),
        b_ub=upper,
        A_eq=_matrix(tables[1], len(exact_rows), len(left)) if exact_rows else None,
        b_eq=np.zeros(len(exact_rows)) if exact_rows else None,
        bounds=[(-1e4, 1e4) if c.free else (0, None) for c in left],
        method="highs-ds",
        options={"time_limit": left_of(10.0)},
    )
    if found.status != 0:
        return Outcome(None, {})
    if -found.fun > 0.5:
        support = [left[j] for j, w in enumerate(found.x) if abs(w) > SMALL]
        slack = found.ineqlin.residual
        support += [monomial(m) for m, i in least.items() if slack[i] > SMALL]
        return Outcome(exact(support), {})
    values = {m: -found.ineqlin.marginals[i] for m, i in least.items()}
    values |= {m: -found.eqlin.marginals[i] for m, i in exact_rows.items()}
    return Outcome(None, values)


@dataclass(frozen=True)
class Rest:
    """The least that is left of one candidate by others.

    Arguments:
        used: the others that take part.
        left: the monomials that are left, and how much of each.
        values: of monomials, with which no candidate is negative.
    """

    used: list[Candidate]
    left: dict[Any, float]
    values: dict[Any, float]


def left_over(candidates: Sequence[Candidate], base: Candidate, sign: Callable[[Any], int]) -> Rest:
    """What is left of a candidate, taken once, whatever others and monomials that have a sign are added.

    Raises: NotFound where no answer is found in time.
    """
    place = {m: i for i, m in enumerate(dict.fromkeys(m for c in candidates for m in c.value))}
    count, rows = len(candidates), len(place)
    entries = [(v, place[m], j) for j, c in enumerate(candidates) for m, v in c.floats()]
    entries += [(-1.0, i, count + i) for i in range(rows)]
    entries += [(1.0, i, count + rows + i) for i in range(rows)]
    free = [0.0 if sign(m) else 1.0 for m in place]
    found = linprog(
        np.array([1e-6] * count + [1.0] * rows + free),
        A_eq=_matrix(entries, rows, count + 2 * rows),
        b_eq=np.zeros(rows),
        bounds=[(1, 1) if c is base else (-1e4, 1e4) if c.free else (0, 1e4) for c in candidates]
        + [(0, None)] * (2 * rows),
        method="highs-ds",
        options={"time_limit": left_of(10.0)},
    )
    if found.status != 0:
        raise NotFound("no answer of the programme")
    over, under = found.x[count : count + rows], found.x[count + rows :]
    left = {m: over[i] + free[i] * under[i] for m, i in place.items()}
    return Rest(
        [c for c, w in zip(candidates, found.x[:count], strict=True) if abs(w) > SMALL],
        {m: size for m, size in left.items() if size > 1e-7},
        {m: -found.eqlin.marginals[i] for m, i in place.items()},
    )


def _matrix(entries: Sequence[tuple[float, int, int]], rows: int, columns: int) -> Any:
    data, at, place = zip(*entries, strict=True) if entries else ((), (), ())
    return csc_matrix((data, (at, place)), shape=(rows, columns))


def weights(candidates: Sequence[Candidate]) -> list[tuple[Any, Candidate]] | None:
    """Exact weights, none negative where they may not be, with which the candidates add up to 0."""
    return solve(candidates, lambda m: 0, lambda m: Candidate({m: flint.fmpq(1)}, ())).weights


def exact(support: Sequence[Candidate]) -> list[tuple[Any, Candidate]] | None:
    """The weights of a support in fractions; those of the strict ones add up to 1."""
    place = {m: i for i, m in enumerate(dict.fromkeys(m for c in support for m in c.value))}
    norm = len(place)
    table = flint.fmpq_mat(norm + 1, len(support) + 1)
    for k, c in enumerate(support):
        for m, v in c.value.items():
            table[place[m], k] = v
        if c.strict:
            table[norm, k] = 1
    table[norm, len(support)] = 1
    reduced, rank = table.rref()
    values = [flint.fmpq(0)] * len(support)
    for i in range(rank):
        lead = next(k for k in range(len(support) + 1) if reduced[i, k] != 0)
        if lead == len(support):
            return None
        values[lead] = reduced[i, len(support)]
    taken = [(v, c) for v, c in zip(values, support, strict=True) if v != 0]
    if any(v < 0 and not c.free for v, c in taken) or not any(c.strict for _, c in taken):
        return None
    return taken
