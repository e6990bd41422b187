"""What a search for a proof between real numbers was missing, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

import sympy as sp

from fedproof.algebra.expressions import NotAlgebraic
from fedproof.proof.certify import products, search
from fedproof.proof.certify.beginning import Known, begun
from fedproof.proof.certify.limits import NotFound, within
from fedproof.proof.certify.preparing import clear, prepare
from fedproof.proof.certify.programme import Candidate, left_over
from fedproof.proof.certify.translate import relation
from fedproof.proof.certify.writer import Writer, tree_of
from fedproof.proof.forall import relation_text
from fedproof.proof.kernel.polynomials import Quotient, number
from fedproof.proof.kernel.trees import Rejected, Tree
from fedproof.proof.rules.normalise_step import meant, normalised
from fedproof.proof.rules.query import NotApplicable
from fedproof.proof.step import Applied, Step
from fedproof.proof.tree_text import text

#: processor time, how hard is tried, and how many hypotheses and terms are named
SECONDS, EFFORT, NAMED = 2.0, 1, 4


def lacking(step: Step, known: Mapping[str, Known]) -> tuple[str, ...]:
    """What was tried of which hypotheses, which of them no product uses, and the terms that stay.

    Arguments:
        known: the steps that it uses, proved.

    Returns: a sentence each; none of a step of a rule that does not multiply facts about real numbers.
    """
    if step.rule != "real":
        return ()
    found: list[str] = []
    missed = suppress(NotFound, Rejected, NotApplicable, NotAlgebraic, ArithmeticError)
    with missed, sp.evaluate(True), within(SECONDS):
        writer, claim, own = _ready(step, known)
        for columns in _grown(writer, claim):
            found = list(_said(writer, columns, own))
    return tuple(found)


def _ready(step: Step, known: Mapping[str, Known]) -> tuple[Writer, Tree, dict[int, str]]:
    """A writer with the lines of the hypotheses, the claim, and by their lines those that the step lists."""
    from fedproof.proof.certify.steps import _hypotheses

    prepared = meant(normalised(step))
    writer, claim = begun(step, prepared, known), relation(prepared.claim)
    places = _hypotheses(writer, step, prepared, known)
    writer.hidden = set(range(len(writer.here.lines))) - set(places)
    writer.settle(beyond=False)
    lines = writer.here.lines
    words = {relation(h.relation): _words(h.relation) for h in step.hypotheses if not isinstance(h, Applied)}
    return writer, claim, {p: words[lines[p]] for p in places if lines[p] in words}


def _words(said: Any) -> str:
    """A relation as its author wrote it; an equation with its sign."""
    return text(relation(said)) if isinstance(said, sp.Eq) else relation_text(said)


def _grown(writer: Writer, claim: Tree) -> Iterator[search.Columns]:
    """The products that a search looks at for the claim, round by round."""
    if claim[0] not in ("<=", "<"):
        raise NotFound(claim)
    products.define(writer, claim)
    gap = writer.gap(claim)
    if gap.below or any(e < 0 for m in gap.above for _, e in m):
        gap, _ = clear(writer, gap, 0, products.prove)
    prepare(writer, 0, products.prove)
    yield from search.grown(writer, gap.above, claim[0], EFFORT)


def _said(writer: Writer, columns: search.Columns, own: Mapping[int, str]) -> Iterator[str]:
    origins = _origins(writer, own)
    tried = Counter(h for key in columns.chosen for h in _from(columns, key, origins))
    base = columns.chosen[0, 0]
    used, left = _best(columns, base)
    named = [f"{own[h]} ({count})" for h, count in tried.most_common(NAMED)]
    yield f"{len(columns.chosen)} products were tried" + (f", of {', '.join(named)}" if named else "")
    read = set().union(*(origins[p] for p in writer.equal), set())
    taken = set().union(*(_from(columns, c.factors, origins) for c in used), read)
    idle = [said for h, said in own.items() if h not in taken]
    if idle:
        yield f"no product of the best attempt uses {', '.join(idle[:NAMED])}"
    terms = [m for m in left if m in base.value] or left
    shown = [_term(writer, columns, m) for m in terms[:NAMED]]
    if not left:
        yield "in floating point products add up to the claim, but no exact weights were found"
    if shown:
        yield f"nothing cancels or dominates the term{'s' * (len(shown) > 1)} {', '.join(shown)}"


def _best(columns: search.Columns, base: Candidate) -> tuple[list[Candidate], list[int]]:
    """The products with which least of the claim is left, and the monomials that are left, the most first."""
    squares: dict[Any, Candidate] = {}
    found = left_over(list(columns.chosen.values()), base, columns.space.sign)
    for _ in range(8):
        new = dict(search.squares_of(columns.space, found.values, squares))
        if not new or not found.left:
            break
        squares |= new
        found = left_over([*columns.chosen.values(), *squares.values()], base, columns.space.sign)
    return found.used, sorted(found.left, key=lambda m: -found.left[m])


def _origins(writer: Writer, own: Mapping[int, str]) -> dict[int, frozenset[int]]:
    """From which hypotheses each line comes."""
    found: dict[int, frozenset[int]] = {}
    for place, (_, by) in enumerate(writer.lines):
        before = () if by[0] == "given" else (p for p in _places(by[1:]) if p < place)
        here = frozenset({place} & set(own))
        found[place] = here.union(*(found[p] for p in before))
    return found


def _places(part: Any) -> Iterator[int]:
    """Every line that a rule names."""
    if isinstance(part, int):
        yield part
    elif isinstance(part, tuple):
        for inner in part:
            yield from _places(inner)


def _from(columns: search.Columns, key: Any, origins: Mapping[int, frozenset[int]]) -> frozenset[int]:
    """The hypotheses that a product is of."""
    if not isinstance(key, tuple):
        return frozenset()
    fact, code = columns.templates[key[0]][0] if isinstance(key[0], int) else None, key[1]
    known, space = columns.space.known, columns.space
    parts: list[Any] = list(fact.factors) if fact else []
    parts += [
        known.above.get(a, known.least.get(a)) for a, e in space.monomial(code) if e % 2 or a in known.above
    ]
    return frozenset().union(*(origins[p] for p in _places(tuple(parts)) if p in origins))


def _term(writer: Writer, columns: search.Columns, code: int) -> str:
    return text(tree_of(writer.forms, Quotient({columns.space.monomial(code): number(1)})))
