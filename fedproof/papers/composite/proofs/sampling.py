"""Lemma A.1, (30)-(32): errors of mini-batch gradients do not correlate, gradients are Lipschitz."""

from __future__ import annotations

import sympy as sp

from fedproof.papers.composite.notation import *
from fedproof.papers.composite.proofs import local_step as S
from fedproof.papers.composite.proofs.vectors import *
from fedproof.proof.prelude import *

ZERO, ONE = sp.Integer(0), sp.Integer(1)
#: an earlier step
ell = number("ell")
#: a sum of errors up to a step, the next error; a sum of gradient differences, the next
errors, error, moved, move = vectors("errors error moved move")
#: the mean given F_l of the sum of errors up to step l
conditional_mean = vectors("told_errors")
#: by the local step, in the mean: |sum of errors|^2, |error|^2; the same of the differences; |z_{i,l} - P|^2
M2, V, X, A2, D = (sequence(k, nonnegative=True) for k in ("M2", "V", "X", "A2", "D"))

_P = r"P_{\tilde\eta}(\overline{\mathbf x}^{r})"
_AT, _DRAWN = r"(\mathbf z_{i,\ell}^{r})", r"(\mathbf z_{i,\ell}^{r};\mathcal B_{i,\ell}^{r})"
_BEFORE = r"(\mathbf z_{i,k}^{r};\mathcal B_{i,k}^{r})-\nabla f_i(\mathbf z_{i,k}^{r})"
LATEX_NAMES = (
    *S.ALL,
    (ell, r"\ell"),
    (errors, rf"\textstyle\sum_{{k=0}}^{{\ell-1}}(\nabla f_i{_BEFORE})"),
    (
        conditional_mean,
        rf"\mathbb E[\textstyle\sum_{{k=0}}^{{\ell-1}}(\nabla f_i{_BEFORE})\,|\,\mathcal F_\ell^{{r}}]",
    ),
    (error, rf"(\nabla f_i{_DRAWN}-\nabla f_i{_AT})"),
    (moved, rf"\textstyle\sum_{{k=0}}^{{\ell-1}}(\nabla f_i(\mathbf z_{{i,k}}^{{r}})-\nabla f_i({_P}))"),
    (move, rf"(\nabla f_i{_AT}-\nabla f_i({_P}))"),
    (M2(t), rf"\mathbb E\|\textstyle\sum_{{\ell=0}}^{{t}}(\nabla f_i{_DRAWN}-\nabla f_i{_AT})\|^2"),
    (V(ell), rf"\mathbb E\|\nabla f_i{_DRAWN}-\nabla f_i{_AT}\|^2"),
    (X(t), rf"\mathbb E\|\textstyle\sum_{{\ell=0}}^{{t}}(\nabla f_i{_AT}-\nabla f_i({_P}))\|^2"),
    (A2(ell), rf"\mathbb E\|\nabla f_i{_AT}-\nabla f_i({_P})\|^2"),
    (D(t), rf"\mathbb E\|\mathbf z_{{i,t}}^{{r}}-{_P}\|^2"),
)
mean = partial(fact, rule="quad", reads=LATEX_NAMES, mean=E)
series = partial(fact, rule="sum", reads=LATEX_NAMES)
POSITIVE = (sigma2 >= 0, b > 0)

