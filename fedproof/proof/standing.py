"""What a paper grants to all its proofs: its functions, its assumptions as formulas, what its names mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from types import ModuleType
from typing import Any

from fedproof.proof.formula import formula
from fedproof.proof.kernel.trees import KIND, Tree, as_json, free, substitute
from fedproof.vocabulary.discovery import paper_modules, read
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.own_file import FORGET

#: the papers that may still rest on what their steps list; no other paper may
UNFINISHED = ("fedproxvr", "composite")


@dataclass(frozen=True)
class Meaning:
    """What a name stands for.

    Arguments:
        parameters: its indices.
        values: the expression; where it differs from step to step, one for each case.
        vector: whether it is one.
    """

    parameters: tuple[str, ...]
    values: tuple[Tree, ...]
    vector: bool = False


@dataclass(frozen=True)
class Standing:
    """What the proofs of a paper may go by.

    Arguments:
        functions: the kind of each function, such as "vector(whole,vector)" for a gradient of each client.
        points: names of vectors that no function's value is.
        counts: names of whole numbers; so are those of indices.
        formulas: assumptions by id, each for all points.
        means: what names stand for; one name may stand for a number here and for a vector there.
        otherwise: by how the ids of steps begin, what names stand for in these instead.
        whole: other names of whole numbers in the proofs.
        cited: which of the formulas are results of other texts, by the ids of the steps that cite them.
        lists: steps that are not brought down to its formulas yet, which may also rest on instances that the
            steps they use list, with their reasons in words, which are shown as carried.
        indices: what names of one client, one step, one round become where a step is used for all of them:
            by such a name the names that its range ends with, or that run over it.
    """

    functions: Mapping[str, str] = field(default_factory=dict)
    points: frozenset[str] = frozenset()
    counts: frozenset[str] = frozenset()
    formulas: tuple[tuple[str, Tree], ...] = ()
    means: Mapping[str, tuple[Meaning, ...]] = field(default_factory=dict)
    indices: Mapping[str, frozenset[str]] = field(default_factory=dict)
    otherwise: Mapping[str, Mapping[str, tuple[Meaning, ...]]] = field(default_factory=dict)
    whole: frozenset[str] = frozenset()
    lists: frozenset[str] = frozenset()
    cited: frozenset[str] = frozenset()

    @property
    def kinds(self) -> Mapping[str, str]:
        """The kinds of names that are no real numbers."""
        whole = self.counts | self.whole | set(self.indices)
        return {**dict.fromkeys(whole, "whole"), **dict.fromkeys(self.points, "vector"), **self.functions}

    @property
    def tables(self) -> list[dict[str, Any]]:
        """What names mean, as a row of an audit says: for steps whose ids begin so, the longest that fits."""
        return [
            {"for": start, "names": _rows(means)}
            for start, means in {"": self.means, **self.otherwise}.items()
        ]

    def meanings(self, id: str) -> Mapping[str, tuple[Meaning, ...]]:
        """What names stand for in a step."""
        fit = [start for start in self.otherwise if id.startswith(start)]
        return self.otherwise[max(fit, key=len)] if fit else self.means


def _rows(means: Mapping[str, tuple[Meaning, ...]]) -> dict[str, list[Any]]:
    """Each name's values; with parameters, maps."""
    return {
        name: [as_json(("map", m.parameters, v) if m.parameters else v) for m in entries for v in m.values]
        for name, entries in means.items()
    }


@cache
def standing(key: str) -> Standing:
    """What a paper's file `standing` says: nothing where it has none.

    Raises: InputError.
    """
    known = paper_modules("standing").get(key)
    found = read(known, _standing) if known else Standing()
    if found.lists and key not in UNFINISHED:
        raise InputError("LISTS", key, f"one of {', '.join(UNFINISHED)}", "state the assumptions as FORMULAS")
    return found


FORGET.append(standing.cache_clear)


def _standing(module: ModuleType) -> Standing:
    said = tuple(_formula(row) for row in module.FORMULAS)
    functions: Mapping[str, str] = {**_functions(module.FORMULAS), **getattr(module, "FUNCTIONS", {})}
    for name, kind in functions.items():
        if not KIND.match(kind) or "(" not in kind:
            raise InputError(f"kind of {name}", kind, 'a kind such as "real(vector)"')
    points = frozenset(getattr(module, "POINTS", "").split())
    return Standing(
        functions,
        points,
        frozenset(getattr(module, "COUNTS", "").split()),
        said,
        meanings_of(getattr(module, "MEANS", {}), functions, points),
        {name: frozenset(over.split()) for name, over in getattr(module, "INDICES", {}).items()},
        {id: meanings_of(m, functions, points) for id, m in getattr(module, "OTHERWISE", {}).items()},
        frozenset(getattr(module, "WHOLE", "").split()) | _counted(module.FORMULAS),
        frozenset(getattr(module, "LISTS", ())),
        frozenset(getattr(module, "CITED", "").split()),
    )


