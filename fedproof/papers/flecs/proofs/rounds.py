"""Names that the proofs share: a round's samples, messages and shifts, and what is assumed of them.

g_{k,i} is the sample of worker i in round k, h_{k,i} its shift, Q its compressor. In the space of random
vectors f(u) is the expected value of f at the random point u. A_k is known before the round.
"""

from fedproof.papers.flecs import assumptions as A
from fedproof.papers.flecs.notation import *
from fedproof.proof.language.prelude import *
from fedproof.proof.prelude import *

k, i, j = (sp.Symbol(name, integer=True) for name in ("k", "i", "j"))
a = number("a")
u, v = vectors("u v")
ws = vector("ws", "w^*")
f, F = Function("f", "f_{#1}(#2)"), Function("F")
grad, DF = Field("grad", r"\nabla f_{#1}(#2)"), Field("DF", r"\nabla F")
W, GT, Ak = Field("W", "w_{#1}"), Field("GT", r"\tilde g_{#1}"), Field("Ak", "A_{#1}#2")
Gk, Hk = Field("Gk", "g_{#1}^{#2}"), Field("Hk", "h_{#1}^{#2}")
Qk = Field("Qk", "Q(#3)")
#: the mean over a worker's sample, over its compressor, everything else held
Sk, Ck = Field("Sk", r"\mathbb E_{\xi_{#2}}[#3]"), Field("Ck", r"\mathbb E_{Q_{#2}}[#3]")
noise = sequence("noise(i)", r"\sigma_i^2")
ROUNDS, WORKERS, BEFORE = (k, 0, K - 1), (i, 1, n), (j, 1, i - 1)
EVERY = (ROUNDS, WORKERS)
w, wp, gt = W(k), W(k + 1), GT(k)
N = DF(w)


def g(of: Any) -> Any:
    """A worker's sample."""
    return Gk(k, of)


def h(of: Any) -> Any:
    """A worker's shift."""
    return Hk(k, of)


def x(of: Any) -> Any:
    """What a worker compresses."""
    return g(of) - h(of)


def message(of: Any) -> Any:
    """c of (3)."""
    return Qk(k, of, x(of))


def error(of: Any) -> Any:
    """What the compressor adds."""
    return message(of) - x(of)


def here(of: Any) -> Any:
    """A worker's gradient at w_k."""
    return grad(of, w)


def there(of: Any) -> Any:
    """A worker's gradient at the solution."""
    return grad(of, ws)


def mean(term: Any) -> Any:
    """The mean over the workers."""
    with printed():
        return total(term, *WORKERS) / n


def held(source: Any, vector: Any, why: str, *more: Any) -> ForEvery:
    """That a vector does not depend on worker i's sample, or on its compressor."""
    with printed():
        return ForEvery(Eq(source(k, i, vector), vector), (), why, (*EVERY, *more))


