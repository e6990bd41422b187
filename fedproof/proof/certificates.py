"""Certificates that a paper ships: found once, checked by the kernel whenever a step is decided."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from hashlib import sha256
from importlib.resources.abc import Traversable
from typing import Any

import sympy as sp

from fedproof.algebra.expressions import NotAlgebraic
from fedproof.proof.certify import citing
from fedproof.proof.certify.beginning import begun, recursion
from fedproof.proof.certify.citing import Taken
from fedproof.proof.certify.translate import relation
from fedproof.proof.kernel.judgement import Judgement, checked
from fedproof.proof.kernel.trees import Rejected, Tree, alike, as_json, as_tree, free
from fedproof.proof.language.everywhere import applies
from fedproof.proof.language.saying import kinds, proves
from fedproof.proof.rules.query import NotApplicable
from fedproof.proof.sayings import (
    SIGN,
    citation,
    cites,
    fingerprint,
    listed,
    own_hypotheses,
    own_kinds,
    prepared,
    signs,
    whole_fingerprint,
)
from fedproof.proof.step import Applied, Step
from fedproof.vocabulary.discovery import folder_of, packages
from fedproof.vocabulary.errors import DataError
from fedproof.vocabulary.own_file import FORGET

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
    place = None if package is None else folder_of(package) / FILE
    return place if place is not None and place.is_file() else None


@cache
def stored(key: str) -> Mapping[str, Document]:
    """The certificates in a paper's folder, by step; a row `open` tells of a search that found none.

    Raises: DataError where a line has no id of its own.
    """
    place = _place(key)
    if place is None:
        return {}
    try:
        return Rows(place.read_text(encoding="utf-8-sig"), str(place))
    except UnicodeDecodeError as problem:
        raise DataError(str(place), str(problem), "UTF-8", "take the file that shipped") from None


class Rows(Mapping[str, Document]):
    """Certificates by step, each read when it is asked for.

    Arguments:
        text: a certificate a line; it is read at once only where the line does not begin with its `id`.
        place: what the text is called in errors.

    Raises: DataError.

    >>> Rows('{"id":"a","open":"no"}\\n{"id":"b"', FILE)["a"]["open"]
    'no'
    """

    def __init__(self, text: str, place: str) -> None:
        self._place = place
        self._lines: dict[str, tuple[int, str]] = {}
        self._read: dict[str, Document] = {}
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                begin = _ID.match(line)
                id = begin[1] if begin else str(self._row(number, line)["id"])
                if id in self._lines:
                    raise self._damaged(
                        number, f"{id} again", f"one row of it, as in line {self._lines[id][0]}"
                    )
                self._lines[id] = number, line

    def __getitem__(self, id: str) -> Document:
        """The certificate of a step.

        Raises: KeyError, DataError where it cannot be read or names another step.
        """
        if id not in self._read:
            number, line = self._lines[id]
            row = self._row(number, line)
            if row["id"] != id:
                raise self._damaged(number, f"another id later, {row['id']}", "one id")
            self._read[id] = row
        return self._read[id]

    def _row(self, number: int, line: str) -> Document:
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as problem:
            raise self._damaged(number, getattr(problem, "msg", "parts too deep"), "a JSON object") from None
        if not _shaped(row):
            raise self._damaged(number, repr(line[:40]), "an id with why it is open, or a certificate")
        return dict(row)

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)

    def _damaged(self, line: int, got: str, expected: str) -> DataError:
        cure = "take the file that shipped, or delete the line and run make certify"
        return DataError(f"{self._place}, line {line}", got, expected, cure)


def _shaped(row: Any) -> bool:
    """Whether a row has the parts of a certificate, of its closing too; what they say the kernel judges."""
    if not isinstance(row, dict) or not isinstance(row.get("id"), str):
        return False
    parts = [row, row["closing"]] if "closing" in row else [row]
    return ("open" in row and "lines" not in row) or all(map(_certificate, parts))


def _certificate(part: Any) -> bool:
    """Whether something has names, hypotheses with their origins, a claim and lines."""
    if not isinstance(part, dict) or "claim" not in part or not isinstance(part.get("names"), dict):
        return False
    given, lines, uses = part.get("given"), part.get("lines"), part.get("uses", [])
    if not (isinstance(given, list) and isinstance(lines, list) and isinstance(uses, list)):
        return False
    origins = [g["from"] if isinstance(g, dict) and "is" in g and "from" in g else None for g in given]
    return (
        all(isinstance(o, dict) and "kind" in o for o in origins)
        and all(isinstance(line, list) and len(line) == 2 for line in lines)
        and all(isinstance(u, str) for u in uses)
    )


_ID = re.compile(r'\{"id":\s*"([^"\\]+)"')


@dataclass(frozen=True)
class Proved:
    """A step whose certificate the kernel accepts for it as it stands.

    Arguments:
        step: as its author wrote it.
        document: the certificate.
        judgement: what the kernel says: everything it assumes, and the claim.
        cited: what it takes from steps that are cited, as it stands among its hypotheses.
        cut: whether the time was over before its closing was as good as can be.
    """

    step: Step
    document: Document
    judgement: Judgement
    cited: tuple[Taken, ...] = ()
    cut: bool = False

    @property
    def row(self) -> dict[str, Any]:
        """What a stranger's program checks."""
        return {"id": self.step.id} | {name: self.document[name] for name in CERTIFICATE}

    @cached_property
    def closed(self) -> Judgement | None:
        """What the kernel says of the closing, which uses the step alone; None where it accepts none."""
        closing, id = self.document.get("closing"), self.judgement.id
        if closing is None:
            return None
        try:
            return checked({**closing, "id": id, "uses": [id]}, {id: self.judgement})
        except (Rejected, LookupError, TypeError, ValueError, RecursionError):
            return None

    def of(self, step: Step) -> Proved:
        """The same proof of a step that says the same and stands elsewhere; its closing is checked once."""
        other = replace(self, step=step)
        vars(other)["closed"] = self.closed
        return other

    @property
    def own(self) -> tuple[int, ...]:
        """Which of the hypotheses are those that the step lists."""
        given = self.document["given"]
        return tuple(k for k, g in enumerate(given) if g["from"]["kind"] == "own")


