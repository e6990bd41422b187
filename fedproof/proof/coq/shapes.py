"""Normal forms written as trees again, each always in the same way."""

from __future__ import annotations

from fedproof.proof.coq.terms import LeftOut
from fedproof.proof.kernel.atoms import Combination
from fedproof.proof.kernel.forms import Forms
from fedproof.proof.kernel.polynomials import UNIT, Quotient
from fedproof.proof.kernel.trees import Tree


def tree_of(forms: Forms, q: Quotient) -> Tree:
    """A number as a tree."""
    terms = []
    for m, c in sorted(q.above.items()):
        factors = [power_of(atom_of(forms, a), e) for a, e in m]
        if c != 1 or not factors:
            factors.insert(0, str(c))
        terms.append(joined("*", factors))
    total = joined("+", terms) if terms else "0"
    divisors = [power_of(tree_of(forms, Quotient(dict(f))), -e) for f, e in sorted(q.below.items())]
    return joined("*", [total, *divisors])


def joined(head: str, parts: list[Tree]) -> Tree:
    """A sum or a product."""
    return (head, *parts) if len(parts) > 1 else parts[0]


def power_of(base: Tree, e: int) -> Tree:
    """A power with a whole exponent."""
    return base if e == 1 else ("^", base, str(e))


def own_name(forms: Forms, name: str) -> str:
    """A name that may stand in a tree."""
    if name[0] not in "#@~":
        return name
    plain = "i" + name[1:] + "''"
    forms.kinds[plain] = "whole"
    return plain


def atom_of(forms: Forms, place: int) -> Tree:
    """An atom as a tree."""
    atom = forms.atoms[place]
    if atom.kind == "name":
        return own_name(forms, atom.parts[0])
    if atom.kind == "root":
        size = forms.sizes.get(place)
        if size is not None:
            return ("abs", tree_of(forms, size))
        return ("^", tree_of(forms, forms.radicands[place]), "1/2")
    if atom.kind == "ip":
        return ("ip", *(basis_of(forms, b) for b in atom.parts))
    if atom.kind == "of":
        return ("of", atom.parts[0], *(argument_of(forms, f) for f in forms.made[place]))
    if atom.kind == "upto" and atom.parts[0] != "vector":
        inside, body, end = forms.made[place]
        return ("upto", own_name(forms, inside), tree_of(forms, end), tree_of(forms, body))
    raise LeftOut(f"an atom of the kind {atom.kind}")


def argument_of(forms: Forms, form: Quotient | Combination) -> Tree:
    """An argument as a tree."""
    return tree_of(forms, form) if isinstance(form, Quotient) else vector_of(forms, form)


def basis_of(forms: Forms, place: int) -> Tree:
    """A basis vector as a tree."""
    atom = forms.atoms[place]
    if atom.kind == "vector":
        return str(atom.parts[0])
    if atom.kind == "of":
        return ("of", atom.parts[0], *(argument_of(forms, f) for f in forms.made[place]))
    raise LeftOut("a sum of vectors in an identity")


def vector_of(forms: Forms, v: Combination) -> Tree:
    """A vector as a tree."""
    terms = []
    for b, q in sorted(v.items()):
        basis = basis_of(forms, b)
        terms.append(basis if q.key == UNIT.key else ("*", tree_of(forms, q), basis))
    return joined("+", terms) if terms else "0"
