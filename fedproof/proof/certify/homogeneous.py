"""Claims about vectors and norms by products of one degree, which a linear programme weighs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from typing import Any

from fedproof.proof.certify import pairs, products
from fedproof.proof.certify.clearing import factors
from fedproof.proof.certify.degrees import Degree, Degrees
from fedproof.proof.certify.facts import Fact
from fedproof.proof.certify.gram import combinations_of, keep, plain_squares, spoken_of
from fedproof.proof.certify.limits import NotFound, over, share, still
from fedproof.proof.certify.preparing import write
from fedproof.proof.certify.programme import Candidate, weights
from fedproof.proof.certify.writer import Writer, tree_of, vector_tree
from fedproof.proof.kernel.atoms import Combination
from fedproof.proof.kernel.forms import Forms
from fedproof.proof.kernel.polynomials import ONE, UNIT, Polynomial, Quotient, number
from fedproof.proof.kernel.trees import Tree
from fedproof.proof.kernel.vectors import add

#: most factors of a product, and most products that are weighed together
FACTORS = 4
MOST = 1500
#: most products that are looked at
LOOKED_AT = 60000
Terms = list[tuple[Any, tuple[Any, ...]]]


def prove(writer: Writer, claim: Tree, seconds: float = 5.0) -> int:
    """Write a proof of a relation between numbers that speaks of vectors.

    Raises: NotFound.
    """
    known = writer.find(claim)
    if known is not None:
        return known
    products.define(writer, claim)
    order = claim[0]
    if order == "=":
        one, other = (prove(writer, ("<=", *pair), seconds) for pair in (claim[1:], claim[:0:-1]))
        return writer.write(claim, "both", one, other)
    gap = writer.gap(claim)
    if gap.constant is not None or order == "!=":
        return products.prove(writer, claim)
    cleared, multiplier = pairs.clear(writer, gap, 0)
    if multiplier:
        line = prove(writer, (order, "0", tree_of(writer.forms, cleared)), seconds)
        return write(writer, claim, [(number(1), ("neg", *multiplier)), (number(1), (line,))])
    scale, known_positive, kept = _stripped(writer, cleared)
    if known_positive and scale > 0:
        line = prove(writer, (order, "0", tree_of(writer.forms, kept)), seconds)
        return write(writer, claim, [(number(1), ("neg",)), (scale, (*known_positive, line))])
    found = search(writer, cleared.above, order, seconds)
    return write(writer, claim, found)


def _stripped(writer: Writer, q: Quotient) -> tuple[Any, list[int], Quotient]:
    """A polynomial as a number, factors that lines say are positive, and what else there is."""
    scale, lines, kept = number(1), [], UNIT
    for f, e in factors(q):
        line = None if f.constant is not None else pairs.plainly_positive(writer, f, 0)
        if f.constant is not None:
            scale = scale * f.constant
        elif line is not None:
            lines += [line] * e
        else:
            kept = writer.forms.times(kept, writer.forms.power(f, e))
    return scale, lines, kept


def search(writer: Writer, gap: Polynomial, order: str, seconds: float) -> Terms:
    """Products of one degree that contradict the claim's negation.

    Raises: NotFound.
    """
    end = share(seconds)
    forms = writer.forms
    pairs.prepare(writer, 1)
    _angles(writer, gap)
    negated = Fact({m: -c for m, c in gap.items()}, ("neg",), "<" if order == "<=" else "<=")
    said = pairs.facts(writer)
    degrees = Degrees(forms, [gap, *(f.value for f in said)])
    equations = [f for f in said if f.sign == "="]
    signed = [f for f in said if f.sign != "="]
    for more in (_few, _many):
        extra = [f for f in more(writer, gap, [*said]) if degrees.common(f.value) is not None]
        found = _weighed(forms, degrees, negated, equations, [*signed, *extra], end)
        if found is not None:
            return found
    raise NotFound("no products of one degree")


def _few(writer: Writer, gap: Polynomial, said: Sequence[Fact]) -> Iterator[Fact]:
    """Signs of roots and scalars' squares, of squared norms and Gram determinants."""
    atoms = pairs.atoms_of(gap, *(f.value for f in said))
    yield from pairs.of_atoms(writer, atoms)
    forms = writer.forms
    known = {m for f in said if len(f.value) == 1 for m in f.value}
    for a in atoms:
        if forms.atoms[a].kind in ("name", "of") and ((a, 1),) not in known:
            yield pairs.square_of(forms, {((a, 1),): number(1)})
    vectors = _vectors(writer)[:6]
    yield from _of_vectors(forms, vectors, list(combinations(vectors, 2)))


