"""Appendix A.2, Algorithm 2: a stationary point stays put, and with corrections of its own for any client.

With full gradients, and corrections grad f(x*) - grad f_i(x*), every client's pre-proximal model is
x* - t eta grad f(x*), whose prox with step t eta is x*. One client has no correction: Algorithm 2. That
gradients are functions is said by a ratio: |grad f_i(z) - grad f_i(x*)| <= M |z - x*| for the models z of the
round. With corrections that start from 0 two clients leave x* in two local steps, even where g = 0.
"""

from fedproof.papers.composite.assumptions import FULL, SETTLED, STATIONARY
from fedproof.papers.composite.proofs import mapping
from fedproof.papers.composite.proofs import sampling as S
from fedproof.papers.composite.proofs.algorithm1 import C, at_client
from fedproof.papers.composite.proofs.vectors import *

_X, _TRUE = r"\mathbf x^{\star}", r"(\mathbf x^{\star}-t\eta\nabla f(\mathbf x^{\star}))"
_END = r"\mathbf x^{\star}+\tau\eta\nabla f(\mathbf x^{\star})"
_MEAN = rf"(\tfrac1n\textstyle\sum_i\widehat{{\mathbf z}}_{{i,\tau}}^{{r}}-{_END})"
_STRAYED = rf"\textstyle\sum_{{t=0}}^{{\tau-1}}(\nabla f_i(\mathbf z_{{i,t}}^{{r}})-\nabla f_i({_X}))"
_OFF = rf"\|\widehat{{\mathbf z}}_{{i,t}}^{{r}}-{_TRUE}\|^2"
star = vector("star", r"\mathbf x^{\star}")
slope = vector("slope", r"\nabla f(\mathbf x^{\star})")
slope_i = vector("slope_i", r"\nabla f_i(\mathbf x^{\star})")
c = vector("c", r"\mathbf c_i^{r}")
zh = vector("zh", r"\widehat{\mathbf z}_{i,t}^{r}")
z = vector("z", r"\mathbf z_{i,t}^{r}")
grad_z = vector("grad_z", r"\nabla f_i(\mathbf z_{i,t}^{r})")
zh_next = vector("zh_next", r"\widehat{\mathbf z}_{i,t+1}^{r}")
#: a subgradient of g at the server's next model, which is x_next before the prox
h_plus = vector("h_plus", r"\tilde\nabla g(P_{\tilde\eta}(\overline{\mathbf x}^{r+1}))")
h_z = vector("h_z", r"\tilde\nabla g(\mathbf z_{i,t}^{r})")
x_next = vector("x_next", r"\overline{\mathbf x}^{r+1}")
sent = vector("sent", rf"(\widehat{{\mathbf z}}_{{i,\tau}}^{{r}}-{_END})")
mean_sent = vector("mean_sent", _MEAN)
strayed = vector("strayed", _STRAYED)
c_next = vector("c_next", r"\mathbf c_i^{r+1}")
#: the ratio; g at z
M, g_z = numbers("M g_z")
beta = number("beta", r"\beta")
g_star = number("g_star", r"g(\mathbf x^{\star})")
g_w = number("g_w", "g(w)")
off = sequence("off(t)", _OFF, nonnegative=True)
far = sequence("far(t)", r"\|\mathbf z_{i,t}^{r}-\mathbf x^{\star}\|^2", nonnegative=True)
V = sequence("V(t)", "V_t", nonnegative=True)
off_end = sequence("off_end(i)", rf"\|\widehat{{\mathbf z}}_{{i,\tau}}^{{r}}-{_END}\|^2", nonnegative=True)
j = number("j")
last = number("last", _OFF)
last_weight = number("last_weight", "V_t")
#: by the client: a weight
end_weight = sequence("end_weight(i)", "V_{i}", nonnegative=True)
inner = sequence("inner(i)", rf"\langle\widehat{{\mathbf z}}_{{i,\tau}}^{{r}}-{_END},{_MEAN}\rangle")
mean2 = number("mean2", rf"\|{_MEAN[1:-1]}\|^2")
strayed2 = number("strayed2", rf"\|{_STRAYED}\|^2")
c2 = number("c2", rf"\|\mathbf c_i^{{r+1}}-(\nabla f({_X})-\nabla f_i({_X}))\|^2")
gc = sequence("gc(i)", r"\nabla f_i(\mathbf x^{\star})")
slope_c = number("slope_c", r"\nabla f(\mathbf x^{\star})")
#: two clients with curvatures h_1, h_2 in one dimension: their models after one and two steps; the server's
h_1, h_2 = numbers("h_1 h_2")
x_11, x_21 = number("x_11", r"\mathbf z_{1,1}^{1}"), number("x_21", r"\mathbf z_{2,1}^{1}")
x_12, x_22 = number("x_12", r"\mathbf z_{1,2}^{1}"), number("x_22", r"\mathbf z_{2,2}^{1}")
server = number("server", r"\overline{\mathbf x}^{2}")
_AT_NEXT, _AT_NOW = r"(\overline{\mathbf x}^{r+1})", r"(\overline{\mathbf x}^{r})"
moved = number("moved", rf"\|P_{{\tilde\eta}}{_AT_NEXT}-P_{{\tilde\eta}}{_AT_NOW}\|^2")
by = step_writer("composite", __name__)
CLIENT = (i, 1, n)
POWERS = "meaning: powers of a positive number"
WHERE = "Appendix A.2"
LISTING = "Algorithm 2"


