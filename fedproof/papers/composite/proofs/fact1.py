"""Fact 1: how the objective falls after one proximal step in any direction."""

from fedproof.papers.composite.assumptions import SMOOTH
from fedproof.papers.composite.proofs.vectors import *

x = vector("x", r"\mathbf x")
xp = vector("xp", r"\mathbf x^{+}")
z = vector("z", r"\mathbf z")
v = vector("v", r"\boldsymbol v")
gf = vector("gf", r"\nabla f(\mathbf x)")
gF = vector("gF", r"\nabla F(\mathbf x)")
gg = vector("gg", r"\nabla g(\mathbf x)")
h = vector("h", r"\tilde\nabla g(\mathbf x^{+})")
gfi = vector("gfi", r"\nabla f_i(\mathbf x)")
gfzi = vector("gfzi", r"\nabla f_i(\mathbf z)")
s = number("s", r"\eta")
f0 = number("f0", r"f(\mathbf x)")
fp = number("fp", r"f(\mathbf x^{+})")
fz = number("fz", r"f(\mathbf z)")
gp = number("gp", r"g(\mathbf x^{+})")
gz = number("gz", r"g(\mathbf z)")
Fp = number("Fp", r"F(\mathbf x^{+})")
Fz = number("Fz", r"F(\mathbf z)")
fx = number("fx", r"f(\mathbf x)")
fy = number("fy", r"f(\mathbf y)")
along = number("along", r"\langle\nabla f(\mathbf x),\mathbf y-\mathbf x\rangle")
far2 = number("far2", r"\|\mathbf y-\mathbf x\|^2")
fxi = sequence("fxi(i)", r"f_i(\mathbf x)")
fyi = sequence("fyi(i)", r"f_i(\mathbf y)")
fzi = sequence("fzi(i)", r"f_i(\mathbf z)")
alongzi = sequence("alongzi(i)", r"\langle\nabla f_i(\mathbf x),\mathbf z-\mathbf x\rangle")
alongi = sequence("alongi(i)", r"\langle\nabla f_i(\mathbf x),\mathbf y-\mathbf x\rangle")

WHERE = "Fact 1"
by = step_writer("composite", __name__, WHERE)
CLIENT = (i, 1, n)


def fact1_of(after: tuple[Any, ...], other: tuple[Any, ...]) -> dict[Any, Any]:
    """F, f and g after the step and at the other point, as `FACT1` names them."""
    return dict(zip((Fp, fp, gp, Fz, fz, gz), (*after, *other), strict=True))


with printed():
    MEANS = assume(
        "definition: (1), f is the mean of the f_i",
        Eq(fx, 1 / n * total(fxi(i), *CLIENT)),
        Eq(fy, 1 / n * total(fyi(i), *CLIENT)),
        Eq(along, 1 / n * total(alongi(i), *CLIENT)),
    )
    SOME = assume("meaning: there is a client", n >= 1)

    UPPER = by.sum("fact1.upper", f"{WHERE}; Assumption 3.2 for the mean of the f_i")(
        fy <= fx + along + L / 2 * far2,
        SOME,
        MEANS[1],
        MEANS[0],
        MEANS[2],
        assume(SMOOTH.id, ForAll(fyi(i) <= fxi(i) + alongi(i) + L / 2 * far2, *CLIENT)),
        note="The mean of L-smooth losses is L-smooth.",
    )
    LOWER_CLIENT = by.cite("fact1.lower.client", f"{WHERE}; Assumption 3.2, from below")(
        f0 + ip(gfi, z - x) - L / 2 * n2(z - x) <= fz,
        L > 0,
        lipschitz(n2(gfzi - gfi) <= L**2 * n2(z - x)),
        note="Lemma 1.2.3 of Nesterov's Introductory lectures on convex optimization, for -f_i: a loss with "
        "an L-Lipschitz gradient lies above its quadratic model of curvature -L. What Assumption 3.2 "
        "prints bounds from above only and does not give it.",
    )
    ABOVE_CLIENT = by.quad("fact1.lower.above", f"{WHERE}; Assumption 3.2, from below")(
        f0 + ip(gfi, z - x) - L / 2 * n2(z - x) <= fz, L > 0, LOWER_CLIENT.at()
    )
    #: names of its own, so that both bounds may be used at two points
    LOWER_MEANS = assume(
        "definition: (1), f is the mean of the f_i",
        Eq(fy, 1 / n * total(fzi(i), *CLIENT)),
        Eq(along, 1 / n * total(alongzi(i), *CLIENT)),
    )
    LOWER = by.sum("fact1.lower", f"{WHERE}; from below, for the mean of the f_i")(
        fx + along - L / 2 * far2 <= fy,
        SOME,
        L > 0,
        LOWER_MEANS[0],
        MEANS[0],
        LOWER_MEANS[1],
        ABOVE_CLIENT.at({f0: fxi(i), fz: fzi(i), ip(gfi, z - x): alongzi(i), n2(z - x): far2}, over=CLIENT),
    )
    #: x^+ = P_s(x - s v) with a subgradient h of g at x^+; g is above its tangent there
    MOVED = (
        *prox(xp, x - s * v, s, h, "Fact 1, x^+ and (19), the prox's optimality"),
        *convex(gp + ip(h, z - xp) <= gz),
        *assume("definition: (1), F = f + g", Eq(Fp, fp + gp), Eq(Fz, fz + gz)),
    )
    QUADRATIC = L / 2 * n2(xp - x) + L / 2 * n2(z - x)
    SMOOTH_TWICE = (
        UPPER.at({fy: fp, fx: f0, along: ip(gf, xp - x), far2: n2(xp - x)}),
        LOWER.at({fy: fz, fx: f0, along: ip(gf, z - x), far2: n2(z - x)}),
    )
    PRINTED = by.quad("fact1")(
        Fp <= Fz + ip(gF - v, xp - z) - 1 / s * ip(xp - x, xp - z) + QUADRATIC,
        (s > 0, L > 0),
        MOVED,
        SMOOTH_TWICE,
        assume("definition: F = f + g, where g is smooth", Eq(gF, gf + gg)),
        assume("definition: (13), the steps of both uses", L * s <= rational(1, 10)),
        assume(
            "instance: f = 0, g(x) = |x|, L = 1, v = 0, from x = z = 1",
            Eq(f0, 0),
            Eq(fp, 0),
            Eq(fz, 0),
            Eq(gz, 1),
            Eq(gp, 1 - s),
        ),
        flaw="misprint",
        witness=values(
            "f0=0 fp=0 fz=0 gf_1=0 gz=1 v_1=0 x_1=1 z_1=1 L=1 s=1/10 gg_1=1 h_1=1 gp=9/10 Fp=9/10 Fz=1"
        ),
        note="Printed with the gradient of F for that of f, with which [10, Lemma 1] has it, (38) and (39) "
        "use it, and it is right.",
    )
    FACT1 = by.quad("fact1.repaired")(
        Fp <= Fz + ip(gf - v, xp - z) - 1 / s * ip(xp - x, xp - z) + QUADRATIC,
        (s > 0, L > 0),
        MOVED,
        SMOOTH_TWICE,
        repairs="composite.fact1",
        note="Smoothness at x^+ and at z, and the prox's optimality at x^+.",
    )
