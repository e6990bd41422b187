"""Claims that are sums of multiples of lines, as these stand: what most of what is owed comes down to."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from fedproof.proof.certify.preparing import Terms
from fedproof.proof.certify.programme import Candidate, by_one, connected, unmatched, weights
from fedproof.proof.certify.writer import Writer
from fedproof.proof.kernel.forms import Forms
from fedproof.proof.kernel.polynomials import ONE, number
from fedproof.proof.kernel.trees import ORDER, Tree

#: the number 1
_ONE = Candidate({(ONE, ()): number(1)}, (), strict=True)


def linear(writer: Writer, claim: Tree) -> Terms | None:
    """The claim as a sum of multiples of lines, nothing cleared."""
    own = terms_of(writer.forms, claim)
    negated = Candidate({m: -c for m, c in own.items()}, ("neg",), strict=claim[0] == "<=")
    lines = writer.here.lines
    said = [
        c
        for place, line in enumerate(lines)
        if line[0] in ORDER and line[0] != "!=" and place not in writer.equal and place not in writer.hidden
        and (c := writer.once("terms", place, partial(_candidate, writer))) is not None
    ]  # fmt: skip
    found = by_one(negated, said, _ONE)
    if found is None:
        near = connected(negated, said, _ONE)
        found = weights(near) if near else None
    if found is None:
        found = _contradiction(writer, said)
    return None if found is None else [(w, c.factors) for w, c in found]


def _candidate(writer: Writer, place: int) -> Candidate | None:
    """What a line says, term by term, None where that is nothing."""
    line = writer.here.lines[place]
    found = terms_of(writer.forms, line) if writer.said(place) is not None else None
    return Candidate(found, (place,), line[0] == "=", line[0] == "<") if found else None


def _contradiction(writer: Writer, said: Sequence[Candidate]) -> Any:
    """Lines that contradict each other, whatever is claimed; asked once of the same lines."""
    left = unmatched([_ONE, *said], lambda m: 0)
    made, key = writer.forms.made_of, ("contradiction", *map(id, left))
    if key not in made:
        made[key] = left, weights(left) if len(left) > 1 else None
    return made[key][1]


def terms_of(forms: Forms, relation: Tree) -> dict[Any, Any]:
    """What is right less what is left, term by term, each with its own divisors."""
    found: dict[Any, Any] = {}
    for sign, side in ((1, relation[2]), (-1, relation[1])):
        waiting = [side]
        while waiting:
            part = waiting.pop()
            if isinstance(part, tuple) and part[0] == "+":
                waiting += part[1:]
                continue
            q = forms.number(part)
            below = tuple(sorted(q.below.items()))
            for m, c in q.above.items():
                value = found.pop((m, below), 0) + sign * c
                if value != 0:
                    found[m, below] = value
    return found
