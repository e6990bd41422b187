"""Numbers at which all facts hold and a claim does not: where such are known, no products of facts prove it.

A search that must fail takes longest. What these numbers refute need not be searched for; what they do not
refute is searched for as before, and nothing is proved by them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from fedproof.proof.certify.facts import Fact, Known, atoms_of
from fedproof.proof.certify.reaching import reached
from fedproof.proof.kernel.forms import Forms
from fedproof.proof.kernel.polynomials import ONE, Polynomial, Quotient

#: how many points are drawn
POINTS = 3000
#: how clearly something strict must hold, and the claim must fail, beside the size of its terms
CLEAR, FAILS = 1e-9, 1e-5

Array = NDArray[np.float64]
#: by atom a value at every point
Values = dict[int, Array]


def refuted(forms: Forms, negated: Fact, said: Known, order: str) -> bool:
    """Whether points are found at which what is known holds and a claim fails.

    Arguments:
        negated: what the claim's negation says.
        order: the claim's; for an equation nothing but equations enter.
    """
    equations, facts = said.equations, [] if order == "=" else said.facts
    near = _near(forms, [negated, *equations, *facts])
    equations = [f for f in equations if atoms_of(f.value) <= near]
    facts = [f for f in facts if atoms_of(f.value) <= near]
    solved = _solvable(forms, equations, near)
    if solved is None:
        return False
    try:
        with np.errstate(all="ignore"):
            return _seen(forms, negated, facts, said if order != "=" else Known(), order, near, solved)
    except OverflowError:  # a number beyond all doubles
        return False


def _seen(
    forms: Forms, negated: Fact, facts: Iterable[Fact], said: Known, order: str, near: set[int],
    solved: Mapping[int, Polynomial],
) -> bool:  # fmt: skip
    """Whether some drawn point is one at which all holds but the claim."""
    signed = {*said.above, *said.least}
    values = _drawn(forms, sorted(near), signed, solved)
    left = np.flatnonzero(_fails(*_at(negated.value, values), negated.sign, order))
    for fact in sorted(facts, key=lambda f: len(f.value)):
        if not len(left):
            return False
        value, size = _at(fact.value, {a: values[a][left] for a in atoms_of(fact.value)})
        left = left[value > CLEAR * size if fact.sign == "<" else value >= 0]
    for a in near & signed & solved.keys():
        left = left[values[a][left] > 0]
    for a in near:
        left = left[np.isfinite(values[a][left])]
    return bool(len(left))


def _fails(value: Array, size: Array, sign: str, order: str) -> NDArray[np.bool_]:
    """Where a claim's negation clearly holds."""
    clear: NDArray[np.bool_] = (np.abs(value) if order == "=" else value) > FAILS * size
    return clear if sign == "<" else clear | (size == 0)


def _near(forms: Forms, facts: Iterable[Fact]) -> set[int]:
    """The atoms of the first, with those of which what speaks of them speaks, and so on."""
    first, *others = (_inner(forms, atoms_of(f.value)) for f in facts)
    beside: dict[int, set[int]] = {}
    for atoms in others:
        for a in atoms:
            beside.setdefault(a, set()).update(atoms)
    return reached(first, lambda a: beside.get(a, ()))


def _inner(forms: Forms, atoms: Iterable[int]) -> set[int]:
    """Atoms, with those inside roots."""
    return reached(atoms, lambda a: () if (r := forms.radicand(a)) is None else _of(r))


def _of(q: Quotient) -> set[int]:
    return atoms_of(q.above, *(dict(f) for f in q.below))


def _solvable(forms: Forms, equations: Iterable[Fact], near: set[int]) -> dict[int, Polynomial] | None:
    """For each equation an atom that it gives by others, none by itself; None where that is not found."""
    needs = {a: _of(r) for a in near if (r := forms.radicand(a)) is not None}
    found: dict[int, Polynomial] = {}
    for fact in equations:
        for a in sorted(atoms_of(fact.value)):
            exponents = [e for m in fact.value for b, e in m if b == a]
            others = atoms_of(fact.value) - {a}
            if exponents != [1] or a in needs or a in reached(others, lambda n: needs.get(n, ())):
                continue
            found[a], needs[a] = fact.value, others
            break
        else:
            return None
    return found


@lru_cache(maxsize=512)
def _column(place: int) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Sizes, signs, and where something is 0, at all points, for the atom at a place."""
    random = np.random.default_rng(place)
    scale = np.where(np.arange(POINTS) % 2, 3.0, 1.0)
    size = 10 ** (random.uniform(-1, 1, POINTS) * scale)
    return size, np.where(random.random(POINTS) < 0.5, -1.0, 1.0), np.arange(POINTS) % 4 < 2


def _drawn(forms: Forms, near: list[int], positive: set[int], solved: Mapping[int, Polynomial]) -> Values:
    """Values of all atoms: those that nothing gives are drawn, inner products and terms often 0."""
    values: Values = {}
    for place, a in enumerate(near):
        if a in solved or forms.radicand(a) is not None:
            continue
        size, sign, none = _column(place)
        drawn = size if a in positive else size * sign
        values[a] = drawn if forms.atoms[a].kind == "name" else np.where(none, 0.0, drawn)
    for a in near:
        _value(forms, a, solved, values)
    return values


def _value(forms: Forms, a: int, solved: Mapping[int, Polynomial], values: Values) -> Array:
    """The value of an atom, after those of which it is made."""
    if a in values:
        return values[a]
    radicand = forms.radicand(a)
    parts = _of(radicand) if radicand is not None else atoms_of(solved[a]) - {a}
    for b in parts:
        _value(forms, b, solved, values)
    if radicand is not None:
        under = _quotient(radicand, values)
        values[a] = np.where(under >= 0, np.abs(under), np.nan) ** (1.0 / forms.atoms[a].parts[1])
    else:
        own = {m: c for m, c in solved[a].items() if any(b == a for b, _ in m)}
        rest = {m: c for m, c in solved[a].items() if m not in own}
        ((m, c),) = own.items()
        beside = {tuple(p for p in m if p[0] != a): c}
        values[a] = -_at(rest, values)[0] / _at(beside, values)[0]
    return values[a]


def _quotient(q: Quotient, values: Values) -> Array:
    found, _ = _at(q.above, values)
    for f, e in q.below.items():
        found = found / _at(dict(f), values)[0] ** e
    return found


def _at(value: Polynomial, values: Mapping[int, Array]) -> tuple[Array, Array]:
    """A polynomial at the points, and the sum of its terms' sizes."""
    count = len(next(iter(values.values()), np.zeros(POINTS)))
    total, size = np.zeros(count), np.zeros(count)
    for m, c in value.items():
        term = np.full(count, int(c.p) / int(c.q)) if m == ONE else int(c.p) / int(c.q)
        for a, e in m:
            term = term * (values[a] if e == 1 else values[a] ** float(e))
        total, size = total + term, size + np.abs(term)
    return total, size
