"""What the text says between the results: drift, averages of proximal models, what is sent, distances."""

from fedproof.papers.composite.assumptions import CONVEX, SMOOTH, SUBGRADIENTS
from fedproof.papers.composite.proofs.vectors import *

#: two clients in one dimension: curvature, gradient at the optimum, model after one and after two steps
h_one, h_two, slope_one, slope_two = number("h1", "h_1"), number("h2", "h_2"), number("s1"), number("s2")
y_one, y_two, x_one, x_two = numbers("y1 y2 x1 x2")
optimum = number("optimum", r"\mathbf x^{\star}")
k = number("k")
entry = sequence("entry(i)", r"(\mathbf z_{i,\tau}^{r})_j", nonnegative=True)
z, c = number("z", r"(\mathbf z_{i,t}^{r})_j"), number("c", r"(\mathbf c_i^{r})_j")
one, two = number("one", "g"), number("two", "g'")
before_one, before_two = number("u", "u"), number("u2", "u'")
threshold = number("s", r"(t+1)\eta\vartheta")
others = number("others", "N'")
errors, error = vector("before_sample", r"\textstyle\sum_{l<k}\xi_l"), vector("of_one_sample", r"\xi_k")
M = sequence("of_batch(k)", r"\mathbb E\|\textstyle\sum_{l\le k}\xi_l\|^2", nonnegative=True)
V = sequence("of_sample(k)", r"\mathbb E\|\xi_k\|^2", nonnegative=True)
D = sequence("D(t)", r"\|\mathbf z_{i,t}^{r}-P_{\tilde\eta}(\overline{\mathbf x}^{r})\|^2")
a = number("a", r"\alpha")
point, slope = vector("point", r"\mathbf x"), vector("slope", r"\nabla f(\mathbf x)")
least, other = vector("least", r"\mathbf y"), vector("other", r"\mathbf u")
far, curvature = number("far", r"\mathrm{dist}"), number("curvature", "h")
here, there = vector("here", r"\mathbf x"), vector("there", r"\mathbf x^{\star}")
value, value_best = number("value", r"F(\mathbf x)"), number("value_best", r"F(\mathbf x^{\star})")
f_here, g_here = number("f_here", r"f(\mathbf x)"), number("g_here", r"g(\mathbf x)")
f_there, g_there = number("f_there", r"f(\mathbf x^{\star})"), number("g_there", r"g(\mathbf x^{\star})")
h_here = vector("h_here", r"\tilde\nabla g(\mathbf x)")
h_best = vector("h_best", r"\tilde\nabla g(\mathbf x^{\star})")
grad_best = vector("grad_best", r"\nabla f(\mathbf x^{\star})")

by = step_writer("composite", __name__)
_PL = "below Assumption 3.3, proximal PL with g = 0"
_FAR, _BATCH = "below Theorem 3.6, the distance", "below Assumption 3.4, batches"
_LOCAL = "definition: two local gradient steps from x* on f_i(x) = s_i (x - x*) + h_i/2 (x - x*)^2"


def soft(u: Any) -> Any:
    """An entry of the proximal operator of the l1 norm."""
    return sp.Max(u - threshold, 0) - sp.Max(-u - threshold, 0)


