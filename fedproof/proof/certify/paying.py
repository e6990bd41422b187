"""What is owed, paid from what is known and from a paper's formulas at the points that it speaks of."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import islice, product
from typing import Any

from fedproof.proof.certify import preparing, products
from fedproof.proof.certify.writer import NotFound, Writer, tree_of
from fedproof.proof.kernel.relations import reading
from fedproof.proof.kernel.trees import NUMBER, Rejected, Tree, free, fresh, substitute
from fedproof.proof.standing import Standing

#: at how many points one assumption is tried for one hypothesis; how many equations are put in
MOST, DEEPEST = 12, 40


@dataclass
class Payer:
    """Pays debts in a writer.

    Arguments:
        writer: what is known; assumptions and lines are added to it.
        standing: what may be assumed.
    """

    writer: Writer
    standing: Standing

    def pay(self, debt: Tree) -> int:
        """A line that says what is owed.

        Raises: NotFound, Rejected.
        """
        place = self.writer.find(debt)
        if place is not None:
            return place
        for ids in self._chosen(debt):
            with suppress(NotFound, Rejected):
                return self._try(debt, ids)
        raise NotFound(f"{debt}")

    def _chosen(self, debt: Tree) -> Iterator[tuple[int, ...]]:
        """Which assumptions may help: none, then those that speak of nothing else, then all that may.

        Those that say that something is a sum do only where a sum is spoken of.
        """
        yield ()
        formulas = self.standing.formulas
        spoken = _reached(debt, self.standing)
        summed = "sum" in _words(debt)
        fit = [i for i, (_, f) in enumerate(formulas) if summed or "sum" not in _words(f)]
        equations = [i for i in fit if _defines(formulas[i][1]) in spoken]
        others = [i for i in fit if not _defines(formulas[i][1]) and _heads(formulas[i][1]) <= spoken]
        if equations or others:
            yield (*equations, *others)
        if not summed:
            more = [
                i
                for i, (_, f) in enumerate(formulas)
                if "sum" in _words(f) and _defines(f) in _heads(debt) and "real" in self._result(f)
            ]
            if more:
                yield (*equations, *more, *others)
        for i, (_, f) in enumerate(formulas if debt[0] == "<=" else ()):
            if (
                len(_heads(f)) == 2
                and len(_heads(f) - spoken) == 1
                and _heads(f) & spoken
                and not _defines(f)
            ):
                yield (i,)

    def _result(self, tree: Tree) -> str:
        """The kind of the function whose values a formula gives."""
        return self.standing.functions.get(_defines(tree), "").partition("(")[0]

    def _try(self, debt: Tree, ids: Sequence[int]) -> int:
        """A proof from some of the assumptions; those that no line takes are left away."""
        attempt = self.writer.branch()
        attempt.origins = list(self.writer.origins)
        places = []
        for i in ids:
            id, tree = self.standing.formulas[i]
            known = attempt.find(tree)
            places.append(attempt.assume(tree, {"kind": "assumption", "id": id}) if known is None else known)
        place = owed(attempt, debt, places, self.standing)
        attempt.settle_as(())
        self.writer.origins[:] = attempt.origins
        self.writer.here, self.writer.lines = attempt.here, attempt.lines
        return place

    def defined(self, value: Tree) -> None:
        """Lines that say that a value is defined, where these are found."""
        if isinstance(value, tuple) and value[0] != "map":
            meet(self.writer, value)


def meet(writer: Writer, value: Tree) -> None:
    """Write lines that say that an expression is defined, as far as they are found."""
    with suppress(Rejected, NotFound):
        forms = writer.forms
        read = forms.vector if forms.is_vector(value) else forms.number
        _, needs = reading(forms, lambda: read(value))
        for need, q in needs.items():
            try:
                writer.here.defined(writer.equal, {need: q})
            except Rejected:
                if need.around:
                    products._define_inside(writer, need, tree_of(forms, q))
                elif need.kind == "nonnegative":
                    products.prove(writer, ("<=", "0", tree_of(forms, q)), 1, 0)
                else:
                    preparing.nonzero(writer, q, 0, products.prove)


def owed(writer: Writer, debt: Tree, formulas: Sequence[int], standing: Standing) -> int:
    """A line that says what is owed.

    Arguments:
        formulas: lines that hold for all points.

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
        return writer.block(debt[0], whole, inner, lambda w: _last(w, body, formulas, standing))
    return _leaf(writer, debt, formulas, standing)


