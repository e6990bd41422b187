"""LaTeX of proof steps: claims, hypotheses and the numbers of special cases as a page prints them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sympy as sp

from fedproof.proof.sequences import is_sequence_term
from fedproof.proof.step import Applied, ForAll, Given, Step
from fedproof.proof.step_printer import INDEX, SLOT, StepPrinter, token
from fedproof.proof.vectors import Vector
from fedproof.vocabulary.papers import data, papers

#: letters that stand for an index where the terms of a sequence do not tell which
_INDICES = "tsnijkmr"


def step_printer(step: Step) -> StepPrinter:
    """The printer of one step: its paper's letters, then what the step itself says of its symbols.

    Arguments:
        step: whose `reads` and `mean` are followed. The LaTeX of a sequence shows one of its terms; its
            index is a \\cdot, the letter that the step's terms have, or that of the key: (D(t), LaTeX).
    """
    key = None if step.source is None else step.source.paper
    letters = data(key, "LETTERS") if key in papers() else ()
    names = {letter.symbol: letter.latex for letter in letters}
    sequences: dict[str, tuple[str, str]] = {}
    for key, latex in step.reads:
        if isinstance(key, sp.Symbol):
            names[key] = latex
        elif isinstance(key, sp.Basic) and is_sequence_term(key):
            sequences[key.func.__name__] = (latex, str(key.args[0]))
        elif isinstance(key, sp.core.function.UndefinedFunction):
            sequences[key.__name__] = (latex, _index_of(step, key.__name__, latex))
    return StepPrinter(names, sequences, step.mean)


def _index_of(step: Step, name: str, latex: str) -> str:
    """The letter that stands for the index in the LaTeX of a sequence."""
    relations = [step.claim, *(h.relation for h in step.hypotheses)]
    bodies = [r.relation if isinstance(r, ForAll) else r for r in relations]
    terms = [
        t for b in bodies for t in b.atoms(sp.Function) if is_sequence_term(t) and t.func.__name__ == name
    ]
    used = sorted({s.name for t in terms for s in t.args[0].free_symbols if isinstance(s, sp.Symbol)})
    letters = (*(n for n in used if len(n) == 1), *_INDICES)
    return next((n for n in (SLOT, *letters) if re.search(token(n), latex)), INDEX)


def step_latex(step: Step) -> dict[str, Any]:
    """A step as a page prints it.

    Returns: LaTeX of the "claim", and for each hypothesis its "latex" and the "places" where another
        step is used: what that step's symbols stand for here.

    >>> x = sp.Symbol("x", real=True)
    >>> print(step_latex(Step(x**2 >= x, (x >= 1,)))["given"][0]["latex"])
    x \\ge 1
    """
    here = step_printer(step)
    given = [{"latex": here.tex(h.relation), "places": _places(h, here)} for h in step.hypotheses]
    return {"claim": here.tex(step.claim), "given": given}


def _places(hypothesis: Given | Applied, here: StepPrinter) -> list[str]:
    if isinstance(hypothesis, Given):
        return []
    there = step_printer(hypothesis.step)
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
    here = step_printer(step)
    symbols = {s.name: s for e in _spoken(step) for s in e.free_symbols if isinstance(s, sp.Symbol)}
    terms = {t.func.__name__ for e in _spoken(step) for t in e.atoms(sp.Function) if is_sequence_term(t)}
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


def _spoken(step: Step) -> list[sp.Basic]:
    """All that a step says, without quantifiers."""
    relations = [step.claim, *(h.relation for h in step.hypotheses), *(p.symbol for p in step.lets)]
    return [r.relation if isinstance(r, ForAll) else r for r in relations]
