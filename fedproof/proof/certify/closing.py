"""What a step rests on, brought down to its paper's assumptions: names become what they stand for.

The judgement of a step carries what the steps it uses assume. Here its names are replaced, by definitions
that it carries and by what its paper says that they mean; what is an identity then, or follows from
the assumptions as the paper states them for all points, is paid. What is left stands on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from fedproof.proof.certify.at_points import functions
from fedproof.proof.certify.limits import NotFound
from fedproof.proof.certify.paying import Payer
from fedproof.proof.certify.shortening import shortened
from fedproof.proof.certify.writer import Writer
from fedproof.proof.kernel.context import check_kind
from fedproof.proof.kernel.judgement import Judgement, strings
from fedproof.proof.kernel.trees import Rejected, Tree, as_json, free, substitute
from fedproof.proof.standing import Meaning, Standing
from fedproof.proof.tree_text import text


def closing(
    judgement: Judgement, own: Sequence[int], standing: Standing, reasoned: Sequence[int] = ()
) -> dict[str, Any]:
    """The document that uses a judgement with what its names stand for, in the case that leaves least.

    Arguments:
        own: which of its hypotheses are those that the step lists and that stand.
        reasoned: those that it lists with a reason in words, which are paid like what others assume.

    Raises: NotFound, Rejected.
    """
    means = standing.meanings(judgement.id)
    entries = (m for n in judgement.names for m in means.get(n.rstrip("_"), ()))
    cases = max((len(m.values) for m in entries), default=1)
    best: dict[str, Any] | None = None
    for case in range(cases):
        found = _closed(judgement, own, standing, case, reasoned)
        if best is None or _left(found) < _left(best):
            best = found
        if not _left(best):
            break
    assert best is not None
    return best


def _left(document: Mapping[str, Any]) -> int:
    """How much is carried."""
    return sum(g["from"]["kind"] == "carried" for g in document["given"])


def _closed(
    judgement: Judgement, own: Sequence[int], standing: Standing, case: int, reasoned: Sequence[int]
) -> dict[str, Any]:
    put = meanings(judgement, (*own, *reasoned), standing, case)
    kinds = {n: k for n, k in judgement.names.items() if n not in put} | dict(standing.functions)
    more = frozenset().union(*map(free, put.values()), *(free(t) for _, t in standing.formulas))
    kinds |= {n: standing.kinds.get(n, "real") for n in more - set(kinds)}
    indices = {n for n in more & set(kinds) if standing.kinds.get(n) == "whole" and kinds[n] == "real"}
    kinds |= dict.fromkeys(indices, "whole")
    used = {judgement.id: (judgement.names, judgement.given, judgement.claim)}
    writer = Writer.of(kinds, (), used)
    debts = [substitute(g, put) for g in judgement.given]
    places: dict[int, int] = {}
    payer = Payer(writer, standing)
    said = frozenset(n for tree in (*debts, *put.values(), judgement.claim) for n in free(tree))
    payer.begin(said, judgement.names)
    _assume(writer, debts, own, "own", places)
    for value in put.values():
        payer.defined(value)
    waiting = [k for k in range(len(debts)) if k not in places]
    waiting.sort(key=lambda k: (len(str(debts[k])), k))
    for k in list(waiting):
        with suppress(NotFound, Rejected):
            places[k] = payer.pay(debts[k])
            waiting.remove(k)
    writer = payer.writer
    _assume(writer, debts, waiting, "carried", places)
    for value in put.values():
        payer.defined(value)
    claim = substitute(judgement.claim, put)
    pays = tuple(places[k] for k in range(len(debts)))
    writer.write(claim, "use", judgement.id, tuple(put.items()), pays)
    lines, taken = shortened(writer.lines, writer.here.given)
    given = [writer.here.given[k] for k in taken]
    spoken = set(strings((tuple(given), claim, tuple(lines))))
    return {
        "id": f"{judgement.id}/closed",
        "names": {n: k for n, k in writer.here.kinds.items() if n in spoken},
        "given": [{"is": as_json(g), "from": writer.origins[k]} for k, g in zip(taken, given, strict=True)],
        "claim": as_json(claim),
        "lines": as_json(tuple(lines)),
        "uses": [judgement.id],
    }


def _assume(
    writer: Writer, debts: Sequence[Tree], asked: Sequence[int], kind: str, places: dict[int, int]
) -> None:
    """Take hypotheses as they are, those first that others need to be defined.

    Raises: Rejected.
    """
    waiting = list(asked)
    while waiting:
        late = []
        for k in waiting:
            try:
                known = writer.find(debts[k])
                places[k] = writer.assume(debts[k], {"kind": kind}) if known is None else known
            except Rejected:
                late.append(k)
        if len(late) == len(waiting):
            raise Rejected(f"{text(debts[late[0]])} is not known to be defined")
        waiting = late


# -- what names stand for


def meanings(
    judgement: Judgement, listed: Sequence[int], standing: Standing, case: int = 0
) -> dict[str, Tree]:
    """What the names of a judgement stand for: by its paper, and by definitions that it carries.

    Arguments:
        listed: which of its hypotheses the step lists, whose names mean what the paper says alone.
    """
    shown = frozenset().union(*(free(judgement.given[k]) for k in listed), free(judgement.claim))
    found: dict[str, Tree] = {}
    for name, kind in judgement.names.items():
        meaning = _meant(name, kind, judgement, standing, case)
        if meaning is not None:
            _put(found, name, meaning)
    shown |= frozenset().union(*(free(found[n]) for n in shown & set(found)))
    kinds = {**judgement.names, **standing.functions}
    kinds |= dict.fromkeys(standing.points, "vector") | dict.fromkeys(standing.counts, "whole")
    for k, g in enumerate(judgement.given):
        if k in listed:
            continue
        for name, value in _definitions(g, judgement.names):
            if name in found or name in shown:
                continue
            value = substitute(value, found)
            if _total(value, kinds) and _put(found, name, value):
                break
    return found


def _total(value: Tree, kinds: Mapping[str, str]) -> bool:
    """Whether a value is defined for all its indices, of which nothing is known."""
    if not isinstance(value, tuple) or value[0] != "map":
        return True
    kinds = dict(kinds)
    for name in free(value) - set(kinds):
        kinds[name] = "real"
    with suppress(Rejected):
        here = Writer.of(kinds, (), {}).here
        for result in ("real", "vector"):
            with suppress(Rejected):
                check_kind(here, f"{result}({','.join(['whole'] * len(value[1]))})", value)
                return True
    return False


def _put(found: dict[str, Tree], name: str, value: Tree) -> bool:
    """Add what a name stands for, everything written out, unless it speaks of itself."""
    value = substitute(value, found)
    if name in free(value):
        return False
    for other in found:
        found[other] = substitute(found[other], {name: value})
    found[name] = value
    return True


def _meant(name: str, kind: str, judgement: Judgement, standing: Standing, case: int) -> Tree | None:
    """What a paper says that a name means; x_ is one more x, and x(r) one for every r."""
    means = standing.meanings(judgement.id)
    entries = means.get(name) or means.get(name.rstrip("_"), ())
    count = kind.count("whole") if "(" in kind else 0
    for entry in entries:
        if entry.vector == kind.startswith("vector") and len(entry.parameters) <= count:
            return _for_indices(name, count, entry, judgement, standing, case)
    return None


def _for_indices(
    name: str, count: int, entry: Meaning, judgement: Judgement, standing: Standing, case: int
) -> Tree:
    """A meaning with an index more for every client, step or round that the name is there for."""
    value = entry.values[min(case, len(entry.values) - 1)]
    if not count:
        return value
    extra = count - len(entry.parameters)
    new = tuple(f"index{j}" for j in range(extra))
    value = substitute(value, {p: f"own{j}" for j, p in enumerate(entry.parameters)})
    for place in reversed(range(extra)):
        index = _index(name, place, judgement, standing)
        if index in free(value):
            value = substitute(value, {index: new[place]})
    return ("map", (*new, *(f"own{j}" for j in range(len(entry.parameters)))), value)


def _index(name: str, place: int, judgement: Judgement, standing: Standing) -> str:
    """Which index a name's argument is: by where that one ends, or what it is called."""
    found: list[str] = []
    for given in (g for g in judgement.given if name in functions(g)):
        for argument, ends in _arguments(given, name, place, {}):
            spoken = free(argument)
            while spoken & set(ends):
                spoken = frozenset().union(*(ends.get(s, frozenset({s})) for s in spoken))
            found += [i for i, over in standing.indices.items() if over & spoken or i in spoken]
    return found[0] if found else ""


