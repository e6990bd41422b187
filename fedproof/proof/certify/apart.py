"""Numbers that a step is linear in: each is a term of its own, whose coefficient alone needs a sign."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import sympy as sp

from fedproof.proof.certify import products
from fedproof.proof.certify.limits import NotFound
from fedproof.proof.certify.writer import Writer
from fedproof.proof.forall import ForAll
from fedproof.proof.kernel.polynomials import number
from fedproof.proof.kernel.trees import Tree, free
from fedproof.proof.rules.query import is_scalar_relation, relations
from fedproof.proof.rules.sum import slack_of
from fedproof.proof.sequences import is_sequence_term
from fedproof.proof.step import Step


@dataclass(frozen=True)
class Apart:
    """What a step is linear in.

    Arguments:
        names: the numbers; no product of two of them occurs.
        signed: those that are known not to be negative.
        places: of the hypotheses on numbers alone that speak of them and say more than a sign.
    """

    names: frozenset[sp.Symbol] = frozenset()
    signed: frozenset[sp.Symbol] = frozenset()
    places: tuple[int, ...] = ()


def linear(step: Step) -> Apart:
    """The numbers that a step is linear in, as many as have no products with each other."""
    plain: dict[int, Any] = {k: r for k, (r, _) in enumerate(relations(step)) if is_scalar_relation(r)}
    signs = {k: _sign(r) for k, r in plain.items()}
    parts = [part for e in _said(step) for part in _parts(e)]
    names = frozenset().union(*(_once(p) for p in parts)) - frozenset().union(*map(_otherwise, parts))
    names = _without_products(frozenset(x for x in names if not x.is_integer), parts)
    names = _joined(names, slack_of(step.claim)[0], plain.values())
    signed = {x for x in names if x.is_nonnegative} | {x for x in signs.values() if x in names}
    more = (k for k, r in plain.items() if r.free_symbols & names and signs[k] not in names)
    return Apart(names, frozenset(signed), tuple(more))


def _joined(names: frozenset[sp.Symbol], claim: sp.Expr, plain: Iterable[sp.Basic]) -> frozenset[sp.Symbol]:
    """Those that the claim speaks of, or a hypothesis beside one that is joined to the claim."""
    found: frozenset[sp.Symbol] = frozenset()
    more = names & claim.free_symbols
    while more:
        found |= more
        more = frozenset().union(*(names & r.free_symbols for r in plain if r.free_symbols & more)) - found
    return found


def _said(step: Step) -> Iterator[sp.Expr]:
    """The slacks of a step's claim and hypotheses, and the ends of ranges."""
    yield _gap(step.claim)
    for relation, _ in relations(step):
        if isinstance(relation, ForAll):
            yield from (relation.lo**2, relation.hi**2)
            relation = relation.relation
        yield _gap(relation)


def _gap(relation: sp.Basic) -> sp.Expr:
    """The difference of a relation's sides, multiplied in as far as it is written."""
    slack_of(relation)  # refuses what is no comparison
    return sp.Add(relation.args[1], -relation.args[0])


def _parts(e: sp.Expr) -> tuple[sp.Expr, ...]:
    return tuple(sp.Add.make_args(sp.expand(e)))


def _once(part: sp.Expr) -> frozenset[sp.Symbol]:
    """The symbols that a term is linear in; none where it speaks of a sequence."""
    if part.has(sp.Sum) or any(map(is_sequence_term, part.atoms(sp.Function))):
        return frozenset()
    factors = sp.Mul.make_args(part)
    once = [x for x in factors if x.is_Symbol]
    return frozenset(x for x in once if not any(x in f.free_symbols for f in factors if f != x))


def _otherwise(part: sp.Expr) -> frozenset[sp.Symbol]:
    """Those that occur in it in another way."""
    return frozenset(part.free_symbols) - _once(part)


def _without_products(names: frozenset[sp.Symbol], parts: list[sp.Expr]) -> frozenset[sp.Symbol]:
    """Names of which no two are factors of one term: whoever is in most such pairs is left out first."""
    pairs = {frozenset(p) for part in parts for p in combinations(_once(part) & names, 2)}
    while pairs:
        count = {x: sum(x in p for p in pairs) for x in frozenset().union(*pairs)}
        worst = max(sorted(count, key=str), key=count.__getitem__)
        names, pairs = names - {worst}, {p for p in pairs if worst not in p}
    return names


def _sign(relation: sp.Basic) -> sp.Symbol | None:
    """The name of which a relation says that it is not negative."""
    if not isinstance(relation, (sp.Le, sp.Lt, sp.Ge, sp.Gt)):
        return None
    slack = sp.expand(slack_of(relation)[0])
    scale, rest = slack.as_coeff_Mul()
    return rest if scale > 0 and rest.is_Symbol else None


def coefficients(value: sp.Expr, names: frozenset[sp.Symbol]) -> tuple[sp.Expr, Mapping[sp.Symbol, sp.Expr]]:
    """A number without the terms that are linear in one of the names, and the coefficients of these."""
    rest: list[sp.Expr] = []
    found: dict[sp.Symbol, list[sp.Expr]] = {}
    for part in _parts(value):
        here = _once(part) & names
        if len(here) == 1:
            (x,) = here
            found.setdefault(x, []).append(part / x)
        else:
            rest.append(part)
    return sp.Add(*rest), {x: sp.Add(*found[x]) for x in sorted(found, key=str)}


def speaking(writer: Writer, alone: Apart) -> set[int]:
    """The lines that speak of these numbers, which prove no sign of a coefficient."""
    names = {x.name for x in alone.names}
    return {k for k, line in enumerate(writer.here.lines) if free(line) & names}


def left_alone(writer: Writer, name: str, coefficient: Tree) -> list[tuple[Any, tuple[Any, ...]]]:
    """A number that is not negative, times its coefficient; nothing where that is 0.

    Raises: NotFound.
    """
    if not writer.forms.number(coefficient).above:
        return []
    places = (writer.find((order, "0", name)) for order in ("<=", "<"))
    known = next((k for k in places if k is not None), None)
    if known is None:
        raise NotFound(f"{name} is left, of which no sign is known")
    return [(number(1), (products.of_numbers(writer, ("<=", "0", coefficient)), known))]
