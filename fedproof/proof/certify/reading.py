"""Claims about values of functions and sums: by which equations they are read, and names for their sums."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from fedproof.proof.certify import products
from fedproof.proof.certify.abstraction import shown, sum_tree
from fedproof.proof.certify.limits import NotFound
from fedproof.proof.certify.linear import terms_of
from fedproof.proof.certify.plain import hurried, solved
from fedproof.proof.certify.programme import Candidate
from fedproof.proof.certify.programme import weights as weighed
from fedproof.proof.certify.steps import last
from fedproof.proof.certify.writer import Writer, vector_tree
from fedproof.proof.kernel.forms import Forms
from fedproof.proof.kernel.polynomials import ONE, UNIT, number
from fedproof.proof.kernel.trees import ORDER, Rejected, Tree, free, fresh
from fedproof.proof.rules.query import NotApplicable

_MISSED = (NotFound, Rejected, NotApplicable)


def search(writer: Writer, claim: Tree, weights: Mapping[int, Tree]) -> None:
    """Write a proof of the claim, as the last line.

    Raises: NotFound.
    """
    define_sides(writer, claim)
    missed: Exception | None = None
    for read, spread in _readings(writer, claim):
        trial = writer.branch()
        try:
            if spread:
                along(trial, claim)
            if not of_vectors(trial, claim) and _exactly(trial, claim, weights, read):
                writer.adopt(trial)
                return
            found = {} if of_vectors(trial, claim) else sums_in(trial, claim, read)
            if found or (read and not of_vectors(trial, claim)):
                with_names(trial, claim, weights, found, read)
            else:
                solved(trial, claim, weights)
                last(trial, claim)
            writer.adopt(trial)
            return
        except _MISSED as problem:
            missed = missed or problem
    raise missed or NotFound(claim)


def _readings(writer: Writer, claim: Tree) -> Iterator[tuple[tuple[int, ...], bool]]:
    """By which equations vectors may be read as others, and whether the rest is taken along all vectors."""
    terms = _given_by(writer, lambda right: not _has_sum(right))
    scalars = [line for line in (claim, *writer.here.lines) if scalar(writer, line)]
    plain = not any(map(_has_sum, scalars))
    if plain:
        yield terms, False
    means = _given_by(writer, _has_sum, terms)
    if len(means) > len(terms):
        yield means, False
    if not plain or len(means) > len(terms) or any(map(_has_sum, writer.here.lines)):
        yield terms, True


def _given_by(writer: Writer, which: Callable[[Tree], bool], found: tuple[int, ...] = ()) -> tuple[int, ...]:
    """Equations that give a vector or a term by what is of a sort, the shortest first, after those found."""
    lines = enumerate(writer.here.lines)
    places = [p for p, r in lines if r[0] == "=" and writer.forms.is_vector(r[1]) and which(r[2])]
    for place in sorted(places, key=lambda p: len(str(writer.here.lines[p][1]))):
        _, left, right = writer.here.lines[place]
        if _occurs(left, right) or not (isinstance(left, str) or left[0] == "of"):
            continue
        try:
            writer.here.forms((*found, place))
        except Rejected:
            continue
        found = (*found, place)
    return found


def _occurs(part: Tree, tree: Tree) -> bool:
    return part == tree or (isinstance(tree, tuple) and any(_occurs(part, t) for t in tree[1:]))


def _exactly(writer: Writer, claim: Tree, weights: Mapping[int, Tree], read: tuple[int, ...]) -> bool:
    """Write the claim as the sum of lines with their multipliers, if it is that and nothing more."""
    if not weights:
        return _linear(writer, claim, read)
    if any(writer.here.lines[place][0] not in ("=", "<=") for place in weights):
        return False  # a line for all points has no multiplier
    forms = writer.here.forms(read)
    rest = forms.number(claim[2]) - forms.number(claim[1])
    for place, weight in weights.items():
        _, left, right = writer.here.lines[place]
        gap = forms.number(right) - forms.number(left)
        rest = rest - forms.times(forms.number(weight), gap)
    if rest.above:
        return False
    terms: list[Any] = [("1", ("neg",))]
    for place, weight in weights.items():
        if writer.here.lines[place][0] == "=":
            terms.append(("1", (("*", weight), place)))
            products.define(writer, ("=", weight, "0"))
        else:
            terms.append(("1", (products.of_numbers(hurried(writer), ("<=", "0", weight)), place)))
    writer.write(claim, "combine", tuple(terms), read)
    return True


def _linear(writer: Writer, claim: Tree, read: tuple[int, ...]) -> bool:
    """The same with numbers for multipliers, which a linear programme finds."""
    forms = writer.here.forms(read)
    own = terms_of(forms, claim)
    said = [Candidate({m: -c for m, c in own.items()}, ("neg",), strict=claim[0] in ("<=", "="))]
    if claim[0] != "=":
        said.append(Candidate({(ONE, ()): number(1)}, (), strict=True))
    for place, line in enumerate(writer.here.lines):
        if not scalar(writer, line) or line[0] == "!=" or (claim[0] == "=" != line[0]) or place in read:
            continue
        terms = terms_of(forms, line)
        if terms:
            said.append(Candidate(terms, (place,), line[0] == "=", line[0] == "<"))
    found = weighed(said) if own else [(number(1), said[0])]
    if found is None or claim[0] == "!=":
        return False
    writer.write(claim, "combine", tuple((str(w), c.factors) for w, c in found), read)
    return True


def scalar(writer: Writer, line: Tree) -> bool:
    """Whether a line is a relation between numbers, for no index but one."""
    return line[0] in ORDER and not of_vectors(writer, line)


def of_vectors(writer: Writer, claim: Tree) -> bool:
    """Whether a relation is between vectors."""
    return any(writer.forms.is_vector(s) for s in claim[1:])


def define_sides(writer: Writer, claim: Tree) -> None:
    """Prove what a claim needs to be defined."""
    if not of_vectors(writer, claim):
        products.define(writer, claim)
        return
    for side in claim[1:]:
        if side != "0":
            define(writer, side)


def define(writer: Writer, value: Tree) -> None:
    """Prove what an expression needs to be defined."""
    vector = writer.forms.is_vector(value)
    products.define(writer, ("=", ("n2", value), "0") if vector else ("=", value, "0"))


# -- names for sums


def sums_in(writer: Writer, claim: Tree, read: tuple[int, ...]) -> dict[int, Tree]:
    """The sums that the normal forms of a claim and of lines have, by their atoms, each as an expression."""
    forms = writer.here.forms(read)
    atoms: dict[int, Tree] = {}
    for line in (claim, *writer.here.lines):
        if line[0] in ORDER and not of_vectors(writer, line):
            gap = forms.number(line[2]) - forms.number(line[1])
            for a in (a for m in gap.above for a, _ in m if forms.atoms[a].kind == "upto"):
                if a not in atoms:
                    atoms[a] = sum_tree(forms, a)
    return atoms


def along(writer: Writer, claim: Tree) -> None:
    """Equations between vectors that have sums, as equations between inner products with the vectors here."""
    forms = writer.here.forms()
    equations = [
        (place, line)
        for place, line in enumerate(writer.here.lines)
        if line[0] == "=" and of_vectors(writer, line) and _has_sum(line)
    ]
    if not equations:
        return
    known = [line for line in (claim, *writer.here.lines) if line[0] in ORDER]
    trees = [side for line in known for side in line[1:]]
    others = _basis(forms, trees)
    for place, (_, left, right) in equations:
        for b in sorted(others):
            u = vector_tree(forms, {b: UNIT})
            said = ("=", ("ip", left, u), ("ip", right, u) if right != "0" else "0")
            products.define(writer, said)
            terms = (("1", ("neg",)), ("-1", (("along", place, u),)))
            writer.write(said, "combine", terms, ())


def _has_sum(tree: Tree) -> bool:
    return isinstance(tree, tuple) and (tree[0] == "sum" or any(map(_has_sum, tree[1:])))


def _basis(forms: Forms, trees: Sequence[Tree], bound: frozenset[str] = frozenset()) -> set[int]:
    """Vectors in inner products that speak of no index of a sum around them."""
    found: set[int] = set()
    for tree in trees:
        if isinstance(tree, str):
            if forms.kinds.get(tree) == "vector" and tree not in bound:
                found |= set(forms.vector(tree))
        elif tree[0] == "of":
            if forms.is_vector(tree) and not free(tree) & bound:
                found |= set(forms.vector(tree))
        else:
            inner = bound | {tree[1]} if tree[0] == "sum" else bound
            found |= _basis(forms, tree[4:] if tree[0] == "sum" else tree[1:], inner)
    return {b for b in found if forms.atoms[b].kind != "upto"}


def with_names(
    writer: Writer, claim: Tree, weights: Mapping[int, Tree], found: dict[int, Tree], read: tuple[int, ...]
) -> None:
    """A proof with names for sums, in which lines about them are read by these names.

    Arguments:
        read: equations by which vectors are read as sums.
    """
    forms = writer.here.forms(read)
    named: dict[int, str] = {}
    for a in found:
        named[a] = fresh("S", frozenset(writer.here.kinds) | set(named.values()))
    for tree in found.values():
        products.define(writer, ("=", tree, tree))
    lines: list[tuple[int, Tree]] = []
    for place, line in enumerate(writer.here.lines):
        if line[0] in ORDER and not of_vectors(writer, line):
            gap = forms.number(line[2]) - forms.number(line[1])
            spoken = any(_occurs(writer.here.lines[p][1], line) for p in read)
            if spoken or set(named) & {a for m in gap.above for a, _ in m}:
                lines.append((place, (line[0], "0", shown(forms, gap, named))))
    gap = forms.number(claim[2]) - forms.number(claim[1])
    goal = (claim[0], "0", shown(forms, gap, named))
    moved = {place: shown(forms, forms.number(w), named) for place, w in weights.items()}

    def inside(writer: Writer, left: list[int], equal: tuple[int, ...]) -> None:
        if left:
            a = left[0]
            inner = writer.here.inside({named[a]: "real"}, ("=", named[a], found[a]))
            sub = Writer(inner, [], ())
            inside(sub, left[1:], (*equal, len(writer.here.lines)))
            by = ("name", tuple(sub.lines), named[a], found[a])
            if len(left) == len(found):
                writer.write(claim, *by)
            else:  # checked with the outermost
                writer.here.lines.append(claim)
                writer.lines.append((claim, by))
            return
        places = {}
        for place, said in lines:
            same = (("1", ("neg",)), ("1", (place,)))
            places[place] = writer.write(said, "combine", same, equal)
        solved(writer, goal, {places.get(place, place): w for place, w in moved.items()})
        shows: tuple[Any, ...] = (("1", ("neg",)), ("1", (writer.find(goal),)))
        writer.write(claim, "combine", shows, equal)

    inside(writer, list(found), read)
