"""Local SGD converges fast and communicates little.

Stich, ICLR 2019: K workers take steps of SGD on one smooth and strongly convex f and average their models
after at most H steps. Lemmas 3.1 to 3.3 are Stich's, for a step size that does not change; the theorem that
follows from them by a recursion is not in the paper, whose step sizes decrease.
"""

from fedproof.author import *

KEY, TITLE = "local_sgd", "Local SGD Converges Fast and Communicates Little"
AUTHORS, VENUE = "Stich", "ICLR 2019"

# -- letters: what they mean, with unit and domain, and what the theorem bounds
QUANTITIES = (
    Quantity("steps", "number of steps of every worker", "steps", NONNEGATIVE, whole=True),
    Quantity("gradient_bound", "root of the largest mean square of a sample's gradient", "loss/length", NONNEGATIVE),
    Quantity("initial_squared_distance", "squared distance of the start from the minimiser", "length^2", NONNEGATIVE),
)
METRICS = (
    Metric(
        "squared_distance_of_mean",
        "expected squared distance of the mean of the workers' models from the minimiser",
        r"\mathbb E\|\bar x_T-x^*\|^2",
        "after T steps",
    ),
)
NOTATION = Notation()
L, mu = NOTATION.symbol("L", "smoothness"), NOTATION.symbol("mu", "loss_strong_convexity", r"\mu")
sigma2 = NOTATION.symbol("sigma2", "gradient_variance", r"\sigma^2")
G, D0 = NOTATION.symbol("G", "gradient_bound"), NOTATION.symbol("D0", "initial_squared_distance", "D_0")
K, H, T = NOTATION.symbol("K", "clients"), NOTATION.symbol("H", "local_steps"), NOTATION.symbol("T", "steps")
eta = NOTATION.symbol("eta", "stepsize", r"\eta")

# -- assumptions: each in words here, and below as a formula for all points under its id
SMOOTH = Assumption(
    f"{KEY}.smooth", "f is L-smooth", r"f(y)\le f(x)+\langle\nabla f(x),y-x\rangle+\tfrac L2\|y-x\|^2",
    Source(KEY, "Section 2, eq. (3)"),
)  # fmt: skip
CONVEX = Assumption(
    f"{KEY}.convex", "f is mu-strongly convex, x* its minimiser",
    r"f(y)\ge f(x)+\langle\nabla f(x),y-x\rangle+\tfrac\mu2\|y-x\|^2,\quad f(x^*)\le f(x)",
    Source(KEY, "Section 2, eq. (3)"),
)  # fmt: skip
SAMPLES = Assumption(
    f"{KEY}.samples", "samples are unbiased, independent, of variance at most sigma^2",
    r"\mathbb E[g_t^k]=\nabla f(x_t^k),\quad\mathbb E\|g_t^k-\nabla f(x_t^k)\|^2\le\sigma^2",
    Source(KEY, "Theorem 2.2"),
)  # fmt: skip
BOUNDED = Assumption(
    f"{KEY}.bounded", "the mean square of every sample's gradient is at most G^2",
    r"\mathbb E\|g_t^k\|^2\le G^2", Source(KEY, "Theorem 2.2"),
)  # fmt: skip
LISTING = Assumption(
    f"{KEY}.algorithm1", "every worker takes its own steps from the last average, which is at most H steps back",
    r"x_t^k=m_t-\eta\sum_{i=1}^{H}c_{t,i}\,g_{t-i}^k,\quad c_{t,i}=1\text{ after the last average, else }0",
    Source(KEY, "Algorithm 1, with a constant step size; eqs. (9) and (10)"),
)  # fmt: skip
START = Assumption(
    f"{KEY}.start", "D_0 is the squared distance of the start", r"D_0=\|\bar x_0-x^*\|^2", Source(KEY, "Theorem 2.2")
)  # fmt: skip
ASSUMPTIONS = {a.id: a for a in (SMOOTH, CONVEX, SAMPLES, BOUNDED, LISTING, START)}

