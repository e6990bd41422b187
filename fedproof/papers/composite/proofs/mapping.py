"""(11), (12), (18)-(20), (25): the proximal operator, its subgradients and the prox-gradient mapping."""

from fedproof.papers.composite.proofs.vectors import *

#: points and what the prox makes of them
x, y, u, v = vectors("x y u v")
h_u = vector("h_u", r"\tilde\nabla g(u)")
h_v = vector("h_v", r"\tilde\nabla g(v)")
w = vector("w", "w")
omega = vector("omega", r"\boldsymbol\omega^{r}")
between = vector("between", r"(\tilde{\mathbf x}^{r+1}+\lambda(w-\tilde{\mathbf x}^{r+1}))")
g_u = number("g_u", "g(u)")
g_v = number("g_v", "g(v)")
g_w = number("g_w", "g(w)")
g_tilde = number("g_tilde", r"g(\tilde{\mathbf x}^{r+1})")
g_between = number("g_b", r"g(\tilde{\mathbf x}^{r+1}+\lambda(w-\tilde{\mathbf x}^{r+1}))")
g_P = number("g_P", r"g(P_{\tilde\eta}(\overline{\mathbf x}^{r}))")
#: a step
s = number("s")
lam = number("lam", r"\lambda")
inner = number(
    "inner", r"\langle\boldsymbol\omega^{r}-\tilde{\mathbf x}^{r+1},w-\tilde{\mathbf x}^{r+1}\rangle"
)
far2 = number("far2", r"\|w-\tilde{\mathbf x}^{r+1}\|^2")

by = step_writer("composite", __name__)
STEP = (eta_t > 0,)


def subgradient(h: sp.Expr, at: Vector, value: sp.Expr, other: sp.Expr, there: sp.Expr) -> sp.Basic:
    """h is a subgradient of g at a point: what that says of another point and of g there."""
    return value + ip(h, other - at) <= there


def ordered(points: Any, subgradients: Any, penalties: Any) -> dict[Any, Any]:
    """Two points, subgradients of g and its values there, as named below."""
    return dict(zip((u, v, h_u, h_v, g_u, g_v), (*points, *subgradients, *penalties), strict=True))


def two(points: Any, before: Any, subgradients: Any, penalties: Any, step: Any) -> dict[Any, Any]:
    """The same of two proximal points, with what they are made of and the step."""
    return {**ordered(points, subgradients, penalties), x: before[0], y: before[1], s: step}


