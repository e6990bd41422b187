"""What a proved step rests on besides what it lists: each of its grounds by kind, id and formula.

A reason in words is no ground: a hypothesis counts as an assumption only where it is, letter by letter, a
formula that the paper grants for all points. Everything else that a certificate carries is called carried.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from fedproof.proof.certificates import Document, Proved, reasons
from fedproof.proof.certify.translate import relation
from fedproof.proof.kernel.judgement import checked
from fedproof.proof.kernel.trees import NUMBER, Rejected, Tree, alike, as_json, as_tree, free, substitute
from fedproof.proof.obligations import used
from fedproof.proof.rules.normalise_step import meant, normalised
from fedproof.proof.standing import Standing, standing
from fedproof.proof.step import Step
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
    closing = proved.document.get("closing")
    if closing is not None:
        granted = standing(proved.step.source.paper) if proved.step.source else Standing()
        try:
            return tuple(_closed(proved, closing, granted))
        except (Rejected, LookupError, TypeError, ValueError):
            pass
    said = reasons(proved.step)
    own = [proved.judgement.given[k] for k in proved.own]
    found = [_listed(g, said) for g in own]
    carried = (g for k, g in enumerate(proved.judgement.given) if k not in proved.own)
    return (*(g for g in found if g is not None), *(_open(proved.step, g) for g in carried))


def _listed(given: Tree, said: Sequence[tuple[Tree, str]]) -> Ground | None:
    """A hypothesis that a step lists, if it gives a reason."""
    why = next((why for tree, why in said if alike(tree, given)), None)
    return None if why is None else Ground("listed", why, given)


def _closed(proved: Proved, closing: Document, granted: Standing) -> Iterator[Ground]:
    """The grounds when names stand for what they mean.

    Raises: Rejected where the closing is none of this step.
    """
    judgement, own = proved.judgement, [proved.judgement.given[k] for k in proved.own]
    found = checked({**closing, "id": judgement.id, "uses": [judgement.id]}, {judgement.id: judgement})
    put = _values(closing, judgement.id)
    if not alike(found.claim, substitute(judgement.claim, put)):
        raise Rejected("the closing is of another claim")
    shown = frozenset().union(*map(free, (*own, judgement.claim)))
    for name in sorted(shown & set(put)):
        if not _means(name, put[name], granted, judgement.id, put):
            raise Rejected(f"{name} does not mean {put[name]}")
        yield Ground("meaning", name, put[name])
    listed = [substitute(g, put) for g in own]
    said = [(substitute(tree, put), why) for tree, why in reasons(proved.step)]
    for g in found.given:
        if any(alike(g, o) for o in listed):
            reasoned = _listed(g, said)
            if reasoned is not None:
                yield reasoned
            continue
        id = next((id for id, formula in granted.formulas if alike(g, formula)), None)
        yield _open(proved.step, g) if id is None else Ground("assumption", id, g)


def _means(name: str, value: Tree, granted: Standing, id: str, put: Mapping[str, Tree]) -> bool:
    """Whether a value is what the paper says that a name means, but for indices and names like its own."""
    means = granted.meanings(id)
    entries = means.get(name) or means.get(_base(name), ())
    body = value[2] if isinstance(value, tuple) and value[0] == "map" else value
    return any(_like(v, body, e.parameters, granted, put) for e in entries for v in e.values)


def _base(name: str) -> str:
    return name.rstrip("_")


def _like(said: Any, tree: Any, indices: Sequence[str], granted: Standing, put: Mapping[str, Tree]) -> bool:
    """Whether two expressions differ in nothing but indices, and names that are one more of the same."""
    if isinstance(said, str):
        if NUMBER.match(said):
            return bool(said == tree)
        if said in indices or said in granted.indices or (said in put and alike(tree, put[said])):
            return True
        head = tree[1] if isinstance(tree, tuple) and tree[0] == "of" else tree
        return isinstance(head, str) and _base(head) == _base(said)
    return (
        isinstance(tree, tuple)
        and len(tree) == len(said)
        and tree[0] == said[0]
        and all(_like(p, t, indices, granted, put) for p, t in zip(said[1:], tree[1:], strict=True))
    )


def _values(closing: Document, id: str) -> dict[str, Tree]:
    """What names stand for in the last line of a closing, which uses the step."""
    _, rule = as_tree(closing["lines"][-1])
    if rule[:2] != ("use", id):
        raise Rejected("the last line uses another step")
    return dict(rule[2])


def _open(step: Step, given: Tree) -> Ground:
    """A hypothesis that no formula of the paper grants: cited from another text, or carried."""
    for other in used(step):
        if other.rule == "cite" and _fits(relation(meant(normalised(other)).claim), given, {}):
            return Ground("cited", other.id, given)
    return Ground("carried", "", given)


def _fits(pattern: Any, tree: Any, put: dict[str, Any]) -> bool:
    """Whether a tree is a pattern with expressions for its names."""
    if isinstance(pattern, str):
        if NUMBER.match(pattern):
            return bool(pattern == tree)
        return bool(put.setdefault(pattern, tree) == tree)
    return (
        isinstance(tree, tuple)
        and len(tree) == len(pattern)
        and tree[0] == pattern[0]
        and all(_fits(p, t, put) for p, t in zip(pattern[1:], tree[1:], strict=True))
    )


def unpaid(found: tuple[Ground, ...]) -> tuple[Ground, ...]:
    """The grounds that nobody grants."""
    return tuple(g for g in found if g.kind == "carried")


def rows(found: tuple[Ground, ...]) -> list[dict[str, Any]]:
    """As the contract has them."""
    return [g.to_dict() for g in found]
