"""Assumptions 3.1 to 3.4 and what the text leaves between the lines: what no check on numbers can see."""

from __future__ import annotations

from fedproof.bounds.statement import Assumption
from fedproof.vocabulary.source import Source

KEY = "composite"

CONVEX = Assumption(
    "composite.assumption3.1.convex",
    "the penalty g is proper, closed and convex",
    r"g\ \text{proper, closed, convex}",
    Source(KEY, "Assumption 3.1, first sentence"),
)
SUBGRADIENTS = Assumption(
    "composite.assumption3.1",
    "every subgradient of the penalty g is bounded by B_g",
    r"\|\widetilde\nabla g(\mathbf x)\|\le B_g\quad"
    r"\forall\,\mathbf x,\ \widetilde\nabla g(\mathbf x)\in\partial g(\mathbf x)",
    Source(KEY, "Assumption 3.1, second sentence"),
    condition="bounded subgradients",
)
SMOOTH = Assumption(
    "composite.assumption3.2",
    "every client loss is L-smooth",
    r"f_i(\mathbf y)\le f_i(\mathbf x)+\langle\nabla f_i(\mathbf x),\mathbf y-\mathbf x\rangle"
    r"+\tfrac{L}{2}\|\mathbf x-\mathbf y\|^2",
    Source(KEY, "Assumption 3.2"),
)
#: what the printed statements do not list is shown as needed besides
#: L-smoothness as the proofs use it; the printed one-sided form does not give it without convexity
LIPSCHITZ = Assumption(
    "composite.convention.lipschitz",
    "every client's gradient is L-Lipschitz, which is what L-smooth means and the proofs use",
    r"\|\nabla f_i(\mathbf x)-\nabla f_i(\mathbf y)\|\le L\|\mathbf x-\mathbf y\|",
    Source(KEY, 'Assumption 3.2, "L-smooth"; used in (30), (36), (42)'),
)
BOUNDED_BELOW = Assumption(
    "composite.assumption3.3.1",
    "f may be non-convex; the least objective is finite",
    r"F^{\star}=\inf_{\mathbf x}F(\mathbf x)>-\infty",
    Source(KEY, "Assumption 3.3(1), and F* in (10)"),
)
PROX_PL = Assumption(
    "composite.assumption3.3.2",
    "F satisfies the proximal PL inequality",
    r"\mu(F(\mathbf x)-F^{\star})\le\tfrac12 D_g(\mathbf x,\mu),\quad "
    r"D_g(\mathbf x,\mu)=-2\mu\min_{\mathbf y}"
    r"\{\langle\nabla f(\mathbf x),\mathbf y-\mathbf x\rangle+\tfrac{\mu}{2}\|\mathbf y-\mathbf x\|^2"
    r"+g(\mathbf y)-g(\mathbf x)\}",
    Source(KEY, "Assumption 3.3(2); printed with the gradient of F, meant is f's, as in its references"),
)
PROX_PL_WEAK = Assumption(
    "composite.assumption3.3.2.weak",
    "at the server's models F satisfies the proximal PL inequality with L in D_g, as in [11]",
    r"\mu(F(\mathbf x)-F^{\star})\le\tfrac12 D_g(\mathbf x,L)\quad"
    r"\text{at}\ \mathbf x=P_{\tilde\eta}(\overline{\mathbf x}^{1}),\dots,"
    r"P_{\tilde\eta}(\overline{\mathbf x}^{R})",
    Source(KEY, "[11]; where mu <= L, Assumption 3.3(2) implies it, by composite.prox_pl.weaker"),
)
UNBIASED = Assumption(
    "composite.assumption3.4.unbiased",
    "mini-batch gradients are unbiased given what was drawn before",
    r"\mathbb E[\nabla f_i(\mathbf z_{i,t}^{r};\mathcal B_{i,t}^{r})\,|\,\mathcal F_t^{r}]"
    r"=\nabla f_i(\mathbf z_{i,t}^{r})",
    Source(KEY, "Assumption 3.4, eq. (9), first line"),
)
VARIANCE = Assumption(
    "composite.assumption3.4.variance",
    "mini-batch gradients have variance at most sigma^2/b given what was drawn before",
    r"\mathbb E[\|\nabla f_i(\mathbf z_{i,t}^{r};\mathcal B_{i,t}^{r})-\nabla f_i(\mathbf z_{i,t}^{r})\|^2"
    r"\,|\,\mathcal F_t^{r}]\le\tfrac{\sigma^2}{b}",
    Source(KEY, "Assumption 3.4, eq. (9), second line"),
)
INDEPENDENT = Assumption(
    "composite.convention.independent",
    "clients draw their mini-batches independently of each other",
    r"\mathcal B_{1,t}^{r},\dots,\mathcal B_{n,t}^{r}\ \text{independent given}\ \mathcal F_t^{r}",
    Source(KEY, "unstated; used for sigma^2/n in (30), (42)"),
)
WHOLE_PAST = Assumption(
    "composite.convention.past",
    "the event F_t^r tells every batch drawn before step t of round r",
    r"\mathcal F_t^{r}=\sigma\{\mathcal B_{i,s}^{q}: q<r,\ s<\tau\ \text{or}\ q=r,\ s<t\}",
    Source(KEY, "above Assumption 3.4; as printed the later batches of earlier rounds are left out"),
)
FULL = Assumption(
    "composite.full",
    "every local step uses the client's full gradient",
    r"\nabla f_i(\mathbf z_{i,t}^{r};\mathcal B_{i,t}^{r})=\nabla f_i(\mathbf z_{i,t}^{r})",
    Source(KEY, 'below Theorem 3.5, "if full local gradients are used"'),
)
STATIONARY = Assumption(
    "composite.stationary",
    "the round starts at a stationary point",
    r"P_{\tilde\eta}(\overline{\mathbf x}^{r})=\mathbf x^{\star},\quad"
    r"-\nabla f(\mathbf x^{\star})\in\partial g(\mathbf x^{\star})",
    Source(KEY, "Appendix A.2"),
)
SETTLED = Assumption(
    "composite.settled",
    "every client's correction is the difference of the two gradients there",
    r"\mathbf c_i^{r}=\nabla f(\mathbf x^{\star})-\nabla f_i(\mathbf x^{\star})",
    Source(KEY, "not in the paper, which looks at one client"),
)
SAME_SIGNS = Assumption(
    "composite.fedda.signs",
    "the penalty's subgradient is the same in every round so far: for l1, no entry is held at zero or "
    "changes its sign",
    r"\tilde\nabla g(\mathbf x^{2})=\dots=\tilde\nabla g(\mathbf x^{r+1})",
    Source(KEY, "not in the paper"),
)
LEAST_SQUARES = Assumption(
    "composite.least_squares",
    "F is a least squares loss with an l1 penalty",
    r"F(\mathbf x)=\tfrac12\|A\mathbf x-\mathbf y\|^2+\vartheta\|\mathbf x\|_1,\quad\vartheta>0",
    Source(KEY, "below Assumption 3.3"),
)
BOX = Assumption(
    "composite.box",
    "the models lie in a box around a minimiser x*: |x_j| <= r_j where x*_j = 0 and vartheta is more than "
    "f's slope there",
    r"|x_j|\le r_j\quad\text{where}\ |\nabla_j f(\mathbf x^{\star})|<\vartheta",
    Source(KEY, "not in the paper, whose reference [11] looks at bounded sets"),
)
LOGISTIC = Assumption(
    "composite.logistic",
    "F is the loss of sparse logistic regression",
    r"F(\mathbf x)=\vartheta\|\mathbf x\|_1+\tfrac1n\sum_{i=1}^{n}\tfrac1{m_i}\sum_{l=1}^{m_i}"
    r"\ln(1+\exp(-b_{il}\mathbf a_{il}^{T}\mathbf x)),\quad\vartheta>0",
    Source(KEY, "Sec. 4.1"),
)
STRONGLY_CONVEX = Assumption(
    "composite.remark3.7.strongly_convex",
    "f is mu_sc-strongly convex",
    r"f(\mathbf y)\ge f(\mathbf x)+\langle\nabla f(\mathbf x),\mathbf y-\mathbf x\rangle"
    r"+\tfrac{\mu_{sc}}{2}\|\mathbf y-\mathbf x\|^2",
    Source(KEY, "Remark 3.7, Theorem 3.8"),
)

ASSUMPTIONS = {
    a.id: a
    for a in (
        CONVEX,
        SUBGRADIENTS,
        SMOOTH,
        LIPSCHITZ,
        BOUNDED_BELOW,
        PROX_PL,
        PROX_PL_WEAK,
        UNBIASED,
        VARIANCE,
        INDEPENDENT,
        WHOLE_PAST,
        FULL,
        STATIONARY,
        SETTLED,
        SAME_SIGNS,
        LEAST_SQUARES,
        BOX,
        LOGISTIC,
        STRONGLY_CONVEX,
    )
}
