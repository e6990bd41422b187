"""What this paper holds, as literals, so that listing it needs no SymPy; a test keeps it true."""

from __future__ import annotations

KEY = "fedproxvr"
TITLE = "Federated Learning with Proximal Stochastic Variance Reduced Gradient Algorithms"
AUTHORS = "Dinh, Tran, Nguyen, Bao, Zomaya, Zhou"
VENUE = "ICPP 2020"
ALGORITHMS = ("fedavg", "fedprox", "fedproxvr")
LETTERS = "notation:LETTERS"
SETTINGS = "settings:SETTINGS"
ASSUMPTIONS = "assumptions:ASSUMPTIONS"
#: the files of its proofs in the order in which they are read
PROOFS = (
    "section3", "algorithm1", "appendix_a", "lemma2", "lemma1_sarah", "lemma1", "lemma1_svrg", "means",
    "lemma3", "theorem1_descent", "theorem1", "round_end", "telescoping", "certified", "heterogeneous",
    "heterogeneous_means", "training_time", "experiments", "convexity", "sharp_convexity", "sharp_lemma1",
    "sharp_long", "sharp_svrg", "sharp_theorem1", "sharp_dominates", "sharp_dominates_theorem1",
)  # fmt: skip
METRIC_RELATIONS = "proofs.metric_relations:METRIC_RELATIONS"

