"""What this paper holds, as literals, so that listing it needs no SymPy; a test keeps it true."""

from __future__ import annotations

KEY = "composite"
TITLE = "Non-convex composite federated learning with heterogeneous data"
AUTHORS = "Zhang, Hu, Johansson"
VENUE = "arXiv:2502.03958, 2025"
ALGORITHMS = ()
SETTINGS = "settings:SETTINGS"
ASSUMPTIONS = "assumptions:ASSUMPTIONS"
STEPS = "proof:STEPS"
SPOKEN = "spoken:SPOKEN"

STATEMENTS = {
    "composite.theorem3.5": "statements:THEOREM35",
    "composite.theorem3.6": "statements:THEOREM36",
    "composite.theorem3.8": "statements:THEOREM38",
    "composite.lemmaA1": "statements:LEMMA_A1",
    "composite.lemmaA2": "statements:LEMMA_A2",
    "composite.theorem3.5.rounds": "rounds:ROUNDS35",
    "composite.theorem3.6.rounds": "rounds:ROUNDS36",
    "composite.lemmaA1.sharpened": "sharpened:LEMMA_A1",
    "composite.lemmaA1.short.sharpened": "sharpened:LEMMA_A1_SHORT",
    "composite.lemmaA2.sharpened": "sharpened:LEMMA_A2",
    "composite.lemmaA2.short.sharpened": "sharpened:LEMMA_A2_SHORT",
    "composite.theorem3.5.sharpened": "sharpened:THEOREM35",
    "composite.theorem3.6.repaired": "sharpened:THEOREM36_REPAIRED",
    "composite.theorem3.6.sharpened": "sharpened:THEOREM36",
    "composite.exact.nonconvex": "sharpened:EXACT_NONCONVEX",
    "composite.exact.pl": "sharpened:EXACT_PL",
    "composite.theorem3.5.rounds.sharpened": "rounds:ROUNDS35_SHARP",
    "composite.theorem3.6.rounds.repaired": "rounds:ROUNDS36_REPAIRED",
    "composite.theorem3.6.rounds.sharpened": "rounds:ROUNDS36_SHARP",
}
