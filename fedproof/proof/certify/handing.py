"""One step used in another about functions: its names get values, and each of its hypotheses is had here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import sympy as sp

from fedproof.proof.certify import products
from fedproof.proof.certify.limits import NotFound
from fedproof.proof.certify.translate import expression
from fedproof.proof.certify.writer import Writer
from fedproof.proof.kernel.judgement import Judgement
from fedproof.proof.kernel.trees import ORDER, Rejected, Tree, alike, free, fresh, substitute
from fedproof.proof.language.everywhere import Always
from fedproof.proof.rules.query import NotApplicable
from fedproof.proof.sequences import is_sequence_term
from fedproof.proof.step import Applied
from fedproof.vocabulary.errors import InputError

_MISSED = (NotFound, Rejected, NotApplicable)


def used(writer: Writer, use: Applied, judgement: Judgement) -> int:
    """The line that says what a proved step says here, for one case or for every index.

    Raises: NotFound naming the hypothesis that is not had.
    """
    values = {k: v for k, v in _values(use) if k in judgement.names}
    if use.over is None:
        return _used(writer, use.step.id, judgement, values)
    index, lo, hi = use.over[0].name, expression(use.over[1]), expression(use.over[2])
    new = fresh(index, frozenset(writer.here.kinds))
    values = {k: substitute(v, {index: new}) for k, v in values.items()}
    if index in judgement.names:
        values.setdefault(index, new)
    inner = writer.here.inside({new: "whole"}, ("<=", lo, new), ("<=", new, hi))
    body = substitute(judgement.claim, values)
    said = ("all", new, lo, hi, body)
    return writer.block("all", said, inner, lambda w: _used(w, use.step.id, judgement, values))


def for_all_values(writer: Writer, use: Always, judgement: Judgement) -> int:
    """The line that says what a proved step says for all values of some of its names."""
    kinds = {n.name: judgement.names[n.name] for n in use.names}
    apart = {n: fresh(n, frozenset(writer.here.kinds)) for n in kinds}
    values = {n: a for n, a in apart.items() if n != a}

    def at(writer: Writer, left: list[str]) -> None:
        if not left:
            _used(writer, use.step.id, judgement, values)
            return
        new, kind = apart[left[0]], kinds[left[0]]
        said = substitute(judgement.claim, values)
        for n in reversed(left):
            said = ("every", apart[n], kinds[n], said)
        inner = writer.here.inside({new: kind})
        writer.block("every", said, inner, lambda w: at(w, left[1:]))

    at(writer, list(kinds))
    return len(writer.here.lines) - 1


def _values(use: Applied) -> Iterator[tuple[str, Tree]]:
    """What names of a used step stand for here."""
    for key, value in use.at:
        if isinstance(key, sp.Symbol):
            yield key.name, expression(value)
        elif is_sequence_term(key):
            names = tuple(a.name for a in key.args)
            yield key.func.__name__, ("map", names, expression(value))
        else:
            raise InputError(f"key of {use.step.id}.at", key, "a name or a term such as f(x)")


def _used(writer: Writer, id: str, judgement: Judgement, values: dict[str, Tree]) -> int:
    missing = [n for n in judgement.names if n not in values and n not in writer.here.kinds]
    if missing:
        raise NotFound(f"{missing[0]} of {id} has no value here")
    pays = tuple(paid(writer, substitute(g, values)) for g in judgement.given)
    return writer.write(substitute(judgement.claim, values), "use", id, tuple(values.items()), pays)


def paid(writer: Writer, debt: Tree) -> int:
    """A line that says what is owed.

    Raises: NotFound.
    """
    place = writer.find(debt)
    if place is not None:
        return place
    if debt[0] == "all":
        return _paid_for_all(writer, debt)
    if debt[0] == "every":
        return _paid_for_every(writer, debt)
    for way in (_instance, _rewritten, _proved):
        try:
            return way(writer, debt)
        except _MISSED:
            continue
    raise NotFound(f"owed: {debt}")


def _paid_for_all(writer: Writer, debt: Tree) -> int:
    _, index, lo, hi, body = debt
    new = fresh(index, frozenset(writer.here.kinds))
    own = substitute(body, {index: new})
    inner = writer.here.inside({new: "whole"}, ("<=", lo, new), ("<=", new, hi))

    def act(writer: Writer) -> None:
        place = paid(writer, own)
        if not writer.lines or place != len(writer.here.lines) - 1:
            again(writer, own, place)

    return writer.block("all", ("all", new, lo, hi, own), inner, act)


def _paid_for_every(writer: Writer, debt: Tree) -> int:
    """From what is known for all values, in other words, or at the indices here."""
    try:
        return _instance(writer, debt)
    except _MISSED:
        pass
    _, name, kind, body = debt
    new = fresh(name, frozenset(writer.here.kinds))
    own = substitute(body, {name: new})

    def act(writer: Writer) -> None:
        for place, line in enumerate(list(writer.here.lines)):
            if line[0] == "every" and line[2] == kind:
                said = substitute(line[3], {line[1]: new})
                if alike(said, own) or _equal(writer, said, own) or said[0] == own[0] == "every":
                    writer.write(said, "instance", place, new)
        place = paid(writer, own)
        if place != len(writer.here.lines) - 1:
            again(writer, own, place)

    return writer.block("every", ("every", new, kind, own), writer.here.inside({new: kind}), act)


def again(writer: Writer, said: Tree, place: int) -> int:
    """A line that was had, written once more as the last one."""
    if said[0] in ("all", "every"):
        raise NotFound(f"{said} is not the last line")
    if writer.forms.is_vector(said[1]) or writer.forms.is_vector(said[2]):
        return writer.write(said, "vectors", "1", (("1", place),), ())
    return writer.write(said, "combine", (("1", ("neg",)), ("1", (place,))), ())


def _instance(writer: Writer, debt: Tree) -> int:
    """What is known for every index of one range or of several, for whole names that are free here."""
    wholes = [n for n, kind in reversed(writer.here.kinds.items()) if kind == "whole"]
    for place, line in enumerate(list(writer.here.lines)):
        for names in _indices(writer, line, debt, wholes):
            return _instances(writer, place, names, debt)
    raise NotFound(debt)


def _indices(writer: Writer, line: Tree, debt: Tree, wholes: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """For which indices a line says what is owed."""
    if line[0] != "all":
        return
    for name in wholes:
        said = substitute(line[4], {line[1]: name})
        if alike(said, debt) or _equal(writer, said, debt):
            yield (name,)
        yield from ((name, *more) for more in _indices(writer, said, debt, wholes))


def _instances(writer: Writer, place: int, names: Sequence[str], debt: Tree) -> int:
    """A line at some indices, one range after the other."""
    for name in names:
        _, index, lo, hi, body = writer.here.lines[place]
        said = substitute(body, {index: name})
        pays = tuple(products.of_numbers(writer, r) for r in (("<=", lo, name), ("<=", name, hi)))
        place = writer.write(said, "instance", place, name, pays)
    return place if alike(said, debt) else again(writer, debt, place)


def _rewritten(writer: Writer, debt: Tree) -> int:
    """A line that says the same in other words."""
    for place, line in enumerate(writer.here.lines):
        if _equal(writer, line, debt):
            return again(writer, debt, place)
    raise NotFound(debt)


def _equal(writer: Writer, one: Tree, other: Tree) -> bool:
    """Whether two relations have one normal form."""
    if one[0] != other[0] or one[0] not in ORDER:
        return False
    if free(one) != free(other):
        return False
    forms = writer.here.forms()
    try:
        vector = [any(forms.is_vector(s) for s in r[1:]) for r in (one, other)]
        if vector[0] != vector[1]:
            return False
        if vector[0]:
            return all(forms.vector(a) == forms.vector(b) for a, b in zip(one[1:], other[1:], strict=True))
        gaps = [forms.number(r[2]) - forms.number(r[1]) for r in (one, other)]
    except Rejected:
        return False
    return not (gaps[0] - gaps[1]).above


def _proved(writer: Writer, debt: Tree) -> int:
    """A short proof of what is owed between numbers."""
    if debt[0] not in ORDER or any(writer.forms.is_vector(s) for s in debt[1:]):
        raise NotFound(debt)
    attempt = writer.branch().about_numbers(debt)
    attempt.settle()
    products.prove(attempt, debt, effort=1)
    place = attempt.find(debt)
    if place is None:
        raise NotFound(debt)
    writer.adopt(attempt)
    return place
