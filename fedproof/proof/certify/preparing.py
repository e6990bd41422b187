"""What lines say without divisors and positive factors."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any

from fedproof.proof.certify.clearing import factors
from fedproof.proof.certify.facts import known, lines_for, of_atoms
from fedproof.proof.certify.limits import NotFound
from fedproof.proof.certify.writer import Writer, tree_of
from fedproof.proof.kernel.polynomials import ONE, Quotient, number
from fedproof.proof.kernel.trees import Rejected, Tree

#: proves a claim, at a depth, with an effort
Prover = Callable[..., int]
Terms = Sequence[tuple[Any, tuple[Any, ...]]]


def attempted(act: Callable[[], Any]) -> int | None:
    """What a search finds, or None."""
    try:
        found: int = act()
        return found
    except (NotFound, Rejected):
        return None


def write(writer: Writer, claim: Tree, terms: Terms) -> int:
    """A line by a sum of products."""
    plain = tuple((str(c), tuple(f)) for c, f in terms)
    return writer.write(claim, "combine", plain, writer.equal)


def nonzero(writer: Writer, q: Quotient, depth: int, prove: Prover) -> int:
    """A line that says that something is not 0."""
    claim = ("!=", tree_of(writer.forms, q), "0")
    place = writer.find(claim)
    if place is not None:
        return place
    try:
        return writer.write(claim, "meaning")
    except Rejected:
        if attempted(lambda: prove(writer, ("<", "0", claim[1]), depth + 1)) is not None:
            return writer.write(claim, "meaning")
        return prove(writer, claim, depth + 1)


def clear(writer: Writer, gap: Quotient, depth: int, prove: Prover) -> tuple[Quotient, tuple[Any, ...]]:
    """What is left when everything is multiplied by what is divided by, and the positive factors of that."""
    forms = writer.forms
    multiplier: list[Any] = []
    for _ in range(4):
        if not gap.below:
            break
        for f, e in list(gap.below.items()):
            for factor, values in _multiplier(writer, Quotient(dict(f)), e, depth, prove):
                for q in values:
                    gap = forms.times(gap, q)
                multiplier.append(factor)
    if gap.below:
        raise NotFound("divisors are left")
    return gap, tuple(multiplier)


def _multiplier(
    writer: Writer, q: Quotient, power: int, depth: int, prove: Prover
) -> list[tuple[Any, list[Quotient]]]:
    """Factors > 0 that have q to a power at least, with what they are products of."""
    for easily in (True, False):
        for x in (q, -q):
            place = plain(writer, x) if easily else sure(writer, x, depth, prove)
            if place is not None:
                return [(place, [x])] * power
    nonzero(writer, q, depth, prove)
    return [(("sq+", tree_of(writer.forms, q)), [q, q])] * (-(-power // 2))


def sure(writer: Writer, q: Quotient, depth: int, prove: Prover) -> int | None:
    """A line that says that something is > 0, if that is easily found."""
    place = plain(writer, q)
    if place is None:
        place = attempted(lambda: prove(writer, ("<", "0", tree_of(writer.forms, q)), depth + 1))
    return place


def plain(writer: Writer, q: Quotient) -> int | None:
    """A line that says that something is > 0, if a line does or every term is."""
    claim = ("<", "0", tree_of(writer.forms, q))
    place = writer.find(claim)
    if place is not None:
        return place
    for place, ratio in lines_for(writer, q.above):
        if ratio > 0:
            return write(writer, claim, [(number(1), ("neg",)), (1 / ratio, (place,))])
    if any(c < 0 for c in q.above.values()):
        return None
    said = known(writer)
    of_atoms(writer, said, {a for m in q.above for a, _ in m})
    if not all(said.definite(m) for m in q.above) or not any(said.positive(m) for m in q.above):
        return None
    terms = [(c, said.factors_of(writer, m)) for m, c in q.above.items()]
    return attempted(lambda: write(writer, claim, [(number(1), ("neg",)), *terms]))


def prepare(writer: Writer, depth: int, prove: Prover, orders: Collection[str] = ("<=", "<", "=")) -> None:
    """Add, for every line with divisors or positive factors, what it says without them."""
    for place in range(len(writer.here.lines)):
        line = writer.here.lines[place]
        if place in writer.ready or place in writer.equal or line[0] not in orders:
            continue
        writer.ready.add(place)
        gap = writer.said(place)
        if gap is not None and gap.above and gap.constant is None:
            attempted(partial(_prepared, writer, place, line[0], gap, depth, prove))


def _prepared(writer: Writer, place: int, order: str, gap: Quotient, depth: int, prove: Prover) -> None:
    forms = writer.forms
    cleared, multiplier = clear(writer, gap, depth, prove)
    pieces = factors(cleared) if len(cleared.above) < 60 else [(cleared, 1)]
    up = [(((a, 1),), e) for a, e in divisors(cleared)]
    scale, kept, positive = number(1), [], []
    for q, e in pieces:
        alone = q.constant is not None or (len(pieces) == 1 and not up)
        line = None if alone else sure(writer, q, depth + 1, prove)
        if q.constant is not None:
            scale = scale * q.constant
        elif line is not None:
            positive += [line] * e
        else:
            kept.append((q, e))
    for m, e in up:
        q = Quotient({m: number(1)})
        below = sure(writer, q, depth + 1, prove)
        if below is None:
            raise NotFound("a divisor of unknown sign")
        multiplier = (*multiplier, *[below] * e)
    if not kept:
        return
    if (
        multiplier
        or positive
        or (len(kept) == 1 and kept[0][1] == 1 and scale != 1 and len(kept[0][0].above) == 1)
    ):
        left = Quotient({ONE: number(1 if scale > 0 else -1)})
        for q, e in kept:
            left = forms.times(left, forms.power(q, e))
        claim = (order, "0", tree_of(forms, left))
        known_place = writer.find(claim)
        if known_place is None:
            terms = [(abs(scale), ("neg", *positive)), (number(1), (place, *multiplier))]
            line = write(writer, claim, terms)
            writer.ready.add(line)
            writer.stale.add(place)
        else:
            line = known_place
        _upgraded(writer, line, order, left)
    else:
        _upgraded(writer, place, order, cleared)


def _upgraded(writer: Writer, place: int, order: str, q: Quotient) -> None:
    """A line with < where one with <= is about something that is not 0."""
    tree = tree_of(writer.forms, q)
    if order != "<=" or writer.find(("<", "0", tree)) is not None:
        return
    if attempted(lambda: writer.write(("!=", tree, "0"), "meaning")) is None:
        return
    line = write(writer, ("<", "0", tree), [(number(1), (("sq+", tree),)), (number(1), (place, "neg"))])
    writer.ready.add(line)


def divisors(gap: Quotient) -> list[tuple[int, int]]:
    """Atoms that divide a polynomial's terms, with how often at most."""
    least: dict[int, int] = {}
    for m in gap.above:
        for a, e in m:
            least[a] = min(least.get(a, 0), e)
    return [(a, -e) for a, e in least.items() if e < 0]
