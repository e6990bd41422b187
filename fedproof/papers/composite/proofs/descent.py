"""One round at the server without Fact 1: the step in the direction v^r against the exact one, (4).

Smoothness from above and the optimality of both proximal steps give the objective after the round in terms
of the model that x~^{r+1} minimises; the objective at x~^{r+1}, and smoothness from below, are not needed.
"""

from fedproof.papers.composite.assumptions import CONVEX, INDEPENDENT
from fedproof.papers.composite.proofs.fact1 import UPPER, along, far2, fx, fy
from fedproof.papers.composite.proofs.mapping import g_P as g0
from fedproof.papers.composite.proofs.mapping import g_tilde as gt
from fedproof.papers.composite.proofs.vectors import *

v = vector("v", r"\boldsymbol v^{r}")
h_plus = vector("h_plus", r"\tilde\nabla g(P_{\tilde\eta}(\overline{\mathbf x}^{r+1}))")
#: one draw's change and point
d, zj = vectors("d zj")
noise = vector("noise", r"\overline\xi^{r}")
change = vector("change", r"\overline\delta^{r}")
e = vector("e", r"\epsilon_{i,t}")
so_far = vector("so_far", r"\textstyle\sum\epsilon")
earlier = vector("earlier", r"\textstyle\sum_{s<t}\epsilon_{k,s}")
conditional_mean = vector("told", r"\mathbb E[\textstyle\sum_{s<t}\epsilon_{k,s}\,|\,\mathcal F_t^{r}]")
same = vector("same", r"\textstyle\sum_{k<i}\epsilon_{k,t}")
#: f at P^r and P^{r+1}, g at the latter
_P, _PLUS = (rf"P_{{\tilde\eta}}(\overline{{\mathbf x}}^{{{k}}})" for k in ("r", "r+1"))
f0, f1, g1 = number("f0", f"f({_P})"), number("f1", f"f({_PLUS})"), number("g1", f"g({_PLUS})")
F0 = number("F0", r"\mathbb E F(P_{\tilde\eta}(\overline{\mathbf x}^{r}))")
F1 = number("F1", r"\mathbb E F(P_{\tilde\eta}(\overline{\mathbf x}^{r+1}))")
model = number("model", r"\mathbb E\,m(\tilde{\mathbf x}^{r+1})")
err2 = number("err2", r"\mathbb E\|\boldsymbol v^{r}-\nabla f\|^2")
#: how many draws a round has; a draw
K, j = number("K"), number("j")
#: E of the squared sum of the first j errors; of |z_j - P|^2; |d_j|^2; <d_j, mean>
M, Z, C = sequences("M Z C", nonnegative=True)
I = sequence("I")  # noqa: E741
change2 = number("change2", r"\mathbb E\|\overline\delta^{r}\|^2")
noise2 = number("mean_noise2", r"\mathbb E\|\tfrac1{n\tau}\sum_{i,t}\text{error}_{i,t}\|^2")
by = step_writer("composite", __name__, "Sec. A.5, a round at the server, another way")

