"""Real algebra as SMT-LIB text: radicals and quotients are cleared here, soundly, by one mechanism."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import sympy as sp

from fedproof.algebra.expressions import NotAlgebraic, fold, names_in

#: raised whenever the text of a question, or how it is put to an engine, changes its meaning
TRANSLATION = 2


_RELATIONS = {
    sp.Le: "(<= {} 0)",
    sp.Lt: "(< {} 0)",
    sp.Ge: "(>= {} 0)",
    sp.Gt: "(> {} 0)",
    sp.Eq: "(= {} 0)",
    sp.Ne: "(not (= {} 0))",
}


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

    A root of index q becomes a fresh v with v >= 0 and v^q = radicand wherever the radicand is defined and
    >= 0; where it is not, nothing is said of v: there the expression is undefined, whatever v is.
    """

    prefix: str
    denominators: list[str] = field(default_factory=list)
    radicands: list[_Quotient] = field(default_factory=list)
    roots: dict[tuple[_Quotient, int], str] = field(default_factory=dict)
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

    def root(self, a: _Quotient, index: int) -> _Quotient:
        if (a, index) not in self.roots:
            self.roots[a, index] = f"{self.prefix}{len(self.roots)}"
            self.radicands.append(a)
        return _Quotient(self.roots[a, index])


def _sign(q: _Quotient) -> str:
    """A polynomial with the sign of the quotient where it is defined."""
    return q.num if q.den is None else f"(* {q.num} {q.den})"


def _fresh(terms: _Terms) -> list[str]:
    return [*terms.roots.values(), *terms.maxima.values()]


def _relation(relation: sp.Basic, terms: _Terms, values: dict[str, _Quotient]) -> str:
    if relation in (sp.true, sp.false):
        return str(relation).lower()
    if relation.func not in _RELATIONS:
        raise NotAlgebraic(f"{relation} is no relation between two sides")
    left, right = (fold(side, terms, values) for side in relation.args)
    return _RELATIONS[relation.func].format(_sign(_less(terms, left, right)))


def _less(terms: _Terms, a: _Quotient, b: _Quotient) -> _Quotient:
    """a - b."""
    if b == terms.constant(Fraction(0)):
        return a
    return terms.add(a, terms.mul(terms.constant(Fraction(-1)), b))


def _equal(v: str, q: _Quotient) -> str:
    return f"(= {v if q.den is None else f'(* {q.den} {v})'} {q.num})"


def _number(term: str) -> bool:
    """Whether a term is a positive whole number, which needs no condition to be divided by."""
    return term.isdigit() and int(term) > 0


def _undefined(terms: _Terms) -> list[str]:
    zero = [f"(= {d} 0)" for d in dict.fromkeys(terms.denominators) if not _number(d)]
    return zero + [f"(< {_sign(r)} 0)" for r in terms.radicands]


def _joined(connective: str, parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"({connective} {' '.join(parts)})"


def _where(conditions: Iterable[str], fact: str) -> str:
    """A fact on a fresh variable, which speaks only where what the variable stands for is defined."""
    guards = list(conditions)
    if not guards:
        return fact
    return f"(=> {_joined('and', guards)} {fact})"


def _nonzero(*quotients: _Quotient) -> list[str]:
    """Without these a cleared denominator would turn 1/0 into a contradiction, which proves anything."""
    dens = dict.fromkeys(q.den for q in quotients if q.den is not None and not _number(q.den))
    return [f"(not (= {d} 0))" for d in dens]


def _root_facts(terms: _Terms) -> list[str]:
    facts = []
    for (a, b), v in terms.maxima.items():
        larger = f"(ite (>= {_sign(_less(terms, a, b))} 0) {_equal(v, a)} {_equal(v, b)})"
        facts.append(_where(_nonzero(a, b), larger))
    for (radicand, index), v in terms.roots.items():
        factors = " ".join(([] if radicand.den is None else [radicand.den]) + [v] * index)
        guards = [*_nonzero(radicand), f"(>= {_sign(radicand)} 0)"]
        facts.append(_where(guards, f"(and (>= {v} 0) (= (* {factors}) {radicand.num}))"))
    return facts


def _symbol(name: str) -> str:
    """A name as an SMT-LIB symbol; the $ tells it from reserved words and from our fresh variables."""
    if "|" in name or "\\" in name or not name.isprintable():
        raise ValueError(f"{name} cannot be written as an SMT-LIB symbol")
    return f"${name}" if re.fullmatch(r"\w+", name, re.ASCII) else f"|${name}|"


def reordered(text: str, order: int) -> str:
    """The same question with its declarations and assertions in another order; 0 leaves it as it is.

    An engine's choice of variables depends on it, and the time it needs may do so beyond measure.

    >>> reordered("(set-logic QF_NRA)\\n(declare-const a Real)\\n(declare-const b Real)\\n(check-sat)\\n", 1)
    '(set-logic QF_NRA)\\n(declare-const b Real)\\n(declare-const a Real)\\n(check-sat)\\n'
    """
    lines = text.splitlines()
    declared = [line for line in lines if line.startswith("(declare-const ")]
    asserted = [line for line in lines if line.startswith("(assert ")]
    if order == 0 or len(declared) + len(asserted) + 2 != len(lines):
        return text
    if order == 1:
        declared.reverse()
    else:
        shuffle = random.Random(order).shuffle
        shuffle(declared)
        shuffle(asserted)
    return "\n".join([lines[0], *declared, *asserted, lines[-1]]) + "\n"


def refutation(hypotheses: Iterable[sp.Basic], claim: sp.Basic) -> str:
    """SMT-LIB text that is satisfiable exactly where the hypotheses hold and the claim fails.

    A zero denominator or a negative radicand in the claim counts as failure of the claim; a
    hypothesis with one does not hold there. Symbols stand for real numbers and are told apart by name.

    Returns: a script that any solver of nonlinear real arithmetic reads as it stands.
    Raises: NotAlgebraic for what has no algebraic meaning.

    >>> x = sp.Symbol("x", real=True)
    >>> print(refutation([x > 0], 1 / x > 0))
    (set-logic QF_NRA)
    (declare-const $x Real)
    (assert (> $x 0))
    (assert (or (= $x 0) (not (> (* 1 $x) 0))))
    (check-sat)
    <BLANKLINE>
    """
    hypotheses = list(hypotheses)
    names = sorted(set().union(names_in(claim), *(names_in(h) for h in hypotheses)))
    values = {n: _Quotient(_symbol(n)) for n in names}
    given, claimed = _Terms("h_"), _Terms("c_")
    assumed = [_relation(h, given, values) for h in hypotheses]
    goal = _relation(claim, claimed, values)
    fails = [*_undefined(claimed), f"(not {goal})"]
    lines = ["(set-logic QF_NRA)"]
    lines += [f"(declare-const {n} Real)" for n in [*map(_symbol, names), *_fresh(given), *_fresh(claimed)]]
    asserted = [f"(not {u})" for u in _undefined(given)]
    asserted += [*_root_facts(given), *assumed, *_root_facts(claimed), _joined("or", fails)]
    lines += [f"(assert {a})" for a in dict.fromkeys(asserted)]
    return "\n".join([*lines, "(check-sat)"]) + "\n"
