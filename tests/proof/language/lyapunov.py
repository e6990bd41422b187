"""One round of FLECS-CGD's Lyapunov function, repaired, down to what the paper assumes.

A. Agafonov, B. Erraji, M. Takac, "FLECS-CGD", 2022: (14), Lemma 11 and (22)-(26), under conditions
that suffice.
In the space of the random vectors of one round; s_i draws the sample of worker i, q_i its compressor.
"""

from __future__ import annotations

import sympy as sp

from fedproof.algebra.expressions import printed
from fedproof.proof.language.assumptions import convex, smooth, strongly_convex
from fedproof.proof.language.everywhere import ForEvery
from fedproof.proof.language.functions import Field, Function
from fedproof.proof.language.lemmas import power, recursion, square_of_sum, squares
from fedproof.proof.language.randomness import Compressor, Source
from fedproof.proof.notation import Eq
from fedproof.proof.sequences import sequence, total
from fedproof.proof.step import ForAll, Given, Step, times
from fedproof.proof.vectors import ip, n2, vectors

u, v, w, ws, wp, gb, gt = vectors("u v w ws wp gb gt")
omega, L, mu, mu1, mu2, alpha, gamma, c = sp.symbols("omega L mu mu1 mu2 alpha gamma c", real=True)
i, j, n = sp.symbols("i j n", integer=True)
f, F = Function("f"), Function("F")
grad, gradF = Field("grad", r"\nabla f"), Field("gradF", r"\nabla F")
A, g, h = Field("A"), Field("g"), Field("h")
sigma2 = sequence("sigma2(i)", r"\sigma_i^2")
N = gradF(w)

workers, before, all_pairs = (i, 1, n), (j, 1, i - 1), (j, 1, n)
s, q = Source("s", workers), Source("q", workers)
Q = Compressor("Q", q, omega)