with printed():
    #: P^{r+1} by (3): the prox of a step along v^r
    SERVER = prox(plus, P - eta_t * v, eta_t, h_plus, "(3), the prox's optimality")
    #: what x~^{r+1} minimises: f's linear model, the penalty and the distance, over what they are at P
    MODEL_IS = assume(
        "definition: the model that (18) minimises, less its value at P^r",
        Eq(model, ip(grad, tilde - P) + 1 / (2 * eta_t) * n2(tilde - P) + gt - g0),
    )
    #: x~ by (4): the prox of a step along grad f
    EXACT = prox(tilde, P - eta_t * grad, eta_t, h_tilde, "(4), the prox's optimality")
    MODEL = by.mean("descent.model")(
        model <= -(eta_t / 2) * n2(G),
        eta_t > 0,
        assume("definition: (11)", Eq(tilde, P - eta_t * G)),
        EXACT,
        assume(CONVEX.id, gt + ip(h_tilde, P - tilde) <= g0),
        MODEL_IS,
        note="The model is 1/eta~-strongly convex, and x~ minimises it.",
    )
    THREE = by.mean("descent.server")(
        g1 + ip(v, plus - tilde) + 1 / (2 * eta_t) * n2(plus - P) + 1 / (2 * eta_t) * n2(plus - tilde)
        <= gt + 1 / (2 * eta_t) * n2(tilde - P),
        eta_t > 0,
        SERVER,
        assume(CONVEX.id, g1 + ip(h_plus, tilde - plus) <= gt),
        note="What (3) minimises is 1/eta~-strongly convex: x~ is worse by the squared distance.",
    )
    AFTER = by.mean("descent.after")(
        F1 <= F0 + model + (L / 2 - 1 / (2 * eta_t)) * n2(plus - P) + eta_t / 2 * n2(v - grad),
        (eta_t > 0, L > 0),
        MODEL_IS,
        assume("definition: (1), F = f + g", Eq(F0, f0 + g0)),
        assume("definition: (1), F = f + g", Eq(F1, f1 + g1)),
        THREE.at(),
        UPPER.at({fy: f1, fx: f0, along: ip(grad, plus - P), far2: n2(plus - P)}, weight=1),
        note="In place of (43): nothing is lost to L|x~ - P|^2.",
    )
    TWO = by.mean("eq42.young", "eq. (42), first line to second")(
        n2(v - grad) <= 2 * n2(noise) + 2 * n2(change),
        assume("definition: (3), v^r less grad f(P)", Eq(v - grad, noise + change)),
    )
    ADDED = by.mean("eq42.noise.one", "eq. (42), as (30), one more draw")(
        n2(so_far + e) <= n2(so_far) + sigma2 / b,
        b > 0,
        assume("definition: the draws before, at earlier steps and at the same", Eq(so_far, earlier + same)),
        centred(e, earlier, conditional_mean),
        assume(INDEPENDENT.id, Eq(ip(e, same), 0)),
        variance(n2(e) <= sigma2 / b),
        note="The draws of a round in a row, step by step and at each step client by client: an error is "
        "orthogonal to the sum of those before it, at earlier steps by (9) and at the same step because the "
        "clients draw by themselves and each error's mean is zero.",
    )
    DRAWS = (j, 1, K)
    COUNT = assume("meaning: K counts the pairs (i, t)", Eq(K, n * tau), n >= 1)
    COUNTED = (STEPS_TAKEN, COUNT)
    NOISE = by.sum("eq42.noise", "eq. (42), as (30)")(
        noise2 <= sigma2 / (n * tau * b),
        (b > 0, sigma2 >= 0),
        COUNTED,
        assume("definition: the mean over the draws", Eq(noise2, 1 / K**2 * M(K))),
        assume("definition: an empty sum", Eq(M(0), 0)),
        ADDED.at({n2(so_far + e): M(j), n2(so_far): M(j - 1)}, weight=1 / K**2, over=DRAWS),
    )
    PROJECT = by.mean("eq42.project", "eq. (42), Jensen's inequality")(
        2 * ip(d, change) - n2(change) <= n2(d),
    )
    TURNED = by.mean("eq42.turned", "eq. (42), one draw")(
        n2(d) <= L**2 * n2(zj - P),
        L > 0,
        lipschitz(n2(d) <= L**2 * n2(zj - P)),
    )
    CHANGE = by.sum("eq42.change", "eq. (42), Jensen and Assumption 3.2")(
        change2 <= L**2 / (n * tau) * drift,
        L > 0,
        COUNTED,
        PROJECT.at({ip(d, change): I(j), n2(change): change2, n2(d): C(j)}, weight=1 / K, over=DRAWS),
        TURNED.at({n2(d): C(j), n2(zj - P): Z(j)}, weight=1 / K, over=DRAWS),
        times(-2, Eq(1 / K * total(I(j), *DRAWS), change2), "definition: the mean over the draws"),
        times(L**2 / K, Eq(total(Z(j), *DRAWS), drift), "definition: (21), left"),
    )
    EQ42 = by.sum("eq42")(
        err2 <= 2 * L**2 * (1 / (n * tau)) * drift + 2 / (tau * n) * (sigma2 / b),
        (L > 0, b > 0, sigma2 >= 0),
        COUNTED,
        TWO.at({n2(v - grad): err2, n2(noise): noise2, n2(change): change2}),
        used(NOISE, CHANGE),
    )
    EXPECTED = by.sum("descent.expected")(
        F1
        <= F0
        + model
        + (L / 2 - 1 / (2 * eta_t)) * moved
        + eta_t * L**2 / (n * tau) * drift
        + eta_t * (sigma2 / (n * tau * b)),
        (eta_t > 0, L > 0, b > 0, sigma2 >= 0),
        COUNTED,
        AFTER.at({n2(plus - P): moved, n2(v - grad): err2}),
        EQ42.at(),
    )
