"""Mutants of a proof step: small changes of its claim or of a hypothesis, most of which make it false.

An audit is worth what it finds: a mutant that is false at exact numbers found by other means must come back
refuted. Nothing is evaluated or simplified on the way, so a mutant is as printed as its step.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from fedproof.proof.forall import ForAll
from fedproof.proof.sequences import is_sequence_term
from fedproof.proof.step import Applied, Given, Step
from fedproof.proof.vectors import Vector, ip, n2

#: what is changed
KINDS = (
    "constant", "sign", "exponent", "relation", "symbol", "vector", "sequence", "dropped", "end", "index",
)  # fmt: skip
_FLIPPED = {sp.Le: sp.Ge, sp.Ge: sp.Le, sp.Lt: sp.Gt, sp.Gt: sp.Lt}

#: positions of arguments from the root of an expression
Path = tuple[int, ...]
#: the kind of change, what stood there and what takes its place
Change = tuple[str, sp.Basic, sp.Basic]


@dataclass(frozen=True)
class Mutant:
    """A step with one small change.

    Arguments:
        step: the changed step.
        kind: one of `KINDS`.
        where: "claim" or "hypothesis 1", counted from 1.
        what: the change in words.
    """

    step: Step
    kind: str
    where: str
    what: str


def mutants(step: Step) -> Iterator[Mutant]:
    """Every mutant of a step, in the order of the text; what changes nothing is left out.

    Arguments:
        step: whose claim and hypotheses are changed; multipliers and named parts are left alone.

    >>> x = sp.Symbol("x", real=True)
    >>> [m.what for m in mutants(Step(x > 0, given=(x >= 1,)))][:4]
    ['0 -> 1', '0 -> -1', 'x > 0 -> x < 0', 'dropped']
    """
    known = _names(step)
    yield from _of_claim(step, known)
    for place, hypothesis in enumerate(step.given):
        yield from _of_hypothesis(step, place, hypothesis, known)


def unweighted(step: Step) -> Step:
    """The step without the multipliers that came with it: a prover may use any.

    >>> x = sp.Symbol("x", real=True)
    >>> unweighted(Step(x > 0, given=(Given(x > 1, weight=sp.Integer(2)),))).given[0].weight is None
    True
    """
    given = tuple(replace(h, weight=None) if isinstance(h, (Given, Applied)) else h for h in step.given)
    return replace(step, given=given)


def _of_claim(step: Step, known: dict[str, list[Any]]) -> Iterator[Mutant]:
    for kind, old, new, claim in _relations(step.claim, known):
        if claim not in (sp.true, sp.false):
            yield Mutant(replace(step, claim=claim, witness=()), kind, "claim", _text(old, new))


def _of_hypothesis(step: Step, place: int, given: Any, known: dict[str, list[Any]]) -> Iterator[Mutant]:
    where = f"hypothesis {place + 1}"
    rest = step.given[:place], step.given[place + 1 :]
    yield Mutant(_with(step, (*rest[0], *rest[1])), "dropped", where, "dropped")
    said = _said(given)
    for kind, old, new, relation in _changed(said.relation, known):
        if relation not in (sp.true, sp.false):
            mutated = _with(step, (*rest[0], replace(said, relation=relation), *rest[1]))
            yield Mutant(mutated, kind, where, _text(old, new))


def _text(old: Any, new: Any) -> str:
    return f"{old} -> {new}"


def _with(step: Step, given: tuple[Any, ...]) -> Step:
    return replace(step, given=given, witness=())


def _said(given: Any) -> Given:
    """A hypothesis by its relation; a step that is used by its claim here."""
    if isinstance(given, Applied):
        return Given(given.relation, given.step.id, given.weight)
    return given if isinstance(given, Given) else Given(given)


def _changed(relation: Any, known: dict[str, list[Any]]) -> Iterator[tuple[str, Any, Any, Any]]:
    if not isinstance(relation, ForAll):
        yield from _relations(relation, known)
        return
    for kind, old, new, body in _relations(relation.relation, known):
        yield kind, old, new, replace(relation, relation=body)
    for name in ("lo", "hi"):
        end = getattr(relation, name)
        for shift in (1, -1):
            moved = sp.expand(end + shift)
            yield "end", end, moved, replace(relation, **{name: moved})


def _relations(relation: Any, known: dict[str, list[Any]]) -> Iterator[tuple[str, Any, Any, Any]]:
    seen = {relation}
    for path, (kind, old, new) in _changes(relation, (), known):
        changed = _put(relation, path, new)
        if changed not in seen:
            seen.add(changed)
            yield kind, old, new, changed
    if type(relation) in _FLIPPED:
        flipped = _FLIPPED[type(relation)](*relation.args, evaluate=False)
        yield "relation", relation, flipped, flipped


def _put(expr: Any, path: Path, new: Any) -> Any:
    """The expression with the part at a path replaced, nothing evaluated."""
    if not path:
        return new
    args = list(expr.args)
    args[path[0]] = _put(args[path[0]], path[1:], new)
    if isinstance(expr, sp.Sum):  # with evaluate=False SymPy multiplies the body by 1
        return sp.Sum(*args)
    with sp.evaluate(False):
        return expr.func(*args)


def _changes(expr: Any, path: Path, known: dict[str, list[Any]]) -> Iterator[tuple[Path, Change]]:
    """Every change of one part, with its place."""
    yield from ((path, change) for change in _here(expr, known))
    if isinstance(expr, sp.Sum):
        yield from _changes(expr.function, (*path, 0), known)
        for place, limit in enumerate(expr.limits, 1):
            for end in (1, 2):
                for shift in (1, -1):
                    yield (*path, place, end), ("end", limit[end], sp.expand(limit[end].doit() + shift))
    elif isinstance(expr, sp.Pow):
        yield from _changes(expr.base, (*path, 0), known)
        for exponent in _exponents(expr.exp):
            yield (*path, 1), ("exponent", expr, exponent)
    elif is_sequence_term(expr):
        for shift in (1, -1):
            yield (*path, 0), ("index", expr.args[0], sp.expand(expr.args[0].doit() + shift))
    else:
        for place, part in enumerate(expr.args):
            if isinstance(expr, sp.Add) and part != 0:
                yield (*path, place), ("sign", part, sp.Mul(-1, part, evaluate=False))
            yield from _changes(part, (*path, place), known)


def _here(expr: Any, known: dict[str, list[Any]]) -> Iterator[Change]:
    """Changes of a number, a symbol, a vector or a sequence."""
    if isinstance(expr, sp.Rational):
        if expr == -1:
            yield "sign", expr, sp.Integer(1)
            return
        for new in (expr + 1, expr - 1, expr / 2, 2 * expr):
            yield "constant", expr, new
    elif isinstance(expr, Vector):
        yield from (("vector", expr, v) for v in _others(known["vector"], expr))
    elif isinstance(expr, sp.Symbol):
        yield from (("symbol", expr, s) for s in _others(known["symbol"], expr))
    elif is_sequence_term(expr):
        others = _others(known["sequence"], expr.func)
        yield from (("sequence", expr, f(*expr.args)) for f in others)


def _others(names: list[Any], own: Any) -> list[Any]:
    """The two names that follow in the order of the step, around its end."""
    if own not in names or len(names) < 2:
        return []
    place = names.index(own)
    return [names[(place + k) % len(names)] for k in range(1, min(3, len(names)))]


def _exponents(exponent: sp.Expr) -> list[sp.Expr]:
    value = exponent.doit()
    if value == sp.Rational(1, 2):
        return [sp.Integer(1)]
    if not value.is_Integer:
        return []
    return [sp.Integer(k) for k in (value - 1, value + 1) if k != 0]


def _names(step: Step) -> dict[str, list[Any]]:
    """The symbols, vectors and sequences of a step that one may be taken for another, sorted by name."""
    exprs = [step.claim, *(h.relation for h in step.hypotheses)]
    plain = [e.relation if isinstance(e, ForAll) else e for e in exprs]
    bound = {limit[0] for e in plain for s in e.atoms(sp.Sum) for limit in s.limits}
    bound |= {e.index for e in exprs if isinstance(e, ForAll)}
    symbols = {s for e in plain for s in e.free_symbols} - bound
    terms = {t.func for e in plain for t in e.atoms(sp.Function) if is_sequence_term(t)}
    found = {
        "vector": [s for s in symbols if isinstance(s, Vector)],
        "symbol": [s for s in symbols if not isinstance(s, Vector)],
        "sequence": [f for f in terms if f not in (ip, n2)],
    }
    return {kind: sorted(names, key=lambda n: str(n)) for kind, names in found.items()}
