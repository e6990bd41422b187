"""The verb `conditions`: what papers assume of how unlike clients are, and which of it implies which."""

from __future__ import annotations

from fedproof.bounds import catalog
from fedproof.proof.conditions.implications import IMPLICATIONS
from fedproof.proof.conditions.instances import INSTANCES
from fedproof.proof.decide import decide
from fedproof.validate.conditions.judged import JudgedImplication, judged
from fedproof.validate.conditions.letters import letters
from fedproof.validate.conditions.result import Conditions, condition
from fedproof.vocabulary.papers import papers


def conditions() -> Conditions:
    """What papers assume of how unlike clients are, which condition implies which, and what does not follow.

    Returns: implications, "proved" by a certificate that the kernel accepts; counterexamples, "refuted" by
        losses of which all that is said is proved too, and shown in exact numbers; what the papers call each
        condition; letters that mean several things.

    >>> found = conditions()
    >>> found.pair("relative divergence", "local dissimilarity").by
    ('conditions.local_of_relative',)
    >>> found.pair("relative divergence", "bounded dissimilarity").verdict
    'refuted'
    """
    assumed = [a for key in papers() for a in catalog.assumptions(key).values() if a.condition]
    for a in assumed:
        condition(a.condition)
    return Conditions(
        tuple(JudgedImplication(x, decide(x.proof)) for x in IMPLICATIONS),
        tuple(map(judged, INSTANCES)),
        tuple(assumed),
        letters(),
    )
