"""The descent of a round is also at least Theta times the squared gradient at its end. Not in the paper.

The printed last display of the proof of Theorem 1 sums the gradients at the ends of the rounds, where (87)
has those at the starts. Smoothness from the end in place of the start gives a second bound; where the
gradient at the end is the larger one, that bound is the stronger one, else (87) is.
"""

from fedproof.papers.fedproxvr.assumptions import INEXACT_SQUARED, SMOOTH
from fedproof.papers.fedproxvr.proofs.appendix_a import before, grad_before, w
from fedproof.papers.fedproxvr.proofs.appendix_a import grad as grad_w
from fedproof.papers.fedproxvr.proofs.lemma3 import EQ72, EQ74, EQ75, LEMMA3
from fedproof.papers.fedproxvr.proofs.means import SCHWARZ, size
from fedproof.papers.fedproxvr.proofs.means import x as any_x
from fedproof.papers.fedproxvr.proofs.means import y as any_y
from fedproof.papers.fedproxvr.proofs.round_vectors import *
from fedproof.papers.fedproxvr.proofs.theorem1 import EQ87, MU_THETA, SPREAD
from fedproof.papers.fedproxvr.proofs.theorem1_descent import GLOBAL_SMOOTH, LOCAL_SMOOTH, MOVES, along, apart

_END = r"\|\nabla\bar F(\bar w^{(s)})\|"
_GAP, _LEFT = r"\|w_n^{(s)}-\bar w^{(s)}\|", r"\|\nabla J_n(w_n^{(s)})\|"
grad_end = vector("grad_end", r"\nabla F_n(\bar w^{(s)})")
C2 = number("C2", rf"\mathbb E{_END}^2")
C = number("C", rf"(\mathbb E{_END}^2)^{{1/2}}")
far = number("far", r"(\mathbb E_n\mathbb E\|w_n^{(s)}-\bar w^{(s)}\|^2)^{1/2}")
left = number("left", r"(\mathbb E_n\mathbb E\|\nabla J_n(w_n^{(s)})\|^2)^{1/2}")
A1 = number("A1", rf"\mathbb E[{_END}\,\mathbb E_n\|w_n^{{(s)}}-\bar w^{{(s)}}\|]")
A2 = number("A2", rf"\mathbb E[{_END}\,\mathbb E_n\|\nabla J_n(w_n^{{(s)}})\|]")
U = sequence("U(n)", _END + _GAP, nonnegative=True)
Z = sequence("Z(n)", _END + _LEFT, nonnegative=True)
Q2 = sequence("Q2(n)", rf"\mathbb E{_LEFT}^2", nonnegative=True)
end2 = sequence("e(i)", _END + "^2_i", nonnegative=True)

by = step_writer("fedproxvr", __name__, "last display of the proof of Theorem 1, repaired")
SIZES = assume("meaning: norms", B >= 0, C >= 0, rms >= 0, far >= 0, left >= 0)

