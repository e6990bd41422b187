"""Facts whose products of few are taken whole, for questions where everything has one degree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from typing import Any

from fedproof.proof.certify.clearing import factors
from fedproof.proof.certify.facts import Fact
from fedproof.proof.certify.limits import NotFound
from fedproof.proof.certify.preparing import nonzero, write
from fedproof.proof.certify.products import prove
from fedproof.proof.certify.writer import Writer, tree_of
from fedproof.proof.kernel.forms import Forms
from fedproof.proof.kernel.polynomials import ONE, Monomial, Polynomial, Quotient, join, number, primitive
from fedproof.proof.kernel.relations import sides
from fedproof.proof.kernel.trees import ORDER, Rejected


def clear(writer: Writer, gap: Quotient, depth: int) -> tuple[Quotient, tuple[Any, ...]]:
    """What is left when everything is multiplied by what is divided by, and the positive factors of that."""
    forms = writer.forms
    multiplier: list[Any] = []
    lowest: dict[int, int] = {}
    for m in gap.above:
        for a, e in m:
            if e < 0:
                lowest[a] = min(lowest.get(a, 0), e)
    for a, e in lowest.items():
        one = Quotient({((a, 1),): number(1)})
        multiplier += _positive(writer, one, -e, depth)
    for f, e in gap.below.items():
        multiplier += _positive(writer, Quotient(dict(f)), e, depth)
    for factor in multiplier:
        for q in _value(writer, factor):
            gap = forms.times(gap, q)
    if multiplier and (gap.below or any(e < 0 for m in gap.above for _, e in m)):
        gap, more = clear(writer, gap, depth)
        multiplier += more
    return gap, tuple(multiplier)


def _value(writer: Writer, factor: Any) -> list[Quotient]:
    forms = writer.forms
    if isinstance(factor, int):
        return [sides(forms, writer.here.lines[factor])[1]]
    return [forms.number(factor[1])] * 2


def _positive(writer: Writer, q: Quotient, power: int, depth: int) -> list[Any]:
    """Factors > 0 that have q to a power at least: lines that say q > 0 or -q > 0."""
    tree = tree_of(writer.forms, q)
    for claim in (("<", "0", tree), ("<", tree, "0")):
        try:
            return [prove(writer, claim, depth + 1)] * power
        except (NotFound, Rejected):
            continue
    nonzero(writer, q, depth, prove)
    return [("sq+", tree)] * (-(-power // 2))


def prepare(writer: Writer, depth: int) -> None:
    """Add, for every line with divisors or positive factors, what it says without them."""
    forms = writer.forms
    for place in range(len(writer.here.lines)):
        line = writer.here.lines[place]
        if place in writer.ready or place in writer.equal or line[0] not in ORDER or line[0] == "!=":
            continue
        writer.ready.add(place)
        if forms.is_vector(line[1]) or forms.is_vector(line[2]):
            continue
        try:
            gap = writer.gap(line)
            if gap.above and gap.constant is None:
                _prepared(writer, place, line[0], gap, depth)
        except (NotFound, Rejected):
            continue


def _prepared(writer: Writer, place: int, order: str, gap: Quotient, depth: int) -> None:
    forms = writer.forms
    cleared, multiplier = clear(writer, gap, depth)
    stripped, kept = number(1), []
    divisors: list[Any] = []
    for q, e in factors(cleared):
        line = None if q.constant is not None else plainly_positive(writer, q, depth)
        if q.constant is not None:
            stripped = stripped * q.constant
        elif line is not None:
            divisors += [line] * e
        else:
            kept.append((q, e))
    if (not multiplier and not divisors) or not kept:
        return
    left = Quotient({ONE: number(1 if stripped > 0 else -1)})
    for q, e in kept:
        left = forms.times(left, forms.power(q, e))
    scale = abs(stripped)
    claim = (order, "0", tree_of(forms, left))
    if writer.find(claim) is not None:
        return
    line = write(writer, claim, [(scale, ("neg", *divisors)), (number(1), (*multiplier, place))])
    writer.ready.add(line)
    writer.stale.add(place)


def plainly_positive(writer: Writer, q: Quotient, depth: int) -> int | None:
    """A line that says that something is > 0."""
    if len(q.above) > 1 and all(c > 0 for c in q.above.values()):
        try:
            return prove(writer, ("<", "0", tree_of(writer.forms, q)), depth + 1)
        except (NotFound, Rejected):
            return None
    for place, line in enumerate(writer.here.lines):
        if line[0] == "<" and not (writer.forms.is_vector(line[1]) or writer.forms.is_vector(line[2])):
            gap = writer.gap(line)
            if not gap.below and len(gap.above) == len(q.above):
                lead, common, factor = primitive(gap.above)
                own, also, other = primitive(q.above)
                if lead == own and common == also and factor == other:
                    return place
    return None


def facts(writer: Writer) -> list[Fact]:
    """Everything the lines say, as polynomials that are >= 0 or 0, and signs of roots and sizes."""
    forms = writer.forms
    found: dict[Any, Fact] = {}
    for place, line in enumerate(writer.here.lines):
        if line[0] not in ORDER or line[0] == "!=" or place in writer.equal or place in writer.stale:
            continue
        if forms.is_vector(line[1]) or forms.is_vector(line[2]):
            continue
        try:
            gap = writer.gap(line)
        except Rejected:
            continue
        if not gap.above or gap.below or any(e < 0 for m in gap.above for _, e in m):
            continue
        if any(forms.atoms[a].kind == "upto" for m in gap.above for a, _ in m):
            continue
        lead, common, factor = primitive(gap.above)
        key = (abs(lead) == lead, common, factor, line[0] == "=")
        known = found.get(key)
        if known is None or (known.sign == "<=" and line[0] == "<"):
            found[key] = Fact(gap.above, (place,), line[0])
    return list(found.values())


def atoms_of(*values: Polynomial) -> list[int]:
    """The atoms of polynomials."""
    return sorted({a for v in values for m in v for a, _ in m})


def of_atoms(writer: Writer, places: Sequence[int]) -> Iterator[Fact]:
    """What is known of roots and sizes for being such."""
    forms = writer.forms
    for a in places:
        radicand = forms.radicand(a)
        if radicand is None or forms.atoms[a].parts[1] > 6:
            continue
        inside = tree_of(forms, radicand)
        yield Fact({((a, 1),): number(1)}, (("root", inside, str(forms.atoms[a].parts[1])),), "<=")
        pieces = factors(radicand) if not radicand.below else []
        base = [q for q, e in pieces if q.constant is None and e == 2]
        if a in forms.squares and len(base) == len([p for p in pieces if p[0].constant is None]) == 1:
            x = base[0]
            for sign in (1, -1):
                q = forms.size(x) + Quotient({ONE: number(sign)}) * x
                yield Fact(q.above, (("size", tree_of(forms, x), str(sign)),), "<=")


def monomials(places: Sequence[int], degree: int, most: int) -> list[Monomial]:
    """Products of atoms up to a degree, the lowest degrees first."""
    found: list[Monomial] = []
    for d in range(degree + 1):
        for chosen in combinations_with_replacement(places, d):
            m: Monomial = ONE
            for a in chosen:
                m = join(m, ((a, 1),))
            found.append(m)
            if len(found) >= most:
                return found
    return found


def square_of(forms: Forms, poly: Polynomial) -> Fact:
    """The square of a polynomial."""
    q = Quotient(dict(poly))
    return Fact(forms.times(q, q).above, (("sq", tree_of(forms, q)),), "<=")


def product(forms: Forms, one: Fact, other: Fact) -> Fact:
    """The product of two facts."""
    q = forms.times(Quotient(dict(one.value)), Quotient(dict(other.value)))
    sign = "<" if one.sign == other.sign == "<" else "<="
    return Fact(q.above, (*one.factors, *other.factors), sign)
