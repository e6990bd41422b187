"""Facts about means that the proofs use by name: Cauchy-Schwarz and Jensen."""

from fedproof.papers.fedproxvr.proofs.round_vectors import *

X = sequence("X(n)", r"\|x_n\|", nonnegative=True)
by = step_writer("fedproxvr", __name__)

x, y, z = vectors("x y z")
m = vector("m", r"\mathbb E x")
one = vector("one", "1")
size = number("size", r"\|m\|")
mean_size = number("mean_size", r"\mathbb E_n\|x_n\|")


with printed():
    SCHWARZ = by.quad("schwarz", "(79), Cauchy-Schwarz")(
        ip(x, y) <= norm(x) * norm(y),
        note="True of any two vectors.",
    )
    MEAN_BELOW_RMS = by.mean("mean_below_rms", "(55), (83), Jensen's inequality")(
        ip(x, one) <= norm(x),
        assume("meaning: the random variable 1; <x, 1> is the mean of x", n2(one) <= 1),
        note="A mean is at most the root of the mean square.",
    )
    JENSEN = by.mean("jensen", "(73), Jensen's inequality")(
        n2(m - z) <= n2(x - z),
        assume("meaning: m is the mean of x, and z is fixed", Eq(ip(x - m, m), 0), Eq(ip(x - m, z), 0)),
        note="The squared distance of a mean is at most the mean squared distance.",
    )
    #: |E_n x_n| is at most E_n |x_n|, in three steps: <x_n, m> is at most |x_n| |m| for the mean m
    NORM_PRODUCT = by.sum("jensen.norm.product", "above (76), Jensen's inequality")(
        size * size <= size * average(X(n)),
        CLIENTS,
        SCHWARZ.at({ip(x, y): Y(n), norm(x): X(n), norm(y): size}, over=CLIENT),
        assume("meaning: m is the mean of x_n, and Y(n) is <x_n, m>", Eq(size * size, average(Y(n)))),
    )
    NORM_SIGN = by.sum("jensen.norm.sign", "above (76), Jensen's inequality")(0 <= average(X(n)), CLIENTS)
    NORM_JENSEN = by.real("jensen.norm", "above (76), Jensen's inequality")(
        size <= mean_size,
        assume("meaning: the norm of a mean", size >= 0),
        NORM_PRODUCT.at({average(X(n)): mean_size}),
        NORM_SIGN.at({average(X(n)): mean_size}),
        note="The norm of a mean is at most the mean norm.",
    )