with printed():
    FROM_END = by.cite("round_end.smooth")(
        F1 - F0 <= ip(bar_end, server - start) + L / 2 * STEP2,
        L > 0,
        assume(
            SMOOTH.id, GLOBAL_SMOOTH.at({size: norm(bar_end - bar), apart: norm(server - start)}).relation
        ),
        note="Lemma 1.2.3 of [21]: a loss with an L-Lipschitz gradient lies above its lower quadratic model.",
    )
    ROUND_DESCENT = by.quad("round_end.smooth.round")(
        F1 - F0 <= ip(bar_end, server - start) + L / 2 * STEP2, L > 0, FROM_END.at()
    )
    INNER = by.quad("round_end.inner")(
        Eq(
            ip(bar_end, server - start),
            1 / mu * ip(bar_end, mean_end - mean_F) + 1 / mu * ip(bar_end, mean_J) - 1 / mu * n2(bar_end),
        ),
        mu > 0,
        MOVES,
        assume("meaning: a mean of differences is the difference of the means", Eq(mean_J, gap + mean_F)),
        assume("definition: (2), so grad F is the mean of the grad F_n", Eq(mean_end, bar_end)),
        note="(76)-(78) with the gradient at the end.",
    )
    PRODUCT = by.quad("round_end.client")(
        ip(bar_end, grad_end - grad_local) <= L * (norm(bar_end) * norm(server - local)),
        L > 0,
        SCHWARZ.at({any_x: bar_end, any_y: grad_end - grad_local}),
        LOCAL_SMOOTH.at({grad_w: grad_end, grad_before: grad_local, w: server, before: local}),
    )
    OUTCOME_BOUND = by.sum("round_end.outcome")(
        F1 - F0 <= L / mu * average(U(n)) + 1 / mu * average(Z(n)) - 1 / mu * C2 + L / 2 * S2,
        POSITIVE,
        CLIENTS,
        ROUND_DESCENT.at({ip(bar_end, server - start): along, STEP2: S2}),
        INNER.at(
            {
                ip(bar_end, server - start): along,
                ip(bar_end, mean_end - mean_F): average(In(n)),
                ip(bar_end, mean_J): average(K(n)),
                n2(bar_end): C2,
            },
        ),
        PRODUCT.at(
            {ip(bar_end, grad_end - grad_local): In(n), norm(bar_end) * norm(server - local): U(n)},
            over=CLIENT,
        ),
        SCHWARZ.at({ip(any_x, any_y): K(n), norm(any_x) * norm(any_y): Z(n)}, over=CLIENT),
        note="At one outcome of the draws; (79) with the gradient at the end.",
        reads=(
            (C2, f"{_END}^2"),
            (along, r"\langle\nabla\bar F(\bar w^{(s)}),\bar w^{(s)}-\bar w^{(s-1)}\rangle"),
        ),
    )
    EXPECTED = by.sum("round_end.expected")(
        D <= L / mu * A1 + 1 / mu * A2 - 1 / mu * C2 + L / 2 * moved,
        POSITIVE,
        DRAWS,
        *(
            assume("definition: a mean over the draws", Eq(expected(term), name))
            for c, term, name in (
                (-1, fall(i), D),
                (L / mu, h(i), A1),
                (1 / mu, k(i), A2),
                (-1 / mu, end2(i), C2),
                (L / 2, step2(i), moved),
            )
        ),
        OUTCOME_BOUND.at(
            {F1: F0 + fall(i), average(U(n)): h(i), average(Z(n)): k(i), C2: end2(i), S2: step2(i)},
            over=OUTCOME,
        ),
    )
    SPREAD_END = by.quad("round_end.spread", mean=r"\mathbb E\,\mathbb E_n")(
        n2(local - server) <= n2(local - start),
        assume("definition: line 12 of Algorithm 1", Eq(ip(local - server, server - start), 0)),
        note="The local models are nearer to their mean than to the round's start.",
    )
    FAR = by.sum("round_end.far")(
        far**2 <= 4 * SPREAD / mt**2 * B**2,
        mt > 0,
        CLIENTS,
        SPREAD_END.at({n2(local - server): far**2, n2(local - start): average(R2(n))}),
        EQ74.at(),
        EQ75.at({B2: B**2}),
    )
    LEFT = by.sum("round_end.left")(
        left**2 <= theta**2 * (2 * (1 + sigma2)) * B**2,
        CLIENTS,
        theta > 0,
        assume("definition: the mean of the squares", Eq(left**2, average(Q2(n)))),
        assume(INEXACT_SQUARED.id, ForAll(Q2(n) <= theta**2 * G(n), *CLIENT)),
        EQ72.at({B2: B**2}),
    )
    FAR_ROOT = by.real("round_end.far.root")(
        A1 <= 2 / mt * sqrt(SPREAD) * B * C,
        (mt > 0, sigma2 >= 0),
        SIZES,
        SCHWARZ.at({ip(any_x, any_y): A1, norm(any_x): C, norm(any_y): far}),
        FAR.at(),
    )
    LEFT_ROOT = by.real("round_end.left.root")(
        A2 <= theta * sqrt(2 * (1 + sigma2)) * B * C,
        (theta > 0, sigma2 >= 0),
        SIZES,
        SCHWARZ.at({ip(any_x, any_y): A2, norm(any_x): C, norm(any_y): left}),
        LEFT.at(),
    )
    ROOTS = (Let(u, sqrt(SPREAD), (u >= 0,)), Let(v, sqrt(2 * (1 + sigma2)), (v >= 0,)))
    BOUNDED = by.sum("round_end.bounded")(
        mu * D <= (2 * L / mt * u + theta * v) * B * C - C**2 + 2 * L * mu / mt**2 * u**2 * B**2,
        POSITIVE,
        (mt > 0, theta > 0, sigma2 >= 0),
        SIZES,
        EXPECTED.at({C2: C**2}),
        FAR_ROOT.at({sqrt(SPREAD): u}),
        LEFT_ROOT.at({sqrt(2 * (1 + sigma2)): v}),
        LEMMA3.at({B2: B**2, 4 * (1 + theta**2) * (1 + sigma2): 4 * u**2}),
        lets=ROOTS,
    )
    #: either way: what the start gives, or what the end gives
    AT_END = by.real("round_end")(
        D <= -Theta * C**2,
        POSITIVE,
        (mt > 0, theta > 0, sigma2 >= 0, Theta > 0),
        SIZES,
        assume("definition: Theta, below (17)", Eq(Theta, 1 / mu * kept)),
        assume("definition: mu Theta, below (17)", Eq(kept, MU_THETA)),
        used(EQ87, BOUNDED),
        lets=ROOTS,
        note="Where C <= B this is (87); else B in the bound from the end may be raised to C.",
    )
