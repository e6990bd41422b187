"""What follows from Theorems 3.5 and 3.6: target accuracies, full gradients, distances, other measures."""

from fedproof.papers.composite.assumptions import FULL
from fedproof.papers.composite.proofs import theorems
from fedproof.papers.composite.proofs.descent import F0, MODEL
from fedproof.papers.composite.proofs.metric_relations import F, Fs, Om, dist2, r
from fedproof.papers.composite.proofs.metric_relations import G as Gr
from fedproof.papers.composite.proofs.potential import CURVED, FALLS35, SHORT, SIZES
from fedproof.papers.composite.proofs.prox_pl import AT_TILDE, GROWTH, Ft, far2_solutions
from fedproof.papers.composite.proofs.theorems import *
from fedproof.papers.composite.proofs.vectors import *
from fedproof.papers.composite.statements import formulas as f

kept, kept_sharp = theorems.kept, theorems.kept_sharp
by = step_writer("composite", __name__)


def reached(name: str, where: str, claim: Any, enough: Any, step: Step, *given: Any) -> Step:
    """Where a theorem's bound is at most the target, so is what it bounds."""
    return by.sum(name, where)(claim, *given, enough, step.at())


with printed():
    MEAN = 1 / R * total(Gr(r), r, 1, R)
    GAP = F(R + 1) - Fs
    PRINTED = (EQ13, ROUNDS)
    NOT_NEGATIVE = assume("meaning: of a potential", Omega1 >= 0)
    #: what of the potential is not the objective
    PARTS = assume(WHY_START, Eq(Om(R + 1), F(R + 1) - Fs + Lam(R + 1) / eta_t))
    ROUNDS35 = reached(
        "theorem3.5.rounds.end",
        "Theorem 3.5, to reach eps",
        MEAN <= eps,
        f.THEOREM35 <= eps,
        THEOREM35,
        *PRINTED,
        NOT_NEGATIVE,
    )
    ROUNDS35_SHARP = reached(
        "theorem3.5.rounds.sharpened.end",
        "Theorem 3.5, sharpened, to reach eps",
        MEAN <= eps,
        f.SHARP35 <= eps,
        SHARP35,
        SIZES,
        SHORT,
        ROUNDS,
    )
    ROUNDS36 = reached(
        "theorem3.6.rounds.end",
        "Theorem 3.6, to reach eps_F",
        GAP <= eps_F,
        f.THEOREM36 <= eps_F,
        THEOREM36,
        *PRINTED,
        mu > 0,
        UNSTATED,
        NOT_NEGATIVE,
        PARTS,
    )
    ROUNDS36_REPAIRED = reached(
        "theorem3.6.rounds.repaired.end",
        "Theorem 3.6, mu <= L, to reach eps_F",
        GAP <= eps_F,
        f.THEOREM36 <= eps_F,
        REPAIRED36,
        *PRINTED,
        (mu > 0, mu <= L),
        NOT_NEGATIVE,
        PARTS,
    )
    ROUNDS36_SHARP = reached(
        "theorem3.6.rounds.sharpened.end",
        "Theorem 3.6, sharpened, to reach eps_F",
        GAP <= eps_F,
        f.SHARP36 <= eps_F,
        SHARP36,
        SIZES,
        SHORT,
        CURVED,
        ROUNDS,
    )
    #: full gradients: (9) with sigma = 0, in terms that do not appear in the bound
    EXACTLY = (
        *assume(FULL.id, Eq(sigma2, 0)),
        *assume("meaning: there is a client", n >= 1),
        *assume("meaning: a batch has a sample", b > 0),
        *(eta > 0, eta_t > 0, eta_g > 0, L > 0, tau >= 1),
    )
    EXACT35 = by.sum("exact.nonconvex.end", "Theorem 3.5, sharpened, full gradients")(
        MEAN <= f.SHARP35_START,
        EXACTLY,
        SHORT,
        ROUNDS,
        SHARP35.at(),
    )
    LEVEL = by.sum("exact.level.end", "a round of the weighted potential, full gradients")(
        GAP <= Omega1,
        EXACTLY,
        SHORT,
        ROUNDS,
        FALLS35.at(AT, over=(r, 1, R)),
        STARTS,
        assume("meaning: a squared norm", Lam(1) >= 0),
        assume("meaning: a squared norm", Lam(R + 1) >= 0),
        note="No inequality of F is used: the weighted potential never rises.",
    )
    EXACT36 = by.sum("exact.pl.end", "Theorem 3.6, sharpened, full gradients")(
        GAP <= f.SHARP36_START,
        EXACTLY,
        SHORT,
        CURVED,
        ROUNDS,
        SHARP36.at(),
    )
    STRONGER = by.mean("theorem3.6.stronger", "below Theorem 3.6, by (38)")(
        n2(G) <= gap / (eta_t * (1 - L * eta_t / 2)),
        (eta_t > 0, L > 0, SHORT[0]),
        assume("definition: (11)", Eq(tilde, P - eta_t * G)),
        assume("definition: the objective gap", Eq(gap, F0 - Fs)),
        assume("definition: F* is the least value", Fs <= Ft),
        used(AT_TILDE, MODEL),
    )
    STRONGER_SAID = by.real("theorem3.6.stronger.end", "below Theorem 3.6, by (38)")(
        G2 <= gap / (eta_t * (1 - L * eta_t / 2)),
        (eta_t > 0, L > 0, SHORT[0]),
        STRONGER.at({n2(G): G2}),
    )
    DISTANCE = by.sum("distance.end", "below Theorem 3.6, the distance to the solutions")(
        dist2(R + 1) <= 2 / mu * f.SHARP36,
        SIZES,
        SHORT,
        CURVED,
        ROUNDS,
        GROWTH.at({far2_solutions: dist2(R + 1), F0: F(R + 1)}),
        SHARP36.at(),
    )
