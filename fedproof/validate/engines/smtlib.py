"""Real algebra as SMT-LIB text: radicals and quotients are cleared here, soundly, by one mechanism."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

import sympy as sp

from fedproof.bounds.expressions import fold, names_in

__all__ = ["refutation"]


@dataclass(frozen=True)
class _Quotient:
    """num/den as SMT-LIB terms; den None means 1."""

    num: str
    den: str | None = None


def _times(a: str | None, b: str | None) -> str | None:
    if a is None or b is None:
        return a or b
    return f"(* {a} {b})"


@dataclass
class _Terms:
    """Folds an expression to a quotient of polynomials, collecting what makes it defined.

    A root becomes a fresh v with v >= 0 and v^2 = radicand wherever the radicand is >= 0.
    """

    prefix: str
    denominators: list[str] = field(default_factory=list)
    radicands: list[_Quotient] = field(default_factory=list)
    roots: dict[_Quotient, str] = field(default_factory=dict)
    maxima: dict[tuple[_Quotient, _Quotient], str] = field(default_factory=dict)

    def constant(self, value: Fraction) -> _Quotient:
        top = str(abs(value.numerator))
        return _Quotient(
            f"(- {top})" if value < 0 else top, None if value.denominator == 1 else str(value.denominator)
        )

    def add(self, a: _Quotient, b: _Quotient) -> _Quotient:
        if a.den == b.den:
            return _Quotient(f"(+ {a.num} {b.num})", a.den)
        return _Quotient(f"(+ {_times(a.num, b.den)} {_times(b.num, a.den)})", _times(a.den, b.den))

    def mul(self, a: _Quotient, b: _Quotient) -> _Quotient:
        num = _times(a.num, b.num)
        assert num is not None
        return _Quotient(num, _times(a.den, b.den))

    def power(self, a: _Quotient, exponent: int) -> _Quotient:
        if exponent < 0:
            self.denominators.append(a.num)
            a = _Quotient(a.den or "1", a.num)
        result = a
        for _ in range(abs(exponent) - 1):
            result = self.mul(result, a)
        return result if exponent else _Quotient("1")

    def maximum(self, a: _Quotient, b: _Quotient) -> _Quotient:
        return _Quotient(self.maxima.setdefault((a, b), f"{self.prefix}max{len(self.maxima)}"))

    def sqrt(self, a: _Quotient) -> _Quotient:
        if a not in self.roots:
            self.roots[a] = f"{self.prefix}{len(self.roots)}"
            self.radicands.append(a)
        return _Quotient(self.roots[a])


def _sign(q: _Quotient) -> str:
    """A polynomial with the sign of the quotient where it is defined."""
    return q.num if q.den is None else f"(* {q.num} {q.den})"


def _fresh(terms: _Terms) -> list[str]:
    return [*terms.roots.values(), *terms.maxima.values()]


def _relation(relation: sp.Basic, terms: _Terms, values: dict[str, _Quotient]) -> str:
    if relation in (sp.true, sp.false):
        return str(relation).lower()
    op = {sp.Le: "<=", sp.Lt: "<", sp.Ge: ">=", sp.Gt: ">", sp.Eq: "="}[relation.func]
    left, right = (fold(side, terms, values) for side in relation.args)
    return f"({op} {_sign(_less(terms, left, right))} 0)"


def _less(terms: _Terms, a: _Quotient, b: _Quotient) -> _Quotient:
    """a - b."""
    return terms.add(a, terms.mul(terms.constant(Fraction(-1)), b))


def _equal(v: str, q: _Quotient) -> str:
    return f"(= {v if q.den is None else f'(* {q.den} {v})'} {q.num})"


def _defined(terms: _Terms) -> list[str]:
    return [f"(not (= {d} 0))" for d in terms.denominators] + [f"(>= {_sign(r)} 0)" for r in terms.radicands]


def _root_facts(terms: _Terms) -> list[str]:
    facts = [
        f"(ite (>= {_sign(_less(terms, a, b))} 0) {_equal(v, a)} {_equal(v, b)})"
        for (a, b), v in terms.maxima.items()
    ]
    for radicand, v in terms.roots.items():
        square = f"(* {v} {v})" if radicand.den is None else f"(* {radicand.den} {v} {v})"
        facts.append(f"(=> (>= {_sign(radicand)} 0) (and (>= {v} 0) (= {square} {radicand.num})))")
    return facts


def refutation(hypotheses: Iterable[sp.Basic], claim: sp.Basic) -> str:
    """SMT-LIB text that is satisfiable exactly where the hypotheses hold and the claim fails.

    The hypotheses are taken as defined; that the claim is defined is part of the claim: a zero
    denominator or a negative radicand in it counts as failure.

    >>> x = sp.Symbol("x", real=True)
    >>> "(assert (not" in refutation([x > 0], 1 / x > 0) or "(or" in refutation([x > 0], 1 / x > 0)
    True
    """
    hypotheses = list(hypotheses)
    names = sorted(set().union(names_in(claim), *(names_in(h) for h in hypotheses)))
    values = {n: _Quotient(n) for n in names}
    given, claimed = _Terms("h_"), _Terms("c_")
    assumed = [_relation(h, given, values) for h in hypotheses]
    goal = _relation(claim, claimed, values)
    fails = [f"(not {part})" for part in [*_defined(claimed), goal]]
    lines = ["(set-logic QF_NRA)"]
    lines += [f"(declare-const {n} Real)" for n in [*names, *_fresh(given), *_fresh(claimed)]]
    lines += [
        f"(assert {a})" for a in [*_defined(given), *_root_facts(given), *assumed, *_root_facts(claimed)]
    ]
    lines += [f"(assert (or {' '.join(fails)}))", "(check-sat)", "(get-model)"]
    return "\n".join(lines) + "\n"
