"""What a step says, as certificates have it: its claim, hypotheses with reasons, signs, kinds, citations."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import Any

import sympy as sp

from fedproof.proof.certify.beginning import begun
from fedproof.proof.certify.translate import expression, kinds_of, relation
from fedproof.proof.forall import plainly
from fedproof.proof.kernel.trees import Tree, as_json
from fedproof.proof.language.everywhere import At, applies
from fedproof.proof.language.saying import listed as all_listed
from fedproof.proof.rules.normalise_step import meant, normalised, tidy
from fedproof.proof.sequences import is_sequence_term
from fedproof.proof.step import Applied, Given, Step

#: the reason of what a symbol or a sequence of a step assumes of its sign, beside what the step lists
SIGN = "sign of a name"


@cache
def prepared(step: Step) -> Step:
    """A step with its parts written out, as its certificate reads it."""
    with sp.evaluate(True):
        return meant(normalised(step))


def reasons(step: Step) -> tuple[tuple[Tree, str], ...]:
    """What a step assumes with a reason: the relation, and the words."""
    return (*((tree, h.why) for h, tree in listed(step) if h.why), *((tree, SIGN) for tree, _ in signs(step)))


def signs(step: Step) -> tuple[tuple[Tree, Any], ...]:
    """What symbols and sequences of a step assume of their sign; of symbols also with plain real ones."""
    if applies(step):
        return ()
    with sp.evaluate(True):
        count = sum(len(tidy(h.relation)) for h in step.hypotheses if isinstance(h, Given))
        assumed: list[Any] = [g.relation for g in own_hypotheses(step)[count:]]
        names = {s: sp.Symbol(s.name, real=True) for r in assumed for s in r.free_symbols}
        symbols = [(relation(r), r.xreplace(names)) for r in assumed]
        return (*symbols, *((tree, None) for tree in begun(step, prepared(step), {}).here.given))


def listed(step: Step) -> tuple[tuple[Given, Tree], ...]:
    """The hypotheses that a step lists, each with its relations as certificates have them."""
    if applies(step):
        return tuple(all_listed(step))
    with sp.evaluate(True):
        trees = iter([relation(g.relation) for g in own_hypotheses(step)])
    own = (h for h in step.hypotheses if isinstance(h, Given))
    return tuple((h, next(trees)) for h in own for _ in tidy(h.relation))


def fingerprint(step: Step) -> str:
    """What a step says and what it takes from other steps, as a digest."""
    said = [step.rule, plainly(step.claim)]
    for h in step.hypotheses:
        used: tuple[Any, ...] = (h.step.id, h.at, h.over) if isinstance(h, Applied) else ()
        used = (h.everywhere, h.points) if isinstance(h, At) else used
        with sp.evaluate(True):
            said += [plainly(h.relation), str(used)]
    return sha256("\n".join(said).encode()).hexdigest()


def whole_fingerprint(step: Step) -> str:
    """Everything that a step says and how it is asked, and all that it uses, as a digest."""
    said = [fingerprint(step), str(step.lets), str(step.induction), str(step.mean), str(step.fixed)]
    said += [str(h.weight) for h in step.hypotheses]
    said += [whole_fingerprint(h.step) for h in step.hypotheses if isinstance(h, Applied)]
    return sha256("\n".join(said).encode()).hexdigest()


def own_kinds(step: Step) -> dict[str, str]:
    """The kinds of names as a step itself says them, whatever it uses."""
    with sp.evaluate(True):
        said = [prepared(step).claim, *(g.relation for g in own_hypotheses(step))]
        how = prepared(step).induction
        if how is not None:
            said += [e for row in how.state for e in row]
        return kinds_of(*said) | ({} if how is None else {how.index.name: "whole"})


def cites(step: Step) -> tuple[tuple[Applied, Tree], ...]:
    """What a step takes from those that it cites, as it reads them; of functions nothing is cited."""
    if applies(step):
        return ()
    found: list[tuple[Applied, Tree]] = []
    at = 0
    with sp.evaluate(True):
        for h in step.hypotheses:
            here = prepared(step).given[at : at + len(tidy(h.relation))]
            at += len(here)
            if isinstance(h, Applied) and h.step.rule == "cite":
                found += [(h, relation(g.relation)) for g in here]
    return tuple(found)


def stand_for(use: Applied) -> dict[str, Tree]:
    """What the names of a cited step stand for here; a sequence for a map."""
    found: dict[str, Tree] = {}
    for key, value in use.at:
        if is_sequence_term(key):
            found[key.func.__name__] = ("map", (key.args[0].name,), expression(value))
        else:
            found[key.name] = expression(value)
    return found


def citation(use: Applied, tree: Tree) -> list[Any]:
    """A row's entry: who says it, what is said here, the values of its names, and the index it is for."""
    said = [[name, as_json(value)] for name, value in stand_for(use).items()]
    return [use.step.id, as_json(tree), said, "" if use.over is None else use.over[0].name]


def own_hypotheses(step: Step) -> list[Given]:
    """Hypotheses of a step that are not what another step says, as its certificate reads them."""
    found: list[Given] = []
    at = 0
    for h in step.hypotheses:
        count = len(tidy(h.relation))
        if isinstance(h, Given):
            found += prepared(step).given[at : at + count]
        at += count
    return [*found, *prepared(step).given[at:]]
