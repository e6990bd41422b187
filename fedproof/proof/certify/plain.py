"""Proofs in plain names, by the multipliers that an author gives or by those that a search finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from fedproof.proof.certify import homogeneous, products, quadratic, vectors
from fedproof.proof.certify.abstraction import NOTHING, abstracted, adopted, as_sympy
from fedproof.proof.certify.limits import NotFound
from fedproof.proof.certify.preparing import write
from fedproof.proof.certify.writer import Writer, tree_of
from fedproof.proof.kernel.polynomials import number
from fedproof.proof.kernel.trees import Rejected, Tree
from fedproof.proof.rules.query import NotApplicable
from fedproof.proof.step import Given, Step

_MISSED = (NotFound, Rejected, NotApplicable)
#: after which no other way is tried to prove a claim about vectors without multipliers
SECONDS = 2.0


def solved(writer: Writer, claim: Tree, weights: Mapping[int, Tree]) -> None:
    """Write a proof of a claim without sums, from lines without sums."""
    found, said, made = abstracted(writer, claim)
    plain_weights = {place: made.plain(w) for place, w in weights.items()}
    prove(found, said, plain_weights)
    adopted(writer, found, made)


def prove(writer: Writer, claim: Tree, weights: Mapping[int, Tree]) -> None:
    """A proof in plain names, by the multipliers that are given or by those that are found."""
    missed: Exception | None = None
    for way in _ways(writer, claim, weights):
        trial = writer.branch()
        trial.claim = claim
        try:
            way(trial)
            writer.adopt(trial)
            return
        except _MISSED as problem:
            missed = missed or problem
    raise missed or NotFound(claim)


def _ways(writer: Writer, claim: Tree, weights: Mapping[int, Tree]) -> Iterator[Callable[[Writer], Any]]:
    if weights:
        yield partial(_by, _weighed, claim, weights)
        if any(line[0] == "=" for line in writer.here.lines):
            yield partial(_by, _settled, claim, weights)
        return
    vector = any(kind == "vector" for kind in writer.here.kinds.values())
    if vector and claim[0] == "=":
        yield partial(_equation, claim)
        return
    if vector:
        kinds = writer.here.kinds
        places = [i for i, line in enumerate(writer.here.lines) if line != NOTHING and line[0] != "!="]
        given = tuple(Given(as_sympy(writer.here.lines[i], kinds)) for i in places)
        step = Step(as_sympy(claim, kinds), given, rule="quad")
        yield lambda writer: vectors.prove(writer, claim, step, places, SECONDS)
        return
    yield lambda writer: products.prove(writer, claim)


def _by(way: Callable[..., None], claim: Tree, weights: Mapping[int, Tree], writer: Writer) -> None:
    way(hurried(writer), claim, weights)


def hurried(writer: Writer) -> Writer:
    """The same writer, which does not try hard: what is left beside multipliers is easy."""
    writer.brief = True
    return writer


def _equation(claim: Tree, writer: Writer) -> None:
    """An equation between numbers, by both inequalities; what is linear was tried before."""
    writer.settle()
    vectors.solve(writer)
    if writer.forms.is_vector(claim[1]) or writer.forms.is_vector(claim[2]):
        writer.write(claim, "vectors", "1", (), writer.equal)
        return
    homogeneous.prove(writer, claim, SECONDS / 2)


def _weighed(writer: Writer, claim: Tree, weights: Mapping[int, Tree]) -> None:
    """By the lines with their multipliers, and squares; multipliers need none of these lines."""
    writer.hidden = writer.hidden | set(weights)
    try:
        quadratic.prove(writer, claim, list(weights.items()))
    except NotFound as problem:
        if str(problem) not in ("norms", "not linear in inner products"):
            raise
        _added_up(writer, claim, weights)


def _settled(writer: Writer, claim: Tree, weights: Mapping[int, Tree]) -> None:
    """The same where names that equations give by others are read so."""
    writer.settle()
    vectors.solve(writer)
    _weighed(writer, claim, weights)


def _added_up(writer: Writer, claim: Tree, weights: Mapping[int, Tree]) -> None:
    """The claim as the sum of lines with their multipliers, and what is left not negative."""
    forms = writer.forms
    products.define(writer, claim)
    terms: list[tuple[Any, tuple[Any, ...]]] = [(number(1), ("neg",))]
    rest = writer.gap(claim)
    for place, weight in weights.items():
        rest = rest - forms.times(forms.number(weight), writer.gap(writer.here.lines[place]))
        if writer.here.lines[place][0] == "=":
            products.define(writer, ("=", weight, "0"))
            terms.append((number(1), (("*", weight), place)))
        else:
            terms.append((number(1), (products.prove(writer, ("<=", "0", weight)), place)))
    if rest.above:
        terms.append((number(1), (products.prove(writer, ("<=", "0", tree_of(forms, rest))),)))
    write(writer, claim, terms)