@cache
def shipped(step: Step) -> Proved | None:
    """What the kernel says of a step by the certificate in its paper's folder, if there is a good one."""
    document = _row(step)
    if "lines" not in document:
        return None
    used = (shipped(h.step) for h in step.hypotheses if isinstance(h, Applied))
    return accepted(step, document, {p.step.id: p for p in used if p is not None})


FORGET += [stored.cache_clear, shipped.cache_clear]


def sought(step: Step) -> str:
    """Why a long search found no certificate, if the paper's file tells of one for the step as it stands."""
    row = _row(step)
    return str(row["open"]) if "open" in row and row.get("of") == whole_fingerprint(step) else ""


def _row(step: Step) -> Document:
    return stored(step.source.paper if step.source else "").get(step.id, {})


def accepted(step: Step, document: Document, known: Mapping[str, Proved]) -> Proved | None:
    """A step with a certificate: nothing unless it proves just what the step says.

    Its own hypotheses must be the step's, and what it uses must be used by the step and proved likewise.
    """
    try:
        own = citing.takes(step)
        if not set(document["uses"]) <= set(known) or not _says(document, step, own):
            return None
        judgement = checked(document, {id: known[id].judgement for id in document["uses"]})
        lines = as_tree(document["lines"])
        passed = tuple(dict.fromkeys(_passed(lines, known, ())))
        if not all(t.known(document["names"], judgement.given, lines) for t in passed):
            return None
        return Proved(step, document, judgement, (*own, *passed))
    except (Rejected, NotApplicable, NotAlgebraic):
        return None


