"""What the report asks about FedProx and FedMSPP."""

from __future__ import annotations

from fedproof.vocabulary.faults import Fault
from fedproof.vocabulary.questions import VerbQuery

_SMOOTH = {"L": "1", "G": "1", "Delta": "1", "I": "10"}
_KINKED = {"G": "1", "rho": "1", "Delta_rho": "1", "I": "10"}

QUESTIONS = (
    VerbQuery(
        "check",
        "fedprox.theorem1.explicit",
        _SMOOTH | {"T": "1000", "eps": "1e-8"},
        "What 1000 rounds with ten devices promise, where both parts of the rate are equal.",
    ),
    VerbQuery(
        "range",
        "fedprox.theorem1.explicit",
        {"L": "1", "G": "1", "I": "10", "T": "1000"},
        "How nearly the local problems must then be solved.",
        "eps",
    ),
    VerbQuery(
        "range",
        "fedprox.theorem1.general",
        {"L": "1", "G": "1", "I": "10", "eps": "1e-6"},
        "The step sizes that a given accuracy of the local solves admits.",
        "eta",
    ),
    VerbQuery(
        "check",
        "fedprox.theorem1.general",
        _SMOOTH | {"T": "1000", "eta": "1/2", "eps": "1e-8"},
        "A step size above 1/(3 L) is not covered.",
    ),
    VerbQuery(
        "check",
        "fedprox.theorem3.repaired",
        _SMOOTH | {"H2": "1/10", "b": "8", "T": "1000", "eps": "1e-12"},
        "FedMSPP with minibatches of eight: how many draws count where the devices differ.",
    ),
    VerbQuery(
        "check",
        "fedprox.theorem2.explicit",
        _KINKED | {"nu": "1/4", "T": "1000"},
        "Losses with kinks, weakly convex: as many rounds promise less, whatever the number of devices.",
    ),
    VerbQuery(
        "range",
        "fedprox.theorem2.explicit",
        {"nu": "1/4"},
        "The envelopes of which Theorem 2 speaks.",
        "rho",
    ),
)

TRIALS = ()

#: what the paper claims, in a sentence
CLAIMED = (
    "However unlike the devices, FedProx converges as the larger of T^(-2/3) and (T I)^(-1/2) for smooth "
    "losses (Theorem 1), with T b I in it for minibatches of b (3), and as T^(-1/2) for weakly convex ones "
    "(2, 4)."
)
#: its distinct errors, each with all that it spoils
FAULTS = (
    Fault(
        "The samples of a minibatch share their device, so that the variance is G^2/I and not G^2/(bI) as "
        "in Lemma 11",
        (
            "fedprox.theorem3",
            "fedprox.theorem3.general",
            "fedprox.lemma11.first",
            "fedprox.theorem3.fails.general",
        ),
    ),
    Fault("The third condition on eps_t of Theorem 3 has bI for its square", ("fedprox.theorem3.last",)),
    Fault("zeta_4 of Theorem 3 is bounded by 43 where 50 is needed", ("fedprox.theorem3.zeta4",)),
    Fault("The second bound of Lemma 10 follows for eta_t <= 1 alone", ("fedprox.lemma10.second",)),
)
