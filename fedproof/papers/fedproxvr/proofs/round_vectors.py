"""Appendix C's vectors, sequences and numbers, conditional on a round's start, and how they are printed.

A mean is a weighted sum: over the N clients with weights p_n = D_n/D, or over the finitely many outcomes of
the draws of Algorithm 1 with their probabilities. A random vector is a vector of the space in which <x, y>
means E<x, y>; what is fixed is orthogonal to x - E x. Means of vectors are read in each coordinate.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from fedproof.papers.fedproxvr.notation import L, mu
from fedproof.papers.fedproxvr.proofs.vectors import fact
from fedproof.proof.prelude import *

FIRST = sp.Integer(1)
#: a client, how many there are, its weight D_n/D; an outcome of a round's draws, how many, its probability
n, N, i, M = (number(x) for x in ("n", "N", "i", "M"))
p, chance = sequence("p", nonnegative=True), sequence("P", nonnegative=True)
CLIENT, OUTCOME = (n, FIRST, N), (i, FIRST, M)


def average(body: sp.Expr) -> sp.Expr:
    """The mean of a quantity over the clients, E_n in print."""
    return total(p(n) * body, *CLIENT)


def expected(body: sp.Expr) -> sp.Expr:
    """The mean of a quantity over the outcomes, E in print."""
    return total(chance(i) * body, *OUTCOME)


#: the round's start, a client's local model, the server's next model, the client's minimiser
start, local, server, least = vectors("start local server least")
#: the mean of the local models over the clients
mean_w = vectors("mean_w")
#: grad F_n at the start and at the local model; grad J_n there; grad F at the start and at the end
grad, grad_local, grad_J_local, bar, bar_end = vectors("grad grad_local grad_J_local bar bar_end")
#: means over the clients: of grad J_n(w_n) - grad F_n(w_n) and of its parts, of grad F_n at start and end
gap, mean_J, mean_F, mean_start, mean_end = vectors("gap mean_J mean_F mean_start mean_end")
#: in one coordinate: the local models, grad J_n and grad F_n there, the server's models
wc, jc, fc = (sequence(x) for x in ("w", "J", "f"))
start_c, server_c = number("start_c"), number("server_c")
#: any sequences
X, Y = sequence("X", nonnegative=True), sequence("Y")
#: the global loss at start and end, the mean of their difference
F0, F1, D = (number(x) for x in ("F0", "F1", "D"))
#: |grad F|, its square, the root of E_n |grad F_n|^2, all at the start; |server - start|^2 and its mean
B, B2, rms, S2, moved = (number(x) for x in ("B", "B2", "rms", "S2", "moved"))
#: per client at the start: |grad F_n|, its square, |grad F_n - grad F|^2; sigma_n and its square
g, G, V, sg = (sequence(x, nonnegative=True) for x in ("g", "G", "V", "s"))
sigma = number("sigma")
#: per client: |grad F_n(start) - grad F_n(w_n)|, |grad J_n(w_n)|, |w_n - start|, its root mean square, its
#: mean square
H, Q, W, R, R2 = (sequence(x, nonnegative=True) for x in ("H", "Q", "W", "R", "R2"))
#: per client: <grad F, grad F_n(start) - grad F_n(w_n)>, <grad F, grad J_n(w_n)>
In, K = sequence("I"), sequence("K")
#: per outcome: |grad J_n(w_n)|, the fall of the loss, two means over clients, the squared step
residual = sequence("r", nonnegative=True)
fall, h, k, step2 = (sequence(x) for x in ("fall", "h", "k", "S"))

#: names for two roots and for mu Theta
u, v, kept = number("u"), number("v"), number("kept")

E = r"\mathbb E"
_START, _END, _LOCAL = r"(\bar w^{(s-1)})", r"(\bar w^{(s)})", r"(w_n^{(s)})"
LATEX_NAMES: tuple[tuple[Any, str], ...] = (
    (start, r"\bar w^{(s-1)}"),
    (local, "w_n^{(s)}"),
    (server, r"\bar w^{(s)}"),
    (least, "w_s^{n*}"),
    (mean_w, r"\mathbb E_n[w_n^{(s)}]"),
    (grad, rf"\nabla F_n{_START}"),
    (grad_local, rf"\nabla F_n{_LOCAL}"),
    (grad_J_local, rf"\nabla J_n{_LOCAL}"),
    (bar, rf"\nabla\bar F{_START}"),
    (bar_end, rf"\nabla\bar F{_END}"),
    (gap, rf"\mathbb E_n[\nabla J_n{_LOCAL}-\nabla F_n{_LOCAL}]"),
    (mean_J, rf"\mathbb E_n[\nabla J_n{_LOCAL}]"),
    (mean_F, rf"\mathbb E_n[\nabla F_n{_LOCAL}]"),
    (mean_start, rf"\mathbb E_n[\nabla F_n{_START}]"),
    (mean_end, rf"\mathbb E_n[\nabla F_n{_END}]"),
    (start_c, r"\bar w^{(s-1)}"),
    (server_c, r"\bar w^{(s)}"),
    (wc(n), "w_n^{(s)}"),
    (jc(n), rf"\nabla J_n{_LOCAL}"),
    (fc(n), rf"\nabla F_n{_LOCAL}"),
    (F0, rf"\bar F{_START}"),
    (F1, rf"\bar F{_END}"),
    (D, rf"\mathbb E[\bar F{_END}-\bar F{_START}]"),
    (B, rf"\|\nabla\bar F{_START}\|"),
    (B2, rf"\|\nabla\bar F{_START}\|^2"),
    (rms, rf"(\mathbb E_n\|\nabla F_n{_START}\|^2)^{{1/2}}"),
    (S2, r"\|\bar w^{(s)}-\bar w^{(s-1)}\|^2"),
    (moved, r"\mathbb E\|\bar w^{(s)}-\bar w^{(s-1)}\|^2"),
    (sigma, r"\sigma_n"),
    (sg(n), r"\sigma_n^2"),
    (g(n), rf"\|\nabla F_n{_START}\|"),
    (G(n), rf"\|\nabla F_n{_START}\|^2"),
    (V(n), rf"\|\nabla F_n{_START}-\nabla\bar F{_START}\|^2"),
    (H(n), rf"\mathbb E\|\nabla F_n{_START}-\nabla F_n{_LOCAL}\|"),
    (Q(n), rf"\mathbb E\|\nabla J_n{_LOCAL}\|"),
    (W(n), r"\mathbb E\|\bar w^{(s-1)}-w_n^{(s)}\|"),
    (R(n), r"(\mathbb E\|\bar w^{(s-1)}-w_n^{(s)}\|^2)^{1/2}"),
    (R2(n), r"\mathbb E\|\bar w^{(s-1)}-w_n^{(s)}\|^2"),
    (In(n), rf"\langle\nabla\bar F{_START},\nabla F_n{_START}-\nabla F_n{_LOCAL}\rangle"),
    (K(n), rf"\langle\nabla\bar F{_START},\nabla J_n{_LOCAL}\rangle"),
    (residual(i), rf"\|\nabla J_n{_LOCAL}\|_i"),
    (fall(i), rf"(\bar F{_END}-\bar F{_START})_i"),
    (h(i), rf"(\mathbb E_n\|\nabla F_n{_START}-\nabla F_n{_LOCAL}\|)_i"),
    (k(i), rf"(\mathbb E_n\|\nabla J_n{_LOCAL}\|)_i"),
    (step2(i), r"\|\bar w^{(s)}-\bar w^{(s-1)}\|_i^2"),
    (u, r"\sqrt{(1+\theta^2)(1+\bar\sigma^2)}"),
    (v, r"\sqrt{2(1+\bar\sigma^2)}"),
    (kept, r"\mu\Theta"),
    (p(n), "p_n"),
    (chance(i), r"\Pr(i)"),
)
real = partial(fact, reads=LATEX_NAMES)
quad = partial(fact, rule="quad", reads=LATEX_NAMES)
mean = partial(fact, rule="quad", reads=LATEX_NAMES, mean=E)
sums = partial(fact, rule="sum", reads=LATEX_NAMES)

POSITIVE: tuple[Any, ...] = (mu > 0, L > 0)
CLIENTS = assume("meaning: there is a client", N >= 1)
DRAWS = assume("meaning: there is an outcome", M >= 1)
NORMS = assume("meaning: norms", B >= 0, rms >= 0)
with printed():
    STEP2 = n2(server - start)
    WEIGHTS = assume("definition: p_n = D_n/D with D the sum of all D_n", Eq(total(p(n), *CLIENT), 1))
    PROBABILITIES = assume("meaning: probabilities", Eq(total(chance(i), *OUTCOME), 1))
