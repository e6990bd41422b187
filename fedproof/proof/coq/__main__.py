"""Write audits as Coq files and let Coq check them: python -m fedproof.proof.coq DIR audit.json ..."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from fedproof.proof.coq.asking import ALLOWED, asked
from fedproof.proof.coq.compare import Differs, compare
from fedproof.proof.coq.files import certificates, collected
from fedproof.proof.coq.report import coverage
from fedproof.proof.coq.terms import lemma


def main(arguments: Sequence[str]) -> int:
    """Print what Coq accepts; 1 if a statement or an axiom is not as it should be, 2 without Coq."""
    asks = argparse.ArgumentParser(prog="python -m fedproof.proof.coq", description=__doc__)
    asks.add_argument("folder", type=Path, metavar="DIR", help="where the files of Coq are written")
    asks.add_argument("audits", type=Path, nargs="+", metavar="audit.json")
    asks.add_argument("-j", dest="workers", type=int, default=2, help="files that are checked at once (2)")
    given = asks.parse_args(arguments)
    say = sys.stdout.write
    if shutil.which("coqc") is None:
        say("coqc: not found, expected Coq 8.16 or newer; install it (Debian: apt-get install coq)\n")
        return 2
    began, folder = time.monotonic(), given.folder
    audits = [json.loads(p.read_text(encoding="utf-8")) for p in given.audits]
    steps = certificates(audits)
    collection = collected(steps)
    axioms, seconds = asked(folder, collection, given.workers)
    rows = {lemma(id): c for id, c in steps.items()}
    try:
        stated = [n for f in seconds for n in compare((folder / f"{f}.v").read_text(encoding="utf-8"), rows)]
    except Differs as why:
        say(f"a statement differs from its row: {why}\n")
        return 1
    wrong = sorted(axioms - ALLOWED)
    each = [certificates([a]) for a in audits]
    say("".join(f"{line}\n" for line in coverage(each, steps, {*stated}, collection.left)))
    say(f"axioms: {', '.join(sorted(axioms)) or 'none'}\n")
    say(f"NOT ALLOWED: {', '.join(wrong)}\n" if wrong else "")
    spent, slowest = sum(seconds.values()), max(seconds, key=lambda f: seconds[f], default="none")
    say(f"{time.monotonic() - began:.0f} s; Coq took {spent:.0f} s for {len(seconds)} files")
    say(f", most for {slowest}: {seconds[slowest]:.0f} s\n" if seconds else "\n")
    for name, content in (("left_out.json", collection.left), ("seconds.json", seconds)):
        (folder / name).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    return int(bool(wrong) or len(stated) != len(collection.lemmas))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
