"""(49)-(55): from the summed gradient mappings to criterion (11), alike for SARAH and SVRG."""

from fedproof.papers.fedproxvr.proofs import appendix_a as A
from fedproof.papers.fedproxvr.proofs.lemma2 import EQ36, grad_F, plus
from fedproof.papers.fedproxvr.proofs.means import MEAN_BELOW_RMS, one, x
from fedproof.papers.fedproxvr.proofs.vectors import *
from fedproof.papers.fedproxvr.statements import formulas as f

t, j, eta, D, err, J_best = A.t, A.j, A.eta, A.D, A.err, A.J_best
ZERO = sp.Integer(0)
J = sequence("J(t)", r"\mathbb E\,J_n(w^{(t)})")
G = sequence("G(t)", r"\mathbb E\|G_n(w^{(t)})\|^2", nonnegative=True)
H = sequence("H(t)", r"\mathbb E\|w^{(t)}-\hat w^{(t+1)}\|^2", nonnegative=True)
S0 = number("S0", r"\mathbb E\|\nabla J_n(w^{(0)})\|^2")
G0 = number("G0", r"\|\nabla F_n(\bar w^{(s-1)})\|^2")
G_end = number("G_end", r"\mathbb E\|G_n(w_n^{(s)})\|^2")
E2 = number("E2", r"\mathbb E\|\nabla J_n(w_n^{(s)})\|^2")
E1 = number("E1", r"\mathbb E\|\nabla J_n(w_n^{(s)})\|")
#: at the first and after the last local step, at the solution, at the model that is returned
last = vector("last", r"w^{(\tau+1)}")
end = vector("end", "w_n^{(s)}")
hat_end = vector("hat_end", r"\hat w_n^{(s)}")
grad_end = vector("grad_end", r"\nabla F_n(w_n^{(s)})")
mapping_end = vector("mapping_end", "G_n(w_n^{(s)})")
steep_end = vector("steep_end", r"\nabla J_n(w_n^{(s)})")
F_last = number("F_last", r"F_n(w^{(\tau+1)})")
RETURNED = "definition: line 10 of Algorithm 1 picks t' uniformly at random from 0..tau"
by = step_writer("fedproxvr", __name__)
STEPSIZE = (L > 0, mu >= 0, beta > 0)


def local_step(stepsize: sp.Expr) -> tuple[Applied, Applied]:
    """(29) at w^(t), with the mean squares named, and (31)."""
    moved = n2(A.w - A.hat)
    names = {A.J1: J(t + 1), A.J0: J(t), n2(A.grad - A.v): err(t), n2(A.after - A.w): D(t + 1)}
    with printed():
        return (
            A.EQ29.at({eta: stepsize, moved: H(t), **names}),
            A.EQ31.at({eta: stepsize, moved: H(t), n2(A.MAPPING): G(t)}),
        )


def bound53(name: str, summed: Step, *given: sp.Basic) -> Step:
    """(53), from the sum of an estimator's gradient mappings."""
    with printed():
        return by.sum(name, "eq. (53)")(
            RIGHT52 <= RIGHT53,
            (L > 0, mu >= 0, mt > 0, beta > 3, tau >= 0, *given),
            used(summed, EQ49, EQ50),
        )


def bound54(name: str, last: Step, *given: sp.Basic) -> Step:
    """(51)-(54) in one line."""
    with printed():
        return by.sum(name, "eqs. (51)-(54)")(
            E2 <= RIGHT54,
            (L > 0, mu >= 0, mt > 0, beta > 3, tau > 0, *given),
            assume("meaning: a squared norm", G0 >= 0),
            used(EQ51, EQ52, last, EQ54),
        )


def squared(name: str, before: Step, *given: sp.Basic) -> Step:
    """Lemma 1 in mean square, as (51)-(55) prove it."""
    with printed():
        return by.real(name, "Lemma 1; above (55), second inequality")(
            E2 <= theta**2 * G0,
            (*SIZES, *given),
            assume("meaning: a squared norm", G0 >= 0),
            used(BETA, TAU, before, EQ55),
        )


def criterion(name: str, before: Step, *given: sp.Basic) -> Step:
    """Lemma 1: criterion (11)."""
    with printed():
        return by.real(name, "Lemma 1, eq. (11)")(
            E1 <= theta * sp.sqrt(G0),
            (*SIZES, *given),
            assume("meaning: squared norms", G0 >= 0, E2 >= 0),
            MEAN_BELOW_RMS.at({ip(x, one): E1, n2(x): E2}),
            before.at(),
        )


