"""Theorem 1, (80)-(87): the expected descent of one round, conditional on the round's start."""

from fedproof.papers.fedproxvr.assumptions import INEXACT
from fedproof.papers.fedproxvr.proofs.appendix_a import before, grad_before, w
from fedproof.papers.fedproxvr.proofs.appendix_a import grad as grad_w
from fedproof.papers.fedproxvr.proofs.lemma3 import EQ71, EQ72, LEMMA3
from fedproof.papers.fedproxvr.proofs.means import MEAN_BELOW_RMS, mean_size, one
from fedproof.papers.fedproxvr.proofs.means import x as any_x
from fedproof.papers.fedproxvr.proofs.round_vectors import *
from fedproof.papers.fedproxvr.proofs.theorem1_descent import EQ79, LOCAL_SMOOTH
from fedproof.papers.fedproxvr.statements import formulas as f

by = step_writer("fedproxvr", __name__)


def in_expectation(name: str, eq79: Step) -> Step:
    """(79) in expectation, conditional on the round's start."""
    names = {F1: F0 + fall(i), average(H(n)): h(i), average(Q(n)): k(i), S2: step2(i)}
    with printed():
        return by.sum(name, "above (80), conditional expectation of (79)")(
            expected(fall(i))
            <= 1 / mu * B * expected(h(i))
            + 1 / mu * B * expected(k(i))
            - 1 / mu * B**2
            + L / 2 * expected(step2(i)),
            POSITIVE,
            DRAWS,
            assume("meaning: a norm", B >= 0),
            eq79.at(names, weight=chance(i), over=OUTCOME),
            times(-1 / mu * B**2, PROBABILITIES),
        )


