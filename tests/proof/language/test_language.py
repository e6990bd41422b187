"""Each word of the language in a small step, and beside it what it does not mean."""

from __future__ import annotations

import pytest
import sympy as sp

from fedproof.algebra.expressions import printed
from fedproof.proof.decide import decide
from fedproof.proof.language.lemmas import LEMMAS
from fedproof.proof.language.prelude import (
    Compressor,
    Field,
    ForEvery,
    Function,
    Source,
    convex,
    jensen,
    minimises,
    mixture,
    smooth,
    square_of_sum,
    strongly_convex,
)
from fedproof.proof.notation import Eq, number
from fedproof.proof.sequences import total
from fedproof.proof.step import ForAll, Given, Step, times
from fedproof.proof.vectors import ip, n2, vectors
from fedproof.vocabulary.errors import InputError
from tests.proof.language.deciding import confirmed

u, v, w, m, one, other = vectors("u v w m one other")
L, mu, p, r, var, omega = sp.symbols("L mu p r var omega", real=True)
i, j, n, M = sp.symbols("i j n M", integer=True)
f, grad, e, g = Function("f"), Field("grad", r"\nabla f"), Field("e"), Field("g")
q, coin = Source("q"), Source("coin")
Q = Compressor("Q", q, omega)
noise = Source("s", (i, 1, n))

with printed():
    SMOOTH, CONVEX, STRONG = smooth(f, grad, L), convex(f, grad), strongly_convex(f, grad, mu)
    z = u - (grad(u) - grad(v)) / L
    SPREAD = ForAll(Eq(n2(e(i)), var), i, sp.Integer(1), n)
    BEFORE = ForAll(Eq(ip(total(e(j), j, 1, i - 1), e(i)), -(i - 1) * var / (M - 1)), i, sp.Integer(1), n)
    alike = ForAll(Eq(ip(total(e(j), j, 1, i - 1), e(i)), 0), i, sp.Integer(1), n)
    OF_COIN = (coin.free(one).known, coin.free(other).known)
    COIN = (coin.free(w).known, mixture(v, p, one, other, coin).at(w), *OF_COIN, p >= 0, p <= 1)
    FREE = (q.free(u).known, Q.spread.at(u), Q.mean.at(u), q.symmetric.at(Q(u), u))
    TRUE = {
        "convex gradients are monotone": Step(
            ip(grad(u) - grad(v), u - v) >= 0, (CONVEX.at(u, v), CONVEX.at(v, u))
        ),
        "smooth and convex is cocoercive": Step(
            f(v) + ip(grad(v), u - v) + n2(grad(u) - grad(v)) / (2 * L) <= f(u),
            (L > 0, SMOOTH.at(u, z), CONVEX.at(v, z)),
        ),
        "growth about a minimiser": Step(
            f(u) - f(m) >= mu / 2 * n2(u - m), (Eq(grad(m), 0), STRONG.at(m, u))
        ),
        "a minimiser is below every point": Step(
            f(m) <= f(u) / 2 + f(v) / 2, (minimises(m, f).at(u), minimises(m, f).at(v))
        ),
        "the square of a mean": Step(
            n2(m) <= total(n2(e(i)), i, 1, n) / n,
            (n >= 1, Given(Eq(m, total(e(i), i, 1, n) / n)), jensen(e(i), i, n, weight=1 / n**2)),
        ),
        "drawn with replacement": Step(
            Eq(n2(total(e(i), i, 1, n) / n), var / n), (n >= 1, SPREAD, alike, square_of_sum(e(i), i, n))
        ),
        "drawn without replacement": Step(
            Eq(n2(total(e(i), i, 1, n) / n), var * (M - n) / (n * (M - 1))),
            (
                n >= 1, M >= 2, times(1 / n**2, SPREAD), times(2 / n**2, BEFORE),
                square_of_sum(e(i), i, n, weight=1 / n**2),
            ),
        ),
        "with probability p one step, else none": Step(
            n2(v - w) <= (1 - p * (1 - r)) * n2(other - w), (*COIN, n2(one - w) <= r * n2(other - w))
        ),
        "the second moment of a compressed vector": Step(n2(Q(u)) <= (1 + omega) * n2(u), FREE),
        "noise of independent samples": Step(
            Eq(ip(g(i) - m, w), 0),
            (
                i >= 1, i <= n, noise.unbiased(g(i), m, (i, 1, n)).at(i), noise.free(w, (i, 1, n)).at(i),
                noise.symmetric.at(i, g(i), w),
            ),
        ),
        "a term of a geometric recursion": Step(r * r**n <= 1, (n >= 0, r >= 0, r <= 1, r**n <= 1)),
    }  # fmt: skip
    FALSE = {
        "three gradients are one": Step(
            ip(3 * grad(u) - grad(v), u - v) >= 0, (CONVEX.at(u, v), CONVEX.at(v, u))
        ),
        "the points of another instance": Step(
            ip(grad(u) - grad(v), u - v) >= 0, (CONVEX.at(u, v), CONVEX.at(v, w))
        ),
        "a minimiser of one function for another": Step(
            Function("h")(m) <= Function("h")(u), (minimises(m, f).at(u),)
        ),
        "drawn without replacement as if with": Step(
            Eq(n2(total(e(i), i, 1, n) / n), var / n),
            (n >= 1, M >= 2, SPREAD, BEFORE, square_of_sum(e(i), i, n)),
        ),
        "a mixture about what depends on the coin": Step(
            n2(v - w) <= (1 - p * (1 - r)) * n2(other - w),
            (p >= 0, p <= 1, times(1, COIN[1]), times(p, n2(one - w) <= r * n2(other - w))),
        ),
        "a mixture of what depends on the coin": Step(
            n2(v - w) <= (1 - p * (1 - r)) * n2(other - w),
            (*COIN[:2], p >= 0, p <= 1, n2(one - w) <= r * n2(other - w)),
        ),
        "a compressor of what depends on it": Step(n2(Q(u)) <= (1 + omega) * n2(u), FREE[1:]),
        "hypotheses that contradict each other": Step(
            n2(u) <= -1, (L > 0, L < 0, CONVEX.at(u, v)),
        ),
    }  # fmt: skip