# -- names of the proofs: in the space of random vectors f(x) is the expected f at the random point x
t, k, j, i = (sp.Symbol(name, integer=True) for name in "tkji")
(u, v, w), xs = vectors("u v w"), vector("xs", "x^*")
f, grad = Function("f"), Field("grad", r"\nabla f")
X, XM, M, g = Field("X", "x_{#1}^{#2}"), Field("XM", r"\bar x_{#1}"), Field("M", "m_{#1}"), Field("g", "g_{#1}^{#2}")
c = sequence("c")
#: the mean over the sample of worker k in step t, everything else held
E = Field("E", r"\mathbb E_{#1,#2}[#3]")
STEPS, WORKERS, BEFORE, BACK = (t, 0, T - 1), (k, 1, K), (j, 1, k - 1), (i, 1, H)
EVERY = (STEPS, WORKERS)
x, own, sample, slope = XM(t), X(t, k), g(t, k), grad(X(t, k))
here, mine, earlier, recent = (0 <= t, t <= T - 1, K >= 1), (0 <= t, t <= T - 1, 1 <= k, k <= K), (1 <= j, j <= k - 1), (1 <= i, i <= H)
by = step_writer(KEY, __name__)


def mean(term):
    """The mean over the workers."""
    return total(term, *WORKERS) / K


