"""How much of what is proved Coq accepts, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from fedproof.proof.coq.files import closes
from fedproof.proof.coq.terms import lemma


def coverage(
    audits: Iterable[Mapping[str, Any]], steps: Mapping[str, Any], accepted: set[str], left: Mapping[str, str]
) -> list[str]:
    """Lines on how many steps Coq accepts, of each audit and of all, and what it lacks by class.

    Arguments:
        audits: the certificates of each audit, by id.
        steps: the certificates of proved steps and of their closings, by id.
        accepted: names of the lemmas that Coq accepts.
        left: the class of each that is left out.
    """
    told = [f"{paper(own)}: {counted(own, accepted)}" for own in audits if own]
    told.append(f"covered: {counted(steps, accepted)}; each lemma states what its row says")
    for what, chosen in (("step", False), ("closing", True)):
        classes = Counter(why for id, why in left.items() if closes(id) is chosen)
        told += [f"not covered: {n} {what}{'s' * (n > 1)}: {why}" for why, n in classes.most_common()]
    return told


def paper(steps: Iterable[str]) -> str:
    """The paper to which most of the steps belong."""
    return Counter(id.split(".")[0] for id in steps).most_common(1)[0][0]


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