def _stays(name: str, own: tuple[Any, ...], about: str) -> tuple[Step, ...]:
    """No client's model and no server's model moves, for corrections as said."""
    with printed():
        local = by.quad(f"{name}.local", f"{WHERE}, {about}, one local step")(
            NOW,
            STEPSIZES,
            t >= 0,
            LINE9,
            own,
            RATIO,
        )
        weighed = by.sum(f"{name}.weighed", f"{WHERE}, {about}, all local steps")(
            last_weight * last <= 0,
            STEPSIZES,
            t >= 0,
            t <= tau,
            times(-V(t), Eq(off(t), last), "definition: the name of a term"),
            assume("definition: the name of a term", Eq(V(t), last_weight)),
            times(V(0), Eq(off(0), 0), STATIONARY.id),
            times(2 * eta**2 * M**2 * V(1), Eq(far(0), 0), STATIONARY.id),
            assume(WEIGHTS, ForAll(Eq(V(j), GROWTH * V(j + 1)), j, 0, t - 1)),
            local.at(
                {
                    n2(zh_next - (star - (t + 1) * eta * slope)): off(j + 1),
                    n2(OFF): off(j),
                    n2(z - star): far(j),
                    t: j,
                },
                over=(j, 0, t - 1),
            ),
            LINE12.at(
                {n2(z - star): far(j), n2(zh - (star - beta * slope)): off(j), beta: j * eta},
                over=(j, 1, t - 1),
            ),
        )
        vanishes = by.real(f"{name}.vanishes", f"{WHERE}, {about}, all local steps")(
            last <= 0,
            STEPSIZES,
            t >= 0,
            t <= tau,
            assume("meaning: a power of a positive number", last_weight > 0),
            weighed.at(),
            note="For every t: the pre-proximal model is x* - t eta grad f(x*).",
        )
        together = by.sum(f"{name}.mean", f"{WHERE}, {about}, the clients' mean")(
            mean2 <= 0,
            HERE_ALL,
            assume("meaning: the square of the clients' mean", Eq(mean2, 1 / n * total(inner(i), *CLIENT))),
            YOUNG.at(
                {ip(sent, mean_sent): inner(i), n2(sent): off_end(i), n2(mean_sent): mean2},
                over=CLIENT,
            ),
            assume(POWERS, ForAll(end_weight(i) > 0, *CLIENT)),
            vanishes.at({last: off_end(i), last_weight: end_weight(i), t: tau}, over=CLIENT),
        )
        stays = by.real(f"{name}.stays", f"{WHERE}, {about}")(
            moved <= 0,
            HERE_ALL,
            ETA_T,
            SERVER_STEP.at({n2(plus - P): moved, n2(mean_sent): mean2}),
            together.at(),
            note="The server's model after the prox is x* again.",
        )
        return (local, weighed, vanishes, together, stays)


