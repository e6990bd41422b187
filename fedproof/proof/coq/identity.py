"""Identities: roots, sizes, inner products and sums are rewritten, the rest is for `field`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from fedproof.proof.coq.combinations import Combination, expanded, members, reified, spelled
from fedproof.proof.coq.needs import distinct
from fedproof.proof.coq.reading import Reading, fixed
from fedproof.proof.coq.scope import Scope
from fedproof.proof.coq.shapes import argument_of, basis_of, tree_of
from fedproof.proof.coq.sums import Sums
from fedproof.proof.coq.terms import (
    LeftOut,
    infix,
    is_vector,
    literal,
    name,
    power,
    real,
    vector,
    whole,
)
from fedproof.proof.kernel.atoms import key_of
from fedproof.proof.kernel.polynomials import Quotient, number, primitive
from fedproof.proof.kernel.trees import NUMBER, Tree, free, substitute

#: `sqrt` or `abs`, what is inside as it is written, and as a tree
Special = tuple[str, str, Tree]

#: the most divisors with which `field` is tried before `ring`: it multiplies all of them
FEW = 8


def zero(scope: Scope, goal: str, trees: Sequence[Tree], equal: Sequence[int] = ()) -> None:
    """Prove an equation between numbers, the goal, in which expressions stand."""
    Identity(scope, equal).prove(goal, trees)


class Identity:
    """Rewrites the parts of one equation until `field` proves it."""

    def __init__(self, scope: Scope, equal: Sequence[int] = ()) -> None:
        self.scope = scope
        self.kinds = scope.kinds
        self.forms = scope.forms
        self.reading = Reading(scope, equal)
        self.steps: list[str] = []
        self.texts: dict[Any, str] = {}
        self.done: dict[tuple[str, str], str] = {}
        self.basis: dict[str, int] = {}
        self.settled = False
        self.opened: set[tuple[str, str]] = set()
        self.vsums: dict[str, Tree] = {}
        self.reified: list[tuple[Combination, Combination]] = []
        self.results: dict[Tree, Tree] = {}

    def prove(self, goal: str, trees: Sequence[Tree]) -> None:
        """Write the tactics that prove the goal, in which the trees stand."""
        told = [*trees, *(e for _, e, _ in self.reading.equations)]
        premises, squares = self.premises(told)
        swaps = [self.reading.put(t) for t in trees]
        found = {n: None for t in swaps for n in sums_in(t)}
        self.settled = bool(found)
        for s in found:
            if not is_vector(s, self.kinds):
                self.settle(s)
        for swapped in swaps:
            if isinstance(swapped, tuple) and swapped[0] in ("<=", "<", "=", "!="):
                continue
            if is_vector(swapped, self.kinds):
                self.combination(swapped)
            else:
                self.real(swapped)
        write = self.scope.write
        if premises:
            write(f"generalize {' '.join(p for p, _ in premises)}.")
        self.reading.write()
        ranks, at = dict[str, int](), ""
        if self.reified:
            ordered = sorted(self.basis, key=lambda b: self.basis[b])
            at = self.scope.fresh("at")
            write(f"pose ({at} := nth_of ({' :: '.join([*(f'({b})' for b in ordered), '@nil V'])})).")
            ranks = {b: k for k, b in enumerate(ordered)}
        for step in self.steps:
            if step.startswith("exact (expanded_is AT @"):
                one, two = self.reified[int(step.split("@")[1])]
                step = f"exact (expanded_is {at} {reified(one, ranks)} {reified(two, ranks)})."
            write(step)
        if premises:
            write(f"intros {' '.join(n for _, n in premises)}.")
        known = [n for _, n in premises if n not in squares]
        write(by_arithmetic(known, self.roots(squares), 0 < len(divisors(("+", *told))) <= FEW))

    def premises(self, trees: Sequence[Tree]) -> tuple[list[tuple[str, str]], dict[str, Special]]:
        """What is known of divisors, roots and sizes in trees, each as a proof with a name for it."""
        found: dict[str, str] = {}
        squares: dict[str, Special] = {}
        for tree in trees:
            for need, text in distinct(tree, self.kinds):
                if need[0] in ("!=", "<=") and text in self.scope.known:
                    found.setdefault(self.scope.known[text], self.scope.fresh("M"))
            for part in special(tree, self.kinds):
                head, inside, _ = part
                proof = f"(size_square {inside})"
                if head == "sqrt" and free(part[2]) & self.scope.anywhere:
                    continue
                if head == "sqrt":
                    sign = self.scope.known.get(f"(0 <= {inside})") or f"(ltac:(lra) : 0 <= {inside})"
                    proof = f"(sqrt_sqrt {inside} {sign})"
                squares[found.setdefault(proof, self.scope.fresh("S"))] = part
        return [*found.items()], squares

    def roots(self, squares: dict[str, Special]) -> dict[str, bool]:
        """What says of each root and size what its square is, once; whether it stands for itself."""
        found: dict[Any, tuple[str, bool]] = {}
        for own, (head, _, tree) in squares.items():
            inside = self.forms.number(self.reading.put(tree))
            form = self.forms.root(inside, 2, sure=True) if head == "sqrt" else self.forms.size(inside)
            if form.constant is None:
                found.setdefault(form.key, (own, self.alone(form)))
        return dict(found.values())

    def rewrite(self, left: str, right: str, proof: str) -> str:
        """Put one side of an equation for the other from here on; what stands there then."""
        if left == right:
            return right
        if (left, right) not in self.done:
            hypothesis = self.done[left, right] = self.scope.fresh("Q")
            self.steps += [f"assert ({hypothesis} : {left} = {right}).", "{", proof, "}"]
        self.steps += [f"try rewrite {self.done[left, right]}."]
        return right

    def settle(self, tree: Tree) -> None:
        """Rewrite a sum by sums up to its ends."""
        hypothesis = self.scope.fresh("Q")
        result, lines = Sums(self.scope, zero).summed(tree, hypothesis)
        self.steps += [*lines, f"try rewrite {hypothesis}."]
        self.results[tree] = result

    def same(self, key: Any, text: str, proof: str, tree: Tree | None = None) -> str:
        """The text of what has this normal form: the first, or where there are sums always the same."""
        if self.settled and tree is not None:
            return self.rewrite(text, real(tree, {**self.forms.kinds, **self.kinds}), proof)
        first = self.texts.setdefault(key, text)
        return self.rewrite(text, first, proof)

    def real(self, tree: Tree) -> str:
        """A number as it reads after rewriting."""
        if isinstance(tree, str):
            if NUMBER.match(tree):
                return literal(tree)
            return f"(IZR {name(tree)})" if self.kinds[tree] == "whole" else name(tree)
        head, *parts = tree
        if head in ("+", "*"):
            return infix(head, [self.real(p) for p in parts])
        if head == "^":
            n = Fraction(parts[1])
            if n < 0 and free(parts[0]) & self.scope.anywhere:
                return self.inverse(tree)
            if n.denominator == 1:
                return power(self.real(parts[0]), parts[1])
            root = self.root(parts[0])
            p = abs(n.numerator)
            raised = root if p == 1 else f"({root} ^ {p})"
            return f"(/ {raised})" if n < 0 else raised
        if head == "abs":
            return self.size(self.real(parts[0]), parts[0])
        if head in ("max", "min"):
            return self.largest(head, *parts)
        if head in ("ip", "n2"):
            return self.product(head, *parts)
        if head == "of":
            return self.application(tree)
        if head == "sum":
            return self.sum(tree)
        if head == "upto":
            return real(tree, {**self.forms.kinds, **self.kinds})
        raise LeftOut(f"the construct {head}")

    def inverse(self, tree: Tree) -> str:
        """A negative power of what may be 0: its factors are divided by one by one, as Coq divides by 0."""
        _, base, exponent = tree
        n = Fraction(exponent)
        raised = self.real(("^", base, str(-n)))
        kinds = {**self.forms.kinds, **self.kinds}
        form = self.forms.number(("^", base, str(-n)))
        lead, common, factor = primitive(form.above)
        rest = Quotient({tuple(common): number(1)}, form.below) * Quotient(dict(factor))
        inside = real(tree_of(self.forms, rest), kinds)
        k, c = literal(str(lead)), literal(str(1 / lead))
        text = real(tree_of(self.forms, self.forms.number(tree)), kinds)
        proof = f"rewrite (inverse_of {raised} {k} {c} {inside}); [| field | identity]."
        return self.rewrite(f"(/ {raised})", text, f"{proof} rewrite ?Rinv_mult, ?pow_inv; identity.")

    def root(self, radicand: Tree) -> str:
        """A square root."""
        inside = self.real(radicand)
        text = f"(sqrt {inside})"
        form = self.forms.root(self.forms.number(radicand), 2, sure=True)
        if form.constant is not None:
            value = literal(str(form.constant))
            return self.rewrite(text, value, "apply root_is; lra.")
        if not self.alone(form):
            return self.product_of_sizes(text, form, "root_is")
        return self.same(("root", form.key), text, "same_size.", tree_of(self.forms, form))

    def size(self, inside: str, tree: Tree) -> str:
        """An absolute value."""
        form = self.forms.size(self.forms.number(tree))
        text = f"(Rabs {inside})"
        if not self.alone(form):
            return self.product_of_sizes(text, form, "size_is")
        return self.same(("root", form.key), text, "same_size.", tree_of(self.forms, form))

    def alone(self, form: Quotient) -> bool:
        """Whether a normal form is one atom."""
        return not form.below and [c == 1 and [e for _, e in m] == [1] for m, c in form.above.items()] == [
            True
        ]

    def product_of_sizes(self, text: str, form: Quotient, by: str) -> str:
        """A root or a size that is a product of sizes."""
        sizes = {a: self.forms.sizes[a] for m in form.above for a, _ in m if a in self.forms.sizes}
        inside = [real(tree_of(self.forms, q), {**self.forms.kinds, **self.kinds}) for q in sizes.values()]
        told = [f"pose proof (size_square {t}) as S{k}_." for k, t in enumerate(inside)]
        names = " ".join(f"S{k}_" for k in range(len(inside)))
        told.append(f"apply {by}; [nonnegative | first [ring [{names}] | field [{names}]; defined]].")
        for a, t in zip(sizes, inside, strict=True):
            self.texts.setdefault(("root", self.forms.of(a).key), f"(Rabs {t})")
        return self.rewrite(
            text, real(tree_of(self.forms, form), {**self.forms.kinds, **self.kinds}), " ".join(told)
        )

    def largest(self, head: str, a: Tree, b: Tree) -> str:
        """The larger or the smaller of two numbers."""
        one, two = self.real(a), self.real(b)
        named = {"max": "Rmax", "min": "Rmin"}[head]
        gap = f"(Rabs ({one} - {two}))"
        sign = {"max": "+", "min": "-"}[head]
        self.rewrite(f"({named} {one} {two})", f"(({one} + {two} {sign} {gap}) / 2)", f"apply {head}_is.")
        size = self.size(f"({one} - {two})", ("+", a, ("*", "-1", b)))
        return f"(({one} + {two} {sign} {size}) / 2)"

    def product(self, head: str, *parts: Tree) -> str:
        """An inner product, or a squared norm."""
        found = [self.combination(p) for p in parts]
        one, two = found if head == "ip" else found * 2
        left = f"({head} {' '.join(spelled(c) for c in found)})"
        right = expanded(one, two, self.basis)
        self.rewrite(left, right, f"exact (expanded_is AT @{len(self.reified)}")
        self.reified += [(one, two)]
        for a in members(one):
            for b in members(two):
                self.summed_product(*sorted((a, b), key=lambda t: self.basis[t]))
        return right

    def combination(self, tree: Tree) -> Combination:
        """A vector as a combination of basis vectors, as it reads after rewriting."""
        if tree == "0":
            return ("zero",)
        if isinstance(tree, str):
            return self.one(name(tree), tree)
        head, *parts = tree
        if head == "+":
            total, *rest = [self.combination(p) for p in parts]
            for p in rest:
                total = ("plus", total, p)
            return total
        if head == "*":
            inner = next((p for p in parts if is_vector(p, self.kinds)), "0")
            scale = [self.real(p) for p in parts if p is not inner]
            inside = self.combination(inner)
            return ("times", infix("*", scale), inside) if scale else inside
        if head == "of":
            return self.one(self.application(tree), tree)
        if head == "sum":
            text = vector(tree, self.kinds)
            self.vsums.setdefault(text, tree)
            self.basis.setdefault(text, 10**6 + len(self.vsums))
            return ("one", text)
        raise LeftOut(f"{head} of vectors in an identity")

    def summed_product(self, one: str, two: str) -> None:
        """Rewrite the inner product with a sum of vectors as a sum of inner products."""
        if two not in self.vsums or (one, two) in self.opened:
            return
        self.opened.add((one, two))
        _, index, lo, hi, body = self.vsums[two]
        other = self.vsums[one] if one in self.vsums else basis_of(self.forms, self.basis[one])
        new = index
        while new in free(other):
            new += "'"
        tree = ("sum", new, lo, hi, ("ip", other, substitute(body, {index: new})))
        right = real(tree, {**self.forms.kinds, **self.kinds})
        self.rewrite(f"(ip {one} {two})", right, "apply ip_vsum_r.")
        if tree not in self.results:
            self.settle(tree)

    def one(self, text: str, tree: Tree) -> Combination:
        """A basis vector, in the order of the normal forms."""
        (place,) = self.forms.vector(tree)
        self.basis.setdefault(text, place)
        return ("one", text)

    def application(self, tree: Tree) -> str:
        """A term of a sequence, a value of a function."""
        _, of, *arguments = tree
        expected = self.kinds[of].partition("(")[2].rstrip(")").split(",")
        told, formed = list[str](), list[Any]()
        for a, k in zip(arguments, expected, strict=True):
            if k == "vector":
                told.append(spelled(self.combination(a)))
                formed.append(self.forms.vector(a))
            else:
                told.append(whole(a, self.kinds))
                formed.append(self.forms.whole(a))
        forms = [key_of(f) for f in formed]
        text = "(" + " ".join([name(of), *told]) + ")"
        return self.same((of, *forms), text, "same_arguments.", self.ordered(of, formed))

    def ordered(self, of: str, arguments: Sequence[Any]) -> Tree | None:
        """A term with its arguments in normal form; None where one of them is not written."""
        try:
            return ("of", of, *(argument_of(self.forms, f) for f in arguments))
        except LeftOut:
            return None

    def sum(self, tree: Tree) -> str:
        """A sum of numbers, which was rewritten before."""
        return self.real(self.results[tree])


def by_arithmetic(known: list[str], squares: dict[str, bool], divided: bool = False) -> str:
    """The tactic for an equation of rational functions of atoms, where squares of some are known.

    Arguments:
        known: names of what is known of divisors.
        squares: names of what is known of roots and sizes, and whether each stands for itself.
        divided: whether `ring`, for which a divisor is an atom, is tried after `field` alone.
    """
    by = f" [{' '.join(squares)}]" if squares else ""
    tactics = [f"ring{by}", f"field{by}; defined"]
    if divided:
        tactics.reverse()
    if alone := [s for s, own in squares.items() if own]:
        moved = f"generalize {' '.join(known)}; " if known else ""
        kept = [f"T{k}_" for k in range(len(alone))]
        taken = [f"intro {s}; cleared {s} {t}" for s, t in zip(alone, kept, strict=True)]
        again = f"{moved}revert {' '.join(alone)}; {'; '.join(taken)}; intros"
        tactics.append(f"{again}; first [ring [{' '.join(kept)}] | field [{' '.join(kept)}]; defined]")
    tactics.append(f"alike; ring{by}")
    return f"first [{' | '.join(tactics)}]."


def divisors(tree: Tree) -> set[Tree]:
    """What divides within a tree; `1` for numbers that are not whole, which `ring` does not read."""
    if isinstance(tree, str):
        return {"1"} if "/" in tree and NUMBER.match(tree) else set()
    if tree[0] != "^":
        return {d for i, p in enumerate(tree[1:], 1) if not fixed(tree, i) for d in divisors(p)}
    _, base, exponent = tree
    return divisors(base) | ({base} if str(exponent).startswith("-") else set())


def sums_in(tree: Tree) -> list[Tree]:
    """The sums within a tree that stand in no other."""
    if isinstance(tree, str) or tree[0] == "upto":
        return []
    if tree[0] == "sum":
        return [tree]
    return [s for i, p in enumerate(tree[1:], 1) if not fixed(tree, i) for s in sums_in(p)]


def special(tree: Tree, kinds: Any) -> list[Special]:
    """Roots and sizes within a tree but not within sums, with what is inside."""
    if isinstance(tree, str) or tree[0] in ("sum", "upto"):
        return []
    head, *parts = tree
    found = [s for p in (parts[1:] if head == "of" else parts) for s in special(p, kinds)]
    if head == "^" and "/" in str(parts[1]):
        found.append(("sqrt", real(parts[0], kinds), parts[0]))
    if head == "abs":
        found.append(("abs", real(parts[0], kinds), parts[0]))
    if head in ("max", "min"):
        one, two = (real(p, kinds) for p in parts)
        found.append(("abs", f"({one} - {two})", ("+", parts[0], ("*", "-1", parts[1]))))
    return found
