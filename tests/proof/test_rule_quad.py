"""Quadratic forms in vectors: textbook steps are proved, falsehoods near them are refuted."""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy import Rational, sqrt

from fedproof.algebra.expressions import printed
from fedproof.proof.decide import decide
from fedproof.proof.step import Given, Let, Step, times
from fedproof.proof.vectors import ip, n2, norm, vectors
from tests.proof.logic import Eq, numbers, refuted

x, y, z, m, c, g, h, u, v, w, e, f, best, plus = vectors("x y z m c g h u v w e f best plus")
a, b, L, mu, eta, t, r, s, F0, F1, Fz, Fs, one, two = numbers("a b L mu eta t r s F0 F1 Fz Fs one two")

#: m is the mean of x, and c is fixed
MEAN = (Eq(ip(x - m, m), 0), Eq(ip(x - m, c), 0))

with printed():
    SMOOTH_CONVEX = (
        L > 0,
        Eq(z, y - 1 / L * (h - g)),
        Given(Fz >= F0 + ip(g, z - x), "convex at x"),
        Given(Fz <= F1 + ip(h, z - y) + L / 2 * n2(z - y), "smooth at y"),
    )
    OVER_ETA = times(1 / eta, Eq(eta * (n2(x) - n2(y)), 0))
    TRUE: dict[str, Any] = {
        "sum of three": (n2(x + y + z) <= 3 * (n2(x) + n2(y) + n2(z)), ()),
        "parallelogram": (Eq(n2(x + y) + n2(x - y), 2 * n2(x) + 2 * n2(y)), ()),
        "polarisation": (Eq(ip(x, y), (n2(x + y) - n2(x - y)) / 4), ()),
        "cosine": (Eq(2 * ip(x - y, x - z), n2(x - y) + n2(x - z) - n2(y - z)), ()),
        "convex combination": (
            Eq(n2(t * x + (1 - t) * y), t * n2(x) + (1 - t) * n2(y) - t * (1 - t) * n2(x - y)),
            (),
        ),
        "a mean does best": (n2(x - m) <= n2(x - c), MEAN),
        "independent noises": (Eq(n2((u + v) / 2), (n2(u) + n2(v)) / 4), (Eq(ip(u, v), 0),)),
        "recursive variance": (
            n2(e + f - g) <= n2(e) + n2(g),
            (Eq(ip(g - f, e), 0), Eq(ip(g - f, f), 0)),
        ),
        "smooth convex interpolation": (
            F1 >= F0 + ip(g, y - x) + 1 / (2 * L) * n2(h - g),
            SMOOTH_CONVEX,
        ),
        "cocoercivity": (
            ip(g - h, x - y) >= 1 / L * n2(g - h),
            (
                L > 0,
                times(1, F1 >= F0 + ip(g, y - x) + 1 / (2 * L) * n2(h - g)),
                times(1, F0 >= F1 + ip(h, x - y) + 1 / (2 * L) * n2(g - h)),
            ),
        ),
        "strong convexity gives PL": (
            2 * mu * (F0 - Fs) <= n2(g),
            (mu > 0, Fs >= F0 + ip(g, best - x) + mu / 2 * n2(best - x)),
        ),
        "strong monotonicity": (
            mu * norm(x - y) <= norm(g - h),
            (mu > 0, ip(g - h, x - y) >= mu * n2(x - y)),
        ),
        "descent of a gradient step": (
            F1 <= F0 - 1 / (2 * L) * n2(g),
            (L > 0, Eq(plus, x - 1 / L * g), F1 <= F0 + ip(g, plus - x) + L / 2 * n2(plus - x)),
        ),
        "gradient steps contract": (
            n2(x - eta * g - (y - eta * h)) <= (1 - eta * mu) * n2(x - y),
            (
                mu > 0, eta > 0, eta * L <= 1, L > 0,
                ip(g - h, x - y) >= mu * n2(x - y) / 2 + 1 / (2 * L) * n2(g - h),
            ),
        ),
        "prox is firmly nonexpansive": (
            n2(u - v) <= ip(u - v, x - y),
            (ip((x - u) - (y - v), u - v) >= 0,),
        ),
        "prox is nonexpansive": (norm(u - v) <= norm(x - y), (n2(u - v) <= ip(u - v, x - y),)),
        "a norm bound squared": (n2(x) <= r**2 * n2(y), (r >= 0, norm(x) <= r * norm(y))),
        "a norm bound from squares": (norm(x) <= r * norm(y), (r >= 0, n2(x) <= r**2 * n2(y))),
        "a product of norms": (norm(x) * norm(y) <= (n2(x) + n2(y)) / 2, ()),
        "the zero vector": (n2(x) <= 0, (Eq(x, 0),)),
        "an equation solved for its other side": (Eq(n2(x), 4 * n2(y)), (Eq(2 * y, x),)),
        "an equation with a factor": (4 * n2(x) <= n2(y), (Eq(2 * x, y),)),
        "vectors equal": (Eq(plus, (1 - t) * x + t * y), (Eq(plus, x - t * (x - y)),)),
        "a named number": (b**2 * n2(x) <= n2(x), (Eq(b, 1 / (1 + a**2)),)),
        "strict": (n2(x) > 0, (n2(x - y) < n2(y),)),
        "a multiplier with a value": (Eq(n2(x), n2(y)), (OVER_ETA, sp.Ne(eta, 0))),
        "facts on named norms": Step(
            n2(x + y) <= (a + b) ** 2,
            lets=(Let(a, norm(x), (a >= 0, n2(x) <= a**2)), Let(b, norm(y), (b >= 0, n2(y) <= b**2))),
            rule="quad",
        ),
    }  # fmt: skip
    FALSE: dict[str, tuple[Any, tuple[Any, ...]]] = {
        "Young for two, 1.99": (n2(x + y) <= Rational(199, 100) * (n2(x) + n2(y)), ()),
        "sum of three by two": (n2(x + y + z) <= 2 * (n2(x) + n2(y) + n2(z)), ()),
        "parallelogram, a factor lost": (Eq(n2(x + y) + n2(x - y), n2(x) + 2 * n2(y)), ()),
        "polarisation, 2 for 4": (Eq(ip(x, y), (n2(x + y) - n2(x - y)) / 2), ()),
        "cosine, a sign": (Eq(2 * ip(x - y, x - z), n2(x - y) + n2(x - z) + n2(y - z)), ()),
        "unbiased step that also depends on the draw": (
            n2(w - eta * g - best) <= n2(w - best) - 2 * eta * ip(m, w - best) + eta**2 * n2(g),
            (Eq(ip(g - m, best), 0), eta > 0),
        ),
        "recursive variance, one orthogonality missing": (
            n2(e + f - g) <= n2(e) + n2(g),
            (Eq(ip(g - f, f), 0),),
        ),
        "interpolation, 1/L for 1/(2L)": (F1 >= F0 + ip(g, y - x) + 1 / L * n2(h - g), SMOOTH_CONVEX),
        "PL, a factor lost": (
            4 * mu * (F0 - Fs) <= n2(g),
            (mu > 0, Fs >= F0 + ip(g, best - x) + mu / 2 * n2(best - x)),
        ),
        "PL from weak convexity": (
            2 * mu * (F0 - Fs) <= n2(g),
            (mu > 0, Fs >= F0 + ip(g, best - x) - mu / 2 * n2(best - x)),
        ),
        "PL without a sign": (
            2 * mu * (F0 - Fs) <= n2(g),
            (mu < 1, Fs >= F0 + ip(g, best - x) + mu / 2 * n2(best - x)),
        ),
        "descent of a double step": (
            F1 <= F0 - 1 / (2 * L) * n2(g),
            (L > 0, Eq(plus, x - 2 / L * g), F1 <= F0 + ip(g, plus - x) + L / 2 * n2(plus - x)),
        ),
        "prox that expands": (2 * n2(u - v) <= ip(u - v, x - y), (ip((x - u) - (y - v), u - v) >= 0,)),
        "a norm bound with a sign lost": (norm(x) <= r * norm(y), (n2(x) <= r**2 * n2(y),)),
        "a multiplier of unknown sign": (b * n2(x) <= b * n2(y), (n2(x) <= n2(y),)),
        "dividing by what may vanish": (Eq(n2(x), n2(y)), (Eq(eta * (n2(x) - n2(y)), 0),)),
        "dividing a vector equation": (Eq(x, y), (Eq(z, eta * x), Eq(eta, 0), Eq(y, 2 * x))),
        "strict where equality happens": (n2(x - y) > 0, ()),
        "positive in the plane only by chance": (ip(x, y) >= 0, (ip(x, z) >= 0, ip(z, y) >= 0)),
        "equal norms, equal vectors": (Eq(n2(x - y), 0), (Eq(n2(x), n2(y)),)),
        "orthogonal to a sum": (Eq(ip(x, y), 0), (Eq(ip(x, y + z), 0),)),
        "names that look like Gram entries": (n2(x) <= sp.Symbol("g_x_x", real=True), ()),
        "names with underscores": (Eq(ip(*vectors("a_b c")), ip(*vectors("a b_c"))), ()),
        "a vector called dif0": (Eq(n2(x - y), n2(vectors("dif0"))), ()),
    }
    #: undefined for some values that the hypotheses allow
    UNDEFINED: dict[str, tuple[Any, tuple[Any, ...]]] = {
        "a quotient cancelled": (eta / eta * n2(x) >= 0, ()),
        "a quotient inside a norm": (n2(eta / eta * x) <= n2(x), ()),
        "a unit vector": (n2(x) / n2(x) <= 1, ()),
        "a root of a difference": (sqrt(n2(x) - n2(y)) ** 2 <= n2(x), ()),
        "a weight that may be 0": (n2(x + y) <= (1 + a) * n2(x) + (1 + 1 / a) * n2(y), (a >= 0,)),
        "a vector equation with a pole": (Eq(eta / eta * x, x), ()),
    }
    UNMET = {
        "a multiplier without a value": (Eq(n2(x), n2(y)), (OVER_ETA,)),
        "a false fact on a named norm": Step(n2(x) >= 1, lets=(Let(a, norm(x), (a >= 1,)),), rule="quad"),
    }
    VACUOUS = {
        name: (n2(x) <= a - 1000, given)
        for name, given in {
            "a negative norm": (n2(x) <= -1,),
            "a projection that grows": (Eq(ip(x, x - y), 0), n2(x) > n2(y)),
            "a norm below and above": (n2(x) < 1, n2(x) > 1),
            "numbers": (a > 1, a < 0),
            "a root below 0": (norm(x) + 1 <= 0,),
        }.items()
    }
    OPEN: dict[str, tuple[tuple[Any, tuple[Any, ...]], str]] = {
        "a multiplier of unknown sign": (
            (b * n2(x) <= b * n2(y), (times(b, n2(x) <= n2(y)),)), "the engines say"
        ),
        "a norm as a multiplier": ((n2(x) <= n2(y), (times(n2(x), n2(x) >= 0),)), "plain"),
        "a product as a multiplier": ((n2(x) <= n2(y), (times(ip(x, y), Eq(n2(x), 0)),)), "plain"),
        "a product before a vector": ((n2(ip(x, y) * z) >= 0, ()), "plain numbers"),
        "a square of a vector": ((x**2 >= 0, ()), "where a number belongs"),
        "an order of vectors": ((x >= y, ()), "where a number belongs"),
        "a vector and a number": ((n2(x + 1) >= 0, ()), "linear combination"),
        "a product of vectors": ((n2(x * y) >= 0, ()), "linear combination"),
        "a sum": ((sp.Sum(n2(x), (a, 1, b)) >= 0, (b >= 1,)), "sequences"),
        "equations in a circle": (
            (n2(x) >= 0, (Eq(x, y), Eq(y, a * x), Eq(z, b * z))), "one vector by others"
        ),
    }  # fmt: skip


def test_a_claim_without_a_value_is_not_refuted_for_that() -> None:
    """Where eta = 0 is given, eta/eta has no value and |eta/eta x|^2 <= |x|^2/2 is neither true nor false."""
    with printed():
        claim = n2(eta / eta * x) <= n2(x) / 2
    assert decide(Step(claim, (Eq(eta, 0),), rule="quad"), briefly=True).verdict == "open"
    assert refuted(Step(claim, (eta > 0,), rule="quad"))
