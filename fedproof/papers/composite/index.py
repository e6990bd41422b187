"""What this paper holds, as literals, so that listing it needs no SymPy; a test keeps it true."""

from __future__ import annotations

KEY = "composite"
TITLE = "Non-convex composite federated learning with heterogeneous data"
AUTHORS = "Zhang, Hu, Johansson"
VENUE = "preprint; parts in ICASSP 2024"
ALGORITHMS = ("fedcomposite", "fedmid", "fedda", "fast_fedda")
NOTATION = "notation:NOTATION"
SETTINGS = "settings:SETTINGS"
ASSUMPTIONS = "assumptions:ASSUMPTIONS"
#: the files of its proofs in the order in which they are read
PROOFS = (
    "algorithm1", "stopping", "mapping", "subgradients", "local_step", "sampling", "lemma_a1", "lemma_a2",
    "drift_sharp", "fact1", "descent", "printed35", "prox_pl", "printed45", "potential", "printed36",
    "telescoped", "theorems", "corollaries", "drift_mean", "theorem38", "theorem38_rounds", "any_server",
    "prox_pl_bounded", "prox_pl_fails", "discussion", "experiments", "same_as_fedda",
)  # fmt: skip
METRIC_RELATIONS = "proofs.metric_relations:METRIC_RELATIONS"
SAVED_RUNS = "checks._saved_runs:SAVED_RUNS"

#: the files that state its claims, with the claims' ids, in the paper's order
STATEMENTS = (
    ("statements.printed", (
        "composite.theorem3.5", "composite.theorem3.6", "composite.theorem3.8", "composite.lemmaA1",
        "composite.lemmaA2",
    )),
    ("statements.rounds", ("composite.theorem3.5.rounds", "composite.theorem3.6.rounds")),
    ("statements.sharpened", (
        "composite.lemmaA1.sharpened", "composite.lemmaA1.short.sharpened", "composite.lemmaA2.sharpened",
        "composite.lemmaA2.short.sharpened", "composite.theorem3.5.sharpened",
        "composite.theorem3.6.repaired", "composite.theorem3.6.sharpened",
    )),
    ("statements.strengthened", (
        "composite.theorem3.8.sharpened", "composite.theorem3.5.any_server.sharpened",
        "composite.theorem3.6.any_server.sharpened", "composite.any_server.start",
        "composite.theorem3.5.any_server.dominates", "composite.theorem3.6.any_server.dominates",
    )),
    ("statements.sharpened", (
        "composite.exact.nonconvex", "composite.exact.level", "composite.exact.pl",
    )),
    ("statements.rounds", (
        "composite.theorem3.5.rounds.sharpened", "composite.theorem3.6.rounds.repaired",
        "composite.theorem3.6.rounds.sharpened",
    )),
    ("statements.dominates", (
        "composite.theorem3.5.sharpened.start", "composite.theorem3.5.sharpened.residual",
        "composite.theorem3.6.sharpened.factor", "composite.theorem3.6.sharpened.sign",
        "composite.theorem3.6.sharpened.residual",
    )),
    ("statements.discussion", (
        "composite.eq10.start", "composite.eq17", "composite.section2.sent",
        "composite.section3.subgradients.l1", "composite.section3.subgradients.linf",
        "composite.section3.subgradients.relu",
    )),
    ("statements.proximal_pl", (
        "composite.section3.pl.least_squares", "composite.section3.pl.least_squares.repaired",
        "composite.section4.pl.logistic", "composite.prox_pl.weaker", "composite.prox_pl.strongly_convex",
        "composite.prox_pl.global.least_squares", "composite.prox_pl.global.logistic", "composite.distance",
    )),
    ("statements.discussion", (
        "composite.section3.residual35.order", "composite.section3.residual35.constant",
        "composite.section3.residual35.batch", "composite.section3.residual35.batch.order",
        "composite.section3.residual35.full", "composite.section3.residual35.square",
        "composite.section3.residual35.step", "composite.section3.residual36.order",
        "composite.section3.residual36.constant", "composite.section3.residual36.batch",
        "composite.section3.residual36.step", "composite.section3.stronger", "composite.appendixA2.stops",
        "composite.stops", "composite.fedda.first", "composite.fedda.settled", "composite.fedda.apart",
    )),
    ("statements.experiments", (
        "composite.section4.rounds.bound", "composite.section4.cnn", "composite.section4.precise.tau1",
        "composite.section4.same", "composite.section4.precise.tau10", "composite.section4.rounds",
        "composite.section4.no_floor", "composite.section4.fedmid", "composite.section4.fedmid.step",
        "composite.section4.fast_fedda", "composite.section4.fedda", "composite.section4.drift",
        "composite.section4.growing", "composite.section4.neighbourhood",
        "composite.section4.batch", "composite.section4.others", "composite.section4.accuracy",
    )),
)  # fmt: skip
