"""What the report asks about composite federated learning."""

from __future__ import annotations

from fedproof.vocabulary.questions import VerbQuery

_PROBLEM = {"L": "1", "n": "30", "sigma2": "1", "Omega1": "1", "eps": "0.08", "d_smp": "0.001"}
_FIG3 = {"n": "30", "tau": "20", "eta": "2", "eta_g": "8"}
_FIG4 = {"L": "1", "n": "10", "tau": "5", "eta": "0.005", "eta_g": "1"}

QUESTIONS = (
    VerbQuery("tune", "composite", _PROBLEM | {"B_g": "1"}, "The cheapest run under Theorem 3.5 as printed."),
    VerbQuery("tune", "composite", _PROBLEM | {"form": "sharpened"}, "The same under the sharpened theorem."),
    VerbQuery(
        "tune",
        "composite",
        _PROBLEM | {"form": "sharpened", "b_max": "4", "d_cmp": "0.001"},
        "The same with at most four samples in a batch.",
    ),
    VerbQuery(
        "tune",
        "composite.theorem3.6.sharpened",
        _PROBLEM | {"mu": "0.1"},
        "The cheapest run to an objective gap under the proximal PL inequality.",
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
