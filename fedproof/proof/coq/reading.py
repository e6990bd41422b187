"""Equations that are read: a name or term is its value everywhere."""

from __future__ import annotations

from collections.abc import Sequence

from fedproof.proof.coq.scope import Scope
from fedproof.proof.coq.terms import LeftOut, is_vector, name, real, vector, whole
from fedproof.proof.kernel.atoms import key_of
from fedproof.proof.kernel.trees import Rejected, Tree, free


class Reading:
    """What is read in one identity, and how Coq rewrites by it."""

    def __init__(self, scope: Scope, equal: Sequence[int]) -> None:
        self.scope = scope
        self.equations = [equation(scope, k) for k in equal]
        self.values: dict[Tree, Tree] = {}
        self.alike: dict[object, Tree] = {}
        self.spelled: dict[Tree, Tree] = {}
        for x, e, _ in self.equations:
            value = self.put(e)
            self.values.setdefault(x, value)
            self.alike.setdefault(self.key(x), x)

    def put(self, tree: Tree) -> Tree:
        """A tree with values for names and terms."""
        if tree in self.values:
            return self.values[tree]
        if isinstance(tree, str):
            return tree
        parts = (p if fixed(tree, i) else self.put(p) for i, p in enumerate(tree[1:], 1))
        moved = (tree[0], *parts)
        if self.values and (key := self.key(moved)) in self.alike:
            self.spelled[moved] = self.alike[key]
            return self.values[self.alike[key]]
        return moved

    def key(self, tree: Tree) -> object:
        """What is the same for terms whose arguments have the same normal form; else the tree."""
        scope = self.scope
        if isinstance(tree, str) or tree[0] != "of" or not free(tree) <= {*scope.kinds}:
            return tree
        expected = scope.kinds[tree[1]].partition("(")[2].rstrip(")").split(",")
        forms = (
            scope.forms.vector(a) if k == "vector" else scope.forms.number(a)
            for a, k in zip(tree[2:], expected, strict=True)
        )
        return tree[1], *map(key_of, forms)

    def write(self) -> None:
        """Rewrite the goal by the equations, whole names first."""
        counted = [q for q in self.equations if self.counts(q[0])]
        for x, e, rewriting in reversed(counted):
            self.recount(x, e, rewriting)
        respelled = self.respelled()
        for x, _, rewriting in reversed(self.equations):
            if not self.counts(x):
                self.scope.write(*(f"try rewrite {r}." for r in (*respelled, rewriting)))

    def counts(self, x: Tree) -> bool:
        """Whether it is a whole name."""
        return isinstance(x, str) and self.scope.kinds[x] == "whole"

    def recount(self, x: Tree, e: Tree, rewriting: str) -> None:
        """Rewrite a whole name by its value, as an integer."""
        fresh, line = self.scope.fresh("W"), rewriting.removeprefix("<- ")
        proof = f"apply eq_IZR; pushed; first [exact {line} | exact (eq_sym {line})]"
        self.scope.write(f"assert ({fresh} : {name(x)} = {whole(e, self.scope.kinds)}) by ({proof}).")
        self.scope.write(f"try rewrite {fresh}; pushed.")

    def respelled(self) -> list[str]:
        """What says how terms are written in the equations."""
        kinds, found = self.scope.kinds, []
        for one, other in self.spelled.items():
            told = [vector(t, kinds) if is_vector(t, kinds) else real(t, kinds) for t in (one, other)]
            found.append(self.scope.fresh("W"))
            self.scope.write(f"assert ({found[-1]} : {told[0]} = {told[1]}) by same_arguments.")
        return found


def fixed(tree: Tree, place: int) -> bool:
    """Whether a part of a tree is no expression."""
    head = tree[0]
    return (head, place) in (("of", 1), ("sum", 1), ("upto", 1), ("^", 2))


def equation(scope: Scope, place: int) -> tuple[Tree, Tree, str]:
    """A name or term, what it equals, and the rewriting by a line that says so."""
    _, a, b = scope.lines[place]
    for x, e, by in ((a, b, f"L{place}"), (b, a, f"<- L{place}")):
        named = isinstance(x, str) and x in scope.kinds
        if named and scope.kinds[x] == "whole" and not _whole(scope, e):
            continue
        if named or (isinstance(x, tuple) and x[0] == "of"):
            return x, e, by
    raise LeftOut("an equation that is not read as a value")


def _whole(scope: Scope, tree: Tree) -> bool:
    """Whether an expression is a whole one."""
    try:
        scope.forms.whole(tree)
    except Rejected:
        return False
    return True
