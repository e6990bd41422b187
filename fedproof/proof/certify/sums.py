"""Claims about sums: hypotheses summed with their multipliers, and a sign for every term that is left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice, pairwise, product
from typing import Any

import sympy as sp

from fedproof.proof.certify import preparing, products
from fedproof.proof.certify.apart import Apart, coefficients, left_alone, speaking
from fedproof.proof.certify.eliminating import eliminated
from fedproof.proof.certify.limits import NotFound
from fedproof.proof.certify.terms import at, signs
from fedproof.proof.certify.translate import expression
from fedproof.proof.certify.weighing import proposed
from fedproof.proof.certify.writer import Writer, tree_of
from fedproof.proof.forall import ForAll
from fedproof.proof.kernel.polynomials import ONE, ZERO, Quotient, number
from fedproof.proof.kernel.trees import Rejected, Tree, free, fresh, substitute
from fedproof.proof.rules.query import NotApplicable, relations
from fedproof.proof.rules.sum import MOST, TRIES, Use, options, slack_of
from fedproof.proof.rules.summation_ranges import INDEX, LinearSums, SummationRange, runs
from fedproof.proof.step import Step
from fedproof.proof.tree_text import text

Terms = list[tuple[Any, tuple[Any, ...]]]
#: which hypothesis enters, and how; and the numbers whose coefficients have a sign then
Chosen = tuple[Sequence[tuple[int, Use]], Apart]


def prove(writer: Writer, claim: Tree, step: Step, places: Sequence[int]) -> int:
    """Write a proof of a claim linear in sums.

    Arguments:
        step: prepared, with its named parts written out.
        places: the line of each of its hypotheses.

    Raises: NotFound.
    """
    problem: Exception | None = None
    for chosen in _choices(step):
        attempt = writer.branch()
        try:
            _either_way(attempt, claim, step, chosen, places, 2)
        except (NotFound, Rejected, NotApplicable) as why:
            problem = problem or why
            continue
        return writer.adopt(attempt)
    raise NotFound(*problem.args) if problem else NotFound(claim)


def _choices(step: Step) -> Iterator[Chosen]:
    """Ways for hypotheses to enter: by their multiplier, or as numbers suggest, or plainly."""
    said = relations(step)
    if any(weight is None for _, weight in said):
        yield from eliminated(step)
        yield from ((found, Apart()) for found in proposed(step))
    found = [options(step, relation, weight) for relation, weight in said]
    choices = sorted(islice(product(*found), MOST), key=lambda c: sum(o.rank for o in c))
    yield from ((list(enumerate(c)), Apart()) for c in choices[:TRIES])


class Unordered(NotFound):
    """The order of two whole numbers is not known."""

    def __init__(self, one: Tree, other: Tree) -> None:
        super().__init__(f"it is not known which of {text(one)} and {text(other)} is larger")
        self.case = ("<=", one, other)


def _either_way(
    writer: Writer, claim: Tree, step: Step, chosen: Chosen, places: Sequence[int], depth: int
) -> None:
    """Write the proof; where the order of two ends is not known, for either order."""
    attempt = writer.branch()
    try:
        uses, alone = chosen
        attempt.hidden = attempt.hidden | speaking(attempt, alone)
        terms, rest = _uses(attempt, step, uses, places)
        _finish(attempt, claim, terms, rest, alone)
        writer.adopt(attempt)
    except Unordered as unknown:
        if not depth:
            raise
        _, one, other = unknown.case
        cases = []
        for case in (unknown.case, ("<", other, one)):
            inner = writer.inside(case)
            if case[0] == "<":
                inner.write(("<=", ("+", other, "1"), one), "next", len(inner.here.lines) - 1)
                _met(inner, one, other)
            try:
                _either_way(inner, claim, step, chosen, places, depth - 1)
            except (NotFound, Rejected):
                raise unknown from None
            cases.append(tuple(inner.lines))
        writer.write(claim, "split", unknown.case, *cases)


def _met(writer: Writer, one: Tree, other: Tree) -> None:
    """Where two ends that cross are one apart, and this gives a name, read the name so."""
    gap = writer.forms.number(("+", one, ("*", "-1", other), "-1"))
    for name in sorted(free(one) | free(other)):
        own = writer.forms.number(name)
        ((m, c),) = own.above.items() if len(own.above) == 1 else ((ONE, number(0)),)
        k = gap.above.get(m)
        if c != 1 or k is None or abs(k) != 1:
            continue
        value = tree_of(writer.forms, own - gap * Quotient({ONE: 1 / k}))
        if name in free(value):
            continue
        attempt = writer.branch()
        try:
            place = products.of_numbers(attempt, ("=", name, value))
        except (NotFound, Rejected):
            continue
        writer.adopt(attempt)
        writer.equal = (place, *writer.equal)
        return


def _uses(
    writer: Writer, step: Step, chosen: Sequence[tuple[int, Use]], places: Sequence[int]
) -> tuple[Terms, sp.Expr]:
    """The hypotheses with their multipliers, and the claim's slack less theirs."""
    terms: Terms = [(number(1), ("neg",))]
    left, _ = slack_of(step.claim)
    for number_of, use in chosen:
        if use.factor == 0:
            continue
        place = places[number_of]
        relation = use.relation
        own, equal = slack_of(relation.relation if isinstance(relation, ForAll) else relation)
        part = sp.Mul(use.factor, own, evaluate=False)
        if isinstance(relation, ForAll):
            if use.inside:  # for one index
                line = at(writer, place, expression(relation.lo))
                value = {relation.index.name: expression(relation.lo)}
                terms.append(_weighed(writer, line, substitute(expression(use.factor), value), equal))
            elif _empty(writer, place):
                continue
            else:
                terms.append(_summed(writer, place, relation, use.factor, equal))
            part = sp.Sum(part, (relation.index, relation.lo, relation.hi))
        else:
            terms.append(_weighed(writer, place, expression(use.factor), equal))
        left = sp.Add(left, sp.Mul(-1, part, evaluate=False), evaluate=False)
    return terms, left


