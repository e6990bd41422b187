"""Facts about means that the proofs use by name: Cauchy-Schwarz and Jensen."""

from __future__ import annotations

from fedproof.papers.fedproxvr.proofs.round_vectors import *
from fedproof.papers.fedproxvr.proofs.vectors import fact
from fedproof.proof.prelude import *

x, y, z, m, one = vectors("x y z m one")
#: |m| and the mean of |x_n| for vectors x_n with mean m
size, mean_size = number("size"), number("mean_size")

SIZE_NAMES = (
    (X(n), r"\|x_n\|"),
    (Y(n), r"\langle x_n,m\rangle"),
    (size, r"\|m\|"),
    (mean_size, r"\mathbb E_n\|x_n\|"),
)
LATEX_NAMES = ((one, "1"), (m, r"\mathbb E x"))

with printed():
    SCHWARZ = fact(
        "schwarz",
        "(79), Cauchy-Schwarz",
        ip(x, y) <= norm(x) * norm(y),
        rule="quad",
        note="True of any two vectors.",
    )
    MEAN_BELOW_RMS = fact(
        "mean_below_rms",
        "(55), (83), Jensen's inequality",
        ip(x, one) <= norm(x),
        assume("meaning: the random variable 1; <x, 1> is the mean of x", n2(one) <= 1),
        rule="quad",
        mean=r"\mathbb E",
        reads=LATEX_NAMES,
        note="A mean is at most the root of the mean square.",
    )
    JENSEN = fact(
        "jensen",
        "(73), Jensen's inequality",
        n2(m - z) <= n2(x - z),
        assume("meaning: m is the mean of x, and z is fixed", Eq(ip(x - m, m), 0), Eq(ip(x - m, z), 0)),
        rule="quad",
        mean=r"\mathbb E",
        reads=LATEX_NAMES,
        note="The squared distance of a mean is at most the mean squared distance.",
    )
    #: |E_n x_n| is at most E_n |x_n|, in three steps: <x_n, m> is at most |x_n| |m| for the mean m
    NORM_PRODUCT = fact(
        "jensen.norm.product",
        "above (76), Jensen's inequality",
        size * size <= size * average(X(n)),
        CLIENTS,
        SCHWARZ.at({ip(x, y): Y(n), norm(x): X(n), norm(y): size}, weight=p(n), over=CLIENT),
        assume("meaning: m is the mean of x_n, and Y(n) is <x_n, m>", Eq(size * size, average(Y(n)))),
        rule="sum",
        reads=SIZE_NAMES,
    )
    NORM_SIGN = fact(
        "jensen.norm.sign",
        "above (76), Jensen's inequality",
        0 <= average(X(n)),
        CLIENTS,
        rule="sum",
        reads=SIZE_NAMES,
    )
    NORM_JENSEN = fact(
        "jensen.norm",
        "above (76), Jensen's inequality",
        size <= mean_size,
        assume("meaning: the norm of a mean", size >= 0),
        NORM_PRODUCT.at({average(X(n)): mean_size}),
        NORM_SIGN.at({average(X(n)): mean_size}),
        reads=SIZE_NAMES,
        note="The norm of a mean is at most the mean norm.",
    )
