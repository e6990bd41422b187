"""One round of the Moreau envelope under sampled clients and minibatches, down to what the paper assumes.

X. Yuan and P. Li, "On convergence of FedProx", 2022: the core of its Theorems 2 and 4. In the space of the
random vectors of one round phi(j, u) is the mean of the j-th drawn loss at u; s is all that is drawn.
"""

from __future__ import annotations

import sympy as sp

from fedproof.algebra.expressions import printed
from fedproof.proof.language.assumptions import (
    between,
    envelope,
    envelope_value,
    lipschitz,
    prox,
    weakly_convex_chord,
)
from fedproof.proof.language.everywhere import ForEvery, always
from fedproof.proof.language.functions import Field, Function
from fedproof.proof.language.lemmas import jensen, limit, scaled
from fedproof.proof.language.randomness import Source
from fedproof.proof.notation import Eq
from fedproof.proof.sequences import total
from fedproof.proof.step import Given, Step, times
from fedproof.proof.vectors import n2, norm, vectors

u, v, z, w, x, wb = vectors("u v z w x wb")
a, t, G, nu, eta, rho, step = sp.symbols("a t G nu eta rho step", real=True)
j, n = sp.symbols("j n", integer=True)
f, phi, R, env = Function("f"), Function("phi", r"\phi"), Function("R"), Function("env", r"R_\rho")
local = Field("x_", "w")
s = Source("s")

