"""Local SGD converges fast and communicates little.

Stich, ICLR 2019: K workers take steps of SGD on one smooth and strongly convex f and average their models, at
most H steps after the last time. Lemmas 3.1 to 3.3 are Stich's, for a step size that does not change. The
theorem is not in the paper, whose step sizes decrease: a recursion makes it of the lemmas.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, product
from math import isqrt

import numpy as np

from fedproof.author import *

KEY, TITLE = "local_sgd", "Local SGD Converges Fast and Communicates Little"
AUTHORS, VENUE = "Stich", "ICLR 2019"

# -- letters: what they mean, with unit and domain, and what the theorem bounds
LONG = "root of the largest mean square of a sample's gradient"
FAR = "squared distance of the start from the minimiser"
QUANTITIES = (
    Quantity("steps", "number of steps of every worker", "steps", NONNEGATIVE, whole=True),
    Quantity("gradient_bound", LONG, "loss/length", NONNEGATIVE),
    Quantity("initial_squared_distance", FAR, "length^2", NONNEGATIVE),
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
letter = NOTATION.symbol
L, mu = letter("L", "smoothness"), letter("mu", "loss_strong_convexity", r"\mu")
eta, H, T = letter("eta", "stepsize", r"\eta"), letter("H", "local_steps"), letter("T", "steps")
sigma2, G = letter("sigma2", "gradient_variance", r"\sigma^2"), letter("G", "gradient_bound")
K, D0 = letter("K", "clients"), letter("D0", "initial_squared_distance", "D_0")

# -- assumptions: in words here; as formulas for all points below, each under one of these ids
SMOOTH = Assumption(
    f"{KEY}.smooth", "f is L-smooth",
    r"f(y)\le f(x)+\langle\nabla f(x),y-x\rangle+\tfrac L2\|y-x\|^2", Source(KEY, "Theorem 2.2"),
)  # fmt: skip
CONVEX = Assumption(
    f"{KEY}.convex", "f is mu-strongly convex, and x* its minimiser",
    r"f(y)\ge f(x)+\langle\nabla f(x),y-x\rangle+\tfrac\mu2\|y-x\|^2,\quad f(x^*)\le f(x)",
    Source(KEY, "Theorem 2.2"),
)  # fmt: skip
SAMPLES = Assumption(
    f"{KEY}.samples", "samples are unbiased and independent, with variance at most sigma^2",
    r"\mathbb E[g_t^k\,|\,x_t]=\nabla f(x_t^k),\quad\mathbb E\|g_t^k-\nabla f(x_t^k)\|^2\le\sigma^2",
    Source(KEY, "Theorem 2.2"),
)  # fmt: skip
BOUNDED = Assumption(
    f"{KEY}.bounded", "the mean square of a sample's gradient is at most G^2 at the models that are met",
    r"\mathbb E\|g_t^k\|^2\le G^2", Source(KEY, "Theorem 2.2, which asks it at every model"),
)  # fmt: skip
LISTING = Assumption(
    f"{KEY}.algorithm1", "workers take their own steps from the last average, which is at most H steps ago",
    r"x_t^k=m_t-\eta\sum_{i=1}^{H}c_{t,i}\,g_{t-i}^k,\quad "
    r"c_{t,i}=1\text{ since the average }m_t,\text{ else }0,"
    r"\quad\bar x_{t+1}=\bar x_t-\tfrac{\eta}{K}\sum_kg_t^k",
    Source(KEY, "Algorithm 1 with a constant step size, from the last average on"),
)  # fmt: skip
START = Assumption(
    f"{KEY}.start", "D_0 is the squared distance of the start", r"D_0=\|\bar x_0-x^*\|^2",
    Source(KEY, "Theorem 2.2"),
)  # fmt: skip
ASSUMPTIONS = {a.id: a for a in (SMOOTH, CONVEX, SAMPLES, BOUNDED, LISTING, START)}

# -- names of the proofs. A vector is a random one: <x, y> is E<x, y>, and f(x) is E f(x)
t, k, j, i = (sp.Symbol(name, integer=True) for name in "tkji")
(u, v, w), xs = vectors("u v w"), vector("xs", "x^*")
f, grad = Function("f"), Field("grad", r"\nabla f")
X, Sample = Field("X", "x_{#1}^{#2}"), Field("Sample", "g_{#1}^{#2}")
Mean, Last, c = Field("Mean", r"\bar x_{#1}"), Field("Last", "m_{#1}"), sequence("c")
#: the mean over the sample of worker k in step t, everything else held
E = Field("E", r"\mathbb E_{#1,#2}[#3]")
STEPS, WORKERS, BEFORE, BACK = (t, 0, T - 1), (k, 1, K), (j, 1, k - 1), (i, 1, H)
x, own, g, slope = Mean(t), X(t, k), Sample(t, k), grad(X(t, k))
g_j, slope_j = Sample(t, j), grad(X(t, j))
STEP, WORKER = (0 <= t, t <= T - 1, K >= 1), (0 <= t, t <= T - 1, 1 <= k, k <= K)
POINTS, COUNTS = "xs", "T K H t k j i"
by = step_writer(KEY, __name__)


def mean(term: Any) -> Any:
    """The mean over the workers."""
    return total(term, *WORKERS) / K


with printed():
    SMOOTH_F = smooth(f, grad, L, SMOOTH.id)
    CONVEX_F, LEAST = strongly_convex(f, grad, mu, CONVEX.id), minimises(xs, f, why=CONVEX.id)
    UNBIASED = ForEvery(Eq(E(t, k, g), slope), (), SAMPLES.id, (STEPS, WORKERS))
    VARIANCE = ForEvery(n2(g - slope) <= sigma2, (), SAMPLES.id, (STEPS, WORKERS))
    EITHER = ForEvery(Eq(ip(E(t, k, u), v), ip(u, E(t, k, v))), (u, v), SAMPLES.id, (STEPS, WORKERS))
    OTHERS = ForEvery(Eq(E(t, k, g_j), g_j), (), SAMPLES.id, (STEPS, WORKERS, BEFORE))
    SLOPES = ForEvery(Eq(E(t, k, slope_j), slope_j), (), SAMPLES.id, (STEPS, WORKERS, (j, 1, K)))
    MODEL = ForEvery(Eq(E(t, k, x), x), (), SAMPLES.id, (STEPS, WORKERS))
    GOAL = ForEvery(Eq(E(t, k, xs), xs), (), SAMPLES.id, (STEPS, WORKERS))
    SHORT = ForEvery(n2(g) <= G**2, (t,), BOUNDED.id, WORKERS)
    AVERAGE = ForEvery(Eq(x, mean(own)), (), LISTING.id, STEPS)
    NEXT = ForEvery(Eq(Mean(t + 1), x - eta * mean(g)), (), LISTING.id, STEPS)
    OWN_STEPS = total(c(t, i) * Sample(t - i, k), *BACK)
    LOCAL = ForEvery(Eq(own, Last(t) - eta * OWN_STEPS), (), LISTING.id, (STEPS, WORKERS))
    SINCE = ForEvery(c(t, i) ** 2 <= 1, (), LISTING.id, (STEPS, BACK))
    BEGUN = ForEvery(Eq(n2(Mean(0) - xs), D0), (), START.id)
    FORMULAS = (
        SMOOTH_F, CONVEX_F, LEAST, UNBIASED, VARIANCE, EITHER, OTHERS, SLOPES, MODEL, GOAL, SHORT,
        AVERAGE, NEXT, LOCAL, SINCE, BEGUN,
    )  # fmt: skip
    LOSS = (SMOOTH_F.known, CONVEX_F.known, LEAST.known)
    DRAWN = tuple(said.known for said in (UNBIASED, VARIANCE, EITHER, OTHERS, SLOPES, MODEL, GOAL))
    WALKED = tuple(said.known for said in (SHORT, LOCAL, SINCE))

    # -- Lemma 3.1: a step of the mean. The noise of the samples is orthogonal to all that is known before
    TO_GOAL = by.real("lemma31.noise.goal", "Lemma 3.1, a sample's noise and the way to x*")(
        Eq(ip(g - slope, x - xs), 0),
        WORKER, UNBIASED.at(t, k), MODEL.at(t, k), GOAL.at(t, k),
        EITHER.at(t, k, g, x), EITHER.at(t, k, g, xs),
    )  # fmt: skip
    TO_SLOPE = by.real("lemma31.noise.slope", "Lemma 3.1, a sample's noise and a gradient")(
        Eq(ip(g - slope, slope_j), 0),
        WORKER, 1 <= j, j <= K, UNBIASED.at(t, k), SLOPES.at(t, k, j), EITHER.at(t, k, g, slope_j),
    )  # fmt: skip
    TO_SLOPES = by.real("lemma31.noise.slopes", "Lemma 3.1, a sample's noise and all gradients")(
        Eq(ip(g - slope, total(slope_j, j, 1, K)), 0), WORKER, K >= 1, DRAWN, TO_SLOPE.at(over=(j, 1, K))
    )
    NOISE_GOAL = by.real("lemma31.mean.goal", "Lemma 3.1, the noise of the mean and the way to x*")(
        Eq(ip(mean(g) - mean(slope), x - xs), 0), STEP, DRAWN, TO_GOAL.at(over=WORKERS)
    )
    NOISE_SLOPE = by.real("lemma31.mean.slope", "Lemma 3.1, the noise of the mean and the mean gradient")(
        Eq(ip(mean(g) - mean(slope), mean(slope)), 0), STEP, DRAWN, TO_SLOPES.at(over=WORKERS)
    )
    PARTS = by.quad("lemma31.parts", "Lemma 3.1, of any vectors")(
        Eq(n2(w - eta * u), n2(w - eta * v) + eta**2 * n2(u - v)), Eq(ip(u - v, w), 0), Eq(ip(u - v, v), 0)
    )
    APART = by.real("lemma31.apart", "Lemma 3.1, the noise apart")(
        Eq(n2(Mean(t + 1) - xs), n2(x - eta * mean(slope) - xs) + eta**2 * n2(mean(g) - mean(slope))),
        STEP, DRAWN, NEXT.at(t), used(NOISE_GOAL, NOISE_SLOPE),
        PARTS.at({u: mean(g), v: mean(slope), w: x - xs}),
    )  # fmt: skip
    # -- what convexity and smoothness say of a worker
    FLAT = by.real("lemma31.flat", "Lemma 3.1, the gradient is short near the minimiser")(
        n2(slope) <= 2 * L * (f(own) - f(xs)),
        L > 0, SMOOTH_F.at(own, own - slope / L), LEAST.at(own - slope / L),
    )  # fmt: skip
    CONVEX_X = by.real("lemma31.convex", "Lemma 3.1, strong convexity at a worker's model")(
        -2 * ip(slope, own - xs) <= -2 * (f(own) - f(xs)) - mu * n2(own - xs), CONVEX_F.at(own, xs)
    )
    YOUNG = by.quad("lemma31.young", "Lemma 3.1, of any vectors")(
        -2 * ip(u, v) <= 2 * L * n2(v) + n2(u) / (2 * L), L > 0
    )
    TOWARD = by.real("lemma31.toward", "Lemma 3.1, a worker's gradient and the way to x*")(
        -2 * ip(slope, x - xs) <= -(f(own) - f(xs)) - mu * n2(own - xs) + 2 * L * n2(x - own),
        WORKER, L > 0, LOSS, used(CONVEX_X, FLAT), YOUNG.at({u: slope, v: x - own}),
    )  # fmt: skip
    # -- and in the mean over the workers
    GAP = mean(f(own) - f(xs))
    SLOW = by.real("lemma31.slow", "Lemma 3.1, Jensen's inequality for the gradients")(
        n2(mean(slope)) <= 2 * L * GAP,
        STEP, L > 0, LOSS, jensen(slope, k, K), FLAT.at(over=WORKERS),
    )  # fmt: skip
    NEAR = by.real("lemma31.near", "Lemma 3.1, Jensen's inequality for the distances")(
        n2(x - xs) <= mean(n2(own - xs)), STEP, AVERAGE.at(t), squares(own - x, k, K)
    )
    TANGENT = by.real("lemma31.tangent", "Lemma 3.1, the tangent at the mean")(
        f(x) + ip(grad(x), own - x) <= f(own), mu > 0, CONVEX_F.at(x, own)
    )
    LOWER = by.real("lemma31.lower", "Lemma 3.1, Jensen's inequality for f")(
        f(x) <= mean(f(own)), STEP, mu > 0, CONVEX_F.known, AVERAGE.at(t), TANGENT.at(over=WORKERS)
    )
    ABOVE = by.real("lemma31.above", "Lemma 3.1, f(x*) is least")(f(own) - f(xs) >= 0, LEAST.at(own))
    GAP_ABOVE = by.real("lemma31.gap", "Lemma 3.1, f(x*) is least")(
        GAP >= 0, STEP, LEAST.known, ABOVE.at(over=WORKERS)
    )
    HALF = by.real("lemma31.half", "Lemma 3.1, eta <= 1/(4 L)")(
        eta / 2 * GAP <= eta * (1 - 2 * L * eta) * GAP,
        STEP, eta > 0, 4 * L * eta <= 1, LEAST.known, used(GAP_ABOVE),
    )  # fmt: skip
    DESCENT = by.real("lemma31.descent", "Lemma 3.1, a step without noise")(
        n2(x - eta * mean(slope) - xs)
        <= n2(x - xs) - eta * (1 - 2 * L * eta) * GAP - eta * mu * mean(n2(own - xs))
        + 2 * eta * L / K * total(n2(x - own), *WORKERS),
        STEP, eta > 0, L > 0, LOSS, used(SLOW), TOWARD.at(over=WORKERS),
    )  # fmt: skip
    NUMBERS = (eta > 0, L > 0, mu > 0)
    LEMMA31 = by.real("lemma31", "Lemma 3.1")(
        n2(Mean(t + 1) - xs)
        <= (1 - mu * eta) * n2(x - xs) + eta**2 * n2(mean(g) - mean(slope)) - eta / 2 * (f(x) - f(xs))
        + 2 * eta * L / K * total(n2(x - own), *WORKERS),
        STEP, NUMBERS, 4 * L * eta <= 1, LOSS, DRAWN, AVERAGE.known, NEXT.known,
        used(APART, DESCENT, HALF, NEAR, LOWER),
    )  # fmt: skip

    # -- Lemma 3.2: the variance of the mean
    PAIR = by.real("lemma32.pair", "Lemma 3.2, two workers")(
        Eq(ip(g_j - slope_j, g - slope), 0),
        WORKER, 1 <= j, j <= k - 1,
        UNBIASED.at(t, k), OTHERS.at(t, k, j), SLOPES.at(t, k, j), SLOPES.at(t, k, k),
        EITHER.at(t, k, g, g_j), EITHER.at(t, k, g, slope_j),
    )  # fmt: skip
    CROSS = by.real("lemma32.cross", "Lemma 3.2, a worker and those before it")(
        Eq(ip(total(g_j - slope_j, *BEFORE), g - slope), 0), WORKER, K >= 1, DRAWN, PAIR.at(over=BEFORE)
    )
    EACH = by.real("lemma32.each", "Lemma 3.2, a worker")(n2(g - slope) <= sigma2, WORKER, VARIANCE.at(t, k))
    LEMMA32 = by.real("lemma32", "Lemma 3.2")(
        n2(mean(g) - mean(slope)) <= sigma2 / K,
        STEP, DRAWN, square_of_sum(g - slope, k, K), CROSS.at(over=WORKERS), EACH.at(over=WORKERS),
    )  # fmt: skip

    # -- Lemma 3.3: how far the workers are from their mean
    TERM = by.real("lemma33.term", "Lemma 3.3, a step since the last average")(
        n2(c(t, i) * Sample(t - i, k)) <= G**2, WORKER, 1 <= i, i <= H, SINCE.at(t, i), SHORT.at(k, t - i)
    )
    WALK = by.real("lemma33.walk", "Lemma 3.3, a worker since the last average")(
        n2(own - Last(t)) <= eta**2 * G**2 * H**2,
        WORKER, H >= 1, eta > 0, WALKED, LOCAL.at(t, k),
        jensen(c(t, i) * Sample(t - i, k), i, H), TERM.at(over=BACK),
    )  # fmt: skip
    CENTRE = by.real("lemma33.centre", "Lemma 3.3, the variance is at most the second moment")(
        mean(n2(x - own)) <= mean(n2(own - Last(t))), STEP, AVERAGE.at(t)
    )
    LEMMA33 = by.real("lemma33", "Lemma 3.3, with 1 for its 4, as the step size is constant")(
        mean(n2(x - own)) <= eta**2 * G**2 * H**2,
        STEP, H >= 1, eta > 0, WALKED, AVERAGE.known, used(CENTRE), WALK.at(over=WORKERS),
    )  # fmt: skip

    # -- the theorem, which is not in the paper
    KEEPS, FLOOR = 1 - mu * eta, eta**2 * sigma2 / K + 2 * eta**3 * L * G**2 * H**2
    BOUND = KEEPS**T * D0 + (eta * sigma2 / K + 2 * eta**2 * L * G**2 * H**2) / mu
    ASSUMED = (LOSS, DRAWN, WALKED, AVERAGE.known, NEXT.known)
    BEST = by.real("theorem.best", "not in the paper, f(x*) is least")(f(x) - f(xs) >= 0, LEAST.at(x))
    ONE_STEP = by.real("theorem.step", "not in the paper, the lemmas together")(
        n2(Mean(t + 1) - xs) <= KEEPS * n2(x - xs) + FLOOR,
        STEP, H >= 1, NUMBERS, 4 * L * eta <= 1, ASSUMED,
        used(LEMMA31, LEMMA32, LEMMA33, BEST),
    )  # fmt: skip
    FACTOR = by.real("theorem.factor", "not in the paper, the factor of a step")(
        KEEPS >= 0, NUMBERS, mu <= L, 4 * L * eta <= 1
    )
    SIZES = (T >= 0, K >= 1, H >= 1, NUMBERS, mu <= L, sigma2 >= 0, 4 * L * eta <= 1)
    ALL_STEPS = by.real("theorem.steps", "not in the paper, all steps")(
        n2(Mean(T) - xs) <= KEEPS**T * n2(Mean(0) - xs) + FLOOR * (1 - KEEPS**T) / (1 - KEEPS),
        SIZES, ASSUMED, used(FACTOR), ONE_STEP.at(over=STEPS), recursion(n2(x - xs), t, T, KEEPS, FLOOR),
    )  # fmt: skip
    r, q = numbers("r q")
    SERIES = by.real("theorem.series", "not in the paper, the sum of the powers")(
        q * (1 - r) / (1 - KEEPS) <= q / (mu * eta), eta > 0, mu > 0, q >= 0, r >= 0
    )
    ADDED = by.real("theorem.added", "not in the paper, what a step adds")(
        FLOOR >= 0, K >= 1, H >= 1, eta > 0, L > 0, sigma2 >= 0
    )
    END = by.real("theorem.end", "not in the paper")(
        n2(Mean(T) - xs) <= BOUND,
        SIZES, ASSUMED, BEGUN.known, BEGUN.at(), used(FACTOR, ADDED, ALL_STEPS), power(KEEPS, T),
        SERIES.at({r: KEEPS**T, q: FLOOR}),
    )  # fmt: skip
    #: how the last step of a proof says the metric
    METRIC_RELATIONS = {"squared_distance_of_mean": (n2(Mean(T) - xs) <= number("bound"),)}
    THEOREM = Statement(
        f"{KEY}.theorem",
        "Local SGD with a constant step size",
        Source(KEY, "not in the paper: Lemmas 3.1 to 3.3 and a recursion"),
        letters=NOTATION.letters(L, mu, sigma2, G, K, H, eta, T, D0),
        claim=Bound("squared_distance_of_mean", BOUND),
        conditions=(
            Condition("4 L eta <= 1", 4 * L * eta <= 1, "Lemma 3.1"),
            Condition("mu <= L", mu <= L, "as of every f that is both"),
            Condition("H >= 1", H >= 1, "Algorithm 1"),
        ),
        assumptions=tuple(ASSUMPTIONS),
        proof=(END.id,),
    )


# -- the check: f is L x^2/2 where x > 0, else mu x^2/2; a sample errs by the root of sigma^2, up or down
@dataclass(frozen=True)
class Run:
    """Local SGD on this f from x = 1 on, in fractions.

    Arguments:
        L, mu, error, eta: constants, the error of a sample and the step size.
        K, T: workers and steps.
        averages: after which steps they average.
    """

    L: Any
    mu: Any
    error: Any
    eta: Any
    K: int
    T: int
    averages: tuple[int, ...]

    @property
    def H(self) -> int:
        """The longest time between averages."""
        stops = (0, *self.averages, self.T)
        return max(after - before for before, after in pairwise(stops))

    @cached_property
    def measured(self) -> tuple[Any, Any]:
        """E|mean model - x*|^2 after T steps and the largest E|g|^2 on the way, over all outcomes."""
        outcomes = [*product((-self.error, self.error), repeat=self.K * self.T)]
        errors = np.array(outcomes, dtype=object).reshape(len(outcomes), self.T, self.K)
        models, largest = np.full((len(outcomes), self.K), Fraction(1)), Fraction(0)
        for step in range(self.T):
            samples = np.where(models > 0, self.L, self.mu) * models + errors[:, step]
            largest = max(largest, *(samples**2).mean(axis=0))
            models = models - self.eta * samples
            if step + 1 in self.averages:
                models[:] = models.mean(axis=1, keepdims=True)
        return (models.mean(axis=1) ** 2).mean(), largest

    @property
    def letters(self) -> dict[str, Any]:
        """What the theorem takes; G is the root of the largest E|g|^2, rounded up."""
        G = Fraction(isqrt(int(self.measured[1] * 10**12)) + 1, 10**6)
        named = {name: getattr(self, name) for name in ("L", "mu", "eta", "K", "H", "T")}
        return named | {"sigma2": self.error**2, "G": G, "D0": 1}


def runs() -> Iterator[Run]:
    """Averages after every step, every third and at uneven times, with much noise, little and none."""
    errors, stepsizes = (Fraction(1), Fraction(1, 4), Fraction(0)), (Fraction(1, 4), Fraction(1, 20))
    for error, eta, (K, T) in product(errors, stepsizes, ((1, 8), (2, 4), (3, 3))):
        for averages in (range(1, T), range(3, T, 3), (2,)):
            yield Run(Fraction(1), Fraction(1, 4), error, eta, K, T, tuple(averages))


def find(budget: SamplingBudget) -> tuple[BoundComparison, ...]:
    """Every run beside the theorem's bound."""
    said, places = statement(THEOREM.id), []
    for run in runs():
        bound = said.check(**run.letters).bound
        places.append(Place(float(budget.change(run).measured[0]), bound, run))
    worst = nearest(places)
    at = ", ".join(f"{name}={value}" for name, value in worst.at.letters.items() if name != "G")
    said_of = f"of {len(places)} runs the nearest reaches {worst.ratio:.4g} of its bound"
    texts = (f"two parabolas, {at}", f"Every outcome is counted: {said_of}.")
    return (compare(THEOREM.id, THEOREM.claim.metric, places, texts, budget, tolerance=1e-9),)


CHECK = EmpiricalCheck((THEOREM.id,), "squared distance of the mean model (local SGD)", find)
