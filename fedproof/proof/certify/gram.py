"""Quadratic forms that are plainly sums of squared norms, and the vectors that relations speak of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fedproof.proof.kernel.atoms import Combination
from fedproof.proof.kernel.forms import Forms
from fedproof.proof.kernel.polynomials import UNIT, ZERO, Quotient
from fedproof.proof.kernel.trees import Rejected, Tree

Matrix = dict[tuple[int, int], Quotient]


def matrix(forms: Forms, q: Quotient) -> tuple[Matrix, Quotient] | None:
    """The coefficients of inner products, halved off the diagonal, and the rest; None if not linear."""
    form: Matrix = {}
    rest = ZERO
    for m, c in q.above.items():
        entries = [(a, e) for a, e in m if forms.atoms[a].kind == "ip"]
        if not entries:
            rest = rest + Quotient({m: c}, q.below)
            continue
        if len(entries) > 1 or entries[0][1] != 1:
            return None
        a, b = forms.pieces(entries[0][0])
        others = tuple(p for p in m if p != entries[0])
        part = Quotient({others: c if a == b else c / 2}, q.below)
        for key in {(a, b), (b, a)}:
            form[key] = form.get(key, ZERO) + part
    return {k: c for k, c in form.items() if c.above}, rest


def plain_squares(forms: Forms, q: Quotient) -> list[tuple[Quotient, Combination]] | None:
    """Squared norms, each with a factor that is plainly not negative, that add up to it; None if none do."""
    if q.below or not any(forms.atoms[a].kind == "ip" for m in q.above for a, _ in m):
        return None
    read = matrix(forms, q)
    if read is None or read[1].above:
        return None
    left, found = read[0], []
    while left:
        for a in sorted({a for a, _ in left}):
            step = _square(forms, left, a)
            if step is not None:
                break
        else:
            return None
        left, scale, v = step
        found.append((scale, v))
    return found


def _square(forms: Forms, form: Matrix, a: int) -> tuple[Matrix, Quotient, Combination] | None:
    d = form.get((a, a))
    if d is None or not _plain(d):
        return None
    row = {b: q for (x, b), q in form.items() if x == a and b != a}
    ratio = {b: forms.reduced(q * d.inverse()) for b, q in row.items()}
    if any(r.below or any(e < 0 for m in r.above for _, e in m) for r in ratio.values()):
        return None
    return less_square(forms, form, a, ratio), d, {a: UNIT, **ratio}


def _plain(d: Quotient) -> bool:
    """Whether it is a positive number times an even monomial."""
    return not d.below and len(d.above) == 1 and all(
        c > 0 and all(e % 2 == 0 for _, e in m) for m, c in d.above.items()
    )  # fmt: skip


def less_square(forms: Forms, form: Matrix, a: int, ratio: Combination) -> Matrix:
    """A form less the square of a vector and the multiples of others that it stands with."""
    rest = {k: q for k, q in form.items() if a not in k}
    for b, r in ratio.items():
        for c in ratio:
            rest[b, c] = rest.get((b, c), ZERO) - forms.times(r, form[a, c])
    return {k: q for k, q in rest.items() if q.above}


def spoken_of(relations: Sequence[Tree]) -> Iterator[Tree]:
    """The arguments of inner products and norms, in order; an index's are left aside."""
    for relation in relations:
        waiting = [relation]
        while waiting:
            tree = waiting.pop(0)
            if isinstance(tree, str) or not tree or tree[0] in ("sum", "all", "every"):
                continue
            if tree[0] in ("ip", "n2"):
                yield from tree[1:]
            else:
                waiting += [p for p in tree[1:] if isinstance(p, tuple)]


def combinations_of(forms: Forms, trees: Sequence[Tree]) -> list[Combination]:
    """Vectors by name, told apart up to a factor, none of them 0."""
    found: dict[object, Combination] = {}
    for tree in trees:
        try:
            keep(forms, found, forms.vector(tree))
        except Rejected:
            continue
    return list(found.values())


def keep(forms: Forms, found: dict[object, Combination], v: Combination) -> None:
    """Add a vector unless a multiple is there."""
    if not v:
        return
    first = min(v)
    lead = v[first]
    scale = UNIT if len(lead.above) != 1 or lead.below else lead.inverse()
    unit = forms.scaled(scale, v)
    if any(q.below or any(e < 0 for m in q.above for _, e in m) for q in unit.values()):
        unit = v
    found.setdefault(tuple((b, unit[b].key) for b in sorted(unit)), unit)
