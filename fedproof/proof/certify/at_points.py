"""A paper's formulas at the points that something speaks of."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import islice, product

from fedproof.proof.certify import products
from fedproof.proof.certify.limits import NotFound
from fedproof.proof.certify.writer import Writer
from fedproof.proof.kernel.trees import Rejected, Tree, free, substitute
from fedproof.proof.standing import Standing

#: at how many points one assumption is tried for one hypothesis; how many equations are put in
MOST, DEEPEST = 12, 40


def equations(writer: Writer, debt: Tree, formulas: Sequence[int]) -> list[int]:
    """Lines that say what the functions' values that are spoken of are."""
    found: list[int] = []
    waiting, seen = list(terms(debt)), set()
    before = {a for t in waiting for a in t[2:] if isinstance(a, tuple) and a[0] == "+" and "-1" in a}
    while waiting and len(found) < DEEPEST:
        term = waiting.pop(0)
        if term in seen:
            continue
        seen.add(term)
        for place in formulas:
            body, binders = opened(writer.here.lines[place])
            if body[0] != "=" or not isinstance(body[1], tuple) or body[1][0] != "of":
                continue
            values = matched(body[1], term, [b[0] for b in binders], before)
            if values is None or set(values) != {b[0] for b in binders}:
                continue
            with suppress(NotFound, Rejected):
                line = specialised(writer, place, [values[b[0]] for b in binders])
                if line not in found and writer.here.lines[line][1] != writer.here.lines[line][2]:
                    found.append(line)
                    waiting += list(terms(writer.here.lines[line]))
                    break
    return found


def ordered(writer: Writer, places: Sequence[int]) -> list[int]:
    """Equations after those of the values that they speak of."""
    lines = writer.here.lines
    left = {lines[k][1]: k for k in reversed(places)}
    found: list[int] = []

    def add(k: int, above: frozenset[int]) -> None:
        for term in terms(lines[k]):
            if term in left and left[term] not in found and left[term] not in above:
                add(left[term], above | {left[term]})
        if k not in found:
            found.append(k)

    for k in left.values():
        add(k, frozenset({k}))
    return found


def inequalities(writer: Writer, debt: Tree, formulas: Sequence[int], equal: Sequence[int]) -> list[int]:
    """What the other formulas say at points that are spoken of."""
    found: list[int] = []
    spoken = [debt, *(writer.here.lines[k] for k in equal)]
    for place in formulas:
        body, binders = opened(writer.here.lines[place])
        defining = body[0] == "=" and isinstance(body[1], tuple) and body[1][0] == "of"
        if defining and any(_defining(writer.here.lines[k], body) for k in equal):
            continue
        for values in islice(_points(body, binders, spoken, writer), MOST):
            with suppress(NotFound, Rejected):
                found.append(specialised(writer, place, values))
    return found


def _defining(line: Tree, body: Tree) -> bool:
    return isinstance(line[1], tuple) and line[1][:2] == body[1][:2]


@cache
def opened(line: Tree) -> tuple[Tree, tuple[tuple[str, str], ...]]:
    """What holds for all values, and the names that have them, with their kinds."""
    binders = []
    while line[0] in ("every", "all"):
        binders.append((line[1], line[2] if line[0] == "every" else "whole"))
        line = line[-1]
    return line, tuple(binders)


def specialised(writer: Writer, place: int, values: Sequence[Tree]) -> int:
    """A line that holds for all, at values.

    Raises: NotFound, Rejected.
    """
    for value in values:
        line = writer.here.lines[place]
        said = substitute(line[-1], {line[1]: value})
        if said in writer.here.lines:
            place = writer.here.lines.index(said)
            continue
        pays: tuple[int, ...] = ()
        if line[0] == "all":
            pays = tuple(
                writer.find(w) if writer.find(w) is not None else products.quickly(writer, w)  # type: ignore[misc]
                for w in (("<=", line[2], value), ("<=", value, line[3]))
            )
        place = writer.write(said, "instance", place, value, *((pays,) if pays else ()))
    return place


def matched(
    pattern: Tree, term: Tree, names: Sequence[str], before: Collection[Tree] = ()
) -> dict[str, Tree] | None:
    """Values of names with which a pattern is a term; an index plus one is met by such.

    Arguments:
        before: indices less one of which something is said.
    """
    found: dict[str, Tree] = {}
    if pattern[1] != term[1] or len(pattern) != len(term):
        return None
    for part, value in zip(pattern[2:], term[2:], strict=True):
        if isinstance(part, str) and part in names:
            if found.setdefault(part, value) != value:
                return None
        elif isinstance(part, tuple) and part[0] == "+" and part[1] in names and len(part) == 3:
            less = _less(value, part[2])
            if less is None and ("+", value, f"-{part[2]}") in before:
                less = ("+", value, f"-{part[2]}")
            if less is None or found.setdefault(part[1], less) != less:
                return None
        elif part != _folded(value):
            return None
    return found


