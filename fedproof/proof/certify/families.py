"""A step used for every index: what its names stand for at each, where they do not stay the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from typing import Any

import sympy as sp

from fedproof.proof.certify.writer import Writer
from fedproof.proof.kernel.trees import Tree, free, fresh, substitute
from fedproof.proof.sequences import is_sequence_term
from fedproof.proof.step import Applied, Step
from fedproof.vocabulary.metrics import METRICS
from fedproof.vocabulary.papers import letters_of


def families(
    writer: Writer, use: Applied, names: Mapping[str, str], given: tuple[Tree, ...],
    values: Mapping[str, Tree], spoken: Mapping[str, str],
) -> dict[str, Tree]:  # fmt: skip
    """Of each name that varies with the index of a use the term of a family.

    Arguments:
        names: those of the used step, with their kinds.
        given: what it assumes.
        values: what stands for some of them.
        spoken: names that the user step speaks of, with their kinds; they stay what they are.
    """
    assert use.over is not None
    index = use.over[0]
    kept = {n for n, k in names.items() if k == "whole" or _same(k, spoken.get(n))} - set(values)
    kept |= {n for n, v in values.items() if index.name not in free(v)} | {index.name}
    moving = set()
    for key, value in _parts(use):
        if index in value.free_symbols:
            moving |= _least(key)
        else:
            kept |= {n for n in _names(key) if n not in values}
    places = {index.name} | {n for n, v in values.items() if index.name in free(v)}
    kept |= {f for g in given for f, at in _terms(g) if at & places} - set(values)
    _close(given, kept)
    constants = _constants(use, names, given, kept, moving)
    moved = {n: _with_index(names[n]) for n in sorted(set(names) - kept - constants - set(values))}
    more = "_"
    while not all(_fits(writer, f"{n}{more}", k, index.name, spoken) for n, k in moved.items()):
        more += "_"
    found: dict[str, Tree] = {}
    for name, kind in moved.items():
        own = f"{name}{more}"
        writer.declare(own, kind)
        writer.families[own] = index.name
        found[name] = _term(own, names[name], index.name)
    return found


def _fits(writer: Writer, own: str, kind: str, index: str, spoken: Mapping[str, str]) -> bool:
    """Whether a name may be that of a family: it is new, or is one over the same index."""
    if own not in writer.here.kinds:
        return own not in spoken
    return writer.here.kinds[own] == kind and writer.families.get(own) == index


def _same(kind: str, own: str | None) -> bool:
    """Whether a name may be the same in two steps, by its kinds there."""
    return kind == own or (kind, own) == ("real", "whole")


def letters(step: Step) -> tuple[Any, ...]:
    """The letters of the paper in which a step stands."""
    return letters_of(step.source.paper) if step.source is not None else ()


def unfolded(
    use: Applied, names: Mapping[str, str], given: tuple[Tree, ...],
    values: Mapping[str, Tree], spoken: Mapping[str, str],
) -> dict[str, Tree]:  # fmt: skip
    """Numbers and sequences that a used step has for parts of its own: they stand for what defines them.

    A letter of the paper stays.

    Arguments:
        names: those of the used step, with their kinds.
        given: what it assumes, definitions among it.
        values: what stands for some names already.
        spoken: names that the user step speaks of, with their kinds.
    """
    free_here = {n for n, k in names.items() if n not in values and not _same(k, spoken.get(n))}
    free_here -= {x.name for x in letters(use.step)}
    meaning: dict[str, Tree] = {}
    for g in given:
        for name, kind, value in _definitions(g):
            if names.get(name) != kind or name not in free_here or name in meaning:
                continue
            if name in _reached(free(value), meaning) or not (use.over is None or total(value)):
                continue
            meaning[name] = value
            break
    found: dict[str, Tree] = {}
    while meaning:
        name = next(n for n in meaning if not free(meaning[n]) & set(meaning))
        found[name] = substitute(meaning.pop(name), found)
        for other in meaning:
            meaning[other] = substitute(meaning[other], {name: found[name]})
    return found


def _definitions(relation: Tree) -> Iterator[tuple[str, str, Tree]]:
    """The numbers and sequences that an equation, for every index or not, says what they are."""
    if relation[0] == "=":
        yield from ((name, "real", value) for name, value in _defined(relation))
    elif relation[0] == "all" and relation[4][0] == "=":
        index = relation[1]
        for term, value in (relation[4][1:], relation[4][:0:-1]):
            if term[0] == "of" and term[2:] == (index,):
                yield term[1], "real(whole)", ("map", (index,), value)


def _reached(names: frozenset[str], meaning: Mapping[str, Tree]) -> set[str]:
    """Names, and all those by which they are defined."""
    found, waiting = set(names), list(names)
    while waiting:
        value = meaning.get(waiting.pop())
        more = set() if value is None else free(value) - found
        found |= more
        waiting += more
    return found


def total(value: Tree) -> bool:
    """Whether it is defined whatever its names are."""
    if isinstance(value, str):
        return True
    if value[0] == "map":
        return total(value[2])
    if value[0] == "^" and not (value[2].isdigit() if isinstance(value[2], str) else False):
        return False
    return value[0] != "sum" and all(total(p) for p in value[1:] if isinstance(p, tuple))


def _parts(use: Applied) -> Iterator[tuple[Any, Any]]:
    """The parts of the used step that have a name in the user step, with it."""
    for key, value in use.at:
        meaning = use.step.meanings.get(key, key)
        if not isinstance(meaning, sp.Symbol) and not is_sequence_term(meaning):
            yield meaning, value


def _names(part: Any) -> set[str]:
    """The names in a part of a step."""
    return {s.name for s in part.free_symbols} | {
        f.func.__name__ for f in part.atoms(sp.Function) if is_sequence_term(f)
    }


def _least(part: Any) -> set[str]:
    """The only name of a part that has one: it varies where the part does."""
    found = _names(part)
    return found if len(found) == 1 else set()


def _terms(tree: Tree) -> Iterator[tuple[str, frozenset[str]]]:
    """The names with arguments in a tree, with the names in these."""
    if isinstance(tree, tuple):
        if tree[0] == "of":
            yield tree[1], frozenset().union(*map(free, tree[2:]))
        for part in tree[1:]:
            yield from _terms(part)


def _close(given: tuple[Tree, ...], kept: set[str]) -> None:
    """Add what names that stay the same are made of: by an equation that gives one."""
    before = -1
    while before < len(kept):
        before = len(kept)
        for g in given:
            for name, _, value in _definitions(g):
                if name in kept:
                    kept |= free(value)


def _constants(
    use: Applied, names: Mapping[str, str], given: tuple[Tree, ...], kept: Set[str], moving: Set[str]
) -> set[str]:
    """Numbers that are the same at every index: the paper's parameters, and what constants define."""
    parameters = {x.name for x in letters(use.step) if x.means not in METRICS}
    found = {n for n, k in names.items() if k == "real" and n in parameters} - moving
    fixed = found | set(kept)
    more = True
    while more:
        new = {x for g in given for x, e in _defined(g) if names.get(x) == "real" and free(e) <= fixed}
        more = bool(new - fixed - moving)
        fixed |= new - moving
    return fixed - set(kept)


def _defined(relation: Tree) -> Iterator[tuple[str, Tree]]:
    """The names that an equation gives, with what it gives them."""
    if relation[0] == "=":
        for name, value in (relation[1:], relation[:0:-1]):
            if isinstance(name, str):
                yield name, value


def _with_index(kind: str) -> str:
    """The kind of a family of what has a kind."""
    result, _, arguments = kind.partition("(")
    return f"{result}(whole,{arguments}" if arguments else f"{result}(whole)"


def _term(family: str, kind: str, index: str) -> Tree:
    """The term of a family at an index, as a value for a name of a kind."""
    arguments = kind.partition("(")[2].rstrip(")")
    if not arguments:
        return ("of", family, index)
    places: list[str] = []
    for _ in arguments.split(","):
        places.append(fresh("k", {index, *places}))
    return ("map", tuple(places), ("of", family, index, *places))
