"""A problem about values of functions and sums as one about plain names: its proof, read back, is a proof.

Every term `f(x)` or `grad(x)` becomes a name of its own kind, the same for the same normal form. Lines keep
their numbers, so that what is found for the names holds for what they stand for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from fedproof.proof.certify.limits import NotFound
from fedproof.proof.certify.translate import RELATIONS
from fedproof.proof.certify.writer import Writer, atom_tree
from fedproof.proof.kernel.forms import Forms
from fedproof.proof.kernel.polynomials import Quotient
from fedproof.proof.kernel.trees import NUMBER, ORDER, Rejected, Tree, fresh
from fedproof.proof.vectors import Vector, ip, n2

#: what stands for a line that the search does not read
NOTHING: Tree = ("<=", "0", "1")


@dataclass
class Abstraction:
    """Names for terms.

    Arguments:
        forms: by which terms are told apart.
        kinds: of all names.
        names: of each term's atom its name.
        meaning: of each such name its term.
    """

    forms: Forms
    kinds: dict[str, str]
    names: dict[int, str] = field(default_factory=dict)
    meaning: dict[str, Tree] = field(default_factory=dict)

    def plain(self, tree: Tree) -> Tree:
        """An expression or relation with names for terms.

        Raises: NotFound where it binds names.
        """
        if isinstance(tree, str):
            return tree
        head, *parts = tree
        if head in ("sum", "all", "every"):
            raise NotFound(f"{tree} binds names")
        if head == "of":
            return self._name(tree)
        if head == "^" and isinstance(parts[1], str) and NUMBER.match(parts[1]):
            if "/" in parts[1] and self._divides(parts[0]):
                return ("*", "1", self._name(tree, "root"))  # never read as what it equals
            return (head, self.plain(parts[0]), parts[1])
        return (head, *map(self.plain, parts))

    def _divides(self, tree: Tree) -> bool:
        """Whether it has a divisor, so that a checker may write its root in another way."""
        return bool(self.forms.number(tree).below)

    def _name(self, tree: Tree, called: str = "") -> Tree:
        vector = self.forms.is_vector(tree)
        if vector:
            (atom,) = self.forms.vector(tree)
        else:
            (((atom, _),),) = self.forms.number(tree).above
        if atom not in self.names:
            name = fresh(f"{called or tree[1]}_", frozenset(self.kinds))
            self.kinds[name] = "vector" if vector else "real"
            self.names[atom], self.meaning[name] = name, tree
        return self.names[atom]

    def read_back(self, tree: Any) -> Any:
        """Lines, rules or expressions with terms for their names."""
        if isinstance(tree, str):
            return self.meaning.get(tree, tree)
        return tuple(map(self.read_back, tree)) if isinstance(tree, tuple) else tree


def abstracted(writer: Writer, claim: Tree) -> tuple[Writer, Tree, Abstraction]:
    """The lines of a writer and a claim in plain names."""
    made = Abstraction(writer.here.forms(), dict(writer.here.kinds))
    said = made.plain(claim)
    lines = []
    for line in writer.here.lines:
        try:
            lines.append(made.plain(line) if line[0] in ORDER else NOTHING)
        except (NotFound, Rejected):
            lines.append(NOTHING)
    return Writer.of(made.kinds, lines, {}), said, made


def adopted(writer: Writer, found: Writer, made: Abstraction) -> None:
    """Write what was found for the names as lines about what they stand for."""
    count = len(writer.here.lines)
    for relation, (rule, *more) in found.lines[count:]:
        writer.write(made.read_back(relation), rule, *map(made.read_back, more))


def as_sympy(tree: Tree, kinds: dict[str, str]) -> Any:
    """An expression or relation without bound names and terms, as SymPy has it."""
    if isinstance(tree, str):
        if NUMBER.match(tree):
            return sp.Rational(tree)
        return Vector(tree) if kinds[tree] == "vector" else sp.Symbol(tree, real=True)
    head, *parts = tree
    if head == "^" and isinstance(parts[1], str) and NUMBER.match(parts[1]):
        return as_sympy(parts[0], kinds) ** sp.Rational(parts[1])
    values = [as_sympy(p, kinds) for p in parts]
    if head in ORDER:
        return RELATIONS[head](*values, evaluate=False)
    made = {"+": sp.Add, "*": sp.Mul, "^": sp.Pow, "abs": sp.Abs, "max": sp.Max, "min": sp.Min}
    return {**made, "ip": ip, "n2": n2}[head](*values)


def shown(forms: Forms, q: Quotient, names: Mapping[int, str]) -> Tree:
    """A normal form as an expression, with names for some atoms and sums written out for others."""
    above = _added([_term(forms, m, c, names) for m, c in q.above.items()])
    below = [("^", shown(forms, Quotient(dict(f)), names), str(-e)) for f, e in q.below.items()]
    return ("*", above, *below) if below else above


def _added(terms: list[Tree]) -> Tree:
    return ("+", *terms) if len(terms) > 1 else terms[0] if terms else "0"


def _term(forms: Forms, m: Any, c: Any, names: Mapping[int, str]) -> Tree:
    parts = [_atom(forms, a, names) for a, e in m]
    parts = [p if e == 1 else ("^", p, str(e)) for p, (_, e) in zip(parts, m, strict=True)]
    if not parts or c != 1:
        parts.insert(0, str(c))
    return ("*", *parts) if len(parts) > 1 else parts[0]


def _atom(forms: Forms, place: int, names: Mapping[int, str]) -> Tree:
    if place in names:
        return names[place]
    return sum_tree(forms, place) if forms.atoms[place].kind == "upto" else atom_tree(forms, place)


def sum_tree(forms: Forms, place: int) -> Tree:
    """A sum up to an end as an expression."""
    inside, body, end = forms.pieces(place)
    index = f"k{inside[1:]}"
    while index in forms.kinds:
        index += "_"
    return ("sum", index, "1", shown(forms, end, {}), renamed(shown(forms, body, {}), inside, index))


def renamed(tree: Tree, old: str, new: str) -> Tree:
    """An expression with one name for another, wherever it stands."""
    if isinstance(tree, str):
        return new if tree == old else tree
    return tuple(renamed(p, old, new) for p in tree)
