"""Lemma A.1, (22)-(29): one local step against a step of proximal gradient descent from the server's model.

One client's vectors; a sum over the steps l = 0..t is one vector. A proximal point is its argument less the
step times a subgradient of g at the point.
"""

from fedproof.papers.composite.proofs import mapping
from fedproof.papers.composite.proofs.vectors import *

_P = r"P_{\tilde\eta}(\overline{\mathbf x}^{r})"
_OLD = r"(\mathbf z_{i,t}^{r-1};\mathcal B_{i,t}^{r-1})"
_SUM = r"\textstyle\sum_{\ell=0}^{t}"
_FULL = r"\nabla f_i(\mathbf z_{i,\ell}^{r})"
_DRAWN = r"\nabla f_i(\mathbf z_{i,\ell}^{r};\mathcal B_{i,\ell}^{r})"
zh = vector("zh", r"\widehat{\mathbf z}_{i,t+1}^{r}")
z = vector("z", r"\mathbf z_{i,t+1}^{r}")
pgd = vector("pgd", r"\tilde{\mathbf x}_{\rm pgd}")
h_z = vector("h_z", r"\tilde\nabla g(\mathbf z_{i,t+1}^{r})")
h_pgd = vector("h_pgd", r"\tilde\nabla g(\tilde{\mathbf x}_{\rm pgd})")
sampled = vector("sampled", _SUM + _DRAWN)
full = vector("full", _SUM + _FULL)
grad_i = vector("grad_i", rf"\nabla f_i({_P})")
c = vector("c", r"\mathbf c_i^{r}")
G_pgd = vector("G_pgd", rf"\mathcal G_{{(t+1)\eta}}({_P})")
lam = vector("lam", r"\Lambda_i^{r}")
mean_lam = vector("mean_lam", r"\overline\Lambda^{r}")
own_old = vector("own_old", rf"\textstyle\sum_{{t=0}}^{{\tau-1}}\nabla f_i{_OLD}")
mean_old = vector("mean_old", rf"\textstyle\sum_{{t=0}}^{{\tau-1}}\tfrac1n\sum_{{i=1}}^{{n}}\nabla f_i{_OLD}")
#: g at the local model and at x~_pgd
g_z = number("g_z", r"g(\mathbf z_{i,t+1}^{r})")
g_pgd = number("g_pgd", r"g(\tilde{\mathbf x}_{\rm pgd})")
near = number("near", r"\mathbb E\|\mathbf z_{i,t+1}^{r}-\tilde{\mathbf x}_{\rm pgd}\|^2")
shift = number("shift", rf"\mathbb E\|\tilde{{\mathbf x}}_{{\rm pgd}}-{_P}\|^2")
noise2 = number("noise2", rf"\mathbb E\|{_SUM}({_DRAWN}-{_FULL})\|^2")
away2 = number("away2", rf"\mathbb E\|{_SUM}({_FULL}-\nabla f_i({_P}))\|^2")
lam2 = number("lam2", r"\mathbb E\|\Lambda_i^{r}-\overline\Lambda^{r}\|^2")
#: names for squared norms of (26)-(29)
_FAR = rf"\eta({_SUM}{_DRAWN}-(t+1)\nabla f_i({_P}))"
_G, _SIZE = rf"\mathcal G({_P})", r"(t+1)\eta"
_CORRECTED = (
    rf"\nabla f_i({_P})+\tfrac1\tau\sum_{{t}}\tfrac1n\sum_{{i}}\nabla f_i{_OLD}"
    rf"-\tfrac1\tau\sum_{{t}}\nabla f_i{_OLD}-\nabla f({_P})"
)
split = number("split", rf"\mathbb E\|{_FAR}+{_SIZE}({_CORRECTED})\|^2")
last = number("last", rf"\mathbb E\|{_FAR}+\tfrac{{t+1}}{{\tau}}(\Lambda_i^{{r}}-\overline\Lambda^{{r}})\|^2")
braced = number("braced", rf"\mathbb E\|{_SIZE}\mathcal G_{{(t+1)\eta}}({_P})\|^2")
parted = number("parted", rf"\mathbb E\|{_SIZE}(\mathcal G_{{(t+1)\eta}}({_P})-{_G})+{_SIZE}{_G}\|^2")
apart26 = number(
    "apart26",
    rf"\mathbb E\|{_SIZE}"
    r"(\tilde\nabla g(\tilde{\mathbf x}_{\rm pgd})-\tilde\nabla g(\tilde{\mathbf x}^{r+1}))"
    rf"+{_SIZE}{_G}\|^2",
)
_ERRORS, _AWAY = rf"{_SUM}({_DRAWN}-{_FULL})", rf"{_SUM}({_FULL}-\nabla f_i({_P}))"
together = number("together", rf"\mathbb E\|\eta({_ERRORS}+{_AWAY})\|^2")
first = number("first", rf"\mathbb E\|\tfrac\eta{{t+1}}{_ERRORS}\|^2")
second = number("second", rf"\mathbb E\|\eta{_AWAY}\|^2")
part = number("part", rf"\mathbb E\|\eta{_SUM}({_DRAWN}-\nabla f_i({_P}))\|^2")
turned = number(
    "turned", r"\mathbb E\|\tfrac{t+1}{\tau}\Lambda_i^{r}-\tfrac{t+1}{\tau}\overline\Lambda^{r}\|^2"
)