with printed():
    SETTING = (POSITIVE, CLIENTS)
    SPREAD = (1 + theta**2) * (1 + sigma2)
    #: names for roots, so that a sum need not compute with them, and mu Theta in them
    MU_THETA = 1 - theta * v - 2 * L / mt * u - 2 * L * mu / mt**2 * u**2
    ROOTS = {sqrt(SPREAD): u, sqrt(2 * (1 + sigma2)): v}
    NAMED_MU_THETA = 1 - theta * v - 2 * L / mt * u - 2 * L * mu / mt**2 * SPREAD
    EQ80_MEAN = in_expectation("eq80.expected", EQ79)
    #: the means of (79) by the names they have from here on
    NAMED = {
        expected(fall(i)): D,
        expected(h(i)): average(H(n)),
        expected(k(i)): average(Q(n)),
        expected(step2(i)): moved,
    }
    EQ80_CLIENT = by.sum("eq80.client", "eq. (80), one client")(
        expected(X(i)) <= L * expected(Y(i)),
        DRAWS,
        L > 0,
        LOCAL_SMOOTH.at({norm(grad_w - grad_before): X(i), norm(w - before): Y(i)}, over=OUTCOME),
        note="L-smoothness of F_n, in expectation.",
        reads=(
            (X(i), r"\|\nabla F_n(\bar w^{(s-1)})-\nabla F_n(w_n^{(s)})\|_i"),
            (Y(i), r"\|\bar w^{(s-1)}-w_n^{(s)}\|_i"),
            (chance(i), r"\Pr(i)"),
        ),
    )
    EQ80 = by.sum("eq80", "eq. (80)-(82)")(
        D <= L / mu * B * average(W(n)) + 1 / mu * B * average(Q(n)) - 1 / mu * B**2 + L / 2 * moved,
        SETTING,
        assume("meaning: a norm", B >= 0),
        EQ80_MEAN.at(NAMED),
        EQ80_CLIENT.at({expected(X(i)): H(n), expected(Y(i)): W(n)}, over=CLIENT),
        note="Both expectations are finite sums, so they may be interchanged.",
    )
    ROOTED = by.mean("eq83.root", "display for (83), (71)")(
        norm(local - start) <= sqrt(2 * (1 + theta**2)) / mt * norm(grad),
        mt > 0,
        EQ71.at(),
    )
    EQ83_RMS = by.sum("eq83a", "display for (83), first <=")(
        average(W(n)) <= average(R(n)),
        CLIENTS,
        MEAN_BELOW_RMS.at({ip(any_x, one): W(n), norm(any_x): R(n)}, over=CLIENT),
    )
    EQ83_ROOT = by.sum("eq83b", "display for (83), second <=, (71)")(
        average(R(n)) <= sqrt(2 * (1 + theta**2)) / mt * average(g(n)),
        mt > 0,
        CLIENTS,
        ROOTED.at({norm(local - start): R(n), norm(grad): g(n)}, over=CLIENT),
    )
    EQ83_JENSEN = by.sum("eq83c", "display for (83), third <=")(
        sqrt(2 * (1 + theta**2)) / mt * average(g(n)) <= sqrt(2 * (1 + theta**2)) / mt * rms,
        mt > 0,
        CLIENTS,
        MEAN_BELOW_RMS.at({ip(any_x, one): average(g(n)), norm(any_x): rms}),
        note="Jensen's inequality for the mean over the clients.",
    )
    EQ83_LAST = by.real("eq83d", "display for (83), last <=, (72)")(
        sqrt(2 * (1 + theta**2)) / mt * rms <= 2 / mt * sqrt(SPREAD) * B,
        (mt > 0, sigma2 >= 0),
        NORMS,
        EQ72.at({average(G(n)): rms**2, B2: B**2}),
    )
    EQ83 = by.sum("eq83", "eq. (83) and the display for it")(
        L / mu * B * average(W(n)) <= L / mu * B * (2 / mt * sqrt(SPREAD) * B),
        SETTING,
        (mt > 0, sigma2 >= 0),
        NORMS,
        *(x.at() for x in (EQ83_RMS, EQ83_ROOT, EQ83_JENSEN, EQ83_LAST)),
    )
    EQ84_LEMMA1 = by.sum("eq84a", "display for (84), Lemma 1")(
        average(Q(n)) <= theta * average(g(n)),
        CLIENTS,
        assume(INEXACT.id, ForAll(Q(n) <= theta * g(n), *CLIENT)),
        theta > 0,
    )
    EQ84_LAST = by.real("eq84b", "display for (84), (72)")(
        theta * mean_size <= theta * sqrt(2 * (1 + sigma2)) * B,
        (theta > 0, sigma2 >= 0),
        NORMS,
        MEAN_BELOW_RMS.at({ip(any_x, one): mean_size, norm(any_x): rms}),
        EQ72.at({average(G(n)): rms**2, B2: B**2}),
        reads=((mean_size, r"\mathbb E_n\|\nabla F_n(\bar w^{(s-1)})\|"),),
    )
    EQ84 = by.sum("eq84", "eq. (84) and the display for it")(
        1 / mu * B * average(Q(n)) <= 1 / mu * B * (theta * sqrt(2 * (1 + sigma2)) * B),
        SETTING,
        (theta > 0, sigma2 >= 0),
        NORMS,
        EQ84_LEMMA1.at(),
        EQ84_LAST.at({mean_size: average(g(n))}),
    )
    EQ85 = by.real("eq85", "eq. (85), Lemma 3")(
        -1 / mu * B**2 + L / 2 * moved <= -1 / mu * B**2 + 2 * L * SPREAD / mt**2 * B**2,
        POSITIVE,
        mt > 0,
        LEMMA3.at({B2: B**2}),
    )
    LINES = (
        L / mu * B * (2 / mt * sqrt(SPREAD) * B)
        + 1 / mu * B * (theta * sqrt(2 * (1 + sigma2)) * B)
        - 1 / mu * B**2
        + 2 * L * SPREAD / mt**2 * B**2
    )
    EQ86 = by.real("eq86")(
        LINES <= -1 / mu * f.DESCENT * B**2,
        POSITIVE,
        (mt > 0, sigma2 >= 0),
        note="An equality.",
    )
    EQ87_FACTOR = by.real("eq87.factor")(
        Eq(-1 / mu * kept * B**2, -Theta * B**2),
        POSITIVE,
        assume("definition: Theta, below (17)", Eq(Theta, 1 / mu * kept)),
    )
    EQ87 = by.sum("eq87.end", "eq. (80)-(87)")(
        D <= -Theta * B**2,
        SETTING,
        (mt > 0, theta > 0, sigma2 >= 0),
        NORMS,
        assume("definition: Theta, below (17)", Eq(Theta, 1 / mu * NAMED_MU_THETA)),
        used(EQ80, EQ85),
        EQ83.at({sqrt(SPREAD): u}),
        EQ84.at({sqrt(2 * (1 + sigma2)): v}),
        EQ86.at(ROOTS),
        EQ87_FACTOR.at({kept: NAMED_MU_THETA}),
        lets=tuple(Let(name, part) for part, name in ROOTS.items()),
    )