def _last(writer: Writer, debt: Tree, formulas: Sequence[int], standing: Standing) -> None:
    place = owed(writer, debt, formulas, standing)
    if place == len(writer.here.lines) - 1 and writer.lines:
        return
    writer.settle_as(())
    if writer.forms.is_vector(debt[1]):
        writer.write(debt, "vectors", "1", (("1", place),), ())
    elif debt[0] in ("all", "every"):
        raise NotFound(f"{debt}")
    else:
        preparing.write(writer, debt, [("1", ("neg",)), ("1", (place,))])


def _leaf(writer: Writer, debt: Tree, formulas: Sequence[int], standing: Standing) -> int:
    """One relation, with what the formulas say at the points that it speaks of."""
    writer.settle(beyond=False)
    named = writer.equal
    sizes = len(writer.here.lines)
    equal = _equations(writer, debt, formulas)
    found = [*_known(writer, sizes), *_inequalities(writer, debt, formulas, equal)]
    if formulas and not equal and len(found) == len(_known(writer, sizes)):
        raise NotFound("no formula speaks of it")
    writer.settle_as((*named, *_ordered(writer, equal)))
    for part in _divisors(debt):
        with suppress(Rejected, NotFound):
            _above_zero(writer, part)
    meet(writer, debt[1])
    meet(writer, debt[2])
    if any(writer.forms.is_vector(s) for s in debt[1:]):
        return writer.write(debt, "vectors", "1", (), writer.equal)
    plain = plainly(writer, debt)
    if plain is not None:
        return plain
    for place in formulas:
        if debt[0] == "<=" and _tangent(writer.here.lines[place]):
            with suppress(Rejected, NotFound):
                return segment(writer, debt, place)
    writer.hidden = set(range(len(writer.here.lines))) - {*found, *equal}
    try:
        with suppress(NotFound):
            return _quickly(writer, debt)
        if formulas or _words(debt) & {"of", "ip", "n2", "sum"}:
            raise NotFound(f"{debt}")
        return products.prove(writer, debt, 1, 0)
    finally:
        writer.hidden = set()


def _quickly(writer: Writer, debt: Tree) -> int:
    """By an identity, or as a sum of lines; an equation by both inequalities."""
    with suppress(NotFound):
        return products.quickly(writer, debt)
    if debt[0] != "=":
        raise NotFound(f"{debt}")
    one = products.quickly(writer, ("<=", debt[1], debt[2]))
    other = products.quickly(writer, ("<=", debt[2], debt[1]))
    return writer.write(debt, "both", one, other)


def _known(writer: Writer, count: int) -> list[int]:
    """Lines between numbers that were there."""
    lines = writer.here.lines
    return [
        k for k in range(count) if lines[k][0] in ("<=", "<", "=") and not writer.forms.is_vector(lines[k][1])
    ]


def _divisors(tree: Tree) -> Iterator[Tree]:
    """What is divided by and speaks of more than numbers."""
    if isinstance(tree, tuple):
        if tree[0] == "^" and tree[2] == "-1" and _words(tree[1]) & {"n2", "abs"}:
            yield tree[1]
        for part in tree[1:]:
            yield from _divisors(part)


# -- formulas at points


def _equations(writer: Writer, debt: Tree, formulas: Sequence[int]) -> list[int]:
    """Lines that say what the functions' values that are spoken of are."""
    found: list[int] = []
    waiting, seen = list(_terms(debt)), set()
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
                    waiting += list(_terms(writer.here.lines[line]))
                    break
    return found


def _ordered(writer: Writer, places: Sequence[int]) -> list[int]:
    """Equations after those of the values that they speak of."""
    lines = writer.here.lines
    left = {lines[k][1]: k for k in reversed(places)}
    found: list[int] = []

    def add(k: int, above: frozenset[int]) -> None:
        for term in _terms(lines[k]):
            if term in left and left[term] not in found and left[term] not in above:
                add(left[term], above | {left[term]})
        if k not in found:
            found.append(k)

    for k in left.values():
        add(k, frozenset({k}))
    return found


