"""What the report asks about FedProxVR."""

from __future__ import annotations

from fedproof.vocabulary.faults import Fault
from fedproof.vocabulary.questions import Trial, VerbQuery

_FIG1 = {"L": "1", "lam": "0.5", "sigma2": "1", "gamma": "0.01"}
_SVRG = {"L": "1", "lam": "1/2", "theta": "1/2"}

_TIME = "training time over d_com Delta/epsilon, by (18) and (19)"

QUESTIONS = (
    VerbQuery("tune", "fedproxvr", _FIG1, "Problem (23) as printed, for SARAH.", unit=_TIME),
    VerbQuery(
        "tune", "fedproxvr", _FIG1 | {"tau": "integer"}, "The best whole number of local steps.", unit=_TIME
    ),
    VerbQuery(
        "tune", "fedproxvr", _FIG1 | {"estimator": "svrg"}, "The same for SVRG, not printed.", unit=_TIME
    ),
    VerbQuery(
        "tune", "fedproxvr", _FIG1 | {"form": "sharpened"}, "Problem (23) under sharpened bounds.", unit=_TIME
    ),
    VerbQuery(
        "tune",
        "fedproxvr",
        _FIG1 | {"estimator": "svrg", "form": "sharpened"},
        "The same for SVRG, sharpened.",
        unit=_TIME,
    ),
    VerbQuery(
        "range",
        "fedproxvr.lemma1.sarah",
        {"L": "1", "lam": "1/2", "theta": "1/2", "mu": "20", "beta": "20"},
        "How many local steps Lemma 1 admits with SARAH.",
        "tau",
    ),
    VerbQuery(
        "range",
        "fedproxvr.lemma1.svrg",
        _SVRG | {"beta": "400", "mu": "200"},
        "How many local steps Lemma 1 admits with SVRG, its free weight eliminated.",
        "tau",
    ),
    VerbQuery(
        "range",
        "fedproxvr.lemma1.svrg.sharpened",
        _SVRG | {"beta": "400", "mu": "200"},
        "The same under the sharpened Lemma 1, which asks only for enough of them.",
        "tau",
    ),
    VerbQuery(
        "range",
        "fedproxvr.lemma1.svrg",
        _SVRG | {"beta": "20", "mu": "30"},
        "With a smaller step-size parameter SVRG has none.",
        "tau",
    ),
    VerbQuery(
        "range",
        "fedproxvr.certified.sarah",
        {"L": "1", "lam": "0.5", "sigma2": "1"},
        "The step-size parameters for which any proximal weight and number of local steps work.",
        "beta",
    ),
    VerbQuery(
        "range",
        "fedproxvr.theorem1",
        {"L": "1", "lam": "0.5", "sigma2": "1", "theta": "0.1"},
        "The proximal weights that Theorem 1 admits at a given inexactness.",
        "mu",
    ),
    VerbQuery(
        "check",
        "fedproxvr.certified.sarah",
        {"L": "1", "lam": "0.5", "sigma2": "1", "mu": "22", "beta": "20", "tau": "200"},
        "A practitioner's numbers near the optimum.",
    ),
    VerbQuery(
        "check",
        "fedproxvr.certified.sarah.sharpened",
        {"L": "1", "lam": "0.5", "sigma2": "1", "mu": "4.6", "beta": "5.5", "tau": "45"},
        "Smaller numbers that only the sharpened statement covers.",
    ),
    VerbQuery(
        "check",
        "fedproxvr.certified.sarah",
        {"L": "1", "lam": "0.5", "sigma2": "1", "mu": "0.1", "beta": "5", "tau": "10"},
        "The smaller values of Fig. 2 with the proximal weight of Table 1.",
    ),
)

TRIALS = (
    Trial(
        "The paper's values: smaller β and τ of Fig. 2, μ of Table 1",
        "fedproxvr",
        {"beta": "5", "tau": "10", "mu": "0.1", "batch_size": "32"},
        "digits",
        50,
        "fedproxvr.certified.sarah",
    ),
    Trial(
        "Larger β, τ and μ, as Lemma 1 asks for",
        "fedproxvr",
        {"beta": "20", "tau": "200", "mu": "250"},
        "digits",
        50,
        "fedproxvr.certified.sarah",
    ),
)

#: what the paper claims, in a sentence
CLAIMED = (
    "With SARAH or SVRG tau local steps solve a client's proximal problem to inexactness theta (Lemma 1), "
    "and the mean squared gradient then falls as Delta/(Theta T), for non-convex losses (Theorem 1)."
)
#: its distinct errors, each with all that it spoils
FAULTS = (
    Fault(
        "Means of the clients' L_n and lambda_n hide a client of small weight whose lambda_n is close to mu",
        ("fedproxvr.section3.heterogeneous.theorem1", "fedproxvr.heterogeneous.instance"),
    ),
    Fault(
        "Without its free weight the upper bound of (14) grows like beta, not its square: mu must be large "
        "as well",
        ("fedproxvr.remark1.1.svrg",),
    ),
    Fault("Near mu = lambda the lower bound of tau falls as mu grows", ("fedproxvr.remark1.4.monotone",)),
    Fault(
        "The lower bound of tau does not increase in beta: a larger least beta may cost fewer steps",
        ("fedproxvr.remark1.5.tau",),
    ),
    Fault(
        "The values of Sec. 5 break (14), Lemma 1's bound for SVRG",
        ("fedproxvr.section5.smaller.svrg", "fedproxvr.section5.larger.svrg"),
    ),
    Fault("Algorithm 1 returns w^(tau) where (52) needs w^(t')", ("fedproxvr.algorithm1.line10",)),
    Fault("(39) has the gradient of F_n for that of J_n", ("fedproxvr.eq39",)),
    Fault("(76) has the model for the gradient of F at it", ("fedproxvr.eq76",)),
)
