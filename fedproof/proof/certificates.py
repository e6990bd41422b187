"""Certificates that a paper ships: found once, checked by the kernel whenever a step is decided."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import sympy as sp

from fedproof.algebra.expressions import NotAlgebraic
from fedproof.proof.certify import citing
from fedproof.proof.certify.beginning import begun, recursion
from fedproof.proof.certify.translate import relation
from fedproof.proof.kernel.judgement import Judgement, checked
from fedproof.proof.kernel.trees import Rejected, Tree, alike, as_json, as_tree, free, substitute
from fedproof.proof.rules.normalise_step import meant, normalised
from fedproof.proof.rules.query import NotApplicable
from fedproof.proof.sayings import cites, fingerprint, own_hypotheses, own_kinds
from fedproof.proof.step import Applied, Step
from fedproof.vocabulary.discovery import packages

#: the file in a paper's folder: one certificate a line
FILE = "certificates.jsonl"

#: what a certificate says
CERTIFICATE = ("names", "given", "claim", "lines", "uses")
Document = Mapping[str, Any]


def sealed(key: str) -> str:
    """The digest of a paper's certificates, for what is stored by what it was made of."""
    place = _place(key)
    return "" if place is None else sha256(place.read_bytes()).hexdigest()


def _place(key: str) -> Traversable | None:
    """The file with a paper's certificates, or with those of lemmas that no paper has, if there is one."""
    package = packages().get(key) if key else __package__
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


@dataclass(frozen=True)
class Proved:
    """A step whose certificate the kernel accepts for it as it stands.

    Arguments:
        step: as its author wrote it.
        document: the certificate.
        judgement: what the kernel says: everything it assumes, and the claim.
        cited: what it takes from steps that are cited, by their ids, as it stands among its hypotheses.
    """

    step: Step
    document: Document
    judgement: Judgement
    cited: tuple[tuple[str, Tree], ...] = ()

    @property
    def row(self) -> dict[str, Any]:
        """What a stranger's program checks."""
        return {"id": self.step.id} | {name: self.document[name] for name in CERTIFICATE}

    @property
    def own(self) -> tuple[int, ...]:
        """Which of the hypotheses are those that the step lists."""
        given = self.document["given"]
        return tuple(k for k, g in enumerate(given) if g["from"]["kind"] == "own")


@cache
def shipped(step: Step) -> Proved | None:
    """What the kernel says of a step by the certificate in its paper's folder, if there is a good one."""
    document = stored(step.source.paper if step.source else "").get(step.id)
    if document is None:
        return None
    used = (shipped(h.step) for h in step.hypotheses if isinstance(h, Applied))
    return accepted(step, document, {p.step.id: p for p in used if p is not None})


def accepted(step: Step, document: Document, known: Mapping[str, Proved]) -> Proved | None:
    """A step with a certificate: nothing unless it proves just what the step says.

    Its own hypotheses must be the step's, and what it uses must be used by the step and proved likewise.
    """
    try:
        if not set(document["uses"]) <= set(known) or not _says(document, step):
            return None
        judgement = checked(document, {id: known[id].judgement for id in document["uses"]})
        here = ((use.step.id, tree) for use, tree in cites(step))
        cited = (*here, *_passed(as_tree(document["lines"]), known, ()))
        return Proved(step, document, judgement, tuple(dict.fromkeys(cited)))
    except (Rejected, NotApplicable, NotAlgebraic):
        return None


def _passed(
    lines: Any, known: Mapping[str, Proved], around: tuple[tuple[str, Tree, Tree], ...]
) -> Iterator[tuple[str, Tree]]:
    """What the steps that lines use take from those that they cite, as it reads here."""
    for said, (rule, *more) in lines:
        if rule == "use":
            values = dict(more[1])
            for id, tree in known[more[0]].cited:
                here = substitute(tree, values)
                for name, lo, hi in reversed(around):
                    here = ("all", name, lo, hi, here) if name in free(here) else here
                yield id, here
        if rule == "all":
            yield from _passed(more[0], known, (*around, said[1:4]))


def _says(document: Document, step: Step) -> bool:
    """Whether a certificate is about this step.

    Its claim is the step's; what it calls the step's own hypotheses are; what the step takes from others it
    shows, line by line, as the step reads it; and it was found for what the step takes from whom and where,
    for what is carried up from there stands among its hypotheses. What a result that is cited needs is known
    before that is taken.
    """
    with sp.evaluate(True):
        prepared = meant(normalised(step))
        mine = own_hypotheses(step, prepared)
        own = [*(relation(g.relation) for g in mine), *begun(step, prepared, {}).here.given]
        own += recursion(prepared)
        taken = [relation(g.relation) for g in prepared.given if not any(g is m for m in mine)]
        claim = relation(prepared.claim)
    said = [as_tree(g["is"]) for g in document["given"] if g["from"]["kind"] == "own"]
    kinds = own_kinds(step)
    if any(kinds.get(n, k) != k and {kinds[n], k} != {"real", "whole"} for n, k in document["names"].items()):
        return False
    shown = [as_tree(line[0]) for line in document["lines"]]
    if document["claim"] != as_json(claim) or document.get("step") != fingerprint(step):
        return False
    if not all(any(alike(s, o) for o in own) for s in said):
        return False
    for use in (h for h in step.hypotheses if isinstance(h, Applied) and h.step.rule == "cite"):
        said = [tree for other, tree in cites(step) if other is use]
        first = next((k for k, line in enumerate(shown) if any(alike(line, t) for t in said)), len(shown))
        citing.check(use, document["names"], shown[:first])
        if not all(any(alike(line, t) for line in shown[:first]) for t in citing.owed(step, use)):
            return False
    return all(any(alike(line, t) for line in shown) for t in taken)


def counted(proved: Proved) -> tuple[str, ...]:
    """Names that a certificate takes to be whole numbers, which nothing that the step itself says tells."""
    own = own_kinds(proved.step)
    here = proved.document["names"]
    listed = [proved.judgement.given[k] for k in proved.own]
    shown = frozenset().union(*map(free, (*listed, proved.judgement.claim)))
    return tuple(sorted(n for n in shown if (here.get(n), own.get(n)) == ("whole", "real")))
