"""Lemma 3, (67)-(75): how far the server's model moves in a round."""

from fedproof.papers.fedproxvr.assumptions import DISSIMILAR, INEXACT_SQUARED
from fedproof.papers.fedproxvr.proofs.appendix_a import EQ26, best, w
from fedproof.papers.fedproxvr.proofs.lemma2 import EQ43, alpha
from fedproof.papers.fedproxvr.proofs.lemma2 import x as young_x
from fedproof.papers.fedproxvr.proofs.lemma2 import y as young_y
from fedproof.papers.fedproxvr.proofs.means import JENSEN, m
from fedproof.papers.fedproxvr.proofs.means import x as any_x
from fedproof.papers.fedproxvr.proofs.means import z as any_z
from fedproof.papers.fedproxvr.proofs.round_vectors import *
from fedproof.papers.fedproxvr.statements import formulas as f

grad_J = vector("grad_J", r"\nabla J_n(\bar w^{(s-1)})")
size = number("size", r"\|\nabla F_n(\bar w^{(s-1)})\|")
X = sequence("X(i)", r"\|w_s^{n*}-w_n^{(s)}\|_i^2", nonnegative=True)
by = step_writer("fedproxvr", __name__)

with printed():
    AGGREGATE = assume("definition: line 12 of Algorithm 1", Eq(average(wc(n)), server_c))
    EQ67 = by.sum("eq67")(Eq(average(wc(n)), server_c), CLIENTS, AGGREGATE)
    EQ68 = by.quad("eq68")(
        Eq(grad_J_local, grad_local + mu * (local - start)),
        assume("definition: J_n by (6), (7)", Eq(grad_J_local, grad_local + mu * (local - start))),
        note="The gradient of mu/2 |w - start|^2 is mu (w - start).",
    )
    EQ69 = by.sum("eq69")(
        Eq(average(jc(n) - fc(n)), mu * (server_c - start_c)),
        CLIENTS,
        assume("definition: (68)", ForAll(Eq(jc(n), fc(n) + mu * (wc(n) - start_c)), *CLIENT)),
        EQ67.at(),
        WEIGHTS,
    )
    TO_LEAST = by.quad("lemma3.start", "proof of Lemma 3, first display")(
        n2(least - start) <= 1 / mt**2 * n2(grad_J),
        mt > 0,
        EQ26.at({w: start, best: least}),
    )
    AT_START = EQ68.at({grad_J_local: grad_J, grad_local: grad, local: start})
    TO_LEAST_GRADIENT = by.quad("lemma3.start.gradient", "proof of Lemma 3, first display, (68)")(
        Eq(1 / mt**2 * n2(grad_J), 1 / mt**2 * n2(grad)),
        mt > 0,
        AT_START,
    )
    EQ70_PATH = by.quad("eq70.outcome", "eq. (70), (26), one outcome of the draws")(
        n2(least - local) <= 1 / mt**2 * n2(grad_J_local),
        mt > 0,
        EQ26.at({w: local, best: least, grad_J: grad_J_local}),
    )
    #: means over the outcomes of a round's draws, given its start; the minimiser is fixed then
    MISSED, RESIDUAL = expected(X(i)), expected(residual(i) * residual(i))
    EQ70_MEAN = by.sum("eq70a", "eq. (70), (26)")(
        MISSED <= 1 / mt**2 * RESIDUAL,
        mt > 0,
        DRAWS,
        EQ70_PATH.at(
            {n2(least - local): X(i), n2(grad_J_local): residual(i) * residual(i)},
            over=OUTCOME,
        ),
    )
    EQ70 = by.sum("eq70", "eq. (70), from (54)-(55)")(
        MISSED <= theta**2 / mt**2 * size**2,
        mt > 0,
        DRAWS,
        assume(INEXACT_SQUARED.id, RESIDUAL <= theta**2 * size**2),
        EQ70_MEAN.at(),
        lacks="Lemma 1 states (11), a bound on the mean of the norm, which does not bound the mean square: a "
        "norm of 2 or 0 with equal chances has mean 1 and mean square 2. Its proof does, (54)-(55)",
        note="The conditions of Lemma 1 give it.",
    )
    EQ71_YOUNG = by.mean("eq71a", "eq. (71), first <=")(
        n2(local - start) <= 2 * n2(least - local) + 2 * n2(least - start),
        EQ43.at({young_x: local - least, young_y: least - start, alpha: 1}),
    )
    EQ71 = by.mean("eq71")(
        n2(local - start) <= 2 * (1 + theta**2) / mt**2 * n2(grad),
        mt > 0,
        EQ71_YOUNG.at(),
        EQ70.at({MISSED: n2(least - local), size**2: n2(grad)}),
        TO_LEAST.at(),
        AT_START,
    )
    DIVERGENCE = by.quad("eq5.squared")(
        n2(grad - bar) <= sigma**2 * n2(bar),
        assume("definition: sigma_n of (5)", sigma >= 0),
        assume(DISSIMILAR.id, norm(grad - bar) <= sigma * norm(bar)),
    )
    EQ72_YOUNG = by.quad("eq72a", "eq. (72), first <=, one client")(
        n2(grad) <= 2 * n2(grad - bar) + 2 * n2(bar),
        EQ43.at({young_x: grad - bar, young_y: bar, alpha: 1}),
    )
    SIGMA2 = assume("definition: sigma2, below (5)", Eq(average(sg(n)), sigma2))
    EQ72 = by.sum("eq72")(
        average(G(n)) <= 2 * (1 + sigma2) * B2,
        CLIENTS,
        EQ72_YOUNG.at({n2(grad): G(n), n2(grad - bar): V(n), n2(bar): B2}, over=CLIENT),
        DIVERGENCE.at({n2(grad - bar): V(n), sigma**2: sg(n), n2(bar): B2}, over=CLIENT),
        (*SIGMA2, *WEIGHTS),
        note="True without the factor of 2, by a variance decomposition.",
    )
    EQ73_START = by.mean("eq73a", "eq. (73), =")(
        Eq(n2(server - start), n2(mean_w - start)),
        assume("definition: (67)", Eq(mean_w, server)),
    )
    EQ73 = by.mean("eq73")(
        n2(server - start) <= n2(local - start),
        JENSEN.at({any_x: local, m: server, any_z: start}),
        note="Here <x, y> is also averaged over the clients.",
    )
    EQ74 = by.sum("eq74")(
        average(R2(n)) <= 2 * (1 + theta**2) / mt**2 * average(G(n)),
        mt > 0,
        CLIENTS,
        EQ71.at({n2(local - start): R2(n), n2(grad): G(n)}, over=CLIENT),
    )
    EQ75 = by.sum("eq75")(
        2 * (1 + theta**2) / mt**2 * average(G(n)) <= f.MOVEMENT * B2,
        mt > 0,
        CLIENTS,
        EQ72.at(),
    )
    LEMMA3 = by.sum("lemma3.end", "Lemma 3")(
        moved <= f.MOVEMENT * B2,
        mt > 0,
        CLIENTS,
        EQ73.at({n2(server - start): moved, n2(local - start): average(R2(n))}),
        used(EQ74, EQ75),
    )