STATEMENTS = {
    "fedproxvr.lemma1.sarah": "statements.printed:LEMMA1_SARAH",
    "fedproxvr.lemma1.svrg": "statements.printed:LEMMA1_SVRG",
    "fedproxvr.eq15": "statements.printed:EQ15",
    "fedproxvr.eq16": "statements.printed:EQ16",
    "fedproxvr.lemma3": "statements.section3:LEMMA3",
    "fedproxvr.theorem1": "statements.printed:THEOREM1",
    "fedproxvr.eq87": "statements.printed:EQ87",
    "fedproxvr.corollary1": "statements.printed:COROLLARY1",
    "fedproxvr.section3.heterogeneous.lemma1.sarah": "statements.section3:LEMMA1_SARAH_OWN",
    "fedproxvr.section3.heterogeneous.lemma1.svrg": "statements.section3:LEMMA1_SVRG_OWN",
    "fedproxvr.section3.heterogeneous.theorem1": "statements.section3:HETEROGENEOUS_THEOREM1",
    "fedproxvr.section3.heterogeneous.theorem1.repaired": "statements.section3:HETEROGENEOUS_REPAIRED",
    "fedproxvr.eq19": "statements.printed:EQ19",
    "fedproxvr.problem20": "statements.printed:PROBLEM20",
    "fedproxvr.eq22": "statements.printed:EQ22",
    "fedproxvr.problem23": "statements.printed:PROBLEM23",
    "fedproxvr.convexity": "statements.heterogeneous:CONVEXITY",
    "fedproxvr.certified.sarah": "statements.printed:CERTIFIED_SARAH",
    "fedproxvr.certified.svrg": "statements.printed:CERTIFIED_SVRG",
    "fedproxvr.lemma1.sarah.sharpened": "statements.sharpened:LEMMA1_SARAH",
    "fedproxvr.lemma1.svrg.sharpened": "statements.sharpened:LEMMA1_SVRG",
    "fedproxvr.lemma1.svrg.few.sharpened": "statements.sharpened:LEMMA1_SVRG_FEW",
    "fedproxvr.eq87.sharpened": "statements.sharpened:EQ87",
    "fedproxvr.theorem1.sharpened": "statements.sharpened:THEOREM1",
    "fedproxvr.corollary1.sharpened": "statements.sharpened:COROLLARY1",
    "fedproxvr.certified.sarah.sharpened": "statements.sharpened:CERTIFIED_SARAH",
    "fedproxvr.certified.svrg.sharpened": "statements.sharpened:CERTIFIED_SVRG",
    "fedproxvr.problem23.sharpened": "statements.sharpened:PROBLEM23",
    "fedproxvr.convexity.sharpened": "proofs.sharp_convexity:CONVEXITY",
    "fedproxvr.remark1.1.sarah": "statements.remarks:REMARK1_1_SARAH",
    "fedproxvr.remark1.1.svrg": "statements.remarks:REMARK1_1_SVRG",
    "fedproxvr.remark1.1.svrg.repaired": "statements.sharpened:REMARK1_1_SVRG_REPAIRED",
    "fedproxvr.remark1.1.svrg.sharpened": "statements.sharpened:REMARK1_1_SVRG",
    "fedproxvr.remark1.1.lower": "statements.remarks:REMARK1_1_LOWER",
    "fedproxvr.remark1.1.upper": "statements.remarks:REMARK1_1_UPPER",
    "fedproxvr.remark1.1.upper.svrg": "statements.remarks:REMARK1_1_UPPER_SVRG",
    "fedproxvr.remark1.2": "statements.remarks:REMARK1_2",
    "fedproxvr.remark1.2.order": "statements.remarks:REMARK1_2_ORDER",
    "fedproxvr.remark1.3.beta": "statements.remarks:REMARK1_3_BETA",
    "fedproxvr.remark1.3.tau": "statements.remarks:REMARK1_3_TAU",
    "fedproxvr.remark1.3.tau.everywhere": "statements.remarks:REMARK1_3_EVERYWHERE",
    "fedproxvr.remark1.3.tau.everywhere.repaired": "statements.repaired:REMARK1_3_EVERYWHERE",
    "fedproxvr.remark1.4.order": "statements.remarks:REMARK1_4_ORDER",
    "fedproxvr.remark1.4.monotone": "statements.remarks:REMARK1_4_MONOTONE",
    "fedproxvr.remark1.4.monotone.repaired": "statements.remarks:REMARK1_4_REPAIRED",
    "fedproxvr.remark1.5.upper": "statements.remarks:REMARK1_5_UPPER",
    "fedproxvr.remark1.5.beta": "statements.remarks:REMARK1_5_BETA",
    "fedproxvr.remark1.5.tau": "statements.remarks:REMARK1_5_TAU",
    "fedproxvr.remark1.5.tau.repaired": "statements.repaired:REMARK1_5_TAU",
    "fedproxvr.remark2.1": "statements.remarks:REMARK2_1",
    "fedproxvr.remark2.1.mu": "statements.remarks:REMARK2_1_MU",
    "fedproxvr.remark2.1.sigma2": "statements.remarks:REMARK2_1_SIGMA2",
    "fedproxvr.remark2.2.theta": "statements.remarks:REMARK2_2_THETA",
    "fedproxvr.remark2.2.mu": "statements.remarks:REMARK2_2_MU",
    "fedproxvr.remark2.3.L": "statements.remarks:REMARK2_3_L",
    "fedproxvr.remark2.3.lam": "statements.remarks:REMARK2_3_LAM",
    "fedproxvr.remark2.3.mu": "statements.remarks:REMARK2_3_MU",
    "fedproxvr.remark2.4": "statements.remarks:REMARK2_4",
    "fedproxvr.discussion1.beta.gamma": "statements.discussion:DISCUSSION1_BETA_GAMMA",
    "fedproxvr.discussion1.tau.gamma": "statements.discussion:DISCUSSION1_TAU_GAMMA",
    "fedproxvr.discussion1.mu.gamma": "statements.discussion:DISCUSSION1_MU_GAMMA",
    "fedproxvr.discussion1.theta.gamma": "statements.discussion:DISCUSSION1_THETA_GAMMA",
    "fedproxvr.discussion1.mu.sigma2": "statements.discussion:DISCUSSION1_MU_SIGMA2",
    "fedproxvr.discussion1.beta.sigma2": "statements.discussion:DISCUSSION1_BETA_SIGMA2",
    "fedproxvr.discussion1.theta.sigma2": "statements.discussion:DISCUSSION1_THETA_SIGMA2",
    "fedproxvr.discussion1.Theta.sigma2": "statements.discussion:DISCUSSION1_BIGTHETA_SIGMA2",
    "fedproxvr.section5.convex": "statements.experiments:CONVEX",
    "fedproxvr.section5.larger": "statements.experiments:LARGER",
    "fedproxvr.section5.fluctuates": "statements.experiments:FLUCTUATES",
    "fedproxvr.section5.nonconvex": "statements.experiments:NONCONVEX",
    "fedproxvr.section5.mu.zero": "statements.experiments:DIVERGES",
    "fedproxvr.section5.mu.large": "statements.experiments:SLOWER",
    "fedproxvr.section5.best": "statements.experiments:BEST",
}
