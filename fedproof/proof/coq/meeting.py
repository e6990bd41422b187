"""Proofs that what a line needs to be defined is so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fedproof.proof.coq.identity import zero
from fedproof.proof.coq.needs import Need, bare, distinct, written
from fedproof.proof.coq.scope import Scope
from fedproof.proof.coq.shown import show
from fedproof.proof.coq.terms import LeftOut, infix, is_vector, literal, name, power, real
from fedproof.proof.kernel.polynomials import Quotient, number, primitive
from fedproof.proof.kernel.trees import NUMBER, Rejected, Tree, substitute

_GAPS = {"<=": "gap_le", "<": "gap_lt", "=": "gap_eq", "!=": "gap_ne"}


def meet(scope: Scope, *relations: Tree, equal: Sequence[int] = ()) -> None:
    """See that all needs of relations or expressions are met, where equations may be read."""
    for relation in relations:
        for need, text in distinct(relation, scope.kinds):
            attempted(scope, need, text, equal)


def attempted(scope: Scope, need: Need, text: str, equal: Sequence[int] = ()) -> str:
    """Prove a need and note it, with equations read if it takes them; its name."""
    written_so_far = len(scope.out)
    try:
        establish(scope, need, text)
    except LeftOut:
        if not equal:
            raise
        del scope.out[written_so_far:]
        with scope.equating(equal):
            establish(scope, need, text)
    return scope.known[text]


def establish(scope: Scope, need: Need, text: str) -> None:
    """Prove a need and note it."""
    if text in scope.known:
        return
    hypothesis = scope.fresh("N")
    scope.write(f"assert ({hypothesis} : {text}).")
    with scope.block():
        prove(scope.inside(), need)
    scope.met(need, text, hypothesis)


def prove(scope: Scope, need: Need) -> None:
    """Prove a need, the goal."""
    head, *parts = need
    if head == "range":
        return prove_range(scope, *parts)
    if head == "all":
        return prove_all(scope, need)
    if head == "!=":
        return prove_nonzero(scope, parts[0])
    return prove_nonneg(scope, parts[1])


def prove_range(scope: Scope, lo: Tree, hi: Tree) -> None:
    """Prove that a range is empty at most by one."""
    length = scope.forms.whole(hi) - scope.forms.whole(lo)
    if length.constant is not None:
        scope.write("clear; lia.")
        return
    for relation, hypothesis in scope.facts:
        if relation[0] in ("<=", "<", "=") and _numbers(scope, relation):
            gap = scope.forms.number(relation[2]) - scope.forms.number(relation[1])
            gaps = (gap, -gap) if relation[0] == "=" else (gap,)
            if any(c is not None and c >= -1 for c in ((length - g).constant for g in gaps)):
                scope.write(f"apply le_IZR; pushed; pose proof {hypothesis}; lra.")
                return
    raise LeftOut("a range that is not seen to be one")


def prove_all(scope: Scope, need: Need) -> None:
    """Prove a need for every index in a range, from what holds for every such index."""
    _, index, lo, hi, inner = need
    new = index
    while new in scope.kinds:
        new += "'"
    hypothesis = scope.fresh("R")
    scope.write(f"intros {name(new)} {hypothesis}.")
    enter(scope, new, lo, hi, hypothesis)
    body = substitute(inner, {index: new}) if new != index else inner
    text = written(body, scope.kinds)
    establish(scope, body, text)
    scope.write(f"exact {scope.known[text]}.")


def enter(scope: Scope, new: str, lo: Tree, hi: Tree, hypothesis: str) -> None:
    """Take what all lines and needs say of an index in their range."""
    scope.kinds[new] = "whole"
    scope.forms = type(scope.forms)(dict(scope.kinds))
    ends = tuple(scope.forms.whole(e).key for e in (lo, hi))
    for k, line in enumerate([*scope.lines]):
        if line[0] == "all" and tuple(scope.forms.whole(e).key for e in line[2:4]) == ends:
            body = substitute(line[4], {line[1]: new})
            if body[0] not in ("all", "every"):
                _note(scope, body, f"(L{k} {name(new)} {_moved(scope, line[2:4], (lo, hi), hypothesis)})")
    for text, proof in [*scope.known.items()]:
        need = scope.meant.get(text)
        if need and need[0] == "all" and tuple(scope.forms.whole(e).key for e in need[2:4]) == ends:
            body = substitute(need[4], {need[1]: new})
            own = written(body, scope.kinds)
            if own not in scope.known:
                hyp = scope.fresh("N")
                place = _moved(scope, need[2:4], (lo, hi), hypothesis)
                scope.write(f"pose proof ({proof} {name(new)} {place}) as {hyp}.")
                scope.met(body, own, hyp)


def _moved(scope: Scope, ends: Any, own: Any, hypothesis: str) -> str:
    """What says that an index is in a range."""
    return hypothesis if tuple(ends) == tuple(own) else f"ltac:(clear - {hypothesis}; lia)"


def _note(scope: Scope, relation: Tree, proof: str) -> None:
    """Note a relation with its needs, which is no line."""
    pattern = []
    for need, text in distinct(relation, scope.kinds):
        pattern.append("_" if text in scope.known else scope.fresh("N"))
        if pattern[-1] != "_":
            scope.met(need, text, pattern[-1])
    hypothesis = scope.fresh("H")
    names = " & ".join([*pattern, hypothesis])
    scope.write(f"pose proof {proof} as {f'({names})' if pattern else hypothesis}.")
    scope.facts.append((relation, hypothesis))


def _numbers(scope: Scope, relation: Tree) -> bool:
    """Whether a relation is one between numbers."""
    return not any(is_vector(s, scope.kinds) for s in relation[1:])


def prove_nonzero(scope: Scope, tree: Tree) -> None:
    """Prove that an expression is not 0: by its parts, or by a fact of which it is a factor."""
    if isinstance(tree, str) and NUMBER.match(tree):
        scope.write("lra.")
        return
    if _by_fact(scope, tree, "nonzero"):
        return
    if isinstance(tree, tuple) and tree[0] == "*":
        for part in tree[1:]:
            need = ("!=", part, "0")
            if not (isinstance(part, str) and NUMBER.match(part)):
                establish(scope, need, written(need, scope.kinds))
        scope.write("defined.")
        return
    if isinstance(tree, tuple) and tree[0] in ("^", "abs"):
        need = ("!=", tree[1], "0")
        establish(scope, need, written(need, scope.kinds))
        meet(scope, ("<=", tree, "0"))
        scope.write(
            "defined."
            if tree[0] == "^"
            else f"apply nonzero_size; exact {scope.known[written(need, scope.kinds)]}."
        )
        return
    _by_factors(scope, tree)


def _by_factors(scope: Scope, tree: Tree) -> None:
    """Prove that an expression is not 0 by the factors of its normal form."""
    if scope.equal:
        raise LeftOut("a need that is not met")
    form = scope.forms.number(tree)
    if not form.above:
        raise LeftOut("a need that is not met")
    lead, common, factor = primitive(form.above)
    if not common:
        raise LeftOut("a need that is not met")
    parts = [Quotient({((a, 1),): number(1)}) for a, _ in common]
    if len(factor) > 1:
        parts.append(Quotient(dict(factor)))
    proofs = []
    for part in parts:
        text = show(scope.forms, part)
        hypothesis = scope.fresh("N")
        scope.write(f"assert ({hypothesis} : {text} <> 0).")
        with scope.block():
            inner = scope.inside()
            inner.forms = scope.forms
            if not _match(inner, part, text, "nonzero"):
                raise LeftOut("a need that is not met")
        proofs.append(hypothesis)
    powers = [power(show(scope.forms, Quotient({((a, 1),): number(1)})), str(e)) for a, e in common]
    rest = show(scope.forms, Quotient(dict(factor), form.below))
    told = infix("*", [literal(str(lead)), *powers, rest])
    equal = scope.fresh("Q")
    scope.write(f"assert ({equal} : {real(tree, scope.kinds)} = {told}) by (identity).")
    scope.write(f"try rewrite {equal}; defined.")


def _by_fact(scope: Scope, tree: Tree, kind: str) -> bool:
    """Prove that an expression is not 0, or not negative, by one fact."""
    try:
        form = scope.reading().number(tree)
    except Rejected:
        return False
    if form.constant is not None:
        return _constant(scope, form, tree, kind)
    return _match(scope, form, real(tree, scope.kinds), kind, tree)


def _constant(scope: Scope, form: Quotient, tree: Tree, kind: str) -> bool:
    """Prove that what is a number is not 0, or not negative."""
    c, text = form.constant, real(tree, scope.kinds)
    if (kind == "nonneg" and c < 0) or (kind == "nonzero" and c == 0):
        return False
    told = f"({c.p} / {c.q})"
    scope.write(f"replace {text} with {told}; [clear; lra |].")
    zero(scope, f"{told} = {text}", [tree], scope.equal)
    return True


def _match(scope: Scope, form: Quotient, text: str, kind: str, tree: Tree | None = None) -> bool:
    """The same of a normal form."""
    if not form.above:
        return False
    wanted = primitive(form.above)
    for relation, hypothesis in reversed(scope.facts):
        order = relation[0]
        if order not in (("<", "!=") if kind == "nonzero" else ("<", "<=", "=")) or not _numbers(
            scope, relation
        ):
            continue
        gap = scope.gap(relation)
        if gap is None or not gap.above:
            continue
        if kind == "nonneg":
            signs = (1, -1) if order == "=" else (1,)
            for sign in signs:
                ratio = _ratio(gap, form)
                if ratio is not None and ratio * sign > 0:
                    _nonneg_from(scope, relation, hypothesis, text, ratio, tree)
                    return True
            continue
        squared = scope.reading().times(form, form)
        if _ratio(gap, squared) is not None:
            ratio = f"({literal(str(_ratio(gap, squared)))} * {text})"
            _nonzero_from(scope, relation, hypothesis, text, ratio, tree)
            return True
        if primitive(gap.above)[2] == wanted[2] and _divides(wanted[1], primitive(gap.above)[1]):
            ratio = _quotient(scope, gap, form)
            _nonzero_from(scope, relation, hypothesis, text, ratio, tree)
            return True
    return False


def _divides(one: Any, other: Any) -> bool:
    """Whether the atoms of a monomial occur in another."""
    return {a for a, _ in one} <= {a for a, _ in other}


def _ratio(one: Quotient, other: Quotient) -> Any:
    """The number that one form is of another, if it is one."""
    lead, common, factor = primitive(one.above)
    scale, shared, rest = primitive(other.above)
    same = (common, factor, one.below) == (shared, rest, other.below)
    return lead / scale if same else None


def _quotient(scope: Scope, gap: Quotient, form: Quotient) -> str:
    """One form over another, of which all but monomials is the same, in Coq."""
    lead, common, _ = primitive(gap.above)
    scale, shared, _ = primitive(form.above)
    exponents = dict(common)
    for a, e in shared:
        exponents[a] = exponents.get(a, 0) - e
    mono = tuple(sorted((a, e) for a, e in exponents.items() if e))
    below = dict(gap.below)
    for f, e in form.below.items():
        below[f] = below.get(f, 0) - e
    top = Quotient({mono: lead / scale}, {f: e for f, e in below.items() if e > 0})
    text = show(scope.reading(), top)
    for f, e in below.items():
        if e < 0:
            text = f"({text} * {show(scope.reading(), Quotient(dict(f)))} ^ {-e})"
    return text


def _nonzero_from(
    scope: Scope, relation: Tree, hypothesis: str, text: str, ratio: str, tree: Tree | None
) -> None:
    """Prove that a number is not 0 by one that is a multiple of it."""
    order, a, b = relation
    gap = f"({real(b, scope.kinds)} - {real(a, scope.kinds)})"
    lemma = "apart_lt" if order == "<" else "gap_ne"
    scope.write(f"apply (nonzero_by {text} {gap} {ratio}); [| exact ({lemma} _ _ {hypothesis})].")
    zero(scope, f"{gap} = {ratio} * {text}", [a, b, *([tree] if tree is not None else [])], scope.equal)


def _nonneg_from(
    scope: Scope, relation: Tree, hypothesis: str, text: str, ratio: Any, tree: Tree | None
) -> None:
    """Prove that a number is not negative by one that is a multiple of it."""
    _, a, b = relation
    one, two = real(a, scope.kinds), real(b, scope.kinds)
    c = abs(1 / ratio)
    gap = f"({two} - {one})" if ratio > 0 else f"({one} - {two})"
    hyp = scope.fresh("H")
    scope.write(f"assert ({hyp} : 0 <= {gap}) by (clear - {hypothesis}; lra).")
    scope.write(f"apply (nonneg_by {text} {gap} ({c.p} / {c.q})); [lra | | exact {hyp}].")
    zero(scope, f"{text} = {c.p} / {c.q} * {gap}", [a, b, *([tree] if tree is not None else [])], scope.equal)


def prove_nonneg(scope: Scope, tree: Tree) -> None:
    """Prove that an expression is not negative: by its parts, or by a fact of which it is a multiple."""
    if _by_fact(scope, tree, "nonneg"):
        return
    proof = plain(scope, tree)
    if proof is not None:
        scope.write(f"exact {proof}.")
    elif not _by_range(scope, tree):
        raise LeftOut("a need that is not met")


def _by_range(scope: Scope, tree: Tree) -> bool:
    """Prove that an expression is not negative as it is the length of a range."""
    form = scope.reading().number(tree)
    for text, proof in scope.known.items():
        need = scope.meant[text]
        if need[0] == "range":
            _, lo, hi = need
            length = scope.reading().number(("+", hi, ("*", "-1", lo), "1"))
            if length.key == form.key:
                range_ = scope.fresh("R")
                scope.write(f"pose proof (IZR_le _ _ {proof}) as {range_}; pushed_in {range_}; lra.")
                return True
    return False


def plain(scope: Scope, tree: Tree) -> str | None:
    """What proves that an expression is plainly not negative, if it is."""
    text = written(("<=", "0", tree), scope.kinds)
    if text in scope.known:
        return scope.known[text]
    if isinstance(tree, str):
        return f"(ltac:(lra) : {text})" if NUMBER.match(tree) and not tree.startswith("-") else None
    head, *parts = tree
    if head == "n2":
        return "(n2_nonneg _)"
    if head == "ip" and parts[0] == parts[1]:
        return "(n2_nonneg _)"
    if head == "abs":
        return "(Rabs_pos _)"
    if head == "^":
        return _plain_power(scope, *parts)
    if head == "*" and len(parts) == 2 and parts[0] == parts[1]:
        return "(square_nonneg _)"
    if head == "max":
        return None
    if head in ("+", "*"):
        proofs = [plain(scope, p) for p in parts]
        if None in proofs:
            return None
        total = str(proofs[0])
        for p in proofs[1:]:
            total = f"({'sum_nn' if head == '+' else 'times_nn'} _ _ {total} {p})"
        return total
    return None


def _plain_power(scope: Scope, base: Tree, exponent: str) -> str | None:
    """The same of a power."""
    if "/" in exponent:
        inner = "(sqrt_pos _)"
        n = int(exponent.split("/")[0])
    else:
        n = int(exponent)
        inner = plain(scope, base) or ("even" if n % 2 == 0 else "")
    if not inner:
        return None
    size = abs(n)
    raised = inner if size == 1 else f"(pow_le _ {size} {inner})"
    if inner == "even":
        raised = f"(even_nonneg _ {size // 2})"
    if n > 0:
        return raised
    divisor = written(("!=", bare(base), "0"), scope.kinds)
    apart = scope.known.get(divisor)
    return f"(inverse_nonneg _ ltac:(defined) {raised})" if apart else None
