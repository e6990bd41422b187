"""What a step owes where it takes a result of another text: hypotheses, signs, kinds, defined values.

What is taken holds under what it needs alone: this is known before, here and wherever the step is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp

from fedproof.proof.certify.translate import expression, relation
from fedproof.proof.kernel.context import Context, check_kind
from fedproof.proof.kernel.trees import Tree, alike, free, fresh, substitute
from fedproof.proof.rules.normalise_step import tidy
from fedproof.proof.sayings import cites, own_kinds, signs, stand_for
from fedproof.proof.step import Applied, Given, Step, substitute_in_relation


@dataclass(frozen=True)
class Taken:
    """A relation that a result of another text says here, and what that needs.

    Arguments:
        id: the step that cites the text.
        claim: the relation.
        needs: what it assumes without a reason, and the signs of its names.
    """

    id: str
    claim: Tree
    needs: tuple[Tree, ...]

    def at(self, values: Mapping[str, Tree]) -> Taken:
        """The same with values for names."""
        return Taken(
            self.id, substitute(self.claim, values), tuple(substitute(t, values) for t in self.needs)
        )

    def over(self, index: str, lo: Tree, hi: Tree) -> Taken:
        """The same for every index of a range, where it speaks of it."""
        claim, *needs = (
            ("all", index, lo, hi, t) if index in free(t) else t for t in (self.claim, *self.needs)
        )
        return Taken(self.id, claim, tuple(needs))

    def known(self, given: Sequence[Tree], lines: Sequence[Any]) -> bool:
        """Whether what it needs stands among the lines of a proof above all that goes by it."""
        before = self.before(given, lines)
        return all(any(alike(line, t) for line in before) for t in self.needs)

    def before(self, given: Sequence[Tree], lines: Sequence[Any]) -> tuple[Tree, ...]:
        """What the lines of a proof say above the first that goes by it."""
        places = {k for k, g in enumerate(given) if alike(g, self.claim)}
        tells = enumerate(alike(said, self.claim) or _goes_by(by, places) for said, by in lines)
        first = (n for n, told in tells if told)
        return tuple(said for said, _ in lines[: next(first, len(lines))])


def _goes_by(rule: Any, places: set[int]) -> bool:
    """Whether a rule, or one of a proof inside it, takes one of the hypotheses."""
    if not isinstance(rule, tuple):
        return False
    if len(rule) == 2 and rule[0] == "given" and rule[1] in places:
        return True
    return any(_goes_by(part, places) for part in rule)


def takes(step: Step) -> tuple[tuple[Applied, Taken], ...]:
    """What a step takes from those that it cites, and where."""
    return tuple((use, Taken(use.step.id, claim, tuple(owed(step, use)))) for use, claim in cites(step))


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
