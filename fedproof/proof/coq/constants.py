"""Relations between constants: each part lies between two rationals, by lemmas on enclosures."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, isqrt, log

from fedproof.proof.coq.needs import Need, distinct
from fedproof.proof.coq.scope import Scope
from fedproof.proof.coq.terms import LeftOut, core, literal, real
from fedproof.proof.kernel.trees import Tree

#: two rationals, and the name of what proves that a number lies between them
Enclosure = tuple[Fraction, Fraction, str]
#: the ends are multiples of 1/UNIT; how often the argument of exp is halved
UNIT, HALVINGS = 1 << 64, 24
#: how far the ends of log are moved out, as a part of 1
SLACK = Fraction(1 << 20)


def constants(scope: Scope, relation: Tree) -> None:
    """A relation between constants as the next line, with its needs."""
    enclosing = Enclosing(scope)
    sides = {enclosing.within(side)[2] for side in relation[1:]}
    for need, text in distinct(relation, scope.kinds):
        if text not in scope.known:
            own, proof = scope.fresh("N"), enclosing.within(inside(need))[2]
            scope.write(f"assert ({own} : {text}) by (clear - {proof}; lra).")
            scope.met(need, text, own)
    line, told = f"L{len(scope.lines)}", core(relation, scope.kinds)
    scope.write(f"assert ({line} : {told}) by (clear - {' '.join(sorted(sides))}; lra).")
    scope.holds(relation)


def inside(need: Need) -> Tree:
    """The constant of which a need speaks."""
    return need[1] if need[0] == "!=" else need[2]


class Enclosing:
    """Encloses constants, each once."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.found: dict[str, Enclosure] = {}

    def within(self, tree: Tree) -> Enclosure:
        """Rationals between which a constant lies."""
        text = real(tree, {})
        if text in self.found:
            return self.found[text]
        if isinstance(tree, str):
            return self.shown(text, Fraction(tree), Fraction(tree), "clear; lra")
        head, *parts = tree
        if head == "+":
            ends = [self.within(p) for p in parts]
            low, high = sum((e[0] for e in ends), Fraction(0)), sum((e[1] for e in ends), Fraction(0))
            return self.shown(text, low, high, f"clear - {' '.join(e[2] for e in ends)}; lra")
        if head == "*":
            return self.product(text, [(real(p, {}), self.within(p)) for p in parts])
        if head == "^":
            return self.power(text, parts[0], Fraction(parts[1]))
        if head == "exp":
            return self.exponential(text, self.within(parts[0]))
        if head == "log":
            return self.logarithm(text, self.within(parts[0]))
        raise LeftOut(f"constants with {head}")

    def shown(self, text: str, low: Fraction, high: Fraction, proof: str) -> Enclosure:
        """State that a number lies between two, rounded outward."""
        low, high = Fraction(floor(low * UNIT), UNIT), Fraction(ceil(high * UNIT), UNIT)
        own = self.scope.fresh("C")
        told = f"{literal(str(low))} <= {text} <= {literal(str(high))}"
        self.scope.write(f"assert ({own} : {told}) by ({proof}).")
        self.found[text] = low, high, own
        return self.found[text]

    def product(self, text: str, factors: list[tuple[str, Enclosure]]) -> Enclosure:
        """A product, multiplied from the left."""
        *before, (last, (c, d, q)) = factors
        if not before:
            return c, d, q
        left = f"({' * '.join(t for t, _ in before)})"
        a, b, p = self.product(left, before)
        ends = [x * y for x in (a, b) for y in (c, d)]
        proof = f"clear - {p} {q}; apply (enclosed_times _ _ _ _ _ _ _ _ {p} {q}); lra"
        return self.shown(f"({left} * {last})", min(ends), max(ends), proof)

    def power(self, text: str, base: Tree, n: Fraction) -> Enclosure:
        """A whole power, or one of a square root."""
        own, told = self.within(base), real(base, {})
        if n.denominator == 2:
            told, own = self.root(f"(sqrt {told})", own)
        if n.denominator > 2 or n == 0:
            raise LeftOut("constants with roots that are no square roots")
        raised = told
        for k in range(2, abs(n.numerator) + 1):
            before, raised = raised, f"({told} ^ {k})"
            one, two = self.found[before], self.found[told]
            ends = [x * y for x in one[:2] for y in two[:2]]
            again = f"replace {raised} with ({before} * {told}) by ring"
            known = f"{one[2]} {two[2]}"
            proof = f"clear - {known}; {again}; apply (enclosed_times _ _ _ _ _ _ _ _ {known}); lra"
            own = self.shown(raised, min(ends), max(ends), proof)
        if n > 0:
            return own
        low, high, p = own
        if low <= 0:
            raise LeftOut("constants that are divided by what is not seen to be positive")
        return self.shown(
            text, 1 / high, 1 / low, f"clear - {p}; apply (enclosed_inverse _ _ _ _ _ {p}); lra"
        )

    def root(self, text: str, inner: Enclosure) -> tuple[str, Enclosure]:
        """A square root."""
        low, high, p = inner
        ends = [isqrt(floor(low * UNIT * UNIT)), isqrt(ceil(high * UNIT * UNIT)) + 1]
        proof = f"clear - {p}; apply (enclosed_root _ _ _ _ _ {p}); lra"
        return text, self.shown(text, Fraction(ends[0], UNIT), Fraction(ends[1], UNIT), proof)

    def exponential(self, text: str, inner: Enclosure) -> Enclosure:
        """exp, which grows; for what is above, 1 over exp of the opposite."""
        low, high, p = inner
        (a, one), (b, two) = self.below(low), self.below(-high)
        proof = f"clear - {p} {one} {two}; apply (enclosed_exp _ _ _ _ _ _ _ _ {p} {one} {two}); lra"
        return self.shown(text, a, 1 / b, proof)

    def logarithm(self, text: str, inner: Enclosure) -> Enclosure:
        """log, between numbers of which exp is not more, and not less."""
        low, high, p = inner
        if low <= 0:
            raise LeftOut("constants with log of what is not seen to be positive")
        first, last = Fraction(log(low)) - 1 / SLACK, Fraction(log(high)) + 1 / SLACK
        _, above, one = self.within(("exp", str(first)))
        below, two = self.below(last)
        if above > low or below < high:
            raise LeftOut("constants with log that are enclosed too widely")
        self.scope.write(f"destruct {one} as [_ {(three := self.scope.fresh('C'))}].")
        less = f"(Rle_trans _ _ _ {three} (ltac:(lra) : {literal(str(above))} <= {literal(str(low))}))"
        more = f"(Rle_trans _ _ _ (ltac:(lra) : {literal(str(high))} <= {literal(str(below))}) {two})"
        ends = f"{literal(str(first))} {literal(str(last))}"
        proof = f"clear - {p} {two} {three}; apply (enclosed_log _ _ _ _ _ {ends} {p}); "
        proof += f"[lra | | exact {less} | exact {more}]; lra"
        return self.shown(text, first, last, proof)

    def below(self, x: Fraction) -> tuple[Fraction, str]:
        """A number that exp is not less than at a rational: 1 + x/2^k, squared k times."""
        part = x / 2**HALVINGS
        low = 1 + part
        proof = self.scope.fresh("C")
        self.scope.write(f"pose proof (exp_ineq1_le {literal(str(part))}) as {proof}.")
        for _ in range(HALVINGS):
            part, square = 2 * part, Fraction(floor(low * low * UNIT), UNIT)
            own = self.scope.fresh("C")
            told = f"{literal(str(square))} <= exp {literal(str(part))}"
            self.scope.write(
                f"assert ({own} : {told}) by (clear - {proof}; apply (exp_twice _ _ _ _ {proof}); lra)."
            )
            low, proof = square, own
        return low, proof
