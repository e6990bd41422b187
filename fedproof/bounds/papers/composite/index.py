"""What this paper holds, as literals, so that listing it needs no SymPy; a test keeps it true."""

from __future__ import annotations

KEY = "composite"
TITLE = "Non-convex composite federated learning with heterogeneous data"
AUTHORS = "Zhang, Hu, Johansson"
VENUE = "arXiv:2502.03958, 2025"
ALGORITHMS = ("fedcomposite", "fedmid", "fedda", "fast_fedda")
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
    "composite.theorem3.8.sharpened": "strongest:THEOREM38",
    "composite.theorem3.5.any_server.sharpened": "strongest:THEOREM35",
    "composite.theorem3.6.any_server.sharpened": "strongest:THEOREM36",
    "composite.any_server.start": "strongest:START",
    "composite.theorem3.5.any_server.dominates": "strongest:DOMINATES35",
    "composite.theorem3.6.any_server.dominates": "strongest:DOMINATES36",
    "composite.exact.nonconvex": "sharpened:EXACT_NONCONVEX",
    "composite.exact.pl": "sharpened:EXACT_PL",
    "composite.theorem3.5.rounds.sharpened": "rounds:ROUNDS35_SHARP",
    "composite.theorem3.6.rounds.repaired": "rounds:ROUNDS36_REPAIRED",
    "composite.theorem3.6.rounds.sharpened": "rounds:ROUNDS36_SHARP",
    "composite.theorem3.5.sharpened.start": "dominates:START35",
    "composite.theorem3.5.sharpened.residual": "dominates:RESIDUAL35",
    "composite.theorem3.6.sharpened.factor": "dominates:FACTOR36",
    "composite.theorem3.6.sharpened.sign": "dominates:SIGN36",
    "composite.theorem3.6.sharpened.residual": "dominates:RESIDUAL36",
    "composite.eq10.start": "discussion:START",
    "composite.eq17": "discussion:MEAN_CORRECTION",
    "composite.section2.sent": "discussion:SENT",
    "composite.section3.subgradients.l1": "discussion:SUBGRADIENTS_L1",
    "composite.section3.subgradients.linf": "discussion:SUBGRADIENTS_LINF",
    "composite.section3.pl.least_squares": "proximal_pl:LEAST_SQUARES_PL",
    "composite.section3.pl.least_squares.repaired": "proximal_pl:LEAST_SQUARES_REPAIRED",
    "composite.section4.pl.logistic": "proximal_pl:LOGISTIC_PL",
    "composite.distance": "proximal_pl:DISTANCE36",
    "composite.section3.residual35.order": "discussion:ORDER_35",
    "composite.section3.residual35.constant": "discussion:UNIFORM_35",
    "composite.section3.residual35.batch": "discussion:BATCH_35",
    "composite.section3.residual35.batch.order": "discussion:BATCH_35_ORDER",
    "composite.section3.residual35.full": "discussion:FULL_35",
    "composite.section3.residual35.square": "discussion:SQUARE_35",
    "composite.section3.residual35.step": "discussion:STEP_35",
    "composite.section3.residual36.order": "discussion:ORDER_36",
    "composite.section3.residual36.constant": "discussion:UNIFORM_36",
    "composite.section3.residual36.batch": "discussion:BATCH_36",
    "composite.section3.residual36.step": "discussion:STEP_36",
    "composite.section3.stronger": "discussion:STRONGER",
    "composite.appendixA2.stops": "discussion:STOPS",
    "composite.stops": "discussion:FIXED_POINT",
    "composite.section4.same": "discussion:SAME_AS_FEDDA",
    "composite.section4.rounds.bound": "experiments:ROUNDS",
    "composite.section4.cnn": "experiments:CNN",
    "composite.section4.precise.tau1": "experiments:PRECISE_1",
    "composite.section4.precise.tau10": "experiments:PRECISE_10",
    "composite.section4.rounds": "experiments:FEWER",
    "composite.section4.no_floor": "experiments:NO_FLOOR",
    "composite.section4.fedmid": "experiments:FEDMID",
    "composite.section4.fast_fedda": "experiments:FAST_FEDDA",
    "composite.section4.drift": "experiments:DRIFT",
    "composite.section4.growing": "experiments:PROX_PARAMETER",
    "composite.section4.neighbourhood": "experiments:NEIGHBOURHOOD",
    "composite.section4.batch": "experiments:LARGER_BATCH",
    "composite.section4.others": "experiments:OTHERS",
    "composite.section4.accuracy": "experiments:ACCURACY",
}
