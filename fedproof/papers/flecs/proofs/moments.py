"""Lemma 10: (13)-(19), the moments of the server's mean of compressed gradients."""

from fedproof.papers.flecs.proofs.rounds import *

by = step_writer("flecs", __name__)

with printed():
    HELD = (C_G.at(k, i, i), C_H.at(k, i, i), C_LINEAR.at(k, i, g(i), h(i), -1))
    EACH = by.real("eq15.worker", "(15), a worker")(
        n2(error(i)) <= omega * n2(x(i)), MINE, HELD, Q_SPREAD.at(k, i, x(i))
    )
    PAIR = by.real("eq15.pair", "(15), two workers")(
        Eq(ip(error(j), error(i)), 0),
        MINE, EARLIER, HELD, Q_MEAN.at(k, i, x(i)), C_G.at(k, i, j), C_H.at(k, i, j), C_C.at(k, i, j),
        tuple(C_SYMMETRIC.at(k, i, message(i), y) for y in (message(j), g(j), h(j))),
    )  # fmt: skip
    CROSS = by.real("eq15.cross", "(15), a worker and those before it")(
        Eq(ip(total(error(j), j, 1, i - 1), error(i)), 0), MINE, n >= 1, DRAWN, PAIR.at(over=BEFORE)
    )
    SAMPLED = mean(g(i))
    EQ15 = by.real("eq15")(
        n2(gt - SAMPLED) <= omega / n**2 * total(n2(x(i)), i, 1, n),
        ROUND, DRAWN, AVERAGE.at(k),
        square_of_sum(error(i), i, n),
        CROSS.at(over=WORKERS),
        EACH.at(over=WORKERS),
    )  # fmt: skip
    UNSEEN = (S_HERE.at(k, i, i), UNBIASED.at(k, i))
    EQ19_NOISE = by.real("eq19.noise", "(19), the sample's variance")(
        n2(x(i)) <= n2(here(i) - h(i)) + noise(i),
        MINE, UNSEEN, S_H.at(k, i, i), NOISE.at(k, i),
        S_SYMMETRIC.at(k, i, g(i), here(i)), S_SYMMETRIC.at(k, i, g(i), h(i)),
    )  # fmt: skip
    EQ19_TWO = by.quad("eq19.two", "(19), two vectors")(n2(u - v) <= 2 * n2(u - ws) + 2 * n2(v - ws))
    EQ19 = by.real("eq19")(
        n2(x(i)) <= 2 * n2(here(i) - there(i)) + 2 * n2(h(i) - there(i)) + noise(i),
        MINE, DRAWN, EQ19_NOISE.at(), EQ19_TWO.at({u: here(i), v: h(i), ws: there(i)}),
    )  # fmt: skip
    SAMPLES_PAIR = by.real("eq18.pair", "(18), two samples")(
        Eq(ip(g(j) - here(j), g(i) - here(i)), 0),
        MINE, EARLIER, UNBIASED.at(k, i), S_HERE.at(k, i, j), S_G.at(k, i, j),
        S_SYMMETRIC.at(k, i, g(i), here(j)), S_SYMMETRIC.at(k, i, g(i), g(j)), S_HERE.at(k, i, i),
    )  # fmt: skip
    SAMPLES_CROSS = by.real("eq18.cross", "(18), a sample and those before it")(
        Eq(ip(total(g(j) - here(j), j, 1, i - 1), g(i) - here(i)), 0),
        MINE, n >= 1, DRAWN, SAMPLES_PAIR.at(over=BEFORE),
    )  # fmt: skip
    SAMPLE = by.real("eq18.sample", "(18), a sample")(n2(g(i) - here(i)) <= noise(i), MINE, NOISE.at(k, i))
    EQ18_NOISE = by.real("eq18.noise", "(18), the mean of the samples")(
        n2(SAMPLED - N) <= total(noise(i), i, 1, n) / n**2,
        ROUND, DRAWN, MEAN_GRAD.at(w),
        square_of_sum(g(i) - here(i), i, n),
        SAMPLES_CROSS.at(over=WORKERS),
        SAMPLE.at(over=WORKERS),
    )  # fmt: skip


