"""What this paper holds, as literals, so that listing it needs no SymPy."""

from __future__ import annotations

KEY = "fedprox"
TITLE = "On Convergence of FedProx: Local Dissimilarity Invariant Bounds, Non-smoothness and Beyond"
AUTHORS = "Yuan, Li"
VENUE = "NeurIPS 2022"
ALGORITHMS = ("fedavg", "fedprox", "fedmspp")
NOTATION = "notation:NOTATION"
QUANTITIES = "quantities:QUANTITIES"
METRICS = "quantities:METRICS"
SETTINGS = "settings:SETTINGS"
ASSUMPTIONS = "assumptions:ASSUMPTIONS"
#: the files of its proofs in the order in which they are read
PROOFS = (
    "stability",
    "smooth",
    "weakly_convex",
    "theorem1",
    "theorem2",
    "rates",
    "theorem3_fails",
    "theorem3_printed",
    "theorem3",
    "remarks",
    "full_participation",
    "distinct",
    "efron_stein",
    "lemma11_second",
)
SAVED_RUNS = "checks._saved_runs:SAVED_RUNS"
METRIC_RELATIONS = "proofs.metric_relations:METRIC_RELATIONS"

#: the files that state its claims, with the claims' ids, in the paper's order
STATEMENTS = (
    ("statements.printed", ("fedprox.theorem1",)),
    ("statements.explicit", ("fedprox.theorem1.general", "fedprox.theorem1.explicit")),
    (
        "statements.distinct",
        (
            "fedprox.section2.distinct",
            "fedprox.section2.distinct.general",
            "fedprox.section2.distinct.theorem3",
        ),
    ),
    ("statements.printed", ("fedprox.theorem2",)),
    ("statements.explicit", ("fedprox.theorem2.general", "fedprox.theorem2.explicit")),
    ("statements.printed", ("fedprox.theorem3",)),
    (
        "statements.explicit",
        ("fedprox.theorem3.general", "fedprox.theorem3.general.repaired", "fedprox.theorem3.repaired"),
    ),
    ("statements.printed", ("fedprox.remark7", "fedprox.remark7.saturates", "fedprox.theorem4")),
    ("statements.explicit", ("fedprox.theorem4.general", "fedprox.theorem4.explicit")),
    (
        "statements.table1",
        (
            "fedprox.table1.theorem1",
            "fedprox.table1.theorem2",
            "fedprox.table1.theorem4",
            "fedprox.section1.rate.few",
            "fedprox.section1.rate.many",
            "fedprox.section1.rounds.few",
            "fedprox.section1.rounds.many",
            "fedprox.section1.scaffold",
            "fedprox.section1.fco",
            "fedprox.section1.theorem3.fedavg",
            "fedprox.section1.theorem3.scaffold",
            "fedprox.section1.faster",
            "fedprox.section1.khanduri",
            "fedprox.section5.slower",
        ),
    ),
    (
        "statements.remarks",
        (
            "fedprox.section1.homogeneous",
            "fedprox.section1.stationary",
            "fedprox.remark1.slower",
            "fedprox.remark1.devices",
            "fedprox.remark1.linear",
            "fedprox.remark2",
            "fedprox.remark2.general",
            "fedprox.remark2.lgd",
            "fedprox.remark3",
            "fedprox.remark5",
            "fedprox.remark6.comparable",
            "fedprox.remark6.slower",
            "fedprox.remark6.full",
            "fedprox.appendixE.stepsize",
        ),
    ),
    (
        "statements.experiments",
        (
            "fedprox.appendixE.samples",
            "fedprox.appendixE.smaller",
            "fedprox.appendixE.rounds",
            "fedprox.appendixE.replaces",
        ),
    ),
)
