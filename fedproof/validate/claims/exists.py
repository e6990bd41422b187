"""Existence: refuted by given values for which the exact range is empty, shown by numbers that serve."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy as sp

from fedproof.algebra.exact_evaluation import evaluate_relation
from fedproof.algebra.ranges.admissible import admissible
from fedproof.bounds import catalog
from fedproof.bounds.claims import Exists
from fedproof.bounds.statement import Condition, Statement
from fedproof.proof.certificates import Proved
from fedproof.proof.instance import at
from fedproof.validate.claims.choice import asked, granted, serving
from fedproof.validate.claims.relation import judge_relation
from fedproof.validate.statement_verdict import StatementVerdict, standing
from fedproof.vocabulary.errors import InputError

#: values of the symbols that are not chosen, simplest first
TRIED = tuple(Fraction(t) for t in ("1", "1/2", "2", "0", "10", "100"))
#: given points at most at which an empty instance is looked for
MOST = 12


def judge(statement: Statement) -> StatementVerdict:
    """Decide whether for all given values some choice satisfies the relations.

    A refutation fixes the given symbols and shows that the first chosen one has no admissible
    value, the others being free. A proof says from where on the chosen numbers serve.
    """
    claim = statement.claim
    assert isinstance(claim, Exists)
    facts, domains = standing(statement), {x.name: x.domain for x in (*statement.letters, *claim.choose)}
    known = {c.relation: c.label for s in map(catalog.statement, statement.uses) for c in s.conditions}
    rows = [Condition(known.get(r, str(r)), statement.expand(r)) for r in claim.relations]
    names, looked = [letter.name for letter in statement.letters], 0
    for values in product(TRIED, repeat=len(names)):
        point = dict(zip(names, values, strict=True))
        if not all(evaluate_relation(f, point).holds for f in facts):
            continue
        try:
            found = admissible(rows, claim.choose[0].name, point, domains)
        except InputError:  # such as half a factor in a product of n
            continue
        if found.empty:
            chosen = ", ".join(s.name for s in claim.choose)
            detail = f"at {at(point)} no {chosen} exist: {found.why}"
            return StatementVerdict(statement.id, "refuted", ("exact range",), detail, point)
        looked += 1
        if looked == MOST:
            break
    return _serving(statement, claim)


def _serving(statement: Statement, claim: Exists) -> StatementVerdict:
    """That numbers serve: each relation by certificates, from what is granted and shown before it."""
    found = serving(statement)
    if found is None:
        return _open(statement, "no numbers that serve were found")
    known = {statement.expand(r) for r in (*standing(statement), *granted(found.choices))}
    proofs = dict[str, Proved]()
    for link in found.way:
        if statement.expand(link.then) in known:
            continue
        judged = judge_relation(statement, link.given, link.then)
        if judged.verdict == "vacuous" and not link.given:
            return judged
        if judged.verdict != "holds" or not known.issuperset(map(statement.expand, link.given)):
            return _open(statement, f"that {link.then} is not proved")
        known.add(statement.expand(link.then))
        proofs |= {p.row["id"]: p for p in judged.proofs}
    defined = (sp.Ge(c.low, c.low, evaluate=False) for c in found.choices)
    if not known.issuperset(map(statement.expand, (*defined, *asked(claim)))):
        return _open(statement, "not all that is asked was shown")
    said = ", ".join(f"{c.low} <= {c.symbol} <= {c.low + 1}" for c in found.choices)
    detail = f"every relation holds where {said}: {len(proofs)} certificates"
    return StatementVerdict(statement.id, "holds", ("certificate",), detail, proofs=tuple(proofs.values()))


def _open(statement: Statement, why: str) -> StatementVerdict:
    return StatementVerdict(statement.id, "open", (), f"no empty instance found; {why}")