by = step_writer("composite", __name__)
RANGE = (eta > 0, t >= 0, t <= tau - 1)

with printed():
    STEP = (t + 1) * eta
    LINE9 = assume(
        "definition: line 9 of Algorithm 1, repeated, and line 5: (6)",
        Eq(zh, P - eta * (sampled + (t + 1) * c)),
    )
    LINE10 = assume("definition: line 10 of Algorithm 1", Eq(z, zh - STEP * h_z))
    LOCAL = (RANGE, LINE9, LINE10)
    PGD = assume("definition: x~_pgd, above (23)", Eq(pgd, P - STEP * grad - STEP * h_pgd))
    EQ22 = by.mean("eq22")(Eq(n2(z - P), n2(P - eta * (sampled + (t + 1) * c) - STEP * h_z - P)), LOCAL)
    EQ23_EQUAL = by.mean("eq23a", "eq. (23), =")(
        Eq(n2(z - P), n2(P - eta * (sampled + (t + 1) * c) - STEP * h_z - pgd + pgd - P)),
        LOCAL,
    )
    EQ23 = by.mean("eq23")(n2(z - P) <= 2 * n2(z - pgd) + 2 * n2(pgd - P))
    TWO_STEPS = assume(
        "definition: x~_pgd, above (23), and x~^{r+1} of (4)",
        *(PGD[0].relation, Eq(tilde, P - eta_t * grad - eta_t * h_tilde)),
    )
    EQ24 = by.quad("eq24")(Eq(pgd - P, -STEP * (grad + h_pgd)), RANGE, PGD)
    BRACE = assume("definition: below the brace of (24)", Eq(G_pgd, grad + h_pgd))
    II = 2 * n2(pgd - P)
    EQ26A = by.mean("eq26a", "eq. (26), first =")(Eq(II, 2 * n2(STEP * G_pgd)), RANGE, BRACE, EQ24.at())
    EQ26B = by.mean("eq26b", "eq. (26), second =")(
        Eq(2 * n2(STEP * G_pgd), 2 * n2(STEP * (G_pgd - G) + STEP * G)),
        RANGE,
    )
    SPLIT = 2 * n2(STEP * (h_pgd - h_tilde) + STEP * G)
    EQ26C = by.mean("eq26c", "eq. (26), third =")(
        Eq(2 * n2(STEP * (G_pgd - G) + STEP * G), SPLIT),
        RANGE,
        eta_t > 0,
        BRACE,
        mapping.EQ25_MAPPING.at(),
    )
    RIGHT26 = 4 * tau**2 * eta**2 * (4 * B_g**2) + 4 * tau**2 * eta**2 * n2(G)
    TWO_SUBGRADIENTS = by.mean("eq26.subgradients", "eq. (26), <=, Assumption 3.1")(
        n2(h_pgd - h_tilde) <= 4 * B_g**2,
        subgradients(n2(h_pgd) <= B_g**2, n2(h_tilde) <= B_g**2),
    )
    EQ26_YOUNG = by.mean("eq26.young", "eq. (26), <=")(
        SPLIT <= 4 * STEP**2 * n2(h_pgd - h_tilde) + 4 * STEP**2 * n2(G),
        RANGE,
    )
    EQ26D = by.mean("eq26d", "eq. (26), <=")(
        SPLIT <= RIGHT26,
        RANGE,
        EQ26_YOUNG.at(weight=1),
        TWO_SUBGRADIENTS.at(),
    )
    EQ26 = by.real("eq26")(
        2 * shift <= 4 * tau**2 * eta**2 * (4 * B_g**2) + 4 * tau**2 * eta**2 * G2,
        RANGE,
        eta_t > 0,
        EQ26A.at({n2(pgd - P): shift, n2(STEP * G_pgd): braced}),
        EQ26B.at({n2(STEP * G_pgd): braced, n2(STEP * (G_pgd - G) + STEP * G): parted}),
        EQ26C.at(
            {n2(STEP * (G_pgd - G) + STEP * G): parted, n2(STEP * (h_pgd - h_tilde) + STEP * G): apart26}
        ),
        EQ26D.at({n2(STEP * (h_pgd - h_tilde) + STEP * G): apart26, n2(G): G2}),
    )
    I = 2 * n2(z - pgd)  # noqa: E741
    EQ27 = by.mean("eq27")(
        I <= 2 * n2(eta * (sampled + (t + 1) * (c - grad))),
        LOCAL,
        PGD,
        mapping.NONEXPANSIVE.at(
            mapping.two((z, pgd), (zh, P - STEP * grad), (h_z, h_pgd), (g_z, g_pgd), STEP)
        ),
    )
    EQ8 = by.mean("eq8", "eq. (8), without approximation")(
        n2(z - pgd) <= 0,
        RANGE,
        EQ27.at(),
        assume(
            "definition: full gradients, all taken at the start of the local updates",
            Eq(sampled, (t + 1) * grad_i),
        ),
        assume("definition: the correction is grad f - grad f_i there", Eq(c, grad - grad_i)),
        note="Then the client's model is a step of proximal gradient descent, (5) with step (t + 1) eta.",
    )
    CORRECTION = assume("definition: (2), the correction", Eq(c, 1 / tau * mean_old - 1 / tau * own_old))
    APART = sampled - (t + 1) * grad_i
    WRITTEN = n2(eta * (APART + (t + 1) * (grad_i + 1 / tau * mean_old - 1 / tau * own_old - grad)))
    TURNED = n2(eta * (APART + (t + 1) * (1 / (eta * tau) * (lam - mean_lam))))
    EQ28A = by.mean("eq28a", "eq. (28), first <=")(
        I <= 2 * WRITTEN,
        RANGE,
        EQ27.at(),
        CORRECTION,
        note="With equality: the correction is written out. In the first round both are 0.",
    )
    LAMBDA = assume(
        "definition: Lambda^r, below (10)",
        Eq(lam, eta * (tau * grad_i + mean_old - own_old)),
        Eq(mean_lam, eta * (tau * grad)),
    )
    EQ28B = by.mean("eq28b", "eq. (28), =")(Eq(2 * WRITTEN, 2 * TURNED), RANGE, LAMBDA)
    PLACE = (t + 1) / tau
    EQ28C = by.mean("eq28c", "eq. (28), second <=")(
        2 * TURNED <= 4 * n2(eta * APART) + 4 * n2(PLACE * lam - PLACE * mean_lam),
        RANGE,
    )
    NOISE, AWAY = sampled - full, full - (t + 1) * grad_i
    EQ29A = by.mean("eq29a", "eq. (29), =")(Eq(4 * n2(eta * APART), 4 * n2(eta * (NOISE + AWAY))))
    EQ29B = by.mean("eq29", "eq. (29), <=")(
        4 * n2(eta * (NOISE + AWAY)) <= 8 * (t + 1) ** 2 * n2(eta / (t + 1) * NOISE) + 8 * n2(eta * AWAY),
        RANGE,
    )
    EQ28 = by.real("eq28")(
        2 * near <= 4 * part + 4 * turned,
        RANGE,
        EQ28A.at({n2(z - pgd): near, WRITTEN: split}),
        EQ28B.at({WRITTEN: split, TURNED: last}),
        EQ28C.at({TURNED: last, n2(eta * APART): part, n2(PLACE * lam - PLACE * mean_lam): turned}),
    )
    SCALED = by.mean("eq31.scaled", "above (31)")(
        8 * (t + 1) ** 2 * n2(eta / (t + 1) * NOISE)
        + 8 * n2(eta * AWAY)
        + 4 * n2(PLACE * lam - PLACE * mean_lam)
        <= 8 * eta**2 * n2(NOISE) + 8 * eta**2 * n2(AWAY) + 4 * PLACE**2 * n2(lam - mean_lam),
        RANGE,
        note="Factors are taken out of the norms.",
    )
    ERRORS = by.real("eq31.errors", "eqs. (28), (29)")(
        2 * near <= 8 * eta**2 * noise2 + 8 * eta**2 * away2 + 4 * PLACE**2 * lam2,
        RANGE,
        EQ28.at(),
        EQ29A.at({n2(eta * APART): part, n2(eta * (NOISE + AWAY)): together}),
        EQ29B.at(
            {n2(eta * (NOISE + AWAY)): together, n2(eta / (t + 1) * NOISE): first, n2(eta * AWAY): second}
        ),
        SCALED.at(
            {
                n2(eta / (t + 1) * NOISE): first,
                n2(eta * AWAY): second,
                n2(PLACE * lam - PLACE * mean_lam): turned,
                n2(NOISE): noise2,
                n2(AWAY): away2,
                n2(lam - mean_lam): lam2,
            }
        ),
    )
