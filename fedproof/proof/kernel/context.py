"""What is known at a place of a proof: names with their kinds, and lines that hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fedproof.proof.kernel.atoms import Need
from fedproof.proof.kernel.forms import Forms
from fedproof.proof.kernel.needs import follows, said_by
from fedproof.proof.kernel.polynomials import Quotient
from fedproof.proof.kernel.relations import equate, reading, said
from fedproof.proof.kernel.trees import Rejected, Tree, free, is_name, renamed, substitute

#: what a step proved: names with kinds, hypotheses, claim
Used = Mapping[str, tuple[Mapping[str, str], Sequence[Tree], Tree]]


class Context:
    """What is known at a place of a proof: names with their kinds, and lines that hold."""

    def __init__(self, kinds: Mapping[str, str], lines: Sequence[Tree], given: Sequence[Tree], used: Used):
        self.kinds = dict(kinds)
        self.lines = list(lines)
        self.given = tuple(given)
        self.used = used
        self._forms: dict[tuple[int, ...], Forms] = {}
        self._around: dict[tuple[int, ...], Forms] = {}
        self._read: dict[tuple[int, ...], tuple[int, set[Any], int]] = {}

    def line(self, place: Any) -> Tree:
        """What a line before says."""
        if not isinstance(place, int) or not 0 <= place < len(self.lines):
            raise Rejected(f"there is no line {place} before")
        return self.lines[place]

    def inside(self, names: Mapping[str, str], *more: Tree) -> Context:
        """The same with new names, and more that holds; what was read of the lines so far is read."""
        for name in names:
            if name in self.kinds or not is_name(name):
                raise Rejected(f"{name} is not new")
        other = Context({**self.kinds, **names}, [*self.lines, *more], self.given, self.used)
        other._around = {**self._around, **self._forms}
        other._read = self._facts()
        return other

    def branch(self) -> Context:
        """The same, to go on from here; what was read of the lines so far is read."""
        other = Context(self.kinds, self.lines, self.given, self.used)
        other._forms, other._around = dict(self._forms), dict(self._around)
        other._read = self._facts()
        return other

    def _facts(self) -> dict[tuple[int, ...], tuple[int, set[Any], int]]:
        return {key: (place, set(facts), before) for key, (place, facts, before) in self._read.items()}

    def forms(self, equal: Sequence[int] = ()) -> Forms:
        """Normal forms in which both sides of the lines named are the same."""
        key = tuple(equal)
        if key not in self._forms and key in self._around:
            self._forms[key] = self._around[key].with_names(self.kinds)
        if key not in self._forms:
            forms = Forms(dict(self.kinds))
            for k, place in enumerate(key):
                self.defined(key[:k], self.idle(self.line(place), key[:k]))
                equate(forms, self.line(place))
            self._forms[key] = forms
        return self._forms[key]

    def idle(self, line: Tree, equal: Sequence[int] = ()) -> dict[Need, Quotient]:
        """What the normal forms of a relation's sides need though sums in them may be empty."""
        if not _sums(line):
            return {}
        forms = self.forms(equal)
        read = forms.vector if any(map(forms.is_vector, line[1:])) else forms.number
        _, needs = reading(forms, lambda: [*map(read, line[1:])])
        return {need: q for need, q in needs.items() if need.idle}

    def defined(self, equal: Sequence[int], needs: Mapping[Need, Quotient]) -> None:
        """Whether everything that is needed for expressions to be defined is known.

        Raises: Rejected naming the first thing that is not.
        """
        if not needs:
            return
        forms = self.forms(equal)
        for need, q in needs.items():
            if not self._met(forms, equal, need, q):
                raise Rejected(f"whether {need.kind} is not known: {said(forms, q)}")

    def _met(self, forms: Forms, equal: Sequence[int], need: Need, q: Quotient) -> bool:
        """Whether a need follows from the lines, of which no more are read than it takes.

        What one line says may tell what another divides by: they are read again while that tells more.
        """
        while True:
            place, facts, before = self._read.setdefault(tuple(equal), (0, set(), 0))
            if follows(forms, facts, need.kind, q, need.around):
                return True
            if place < len(self.lines):
                facts |= said_by(forms, self.lines[place], facts)
                self._read[tuple(equal)] = (place + 1, facts, before)
            elif before < len(facts):
                self._read[tuple(equal)] = (0, facts, len(facts))
            else:
                return False


def _sums(tree: Tree) -> bool:
    """Whether there is a sum in a tree."""
    return isinstance(tree, tuple) and (tree[0] == "sum" or any(map(_sums, tree[1:])))


def check_kind(here: Context, kind: str, value: Tree) -> None:
    """Whether an expression may stand for a name of a kind; it must be defined.

    Raises: Rejected.
    """
    result, _, arguments = kind.partition("(")
    expected = arguments.rstrip(")").split(",") if arguments else []
    forms = here.forms()
    if not expected:
        read = {"real": forms.number, "whole": forms.whole, "vector": forms.vector}[result]
        _, needs = reading(forms, lambda: read(value))
        here.defined((), needs)
        return
    if isinstance(value, str):
        own = here.kinds.get(value, "")
        if own.partition("(")[2] != arguments or not _serves(own.partition("(")[0], result):
            raise Rejected(f"{value} is {own or 'not declared'}, not {kind}")
        return
    if value[0] != "map" or len(value[1]) != len(expected):
        raise Rejected(f"{value} is not {kind}")
    new = dict(zip(value[1], expected, strict=True))
    own_names = renamed(new, {*here.kinds, *free(value[2])})
    inner = here.inside({own_names[n]: k for n, k in new.items()})
    check_kind(inner, result, substitute(value[2], own_names))


def _serves(own: str, result: str) -> bool:
    """Whether a result of one kind may stand for one of another."""
    return own == result or (own, result) == ("whole", "real")