def _many(writer: Writer, gap: Polynomial, said: Sequence[Fact]) -> Iterator[Fact]:
    """The same with sums and differences of vectors, and squares of differences of numbers."""
    atoms = pairs.atoms_of(gap, *(f.value for f in said))
    yield from pairs.of_atoms(writer, atoms)
    forms = writer.forms
    numbers = [a for a in atoms if forms.atoms[a].kind in ("name", "of", "root")][:6]
    for a, b in combinations(numbers, 2):
        yield pairs.square_of(forms, {((a, 1),): number(1), ((b, 1),): number(-1)})
    spoken = _vectors(writer)
    vectors = spoken[:3]
    more: dict[object, Combination] = {}
    for w in spoken:
        if len(w) == 2:
            first, second = ({b: q} for b, q in w.items())
            keep(forms, more, w)
            keep(forms, more, add(first, forms.scaled(Quotient({ONE: number(-1)}), second)))
    for v in vectors:
        keep(forms, more, v)
    for u, v in combinations(vectors, 2):
        keep(forms, more, add(u, v))
        keep(forms, more, add(u, forms.scaled(Quotient({ONE: number(-1)}), v)))
    chosen = list(more.values())[:10]
    yield from _of_vectors(forms, chosen, list(combinations(chosen, 2)))


def _vectors(writer: Writer) -> list[Combination]:
    forms = writer.forms
    lines = [line for place, line in enumerate(writer.here.lines) if place not in writer.equal]
    claimed = [] if writer.claim is None else [writer.claim]
    return combinations_of(forms, list(dict.fromkeys(spoken_of([*claimed, *lines]))))


def _of_vectors(
    forms: Forms, vectors: Sequence[Combination], pairs: Sequence[tuple[Combination, Combination]]
) -> Iterator[Fact]:
    for v in vectors:
        norm = forms.product(v, v)
        if norm.above and not norm.below:
            yield Fact(norm.above, (("n2", vector_tree(forms, v)),), "<=")
    for u, v in pairs:
        cross = forms.product(u, v)
        gap = forms.times(forms.product(u, u), forms.product(v, v)) - forms.times(cross, cross)
        if gap.above and not gap.below:
            yield Fact(gap.above, (("gram", vector_tree(forms, u), vector_tree(forms, v)),), "<=")


def _angles(writer: Writer, gap: Polynomial) -> None:
    """Lines ip(u, v) <= norm(u) norm(v) for all norms that are spoken of."""
    forms = writer.forms
    lengths: list[tuple[Tree, Tree]] = []
    for a in pairs.atoms_of(gap, *(f.value for f in pairs.facts(writer))):
        radicand = forms.radicand(a)
        if radicand is None or forms.atoms[a].parts[1] != 2:
            continue
        squares = plain_squares(forms, radicand)
        if squares is not None and len(squares) == 1 and squares[0][0].constant is not None:
            lengths.append((vector_tree(forms, squares[0][1]), tree_of(forms, radicand)))
    for (u, s), (v, t) in islice(combinations(lengths, 2), 10):
        for sign in ("1", "-1"):
            cross = ("*", sign, ("ip", u, v))
            _angle(writer, cross, u, s, v, t)


def _angle(writer: Writer, cross: Tree, u: Tree, s: Tree, v: Tree, t: Tree) -> None:
    claim = ("<=", cross, ("*", ("^", s, "1/2"), ("^", t, "1/2")))
    forms = writer.forms
    if writer.find(claim) is not None or not forms.number(cross).above:
        return
    scale = [forms.power(forms.product(w, w), -1) for w in map(forms.vector, (u, v))]
    ratio = forms.times(
        forms.times(forms.number(s), scale[0]), forms.times(forms.number(t), scale[1])
    ).constant
    roots = (("root", s, "2"), ("root", t, "2"))
    terms = [(number(1), ("neg", "neg")), (number(2), ("neg", *roots))]
    if ratio == 1:
        line = write(writer, claim, [*terms, (number(1), (("gram", u, v),))])
        writer.ready.add(line)


