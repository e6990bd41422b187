"""Names that the direct proofs of Theorem 1 share: the models of all rounds, and what is assumed of them.

w^(s) is the server's model after round s, w_n^(s) that of client n. A vector is a random one, over the draws
of all rounds: <x, y> is E<x, y>, f(x) is E f(x). With the round's start held fixed, the same is the mean
given it, as in (87).
"""

from fedproof.papers.fedproxvr import assumptions as A
from fedproof.papers.fedproxvr.notation import *
from fedproof.proof.language.prelude import *
from fedproof.proof.prelude import *

s, n, N = (sp.Symbol(name, integer=True) for name in ("s", "n", "N"))
u, v = vectors("u v")
best = vector("optimum", r"\bar w^{*}")
Weight, Sigma = sequence("Weight(n)", "p_n"), sequence("Sigma(n)", r"\sigma_n")
LossOf, DLossOf = Function("LossOf", "F_{#1}(#2)"), Field("DLossOf", r"\nabla F_{#1}(#2)")
Total, DTotal = Function("Total", r"\bar F"), Field("DTotal", r"\nabla\bar F")
Server, Model = Field("Server", r"\bar w^{(#1)}"), Field("Model", "w_{#2}^{(#1)}")
CLIENTS, ROUNDS = (n, 1, N), (s, 1, T)
start, after, local = Server(s - 1), Server(s), Model(s, n)
#: the gradients of the surrogate (6) at the local model, of a client and of all at the round's start
slope, bar = DLossOf(n, start), DTotal(start)


def average(term: Any) -> Any:
    """The mean over the clients."""
    return total(Weight(n) * term, *CLIENTS)


def steep(point: Any) -> Any:
    """The gradient of client n's surrogate (6) of round s."""
    return DLossOf(n, point) + mu * (point - start)


with printed():
    SMOOTH = smooth(lambda x: LossOf(n, x), lambda x: DLossOf(n, x), L, "fedproxvr.smooth_descent", CLIENTS)
    LIPSCHITZ = lipschitz_gradient(lambda x: DLossOf(n, x), L, A.SMOOTH.id, CLIENTS)
    WEAK = weakly_convex(lambda x: LossOf(n, x), lambda x: DLossOf(n, x), lam, A.WEAKLY_CONVEX.id, CLIENTS)
    DISSIMILAR = ForEvery(
        norm(DLossOf(n, u) - DTotal(u)) <= Sigma(n) * norm(DTotal(u)), (u,), A.DISSIMILAR.id, CLIENTS
    )
    #: what (5) is used for, at the models of the run
    ALONG = ForEvery(
        average(n2(DLossOf(n, start) - DTotal(start))) <= sigma2 * n2(DTotal(start)), (),
        A.DISSIMILAR_ALONG.id, ROUNDS,
    )  # fmt: skip
    SIGMA_SIGN = ForEvery(Sigma(n) >= 0, (), "fedproxvr.assumption1.dissimilarity.sign", CLIENTS)
    SPREAD = ForEvery(Eq(average(Sigma(n) ** 2), sigma2), (), "fedproxvr.definition.sigma2")
    INEXACT = ForEvery(n2(steep(local)) <= theta**2 * n2(slope), (), A.INEXACT_SQUARED.id, (ROUNDS, CLIENTS))
    SIGN = ForEvery(Weight(n) >= 0, (n,), "fedproxvr.definition.weights.sign")
    ONE = ForEvery(Eq(average(u), u), (u,), "fedproxvr.definition.weights.mean")
    MEAN = ForEvery(Eq(Total(u), average(LossOf(n, u))), (u,), "fedproxvr.definition.loss")
    MEAN_GRAD = ForEvery(Eq(DTotal(u), average(DLossOf(n, u))), (u,), "fedproxvr.definition.loss.gradient")
    LINE12 = ForEvery(Eq(after, average(local)), (), "fedproxvr.algorithm1.line12", ROUNDS)
    LEAST = minimises(best, Total, why="fedproxvr.definition.optimum")
    GAP = ForEvery(Eq(Total(Server(0)) - Total(best), Delta), (), "fedproxvr.definition.Delta")
    THERE_ARE = assume("fedproxvr.convention.clients", N >= 1)
    RUN = (*assume("fedproxvr.convention.rounds", T >= 1), *THERE_ARE)
    #: the mean over the rounds of the squared gradient of the loss
    MEAN_SQUARE = 1 / T * total(n2(DTotal(Server(s))), s, 1, T)
    #: of one client in one round, and of one round, which is one of the run
    MINE, ROUND = (1 <= n, n <= N, 1 <= s, s <= T), (1 <= s, s <= T, *THERE_ARE)
    IN_RUN = (*assume("fedproxvr.convention.round", 1 <= s, s <= T), *THERE_ARE)

FORMULAS = (
    SMOOTH, LIPSCHITZ, WEAK, DISSIMILAR, ALONG, SIGMA_SIGN, SPREAD, INEXACT, SIGN, ONE, MEAN, MEAN_GRAD,
    LINE12, LEAST, GAP,
)  # fmt: skip
#: what the weights p_n are; the global loss; one client; what the means over the clients go by besides
WEIGHTS = (SIGN.known, ONE.known)
LOSSES = (SMOOTH.known, MEAN.known, MEAN_GRAD.known)
CLIENT = (WEAK.known, INEXACT.known)
BASE = (*WEIGHTS, ALONG.known, MEAN_GRAD.known, LINE12.known)
#: (5) at every model, with what sigma2 is
EVERYWHERE = (DISSIMILAR.known, SIGMA_SIGN.known, SPREAD.known)