with printed():
    SMOOTH_F = smooth(f, grad, L, SMOOTH.id)
    CONVEX_F = strongly_convex(f, grad, mu, CONVEX.id)
    LEAST = minimises(xs, f, why=CONVEX.id)
    UNBIASED = ForEvery(Eq(E(t, k, sample), slope), (), SAMPLES.id, EVERY)
    VARIANCE = ForEvery(n2(sample - slope) <= sigma2, (), SAMPLES.id, EVERY)
    EITHER = ForEvery(Eq(ip(E(t, k, u), v), ip(u, E(t, k, v))), (u, v), SAMPLES.id, EVERY)
    OTHERS = ForEvery(Eq(E(t, k, g(t, j)), g(t, j)), (), SAMPLES.id, (*EVERY, BEFORE))
    SLOPES = ForEvery(Eq(E(t, k, grad(X(t, j))), grad(X(t, j))), (), SAMPLES.id, (*EVERY, (j, 1, K)))
    MODEL = ForEvery(Eq(E(t, k, x), x), (), SAMPLES.id, EVERY)
    FIXED = ForEvery(Eq(E(t, k, xs), xs), (), SAMPLES.id, EVERY)
    SQUARE = ForEvery(n2(sample) <= G**2, (t,), BOUNDED.id, WORKERS)
    MEAN = ForEvery(Eq(x, mean(own)), (), LISTING.id, STEPS)
    NEXT = ForEvery(Eq(XM(t + 1), x - eta * mean(sample)), (), LISTING.id, STEPS)
    LOCAL = ForEvery(Eq(own, M(t) - eta * total(c(t, i) * g(t - i, k), i, 1, H)), (), LISTING.id, EVERY)
    COUNTED = ForEvery(c(t, i) ** 2 <= 1, (), LISTING.id, (STEPS, BACK))
    BEGUN = ForEvery(Eq(n2(XM(0) - xs), D0), (), START.id)
    FORMULAS = (
        SMOOTH_F, CONVEX_F, LEAST, UNBIASED, VARIANCE, EITHER, OTHERS, SLOPES, MODEL, FIXED, SQUARE,
        MEAN, NEXT, LOCAL, COUNTED, BEGUN,
    )  # fmt: skip
    LOSS = (SMOOTH_F.known, CONVEX_F.known, LEAST.known)
    DRAWN = tuple(said.known for said in (UNBIASED, VARIANCE, EITHER, OTHERS, SLOPES, MODEL, FIXED))

    # -- Lemma 3.2: the variance of the mean
    PAIR = by.real("lemma32.pair", "Lemma 3.2, two workers")(
        Eq(ip(g(t, j) - grad(X(t, j)), sample - slope), 0),
        mine, earlier, UNBIASED.at(t, k), OTHERS.at(t, k, j), SLOPES.at(t, k, j), SLOPES.at(t, k, k),
        EITHER.at(t, k, sample, g(t, j)), EITHER.at(t, k, sample, grad(X(t, j))),
    )  # fmt: skip
    CROSS = by.real("lemma32.cross", "Lemma 3.2, a worker and those before it")(
        Eq(ip(total(g(t, j) - grad(X(t, j)), j, 1, k - 1), sample - slope), 0), mine, K >= 1, DRAWN, PAIR.at(over=BEFORE)
    )
    EACH = by.real("lemma32.each", "Lemma 3.2, a worker")(n2(sample - slope) <= sigma2, mine, VARIANCE.at(t, k))
    LEMMA32 = by.real("lemma32", "Lemma 3.2")(
        n2(mean(sample) - mean(slope)) <= sigma2 / K,
        here, DRAWN, square_of_sum(sample - slope, k, K), CROSS.at(over=WORKERS), EACH.at(over=WORKERS),
    )  # fmt: skip

    # -- Lemma 3.3: how far the workers are apart
    TERM = by.real("lemma33.term", "Lemma 3.3, a step since the last average")(
        n2(c(t, i) * g(t - i, k)) <= G**2, mine, recent, COUNTED.at(t, i), SQUARE.at(k, t - i)
    )
    WALK = by.real("lemma33.walk", "Lemma 3.3, a worker since the last average")(
        n2(own - M(t)) <= eta**2 * G**2 * H**2,
        mine, H >= 1, eta > 0, SQUARE.known, COUNTED.known, LOCAL.at(t, k), jensen(c(t, i) * g(t - i, k), i, H), TERM.at(over=BACK),
    )  # fmt: skip
    AROUND = by.quad("lemma33.around", "Lemma 3.3, of any vectors")(
        Eq(n2(u - v), n2(v - w) - n2(u - w) + 2 * ip(u - v, u - w))
    )
    CENTRE = by.real("lemma33.centre", "Lemma 3.3, the mean of the models is nearest to them")(
        mean(n2(x - own)) <= mean(n2(own - M(t))), here, MEAN.known, MEAN.at(t)
    )
    LEMMA33 = by.real("lemma33", "Lemma 3.3")(
        mean(n2(x - own)) <= eta**2 * G**2 * H**2,
        here, H >= 1, eta > 0, SQUARE.known, COUNTED.known, LOCAL.known, MEAN.known, CENTRE.at(weight=1), WALK.at(over=WORKERS, weight=1 / K),
    )  # fmt: skip

    # -- Lemma 3.1: a step of the mean
    STEPPED = x - eta * mean(slope)
    CENTRED = by.real("lemma31.worker", "Lemma 3.1, a worker's noise")(
        Eq(ip(sample - slope, x - xs), 0),
        mine, UNBIASED.at(t, k), MODEL.at(t, k), FIXED.at(t, k), EITHER.at(t, k, sample, x), EITHER.at(t, k, sample, xs),
    )  # fmt: skip
    NOISE = by.real("lemma31.noise", "Lemma 3.1, the noise of the mean")(
        Eq(ip(mean(sample) - mean(slope), x - xs), 0), here, DRAWN, CENTRED.at(over=WORKERS)
    )
    SEEN = by.real("lemma31.seen", "Lemma 3.1, a worker's noise and a worker's gradient")(
        Eq(ip(sample - slope, grad(X(t, j))), 0),
        mine, 1 <= j, j <= K, UNBIASED.at(t, k), SLOPES.at(t, k, j), EITHER.at(t, k, sample, grad(X(t, j))),
    )  # fmt: skip
    ROW = by.real("lemma31.row", "Lemma 3.1, a worker's noise and the gradients")(
        Eq(ip(sample - slope, total(grad(X(t, j)), j, 1, K)), 0), mine, K >= 1, DRAWN, SEEN.at(over=(j, 1, K))
    )
    TABLE = by.real("lemma31.table", "Lemma 3.1, the noise and the gradients")(
        Eq(ip(mean(sample) - mean(slope), mean(slope)), 0), here, DRAWN, ROW.at(over=WORKERS, weight=1 / K**2)
    )
    APART = by.quad("lemma31.apart", "Lemma 3.1, of any vectors")(
        Eq(n2(w - eta * u), n2(w - eta * v) + eta**2 * n2(u - v)), Eq(ip(u - v, w), 0), Eq(ip(u - v, v), 0)
    )
    SPLIT = by.real("lemma31.split", "Lemma 3.1, the noise apart")(
        Eq(n2(XM(t + 1) - xs), n2(x - eta * mean(slope) - xs) + eta**2 * n2(mean(sample) - mean(slope))),
        here, DRAWN, NEXT.at(t), used(NOISE, TABLE), APART.at({u: mean(sample), v: mean(slope), w: x - xs}),
    )  # fmt: skip
    SHORT = by.real("lemma31.short", "Lemma 3.1, the gradient is short near the minimiser")(
        n2(slope) <= 2 * L * (f(own) - f(xs)), L > 0, SMOOTH_F.at(own, own - slope / L), LEAST.at(own - slope / L)
    )
    TOWARD = by.real("lemma31.toward", "Lemma 3.1, a worker's gradient points to the minimiser")(
        -2 * ip(slope, own - xs) <= -2 * (f(own) - f(xs)) - mu * n2(own - xs), CONVEX_F.at(own, xs)
    )
    YOUNG = by.quad("lemma31.young", "Lemma 3.1, of any vectors")(
        -2 * ip(u, v) <= 2 * L * n2(v) + n2(u) / (2 * L), L > 0
    )
    WORKER = by.real("lemma31.along", "Lemma 3.1, a worker")(
        -2 * ip(slope, x - xs) <= -(f(own) - f(xs)) - mu * n2(own - xs) + 2 * L * n2(x - own),
        mine, L > 0, LOSS,
        TOWARD.at(weight=1), YOUNG.at({u: slope, v: x - own}, weight=1), SHORT.at(weight=1 / (2 * L)),
    )  # fmt: skip
    SQUARES = by.real("lemma31.squares", "Lemma 3.1, Jensen's inequality")(
        n2(mean(slope)) <= 2 * L * mean(f(own) - f(xs)), here, L > 0, LOSS, jensen(slope, k, K, weight=1 / K**2), SHORT.at(over=WORKERS, weight=1 / K)
    )
    CONTRACTS = by.real("lemma31.distances", "Lemma 3.1, Jensen's inequality")(
        n2(x - xs) <= mean(n2(own - xs)), here, MEAN.at(t), squares(own - x, k, K, weight=1 / K)
    )
    LOWER = by.real("lemma31.values.worker", "Lemma 3.1, the tangent at the mean")(
        f(x) + ip(grad(x), own - x) <= f(own), mine, mu >= 0, CONVEX_F.at(x, own)
    )
    VALUES = by.real("lemma31.values", "Lemma 3.1, Jensen's inequality")(
        f(x) <= mean(f(own)), here, mu >= 0, CONVEX_F.known, MEAN.at(t), LOWER.at(over=WORKERS, weight=1 / K)
    )
    DESCENT = by.real("lemma31.step", "Lemma 3.1, the step without noise")(
        n2(STEPPED - xs) <= n2(x - xs) - eta * (1 - 2 * L * eta) * mean(f(own) - f(xs)) - eta * mu * mean(n2(own - xs)) + 2 * eta * L * mean(n2(x - own)),
        here, eta > 0, L > 0, LOSS, SQUARES.at(weight=eta**2), WORKER.at(over=WORKERS, weight=eta / K),
    )  # fmt: skip
    LEAST_EACH = by.real("lemma31.least.worker", "Lemma 3.1, f(x*) is least")(f(own) - f(xs) >= 0, LEAST.at(own))
    GAPS = eta / 2 * mean(f(own) - f(xs))
    LEAST_MEAN = by.real("lemma31.least", "Lemma 3.1, f(x*) is least")(
        GAPS >= 0, here, eta > 0, LEAST.known, LEAST_EACH.at(over=WORKERS, weight=eta / (2 * K))
    )
    LEMMA31 = by.real("lemma31", "Lemma 3.1")(
        n2(XM(t + 1) - xs) <= (1 - mu * eta) * n2(x - xs) + eta**2 * n2(mean(sample) - mean(slope)) - eta / 2 * (f(x) - f(xs)) + 2 * eta * L * mean(n2(x - own)),
        here, eta > 0, L > 0, mu > 0, LOSS, DRAWN, MEAN.known, NEXT.known, used(LEAST_MEAN), times(GAPS, 4 * L * eta <= 1),
        SPLIT.at(weight=1), DESCENT.at(weight=1), CONTRACTS.at(weight=eta * mu), VALUES.at(weight=eta / 2),
    )  # fmt: skip

    # -- the theorem, not in the paper: a constant step size
    FLOOR = eta**2 * sigma2 / K + 2 * eta**3 * L * G**2 * H**2
    BEST = by.real("step.best", "below Lemma 3.3, f(x*) is least")(eta / 2 * (f(x) - f(xs)) >= 0, eta > 0, LEAST.at(x))
    ONE = by.real("step", "Lemmas 3.1 to 3.3 put together")(
        n2(XM(t + 1) - xs) <= (1 - mu * eta) * n2(x - xs) + FLOOR,
        here, H >= 1, eta > 0, L > 0, mu > 0, 4 * L * eta <= 1, LOSS, DRAWN, SQUARE.known, COUNTED.known, LOCAL.known, MEAN.known, NEXT.known,
        LEMMA31.at(weight=1), LEMMA32.at(weight=eta**2), LEMMA33.at(weight=2 * eta * L), BEST.at(weight=1),
    )  # fmt: skip
    KEEPS = 1 - mu * eta
    KEPT = by.real("theorem.keeps", "not in the paper, the factor of a step")(KEEPS >= 0, eta > 0, mu > 0, L >= mu, 4 * L * eta <= 1)
    NUMBERS = (T >= 0, K >= 1, H >= 1, eta > 0, L > 0, mu > 0, L >= mu, sigma2 >= 0, 4 * L * eta <= 1)
    ASSUMED = (LOSS, DRAWN, SQUARE.known, COUNTED.known, LOCAL.known, MEAN.known, NEXT.known)
    UNROLLED = by.real("theorem.recursion", "not in the paper, all steps")(
        n2(XM(T) - xs) <= KEEPS**T * n2(XM(0) - xs) + FLOOR * (1 - KEEPS**T) / (1 - KEEPS),
        NUMBERS, ASSUMED, used(KEPT), ONE.at(over=STEPS), recursion(n2(x - xs), t, T, KEEPS, FLOOR),
    )  # fmt: skip
    r, q = numbers("r q")
    SERIES = by.real("theorem.series", "not in the paper, the sum of the powers")(
        q * (1 - r) / (1 - KEEPS) <= q / (mu * eta), eta > 0, mu > 0, q >= 0, r >= 0
    )
    POSITIVE = by.real("theorem.floor", "not in the paper, what is added in a step")(FLOOR >= 0, K >= 1, eta > 0, L > 0, sigma2 >= 0)
    BOUND = KEEPS**T * D0 + (eta * sigma2 / K + 2 * eta**2 * L * G**2 * H**2) / mu
    THEOREM = by.real("theorem", "not in the paper")(
        n2(XM(T) - xs) <= BOUND,
        NUMBERS, ASSUMED, BEGUN.known, BEGUN.at(), used(KEPT, POSITIVE), power(KEEPS, T), UNROLLED.at(weight=1), SERIES.at({r: KEEPS**T, q: FLOOR}, weight=1),
    )  # fmt: skip
    METRIC_RELATIONS = {"squared_distance_of_mean": (n2(XM(T) - xs) <= number("bound"),)}

LOCAL_SGD = Statement(
    f"{KEY}.theorem",
    "Local SGD with a constant step size",
    Source(KEY, "not in the paper: Lemmas 3.1 to 3.3 with a constant step size"),
    NOTATION.letters(L, mu, sigma2, G, K, H, eta, T, D0),
    Bound("squared_distance_of_mean", BOUND),
    conditions=(
        Condition("step size", 4 * L * eta <= 1, "Lemma 3.1"),
        Condition("mu <= L", L >= mu, "Section 2"),
        Condition("H >= 1", H >= 1, "Algorithm 1"),
    ),
    assumptions=tuple(ASSUMPTIONS),
    proof=(f"{KEY}.theorem",),
)
COUNTS = "T K H t k j i"
POINTS = "xs"
