"""The drift of a round from its mean over the local steps: no recursion, any server step size.

Two things are exact here and are not in (23)-(34). The errors of a round's mini-batches are orthogonal to
Lambda^r, which is known when the round begins. And the drift that enters step t + 1 is at most that of the
whole round, so that the mean over the steps, with (t + 1)/tau on average below 1/2 and its square below 1/3,
bounds itself. The step of size (t + 1) eta is no longer than max(eta~, eta tau) times |G|.
"""

from fedproof.papers.composite.proofs import local_step as local
from fedproof.papers.composite.proofs import mapping
from fedproof.papers.composite.proofs import sampling as S
from fedproof.papers.composite.proofs.lemma_a1 import ALL_SUMS, CLIENT, LAST_SUM, MEAN_LAM, S_end, ended, lam
from fedproof.papers.composite.proofs.local_step import lam2, near, shift
from fedproof.papers.composite.proofs.vectors import *

WHERE = "Lemma A.1, by the mean over the local steps"
reach = number("reach", r"\varrho")
#: a step size
s = number("s")
s_server = number("s_server", "s'")
short = vector("short", r"\mathcal G_{s}")
long = vector("long", r"\mathcal G_{s'}")
conditional_mean = vector("told_lam", r"\mathbb E[\Lambda_i^{r}-\overline\Lambda^{r}\,|\,\mathcal F_0^{r}]")
#: the whole right side of (28) in parts: errors, changes, corrections
split, last = local.split, local.last

G2 = number("G2", r"\mathbb E\|\mathcal G(P_{\tilde\eta}(\overline{\mathbf x}^{r}))\|^2")
by = step_writer("composite", __name__, WHERE)

with printed():
    LONGEST = by.mean("mean.longest")(
        n2(s * short) <= reach**2 * n2(long),
        (s > 0, s_server > 0, s <= reach, s_server <= reach),
        0 <= ip(short - long, s_server * long - s * short),
        note="A proximal gradient step gets no shorter as its step size grows, and the mapping no larger.",
    )
    REACH = (eta_t > 0, eta_t <= reach, eta * tau <= reach)
    WITHIN = by.real("mean.within")(local.STEP <= reach, local.RANGE, REACH)
    PGD = by.mean("mean.pgd", f"{WHERE}, in place of (26)")(
        n2(local.pgd - P) <= reach**2 * n2(G),
        local.RANGE,
        REACH,
        local.TWO_STEPS,
        assume("definition: (11), with (25)", Eq(G, grad + h_tilde)),
        WITHIN.at(),
        mapping.MONOTONE.at(
            mapping.ordered((local.pgd, tilde), (local.h_pgd, h_tilde), (local.g_pgd, mapping.g_tilde))
        ),
        LONGEST.at({short: grad + local.h_pgd, long: G, s: local.STEP, s_server: eta_t}),
    )
    APART = by.mean("mean.apart", f"{WHERE}, in place of (28), (29)")(
        local.TURNED
        <= rational(5, 4) * eta**2 * n2(local.NOISE)
        + rational(5, 4) * local.PLACE**2 * n2(local.lam - local.mean_lam)
        + 5 * eta**2 * n2(local.AWAY),
        local.RANGE,
        centred(
            local.NOISE, local.lam - local.mean_lam, conditional_mean, rational(5, 2) * eta * local.PLACE
        ),
        note="Lambda^r is known when the round begins; what comes later is orthogonal to it.",
    )
    NEAR = by.real("mean.near", f"{WHERE}, in place of (28)")(
        near
        <= rational(5, 4) * eta**2 * local.noise2
        + rational(5, 4) * local.PLACE**2 * lam2
        + 5 * eta**2 * local.away2,
        local.RANGE,
        local.EQ28A.at({n2(local.z - local.pgd): near, local.WRITTEN: split}),
        local.EQ28B.at({local.WRITTEN: split, local.TURNED: last}),
        APART.at(
            {
                local.TURNED: last,
                n2(local.NOISE): local.noise2,
                n2(local.AWAY): local.away2,
                n2(local.lam - local.mean_lam): lam2,
            }
        ),
    )
    TWO = by.mean("mean.two", f"{WHERE}, in place of (23)")(
        n2(local.z - P) <= rational(9, 4) * n2(local.pgd - P) + rational(9, 5) * n2(local.z - local.pgd),
    )
    EARLIER = by.sum("mean.earlier")(
        total(S.D(S.ell), S.ell, 0, t) <= ended,
        (t >= 0, t <= tau - 1),
        LAST_SUM,
    )
    PLACE = (t + 1) / tau
    STEP = by.sum("mean.step", f"{WHERE}, in place of (32)")(
        S.D(t + 1)
        <= rational(9, 4) * reach**2 * G2
        + rational(9, 4) * PLACE**2 * lam2
        + rational(9, 4) * (t + 1) * eta**2 * (sigma2 / b)
        + 9 * (t + 1) * eta**2 * L**2 * ended,
        local.RANGE,
        S.POSITIVE,
        REACH,
        TWO.at({n2(local.z - P): S.D(t + 1), n2(local.z - local.pgd): near, n2(local.pgd - P): shift}),
        PGD.at({n2(local.pgd - P): shift, n2(G): G2}),
        NEAR.at({local.noise2: S.M2(t), local.away2: S.X(t)}),
        S.NOISY.at(),
        S.FAR.at(),
        EARLIER.at(),
    )
    PASSED = (
        rational(9, 4) * reach**2 * G2 + rational(3, 4) * lam2 + rational(9, 8) * eta**2 * tau * (sigma2 / b)
    )
    FEW = 1 - rational(9, 2) * (eta * tau * L) ** 2
    SUMMED = by.sum("mean.client", f"{WHERE}, in place of (34)")(
        FEW * ended <= tau * PASSED,
        (L > 0, eta > 0),
        S.POSITIVE,
        REACH,
        STEPS_TAKEN,
        assume("meaning: mean squares", lam2 >= 0, G2 >= 0, ended >= 0),
        LAST_SUM,
        assume("definition: line 5 of Algorithm 1, z_{i,0} is the server's model", Eq(S.D(0), 0)),
        STEP.at(over=(t, 0, tau - 2)),
        note="Over the steps t + 1 = 1..tau - 1 the mean of (t + 1)/tau is at most 1/2, of its square 1/3.",
    )
    DRIFT = by.sum("mean.drift", f"{WHERE}, in place of (21)")(
        FEW * (1 / (n * tau) * drift)
        <= rational(9, 4) * reach**2 * G2
        + rational(3, 4) * Lam2
        + rational(9, 8) * eta**2 * tau * (sigma2 / b),
        (L > 0, eta > 0),
        S.POSITIVE,
        REACH,
        STEPS_TAKEN,
        CLIENTS,
        assume("meaning: a mean square", G2 >= 0),
        ALL_SUMS,
        MEAN_LAM,
        SUMMED.at({ended: S_end(i), lam2: lam(i)}, over=CLIENT),
        note="No exponential and no bound on subgradients; eta_g may be anything.",
    )