def _passed(
    lines: Any, known: Mapping[str, Proved], around: tuple[tuple[str, Tree, Tree], ...]
) -> Iterator[Taken]:
    """What the steps that lines use take from those that they cite, as it reads here."""
    for said, (rule, *more) in lines:
        if rule == "use":
            values = dict(more[1])
            for taken in known[more[0]].cited:
                here = taken.at(values)
                for name, lo, hi in reversed(around):
                    here = here.over(name, lo, hi)
                yield here
        if rule == "all":
            yield from _passed(more[0], known, (*around, said[1:4]))


def _says(document: Document, step: Step, cited: Sequence[Taken]) -> bool:
    """Whether a certificate is about this step.

    What speaks of functions lists everything that it rests on, so that its certificate assumes nothing else.

    Its claim is the step's; what it calls the step's own hypotheses are; what the step takes from others it
    shows, line by line, as the step reads it; and it was found for what the step takes from whom and where,
    for what is carried up from there stands among its hypotheses. What a result that is cited needs is known
    before that is taken.
    """
    if applies(step):
        return document.get("step") == fingerprint(step) and proves(document, step)
    mine, ready = own_hypotheses(step), prepared(step)
    with sp.evaluate(True):
        own = [*(relation(g.relation) for g in mine), *begun(step, ready, {}).here.given]
        own += recursion(ready)
        taken = [relation(g.relation) for g in ready.given if not any(g is m for m in mine)]
        claim = relation(ready.claim)
    said = [as_tree(g["is"]) for g in document["given"] if g["from"]["kind"] == "own"]
    kinds = own_kinds(step)
    if any(kinds.get(n, k) != k and {kinds[n], k} != {"real", "whole"} for n, k in document["names"].items()):
        return False
    shown = [as_tree(line[0]) for line in document["lines"]]
    if document["claim"] != as_json(claim) or document.get("step") != fingerprint(step):
        return False
    if not all(any(alike(s, o) for o in own) for s in said):
        return False
    if not all(any(alike(line, t) for line in shown) for t in taken):
        return False
    given, lines = [as_tree(g["is"]) for g in document["given"]], as_tree(document["lines"])
    return all(found.known(document["names"], given, lines) for found in cited)


def whole_names(proved: Proved) -> set[str]:
    """The names that a certificate, or its closing, takes to be whole numbers, such as exponents."""
    closing = (proved.document.get("closing") or {}).get("names", {})
    said = [*proved.judgement.names.items(), *closing.items()]
    return {name for name, kind in said if kind == "whole"}


def counted(proved: Proved) -> tuple[str, ...]:
    """Names that a certificate takes to be whole numbers, which nothing that the step itself says tells."""
    own = {} if applies(proved.step) else own_kinds(proved.step)
    here = proved.document["names"]
    listed = [proved.judgement.given[k] for k in proved.own]
    shown = frozenset().union(*map(free, (*listed, proved.judgement.claim)))
    return tuple(sorted(n for n in shown if (here.get(n), own.get(n)) == ("whole", "real")))


def says(step: Step) -> dict[str, Any]:
    """The claim of a step, what it lists with reasons, the kinds of its names, and what it cites."""
    if applies(step):
        lists = [[as_json(tree), h.why] for h, tree in listed(step)]
        return {"claim": as_json(relation(step.claim)), "lists": lists, "kinds": kinds(step), "cites": []}
    given = [(tree, h.why) for h, tree in listed(step)] + [(tree, SIGN) for tree, _ in signs(step)]
    with sp.evaluate(True):
        given += [(tree, "") for tree in recursion(prepared(step))]
        cited = [citation(use, tree) for use, tree in cites(step)]
        claim = as_json(relation(prepared(step).claim))
        lists = [[as_json(tree), why] for tree, why in given]
        return {"claim": claim, "lists": lists, "kinds": own_kinds(step), "cites": cited}