with printed():
    WEIGHT = (beta - 3) / (3 * L * beta**2)
    MARGIN = (5 * beta - 4) / 8
    BY_BETA = 1 / (beta * L)
    MAPPINGS = total(G(t), t, 0, tau)

    LEAST = by.quad("eq49.least", "below eq. (50)")(
        A.J_best <= A.J1,
        mt > 0,
        A.STRONGLY_CONVEX.at(
            {
                A.w: A.best,
                A.J0: A.J_best,
                A.F0: A.F_best,
                A.grad: A.grad_least,
                A.grad_J: A.grad_best,
                A.after: last,
                A.F1: F_last,
            }
        ),
        assume("definition: w* solves (6), so grad J_n(w*) = 0", Eq(A.grad_best, 0)),
    )
    EQ49 = by.sum("eq49")(
        J(0) - J(tau + 1) <= J(0) - J_best,
        mt > 0,
        LEAST.at({A.J_best: J_best, A.J1: J(tau + 1)}),
    )
    EQ50 = by.sum("eq50")(
        J(0) - J_best <= S0 / (2 * mt),
        mt > 0,
        A.EQ25.at({A.J0: J(0), A.J_best: J_best, n2(A.grad_J): S0}),
    )
    LOSS = 2 * (mu**2 / (beta**2 * L**2) + 1)
    EQ51 = by.real("eq51")(
        E2 <= LOSS * G_end,
        STEPSIZE,
        EQ36.at(
            {
                eta: 1 / (beta * L),
                A.w: end,
                plus: hat_end,
                grad_F: grad_end,
                A.grad_J: steep_end,
                n2(A.grad_J): E2,
                A.MAPPING: mapping_end,
                n2(A.MAPPING): G_end,
            }
        ),
    )
    RIGHT52 = LOSS * total(1 / (tau + 1) * G(t), t, 0, tau)
    EQ52 = by.sum("eq52")(
        Eq(LOSS * G_end, RIGHT52),
        STEPSIZE,
        tau >= 0,
        assume(RETURNED, Eq(G_end, total(1 / (tau + 1) * G(t), t, 0, tau))),
    )
    RIGHT53 = LOSS * (1 / (2 * mt)) * (3 * L * beta**2 / (beta - 3)) * (1 / (tau + 1)) * S0
    RIGHT54 = 3 * (beta**2 * L**2 + mu**2) / (mt * L * (beta - 3)) * (1 / tau) * G0
    START = by.quad("eq54.start", "below eq. (54)")(
        Eq(n2(A.grad_J), n2(A.grad_start)),
        assume(
            "definition: line 4 of Algorithm 1, w^(0) is the start, and grad J_n by (6)",
            Eq(A.w, A.start),
            Eq(A.grad_J, A.grad_start + mu * (A.w - A.start)),
        ),
    )
    EQ54 = by.real("eq54")(
        RIGHT53 <= RIGHT54,
        (L > 0, mt > 0, beta > 3, tau > 0),
        assume("meaning: a squared norm", G0 >= 0),
        START.at({n2(A.grad_J): S0, n2(A.grad_start): G0}),
        note="Divides by tau; (55) makes it positive.",
    )
    EQ55 = by.real("eq55", "eq. (55), first inequality")(
        RIGHT54 <= theta**2 * G0,
        (L > 0, mt > 0, beta > 3, theta > 0, tau > 0),
        f.LOWER <= tau,
        assume("meaning: a squared norm", G0 >= 0),
    )
    EQ55_SIGN = by.real("eq55.sign", "eq. (55), second inequality")(
        f.LOWER >= 0,
        (L > 0, mt > 0, beta > 3, theta > 0),
        note="As beta > 3; the weights in (44)-(53) need it too.",
    )
    EQ55_NEEDED = by.real("eq55.needed", "eq. (55), first inequality")(
        f.LOWER <= tau,
        (L > 0, mt > 0, beta > 3, theta > 0, tau > 0),
        RIGHT54 <= theta**2 * G0,
        assume("meaning: a squared norm, not 0", G0 > 0),
        note="The other way: no smaller tau brings the bound (54) down to theta^2.",
    )
    BETA = by.real("eq13.beta", "eqs. (13), (14), first inequality")(
        beta > 3,
        (L > 0, mu > 0, mt > 0, theta > 0),
        ZERO <= f.LOWER,
        note="What the first inequality of (13) and (14) says of beta.",
    )
    TAU = by.real("eq13.tau", "eqs. (13), (14), first two inequalities")(
        tau > 0,
        (L > 0, mu > 0, mt > 0, theta > 0),
        ZERO <= f.LOWER,
        f.LOWER <= tau,
    )

SIZES = (L > 0, mu > 0, mt > 0, theta > 0, ZERO <= f.LOWER, f.LOWER <= tau)
