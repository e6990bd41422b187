"""Write audits as Coq files and let Coq check them: python -m fedproof.proof.coq DIR audit.json ..."""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from fedproof.proof.coq.asking import ALLOWED, asked
from fedproof.proof.coq.compare import Differs, compare
from fedproof.proof.coq.files import certificates, closes, collected
from fedproof.proof.coq.terms import lemma


def main(arguments: Sequence[str]) -> int:
    """Print what Coq accepts; 1 if a statement or an axiom is not as it should be, 2 without Coq."""
    say = sys.stdout.write
    if shutil.which("coqc") is None or shutil.which("coqtop") is None:
        say("coqc: not found, expected Coq 8.16 or newer; install it (Debian: apt-get install coq)\n")
        return 2
    began = time.monotonic()
    folder, *paths = map(Path, arguments)
    steps = certificates(json.loads(p.read_text(encoding="utf-8")) for p in paths)
    collection = collected(steps)
    axioms, names = asked(folder, collection)
    rows = {lemma(id): c for id, c in steps.items()}
    try:
        stated = [n for f in names for n in compare((folder / f"{f}.v").read_text(encoding="utf-8"), rows)]
    except Differs as why:
        say(f"a statement differs from its row: {why}\n")
        return 1
    wrong = sorted(axioms - ALLOWED)
    shut = [id for id in steps if closes(id)]
    done = len({lemma(id) for id in shut} & {*stated})
    say(f"covered: {len(stated) - done} of {len(steps) - len(shut)} proved steps, ")
    say(f"{done} of {len(shut)} closings; each lemma states what its row says\n")
    for left, count in collection.classes():
        say(f"not covered: {count}: {left}\n")
    say(f"axioms: {', '.join(sorted(axioms)) or 'none'}\n")
    say(f"NOT ALLOWED: {', '.join(wrong)}\n" if wrong else "")
    say(f"{time.monotonic() - began:.0f} s\n")
    (folder / "left_out.json").write_text(json.dumps(collection.left, indent=1) + "\n", encoding="utf-8")
    return int(bool(wrong) or len(stated) != len(collection.lemmas))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