with printed():
    # -- what is assumed
    MEAN_F = ForEvery(Eq(F(u), total(f(i, u), i, 1, n) / n), (u,), "F is the mean")
    MEAN_GRAD = ForEvery(Eq(gradF(u), total(grad(i, u), i, 1, n) / n), (u,), "F is the mean")
    SMOOTH = smooth(lambda x: f(i, x), lambda x: grad(i, x), L, "Assumption 2", workers)
    CONVEX = convex(lambda x: f(i, x), lambda x: grad(i, x), "Assumption 2", workers)
    STRONG = strongly_convex(F, gradF, mu, "Assumption 2")
    MINIMUM = Given(Eq(gradF(ws), 0), "w* minimises F")
    SYMMETRIC = ForEvery(Eq(ip(u, A(v)), ip(A(u), v)), (u, v), "A is symmetric")
    ABOVE = ForEvery(ip(u, A(u)) >= mu1 * n2(u), (u,), "Lemma 9")
    BELOW = ForEvery(n2(A(u)) <= mu2**2 * n2(u), (u,), "Lemma 9")
    UNBIASED = s.unbiased(g(i), grad(i, w), workers, why="Assumption 3")
    NOISE = ForEvery(n2(g(i) - grad(i, w)) <= sigma2(i), (), "Assumption 3", workers)

    # -- messages: x = g - h is compressed to c = Q(x); e is what that adds
    def x_(k):
        return g(k) - h(k)

    def c_(k):
        return Q(k, x_(k))

    def e_(k):
        return c_(k) - x_(k)

    def G_(k):
        return grad(k, w)

    def H_(k):
        return grad(k, ws)

    q_g = q.free(g(j), workers, all_pairs, why="samples do not depend on compressors")
    q_h = q.free(h(j), workers, all_pairs, why="shifts are known")
    q_c = q.free(c_(j), workers, before, why="compressors are independent")
    s_g = s.free(g(j), workers, before, why="samples are independent")
    s_h = s.free(h(j), workers, all_pairs, why="shifts are known")
    s_G = s.free(G_(j), workers, all_pairs, why="w is known")
    q_H = q.free(H_(j), workers, all_pairs, why="w* is known")
    s_H = s.free(H_(j), workers, all_pairs, why="w* is known")
    s_N = s.free(N, workers, why="w is known")
    q_N = q.free(N, workers, why="w is known")
    q_AN = q.free(A(N), workers, why="w and A are known")
    s_AN = s.free(A(N), workers, why="w and A are known")
    GB = Given(Eq(gb, total(g(i), i, 1, n) / n), "mean of the samples")
    GT = Given(Eq(gt, total(h(i) + c_(i), i, 1, n) / n), "Algorithm 1")
    GN = MEAN_GRAD.at(w)
    mine, earlier, other = (i >= 1, i <= n), (j >= 1, j <= i - 1), (j >= 1, j <= n)

    def mean(body):
        return total(body, i, 1, n) / n

    # -- (14): the second moment of the server's direction
    compressed_free = (q_g.at(i, i), q_h.at(i, i), q.linear.at(i, g(i), h(i), -1))
    step2_each = Step(
        n2(e_(i)) <= omega * n2(x_(i)), (*mine, *compressed_free, Q.spread.at(i, x_(i))), "flecs.2.each"
    )
    step2_pair = Step(
        Eq(ip(e_(j), e_(i)), 0),
        (
            *mine, *earlier, *compressed_free, Q.mean.at(i, x_(i)),
            q_g.at(i, j), q_h.at(i, j), q_c.at(i, j),
            *(q.symmetric.at(i, c_(i), y) for y in (c_(j), g(j), h(j))),
        ),
        "flecs.2.pair",
    )  # fmt: skip
    DRAWN = tuple(
        said.known
        for said in (
            q_g, q_h, q_c, s_g, s_h, s_G, s_N, q_N, q_AN, s_AN,
            q.linear, q.symmetric, s.symmetric, Q.mean, Q.spread,
            q_H, s_H, UNBIASED, NOISE, MEAN_GRAD,
        )
    )  # fmt: skip
    some = (n >= 1, *DRAWN)
    step2_cross = Step(
        Eq(ip(total(e_(j), j, 1, i - 1), e_(i)), 0),
        (*mine, *some, step2_pair.at(over=before)),
        "flecs.2.cross",
    )
    step2 = Step(
        n2(gt - gb) <= omega / n**2 * total(n2(x_(i)), i, 1, n),
        (
            *some, GB, GT,
            square_of_sum(e_(i), i, n, weight=1 / n**2),
            step2_cross.at(over=workers, weight=2 / n**2),
            step2_each.at(over=workers, weight=1 / n**2),
        ),
        "flecs.2",
    )  # fmt: skip
    noise = (s_G.at(i, i), UNBIASED.at(i))
    step3_each = Step(
        n2(x_(i)) <= n2(G_(i) - h(i)) + sigma2(i),
        (
            *mine, *noise, s_h.at(i, i), NOISE.at(i),
            s.symmetric.at(i, g(i), G_(i)), s.symmetric.at(i, g(i), h(i)),
        ),
        "flecs.3",
    )  # fmt: skip
    step4_each = Step(
        n2(G_(i) - h(i)) <= 2 * n2(G_(i) - H_(i)) + 2 * n2(h(i) - H_(i)), (), "flecs.4", rule="quad"
    )
    step5_pair = Step(
        Eq(ip(g(j) - G_(j), g(i) - G_(i)), 0),
        (
            *mine, *earlier, UNBIASED.at(i), s_G.at(i, j), s_g.at(i, j),
            s.symmetric.at(i, g(i), G_(j)), s.symmetric.at(i, g(i), g(j)),
            s_G.at(i, i),
        ),
        "flecs.5.pair",
    )  # fmt: skip
    step5_cross = Step(
        Eq(ip(total(g(j) - G_(j), j, 1, i - 1), g(i) - G_(i)), 0),
        (*mine, *some, step5_pair.at(over=before)),
        "flecs.5.cross",
    )
    step5 = Step(
        n2(gb - N) <= total(sigma2(i), i, 1, n) / n**2,
        (
            *some, GB, GN,
            square_of_sum(g(i) - G_(i), i, n, weight=1 / n**2),
            step5_cross.at(over=workers, weight=2 / n**2),
            Step(n2(g(i) - G_(i)) <= sigma2(i), (*mine, NOISE.at(i)), "flecs.5.each").at(
                over=workers, weight=1 / n**2
            ),
        ),
        "flecs.5",
    )  # fmt: skip
    # what is centred is orthogonal to what is free of its source
    row_pair = Step(
        Eq(ip(e_(i), g(j)), 0),
        (*mine, *other, *compressed_free, Q.mean.at(i, x_(i)), q_g.at(i, j), q.symmetric.at(i, c_(i), g(j))),
        "flecs.6.pair",
    )
    row = Step(
        Eq(ip(e_(i), total(g(j), j, 1, n)), 0), (*mine, *some, row_pair.at(over=all_pairs)), "flecs.6.row"
    )
    step6_compressed = Step(
        Eq(ip(gt - gb, gb), 0), (*some, GB, GT, row.at(over=workers, weight=1 / n**2)), "flecs.6.compressed"
    )

    def centred(y, name, *freedom):
        """<gt - gb, y> = 0 and <gb - N, y> = 0 for y free of every source."""
        one = Step(
            Eq(ip(e_(i), y), 0),
            (*mine, *compressed_free, Q.mean.at(i, x_(i)), freedom[0].at(i), q.symmetric.at(i, c_(i), y)),
            f"{name}.compressed.each",
        )
        two = Step(
            Eq(ip(g(i) - G_(i), y), 0),
            (*mine, *noise, freedom[1].at(i), s.symmetric.at(i, g(i), y)),
            f"{name}.sampled.each",
        )
        return (
            Step(Eq(ip(gt - gb, y), 0), (*some, GB, GT, one.at(over=workers)), f"{name}.compressed"),
            Step(Eq(ip(gb - N, y), 0), (*some, GB, GN, two.at(over=workers)), f"{name}.sampled"),
        )

    _, step6_sampled = centred(N, "flecs.6.N", q_N, s_N)
    toward_compressed, toward_sampled = centred(A(N), "flecs.12.AN", q_AN, s_AN)
    step6 = Step(
        Eq(n2(gt), n2(gt - gb) + n2(gb - N) + n2(N)),
        (*some, GB, GT, GN, step6_compressed.at(weight=2), step6_sampled.at(weight=2)),
        "flecs.6",
    )

    # -- (14): the second moment in terms of D and H
    D = mean(n2(G_(i) - H_(i)))
    H = mean(n2(h(i) - H_(i)))
    noise2 = mean(sigma2(i))
    Phi = F(w) - F(ws)
    at_minimum = (n >= 1, MEAN_GRAD.at(ws), MINIMUM)
    step7_zero = Step(Eq(total(ip(H_(i), N), i, 1, n), 0), at_minimum, "flecs.7.zero")
    step7 = Step(
        n2(N) <= D,
        (
            *some, GN, MINIMUM, squares(G_(i) - H_(i) - N, i, n, weight=1 / n), step7_zero.at(weight=2 / n)
        ),
        "flecs.7",
    )  # fmt: skip
    known = (*some, GB, GT, MINIMUM)
    step8 = Step(
        n2(gt) <= 2 * omega / n * H + (2 * omega / n + 1) * D + (1 + omega) * noise2 / n,
        (
            *known, omega >= 0, step6.at(weight=1), step2.at(weight=1),
            step3_each.at(over=workers, weight=omega / n**2),
            step4_each.at(over=workers, weight=omega / n**2),
            step5.at(weight=1), step7.at(weight=1),
        ),
        "flecs.14",
    )  # fmt: skip

    # -- descent
    y = w - (G_(i) - H_(i)) / L
    step9_each = Step(
        f(i, ws) + ip(H_(i), w - ws) + n2(G_(i) - H_(i)) / (2 * L) <= f(i, w),
        (*mine, L > 0, SMOOTH.at(i, w, y), CONVEX.at(i, ws, y)),
        "flecs.9.each",
    )
    step9_zero = Step(Eq(total(ip(H_(i), w - ws), i, 1, n), 0), at_minimum, "flecs.9.zero")
    losses = (SMOOTH.known, CONVEX.known, MEAN_F.known)
    step9 = Step(
        D <= 2 * L * Phi,
        (
            n >= 1, L > 0, *losses, MEAN_GRAD.known, MINIMUM,
            times(-2 * L, MEAN_F.at(w)), times(2 * L, MEAN_F.at(ws)),
            step9_each.at(over=workers, weight=2 * L / n), step9_zero.at(weight=-2 * L / n),
        ),
        "flecs.9",
    )  # fmt: skip
    step10 = Step(2 * mu * Phi <= n2(N), (mu > 0, STRONG.at(w, ws)), "flecs.10")
    step11_each = Step(
        f(i, wp) <= f(i, w) + ip(G_(i), wp - w) + L / 2 * n2(wp - w),
        (*mine, SMOOTH.at(i, w, wp)),
        "flecs.11.each",
    )
    step11 = Step(
        F(wp) <= F(w) + ip(N, wp - w) + L / 2 * n2(wp - w),
        (
            n >= 1, *losses, GN, times(-1, MEAN_F.at(w)), times(1, MEAN_F.at(wp)),
            step11_each.at(over=workers, weight=1 / n),
        ),
        "flecs.11",
    )  # fmt: skip
    WP = Given(Eq(wp, w - alpha * A(gt)), "Algorithm 1")
    step12 = Step(
        ip(N, A(gt)) >= mu1 * n2(N),
        (
            *some, GB, GT, times(-1, SYMMETRIC.at(N, gt)), times(1, ABOVE.at(N)),
            toward_compressed.at(weight=-1), toward_sampled.at(weight=-1),
        ),
        "flecs.12",
    )  # fmt: skip
    operator = (SYMMETRIC.known, ABOVE.known, BELOW.known)
    step13 = Step(
        F(wp) <= F(w) - alpha * mu1 * n2(N) + L * alpha**2 * mu2**2 / 2 * n2(gt),
        (
            *known, *losses, *operator, L > 0, alpha > 0, WP, step11.at(weight=1), step12.at(weight=alpha),
            times(L * alpha**2 / 2, BELOW.at(gt)),
        ),
        "flecs.13",
    )  # fmt: skip
    numbers = (omega >= 0, L > 0, mu > 0, mu1 > 0, mu2 >= mu1, alpha > 0, gamma >= 0, c >= 0)
    everything = (*known, *losses, *operator, STRONG.known, WP, *numbers)
    scale = L * alpha**2 * mu2**2 / 2
    step14 = Step(
        F(wp) - F(ws)
        <= (1 - 2 * alpha * mu * mu1 + L**2 * mu2**2 * alpha**2 * (2 * omega / n + 1)) * Phi
        + L * mu2**2 * alpha**2 * omega / n * H
        + L * mu2**2 * alpha**2 * (1 + omega) * noise2 / (2 * n),
        (
            *everything, step13.at(weight=1), step8.at(weight=scale), step10.at(weight=alpha * mu1),
            step9.at(weight=scale * (2 * omega / n + 1)),
        ),
        "flecs.22",
    )  # fmt: skip

    # -- Lemma 11: the shifts
    plain = (n >= 1, omega >= 0, gamma >= 0, *DRAWN)
    orthogonal_shift = Step(
        Eq(ip(e_(i), h(i) - H_(i)), 0),
        (
            *mine, *compressed_free, Q.mean.at(i, x_(i)), q_H.at(i, i),
            q.symmetric.at(i, c_(i), h(i)), q.symmetric.at(i, c_(i), H_(i)),
        ),
        "flecs.15.shift",
    )  # fmt: skip
    orthogonal_own = Step(
        Eq(ip(e_(i), x_(i)), 0),
        (
            *mine, *compressed_free, Q.mean.at(i, x_(i)),
            q.symmetric.at(i, c_(i), h(i)), q.symmetric.at(i, c_(i), g(i)),
        ),
        "flecs.15.own",
    )  # fmt: skip
    sampled = Step(
        n2(g(i) - H_(i)) <= n2(G_(i) - H_(i)) + sigma2(i),
        (
            *mine, *noise, s_H.at(i, i), NOISE.at(i),
            s.symmetric.at(i, g(i), G_(i)), s.symmetric.at(i, g(i), H_(i)),
        ),
        "flecs.15.sampled",
    )  # fmt: skip
    room = gamma * (1 + omega) <= 1
    weight15 = gamma * n2(x_(i))
    step15 = Step(
        n2(h(i) + gamma * c_(i) - H_(i))
        <= (1 - gamma) * n2(h(i) - H_(i)) + gamma * n2(G_(i) - H_(i)) + gamma * sigma2(i),
        (
            *mine, *plain, Step(weight15 >= 0, (gamma >= 0,), "flecs.15.weight").at(),
            times(weight15, room), sampled.at(weight=gamma), step2_each.at(weight=gamma**2),
            orthogonal_own.at(weight=2 * gamma**2), orthogonal_shift.at(weight=2 * gamma),
        ),
        "flecs.lemma11",
    )  # fmt: skip
    HP = mean(n2(h(i) + gamma * c_(i) - H_(i)))
    step16 = Step(
        HP <= (1 - gamma) * H + 2 * gamma * L * Phi + gamma * noise2,
        (*everything, room, step15.at(over=workers, weight=1 / n), step9.at(weight=gamma)),
        "flecs.20",
    )

    # -- the Lyapunov function
    step17 = Step(
        Phi >= 0,
        (n >= 1, L > 0, *losses, MEAN_GRAD.known, MINIMUM, step9.at(weight=1 / (2 * L)),
         squares(G_(i) - H_(i), i, n, weight=1 / (2 * L * n))),
        "flecs.17",
    )  # fmt: skip
    weight_C2, weight_C3 = alpha * Phi, L * mu2**2 * alpha**2 * H
    C2 = L**2 * mu2**2 * alpha * (1 + 2 * omega / n + 2 * c * gamma) <= sp.Rational(3, 2) * mu * mu1
    C3 = omega / n <= c * (gamma - alpha * mu * mu1 / 2)
    positive_C2 = Step(weight_C2 >= 0, (*everything, step17.at(weight=alpha)), "flecs.C2.weight")
    positive_C3 = Step(
        weight_C3 >= 0,
        (*everything, squares(h(i) - H_(i), i, n, weight=L * mu2**2 * alpha**2 / n)),
        "flecs.C3.weight",
    )
    psi = c * L * mu2**2 * alpha**2
    descent = Step(
        F(wp) - F(ws) + psi * HP
        <= (1 - alpha * mu * mu1 / 2) * (Phi + psi * H)
        + ((omega + 1) / (2 * n) + gamma * c) * L * mu2**2 * alpha**2 * noise2,
        (
            *everything, room, positive_C2.at(), positive_C3.at(),
            step14.at(weight=1), step16.at(weight=psi), times(weight_C2, C2), times(weight_C3, C3),
        ),
        "flecs.26",
    )  # fmt: skip

    # -- all rounds: Psi(k) is the expected Lyapunov function before round k
    Psi = sequence("Psi(k)", r"\mathbb E\Psi_k")
    k, rounds = sp.symbols("k K", integer=True)
    noise_floor = sp.Symbol("P", real=True)
    rate = 1 - alpha * mu * mu1 / 2
    every_round = ForAll(Psi(k + 1) <= rate * Psi(k) + noise_floor, k, sp.Integer(0), rounds - 1)
    theorem4 = Step(
        Psi(rounds) <= rate**rounds * Psi(0) + 2 * noise_floor / (alpha * mu * mu1),
        (
            rounds >= 0, noise_floor >= 0, alpha > 0, mu > 0, mu1 > 0, alpha * mu * mu1 <= 2,
            Given(every_round, "(26) in every round, given its past"),
            recursion(Psi(k), k, rounds, rate, noise_floor, weight=1),
            power(rate, rounds, weight=2 * noise_floor / (alpha * mu * mu1)),
        ),
        "flecs.21",
    )  # fmt: skip
