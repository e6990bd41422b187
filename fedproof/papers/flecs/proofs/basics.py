"""(7)-(9) and Lemma 9: identities, and what the truncation makes of the eigenvalues.

In an orthonormal basis of eigenvectors of A_k, q_j is the square of a coordinate of a vector u, p_j is that
times the eigenvalue e, r_j that times e^2.
"""

from fedproof.papers.flecs.notation import *
from fedproof.papers.flecs.statements import spectrum as S
from fedproof.proof.language.prelude import *
from fedproof.proof.prelude import *

by = step_writer("flecs", __name__)
a = number("a")
i, j = sp.Symbol("i", integer=True), sp.Symbol("j", integer=True)
sent, before, exact = number("sent", "C_k^i"), number("before", "B_k^iS_k"), number("exact", "H_k^iS_k")
g, h, x, y = vectors("g h x y")
mean_g = vector("mean_g", r"\mathbb E g")
X, M = Field("X"), Field("M", r"\mathbb E X_{#1}")
e, s, b, y_1 = numbers("e s b y_1")
q, p, r = sequences("q(j) p(j) r(j)", nonnegative=True)
WORKERS, BEFORE = (i, 1, n), (j, 1, i - 1)

with printed():
    EQ7 = by.quad("eq7")(
        Eq(n2(a * x + (1 - a) * y), a * n2(x) + (1 - a) * n2(y) - a * (1 - a) * n2(x - y)), 0 <= a, a <= 1
    )
    EQ8 = by.mean("eq8")(
        Eq(n2(g - mean_g), n2(g - h) - n2(mean_g - h)),
        Eq(ip(g - mean_g, mean_g), 0),
        Eq(ip(g - mean_g, h), 0),
    )
    OFF = X(i) - M(i)
    INDEPENDENT = ForEvery(Eq(ip(X(j) - M(j), OFF), 0), (), "", (WORKERS, BEFORE))
    PAIR = by.real("eq9.pair", "(9), two of the variables")(
        Eq(ip(X(j) - M(j), OFF), 0), 1 <= i, i <= n, 1 <= j, j <= i - 1, INDEPENDENT.at(i, j)
    )
    CROSS = by.real("eq9.cross", "(9), one of the variables and those before it")(
        Eq(ip(total(X(j) - M(j), j, 1, i - 1), OFF), 0), 1 <= i, i <= n, INDEPENDENT.known,
        PAIR.at(over=BEFORE),
    )  # fmt: skip
    EQ9 = by.real("eq9")(
        Eq(n2(total(OFF, i, 1, n) / n), total(n2(OFF), i, 1, n) / n**2),
        n >= 1, INDEPENDENT.known,
        square_of_sum(OFF, i, n), CROSS.at(over=WORKERS),
    )  # fmt: skip
    # -- (6) in one dimension, nothing truncated, S^T B S taken from M before it is inverted
    SECANT = by.real("eq6.secant", "(6), B_{k+1} S = Y")(
        Eq((b + (y_1 - b * s) ** 2 / (s * y_1 - s * b * s)) * s, y_1),
        s * y_1 - s * b * s > 0,
        note="Line 3 of Algorithm 2 decomposes M and S^T Y~: their difference is 0 where messages are exact.",
    )
    # -- the server's sketch, Sec. 3: C, B S and H S of an instance with d = m = 1
    SKETCH = by.real("server.sketch", "Sec. 3, what the server forms")(
        Eq(sent + before, sent + exact),
        n >= 1, m >= 1, d >= m,
        assume("instance: one worker with w^2/2, B = 0, S = 1, exact messages", Eq(n, 1), Eq(m, 1), Eq(d, 1),
               Eq(exact, 1), Eq(before, 0), Eq(sent, exact - before)),
        flaw="rendering",
        witness=values("n=1 m=1 d=1 exact=1 before=0 sent=1"),
        note="The display, or its scan, has H_k^i S_k for B_k^i S_k; line 11 of Algorithm 1 has it right.",
    )  # fmt: skip
    SKETCH_MEANT = by.real("server.sketch.meant", "Algorithm 1, line 11")(
        Eq(sent + before, exact), Eq(sent, exact - before), repairs="flecs.server.sketch"
    )
    # -- Lemma 9
    TRUNCATED = (trunc_lo > 0, trunc_hi >= trunc_lo)
    LEAST = by.real("lemma9.least", "Lemma 9, an eigenvalue")(1 / trunc_hi <= S.INVERSE, TRUNCATED)
    MOST = by.real("lemma9.most", "Lemma 9, an eigenvalue")(S.INVERSE <= 1 / trunc_lo, TRUNCATED)
    SONIA_LEAST = by.real("lemma9.sonia.least", "Lemma 9 for Algorithm 5, rho outside the sketch")(
        1 / trunc_hi <= rho, TRUNCATED, Eq(rho, 1 / trunc_hi)
    )
    SONIA_MOST = by.real("lemma9.sonia.most", "Lemma 9 for Algorithm 5, rho outside the sketch")(
        rho <= 1 / trunc_lo, TRUNCATED, Eq(rho, 1 / trunc_hi)
    )
    EACH = by.real("eq10.each", "(10), an eigenvector, from below")(mu1 * s <= e * s, s >= 0, e >= mu1)
    EACH_SQUARE = by.real("eq10.each.square", "(10), an eigenvector, the length")(
        e**2 * s <= mu2**2 * s, s >= 0, e >= 0, e <= mu2
    )
    FLOOR = by.sum("eq10.floor", "(10), from below")(
        mu1 * total(q(j), j, 1, d) <= total(p(j), j, 1, d), d >= 1, ForAll(mu1 * q(j) <= p(j), j, 1, d)
    )
    CEILING = by.sum("eq10.ceiling", "(10), the length of A_k u")(
        total(r(j), j, 1, d) <= mu2**2 * total(q(j), j, 1, d), d >= 1, ForAll(r(j) <= mu2**2 * q(j), j, 1, d)
    )
