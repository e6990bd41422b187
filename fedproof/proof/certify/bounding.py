"""Claims that hold with a bound in place of a number: what a line says that it is at most, or at least."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from fedproof.proof.certify.facts import atoms_of, known, of_atoms
from fedproof.proof.certify.limits import NotFound
from fedproof.proof.certify.preparing import Prover, Terms, attempted, write
from fedproof.proof.certify.writer import Writer, tree_of
from fedproof.proof.kernel.polynomials import Quotient, join, number
from fedproof.proof.kernel.trees import Tree

#: how many bounds are tried
MOST = 4


def by_bound(writer: Writer, claim: Tree, gap: Quotient, depth: int, effort: int, prove: Prover) -> int:
    """gap >= 0 or > 0 where an atom that is in it once stands for its bound.

    Raises: NotFound.
    """
    if depth:
        raise NotFound("bounds in helpers")
    for rest, terms in list(_bounded(writer, gap))[:MOST]:
        less = (claim[0], "0", tree_of(writer.forms, rest))
        line = attempted(partial(prove, writer, less, depth + 1, 1))
        if line is not None:
            return write(writer, claim, [(number(1), ("neg",)), (number(1), (line,)), *terms])
    raise NotFound(claim)


def _bounded(writer: Writer, gap: Quotient) -> Iterator[tuple[Quotient, Terms]]:
    """What is left of a polynomial less multiples of a line that bounds one of its atoms, and these."""
    said = known(writer)
    of_atoms(writer, said, atoms_of(gap.above))
    for place, line in enumerate(writer.here.lines):
        bound = writer.said(place) if line[0] in ("<", "<=") and place not in writer.stale else None
        if bound is None or bound.below or len(bound.above) < 2:
            continue
        for m, d in bound.above.items():
            if len(m) != 1 or m[0][1] != 1 or sum(m[0][0] in dict(n) for n in bound.above) != 1:
                continue
            own = [(n, c) for n, c in gap.above.items() if m[0][0] in dict(n)]
            times = [(join(n, ((m[0][0], -1),)), c / d) for n, c in own]
            if not own or any(m[0][0] in dict(n) or c < 0 or not said.definite(n) for n, c in times):
                continue
            rest = gap - writer.forms.times(Quotient(dict(times)), bound)
            if rest.above and not rest.below:
                yield rest, [(c, (*said.factors_of(writer, n), place)) for n, c in times]
