"""Proofs by cases: which differences to look at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from fedproof.proof.certify.facts import atoms_of
from fedproof.proof.certify.limits import NotFound
from fedproof.proof.certify.writer import Writer, atom_tree, tree_of
from fedproof.proof.kernel.polynomials import Monomial, Polynomial, Quotient
from fedproof.proof.kernel.trees import Tree, fresh

MOST = 4


def split(writer: Writer, claim: Tree, case: Tree, prove: Callable[..., int]) -> int:
    """A proof where a case holds, and one where it does not."""
    lines = []
    for relation in (case, ("<", case[2], case[1])):
        inner = writer.inside(relation)
        lines.append(_inside(inner, claim, prove(inner, claim, 3, 1)))
    return writer.write(claim, "split", case, *lines)


def _inside(inner: Writer, claim: Tree, place: int) -> tuple[Any, ...]:
    """The lines of a proof inside, the last of which is the claim."""
    if place != len(inner.here.lines) - 1 or not inner.lines:
        inner.write(claim, "combine", (("1", ("neg",)), ("1", (place,))), inner.equal)
    return tuple(inner.lines)


def named(writer: Writer, claim: Tree, prove: Callable[..., int]) -> int:
    """A proof with a name for what an absolute value is of; another name is read by it."""
    forms = writer.forms
    defined = {
        side for place in writer.equal for side in writer.here.lines[place][1:] if isinstance(side, str)
    }
    for a, x in forms.sizes.items():
        if len(atoms_of(x.above)) < 3 or x.below or not any(a in atoms_of(v) for v in _values(writer)):
            continue
        for m, c in x.above.items():
            if len(m) != 1 or m[0][1] != 1 or forms.atoms[m[0][0]].kind != "name":
                continue
            name = forms.atoms[m[0][0]].parts[0]
            if name in defined or sum(m[0][0] in dict(n) for n in x.above) > 1:
                continue
            return _named(writer, claim, prove, x, m, c)
    raise NotFound("nothing to name")


def _named(writer: Writer, claim: Tree, prove: Callable[..., int], x: Quotient, m: Monomial, c: Any) -> int:
    forms = writer.forms
    new = fresh("part", set(writer.here.kinds))
    value = tree_of(forms, x)
    rest = tree_of(forms, Quotient({n: -d / c for n, d in x.above.items() if n != m}))
    inner = Writer(writer.here.inside({new: "real"}, ("=", new, value)), [], writer.equal)
    said = ("=", atom_tree(forms, m[0][0]), ("+", ("*", str(1 / c), new), rest))
    terms = (("1", ("neg",)), (str(-1 / c), (len(inner.here.lines) - 1,)))
    inner.equal = (inner.write(said, "combine", terms, writer.equal), *writer.equal)
    lines = _inside(inner, claim, prove(inner, claim))
    return writer.write(claim, "name", lines, new, value)


def differences(writer: Writer, claim: Tree, gap: Quotient) -> Iterator[Tree]:
    """Expressions whose sign may make a difference."""
    forms = writer.forms
    found = [tree_of(forms, x) for x in forms.sizes.values() if not x.below]
    own = sorted(a for a in atoms_of(gap.above) if forms.atoms[a].kind in ("name", "of"))
    pairs = {pair for value in [gap.above, *_values(writer)] for pair in _mixed(value)}
    known = [set(v) for v in _values(writer)]
    ranked = sorted(pairs, key=lambda pair: -max((_overlap(gap.above, pair, v) for v in known), default=0))
    found += [("+", atom_tree(forms, a), ("*", "-1", atom_tree(forms, b))) for a, b in ranked]
    found += [("+", atom_tree(forms, a), "-1") for a in own]
    yield from list(dict.fromkeys(found))[:MOST]


def _mixed(value: Polynomial) -> set[tuple[int, int]]:
    """Pairs of atoms whose squares and product a polynomial has."""
    twice = {a for m in value for a, e in m if e == 2}
    singles = [{a for a, e in m if e == 1 and a in twice} for m in value]
    return {(a, b) for found in singles for a in found for b in found if a < b}


def _overlap(gap: Polynomial, pair: tuple[int, int], value: set[Monomial]) -> int:
    """How many monomials of a fact those of the claim become when two atoms change places."""
    a, b = pair
    change = {a: b, b: a}
    moved = {tuple(sorted((change.get(x, x), e) for x, e in m)) for m in gap}
    return len((moved - set(gap)) & value)


def _values(writer: Writer) -> Iterator[Any]:
    for place in range(len(writer.here.lines)):
        q = writer.said(place)
        if q is not None:
            yield q.above
