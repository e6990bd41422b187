"""What a used step assumes: found among what is known, or proved from it where that is short."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any

from fedproof.proof.certify import products
from fedproof.proof.certify.facts import inverse
from fedproof.proof.certify.limits import NotFound, within
from fedproof.proof.certify.reaching import reached
from fedproof.proof.certify.writer import Writer, atom_tree, speaks_beyond_numbers, tree_of
from fedproof.proof.kernel.polynomials import Monomial, number
from fedproof.proof.kernel.trees import NUMBER, Rejected, Tree, alike, free, fresh, substitute
from fedproof.proof.rules.query import NotApplicable

#: how much a relation may say that is searched for, and for how many seconds of processor time
SHORT, BRIEF = 24, 0.5


def paid(writer: Writer, debt: Tree, around: Any) -> int | None:
    """A line that says what is owed, where it is known or follows.

    Arguments:
        around: index and ends of the block, if the step is used for every index.
    """
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
        place = trivial(writer, debt)
        return _searched(writer, debt) if place is None else place
    try:
        return provable(writer, debt)
    except (NotFound, Rejected, NotApplicable):
        return _searched(writer, debt)


def pay_idle(writer: Writer) -> None:
    """Add that what sums divide by is not 0, where it follows, for sums that may be empty."""
    for line in list(writer.here.lines):
        here, body = writer.here, line
        while body[0] in ("all", "every"):
            new = fresh(body[1], frozenset(here.kinds))
            here = here.inside({new: "whole" if body[0] == "all" else body[2]})
            body = substitute(body[-1], {body[1]: new})
        for need, q in here.idle(body).items():
            owed = ("!=", tree_of(here.forms(), q), "0")
            if need.kind == "nonzero" and free(owed) <= set(writer.here.kinds):
                with suppress(NotFound, Rejected, NotApplicable):
                    paid(writer, owed, None)


def _searched(writer: Writer, debt: Tree) -> int | None:
    """A proof of a short relation between numbers, looked for briefly."""
    if debt[0] not in ("<=", "<", "=", "!=") or speaks_beyond_numbers(debt) or _size(debt) > SHORT:
        return None
    spoken = _spoken_of(writer, None)
    if any(isinstance(s, str) and free(s) - spoken for s in debt[1:]):
        return None  # a name of which nothing is known
    attempt = writer.branch()
    attempt.settle(beyond=False)
    attempt = attempt.about_numbers(debt)
    try:
        with within(BRIEF):
            products.prove(attempt, debt)
    except (NotFound, Rejected, NotApplicable):
        return None
    place = attempt.find(debt)
    attempt.settle_as(writer.equal)
    attempt.hidden = writer.hidden
    writer.adopt(attempt)
    return place


def _size(tree: Tree) -> int:
    return 1 if isinstance(tree, str) else sum(map(_size, tree))


def _spoken_of(writer: Writer, around: Any) -> frozenset[str]:
    """Names of which something is known here."""
    known = frozenset().union(*(free(line) for line in writer.here.lines))
    return known if around is None else known | {around[0]}


def trivial(writer: Writer, debt: Tree) -> int | None:
    """An equation whose sides are one expression, or a sign that every expression of its form has."""
    try:
        if debt[0] in ("all", "every"):
            return provable(writer, debt)
        if debt[0] == "=" and debt[1] == debt[2]:
            return products.quickly(writer, debt)
        if debt[0] in ("<=", "<") and not writer.forms.is_vector(debt[1]):
            return _signed(writer, debt)
    except (NotFound, Rejected):
        pass
    return None


def provable(writer: Writer, debt: Tree) -> int:
    """A proof of something that is owed, if it is short.

    Raises: NotFound.
    """
    if debt[0] == "every":
        return _for_every(writer, debt)
    if debt[0] == "all":
        return _for_all(writer, debt)
    forms = writer.forms
    if forms.is_vector(debt[1]) or forms.is_vector(debt[2]):
        return _same_vector(writer, debt)
    attempt = writer.branch()
    attempt.settle()
    attempt = attempt.about_numbers(debt)
    try:
        products.quickly(attempt, debt)
    except (NotFound, Rejected):
        attempt = writer.branch()
        attempt.equal = read_by(writer)
        _signed(attempt, debt) if debt[0] in ("<=", "<") else products.quickly(attempt, debt)
    place = attempt.find(debt)
    attempt.settle_as(writer.equal)
    writer.adopt(attempt)
    if place is None:
        raise NotFound(debt)
    return place


def _same_vector(writer: Writer, debt: Tree) -> int:
    """An equation of vectors that are one when all names are read as what they stand for."""
    if debt[1] == debt[2]:
        return writer.write(debt, "vectors", "1", (), ())
    return writer.write(debt, "vectors", "1", (), read_by(writer))


def read_by(writer: Writer) -> tuple[int, ...]:
    """Equations that say what a name or a term is, each once and none by itself, in an order to read them."""
    given: dict[Tree, int] = {}
    meaning: dict[str, set[str]] = {}
    for place, line in enumerate(writer.here.lines):
        if line[0] != "=" or place in writer.hidden:
            continue
        one, other = _read(line)
        head = one if isinstance(one, str) else one[1] if one[0] == "of" else None
        if head not in writer.here.kinds or writer.here.kinds[head] == "whole" or one in given:
            continue
        if head not in reached(free(other), lambda n: meaning.get(n, ())):
            given[one] = place
            meaning.setdefault(head, set()).update(free(other))
    order: list[int] = []
    for one in given:
        _before(one if isinstance(one, str) else one[1], given, meaning, order)
    return tuple(dict.fromkeys(order))


def _before(head: str, given: dict[Tree, int], meaning: dict[str, set[str]], order: list[int]) -> None:
    """The equations that a name's meaning needs, then its own."""
    own = [p for one, p in given.items() if head == (one if isinstance(one, str) else one[1])]
    if not own or own[0] in order:
        return
    for other in sorted(meaning[head]):
        _before(other, given, meaning, order)
    order += [p for p in own if p not in order]


