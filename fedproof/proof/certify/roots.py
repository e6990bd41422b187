"""Claims about roots and absolute values, compared by squares."""

from __future__ import annotations

from functools import partial
from typing import Any

from fedproof.proof.certify.limits import NotFound
from fedproof.proof.certify.preparing import Prover, attempted, write
from fedproof.proof.certify.writer import Writer, atom_tree, tree_of
from fedproof.proof.kernel.polynomials import Quotient, number
from fedproof.proof.kernel.trees import Tree


def by_root(writer: Writer, claim: Tree, gap: Quotient, depth: int, effort: int, prove: Prover) -> int:
    """x^2 <= y from x <= the root of y and x >= 0."""
    order, left, right = claim
    if order != "<=" or not (isinstance(left, tuple) and left[0] == "^" and left[2] == "2"):
        raise NotFound("no square")
    known_roots = [writer.forms.radicand(a) for a in range(len(writer.forms.atoms))]
    value = writer.forms.number(right)
    if not any(q is not None and q.key == value.key for q in known_roots):
        raise NotFound("no root")
    root, x = ("^", right, "1/2"), left[1]
    least = prove(writer, ("<=", "0", x), depth + 1, 1)
    most = prove(writer, ("<=", x, root), depth + 1, 1)
    terms: list[tuple[Any, ...]] = [("neg",), (most, ("root", right, "2")), (most, least)]
    return write(writer, claim, [(number(1), f) for f in terms])


def by_squares(writer: Writer, claim: Tree, gap: Quotient, depth: int, tried: int, prove: Prover) -> int:
    """a <= b from a^2 <= b^2 and b >= 0: what stands with a root is compared so."""
    forms = writer.forms
    if claim[0] != "<=" or depth > 2 or len(gap.above) > (6 if not depth and tried < 2 else 24):
        raise NotFound("not compared by squares")
    if not any(forms.radicand(a) is not None for m in gap.above for a, _ in m):
        raise NotFound("no roots")
    more = Quotient({m: c for m, c in gap.above.items() if c > 0})
    less = Quotient({m: -c for m, c in gap.above.items() if c < 0})
    if not less.above:
        raise NotFound("one sign")
    big, small = tree_of(forms, more), tree_of(forms, less)
    positive = prove(writer, ("<=", "0", big), depth + 1)
    squares = prove(writer, ("<=", ("^", small, "2"), ("^", big, "2")), depth + 1, 1)
    return write(
        writer, claim, [(number(1), ("neg", "neg")), (number(2), (positive, "neg")), (number(1), (squares,))]
    )


def resolved(writer: Writer, prove: Prover) -> bool:
    """Add what absolute values are where a sign is known."""
    forms, found = writer.forms, False
    for a, x in list(forms.sizes.items()):
        if x.below:
            continue
        tree, size = tree_of(forms, x), atom_tree(forms, a)
        for scale in (1, -1):
            own = tree if scale == 1 else ("*", "-1", tree)
            if writer.find(("=", size, own)) is not None:
                break
            sign = attempted(partial(prove, writer, ("<=", "0", own), 1))
            if sign is None:
                continue
            terms: list[Any] = [(number(1), ("neg", "neg")), (number(2), (sign, "neg"))]
            one = write(writer, ("<=", size, own), terms)
            terms = [(number(1), ("neg",)), (number(1), (("size", tree, str(-scale)),))]
            other = write(writer, ("<=", own, size), terms)
            writer.write(("=", size, own), "both", one, other)
            found = True
            break
    return found


def radicands(writer: Writer, gap: Quotient) -> list[Tree]:
    """Of a product with roots, what stands under them."""
    if len(gap.above) != 1:
        return []
    found = (writer.forms.radicand(a) for m in gap.above for a, _ in m)
    return [tree_of(writer.forms, q) for q in found if q is not None]


def positive_radicands(writer: Writer, gap: Quotient, depth: int, prove: Prover) -> None:
    """Of a product with roots that is to be positive, that what stands under them is."""
    for radicand in radicands(writer, gap) if depth < 4 else ():
        attempted(partial(prove, writer, ("<", "0", radicand), depth + 1, 0))
