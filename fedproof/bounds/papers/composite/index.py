"""What this paper holds, as literals, so that listing it needs no SymPy; a test keeps it true."""

from __future__ import annotations

KEY = "composite"
TITLE = "Non-convex composite federated learning with heterogeneous data"
AUTHORS = "Zhang, Hu, Johansson"
VENUE = "Automatica 2025"
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
}
