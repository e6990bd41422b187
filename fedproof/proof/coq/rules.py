"""The lines of a certificate as tactics, rule by rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fedproof.proof.coq.combine import combine, equal_vectors
from fedproof.proof.coq.constants import constants
from fedproof.proof.coq.meeting import establish, meet
from fedproof.proof.coq.needs import Need, distinct, proposition, quantified, written
from fedproof.proof.coq.scope import Scope, bracketed, conjunction
from fedproof.proof.coq.terms import (
    VECTOR_ZERO,
    LeftOut,
    core,
    is_vector,
    lemma,
    name,
    real,
    value,
    vector,
    whole,
)
from fedproof.proof.kernel.trees import Tree, substitute

_ZEROS = {"real": "0", "whole": "0%Z", "vector": "vzero"}


def lines(scope: Scope, raw: Any) -> None:
    """Prove the lines one by one."""
    for relation, by in raw:
        rule, *rest = by
        if rule not in RULES:
            raise LeftOut(f"the rule {rule}")
        RULES[rule](scope, relation, *rest)


def finish(scope: Scope, raw: Any, goal: Tree) -> None:
    """Prove the goal, a relation with its needs, by lines."""
    lines(scope, raw)
    meet_relation(scope, goal)
    scope.write(f"exact {scope.whole(len(scope.lines) - 1)}.")


def meet_relation(scope: Scope, relation: Tree, equal: Sequence[int] = ()) -> None:
    """See that the needs of an order or an equation are met."""
    if not quantified(relation):
        meet(scope, relation, equal=equal)


def asserted(scope: Scope, relation: Tree, act: Callable[[Scope], None], equal: Sequence[int] = ()) -> None:
    """A line that is proved by tactics, after its needs."""
    meet_relation(scope, relation, equal)
    said = proposition(relation, scope.kinds) if quantified(relation) else core(relation, scope.kinds)
    line = f"L{len(scope.lines)}"
    scope.write(f"assert ({line} : {said}).")
    with scope.block():
        act(scope.inside())
    scope.holds(relation)


def concluded(scope: Scope, relation: Tree, act: Callable[[Scope], None]) -> None:
    """A line that tactics prove together with its needs."""
    hypothesis = scope.fresh("H")
    scope.write(f"assert ({hypothesis} : {proposition(relation, scope.kinds)}).")
    with scope.block():
        act(scope.inside())
    scope.taken(relation, hypothesis)


def given(scope: Scope, relation: Tree, k: int) -> None:
    """A hypothesis."""
    scope.taken(relation, f"G{k}")


def by_combination(scope: Scope, relation: Tree, terms: Any, equal: Sequence[int]) -> None:
    """The rule `combine`."""
    asserted(scope, relation, lambda s: combine(s, relation, terms, equal), equal)


def by_vectors(scope: Scope, relation: Tree, d: Tree, terms: Any, equal: Sequence[int]) -> None:
    """The rule `vectors`."""
    asserted(scope, relation, lambda s: equal_vectors(s, relation, d, terms, equal), equal)


def use(scope: Scope, relation: Tree, id: str, values: Any, found: Sequence[int]) -> None:
    """Another step, with values for its names."""
    names, hypotheses, claim = scope.used[id]
    told = dict(values)
    put = {n: told.get(n, n if n in scope.kinds else None) for n in names}
    for n, v in put.items():
        if v is not None and not (isinstance(v, tuple) and v[0] == "map") and "(" not in names[n]:
            meet(scope, v)
    arguments = [argument(v, names[n], scope) for n, v in put.items()]
    if any("vector" in k for k in names.values()):
        arguments.insert(0, "V" if "vector" in " ".join(scope.kinds.values()) else "reals")
    known = {n: v for n, v in put.items() if v is not None}
    proofs = []
    for g, k in zip(hypotheses, found, strict=True):
        said = proposition(substitute(g, {n: marked(v, names[n]) for n, v in known.items()}), scope.kinds)
        proofs.append(owed(scope, said, substitute(g, known), k))
    applied = f"({' '.join([lemma(id), *arguments, *proofs])})"
    conclude(scope, relation, claim, known, applied)


def argument(v: Tree | None, of: str, scope: Scope) -> str:
    """A value for a name of a lemma."""
    if v is not None:
        return value(v, of, scope.kinds) if not _plain_number(v, of, scope) else real(v, scope.kinds)
    result, _, arguments = of.partition("(")
    bound = " _" * len(arguments.rstrip(")").split(",")) if arguments else ""
    return f"(fun{bound} => {_ZEROS[result]})" if bound else _ZEROS[result]


def _plain_number(v: Tree, of: str, scope: Scope) -> bool:
    """Whether a value is an expression for a number."""
    return of == "real"


def marked(v: Tree, of: str) -> Tree:
    """A value in which the vector 0 is told from the number."""
    if isinstance(v, tuple) and v[0] == "map":
        return (*v[:2], marked(v[2], of.partition("(")[0]))
    return VECTOR_ZERO if v == "0" and of == "vector" else v


def owed(scope: Scope, said: str, wanted: Tree, k: int) -> str:
    """A hypothesis of a used step with values, as it reads: what proves it, by a line."""
    hypothesis = scope.fresh("H")
    scope.write(f"assert ({hypothesis} : {said}).")
    with scope.block():
        weakened(scope.inside(), wanted, f"L{k}", scope.lines[k])
    return f"ltac:(fits {hypothesis})"


def weakened(scope: Scope, wanted: Tree, line: str, said: Tree) -> None:
    """Prove a relation by one that says the same."""
    if quantified(wanted):
        scope.write(f"first [fits {line} | intros; reflexivity].")
    else:
        meet(scope, wanted)
        proofs = [scope.known[t] for _, t in distinct(wanted, scope.kinds)]
        scope.write(f"first [exact {conjunction([*proofs, line])} | reflexivity].")


def conclude(scope: Scope, relation: Tree, claim: Tree, put: dict[str, Tree], proof: str) -> None:
    """Take what an instance says as a line."""
    hypothesis = scope.fresh("H")
    scope.write(f"pose proof {proof} as {hypothesis}; cbv beta in {hypothesis}.")
    if quantified(relation):
        line = f"L{len(scope.lines)}"
        scope.write(f"assert ({line} : {proposition(relation, scope.kinds)}).")
        with scope.block():
            widened(scope.inside(), relation, claim, put, hypothesis)
        scope.holds(relation)
        return
    needs = source_needs(claim, put)
    pattern, later = [], []
    for need in needs:
        text = written(need, scope.kinds)
        if text in scope.known:
            pattern.append("_")
            continue
        own = scope.fresh("N")
        pattern.append(own)
        later.append((own, need, text))
    last = scope.fresh("H")
    if pattern:
        scope.write(f"destruct {hypothesis} as {bracketed([*pattern, last])}.")
    else:
        last = hypothesis
    for own, need, text in later:
        if text not in scope.known:
            fixed = scope.fresh("N")
            scope.write(f"assert ({fixed} : {text}) by (fits {own}).")
            scope.met(need, text, fixed)
    asserted(scope, relation, lambda s: s.write(f"fits {last}."))


def source_needs(claim: Tree, put: dict[str, Tree]) -> list[Need]:
    """The needs of a claim, each once, with values for its names."""
    from fedproof.proof.coq.needs import needs

    found: dict[Any, None] = {}
    for need in needs(claim):
        found.setdefault(need, None)
    return [substitute_need(n, put) for n in found]


def substitute_need(need: Need, put: dict[str, Tree]) -> Need:
    """A need with values for names."""
    return substitute(need, put)


def widened(scope: Scope, relation: Tree, claim: Tree, put: dict[str, Tree], proof: str) -> None:
    """Prove a relation for every index or value by an instance of one that needs less."""
    scope.write(f"fits {proof}.")


def instance(scope: Scope, relation: Tree, line: int, v: Tree, *places: Any) -> None:
    """What holds for every index or value, at one."""
    source = scope.lines[line]
    index, body = source[1], source[-1]
    of = source[2] if source[0] == "every" else "whole"
    if not (isinstance(v, tuple) and v[0] == "map") and "(" not in of:
        meet(scope, v)
    put = {index: v}
    proof = f"L{line} {argument(v, of, scope)}"
    if source[0] == "all":
        lo, hi = places[0]
        ends = " ".join(whole(t, scope.kinds) for t in (source[2], v, source[3]))
        proof += f" (between {ends} ltac:(ranged L{lo}) ltac:(ranged L{hi}))"
    conclude(scope, relation, body, put, f"({proof})")


def total(scope: Scope, relation: Tree, line: int, last: int) -> None:
    """Sums of what holds for every index."""
    source = scope.lines[line]
    index, body = source[1], source[4]
    head = body[0]
    vectors = is_vector(body[1], {**scope.kinds, index: "whole"}) or is_vector(
        body[2], {**scope.kinds, index: "whole"}
    )
    by = {"<": "sumZ_le", "<=": "sumZ_le", "=": "vsum_eq" if vectors else "sumZ_eq"}[head]
    count = len(distinct(body, {**scope.kinds, index: "whole"}))

    def act(s: Scope) -> None:
        proof = "H"
        pattern = " & ".join(["_"] * count + ["H"])
        s.write(
            f"apply {by}; intros i r; destruct (L{line} i r) as ({pattern})."
            if count
            else f"apply {by}; intros i r; pose proof (L{line} i r) as H."
        )
        s.write(f"exact (Rlt_le _ _ {proof})." if head == "<" else f"exact {proof}.")

    asserted(scope, relation, act)


def following(scope: Scope, relation: Tree, line: int) -> None:
    """The next whole number."""
    _, a, b = scope.lines[line]
    one, two = (whole(t, scope.kinds) for t in (a, b))
    k = scope.fresh("H")
    scope.write(f"assert ({k} : IZR {one} < IZR {two}) by (pushed; exact L{line}).")
    scope.write(f"apply next_whole in {k}; pushed_in {k}.")
    asserted(scope, relation, lambda s: s.write(f"exact {k}."))


def both(scope: Scope, relation: Tree, one: int, other: int) -> None:
    """An equation from two orders."""
    asserted(scope, relation, lambda s: s.write(f"exact (Rle_antisym _ _ L{one} L{other})."))


def meaning(scope: Scope, relation: Tree) -> None:
    """What is needed to be defined."""

    def act(s: Scope) -> None:
        need = relation
        text = written(need, s.kinds)
        establish(s, need, text)
        s.write(f"exact {s.known[text]}.")

    asserted(scope, relation, act)


def every_index(scope: Scope, relation: Tree, raw: Any) -> None:
    """A proof for every index in a range."""

    def act(s: Scope) -> None:
        _, index, lo, hi, body = relation
        i, r = name(index), s.fresh("R")
        s.write(f"intros {i} {r}.")
        inner = s.inside(**{index: "whole"})
        ranged(inner, r, ("<=", lo, index), ("<=", index, hi))
        finish(inner, raw, body)

    asserted(scope, relation, act)


def ranged(scope: Scope, r: str, low: Tree, high: Tree) -> None:
    """Note both ends of a range as lines."""
    for relation, side in ((low, "proj1"), (high, "proj2")):
        text = core(relation, scope.kinds)
        scope.write(f"assert (L{len(scope.lines)} : {text}) by (fits_range ({side} {r})).")
        scope.holds(relation)


def every_value(scope: Scope, relation: Tree, raw: Any) -> None:
    """A proof for every value of a kind."""

    def act(s: Scope) -> None:
        _, new, of, body = relation
        s.write(f"intros {name(new)}.")
        finish(s.inside(**{new: of}), raw, body)

    asserted(scope, relation, act)


def split(scope: Scope, relation: Tree, case: Tree, one: Any, two: Any) -> None:
    """A proof where a relation holds, and one where it does not."""
    meet(scope, case)
    head, a, b = case
    opposite = {"<=": ("<", b, a), "<": ("<=", b, a), "=": ("!=", a, b), "!=": ("=", a, b)}[head]
    by = {"<=": "Rle_or_lt", "<": "Rlt_or_le", "=": "Req_dec", "!=": "Rne_or_eq"}[head]

    def act(s: Scope) -> None:
        one_side, other = (real(t, s.kinds) for t in (a, b))
        line = f"L{len(s.lines)}"
        s.write(f"destruct ({by} {one_side} {other}) as [{line} | {line}].")
        for raw, relation_here in ((one, case), (two, opposite)):
            with s.block():
                inner = s.inside()
                inner.holds(relation_here)
                finish(inner, raw, relation)

    concluded(scope, relation, act)


def induction(scope: Scope, relation: Tree, first: int, raw: Any) -> None:
    """From the first index, and from each to the next."""

    def act(s: Scope) -> None:
        _, index, lo, hi, body = relation
        i = name(index)
        s.write("apply between_induction.")
        with s.block():
            inner = s.inside()
            start = substitute(body, {index: lo})
            meet_relation(inner, start)
            told = _restated(inner, start, first)
            s.write(f"intros _; fits {told}.")
        r, before = s.fresh("R"), s.fresh("B")
        s.write(f"intros {i} {r} {before}.")
        inner = s.inside(**{index: "whole"})
        ranged(inner, r, ("<=", lo, index), ("<=", index, ("+", hi, "-1")))
        inner.taken(body, before)
        lines(inner, raw)
        goal = substitute(body, {index: ("+", index, "1")})
        meet_relation(inner, goal)
        last = inner.fresh("H")
        inner.write(f"pose proof {inner.whole(len(inner.lines) - 1)} as {last}; fits {last}.")

    asserted(scope, relation, act)


def _restated(scope: Scope, relation: Tree, line: int) -> str:
    """A line with its needs, under a name."""
    hypothesis = scope.fresh("H")
    scope.write(f"pose proof {scope.whole(line)} as {hypothesis}.")
    return hypothesis


def named(scope: Scope, relation: Tree, raw: Any, new: str, v: Tree) -> None:
    """A proof with a name for a part."""
    meet(scope, v)

    def act(s: Scope) -> None:
        is_v = is_vector(v, s.kinds)
        text = vector(v, s.kinds) if is_v else real(v, s.kinds)
        line = f"L{len(s.lines)}"
        s.write(f"destruct (ex_intro (fun x => x = {text}) {text} eq_refl) as [{name(new)} {line}].")
        inner = s.inside(**{new: "vector" if is_v else "real"})
        inner.holds(("=", new, v))
        finish(inner, raw, relation)

    concluded(scope, relation, act)


RULES: dict[str, Callable[..., None]] = {
    "given": given,
    "combine": by_combination,
    "vectors": by_vectors,
    "use": use,
    "instance": instance,
    "total": total,
    "next": following,
    "both": both,
    "meaning": meaning,
    "constants": constants,
    "all": every_index,
    "every": every_value,
    "split": split,
    "induction": induction,
    "name": named,
}
