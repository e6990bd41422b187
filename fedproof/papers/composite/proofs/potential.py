"""The potential with another weight on the corrections: what a round leaves of it, with no B_g.

With w in place of 1 before the spread of the corrections in (10), and with the drift bound that needs no B_g,
every constant of Theorems 3.5 and 3.6 comes out; the spread that a round begins with is paid by w itself.
"""

from fedproof.papers.composite.proofs.descent import EXPECTED, F0, F1, MODEL, model
from fedproof.papers.composite.proofs.drift_sharp import SHORT_DRIFT
from fedproof.papers.composite.proofs.lemma_a2 import EQ36
from fedproof.papers.composite.proofs.metric_relations import Fs
from fedproof.papers.composite.proofs.prox_pl import FALLS, FALLS_WEAK, a
from fedproof.papers.composite.proofs.vectors import *
from fedproof.papers.composite.statements import formulas as f

G2 = number("G2", r"\mathbb E\|\mathcal G(P_{\tilde\eta}(\overline{\mathbf x}^{r}))\|^2")
by = step_writer("composite", __name__, "Sec. A.5, A.6, a round of the potential, another way")


def rounds(name: str, after: sp.Rational, most: sp.Rational, server: tuple[Any, ...]) -> tuple[Step, Step]:
    """A round, with the weight of the spread after it; the spread and G before it are yet to be paid.

    Arguments:
        name: of the weight.
        after: the weight w.
        most: what L^2 eta~^2 (1 + 4 w/eta_g^2) is at most.
        server: conditions on the server's step size.
    """
    with printed():
        grown = 1 + 4 * after / eta_g**2
        small = by.real(f"potential.{name}.small")(L**2 * eta_t**2 * grown <= most, SIZES, SHORT, server)
        left = rational(23, 10) * eta_t * G2 + rational(23, 5) * Lam2 / eta_t
        whole = by.sum(f"potential.{name}")(
            F1 + after * spread / eta_t
            <= F0
            + model
            + most * left
            + (1 + n / eta_g**2 * (4 * after + rational(46, 5) * most)) * (eta_t * NOISE),
            ROUND,
            server,
            SQUARES,
            used(small, EXPECTED, SPREAD, DRIFT),
        )
    return small, whole


def contracts(
    name: str,
    whole: Step,
    weights: tuple[sp.Rational, sp.Rational],
    share: sp.Rational,
    noise: Any,
    falls: Applied,
    *given: Any,
) -> Step:
    """A round under the proximal PL inequality, from one weight to another.

    Arguments:
        whole: the round with the weight after it.
        weights: before and after it.
        share: the share of mu eta~ by which the potential falls.
        noise: what multiplies eta~ sigma^2/(n tau b).
        falls: what the model's least value is, by the inequality.
        given: conditions.
    """
    before, after = weights
    with printed():
        return by.sum(f"potential.contracts.{name}")(
            F1 - Fs + after * spread / eta_t
            <= (1 - share * mu * eta_t) * (F0 - Fs + before * Lam2 / eta_t) + noise * (eta_t * NOISE),
            ROUND,
            CURVED,
            SQUARES,
            *given,
            whole.at(),
            falls,
            MODEL.at({n2(G): G2}),
        )


with printed():
    #: sigma^2/(n tau b), the least noise of a round's mean gradient
    NOISE = sigma2 / (n * tau * b)
    SIZES = (eta > 0, eta_t > 0, eta_g > 0, L > 0, tau >= 1, b > 0, sigma2 >= 0, n >= 1)
    SHORT = (L * eta_t <= rational(1, 10), eta_g >= 1)
    ROUND = (SIZES, SHORT)
    SQUARES = assume("meaning: squared norms", G2 >= 0, Lam2 >= 0, moved >= 0)
    DRIFT = by.real("potential.drift")(
        1 / (n * tau) * drift
        <= rational(23, 20) * (2 * eta_t**2 * G2 + 4 * Lam2 + 8 * eta_t**2 / (eta_g**2 * tau) * (sigma2 / b)),
        (*SIZES, *SHORT),
        ETA_T,
        SQUARES[0],
        SHORT_DRIFT.at(),
        note="The bound on the drift without B_g, for eta tau L <= 1/8.",
    )
    SPREAD = by.real("potential.spread")(
        spread
        <= 2 / eta_g**2 * eta_t**2 * L**2 * moved
        + 4 / eta_g**2 * eta_t**2 * L**2 * (1 / (n * tau) * drift)
        + 4 / eta_g**2 * eta_t**2 / tau * (sigma2 / b),
        SIZES,
        ETA_T,
        EQ36.at(),
        note="(36) over n.",
    )
    SERVER8 = by.real("potential.server.noise", "(13), second inequality")(
        n / eta_g**2 <= 8,
        (n >= 1, eta_g > 0),
        f.SERVER,
    )
    SERVER_LONG = by.real("potential.server.long", "(13), second inequality")(
        eta_g >= rational(3, 2),
        n >= 1,
        f.SERVER,
    )
    SIXTEENTH = rounds("sixteenth", rational(1, 16), rational(1, 80), ())
    TWELFTH = rounds("twelfth", rational(1, 12), rational(1, 75), ())
    LONG = (eta_g >= rational(3, 2),)
    FIFTEENTHS = rounds("fifteenths", rational(2, 15), rational(1, 80), LONG)
    ONE = rounds("one", sp.Integer(1), rational(1, 36), LONG)
    FALLS35 = by.sum("potential.falls35")(
        F1 - Fs + rational(1, 16) * spread / eta_t
        <= F0
        - Fs
        + rational(1, 16) * Lam2 / eta_t
        - f.SHARP_DESCENT * eta_t * G2
        + (1 + rational(73, 200) * (n / eta_g**2)) * (eta_t * NOISE),
        ROUND,
        SQUARES,
        SIXTEENTH[1].at(),
        MODEL.at({n2(G): G2}),
        assume(SQUARES[1].why, Lam2 >= 0),
        assume(SQUARES[0].why, G2 >= 0),
    )

    #: mu eta~ <= 1/10, as mu <= L gives
    CURVED = (mu > 0, mu * eta_t <= rational(1, 10))
    EIGHT = (n / eta_g**2 <= 8,)
    SAME = rational(2, 15)
    #: the share of mu eta~ by which the potential falls, and the model's least value for it
    NINE, HALF, THIRD = rational(9, 10), rational(1, 2), rational(1, 3)
    ROUND36 = contracts(
        "twelfth",
        TWELFTH[1],
        (rational(1, 12), rational(1, 12)),
        NINE,
        1 + rational(23, 50) * (n / eta_g**2),
        FALLS_WEAK.at(),
    )
    USUAL = contracts(
        "usual",
        FIFTEENTHS[1],
        (SAME, SAME),
        HALF,
        rational(31, 5),
        FALLS.at({a: mu}),
        (*LONG, *EIGHT),
    )
    LAST = contracts(
        "last",
        ONE[1],
        (SAME, sp.Integer(1)),
        THIRD,
        rational(351, 10),
        FALLS.at({a: mu}),
        (*LONG, *EIGHT),
    )