with printed():
    # -- any weakly convex Lipschitz function f with z = prox_{step f}(w)
    CHORD, LIPSCHITZ = weakly_convex_chord(f, nu, "weakly convex"), lipschitz(f, G, "Lipschitz")
    NEAREST = prox(z, f, w, step, "z is the prox of w")
    weight = 1 / (1 + a**2)
    curved = (1 / step - nu) / 2
    lemma7_chord = Step(
        f(z) + n2(z - w) / (2 * step) + (1 - weight) * curved * n2(z - u) <= f(u) + n2(u - w) / (2 * step),
        (step > 0, times(1 + a**2, CHORD.at(u, z, a)), times(1 + a**2, NEAREST.at(between(u, z, a)))),
        "fedprox.lemma7.chord",
    )
    gap = f(z) + n2(z - w) / (2 * step) + curved * n2(z - u) - (f(u) + n2(u - w) / (2 * step))
    lemma7 = Step(
        f(z) + n2(z - w) / (2 * step) <= f(u) + n2(u - w) / (2 * step) - curved * n2(z - u),
        (step > 0, CHORD.known, NEAREST.known, limit(gap, curved * n2(z - u)), always(lemma7_chord, a)),
        "fedprox.lemma7",
    )
    D = norm(z - w)
    lemma8_chord = Step(
        n2(z - w) / step - G * D <= weight * (nu / 2 * n2(z - w)),
        (
            step > 0,
            CHORD.known,
            NEAREST.known,
            lemma7.at({u: between(w, z, a)}, weight=1 + a**2),
            times(1 + a**2, LIPSCHITZ.at(between(w, z, a), z)),
            scaled(between(w, z, a) - z, weight, z - w, weight=G * (1 + a**2)),
        ),
        "fedprox.lemma8.chord",
    )
    lemma8_limit = Step(
        n2(z - w) / step <= G * D,
        (
            step > 0,
            CHORD.known,
            NEAREST.known,
            LIPSCHITZ.known,
            limit(n2(z - w) / step - G * D, nu / 2 * n2(z - w)),
            always(lemma8_chord, a),
        ),
        "fedprox.lemma8.limit",
    )
    lemma8 = Step(
        D <= G * step,
        (step > 0, G >= 0, CHORD.known, NEAREST.known, LIPSCHITZ.known, lemma8_limit.at()),
        "fedprox.lemma8",
    )

    # -- one round: phi(j, .) is drawn, x_(j) its prox from w, x the mean of these
    def phi_j(u):
        return phi(j, u)

    KAP, KAP_R = 1 / eta - nu, 1 / rho - nu
    K = 1 / eta + 1 / rho - 2 * nu
    drawn = (j, 1, n)
    CHORDS = weakly_convex_chord(phi_j, nu, "loss weakly convex", drawn)
    LIPSCHITZES = lipschitz(phi_j, G, "loss Lipschitz", drawn)
    LOCAL = prox(local(j), phi_j, w, eta, "local model", drawn)
    CHORD_R = weakly_convex_chord(R, nu, "risk weakly convex")
    LIPSCHITZ_R = lipschitz(R, G, "risk Lipschitz")
    NEAREST_R = prox(wb, R, w, rho, "wb is the prox of the risk")
    MEAN_OF_LOCAL = Given(Eq(x, total(local(j), j, 1, n) / n), "the server averages")
    UNBIASED = ForEvery(Eq(total(phi(j, s(u)), j, 1, n) / n, R(s(u))), (u,), "drawn without bias")
    KNOWN = (s.free(w, why="w is known").known, s.free(wb, why="wb is a function of w").known)
    VALUE = envelope_value(env, R, Field("best"), rho)
    LEAST = envelope(env, R, rho)
    families = (CHORDS.known, LIPSCHITZES.known, LOCAL.known)
    here = {f(u): phi(j, u), z: local(j), step: eta}
    inside = (1 <= j, j <= n)

    line6 = Step(
        norm(local(j) - w) <= G * eta,
        (eta > 0, G >= 0, *inside, *families, lemma8.at(here)),
        "fedprox.eq16",
    )
    line7 = Step(
        phi(j, w) + n2(local(j) - w) / (2 * eta)
        <= phi(j, wb) + n2(wb - w) / (2 * eta) - KAP / 2 * n2(local(j) - wb) + G**2 * eta,
        (
            eta > 0, G >= 0, *inside, *families,
            line6.at(weight=G),
            times(1, LIPSCHITZES.at(j, w, local(j))),
            lemma7.at({**here, u: wb}, weight=1),
        ),
        "fedprox.eq19",
    )  # fmt: skip
    both = (eta > 0, G >= 0, n >= 1, *families)
    line8 = Step(
        total(phi(j, w), j, 1, n) / n + n2(x - w) / (2 * eta)
        <= total(phi(j, wb), j, 1, n) / n + n2(wb - w) / (2 * eta) - KAP / 2 * n2(x - wb) + G**2 * eta,
        (
            *both, nu * eta <= 1, MEAN_OF_LOCAL,
            line7.at(over=drawn, weight=1 / n),
            jensen(local(j) - w, j, n, weight=1 / (2 * eta * n**2)),
            jensen(local(j) - wb, j, n, weight=KAP / 2 / n**2),
        ),
        "fedprox.eq13",
    )  # fmt: skip
    line9 = Step(
        R(w) + n2(x - w) / (2 * eta) <= R(wb) + n2(wb - w) / (2 * eta) - KAP / 2 * n2(x - wb) + G**2 * eta,
        (
            *both,
            nu * eta <= 1,
            MEAN_OF_LOCAL,
            *KNOWN,
            times(-1, UNBIASED.at(w)),
            times(1, UNBIASED.at(wb)),
            line8.at(weight=1),
        ),
        "fedprox.eq13.mean",
    )
    moved_each = Step(
        n2(local(j) - w) <= (G * eta) ** 2,
        (eta > 0, G >= 0, *inside, *families, line6.at()),
        "fedprox.eq16.squared",
    )
    moved_squared = Step(
        n2(x - w) <= (G * eta) ** 2,
        (
            *both, MEAN_OF_LOCAL,
            jensen(local(j) - w, j, n, weight=1 / n**2), moved_each.at(over=drawn, weight=1 / n),
        ),
        "fedprox.eq16.mean.squared",
    )  # fmt: skip
    moved = Step(norm(x - w) <= G * eta, (*both, MEAN_OF_LOCAL, moved_squared.at()), "fedprox.eq16.mean")
    line10 = Step(
        R(x) - R(w) <= G**2 * eta,
        (
            *both, MEAN_OF_LOCAL,
            times(1, LIPSCHITZ_R.at(x, w)),
            moved.at(weight=G),
        ),
        "fedprox.eq14.risk",
    )  # fmt: skip
    everything = (*both, nu * eta <= 1, MEAN_OF_LOCAL, *KNOWN, UNBIASED.known, LIPSCHITZ_R.known)
    line11 = Step(
        R(x) + n2(x - w) / (2 * eta)
        <= R(wb) + n2(wb - w) / (2 * eta) - KAP / 2 * n2(x - wb) + 2 * G**2 * eta,
        (*everything, line9.at(weight=1), line10.at(weight=1)),
        "fedprox.eq14",
    )
    line12 = Step(
        R(wb) + n2(wb - w) / (2 * rho) <= R(x) + n2(x - w) / (2 * rho) - KAP_R / 2 * n2(wb - x),
        (rho > 0, CHORD_R.known, NEAREST_R.known, lemma7.at({f(u): R(u), z: wb, step: rho, u: x}, weight=1)),
        "fedprox.eq15",
    )
    numbers = (rho > 0, eta <= rho)
    line13 = Step(
        K / 2 * n2(x - wb) <= (1 / eta - 1 / rho) / 2 * n2(wb - w) + 2 * G**2 * eta,
        (
            *everything, *numbers, CHORD_R.known, NEAREST_R.known,
            line11.at(weight=1), line12.at(weight=1),
        ),
        "fedprox.eq20",
    )  # fmt: skip
    positive = Step(K > 0, (eta > 0, *numbers, nu * rho < 1), "fedprox.K")
    claim = Step(
        env(x) <= env(w) - KAP_R / (rho * K) * n2(wb - w) + 2 * G**2 * eta / (rho * K),
        (
            *everything, *numbers, nu * rho < 1, CHORD_R.known, NEAREST_R.known, positive.at(),
            Given(Eq(Field("best")(w), wb), "wb is the prox of the risk"),
            times(-1, VALUE.at(w)), times(1, LEAST.at(x, wb)), line13.at(weight=1 / (rho * K)),
        ),
        "fedprox.envelope",
    )  # fmt: skip
