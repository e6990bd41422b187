"""Claims about vectors: multipliers of the hypotheses, and a sum of squares for what is left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fedproof.proof.certify import products
from fedproof.proof.certify.clearing import divided
from fedproof.proof.certify.gram import Matrix, less_square, matrix
from fedproof.proof.certify.limits import NotFound
from fedproof.proof.certify.preparing import write
from fedproof.proof.certify.writer import Writer, atom_tree, tree_of, vector_tree
from fedproof.proof.kernel.forms import Forms
from fedproof.proof.kernel.polynomials import UNIT, Quotient, number
from fedproof.proof.kernel.trees import Rejected, Tree


def prove(writer: Writer, claim: Tree, multipliers: Sequence[tuple[int, Tree]]) -> int:
    """Write a proof of a claim linear in inner products.

    Arguments:
        multipliers: lines with what they are multiplied by.

    Raises: NotFound.
    """
    products.define(writer, claim)
    forms = writer.forms
    gap = writer.gap(claim)
    terms: list[tuple[Any, tuple[Any, ...]]] = [(number(1), ("neg",))]
    for place, weight in multipliers:
        line = writer.here.lines[place]
        scale = forms.number(weight)
        if not scale.above:
            continue
        if forms.is_vector(line[1]) or forms.is_vector(line[2]):
            continue
        gap = gap - forms.times(scale, writer.gap(line))
        if line[0] == "=":
            products.define(writer, ("=", weight, weight))
            terms.append((number(1), (("*", weight), place)))
        elif scale.constant is not None and scale.constant > 0:
            terms.append((scale.constant, (place,)))
        else:
            terms.append((number(1), (products.prove(writer, ("<=", "0", weight)), place)))
    if claim[0] == "=":
        if gap.above:
            terms += _vanishing(writer, gap)
        return write(writer, claim, terms)
    form, rest = split(forms, gap)
    terms += _squares(writer, form)
    if rest.above:
        if rest.constant is not None and rest.constant > 0:
            terms.append((rest.constant, ()))
        else:
            terms.append((number(1), (products.prove(writer, ("<=", "0", tree_of(forms, rest))),)))
    return write(writer, claim, terms)


def _vanishing(writer: Writer, gap: Quotient) -> list[tuple[Any, tuple[Any, ...]]]:
    """What is left of an equation vanishes by equations between numbers."""
    forms = writer.forms
    form, rest = split(forms, gap)
    found = []
    for (a, b), q in [*form.items(), ((-1, -1), rest)]:
        if q.above:
            entry = ("ip", atom_tree(forms, a), atom_tree(forms, b)) if a >= 0 else "1"
            line = products.prove(writer, ("=", "0", tree_of(forms, q)))
            found.append((number(1), (("*", entry), line)))
    return found


def split(forms: Forms, gap: Quotient) -> tuple[Matrix, Quotient]:
    """A quadratic form, as a matrix over basis vectors, and what has no inner product.

    Raises: NotFound where it is not linear in inner products.
    """
    if any(has_entry(forms, r) for m in gap.above for a, _ in m if (r := forms.radicand(a)) is not None):
        raise NotFound("norms")
    found = matrix(forms, gap)
    if found is None:
        raise NotFound("not linear in inner products")
    return found


def has_entry(forms: Forms, q: Any) -> bool:
    """Whether an inner product occurs."""
    return any(forms.atoms[a].kind == "ip" for m in q.above for a, _ in m)


def _squares(writer: Writer, form: Matrix) -> list[tuple[Any, tuple[Any, ...]]]:
    """A form as a sum of squares with factors that are proved not to be negative: pivots one by one."""
    found: list[tuple[Any, tuple[Any, ...]]] = []
    left = {k: simplified(writer.forms, q) for k, q in form.items()}
    while left:
        step = next((s for a in _order(left) if (s := _pivot(writer, left, a)) is not None), None)
        if step is None:
            raise NotFound("what is left is no sum of squares")
        left, term = step
        found.append(term)
    return found


def _order(form: Matrix) -> list[int]:
    """The pivots to try, numbers and short ones first."""
    pivots = sorted(a for a, b in form if a == b)
    return sorted(pivots, key=lambda a: (form[a, a].constant is None, _size(form[a, a]), a))


def _size(q: Quotient) -> int:
    return len(q.above) + sum(len(f) for f in q.below)


def _pivot(writer: Writer, form: Matrix, a: int) -> tuple[Matrix, tuple[Any, tuple[Any, ...]]] | None:
    """The form less the square that has everything of one vector."""
    forms = writer.forms
    d = form[a, a]
    if d.constant is not None and d.constant < 0:
        return None
    row = {b: q for (x, b), q in form.items() if x == a and b != a}
    ratio = {b: simplified(forms, forms.times(q, d.inverse())) for b, q in row.items()}
    vector = vector_tree(forms, {a: UNIT, **ratio})
    empty: tuple[Any, ...] = ()
    try:
        if d.constant is not None:
            factor, scale = empty, d.constant
        else:
            strict = any(_divides(r) for r in ratio.values())
            claim = ("<" if strict else "<=", "0", tree_of(forms, d))
            factor, scale = (products.prove(writer, claim),), number(1)
        products.define(writer, ("=", ("n2", vector), "0"))
    except (NotFound, Rejected):
        return None
    rest = {k: simplified(forms, q) for k, q in less_square(forms, form, a, ratio).items()}
    return {k: q for k, q in rest.items() if q.above}, (scale, (*factor, ("n2", vector)))


def _divides(q: Quotient) -> bool:
    return bool(q.below) or any(e < 0 for m in q.above for _, e in m)


def simplified(forms: Forms, q: Quotient) -> Quotient:
    """The same with common factors of what is above and below cancelled."""
    if not q.below or not q.above or any(forms.radicand(a) is not None for m in q.above for a, _ in m):
        return q
    above, below = q.above, dict(q.below)
    for f, e in q.below.items():
        for _ in range(e):
            try:
                above = divided(above, dict(f), 1)
            except NotFound:
                break
            below[f] -= 1
    return Quotient(above, {f: e for f, e in below.items() if e})
