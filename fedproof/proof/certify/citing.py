"""What a step owes where it takes a result of another text: hypotheses, signs, kinds, defined values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import sympy as sp

from fedproof.proof.certify.translate import expression, relation
from fedproof.proof.kernel.context import Context, check_kind
from fedproof.proof.kernel.trees import Tree, free, fresh, substitute
from fedproof.proof.rules.normalise_step import tidy
from fedproof.proof.sayings import own_kinds, signs, stand_for
from fedproof.proof.step import Applied, Given, Step, substitute_in_relation


def owed(step: Step, use: Applied) -> Iterator[Tree]:
    """What the step that is cited assumes without a reason, and the signs of its names, as they read here.

    A hypothesis with a reason belongs to what is cited, and is shown with it.
    """
    with sp.evaluate(True):
        given = (h for h in use.step.hypotheses if isinstance(h, Given) and not h.why)
        asked = [use.substitute(r) for h in given for r in tidy(h.relation)]
        said = [relation(r) for a in asked for r in tidy(substitute_in_relation(a, step.meanings))]
        put = stand_for(use)
    for tree in (*said, *(substitute(sign, put) for sign, _ in signs(use.step))):
        yield _everywhere(use, tree)


def _everywhere(use: Applied, tree: Tree) -> Tree:
    """A relation for every index for which the result is cited."""
    if use.over is None or use.over[0].name not in free(tree):
        return tree
    index, lo, hi = use.over
    return ("all", index.name, expression(lo), expression(hi), tree)


def check(use: Applied, kinds: dict[str, str], lines: Sequence[Tree]) -> None:
    """Whether the values of a cited step's names are of their kinds and defined, by the lines of a proof.

    Raises: Rejected.
    """
    here, put = Context(kinds, lines, (), {}), stand_for(use)
    if use.over is not None:
        index, lo, hi = use.over[0].name, expression(use.over[1]), expression(use.over[2])
        name = fresh(index, set(kinds))
        here = here.inside({name: "whole"}, ("<=", lo, name), ("<=", name, hi))
        put = {n: substitute(value, {index: name}) for n, value in put.items()}
    for name, kind in own_kinds(use.step).items():
        value: Any = put.get(name, name)
        if value != name or name in here.kinds:
            check_kind(here, kind, value)
