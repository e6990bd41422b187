"""Certificates of steps about vectors: equations solved, multipliers, sums of squares, products of norms."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import combinations, islice
from typing import Any

import sympy as sp

from fedproof.proof.certify import homogeneous, preparing, products, quadratic
from fedproof.proof.certify.limits import NotFound, over, share, still
from fedproof.proof.certify.linear import linear as sum_of_lines
from fedproof.proof.certify.translate import expression, kinds_of, relation
from fedproof.proof.certify.writer import Writer, tree_of, vector_tree
from fedproof.proof.kernel.atoms import Combination
from fedproof.proof.kernel.forms import Forms
from fedproof.proof.kernel.polynomials import Quotient, constant
from fedproof.proof.kernel.trees import BINDS, Rejected, Tree, substitute
from fedproof.proof.kernel.vectors import add
from fedproof.proof.rules.gram import entry
from fedproof.proof.rules.multipliers import choices
from fedproof.proof.rules.normal_form import equation, to_normal_form
from fedproof.proof.rules.normalise_step import meant, normalised
from fedproof.proof.rules.query import NotApplicable, is_scalar_relation
from fedproof.proof.step import Step
from fedproof.proof.vectors import Vector

_MISSED = (NotFound, Rejected, NotApplicable)
#: how many choices of multipliers are tried, and how many before all else
MOST, FIRST = 12, 2


def prove_step(step: Step, seconds: float = 20.0) -> Writer:
    """The lines that prove a step of rule "quad" from its hypotheses; its claim is the last one.

    Arguments:
        seconds: after which no other way is tried.

    Raises: NotFound, NotApplicable.

    >>> from fedproof.proof.vectors import ip, n2, vectors
    >>> x, y = vectors("x y")
    >>> prove_step(Step(ip(x, y) <= n2(x) / 2 + n2(y) / 2)).here.lines
    [('<=', ('ip', 'x', 'y'), ('+', ('*', '1/2', ('n2', 'x')), ('*', '1/2', ('n2', 'y'))))]
    """
    plain = meant(normalised(step))
    said = [g.relation for g in plain.given]
    given = tuple(relation(r) for r in said)
    writer = Writer.of(kinds_of(*said, plain.claim), given, {})
    prove(writer, relation(plain.claim), plain, range(len(given)), seconds)
    return writer


def prove(writer: Writer, claim: Tree, step: Step, places: Sequence[int], seconds: float = 20.0) -> int:
    """Write a proof of a prepared step about vectors.

    Arguments:
        places: the line of each of its hypotheses.

    Raises: NotFound.
    """
    missed: Exception | None = None
    end = share(seconds)
    for attempt in _attempts(writer, claim, step, places):
        if over(end):
            raise NotFound("none within the processor time that was given")
        still()
        trial = writer.branch()
        trial.claim = claim
        trial.settle()
        try:
            solve(trial)
            attempt(trial)
            return writer.adopt(trial)
        except _MISSED as problem:
            missed = missed or problem
    raise missed or NotFound("no multipliers")


def _attempts(
    writer: Writer, claim: Tree, step: Step, places: Sequence[int]
) -> Iterator[Callable[[Writer], Any]]:
    """Ways to prove it, what is quick first."""
    if equation(step.claim):
        yield lambda writer: writer.write(claim, "vectors", "1", (), writer.equal)
        return
    yield lambda writer: linear(writer, claim)
    multipliers = _multipliers(step, places)
    yield from (_by(claim, m) for m in islice(multipliers, FIRST))
    yield lambda writer: homogeneous.prove(writer, claim)
    for case, one, other in _cases(writer, claim):
        yield lambda writer, c=case, o=one, n=other: _split(writer, claim, c, o, n)  # type: ignore[misc]
    yield from (_by(claim, m) for m in islice(multipliers, MOST - FIRST))
    yield lambda writer: _by_divisors(writer, claim)


def _by_divisors(writer: Writer, claim: Tree) -> int:
    """What follows from the divisors in equations between vectors, which are defined.

    Raises: NotFound.
    """
    lines = [r for r in writer.here.lines if r[0] == "=" and writer.forms.is_vector(r[1])]
    found = [("!=", t, "0") for t in dict.fromkeys(t for r in lines for t in _divisors(r))]
    if not found:
        raise NotFound("no divisors")
    for said in found:
        with suppress(Rejected):
            writer.write(said, "meaning")
    return products.prove(writer, claim)


def _divisors(tree: Tree) -> Iterator[Tree]:
    """What is divided by in a tree without bound names."""
    if isinstance(tree, str) or tree[0] in BINDS:
        return
    if tree[0] == "^" and isinstance(tree[2], str) and tree[2].startswith("-"):
        yield tree[1]
    for part in tree[1:]:
        yield from _divisors(part)


def _by(claim: Tree, multipliers: list[tuple[int, Tree]]) -> Callable[[Writer], Any]:
    return lambda writer: quadratic.prove(writer, claim, multipliers)


def linear(writer: Writer, claim: Tree) -> int:
    """The claim as a sum of lines.

    Raises: NotFound.
    """
    products.define(writer, claim)
    found = sum_of_lines(writer, claim)
    if found is None or claim[0] in ("=", "!="):
        raise NotFound("what it may use does not add up to the claim, as far as was searched")
    return preparing.write(writer, claim, found)


def _multipliers(step: Step, places: Sequence[int]) -> Iterator[list[tuple[int, Tree]]]:
    """Hypotheses with what they may be multiplied by."""
    try:
        with sp.evaluate(True):
            read = to_normal_form(step)
        said = [g.relation for g in step.given]
        forms = [
            i for i, r in zip(places, said, strict=True) if not is_scalar_relation(r) and not equation(r)
        ]
        names = sorted(
            {v for r in (read.claim, *(f for f, _ in read.forms)) for v in r.atoms(Vector)},
            key=lambda v: v.name,
        )
        entries = list({entry(x, y): 1 for x in names for y in names})
        for chosen, _, _ in choices(read, names, entries):
            yield [(i, expression(c)) for i, c in zip(forms, chosen, strict=True)]
    except NotApplicable:
        return


# -- cases


def _cases(writer: Writer, claim: Tree) -> Iterator[tuple[Tree, Tree, Tree]]:
    """Which of two names below a third is larger, and the claim with it in the third's place."""
    for bound in sorted(n for n, kind in writer.here.kinds.items() if kind in ("real", "whole")):
        below = [
            r[1] for r in writer.here.lines if r[0] in ("<=", "<") and r[2] == bound and isinstance(r[1], str)
        ]
        for x, y in combinations(below, 2):
            one, other = (substitute(claim, {bound: larger}) for larger in (y, x))
            yield ("<=", x, y), one, other


