"""A step made ready for a rule: names are told apart, what a symbol assumes is said, numbers are exact."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy as sp

from fedproof.algebra.expressions import with_fractions
from fedproof.proof.forall import ForAll
from fedproof.proof.kernel.trees import is_name
from fedproof.proof.rules.query import NotApplicable
from fedproof.proof.sequences import is_sequence_term
from fedproof.proof.step import Given, Induction, Let, Step, substitute_in_relation
from fedproof.proof.substitution import fresh_index, rename_apart, substitute
from fedproof.proof.vectors import Vector
from fedproof.vocabulary.errors import InputError

#: SymPy's assumptions that are said as hypotheses; of the others only being whole is understood
_SIGNS = (("positive", sp.Gt), ("negative", sp.Lt), ("nonnegative", sp.Ge), ("nonpositive", sp.Le))
_STRANGE = ("imaginary", "infinite", "zero", "even", "odd", "irrational", "noninteger", "prime", "composite")

#: what no multiplier is made of
_NO_MULTIPLIER = (sp.pi, sp.E, sp.I, sp.oo, -sp.oo, sp.zoo, sp.nan, sp.exp, sp.log, sp.sin, sp.cos)


def normalised(step: Step) -> Step:
    """The step with each hypothesis a `Given`, ready for a rule.

    Two things of one name and assumptions beyond sign and wholeness are refused; signs that symbols assume
    become hypotheses (of a named part: facts, to be proved); decimals become fractions; x != y becomes
    (x - y)^2 > 0; indices get names of their own.

    Raises: InputError, NotApplicable.

    >>> x = sp.Symbol("x", positive=True)
    >>> [g.relation for g in normalised(Step(x + 0.5 > 0, (sp.Ne(x, 1),))).given]
    [(x - 1)**2 > 0, x > 0]
    """
    flat = [Given(h.relation, getattr(h, "why", ""), h.weight) for h in step.hypotheses]
    _check_weights(flat, step)
    named = _names([step.claim, *flat, *step.lets], step)
    taken = frozenset(s.name for s in named)
    weights = [None if g.weight is None else _exact(g.weight) for g in flat]
    given = [Given(r, g.why, w) for g, w in zip(flat, weights, strict=True) for r in tidy(g.relation)]
    parts = {part.symbol for part in step.lets}
    given += [Given(r, "meaning of a symbol") for s in named if s not in parts for r in signs(s)]
    lets = [
        Let(p.symbol, _exact(p.expr), (*(f for g in p.facts for f in tidy(g)), *signs(p.symbol)))
        for p in step.lets
    ]
    (claim,) = tidy(step.claim) or (sp.Le(0, 0, evaluate=False),)
    return replace(
        step,
        claim=rename_apart(claim, taken),
        given=tuple(_apart(g, taken) for g in given),
        lets=tuple(replace(p, expr=rename_apart(p.expr, taken)) for p in lets),
    )


def definitions_abstracted(step: Step) -> tuple[Step, ...]:
    """A prepared step with its named parts known by their facts alone; then also where it writes them out."""
    # a term of a sequence as a key would stand for all of them
    foldable = [p for p in reversed(step.lets) if not p.expr.is_number and not is_sequence_term(p.expr)]
    names = {part.expr: part.symbol for part in foldable}
    facts = tuple(Given(f) for part in step.lets for f in part.facts)
    plainly = replace(step, given=(*step.given, *facts), lets=())
    named = tuple(replace(g, relation=substitute_in_relation(g.relation, names)) for g in step.given)
    everywhere = replace(plainly, given=(*named, *facts), claim=substitute_in_relation(step.claim, names))
    return (plainly, everywhere) if everywhere != plainly else (plainly,)


def meant(step: Step) -> Step:
    """A prepared step with its named parts written out."""
    at = step.meanings
    given = tuple(
        Given(
            substitute_in_relation(g.relation, at), g.why, g.weight and substitute_in_relation(g.weight, at)
        )
        for g in step.given
    )
    claim, how = substitute_in_relation(step.claim, at), step.induction
    if how is not None and at:
        state = tuple((s, *(substitute(e, at) for e in values)) for s, *values in how.state)
        how = Induction(how.index, substitute(how.start, at), state)
    return replace(step, given=given, claim=claim, lets=(), induction=how)


def tidy(relation: Any) -> tuple[Any, ...]:
    """A relation as comparisons between two sides in exact numbers; () where it says nothing."""
    if isinstance(relation, ForAll):
        ends = (_exact(e) for e in (relation.lo, relation.hi))
        lo, hi = ends
        return tuple(ForAll(r, relation.index, lo, hi) for r in tidy(relation.relation))
    if relation in (True, sp.true):
        return ()
    if relation in (False, sp.false):
        return (sp.Le(1, 0, evaluate=False),)
    if isinstance(relation, sp.And):
        return tuple(r for part in relation.args for r in tidy(part))
    if not isinstance(relation, sp.core.relational.Relational):
        raise NotApplicable(f"{relation} is not a relation between two sides")
    exact = _exact(relation)
    if isinstance(exact, sp.Ne):
        with sp.evaluate(False):
            return (sp.Gt((exact.lhs - exact.rhs) ** 2, 0),)
    return (exact,)


def _exact(expr: Any) -> Any:
    """An expression with the fractions that its decimals show.

    Raises: InputError for a decimal that has more digits than it shows, such as 1/3 or 0.1 + 0.2 in floats.
    """
    decimals = expr.atoms(sp.Float)
    if not decimals:
        return expr
    for decimal in decimals:
        shown, value = Fraction(str(decimal)), Fraction(str(with_fractions(decimal)))
        if shown != value:
            near = value.limit_denominator(1000)
            close = abs(near - value) <= abs(value) / 10**14
            cure = (
                f"write sympy.Rational({near.numerator}, {near.denominator})"
                if close
                else "write sympy.sqrt(2), say"
            )
            raise InputError("number", repr(float(decimal)), f"a fraction, or what it shows, {decimal}", cure)
    return with_fractions(expr)


def signs(symbol: sp.Symbol) -> tuple[sp.Basic, ...]:
    """What a symbol's assumptions say of its sign."""
    for name, relation in _SIGNS:
        if getattr(symbol, f"is_{name}"):
            return (relation(symbol, 0, evaluate=False),)
    return tidy(sp.Ne(symbol, 0, evaluate=False)) if symbol.is_zero is False else ()


