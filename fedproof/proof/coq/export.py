"""Rows of an audit as Coq lemmas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fedproof.proof.coq.needs import proposition
from fedproof.proof.coq.rules import finish
from fedproof.proof.coq.scope import Scope
from fedproof.proof.coq.terms import LeftOut, kind, lemma, name
from fedproof.proof.kernel.judgement import strings
from fedproof.proof.kernel.trees import as_tree, in_lowest_terms


def judged(certificate: Mapping[str, Any]) -> tuple[dict[str, str], tuple[Any, ...], Any]:
    """Names with kinds, hypotheses and claim of a certificate."""
    given = tuple(as_tree(g["is"]) for g in certificate["given"])
    return dict(certificate["names"]), given, as_tree(certificate["claim"])


def statement(certificate: Mapping[str, Any]) -> str:
    """The proposition that a certificate proves."""
    names, given, claim = judged(certificate)
    bound = [f"({name(n)} : {kind(k)})" for n, k in names.items()]
    if any("vector" in k for k in names.values()):
        bound.insert(0, "(V : Space)")
    parts = [*(proposition(g, names) for g in given), proposition(claim, names)]
    head = f"forall {' '.join(bound)},\n  " if bound else ""
    return head + " ->\n  ".join(parts)


def proof(certificate: Mapping[str, Any], used: Mapping[str, Any]) -> list[str]:
    """The tactics that prove it."""
    names, given, claim = judged(certificate)
    scope = Scope(dict(names), given, used)
    intro = [name(n) for n in names] + [f"G{k}" for k in range(len(given))]
    if any("vector" in k for k in names.values()):
        intro.insert(0, "V")
    scope.write(f"intros {' '.join(intro)}." if intro else "idtac.")
    finish(scope, as_tree(certificate["lines"]), claim)
    return scope.out


def written(id: str, certificate: Mapping[str, Any], used: Mapping[str, Any]) -> str:
    """The lemma of a step, with its proof.

    Raises: LeftOut where it is not said in the one way in which certificates write numbers.
    """
    if not all(map(in_lowest_terms, strings((*judged(certificate)[1:], as_tree(certificate["lines"]))))):
        raise LeftOut("a number that is not in lowest terms")
    tactics = "\n".join(proof(certificate, used))
    return f"Lemma {lemma(id)} : {statement(certificate)}.\nProof.\n{tactics}\nQed.\n"
