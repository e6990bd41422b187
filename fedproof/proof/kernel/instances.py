"""What holds for all, for one: proved steps, indices and vectors; and sums, whole numbers and constants."""

from __future__ import annotations

from typing import Any

from fedproof.proof.kernel.atoms import Need
from fedproof.proof.kernel.context import Context, check_kind
from fedproof.proof.kernel.enclosures import enclosed
from fedproof.proof.kernel.relations import reading
from fedproof.proof.kernel.trees import Rejected, Tree, alike, free, keep, substitute


def assumed(here: Context, claim: Tree, place: Any) -> None:
    """A hypothesis."""
    if not isinstance(place, int) or not 0 <= place < len(here.given) or here.given[place] != claim:
        raise Rejected(f"hypothesis {place} is not {claim}")


def use(here: Context, claim: Tree, id: Any, values: Any, pays: Any) -> None:
    """A proved step with expressions for its names: everything it assumes must be known here."""
    if id not in here.used:
        raise Rejected(f"{id} is no step proved before")
    kinds, given, proved = here.used[id]
    put = dict(values)
    if len(put) != len(values):
        raise Rejected(f"two values for one name of {id}")
    for name, kind in kinds.items():
        check_kind(here, kind, put.get(name, name))
    if set(put) - set(kinds):
        raise Rejected(f"{id} has no name {min(set(put) - set(kinds))}")
    if len(pays) != len(given):
        raise Rejected(f"{id} assumes {len(given)} things, not {len(pays)}")
    for place, relation in zip(pays, given, strict=True):
        keep(relation, put)
        if not alike(here.line(place), substitute(relation, put)):
            raise Rejected(f"line {place} is not what {id} assumes: {substitute(relation, put)}")
    if not alike(claim, substitute(proved, put)):
        raise Rejected(f"{id} says {substitute(proved, put)}")


def instance(here: Context, claim: Tree, place: Any, value: Tree, pays: Any = ()) -> None:
    """What holds for every index between two ends, or for every vector, holds for one."""
    line = here.line(place)
    if line[0] == "every":
        _, name, kind, body = line
        check_kind(here, kind, value)
        if not alike(claim, substitute(body, {name: value})):
            raise Rejected("not what holds for every vector")
        return
    if line[0] != "all":
        raise Rejected(f"line {place} is about one case only")
    _, index, lo, hi, body = line
    check_kind(here, "whole", value)
    wanted = (("<=", lo, value), ("<=", value, hi))
    if len(pays) != 2 or not all(alike(here.line(p), w) for p, w in zip(pays, wanted, strict=True)):
        raise Rejected(f"it must be known that {value} lies between {lo} and {hi}")
    if not alike(claim, substitute(body, {index: value})):
        raise Rejected(f"line {place} says {substitute(body, {index: value})}")


def total(here: Context, claim: Tree, place: Any, length: Any) -> None:
    """What holds for every index may be summed; an empty sum is 0, a shorter one has no meaning."""
    line = here.line(place)
    if line[0] != "all" or line[4][0] not in ("<=", "<", "="):
        raise Rejected(f"line {place} is not a relation for every index")
    _, index, lo, hi, (order, left, right) = line
    if not alike(here.line(length), ("<=", lo, ("+", hi, "1"))):
        raise Rejected(f"it must be known that {lo} <= {hi} + 1")
    one, other = (("sum", index, lo, hi, side) for side in (left, right))
    wanted = ("=" if order == "=" else "<=", one, other)
    if not alike(claim, wanted):
        raise Rejected(f"the sum over line {place} is {wanted}")
    forms = here.forms()
    read = forms.vector if forms.is_vector(one) or forms.is_vector(other) else forms.number
    _, needs = reading(forms, lambda: (read(one), read(other)))
    here.defined((), needs)


def following(here: Context, claim: Tree, place: Any) -> None:
    """Between whole numbers a < b means a + 1 <= b."""
    line = here.line(place)
    if line[0] != "<":
        raise Rejected(f"line {place} is no strict inequality")
    for side in line[1:]:
        check_kind(here, "whole", side)
    if claim != ("<=", ("+", line[1], "1"), line[2]):
        raise Rejected("not the next whole number")


def both(here: Context, claim: Tree, one: Any, other: Any) -> None:
    """a <= b and b <= a."""
    wanted = (("<=", claim[1], claim[2]), ("<=", claim[2], claim[1]))
    if claim[0] != "=" or (here.line(one), here.line(other)) != wanted:
        raise Rejected("an equation needs both inequalities")


def meaning(here: Context, claim: Tree) -> None:
    """What is divided by is not 0, and what has a root not negative, wherever a line that says so holds."""
    order, left, right = claim
    kind = {"!=": "nonzero", "<=": "nonnegative"}.get(order, "")
    if not kind or (right if order == "!=" else left) != "0":
        raise Rejected(f"{claim} is not about being defined")
    forms = here.forms()
    q, needs = reading(forms, lambda: forms.number(left if order == "!=" else right))
    here.defined((), {**needs, Need(kind, q.key, ()): q})


def constants(here: Context, claim: Tree) -> None:
    """A relation between constants such as exp(1/8), by rational enclosures."""
    if free(claim) - {"pi"}:
        raise Rejected(f"{claim} is not between constants")
    if not enclosed(claim):
        raise Rejected(f"{claim} does not follow from enclosures")
