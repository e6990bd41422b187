"""What the conditions of a statement say of the sign of its symbols, proved by certificates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import sympy as sp

from fedproof.bounds.statement import Statement
from fedproof.proof.certificates import Proved
from fedproof.proof.certify.live import proof
from fedproof.proof.engines.smt import prove
from fedproof.proof.prove_or_refute import as_step
from fedproof.proof.rules.query import Query
from fedproof.validate.statement_verdict import standing
from fedproof.vocabulary.source import Source

#: for each engine and for the search of a certificate
SECONDS = 4.0


def named_symbols(statement: Statement, *moving: sp.Symbol) -> frozenset[sp.Symbol]:
    """Defined quantities that a proof may keep as symbols.

    Facts on them are declared, and they stay put while the moving symbols move.

    >>> from fedproof.bounds.catalog import statement
    >>> from fedproof.papers.fedproxvr.notation import beta, mu
    >>> remark = statement("fedproxvr.remark1.2")
    >>> named_symbols(remark, beta), named_symbols(remark, mu)
    (frozenset({mt}), frozenset())
    """
    declared = (d for d in statement.where if d.facts)
    return frozenset(d.symbol for d in declared if not set(moving) & statement.expand(d.expr).free_symbols)


def surroundings(statement: Statement) -> list[sp.Basic]:
    """Conditions and domains, and the meaning of each named quantity as an equation."""
    meanings = [sp.Eq(d.symbol, statement.expand(d.expr)) for d in statement.where if d.facts]
    return [*standing(statement), *meanings]


def always(statement: Statement, relation: sp.Basic) -> bool:
    """Whether a relation between symbols follows from the conditions.

    >>> from fedproof.bounds.catalog import statement
    >>> from fedproof.papers.fedproxvr.notation import lam, mu
    >>> always(statement("fedproxvr.theorem1"), mu > 0), always(statement("fedproxvr.theorem1"), lam > 0)
    (True, False)
    """
    if relation in (sp.true, sp.false):
        return bool(relation == sp.true)
    speaks_of = relation.free_symbols
    near = [h for h in surroundings(statement) if h.free_symbols <= speaks_of]
    return any(follows(given, relation, statement.source) for given in (near, surroundings(statement)))


def follows(given: Sequence[sp.Basic], relation: sp.Basic, source: Source) -> bool:
    """Whether hypotheses imply a relation by a certificate; engines soon tell where there is none."""
    if not prove(given, relation, SECONDS).proved:
        return False
    plain = tuple(h for h in given if not any(p.exp.is_Rational and p.exp.q > 1 for p in h.atoms(sp.Pow)))
    asked = dict.fromkeys((plain, tuple(given)))
    return any(isinstance(proof(as_step(Query(g, relation), source), SECONDS), Proved) for g in asked)


def sign_cases(statement: Statement, symbols: Sequence[sp.Symbol]) -> Iterator[dict[sp.Symbol, sp.Expr]]:
    """Each symbol as a positive one or, where the conditions do not exclude it, as zero; all combinations."""
    choices = [(1,) if always(statement, s > 0) else (1, 0) for s in symbols]
    for case in product(*choices):
        yield {
            s: sp.Symbol(s.name, positive=True) if positive else sp.Integer(0)
            for s, positive in zip(symbols, case, strict=True)
        }
