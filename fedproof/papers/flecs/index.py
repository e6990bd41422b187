"""What this paper holds, as literals, so that listing it needs no SymPy."""

from __future__ import annotations

KEY = "flecs"
TITLE = (
    "FLECS-CGD: A Federated Learning Second-Order Framework via Compression and Sketching with "
    "Compressed Gradient Differences"
)
AUTHORS = "Agafonov, Erraji, Takac"
VENUE = "2022"
ALGORITHMS = ("flecs", "flecs_cgd", "diana", "adiana", "fednl")
NOTATION = "notation:NOTATION"
QUANTITIES = "quantities:QUANTITIES"
METRICS = "quantities:METRICS"
SETTINGS = "settings:SETTINGS"
ASSUMPTIONS = "assumptions:ASSUMPTIONS"
#: the files of its proofs in the order in which they are read
PROOFS = (
    "basics",
    "moments",
    "shifts",
    "printed_lemmas",
    "theorem4",
    "printed_theorem4",
    "theorem4_fails",
    "lemma12",
    "lemmas",
    "lemma8",
    "theorem5",
    "printed_theorem5",
    "theorem5_fails",
    "corollary6",
    "experiments",
    "remarks",
)
METRIC_RELATIONS = "proofs.metric_relations:METRIC_RELATIONS"
SAVED_RUNS = "checks._saved_runs:SAVED_RUNS"

#: the files that state its claims, with the claims' ids, in the paper's order
STATEMENTS = (
    (
        "statements.communication",
        (
            "flecs.communication.flecs",
            "flecs.communication.cgd",
            "flecs.communication.plain",
            "flecs.communication.down",
            "flecs.communication.reduced",
            "flecs.communication.saved",
            "flecs.communication.single.cgd",
            "flecs.communication.single.flecs",
            "flecs.communication.single.factor",
            "flecs.cost.worker",
            "flecs.cost.update",
            "flecs.cost.truncated",
            "flecs.cost.sonia",
        ),
    ),
    ("statements.spectrum", ("flecs.lemma9.floor", "flecs.lemma9.ceiling")),
    (
        "statements.lemmas",
        ("flecs.lemma8", "flecs.lemma10", "flecs.lemma11", "flecs.lemma12.mean", "flecs.lemma12"),
    ),
    ("statements.printed", ("flecs.theorem4",)),
    ("statements.repaired", ("flecs.theorem4.repaired",)),
    ("statements.printed", ("flecs.theorem5",)),
    ("statements.repaired", ("flecs.theorem5.repaired", "flecs.theorem5.sharpened")),
    ("statements.along", ("flecs.theorem5.along", "flecs.theorem5.along.sharpened")),
    ("statements.printed", ("flecs.corollary6",)),
    ("statements.repaired", ("flecs.corollary6.repaired", "flecs.corollary6.units")),
    (
        "statements.experiments",
        ("flecs.section5.compression", "flecs.section5.memory", "flecs.section5.others"),
    ),
)
