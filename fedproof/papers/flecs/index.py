"""What this paper holds, as literals, so that listing it needs no SymPy."""

from __future__ import annotations

KEY = "flecs"
TITLE = (
    "FLECS-CGD: A Federated Learning Second-Order Framework via Compression and Sketching with "
    "Compressed Gradient Differences"
)
AUTHORS = "Agafonov, Erraji, Takac"
VENUE = "2022"
ALGORITHMS = ("flecs", "flecs_cgd", "diana")
NOTATION = "notation:NOTATION"
QUANTITIES = "quantities:QUANTITIES"
METRICS = "quantities:METRICS"
ASSUMPTIONS = "assumptions:ASSUMPTIONS"
#: the files of its proofs in the order in which they are read
PROOFS = ("moments", "shifts", "theorem4", "theorem4_fails")
METRIC_RELATIONS = "proofs.metric_relations:METRIC_RELATIONS"

#: the files that state its claims, with the claims' ids, in the paper's order
STATEMENTS = (
    ("statements.printed", ("flecs.theorem4",)),
    ("statements.repaired", ("flecs.theorem4.repaired",)),
)
