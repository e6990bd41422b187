"""One relation under a statement's conditions: what every algebraic claim comes down to."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from fractions import Fraction

import sympy as sp

from fedproof.algebra.exact_evaluation import evaluate_relation
from fedproof.algebra.expressions import names_in
from fedproof.bounds.statement import Statement
from fedproof.proof.counterexamples import feasible_point
from fedproof.proof.engines.smt import prove
from fedproof.proof.prove_or_refute import can_hold, prove_or_refute
from fedproof.proof.rules.query import Query
from fedproof.validate.statement_verdict import StatementVerdict, judgement, standing, told, without_meaning
from fedproof.vocabulary.errors import InputError


def judge_relation(
    statement: Statement, given: Sequence[sp.Basic], then: sp.Basic, via: Sequence[sp.Basic] = ()
) -> StatementVerdict:
    """Decide whether a statement's conditions and further hypotheses imply a relation.

    Arguments:
        statement: whose conditions, domains and definitions hold.
        given: further hypotheses.
        then: the conclusion.
        via: relations on the way, proved first and then used in place of what has radicals.
    """
    relation = statement.expand(then)
    hypotheses = [h for h in standing(statement) if h != relation] + [statement.expand(g) for g in given]
    steps = _on_the_way(statement, hypotheses, via)
    if steps:
        given = [*(g for g in given if not radical(g)), *via]
        proofs = _proofs(
            statement, given, [*(h for h in hypotheses if not radical(h)), *_claims(steps)], then
        )
    else:
        proofs = _proofs(statement, given, hypotheses, then)
    ways = [(*steps, *proof) for proof in proofs]
    return judgement(
        statement, prove_or_refute(hypotheses, relation, ways, statement.source, told(statement))
    )


def _on_the_way(
    statement: Statement, hypotheses: Sequence[sp.Basic], via: Sequence[sp.Basic]
) -> tuple[Query, ...]:
    """The relations on the way, each from the hypotheses that speak of its symbols; none if not proved."""
    claims = [statement.expand(v) for v in via]
    asked = tuple(
        Query(tuple(h for h in hypotheses if h.free_symbols <= c.free_symbols), c, "a relation on the way")
        for c in claims
    )
    return asked if all(prove(q.given, q.claim).proved for q in asked) else ()


def _claims(questions: Sequence[Query]) -> list[sp.Basic]:
    return [q.claim for q in questions]


def algebraic(relation: sp.Basic) -> bool:
    """Whether a relation has numbers for exponents and no other functions, so that engines reason with it.

    >>> x = sp.Symbol("x", real=True)
    >>> [algebraic(sp.Ge(e, 1, evaluate=False)) for e in (x**2, x**x, sp.exp(x), abs(x))]
    [True, False, False, True]
    """
    others = relation.atoms(sp.Function) - relation.atoms(sp.Max, sp.Min, sp.Abs)
    return not others and all(p.exp.doit().is_Rational for p in relation.atoms(sp.Pow))


#: why a verdict is open where no values are known that meet the conditions
UNMET = "that its conditions can hold is not known"


def unless_vacuous(statement: Statement, found: StatementVerdict) -> StatementVerdict:
    """A verdict that holds, where the statement's conditions can hold together."""
    possible = can_be_met(statement)
    if possible:
        return found
    if possible is None:
        return replace(found, verdict="open", detail=UNMET)
    return replace(found, verdict="vacuous", detail="its conditions cannot hold together")


def can_be_met(statement: Statement) -> bool | None:
    """Whether exact values are known that meet all conditions, letters that count being whole.

    False where nothing meets those that engines reason with, None where neither is known.
    """
    if meeting_point(statement) is not None:
        return True
    given = standing(statement)
    plain = [k for k in given if algebraic(k)]
    speaks = _counts(statement) & set().union(*map(names_in, given))
    possible = can_hold(plain)
    return possible if possible is False or (plain == given and not speaks) else None


def meeting_point(statement: Statement, more: Iterable[sp.Basic] = ()) -> Mapping[str, Fraction] | None:
    """Exact values that meet all conditions, and what else is given, if some are known.

    Letters that count are whole there.
    """
    given, counts = [*standing(statement), *more], _counts(statement)
    points = (told(statement), feasible_point([k for k in given if algebraic(k)], counts))
    return next((p for p in points if p is not None and _meets(given, counts, p)), None)


def _counts(statement: Statement) -> set[str]:
    """The letters that count, those that are chosen too."""
    return {x.name for x in (*statement.letters, *getattr(statement.claim, "choose", ())) if x.quantity.whole}


def _meets(given: Sequence[sp.Basic], counts: Set[str], point: Mapping[str, Fraction]) -> bool:
    """Whether exact values meet all relations and are whole where a letter counts."""
    if any(point[name].denominator != 1 for name in counts & point.keys()):
        return False
    try:
        return all(names_in(k) <= point.keys() and evaluate_relation(k, point).holds for k in given)
    except InputError:  # a function that has no exact values
        return False


def whole_witness(statement: Statement, found: StatementVerdict) -> StatementVerdict:
    """A refutation by numbers at which every letter that counts is whole; else it is open."""
    odd = [
        letter.name
        for letter in statement.letters
        if letter.quantity.whole and (found.witness or {}).get(letter.name, Fraction(1)).denominator != 1
    ]
    if found.verdict != "refuted" or not odd:
        return found
    detail = f"{found.detail}, where {odd[0]} is not whole"
    return replace(found, verdict="open", because=(), witness=None, instance=None, detail=detail)


def affine(relation: sp.Basic, moving: Collection[sp.Symbol]) -> bool:
    """Whether a relation is affine in symbols, so that it holds between two points where it holds at both.

    >>> x, y = sp.symbols("x y", real=True)
    >>> affine(x <= y**2, {x}), affine(1 / x <= y, {x})
    (True, False)
    """
    gap = sp.expand((relation.args[0] - relation.args[1]).doit())
    return bool(gap.is_polynomial(*moving) and sp.Poly(gap, *moving).total_degree() <= 1)


def radical(relation: sp.Basic) -> bool:
    """Whether roots occur in a relation, which make it slow to reason with."""
    return any(p.exp.is_Rational and p.exp.q > 1 for p in relation.doit().atoms(sp.Pow))


def _proofs(
    statement: Statement, given: Sequence[sp.Basic], hypotheses: Sequence[sp.Basic], then: sp.Basic
) -> list[tuple[Query, ...]]:
    """With named quantities as symbols, where the facts on them are proved; then as it stands."""
    plain = (Query(tuple(hypotheses), statement.expand(then)),)
    named = without_meaning(statement, given, then)
    if named is None:
        return [plain]
    facts, claim, obligations = named
    known = tuple(Query(tuple(h), o, "what is known of a named quantity") for h, o in obligations)
    if not all(prove(q.given, q.claim).proved for q in known):
        return [plain]
    return [(*known, Query(tuple(facts), claim)), plain]
