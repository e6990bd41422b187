"""What this paper holds, as literals, so that listing it needs no SymPy; a test keeps it true."""

from __future__ import annotations

KEY = "fedproxvr"
TITLE = "Federated Learning with Proximal Stochastic Variance Reduced Gradient Algorithms"
AUTHORS = "Dinh, Tran, Nguyen, Bao, Zomaya, Zhou"
VENUE = "ICPP 2020"
ALGORITHMS = ("fedavg", "fedproxvr")
SETTINGS = "settings:SETTINGS"
ASSUMPTIONS = "assumptions:ASSUMPTIONS"
STEPS = "proof:STEPS"

STATEMENTS = {
    "fedproxvr.lemma1.sarah": "statements:LEMMA1_SARAH",
    "fedproxvr.lemma1.svrg": "statements:LEMMA1_SVRG",
    "fedproxvr.eq15": "statements:EQ15",
    "fedproxvr.eq16": "statements:EQ16",
    "fedproxvr.theorem1": "statements:THEOREM1",
    "fedproxvr.eq87": "statements:EQ87",
    "fedproxvr.corollary1": "statements:COROLLARY1",
    "fedproxvr.eq19": "statements:EQ19",
    "fedproxvr.problem20": "statements:PROBLEM20",
    "fedproxvr.eq22": "statements:EQ22",
    "fedproxvr.problem23": "statements:PROBLEM23",
    "fedproxvr.convexity": "own:CONVEXITY",
    "fedproxvr.certified.sarah": "statements:CERTIFIED_SARAH",
    "fedproxvr.certified.svrg": "statements:CERTIFIED_SVRG",
    "fedproxvr.lemma1.sarah.sharpened": "sharpened:LEMMA1_SARAH",
    "fedproxvr.lemma1.svrg.sharpened": "sharpened:LEMMA1_SVRG",
    "fedproxvr.eq87.sharpened": "sharpened:EQ87",
    "fedproxvr.theorem1.sharpened": "sharpened:THEOREM1",
    "fedproxvr.corollary1.sharpened": "sharpened:COROLLARY1",
    "fedproxvr.certified.sarah.sharpened": "sharpened:CERTIFIED_SARAH",
    "fedproxvr.certified.svrg.sharpened": "sharpened:CERTIFIED_SVRG",
    "fedproxvr.problem23.sharpened": "sharpened:PROBLEM23",
    "fedproxvr.convexity.sharpened": "sharp_convexity:CONVEXITY",
    "fedproxvr.remark1.1.sarah": "remarks:REMARK1_1_SARAH",
    "fedproxvr.remark1.1.svrg": "remarks:REMARK1_1_SVRG",
    "fedproxvr.remark1.1.svrg.repaired": "sharpened:REMARK1_1_SVRG_REPAIRED",
    "fedproxvr.remark1.1.svrg.sharpened": "sharpened:REMARK1_1_SVRG",
    "fedproxvr.remark1.1.lower": "remarks:REMARK1_1_LOWER",
    "fedproxvr.remark1.1.upper": "remarks:REMARK1_1_UPPER",
    "fedproxvr.remark1.1.upper.svrg": "remarks:REMARK1_1_UPPER_SVRG",
    "fedproxvr.remark1.2": "remarks:REMARK1_2",
    "fedproxvr.remark1.2.order": "remarks:REMARK1_2_ORDER",
    "fedproxvr.remark1.3.beta": "remarks:REMARK1_3_BETA",
    "fedproxvr.remark1.3.tau": "remarks:REMARK1_3_TAU",
    "fedproxvr.remark1.3.tau.everywhere": "remarks:REMARK1_3_EVERYWHERE",
    "fedproxvr.remark1.3.tau.everywhere.repaired": "repaired:REMARK1_3_EVERYWHERE",
    "fedproxvr.remark1.4.order": "remarks:REMARK1_4_ORDER",
    "fedproxvr.remark1.4.monotone": "remarks:REMARK1_4_MONOTONE",
    "fedproxvr.remark1.4.monotone.repaired": "remarks:REMARK1_4_REPAIRED",
    "fedproxvr.remark1.5.upper": "remarks:REMARK1_5_UPPER",
    "fedproxvr.remark1.5.beta": "remarks:REMARK1_5_BETA",
    "fedproxvr.remark1.5.tau": "remarks:REMARK1_5_TAU",
    "fedproxvr.remark1.5.tau.repaired": "repaired:REMARK1_5_TAU",
    "fedproxvr.remark2.1": "remarks:REMARK2_1",
    "fedproxvr.remark2.1.mu": "remarks:REMARK2_1_MU",
    "fedproxvr.remark2.1.sigma2": "remarks:REMARK2_1_SIGMA2",
    "fedproxvr.remark2.2.theta": "remarks:REMARK2_2_THETA",
    "fedproxvr.remark2.2.mu": "remarks:REMARK2_2_MU",
    "fedproxvr.remark2.3.L": "remarks:REMARK2_3_L",
    "fedproxvr.remark2.3.lam": "remarks:REMARK2_3_LAM",
    "fedproxvr.remark2.3.mu": "remarks:REMARK2_3_MU",
    "fedproxvr.remark2.4": "remarks:REMARK2_4",
    "fedproxvr.discussion1.beta.gamma": "discussion:DISCUSSION1_BETA_GAMMA",
    "fedproxvr.discussion1.tau.gamma": "discussion:DISCUSSION1_TAU_GAMMA",
    "fedproxvr.discussion1.mu.gamma": "discussion:DISCUSSION1_MU_GAMMA",
    "fedproxvr.discussion1.theta.gamma": "discussion:DISCUSSION1_THETA_GAMMA",
    "fedproxvr.discussion1.mu.sigma2": "discussion:DISCUSSION1_MU_SIGMA2",
    "fedproxvr.discussion1.beta.sigma2": "discussion:DISCUSSION1_BETA_SIGMA2",
    "fedproxvr.discussion1.theta.sigma2": "discussion:DISCUSSION1_THETA_SIGMA2",
    "fedproxvr.discussion1.Theta.sigma2": "discussion:DISCUSSION1_BIGTHETA_SIGMA2",
}
