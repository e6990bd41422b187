"""The rules `combine` and `vectors`: signs of products, and the identity in which they add up to 0."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fedproof.proof.coq.identity import zero
from fedproof.proof.coq.meeting import meet
from fedproof.proof.coq.scope import Scope
from fedproof.proof.coq.terms import LeftOut, is_vector, literal, real, vector
from fedproof.proof.kernel.trees import Tree

_LINE = {"<": ("+", "gap_lt"), "<=": ("0+", "gap_le"), "=": ("0", "gap_eq"), "!=": ("+-", "gap_ne")}
_DENIED = {"<=": ("+", "gap_lt"), "<": ("0+", "gap_le"), "!=": ("0", "gap_eq"), "=": ("+-", "gap_ne")}
_SUMS = {("+", "+"): "sum_pp", ("+", "0+"): "sum_pn", ("0+", "+"): "sum_np", ("0+", "0+"): "sum_nn"}


class Product:
    """A product: its text, its sign (`+`, `0+`, `0`, `+-`), what proves the sign, what stands in it."""

    def __init__(self, text: str, sign: str, proof: str, trees: Sequence[Tree]) -> None:
        self.text, self.sign, self.proof, self.trees = text, sign, proof, [*trees]

    def as_weak(self) -> str:
        """What proves that it is not negative."""
        return {"+": f"(weak _ {self.proof})", "0": f"(flat _ {self.proof})"}.get(self.sign, self.proof)

    def as_nonzero(self) -> str:
        """What proves that it is not 0."""
        return f"(positive_nonzero _ {self.proof})" if self.sign == "+" else self.proof


def combine(scope: Scope, claim: Tree, terms: Any, equal: Sequence[int]) -> None:
    """Prove the goal, an order or an equation between numbers."""
    order = claim[0]
    told = {"<=": "refute_le", "<": "refute_lt", "=": "refute_eq"}
    for _, factors in terms:
        for f in factors:
            for t in expressions(f):
                meet(scope, t, equal=equal)
    scope.write(f"apply {told[order]}; intro neg." if order in told else "intro neg.")
    with scope.equating(equal):
        products = [product(scope, claim, c, factors) for c, factors in terms]
    trees = [t for p in products for t in p.trees]
    total = sum_text([p.text for p in products])
    equation = scope.fresh("E")
    scope.write(f"assert ({equation} : {total} = 0).")
    with scope.block():
        zero(scope, f"{total} = 0", trees, equal)
    if order == "=":
        scope.write(f"exact ({nonzero_sum(products)} {equation}).")
    else:
        scope.write(f"exact (impossible _ {positive_sum(products)} {equation}).")


def sum_text(parts: list[str]) -> str:
    """A sum, added from the right."""
    *first, last = parts
    for p in reversed(first):
        last = f"({p} + {last})"
    return last


def positive_sum(products: list[Product]) -> str:
    """What proves that a sum of products is positive."""
    *first, last = products
    sign, proof = ("+", last.proof) if last.sign == "+" else ("0+", last.as_weak())
    for p in reversed(first):
        own, by = ("+", p.proof) if p.sign == "+" else ("0+", p.as_weak())
        proof = f"({_SUMS[own, sign]} _ _ {by} {proof})"
        sign = "+" if "+" in (own, sign) else "0+"
    if sign != "+":
        raise LeftOut("a combination without a positive product")
    return proof


def nonzero_sum(products: list[Product]) -> str:
    """What proves that a sum of products, all but one 0, is not 0."""
    *first, last = products
    flat, proof = (True, last.proof) if last.sign == "0" else (False, last.as_nonzero())
    for p in reversed(first):
        if p.sign == "0":
            proof = f"({'sum_zz' if flat else 'sum_ze'} _ _ {p.proof} {proof})"
        elif flat:
            proof, flat = f"(sum_ez _ _ {p.as_nonzero()} {proof})", False
        else:
            raise LeftOut("a combination with two products that are not 0")
    return proof


def product(scope: Scope, claim: Tree, coefficient: str, factors: Any) -> Product:
    """A product of a coefficient and factors."""
    found = [factor(scope, claim, f) for f in factors]
    text = literal(coefficient)
    trees = [t for f in found for t in f.trees]
    whole = sum_of_factors([text, *(f.text for f in found)])
    zeros = [k for k, f in enumerate(found) if f.sign == "0"]
    if zeros:
        proof = found[zeros[0]].proof
        if zeros[0] < len(found) - 1:
            proof = f"(zero_times _ _ {proof})"
        for _ in range(zeros[0] + 1):
            proof = f"(times_zero _ _ {proof})"
        return Product(whole, "0", proof, trees)
    if claim[0] == "=":
        number = apart(coefficient)
        proofs = [number, *(f.as_nonzero() for f in found)]
        return Product(whole, "+-", chain(proofs, "times_ne"), trees)
    if all(f.sign == "+" for f in found):
        proofs = [positive(coefficient), *(f.proof for f in found)]
        return Product(whole, "+", chain(proofs, "times_pp"), trees)
    proofs = [f"(weak _ {positive(coefficient)})", *(f.as_weak() for f in found)]
    return Product(whole, "0+", chain(proofs, "times_nn"), trees)


def positive(number: str) -> str:
    """What proves that a number is positive."""
    p, _, q = number.partition("/")
    return f"(ratio_pos {p} {q} eq_refl eq_refl)" if q else f"(IZR_lt 0 {p} eq_refl)"


def apart(number: str) -> str:
    """What proves that a number is not 0."""
    p, _, q = number.partition("/")
    return f"(ratio_ne ({p}) {q} eq_refl eq_refl)" if q else f"(whole_ne ({p}) eq_refl)"


def sum_of_factors(texts: list[str]) -> str:
    """A product, multiplied from the right."""
    *first, last = texts
    for t in reversed(first):
        last = f"({t} * {last})"
    return last


def chain(proofs: list[str], by: str) -> str:
    """What a lemma on two factors proves of all."""
    *first, last = proofs
    for p in reversed(first):
        last = f"({by} _ _ {p} {last})"
    return last


def expressions(raw: Any) -> list[Tree]:
    """The expressions in a factor."""
    if raw == "neg" or isinstance(raw, int):
        return []
    head, *parts = raw
    if head == "root":
        return [("^", parts[0], f"1/{parts[1]}")]
    if head == "size":
        return [("abs", parts[0])]
    found: list[Tree] = parts[1:] if head == "along" else parts if head == "gram" else parts[:1]
    return [*found]


def factor(scope: Scope, claim: Tree, raw: Any) -> Product:
    """A factor."""
    kinds = scope.kinds
    if raw == "neg":
        order, a, b = claim
        sign, by = _DENIED[order]
        turned = {"=": "(not_eq_sym neg)", "!=": "(eq_sym neg)"}.get(order, "neg")
        return Product(f"({real(a, kinds)} - {real(b, kinds)})", sign, f"({by} _ _ {turned})", [a, b])
    if isinstance(raw, int):
        order, a, b = scope.lines[raw]
        if is_vector(a, kinds) or is_vector(b, kinds):
            raise LeftOut("an equation between vectors as a factor")
        sign, by = _LINE[order]
        return Product(f"({real(b, kinds)} - {real(a, kinds)})", sign, f"({by} _ _ L{raw})", [a, b])
    head, *parts = raw
    if head in ("n2", "gram", "along"):
        return of_vectors(scope, head, parts)
    t = parts[0]
    text = real(t, kinds)
    if head == "*":
        return Product(text, "any", "", [t])
    if head == "sq":
        return Product(f"({text} * {text})", "0+", f"(square_nonneg {text})", [t])
    if head == "sq+":
        (proof,) = [nonzero(scope, t)]
        return Product(f"({text} * {text})", "+", f"(square_pos {text} {proof})", [t])
    if head == "root" and parts[1] == "2":
        return Product(f"(sqrt {text})", "0+", f"(sqrt_pos {text})", [("^", t, "1/2")])
    if head == "size":
        sign, by = {"1": ("+", "size_plus"), "-1": ("-", "size_minus")}[parts[1]]
        return Product(f"(Rabs {text} {sign} {text})", "0+", f"({by} {text})", [("abs", t), t])
    raise LeftOut(f"the factor {head}")


def of_vectors(scope: Scope, head: str, parts: Any) -> Product:
    """A factor that speaks of vectors."""
    kinds = scope.kinds
    if head == "n2":
        text = f"(n2 {vector(parts[0], kinds)})"
        return Product(text, "0+", f"(n2_nonneg {vector(parts[0], kinds)})", [("n2", parts[0])])
    if head == "gram":
        u, v = (vector(p, kinds) for p in parts)
        text = f"(n2 {u} * n2 {v} - ip {u} {v} * ip {u} {v})"
        trees = [("n2", parts[0]), ("n2", parts[1]), ("ip", *parts)]
        return Product(text, "0+", f"(gram {u} {v})", trees)
    line, u = parts
    _, a, b = scope.lines[line]
    one, two, other = (vector(p, kinds) for p in (a, b, u))
    trees = [("ip", a, u), ("ip", b, u)]
    return Product(f"(ip {one} {other} - ip {two} {other})", "0", f"(gap_along _ _ {other} L{line})", trees)


def nonzero(scope: Scope, tree: Tree) -> str:
    """The name of what proves that an expression is not 0."""
    from fedproof.proof.coq.meeting import establish
    from fedproof.proof.coq.needs import written

    need = ("!=", tree, "0")
    text = written(need, scope.kinds)
    establish(scope, need, text)
    return scope.known[text]


def equal_vectors(scope: Scope, claim: Tree, divisor: Tree, terms: Any, equal: Sequence[int]) -> None:
    """Prove the goal, an equation between vectors."""
    kinds = scope.kinds
    _, a, b = claim
    meet(scope, divisor, equal=equal)
    number = not (isinstance(divisor, str) and divisor not in kinds)
    proof = nonzero(scope, divisor) if number else apart(divisor)
    for c, _ in terms:
        meet(scope, c, equal=equal)
    new = scope.fresh("w")
    kinds = {**kinds, new: "vector"}
    inner = scope.inside(**{new: "vector"})
    w = f"_{new}"
    scope.write(f"apply vext; intro {w}.", f"apply (times_cancel {real(divisor, kinds)} _ _ {proof}).")
    texts, proofs = [], []
    trees: list[Tree] = [divisor, ("ip", a, new), ("ip", b, new)]
    for c, k in terms:
        _, left, right = scope.lines[k]
        if is_vector(left, kinds) or is_vector(right, kinds):
            texts.append(
                f"({real(c, kinds)} * (ip {vector(left, kinds)} {w} - ip {vector(right, kinds)} {w}))"
            )
            proofs.append(f"(times_zero _ _ (gap_along _ _ {w} L{k}))")
            trees += [c, ("ip", left, new), ("ip", right, new)]
        else:
            texts.append(f"(ip {vector(c, kinds)} {w} * ({real(left, kinds)} - {real(right, kinds)}))")
            proofs.append(f"(times_zero _ _ (gap_eq _ _ (eq_sym L{k})))")
            trees += [("ip", c, new), left, right]
    total = sum_text([*texts, "0"])
    proof = "eq_refl"
    for p in reversed(proofs):
        proof = f"(sum_zz _ _ {p} {proof})"
    one, two = vector(a, kinds), vector(b, kinds)
    d = real(divisor, kinds)
    equation = scope.fresh("E")
    goal = f"{d} * (ip {one} {w} - ip {two} {w}) = {total}"
    scope.write(f"assert ({equation} : {goal}).")
    with scope.block():
        zero(inner, goal, trees, equal)
    scope.write(f"rewrite {equation}; exact {proof}.")