def _corrections(name: str, vanishes: Step, together: Step) -> tuple[Step, ...]:
    """The corrections that belong to x* stay as they are."""
    with printed():
        steps_before = (j, 0, tau - 1)
        gradients = by.sum(f"{name}.gradients", f"{WHERE}, the gradients of a round")(
            strayed2 <= 0,
            HERE_ALL,
            assume("definition: the name of a term", Eq(S.X(tau - 1), strayed2)),
            S.JENSEN.at({t: tau - 1}),
            assume(RATIO[0].why, ForAll(S.A2(j) <= M**2 * far(j), *steps_before)),
            assume(STATIONARY.id, Eq(far(0), 0)),
            LINE12.at(
                {n2(z - star): far(j), n2(zh - (star - beta * slope)): off(j), beta: j * eta},
                over=(j, 1, tau - 1),
            ),
            assume(POWERS, ForAll(V(j) > 0, *steps_before)),
            vanishes.at({last: off(j), last_weight: V(j), t: j}, over=steps_before),
        )
        stay = by.real(f"{name}.corrections", f"{WHERE}, the corrections")(
            c2 <= 0,
            HERE_ALL,
            NEXT_CORRECTION.at(
                {n2(c_next - (slope - slope_i)): c2, n2(mean_sent): mean2, n2(strayed): strayed2}
            ),
            used(together, gradients),
            note="So the next round starts as this one did.",
        )
        return (gradients, stay)


with printed():
    ANY_STEP = by.quad("stationary", f"{WHERE}, stationary points")(
        beta * g_star + n2(beta * slope) / 2 + n2(mapping.w - star) / 2
        <= beta * g_w + n2(mapping.w - (star - beta * slope)) / 2,
        beta > 0,
        assume(STATIONARY.id, mapping.subgradient(-slope, star, g_star, mapping.w, g_w)),
        note="x* alone attains the minimum that defines P_beta(x* - beta grad f(x*)).",
    )
    HERE = assume(
        "definition: x* is where the local step starts", Eq(zh, star - t * eta * slope), Eq(z, star)
    )
    GRADIENT = assume("meaning: the gradient at x*", Eq(grad_z, slope_i))
    LINE9 = assume(FULL.id, Eq(zh_next, zh - eta * (grad_z + c)))
    OWN = assume(SETTLED.id, Eq(c, slope - slope_i))
    ONLY = by.sum("algorithm2.alone", f'{WHERE}, "the correction term is always equal to 0"')(
        Eq(C(1), slope_c - gc(1)),
        Eq(n, 1),
        assume("definition: (17) and below it", Eq(at_client(C(i)), 0)),
        assume("definition: f is the mean of the f_i, (1)", Eq(at_client(gc(i)), slope_c)),
        note="In one coordinate; both sides are 0, for f_1 is f.",
    )
    ALONE = assume("definition: one client, algorithm2.alone in every coordinate", Eq(c, slope - slope_i))
    LINE11 = by.quad("algorithm2.line11", f"{LISTING}, lines 8, 11, 15")(
        Eq(zh_next, star - (t + 1) * eta * slope),
        HERE,
        GRADIENT,
        LINE9,
        OWN,
        note="With one client grad f_1 is grad f and the correction is 0: the listing's lines.",
    )
    LINE12 = by.quad("algorithm2.line12", f"{LISTING}, lines 9, 12, 16")(
        n2(z - star) <= n2(zh - (star - beta * slope)),
        beta > 0,
        assume("definition: z is the proximal point", Eq(z, zh - beta * h_z)),
        assume(mapping.IS_SUBGRADIENT, mapping.subgradient(h_z, z, g_z, star, g_star)),
        assume(STATIONARY.id, mapping.subgradient(-slope, star, g_star, z, g_z)),
        note="The right side is 0 on the listing's lines.",
    )
    LINE19 = by.quad("algorithm2.line19", f"{LISTING}, line 19")(
        Eq(x_next, star - eta_t * slope),
        ETA_T,
        assume("definition: line 14 of Algorithm 1", Eq(x_next, P + eta_g * (zh_next - P))),
        assume(STATIONARY.id, Eq(P, star)),
        assume(
            "definition: line 17 of Algorithm 2, by algorithm2.line11", Eq(zh_next, star - tau * eta * slope)
        ),
    )
    OFF = zh - (star - t * eta * slope)
    NOW = n2(zh_next - (star - (t + 1) * eta * slope)) <= 2 * n2(OFF) + 2 * eta**2 * M**2 * n2(z - star)
    RATIO = assume(
        "meaning: gradients are functions; M is the largest ratio in the round",
        n2(grad_z - slope_i) <= M**2 * n2(z - star),
    )
    GROWTH = 2 + 2 * eta**2 * M**2
    WEIGHTS = "definition: V(t) is the growth to the power -t"
    HERE_ALL = assume(
        "meaning: step sizes and counts of Algorithm 1", eta > 0, eta_g > 0, tau >= 1, n >= 1, eta_t > 0
    )
    YOUNG = by.quad("stops.young", f"{WHERE}, the clients' mean")(
        ip(sent, mean_sent) <= n2(sent) / 2 + n2(mean_sent) / 2,
    )
    SERVER = assume(
        "definition: line 14 of Algorithm 1, with what the clients send less what they should",
        Eq(x_next, P + eta_g * (mean_sent + star - tau * eta * slope - P)),
    )
    AT_STAR = assume(STATIONARY.id, Eq(P, star))
    SERVER_STEP = by.quad("stops.server", f"{WHERE}, the server's model")(
        n2(plus - P) <= eta_g**2 * n2(mean_sent),
        STEPSIZES,
        eta_t > 0,
        ETA_T,
        SERVER,
        AT_STAR,
        assume("definition: line 5 of Algorithm 1", Eq(plus, x_next - eta_t * h_plus)),
        LINE12.at({z: plus, zh: x_next, h_z: h_plus, beta: eta_t}),
    )
    NEXT_CORRECTION = by.quad("stops.correction", f"{WHERE}, the corrections")(
        n2(c_next - (slope - slope_i))
        <= 2 * (1 / (eta * tau)) ** 2 * n2(mean_sent) + 2 / tau**2 * n2(strayed),
        STEPSIZES,
        STEPS_TAKEN,
        SERVER,
        AT_STAR,
        assume(
            "definition: line 18 of Algorithm 1",
            Eq(c_next, 1 / (eta_g * eta * tau) * (P - x_next) - 1 / tau * (strayed + tau * slope_i)),
        ),
    )

