"""A condition solved for a symbol, which an equation puts in everywhere; a quadratic by its discriminant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from fedproof.algebra.elimination.problem import Problem
from fedproof.algebra.polynomials import Poly, coefficients, tree_of
from fedproof.algebra.regions.atoms import Atom, substitute_in_atoms
from fedproof.algebra.regions.monotonicity import Shape
from fedproof.algebra.regions.region import STRICT
from fedproof.algebra.tree import Add, Mul, Num, Power, Sym, Tree, add, names, negative, num
from fedproof.algebra.tree import square_root as root_of
from fedproof.vocabulary.interval import REAL, Interval


def explicit(atom: Atom, name: str, outer: Shape) -> tuple[int, Tree] | None:
    """(sign of the coefficient, E) where the gap is a (name - E) with a of strict sign, else None.

    Arguments:
        atom: the condition.
        name: the symbol to solve for.
        outer: what is known without this symbol.
    """
    return _direct(atom.gap, name) or _linear(atom, name, outer)


def numerator(atom: Atom, name: str, outer: Shape) -> tuple[int, Tree] | None:
    """The same for the numerator of an equation: that the gap is defined must be demanded elsewhere."""
    top = outer.folded(atom.gap).value.top
    if atom.op != "==" or any(top.degrees()[len(outer.region.symbols) :]):
        return None
    return _linear(Atom(atom.labels, "==", tree_of(top, outer.region.symbols)), name, outer)


def polynomial_parts(gap: Tree, name: str, outer: Shape) -> tuple[dict[int, Poly], int, int] | None:
    """Coefficients of the powers of a symbol in the numerator, the denominator's degree in it and its sign.

    None where radicals remain or the denominator may change its sign.
    """
    folded = outer.folded(gap)
    position = folded.symbols.index(name)
    top, bottom = folded.value.top, folded.value.bottom
    below = outer.region.of(bottom)
    if any(top.degrees()[len(folded.symbols) :]) or below is None or abs(below) != STRICT:
        return None
    return coefficients(top, position), bottom.degrees()[position], below


def _linear(atom: Atom, name: str, outer: Shape) -> tuple[int, Tree] | None:
    parts, under, below = polynomial_parts(atom.gap, name, outer) or ({}, 0, 0)
    if under or max(parts, default=0) != 1:
        return None
    sign = outer.region.of(parts[1])
    if sign is None or abs(sign) != STRICT:
        return None
    upward = 1 if (sign > 0) == (below > 0) else -1
    if 0 not in parts:
        return upward, num(0)
    rest, lead = (tree_of(parts[k], outer.region.symbols) for k in (0, 1))
    return upward, Mul((num(-1), rest, Power(lead, -1)))


def square_root(atom: Atom, name: str, outer: Shape) -> tuple[int, Tree] | None:
    """(sign of a, sqrt(c/a)) where the gap is zero as a name^2 - c is and name >= 0, else None."""
    domain = outer.region.domains.get(name)
    if domain is None or domain.lo is None or domain.lo < 0:
        return None
    parts, _, _ = polynomial_parts(atom.gap, name, outer) or ({}, 0, 0)
    sign = outer.region.of(parts[2]) if set(parts) <= {0, 2} and 2 in parts else None
    if sign is None or abs(sign) != STRICT or not outer.defined(atom.gap):
        return None
    rest = tree_of(parts[0], outer.region.symbols) if 0 in parts else num(0)
    return sign, root_of(Mul((num(-1), rest, Power(tree_of(parts[2], outer.region.symbols), -1))))


def _direct(gap: Tree, name: str) -> tuple[int, Tree] | None:
    """A sum with the symbol itself (or its negative) as one term and nowhere else."""
    terms = _terms(gap, 1)
    own = [(t, s) for t, s in terms if name in names(t)]
    if len(own) != 1 or not isinstance(own[0][0], Sym):
        return None
    sign = own[0][1]
    rest = [t if s != sign else negative(t) for t, s in terms if name not in names(t)]
    return sign, add(*rest) if rest else num(0)


def _terms(tree: Tree, sign: int) -> list[tuple[Tree, int]]:
    if isinstance(tree, Add):
        return [t for a in tree.args for t in _terms(a, sign)]
    if isinstance(tree, Mul) and isinstance(tree.args[0], Num) and tree.args[0].value == -1:
        rest = tree.args[1] if len(tree.args) == 2 else Mul(tree.args[1:])
        return _terms(rest, -sign)
    return [(tree, sign)]


Rule: TypeAlias = Callable[[Atom, str, Shape], tuple[int, Tree] | None]


def by_equation(problem: Problem, name: str, outer: Shape, by: Rule) -> Problem | None:
    """The problem without `name`, or None where no equation determines it.

    Arguments:
        problem: what must hold.
        name: the symbol.
        outer: what is known without it.
        by: solves an equation for it: name = E.
    """
    for atom in problem.atoms:
        if atom.op != "==" or name not in names(atom.gap):
            continue
        solved = by(atom, name, outer)
        if solved is None:
            continue
        rest = substitute_in_atoms([a for a in problem.atoms if a is not atom], name, solved[1], atom.labels)
        rest += _in_domain(solved[1], problem.domains.get(name, REAL), atom.labels)
        if not outer.defined(solved[1]) or not outer.defined(atom.gap):  # keep the demand that both exist
            rest += substitute_in_atoms([atom], name, solved[1])
        return problem.without(name, rest, f"{name} from {', '.join(atom.labels)}")
    return None


def _in_domain(tree: Tree, domain: Interval, labels: tuple[str, ...]) -> tuple[Atom, ...]:
    out: tuple[Atom, ...] = ()
    if domain.lo is not None:
        out += (Atom(labels, "<" if domain.lo_open else "<=", add(tree, num(-domain.lo))),)
    if domain.hi is not None:
        out += (Atom(labels, "<" if domain.hi_open else "<=", add(num(domain.hi), negative(tree))),)
    return out


def by_discriminant(
    atoms: Sequence[Atom], name: str, domain: Interval | None, outer: Shape
) -> tuple[Atom, ...] | None:
    """The atoms without `name`, or None where this rule does not apply.

    For a, c > 0 some y > 0 satisfies -a y^2 + b y - c >= 0 if and only if b > 0 and b^2 >= 4 a c;
    likewise with > for >=.

    Arguments:
        atoms: the conditions.
        name: the symbol, with positive domain.
        domain: its domain.
        outer: what is known without it.
    """
    if domain is None or domain.lo != 0 or domain.hi is not None:
        return None  # at y = 0 the quadratic is -c < 0: whether 0 belongs to the domain does not matter
    own = [a for a in atoms if name in names(a.gap)]
    floors = [(a, tree) for a in own if (tree := _floor(a, name, outer)) is not None]
    if len(floors) == 1 and len(own) == 2:  # name = E + name
        ((floor, tree),) = floors
        atoms = substitute_in_atoms([a for a in atoms if a is not floor], name, add(tree, Sym(name)))
        own = [a for a in atoms if name in names(a.gap)]
    if len(own) != 1 or own[0].op not in ("<", "<="):
        return None
    atom = own[0]
    parts, under, below = polynomial_parts(atom.gap, name, outer) or ({}, 0, 0)
    if under or max(parts, default=0) != 2:
        return None
    parts = parts if below > 0 else {k: -c for k, c in parts.items()}
    ends = [outer.region.of(parts[k]) if k in parts else 0 for k in (0, 2)]
    if ends != [-STRICT, -STRICT] or 1 not in parts:
        return None
    gap = parts[1] * parts[1] - 4 * parts[0] * parts[2]
    rest = tuple(a for a in atoms if a is not atom)
    middle = Atom(atom.labels, "<", tree_of(parts[1], outer.region.symbols))
    return (*rest, middle, Atom(atom.labels, atom.op, tree_of(gap, outer.region.symbols)))


def _floor(atom: Atom, name: str, outer: Shape) -> Tree | None:
    """E where the atom says name > E with E >= 0."""
    sign, tree = (explicit(atom, name, outer) if atom.op == "<" else None) or (-1, atom.gap)
    if sign < 0 or not outer.defined(tree):
        return None
    known = outer.sign(tree)
    return tree if known is not None and known >= 0 else None
