"""Relations as text: exact, nothing evaluated, never run as code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import sympy as sp

from fedproof.proof.forall import ForAll
from fedproof.proof.notation import E
from fedproof.proof.sequences import is_sequence_term
from fedproof.proof.step import Applied, Given, Rule, Step
from fedproof.proof.text_expressions import folded, relation
from fedproof.proof.text_grammar import Part, Relation, read
from fedproof.proof.text_kinds import Kinds, kinds_of, walk
from fedproof.proof.vectors import Vector, ip, n2
from fedproof.vocabulary.errors import InputError

#: how many terms a sum or range has whose ends are numbers
TERMS = 100

_RANDOM = ("n2", "ip", "norm", "E")
_PYTHON = "write the step in Python (docs/proofs.md)"


def step(claim: Any, given: Any = ()) -> Step:
    """A step from text or relations, with the rule that its parts call for.

    Arguments:
        claim: one relation, as text or of SymPy.
        given: its hypotheses, in a sequence or one alone; a text may hold several with commas between them.

    Returns: the step, nothing evaluated that was text.
    Raises: InputError, in one line that says what was got, where, and what to write.

    >>> made = step("sqrt(x*y) <= (x + y)/2", given=["x >= 0", "y >= 0"])
    >>> made.claim, made.given, made.rule
    (sqrt(x*y) <= (x + y)/2, (x >= 0, y >= 0), 'real')
    """
    hypotheses = list(given) if isinstance(given, (list, tuple)) else [given]
    asked = read(claim, "claim") if isinstance(claim, str) else ()
    texts = {k: read(h, f"given {k + 1}") for k, h in enumerate(hypotheses) if isinstance(h, str)}
    if len(asked) > 1 or any(r.over for r in asked):
        raise asked[0].place.error("one relation", "decide one at a time, at one index")
    said = [*asked, *(r for found in texts.values() for r in found)]
    kinds = kinds_of(said)
    _check(said, kinds)
    made = [relation(r, kinds) for r in asked] or [claim]
    assumed = []
    for k, hypothesis in enumerate(hypotheses):
        assumed += [relation(r, kinds) for r in texts[k]] if k in texts else [hypothesis]
    mean = E if any(p.head == "of" and p.word == "E" for p in _parts(said)) else ""
    return Step(made[0], tuple(assumed), "claim", _rule(made[0], assumed), mean=mean)


def _rule(claim: Any, given: Sequence[Any]) -> Rule:
    """Vectors, sequences and constants have rules of their own."""
    relations = [h.relation if isinstance(h, (Given, Applied)) else h for h in (claim, *given)]
    bodies = [r.relation if isinstance(r, ForAll) else r for r in relations]
    basic = [b for b in bodies if isinstance(b, sp.Basic)]
    serial = any(isinstance(r, ForAll) for r in relations) or any(
        b.has(sp.Sum) or any(map(is_sequence_term, b.atoms(sp.Function))) for b in basic
    )
    spatial = any(b.atoms(Vector, ip, n2) for b in basic)
    if serial and spatial:
        raise InputError("claim", "vectors beside sums or sequences", "one of the two", _PYTHON)
    if serial or spatial:
        return "sum" if serial else "quad"
    constant = not any(b.free_symbols for b in basic)
    return "interval" if constant and any(b.atoms(sp.exp, sp.log) or b.has(sp.pi) for b in basic) else "real"


def _parts(relations: Sequence[Relation]) -> Iterator[Part]:
    for one in relations:
        for side in (one.left, one.right, *(one.over or ())):
            yield from walk(side)


def _check(relations: Sequence[Relation], kinds: Kinds) -> None:
    """What the grammar lets pass and no rule could mean.

    Raises: InputError.
    """
    parts = list(_parts(relations))
    counted = any(r.over for r in relations) or any(p.head == "of" and p.word == "sum" for p in parts)
    for part in parts:
        if part.head == "of" and kinds.get(part.word) == "sequence" and not counted:
            expected = "a function of the grammar, or a sequence beside a sum or for t = 1..T"
            raise part.place.error(expected, f"functions are said in Python: {_PYTHON}")
        if part.head == "of" and part.word == "sum":
            _check_sum(part)
    means = [p for p in parts if p.head == "of" and p.word == "E"]
    if means:
        _check_means(means, parts)
    for index, *ends in (r.over for r in relations if r.over):
        _check_index(index, ends)
    bound = {p.parts[1].word for p in parts if p.head == "of" and p.word == "sum"}
    bound |= {r.over[0].word for r in relations if r.over}
    for said in relations:
        inner = {said.over[0].word} if said.over else set()
        for part in (*_free(said.left, inner), *_free(said.right, inner)):
            if part.word in bound:
                expected = "an index within its sum or range alone"
                raise part.place.error(expected, f"write it for {part.word} = 1..T, or rename it")


def _free(part: Part, bound: set[str]) -> Iterator[Part]:
    """The names in a part, but for those of indices around them."""
    if part.head == "name" and part.word not in bound:
        yield part
    inside = bound | {part.parts[1].word} if part.head == "of" and part.word == "sum" else bound
    for inner in part.parts:
        yield from _free(inner, inside)


def _check_sum(part: Part) -> None:
    body, index, *ends = part.parts
    _check_index(index, ends)
    if any(p.head == "of" and p.word in _RANDOM for p in walk(body)):
        raise body.place.error("a sum of numbers and sequences", _PYTHON)


def _check_index(index: Part, ends: Sequence[Part]) -> None:
    if index.head != "name":
        raise index.place.error("the name of an index", "write sum(a(t), t, 1, T)")
    clash = [p for end in ends for p in walk(end) if p.head == "name" and p.word == index.word]
    if clash:
        raise clash[0].place.error(f"ends without the index {index.word}", "rename the index")
    first, last = map(folded, ends)
    if first is not None and last is not None and last - first > TERMS:
        raise ends[1].place.error(f"at most {TERMS} terms", "write a name, such as T")


def _check_means(means: Sequence[Part], parts: Sequence[Part]) -> None:
    """E(...) is a mean of n2 and ip with numbers before them, and all of these stand within one."""
    inside: set[int] = set()
    for mean in means:
        _linear(mean.parts[0])
        inside |= {id(p) for p in walk(mean.parts[0])}
    for part in parts:
        if part.head == "of" and part.word in ("n2", "norm", "ip") and id(part) not in inside:
            cure = "write sqrt(E(n2(x)))" if part.word == "norm" else f"write E({part.place.words})"
            raise part.place.error("every n2 and ip within E(...), where E is used", cure)
        if part.head == "name" and part.word == "E":
            raise part.place.error("E(...), as elsewhere", "rename it")


def _linear(part: Part) -> None:
    """A sum of terms, each numbers times one n2 or ip."""
    if part.head in ("+", "-"):
        for inner in part.parts:
            _linear(inner)
        return
    factors = part.parts if part.head == "*" else (part,)
    random = [
        f for f in factors if any(p.head == "of" and p.word in ("n2", "ip", "norm", "E") for p in walk(f))
    ]
    if len(random) == 1 and random[0].head in ("+", "-", "*"):
        _linear(random[0])
    elif not (len(random) == 1 and random[0].head == "of" and random[0].word in ("n2", "ip")):
        expected = "terms c*n2(u) or c*ip(u, v) within E(...); what is random is a vector"
        raise part.place.error(expected, "write ip(x, y) for E[x*y], n2(x) for E[x^2]")
