"""Appendix A and D.2: Lemma 2, and by it the second bounds of Lemmas 3, 10 and 11.

h is a function of the samples Z_1, ..., Z_N, h_i the same with the i-th sample exchanged for a fresh one. In
the space of random vectors K_i is the mean given the first i samples, K_0 h the expectation.
"""

from fedproof.papers.fedprox.proofs.rounds import *

by = step_writer("fedprox", __name__)
h, p, q = vectors("h p q")
i, k = sp.Symbol("i", integer=True), sp.Symbol("k", integer=True)
beta, N, gamma = number("beta", r"\beta"), number("N"), number("gamma", r"\gamma")
Other, Given_ = Field("Other", "h(S^{(#1)})"), Field("K", r"\mathbb E[#2\,|\,Z_1,\dots,Z_{#1}]")
Risk = Field("Risk", r"\nabla R(#1)")
solved, resolved = vector("solved", "A(S)"), Field("resolved", "A(S^{(#1)})")
SAMPLES, KNOWN_BY = (i, 1, N), (i, 0, N)


def known(number: Any, of: Any = h) -> Any:
    """The mean given the first samples."""
    return Given_(number, of)


def gain(number: Any) -> Any:
    """What one more sample tells of h."""
    with printed():
        return known(number) - known(number - 1)


with printed():
    LAW, MEAN = "a mean over independent samples", "the samples have one law"
    SYMMETRIC = ForEvery(Eq(ip(known(i, u), v), ip(u, known(i, v))), (u, v), LAW, KNOWN_BY)
    STAYS = ForEvery(Eq(known(i, known(k)), known(k)), (), LAW, (KNOWN_BY, (k, 0, i)))
    WHOLE = ForEvery(Eq(known(N), h), (), "h is a function of the samples")
    EXCHANGED = ForEvery(Eq(known(i, Other(i)), known(i - 1)), (), MEAN, SAMPLES)
    BOUNDED = ForEvery(n2(h - Other(i)) <= beta**2, (), "Lemma 2, bounded differences", SAMPLES)
    OF_SAMPLE = (1 <= i, i <= N)
    MEANS = (SYMMETRIC.known, STAYS.known)
    GAIN = by.real("lemma2.gain", "Lemma 2, what a sample tells")(
        Eq(n2(gain(i)), ip(h - Other(i), gain(i))),
        OF_SAMPLE, EXCHANGED.at(i),
        SYMMETRIC.at(i, h, known(i)), SYMMETRIC.at(i, h, known(i - 1)),
        SYMMETRIC.at(i, Other(i), known(i)), SYMMETRIC.at(i, Other(i), known(i - 1)),
        STAYS.at(i, i), STAYS.at(i, i - 1),
    )  # fmt: skip
    JENSEN = by.quad("lemma2.jensen", "Lemma 2, a mean shortens")(n2(p) <= n2(q), Eq(n2(p), ip(q, p)))
    EACH = by.real("lemma2.sample", "Lemma 2, a sample")(
        n2(gain(i)) <= beta**2,
        OF_SAMPLE, MEANS, EXCHANGED.known, BOUNDED.at(i), used(GAIN),
        JENSEN.at({p: gain(i), q: h - Other(i)}),
    )  # fmt: skip
    APART = by.real("lemma2.apart", "Lemma 2, two samples")(
        Eq(ip(gain(k), gain(i)), 0),
        OF_SAMPLE, 1 <= k, k <= i - 1,
        SYMMETRIC.at(i, h, known(k)), SYMMETRIC.at(i, h, known(k - 1)),
        SYMMETRIC.at(i - 1, h, known(k)), SYMMETRIC.at(i - 1, h, known(k - 1)),
        STAYS.at(i, k), STAYS.at(i, k - 1), STAYS.at(i - 1, k), STAYS.at(i - 1, k - 1),
    )  # fmt: skip
    APART_SUM = by.real("lemma2.apart.sum", "Lemma 2, a sample and those before it")(
        Eq(ip(total(gain(k), k, 1, i - 1), gain(i)), 0), OF_SAMPLE, MEANS, APART.at(over=(k, 1, i - 1))
    )
    LEMMA2 = by.real("lemma2", "Lemma 2")(
        n2(h - known(sp.Integer(0))) <= beta**2 * N,
        N >= 1, MEANS, EXCHANGED.known, BOUNDED.known, WHOLE.at(),
        square_of_sum(gain(i), i, N),
        APART_SUM.at(over=SAMPLES), EACH.at(over=SAMPLES),
    )  # fmt: skip
    # -- Lemma 3, of the risk's gradient at what an algorithm makes of S and of S with a sample exchanged
    SMOOTH = lipschitz_gradient(Risk, L, "the risk is L-smooth")
    STABLE = ForEvery(n2(solved - resolved(i)) <= gamma**2, (), "stability gamma", SAMPLES)
    FRESH = ForEvery(Eq(known(i, Risk(resolved(i))), known(i - 1, Risk(solved))), (), MEAN, SAMPLES)
    STAYS_RISK = ForEvery(
        Eq(known(i, known(k, Risk(solved))), known(k, Risk(solved))), (), LAW, (KNOWN_BY, (k, 0, i))
    )
    WHOLE_RISK = ForEvery(Eq(known(N, Risk(solved)), Risk(solved)), (), "A is a function of the samples")
    D2_EACH = by.real("lemma3.change", "proof of Lemma 3, what the risk's gradient changes by")(
        n2(Risk(solved) - Risk(resolved(i))) <= (L * gamma) ** 2,
        OF_SAMPLE, L > 0, gamma >= 0, SMOOTH.at(solved, resolved(i)), STABLE.at(i),
    )  # fmt: skip
    LEMMA3 = by.real("lemma3.second", "Lemma 3, the second bound")(
        n2(Risk(solved) - known(sp.Integer(0), Risk(solved))) <= L**2 * gamma**2 * N,
        N >= 1, L > 0, gamma >= 0, SMOOTH.known, STABLE.known, SYMMETRIC.known, STAYS_RISK.known,
        FRESH.known, WHOLE_RISK.known, D2_EACH.at(over=SAMPLES),
        LEMMA2.at({h: Risk(solved), Other(i): Risk(resolved(i)), beta: L * gamma}),
        note="In its proof the mean of the empirical gradient stands for that of the risk's.",
    )  # fmt: skip