def _empty(writer: Writer, place: int) -> bool:
    """Whether a line for every index is known to speak of none, its ends crossing by more than one."""
    _, _, lo, hi, _ = writer.here.lines[place]
    return writer.find(("<", ("+", hi, "1"), lo)) is not None


def _weighed(writer: Writer, place: int, weight: Tree, equal: bool) -> tuple[Any, tuple[Any, ...]]:
    """A line with its multiplier, as a product of a certificate."""
    value = writer.forms.number(weight).constant
    if equal:
        products.define(writer, ("=", weight, weight))
        return number(1), (("*", weight), place)
    if value is not None and value > 0:
        return value, (place,)
    signs(writer, weight)
    return number(1), (products.of_numbers(writer, ("<=", "0", weight)), place)


def _summed(
    writer: Writer, place: int, relation: ForAll, factor: sp.Expr, equal: bool
) -> tuple[Any, tuple[Any, ...]]:
    """A line for every index, multiplied and summed."""
    _, index, lo, hi, body = writer.here.lines[place]
    weight = substitute(expression(factor), {relation.index.name: index})
    new = fresh(index, frozenset(writer.here.kinds))
    weight, inner = substitute(weight, {index: new}), substitute(body, {index: new})
    _, left, right = inner
    claim = ("=" if equal else "<=", ("*", weight, left), ("*", weight, right))

    def act(writer: Writer) -> None:
        line = at_hand(writer, place, new, inner)
        term = _weighed(writer, line, weight, equal)
        products.define(writer, claim)
        preparing.write(writer, claim, [(number(1), ("neg",)), term])

    return number(1), (every(writer, new, lo, hi, claim, act),)


def at_hand(writer: Writer, place: int, index: str, said: Tree) -> int:
    """What a line says for every index, for the index of this block, whose ends were granted last."""
    _, _, lo, hi, _ = writer.here.lines[place]
    one, other = (writer.find(r) for r in (("<=", lo, index), ("<=", index, hi)))
    if one is None or other is None:
        one = products.of_numbers(writer, ("<=", lo, index))
        other = products.of_numbers(writer, ("<=", index, hi))
    return writer.write(said, "instance", place, index, (one, other))


def every(writer: Writer, index: str, lo: Tree, hi: Tree, claim: Tree, act: Any) -> int:
    """The sum of a relation proved for every index.

    Returns: the line that compares the sums.
    """
    grants = (("<=", lo, index), ("<=", index, hi))
    inner = writer.here.inside({index: "whole"}, *grants)
    line = writer.block("all", ("all", index, lo, hi, claim), inner, act)
    terms = writer.forms.number(("+", hi, ("*", "-1", lo), "1"))
    with suppress(NotFound, Rejected):  # a sum with these ends may be defined already
        writer.write(("<=", "0", tree_of(writer.forms, terms)), "meaning")
    try:
        length = products.of_numbers(writer, ("<=", lo, ("+", hi, "1")))
    except (NotFound, Rejected):
        raise Unordered(lo, ("+", hi, "1")) from None
    order, left, right = claim
    sums = tuple(("sum", index, lo, hi, side) for side in (left, right))
    plain = writer.branch()
    plain.settle_as(())
    try:
        products.define(plain, ("=", *sums))
    except NotFound:  # what was found on the way may do
        plain.failed.clear()
        products.define(plain, ("=", *sums))
    writer.adopt(plain)
    return writer.write(("=" if order == "=" else "<=", *sums), "total", line, length)