def _apart(given: Given, taken: frozenset[str]) -> Given:
    weight = None if given.weight is None else rename_apart(given.weight, taken)
    relation = given.relation
    if not isinstance(relation, ForAll):
        return replace(given, relation=rename_apart(relation, taken), weight=weight)
    index = fresh_index(relation.index, taken)
    if index != relation.index:
        at = {relation.index: index}
        body = substitute_in_relation(relation.relation, at)
        relation = ForAll(body, index, relation.lo, relation.hi)
        weight = None if weight is None else substitute_in_relation(weight, at)
    inner = taken | {index.name}
    return replace(
        given, relation=replace(relation, relation=rename_apart(relation.relation, inner)), weight=weight
    )


def _check_weights(flat: list[Given], step: Step) -> None:
    """A multiplier is made of numbers, roots and what the step speaks of otherwise."""
    weights = [g.weight for g in flat if g.weight is not None]
    parts = [step.claim, *(replace(g, weight=None) for g in flat), *step.lets] if weights else []
    said = {symbol for expr, _ in _expressions(parts, step) for symbol in expr.free_symbols}
    for weight in weights:
        if weight.has(*_NO_MULTIPLIER) or weight.free_symbols - said:
            expected = "numbers, roots and names that the step speaks of"
            raise InputError(f"multiplier in {step.id}", weight, expected, "leave it out: one is looked for")


def _names(parts: list[Any], step: Step) -> list[sp.Symbol]:
    """The symbols that are free somewhere, after a look at every name."""
    free: dict[sp.Symbol, None] = {}
    bound: dict[sp.Symbol, None] = {}
    terms: dict[Any, None] = {}
    for expr, index in _expressions(parts, step):
        free |= dict.fromkeys(sorted(expr.free_symbols - {index}, key=str))
        bound |= dict.fromkeys([limit[0] for part in expr.atoms(sp.Sum) for limit in part.limits])
        bound |= dict.fromkeys([] if index is None else [index])
        terms |= dict.fromkeys(t for t in expr.atoms(sp.Function) if is_sequence_term(t))
    for index in bound:
        if signs(index):
            raise InputError(f"index {index}", "a sign", "no assumption, its ends say where it runs")
    _tell_apart([*free, *bound], {t.func: t for t in terms})
    return list(free)


