"""Lemma A.1, (30)-(32): errors of mini-batch gradients do not correlate, gradients are Lipschitz."""

from fedproof.papers.composite.proofs import local_step as S
from fedproof.papers.composite.proofs.vectors import *

_P = r"P_{\tilde\eta}(\overline{\mathbf x}^{r})"
_AT, _DRAWN = r"(\mathbf z_{i,\ell}^{r})", r"(\mathbf z_{i,\ell}^{r};\mathcal B_{i,\ell}^{r})"
_BEFORE = r"(\mathbf z_{i,k}^{r};\mathcal B_{i,k}^{r})-\nabla f_i(\mathbf z_{i,k}^{r})"
ell = number("ell", r"\ell")
errors = vector("errors", rf"\textstyle\sum_{{k=0}}^{{\ell-1}}(\nabla f_i{_BEFORE})")
error = vector("error", rf"(\nabla f_i{_DRAWN}-\nabla f_i{_AT})")
moved = vector(
    "moved", rf"\textstyle\sum_{{k=0}}^{{\ell-1}}(\nabla f_i(\mathbf z_{{i,k}}^{{r}})-\nabla f_i({_P}))"
)
move = vector("move", rf"(\nabla f_i{_AT}-\nabla f_i({_P}))")
conditional_mean = vector(
    "told_errors",
    rf"\mathbb E[\textstyle\sum_{{k=0}}^{{\ell-1}}(\nabla f_i{_BEFORE})\,|\,\mathcal F_\ell^{{r}}]",
)
M2 = sequence(
    "M2(t)",
    rf"\mathbb E\|\textstyle\sum_{{\ell=0}}^{{t}}(\nabla f_i{_DRAWN}-\nabla f_i{_AT})\|^2",
    nonnegative=True,
)
V = sequence("V(ell)", rf"\mathbb E\|\nabla f_i{_DRAWN}-\nabla f_i{_AT}\|^2", nonnegative=True)
X = sequence(
    "X(t)",
    rf"\mathbb E\|\textstyle\sum_{{\ell=0}}^{{t}}(\nabla f_i{_AT}-\nabla f_i({_P}))\|^2",
    nonnegative=True,
)
A2 = sequence("A2(ell)", rf"\mathbb E\|\nabla f_i{_AT}-\nabla f_i({_P})\|^2", nonnegative=True)
D = sequence("D(t)", rf"\mathbb E\|\mathbf z_{{i,t}}^{{r}}-{_P}\|^2", nonnegative=True)

by = step_writer("composite", __name__)
POSITIVE = (sigma2 >= 0, b > 0)

with printed():
    ONE_MORE = by.mean("eq30.step", "eq. (30), from l - 1 to l")(
        Eq(n2(errors + error), n2(errors) + n2(error)),
        centred(error, errors, conditional_mean),
        note="Earlier errors, and the models they belong to, are known when a mini-batch is drawn.",
    )
    EQ30_EQUAL = by.sum("eq30a", "eq. (30), =")(
        Eq(1 / (t + 1) ** 2 * M2(t), 1 / (t + 1) ** 2 * total(V(ell), ell, 0, t)),
        t >= 0,
        assume("definition: a sum of one term", Eq(M2(0), V(0))),
        ONE_MORE.at(
            {n2(errors + error): M2(ell), n2(errors): M2(ell - 1), n2(error): V(ell)},
            over=(ell, 1, t),
        ),
        note="In print the inner mean is given F_t; step l draws given F_l. The mean of either is the same.",
    )
    EQ30 = by.sum("eq30", "eq. (30), <=")(
        1 / (t + 1) ** 2 * total(V(ell), ell, 0, t) <= 1 / (t + 1) * (sigma2 / b),
        t >= 0,
        POSITIVE,
        variance(ForAll(V(ell) <= sigma2 / b, ell, 0, t)),
    )
    NOISY = by.sum("eq30.sum", "eq. (30), multiplied by (t + 1)^2")(
        M2(t) <= (t + 1) * (sigma2 / b),
        t >= 0,
        POSITIVE,
        used(EQ30_EQUAL, EQ30),
    )
    YOUNG = by.mean("eq31.step", "above (31), from l - 1 to l")(
        n2(moved + move) / (ell + 1) <= n2(moved) / ell + n2(move),
        ell >= 1,
        note="Young's inequality with weight 1/l, divided by l + 1.",
    )
    JENSEN = by.sum("eq31.jensen", "above (31)")(
        X(t) <= (t + 1) * total(A2(ell), ell, 0, t),
        t >= 0,
        assume("definition: a sum of one term", Eq(X(0), A2(0))),
        YOUNG.at(
            {n2(moved + move): X(ell), n2(moved): X(ell - 1), n2(move): A2(ell)},
            over=(ell, 1, t),
        ),
        note="The square of a sum of t + 1 vectors is at most t + 1 times the sum of their squares.",
    )
    FAR = by.sum("eq31.smooth", "above (31), Assumption 3.2")(
        X(t) <= (t + 1) * L**2 * total(D(ell), ell, 0, t),
        t >= 0,
        JENSEN.at(),
        lipschitz(ForAll(A2(ell) <= L**2 * D(ell), ell, 0, t)),
    )
    GROWTH = 8 * (t + 1) * eta**2 * L**2 * total(D(ell), ell, 0, t)
    EQ31 = by.sum("eq31")(
        2 * S.near <= GROWTH + 4 * ((t + 1) / tau) ** 2 * S.lam2 + 8 * (t + 1) * eta**2 * (sigma2 / b),
        S.RANGE,
        POSITIVE,
        S.ERRORS.at({S.noise2: M2(t), S.away2: X(t)}),
        used(NOISY, FAR),
    )
    PASSED = (
        16 * tau**2 * eta**2 * B_g**2
        + 4 * tau**2 * eta**2 * G2
        + 4 * S.lam2
        + 8 * tau * eta**2 * (sigma2 / b)
    )
    SQUARE = assume("meaning: a mean square", S.lam2 >= 0)
    EQ32 = by.sum("eq32")(
        D(t + 1) <= GROWTH + PASSED,
        S.RANGE,
        POSITIVE,
        eta_t > 0,
        SQUARE,
        S.EQ23.at({n2(S.z - P): D(t + 1), n2(S.z - S.pgd): S.near, n2(S.pgd - P): S.shift}),
        used(EQ31, S.EQ26),
        note="The mapping's subscript is printed as one of the step size times g; its square lacks E.",
    )