def _folded(tree: Tree) -> Tree:
    """A sum of whole numbers as one."""
    if isinstance(tree, tuple) and tree[0] == "+" and all(_whole(p) for p in tree[1:]):
        return str(sum(int(p) for p in tree[1:]))
    return tree


def _whole(tree: Tree) -> bool:
    return isinstance(tree, str) and tree.lstrip("-").isdigit()


def _less(value: Tree, step: str) -> Tree | None:
    """An index less a number that is plainly added to it."""
    if not isinstance(value, tuple) or value[0] != "+" or step not in value[1:]:
        return None
    rest = list(value[1:])
    rest.remove(step)
    return rest[0] if len(rest) == 1 else ("+", *rest)


def _points(
    body: Tree, binders: Sequence[tuple[str, str]], spoken: Sequence[Tree], writer: Writer
) -> Iterator[tuple[Tree, ...]]:
    """Values for what a formula holds for: arguments of its functions as they occur in what is spoken of."""
    values = [t for s in spoken for t in terms(s)]
    choices: list[list[Tree]] = []
    for name, kind in binders:
        places = {(t[1], p) for t in terms(body) for p, a in enumerate(t[2:]) if a == name}
        by_place = [
            list(dict.fromkeys(t[2 + p] for t in values if t[1] == f and len(t) > 2 + p))
            for f, p in sorted(places)
        ]
        found = min((c for c in by_place if c), key=len, default=[])
        if not found:
            names = sorted(free(spoken[0]))
            found = [n for n in names if writer.here.kinds.get(n) == kind]
            found += _vectors(spoken[0], writer) if kind == "vector" else []
        found = [*found, *(_within(spoken[0], writer) if kind == "vector" else ())]
        choices.append(list(dict.fromkeys(found)))
    yield from product(*choices)


def _vectors(tree: Tree, writer: Writer) -> list[Tree]:
    """Names and values that are vectors."""
    found = [n for n in sorted(free(tree)) if writer.here.kinds.get(n) == "vector"]
    return found + [t for t in terms(tree) if writer.here.kinds.get(t[1], "").startswith("vector")]


def _within(tree: Tree, writer: Writer) -> Iterator[Tree]:
    """Points at which a function is summed over something else, such as each client's loss."""
    for term in _every_term(tree, frozenset()):
        yield from (a for a in term if isinstance(a, tuple) and writer.forms.is_vector(a))


def _every_term(tree: Tree, bound: frozenset[str]) -> Iterator[list[Tree]]:
    """The arguments without bound names of values that speak of bound names."""
    if isinstance(tree, tuple):
        if tree[0] == "sum":
            bound |= {tree[1]}
        if tree[0] == "of" and free(tree) & bound:
            yield [a for a in tree[2:] if not free(a) & bound]
        for part in tree[1:]:
            yield from _every_term(part, bound)


def terms(tree: Tree) -> Iterator[Tree]:
    """Values of functions within a tree that speak of nothing bound there."""
    yield from _free_terms(tree, frozenset())


def _free_terms(tree: Tree, bound: frozenset[str]) -> Iterator[Tree]:
    if isinstance(tree, tuple):
        if tree[0] in ("sum", "all", "every"):
            bound |= {tree[1]}
        if tree[0] == "of" and not free(tree) & bound:
            yield tree
        for part in tree[1:]:
            yield from _free_terms(part, bound)


@cache
def functions(tree: Tree) -> frozenset[str]:
    """Functions that occur."""
    if not isinstance(tree, tuple):
        return frozenset()
    own = frozenset({tree[1]}) if tree[0] == "of" else frozenset()
    return own.union(*(functions(p) for p in tree[1:]))


@cache
def words(tree: Tree) -> frozenset[str]:
    """What expressions begin with within a tree."""
    if not isinstance(tree, tuple):
        return frozenset()
    return frozenset({tree[0]}).union(*(words(p) for p in tree[1:]))


def defined_by(tree: Tree) -> str:
    """The function whose values a formula gives, if it does."""
    body, _ = opened(tree)
    given = body[0] == "=" and isinstance(body[1], tuple) and body[1][0] == "of"
    return str(body[1][1]) if given else ""


def reached(debt: Tree, standing: Standing) -> frozenset[str]:
    """Functions that are spoken of, and those that give them."""
    found, before = functions(debt), frozenset({""})
    while found != before:
        before = found
        for _, tree in standing.formulas:
            if defined_by(tree) in found:
                found |= functions(tree)
    return found
