"""(46), what follows from it and from (51) over all rounds, and an instance for the constant of (46).

The instance: f_i = 0 and g = 0, every client's data two samples with losses x and -x, batches of one. The
models are sums of errors, the objective is 0, and the corrections are the errors of the round before.
"""

from fedproof.papers.composite.proofs.metric_relations import Fs, Om, r
from fedproof.papers.composite.proofs.metric_relations import G as Gr
from fedproof.papers.composite.proofs.potential import SIZES
from fedproof.papers.composite.proofs.printed35 import SQUARES, STEP13
from fedproof.papers.composite.proofs.printed45 import EQ45, ERRORS_ALONE
from fedproof.papers.composite.proofs.vectors import *
from fedproof.papers.composite.statements import formulas as f

error = vector("error", r"e_i")
mean_error = vector("mean_error", r"\bar e")
Om0 = number("Om0", r"\mathbb E[\Omega^{r}]")
Om1 = number("Om1", r"\mathbb E[\Omega^{r+1}]")
Om2 = number("Om2", r"\mathbb E[\Omega^{2}]")
third = sequence("third(r)", r"(1-\tfrac{\mu\tilde\eta}{3})^{R-r}", nonnegative=True)

G2 = number("G2", r"\mathbb E\|\mathcal G(P_{\tilde\eta}(\overline{\mathbf x}^{r}))\|^2")
F0, F1 = number("F0", r"\mathbb E F(P^{r})"), number("F1", r"\mathbb E F(P^{r+1})")
kept = number("kept", r"(1-\tfrac{\mu\tilde\eta}{3})^{R}")
by = step_writer("composite", __name__)
WHERE = "eq. (46), an instance"