def centred(y: Any, name: str, compressed: ForEvery, sampled: ForEvery) -> tuple[Step, Step, Step, Step]:
    """<g~ - mean g, y> = 0 and <mean g - grad F, y> = 0 for y that the round's draws do not change."""
    with printed():
        one = by.real(f"{name}.compressed.worker", f"{WHERE}, a worker's error")(
            Eq(ip(error(i), y), 0),
            MINE, HELD, Q_MEAN.at(k, i, x(i)), compressed.at(k, i), C_SYMMETRIC.at(k, i, message(i), y),
        )  # fmt: skip
        two = by.real(f"{name}.sampled.worker", f"{WHERE}, a worker's sample")(
            Eq(ip(g(i) - here(i), y), 0),
            MINE, UNSEEN, sampled.at(k, i), S_SYMMETRIC.at(k, i, g(i), y),
        )  # fmt: skip
        return (
            one,
            two,
            by.real(f"{name}.compressed", WHERE)(
                Eq(ip(gt - SAMPLED, y), 0), ROUND, DRAWN, AVERAGE.at(k), one.at(over=WORKERS)
            ),
            by.real(f"{name}.sampled", WHERE)(
                Eq(ip(SAMPLED - N, y), 0), ROUND, DRAWN, MEAN_GRAD.at(w), two.at(over=WORKERS)
            ),
        )


WHERE = "(13), the means"
TOWARD_N = centred(N, "eq13.gradient", C_N, S_N)
TOWARD_AN = centred(Ak(k, N), "eq13.direction", C_AN, S_AN)

with printed():
    ROW_PAIR = by.real("eq16.pair", "(16), an error and a sample")(
        Eq(ip(error(i), g(j)), 0),
        MINE, OTHER, HELD, Q_MEAN.at(k, i, x(i)), C_G.at(k, i, j), C_SYMMETRIC.at(k, i, message(i), g(j)),
    )  # fmt: skip
    ROW = by.real("eq16.row", "(16), an error and the samples")(
        Eq(ip(error(i), total(g(j), j, 1, n)), 0), MINE, n >= 1, DRAWN, ROW_PAIR.at(over=ALL)
    )
    OWN = by.real("eq16.own", "(16), the errors and the mean of the samples")(
        Eq(ip(gt - SAMPLED, SAMPLED), 0), ROUND, DRAWN, AVERAGE.at(k), ROW.at(over=WORKERS)
    )
    EQ16 = by.real("eq16")(
        Eq(n2(gt), n2(gt - SAMPLED) + n2(SAMPLED - N) + n2(N)),
        ROUND, DRAWN, AVERAGE.at(k), MEAN_GRAD.at(w), OWN.at(), TOWARD_N[3].at(),
    )  # fmt: skip
    AWAY, OFF, FLOOR = mean(n2(here(i) - there(i))), mean(n2(h(i) - there(i))), mean(noise(i))
    ZERO = by.real("eq14.zero", "(14), the gradients at the solution")(
        Eq(total(ip(there(i), N), i, 1, n), 0), n >= 1, MEAN_GRAD.at(ws), SOLUTION.at()
    )
    JENSEN = by.real("eq14.jensen", "(18), Jensen's inequality")(
        n2(N) <= AWAY,
        ROUND, DRAWN, MEAN_GRAD.known, MEAN_GRAD.at(w), SOLUTION.known,
        squares(here(i) - there(i) - N, i, n), ZERO.at(),
    )  # fmt: skip
    EQ14 = by.real("eq14")(
        n2(gt) <= 2 * omega / n * OFF + (2 * omega / n + 1) * AWAY + (1 + omega) * FLOOR / n,
        ROUND, omega >= 0, DRAWN, AVERAGE.known, MEAN_GRAD.known, SOLUTION.known,
        EQ19.at(over=WORKERS), used(EQ15, EQ16, EQ18_NOISE, JENSEN),
    )  # fmt: skip