def _expressions(parts: list[Any], step: Step) -> Iterator[tuple[Any, sp.Symbol | None]]:
    """Everything a step says, each with the index that is bound around it."""
    for part in parts:
        if isinstance(part, Let):
            yield from ((e, None) for e in (part.symbol, part.expr, *part.facts))
        elif isinstance(part, Given):
            relation = part.relation
            index = relation.index if isinstance(relation, ForAll) else None
            if isinstance(relation, ForAll):
                yield from ((e, None) for e in (relation.lo, relation.hi))
                relation = relation.relation
            yield relation, index
            if part.weight is not None:
                yield part.weight, index
        else:
            yield part, None
    if step.induction is not None:
        yield step.induction.index, None
        yield from ((e, None) for s in step.induction.state for e in s)


def check_symbols(symbols: Collection[sp.Symbol]) -> None:
    """Names for numbers of which nothing is assumed that no rule would know of, and one sign for each.

    Which of two symbols of one name is whole is not asked here: certificates keep kinds apart.

    Raises: InputError for two signs of one name, and for one that is no real number with or without a sign.
    """
    known: dict[str, sp.Symbol] = {}
    for symbol in sorted(symbols, key=str):
        _tell_apart([symbol], {})
        other = known.setdefault(symbol.name, symbol)
        if [r.func for r in signs(symbol)] != [r.func for r in signs(other)]:
            raise _of_one_name(symbol.name, symbol, other)


def _tell_apart(symbols: list[sp.Symbol], terms: dict[Any, sp.Expr]) -> None:
    known: dict[str, Any] = {}
    for thing in (*symbols, *terms):
        name = thing.__name__ if isinstance(thing, sp.core.function.UndefinedFunction) else thing.name
        if known.setdefault(name, thing) != thing:
            raise _of_one_name(name, thing, known[name])
        if not (name.rstrip("'").isidentifier() and is_name(name)):
            expected = "letters, digits, _ and primes, in normal form (NFKC), and not pi"
            raise InputError(f"name {name}", name, expected, "print it as you like with reads=")
        odd = _odd(terms.get(thing, thing))
        if odd:
            cure = f'write {name} = sympy.Symbol("{name}", real=True)'
            raise InputError(f"name {name}", odd, "a real number with or without a sign", cure)
    for thing in (*symbols, *terms):
        _no_coordinate(thing, set(known))


def _of_one_name(name: str, *things: Any) -> InputError:
    """Two things share a name: different things, or symbols that assume different things."""
    if all(isinstance(t, sp.Symbol) and not isinstance(t, (Vector, sp.Dummy)) for t in things):
        cure = f'write {name} = sympy.Symbol("{name}", real=True) once'
        return InputError(f"name {name}", "two symbols that assume different things", "one symbol", cure)
    return InputError(f"name {name}", "two different things", "a name for each", "rename one")


def _odd(term: sp.Expr) -> str:
    """What is assumed of a symbol, or of a sequence's terms, that no rule would know of; "" for nothing."""
    beyond = [a for a in _STRANGE if getattr(term, f"is_{a}")]
    if is_sequence_term(term):
        beyond += [a for a in ("nonpositive", "integer") if getattr(term, f"is_{a}")]
    if term.is_commutative is False or term.is_extended_real is False or term.is_finite is False:
        beyond.append("not a real number")
    if term.is_complex and term.is_real is None:
        beyond.append("perhaps complex")
    if term.is_extended_real and not term.is_real:
        beyond.append("perhaps infinite")
    return ", ".join(beyond)


def _no_coordinate(thing: Any, names: set[str]) -> None:
    """No name is that of a vector's coordinate or a sequence's term in a special case."""
    if isinstance(thing, Vector):
        taken = names & {f"{thing.name}_1", f"{thing.name}_2"}
    elif isinstance(thing, sp.core.function.UndefinedFunction):
        taken = {n for n in names if re.fullmatch(rf"{thing.__name__}_m?[0-9]+", n)}
    else:
        return
    if taken:
        raise InputError(f"name {min(taken)}", f"a part of {thing}", "a name of its own", "rename it")
