"""What this paper holds, as literals, so that listing it needs no SymPy; a test keeps it true."""

from __future__ import annotations

KEY = "fedproxvr"
TITLE = "Federated Learning with Proximal Stochastic Variance Reduced Gradient Algorithms"
AUTHORS = "Dinh, Tran, Nguyen, Bao, Zomaya, Zhou"
VENUE = "ICPP 2020"
ALGORITHMS = ("fedavg", "fedprox", "fedproxvr")
NOTATION = "notation:NOTATION"
SETTINGS = "settings:SETTINGS"
ASSUMPTIONS = "assumptions:ASSUMPTIONS"
#: the files of its proofs in the order in which they are read
PROOFS = (
    "section3", "algorithm1", "appendix_a", "lemma2", "lemma1_sarah", "lemma1", "lemma1_svrg", "means",
    "lemma3", "theorem1_descent", "theorem1", "round_end", "telescoping", "heterogeneous",
    "heterogeneous_means", "training_time", "discussion", "experiments", "convexity", "sharp_convexity",
    "sharp_lemma1", "sharp_long", "sharp_svrg", "sharp_theorem1", "sharp_dominates",
    "sharp_dominates_theorem1", "direct_theorem1", "direct_sharp",
)  # fmt: skip
METRIC_RELATIONS = "proofs.metric_relations:METRIC_RELATIONS"
SAVED_RUNS = "checks._saved_runs:SAVED_RUNS"

#: the files that state its claims, with the claims' ids, in the paper's order
STATEMENTS = (
    ("statements.printed", (
        "fedproxvr.lemma1.sarah", "fedproxvr.lemma1.svrg", "fedproxvr.eq15", "fedproxvr.eq16",
    )),
    ("statements.section3", ("fedproxvr.lemma3",)),
    ("statements.printed", ("fedproxvr.theorem1", "fedproxvr.eq87", "fedproxvr.corollary1")),
    ("statements.section3", (
        "fedproxvr.section3.heterogeneous.lemma1.sarah", "fedproxvr.section3.heterogeneous.lemma1.svrg",
        "fedproxvr.section3.heterogeneous.theorem1", "fedproxvr.section3.heterogeneous.theorem1.repaired",
    )),
    ("statements.printed", (
        "fedproxvr.eq19", "fedproxvr.problem20", "fedproxvr.eq22", "fedproxvr.problem23",
    )),
    ("statements.heterogeneous", ("fedproxvr.convexity",)),
    ("statements.printed", ("fedproxvr.certified.sarah", "fedproxvr.certified.svrg")),
    ("statements.sharpened", (
        "fedproxvr.lemma1.sarah.sharpened", "fedproxvr.lemma1.svrg.sharpened",
        "fedproxvr.lemma1.svrg.few.sharpened", "fedproxvr.eq87.sharpened", "fedproxvr.theorem1.sharpened",
        "fedproxvr.corollary1.sharpened", "fedproxvr.certified.sarah.sharpened",
        "fedproxvr.certified.svrg.sharpened", "fedproxvr.problem23.sharpened",
    )),
    ("statements.along", (
        "fedproxvr.theorem1.along", "fedproxvr.theorem1.along.sharpened", "fedproxvr.certified.sarah.along",
        "fedproxvr.certified.svrg.along",
    )),
    ("proofs.sharp_convexity", ("fedproxvr.convexity.sharpened",)),
    ("statements.remarks", ("fedproxvr.remark1.1.sarah", "fedproxvr.remark1.1.svrg")),
    ("statements.sharpened", (
        "fedproxvr.remark1.1.svrg.repaired", "fedproxvr.remark1.1.svrg.sharpened",
    )),
    ("statements.remarks", (
        "fedproxvr.remark1.1.lower", "fedproxvr.remark1.1.upper", "fedproxvr.remark1.1.upper.svrg",
        "fedproxvr.remark1.2", "fedproxvr.remark1.2.order", "fedproxvr.remark1.3.beta",
        "fedproxvr.remark1.3.tau", "fedproxvr.remark1.3.tau.everywhere",
        "fedproxvr.remark1.4.order", "fedproxvr.remark1.4.monotone", "fedproxvr.remark1.4.monotone.repaired",
        "fedproxvr.remark1.5.upper", "fedproxvr.remark1.5.beta", "fedproxvr.remark1.5.tau",
    )),
    ("statements.repaired", ("fedproxvr.remark1.5.tau.repaired",)),
    ("statements.remarks", (
        "fedproxvr.remark2.1", "fedproxvr.remark2.1.mu", "fedproxvr.remark2.1.sigma2",
        "fedproxvr.remark2.2.theta", "fedproxvr.remark2.2.mu", "fedproxvr.remark2.3.L",
        "fedproxvr.remark2.3.lam", "fedproxvr.remark2.3.mu", "fedproxvr.remark2.4",
    )),
    ("statements.discussion", (
        "fedproxvr.discussion1.beta.gamma", "fedproxvr.discussion1.tau.gamma",
        "fedproxvr.discussion1.mu.gamma", "fedproxvr.discussion1.theta.gamma",
        "fedproxvr.discussion1.mu.sigma2", "fedproxvr.discussion1.beta.sigma2",
        "fedproxvr.discussion1.theta.sigma2", "fedproxvr.discussion1.Theta.sigma2",
    )),
    ("statements.experiments", (
        "fedproxvr.section5.convex", "fedproxvr.section5.larger", "fedproxvr.section5.fluctuates",
        "fedproxvr.section5.nonconvex", "fedproxvr.section5.mu.zero", "fedproxvr.section5.mu.large",
        "fedproxvr.section5.best", "fedproxvr.section5.best.batch",
    )),
)  # fmt: skip
