"""The rules of proof: each takes what holds already and says what holds then, or rejects the certificate.

Here are the rules with proofs inside, the table of all rules, and what checks a proof line by line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fedproof.proof.kernel.context import Context, check_kind
from fedproof.proof.kernel.instances import assumed, both, constants, following, instance, meaning, total, use
from fedproof.proof.kernel.products import combine, equal_vectors
from fedproof.proof.kernel.relations import reading, sides
from fedproof.proof.kernel.trees import KIND, Rejected, Tree, alike, free, substitute


def every_index(here: Context, claim: Tree, lines: Any) -> None:
    """A proof with an index that nothing else speaks of, between two ends."""
    if claim[0] != "all":
        raise Rejected(f"{claim} is not for every index")
    _, index, lo, hi, body = claim
    for end in (lo, hi):
        check_kind(here, "whole", end)
    inner = here.inside({index: "whole"}, ("<=", lo, index), ("<=", index, hi))
    prove(inner, lines, body)


def every_value(here: Context, claim: Tree, lines: Any) -> None:
    """A proof with a new name of which nothing is known."""
    if claim[0] != "every" or not KIND.match(claim[2]):
        raise Rejected(f"{claim} is not for every value of a kind")
    _, new, kind, body = claim
    prove(here.inside({new: kind}), lines, body)


def split(here: Context, claim: Tree, case: Tree, lines: Any, otherwise: Any) -> None:
    """A proof where a relation holds, and one where it does not."""
    opposite = {"<=": "<", "<": "<=", "=": "!=", "!=": "="}
    forms = here.forms()
    (order, _), needs = reading(forms, lambda: sides(forms, case))
    here.defined((), needs)
    negated = (
        (opposite[order], case[1], case[2]) if order in ("=", "!=") else (opposite[order], case[2], case[1])
    )
    prove(here.inside({}, case), lines, claim)
    prove(here.inside({}, negated), otherwise, claim)


def induction(here: Context, claim: Tree, first: Any, lines: Any) -> None:
    """From the first index, and from each to the next; what is known otherwise speaks of no such index."""
    if claim[0] != "all":
        raise Rejected(f"{claim} is not for every index")
    _, index, lo, hi, body = claim
    for end in (lo, hi):
        check_kind(here, "whole", end)
    if not alike(here.line(first), substitute(body, {index: lo})):
        raise Rejected("the first case is not known")
    inner = here.inside({index: "whole"}, ("<=", lo, index), ("<=", index, ("+", hi, "-1")), body)
    prove(inner, lines, substitute(body, {index: ("+", index, "1")}))


def name(here: Context, claim: Tree, lines: Any, new: Any, value: Tree) -> None:
    """A proof with a name for a part; what is proved does not speak of it."""
    if new in free(claim):
        raise Rejected(f"{new} occurs in what is proved")
    vector = here.forms().is_vector(value)
    check_kind(here, "vector" if vector else "real", value)
    prove(here.inside({new: "vector" if vector else "real"}, ("=", new, value)), lines, claim)


#: by the name that a line gives
RULES: Mapping[str, Callable[..., None]] = {
    "given": assumed,
    "combine": combine,
    "vectors": equal_vectors,
    "use": use,
    "instance": instance,
    "total": total,
    "next": following,
    "both": both,
    "meaning": meaning,
    "constants": constants,
    "all": every_index,
    "every": every_value,
    "split": split,
    "induction": induction,
    "name": name,
}


def prove(here: Context, lines: Any, goal: Tree) -> None:
    """Check lines one by one; the last one is the goal.

    Raises: Rejected.
    """
    last: Tree = here.lines[-1] if here.lines else None
    for relation, by in lines:
        if not (isinstance(by, tuple) and by and by[0] in RULES):
            raise Rejected(f"{by} is no rule")
        try:
            RULES[by[0]](here, relation, *by[1:])
        except (TypeError, ValueError, IndexError, KeyError, AttributeError) as problem:
            if isinstance(problem, Rejected):
                raise
            raise Rejected(f"{by[0]} is misused: {problem!r}") from problem
        here.lines.append(relation)
        last = relation
    if last != goal:
        raise Rejected(f"the last line is {last}, not {goal}")
