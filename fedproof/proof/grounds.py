"""What a proved step rests on besides what it lists: each of its grounds by kind, id and formula.

A reason in words is no ground: a hypothesis counts as an assumption only where it is, letter by letter, a
formula that the paper grants for all points. Everything else that a certificate carries is called carried.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal

from fedproof.proof.certificates import Document, Proved, counted
from fedproof.proof.certify.translate import relation
from fedproof.proof.kernel.trees import Rejected, Tree, alike, as_json, as_tree, free, substitute
from fedproof.proof.language.everywhere import applies
from fedproof.proof.obligations import used
from fedproof.proof.rules.normalise_step import tidy
from fedproof.proof.sayings import reasons
from fedproof.proof.standing import Meaning, Standing, standing
from fedproof.proof.step import Given, Step
from fedproof.proof.tree_text import text

Kind = Literal["meaning", "assumption", "listed", "cited", "carried"]


@dataclass(frozen=True)
class Ground:
    """One thing that a proof takes for granted besides the hypotheses that its step lists.

    Arguments:
        kind: "meaning" of a name, an "assumption" of the paper, "listed" by the step with a reason in words,
            a result that is "cited", or "carried" from a step that it uses, which nobody grants.
        id: the name, the assumption's, the reason, the cited step's.
        tree: the formula, or what the name stands for.
    """

    kind: Kind
    id: str
    tree: Tree

    @property
    def text(self) -> str:
        """The formula as one line of plain mathematics."""
        return text(self.tree)

    def to_dict(self) -> dict[str, Any]:
        """As the contract has it, with the formula as certificates have it."""
        return {"kind": self.kind, "id": self.id, "text": self.text, "is": as_json(self.tree)}


def grounds(proved: Proved) -> tuple[Ground, ...]:
    """Everything that a step's proof rests on besides what it lists."""
    return resting(proved)[0]


def resting(proved: Proved) -> tuple[tuple[Ground, ...], Mapping[str, Tree]]:
    """The grounds, and the values that names have in them: none where a closing is refused."""
    closing = proved.document.get("closing")
    granted = standing(proved.step.source.paper) if proved.step.source else Standing()
    whole = (*(_whole(name, granted) for name in counted(proved)), *_texts(proved.step))
    if closing is not None:
        with suppress(Rejected, LookupError, TypeError, ValueError):
            closed = tuple(dict.fromkeys((*whole, *_closed(proved, closing, granted))))
            return closed, _values(closing, proved.judgement.id)
    said = reasons(proved.step)
    if applies(proved.step):
        return tuple(_listing(proved, granted, said)), {}
    own = [proved.judgement.given[k] for k in proved.own]
    found = [_listed(g, said) for g in own]
    carried = (g for k, g in enumerate(proved.judgement.given) if k not in proved.own)
    return (*whole, *(g for g in found if g is not None), *(_open(proved, g, {}) for g in carried)), {}


def _listing(proved: Proved, granted: Standing, said: Sequence[tuple[Tree, str]]) -> Iterator[Ground]:
    """What a step that speaks of functions lists: what its paper grants by its id, else what has a reason."""
    for given in proved.judgement.given:
        ids = _granting(granted, given, proved.judgement.names)
        yield from (Ground("cited" if id in granted.cited else "assumption", id, given) for id in ids[:1])
        reasoned = _listed(given, said)
        if not ids and reasoned is not None:
            yield reasoned


def _granting(granted: Standing, given: Tree, names: Mapping[str, str]) -> list[str]:
    """By which ids a paper grants a formula; none where a name counts here that is any number there."""
    if any(names.get(n) == "whole" != granted.kinds.get(n) for n in free(given)):
        return []
    return [id for id, formula in granted.formulas if alike(given, formula)]


def _whole(name: str, granted: Standing) -> Ground:
    """That a name counts, as a step that is used says: granted where the paper says so."""
    kind: Kind = "meaning" if name in granted.whole | granted.counts else "carried"
    return Ground(kind, name if kind == "meaning" else "", ("whole", name))


def _listed(given: Tree, said: Sequence[tuple[Tree, str]]) -> Ground | None:
    """A hypothesis that a step lists, if it gives a reason."""
    why = next((why for tree, why in said if alike(tree, given)), None)
    return None if why is None else Ground("listed", why, given)


