"""Certificates that a paper ships: found once, checked by the kernel whenever a step is decided."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import sympy as sp

from fedproof.algebra.expressions import NotAlgebraic
from fedproof.proof.certify.beginning import begun
from fedproof.proof.certify.translate import relation
from fedproof.proof.kernel.judgement import Judgement, checked
from fedproof.proof.kernel.trees import Rejected, Tree, alike, as_json, as_tree
from fedproof.proof.rules.normalise_step import meant, normalised, tidy
from fedproof.proof.rules.query import NotApplicable
from fedproof.proof.step import Applied, Given, Step
from fedproof.vocabulary.discovery import packages

#: the file in a paper's folder: one certificate a line
FILE = "certificates.jsonl"

Document = Mapping[str, Any]


def sealed(key: str) -> str:
    """The digest of a paper's certificates, for what is stored by what it was made of."""
    place = _place(key)
    return "" if place is None else sha256(place.read_bytes()).hexdigest()


def _place(key: str) -> Traversable | None:
    """The file with a paper's certificates, if it has one."""
    package = packages().get(key)
    place = None if package is None else files(package) / FILE
    return place if place is not None and place.is_file() else None


@cache
def stored(key: str) -> Mapping[str, Document]:
    """The certificates in a paper's folder, by step."""
    place = _place(key)
    if place is None:
        return {}
    rows = (json.loads(line) for line in place.read_text(encoding="utf-8").splitlines())
    return {row["id"]: row for row in rows}


def certificate(step: Step) -> Document | None:
    """The certificate of a step, if its paper ships one that the kernel accepts for it as it stands."""
    if step.source is None or judgement(step, step.source.paper) is None:
        return None
    found = stored(step.source.paper)[step.id]
    return {name: value for name, value in found.items() if name not in ("id", "step")}


@cache
def judgement(step: Step, key: str) -> Judgement | None:
    """What the kernel says of a step: nothing unless a certificate proves just what the step says.

    Its own hypotheses must be the step's, and what it uses must be used by the step and proved likewise.

    Arguments:
        key: the paper whose folder has the certificate.
    """
    document = stored(key).get(step.id)
    if document is None:
        return None
    steps = {h.step.id: h.step for h in step.hypotheses if isinstance(h, Applied)}
    known = {id: found for id, used in steps.items() if (found := judgement(used, key)) is not None}
    try:
        if not set(document["uses"]) <= set(known) or not _says(document, step):
            return None
        return checked(document, {id: known[id] for id in document["uses"]})
    except (Rejected, NotApplicable, NotAlgebraic):
        return None


def _says(document: Document, step: Step) -> bool:
    """Whether a certificate is about this step.

    Its claim is the step's; what it calls the step's own hypotheses are; what the step takes from others it
    shows, line by line, as the step reads it; and it was found for what the step takes from whom and where,
    for what is carried up from there stands among its hypotheses.
    """
    with sp.evaluate(True):
        prepared = meant(normalised(step))
        mine = _own(step, prepared)
        own = {relation(g.relation) for g in mine} | set(begun(step, prepared, {}).here.given)
        taken = [relation(g.relation) for g in prepared.given if not any(g is m for m in mine)]
        claim = relation(prepared.claim)
    said = {as_tree(g["is"]) for g in document["given"] if g["from"]["kind"] == "own"}
    shown = [as_tree(line[0]) for line in document["lines"]]
    if document["claim"] != as_json(claim) or not said <= own or document.get("step") != fingerprint(step):
        return False
    return all(any(alike(line, t) for line in shown) for t in taken)


def fingerprint(step: Step) -> str:
    """What a step says and what it takes from other steps, as a digest."""
    said = [step.rule, str(step.claim)]
    for h in step.hypotheses:
        used = (h.step.id, h.at, h.over) if isinstance(h, Applied) else ()
        said += [str(h.relation), str(used)]
    return sha256("\n".join(said).encode()).hexdigest()


def _own(step: Step, prepared: Step) -> list[Given]:
    """Hypotheses of the prepared step that are not what another step says."""
    found: list[Given] = []
    at = 0
    for h in step.hypotheses:
        count = len(tidy(h.relation))
        if isinstance(h, Given):
            found += prepared.given[at : at + count]
        at += count
    return [*found, *prepared.given[at:]]


def rests_on(document: Document) -> list[dict[str, str]]:
    """What a certificate takes for granted besides the step's own hypotheses: kind, id, and the relation."""
    return [
        {"kind": g["from"]["kind"], "id": g["from"].get("id", ""), "text": text(as_tree(g["is"]))}
        for g in document["given"]
        if g["from"]["kind"] != "own"
    ]


def text(tree: Tree) -> str:
    """A tree as one line of plain mathematics.

    >>> text(("<=", ("*", "2", "x"), ("n2", ("+", "u", "v"))))
    '2*x <= n2(u + v)'
    """
    return _text(tree, 0)


def _text(tree: Tree, tight: int) -> str:
    if isinstance(tree, str):
        return f"({tree})" if tight and tree.startswith("-") else tree
    head, *parts = tree
    if head in ("<=", "<", "=", "!="):
        return f"{_text(parts[0], 0)} {head} {_text(parts[1], 0)}"
    if head == "all":
        return f"{_text(parts[3], 0)} for {parts[0]} = {_text(parts[1], 0)}..{_text(parts[2], 0)}"
    if head == "every":
        return f"{_text(parts[2], 0)} for every {parts[0]}"
    if head == "sum":
        return f"sum({_text(parts[3], 0)}, {parts[0]} = {_text(parts[1], 0)}..{_text(parts[2], 0)})"
    if head == "of":
        return f"{parts[0]}({', '.join(_text(p, 0) for p in parts[1:])})"
    if head == "+":
        said = " + ".join(_text(p, 1) for p in parts)
        return f"({said})" if tight >= 1 else said
    if head == "*":
        said = "*".join(_text(p, 2) for p in parts)
        return f"({said})" if tight >= 3 else said
    if head == "^":
        return f"{_text(parts[0], 3)}**{_text(parts[1], 3)}"
    return f"{head}({', '.join(_text(p, 0) for p in parts)})"
