"""Log-convexity: how each part bends is proved by engines, the parts are put together by rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import sympy as sp

from fedproof.bounds.claims import Composition, LogConvex
from fedproof.bounds.statement import Statement
from fedproof.validate.claims.positive_parts import positive_factor, positive_parts
from fedproof.validate.claims.relation import affine
from fedproof.validate.signs import always, follows
from fedproof.validate.statement_verdict import StatementVerdict, standing, without_meaning

_FLIPPED = {"affine": "affine", "convex": "concave", "concave": "convex"}


def curvature(expr: sp.Expr, atoms: Mapping[sp.Expr, str], constants: frozenset[sp.Symbol]) -> str | None:
    """How the log of an expression bends: affine, convex or concave; None where no rule says.

    Logs of products add; a power scales; a sum of log-convex terms is log-convex, and constant if they
    are; a positive number less log-convex terms is log-concave where it is positive, since log(1 - e^s) is
    concave and decreasing in s. What the rules reach is built of atoms and nonnegative constants, so it is
    nonnegative itself, but for such differences.

    >>> x, y = sp.symbols("x y", real=True)
    >>> curvature(1 / (1 - x**2 / y), {x: "affine", y: "affine"}, frozenset())
    'convex'
    """
    if expr in atoms:
        return atoms[expr]
    if expr in constants or (expr.is_Number and expr > 0):
        return "affine"
    if expr.is_Mul:
        return _joined(curvature(a, atoms, constants) for a in expr.args)
    if expr.is_Pow and expr.exp.is_Rational:
        inner = curvature(expr.base, atoms, constants)
        return inner if expr.exp > 0 or inner is None else _FLIPPED[inner]
    if expr.is_Add:
        return _sum(expr, atoms, constants)
    return None


def _joined(parts: Iterable[str | None]) -> str | None:
    """The curvature of a sum of functions."""
    kinds = set(parts)
    if None in kinds or {"convex", "concave"} <= kinds:
        return None
    return next((k for k in ("convex", "concave") if k in kinds), "affine")


def _sum(expr: sp.Expr, atoms: Mapping[sp.Expr, str], constants: frozenset[sp.Symbol]) -> str | None:
    taken = [-a for a in expr.args if a.as_coeff_Mul()[0] < 0]
    added = [a for a in expr.args if a.as_coeff_Mul()[0] >= 0]
    if not all(curvature(a, atoms, constants) in ("affine", "convex") for a in (*taken, *added)):
        return None
    if not taken:
        return "affine" if expr.free_symbols <= constants else "convex"
    return "concave" if all(a.is_Number for a in added) else None


def obligations(claim: LogConvex, defined: Iterable[sp.Symbol] = ()) -> list[sp.Basic]:
    """What must follow from the conditions for the atoms to bend as declared.

    For an atom a and its coordinate c in a variable x: c > 0, c rises with x, a > 0, a moves with c alone,
    and the slope (a'/a)/(c'/c) of log a against log c rises (convex), falls (concave) or stays (affine).

    Arguments:
        claim: what is claimed.
        defined: symbols with a meaning, which move too.
    """
    found: list[sp.Basic] = []
    for x, c in claim.coordinates:
        found += [sp.Gt(c.doit(), 0), sp.Gt(sp.factor(sp.diff(c.doit(), x)), 0)]
    moving = {*claim.over, *defined, *(x for x, _ in claim.coordinates)}
    for _, part, kind in claim.atoms:
        x, c = _coordinate(claim, part)
        slope = sp.cancel(sp.diff(part, x) * c.doit() / (part * sp.diff(c.doit(), x)))
        found += [sp.Gt(part, 0), _bend(slope, x, kind)]
        found += [sp.true if _together(part, c.doit(), x, s) else sp.false for s in moving - {x}]
    return [f for f in found if f != sp.true]


def _bend(slope: sp.Expr, x: sp.Symbol, kind: str) -> sp.Basic:
    """A slope that rises is convexity, and so on."""
    bend = sp.factor(sp.diff(slope, x))
    if kind == "affine":
        return sp.true if bend == 0 else sp.false
    return sp.Ge(bend, 0) if kind == "convex" else sp.Le(bend, 0)


def _together(part: sp.Expr, c: sp.Expr, x: sp.Symbol, other: sp.Symbol) -> bool:
    """Whether an expression depends on x and another symbol through c alone."""
    turn = sp.diff(part, x) * sp.diff(c, other) - sp.diff(part, other) * sp.diff(c, x)
    return bool(sp.cancel(turn) == 0)


def _coordinate(claim: LogConvex, part: sp.Expr) -> tuple[sp.Symbol, sp.Expr]:
    inside = [(x, c) for x, c in claim.coordinates if x in part.free_symbols]
    if len(inside) != 1:
        raise ValueError(f"{part} must speak of exactly one coordinate variable")
    return inside[0]


def _same(statement: Statement, atom: sp.Expr, part: sp.Expr) -> bool:
    """Whether a part is what it is said to be, by the definitions."""
    return _vanishes((statement.expand(atom) - statement.expand(part)).doit())


def _vanishes(expr: sp.Expr) -> bool:
    """Whether an expression is identically 0, each square root known by its square alone."""
    roots: dict[sp.Expr, sp.Symbol] = {}

    def named(root: sp.Pow) -> sp.Expr:
        return roots.setdefault(sp.cancel(root.base), sp.Dummy()) ** (2 * root.exp)

    top = sp.numer(
        sp.together(expr.replace(lambda e: e.is_Pow and e.exp.is_Rational and e.exp.q == 2, named))
    )
    for radicand, root in roots.items():
        top = sp.rem(sp.expand(top), root**2 - radicand, root)
    return bool(sp.cancel(top) == 0)


def composed(
    statement: Statement, whole: Composition, atoms: Mapping[sp.Expr, str], constants: frozenset[sp.Symbol]
) -> str:
    """What is wrong with a composite; empty where the log of its part is concave.

    An increasing concave function of a concave one is concave: the inner function by the rules, the outer
    one because its slope in logs is nonnegative and falls within the bounds, which the conditions imply.
    """
    meant = {whole.inner: whole.meaning}
    if not _same(statement, whole.part, whole.outer.xreplace(meant)):
        return f"{whole.part} is not what it is said to be"
    if not all(affine(b, {whole.inner}) for b in whole.bounds):
        return f"the bounds on {whole.inner} need not be those of an interval"
    if not whole.outer.free_symbols - {whole.inner} <= constants:
        return f"{whole.outer} speaks of more than {whole.inner}"
    meaning = _flat(statement, whole.meaning)
    if curvature(meaning, atoms, constants) not in ("affine", "concave"):
        return f"the rules do not reach {whole.inner}"
    slope = sp.cancel(whole.inner * sp.diff(whole.outer, whole.inner) / whole.outer)
    needed = (
        sp.Gt(whole.inner, 0), sp.Gt(whole.outer, 0), sp.Ge(slope, 0), _bend(slope, whole.inner, "concave"),
    )  # fmt: skip
    known = positive_factor(meaning, atoms, constants)
    inside = (p for p in positive_parts(meaning, atoms, constants) if p != known)
    unproved = [b for b in whole.bounds if not _implied(statement, b.xreplace(meant))]
    unproved += [p for p in inside if not _implied(statement, p)]
    near = [k for k in standing(statement) if k.free_symbols <= whole.outer.free_symbols]
    unproved += [n for n in needed if not follows((*whole.bounds, *near), n, statement.source)]
    return f"not proved: {'; '.join(map(str, unproved))}" if unproved else ""


def _implied(statement: Statement, relation: sp.Basic) -> bool:
    """Whether the conditions imply a relation, by those that speak of nothing but its named quantities."""
    named_symbols = frozenset(d.symbol for d in statement.where if d.facts)
    speaks_of = statement.expand_all_but(relation, named_symbols).free_symbols
    near = [c.relation for c in statement.conditions]
    near = [r for r in near if statement.expand_all_but(r, named_symbols).free_symbols <= speaks_of]
    named = without_meaning(statement, near, relation)
    if named is None:
        return always(statement, statement.expand(relation))
    facts, claim, required = named
    source = statement.source
    return follows(facts, claim, source) and all(follows(given, then, source) for given, then in required)


def _flat(statement: Statement, expr: sp.Expr, *parts: sp.Expr) -> sp.Expr:
    """An expression with every definition substituted but those of the coordinates and what is kept."""
    claim = statement.claim
    assert isinstance(claim, LogConvex)
    names = frozenset(s for s in (*parts, *(x for x, _ in claim.coordinates)) if isinstance(s, sp.Symbol))
    return statement.expand_all_but(expr, names).doit()


def _between(statement: Statement, claim: LogConvex) -> Statement:
    """A statement with those conditions alone that hold between two points where they hold at both."""
    moving = {*claim.over, *(s for x, _ in claim.coordinates for s in statement.expand(x).free_symbols)}
    expanded = {c.label: c.relation for c in statement.admissible}
    kept = [c for c in statement.conditions if c.label in expanded and affine(expanded[c.label], moving)]
    return replace(statement, conditions=tuple(kept))


def _required(statement: Statement) -> list[sp.Expr]:
    """What the conditions say is positive, as they are written, those settled by a choice left out."""
    labels = {c.label for c in statement.admissible}
    said = (c.relation for c in statement.conditions if c.label in labels)
    return [r.gts - r.lts for r in said if isinstance(r, (sp.Gt, sp.Lt))]


def _unproved(statement: Statement, facts: Iterable[str]) -> StatementVerdict:
    return StatementVerdict(statement.id, "open", (), f"not proved: {'; '.join(facts)}")


def judge(statement: Statement) -> StatementVerdict:
    """Prove how each atom bends, then put the expression together by the rules."""
    claim = statement.claim
    assert isinstance(claim, LogConvex)
    if not all(_same(statement, atom, part) for atom, part, _ in claim.atoms):
        return StatementVerdict(statement.id, "open", (), "an atom is not what it is said to be")
    facts = obligations(claim, statement.definitions)
    between = _between(statement, claim)
    unproved = [str(f) for f in facts if not always(between, f)]
    if unproved:
        return _unproved(statement, unproved)
    atoms = {atom.doit(): kind for atom, _, kind in claim.atoms}
    letters = {x.symbol for x in statement.letters} - set(claim.over)
    constants = frozenset(s for s in letters if always(statement, s >= 0))
    wrong = "; ".join(filter(None, (composed(statement, c, atoms, constants) for c in claim.composites)))
    if wrong:
        return StatementVerdict(statement.id, "open", (), wrong)
    parts = tuple(c.part for c in claim.composites)
    known, whole = atoms | dict.fromkeys(parts, "concave"), _flat(statement, claim.expr, *parts)
    kind = curvature(whole, known, constants)
    if kind not in ("convex", "affine"):
        return StatementVerdict(statement.id, "open", (), "the rules of log-convex functions do not reach it")
    positive = list(dict.fromkeys(positive_parts(whole, known, constants)))
    said = {positive_factor(_flat(statement, c, *parts), known, constants) for c in _required(statement)}
    unproved = [str(p) for p in positive if p not in said and not _implied(statement, p)]
    if unproved:
        return _unproved(statement, unproved)
    detail = f"{len(facts) + len(positive)} facts on its parts with certificates, put together by the rules"
    return StatementVerdict(statement.id, "holds", ("certificate", "rule"), detail)