def _weighed(
    forms: Forms,
    degrees: Degrees,
    negated: Fact,
    equations: Sequence[Fact],
    signed: Sequence[Fact],
    end: float,
) -> Terms | None:
    """Every degree that a multiple of the negation has, the simplest first."""
    parts = [negated, *signed]
    own = [degrees.common(f.value) for f in parts]
    sizes = [max(sum(e for _, e in m) for m in f.value) for f in parts]
    levels = _by_degree([d or () for d in own], degrees.none)
    made: dict[tuple[int, ...], Fact] = {(k,): f for k, f in enumerate(parts)}

    def product(chosen: tuple[int, ...]) -> Fact:
        found = made.get(chosen)
        if found is None:
            found = made[chosen] = pairs.product(forms, product(chosen[:-1]), parts[chosen[-1]])
        return found

    def cost(degree: Degree) -> Any:
        strict = [c for c in levels[degree] if c[0] == 0 and all(parts[k].sign == "<" for k in c)]
        return (min(sum(sizes[k] for k in c) for c in strict), len(levels[degree])) if strict else None

    costs = {degree: cost(degree) for degree in levels}
    if negated.sign == "<=":
        costs = {
            degree: (min(sum(sizes[k] for k in c) for c in chosen), len(chosen))
            for degree, chosen in levels.items()
        }
    for degree in sorted((d for d, c in costs.items() if c is not None), key=lambda d: costs[d]):
        if over(end):
            return None
        taken = sorted(levels[degree], key=lambda c: (sum(sizes[k] for k in c), len(c)))[:MOST]
        candidates = _candidates(map(product, taken))
        candidates += _ideal(forms, degrees, equations, candidates, degree)
        found = weights(candidates)
        if found is not None:
            return [(w, c.factors) for w, c in found]
    return None


def _by_degree(own: Sequence[Degree], none: Degree) -> dict[Degree, list[tuple[int, ...]]]:
    """Products of few factors, by degree."""
    levels: dict[Degree, list[tuple[int, ...]]] = {}
    last: list[tuple[tuple[int, ...], Degree]] = [((), none)]
    looked = 0
    for _ in range(FACTORS):
        following = []
        for chosen, degree in last:
            for k in range(chosen[-1] if chosen else 0, len(own)):
                total = tuple(a + b for a, b in zip(degree, own[k], strict=True))
                following.append(((*chosen, k), total))
                levels.setdefault(total, []).append((*chosen, k))
                looked += 1
            if looked > LOOKED_AT:
                return levels
        last = following
    return levels


def _candidates(made: Iterator[Fact]) -> list[Candidate]:
    """Products, of those with one value the first, or the first that is strict."""
    found: list[Candidate] = []
    places: dict[frozenset[Any], list[int]] = {}
    for f in made:
        still()
        known = places.setdefault(frozenset(f.value), [])
        place = next((k for k in known if found[k].value == f.value), None)
        candidate = Candidate(f.value, f.factors, strict=f.sign == "<")
        if place is None and f.value:
            known.append(len(found))
            found.append(candidate)
        elif place is not None and candidate.strict and not found[place].strict:
            found[place] = candidate
    return found


def _ideal(
    forms: Forms,
    degrees: Degrees,
    equations: Sequence[Fact],
    candidates: Sequence[Candidate],
    degree: Degree,
) -> list[Candidate]:
    """Multiples of equations by monomials that bring them to a degree."""
    if not equations:
        return []
    places = pairs.atoms_of(*(dict(c.value) for c in candidates), *(e.value for e in equations))
    monomials: dict[Degree, list[Any]] = {}
    for m in pairs.monomials(places, 3, 1500):
        monomials.setdefault(degrees.of(m), []).append(m)
    found = []
    for e in equations:
        own = degrees.common(e.value)
        if own is None:
            continue
        for m in monomials.get(tuple(a - b for a, b in zip(degree, own, strict=True)), [])[:60]:
            factor = Quotient({m: number(1)})
            value = forms.times(factor, Quotient(dict(e.value)))
            if not value.below and value.above:
                before = () if m == ONE else (("*", tree_of(forms, factor)),)
                found.append(Candidate(value.above, (*before, *e.factors), free=True))
    return found
