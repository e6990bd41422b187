"""A step about numbers used for vectors: its proof, being linear in them, is written once more."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fedproof.proof.certify.limits import NotFound
from fedproof.proof.certify.writer import Writer
from fedproof.proof.kernel.trees import NUMBER, Tree, free, substitute
from fedproof.proof.step import Applied
from fedproof.proof.vectors import Vector, ip, n2


@dataclass(frozen=True)
class Lifted:
    """What a step says of vectors, and the lines that prove it of numbers."""

    names: Mapping[str, str]
    given: tuple[Tree, ...]
    claim: Tree
    lines: tuple[Any, ...]


def vectors_for_numbers(use: Applied) -> set[str]:
    """The numbers of a used step that stand for vectors here."""
    return {
        key.name
        for key, value in use.at
        if key.is_Symbol and not isinstance(key, Vector) and value.atoms(Vector) and not value.atoms(ip, n2)
    }


def lifted(said: Any, lines: tuple[Any, ...], vectors: set[str]) -> Lifted:
    """A judgement about numbers as one about vectors.

    Arguments:
        vectors: names that are to be vectors; those follow that an equation has beside them.

    Raises: NotFound.
    """
    numbers = set().union(*(_numbers(r) for r in (*said.given, said.claim)))
    before = -1
    while before < len(vectors):
        before = len(vectors)
        for r in (*said.given, said.claim):
            vectors = vectors | _beside(r, vectors, numbers)
    if vectors & numbers:
        raise NotFound(f"{min(vectors & numbers)} is a number")
    names = {n: k.replace("real", "vector", 1) if n in vectors else k for n, k in said.names.items()}
    return Lifted(names, said.given, said.claim, lines)


def _bare(relation: Tree) -> Tree:
    while relation[0] in ("all", "every"):
        relation = relation[-1]
    return relation


def _numbers(relation: Tree) -> set[str]:
    """Names that are numbers, for a relation orders them or has a term that is one."""
    bare = _bare(relation)
    terms = [t for side in bare[1:] for t in _terms(side)]
    if bare[0] != "=" or any(not _names(t) and t != "0" for t in terms):
        return set(free(relation))
    return set()


def _beside(relation: Tree, vectors: set[str], numbers: set[str]) -> set[str]:
    """Names that are vectors where others are, being all that a term has besides numbers."""
    bare = _bare(relation)
    terms = [_names(t) for side in bare[1:] for t in _terms(side)] if bare[0] == "=" else []
    if not any(t & vectors for t in terms):
        return set()
    found: set[str] = set()
    for t in terms:
        rest = t - numbers
        if not t & vectors and len(rest) == 1:
            found |= rest
    return found


def _terms(tree: Tree) -> Iterator[Tree]:
    """The products of which a number is the sum, sums being written out."""
    if isinstance(tree, tuple) and tree[0] == "+":
        for part in tree[1:]:
            yield from _terms(part)
    elif isinstance(tree, tuple) and tree[0] == "sum":
        yield from (("*", t) for t in _terms(tree[4]))
    elif isinstance(tree, tuple) and tree[0] == "*":
        for k, part in enumerate(tree[1:], 1):
            inner = list(_terms(part))
            if len(inner) > 1:
                for t in inner:
                    yield from _terms(("*", *tree[1:k], t, *tree[k + 1 :]))
                return
        yield tree
    else:
        yield tree


def _names(term: Tree) -> set[str]:
    """The names and the heads of terms that are multiplied."""
    if isinstance(term, str):
        return set() if NUMBER.match(term) else {term}
    if term[0] == "of":
        return {term[1]}
    return set().union(*(_names(p) for p in term[1:]))


def replay(writer: Writer, said: Lifted, values: Mapping[str, Tree], pays: Sequence[int]) -> int:
    """Write the lines again, with values for names.

    Raises: NotFound where a rule says nothing of vectors.
    """
    return _lines(writer, said.lines, lambda tree: substitute(tree, values), pays, [])


def _lines(
    writer: Writer, lines: Sequence[Any], put: Callable[[Tree], Tree], pays: Sequence[int], places: list[int]
) -> int:
    place = -1
    for relation, by in lines:
        place = _line(writer, put(relation), by, put, pays, places)
        places.append(place)
    return place


def _line(
    writer: Writer, claim: Tree, by: Any, put: Callable[[Tree], Tree], pays: Sequence[int], places: list[int]
) -> int:
    known = writer.find(claim)
    if by[0] == "given":
        given: int = by[1]
        return pays[given]
    if known is not None:
        return known
    if by[0] == "combine":
        terms = [(c, tuple(_factor(f, put, places) for f in factors)) for c, factors in by[1]]
        equal = tuple(places[k] for k in by[2])
        if not _about_vectors(writer, claim):
            return writer.write(claim, "combine", tuple(terms), equal)
        return writer.write(claim, "vectors", "1", tuple(_shares(terms)), equal)
    if by[0] == "instance":
        ends = tuple(places[k] for k in by[3]) if len(by) > 3 else ()
        return writer.write(claim, "instance", places[by[1]], put(by[2]), ends)
    if by[0] in ("total", "both", "next", "meaning"):
        return writer.write(claim, by[0], *(places[k] for k in by[1:]))
    if by[0] == "all":
        _, index, lo, hi, _ = claim
        inner = writer.here.inside({index: "whole"}, ("<=", lo, index), ("<=", index, hi))
        count = len(writer.here.lines)

        def act(inside: Writer) -> None:
            _lines(inside, by[1], put, pays, [*places, count, count + 1])

        return writer.block("all", claim, inner, act)
    raise NotFound(f"rule {by[0]} for vectors")


def _about_vectors(writer: Writer, claim: Tree) -> bool:
    return claim[0] == "=" and (writer.forms.is_vector(claim[1]) or writer.forms.is_vector(claim[2]))


def _factor(factor: Any, put: Callable[[Tree], Tree], places: Sequence[int]) -> Any:
    if isinstance(factor, int):
        return places[factor]
    return factor if factor == "neg" else (factor[0], *(put(p) for p in factor[1:]))


def _shares(terms: Sequence[Any]) -> Iterator[tuple[Tree, int]]:
    """How often each line is taken, where a sum of products with the claim's opposite is 0."""
    for c, factors in terms:
        if factors == ("neg",) and c == "1":
            continue
        lines = [f for f in factors if isinstance(f, int)]
        rest = [f[1] for f in factors if isinstance(f, tuple) and f[0] == "*"]
        if len(lines) != 1 or len(rest) + 1 < len(factors):
            raise NotFound("not linear in equations")
        yield ("*", c, *rest), lines[0]
