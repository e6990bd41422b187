"""One mu does not serve all models: l1 least squares with a singular matrix, sparse logistic regression.

With the second argument of D_g called a: a = mu as Assumption 3.3(2) prints it, a = L as [11] states it.
"""

from fedproof.papers.composite.assumptions import SUBGRADIENTS
from fedproof.papers.composite.proofs.metric_relations import Fs, defect_L
from fedproof.papers.composite.proofs.prox_pl import a, g_y, y
from fedproof.papers.composite.proofs.vectors import *
from fedproof.proof.lemmas import minkowski_squared

h = vector("h", r"\tilde\nabla g(\mathbf x)")
#: a bound on |grad f|
A = number("A")
g0 = number("g0", r"g(\mathbf x)")
half_D = number("half_D", r"\tfrac12D_g(\mathbf x,\alpha)")
F0 = number("F0", r"F(\mathbf x)")
M = number("M", "x_2")
y1 = number("y1", "y_1")
y2 = number("y2", "y_2")

P = vector("P", r"\mathbf x")
grad = vector("grad", r"\nabla f(\mathbf x)")
by = step_writer("composite", __name__, "below Assumption 3.3, l1-regularized least squares")
LOGISTIC = "Sec. 4, sparse logistic regression"

with printed():
    BOUNDED = by.quad("prox_pl.bounded", "Assumption 3.3(2), D_g is bounded where the gradients are")(
        -a * (ip(grad, y - P) + a / 2 * n2(y - P) + g_y - g0) <= (A + B_g) ** 2 / 2,
        (a > 0, A >= 0, B_g >= 0),
        assume("definition: a subgradient of g at x", g0 + ip(h, y - P) <= g_y),
        minkowski_squared(grad, h, A, B_g, multiplier=rational(1, 2)),
        assume("definition: a bound on the gradient of f", n2(grad) <= A**2),
        assume(SUBGRADIENTS.id, n2(h) <= B_g**2),
        note="At every y, so at the minimiser in D_g: D_g(x, a) <= (A + B_g)^2 whatever a. F is then "
        "bounded if it satisfies the inequality, in either reading of a.",
    )
    #: the inequality asks that this is not positive
    DEFINED = assume("definition: mu (F(x) - F*) less D_g(x, L)/2", Eq(defect_L, mu * (F0 - Fs) - half_D))
    AT_L = L / 2 * (y1**2 + (y2 - M) ** 2) + vartheta * (sp.Abs(y1) + sp.Abs(y2))
    VALUE = a / 2 * (y1**2 + (y2 - M) ** 2) + vartheta * (sp.Abs(y1) + sp.Abs(y2))
    NEAR = by.real("prox_pl.least_squares.near")(
        mu * (vartheta * M)
        > -mu * (mu / 2 * (y1**2 + (y2 - M) ** 2) + vartheta * (sp.Abs(y1) + sp.Abs(y2)) - vartheta * M),
        (mu > 0, vartheta > 0, M > 0),
        note="F(x) = x_1^2/2 + vartheta (|x_1| + |x_2|), the matrix (1 0), at x = (0, M), for every M > 0 "
        "and mu. So it is with L in D_g, as in [11], that the inequality holds near the minimiser 0.",
    )
    RAY = by.real("prox_pl.least_squares.ray")(
        -a * (VALUE - vartheta * M) <= vartheta**2 / 2,
        (a > 0, vartheta > 0, M >= 0),
        note="At the same x, whatever a: D_g(x, a) <= vartheta^2, while F(x) = vartheta M has no bound.",
    )
    IN_LEAST_SQUARES = (
        *DEFINED,
        *assume("definition: F at x = (0, M), its least value at 0", Eq(F0, vartheta * M), Eq(Fs, 0)),
        *assume("definition: the x that is looked at", Eq(M, vartheta / mu)),
        *assume("definition: the minimum in D_g, attained at y", Eq(half_D, -L * (AT_L - vartheta * M))),
        RAY.at({a: L}),
    )
    LEAST_SQUARES = by.real("prox_pl.global.least_squares")(
        defect_L >= vartheta**2 / 2,
        (mu > 0, vartheta > 0, L > 0),
        IN_LEAST_SQUARES,
        note="For every mu > 0 at another x: none serves all models. With mu in D_g it fails there too.",
    )
    LOG2 = by.interval("prox_pl.logistic.log2", LOGISTIC)(sp.log(2) <= rational(7, 10))
    IN_LOGISTIC = (
        *DEFINED,
        *assume("definition: F at x, with losses >= 0, |x|_1 = M", F0 >= vartheta * M),
        *assume("definition: F at 0 is ln 2, prox_pl.logistic.log2", Fs <= rational(7, 10)),
        *assume(
            "definition: the x that is looked at", Eq(vartheta * M, (A + B_g) ** 2 / mu + rational(7, 10))
        ),
        *assume("definition: D_g's second argument is L", Eq(a, L)),
        *assume("meaning: a bound on the gradient of f", A >= 0),
        BOUNDED.at({-a * (ip(grad, y - P) + a / 2 * n2(y - P) + g_y - g0): half_D}),
    )
    LOGISTIC_ALL = by.real("prox_pl.global.logistic", LOGISTIC)(
        defect_L >= B_g**2 / 2,
        (mu > 0, vartheta > 0, L > 0, B_g > 0),
        IN_LOGISTIC,
        note="For any data, at every x with |x|_1 this large: the loss is at least 0, ln 2 at x = 0, and its "
        "gradients are means of feature vectors with weights in (-1, 1). With mu in D_g it fails there too.",
    )