def _formula(row: Any) -> tuple[str, Tree]:
    """An assumption's id and formula: typed as (id, over, text), or a hypothesis of the proofs."""
    if isinstance(row, tuple):
        id, over, text = row
        return id, for_all(over, text)
    from fedproof.proof.language.saying import everywhere

    return row.why, everywhere(row)


def _functions(rows: Any) -> dict[str, str]:
    """The kinds of the functions that hypotheses at all points speak of."""
    from fedproof.proof.language.functions import kinds_in

    kinds = kinds_in(*(row.relation for row in rows if not isinstance(row, tuple)))
    return {name: kind for name, kind in kinds.items() if "(" in kind}


def _counted(rows: Any) -> frozenset[str]:
    """Names of whole numbers of which hypotheses at all points speak."""
    from fedproof.proof.language.saying import kinds_everywhere

    kinds = (kinds_everywhere(row) for row in rows if not isinstance(row, tuple))
    return frozenset(name for found in kinds for name, kind in found.items() if kind == "whole")


def for_all(over: str, text: str) -> Tree:
    """A formula for all values of the names before it.

    >>> for_all("x: vector, i: 1..n", "f(i, x) <= 1")
    ('every', 'x', 'vector', ('all', 'i', '1', 'n', ('<=', ('of', 'f', 'i', 'x'), '1')))
    """
    found = formula(text)
    for group in reversed([g for g in over.split(",") if g.strip()]):
        names, _, kind = group.partition(":")
        for name in reversed(names.split()):
            if ".." in kind:
                lo, _, hi = kind.partition("..")
                _, first, last = formula(f"{lo} <= {hi}")
                found = ("all", name, first, last, found)
            else:
                found = ("every", name, kind.strip(), found)
    return found


def meanings_of(
    means: Mapping[str, str | tuple[str, ...]], functions: Mapping[str, str], points: frozenset[str]
) -> dict[str, tuple[Meaning, ...]]:
    """What names stand for, written out: a meaning may speak of names without indices that have one case."""
    read = [_meaning(name, (text,) if isinstance(text, str) else text) for name, text in means.items()]
    vectors = set(points)
    before = -1
    while before < len(vectors):
        before = len(vectors)
        vectors |= {n for n, _, values in read if is_vector(values[0], functions, frozenset(vectors))}
    names = [n for n, _, _ in read]
    plain = {n: v[0] for n, parameters, v in read if not parameters and len(v) == 1 and names.count(n) == 1}
    found: dict[str, tuple[Meaning, ...]] = {}
    for name, parameters, values in read:
        written = tuple(_written(v, plain, frozenset(parameters)) for v in values)
        kind = is_vector(written[0], functions, points)
        found[name] = (*found.get(name, ()), Meaning(parameters, written, kind))
    return found


def _meaning(name: str, texts: tuple[str, ...]) -> tuple[str, tuple[str, ...], tuple[Tree, ...]]:
    """A name, perhaps with indices and, after a colon, its kind, and what it stands for."""
    name = name.partition(":")[0]
    read = [formula(f"{name} == {text}") for text in texts]
    left, values = read[0][1], tuple(r[2] for r in read)
    return (left, (), values) if isinstance(left, str) else (left[1], tuple(left[2:]), values)


def _written(value: Tree, plain: Mapping[str, Tree], bound: frozenset[str]) -> Tree:
    """An expression in which names that have a meaning are replaced by it."""
    for _ in range(20):
        spoken = free(value) - bound
        put = {n: plain[n] for n in spoken & plain.keys()}
        if not put:
            return value
        value = substitute(value, put)
    raise InputError("meaning", "a name", "none that speaks of itself")


def is_vector(tree: Tree, functions: Mapping[str, str], vectors: frozenset[str]) -> bool:
    """Whether an expression is plainly a vector."""
    if isinstance(tree, str):
        return tree in vectors
    if tree[0] == "of":
        return functions.get(tree[1], "").startswith("vector")
    if tree[0] in ("+", "*"):
        return any(is_vector(p, functions, vectors) for p in tree[1:])
    return tree[0] == "sum" and is_vector(tree[4], functions, vectors)
