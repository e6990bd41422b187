"""Find the certificates of papers' steps, once: python -m fedproof.validate.certify [KEY ...] [-j N]"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from pathlib import Path

from joblib import cpu_count

from fedproof.proof.certificates import FILE, Document, shipped, stored
from fedproof.proof.sayings import whole_fingerprint
from fedproof.proof.step import Step
from fedproof.validate import certifiers
from fedproof.validate.certifying import steps_of, with_used
from fedproof.vocabulary.discovery import folder_of, packages
from fedproof.vocabulary.errors import FedproofError
from fedproof.vocabulary.files import folder_for, write_whole
from fedproof.vocabulary.papers import papers


def place(key: str) -> Path:
    """The file with a paper's certificates, or with those of the lemmas."""
    return Path(str(folder_of(packages()[key] if key else "fedproof.proof") / FILE))


def unfound(step: Step, why: str) -> Document:
    """The row that tells of a search which found no certificate of a step as it stands."""
    return {"id": step.id, "of": whole_fingerprint(step), "open": why}


def write(key: str, rows: Iterable[Document]) -> None:
    """Write a paper's certificates to its folder, and read them from there from now on."""
    lines = (json.dumps(row, separators=(",", ":"), ensure_ascii=False) + "\n" for row in rows)
    write_whole(folder_for(place(key).parent) / FILE, "".join(lines).encode())
    for known in (stored, shipped):
        known.cache_clear()


def rows(key: str, said: Mapping[str, Document | str]) -> tuple[list[Document], list[Document]]:
    """A paper's certificates, and the rows of its steps that have none."""
    steps = with_used(steps_of(key))
    own = {id: s for id, s in steps.items() if s.source is not None or not key}
    found = [d for id in own if not isinstance(d := said[id], str)]
    return found, [unfound(s, why) for s in steps_of(key) if isinstance(why := said[s.id], str)]


def shipped_questions(key: str) -> list[Document]:
    """The certificates of what statements come down to that lie in a paper's folder: none is sought anew."""
    return [row for id, row in stored(key).items() if id.startswith(f"{key}.question.")]


def main(*keys: str, jobs: int = 1) -> int:
    """Find what is missing of each paper, and say on stderr which steps have no certificate.

    Arguments:
        keys: of papers; none means all.
        jobs: how many processes search.
    """
    chosen = keys or tuple(papers())
    said = certifiers.steps(("", *chosen), jobs)
    found = {key: rows(key, said[key]) for key in said}
    for key, (proved, _) in found.items():
        write(key, [*proved, *shipped_questions(key)])
    asked = certifiers.questions(chosen, jobs)
    for key in chosen:
        proved, left = found[key]
        write(key, [*proved, *(asked[key][id] for id in sorted(asked[key])), *left])
        sys.stderr.writelines(f"{row['id']}: no certificate: {row['open']}\n" for row in left)
        sys.stderr.write(
            f"{key}: {len(proved)} steps with a certificate, {len(left)} without;"
            f" {len(asked[key])} questions\n"
        )
    return 0


if __name__ == "__main__":
    asks = ArgumentParser(prog="fedproof.validate.certify", description=__doc__)
    asks.add_argument("keys", nargs="*", metavar="KEY", help="of a paper; none means all")
    asks.add_argument("-j", "--jobs", type=int, default=cpu_count(), help="processes; by default the cores")
    given = asks.parse_args()
    certifiers.collect_rarely()
    try:
        sys.exit(main(*given.keys, jobs=given.jobs))
    except FedproofError as problem:
        sys.stderr.write(f"{problem}\n")
        sys.exit(2)
