"""Theorem 3.8, which the paper cites: a proof for f strongly convex, and more than it says.

The three-point inequality of the server's proximal step at x*, with v^r for grad f. Of the errors of v^r
only their part along P^{r+1} - x~^{r+1} counts, since x~^{r+1} and x* are known when the round begins; it is
of second order in eta~. What the changes of the gradients cost is paid by F(P^{r+1}) - F*.
"""

from fedproof.papers.composite.assumptions import CONVEX, STRONGLY_CONVEX
from fedproof.papers.composite.proofs import descent, drift_mean, mapping, potential
from fedproof.papers.composite.proofs.descent import change, err2, h_plus, noise, noise2, v
from fedproof.papers.composite.proofs.fact1 import UPPER, along, far2, fx, fy
from fedproof.papers.composite.proofs.potential import NOISE, SIZES
from fedproof.papers.composite.proofs.vectors import *

WHERE = "Theorem 3.8, which the text cites; this proof is not in it"
_P, _PLUS = (rf"P_{{\tilde\eta}}(\overline{{\mathbf x}}^{{{k}}})" for k in ("r", "r+1"))
#: grad f at a point of the segment from x* to P^{r+1}
_NEAR_BEST = rf"(\mathbf x^{{\star}}+\lambda({_PLUS}-\mathbf x^{{\star}}))"
grad_near = vector("grad_near", rf"\nabla f{_NEAR_BEST}")
best = vector("best", r"\mathbf x^{\star}")
near = vector("on_segment", _NEAR_BEST)
conditional_mean = vector(
    "told_tilde", r"\mathbb E[\tilde{\mathbf x}^{r+1}-\mathbf x^{\star}\,|\,\mathcal F_0^{r}]"
)
#: f at P^r; f and g at that point
f0 = number("f0", f"f({_P})")
f_near, g_near = number("f_near", f"f{_NEAR_BEST}"), number("g_near", f"g{_NEAR_BEST}")
f1 = number("f1", rf"f({_PLUS})")
g1 = number("g1", rf"g({_PLUS})")
fs = number("fs", r"f(\mathbf x^{\star})")
gs = number("gs", r"g(\mathbf x^{\star})")
F1 = number("F1", rf"F({_PLUS})")
Fs = number("Fs", r"F^{\star}")
lam = number("lam", r"\lambda")
dist0 = number("dist0", rf"\mathbb E\|{_P}-\mathbf x^{{\star}}\|^2")
dist1 = number("dist1", rf"\mathbb E\|{_PLUS}-\mathbf x^{{\star}}\|^2")
apart2 = number("apart2", rf"\|{_PLUS}-\mathbf x^{{\star}}\|^2")

by = step_writer("composite", __name__, WHERE)

