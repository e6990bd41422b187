"""What the theorems assume of losses, samples and compressors: what no check on numbers can see."""

from __future__ import annotations

from fedproof.bounds.statement import Assumption
from fedproof.vocabulary.source import Source

KEY = "flecs"

MEAN = Assumption(
    f"{KEY}.problem1",
    "the objective is the mean of the workers' losses",
    r"F(w)=\tfrac1n\sum_{i=1}^n f_i(w)",
    Source(KEY, "eq. (1)"),
)
SMOOTH = Assumption(
    f"{KEY}.assumption2.smooth",
    "every worker's loss is convex and L-smooth",
    r"0\preceq\nabla^2f_i(w)\preceq LI",
    Source(KEY, "Assumption 2, printed with mu I for 0, of which the proofs need no more"),
)
STRONG = Assumption(
    f"{KEY}.assumption2.strong",
    "the objective is mu-strongly convex",
    r"\mu I\preceq\nabla^2F(w)",
    Source(KEY, "Assumption 2, printed of every worker's loss, of which the proofs need no more"),
)
SOLUTION = Assumption(
    f"{KEY}.solution",
    "w* is the solution, and h_*^i the gradient of f_i there",
    r"\nabla F(w^*)=0,\quad h_*^i=\nabla f_i(w^*)",
    Source(KEY, "Sec. 4; Lemma 10"),
)
SAMPLES = Assumption(
    f"{KEY}.assumption3",
    "the workers' samples are unbiased and independent, with variance at most sigma_i^2",
    r"\mathbb E[g_k^i\,|\,w_k]=\nabla f_i(w_k),\quad\mathbb E\|g_k^i-\nabla f_i(w_k)\|^2\le\sigma_i^2",
    Source(KEY, "Sec. 3; Assumption 3, printed without the square on the norm"),
)
COMPRESSOR = Assumption(
    f"{KEY}.definition3",
    "the compressor is in U(omega), and the workers draw it independently",
    r"\mathbb E_Q[Q(x)]=x,\quad\mathbb E_Q\|Q(x)-x\|^2\le\omega\|x\|^2",
    Source(KEY, "Definition 3"),
)
LISTING = Assumption(
    f"{KEY}.algorithm1",
    "the shifts, the server's gradient and the model are those of Algorithm 1",
    r"h_{k+1}^i=h_k^i+\gamma c_k^i,\quad\tilde g_k=\tfrac1n\sum_i(c_k^i+h_k^i),\quad "
    r"w_{k+1}=w_k-\alpha A_k\tilde g_k",
    Source(KEY, "Algorithm 1, lines 6, 7, 11, 13, 15; Lemma 8"),
)
OPERATOR = Assumption(
    f"{KEY}.lemma9",
    "A_k is symmetric, mu1 I <= A_k <= mu2 I, and known before the round's samples",
    r"\mu_1I\preceq A_k\preceq\mu_2I",
    Source(KEY, "Lemma 9, from [2]; that A_k does not depend on the round's samples is unstated"),
)
START = Assumption(
    f"{KEY}.start",
    "the Lyapunov function at the start is what its name says",
    r"\Psi_0=F(w_0)-F(w^*)+\tfrac{cL\mu_2^2\alpha^2}{n}\sum_i\|h_0^i-h_*^i\|^2",
    Source(KEY, "Theorem 4"),
)

SMOOTH_MEAN = Assumption(
    f"{KEY}.assumption4",
    "the objective is L-smooth",
    r"F(y)\le F(x)+\langle\nabla F(x),y-x\rangle+\tfrac L2\|x-y\|^2",
    Source(KEY, "Assumption 4; Definition 2"),
)
DISSIMILARITY = Assumption(
    f"{KEY}.assumption5",
    "the workers' gradients are within zeta^2 of the objective's, in the mean over the workers",
    r"\tfrac1n\sum_{i=1}^n\|\nabla f_i(x)-\nabla F(x)\|^2\le\zeta^2",
    Source(KEY, "Assumption 5, eq. (29)"),
    condition="bounded dissimilarity",
)
DISSIMILARITY_ALONG = Assumption(
    f"{KEY}.assumption5.along",
    "at the models of the run and at the solution: the workers' gradients are within zeta^2 of the "
    "objective's, in the mean over the workers and in expectation",
    r"\mathbb E\tfrac1n\textstyle\sum_{i=1}^n\|\nabla f_i(x)-\nabla F(x)\|^2\le\zeta^2,\quad"
    r" x\in\{w_0,\dots,w_{K-1},w^*\}",
    Source(KEY, "what Assumption 5, eq. (29), is used for"),
)
LEAST = Assumption(
    f"{KEY}.least",
    "F* = F(w*) is the least value of the objective",
    r"F(w^*)\le F(w)",
    Source(KEY, "Sec. 4"),
)
START_NONCONVEX = Assumption(
    f"{KEY}.start.nonconvex",
    "the Lyapunov function of the nonconvex case at the start is what its name says",
    r"\bar\kappa^0=F(w_0)-F^*+c\tfrac{L\alpha^2}{2}\tfrac1n\sum_i\|h_0^i-h_*^i\|^2",
    Source(KEY, "Theorem 5"),
)

SONIA = Assumption(
    f"{KEY}.algorithm5",
    "the search direction is that of Algorithm 5, and A_k is the truncated inverse on the sketch's "
    "range, and rho outside it",
    r"p_k=-T_kP_k\tilde g_k-\rho\,(I-P_k)\tilde g_k,\quad A_k=T_kP_k+\rho\,(I-P_k)",
    Source(KEY, "Algorithm 5, lines 7 and 8, whose signs the scan has lost in part; Lemma 8"),
)
NAMES = Assumption(
    f"{KEY}.lemmas.names",
    "the round and the worker are some of the run, and the squares are what their names say",
    r"0\le k<K,\quad 1\le i\le n",
    Source(KEY, "Lemmas 8, 10, 11 and 12"),
)

#: of Theorem 4, and of Theorem 5 and Corollary 6
CONVEX_CASE = (MEAN, SMOOTH, STRONG, SOLUTION, SAMPLES, COMPRESSOR, LISTING, OPERATOR, START)
NONCONVEX_CASE = (
    MEAN, SMOOTH_MEAN, DISSIMILARITY, SOLUTION, LEAST, SAMPLES, COMPRESSOR, LISTING, OPERATOR,
    START_NONCONVEX,
)  # fmt: skip
ASSUMPTIONS = {a.id: a for a in (*CONVEX_CASE, *NONCONVEX_CASE, DISSIMILARITY_ALONG, SONIA, NAMES)}