def _arguments(
    tree: Tree, name: str, place: int, ends: Mapping[str, frozenset[str]]
) -> Iterator[tuple[Tree, Mapping[str, frozenset[str]]]]:
    """An argument of a name wherever it occurs, with what the ranges around it end with."""
    if not isinstance(tree, tuple):
        return
    if tree[0] == "of" and tree[1] == name and len(tree) > place + 2:
        yield tree[place + 2], ends
    if tree[0] in ("all", "sum"):
        ends = {**ends, tree[1]: free(tree[3]) - {tree[1]}}
    for part in tree[1:]:
        yield from _arguments(part, name, place, ends)


def _definitions(given: Tree, kinds: Mapping[str, str]) -> Iterator[tuple[str, Tree]]:
    """Names that an equation may define, with what they stand for."""
    bound: list[str] = []
    while given[0] == "all":
        bound.append(given[1])
        given = given[4]
    if given[0] != "=":
        return
    for left, right in ((given[1], given[2]), (given[2], given[1])):
        if isinstance(left, str) and left in kinds and not (free(right) & set(bound)):
            yield left, right
        if isinstance(left, tuple) and left[0] == "of" and left[1] in kinds:
            names = tuple(a for a in left[2:] if isinstance(a, str) and a in bound)
            apart = len(names) == len(left) - 2 and len(set(names)) == len(names)
            if apart and not free(right) & (set(bound) - set(names)):
                yield left[1], ("map", names, right)