def _closed(proved: Proved, closing: Document, granted: Standing) -> Iterator[Ground]:
    """The grounds when names stand for what they mean.

    Raises: Rejected where the closing is none of this step.
    """
    judgement, own = proved.judgement, [proved.judgement.given[k] for k in proved.own]
    found = proved.closed
    if found is None:
        raise Rejected("the kernel accepts no such closing")
    put = _values(closing, judgement.id)
    for name, kind in found.names.items():
        usual = granted.kinds.get(name, "real")
        own_kind = judgement.names.get(name, usual)
        if (own_kind, kind) == ("real", "whole") == ("real", usual):
            yield Ground("meaning", name, ("whole", name))
        elif kind != own_kind:
            raise Rejected(f"{name} is no {kind}")
    if not alike(found.claim, substitute(judgement.claim, put)):
        raise Rejected("the closing is of another claim")
    for name in sorted(_spoken((*own, judgement.claim), put, granted.meanings(judgement.id))):
        if not _means(name, put[name], granted, judgement.id, judgement.names[name], put):
            raise Rejected(f"{name} does not mean {put[name]}")
        yield Ground("meaning", name, put[name])
    if not all(
        t.at(put).known(closing["names"], found.given, as_tree(closing["lines"])) for t in proved.cited
    ):
        raise Rejected("what is cited is taken before what it needs")
    listed = [substitute(g, put) for g in own]
    said = [(substitute(tree, put), why) for tree, why in reasons(proved.step)]
    for g in found.given:
        own_one, reasoned = any(alike(g, o) for o in listed), _listed(g, said)
        if own_one and reasoned is None:
            continue
        ids = _granting(granted, g, found.names)
        yield from (Ground("cited" if id in granted.cited else "assumption", id, g) for id in ids)
        if not ids:
            yield reasoned if own_one and reasoned is not None else _open(proved, g, put)


def _spoken(
    said: Sequence[Tree], put: Mapping[str, Tree], known: Mapping[str, tuple[Meaning, ...]]
) -> set[str]:
    """Names with a value that relations speak of, or that what the paper says of such a name speaks of."""
    found: set[str] = set()
    waiting = {n for tree in said for n in free(tree)} & set(put)
    while waiting:
        found |= waiting
        values = (v for n in waiting for entry in known.get(n, ()) for v in entry.values)
        waiting = {n for v in values for n in free(v)} & set(put) & set(known) - found
    return found


def _means(name: str, value: Tree, granted: Standing, id: str, kind: str, put: Mapping[str, Tree]) -> bool:
    """Whether a value is what the paper says that this very name, of this kind, means.

    Of what that speaks of, only names that have a meaning themselves are written out: others are any.
    """
    known = granted.meanings(id)
    put = {n: v for n, v in put.items() if n in known}
    for entry in known.get(name, ()):
        for meaning in entry.values if kind.partition("(")[2].count("whole") == len(entry.parameters) else ():
            said = ("map", entry.parameters, meaning) if entry.parameters else meaning
            if alike(value, substitute(said, put)):
                return True
    return False


def _values(closing: Document, id: str) -> dict[str, Tree]:
    """What names stand for in the last line of a closing, which uses the step."""
    _, rule = as_tree(closing["lines"][-1])
    if rule[:2] != ("use", id):
        raise Rejected("the last line uses another step")
    return dict(rule[2])


def _texts(step: Step) -> Iterator[Ground]:
    """What results of other texts that a step uses assume with a reason, in their own names."""
    for other in (s for s in used(step) if s.rule == "cite"):
        yield from (
            Ground("cited", other.id, relation(r))
            for h in other.hypotheses
            if isinstance(h, Given) and h.why
            for r in tidy(h.relation)
        )


def _open(proved: Proved, given: Tree, put: Mapping[str, Tree]) -> Ground:
    """A hypothesis that no formula of the paper grants: cited from another text, or carried."""
    id = next((t.id for t in proved.cited if alike(substitute(t.claim, put), given)), None)
    return Ground("carried", "", given) if id is None else Ground("cited", id, given)


def unpaid(found: tuple[Ground, ...]) -> tuple[Ground, ...]:
    """The grounds that nobody grants."""
    return tuple(g for g in found if g.kind == "carried")


def rows(found: tuple[Ground, ...]) -> list[dict[str, Any]]:
    """As the contract has them."""
    return [g.to_dict() for g in found]