def _inequalities(writer: Writer, debt: Tree, formulas: Sequence[int], equal: Sequence[int]) -> list[int]:
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
        elif part != value:
            return None
    return found


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
    terms = [t for s in spoken for t in _terms(s)]
    choices: list[list[Tree]] = []
    for name, kind in binders:
        places = {(t[1], p) for t in _terms(body) for p, a in enumerate(t[2:]) if a == name}
        by_place = [
            list(dict.fromkeys(t[2 + p] for t in terms if t[1] == f and len(t) > 2 + p))
            for f, p in sorted(places)
        ]
        found = min((c for c in by_place if c), key=len, default=[])
        if not found:
            names = sorted(free(spoken[0]))
            found = [n for n in names if writer.here.kinds.get(n) == kind]
            found += _vectors(spoken[0], writer) if kind == "vector" else []
        choices.append(list(dict.fromkeys(found)))
    yield from product(*choices)


def _vectors(tree: Tree, writer: Writer) -> list[Tree]:
    """Names and values that are vectors."""
    found = [n for n in sorted(free(tree)) if writer.here.kinds.get(n) == "vector"]
    return found + [t for t in _terms(tree) if writer.here.kinds.get(t[1], "").startswith("vector")]


def _terms(tree: Tree) -> Iterator[Tree]:
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
def _heads(tree: Tree) -> frozenset[str]:
    """Functions that occur."""
    if not isinstance(tree, tuple):
        return frozenset()
    own = frozenset({tree[1]}) if tree[0] == "of" else frozenset()
    return own.union(*(_heads(p) for p in tree[1:]))


@cache
def _words(tree: Tree) -> frozenset[str]:
    """What expressions begin with within a tree."""
    if not isinstance(tree, tuple):
        return frozenset()
    return frozenset({tree[0]}).union(*(_words(p) for p in tree[1:]))


def _defines(tree: Tree) -> str:
    """The function whose values a formula gives, if it does."""
    body, _ = opened(tree)
    given = body[0] == "=" and isinstance(body[1], tuple) and body[1][0] == "of"
    return str(body[1][1]) if given else ""


def _reached(debt: Tree, standing: Standing) -> frozenset[str]:
    """Functions that are spoken of, and those that give them."""
    found, before = _heads(debt), frozenset({""})
    while found != before:
        before = found
        for _, tree in standing.formulas:
            if _defines(tree) in found:
                found |= _heads(tree)
    return found


# -- signs


def plainly(writer: Writer, debt: Tree) -> int | None:
    """What is plain of signs: of sums of norms and sizes, and of these over something larger."""
    if debt[0] != "<=":
        return None
    with suppress(Rejected, NotFound):
        if debt[1] == "0":
            return _positive(writer, debt)
        if debt[2] == "1":
            return _share(writer, debt)
    return None


def _positive(writer: Writer, debt: Tree) -> int:
    """0 <= a, or < where a number is added."""
    above, below = _fraction(debt[2])
    terms = _plain(writer, above)
    if terms is None:
        raise NotFound(f"{debt}")
    less = () if below is None else (_above_zero(writer, below),)
    return writer.write(debt, "combine", (("1", ("neg", *less)), *terms), writer.equal)


def _share(writer: Writer, debt: Tree) -> int:
    """a/b <= 1 where b is a and more."""
    above, below = _fraction(debt[1])
    if below is None:
        raise NotFound(f"{debt}")
    line = _above_zero(writer, below)
    more = [t for t in _parts("+", below) if t != above]
    terms = _plain(writer, ("+", *more))
    if terms is None or len(more) == len(_parts("+", below)):
        raise NotFound(f"{debt}")
    return writer.write(debt, "combine", (("1", ("neg", line)), *terms), writer.equal)


def _above_zero(writer: Writer, tree: Tree) -> int:
    """A line that says that something is > 0."""
    claim = ("<", "0", tree)
    place = writer.find(claim)
    terms = _plain(writer, tree)
    if place is not None or terms is None:
        return products.prove(writer, claim, 1, 0) if place is None else place
    return writer.write(claim, "combine", (("1", ("neg",)), *terms), writer.equal)


def _fraction(tree: Tree) -> tuple[Tree, Tree | None]:
    """What stands above and below."""
    if isinstance(tree, tuple) and tree[0] == "*":
        below = [p for p in tree[1:] if isinstance(p, tuple) and p[0] == "^" and p[2] == "-1"]
        above = [p for p in tree[1:] if p not in below]
        if len(below) == 1 and above:
            return (("*", *above) if len(above) > 1 else above[0]), below[0][1]
    return tree, None


