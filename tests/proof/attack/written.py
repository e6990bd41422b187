"""What the kernel makes of lines, written out: their normal forms, and what they are taken to say.

It tells what to try, and nothing of what is true.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fedproof.proof.kernel.context import Context
from fedproof.proof.kernel.forms import Forms
from fedproof.proof.kernel.needs import said_by
from fedproof.proof.kernel.polynomials import Quotient
from fedproof.proof.kernel.trees import Rejected, as_json, as_tree


class Written:
    """Writes normal forms as expressions.

    Arguments:
        forms: those that read them.
        indices: what indices that have no name in a certificate are called.
    """

    def __init__(self, forms: Forms, indices: dict[str, str]) -> None:
        self.forms, self.indices = forms, indices

    def number(self, q: Quotient) -> Any:
        """A quotient.

        Raises: Rejected where it speaks of what is not written here.
        """
        below = [["^", self.polynomial(f), str(-e)] for f, e in q.below.items()]
        above = self.polynomial(tuple(q.above.items()))
        return ["*", above, *below] if below else above

    def polynomial(self, terms: Any) -> Any:
        made = [self.term(m, c) for m, c in terms]
        return ["+", *made] if len(made) > 1 else made[0] if made else "0"

    def term(self, monomial: Any, c: Any) -> Any:
        factors = [self.atom(a) if e == 1 else ["^", self.atom(a), str(e)] for a, e in monomial]
        return (
            ["*", str(c), *factors] if c != 1 else ["*", *factors] if len(factors) > 1 else (*factors, "1")[0]
        )

    def atom(self, place: int) -> Any:
        """One atom."""
        atom, made = self.forms.atoms[place], self.forms.made.get(place, ())
        if atom.kind in ("name", "vector"):
            name = atom.parts[0]
            return self.indices.get(name, name) if name[0] in "#@~" else name
        if atom.kind == "of":
            return ["of", atom.parts[0], *map(self.form, made)]
        if atom.kind == "root":
            return ["^", self.number(self.forms.radicands[place]), f"1/{atom.parts[1]}"]
        if atom.kind == "power":
            return ["^", *map(self.number, made)]
        if atom.kind == "upto":
            index, body, end = made
            name = "ijkpqrs"[len(self.indices)]
            return [
                "sum",
                name,
                "1",
                self.number(end),
                Written(self.forms, {**self.indices, index: name}).number(body),
            ]
        raise Rejected(f"not written: {atom.kind}")

    def form(self, form: Any) -> Any:
        """A number or a vector."""
        if not isinstance(form, dict):
            return self.number(form)
        terms = [["*", self.number(q), self.atom(b)] for b, q in form.items()]
        return ["+", *terms] if terms else "0"


def gaps(here: Context, lines: list[Any]) -> Iterator[tuple[int, Any]]:
    """The normal form of what is right less what is left, of lines that are relations of numbers."""
    forms = here.forms()
    for k, line in enumerate(map(as_tree, lines)):
        try:
            if line[0] in ("<", "<=", "=", "!="):
                yield k, Written(forms, {}).number(forms.number(line[2]) - forms.number(line[1]))
        except (Rejected, RecursionError):
            continue


def told(here: Context, lines: list[Any]) -> Iterator[Any]:
    """What the kernel takes lines to say: that something is not 0, or not negative."""
    forms, facts = here.forms(), set[Any]()
    for line in map(as_tree, lines):
        try:
            facts = said_by(forms, line, facts)
        except (Rejected, RecursionError):
            continue
    for kind, *said, around in facts:
        try:
            yield _fact(forms, kind, said, around)
        except (Rejected, KeyError):
            continue


def _fact(forms: Forms, kind: str, said: Any, around: Any) -> Any:
    """One of them, for every index around it."""
    indices = {a[0]: "ijkpqrs"[n] for n, a in enumerate(around)}
    by = Written(forms, indices)
    if kind == "nonzero":
        (what,) = said
        claim = ["!=", by.atom(what) if isinstance(what, int) else by.polynomial(what), "0"]
    else:
        positive, common, factor, below = said
        q = Quotient(dict(factor), dict(below)) * Quotient({common: 1 if positive else -1})
        claim = ["<=", "0", by.number(q)]
    for n in reversed(range(len(around))):
        ends = [Written(forms, {a[0]: "ijkpqrs"[m] for m, a in enumerate(around[:n])}).number(e)
                for e in forms.ends[around[n]]]  # fmt: skip
        claim = ["all", indices[around[n][0]], *ends, claim]
    return as_json(as_tree(claim))
