"""Random certificates, and points at which what a checker accepts is held against the numbers.

    python -m tests.proof.attack.judgements 0 100000

makes those of the seeds 0 to 99,999 and prints each that the kernel or `recheck.py` accepts and some point
breaks: its hypotheses hold there, and its claim is false or has no value. At the end: how many lines were
made, how many of them each of the two accepted, at how many points they were looked at, and how many are
false.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fedproof.proof.kernel.judgement import checked
from fedproof.proof.kernel.trees import Rejected, as_json, as_tree, substitute
from fedproof.validate import recheck as script
from tests.proof.attack.points import Unknown, holds, points
from tests.proof.attack.trees import KINDS, Trees, put
from tests.proof.attack.ways import Line, Proof

Row = dict[str, Any]
BASE = "r"
#: points at which a judgement is looked at
POINTS = 40


def words(tree: Any) -> set[str]:
    """Every text within a tree, but for the names of a used step that get values."""
    if not isinstance(tree, list):
        return {tree} if isinstance(tree, str) else set()
    spoken = [value for _, value in tree[2]] if tree[:1] == ["use"] else tree
    return set().union(*map(words, spoken))


def row(claim: Any, given: list[Any], lines: list[Line], uses: tuple[str, ...] = ()) -> Row:
    """A certificate with those names that it speaks of."""
    spoken = words([claim, given, lines])
    return {
        "names": {n: k for n, k in KINDS.items() if n in spoken}, "claim": claim, "uses": list(uses),
        "given": [{"is": g, "from": {}} for g in given],
        "lines": [*([g, ["given", k]] for k, g in enumerate(given)), *lines],
    }  # fmt: skip


@dataclass(frozen=True)
class Tried:
    """A certificate, a step that it uses, who takes it, and what points say.

    Arguments:
        at: a point at which the hypotheses hold and the claim does not.
        looked: at how many it was looked at.
    """

    certificate: Row
    base: Row | None
    kernel: bool
    script: bool
    at: dict[str, Any] | None
    looked: int


def accepted(certificate: Row, base: Row | None = None) -> tuple[bool, bool]:
    """Whether the kernel and whether the script take a certificate, with the step that it uses."""
    try:
        known = {} if base is None else {BASE: checked({**base, "id": BASE}, {})}
        checked({**certificate, "id": "s"}, known)
        kernel = True
    except Rejected:
        kernel = False
    try:
        script._verified(certificate, {} if base is None else {BASE: script._verified(base, {})})
        standalone = True
    except Exception:
        standalone = False
    return kernel, standalone


def tried(certificate: Row, seed: int, base: Row | None = None) -> Tried:
    """A certificate as the checkers and points at random see it."""
    kernel, standalone = accepted(certificate, base)
    looked = 0
    given = [g["is"] for g in certificate["given"]]
    for at in points(certificate["names"], given, seed, POINTS) if kernel or standalone else ():
        try:
            if not holds(certificate["claim"], at):
                return Tried(certificate, base, kernel, standalone, at, looked + 1)
        except Unknown:
            continue
        looked += 1
    return Tried(certificate, base, kernel, standalone, None, looked)


def judged(seed: int, tries: int = 12) -> Iterator[Tried]:
    """The certificates of a seed, and some that use one of them with other values for its names."""
    proof = Proof(seed)
    for k in range(tries):
        line = proof.line()
        found = tried(row(line[0], proof.given, [*proof.lines, line]), seed * 31 + k)
        yield found
        if found.at is None and found.kernel and found.script:
            if len(proof.lines) < 6:
                proof.lines.append(line)
            if proof.t.chance(0.3):
                yield tried(used(proof.t, found.certificate), seed * 31 + k, found.certificate)


def used(t: Trees, base: Row) -> Row:
    """A certificate that uses another one, with values for some of its names, and assumes what that asks."""
    spoken = words([base["claim"], [g["is"] for g in base["given"]]])
    values = {n: t.value(k) for n, k in base["names"].items() if n in spoken and t.chance(0.6)}
    trees = {n: as_tree(v) for n, v in values.items()}

    def here(tree: Any) -> Any:
        return as_json(substitute(as_tree(tree), trees)) if t.chance(0.9) else put(tree, values)

    given = [here(g["is"]) for g in base["given"]]
    meant = [["=", v, v] for v in values.values() if not (isinstance(v, list) and v[0] == "map")]
    more = [line for line in meant if t.chance(0.7)]
    by = ["use", BASE, [[n, v] for n, v in values.items()], [*range(len(given))]]
    return row(here(base["claim"]), [*given, *more], [[here(base["claim"]), by]], (BASE,))


def main(first: int, count: int) -> int:
    """Print what is false, and how much was tried."""
    tally: Counter[str] = Counter()
    for seed in range(first, first + count):
        for found in judged(seed):
            tally += Counter(lines=1, points=found.looked, kernel=found.kernel, script=found.script)
            tally += Counter(apart=found.kernel is not found.script, false=found.at is not None)
            tally += Counter(uses=found.base is not None, used=found.base is not None and found.kernel)
            if found.at is not None:
                where = {n: str(v) for n, v in found.at.items() if not callable(v)}
                who = [name for name in ("kernel", "script") if getattr(found, name)]
                told = json.dumps([found.base, found.certificate])
                sys.stdout.write(f"{seed}: accepted by {who}, false at {where}: {told}\n")
    sys.stdout.write(f"{dict(tally)}\n")
    return int(tally["false"] > 0)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
