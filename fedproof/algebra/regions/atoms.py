"""Conditions as single comparisons with zero, and what they say about the signs of polynomials."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from fedproof.algebra.polynomials import Key, Poly, factored, key_of, tree_of
from fedproof.algebra.regions.clauses import Clause
from fedproof.algebra.regions.monotonicity import RootedKey, Shape, grouped, is_number, is_plain, rooted_key
from fedproof.algebra.regions.region import STRICT, Fact, Region
from fedproof.algebra.rewriting import simplified, substitute
from fedproof.algebra.tree import Comparison, Mul, Power, Tree, add, mul, names, negative, num
from fedproof.vocabulary.interval import Interval


@dataclass(frozen=True, slots=True)
class Atom:
    """`0 op gap`, with the labels of the conditions it comes from."""

    labels: tuple[str, ...]
    op: str
    gap: Tree


@dataclass(frozen=True, slots=True)
class Known:
    """A fact and the labels of the condition that says it."""

    fact: Fact
    labels: tuple[str, ...]


def atoms_of(clauses: Iterable[Clause]) -> tuple[Atom, ...]:
    """Every comparison on its own."""
    return tuple(Atom(c.labels, p.op, _gap(p)) for c in clauses for p in c.parts)


def _gap(part: Comparison) -> Tree:
    if is_number(part.left, 0):
        return part.right
    return negative(part.left) if is_number(part.right, 0) else add(part.right, negative(part.left))


def clauses_from(atoms: Iterable[Atom]) -> tuple[Clause, ...]:
    """Back to clauses for the cells."""
    return tuple(Clause(a.labels, (Comparison(num(0), a.op, a.gap),)) for a in atoms)


def substitute_in_atoms(
    atoms: Sequence[Atom], name: str, tree: Tree, labels: tuple[str, ...] = ()
) -> tuple[Atom, ...]:
    """The atoms with a tree put in for a symbol; those that change also take its labels."""
    new = substitute([a.gap for a in atoms], {name: tree})
    return tuple(
        a if g is a.gap else Atom(tuple(dict.fromkeys((*a.labels, *labels))), a.op, g)
        for a, g in zip(atoms, new, strict=True)
    )


def deduce_signs(
    atoms: Sequence[Atom], symbols: tuple[str, ...], domains: Mapping[str, Interval]
) -> tuple[Shape, tuple[Known, ...]]:
    """The signs of irreducible polynomials that the atoms force, found until nothing new comes.

    Returns: what can be told where they hold, and the signs.
    """
    found: list[Known] = []
    while True:
        shape = Shape(Region(symbols, domains, tuple(k.fact for k in found)))
        fresh = [k for a in atoms for k in _consequences(a, shape)]
        known = {(key_of(k.fact.poly), k.fact.strict): k for k in found}
        count = len(known)
        for k in fresh:
            known.setdefault((key_of(k.fact.poly), k.fact.strict), k)
        if len(known) == count:
            return shape, tuple(found)
        found = list(known.values())


def _consequences(atom: Atom, shape: Shape) -> list[Known]:
    folded = shape.folded(atom.gap)
    first = len(folded.symbols)
    out: list[Fact] = []
    if atom.op in ("<", "<=") and not any(folded.value.top.degrees()[first:-1]):
        out += _forced(folded.value.top, folded.value.bottom, atom.op == "<", shape.region)
    for duty in folded.duties:
        if any(duty.value.top.degrees()[first:-1]):
            continue
        if duty.kind == "nonneg":
            out += _forced(duty.value.top, duty.value.bottom, False, shape.region)
        else:
            out += _nonzero(duty.value.top, shape.region)
    return [Known(fact, atom.labels) for fact in out]


def _forced(top: Poly, bottom: Poly, strict: bool, region: Region) -> list[Fact]:
    """From top/bottom > 0 (or >= 0): the sign of its only irreducible factor of unknown sign.

    From >= 0 nothing follows where another factor of the numerator may be zero.
    """
    if top.is_zero():
        return []
    sign = 1
    unknown: list[Fact] = []
    silent = False
    firm: list[Fact] = []
    for poly, hard in ((top, strict), (bottom, True)):
        content, parts = factored(poly)
        sign *= 1 if content > 0 else -1
        for part, power in parts:
            own = region.of(part)
            if own is not None and abs(own) == 1 and hard:
                firm.append(Fact(part if own > 0 else -part, True))
            silent = silent or (not hard and (power % 2 == 0 or bool(own)) and abs(own or 1) != STRICT)
            if power % 2 and not own:
                unknown.append(Fact(part, hard))
            elif power % 2 and own is not None and own < 0:
                sign = -sign
    if len(unknown) == 1 and not silent:
        firm.append(Fact(unknown[0].poly * sign, unknown[0].strict))
    return firm


def _nonzero(top: Poly, region: Region) -> list[Fact]:
    """A divisor that is known to be >= 0 is > 0."""
    signs = ((part, region.of(part)) for part, _ in factored(top)[1])
    return [Fact(part * own, True) for part, own in signs if own is not None and abs(own) == 1]


def strip(atom: Atom, shape: Shape) -> Atom:
    """The atom without factors of strict sign, which cannot change its truth."""
    gap, op = atom.gap, atom.op
    flip = False
    while isinstance(gap, Mul):
        parts = grouped(gap.args, mul)
        keep = []
        for p in parts:
            sign = shape.sign(p) if shape.defined(p) else None
            if sign is None or abs(sign) != STRICT:
                keep.append(p)
            elif sign < 0:
                flip = not flip
        if len(keep) == len(parts) and not flip:
            break
        if not keep:
            gap = num(1)
            break
        gap = mul(*keep)
        if len(keep) == len(parts):
            break
    if gap is atom.gap:
        return atom
    return Atom(atom.labels, op, negative(gap) if flip else gap)


def simplify_atoms(atoms: Sequence[Atom], shape: Shape, known: Sequence[Known]) -> tuple[Atom, ...]:
    """The same requirement written shorter: facts as atoms of their own, factors of known sign gone."""
    symbols = shape.region.symbols
    out = {key_of(k.fact.poly): Atom(k.labels, "<" if k.fact.strict else "<=", tree_of(k.fact.poly, symbols))
           for k in sorted(known, key=lambda k: k.fact.strict) if not _in_box(k.fact, shape)}  # fmt: skip
    shorter: list[Atom] = []
    for atom in atoms:
        done = strip(atom, shape)
        if shape.defined(atom.gap):
            done = Atom(done.labels, done.op, simplified(done.gap))
            done = _factored(done, shape)
            sign = shape.sign(done.gap) if done.op in ("<", "<=") else None
            if sign is not None and sign >= (STRICT if done.op == "<" else 0):
                continue
            if done.op == "==" and is_plain(done.gap) and shape.folded(done.gap).value.top.is_zero():
                continue
            if _is_fact(done, shape, out):
                continue
        shorter.append(done)
    return (*out.values(), *shorter)


def _factored(atom: Atom, shape: Shape) -> Atom:
    """A quotient without radicals as the product of its irreducible factors of unknown sign."""
    if not is_plain(atom.gap) or atom.op not in ("<", "<="):
        return atom
    value = shape.folded(atom.gap).value
    if value.top.is_zero():
        return Atom(atom.labels, atom.op, num(0))
    sign = 1
    left: list[Tree] = []
    for poly in (value.top, value.bottom):
        content, parts = factored(poly)
        sign *= 1 if content > 0 else -1
        for part, power in parts:
            own = shape.region.of(part)
            if own is not None and abs(own) == STRICT:
                sign *= 1 if own > 0 or power % 2 == 0 else -1
                continue
            tree = tree_of(part, shape.region.symbols)
            left.append(tree if power % 2 else Power(tree, 2))
    return Atom(atom.labels, atom.op, mul(num(sign), *left) if sign < 0 or not left else mul(*left))


def rooted_signs(atoms: Iterable[Atom], shape: Shape) -> dict[RootedKey, int]:
    """What strict atoms with radicals say: their numerators have a sign."""
    found: dict[RootedKey, int] = {}
    for atom in atoms:
        if atom.op != "<" or is_plain(atom.gap):
            continue
        folded = shape.folded(atom.gap)
        sign = shape.region.of(folded.value.bottom)
        if sign is not None and abs(sign) == STRICT:
            found[rooted_key(folded.value.top, folded)] = sign
            found[rooted_key(-folded.value.top, folded)] = -sign
    return found


def _in_box(fact: Fact, shape: Shape) -> bool:
    """Whether the domains say it already."""
    size = Region(shape.region.symbols, shape.region.domains).of(fact.poly)
    return size is not None and size >= (STRICT if fact.strict else 1)


def _is_fact(atom: Atom, shape: Shape, facts: Mapping[Key, Atom]) -> bool:
    value = shape.folded(atom.gap).value
    plain = atom.op in ("<", "<=") and value.bottom.is_constant()
    same = facts.get(key_of(value.top)) if plain else None
    return same is not None and (same.op == "<" or atom.op == "<=")


def mentions(atoms: Iterable[Atom], name: str) -> bool:
    """Whether any atom depends on a symbol."""
    return any(name in names(a.gap) for a in atoms)