with printed():
    ONE_MORE = mean(
        "eq30.step",
        "eq. (30), from l - 1 to l",
        Eq(n2(errors + error), n2(errors) + n2(error)),
        centred(error, errors, conditional_mean),
        note="Earlier errors, and the models they belong to, are known when a mini-batch is drawn.",
    )
    EQ30_EQUAL = series(
        "eq30a",
        "eq. (30), =",
        Eq(1 / (t + 1) ** 2 * M2(t), 1 / (t + 1) ** 2 * total(V(ell), ell, ZERO, t)),
        t >= 0,
        times(1 / (t + 1) ** 2, Eq(M2(0), V(0)), "definition: a sum of one term"),
        ONE_MORE.at(
            {n2(errors + error): M2(ell), n2(errors): M2(ell - 1), n2(error): V(ell)},
            over=(ell, ONE, t),
            weight=1 / (t + 1) ** 2,
        ),
        note="In print the inner mean is given F_t; step l draws given F_l. The mean of either is the same.",
    )
    EQ30 = series(
        "eq30",
        "eq. (30), <=",
        1 / (t + 1) ** 2 * total(V(ell), ell, ZERO, t) <= 1 / (t + 1) * (sigma2 / b),
        t >= 0,
        POSITIVE,
        *(
            times(1 / (t + 1) ** 2, h.relation, h.why)
            for h in variance(ForAll(V(ell) <= sigma2 / b, ell, ZERO, t))
        ),
    )
    NOISY = series(
        "eq30.sum",
        "eq. (30), multiplied by (t + 1)^2",
        M2(t) <= (t + 1) * (sigma2 / b),
        t >= 0,
        POSITIVE,
        EQ30_EQUAL.at(weight=(t + 1) ** 2),
        EQ30.at(weight=(t + 1) ** 2),
    )
    YOUNG = mean(
        "eq31.step",
        "above (31), from l - 1 to l",
        n2(moved + move) / (ell + 1) <= n2(moved) / ell + n2(move),
        ell >= 1,
        note="Young's inequality with weight 1/l, divided by l + 1.",
    )
    JENSEN = series(
        "eq31.jensen",
        "above (31)",
        X(t) <= (t + 1) * total(A2(ell), ell, ZERO, t),
        t >= 0,
        times(t + 1, Eq(X(0), A2(0)), "definition: a sum of one term"),
        YOUNG.at(
            {n2(moved + move): X(ell), n2(moved): X(ell - 1), n2(move): A2(ell)},
            over=(ell, ONE, t),
            weight=t + 1,
        ),
        note="The square of a sum of t + 1 vectors is at most t + 1 times the sum of their squares.",
    )
    FAR = series(
        "eq31.smooth",
        "above (31), Assumption 3.2",
        X(t) <= (t + 1) * L**2 * total(D(ell), ell, ZERO, t),
        t >= 0,
        JENSEN.at(weight=1),
        *(times(t + 1, h.relation, h.why) for h in lipschitz(ForAll(A2(ell) <= L**2 * D(ell), ell, ZERO, t))),
    )
    GROWTH = 8 * (t + 1) * eta**2 * L**2 * total(D(ell), ell, ZERO, t)
    EQ31 = series(
        "eq31",
        "eq. (31)",
        2 * S.near <= GROWTH + 4 * ((t + 1) / tau) ** 2 * S.lam2 + 8 * (t + 1) * eta**2 * (sigma2 / b),
        S.RANGE,
        POSITIVE,
        S.ERRORS.at({S.noise2: M2(t), S.away2: X(t)}, weight=1),
        NOISY.at(weight=8 * eta**2),
        FAR.at(weight=8 * eta**2),
    )
    PASSED = (
        16 * tau**2 * eta**2 * B_g**2
        + 4 * tau**2 * eta**2 * G2
        + 4 * S.lam2
        + 8 * tau * eta**2 * (sigma2 / b)
    )
    SQUARE = assume("meaning: a mean square", S.lam2 >= 0)
    EQ32 = series(
        "eq32",
        "eq. (32)",
        D(t + 1) <= GROWTH + PASSED,
        S.RANGE,
        POSITIVE,
        eta_t > 0,
        SQUARE,
        S.EQ23.at({n2(S.z - P): D(t + 1), n2(S.z - S.pgd): S.near, n2(S.pgd - P): S.shift}, weight=1),
        EQ31.at(weight=1),
        S.EQ26.at(weight=1),
        note="The mapping's subscript is printed as one of the step size times g; its square lacks E.",
    )
