"""Names that the proofs of all theorems share: a round's drawn losses, local models, what is assumed.

phi_{t,xi} is the mean of the loss that draw xi of round t + 1 takes: a device's risk (FedProx) or its
minibatch's (FedMSPP). x_{t,xi} is that draw's local model, w_t the server's. In the space of random vectors
f(u) is the expected value of f at the random point u, so each relation below also holds in the mean. What
is assumed has the reason of `assumptions.py` and holds for every round t and every draw xi.
"""

from fedproof.papers.fedprox import assumptions as A
from fedproof.papers.fedprox.notation import *
from fedproof.proof.language.prelude import *
from fedproof.proof.prelude import *

t, j = sp.Symbol("t", integer=True), sp.Symbol("xi", integer=True)
u, v = vectors("u v")
Phi = Function("Phi", r"\phi_{#1,#2}(#3)")
DPhi = Field("DPhi", r"\nabla\phi_{#1,#2}(#3)")
R, DR = Function("R", r"\bar R"), Field("DR", r"\nabla\bar R")
W, X = Field("W", "w_{#1}"), Field("X", "x_{#1,#2}")
DRAWS, ROUNDS = (j, 1, I), (t, 0, T - 1)
EVERY = (ROUNDS, DRAWS)
#: the mean over what is drawn in round t + 1
DRAWN = Source("S", (t, 0, T - 1))
w, x, local = W(t), W(t + 1), X(t, j)


def drawn(point: Any) -> Any:
    """The loss of draw xi of round t + 1 at a point."""
    return Phi(t, j, point)


def drawn_gradient(point: Any) -> Any:
    """Its gradient."""
    return DPhi(t, j, point)


def mean(term: Any) -> Any:
    """The mean over the draws of a round."""
    with printed():
        return total(term, *DRAWS) / I


def held(point: Any) -> Any:
    """A point that the round's draws do not change: the mean of any point over them."""
    return DRAWN(t, point)


with printed():
    LIPSCHITZ = lipschitz(drawn, G, A.LIPSCHITZ.id, EVERY)
    LIPSCHITZ_R = lipschitz(R, G, A.LIPSCHITZ.id)
    AVERAGE = ForEvery(Eq(x, mean(local)), (), A.AVERAGE.id, ROUNDS)
    UNBIASED = ForEvery(Eq(mean(drawn(held(u))), R(held(u))), (u,), A.UNIFORM.id, ROUNDS)
    KNOWN = ForEvery(Eq(held(w), w), (), A.UNIFORM.id, ROUNDS)
    #: the mean over the rounds of the squared gradient of the risk
    MEAN1 = total(n2(DR(W(t))), t, 0, T - 1) / T
#: of one round and draw
INSIDE = (1 <= j, j <= I, 0 <= t, t <= T - 1)
ROUND = (0 <= t, t <= T - 1, I >= 1)
