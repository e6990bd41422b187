"""Prints expressions of proof steps in LaTeX, in the order and the grouping in which they were typed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import sympy as sp
from sympy.printing.latex import LatexPrinter
from sympy.printing.precedence import PRECEDENCE

from fedproof.proof.forall import ForAll
from fedproof.proof.language.functions import Named, shown
from fedproof.proof.sequences import is_sequence_term
from fedproof.proof.vectors import ip, n2
from fedproof.vocabulary.papers import letters_of, papers

_SIGNS = {sp.Le: r"\le", sp.Lt: "<", sp.Ge: r"\ge", sp.Gt: ">", sp.Eq: "=", sp.Ne: r"\ne"}
_HALF = sp.Rational(1, 2)
#: the letter of an index, where nothing tells which
INDEX = "t"
#: what stands for the index in the LaTeX of a sequence
SLOT = r"\cdot"


#: letters that stand for an index where the terms of a sequence do not tell which
_INDICES = "tsnijkmr"


class StepPrinter(LatexPrinter):  # type: ignore[misc]
    """Prints the expressions of a step in the order and the grouping in which they were typed.

    Arguments:
        names: LaTeX of symbols and vectors.
        sequences: of each sequence's name its LaTeX and the letter in it that stands for the index.
        mean: LaTeX of the expectation in which norms and inner products are read; "" for none.

    >>> from fedproof.proof.vectors import vectors
    >>> x, y = vectors("x y")
    >>> print(StepPrinter({}, {}, r"\\mathbb E").tex(n2(x - y) <= 2 * ip(x, y)))
    \\mathbb E\\|x - y\\|^{2} \\le 2 \\mathbb E\\langle x, y\\rangle
    """

    def __init__(
        self, names: Mapping[sp.Symbol, str], sequences: Mapping[str, tuple[str, str]], mean: str = ""
    ) -> None:
        super().__init__({"symbol_names": dict(names), "order": "none"})
        self.sequences, self.mean = sequences, mean

    def tex(self, relation: Any) -> str:
        """A relation, for every index or not, or an expression."""
        if isinstance(relation, ForAll):
            index, lo, hi = (self.tex(e) for e in (relation.index, relation.lo, relation.hi))
            return rf"{self.tex(relation.relation)},\quad {index}={lo},\dots,{hi}"
        if type(relation) in _SIGNS:
            left, right = (self.doprint(side) for side in relation.args)
            return f"{left} {_SIGNS[type(relation)]} {right}"
        return str(self.doprint(relation))

    def _print_n2(self, expr: sp.Expr) -> str:
        return rf"{self.mean}\|{self._print(expr.args[0])}\|^{{2}}"

    def _print_ip(self, expr: sp.Expr) -> str:
        left, right = (self._print(a) for a in expr.args)
        return rf"{self.mean}\langle {left}, {right}\rangle"

    def _print_Pow(self, expr: sp.Pow) -> str:
        base, exponent = expr.base, expr.exp.doit()
        if exponent.is_Rational and exponent < 0:
            return rf"\frac{{1}}{{{self._print(_power(base, -exponent))}}}"
        if isinstance(base, n2) and not self.mean and exponent.is_Rational:
            power = "" if exponent == _HALF else f"^{{{self._print(2 * exponent)}}}"
            return rf"\|{self._print(base.args[0])}\|{power}"
        if isinstance(base, sp.Symbol) or is_sequence_term(base):
            told = _raised(self._print(base), self._print(exponent))
            if told:
                return told
        if (isinstance(base, (n2, ip)) or is_sequence_term(base)) and exponent != _HALF:
            return rf"\left({self._print(base)}\right)^{{{self._print(exponent)}}}"
        return str(super()._print_Pow(_power(base, exponent)))

    def _print_Mul(self, expr: sp.Mul) -> str:
        """Factors from left to right; a divisor divides what stands before it."""
        if expr == sp.Mul(*expr.args):  # nobody's order: SymPy's own
            return str(super()._print_Mul(expr))
        sign, factors = _signed(list(_flat(expr, sp.Mul)))
        done: list[str] = []
        waiting: list[sp.Expr] = []
        for factor in factors:
            divisor = _divisor(factor)
            if divisor is not None:
                top = self._print(waiting[0]) if len(waiting) == 1 else self._product(waiting, True) or "1"
                done.append(rf"\frac{{{top}}}{{{self._print(divisor)}}}")
                waiting = []
            elif _is_fraction(factor):
                done += [self._product(waiting, not done)] if waiting else []
                done.append(self._product([factor], not done))
                waiting = []
            else:
                waiting.append(factor)
        return sign + _beside([*done, *([self._product(waiting, not done)] if waiting else [])])

    def _product(self, factors: Sequence[sp.Expr], first: bool) -> str:
        last = len(factors) - 1
        return _beside(
            [
                rf"\left({self._print(f)}\right)"
                if self._needs_mul_brackets(f, first=first and i == 0, last=i == last)
                else self._print(f)
                for i, f in enumerate(factors)
            ]
        )

    def _print_Add(self, expr: sp.Add, order: Any = None) -> str:
        del order
        said = [self.parenthesize(t, PRECEDENCE["Add"], strict=True) for t in _flat(expr, sp.Add)]
        if expr == sp.Add(*expr.args):  # nobody's order: what is taken away goes last
            said.sort(key=lambda text: text.startswith("-"))
        return _added(said)

    def _print_Sum(self, expr: sp.Sum) -> str:
        ends = [
            rf"\sum_{{{self._print(i)}={self._print(lo)}}}^{{{self._print(hi)}}}"
            for i, lo, hi in reversed(expr.limits)
        ]
        return f"{' '.join(ends)} {self.parenthesize(expr.function, PRECEDENCE['Mul'], strict=True)}"

    def _print_Max(self, expr: sp.Max, exp: str | None = None) -> str:
        return self._choice("max", expr, exp)

    def _print_Min(self, expr: sp.Min, exp: str | None = None) -> str:
        return self._choice("min", expr, exp)

    def _choice(self, name: str, expr: sp.Expr, exp: str | None) -> str:
        said = rf"\{name}\{{{', '.join(self._print(a) for a in expr.args)}\}}"
        return said if exp is None else f"{said}^{{{exp}}}"

    def _print_Function(self, expr: sp.Expr, exp: Any = None) -> str:
        if not is_sequence_term(expr):
            return str(super()._print_Function(expr, exp))
        if isinstance(expr.func, Named):
            text = shown(expr, [self._print(a) for a in expr.args])
        else:
            text = self.term(expr.func.__name__, expr.args[0])
        return text if exp is None else rf"\left({text}\right)^{{{exp}}}"

    def term(self, name: str, place: sp.Expr) -> str:
        """The term of a sequence at a place."""
        latex, letter = self.sequences.get(name, (f"{name}_{{{INDEX}}}", INDEX))
        return self._at(latex, letter, place)

    def _at(self, latex: str, letter: str, place: sp.Expr) -> str:
        """The LaTeX of a sequence with its index, shifted or not, at a place."""

        def put(match: re.Match[str]) -> str:
            with sp.evaluate(True):
                moved = sp.expand(place + int((match[1] or "0").replace(" ", "")))
            terms = moved.args if moved.is_Add else (moved,)
            return _added([self._print(t) for t in sorted(terms, key=lambda t: bool(t.is_Number))])

        return re.sub(rf"{token(letter)}(\s*[+-]\s*\d+)?", put, latex)


def _added(terms: Sequence[str]) -> str:
    signed = (f" - {t[1:].strip()}" if t.startswith("-") else f" + {t}" for t in terms[1:])
    return terms[0] + "".join(signed)


def _power(base: sp.Expr, exponent: sp.Expr) -> sp.Expr:
    return base if exponent == 1 else sp.Pow(base, exponent, evaluate=False)


def _raised(text: str, exponent: str) -> str:
    """A power of a name that is a norm, or the square of one that is a root; "" of any other name.

    >>> print(_raised(r"\\|x\\|", "2"), _raised(r"(\\mathbb E\\|x\\|^2)^{1/2}", "2"))
    \\|x\\|^{2} \\mathbb E\\|x\\|^2
    """
    if re.fullmatch(r"\\\|((?!\\\|).)*\\\|", text):
        return f"{text}^{{{exponent}}}"
    root = re.fullmatch(r"\((.*)\)\^\{1/2\}|\\sqrt\{(.*)\}", text)
    inside = (root[1] or root[2]) if root and exponent == "2" else ""
    outside = re.sub(r"\\\|.*?\\\||\([^()]*\)|\{[^{}]*\}", "", re.sub(r"\^\{[^{}]*\}", "", inside))
    return "" if set(outside) & set("+-()") else inside


def _divisor(factor: sp.Expr) -> sp.Expr | None:
    """What a factor divides by; None where it multiplies."""
    exponent = factor.exp.doit() if isinstance(factor, sp.Pow) else sp.Integer(1)
    return _power(factor.base, -exponent) if exponent.is_Rational and exponent < 0 else None


def _is_fraction(factor: sp.Expr) -> bool:
    """Whether a factor is a quotient that was typed as one."""
    return isinstance(factor, sp.Mul) and any(_divisor(f) is not None for f in factor.args)


def _signed(factors: list[sp.Expr]) -> tuple[str, list[sp.Expr]]:
    """The sign in front, and the factors without it."""
    negative = False
    while len(factors) > 1 and factors[0] in (1, -1) and _divisor(factors[1]) is None:
        negative, factors = negative ^ (factors[0] == -1), factors[1:]
    if factors[0].is_Number and factors[0] < 0:
        negative, factors = not negative, [-factors[0], *factors[1:]]
    return "- " if negative else "", factors


def _flat(expr: sp.Expr, kind: type[sp.Expr]) -> Iterator[sp.Expr]:
    """The parts of a sum or product; those of one that stands on its left are its own."""
    if isinstance(expr, kind):
        yield from _flat(expr.args[0], kind)
        yield from expr.args[1:]
    else:
        yield expr


def _beside(parts: Sequence[str]) -> str:
    """Factors side by side, with a dot before a number."""
    said = ""
    for part in parts:
        said += (r" \cdot " if said and part[0].isdigit() else " " if said else "") + part
    return said


def token(letter: str) -> str:
    """The pattern of a letter that stands by itself."""
    return r"\\cdot(?![A-Za-z])" if letter == SLOT else rf"(?<![A-Za-z\\]){letter}(?![A-Za-z])"


def step_printer(
    paper: str | None, reads: Iterable[tuple[Any, str]], mean: str, expressions: Sequence[Any]
) -> StepPrinter:
    """The printer of one step: its paper's letters, then what the step itself says of its symbols.

    Arguments:
        paper: key, whose letters are known.
        reads: LaTeX of symbols, vectors and sequences. That of a sequence shows one of its terms; its
            index is a \\cdot, the letter that the step's terms have, or that of the key: (D(t), LaTeX).
        mean: as in `StepPrinter`.
        expressions: all that the step says.
    """
    known = letters_of(paper) if paper in papers() else ()
    names = {letter.symbol: letter.latex for letter in known}
    sequences: dict[str, tuple[str, str]] = {}
    for key, latex in reads:
        if isinstance(key, sp.Symbol):
            names[key] = latex
        elif isinstance(key, sp.Basic) and is_sequence_term(key):
            sequences[key.func.__name__] = (latex, str(key.args[0]))
        elif isinstance(key, sp.core.function.UndefinedFunction):
            sequences[key.__name__] = (latex, _index_of(key.__name__, latex, expressions))
    return StepPrinter(names, sequences, mean)


def _index_of(name: str, latex: str, expressions: Sequence[Any]) -> str:
    """The letter that stands for the index in the LaTeX of a sequence."""
    terms = [t for e in expressions for t in e.atoms(sp.Function) if is_sequence_term(t)]
    places = [t.args[0].free_symbols for t in terms if t.func.__name__ == name]
    used = sorted({s.name for symbols in places for s in symbols if isinstance(s, sp.Symbol)})
    letters = (*(n for n in used if len(n) == 1), *_INDICES)
    return next((n for n in (SLOT, *letters) if re.search(token(n), latex)), INDEX)
