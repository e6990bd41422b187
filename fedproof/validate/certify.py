"""Find the certificates of every step of papers, once: python -m fedproof.validate.certify [KEY ...]"""

from __future__ import annotations

import json
import signal
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

from fedproof.algebra.expressions import NotAlgebraic
from fedproof.bounds import catalog
from fedproof.proof.certificates import FILE, Document, fingerprint, judgement, stored
from fedproof.proof.certify.beginning import Known
from fedproof.proof.certify.steps import document
from fedproof.proof.certify.writer import NotFound
from fedproof.proof.kernel.judgement import checked
from fedproof.proof.kernel.trees import Rejected
from fedproof.proof.rules.query import NotApplicable
from fedproof.proof.step import Applied, Step
from fedproof.vocabulary.discovery import packages
from fedproof.vocabulary.files import write_whole
from fedproof.vocabulary.papers import papers

#: processor time after which a search for one certificate is given up
SECONDS = 60.0


class Certifier:
    """Finds certificates of steps, those they use first; what is stored and good is taken over."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.known: dict[str, Known] = {}
        self.documents: dict[str, Document] = {}
        self.without: dict[str, str] = {}

    def certify(self, step: Step) -> None:
        """Find the certificate of a step, or note why there is none."""
        if step.id in self.documents or step.id in self.without or step.rule == "cite" or step.flaw:
            return
        for used in (h.step for h in step.hypotheses if isinstance(h, Applied)):
            self.certify(used)
        try:
            old = judgement(step, self.key)
            found = self._found(step) if old is None else stored(self.key)[step.id]
            earlier = {id: self.known[id].judgement for id in found["uses"]}
            self.known[step.id] = Known(step, old or checked(found, earlier))
            self.documents[step.id] = {**found, "step": fingerprint(step)}
        except (NotFound, Rejected, NotApplicable, NotAlgebraic) as problem:
            self.without[step.id] = str(problem)

    def _found(self, step: Step) -> Document:
        """The certificate that a search finds within so much processor time.

        Raises: NotFound.
        """

        def stop(*_: Any) -> None:
            raise NotFound(f"none within {SECONDS} s of processor time")

        before = signal.signal(signal.SIGPROF, stop)
        signal.setitimer(signal.ITIMER_PROF, SECONDS, 1.0)  # again, where a search passes over it
        try:
            return document(step, self.known)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, before)


def main(*keys: str) -> int:
    """Write each paper's certificates to its folder, and say on stderr which steps have none."""
    for key in keys or papers():
        found = Certifier(key)
        for step in catalog.steps(key):
            found.certify(step)
        rows = [json.dumps(d, separators=(",", ":"), ensure_ascii=False) for d in found.documents.values()]
        write_whole(Path(str(files(packages()[key]) / FILE)), "".join(f"{row}\n" for row in rows).encode())
        for id, problem in found.without.items():
            sys.stderr.write(f"{id}: no certificate: {problem[:200]}\n")
        sys.stderr.write(f"{key}: {len(rows)} certificates, {len(found.without)} steps without\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
