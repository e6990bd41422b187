"""Appendix A: Lemmas 1 and 3 on stable algorithms, and Lemma 10, which the repaired Theorem 3 does without.

Lemma 1 is of two regularised risks f and f' that differ in the i-th sample, with minimisers p and p' and
inexact solutions z and z'; ell and ell' are the losses of that sample. Lemma 3 is in the space of the random
vectors of a data set S and one more sample.
"""

from fedproof.proof.language.prelude import *
from fedproof.proof.prelude import *

by = step_writer("fedprox", __name__)
p, p2, z, z2, u = vectors("p p2 z z2 u")
f, ell, ell2 = Function("f"), Function("ell", r"\ell_i"), Function("ell2", r"\ell_i'")
a, lam, G, e, N = (
    number("a"),
    number("lam", r"\lambda"),
    number("G"),
    number("e", r"\varepsilon_t"),
    number("N"),
)
WEIGHT = 1 / (1 + a**2)
L, gamma = number("L"), number("gamma", r"\gamma")
i = sp.Symbol("i", integer=True)
swapped, kept = Field("swapped", r"\nabla\ell(A(S^{(#1)});Z_{#1})"), Field("kept", r"\nabla\ell(A(S);Z_{#1})")
out, risk = Field("out", r"\mathbb E[#1]"), vector("risk", r"\mathbb E_S[\nabla R(A(S))]")
EVERY = (i, 1, N)

