"""How much of what is proved Coq accepts, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from fedproof.proof.coq.files import closes
from fedproof.proof.coq.terms import lemma


def coverage(steps: Mapping[str, Any], accepted: set[str], left: Mapping[str, str]) -> list[str]:
    """Lines on how many steps Coq accepts, of each paper and of all, and what it lacks by class.

    Arguments:
        steps: the certificates of proved steps and of their closings, by id.
        accepted: names of the lemmas that Coq accepts.
        left: the class of each that is left out.
    """
    papers = dict.fromkeys(id.split(".")[0] for id in steps)
    parts = {p: {i: c for i, c in steps.items() if i.startswith(f"{p}.")} for p in papers}
    told = [f"{p}: {counted(own, accepted)}" for p, own in parts.items()]
    told.append(f"covered: {counted(steps, accepted)}; each lemma states what its row says")
    for what, chosen in (("step", False), ("closing", True)):
        classes = Counter(why for id, why in left.items() if closes(id) is chosen)
        told += [f"not covered: {n} {what}{'s' * (n > 1)}: {why}" for why, n in classes.most_common()]
    return told


def counted(steps: Mapping[str, Any], accepted: set[str]) -> str:
    """How many steps, steps between numbers and closings are accepted."""
    rows = [id for id in steps if not closes(id)]
    shut = [id for id in steps if closes(id)]
    numbers = [id for id in rows if between_numbers(steps[id])]
    done, among, ends = (sum(lemma(i) in accepted for i in part) for part in (rows, numbers, shut))
    return (
        f"{done} of {len(rows)} proved steps ({among} of {len(numbers)} between numbers), "
        f"{ends} of {len(shut)} closings"
    )


def between_numbers(certificate: Mapping[str, Any]) -> bool:
    """Whether no name of a certificate is or takes a vector."""
    return not any("vector" in kind for kind in certificate["names"].values())
