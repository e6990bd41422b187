"""Relations by sums of products of what holds, and equations between vectors by combinations of such."""

from __future__ import annotations

from functools import partial
from typing import Any

from fedproof.proof.kernel.atoms import Need
from fedproof.proof.kernel.context import Context
from fedproof.proof.kernel.forms import Forms
from fedproof.proof.kernel.polynomials import ONE, ZERO, Quotient, constant
from fedproof.proof.kernel.relations import reading, said, sides
from fedproof.proof.kernel.trees import NUMBER, Rejected, Tree
from fedproof.proof.kernel.vectors import add

#: signs of what is right less what is left, where a relation holds and where it does not
_SIGNS = {"<": "positive", "<=": "nonnegative", "=": "zero", "!=": "nonzero"}
_NEGATED = {"<": "nonnegative", "<=": "positive", "!=": "zero", "=": "nonzero"}


def combine(here: Context, claim: Tree, terms: Any, equal: Any = ()) -> None:
    """A sum of products of what holds and of the claim's negation that is 0 and cannot be.

    Every product is of things that are >= 0 with a coefficient > 0, or has an equation among its factors;
    one product has only factors that are > 0 (or, for an equation claimed, are not 0).
    """
    forms = here.forms(equal)
    (order, gap), needs = reading(forms, lambda: sides(forms, claim))
    total, earned = ZERO, False
    for coefficient, factors in terms:
        c = _coefficient(coefficient)
        product, strong, weak, zero = Quotient({ONE: c}), True, True, False
        for factor in factors:
            q, sign, more = _factor(here, forms, factor, order, gap)
            needs = {**needs, **more}
            product = forms.times(product, q)
            strong &= sign == "positive" or (order == "=" and sign == "nonzero")
            weak &= sign in ("positive", "nonnegative")
            zero |= sign == "zero"
        if not (zero or (weak and c > 0) or (strong and order == "=")):
            raise Rejected("a product of a certificate may be negative")
        if strong and not zero:
            if order == "=" and earned:
                raise Rejected("only one product may be without an equation")
            earned = True
        if order == "=" and not zero and not strong:
            raise Rejected("for an equation every other product needs an equation")
        total = total + product
    total = forms.reduced(total)
    if total.above:
        raise Rejected(f"the products do not add up to 0: {said(forms, total)} is left")
    if not earned:
        raise Rejected("no product of a certificate is positive")
    here.defined(equal, needs)


def _both(read: Any, line: Tree) -> tuple[Any, Any]:
    """The right side of a line and its left one."""
    return read(line[2]), read(line[1])


def _idle(needs: dict[Need, Quotient]) -> dict[Need, Quotient]:
    """What normal forms of a line that holds need though it may fail."""
    return {need: q for need, q in needs.items() if need.idle}


def _coefficient(value: Any) -> Any:
    """The number before a product, which is not 0."""
    q = Forms({}).number(value) if isinstance(value, str) else None
    if q is None or q.constant is None or q.constant == 0:
        raise Rejected(f"{value} is no coefficient")
    return q.constant


def _factor(here: Context, forms: Forms, factor: Any, order: str, gap: Quotient) -> tuple[Quotient, str, Any]:
    """A factor of a product: its form, its sign, and what it needs to be defined."""
    if factor == "neg":
        return -gap, _NEGATED[order], {}
    if isinstance(factor, int):
        line = here.line(factor)
        (said_order, q), needs = reading(forms, lambda: sides(forms, line))
        return q, _SIGNS[said_order], _idle(needs)
    if not (isinstance(factor, tuple) and factor):
        raise Rejected(f"{factor} is no factor")
    head, *parts = factor
    if head == "*" and len(parts) == 1:
        q, needs = reading(forms, lambda: forms.number(parts[0]))
        return q, "any", needs
    if head == "sq" and len(parts) == 1:
        q, needs = reading(forms, lambda: forms.number(parts[0]))
        return forms.times(q, q), "nonnegative", needs
    if head == "sq+" and len(parts) == 1:
        q, needs = reading(forms, lambda: forms.number(parts[0]))
        return forms.times(q, q), "positive", {**needs, Need("nonzero", q.key, ()): q}
    if head == "n2" and len(parts) == 1:
        v, needs = reading(forms, lambda: forms.vector(parts[0]))
        return forms.product(v, v), "nonnegative", needs
    if head == "gram" and len(parts) == 2:
        (u, v), needs = reading(forms, lambda: (forms.vector(parts[0]), forms.vector(parts[1])))
        cross = forms.product(u, v)
        gap = forms.times(forms.product(u, u), forms.product(v, v)) - forms.times(cross, cross)
        return gap, "nonnegative", needs
    if head == "root" and len(parts) == 2 and parts[1] in ("2", "3", "4", "5", "6"):
        q, needs = reading(forms, lambda: forms.number(("^", parts[0], "1/" + parts[1])))
        return q, "nonnegative", needs
    if head == "size" and len(parts) == 2 and parts[1] in ("1", "-1"):
        x, needs = reading(forms, lambda: forms.number(parts[0]))
        return forms.size(x) + constant(int(parts[1])) * x, "nonnegative", needs
    if head == "power" and len(parts) == 2:
        line = here.line(parts[0])
        if line[0] not in ("<", "<=") or line[1] != "0" or NUMBER.match(str(parts[1])):
            raise Rejected(f"{line} is no base of a power with a whole exponent")
        forms.whole(parts[1])
        q, needs = reading(forms, lambda: forms.number(("^", line[2], parts[1])))
        return q, _SIGNS[line[0]], needs
    if head == "along" and len(parts) == 2:
        line = here.line(parts[0])
        if line[0] != "=":
            raise Rejected(f"{line} is no equation")
        (u, v), idle = reading(forms, lambda: (forms.vector(line[1]), forms.vector(line[2])))
        w, needs = reading(forms, lambda: forms.vector(parts[1]))
        return forms.product(u, w) - forms.product(v, w), "zero", {**needs, **_idle(idle)}
    raise Rejected(f"{factor} is no factor")


def equal_vectors(here: Context, claim: Tree, divisor: Tree, terms: Any, equal: Any = ()) -> None:
    """An equation between vectors: a multiple of it, not 0, is a combination of equations that hold.

    An equation of numbers is multiplied by a vector.
    """
    forms = here.forms(equal)
    if claim[0] != "=" or len(claim) != 3:
        raise Rejected(f"{claim} is no equation")

    def read() -> Any:
        gap = add(forms.vector(claim[1]), forms.scaled(constant(-1), forms.vector(claim[2])))
        return forms.scaled(forms.number(divisor), gap), forms.number(divisor)

    (left, scale), needs = reading(forms, read)
    for factor, place in terms:
        line = here.line(place)
        if line[0] != "=":
            raise Rejected(f"{line} is no equation")

        if forms.is_vector(factor):
            (right, left_side), idle = reading(forms, partial(_both, forms.number, line))
            vector, also = reading(forms, partial(forms.vector, factor))
            more = forms.scaled(right - left_side, vector)
        else:
            (to, start), idle = reading(forms, partial(_both, forms.vector, line))
            by, also = reading(forms, partial(forms.number, factor))
            more = forms.scaled(by, add(to, forms.scaled(constant(-1), start)))
        left, needs = add(left, more), {**needs, **also, **_idle(idle)}
    if left:
        raise Rejected("the vectors are not equal")
    here.defined(equal, needs)
    if scale.constant is None or scale.constant == 0:
        here.defined(equal, {Need("nonzero", scale.key, ()): scale})