with printed():
    SUBGRADIENTS = rational(14, 5) * 20 * L**2 * eta_t**3 / eta_g**2 * B_g**2

    def right(before: Any, factor: Any, squared: Any) -> Any:
        """The right side of (46)."""
        return before + factor * eta_t / (n * tau) * (sigma2 / b) + SUBGRADIENTS - f.DESCENT * eta_t * squared

    ERRORS = by.mean("eq46.instance.errors", WHERE)(
        Eq(n2(eta * (mean_error - error)), eta**2 * (1 - 1 / n) * (sigma2 / b)),
        (n >= 1, b > 0),
        assume(
            "definition: independent errors of variance sigma^2/b, and their mean over n clients",
            Eq(n2(error), sigma2 / b),
            Eq(ip(error, mean_error), sigma2 / (n * b)),
            Eq(n2(mean_error), sigma2 / (n * b)),
        ),
        note="Lambda_i^2 = eta (mean - e_i) for tau = 1 and gradients that are 0; its mean over the clients"
        " is 0.",
    )
    AFTER = by.real("eq46.instance.potential", WHERE)(
        Eq(Om2, eta_t / eta_g**2 * (1 - 1 / n) * (sigma2 / b)),
        (n >= 1, b > 0, eta > 0, eta_g > 0),
        ETA_T,
        assume("definition: the instance has one local step", Eq(tau, 1)),
        assume("definition: (10) with F = 0, the same for every client", Eq(Om2, 1 / eta_t * spread)),
        ERRORS.at({n2(eta * (mean_error - error)): spread}),
    )
    INSTANCE = values(
        "n=18 eta_g=3/2 tau=1 b=1 sigma2=1 L=1 B_g=1/10 eta=1/15 eta_t=1/10 G2=0 Om0=0 Om2=17/405"
    )
    EQ46_PRINTED = by.real("eq46")(
        Om2 <= right(Om0, 6, G2),
        SIZES,
        B_g > 0,
        STEP13,
        ETA_T,
        AFTER.at(),
        assume(ERRORS_ALONE, Eq(Om0, 0), Eq(G2, 0), Eq(tau, 1)),
        flaw="gap",
        witness=INSTANCE,
        reads=((Om2, r"\mathbb E[\Omega^{r+1}]"),),
        note="The constant of (45). In the instance, at r = 1, E Omega^2 = (n-1)/n eta~ sigma^2/(eta_g^2 b), "
        "above 6 eta~ sigma^2/(n b) where eta_g^2 < (n-1)/6; (13) admits eta_g^2 = n/8. With 36, or with "
        "eta_g >= sqrt(n) and then with 6, it is right. Theorem 3.5 keeps its constants (theorem3.5.end).",
    )
    POTENTIALS = assume(
        "definition: (10)",
        Eq(Om1, F1 - Fs + 1 / eta_t * spread),
        Eq(Om0, F0 - Fs + 1 / eta_t * (LamSq / n)),
    )
    EQ46 = by.sum("eq46.repaired")(
        Om1 <= right(Om0, 36, G2),
        SIZES,
        ETA_T,
        STEP13,
        SQUARES,
        POTENTIALS[0],
        POTENTIALS[1],
        EQ45.at(),
        repairs="composite.eq46",
    )
    ROUNDS = assume("meaning: there is a round", R >= 1)
    SHARE = 1 / (f.DESCENT * eta_t * R)
    NOT_NEGATIVE = ForAll(Om(r) >= 0, r, 1, R + 1)
    ENDS = "definition: F* is the least value, so (10) is not negative"
    #: (46) with a factor, for every round
    TELESCOPED = tuple(
        by.sum(name, where)(
            1 / R * total(Gr(r), r, 1, R)
            <= f.THEOREM35_START + most * sigma2 / (n * tau * b) + f.THEOREM35_SUBGRADIENTS,
            SIZES,
            ROUNDS,
            ForAll(Om(r + 1) <= right(Om(r), factor, Gr(r)), r, 1, R),
            assume(ENDS, Om(R + 1) >= 0),
            assume("definition: Omega^1", Eq(Omega1, Om(1))),
            note=note,
        )
        for name, where, factor, most, note in (
            (
                "theorem3.5.telescoped",
                "below (46)",
                6,
                20,
                "6/0.3 = 20 and 56/0.3 <= 187: the constants are those of (46) as printed.",
            ),
            (
                "theorem3.5.telescoped.repaired",
                "below (46), with 36",
                36,
                120,
                "With 36 in (46) the same way gives 120; 20 comes from a weighted potential, theorem3.5.end.",
            ),
        )
    )
    POWER = "definition: the powers of 1 - mu eta~/3"
    FALLING = ForAll(Eq(third(r - 1), (1 - mu * eta_t / 3) * third(r)), r, 1, R)
    ADDED = 6 * eta_t / (n * tau) * (sigma2 / b) + SUBGRADIENTS
    DIVIDED = by.real("eq51.divided", "below (51), for Omega^r")(
        Om2 <= (1 - mu * eta_t / 3) * Om0 + ADDED,
        SIZES,
        B_g > 0,
        STEP13,
        (mu > 0, mu <= L),
        ETA_T,
        AFTER.at(),
        assume(ERRORS_ALONE, Eq(Om0, 0), Eq(tau, 1)),
        flaw="gap",
        witness=(*(pair for pair in INSTANCE if pair[0] != "G2"), ("mu", "1")),
        reads=((Om2, r"\mathbb E[\Omega^{r+1}]"),),
        note="(51) over eta~, in the same first round. F = 0 satisfies Assumption 3.3(2) with any mu, here "
        "with mu = L. With 36 in place of 6 it is right, by eq51.repaired; Theorem 3.6 keeps its constants.",
    )
    LIMIT = 3 / (mu * eta_t) * ADDED
    TELESCOPED36 = by.sum("theorem3.6.telescoped", "below (51)")(
        Om(R + 1) <= f.THEOREM36,
        SIZES,
        mu > 0,
        ROUNDS,
        ForAll(Om(r + 1) <= (1 - mu * eta_t / 3) * Om(r) + ADDED, r, 1, R),
        assume(POWER, FALLING),
        times(LIMIT - Om(R + 1), Eq(third(R), 1), POWER),
        times(Omega1, Eq(third(0), kept), POWER),
        times(-third(0), Eq(Omega1, Om(1)), "definition: Omega^1"),
        note="18 = 3 x 6 and 168 = 3 x 56: the constants are those of (51) as printed. With 36 the "
        "same way gives 108; 18 comes from a weighted potential, theorem3.6.end.",
    )
    DEGENERATE = by.real("theorem3.6.degenerate", "Theorem 3.6, mu > L")(
        Om2 > (1 - mu * eta_t / 3) * Om0 + f.THEOREM36_VARIANCE + f.THEOREM36_SUBGRADIENTS,
        assume(
            "definition: the instance before its first round, F = 0, c_i = 0, with mu = 3/eta~",
            *(Eq(number(x), sp.Rational(v)) for x, v in INSTANCE if x != "Om2"),
            Eq(mu, 30),
        ),
        AFTER.at(),
        reads=((Om0, r"\mathbb E[\Omega^{1}]"),),
        note="Why mu <= L is written out. R = 1 in the instance of eq46.instance.*: F = 0 satisfies the "
        "proximal PL inequality with any mu. It takes a mu above L, where F is constant (prox_pl.constant), "
        "which nobody minimises; for mu <= L the theorem is right.",
    )