with printed():
    STRONG = weakly_convex_chord(f, -lam, "f is lam-strongly convex")
    LEAST = minimises(p, f, 0, "p minimises f")
    GROWTH_CHORD = by.real("lemma1.growth.chord", "Lemma 1, growth about the minimiser, on a chord")(
        (1 - WEIGHT) * (lam / 2 * n2(u - p)) <= f(u) - f(p),
        STRONG.at(u, p, a), LEAST.at(between(u, p, a)),
    )  # fmt: skip
    GROWTH = by.real("lemma1.growth", "Lemma 1, growth about the minimiser")(
        lam / 2 * n2(u - p) <= f(u) - f(p),
        STRONG.known, LEAST.known,
        limit(lam / 2 * n2(u - p) - (f(u) - f(p)), lam / 2 * n2(u - p)), always(GROWTH_CHORD, a),
    )  # fmt: skip
    NEAR = by.real("lemma1.near", "Lemma 1, the inexact solution")(
        n2(z - p) <= 2 * e / lam,
        lam > 0, STRONG.known, LEAST.known, assume("z is solved to eps", f(z) <= f(p) + e), GROWTH.at({u: z}),
    )  # fmt: skip
    #: f' is f with the loss ell' for ell
    LEAST2 = ForEvery(
        f(p2) - ell(p2) / N + ell2(p2) / N <= f(u) - ell(u) / N + ell2(u) / N, (u,), "p' minimises f'"
    )
    LIPSCHITZ, LIPSCHITZ2 = lipschitz(ell, G, "ell is Lipschitz"), lipschitz(ell2, G, "ell' is Lipschitz")
    APART_LIMIT = by.real("lemma1.apart.squared", "Lemma 1, the two minimisers, times their distance")(
        lam / 2 * n2(p2 - p) <= 2 * G / N * norm(p2 - p),
        lam > 0, N >= 1, STRONG.known, LEAST.known,
        GROWTH.at({u: p2}), LEAST2.at(p),
        LIPSCHITZ.at(p2, p), LIPSCHITZ2.at(p, p2),
    )  # fmt: skip
    APART = by.real("lemma1.apart", "Lemma 1, the two minimisers")(
        norm(p2 - p) <= 4 * G / (lam * N),
        lam > 0, G >= 0, N >= 1, STRONG.known, LEAST.known, LEAST2.known, LIPSCHITZ.known, LIPSCHITZ2.known,
        APART_LIMIT.at(),
    )  # fmt: skip
    r, s = numbers("r s")
    LEMMA1 = by.quad("lemma1", "Lemma 1")(
        norm(z2 - z) <= s + 2 * r, norm(z2 - p2) <= r, norm(p2 - p) <= s, norm(z - p) <= r,
        note="With s = 4G/(lam N) by lemma1.apart and r = sqrt(2 eps/lam) by lemma1.near.",
    )  # fmt: skip

    # -- Lemma 3: the gradients of sample i's loss at the solutions of S with sample i exchanged, and of S
    EXCHANGED = ForEvery(Eq(out(swapped(i)), risk), (), "sample i and the fresh one have one law", EVERY)
    STABLE = ForEvery(
        n2(swapped(i) - kept(i)) <= (L * gamma) ** 2, (), "smooth losses, stability gamma", EVERY
    )
    SHRINKS = ForEvery(n2(out(swapped(i) - kept(i))) <= n2(swapped(i) - kept(i)), (), "a mean", EVERY)
    LINEAR = ForEvery(Eq(out(swapped(i) - kept(i)), out(swapped(i)) - out(kept(i))), (), "a mean", EVERY)
    OF_SAMPLE = (1 <= i, i <= N)
    EQ22_EACH = by.real("eq22.sample", "(22), a sample, against any vector")(
        Eq(ip(out(swapped(i)) - risk, u), 0), OF_SAMPLE, EXCHANGED.at(i)
    )
    EQ22 = by.real("eq22", "(22), against any vector")(
        Eq(ip(total(out(swapped(i)), *EVERY) / N - risk, u), 0),
        N >= 1, EXCHANGED.known, EQ22_EACH.at(over=EVERY),
    )  # fmt: skip
    LEMMA3_EACH = by.real("lemma3.sample", "Lemma 3, the first bound, a sample")(
        n2(risk - out(kept(i))) <= (L * gamma) ** 2,
        OF_SAMPLE, EXCHANGED.at(i), STABLE.at(i), SHRINKS.at(i), LINEAR.at(i),
    )  # fmt: skip
    LEMMA3 = by.real("lemma3.first", "Lemma 3, the first bound, squared")(
        n2(risk - total(out(kept(i)), *EVERY) / N) <= (L * gamma) ** 2,
        N >= 1, EXCHANGED.known, STABLE.known, SHRINKS.known, LINEAR.known,
        jensen(risk - out(kept(i)), i, N), LEMMA3_EACH.at(over=EVERY),
        note="The second bound is Lemma 2's, a result of another text, with beta = L gamma; in its proof the "
        "mean of the empirical gradient stands for that of the risk's.",
    )  # fmt: skip
    # -- Lemma 10's numbers: the stability of a local solve, m = 1/eta - L its modulus
    eta, b = number("eta", r"\eta_t"), number("b")
    MODULUS = 1 / eta - L
    MODULUS_POSITIVE = by.real("lemma10.modulus", "Lemma 10, the modulus")(MODULUS > 0, eta > 0, L * eta < 1)
    grad, w = Field("grad", r"\nabla R_B"), vector("w", "w_{t-1}")
    BENT = ForEvery(
        f(u) + ip(grad(u), z - u) - L / 2 * n2(z - u) <= f(z), (u, z), "f is L-smooth, and so is -f"
    )
    CONVEX = by.real("lemma10.convex", "Lemma 10, the local problem is strongly convex")(
        f(u) + n2(u - w) / (2 * eta) + ip(grad(u) + (u - w) / eta, z - u) + MODULUS / 2 * n2(z - u)
        <= f(z) + n2(z - w) / (2 * eta),
        eta > 0, BENT.at(u, z),
    )  # fmt: skip
    ROOT = by.real("lemma10.root", "Lemma 10, a root")(sqrt(r) <= s, r >= 0, s >= 0, r <= s**2)
    SQUARED = by.real("lemma10.squared", "Lemma 10, the oracle's part")(
        2 * e / MODULUS <= (G / (2 * MODULUS * b)) ** 2,
        eta > 0, L > 0, G >= 0, b >= 1, L * eta < 1, e <= G**2 * eta / (8 * b**2), MODULUS_POSITIVE.at(),
    )  # fmt: skip
    SOLVED = by.real("lemma10.oracle", "Lemma 10, the oracle's part")(
        sqrt(2 * e / MODULUS) <= G / (2 * MODULUS * b),
        eta > 0, L > 0, G >= 0, b >= 1, e >= 0, L * eta < 1, e <= G**2 * eta / (8 * b**2),
        MODULUS_POSITIVE.at(), SQUARED.at(), ROOT.at({r: 2 * e / MODULUS, s: G / (2 * MODULUS * b)}),
    )  # fmt: skip
    LEMMA10_STABLE = by.real("lemma10.stability", "Lemma 10, the stability of a local solve")(
        4 * G / (MODULUS * b) + 2 * sqrt(2 * e / MODULUS) <= 5 * G / (MODULUS * b),
        eta > 0, L > 0, G >= 0, b >= 1, e >= 0, L * eta < 1, e <= G**2 * eta / (8 * b**2),
        MODULUS_POSITIVE.at(), SOLVED.at(),
    )  # fmt: skip
    LEMMA10_FIRST = by.real("lemma10.first", "Lemma 10, the first bound")(
        Eq(L * (5 * G / (MODULUS * b)), 5 * L * G * eta / ((1 - eta * L) * b)),
        eta > 0, L > 0, G >= 0, b >= 1, L * eta < 1,
        note="By Lemma 3 with the stability of lemma10.stability.",
    )  # fmt: skip
    LEMMA10_SECOND = by.real("lemma10.second", "Lemma 10, the second bound")(
        L**2 * (5 * G / (MODULUS * b)) ** 2 * b <= 25 * L**2 * G**2 * eta / ((1 - eta * L) ** 2 * b),
        eta > 0, L > 0, G > 0, b >= 1, L * eta < 1,
        flaw="misprint",
        witness=values("L=1/4 G=1 b=1 eta=2"),
        note="What Lemma 3 gives is at most the printed bound for eta_t <= 1 alone; where the lemma is used, "
        "in Lemma 11, eta_t is squared.",
    )  # fmt: skip
    LEMMA10_MENDED = by.real("lemma10.second.repaired", "Lemma 10, the second bound")(
        Eq(L**2 * (5 * G / (MODULUS * b)) ** 2 * b, 25 * L**2 * G**2 * eta**2 / ((1 - eta * L) ** 2 * b)),
        eta > 0, L > 0, G > 0, b >= 1, L * eta < 1, repairs="fedprox.lemma10.second",
    )  # fmt: skip