with printed():
    MEAN_F = ForEvery(Eq(F(u), total(f(i, u), i, 1, n) / n), (u,), A.MEAN.id)
    MEAN_GRAD = ForEvery(Eq(DF(u), total(grad(i, u), i, 1, n) / n), (u,), A.MEAN.id)
    SMOOTH = smooth(lambda p: f(i, p), lambda p: grad(i, p), L, A.SMOOTH.id, WORKERS)
    CONVEX = convex(lambda p: f(i, p), lambda p: grad(i, p), A.SMOOTH.id, WORKERS)
    STRONG = strongly_convex(F, DF, mu, A.STRONG.id)
    SOLUTION = ForEvery(Eq(DF(ws), 0), (), A.SOLUTION.id)
    AVERAGE = ForEvery(Eq(gt, total(h(i) + message(i), i, 1, n) / n), (), A.LISTING.id, ROUNDS)
    SHIFT = ForEvery(Eq(Hk(k + 1, i), h(i) + gamma * message(i)), (), A.LISTING.id, EVERY)
    STEP = ForEvery(Eq(wp, w - alpha * Ak(k, gt)), (), A.LISTING.id, ROUNDS)
    SYMMETRIC = ForEvery(Eq(ip(u, Ak(k, v)), ip(Ak(k, u), v)), (u, v), A.OPERATOR.id, ROUNDS)
    ABOVE = ForEvery(ip(u, Ak(k, u)) >= mu1 * n2(u), (u,), A.OPERATOR.id, ROUNDS)
    BELOW = ForEvery(n2(Ak(k, u)) <= mu2**2 * n2(u), (u,), A.OPERATOR.id, ROUNDS)
    UNBIASED = ForEvery(Eq(Sk(k, i, g(i)), here(i)), (), A.SAMPLES.id, EVERY)
    NOISE = ForEvery(n2(g(i) - here(i)) <= noise(i), (), A.SAMPLES.id, EVERY)
    S_SYMMETRIC = ForEvery(Eq(ip(Sk(k, i, u), v), ip(u, Sk(k, i, v))), (u, v), A.SAMPLES.id, EVERY)
    C_SYMMETRIC = ForEvery(Eq(ip(Ck(k, i, u), v), ip(u, Ck(k, i, v))), (u, v), A.COMPRESSOR.id, EVERY)
    C_LINEAR = ForEvery(
        Eq(Ck(k, i, u + a * v), Ck(k, i, u) + a * Ck(k, i, v)), (u, v, a), A.COMPRESSOR.id, EVERY
    )
    Q_MEAN = ForEvery(Eq(Ck(k, i, Qk(k, i, Ck(k, i, u))), Ck(k, i, u)), (u,), A.COMPRESSOR.id, EVERY)
    Q_SPREAD = ForEvery(
        n2(Qk(k, i, Ck(k, i, u)) - Ck(k, i, u)) <= omega * n2(Ck(k, i, u)), (u,), A.COMPRESSOR.id, EVERY
    )
    MEAN_NOISE = ForEvery(Eq(total(noise(i), i, 1, n) / n, sigma2), (), A.SAMPLES.id)
    ALL = (j, 1, n)
    C_G = held(Ck, g(j), A.COMPRESSOR.id, ALL)
    C_H = held(Ck, h(j), A.COMPRESSOR.id, ALL)
    C_C = held(Ck, message(j), A.COMPRESSOR.id, BEFORE)
    C_THERE = held(Ck, there(j), A.COMPRESSOR.id, ALL)
    C_N, C_AN = held(Ck, N, A.COMPRESSOR.id), held(Ck, Ak(k, N), A.OPERATOR.id)
    S_G = held(Sk, g(j), A.SAMPLES.id, BEFORE)
    S_H = held(Sk, h(j), A.SAMPLES.id, ALL)
    S_HERE = held(Sk, here(j), A.SAMPLES.id, ALL)
    S_THERE = held(Sk, there(j), A.SAMPLES.id, ALL)
    S_N, S_AN = held(Sk, N, A.SAMPLES.id), held(Sk, Ak(k, N), A.OPERATOR.id)

FORMULAS = (
    MEAN_F, MEAN_GRAD, SMOOTH, CONVEX, STRONG, SOLUTION, AVERAGE, SHIFT, STEP, SYMMETRIC, ABOVE, BELOW,
    UNBIASED, NOISE, S_SYMMETRIC, C_SYMMETRIC, C_LINEAR, Q_MEAN, Q_SPREAD, MEAN_NOISE,
    C_G, C_H, C_C, C_THERE, C_N, C_AN, S_G, S_H, S_HERE, S_THERE, S_N, S_AN,
)  # fmt: skip
#: what the draws of a round are
DRAWN = tuple(
    said.known
    for said in (
        UNBIASED, NOISE, S_SYMMETRIC, C_SYMMETRIC, C_LINEAR, Q_MEAN, Q_SPREAD,
        C_G, C_H, C_C, C_THERE, C_N, C_AN, S_G, S_H, S_HERE, S_THERE, S_N, S_AN,
    )
)  # fmt: skip
ROUND = (0 <= k, k <= K - 1, n >= 1)
MINE = (1 <= i, i <= n, 0 <= k, k <= K - 1)
EARLIER, OTHER = (1 <= j, j <= i - 1), (1 <= j, j <= n)
