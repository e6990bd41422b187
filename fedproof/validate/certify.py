"""Find the certificates of every step of papers, once: python -m fedproof.validate.certify [KEY ...]"""

from __future__ import annotations

import json
import sys
from importlib.resources import files
from pathlib import Path

from fedproof.bounds import catalog
from fedproof.proof.certificates import FILE, Document, Proved, shipped
from fedproof.proof.certify.live import searched
from fedproof.proof.step import Applied, Step
from fedproof.vocabulary.discovery import packages
from fedproof.vocabulary.files import write_whole
from fedproof.vocabulary.papers import papers

#: processor time after which a search for one certificate is given up
SECONDS = 60.0


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
            found[step.id] = proved

    for step in steps:
        certify(step)
    return found


def row(document: Document) -> str:
    """One line of the file in a paper's folder."""
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False) + "\n"


def main(*keys: str) -> int:
    """Write each paper's certificates to its folder, and say on stderr which steps have none."""
    for key in keys or papers():
        steps = catalog.steps(key)
        found = certified(steps)
        rows = "".join(row(p.document) for p in found.values())
        write_whole(Path(str(files(packages()[key]) / FILE)), rows.encode())
        without = [s.id for s in steps if s.id not in found and s.rule != "cite" and not s.flaw]
        sys.stderr.writelines(f"{id}: no certificate\n" for id in without)
        sys.stderr.write(f"{key}: {len(found)} certificates, {len(without)} steps without\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
