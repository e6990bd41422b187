"""What the lines of a proof say, as polynomials that are > 0, >= 0 or 0."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from fedproof.proof.certify.reaching import reached
from fedproof.proof.certify.writer import Writer, atom_tree, tree_of
from fedproof.proof.kernel.forms import Forms
from fedproof.proof.kernel.polynomials import ONE, Monomial, Polynomial, Quotient, number, primitive
from fedproof.proof.kernel.trees import Tree


@dataclass(frozen=True)
class Fact:
    """Something that is > 0, >= 0 or 0.

    Arguments:
        value: a polynomial; exponents may be negative.
        factors: as a certificate writes it.
        sign: "<", "<=" or "=".
    """

    value: Polynomial
    factors: tuple[Any, ...]
    sign: str


@dataclass
class Known:
    """Facts, and what is known of single atoms.

    Arguments:
        above: atoms that are > 0, with a line that says so.
        least: atoms that are >= 0, with a factor that is the atom.
        facts: what else is > 0 or >= 0.
        equations: what is 0.
    """

    above: dict[int, int] = field(default_factory=dict)
    least: dict[int, Any] = field(default_factory=dict)
    facts: list[Fact] = field(default_factory=list)
    equations: list[Fact] = field(default_factory=list)

    def definite(self, m: Monomial) -> bool:
        """Whether a monomial is known not to be negative."""
        return all(e % 2 == 0 or a in self.above or (e > 0 and a in self.least) for a, e in m)

    def positive(self, m: Monomial) -> bool:
        """Whether a monomial is known to be > 0."""
        return all(a in self.above for a, _ in m)

    def factors_of(self, writer: Writer, m: Monomial, act: bool = True) -> tuple[Any, ...]:
        """A monomial that is not negative as factors; lines for what it divides by are written."""
        found: list[Any] = []
        for a, e in m:
            if a in self.above:
                line = self.above[a] if e > 0 else inverse(writer, a, self.above[a])
                found += [line] * abs(e)
            elif a in self.least and e > 0:
                if e > 1:
                    found.append(("sq", _power(writer, a, e // 2)))
                found += [self.least[a]] * (e % 2)
            else:
                found.append(("sq", _power(writer, a, e // 2)))
        return tuple(found)


def _power(writer: Writer, a: int, e: int) -> Tree:
    tree = atom_tree(writer.forms, a)
    return tree if e == 1 else ("^", tree, str(e))


def inverse(writer: Writer, a: int, line: int) -> int:
    """A line that says that 1/a is > 0 where a is."""
    claim = ("<", "0", ("^", atom_tree(writer.forms, a), "-1"))
    known = writer.find(claim)
    if known is not None:
        return known
    return writer.write(claim, "combine", (("1", ("neg", line, line)), ("1", (line,))), writer.equal)


def known(writer: Writer) -> Known:
    """Everything the lines say, each thing once."""
    found: dict[Any, Fact] = {}
    result = Known()
    for place, line in enumerate(writer.here.lines):
        if place in writer.equal or place in writer.stale or line[0] in ("!=", "all", "every"):
            continue
        gap = writer.said(place)
        if gap is None or not gap.above or gap.below:
            continue
        if gap.constant is not None or any(
            writer.forms.atoms[a].kind == "upto" for m in gap.above for a, _ in m
        ):
            continue
        if line[0] != "=" and len(gap.above) == 1 and _atom(result, gap.above, place, line[0]):
            continue
        lead, common, factor = primitive(gap.above)
        key = (lead > 0, common, factor, line[0] == "=")
        old = found.get(key)
        if old is None or (old.sign == "<=" and line[0] == "<"):
            found[key] = Fact(gap.above, (place,), line[0])
    for f in found.values():
        (result.equations if f.sign == "=" else result.facts).append(f)
    return result


def _atom(result: Known, value: Polynomial, place: int, sign: str) -> bool:
    """Note that an atom is > 0 or >= 0."""
    ((m, c),) = value.items()
    if len(m) != 1 or m[0][1] != 1 or c < 0:
        return False
    a = m[0][0]
    if c == 1 and sign == "<":
        result.above.setdefault(a, place)
    if c == 1:
        result.least.setdefault(a, place)
    return bool(c == 1)


def of_atoms(writer: Writer, result: Known, places: set[int]) -> None:
    """Add what is known of roots and sizes for being such."""
    forms = writer.forms
    for a in sorted(places):
        radicand = forms.radicand(a)
        if radicand is None or forms.atoms[a].parts[1] > 6:
            continue
        index = str(forms.atoms[a].parts[1])
        if a not in result.least:
            inside: Tree = tree_of(forms, radicand)
            if a in forms.sizes:
                inside = ("^", tree_of(forms, forms.sizes[a]), "2")
            result.least[a] = ("root", inside, index)
        if a in forms.sizes:
            x = forms.sizes[a]
            for sign in (1, -1):
                q = Quotient({((a, 1),): number(1)}) + Quotient({ONE: number(sign)}) * x
                if not q.below:
                    result.facts.append(Fact(q.above, (("size", tree_of(forms, x), str(sign)),), "<="))


def atoms_of(*values: Polynomial) -> set[int]:
    """The atoms of polynomials."""
    return {a for v in values for m in v for a, _ in m}


def inner(forms: Forms, places: set[int]) -> set[int]:
    """Atoms with those inside roots."""
    return reached(places, lambda a: () if (r := forms.radicand(a)) is None else atoms_of(r.above))


def times(forms: Forms, one: Fact, other: Fact) -> Fact | None:
    """The product of two facts, None where something is divided by."""
    q = forms.times(Quotient(dict(one.value)), Quotient(dict(other.value)))
    if q.below or not q.above:
        return None
    sign = "=" if "=" in (one.sign, other.sign) else "<" if one.sign == other.sign == "<" else "<="
    return Fact(q.above, (*one.factors, *other.factors), sign)


def same(value: Polynomial, other: Polynomial) -> Any:
    """The number by which another polynomial is multiplied to give this one, if there is one."""
    if len(value) != len(other):
        return None
    m = next(iter(value))
    if m not in other:
        return None
    ratio = value[m] / other[m]
    return ratio if all(n in other and c == ratio * other[n] for n, c in value.items()) else None


def lines_for(writer: Writer, value: Polynomial) -> Iterator[tuple[int, Any]]:
    """Strict lines that say that a number times the polynomial is > 0."""
    for place, line in enumerate(writer.here.lines):
        if line[0] == "<":
            gap = writer.said(place)
            if gap is not None and not gap.below:
                ratio = same(gap.above, value)
                if ratio is not None:
                    yield place, ratio
