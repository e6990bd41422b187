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
from fedproof.proof.certify.beginning import begun, recursion
from fedproof.proof.certify.translate import expression, kinds_of, relation
from fedproof.proof.kernel.judgement import Judgement, checked
from fedproof.proof.kernel.trees import Rejected, Tree, alike, as_json, as_tree, free, substitute
from fedproof.proof.language.everywhere import applies
from fedproof.proof.obligations import owed
from fedproof.proof.rules.normalise_step import meant, normalised, tidy
from fedproof.proof.rules.query import NotApplicable
from fedproof.proof.sequences import is_sequence_term
from fedproof.proof.step import Applied, Given, Step
from fedproof.vocabulary.discovery import packages

#: the file in a paper's folder: one certificate a line
FILE = "certificates.jsonl"

#: what a certificate says
CERTIFICATE = ("names", "given", "claim", "lines", "uses")
Document = Mapping[str, Any]

#: the reason of what a symbol or a sequence of a step assumes of its sign, beside what the step lists
SIGN = "sign of a name"


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
        here = ((use.step.id, tree) for use, tree in _cites(step))
        cited = (*here, *_passed(as_tree(document["lines"]), known, ()))
        return Proved(step, document, judgement, tuple(dict.fromkeys(cited)))
    except (Rejected, NotApplicable, NotAlgebraic):
        return None


def _cites(step: Step) -> Iterator[tuple[Applied, Tree]]:
    """What a step takes from those that it cites, as it reads them."""
    with sp.evaluate(True):
        prepared = meant(normalised(step))
    at = 0
    for h in step.hypotheses:
        here = prepared.given[at : at + len(tidy(h.relation))]
        at += len(here)
        if isinstance(h, Applied) and h.step.rule == "cite":
            yield from ((h, relation(g.relation)) for g in here)


def _cited(use: Applied, tree: Tree) -> list[Any]:
    """A row's entry: who says it, what is said here, the values of its names, and the index it is for."""
    terms = [(key, expression(value)) for key, value in use.at]
    values = [
        [key.func.__name__, ["map", [key.args[0].name], as_json(value)]]
        if is_sequence_term(key)
        else [key.name, as_json(value)]
        for key, value in terms
    ]
    return [use.step.id, as_json(tree), values, "" if use.over is None else use.over[0].name]


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


def _owed(step: Step) -> Iterator[Tree]:
    """What steps that are cited need, as it reads where they are cited."""
    with sp.evaluate(True):
        for use in (h for h in step.hypotheses if isinstance(h, Applied) and h.step.rule == "cite"):
            yield from (relation(r) for r in owed(step, use))


def _says(document: Document, step: Step) -> bool:
    """Whether a certificate is about this step.

    Its claim is the step's; what it calls the step's own hypotheses are; what the step takes from others it
    shows, line by line, as the step reads it; and it was found for what the step takes from whom and where,
    for what is carried up from there stands among its hypotheses.
    """
    with sp.evaluate(True):
        prepared = meant(normalised(step))
        mine = _own(step, prepared)
        own = [*(relation(g.relation) for g in mine), *begun(step, prepared, {}).here.given]
        own += recursion(prepared)
        taken = [relation(g.relation) for g in prepared.given if not any(g is m for m in mine)]
        claim = relation(prepared.claim)
    said = [as_tree(g["is"]) for g in document["given"] if g["from"]["kind"] == "own"]
    kinds = _kinds(step)
    if any(kinds.get(n, k) != k and {kinds[n], k} != {"real", "whole"} for n, k in document["names"].items()):
        return False
    shown = [as_tree(line[0]) for line in document["lines"]]
    if document["claim"] != as_json(claim) or document.get("step") != fingerprint(step):
        return False
    if not all(any(alike(s, o) for o in own) for s in said):
        return False
    return all(any(alike(line, t) for line in shown) for t in (*taken, *_owed(step)))


def counted(proved: Proved) -> tuple[str, ...]:
    """Names that a certificate takes to be whole numbers, which nothing that the step itself says tells."""
    own = _kinds(proved.step)
    here = proved.document["names"]
    listed = [proved.judgement.given[k] for k in proved.own]
    shown = frozenset().union(*map(free, (*listed, proved.judgement.claim)))
    return tuple(sorted(n for n in shown if (here.get(n), own.get(n)) == ("whole", "real")))


def _kinds(step: Step) -> dict[str, str]:
    """The kinds of names as a step itself says them, whatever it uses."""
    with sp.evaluate(True):
        prepared = meant(normalised(step))
        said = [prepared.claim, *(g.relation for g in _own(step, prepared))]
        how = prepared.induction
        if how is not None:
            said += [e for row in how.state for e in row]
        return kinds_of(*said) | ({} if how is None else {how.index.name: "whole"})


def says(step: Step) -> dict[str, Any]:
    """The claim of a step, what it lists with reasons, the kinds of its names, and what it cites."""
    if applies(step):
        from fedproof.proof.certify.language import kinds
        from fedproof.proof.certify.language import listed as all_listed

        lists = [[as_json(tree), why] for tree, why in all_listed(step)]
        return {"claim": as_json(relation(step.claim)), "lists": lists, "kinds": kinds(step), "cites": []}
    given = [(tree, h.why) for h, tree in listed(step)] + [(tree, SIGN) for tree, _ in signs(step)]
    with sp.evaluate(True):
        prepared = meant(normalised(step))
        given += [(tree, "") for tree in recursion(prepared)]
        cites = [_cited(use, tree) for use, tree in _cites(step)]
        claim = as_json(relation(prepared.claim))
        lists = [[as_json(tree), why] for tree, why in given]
        return {"claim": claim, "lists": lists, "kinds": _kinds(step), "cites": cites}


def reasons(step: Step) -> tuple[tuple[Tree, str], ...]:
    """What a step assumes with a reason: the relation, and the words."""
    return (*((tree, h.why) for h, tree in listed(step) if h.why), *((tree, SIGN) for tree, _ in signs(step)))


def signs(step: Step) -> tuple[tuple[Tree, Any], ...]:
    """What symbols and sequences of a step assume of their sign; of symbols also with plain real ones."""
    with sp.evaluate(True):
        prepared = meant(normalised(step))
        count = sum(len(tidy(h.relation)) for h in step.hypotheses if isinstance(h, Given))
        assumed: list[Any] = [g.relation for g in _own(step, prepared)[count:]]
        names = {s: sp.Symbol(s.name, real=True) for r in assumed for s in r.free_symbols}
        symbols = [(relation(r), r.xreplace(names)) for r in assumed]
        return (*symbols, *((tree, None) for tree in begun(step, prepared, {}).here.given))


def listed(step: Step) -> tuple[tuple[Given, Tree], ...]:
    """The hypotheses that a step lists, each with its relations as certificates have them."""
    with sp.evaluate(True):
        trees = iter([relation(g.relation) for g in _own(step, meant(normalised(step)))])
    own = (h for h in step.hypotheses if isinstance(h, Given))
    return tuple((h, next(trees)) for h in own for _ in tidy(h.relation))


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
