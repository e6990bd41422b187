"""Find the certificates of every step of papers, once: python -m fedproof.validate.certify [KEY ...]"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path

from fedproof.bounds import catalog
from fedproof.proof.certificates import FILE, Document, Proved, shipped, stored
from fedproof.proof.certify.live import ASKED, closed, proof, searched
from fedproof.proof.lemmas import PROOF
from fedproof.proof.sayings import whole_fingerprint
from fedproof.proof.step import Applied, Step
from fedproof.validate.audit import judge
from fedproof.vocabulary.discovery import packages
from fedproof.vocabulary.files import write_whole
from fedproof.vocabulary.papers import papers

#: processor time after which a search for one certificate is given up
SECONDS = 60.0


def place(key: str) -> Path:
    """The file with a paper's certificates, or with those of the lemmas."""
    return Path(str(files(packages()[key] if key else "fedproof.proof") / FILE))


def certified(steps: tuple[Step, ...], seconds: float = SECONDS) -> dict[str, Proved]:
    """The proofs of steps and of those that they use; what ships and is good is taken over."""
    found: dict[str, Proved] = {}
    seen: set[str] = set()

    def certify(step: Step) -> None:
        if step.id in seen or step.rule == "cite" or step.flaw:
            return
        seen.add(step.id)
        for used in (h.step for h in step.hypotheses if isinstance(h, Applied)):
            certify(used)
        proved = shipped(step) or searched(step, found, seconds)
        if isinstance(proved, Proved):
            found[step.id] = closed(proved, seconds)

    for step in steps:
        certify(step)
    return found


def questions(key: str) -> dict[str, Proved]:
    """The proofs of what a paper's statements come down to, beside the steps of their proofs."""
    for statement in catalog.statements(key):
        judge(statement)
    asked = (p for p in ASKED.values() if isinstance(p, Proved) and p.step.id.startswith(f"{key}.question."))
    return {p.step.id: p for p in sorted(asked, key=lambda p: p.step.id)}


def left_open(steps: Iterable[Step], seconds: float = SECONDS) -> list[Document]:
    """Of steps without a certificate, why the search found none."""
    found = ((s, proof(s, seconds)) for s in steps)
    return [{"id": s.id, "of": whole_fingerprint(s), "open": why} for s, why in found if isinstance(why, str)]


def write(key: str, rows: Iterable[Document]) -> None:
    """Write a paper's certificates to its folder, and read them from there from now on."""
    lines = (json.dumps(row, separators=(",", ":"), ensure_ascii=False) + "\n" for row in rows)
    write_whole(place(key), "".join(lines).encode())
    for known in (stored, shipped):
        known.cache_clear()
    ASKED.clear()


def main(*keys: str) -> int:
    """Find what is missing of each paper, and say on stderr which steps have no certificate."""
    write("", [p.document for p in certified(PROOF).values()])
    for key in keys or papers():
        steps = catalog.steps(key)
        found = {id: p for id, p in certified(steps).items() if p.step.source is not None}
        write(key, [p.document for p in found.values()])
        asked = questions(key)
        without = [s for s in steps if s.id not in found and s.rule != "cite" and not s.flaw]
        rows = [p.document for p in (*found.values(), *asked.values())]
        write(key, [*rows, *left_open(without)])
        sys.stderr.writelines(f"{s.id}: no certificate\n" for s in without)
        sys.stderr.write(
            f"{key}: {len(found)} steps with a certificate, {len(without)} without; {len(asked)} questions\n"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