def _factors(writer: Writer, parts: Sequence[Tree]) -> Iterator[Any]:
    """A factor >= 0 for each term of a sequence, and a square for two that are the same.

    Raises: NotFound.
    """
    for part, count in Counter(parts).items():
        yield from [("sq", part)] * (count // 2)
        if count % 2:
            known = signs(writer, part)
            if not known:
                raise NotFound(("<=", "0", part))
            yield known[0]


def _finish(writer: Writer, claim: Tree, terms: Terms, left: sp.Expr, alone: Apart) -> None:
    """What is left has a sign at every term of every sequence, and otherwise."""
    with sp.evaluate(True):
        total: LinearSums = runs(left)
    products.define(writer, claim)
    by_atom: dict[Any, list[SummationRange]] = {}
    for run in total.runs:
        by_atom.setdefault(run.atom, []).append(run)
    if claim[0] == "=":
        preparing.write(writer, claim, terms)
        return
    for atom, found in by_atom.items():
        if not _cancels(writer, atom, found):
            terms += _regions(writer, atom, found)
    with sp.evaluate(True):
        number_alone, found_alone = coefficients(total.number, alone.names)
    for name, coefficient in found_alone.items():
        terms += left_alone(writer, name.name, expression(coefficient))
    rest = expression(number_alone)
    value = writer.forms.number(rest)
    if value.above:
        order = "<" if claim[0] == "<" else "<="
        line = products.of_numbers(writer, (order, "0", rest))
        terms.append((number(1), (line,)))
    preparing.write(writer, claim, terms)


def _cancels(writer: Writer, atom: Any, found: Sequence[SummationRange]) -> bool:
    """Whether the terms of a sequence add up to 0 whatever they are."""
    forms, total = writer.forms, ZERO
    for run in found:
        body = ("*", _tree(run.coefficient, INDEX_NAME))
        body = (*body, *(("of", name, _tree(INDEX + away, INDEX_NAME)) for name, away in atom))
        lo, hi = expression(run.lo), expression(run.hi)
        one = run.lo == run.hi
        total = total + forms.number(
            substitute(body, {INDEX_NAME: lo}) if one else ("sum", INDEX_NAME, lo, hi, body)
        )
    return not total.above


def _regions(writer: Writer, atom: Any, found: Sequence[SummationRange]) -> Terms:
    """The terms of one sequence, range by range between the ends of its sums."""
    ends: list[sp.Expr] = []
    for end in dict.fromkeys(e for r in found for e in (sp.expand(r.lo), sp.expand(r.hi + 1))):
        _insert(writer, ends, end)
    place = {e: k for k, e in enumerate(ends)}
    terms: Terms = []
    for k, (lo, after) in enumerate(pairwise(ends)):
        inside = [r for r in found if place[sp.expand(r.lo)] <= k and place[sp.expand(r.hi + 1)] > k]
        coefficient = sp.Add(*(r.coefficient for r in inside))
        if not inside or not writer.with_whole(INDEX_NAME).number(_tree(coefficient, INDEX_NAME)).above:
            continue
        terms.append(_region(writer, atom, coefficient, expression(lo), expression(sp.expand(after - 1))))
    return terms


INDEX_NAME = "j_"


def _tree(coefficient: sp.Expr, index: str) -> Tree:
    return substitute(expression(coefficient), {INDEX.name: index})


def _insert(writer: Writer, ends: list[sp.Expr], end: sp.Expr) -> None:
    """Put an end in its place among those whose order is proved."""
    for k, other in enumerate(ends):
        if _before(writer, end, other):
            ends.insert(k, end)
            return
        if not _before(writer, other, end):
            raise Unordered(expression(end), expression(other))
    ends.append(end)


def _before(writer: Writer, one: sp.Expr, other: sp.Expr) -> bool:
    claim = ("<=", expression(one), expression(other))
    if writer.find(claim) is not None:
        return True
    attempt = writer.about_numbers(claim)
    attempt.brief = True
    try:
        products.prove(attempt, claim)
    except (NotFound, Rejected):
        return False
    writer.adopt(attempt)
    return True


def _region(
    writer: Writer, atom: Any, coefficient: sp.Expr, lo: Tree, hi: Tree
) -> tuple[Any, tuple[Any, ...]]:
    index = fresh(INDEX_NAME, frozenset(writer.here.kinds))
    weight = _tree(coefficient, index)
    parts = tuple(("of", name, _tree(INDEX + away, index)) for name, away in atom)
    claim = ("<=", "0", ("*", weight, *parts))

    def act(writer: Writer) -> None:
        factors = tuple(_factors(writer, parts))
        signs(writer, weight)
        line = products.of_numbers(writer, ("<=", "0", weight))
        products.define(writer, claim)
        preparing.write(writer, claim, [(number(1), ("neg",)), (number(1), (line, *factors))])

    return number(1), (every(writer, index, lo, hi, claim, act),)