@pytest.mark.parametrize("name", TRUE)
def test_true_steps_are_proved_and_confirmed(name: str) -> None:
    """Each has a certificate that the standalone script confirms."""
    assert decide(TRUE[name]).detail.startswith("a certificate")
    assert confirmed(TRUE[name])[1] == []


@pytest.mark.parametrize("name", FALSE)
def test_false_steps_are_not_proved(name: str) -> None:
    """What a word does not mean is not proved."""
    assert decide(FALSE[name]).verdict == "open"


def test_a_step_whose_names_say_how_they_are_printed_is_confirmed() -> None:
    """The script takes a name as text alone."""
    xi = number("xi_printed", r"\xi")
    step = Step(xi**2 + 1 >= 2 * xi, (), "printed")

    assert decide(step).verdict == "proved"
    assert confirmed(step) == (["printed"], [])


def test_lemmas_are_confirmed() -> None:
    """What is true of all sums, recursions and limits, down to nothing."""
    good, bad = confirmed(*LEMMAS)
    assert bad == []
    assert len(good) == len(LEMMAS)


def test_formulas_are_printed_as_pages_have_them() -> None:
    """Functions with brackets, families with indices, means with their source."""
    tex = TRUE["smooth and convex is cocoercive"].printer.tex
    assert tex(ip(grad(u), v) <= f(u)) == r"\langle \nabla f(u), v\rangle \le f(u)"
    assert tex(n2(noise(i, e(i))) <= 1) == r"\|\mathbb E_{s_{i}}[e_{i}]\|^{2} \le 1"


def test_values_must_fit() -> None:
    """A number is no point of a function, and one name has one kind."""
    with pytest.raises(InputError):
        CONVEX.at(L, u)
    with pytest.raises(InputError):
        CONVEX.at(u)
    with pytest.raises(InputError):
        decide(Step(f(u) <= f(i), (i >= 1,)))


def test_a_step_is_shown_with_its_assumptions() -> None:
    """The row of an audit says what every instance is one of."""
    shown = decide(TRUE["smooth and convex is cocoercive"]).to_dict()
    assert [h["why"] for h in shown["hypotheses"]] == ["", "smooth", "convex"]
    assert shown["verdict"] == "proved"
    assert shown["example"] is not None


def test_for_every_index_twice() -> None:
    """Ranges whose ends speak of the index before."""
    with printed():
        pairs = ForEvery(ip(e(j), e(i)) <= 0, (), "", ((i, 1, n), (j, 1, i - 1)))
        step = Step(2 * ip(e(1), e(2)) <= 0, (n >= 2, pairs.at(2, 1)))
        false = Step(2 * ip(e(1), e(2)) <= 0, (n >= 1, pairs.at(2, 1)))
    assert decide(step).verdict == "proved"
    assert decide(false).verdict == "open"