with printed():
    IS_SUBGRADIENT = "definition: a subgradient of g"
    BY_PROX = assume(
        "definition: u and v are proximal points of x and y", Eq(u, x - s * h_u), Eq(v, y - s * h_v)
    )
    TWO_TANGENTS = assume(IS_SUBGRADIENT, subgradient(h_u, u, g_u, v, g_v), subgradient(h_v, v, g_v, u, g_u))
    MINIMISES = by.quad("prox.minimises", "the proximal operator")(
        s * g_u + n2(u - x) / 2 + n2(w - u) / 2 <= s * g_w + n2(w - x) / 2,
        s > 0,
        assume("definition: u is the proximal point of x", Eq(u, x - s * h_u)),
        assume(IS_SUBGRADIENT, subgradient(h_u, u, g_u, w, g_w)),
        note="The point u = x - s h with h a subgradient at u is the one minimiser of s g + |. - x|^2/2.",
    )
    MONOTONE = by.quad("prox.monotone", "(27), nonexpansiveness")(
        0 <= ip(h_u - h_v, u - v),
        TWO_TANGENTS,
    )
    NONEXPANSIVE = by.quad("prox.nonexpansive", "(27), nonexpansiveness")(
        n2(u - v) <= n2(x - y),
        s > 0,
        BY_PROX,
        TWO_TANGENTS,
        MONOTONE.at(),
    )
    LEAST = eta_t * g_tilde + n2(tilde - omega) / 2
    EQ18 = by.quad("eq18")(
        LEAST <= eta_t * g_between + n2(between - omega) / 2,
        STEP,
        assume(
            "definition: (4) and the proximal operator",
            LEAST <= eta_t * g_between + n2(between - omega) / 2,
        ),
    )
    SEGMENT = by.quad("eq19.segment", "eq. (19), on the segment from the minimiser to w")(
        lam * ip(omega - tilde, w - tilde) <= lam * (eta_t * (g_w - g_tilde)) + lam**2 / 2 * n2(w - tilde),
        STEP,
        lam >= 0,
        lam <= 1,
        assume("definition: a point of the segment", Eq(between, tilde + lam * (w - tilde))),
        EQ18.at(),
        convex(g_between <= (1 - lam) * g_tilde + lam * g_w),
    )
    _GAP = sp.Abs(inner - eta_t * (g_w - g_tilde))
    _NEAR = _GAP / (_GAP + far2 + 1)
    LIMIT = by.real("eq19.limit", "eq. (19), near the minimiser")(
        inner <= eta_t * (g_w - g_tilde),
        STEP,
        assume("meaning: a squared norm", far2 >= 0),
        convex(g_between <= (1 - _NEAR) * g_tilde + _NEAR * g_w),
        SEGMENT.at({lam: _NEAR, ip(omega - tilde, w - tilde): inner, n2(w - tilde): far2}),
        note="The segment's inequality at one point near enough to the minimiser.",
    )
    EQ19 = by.quad("eq19")(
        subgradient(1 / eta_t * (omega - tilde), tilde, g_tilde, w, g_w),
        STEP,
        assume(
            "meaning: the names in eq19.limit",
            Eq(inner, ip(omega - tilde, w - tilde)),
            Eq(far2, n2(w - tilde)),
        ),
        LIMIT.at(),
        note="For every w: the vector is a subgradient of g at the minimiser.",
    )
    OMEGA = assume("definition: omega^r, below (18)", Eq(omega, P - eta_t * grad))
    EQ20 = by.quad("eq20")(
        subgradient(1 / eta_t * (P - tilde) - grad, tilde, g_tilde, w, g_w),
        STEP,
        OMEGA,
        EQ19.at(),
    )
    MAPPING = assume("definition: (11)", Eq(G, 1 / eta_t * (P - tilde)))
    EQ12 = by.quad("eq12")(
        subgradient(G - grad, tilde, g_tilde, w, g_w),
        STEP,
        MAPPING,
        EQ20.at(),
        note="G is the sum of grad f at the server's model and of a subgradient of g at x~.",
    )
    EQ25 = by.quad("eq25")(
        Eq(tilde - P, -eta_t * (grad + h_tilde)),
        STEP,
        assume(
            "definition: (4), with the subgradient at the minimiser",
            Eq(tilde, P - eta_t * grad - eta_t * h_tilde),
        ),
    )
    EQ25_MAPPING = by.quad("eq25.mapping", "eq. (25), below the brace")(
        Eq(G, grad + h_tilde),
        STEP,
        MAPPING,
        EQ25.at(),
    )
    SMOOTH_ONLY = by.quad("eq12.smooth", 'below (12), "when g = 0"')(
        Eq(G, grad),
        STEP,
        EQ25_MAPPING.at(),
        assume("definition: g = 0, whose one subgradient is 0", Eq(h_tilde, 0)),
    )
    ZERO = assume("definition: (11), and the mapping vanishes", Eq(G, 0), Eq(tilde, P - eta_t * G))
    STAYS = by.quad("eq12.stays", 'below (12), "if"')(
        n2(P - tilde) <= 0,
        STEP,
        ZERO,
        note="G = 0 only where the model is x~ ...",
    )
    STATIONARY = by.quad("eq12.stationary", 'below (12), "if"')(
        subgradient(-grad, P, g_P, w, g_w),
        STEP,
        ZERO,
        EQ12.at({g_tilde: g_P}),
        note="... and satisfies the first-order condition: -grad f is a subgradient of g there.",
    )
    CONVERSE = by.quad("eq12.converse", 'below (12), "only if"')(
        n2(G) <= 0,
        STEP,
        MAPPING,
        assume("definition: the first-order condition", subgradient(-grad, P, g_P, tilde, g_tilde)),
        EQ12.at({w: P, g_w: g_P}),
        note="Where the first-order condition holds, the mapping vanishes, for every step size.",
    )
