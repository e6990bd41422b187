"""Mutation testing of the audit: does it refute what is false?

Every proved step is changed a little in many ways (fedproof.proof.mutants). A mutant counts where an exact
point found outside the engines breaks it (tests/proof/finder.py); each that counts must come back refuted.
`open` is a survivor; `proved` would be a catastrophe. The proving half is also asked alone, with and without
the multipliers that come with the step: it must not prove any mutant that counts.

Run: python -m benchmarks.mutation --per-step 8 --seed 1 --out mutation.jsonl (again: it goes on)
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterable
from itertools import zip_longest
from pathlib import Path
from typing import Any

from fedproof.bounds import catalog
from fedproof.proof import decide as deciding
from fedproof.proof.mutants import Mutant, mutants, unweighted
from fedproof.proof.rules.query import NotApplicable
from fedproof.proof.step import Step
from fedproof.proof.step_verdict import StepDecision
from tests.proof.finder import find

#: seconds an engine has when the proving half is asked alone
PROVING = 2.0


def chosen(step: Step, most: int, seed: int) -> list[Mutant]:
    """Some mutants of a step, all kinds in turn."""
    rng = random.Random(f"{seed} {step.id}")
    by_kind: dict[str, list[Mutant]] = {}
    for mutant in mutants(step):
        by_kind.setdefault(mutant.kind, []).append(mutant)
    for found in by_kind.values():
        rng.shuffle(found)
    kinds, picked = list(by_kind), []
    rng.shuffle(kinds)
    while len(picked) < most and kinds:
        for kind in list(kinds):
            if by_kind[kind] and len(picked) < most:
                picked.append(by_kind[kind].pop())
            elif not by_kind[kind]:
                kinds.remove(kind)
    return picked


def key(mutant: Mutant) -> str:
    """What a mutant is known by: its full text."""
    text = [str(mutant.step.claim), *(str(h.relation) for h in mutant.step.hypotheses)]
    return hashlib.sha256("\n".join([mutant.step.id, mutant.step.rule, *text]).encode()).hexdigest()[:16]


def verdict(step: Step) -> str:
    """What `decide` says, or the error it raises."""
    try:
        return deciding.decide(step).verdict
    except Exception as problem:
        return f"{type(problem).__name__}: {problem}"[:200]


def quick(step: Step) -> str:
    """What the first half of `decide` says, before any engine is asked."""
    for count in (deciding.FEW, deciding.CANDIDATES):
        try:
            if isinstance(deciding._break(deciding._ready(step), 1, count), StepDecision):
                return "refuted"
        except Exception as problem:
            return f"{type(problem).__name__}: {problem}"[:200]
    try:
        return "refuted" if deciding._search_out(deciding._ready(step), 1) is not None else "open"
    except Exception as problem:
        return f"{type(problem).__name__}: {problem}"[:200]


class _Late(BaseException):
    """The time for one proof is over."""


def _late(*_: object) -> None:
    raise _Late


def proves(step: Step) -> bool:
    """Whether the proving half alone proves it, in the time it has; any other error is one of ours."""
    signal.signal(signal.SIGALRM, _late)
    signal.setitimer(signal.ITIMER_REAL, 3 * PROVING)
    try:
        said = deciding._prove(deciding._ready(step), PROVING)
    except (NotApplicable, _Late):
        return False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return not isinstance(said, str) and said.verdict == "proved"


def row(mutant: Mutant, options: Any) -> dict[str, Any]:
    """What became of one mutant."""
    start = time.perf_counter()
    found = find(mutant.step, options.seed)
    done: dict[str, Any] = {
        "key": key(mutant), "step": mutant.step.id, "rule": mutant.step.rule, "kind": mutant.kind,
        "where": mutant.where, "what": mutant.what, "counted": found is not None,
    }  # fmt: skip
    done["finding"] = round(time.perf_counter() - start, 3)
    if found is not None:
        done["case"], done["point"] = found[0], {n: str(v) for n, v in found[1].items()}
        start = time.perf_counter()
        done["verdict"] = (quick if options.quick else verdict)(mutant.step)
        done["deciding"] = round(time.perf_counter() - start, 3)
        if options.prove:
            steps = {mutant.step, unweighted(mutant.step)}
            try:
                done["falsely proved"] = sum(map(proves, steps))
            except Exception as problem:
                done["falsely proved"] = f"{type(problem).__name__}: {problem}"[:200]
    return done


def table(rows: Iterable[dict[str, Any]]) -> str:
    """Refuted of counted: in all, by rule, by kind; what survived."""
    counted = [r for r in rows if r["counted"]]
    lines = []
    for title, by in (("all", None), ("rule", "rule"), ("kind", "kind")):
        groups = Counter(r[by] if by else "all" for r in counted)
        for name, count in groups.items():
            killed = sum(r["verdict"] == "refuted" for r in counted if not by or r[by] == name)
            lines.append(f"{title:5} {name:10} {killed}/{count} = {killed / count:.1%}")
    for r in counted:
        if r["verdict"] != "refuted":
            said = f"{r['step']} {r['where']} [{r['kind']}] {r['what']}"
            lines.append(f"{r['verdict']}: {said} | {r['case']} {r['point']}")
    failed = [r for r in counted if isinstance(r.get("falsely proved"), str)]
    lines += [f"error while proving: {r['step']} {r['what']}: {r['falsely proved']}" for r in failed]
    bad = [r for r in counted if r["verdict"] == "proved" or (r.get("falsely proved") and r not in failed)]
    lines.append(f"proved although false: {len(bad)}" + "".join(f"\n  {r}" for r in bad))
    return "\n".join(lines)


def main() -> None:
    """Run, and print the summary."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--paper", default="fedproxvr")
    parser.add_argument("--only", default="", help="steps whose id contains this")
    parser.add_argument("--per-step", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=25)
    parser.add_argument("--quick", action="store_true", help="ask the refuter alone, not the engines")
    parser.add_argument("--prove", action="store_true", help="ask the proving half alone too")
    parser.add_argument("--out", type=Path, default=Path("mutation.jsonl"))
    options = parser.parse_args()
    rows = [json.loads(line) for line in options.out.read_text().splitlines()] if options.out.exists() else []
    known, start = {r["key"] for r in rows}, time.monotonic()
    steps = [s for s in catalog.steps(options.paper) if options.only in s.id and verdict(s) == "proved"]
    sys.stdout.write(f"{len(steps)} steps proved, decided in {time.monotonic() - start:.0f} s\n")
    end = time.monotonic() + 60 * options.minutes
    waiting = [chosen(s, options.per_step, options.seed) for s in steps]
    turns = (m for turn in zip_longest(*waiting) for m in turn if m is not None)  # a few of every step first
    with options.out.open("a") as out:
        for mutant in turns:
            if time.monotonic() > end:
                break
            if key(mutant) not in known:
                rows.append(row(mutant, options))
                known.add(rows[-1]["key"])
                out.write(json.dumps(rows[-1]) + "\n")
                out.flush()
    sys.stdout.write(table(rows) + "\n")
    sys.stdout.write(f"{len(rows)} mutants, {sum(r['counted'] for r in rows)} broken by exact points\n")


if __name__ == "__main__":
    main()
