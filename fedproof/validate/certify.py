"""Find the certificates of every step of papers, once: python -m fedproof.validate.certify [KEY ...]"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path

from fedproof.bounds import catalog
from fedproof.proof.certificates import FILE, Document, Proved, shipped, stored
from fedproof.proof.certify.live import ASKED, closed, searched
from fedproof.proof.language.lemmas import LEMMAS, SCALED
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


def certified(steps: tuple[Step, ...], seconds: float = SECONDS) -> dict[str, Proved | str]:
    """The proofs of steps and of those they use, or why none was found; what ships and is good is kept."""
    found: dict[str, Proved | str] = {}

    def certify(step: Step) -> None:
        if step.id in found or step.rule == "cite" or step.flaw:
            return
        for used in (h.step for h in step.hypotheses if isinstance(h, Applied)):
            certify(used)
        known = {id: p for id, p in found.items() if isinstance(p, Proved)}
        proved = shipped(step) or searched(step, known, seconds)
        found[step.id] = closed(proved, seconds) if isinstance(proved, Proved) else proved

    for step in steps:
        certify(step)
    return found


def questions(key: str) -> dict[str, Proved]:
    """The proofs of what a paper's statements come down to, beside the steps of their proofs."""
    for statement in catalog.statements(key):
        judge(statement)
    asked = (p for p in ASKED.values() if isinstance(p, Proved) and p.step.id.startswith(f"{key}.question."))
    return {p.step.id: p for p in sorted(asked, key=lambda p: p.step.id)}


def unfound(step: Step, why: str) -> Document:
    """The row that tells of a search which found no certificate of a step as it stands."""
    return {"id": step.id, "of": whole_fingerprint(step), "open": why}


def write(key: str, rows: Iterable[Document]) -> None:
    """Write a paper's certificates to its folder, and read them from there from now on."""
    lines = (json.dumps(row, separators=(",", ":"), ensure_ascii=False) + "\n" for row in rows)
    write_whole(place(key), "".join(lines).encode())
    for known in (stored, shipped):
        known.cache_clear()
    ASKED.clear()


def main(*keys: str) -> int:
    """Find what is missing of each paper, and say on stderr which steps have no certificate."""
    write("", [p.document for p in certified((*PROOF, *LEMMAS, SCALED)).values() if isinstance(p, Proved)])
    for key in keys or papers():
        steps = [s for s in catalog.steps(key) if s.rule != "cite" and not s.flaw]
        said = certified(tuple(steps))
        found = [p.document for p in said.values() if isinstance(p, Proved) and p.step.source is not None]
        left = {s: why for s in steps if isinstance(why := said[s.id], str)}
        write(key, found)
        asked = [p.document for p in questions(key).values()]
        write(key, [*found, *asked, *(unfound(s, why) for s, why in left.items())])
        sys.stderr.writelines(f"{s.id}: no certificate: {why}\n" for s, why in left.items())
        sys.stderr.write(
            f"{key}: {len(found)} steps with a certificate, {len(left)} without; {len(asked)} questions\n"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
