"""A refuted line worked out: what holds at its numbers, and both sides with the numbers put in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import sympy as sp

from fedproof.algebra.exact_evaluation import evaluate_expression
from fedproof.algebra.expressions import names_in, rational_value, rebuilt
from fedproof.proof.instance import Instance, sides
from fedproof.proof.plain_text import plain_text
from fedproof.proof.step_printer import StepPrinter
from fedproof.proof.vectors import Vector, ip, n2
from fedproof.vocabulary.values import text_of

#: how the reason of a hypothesis begins that says of which functions and start the numbers are
OF = "instance: "
#: an exact number longer than this is shown as a decimal alone
LONG = 30


def worked(
    instance: Instance,
    claim: sp.Basic,
    values: Mapping[str, Fraction],
    latex: Mapping[str, str],
    functions: tuple[str, ...] = (),
) -> dict[str, Any] | None:
    """What a page shows in one box of a line that fails at exact numbers.

    Arguments:
        instance: what holds and what fails.
        claim: the line as it is printed, in the names of `values`.
        values: by name, with what follows by definition.
        latex: of these names.
        functions: of which the numbers are, in words.

    Returns: "functions"; "holds", pairs of LaTeX and both sides; "sign"; "left" and "right", each as
        "filled", "terms", "value", "decimal"; None where there is no line of numbers.

    >>> x = sp.Symbol("x", real=True)
    >>> with sp.evaluate(False):
    ...     line = sp.Le(2 * x + x / 3, x**2)
    >>> found = worked(Instance((), line, {"x": Fraction(1, 2)}), line, {"x": Fraction(1, 2)}, {})
    >>> list(found["left"].values())
    ['2*(1/2) + (1/2)/3', '1 + 1/6', '7/6', '1.166667']
    """
    line = _on_the_line(claim)
    if line in (sp.true, sp.false) or not names_in(line) <= values.keys():
        line = instance.claim
    if line in (None, sp.true, sp.false):
        return None
    try:
        left, right = (_side(side, values) for side in line.args)
    except ValueError:
        return None
    return {
        "functions": list(functions),
        "holds": [list(pair) for pair in _holds(instance, latex)],
        "sign": type(line).rel_op if type(line) is not sp.Eq else "=",
        "left": left,
        "right": right,
    }


def _on_the_line(expr: Any) -> Any:
    """An expression whose vectors have one coordinate, as it was typed."""
    if isinstance(expr, Vector):
        return sp.Symbol(f"{expr.name}_1", real=True)
    args = [_on_the_line(a) for a in expr.args]
    if isinstance(expr, n2):
        return sp.Pow(args[0], 2, evaluate=False)
    if isinstance(expr, ip):
        return sp.Mul(*args, evaluate=False)
    return rebuilt(expr, args) if args else expr


def _side(side: sp.Expr, values: Mapping[str, Fraction]) -> dict[str, str]:
    terms = [rational_value(t, values) for t in _terms(side)]
    exact, close = rational_value(side, values), evaluate_expression(side, values)
    known = [t for t in terms if t is not None]
    added = [("- " if t < 0 else "+ ") + text_of(abs(t)) for t in known]
    said = " ".join(added).removeprefix("+ ").replace("- ", "-", 1 if known and known[0] < 0 else 0)
    value = "" if exact is None or len(text_of(exact)) > LONG else text_of(exact)
    number = exact if close is None else close
    return {
        "filled": _filled(plain_text(side), values),
        "terms": said if 1 < len(terms) == len(known) and len(said) <= 4 * LONG else "",
        "value": value,
        "decimal": "" if number is None else f"{float(number):.7g}",
    }


def _terms(expr: sp.Expr) -> Iterator[sp.Expr]:
    if isinstance(expr, sp.Add):
        for part in expr.args:
            yield from _terms(part)
    else:
        yield expr


def _filled(text: str, values: Mapping[str, Fraction]) -> str:
    """A text with numbers for names, fractions and negative numbers in brackets, and no factors 1."""

    def put(match: re.Match[str]) -> str:
        name = match[0]
        if name not in values:
            return name
        number = text_of(values[name])
        return number if number.isdigit() else f"({number})"

    plain = re.sub(r"(?<![\w.)/])1\*(?=[^\W\d]|\()", "", text)
    return re.sub(r"^\(([^()]*)\)$", r"\1", re.sub(r"[^\W\d]\w*", put, plain))


def _holds(instance: Instance, latex: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Each hypothesis on numbers as a page prints it, with both sides; none twice."""
    seen: set[tuple[str, str]] = set()
    for relation in instance.given:
        if relation in (sp.true, sp.false) or not names_in(relation):
            continue
        symbols = {s: latex[s.name] for s in relation.free_symbols if s.name in latex}
        row = StepPrinter(symbols, {}).tex(relation), sides(relation, instance.point, holds=True)
        if row not in seen and relation.args[0] != relation.args[1]:
            yield row
        seen.add(row)