def _parts(head: str, tree: Tree) -> list[Tree]:
    """The terms of nested sums, or the factors of products."""
    if isinstance(tree, tuple) and tree[0] == head:
        return [q for p in tree[1:] for q in _parts(head, p)]
    return [tree]


def _plain(writer: Writer, tree: Tree) -> list[Any] | None:
    """A number as a sum of products of norms, squares, sizes and what lines say is not negative."""
    if isinstance(tree, str) and NUMBER.match(tree):
        return None if tree.startswith("-") else [(tree, ())] if tree != "0" else []
    if isinstance(tree, tuple) and tree[0] == "n2":
        return [("1", (tree,))]
    if isinstance(tree, tuple) and tree[0] == "abs":
        return [("1", (("root", ("^", tree[1], "2"), "2"),))]
    if isinstance(tree, tuple) and tree[0] in ("+", "*"):
        found = [_plain(writer, p) for p in tree[1:]]
        known = [f for f in found if f is not None]
        if len(known) < len(found):
            return None
        if tree[0] == "+":
            return [t for f in known for t in f]
        terms: list[Any] = [("1", ())]
        for f in known:
            terms = [(str(Fraction(c) * Fraction(e)), (*p, *q)) for c, p in terms for e, q in f]
        return terms
    for order in ("<", "<="):
        place = writer.find((order, "0", tree))
        if place is not None:
            return [("1", (place,))]
    if isinstance(tree, tuple) and tree[0] == "^" and tree[2] == "2":
        return [("1", (("sq", tree[1]),))]
    return None


# -- between two points


def segment(writer: Writer, debt: Tree, convex: int) -> int:
    """g(b) <= (1 - l) g(u) + l g(v) at b = u + l (v - u), from tangents at b.

    Arguments:
        convex: the line that says, for all x and y, that g(y) is above the tangent at x.

    Raises: NotFound, Rejected.
    """
    for part in _parts("+", debt[2]):
        factors = _parts("*", part)
        mixed = [f for f in factors if isinstance(f, tuple) and f[:2] == ("+", "1") and len(f) == 3]
        if len(mixed) != 1 or len(factors) != 2:
            continue
        share = tuple(_parts("*", mixed[0][2]))
        if share[0] != "-1" or len(share) < 2:
            continue
        lam: Tree = share[1] if len(share) == 2 else ("*", *share[1:])
        one = next(f for f in factors if f is not mixed[0])
        others = [t for p in _parts("+", debt[2]) if p is not part for t in _parts("*", p) if _term(t)]
        for other in others:
            if not (_term(one) and _term(debt[1]) and one[1] == other[1] == debt[1][1]):
                continue
            low = _signed(writer, ("<=", "0", lam))
            high = _signed(writer, ("<=", lam, "1"))
            meet(writer, debt[1])
            meet(writer, debt[2])
            at = debt[1][2]
            first = specialised(writer, convex, (at, one[2]))
            second = specialised(writer, convex, (at, other[2]))
            terms = (("1", ("neg",)), ("1", (high, first)), ("1", (low, second)))
            return writer.write(debt, "combine", terms, writer.equal)
    raise NotFound(f"{debt}")


def _tangent(line: Tree) -> bool:
    """Whether a formula is about two points of one function and a field."""
    body, binders = opened(line)
    return body[0] == "<=" and [k for _, k in binders] == ["vector", "vector"] and len(_heads(body)) == 2


def _term(tree: Tree) -> bool:
    return isinstance(tree, tuple) and tree[0] == "of"


def _signed(writer: Writer, claim: Tree) -> int:
    """A line that says a plain sign."""
    place = writer.find(claim)
    if place is None:
        place = plainly(writer, claim)
    if place is None and not _words(claim) & {"of", "ip", "n2", "sum"}:
        place = products.prove(writer, claim, 1, 0)
    if place is None:
        raise NotFound(f"{claim}")
    return place


def assumed(document: Mapping[str, Any]) -> list[str]:
    """The ids of the assumptions that a document names."""
    return [g["from"]["id"] for g in document["given"] if g["from"]["kind"] == "assumption"]
