"""One step used in another: what its names stand for here, and where its hypotheses come from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sympy as sp

from fedproof.proof.certify import citing, products
from fedproof.proof.certify.debts import at_index, paid
from fedproof.proof.certify.families import families, total, unfolded
from fedproof.proof.certify.lifting import Lifted, lifted, replay, vectors_for_numbers
from fedproof.proof.certify.limits import NotFound
from fedproof.proof.certify.translate import expression, relation
from fedproof.proof.certify.writer import Writer, tree_of
from fedproof.proof.kernel.polynomials import Quotient, join
from fedproof.proof.kernel.trees import Rejected, Tree, free, fresh, substitute
from fedproof.proof.sayings import stand_for
from fedproof.proof.sequences import is_sequence_term
from fedproof.proof.step import Applied, Step
from fedproof.proof.vectors import Vector


def applied(
    writer: Writer, step: Step, use: Applied, said: Any, known: Mapping[str, Any], spoken: Mapping[str, str],
    proof: Callable[[Step], tuple[Any, ...]],
) -> int:  # fmt: skip
    """The line that says what a used step says here.

    Arguments:
        step: that uses it.
        said: the relation as that step reads it.
        spoken: the names that the user step speaks of, with their kinds.
        proof: gives the lines that prove a step.

    Raises: NotFound.
    """
    if use.step.id not in known:
        if use.step.rule == "cite":
            for value in stand_for(use).values():
                _defined(writer, value)
            for debt in citing.owed(step, use):
                if paid(writer, debt, None) is None:
                    carry(writer, debt, None, {"kind": "carried", "id": use.step.id})
            return writer.assume(relation(said), {"kind": "cited", "id": use.step.id})
        raise NotFound(f"{use.step.id} is not proved")
    judgement = known[use.step.id].judgement
    vectors = vectors_for_numbers(use)
    if vectors:
        judgement = lifted(judgement, proof(use.step), vectors)
    values, parts = values_of(writer, use, judgement, spoken)
    if use.over is None:
        return used(writer, use, judgement, values, parts, relation(said), None)
    index, lo, hi = use.over[0].name, expression(use.over[1]), expression(use.over[2])
    name = fresh(index, frozenset(writer.here.kinds))
    move = {index: name}
    values = {k: substitute(v, move) for k, v in values.items()}
    if index in judgement.names:
        values.setdefault(index, name)
    parts = [(substitute(p, move), substitute(v, move)) for p, v in parts]
    wanted = relation(said)
    body = substitute(wanted[4], {wanted[1]: name})
    around = (name, lo, hi)
    for part, value in parts:
        carry(writer, ("=", value, part), around, {"kind": "part", "id": use.step.id})
    grants = (("<=", lo, name), ("<=", name, hi))
    debts = [substitute(g, values) for g in judgement.given]
    trial = Writer(writer.here.inside({name: "whole"}, *grants), [], ())
    at_index(trial, name, lo, hi)
    for debt in sorted(debts, key=_late):
        if paid(trial, debt, None) is None:
            carry(writer, debt, around, {"kind": "carried", "id": use.step.id})
            trial.here.lines.append(debt)

    def act(inner: Writer) -> None:
        at_index(inner, name, lo, hi)
        used(inner, use, judgement, values, parts, body, around)

    inner = writer.here.inside({name: "whole"}, *grants)
    return writer.block("all", ("all", name, lo, hi, body), inner, act)


def _late(debt: Tree) -> int:
    """Equations come before what may follow from them."""
    while debt[0] in ("all", "every"):
        debt = debt[-1]
    return 0 if debt[0] == "=" else 1


def carry(writer: Writer, said: Tree, around: Any, origin: Any) -> int:
    """A hypothesis that nothing here grants: it stands on the judgement for all to see."""
    if around is not None and around[0] in free(said):
        name, lo, hi = around
        said = ("all", name, lo, hi, said)
    place = writer.find(said)
    return writer.assume(said, origin) if place is None else place


def values_of(
    writer: Writer, use: Applied, judgement: Any, spoken: Mapping[str, str]
) -> tuple[dict[str, Tree], list[tuple[Tree, Tree]]]:
    """What names of the used step stand for, and which of its parts have a name here."""
    values: dict[str, Tree] = {}
    parts: list[tuple[Any, Any]] = []
    meanings = use.step.meanings
    for key, value in use.at:
        point = _point(key, value, values, spoken)
        if point is not None:
            values[point[0]] = point[1]
            continue
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
    named, given = judgement.names, judgement.given
    own = unfolded(use, named, given, values, spoken)
    if use.over is not None:
        rest = {n: k for n, k in named.items() if n not in own}
        values |= families(writer, use, rest, given, values, spoken)
    for name, kind in named.items():
        here = writer.here.kinds.get(name)
        if name in own or name in values or here is None:
            continue
        if here != kind and {here, kind} != {"real", "whole"}:
            values[name] = other_name(writer, name, kind)
    for name, kind in named.items():
        if kind == "whole" and name in values:
            for other in free(values[name]):
                if writer.here.kinds.get(other) == "real":
                    writer.become(other, "whole")
        if name not in values and name not in own:
            here = writer.here.kinds.get(name)
            if here is None or (here, kind) == ("real", "whole"):
                writer.become(name, kind)
    for name, meaning in own.items():
        value = substitute(meaning, values)
        if total(meaning) or _defined(writer, value):
            values[name] = value
        elif writer.here.kinds.get(name, named[name]) == named[name]:
            writer.declare(name, named[name])
        else:
            values[name] = other_name(writer, name, named[name])
    shown = [(substitute(expression(k), values), expression(v)) for k, v in parts]
    return values, shown


def _point(
    key: Any, value: Any, values: Mapping[str, Tree], spoken: Mapping[str, str]
) -> tuple[str, Tree] | None:
    """Of a difference of two points that has a name here, the first point, which is free."""
    if not isinstance(key, sp.Add) or not all(isinstance(v, Vector) for v in key.free_symbols):
        return None
    for x in key.args:
        if isinstance(x, Vector) and x.name not in values and x.name not in spoken:
            rest = [expression(a) for a in key.args if a is not x]
            return x.name, ("+", expression(value), *(("*", "-1", r) for r in rest))
    return None


def other_name(writer: Writer, name: str, kind: str) -> str:
    """A name of a kind, where one is taken for another kind."""
    while writer.here.kinds.get(name, kind) != kind:
        name += "_"
    writer.declare(name, kind)
    return name


def _defined(writer: Writer, value: Tree) -> bool:
    """Whether it is easily proved that an expression is defined; lines that say so are written."""
    if value[0] == "map":
        return False
    attempt = writer.branch()
    attempt.settle_as(())
    try:
        products.define(attempt, ("=", value, value))
    except (NotFound, Rejected):
        return False
    attempt.settle_as(writer.equal)
    writer.adopt(attempt)
    return True


def used(
    writer: Writer,
    use: Applied,
    judgement: Any,
    values: Mapping[str, Tree],
    parts: list[tuple[Tree, Tree]],
    said: Tree,
    around: Any,
) -> int:
    """Use a step at one place: pay what it assumes, then read its parts by their names."""
    for name, kind in judgement.names.items():
        if name not in values and name not in writer.here.kinds:
            writer.declare(name, kind)
    meanings = tuple(_carry_here(writer, ("=", v, p), around, use) for p, v in parts)
    pays: dict[int, int] = {}
    debts = [substitute(g, values) for g in judgement.given]
    for k, debt in sorted(enumerate(debts), key=lambda d: _late(d[1])):
        place = paid(writer, debt, around)
        pays[k] = _carry_here(writer, debt, around, use) if place is None else place
    claim = substitute(judgement.claim, values)
    put = tuple((n, v) for n, v in values.items() if n in judgement.names)
    line = None if claim in debts else writer.find(claim)  # what is only said again is used, to be told whose
    if line is None and isinstance(judgement, Lifted):
        line = replay(writer, judgement, values, tuple(pays[k] for k in range(len(debts))))
    elif line is None:
        line = writer.write(claim, "use", use.step.id, put, tuple(pays[k] for k in range(len(debts))))
    return read_as(writer, said, line, meanings)


def _carry_here(writer: Writer, debt: Tree, around: Any, use: Applied) -> int:
    """A hypothesis carried up, at the index of this block where there is one."""
    if around is None:
        place = paid(writer, debt, None) if debt[0] == "=" else None
        if place is not None:
            return place
        kind = "part" if debt[0] == "=" else "carried"
        return carry(writer, debt, None, {"kind": kind, "id": use.step.id})
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
        if place in plain or not left.above or forms.is_vector(value) or forms.is_vector(part):
            continue
        gap = forms.number(part) - forms.number(value)
        if gap.below:
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
