"""What is owed, paid from what is known and from a paper's formulas at the points that it speaks of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from fedproof.proof.certify import preparing, products
from fedproof.proof.certify.at_points import (
    defined_by,
    equations,
    functions,
    inequalities,
    opened,
    ordered,
    reached,
    terms,
    words,
)
from fedproof.proof.certify.facts import atoms_of, inner
from fedproof.proof.certify.limits import NotFound
from fedproof.proof.certify.plain_signs import (
    above_zero,
    divisors,
    inverses,
    meet,
    plainly,
    powers,
    ranges,
    segment,
    tangent,
)
from fedproof.proof.certify.writer import Writer, speaks_beyond_numbers
from fedproof.proof.kernel.trees import Rejected, Tree, free, fresh, substitute
from fedproof.proof.standing import Standing

#: up to how many formulas what they say at points is itself read by definitions
FEW = 8


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
        tried: set[frozenset[int]] = set()
        for ids in self._chosen(debt):
            new = frozenset(i for i in ids if self._adds(i))
            if new in tried:
                continue
            tried.add(new)
            with suppress(NotFound, Rejected):
                return self._try(debt, ids)
        raise NotFound(debt)

    def _adds(self, i: int) -> bool:
        """Whether an assumption says more than the lines do: one of numbers may be among them."""
        _, tree = self.standing.formulas[i]
        return bool(functions(tree)) or tree[0] in ("all", "every") or self.writer.find(tree) is None

    def begin(self, spoken: frozenset[str], own: Mapping[str, str]) -> None:
        """Assume what the paper says of names of numbers, such as that there is a client.

        Arguments:
            spoken: names that occur in what is to be closed.
            own: names of the step with their kinds; what is assumed says nothing of those of another kind.
        """
        for id, tree in self.standing.formulas:
            names = free(tree)
            plain = tree[0] not in ("all", "every") and not functions(tree)
            needed = {tree[1]} if tree[0] == "=" else {n for n in names if not self._counts(n)}
            alien = any(own.get(n, self._kind(n)) not in (self._kind(n), "real") for n in names)
            known = needed <= spoken and names <= set(self.writer.here.kinds)
            if plain and known and not alien and self.writer.find(tree) is None:
                with suppress(Rejected):
                    self.writer.assume(tree, {"kind": "assumption", "id": id})

    def _kind(self, name: str) -> str:
        return self.standing.kinds.get(name, "real")

    def _counts(self, name: str) -> bool:
        return self._kind(name) == "whole"

    def _chosen(self, debt: Tree) -> Iterator[tuple[int, ...]]:
        """Which assumptions may help: none, then those that speak of nothing else, then all that may.

        Those that say that something is a sum do only where a sum is spoken of.
        """
        yield ()
        formulas = self.standing.formulas
        spoken = reached(debt, self.standing)
        summed = "sum" in words(debt)
        near = [i for i, (_, f) in enumerate(formulas) if not _elsewhere(f, free(debt))]
        fit = [i for i in near if summed or "sum" not in words(formulas[i][1])]
        equations = [i for i in fit if defined_by(formulas[i][1]) in spoken]
        others = [
            i
            for i in fit
            if not defined_by(formulas[i][1])
            and functions(formulas[i][1]) <= spoken
            and (functions(formulas[i][1]) or free(formulas[i][1]) & free(debt))
            and (formulas[i][1][0] != "=" or functions(formulas[i][1]) or free(formulas[i][1]) == free(debt))
        ]
        yield from self._few(debt, equations, others)
        if equations or others:
            yield (*equations, *others)
        named = [
            i
            for i in fit
            if formulas[i][1][0] == "="
            and isinstance(formulas[i][1][1], str)
            and formulas[i][1][1] in free(debt)
        ]
        if named and others:
            yield (*equations, *others, *named)
        if equations and others:
            yield (*others, *named)
        if len(equations) > 1 and opened(debt)[0][0] == "=":
            yield from ((i,) for i in equations)
        if not summed:
            more = [
                i
                for i, (_, f) in enumerate(formulas)
                if "sum" in words(f) and defined_by(f) in functions(debt) and "real" in self._result(f)
            ]
            if more:
                yield (*equations, *more, *others)
        for i in self._of_two(debt):
            yield (*equations, i)
            if named:
                yield (i, *named)

    def _few(self, debt: Tree, equations: Sequence[int], others: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """One formula alone, with the definitions by which it comes to speak of what the debt does.

        Then also with those of the points at which the debt speaks of its functions.
        """
        formulas = self.standing.formulas
        body, _ = opened(debt)
        alone = equations if body[0] == "=" else (*others, *self._of_two(debt))
        for i in alone:
            own = functions(formulas[i][1])
            if own & functions(debt):
                heads = {a[1] for t in terms(body[1]) if t[1] in own for a in t[2:] if a[0] == "of"}
                at = [e for e in equations if e != i and defined_by(formulas[e][1]) in heads]
                yield self._with_meanings((i,), debt, equations)
                if at and body[0] != "=":
                    yield self._with_meanings((i, *at), debt, equations)
        yield from self._written_out(debt)

    def _written_out(self, debt: Tree) -> Iterator[tuple[int, ...]]:
        """An inequality about functions of which the debt says only what they are made of."""
        formulas = self.standing.formulas
        spoken = functions(debt)
        made = {defined_by(f): i for i, (_, f) in enumerate(formulas) if functions(f) & spoken}
        for i, (_, f) in enumerate(formulas if opened(debt)[0][0] == "<=" else ()):
            own = functions(f)
            if own and not own & spoken and own <= made.keys():
                yield (i, *(made[name] for name in sorted(own)))

    def _with_meanings(self, ids: tuple[int, ...], debt: Tree, equations: Sequence[int]) -> tuple[int, ...]:
        """Formulas with those that say what their functions and names stand for, as far as the debt tells."""
        formulas = self.standing.formulas
        own = frozenset().union(*(functions(formulas[i][1]) for i in ids))
        far = functions(debt) - own
        by = [e for e in equations if e not in ids and defined_by(formulas[e][1]) in own]
        by = [e for e in by if functions(formulas[e][1]) & far]
        names = free(debt).union(*(free(formulas[i][1]) for i in ids))
        said = [k for k, (_, f) in enumerate(formulas) if k not in ids and _told(f, names)]
        return (*ids, *by, *said)

    def _of_two(self, debt: Tree) -> Iterator[int]:
        """Inequalities of two functions of which the debt reaches one, such as a convex one and its slope."""
        spoken = reached(debt, self.standing)
        for i, (_, f) in enumerate(self.standing.formulas if opened(debt)[0][0] == "<=" else ()):
            two = functions(f)
            if len(two) == 2 and len(two - spoken) == 1 and not defined_by(f):
                yield i

    def _result(self, tree: Tree) -> str:
        """The kind of the function whose values a formula gives."""
        return self.standing.functions.get(defined_by(tree), "").partition("(")[0]

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
        for base in powers(value):
            with suppress(NotFound, Rejected):
                products.prove(self.writer, ("<", "0", base), 1, 0)
        for lo, hi in ranges(value):
            if free(lo) | free(hi) <= set(self.writer.here.kinds):
                with suppress(NotFound, Rejected):
                    products.prove(self.writer, ("<=", lo, ("+", hi, "1")), 1, 0)
        if isinstance(value, tuple) and value[0] != "map":
            meet(self.writer, value)
        for part in inverses(value):
            if free(part) <= set(self.writer.here.kinds):
                meet(self.writer, part)


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
        body = _apart(substitute(debt[-1], {debt[1]: name}), frozenset(writer.here.kinds) | {name})
        kind = "whole" if debt[0] == "all" else debt[2]
        granted = (("<=", debt[2], name), ("<=", name, debt[3])) if debt[0] == "all" else ()
        inner = writer.here.inside({name: kind}, *granted)
        whole = (debt[0], name, *debt[2:-1], body)
        return writer.block(debt[0], whole, inner, lambda w: _last(w, body, formulas, standing))
    return _leaf(writer, debt, formulas, standing)


def _apart(tree: Tree, taken: frozenset[str]) -> Tree:
    """What holds for all, with names that are not taken."""
    if tree[0] not in ("all", "every"):
        return tree
    name = fresh(tree[1], taken | free(tree))
    return (tree[0], name, *tree[2:-1], _apart(substitute(tree[-1], {tree[1]: name}), taken | {name}))


def _last(writer: Writer, debt: Tree, formulas: Sequence[int], standing: Standing) -> None:
    place = owed(writer, debt, formulas, standing)
    if place == len(writer.here.lines) - 1 and writer.lines:
        return
    writer.settle_as(())
    if writer.forms.is_vector(debt[1]):
        writer.write(debt, "vectors", "1", (("1", place),), ())
    elif debt[0] in ("all", "every"):
        _again(writer, debt, place)
    else:
        preparing.write(writer, debt, [("1", ("neg",)), ("1", (place,))])


def _again(writer: Writer, debt: Tree, place: int) -> None:
    """A line that holds for all, once more, as the last one."""
    name = fresh(debt[1], frozenset(writer.here.kinds) | free(debt))
    said = writer.here.lines[place]
    granted = (("<=", debt[2], name), ("<=", name, debt[3])) if debt[0] == "all" else ()
    inner = writer.here.inside({name: "whole" if debt[0] == "all" else debt[2]}, *granted)
    body = substitute(said[-1], {said[1]: name})

    def act(w: Writer) -> None:
        pays = tuple(k for k in (w.find(g) for g in granted) if k is not None)
        w.write(body, "instance", place, name, *((pays,) if pays else ()))

    writer.block(debt[0], (debt[0], name, *debt[2:-1], body), inner, act)


def _leaf(writer: Writer, debt: Tree, formulas: Sequence[int], standing: Standing) -> int:
    """One relation, with what the formulas say at the points that it speaks of."""
    writer.settle(beyond=False)
    named = writer.equal
    sizes = len(writer.here.lines)
    names = [k for k in formulas if _names(writer.here.lines[k]) and k not in named]
    equal = [*equations(writer, debt, formulas), *names]
    points = inequalities(writer, debt, formulas, equal)
    if len(formulas) <= FEW:
        together = ("+", *(writer.here.lines[k] for k in points))
        equal += [k for k in equations(writer, together, formulas) if k not in equal]
    if formulas and not equal and not points:
        raise NotFound("no formula speaks of it")
    found = [*_known(writer, sizes), *points]
    if formulas:
        spoken = functions(debt).union(*(functions(writer.here.lines[k]) for k in (*equal, *points)))
        found = [k for k in found if functions(writer.here.lines[k]) <= spoken]
    writer.settle_as((*named, *ordered(writer, equal)))
    asked = len(writer.here.lines)
    for part in divisors(debt):
        with suppress(Rejected, NotFound):
            above_zero(writer, part)
    meet(writer, debt[1])
    meet(writer, debt[2])
    if any(writer.forms.is_vector(s) for s in debt[1:]):
        lines = writer.here.lines
        said = [k for k in found if lines[k][0] == "=" and any(map(writer.forms.is_vector, lines[k][1:]))]
        for terms in ((), *(((c, k),) for k in said for c in ("1", "-1"))):
            with suppress(Rejected):
                return writer.write(debt, "vectors", "1", terms, writer.equal)
        raise NotFound(debt)
    if debt[:2] == ("<=", "0") and debt[2][0] == "^" and debt[2][2] == "1/2":
        root = (("1", ("neg",)), ("1", (("root", debt[2][1], "2"),)))
        with suppress(Rejected):
            return writer.write(debt, "combine", root, writer.equal)
    plain = plainly(writer, debt)
    if plain is not None:
        return plain
    for place in formulas:
        if debt[0] == "<=" and tangent(writer.here.lines[place]):
            with suppress(Rejected, NotFound):
                return segment(writer, debt, place)
    writer.hidden = set(range(asked)) - {*found, *equal}
    try:
        if debt[0] == "=" and _alone(writer, debt):
            raise NotFound(debt)
        with suppress(NotFound):
            return _quickly(writer, debt)
        means = formulas and debt[0] == "=" and "sum" in words(debt)
        if not means and (formulas or words(debt) & {"of", "ip", "n2", "sum"}):
            raise NotFound(debt)
        return products.by_equations(writer, debt) if means else products.prove(writer, debt, 1, 0)
    finally:
        writer.hidden = set()


def _told(formula: Tree, names: frozenset[str]) -> bool:
    """Whether a formula says what one of these names is, of functions only by points that are named too."""
    return formula[0] == "=" and formula[1] in names and not _elsewhere(formula, names)


def _elsewhere(formula: Tree, names: frozenset[str]) -> bool:
    """Whether a formula says what a name is by functions at a point that is not among these names.

    That F* is the loss at a minimiser says that there is one, which what speaks of none need not grant.
    """
    named = formula[0] == "=" and isinstance(formula[1], str) and bool(functions(formula[2]))
    return named and not free(formula[2]) <= names


def _names(line: Tree) -> bool:
    """Whether a line says what a name stands for, by more than numbers."""
    own = line[0] == "=" and isinstance(line[1], str) and line[1] not in free(line[2])
    return own and speaks_beyond_numbers(line[2])


def _alone(writer: Writer, debt: Tree) -> bool:
    """Whether a part of which no line speaks is in one term alone of a difference: nothing cancels it."""
    gap = writer.gap(debt)
    own = atoms_of(gap.above)
    said = (writer.said(k) for k in range(len(writer.here.lines)) if k not in writer.equal)
    parts = (p for q in said if q is not None for p in (q.above, *map(dict, q.below)))
    spoken = inner(writer.forms, atoms_of(*parts))
    return any(
        writer.forms.atoms[a].kind in ("ip", "of", "upto")
        and a not in inner(writer.forms, own - {a})
        and sum(a in (b for b, _ in m) for m in gap.above) == 1
        for a in own - spoken
    )


def _quickly(writer: Writer, debt: Tree) -> int:
    """By an identity, or as a sum of lines; an equation by both inequalities."""
    with suppress(NotFound):
        return products.quickly(writer, debt)
    if debt[0] != "=":
        raise NotFound(debt)
    one = products.quickly(writer, ("<=", debt[1], debt[2]))
    other = products.quickly(writer, ("<=", debt[2], debt[1]))
    return writer.write(debt, "both", one, other)


def _known(writer: Writer, count: int) -> list[int]:
    """Lines between numbers that were there."""
    lines = writer.here.lines
    return [
        k for k in range(count) if lines[k][0] in ("<=", "<", "=") and not writer.forms.is_vector(lines[k][1])
    ]