def _signed(writer: Writer, debt: Tree) -> int:
    """That something is >= 0 or > 0 which is made of what plainly is.

    Raises: NotFound.
    """
    above, least = _signs(writer)
    terms = None
    if debt[1] == "0":
        terms = _plainly(writer, debt[2], above, least, writer.equal)
    if terms is None:
        gap = writer.gap(debt)
        if gap.below:
            raise NotFound(debt)
        terms = []
        for m, c in gap.above.items():
            factors = _factors(writer, m, above, least)
            if c < 0 or factors is None:
                raise NotFound(debt)
            terms.append((str(c), factors))
    return writer.write(debt, "combine", (("1", ("neg",)), *terms), writer.equal)


def _signs(writer: Writer) -> tuple[dict[int, int], dict[int, int]]:
    """Atoms that lines say to be > 0, or >= 0."""
    above: dict[int, int] = {}
    least: dict[int, int] = {}
    for place in range(len(writer.here.lines)):
        line = writer.here.lines[place]
        gap = writer.said(place) if line[0] in ("<", "<=") else None
        if gap is None or gap.below:
            continue
        parts = [(m, c) for m, c in gap.above.items() if m]
        rest = gap.above.get((), number(0))
        if len(parts) != 1 or len(parts[0][0]) != 1 or parts[0][0][0][1] != 1 or parts[0][1] != 1:
            continue
        a = parts[0][0][0][0]
        if rest == 0:
            (above if line[0] == "<" else least).setdefault(a, place)
        elif rest < 0 and a not in above:
            claim = ("<", "0", atom_tree(writer.forms, a))
            above[a] = writer.write(
                claim, "combine", (("1", ("neg",)), ("1", (place,)), (str(-rest), ())), writer.equal
            )
    return above, least


def _plainly(
    writer: Writer, tree: Tree, above: Mapping[int, int], least: Mapping[int, int], equal: tuple[int, ...]
) -> list[Any] | None:
    """A number as a sum of products of what is >= 0, as it stands, names being read by equations."""
    if isinstance(tree, str) and NUMBER.match(tree):
        return None if tree.startswith("-") else [] if tree == "0" else [(tree, ())]
    if isinstance(tree, tuple) and tree[0] == "n2":
        return [("1", (tree,))]
    if isinstance(tree, tuple) and tree[0] in ("+", "*"):
        parts = [_plainly(writer, p, above, least, equal) for p in tree[1:]]
        known = [p for p in parts if p is not None]
        if len(known) < len(parts):
            return None
        if tree[0] == "+":
            return [term for p in known for term in p]
        found: list[Any] = [("1", ())]
        for p in known:
            found = [(_product(c, d), (*f, *g)) for c, f in found for d, g in p]
        return found
    for k, place in enumerate(equal):
        name, value = _read(writer.here.lines[place])
        if name == tree:
            return _plainly(writer, value, above, least, equal[:k])
    gap = writer.forms.number(tree)
    if gap.below or len(gap.above) != 1:
        return None
    ((m, c),) = gap.above.items()
    factors = _factors(writer, m, above, least) if c > 0 else None
    return None if factors is None else [(str(c), factors)]


