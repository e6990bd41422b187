"""Assumption 1 and the inexactness criterion: what no check on numbers can see."""

from __future__ import annotations

from fedproof.bounds.statement import Assumption
from fedproof.vocabulary.source import Source

SMOOTH = Assumption(
    "fedproxvr.assumption1.smooth",
    "every sample loss is L-smooth",
    r"\|\nabla f_i(w)-\nabla f_i(w')\|\le L\|w-w'\|",
    Source("fedproxvr", "Assumption 1, eq. (3)"),
)
WEAKLY_CONVEX = Assumption(
    "fedproxvr.assumption1.weakly_convex",
    "every client loss is (-lambda)-strongly convex",
    r"F_n(w)+\langle\nabla F_n(w),w'-w\rangle\le F_n(w')+\tfrac{\lambda}{2}\|w-w'\|^2",
    Source("fedproxvr", "Assumption 1, eq. (4)"),
)
DISSIMILAR = Assumption(
    "fedproxvr.assumption1.dissimilarity",
    "client gradients diverge from the global one by at most sigma_n times its norm",
    r"\|\nabla F_n(w)-\nabla\bar F(w)\|\le\sigma_n\|\nabla\bar F(w)\|",
    Source("fedproxvr", "Assumption 1, eq. (5)"),
    condition="relative divergence",
)
DISSIMILAR_ALONG = Assumption(
    "fedproxvr.assumption1.dissimilarity.along",
    "at the server's models of the run, in mean square: the gradients of the clients diverge from the global "
    "one, in the mean over the clients, by at most sigma times its norm",
    r"\mathbb E\textstyle\sum_n p_n\|\nabla F_n(\bar w^{(s-1)})-\nabla\bar F(\bar w^{(s-1)})\|^2"
    r"\le\bar\sigma^2\,\mathbb E\|\nabla\bar F(\bar w^{(s-1)})\|^2",
    Source("fedproxvr", "what Assumption 1, eq. (5), is used for"),
)
INEXACT = Assumption(
    "fedproxvr.criterion11",
    "every client solves its surrogate to relative accuracy theta",
    r"\mathbb E[\|\nabla J_n(w_n^{(s)})\|\,|\,\bar w^{(s-1)}]\le\theta\|\nabla F_n(\bar w^{(s-1)})\|",
    Source("fedproxvr", "eq. (11)"),
)
INEXACT_SQUARED = Assumption(
    "fedproxvr.criterion11.squared",
    "every client solves its surrogate to relative accuracy theta in mean square",
    r"\mathbb E[\|\nabla J_n(w_n^{(s)})\|^2\,|\,\bar w^{(s-1)}]\le\theta^2\|\nabla F_n(\bar w^{(s-1)})\|^2",
    Source("fedproxvr", "eq. (54)-(55); stronger than (11), and what (70) uses"),
)
HETEROGENEOUS = Assumption(
    "fedproxvr.assumption1.heterogeneous",
    "every client has its own L_n and lambda_n < mu",
    r"\|\nabla F_n(w)-\nabla F_n(w')\|\le L_n\|w-w'\|,\quad"
    r" F_n(w)+\langle\nabla F_n(w),w'-w\rangle\le F_n(w')+\tfrac{\lambda_n}{2}\|w-w'\|^2,"
    r"\quad\lambda_n<\mu",
    Source("fedproxvr", "Sec. 3, below Assumption 1"),
)

ASSUMPTIONS = {a.id: a for a in (
    SMOOTH, WEAKLY_CONVEX, DISSIMILAR, DISSIMILAR_ALONG, INEXACT, INEXACT_SQUARED, HETEROGENEOUS,
)}  # fmt: skip