with printed():
    DRIFTS = by.real("section1.drift", "Sec. 1, client drift")(
        (x_one + x_two) / 2 > optimum,
        (eta > 0, h_two >= 0, h_one > h_two, slope_one > 0),
        assume("definition: x* minimises the mean of the losses", Eq(slope_one + slope_two, 0)),
        assume(_LOCAL, Eq(y_one, optimum - eta * slope_one), Eq(y_two, optimum - eta * slope_two)),
        assume(_LOCAL, Eq(x_one, y_one - eta * (slope_one + h_one * (y_one - optimum)))),
        assume(_LOCAL, Eq(x_two, y_two - eta * (slope_two + h_two * (y_two - optimum)))),
        note="Two clients: the mean of their models leaves the optimum that they start from, by "
        "eta^2 (h_1 - h_2) s_1/2. With one local step it stays.",
    )
    SPARSE = by.sum("section1.sparse", "Sec. 1, curse of primal averaging")(
        entry(k) / n <= 1 / n * total(entry(i), i, 1, n),
        assume("meaning: a client", k >= 1, k <= n),
        note="An entry that is positive for one client is positive in the mean, where it has one sign for "
        "all; entries of opposite signs can cancel.",
    )
    HELD = by.real("section1.held", "Sec. 1; Sec. 2.2, proximal SGD with correction")(
        Eq(soft(before_one), 0),
        (before_one <= threshold, -before_one <= threshold),
        note="The l1 norm holds an entry at zero.",
    )
    COUPLED = by.real("section1.coupled", "Sec. 1; Sec. 2.2, proximal SGD with correction")(
        Eq(soft(before_one), soft(before_two)),
        assume("definition: a local step with either gradient", Eq(before_one, z - eta * (one + c))),
        assume("definition: a local step with either gradient", Eq(before_two, z - eta * (two + c))),
        (before_one <= threshold, -before_one <= threshold),
        (before_two <= threshold, -before_two <= threshold),
        HELD.at(),
        HELD.at({before_one: before_two}),
        note="Where the l1 norm holds an entry at zero the model after the prox is the same for different "
        "gradients, so no mean of such models tells the mean of the gradients.",
    )
    CONTROL = by.real("section2.sent.control", "Sec. 1.1; Sec. 2.2, 3)")(
        n * d < others,
        (n >= 1, d >= 1),
        assume("definition: [13], [12], a model and a control variate", Eq(others, n * (d + d))),
        note="Twice the numbers a round, each way.",
    )
    ONE_STEP = by.sum("lemmaA1.one", "below Lemma A.1, tau = 1; Sec. 4.1")(
        Eq(total(D(t), t, 0, tau - 1), 0),
        assume("definition: tau = 1", Eq(tau, 1)),
        assume("definition: line 5 of Algorithm 1", Eq(D(0), 0)),
    )
    UNCORRELATED = by.mean("batch.errors", _BATCH)(
        Eq(n2(errors + error), n2(errors) + n2(error)),
        assume("definition: samples drawn independently, with errors of mean 0", Eq(ip(errors, error), 0)),
    )
    BATCH = by.sum("batch.variance", _BATCH)(
        1 / b**2 * M(b) <= sigma2 / b,
        b >= 1,
        assume("definition: the variance of one sample's gradient", ForAll(V(k) <= sigma2, k, 1, b)),
        assume("definition: an empty sum", Eq(M(0), 0)),
        assume("definition: batch.errors", ForAll(Eq(M(k), M(k - 1) + V(k)), k, 1, b)),
        note="The mean of b samples has this variance: what (9) assumes.",
    )
    EXTENDS = by.quad("prox_pl.extends", _PL)(
        Eq(-a * (ip(slope, least - point) + a / 2 * n2(least - point)), n2(slope) / 2),
        a > 0,
        assume("definition: y attains the minimum, prox_pl.extends.least", Eq(least, point - 1 / a * slope)),
        note="Half of D_g is half the squared norm of the gradient, whatever the second argument: the "
        "inequality is then the PL inequality.",
    )
    EXTENDS_LEAST = by.quad("prox_pl.extends.least", _PL)(
        ip(slope, least - point) + a / 2 * n2(least - point)
        <= ip(slope, other - point) + a / 2 * n2(other - point),
        a > 0,
        assume("definition: a gradient step from x", Eq(least, point - 1 / a * slope)),
    )
    FLAT = (
        *(eps > 0, curvature > 0),
        *assume("instance: f(x) = h/2 x^2, g = 0, L = 1", Eq(curvature, eps / (eps + far**2))),
    )
    FAR_VALUE = by.real("distance.far.value", _FAR)(
        curvature / 2 * far**2 <= eps,
        FLAT,
        note="At any distance from the minimiser 0 the objective can be within any eps of its least value.",
    )
    FAR_MAPPING = by.real("distance.far.mapping", _FAR)(
        (curvature * far) ** 2 <= eps,
        FLAT,
        note="And so can the squared norm of the mapping, here the gradient.",
    )
    VALUES = by.quad("distance.values", "below Theorem 3.8")(
        value - value_best <= 2 * B_g * norm(here - there) + L / 2 * n2(here - there),
        (L > 0, B_g >= 0),
        assume(SMOOTH.id, f_here <= f_there + ip(grad_best, here - there) + L / 2 * n2(here - there)),
        assume(CONVEX.id, g_here + ip(h_here, there - here) <= g_there),
        assume("definition: x* is stationary", Eq(grad_best, -h_best)),
        assume(SUBGRADIENTS.id, n2(h_here) <= B_g**2, n2(h_best) <= B_g**2),
        assume("definition: (1), F = f + g", Eq(value, f_here + g_here), Eq(value_best, f_there + g_there)),
        note="Models that converge to x* have values that converge; distance.far.value: not the other way "
        "round, without growth.",
    )
    SIZES = by.interval("section4.sizes", "Sec. 4.2, MNIST by label")(
        sp.Gt(3000 + rational(6742, 2), 3000 + rational(5421, 2), evaluate=False),
        note="What clients 2 and 6 have on average: half of the 6742 ones and of the 5421 fives are dealt by "
        "label.",
    )
