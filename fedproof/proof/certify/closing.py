"""What a step rests on, brought down to its paper's assumptions: names become what they stand for.

The judgement of a step carries what the steps it uses assume. Here its names are replaced, by definitions
that it carries and by what its paper says that they mean; what is an identity then, or follows from
the assumptions as the paper states them for all points, is paid. What is left stands on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice, product
from typing import Any

from fedproof.proof.certify import preparing, products
from fedproof.proof.certify.limits import NotFound
from fedproof.proof.certify.writer import Writer
from fedproof.proof.kernel.judgement import Judgement, strings
from fedproof.proof.kernel.trees import Rejected, Tree, as_json, free, fresh, substitute
from fedproof.proof.standing import Standing, meaning, own_meaning

#: at how many points one assumption is tried for one hypothesis
MOST = 40


def closing(judgement: Judgement, own: Sequence[int], standing: Standing) -> dict[str, Any]:
    """The document that uses a judgement with what its names stand for.

    Arguments:
        own: which of its hypotheses are those that the step lists.

    Raises: NotFound, Rejected.
    """
    put = meanings(judgement, own, standing)
    claim = substitute(judgement.claim, put)
    kinds = {n: k for n, k in judgement.names.items() if n not in put} | dict(standing.functions)
    more = frozenset().union(*map(free, put.values())) - set(kinds)
    kinds |= {n: "vector" if n in standing.points else "real" for n in more}
    used = {judgement.id: (judgement.names, judgement.given, judgement.claim)}
    writer = Writer.of(kinds, (), used)
    debts = [substitute(g, put) for g in judgement.given]
    places: dict[int, int] = {}
    for k in own:
        places[k] = writer.assume(debts[k], {"kind": "own"})
    for k, debt in enumerate(debts):
        if k in places:
            continue
        for attempt in _attempts(writer, debt, standing):
            with suppress(NotFound, Rejected):
                places[k] = pay(attempt, debt)
                writer = attempt
                break
        else:
            places[k] = writer.assume(debt, {"kind": "carried"})
    pays = tuple(places[k] for k in range(len(debts)))
    writer.write(claim, "use", judgement.id, tuple(put.items()), pays)
    said = set(strings((writer.here.given, claim, tuple(writer.lines))))
    return {
        "id": f"{judgement.id}/closed",
        "names": {n: k for n, k in writer.here.kinds.items() if n in said},
        "given": [
            {"is": as_json(g), "from": o} for g, o in zip(writer.here.given, writer.origins, strict=True)
        ],
        "claim": as_json(claim),
        "lines": as_json(tuple(writer.lines)),
        "uses": [judgement.id],
    }


def meanings(judgement: Judgement, own: Sequence[int], standing: Standing) -> dict[str, Tree]:
    """What the names of a judgement stand for: by its paper, and by definitions that it carries."""
    listed = [judgement.given[k] for k in own]
    shown = frozenset().union(*map(free, (*listed, judgement.claim)))
    found: dict[str, Tree] = {}
    for name, kind in judgement.names.items():
        if name in shown:
            value = own_meaning(name, judgement.names, standing)
        else:
            value = meaning(name, kind, judgement.names, standing)
        if value is not None:
            _put(found, name, value)
    for k, g in enumerate(judgement.given):
        if k in own:
            continue
        for name, value in _definitions(g, judgement.names):
            if name not in found and name not in shown and _put(found, name, value):
                break
    return found


def _put(found: dict[str, Tree], name: str, value: Tree) -> bool:
    """Add what a name stands for, everything written out, unless it speaks of itself."""
    value = substitute(value, found)
    if name in free(value):
        return False
    for other in found:
        found[other] = substitute(found[other], {name: value})
    found[name] = value
    return True


def _definitions(given: Tree, kinds: Mapping[str, str]) -> Iterator[tuple[str, Tree]]:
    """Names that an equation may define, with what they stand for."""
    bound: list[str] = []
    while given[0] == "all":
        bound.append(given[1])
        given = given[4]
    if given[0] != "=":
        return
    for left, right in ((given[1], given[2]), (given[2], given[1])):
        if isinstance(left, str) and left in kinds and not bound:
            yield left, right
        if isinstance(left, tuple) and left[0] == "of" and left[1] in kinds:
            names = tuple(a for a in left[2:] if isinstance(a, str) and a in bound)
            if len(names) == len(left) - 2 and len(set(names)) == len(names) and set(bound) <= set(names):
                yield left[1], ("map", names, right)


def _attempts(writer: Writer, debt: Tree, standing: Standing) -> Iterator[Writer]:
    """Writers that know nothing more, or an assumption that speaks of the same functions."""
    yield _branch(writer)
    functions = free(debt) & set(standing.functions)
    for id, tree in standing.formulas:
        if free(tree) & functions or (not functions and not free(tree) & set(standing.functions)):
            attempt = _branch(writer)
            if attempt.find(tree) is None:
                for name in free(tree) - set(attempt.here.kinds):
                    attempt.declare(name, "real")
                attempt.assume(tree, {"kind": "assumption", "id": id})
            yield attempt


def _branch(writer: Writer) -> Writer:
    attempt = writer.branch()
    attempt.origins = list(writer.origins)
    return attempt


def pay(writer: Writer, debt: Tree) -> int:
    """A line that says what is owed.

    Raises: NotFound, Rejected.
    """
    place = writer.find(debt)
    if place is not None:
        return place
    if debt[0] in ("all", "every"):
        name = fresh(debt[1], frozenset(writer.here.kinds) | free(debt))
        body = substitute(debt[-1], {debt[1]: name})
        kind = "whole" if debt[0] == "all" else debt[2]
        granted = (("<=", debt[2], name), ("<=", name, debt[3])) if debt[0] == "all" else ()
        inner = writer.here.inside({name: kind}, *granted)
        whole = (debt[0], name, *debt[2:-1], body)
        return writer.block(debt[0], whole, inner, lambda w: _last(w, body))
    if any(writer.forms.is_vector(s) for s in debt[1:]):
        return writer.write(debt, "vectors", "1", (), ())
    known = [k for k, line in enumerate(writer.here.lines) if line[0] not in ("all", "every")]
    with suppress(NotFound):
        return _only(writer, debt, [] if debt[0] == "=" else known)
    for k, line in enumerate(list(writer.here.lines)):
        if line[0] != "every":
            continue
        for values in islice(_points(line, debt, writer), MOST):
            attempt = writer.branch()
            with suppress(NotFound, Rejected):
                place = k
                for value in values:
                    body = attempt.here.lines[place]
                    place = attempt.write(substitute(body[3], {body[1]: value}), "instance", place, value)
                _only(attempt, debt, [place, *known] if debt[0] != "=" else [place])
                return writer.adopt(attempt)
    raise NotFound(debt)


def _last(writer: Writer, debt: Tree) -> None:
    place = pay(writer, debt)
    if place != len(writer.here.lines) - 1 or not writer.lines:
        preparing.write(writer, debt, [("1", ("neg",)), ("1", (place,))])


def _only(writer: Writer, debt: Tree, places: Sequence[int]) -> int:
    """A proof from these lines alone."""
    attempt = writer.branch()
    attempt.hidden = set(range(len(writer.here.lines))) - set(places)
    products.quickly(attempt, debt)
    found = attempt.find(debt)
    attempt.hidden = writer.hidden
    writer.adopt(attempt)
    if found is None:
        raise NotFound(debt)
    return found


def _points(line: Tree, debt: Tree, writer: Writer) -> Iterator[tuple[Tree, ...]]:
    """Values for what an assumption holds for: arguments of its functions as they occur in what is owed."""
    names: list[tuple[str, str]] = []
    while line[0] == "every":
        names.append((line[1], line[2]))
        line = line[3]
    terms = list(_terms(debt))
    seen: list[list[Tree]] = []
    for name, kind in names:
        places = {(t[1], p) for t in _terms(line) for p, a in enumerate(t[2:]) if a == name}
        found = [t[2 + p] for t in terms for f, p in sorted(places) if t[1] == f and len(t) > 2 + p]
        if not places:
            found = [n for n in sorted(free(debt)) if writer.here.kinds.get(n) == kind]
        seen.append(list(dict.fromkeys(found)))
    yield from product(*seen)


def _terms(tree: Tree) -> Iterator[Tree]:
    """Values of functions within a tree."""
    if isinstance(tree, tuple):
        if tree[0] == "of":
            yield tree
        for part in tree[1:]:
            yield from _terms(part)