with printed():
    CURVED = (mu_sc > 0,)
    AT_PLUS = assume("definition: (1), F = f + g", Eq(F1, f1 + g1))
    AT_BEST = assume("definition: (1), F = f + g; F* is attained at x*", Eq(Fs, fs + gs))
    SEGMENT = by.quad("theorem3.8.segment")(
        mu_sc / 2 * lam * (1 - lam) * n2(plus - best) <= lam * (F1 - Fs),
        (mu_sc > 0, lam >= 0, lam <= 1),
        assume("definition: a point of the segment", Eq(near, best + lam * (plus - best))),
        assume(STRONGLY_CONVEX.id, f_near + ip(grad_near, best - near) + mu_sc / 2 * n2(best - near) <= fs),
        assume(STRONGLY_CONVEX.id, f_near + ip(grad_near, plus - near) + mu_sc / 2 * n2(plus - near) <= f1),
        assume(CONVEX.id, g_near <= (1 - lam) * gs + lam * g1),
        assume("definition: F* is the least value", Fs <= f_near + g_near),
        AT_PLUS,
        AT_BEST,
    )
    _LACK = sp.Abs(mu_sc / 2 * apart2 - (F1 - Fs))
    _NEAR = _LACK / (_LACK + mu_sc * apart2 + 1)
    GROWTH = by.real("theorem3.8.growth")(
        mu_sc / 2 * apart2 <= F1 - Fs,
        CURVED,
        assume("meaning: a squared norm", apart2 >= 0),
        convex(g_near <= (1 - _NEAR) * gs + _NEAR * g1),
        assume("definition: F* is the least value", Fs <= f_near + g_near),
        AT_PLUS,
        AT_BEST,
        SEGMENT.at({lam: _NEAR, n2(plus - best): apart2}),
        note="F grows quadratically from its minimiser: the segment's inequality at one point near x*.",
    )
    QUADRATIC = by.quad("theorem3.8.quadratic")(
        mu_sc / 2 * n2(plus - best) <= F1 - Fs,
        CURVED,
        assume("meaning: the name in theorem3.8.growth", Eq(apart2, n2(plus - best))),
        GROWTH.at(),
    )
    THREE = by.quad("theorem3.8.three")(
        2 * eta_t * (F1 - Fs) + n2(plus - best)
        <= (1 - mu_sc * eta_t) * n2(P - best)
        - (1 - L * eta_t) * n2(plus - P)
        + 2 * eta_t * ip(grad - v, plus - best),
        (eta_t > 0, L > 0, mu_sc > 0),
        descent.SERVER,
        assume(CONVEX.id, g1 + ip(h_plus, best - plus) <= gs),
        assume(STRONGLY_CONVEX.id, f0 + ip(grad, best - P) + mu_sc / 2 * n2(best - P) <= fs),
        UPPER.at({fy: f1, fx: f0, along: ip(grad, plus - P), far2: n2(plus - P)}),
        AT_PLUS,
        AT_BEST,
        note="The server's proximal step against x*.",
    )
    ERROR = assume("definition: (3), v^r less grad f(P)", Eq(v - grad, noise + change))
    APART = by.mean("theorem3.8.apart")(
        n2(plus - tilde) <= eta_t**2 * n2(v - grad),
        eta_t > 0,
        descent.SERVER,
        assume("definition: (4), with (25)", Eq(tilde, P - eta_t * grad - eta_t * h_tilde)),
        mapping.NONEXPANSIVE.at(
            mapping.two(
                (plus, tilde),
                (P - eta_t * v, P - eta_t * grad),
                (h_plus, h_tilde),
                (g1, mapping.g_tilde),
                eta_t,
            ),
        ),
    )
    SECOND_ORDER = by.mean("theorem3.8.noise")(
        -2 * eta_t * ip(noise, plus - best) <= 3 * eta_t**2 * n2(noise) + eta_t**2 * n2(change),
        eta_t > 0,
        ERROR,
        centred(noise, tilde - best, conditional_mean, -2 * eta_t),
        APART.at(),
        note="x~^{r+1} and x* are known when the round begins, and the mini-batches' errors are centred.",
    )
    RECURSION = by.mean("theorem3.8.recursion")(
        n2(plus - best)
        <= (1 - mu_sc * eta_t) * n2(P - best)
        - (1 - L * eta_t) * n2(plus - P)
        + (eta_t / mu_sc + eta_t**2) * n2(change)
        + 3 * eta_t**2 * n2(noise),
        (eta_t > 0, L > 0, mu_sc > 0),
        ERROR,
        QUADRATIC.at(),
        added(THREE, SECOND_ORDER),
    )
    MOVES = by.mean("theorem3.8.moves")(
        eta_t**2 * n2(G) <= 2 * n2(plus - P) + 2 * eta_t**2 * n2(v - grad),
        eta_t > 0,
        assume("definition: (11)", Eq(tilde, P - eta_t * G)),
        APART.at(),
        note="The exact step is the step taken, up to the error of v^r.",
    )
    #: sigma^2/(n tau b) over eta_g^2, times n
    SHARED = n / eta_g**2 * NOISE
    LOCAL = (L * eta_t / eta_g) ** 2
    MEAN = 1 / (n * tau) * drift
    LONG_SERVER = (eta_g >= 1,)
    HERE = by.sum("theorem3.8.drift")(
        (1 - rational(9, 2) * LOCAL) * MEAN
        <= rational(9, 4) * eta_t**2 * G2 + rational(3, 4) * Lam2 + rational(9, 8) * (eta_t**2 * SHARED),
        SIZES,
        LONG_SERVER,
        ETA_T,
        assume("meaning: a mean square", G2 >= 0),
        drift_mean.DRIFT.at({drift_mean.reach: eta_t}),
    )
    FOLDED = by.sum("theorem3.8.drift.moved")(
        (1 - rational(27, 2) * (L * eta_t) ** 2) * MEAN
        <= rational(9, 2) * moved
        + 9 * (eta_t**2 * NOISE)
        + rational(3, 4) * Lam2
        + rational(9, 8) * (eta_t**2 * SHARED),
        SIZES,
        LONG_SERVER,
        assume("meaning: a sum of mean squares", drift >= 0),
        assume("meaning: a mean square", G2 >= 0),
        HERE.at(),
        MOVES.at({n2(G): G2, n2(plus - P): moved, n2(v - grad): err2}),
        descent.EQ42.at(),
        note="The drift by the server's movement: no mapping is left.",
    )
    #: eta~ <= mu_sc/(10 L^2) and mu_sc <= L, with what they give
    SHORT = (L * eta_t <= rational(1, 10), L**2 * eta_t <= mu_sc / 10, mu_sc * eta_t <= rational(1, 10))
    SHORTER = (L * eta_t <= rational(1, 150), L**2 * eta_t <= mu_sc / 150, mu_sc * eta_t <= rational(1, 150))
    MEAN_SQUARE = "meaning: a mean square"


def one_round(name: str, weight: Any, pays: Any, noise_: Any, short: tuple[Any, ...]) -> Step:
    """A round of |P - x*|^2 plus `weight` times the spread of the corrections.

    Arguments:
        weight: of the spread.
        pays: what multiplies the drift's bound.
        noise_: what multiplies eta~^2 sigma^2/(n tau b), and n/eta_g^2 times it.
        short: conditions on the step size.
    """
    with printed():
        square = (L * eta_t) ** 2
        unused = (
            pays * (1 - rational(27, 2) * square)
            - eta_t * L**2 / mu_sc
            - square
            - 4 * weight / eta_g**2 * square
        )
        alone, shared = noise_
        return by.sum(f"theorem3.8.round{name}")(
            dist1 + weight * spread
            <= (1 - mu_sc * eta_t) * (dist0 + weight * Lam2)
            + alone * (eta_t**2 * NOISE)
            + shared * (eta_t**2 * SHARED),
            SIZES,
            LONG_SERVER,
            CURVED,
            short,
            RECURSION.at(
                {
                    n2(plus - best): dist1,
                    n2(P - best): dist0,
                    n2(plus - P): moved,
                    n2(change): descent.change2,
                    n2(noise): noise2,
                }
            ),
            used(descent.CHANGE, descent.NOISE, potential.SPREAD, FOLDED),
            times(unused / (n * tau), drift >= 0, MEAN_SQUARE),
            assume(MEAN_SQUARE, moved >= 0, Lam2 >= 0),
        )


ROUND = one_round("", rational(1, 9), rational(2, 15), (rational(21, 5), rational(3, 5)), SHORT)
ROUND_PRINTED = one_round(
    ".printed", sp.Integer(1), rational(1, 20), (rational(7, 2), rational(5, 1)), SHORTER
)
