"""What the report asks about composite federated learning."""

from __future__ import annotations

from fedproof.vocabulary.faults import Fault
from fedproof.vocabulary.questions import Trial, VerbQuery

_PROBLEM = {"L": "1", "n": "30", "sigma2": "1", "Omega1": "1", "eps": "0.08", "d_smp": "0.001"}
_FIG3 = {"n": "30", "tau": "20", "eta": "2", "eta_g": "8"}
_FIG4 = {"L": "1", "n": "10", "tau": "5", "eta": "0.005", "eta_g": "1"}

_SECONDS = "seconds, where the communication of a round takes one"

QUESTIONS = (
    VerbQuery(
        "tune",
        "composite",
        _PROBLEM | {"B_g": "1"},
        "The cheapest run under Theorem 3.5 as printed.",
        unit=_SECONDS,
    ),
    VerbQuery(
        "tune",
        "composite",
        _PROBLEM | {"form": "sharpened"},
        "The same under the sharpened theorem.",
        unit=_SECONDS,
    ),
    VerbQuery(
        "tune",
        "composite",
        _PROBLEM | {"form": "sharpened", "b_max": "4", "d_cmp": "0.001"},
        "The same with at most four samples in a batch.",
        unit=_SECONDS,
    ),
    VerbQuery(
        "tune",
        "composite.theorem3.6.sharpened",
        _PROBLEM | {"mu": "0.1"},
        "The cheapest run to an objective gap under the proximal PL inequality.",
        unit=_SECONDS,
    ),
    VerbQuery(
        "range", "composite.theorem3.5", _FIG3, "How smooth the losses of Fig. 3 must be for (13).", "L"
    ),
    VerbQuery(
        "range",
        "composite.theorem3.5",
        {"L": "1", "n": "10", "tau": "5"},
        "The step sizes that (13) leaves to ten clients with five local steps, for some server step.",
        "eta",
    ),
    VerbQuery("check", "composite.theorem3.5", _FIG4, "Fig. 4's steps for tau = 5: eta_g = 1 is too small."),
    VerbQuery(
        "check", "composite.theorem3.5.sharpened", _FIG4, "The sharpened theorem takes them for L = 1."
    ),
)

TRIALS = (
    Trial(
        "Two local steps on the paper's sparse logistic regression, as short as the theorem asks",
        "fedcomposite",
        {"eta": "1/60", "tau": "2", "eta_g": "3/2"},
        "sparse_logistic",
        60,
        "composite.theorem3.5.sharpened",
    ),
    Trial(
        "The same with four times the step",
        "fedcomposite",
        {"eta": "1/15", "tau": "2", "eta_g": "3/2"},
        "sparse_logistic",
        60,
        "composite.theorem3.5.sharpened",
    ),
)

#: what the paper claims, in a sentence
CLAIMED = (
    "Proximal steps with corrections approach a stationary point as 1/R, up to a residual (Theorem 3.5), "
    "and a minimum linearly under a proximal PL inequality (3.6) or strong convexity (3.8)."
)
#: its distinct errors, each with all that it spoils
FAULTS = (
    Fault(
        "(45), (46) and (51) have the factor 6, too small by (13); 36 is right, and the theorems keep "
        "their constants",
        ("composite.eq46", "composite.eq45", "composite.eq51", "composite.eq51.divided"),
    ),
    Fault(
        "The sums of the corrections begin at t = 1, for t = 0",
        (
            "composite.eq15a",
            "composite.correction.second",
            "composite.correction.third",
            "composite.correction.fourth",
            "composite.update.second",
        ),
    ),
    Fault("Fact 1 has the gradient of F for that of f", ("composite.fact1",)),
    Fault("Above (41) stands |a + b|^2 for <a, b>", ("composite.eq41.young",)),
)
