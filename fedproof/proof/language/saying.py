"""What a step that speaks of functions says, as certificates have it, and what proves it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from fedproof.proof.certify.translate import expression, relation
from fedproof.proof.forall import ForAll
from fedproof.proof.kernel.trees import Tree, alike, as_json, as_tree
from fedproof.proof.language.everywhere import At, ForEvery
from fedproof.proof.language.functions import is_vector, kinds_in
from fedproof.proof.rules.normalise_step import signs, tidy
from fedproof.proof.step import Applied, Given, Step


def everywhere(said: ForEvery) -> Tree:
    """A hypothesis at all points as a tree."""
    tree = relation(said.relation)
    for name in reversed(said.names):
        kind = "vector" if is_vector(name) else "whole" if name.is_integer else "real"
        tree = ("every", name.name, kind, tree)
    for index, lo, hi in reversed(said.ranges):
        tree = ("all", index.name, expression(lo), expression(hi), tree)
    return tree


def listed(step: Step) -> list[tuple[Given, Tree]]:
    """Every hypothesis that a step lists; one at all points as it stands for all."""
    found: list[tuple[Given, Tree]] = []
    for own in (h for h in step.hypotheses if isinstance(h, Given) and not isinstance(h, At)):
        found += [(own, relation(said)) for said in tidy(own.relation)]
    for symbol in sorted(step_symbols(step), key=str):
        # asked of a plain real number: a symbol that assumes its sign would answer by itself
        real = {symbol: sp.Symbol(symbol.name, real=True)}
        found += [(Given(said.xreplace(real)), relation(said)) for said in signs(symbol)]
    whole = (h for h in step.hypotheses if isinstance(h, At) and h.everywhere is not None)
    return found + [(h, everywhere(h.everywhere)) for h in whole if h.everywhere is not None]


def step_symbols(step: Step) -> set[sp.Symbol]:
    """Names for numbers in what a step says and assumes itself."""
    said = [step.claim, *(h.relation for h in step.hypotheses)]
    parts = [p for r in said for p in (vars(r).values() if isinstance(r, ForAll) else (r,))]
    return {s for p in parts for s in p.free_symbols if isinstance(s, sp.Symbol)}


def spoken_symbols(step: Step) -> set[sp.Symbol]:
    """Names for numbers in all that a step says, also at all points, but for those that are bound there."""
    found = step_symbols(step)
    for h in step.hypotheses:
        if isinstance(h, At) and h.everywhere is not None:
            said = h.everywhere
            bound = {*said.names, *(index for index, _, _ in said.ranges)}
            ends = [end.free_symbols for _, *limits in said.ranges for end in map(sp.sympify, limits)]
            found |= said.relation.free_symbols.union(*ends) - bound
    return {s for s in found if isinstance(s, sp.Symbol) and not is_vector(s)}


def kinds(step: Step) -> dict[str, str]:
    """The kind of every name that a step speaks of."""
    said: list[Any] = [step.claim]
    for h in step.hypotheses:
        said += [] if h.weight is None else [h.weight]
        if isinstance(h, At) and h.everywhere is not None:
            said += [*h.points, *([sp.Sum(1, *reversed(h.everywhere.ranges))] if h.everywhere.over else [])]
            said += [h.relation] if h.points else []
            continue
        if isinstance(h, Applied):
            said += [] if h.over is None else [sp.Sum(1, h.over)]
        said.append(_bound(h.relation) if isinstance(h.relation, ForAll) else h.relation)
    found = kinds_in(*said)
    for h in step.hypotheses:
        if isinstance(h, At) and h.everywhere is not None:
            found |= {n: k for n, k in kinds_everywhere(h.everywhere).items() if n not in found}
    return found


def kinds_everywhere(said: ForEvery) -> dict[str, str]:
    """The kind of every name that a hypothesis at all points speaks of and does not bind."""
    own = {s.name for s in (*said.names, *(index for index, _, _ in said.ranges))}
    ends = [sp.Sum(1, *reversed(said.ranges))] if said.over else []
    return {n: k for n, k in kinds_in(said.relation, *ends).items() if n not in own}


def _bound(said: ForAll) -> Any:
    """What a relation for every index says, its index bound by sums."""
    return sp.Tuple(*(sp.Sum(side, (said.index, said.lo, said.hi)) for side in said.relation.args))


def proves(document: Mapping[str, Any], step: Step) -> bool:
    """Whether a certificate is of what the step claims, with names of its kinds, from what it lists."""
    (claim,) = (relation(c) for c in tidy(step.claim))
    own = [tree for _, tree in listed(step)]
    given = [as_tree(g["is"]) for g in document["given"]]
    said = kinds(step)
    if any(said.get(name, kind) != kind for name, kind in document["names"].items()):
        return False
    return document["claim"] == as_json(claim) and all(any(alike(g, o) for o in own) for g in given)
