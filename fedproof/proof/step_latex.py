"""LaTeX of proof steps: claims, hypotheses and the numbers of special cases as a page prints them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sympy as sp

from fedproof.proof.forall import ForAll
from fedproof.proof.sequences import is_sequence_term
from fedproof.proof.step import Applied, Given, Step
from fedproof.proof.step_printer import StepPrinter
from fedproof.proof.vectors import Vector


def step_latex(step: Step) -> dict[str, Any]:
    """A step as a page prints it.

    Returns: LaTeX of the "claim", and for each hypothesis its "latex" and the "places" where another
        step is used: what that step's symbols stand for here.

    >>> x = sp.Symbol("x", real=True)
    >>> print(step_latex(Step(x**2 >= x, (x >= 1,)))["given"][0]["latex"])
    x \\ge 1
    """
    here = step.printer
    given = [{"latex": here.tex(h.relation), "places": _places(h, here)} for h in step.hypotheses]
    return {"claim": here.tex(step.claim), "given": given}


def _places(hypothesis: Given | Applied, here: StepPrinter) -> list[str]:
    if isinstance(hypothesis, Given):
        return []
    there = hypothesis.step.printer
    return [f"{there.tex(k)} = {here.tex(v)}" for k, v in hypothesis.at if k != v]


def names_latex(step: Step, names: Iterable[str]) -> dict[str, str]:
    """LaTeX of the numbers of a special case of a step: its symbols, coordinates of vectors, single terms.

    Arguments:
        step: the step.
        names: such as "mu", "w_1" (a coordinate of w, or w itself where it has one), "D_0" (a term of D).

    >>> from fedproof.proof.vectors import n2, vectors
    >>> x, y = vectors("x y")
    >>> names_latex(Step(n2(x) <= n2(y), reads=((x, "x^{+}"),)), ["x_1", "y_1", "y_2"])
    {'x_1': 'x^{+}', 'y_1': '{y}_{1}', 'y_2': '{y}_{2}'}
    """
    names = tuple(names)
    here = step.printer
    symbols = {s.name: s for e in _expressions(step) for s in e.free_symbols if isinstance(s, sp.Symbol)}
    terms = {t.func.__name__ for e in _expressions(step) for t in e.atoms(sp.Function) if is_sequence_term(t)}
    return {name: _name_latex(name, here, symbols, terms, names) for name in names}


def _name_latex(
    name: str,
    here: StepPrinter,
    symbols: Mapping[str, sp.Symbol],
    terms: set[str],
    names: Sequence[str],
) -> str:
    head, _, place = name.rpartition("_")
    if name in symbols and not isinstance(symbols[name], Vector):
        return here.tex(symbols[name])
    if isinstance(symbols.get(head), Vector):
        alone = f"{head}_2" not in names
        return here.tex(symbols[head]) if alone else f"{{{here.tex(symbols[head])}}}_{{{place}}}"
    if head in terms and place.lstrip("m").isdigit():
        return here.term(head, sp.Integer(place.replace("m", "-")))
    return here.tex(sp.Symbol(name))


def _expressions(step: Step) -> list[sp.Basic]:
    """All that a step says, without quantifiers."""
    relations = [step.claim, *(h.relation for h in step.hypotheses), *(p.symbol for p in step.lets)]
    return [r.relation if isinstance(r, ForAll) else r for r in relations]
