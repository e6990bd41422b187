"""How the certificate of a step begins: its names with their kinds, and sequences at every index."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp

from fedproof.proof.certify.translate import expression, kinds_of
from fedproof.proof.certify.writer import Writer
from fedproof.proof.kernel.judgement import Judgement
from fedproof.proof.kernel.trees import Tree, fresh, substitute
from fedproof.proof.sequences import is_sequence_term
from fedproof.proof.step import Applied, Step


@dataclass(frozen=True)
class Known:
    """What was proved of a step, and what the author typed.

    Arguments:
        step: as its paper has it.
        judgement: what the kernel says of it.
    """

    step: Step
    judgement: Judgement


def begun(step: Step, prepared: Step, known: Mapping[str, Known]) -> Writer:
    """A writer with the step's names and its own hypotheses."""
    said = [
        prepared.claim,
        *(g.relation for g in prepared.given),
        *(g.weight for g in prepared.given if g.weight),
    ]
    if prepared.induction is not None:
        said += [e for row in prepared.induction.state for e in row]
    kinds = kinds_of(*said)
    for use in (h for h in step.hypotheses if isinstance(h, Applied)):
        kinds = joined(
            kinds, kinds_of(*(v for _, v in use.at), *((use.over[1], use.over[2]) if use.over else ()))
        )
        if use.step.id in known:
            mapped = {k.name if isinstance(k, sp.Symbol) else "" for k, _ in use.at}
            named = known[use.step.id].judgement.names
            kinds = joined(kinds, {n: k for n, k in named.items() if n in kinds and n not in mapped})
    used = {id: (k.judgement.names, k.judgement.given, k.judgement.claim) for id, k in known.items()}
    writer = Writer.of(kinds, (), used)
    terms = {t for e in said for t in _atoms(e) if is_sequence_term(t)}
    for term in sorted({t.func: t for t in terms}.values(), key=str):
        sign = "<" if term.is_positive else "<=" if term.is_nonnegative else ""
        if sign:
            said_of = ("every", "k", "whole", (sign, "0", ("of", term.func.__name__, "k")))
            writer.assume(said_of, {"kind": "own", "why": "sign of a sequence"})
    return writer


def recursion(step: Step) -> tuple[Tree, ...]:
    """What a step says of its recursion: its index counts from the start, and the state is a sequence's term.

    Returns: the range of the index; for each part of the state its first term, how the next follows, and that
        the part is the term at the index.
    """
    how = step.induction
    if how is None:
        return ()
    n, start = how.index.name, expression(how.start)
    names = {s.name: f"{s.name}_" for s, _, _ in how.state}
    k = fresh("k", {n, *names, *names.values()} | {s.name for _, _, e in how.state for s in e.free_symbols})
    here = {n: k, **{s: ("of", own, k) for s, own in names.items()}}
    found: list[Tree] = [("<=", start, n)]
    for s, value, following in how.state:
        own = names[s.name]
        body = ("=", ("of", own, ("+", k, "1")), substitute(expression(following), here))
        found.append(("=", ("of", own, start), expression(value)))
        found.append(("all", k, start, ("+", n, "-1"), body))
        found.append(("=", s.name, ("of", own, n)))
    return tuple(found)


def _atoms(e: Any) -> set[Any]:
    parts = vars(e).values() if not isinstance(e, sp.Basic) else (e,)
    return set().union(*(p.atoms(sp.Function) for p in parts if isinstance(p, sp.Basic)))


def joined(one: Mapping[str, str], other: Mapping[str, str]) -> dict[str, str]:
    """Kinds of names of both; what is whole in one is whole."""
    found = dict(one)
    for name, kind in other.items():
        if (found.get(name), kind) == ("real", "whole"):
            found[name] = kind
        found.setdefault(name, kind)
    return found