def _split(writer: Writer, claim: Tree, case: Tree, one: Tree, other: Tree) -> int:
    """A proof where a relation holds and one where it does not, each by way of another claim."""
    branches = []
    for granted, way in ((case, one), (("<", case[2], case[1]), other)):
        inner = writer.inside(granted)
        homogeneous.prove(inner, way)
        homogeneous.prove(inner, claim)
        branches.append(tuple(inner.lines))
    return writer.write(claim, "split", case, *branches)


# -- equations between vectors


def solve(writer: Writer) -> None:
    """Read a vector that an equation gives by others as what it stands for, by a line that says so."""
    for place, line in enumerate(list(writer.here.lines)):
        if line[0] != "=" or place in writer.equal or place in writer.hidden:
            continue
        forms = writer.forms
        if not (forms.is_vector(line[1]) or forms.is_vector(line[2])):
            continue
        gap = add(forms.vector(line[1]), forms.scaled(constant(-1), forms.vector(line[2])))
        for b in _pivots(forms, gap):
            try:
                new = _solved(writer, place, gap, b)
            except _MISSED:
                continue
            writer.equal = (new, *writer.equal)
            break


def _pivots(forms: Forms, gap: Combination) -> list[int]:
    """Vectors that an equation may give, those with a number before them first."""
    named = [b for b in gap if forms.atoms[b].kind in ("vector", "of")]
    return sorted(named, key=lambda b: (gap[b].constant is None, len(gap[b].above), b))


def _solved(writer: Writer, place: int, gap: Combination, b: int) -> int:
    forms = writer.forms
    c = gap[b]
    if c.constant is None:
        preparing.nonzero(writer, c, 0, products.prove)
    inverse = c.inverse()
    others = {a: quadratic.simplified(forms, forms.times(-q, inverse)) for a, q in gap.items() if a != b}
    name = vector_tree(forms, {b: Quotient({(): constant(1).above[()]})})
    claim = ("=", name, vector_tree(forms, others))
    terms = ((tree_of(forms, inverse), place),)
    return writer.write(claim, "vectors", "1", terms, writer.equal)
