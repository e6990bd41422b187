"""Appendix C's vectors, sequences and numbers, conditional on a round's start, and how they are printed.

A mean is a weighted sum: over the N clients with weights p_n = D_n/D, or over the finitely many outcomes of
the draws of Algorithm 1 with their probabilities. A random vector is a vector of the space in which <x, y>
means E<x, y>; what is fixed is orthogonal to x - E x. Means of vectors are read in each coordinate.
"""

from fedproof.papers.fedproxvr.proofs.vectors import *

_START, _END, _LOCAL = r"(\bar w^{(s-1)})", r"(\bar w^{(s)})", r"(w_n^{(s)})"
#: a client, how many there are, its weight D_n/D; an outcome of a round's draws, how many, its probability
n, N, i, M = numbers("n N i M")
p = sequence("p(n)", "p_n", nonnegative=True)
chance = sequence("P(i)", r"\Pr(i)", nonnegative=True)
CLIENT, OUTCOME = (n, 1, N), (i, 1, M)


def average(body: sp.Expr) -> sp.Expr:
    """The mean of a quantity over the clients, E_n in print."""
    return total(p(n) * body, *CLIENT)


def expected(body: sp.Expr) -> sp.Expr:
    """The mean of a quantity over the outcomes, E in print."""
    return total(chance(i) * body, *OUTCOME)


start = vector("start", r"\bar w^{(s-1)}")
local = vector("local", "w_n^{(s)}")
server = vector("server", r"\bar w^{(s)}")
least = vector("least", "w_s^{n*}")
mean_w = vector("mean_w", r"\mathbb E_n[w_n^{(s)}]")
grad = vector("grad", rf"\nabla F_n{_START}")
grad_local = vector("grad_local", rf"\nabla F_n{_LOCAL}")
grad_J_local = vector("grad_J_local", rf"\nabla J_n{_LOCAL}")
bar = vector("bar", rf"\nabla\bar F{_START}")
bar_end = vector("bar_end", rf"\nabla\bar F{_END}")
gap = vector("gap", rf"\mathbb E_n[\nabla J_n{_LOCAL}-\nabla F_n{_LOCAL}]")
mean_J = vector("mean_J", rf"\mathbb E_n[\nabla J_n{_LOCAL}]")
mean_F = vector("mean_F", rf"\mathbb E_n[\nabla F_n{_LOCAL}]")
mean_start = vector("mean_start", rf"\mathbb E_n[\nabla F_n{_START}]")
mean_end = vector("mean_end", rf"\mathbb E_n[\nabla F_n{_END}]")
wc = sequence("w(n)", "w_n^{(s)}")
jc = sequence("J(n)", rf"\nabla J_n{_LOCAL}")
fc = sequence("f(n)", rf"\nabla F_n{_LOCAL}")
start_c = number("start_c", r"\bar w^{(s-1)}")
server_c = number("server_c", r"\bar w^{(s)}")
#: any sequence
X = sequence("X", nonnegative=True)
Y = sequence("Y(n)", r"\langle x_n,m\rangle")
F0 = number("F0", rf"\bar F{_START}")
F1 = number("F1", rf"\bar F{_END}")
D = number("D", rf"\mathbb E[\bar F{_END}-\bar F{_START}]")
B = number("B", rf"\|\nabla\bar F{_START}\|")
B2 = number("B2", rf"\|\nabla\bar F{_START}\|^2")
rms = number("rms", rf"(\mathbb E_n\|\nabla F_n{_START}\|^2)^{{1/2}}")
S2 = number("S2", r"\|\bar w^{(s)}-\bar w^{(s-1)}\|^2")
moved = number("moved", r"\mathbb E\|\bar w^{(s)}-\bar w^{(s-1)}\|^2")
g = sequence("g(n)", rf"\|\nabla F_n{_START}\|", nonnegative=True)
G = sequence("G(n)", rf"\|\nabla F_n{_START}\|^2", nonnegative=True)
V = sequence("V(n)", rf"\|\nabla F_n{_START}-\nabla\bar F{_START}\|^2", nonnegative=True)
sg = sequence("s(n)", r"\sigma_n^2", nonnegative=True)
sigma = number("sigma", r"\sigma_n")
H = sequence("H(n)", rf"\mathbb E\|\nabla F_n{_START}-\nabla F_n{_LOCAL}\|", nonnegative=True)
Q = sequence("Q(n)", rf"\mathbb E\|\nabla J_n{_LOCAL}\|", nonnegative=True)
W = sequence("W(n)", r"\mathbb E\|\bar w^{(s-1)}-w_n^{(s)}\|", nonnegative=True)
R = sequence("R(n)", r"(\mathbb E\|\bar w^{(s-1)}-w_n^{(s)}\|^2)^{1/2}", nonnegative=True)
R2 = sequence("R2(n)", r"\mathbb E\|\bar w^{(s-1)}-w_n^{(s)}\|^2", nonnegative=True)
In = sequence("I(n)", rf"\langle\nabla\bar F{_START},\nabla F_n{_START}-\nabla F_n{_LOCAL}\rangle")
K = sequence("K(n)", rf"\langle\nabla\bar F{_START},\nabla J_n{_LOCAL}\rangle")
residual = sequence("r(i)", rf"\|\nabla J_n{_LOCAL}\|_i", nonnegative=True)
fall = sequence("fall(i)", rf"(\bar F{_END}-\bar F{_START})_i")
h = sequence("h(i)", rf"(\mathbb E_n\|\nabla F_n{_START}-\nabla F_n{_LOCAL}\|)_i")
k = sequence("k(i)", rf"(\mathbb E_n\|\nabla J_n{_LOCAL}\|)_i")
step2 = sequence("S(i)", r"\|\bar w^{(s)}-\bar w^{(s-1)}\|_i^2")

u = number("u", r"\sqrt{(1+\theta^2)(1+\bar\sigma^2)}")
v = number("v", r"\sqrt{2(1+\bar\sigma^2)}")
kept = number("kept", r"\mu\Theta")

by = step_writer("fedproxvr", __name__)

POSITIVE: tuple[Any, ...] = (mu > 0, L > 0)
CLIENTS = assume("meaning: there is a client", N >= 1)
DRAWS = assume("meaning: there is an outcome", M >= 1)
NORMS = assume("meaning: norms", B >= 0, rms >= 0)
with printed():
    STEP2 = n2(server - start)
    WEIGHTS = assume("definition: p_n = D_n/D with D the sum of all D_n", Eq(total(p(n), *CLIENT), 1))
    PROBABILITIES = assume("meaning: probabilities", Eq(total(chance(i), *OUTCOME), 1))
