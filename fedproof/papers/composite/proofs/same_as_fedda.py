"""Where FedDA and the algorithm have the same models with tau = 1, and where they part.

FedDA adds all gradients up and takes one proximal step with the elapsed step size, the algorithm one with
each gradient. The first round is the same, and so is every round while the penalty's subgradient stays.
"""

from fedproof.papers.composite.assumptions import CONVEX, SAME_SIGNS
from fedproof.papers.composite.proofs.metric_relations import difference
from fedproof.papers.composite.proofs.vectors import *

WHERE = "Sec. 4.1, tau = 1"
model = vector("model", r"\mathbf x^{r}")
ours = vector("ours", r"\mathbf x^{r+1}")
theirs = vector("theirs", r"\mathbf y^{r+1}")
dual = vector("dual", r"\mathbf z^{r}")
v = vector("v", r"\nabla f(\mathbf x^{r})")
h_ours = vector("h_ours", r"\tilde\nabla g(\mathbf x^{r+1})")
h_theirs = vector("h_theirs", r"\tilde\nabla g(\mathbf y^{r+1})")
h = vector("h", r"\tilde\nabla g")
g_ours = number("g_ours", r"g(\mathbf x^{r+1})")
g_theirs = number("g_theirs", r"g(\mathbf y^{r+1})")
rounds = number("rounds", "r")
x0 = number("x0", "x^{1}")
c = number("c", "c")
x1 = number("x1", "x^{2}")
x2 = number("x2", "x^{3}")
y1 = number("y1", "y^{2}")
y2 = number("y2", "y^{3}")
by = step_writer("composite", __name__)


def _prox(at: sp.Expr, scale: sp.Expr, point: sp.Symbol, what: str) -> tuple[Given, ...]:
    """What makes a number the proximal point of theta |x| with a step size."""
    return assume(
        f"definition: {what}",
        sp.Abs(at - point) <= scale * vartheta,
        Eq((at - point) * point, scale * vartheta * sp.Abs(point)),
    )


with printed():
    APART_BY = assume("definition: how far apart the models are", Eq(difference, n2(ours - theirs)))
    FIRST = by.quad("fedda.first", f"{WHERE}, the first round")(
        difference <= 0,
        eta_t > 0,
        prox(ours, model - eta_t * v, eta_t, h_ours, "(3) with v = the mean gradient, as the c_i cancel"),
        prox(theirs, model - eta_t * v, eta_t, h_theirs, "FedDA's first round, elapsed step eta~"),
        APART_BY,
        assume(CONVEX.id, g_ours + ip(h_ours, theirs - ours) <= g_theirs),
        assume(CONVEX.id, g_theirs + ip(h_theirs, ours - theirs) <= g_ours),
        note="A proximal point is the only one, and in the first round nothing is accumulated yet.",
    )
    #: FedDA's model is the proximal point of its dual state
    ACCUMULATED = prox(model, dual, (rounds - 1) * eta_t, h, "FedDA, elapsed step (r-1) eta~")
    THEIRS = prox(theirs, dual - eta_t * v, rounds * eta_t, h, "FedDA, elapsed step r eta~")
    SETTLED = by.quad("fedda.settled", f"{WHERE}, a round in which the subgradient stays")(
        difference <= 0,
        eta_t > 0,
        prox(ours, model - eta_t * v, eta_t, h_ours, "(3) with v = the mean gradient, as the c_i cancel"),
        ACCUMULATED,
        THEIRS,
        APART_BY,
        assume(SAME_SIGNS.id, Eq(h_ours, h)),
        note="Both then step by -eta~ (grad f + the subgradient).",
    )
    STEP = by.quad("fedda.settled.step", f"{WHERE}, a round in which the subgradient stays")(
        n2(theirs - model + eta_t * (v + h)) <= 0,
        eta_t > 0,
        ACCUMULATED,
        THEIRS,
        note="FedDA's step from wherever it is: the algorithm's.",
    )
    AT_ONE = x0 - eta_t * (x0 - c)
    INSTANCE = {
        tau: 1, eta: rational(1, 20), eta_g: 2, eta_t: rational(1, 10), vartheta: 1, c: 2,
        x0: rational(-2, 9),
    }  # fmt: skip
    APART = by.real("fedda.apart", f"{WHERE}, two rounds in which an entry is held at zero")(
        difference >= rational(1, 100),
        assume("definition: the instance", *(Eq(k, value) for k, value in INSTANCE.items())),
        ETA_T,
        _prox(AT_ONE, eta_t, x1, "the algorithm's first round"),
        _prox(x1 - eta_t * (x1 - c), eta_t, x2, "the algorithm's second round"),
        _prox(AT_ONE, eta_t, y1, "FedDA's first round"),
        _prox(AT_ONE - eta_t * (y1 - c), 2 * eta_t, y2, "FedDA's second round, elapsed step 2 eta~"),
        assume("definition: how far apart the models are", Eq(difference, (x2 - y2) ** 2)),
        note="One client, f(x) = (x - 2)^2/2, g = |x|. Both models are 0 after the first round; the second "
        "takes the algorithm to 1/10 and leaves FedDA at 0, as FedDA keeps what was left of the first "
        "gradient and takes a longer proximal step.",
    )