def _read(line: Tree) -> tuple[Tree, Tree]:
    """What an equation reads as what: its left side, if it is a name or a term."""
    _, left, right = line
    named = isinstance(left, str) and not NUMBER.match(left)
    return (left, right) if named or left[0] == "of" else (right, left)


def _product(one: str, other: str) -> str:
    """The product of two numbers as a certificate writes them."""
    return str(Fraction(one) * Fraction(other))


def _factors(
    writer: Writer, m: Monomial, above: Mapping[int, int], least: Mapping[int, int]
) -> tuple[Any, ...] | None:
    """A product of atoms that are >= 0, as factors; None where one may be negative."""
    found: list[Any] = []
    for a, e in m:
        atom = writer.forms.atoms[a]
        if a in above:
            found += [above[a] if e > 0 else inverse(writer, a, above[a])] * abs(e)
        elif e < 0:
            return None
        elif e % 2 == 0:
            found += [("sq", atom_tree(writer.forms, a))] * (e // 2)
        elif a in least:
            found += [least[a]] * e
        elif atom.kind == "ip" and atom.parts[0] == atom.parts[1]:
            found += [("n2", atom_tree(writer.forms, atom.parts[0]))] * e
        else:
            return None
    return tuple(found)


def _for_all(writer: Writer, debt: Tree) -> int:
    """The same for every index: from what is known for every index of a range that holds it."""
    _, index, lo, hi, body = debt
    new = fresh(index, frozenset(writer.here.kinds))
    own = substitute(body, {index: new})
    granted = writer.here.inside({new: "whole"}, ("<=", lo, new), ("<=", new, hi))
    near = (new, *(("+", *p) for c in ("1", "-1") for p in ((new, c), (c, new))))
    for place, line in enumerate(writer.here.lines):
        if line[0] != "all" or not _may_say(line, own, new):
            continue
        for value in (v for v in near if alike(substitute(line[4], {line[1]: v}), own)):

            def there(inner: Writer, place: int = place, value: Tree = value) -> None:
                _, _, first, last, _ = inner.here.lines[place]
                one = products.quickly(inner, ("<=", first, value))
                other = products.quickly(inner, ("<=", value, last))
                inner.write(own, "instance", place, value, (one, other))

            with suppress(NotFound, Rejected):
                return writer.block("all", ("all", new, lo, hi, own), granted, there)

    def act(inner: Writer) -> None:
        at_index(inner, new, lo, hi)
        place = provable(inner, own)
        if place != len(inner.here.lines) - 1:
            raise NotFound(debt)

    return writer.block("all", ("all", new, lo, hi, own), granted, act)


def _may_say(line: Tree, own: Tree, name: str) -> bool:
    """Whether a line for every index speaks of the same things as a relation at one with that name."""
    _, index, _, _, body = line
    names = free(body)
    put = names - {index} | {name} if index in names else names
    return bool(body[0] == own[0] and put == free(own))


def _for_every(writer: Writer, debt: Tree) -> int:
    """A proof with a new name."""
    _, name, kind, body = debt
    new = fresh(name, frozenset(writer.here.kinds))
    own = substitute(body, {name: new})

    def act(inner: Writer) -> None:
        place = provable(inner, own)
        if place != len(inner.here.lines) - 1:
            raise NotFound(debt)

    return writer.block("every", ("every", new, kind, own), writer.here.inside({new: kind}), act)


def at_index(writer: Writer, index: str, lo: Tree, hi: Tree) -> None:
    """What is known for every index between two ends, for this one."""
    one, other = writer.find(("<=", lo, index)), writer.find(("<=", index, hi))
    for place, said in [*_between(writer, lo, hi)]:
        body = substitute(said[4], {said[1]: index})
        if writer.find(body) is None:
            writer.write(body, "instance", place, index, (one, other))


def _between(writer: Writer, lo: Tree, hi: Tree) -> Iterator[tuple[int, Tree]]:
    for place, line in enumerate(writer.here.lines):
        if line[0] == "all" and line[2:4] == (lo, hi):
            yield place, line
