"""What a step owes where it takes a result of another text: hypotheses, signs, kinds, defined values.

What is taken holds under what it needs alone: this is known before, here and wherever the step is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp

from fedproof.proof.certify.translate import expression, relation
from fedproof.proof.kernel.context import Context, check_kind
from fedproof.proof.kernel.trees import Tree, alike, free, fresh, is_name, keep, substitute
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
        values: what its names stand for, each with the kind that the name has; every value must be defined.
    """

    id: str
    claim: Tree
    needs: tuple[Tree, ...]
    values: tuple[tuple[str, Tree], ...] = ()

    def at(self, put: Mapping[str, Tree]) -> Taken:
        """The same with values for names.

        Raises: Rejected where a map leaves out what something that is needed says to be defined.
        """
        for tree in self.needs:
            keep(tree, put)
        return self._each(lambda t: substitute(t, put))

    def over(self, index: str, lo: Tree, hi: Tree) -> Taken:
        """The same for every index of a range, where it speaks of it."""
        return self._each(lambda t: ("all", index, lo, hi, t) if index in free(t) else t)

    def _each(self, change: Callable[[Tree], Tree]) -> Taken:
        values = tuple((kind, change(v)) for kind, v in self.values)
        return Taken(self.id, change(self.claim), tuple(map(change, self.needs)), values)

    def known(self, kinds: Mapping[str, str], given: Sequence[Tree], lines: Sequence[Any]) -> bool:
        """Whether what it needs stands among the lines of a proof above all that goes by it.

        Raises: Rejected where a value of one of its names is not defined by those lines, or of another kind.
        """
        before = self.before(given, lines)
        here = Context(kinds, before, (), {})
        for kind, value in self.values:
            _check(here, kind, value)
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


def takes(step: Step) -> tuple[Taken, ...]:
    """What a step takes from those that it cites."""
    return tuple(
        Taken(use.step.id, claim, tuple(owed(step, use)), tuple(_values(use))) for use, claim in cites(step)
    )


def _values(use: Applied) -> Iterator[tuple[str, Tree]]:
    """What the names of a cited step stand for here, each with its kind."""
    put = stand_for(use)
    for name, kind in own_kinds(use.step).items():
        yield kind, _everywhere(use, put.get(name, name))


def owed(step: Step, use: Applied) -> Iterator[Tree]:
    """What the step that is cited assumes without a reason, and the signs of its names, as they read here.

    A hypothesis with a reason belongs to what is cited, and is shown with it.
    """
    with sp.evaluate(True):
        given = [h for h in use.step.hypotheses if isinstance(h, Given) and not h.why]
        asked = [use.substitute(r) for h in given for r in tidy(h.relation)]
        said = [relation(r) for a in asked for r in tidy(substitute_in_relation(a, step.meanings))]
        put = stand_for(use)
        whole = [relation(r) for h in given for r in tidy(h.relation)] if put else []
    for tree in whole:
        keep(tree, put)
    for tree in (*said, *(substitute(sign, put) for sign, _ in signs(use.step))):
        yield _everywhere(use, tree)


def _everywhere(use: Applied, tree: Tree) -> Tree:
    """A relation, or a value, for every index for which the result is cited."""
    if use.over is None or use.over[0].name not in free(tree):
        return tree
    index, lo, hi = use.over
    return ("all", index.name, expression(lo), expression(hi), tree)


def _check(here: Context, kind: str, value: Tree) -> None:
    """Whether a value is of a kind and defined, for every index of the ranges around it.

    Raises: Rejected.
    """
    if value[0] == "all":
        _, index, lo, hi, value = value
        name = fresh(index, set(here.kinds))
        inner = here.inside({name: "whole"}, ("<=", lo, name), ("<=", name, hi))
        _check(inner, kind, substitute(value, {index: name}))
    elif not _left_out(value, here.kinds):
        check_kind(here, kind, value)


def _left_out(value: Tree, kinds: Mapping[str, str]) -> bool:
    """Whether it is a name of which nothing here speaks."""
    return isinstance(value, str) and is_name(value) and value not in kinds
