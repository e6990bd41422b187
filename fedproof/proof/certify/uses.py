"""One step used in another: what its names stand for here, and where its hypotheses come from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from fedproof.proof.certify import products
from fedproof.proof.certify.limits import NotFound
from fedproof.proof.certify.translate import expression, relation
from fedproof.proof.certify.writer import Writer, tree_of
from fedproof.proof.kernel.polynomials import Quotient, join
from fedproof.proof.kernel.trees import Rejected, Tree, free, fresh, substitute
from fedproof.proof.obligations import owed as needed
from fedproof.proof.rules.query import NotApplicable
from fedproof.proof.sequences import is_sequence_term
from fedproof.proof.step import Applied, Step
from fedproof.proof.vectors import Vector


def applied(writer: Writer, step: Step, use: Applied, said: Any, known: Mapping[str, Any]) -> int:
    """The line that says what a used step says here.

    Arguments:
        said: the relation as the user step reads it.

    Raises: NotFound.
    """
    if use.step.id not in known:
        if use.step.rule == "cite":
            for debt in map(relation, needed(step, use)):
                if paid(writer, debt, None) is None:
                    _carry(writer, debt, None, {"kind": "carried", "id": use.step.id})
            return writer.assume(relation(said), {"kind": "cited", "id": use.step.id})
        raise NotFound(f"{use.step.id} is not proved")
    values, parts = values_of(writer, use, known[use.step.id])
    if use.over is None:
        return _used(writer, use, known[use.step.id], values, parts, relation(said), None)
    index, lo, hi = use.over[0].name, expression(use.over[1]), expression(use.over[2])
    name = fresh(index, frozenset(writer.here.kinds))
    move = {index: name}
    values = {k: substitute(v, move) for k, v in values.items()}
    if index in known[use.step.id].judgement.names:
        values.setdefault(index, name)
    parts = [(substitute(p, move), substitute(v, move)) for p, v in parts]
    wanted = relation(said)
    body = substitute(wanted[4], {wanted[1]: name})
    judgement = known[use.step.id].judgement
    around = (name, lo, hi)
    for part, value in parts:
        _carry(writer, ("=", value, part), around, {"kind": "part", "id": use.step.id})
    grants = (("<=", lo, name), ("<=", name, hi))
    debts = [substitute(g, values) for g in judgement.given]
    trial = Writer(writer.here.inside({name: "whole"}, *grants), [], ())
    owed = [d for d in debts if not _payable(trial, d)]
    for debt in owed:
        _carry(writer, debt, around, {"kind": "carried", "id": use.step.id})

    def act(inner: Writer) -> None:
        _used(inner, use, known[use.step.id], values, parts, body, around)

    inner = writer.here.inside({name: "whole"}, *grants)
    return writer.block("all", ("all", name, lo, hi, body), inner, act)


def _payable(writer: Writer, debt: Tree) -> bool:
    return paid(writer, debt, None) is not None


def _carry(writer: Writer, said: Tree, around: Any, origin: Any) -> int:
    """A hypothesis that nothing here grants: it stands on the judgement for all to see."""
    if around is not None and around[0] in free(said):
        name, lo, hi = around
        said = ("all", name, lo, hi, said)
    place = writer.find(said)
    return writer.assume(said, origin) if place is None else place


def values_of(writer: Writer, use: Applied, known: Any) -> tuple[dict[str, Tree], list[tuple[Tree, Tree]]]:
    """What names of the used step stand for, and which of its parts have a name here."""
    values: dict[str, Tree] = {}
    parts: list[tuple[Any, Any]] = []
    meanings = use.step.meanings
    for key, value in use.at:
        if isinstance(key, sp.Symbol) and key not in meanings:
            values[key.name] = expression(value)
        elif is_sequence_term(key):
            index = key.args[0].name
            values[key.func.__name__] = ("map", (index,), expression(value))
        else:
            parts.append((meanings.get(key, key), value))
    induct = use.step.induction
    if induct is not None:
        for state, _, _ in induct.state:
            value = values.get(state.name)
            if (
                isinstance(value, tuple)
                and value[0] == "of"
                and use.over is not None
                and value[2] == use.over[0].name
            ):
                values[f"{state.name}_"] = value[1]
    if use.over is not None:
        values |= _families(writer, use, known, values, parts)
    for name, kind in known.judgement.names.items():
        own = writer.here.kinds.get(name)
        if name not in values and own is not None and own != kind and {own, kind} != {"real", "whole"}:
            other = name
            while writer.here.kinds.get(other, kind) != kind:
                other += "_"
            writer.declare(other, kind)
            values[name] = other
    for name, kind in known.judgement.names.items():
        if kind == "whole" and name in values:
            for other in free(values[name]):
                if writer.here.kinds.get(other) == "real":
                    writer.become(other, "whole")
        if name not in values:
            own = writer.here.kinds.get(name)
            if own is None or (own, kind) == ("real", "whole"):
                writer.become(name, kind)
    shown = [(substitute(expression(k), values), expression(v)) for k, v in parts]
    return values, shown


def _families(
    writer: Writer, use: Applied, known: Any, values: Mapping[str, Tree], parts: list[tuple[Any, Any]]
) -> dict[str, Tree]:
    """Vectors of a step used for every index are one for each, unless a part with one name says otherwise."""
    assert use.over is not None
    index = use.over[0]
    fixed: set[str] = set()
    for key, value in parts:
        if index not in value.free_symbols:
            fixed |= {v.name for v in key.atoms(Vector)}
    moving = {n for n, k in known.judgement.names.items() if k == "vector"} - fixed - set(values)
    used = {v.name for key, _ in parts for v in key.atoms(Vector)}
    found: dict[str, Tree] = {}
    if not any(v in moving for v in used):
        return found
    for name in sorted(moving):
        own = name
        while writer.here.kinds.get(own, "vector(whole)") != "vector(whole)":
            own += "_"
        writer.declare(own, "vector(whole)")
        found[name] = ("of", own, index.name)
    return found


def _used(
    writer: Writer,
    use: Applied,
    known: Any,
    values: Mapping[str, Tree],
    parts: list[tuple[Tree, Tree]],
    said: Tree,
    around: Any,
) -> int:
    """Use a step at one place: pay what it assumes, then read its parts by their names."""
    judgement = known.judgement
    for name, kind in judgement.names.items():
        if name not in values and name not in writer.here.kinds:
            writer.declare(name, kind)
    meanings = tuple(_carry_here(writer, ("=", v, p), around, use) for p, v in parts)
    pays = []
    for debt in (substitute(g, values) for g in judgement.given):
        place = paid(writer, debt, around)
        if place is None:
            place = _carry_here(writer, debt, around, use)
        pays.append(place)
    claim = substitute(judgement.claim, values)
    put = tuple((n, v) for n, v in values.items() if n in judgement.names)
    line = writer.find(claim)
    if line is None:
        line = writer.write(claim, "use", use.step.id, put, tuple(pays))
    return read_as(writer, said, line, meanings)


def _carry_here(writer: Writer, debt: Tree, around: Any, use: Applied) -> int:
    """A hypothesis carried up, at the index of this block where there is one."""
    if around is None:
        place = paid(writer, debt, None) if debt[0] == "=" else None
        if place is not None:
            return place
        kind = "part" if debt[0] == "=" else "carried"
        return _carry(writer, debt, None, {"kind": kind, "id": use.step.id})
    name, lo, hi = around
    if name not in free(debt):
        place = writer.find(debt)
        if place is None:
            raise NotFound(f"{debt} is not carried")
        return place
    whole = ("all", name, lo, hi, debt)
    place = writer.find(whole)
    if place is None:
        raise NotFound(f"{debt} is not carried")
    known = writer.find(debt)
    if known is not None:
        return known
    one, other = writer.find(("<=", lo, name)), writer.find(("<=", name, hi))
    return writer.write(debt, "instance", place, name, (one, other))


def paid(writer: Writer, debt: Tree, around: Any) -> int | None:
    """A line that says what is owed, where it is known or follows."""
    place = writer.find(debt)
    if place is not None:
        return place
    if around is not None:
        name, lo, hi = around
        whole = writer.find(("all", name, lo, hi, debt))
        if whole is not None:
            one, other = writer.find(("<=", lo, name)), writer.find(("<=", name, hi))
            return writer.write(debt, "instance", whole, name, (one, other))
    if not free(debt) <= _spoken_of(writer, around):
        return trivial(writer, debt)
    try:
        return provable(writer, debt)
    except (NotFound, Rejected, NotApplicable):
        return None


def _spoken_of(writer: Writer, around: Any) -> frozenset[str]:
    """Names of which something is known here."""
    known = frozenset().union(*(free(line) for line in writer.here.lines))
    return known if around is None else known | {around[0]}


def trivial(writer: Writer, debt: Tree) -> int | None:
    """An equation whose sides are one expression."""
    if debt[0] != "=" or debt[1] != debt[2]:
        return None
    try:
        return products.quickly(writer, debt)
    except (NotFound, Rejected):
        return None


def provable(writer: Writer, debt: Tree) -> int:
    """A proof of something that is owed, if it is short.

    Raises: NotFound.
    """
    if debt[0] in ("all", "every"):
        return _for_all(writer, debt)
    forms = writer.forms
    if forms.is_vector(debt[1]) or forms.is_vector(debt[2]):
        if debt[1] == debt[2]:
            return writer.write(debt, "vectors", "1", (), ())
        raise NotFound(debt)
    attempt = writer.branch()
    attempt.settle()
    attempt = attempt.about_numbers(debt)
    products.quickly(attempt, debt)
    place = attempt.find(debt)
    writer.adopt(attempt)
    if place is None:
        raise NotFound(debt)
    return place


def _for_all(writer: Writer, debt: Tree) -> int:
    """The same for every index: from what is known for every index of a range that holds it."""
    if debt[0] == "every":
        raise NotFound(debt)
    _, index, lo, hi, body = debt
    for place, line in enumerate(writer.here.lines):
        if line[0] == "all" and substitute(line[4], {line[1]: index}) == body:
            new = fresh(index, frozenset(writer.here.kinds))
            own = substitute(body, {index: new})

            def act(inner: Writer, place: int = place, new: str = new, own: Tree = own) -> None:
                _, _, first, last, _ = inner.here.lines[place]
                one = products.quickly(inner, ("<=", first, new))
                other = products.quickly(inner, ("<=", new, last))
                inner.write(own, "instance", place, new, (one, other))

            granted = writer.here.inside({new: "whole"}, ("<=", lo, new), ("<=", new, hi))
            return writer.block("all", ("all", new, lo, hi, own), granted, act)
    raise NotFound(debt)


def read_as(writer: Writer, said: Tree, line: int, meanings: tuple[int, ...]) -> int:
    """What a line says, with names for its parts."""
    if writer.here.lines[line] == said:
        return line
    known = writer.find(said)
    if known is not None:
        return known
    if writer.forms.is_vector(said[1]) or writer.forms.is_vector(said[2]):
        return writer.write(said, "vectors", "1", (("1", line),), meanings)
    plain = tuple(m for m in meanings if _names_one(writer, m))
    terms = [("1", ("neg",)), ("1", (line,)), *_shares(writer, said, line, meanings, plain)]
    try:
        return writer.write(said, "combine", tuple(terms), plain)
    except Rejected:
        attempt = writer.branch()
        attempt.equal = plain
        products.prove(attempt, said)
        return writer.adopt(attempt)


def _names_one(writer: Writer, place: int) -> bool:
    left = writer.here.lines[place][1]
    return (isinstance(left, str) and left in writer.here.kinds) or (
        isinstance(left, tuple) and left[0] == "of"
    )


def _shares(
    writer: Writer, said: Tree, line: int, meanings: tuple[int, ...], plain: tuple[int, ...]
) -> list[Any]:
    """How often each equation value = part is used that is not read as a name: by a monomial of the value."""
    forms = writer.here.forms(plain)
    known = writer.here.lines[line]
    left = forms.number(said[2]) - forms.number(said[1]) - forms.number(known[2]) + forms.number(known[1])
    found = []
    for place in meanings:
        _, value, part = writer.here.lines[place]
        gap = forms.number(part) - forms.number(value)
        if place in plain or not left.above or gap.below:
            continue
        parts = forms.number(part).above
        own = [(m, c) for m, c in forms.number(value).above.items() if m not in parts]
        if not own:
            continue
        m, c = max(own, key=lambda t: (len(t[0]), str(t[0])))
        taken = {}
        for n, d in left.above.items():
            exponents = dict(n)
            if all(exponents.get(a, 0) >= e for a, e in m):
                taken[join(n, tuple((a, -e) for a, e in m))] = -d / c
        if taken:
            q = Quotient(taken, left.below)
            left = left - forms.times(q, gap)
            found.append(("1", (("*", tree_of(forms, q)), place)))
    return found
