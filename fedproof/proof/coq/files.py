"""Lemmas as files of Coq, in an order in which each uses only those before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fedproof.proof.coq.export import judged, written
from fedproof.proof.coq.terms import LeftOut, lemma
from fedproof.proof.kernel.trees import Rejected

#: the last part of the id of a closing, which no step has
CLOSING = "closing'"
#: letters of proof in a file
SIZE = 250_000


@dataclass
class Collection:
    """What is written, and what is left out by which class.

    Arguments:
        steps: the proved steps.
        lemmas: the text of each that is written.
        left: the class of each that is left out.
        files: the ids in each file.
    """

    steps: dict[str, Any]
    lemmas: dict[str, str] = field(default_factory=dict)
    left: dict[str, str] = field(default_factory=dict)
    files: dict[str, list[str]] = field(default_factory=dict)

    def drop(self, id: str, why: str) -> None:
        """Leave out a step, and those that use it."""
        if id in self.lemmas:
            del self.lemmas[id]
        self.left.setdefault(id, why)
        for other in [i for i in self.lemmas if id in self.steps[i]["uses"]]:
            self.drop(other, "uses a step that is left out")

    def text(self, name: str) -> str:
        """A file of Coq."""
        ids = [i for i in self.files[name] if i in self.lemmas]
        used = {u for i in ids for u in self.steps[i]["uses"]}
        needed = sorted(f for f, own in self.files.items() if f != name and used & {*own})
        parts = ["From Coq Require Import Reals.\n", f"Require Import {' '.join(['Fedproof', *needed])}.\n"]
        parts += ["Open Scope R_scope.\n", "Set Default Timeout 300.\n\n"]
        parts += [self.lemmas[i] + "\n" for i in ids]
        return "".join(parts)

    def every(self) -> str:
        """A file that asks, of all lemmas and the model of vectors at once, on which axioms they rest."""
        parts = [f"Require Import {' '.join(['Fedproof', *self.files])}.\n\n", "Definition every : True :=\n"]
        parts += [f"  let _ := {n} in\n" for n in ("Rn", *map(lemma, self.lemmas))]
        return "".join([*parts, "  I.\n\n", "Print Assumptions every.\n"])

    def needed(self, name: str) -> set[str]:
        """The files that one requires."""
        used = {u for i in self.files[name] for u in self.steps[i]["uses"]}
        return {f for f, own in self.files.items() if f != name and used & {*own}}


def closes(id: str) -> bool:
    """Whether it is the id of a closing."""
    return id.endswith("." + CLOSING)


def certificates(documents: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The certificates of the proved steps of audits, and their closings, each after those that it uses."""
    rows = [r for d in documents for r in (*d["steps"], *d.get("basis", ()))]
    proved = [r for r in rows if r["verdict"] == "proved" and r.get("certificate")]
    found = {r["id"]: r["certificate"] for r in proved}
    found |= {f"{r['id']}.{CLOSING}": r["closing"] | {"uses": [r["id"]]} for r in proved if r.get("closing")}
    ordered: dict[str, Any] = {}

    def visit(id: str) -> None:
        if id not in ordered and id in found:
            for u in found[id]["uses"]:
                visit(u)
            ordered[id] = found[id]

    for id in found:
        visit(id)
    return ordered


def collected(steps: Mapping[str, Any]) -> Collection:
    """The lemmas of steps, in files."""
    collection = Collection(dict(steps))
    used = {id: judged(c) for id, c in steps.items()}
    for id, certificate in steps.items():
        if lemma(id) in {lemma(i) for i in collection.lemmas}:
            collection.left[id] = "a name that another lemma has"
            continue
        if any(u not in collection.lemmas for u in certificate["uses"]):
            collection.left[id] = "uses a step that is left out"
            continue
        try:
            collection.lemmas[id] = written(id, certificate, used)
        except LeftOut as why:
            collection.left[id] = str(why)
        except Rejected:
            collection.left[id] = "a form that is not read"
    sizes: dict[str, int] = {}
    for id in collection.lemmas:
        paper = id.split(".")[0]
        k = sizes.get(paper, 0) // SIZE
        sizes[paper] = sizes.get(paper, 0) + len(collection.lemmas[id])
        collection.files.setdefault(f"{paper}{k}", []).append(id)
    return collection
