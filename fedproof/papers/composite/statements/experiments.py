"""What Sec. 4 reports of runs on data, and the numbers in it that follow from others."""

from __future__ import annotations

from fedproof.bounds.prelude import *
from fedproof.papers.composite.notation import *
from fedproof.papers.composite.statements import formulas as f
from fedproof.papers.composite.statements.printed import KEY, LOCAL_STEPS

_SYNTHETIC = "Synthetic(50, 50), 30 clients, d = 20, sparse logistic regression"
_MNIST = "MNIST, 10 clients, a convolutional network"


def _reported(name: str, title: str, figure: str, says: str, differs: str = "", note: str = "") -> Statement:
    data = _MNIST if figure == "figure4" else _SYNTHETIC
    where = {"figure2": "Sec. 4.1, Fig. 2", "figure3": "Sec. 4.1, Fig. 3", "figure4": "Sec. 4.2, Fig. 4"}
    claim = Reported(says, data, f"{KEY}.{figure}", differs or "data of the same kind, features scaled")
    return Statement(f"{KEY}.section4.{name}", title, Source(KEY, where[figure]), (), claim, note=note)


PRECISE_1 = _reported(
    "precise.tau1",
    "With tau = 1 FedDA and the algorithm converge to machine precision",
    "figure2",
    "With full gradients and tau = 1 FedDA and the algorithm converge to machine precision",
    note="For the algorithm composite.exact.pl and composite.exact.nonconvex say so under their conditions.",
)
SAME = _reported(
    "same",
    "With tau = 1 FedDA and the algorithm converge at exactly the same rate",
    "figure2",
    "With tau = 1 the same step sizes ensure that FedDA and the algorithm converge at exactly the same rate",
    note="Of the curves in Fig. 2. The first round is the same and so are the steps once the signs have "
    "settled: composite.fedda.first, composite.fedda.settled.",
)
PRECISE_10 = _reported(
    "precise.tau10",
    "With tau = 10 the algorithm still converges to machine precision",
    "figure2",
    "With full gradients and tau = 10 the algorithm still converges precisely",
    note="Under its conditions composite.exact.pl says so; eta = 4 and eta_g = 15 need L <= 1/6000 for them.",
)
FEWER = _reported(
    "rounds",
    "tau = 10 takes about a tenth of the rounds",
    "figure2",
    "With tau = 10 the algorithm takes fewer rounds than the others, roughly reduced by 1/tau",
    note="eta and eta_g stay, so that eta~ is ten times as long: composite.section4.rounds.bound.",
)
NO_FLOOR = _reported(
    "no_floor",
    "No residual from the bound on subgradients is seen",
    "figure2",
    "With full gradients no residual error in B_g is seen",
    note="There is none: composite.exact.nonconvex and composite.exact.pl.",
)
FEDMID = _reported(
    "fedmid",
    "FedMid performs the worst with tau = 1",
    "figure2",
    "With tau = 1 FedMid performs the worst, by the curse of primal averaging",
    note="With tau = 1 it averages after one proximal step; its own step sizes are smaller ones.",
)
FEDMID_STEP = Statement(
    f"{KEY}.section4.fedmid.step",
    "FedMid performs better with smaller step sizes",
    Source(KEY, "Sec. 4.1, Fig. 2"),
    (),
    Reported("With eta = 1 and eta_g = 5 FedMid performs better than with larger step sizes", _SYNTHETIC),
    note="Why its step sizes differ from the others'; the runs with larger ones are not shown.",
)
FAST_FEDDA = _reported(
    "fast_fedda",
    "Fast-FedDA converges slowly",
    "figure2",
    "Fast-FedDA converges slowly, for its decaying step sizes",
)
FEDDA = _reported(
    "fedda",
    "FedDA performs best among the algorithms compared with",
    "figure2",
    "Of FedMid, FedDA and Fast-FedDA, FedDA performs best",
    note="Said in Sec. 4.2 of the experiments before it.",
)
DRIFT = _reported(
    "drift",
    "With tau = 10 FedDA stalls and FedMid is worse",
    "figure2",
    "With tau = 10 FedDA reaches only a neighbourhood of stationary points, and FedMid is worse",
    note="Printed: FedDA and FedMid perform even worse; the second sentence may mean Fast-FedDA.",
)
PROX_PARAMETER = _reported(
    "growing",
    "The parameter (t+1) eta improves the performance significantly",
    "figure2",
    "Local proximal steps with (t+1) eta perform significantly better",
    note="Sec. 2.2, 4), end; no run without it is shown.",
)
NEIGHBOURHOOD = _reported(
    "neighbourhood",
    "With mini-batches the algorithm reaches a neighbourhood",
    "figure3",
    "With stochastic gradients the algorithm converges to a neighbourhood, which their variance induces",
)
LARGER_BATCH = _reported(
    "batch",
    "A batch of 20 is more precise than one of 1",
    "figure3",
    "With b = 20 in place of 1 the precision of the algorithm improves",
)
OTHERS = _reported(
    "others",
    "FedDA and Fast-FedDA are worse with mini-batches",
    "figure3",
    "With stochastic gradients FedDA and Fast-FedDA perform worse",
)
ACCURACY = _reported(
    "accuracy",
    "On MNIST the algorithm is more accurate in fewer rounds than FedDA",
    "figure4",
    "With tau = 5 and 10 the algorithm is more accurate with fewer rounds than FedDA",
    "digits of scikit-learn and a small model, or MNIST files where given",
    note="ReLU and max pooling have no Lipschitz gradient, so Assumption 3.2 does not speak of this task.",
)

CNN = Statement(
    f"{KEY}.section4.cnn",
    "The network has 112,394 parameters",
    Source(KEY, "Sec. 4.2"),
    (),
    Identity(f.CNN_SIZE, Integer(112394)),
    reading="padding to the same size and 2x2 pooling after each of the two convolutions",
)

with printed():
    _AT_TAU = Omega1 / (f.SHARP_DESCENT * (eta * eta_g * tau) * eps)
    _AT_ONE = 1 / tau * (Omega1 / (f.SHARP_DESCENT * (eta * eta_g * 1) * eps))

ROUNDS = Statement(
    f"{KEY}.section4.rounds.bound",
    "At fixed step sizes and with full gradients the rounds of the bound fall as 1/tau",
    Source(KEY, "Sec. 4.1, discussion of Fig. 2, and Theorem 3.5; not in the paper"),
    letters(tau, eta, eta_g, Omega1, eps),
    Identity(_AT_TAU, _AT_ONE),
    conditions=(LOCAL_STEPS,),
    uses=(f"{KEY}.theorem3.5.rounds.sharpened",),
    note="As long as eta~ <= 1/(10 L). With the longest eta~ admitted every tau takes the same rounds.",
)
