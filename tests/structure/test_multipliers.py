"""A multiplier is typed only where the search finds none: how many there are, file by file, and why."""

from __future__ import annotations

import ast

import pytest

from tests.structure.code import Module, calls, modules

#: the proof is this project's own, with no text that could name the multiplier
OWN = "no text"
#: the text argues, and names no multiplier as far as was looked at
TEXT = "text"
#: by file of a paper's proofs: calls that type a multiplier, and why; 10 to 15 s of search find no proof
#: without them (each was left out in turn, those of a step of fedprox together)
TYPED: dict[str, tuple[int, str]] = {
    "composite.any_server": (2, OWN),
    "composite.descent": (6, TEXT),
    "composite.lemma_a1": (2, TEXT),
    "composite.local_step": (1, TEXT),
    "composite.prox_pl": (1, TEXT),
    "composite.stopping": (3, TEXT),
    "composite.telescoped": (3, TEXT),
    "composite.theorem38": (2, OWN),
    "composite.theorem38_rounds": (4, OWN),
    "composite.theorems": (5, OWN),
    "composite.vectors": (1, TEXT),
    "fedprox.distinct": (1, TEXT),
    "fedprox.full_participation": (10, TEXT),
    "fedprox.theorem1": (3, TEXT),
    "fedprox.theorem2": (1, TEXT),
    "fedprox.theorem3": (6, TEXT),
    "fedprox.weakly_convex": (1, TEXT),
    "fedproxvr.appendix_a": (1, TEXT),
    "fedproxvr.direct_theorem1": (3, OWN),
    "fedproxvr.heterogeneous_means": (2, TEXT),
    "fedproxvr.lemma1_svrg": (5, TEXT),
    "fedproxvr.sharp_dominates_theorem1": (4, OWN),
    "fedproxvr.sharp_long": (3, OWN),
    "fedproxvr.sharp_svrg": (7, OWN),
    "fedproxvr.sharp_theorem1": (2, OWN),
    "fedproxvr.theorem1": (2, TEXT),
    "flecs.printed_theorem4": (9, TEXT),
    "flecs.theorem4": (3, TEXT),
    "flecs.theorem5": (3, TEXT),
}


def types(call: ast.Call, name: str) -> bool:
    """Whether a call types a multiplier: `times`, `added`, or `weight=`."""
    return name in ("times", "added") or any(k.arg == "weight" for k in call.keywords)


def typed(module: Module) -> int:
    """How many calls of a module type one."""
    return sum(types(call, name) for name, call in calls(module))


def proofs() -> dict[str, Module]:
    """The files of papers' proofs, as `paper.file`."""
    found = {tuple(m.name.split(".")): m for m in modules()}
    return {
        f"{n[2]}.{n[4]}": m
        for n, m in found.items()
        if n[1:2] == ("papers",) and n[3:4] == ("proofs",) and n[4:]
    }


@pytest.mark.parametrize("name", sorted(proofs()))
def test_no_multiplier_is_typed_that_the_table_does_not_have(name: str) -> None:
    """A file types as many multipliers as the table says: a new one needs a reason, one less a new number."""
    assert typed(proofs()[name]) == TYPED.get(name, (0, ""))[0]


def test_the_table_has_no_file_that_is_gone() -> None:
    """Each row is of a file that types a multiplier."""
    assert TYPED.keys() <= proofs().keys()
    assert all(count for count, _ in TYPED.values())


@pytest.mark.parametrize("text", ["times(2, x >= 0)", "added(ONE, TWO)", "ONE.at({}, weight=0)"])
def test_each_way_to_type_one_is_seen(text: str) -> None:
    """With a factor, a sum of steps, and a step with its weight, 0 too."""
    assert typed(Module("fedproof.papers.some.proofs.file", text)) == 1
