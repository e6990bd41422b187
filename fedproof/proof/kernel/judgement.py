"""A judgement, hypotheses |- claim: it exists only where a certificate was checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import InitVar, dataclass
from types import MappingProxyType
from typing import Any

from fedproof.proof.kernel.context import Context
from fedproof.proof.kernel.enclosures import enclosure
from fedproof.proof.kernel.relations import reading, sides
from fedproof.proof.kernel.rules import prove
from fedproof.proof.kernel.trees import (
    FUNCTIONS,
    KIND,
    ORDER,
    Rejected,
    Tree,
    as_tree,
    free,
    fresh,
    in_lowest_terms,
    is_name,
    substitute,
)

_KEY = object()
#: the rules with proofs inside, and where they stand
_INSIDE = {"all": (0,), "every": (0,), "split": (1, 2), "induction": (1,), "name": (0,)}


@dataclass(frozen=True)
class Judgement:
    """What was proved: a claim, and everything it was proved from.

    Arguments:
        id: of the step.
        names: kind of each name.
        given: the hypotheses, all of them.
        claim: what follows.

    Raises: Rejected where it is made by anything but `checked`.
    """

    id: str
    names: Mapping[str, str]
    given: tuple[Tree, ...]
    claim: Tree
    key: InitVar[Any] = None

    def __post_init__(self, key: Any) -> None:
        if key is not _KEY:
            raise Rejected("a judgement comes from `checked` alone")


def checked(document: Mapping[str, Any], known: Mapping[str, Judgement]) -> Judgement:
    """Check the certificate of one step.

    Arguments:
        document: its "id", "names" with kinds, "given", "claim" and "lines", as `docs/certificates.md` says.
        known: the judgements on the steps it uses.

    Raises: Rejected naming the first line that does not follow.
    """
    try:
        return _checked(document, known)
    except Rejected:
        raise
    except RecursionError:
        raise Rejected("nested too deeply") from None
    except (TypeError, ValueError, LookupError, AttributeError) as problem:
        raise Rejected(f"no certificate: {problem!r}") from problem


def _checked(document: Mapping[str, Any], known: Mapping[str, Judgement]) -> Judgement:
    names = dict(document["names"])
    for name, kind in names.items():
        fits = is_name(name) and isinstance(kind, str) and KIND.match(kind)
        if not fits or ("(" in kind and name in FUNCTIONS):
            raise Rejected(f"{name}: {kind} is no name with a kind")
    given = tuple(as_tree(g["is"]) for g in document["given"])
    claim = as_tree(document["claim"])
    used = {id: (j.names, j.given, j.claim) for id, j in known.items()}
    here = Context(names, (), given, used)
    for relation in (*given, claim):
        understood(here, relation)
    lines = as_tree(document["lines"])
    if not all(is_name(n) for n in _bound((given, claim, lines))):
        raise Rejected("an index that is no name")
    spoken = strings((given, claim, lines))
    if not all(map(in_lowest_terms, spoken)):
        raise Rejected("a number that is not in lowest terms")
    if any(s.startswith(("#", "@", "~")) for s in spoken):
        raise Rejected("a name that no certificate may write")
    idle = set(names) - spoken
    if idle:
        raise Rejected(f"{min(idle)} occurs nowhere")
    prove(here, lines, claim)
    if sorted(set(_taken(lines))) != sorted(document.get("uses", ())):
        raise Rejected("its uses are not the steps that its lines use")
    heard = frozenset().union(*map(free, (*given, claim)))
    kinds = MappingProxyType({n: k for n, k in names.items() if n in heard})
    return Judgement(document["id"], kinds, given, claim, _KEY)


def _taken(lines: Tree) -> Iterator[str]:
    """The steps that lines use, in proofs inside of others too."""
    for _, (rule, *more) in lines:
        if rule == "use":
            yield more[0]
        for place in _INSIDE.get(rule, ()):
            yield from _taken(more[place])


def _bound(tree: Any) -> Iterator[str]:
    """The names that are bound within a tree."""
    if isinstance(tree, tuple):
        if len(tree) > 2 and tree[0] in ("sum", "all", "every"):
            yield tree[1]
        if len(tree) == 3 and tree[0] == "map" and isinstance(tree[1], tuple):
            yield from tree[1]
        for part in tree:
            yield from _bound(part)


def understood(here: Context, relation: Tree) -> None:
    """Whether a relation speaks of declared names by their kinds.

    Raises: Rejected.
    """
    beyond = set(_heads(relation)) & {"exp", "log", "sin", "cos", "pi"}
    if beyond and not free(relation) - {"pi"} and relation[0] in ORDER and len(relation) == 3:
        for side in relation[1:]:
            enclosure(side)
        return
    if free(relation) - set(here.kinds):
        raise Rejected(f"{min(free(relation) - set(here.kinds))} is not declared")
    if not isinstance(relation, tuple) or not relation:
        raise Rejected(f"{relation} is no relation")
    if relation[0] == "all" and len(relation) == 5:
        forms = here.forms()
        forms.whole(relation[2])
        forms.whole(relation[3])
        new = fresh(relation[1], set(here.kinds))
        understood(here.inside({new: "whole"}), substitute(relation[4], {relation[1]: new}))
    elif relation[0] == "every" and len(relation) == 4 and KIND.match(relation[2]):
        new = fresh(relation[1], set(here.kinds))
        understood(here.inside({new: relation[2]}), substitute(relation[3], {relation[1]: new}))
    elif relation[0] in ORDER and len(relation) == 3:
        forms = here.forms()
        if any(forms.is_vector(s) for s in relation[1:]):
            if relation[0] != "=":
                raise Rejected(f"vectors are not ordered: {relation}")
            for side in relation[1:]:
                forms.vector(side)
        else:
            reading(forms, lambda: sides(forms, relation))
    else:
        raise Rejected(f"{relation} is no relation")


def strings(tree: Any) -> set[str]:
    """Every text within a tree, but for the names of a used step that get values."""
    found, waiting = set(), [tree]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            found.add(part)
        elif isinstance(part, tuple):
            values = part[2] if len(part) == 4 and part[0] == "use" else None
            if values is not None and all(isinstance(v, tuple) and len(v) == 2 for v in values):
                waiting += [value for _, value in values]
            else:
                waiting += part
    return found


def _heads(tree: Tree) -> Sequence[str]:
    """The heads within a tree, and pi."""
    if isinstance(tree, str):
        return [tree] if tree == "pi" else []
    return [tree[0], *(h for p in tree[1:] for h in _heads(p))]