SEVERAL = _stays("stops", OWN, "corrections that belong to x*")
SETTLED_STEPS = _corrections("stops", SEVERAL[2], SEVERAL[3])
ONE_STEPS = _stays("algorithm2", ALONE, "one client")

with printed():
    FIRST_STEPS = assume(
        "definition: two clients, f_1 = x + h_1 x^2/2, f_2 = -x + h_2 x^2/2, g = 0, no corrections, x* = 0",
        Eq(x_11, 0 - eta * 1),
        Eq(x_21, 0 - eta * -1),
        Eq(x_12, x_11 - eta * (1 + h_1 * x_11)),
        Eq(x_22, x_21 - eta * (-1 + h_2 * x_21)),
        Eq(server, 0 + eta_g * ((x_12 + x_22) / 2 - 0)),
    )
    LEAVES = by.real("stops.zero.moves", f"{WHERE}, two clients and two local steps with corrections 0")(
        Eq(server, eta_g * eta**2 * (h_1 - h_2) / 2),
        FIRST_STEPS,
        note="With c_i^1 = 0 and no penalty or noise the algorithm leaves x* where h_1 and h_2 differ.",
    )
    EXAMPLE = by.real("stops.zero.example", f"{WHERE}, two clients and two local steps with corrections 0")(
        Eq(server, rational(1, 8)),
        LEAVES.at(),
        assume("meaning: an instance", Eq(eta, rational(1, 2)), Eq(eta_g, 1), Eq(h_1, 2), Eq(h_2, 1)),
        note="x* = 0 is left for 1/8.",
    )
