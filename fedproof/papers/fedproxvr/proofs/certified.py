"""Lemma 1 and Theorem 1 chained: the least theta that (13) or (14) allows, then (17)."""

from fedproof.papers.fedproxvr.proofs import lemma1_sarah, lemma1_svrg, telescoping
from fedproof.papers.fedproxvr.proofs.vectors import *
from fedproof.papers.fedproxvr.statements import formulas as f

by = step_writer("fedproxvr", __name__)

with printed():
    POSITIVE = (L > 0, mu > 0, mt > 0, beta > 3, sigma2 >= 0, Theta > 0)
    LEAST_THETA = assume(
        "definition: theta, the least that the lower bound on tau allows, is a root of a quotient by tau",
        tau > 0,
        theta > 0,
        Eq(theta**2, 3 * (beta**2 * L**2 + mu**2) / (tau * mt * L * (beta - 3))),
    )
    LEAST_A = assume("definition: a, no less than the side condition of (14) asks", a > 0, a >= f.SVRG_BEST_A)
    LOWER = by.real("certified.theta", "(13), (14), first inequality")(
        f.LOWER <= tau,
        (L > 0, mt > 0, beta > 3),
        LEAST_THETA,
        note="With equality.",
    )
    SIDE = by.real("certified.a", "below (14)")(f.SVRG_SIDE, tau >= 0, LEAST_A)


def _certified(variant: str, lemma1: tuple[Step, Step], *given: Any) -> Step:
    with printed():
        return by.sum(f"certified.{variant}.end", "Lemma 1, then eq. (17)")(
            1 / T * telescoping.ENDS <= Delta / (Theta * T),
            POSITIVE,
            LEAST_THETA,
            *given,
            telescoping.ROUNDS,
            LOWER.at(weight=0),
            *(step.at(weight=0) for step in lemma1),
            telescoping.THEOREM1.at(weight=1),
        )


SARAH = _certified("sarah", (lemma1_sarah.SQUARED, lemma1_sarah.CRITERION), tau <= f.SARAH_UPPER)
SVRG = _certified(
    "svrg", (lemma1_svrg.SQUARED, lemma1_svrg.CRITERION), tau <= f.SVRG_UPPER, LEAST_A, SIDE.at(weight=0)
)
