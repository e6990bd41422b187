"""What this paper holds, as literals, so that listing it needs no SymPy; a test keeps it true."""

from __future__ import annotations

KEY = "composite"
TITLE = "Non-convex composite federated learning with heterogeneous data"
AUTHORS = "Zhang, Hu, Johansson"
VENUE = "preprint; parts in ICASSP 2024"
ALGORITHMS = ("fedcomposite", "fedmid", "fedda", "fast_fedda")
LETTERS = "notation:LETTERS"
SETTINGS = "settings:SETTINGS"
ASSUMPTIONS = "assumptions:ASSUMPTIONS"
#: the files of its proofs in the order in which they are read
PROOFS = (
    "algorithm1", "stopping", "mapping", "subgradients", "local_step", "sampling", "lemma_a1", "lemma_a2",
    "drift_sharp", "fact1", "descent", "printed35", "prox_pl", "printed45", "potential", "printed36",
    "telescoped", "theorems", "corollaries", "drift_mean", "theorem38", "theorem38_rounds", "any_server",
    "prox_pl_bounded", "prox_pl_fails", "experiments", "same_as_fedda",
)  # fmt: skip
METRIC_RELATIONS = "proofs.metric_relations:METRIC_RELATIONS"

STATEMENTS = {
    "composite.theorem3.5": "statements.printed:THEOREM35",
    "composite.theorem3.6": "statements.printed:THEOREM36",
    "composite.theorem3.8": "statements.printed:THEOREM38",
    "composite.lemmaA1": "statements.printed:LEMMA_A1",
    "composite.lemmaA2": "statements.printed:LEMMA_A2",
    "composite.theorem3.5.rounds": "statements.rounds:ROUNDS35",
    "composite.theorem3.6.rounds": "statements.rounds:ROUNDS36",
    "composite.lemmaA1.sharpened": "statements.sharpened:LEMMA_A1",
    "composite.lemmaA1.short.sharpened": "statements.sharpened:LEMMA_A1_SHORT",
    "composite.lemmaA2.sharpened": "statements.sharpened:LEMMA_A2",
    "composite.lemmaA2.short.sharpened": "statements.sharpened:LEMMA_A2_SHORT",
    "composite.theorem3.5.sharpened": "statements.sharpened:THEOREM35",
    "composite.theorem3.6.repaired": "statements.sharpened:THEOREM36_REPAIRED",
    "composite.theorem3.6.sharpened": "statements.sharpened:THEOREM36",
    "composite.theorem3.8.sharpened": "statements.strengthened:THEOREM38",
    "composite.theorem3.5.any_server.sharpened": "statements.strengthened:THEOREM35",
    "composite.theorem3.6.any_server.sharpened": "statements.strengthened:THEOREM36",
    "composite.any_server.start": "statements.strengthened:START",
    "composite.theorem3.5.any_server.dominates": "statements.strengthened:DOMINATES35",
    "composite.theorem3.6.any_server.dominates": "statements.strengthened:DOMINATES36",
    "composite.exact.nonconvex": "statements.sharpened:EXACT_NONCONVEX",
    "composite.exact.level": "statements.sharpened:EXACT_LEVEL",
    "composite.exact.pl": "statements.sharpened:EXACT_PL",
    "composite.theorem3.5.rounds.sharpened": "statements.rounds:ROUNDS35_SHARP",
    "composite.theorem3.6.rounds.repaired": "statements.rounds:ROUNDS36_REPAIRED",
    "composite.theorem3.6.rounds.sharpened": "statements.rounds:ROUNDS36_SHARP",
    "composite.theorem3.5.sharpened.start": "statements.dominates:START35",
    "composite.theorem3.5.sharpened.residual": "statements.dominates:RESIDUAL35",
    "composite.theorem3.6.sharpened.factor": "statements.dominates:FACTOR36",
    "composite.theorem3.6.sharpened.sign": "statements.dominates:SIGN36",
    "composite.theorem3.6.sharpened.residual": "statements.dominates:RESIDUAL36",
    "composite.eq10.start": "statements.discussion:START",
    "composite.eq17": "statements.discussion:MEAN_CORRECTION",
    "composite.section2.sent": "statements.discussion:SENT",
    "composite.section3.subgradients.l1": "statements.discussion:SUBGRADIENTS_L1",
    "composite.section3.subgradients.linf": "statements.discussion:SUBGRADIENTS_LINF",
    "composite.section3.pl.least_squares": "statements.proximal_pl:LEAST_SQUARES_PL",
    "composite.section3.pl.least_squares.repaired": "statements.proximal_pl:LEAST_SQUARES_REPAIRED",
    "composite.section4.pl.logistic": "statements.proximal_pl:LOGISTIC_PL",
    "composite.prox_pl.weaker": "statements.proximal_pl:WEAKER",
    "composite.prox_pl.strongly_convex": "statements.proximal_pl:STRONG",
    "composite.prox_pl.global.least_squares": "statements.proximal_pl:GLOBAL_LEAST_SQUARES",
    "composite.prox_pl.global.logistic": "statements.proximal_pl:GLOBAL_LOGISTIC",
    "composite.distance": "statements.proximal_pl:DISTANCE36",
    "composite.section3.residual35.order": "statements.discussion:ORDER_35",
    "composite.section3.residual35.constant": "statements.discussion:UNIFORM_35",
    "composite.section3.residual35.batch": "statements.discussion:BATCH_35",
    "composite.section3.residual35.batch.order": "statements.discussion:BATCH_35_ORDER",
    "composite.section3.residual35.full": "statements.discussion:FULL_35",
    "composite.section3.residual35.square": "statements.discussion:SQUARE_35",
    "composite.section3.residual35.step": "statements.discussion:STEP_35",
    "composite.section3.residual36.order": "statements.discussion:ORDER_36",
    "composite.section3.residual36.constant": "statements.discussion:UNIFORM_36",
    "composite.section3.residual36.batch": "statements.discussion:BATCH_36",
    "composite.section3.residual36.step": "statements.discussion:STEP_36",
    "composite.section3.stronger": "statements.discussion:STRONGER",
    "composite.appendixA2.stops": "statements.discussion:STOPS",
    "composite.stops": "statements.discussion:FIXED_POINT",
    "composite.fedda.first": "statements.discussion:FEDDA_FIRST",
    "composite.fedda.settled": "statements.discussion:FEDDA_SETTLED",
    "composite.fedda.apart": "statements.discussion:FEDDA_APART",
    "composite.section4.rounds.bound": "statements.experiments:ROUNDS",
    "composite.section4.cnn": "statements.experiments:CNN",
    "composite.section4.precise.tau1": "statements.experiments:PRECISE_1",
    "composite.section4.same": "statements.experiments:SAME",
    "composite.section4.precise.tau10": "statements.experiments:PRECISE_10",
    "composite.section4.rounds": "statements.experiments:FEWER",
    "composite.section4.no_floor": "statements.experiments:NO_FLOOR",
    "composite.section4.fedmid": "statements.experiments:FEDMID",
    "composite.section4.fast_fedda": "statements.experiments:FAST_FEDDA",
    "composite.section4.drift": "statements.experiments:DRIFT",
    "composite.section4.growing": "statements.experiments:PROX_PARAMETER",
    "composite.section4.neighbourhood": "statements.experiments:NEIGHBOURHOOD",
    "composite.section4.batch": "statements.experiments:LARGER_BATCH",
    "composite.section4.others": "statements.experiments:OTHERS",
    "composite.section4.accuracy": "statements.experiments:ACCURACY",
}
