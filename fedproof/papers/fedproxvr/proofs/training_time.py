"""(12), (18)-(24): accuracy, training time and its two optimisation problems."""

from fedproof.papers.fedproxvr.proofs.vectors import *
from fedproof.papers.fedproxvr.statements import formulas as f

by = step_writer("fedproxvr", __name__)
SIZES = (L > 0, mt > 0, mu > 0, beta > 3, theta > 0)


def _objective(weight: sp.Expr, inverse_stepsize: sp.Expr) -> sp.Expr:
    at = {L: 1, lam: rational(1, 2), sigma2: 0, gamma: rational(1, 100), mu: weight, beta: inverse_stepsize}
    with printed():
        expr = f.OBJECTIVE
        for part in (*MATCHED.items(), *at.items()):
            expr = expr.xreplace({part[0]: sp.sympify(part[1], strict=True)})
        return expr


with printed():
    EQ20 = by.real("eq20", "eqs. (19), (20)")(
        Eq(T * (d_com + d_cmp * tau), Delta * d_com / eps * f.OBJECTIVE),
        (d_com > 0, Theta > 0, eps > 0),
        assume("definition: above (20)", Eq(T, Delta / (Theta * eps)), Eq(d_cmp, gamma * d_com)),
        note="The same up to a positive factor, with T real; gamma is defined through the delays of one "
        "rendering, the other's quotient does not give (20).",
    )
    EQ21 = by.real("eq21")(
        f.LOWER <= tau,
        SIZES,
        assume("definition: (15), (16)", Eq(f.LOWER, f.SARAH_UPPER), Eq(tau, f.SARAH_UPPER)),
        note="(15) and (16) satisfy (13), with equality on both sides.",
    )
    EQ22 = by.real("eq22.from15")(
        Eq(theta**2, f.THETA2_MATCHED),
        SIZES,
        assume("definition: (15)", Eq(f.LOWER, f.SARAH_UPPER)),
    )
    EQ22_BACK = by.real("eq22.to15")(
        Eq(f.LOWER, f.SARAH_UPPER),
        SIZES,
        assume("definition: (22)", Eq(theta**2, f.THETA2_MATCHED)),
        note="So that (15) may be removed.",
    )
    EQ23 = by.real("eq23")(
        Eq(f.OBJECTIVE, 1 / Theta * (1 + gamma * f.SARAH_UPPER)),
        Theta > 0,
        assume("definition: (16)", Eq(tau, f.SARAH_UPPER)),
    )
    EQ24 = by.real("eq24.theta")(
        theta < 1,
        (L > 0, mt > 0, mu > 0, theta > 0, sigma2 >= 0, f.DESCENT > 0),
        note="(24) drops theta <= 1; Theta > 0 implies it. The discussion of Fig. 1 prints Omega for Theta.",
    )

    #: (23) at Fig. 1's L and lambda, sigma2 = 0, gamma = 1/100
    MATCHED = {tau: f.SARAH_UPPER, Theta: f.FACTOR, theta: sqrt(f.THETA2_MATCHED), mt: mu - lam}
    NONCONVEX = by.interval("eq23.nonconvex", "below (24), problem (23) is non-convex")(
        _objective(rational(105, 1), rational(305, 2))
        > (_objective(rational(10, 1), rational(280, 1)) + _objective(rational(200, 1), rational(25, 1))) / 2,
        note="In (mu, beta), as said: between (10, 280) and (200, 25), at L = 1, lambda = 1/2, sigma2 = 0, "
        "gamma = 1/100, all three feasible. fedproxvr.convexity gives coordinates in which it is convex.",
    )
