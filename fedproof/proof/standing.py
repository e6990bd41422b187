"""What a paper grants to all its proofs: its functions, its assumptions as formulas, what its names mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from types import ModuleType

from fedproof.proof.formula import formula
from fedproof.proof.kernel.trees import KIND, Tree
from fedproof.vocabulary.discovery import paper_modules, read
from fedproof.vocabulary.errors import InputError


@dataclass(frozen=True)
class Standing:
    """What the proofs of a paper may go by.

    Arguments:
        functions: the kind of each function, such as "vector(whole,vector)" for a gradient of each client.
        points: names of vectors that no function's value is.
        formulas: assumptions by id, each for all points.
        means: what names stand for: parameters of a sequence, and the expression.
    """

    functions: Mapping[str, str] = field(default_factory=dict)
    points: frozenset[str] = frozenset()
    formulas: tuple[tuple[str, Tree], ...] = ()
    means: Mapping[str, tuple[tuple[str, ...], Tree]] = field(default_factory=dict)


@cache
def standing(key: str) -> Standing:
    """What a paper's file `standing` says: nothing where it has none.

    Raises: InputError.
    """
    known = paper_modules("standing").get(key)
    return read(known, _standing) if known else Standing()


def _standing(module: ModuleType) -> Standing:
    functions: Mapping[str, str] = module.FUNCTIONS
    for name, kind in functions.items():
        if not KIND.match(kind) or "(" not in kind:
            raise InputError(f"kind of {name}", kind, 'a kind such as "real(vector)"')
    formulas = tuple((id, _for_all(over, text)) for id, over, text in module.FORMULAS)
    means = dict(_meaning(name, text) for name, text in module.MEANS.items())
    return Standing(functions, frozenset(module.POINTS.split()), formulas, means)


def _for_all(over: str, text: str) -> Tree:
    """A formula for all values of the names before it: "x y: vector, i: whole"."""
    found = formula(text)
    for group in reversed([g for g in over.split(",") if g.strip()]):
        names, _, kind = group.partition(":")
        for name in reversed(names.split()):
            found = ("every", name, kind.strip(), found)
    return found


def _meaning(name: str, text: str) -> tuple[str, tuple[tuple[str, ...], Tree]]:
    """A name, perhaps with indices, and what it stands for."""
    _, left, right = formula(f"{name} == {text}")
    return (left, ((), right)) if isinstance(left, str) else (left[1], (tuple(left[2:]), right))
