"""The end of the proof of Theorem 1: (87) over all rounds, in expectation; Corollary 1.

Summing (87) bounds the gradients at the starts of the rounds, s = 0..T-1; the last display speaks of their
ends, s = 1..T. It is true all the same, by `round_end`; and where only its outer bound is wanted, by
|grad F|^2 <= 2 L (F - F*).
"""

from fedproof.papers.fedproxvr.proofs.domain import IN_THEOREM1
from fedproof.papers.fedproxvr.proofs.round_end import AT_END, C
from fedproof.papers.fedproxvr.proofs.round_vectors import *
from fedproof.papers.fedproxvr.proofs.theorem1 import EQ87, MU_THETA
from fedproof.papers.fedproxvr.proofs.theorem1_descent import GLOBAL_DESCENT
from fedproof.papers.fedproxvr.statements import formulas as f

F = sequence("F(r)", r"\mathbb E\bar F(\bar w^{(r)})")
g = sequence("g(r)", r"\mathbb E\|\nabla\bar F(\bar w^{(r)})\|^2", nonnegative=True)
Fs = number("Fs", r"\bar F(\bar w^{*})")
r = number("r")
start2 = sequence("start2(i)", r"\|\nabla\bar F(\bar w^{(s-1)})\|^2_i", nonnegative=True)
end2 = sequence("end2(i)", r"\mathbb E\|\nabla\bar F(\bar w^{(s)})\|^2_i", nonnegative=True)
point = vector("point", "w")
lower = vector("lower", r"w-\tfrac1L\nabla\bar F(w)")
slope = vector("slope", r"\nabla\bar F(w)")
Fp = number("Fp", r"\bar F(w)")
Fl = number("Fl", r"\bar F(w-\tfrac1L\nabla\bar F(w))")

fall = sequence("fall(i)", r"(\mathbb E\bar F(\bar w^{(s)})-\bar F(\bar w^{(s-1)}))_i")
by = step_writer("fedproxvr", __name__)
ROUNDS = assume("meaning: T counts rounds", T >= 1)
PROGRESS = (Theta > 0, ROUNDS)
WHERE = "proof of Theorem 1, last display"
POSITIVE = (mu > 0, L > 0, mt > 0, theta > 0, sigma2 >= 0, Theta > 0)
LEAST_LOSS = "definition: F(w*) is the least loss"
FALLS = "meaning: (87) in expectation over the rounds before, for every round"


def gradient(name: str, descent: Step) -> Step:
    """|grad F|^2 <= 2 L (F - F*), from a smoothness bound for the global loss."""
    with printed():
        return by.quad(name, f"{WHERE}, another way")(
            n2(slope) <= 2 * L * (Fp - Fs),
            L > 0,
            assume("definition: a gradient step", Eq(lower, point - 1 / L * slope)),
            descent.at({F1: Fl, F0: Fp, bar: slope, server: lower, start: point}),
            assume(LEAST_LOSS, Fs <= Fl),
        )


with printed():
    HISTORY = by.sum("telescope.history", "below (87), expectation over the entire history")(
        expected(fall(i)) <= -Theta * expected(start2(i)),
        POSITIVE,
        DRAWS,
        EQ87.at({D: fall(i), B**2: start2(i)}, over=OUTCOME),
        note="The outcomes are those of all rounds before; the mean of a conditional mean is the mean.",
    )
    ENDS = total(g(r), r, 1, T)
    BOUND = (F(0) - F(T)) / (Theta * T)
    ROUND = ForAll(F(r) - F(r - 1) <= -Theta * g(r - 1), r, 1, T)
    RENDERED = by.sum("telescope.rendering", f"{WHERE}, left side as one of two renderings has it")(
        1 / T * total(F(r) * F(r), r, 1, T) <= BOUND,
        PROGRESS,
        assume(FALLS, ROUND),
        IN_THEOREM1,
        assume("definition: Theta, below (17)", Eq(Theta, f.FACTOR)),
        assume("instance: F_n = 1 for every client", ForAll(Eq(F(r), 1), r, 0, T)),
        flaw="rendering",
        witness=values(
            "L=1 lam=1 mu=16 mt=15 beta=50 theta=1/7 tau=1000 sigma2=1 T=1 Theta=103/7056 F_0=1 F_1=1 g_0=0"
        ),
        note="It has |F|^2 for |grad F|^2 of (17); the other rendering lacks the display.",
    )
    STARTS = by.sum("telescope.starts", f"{WHERE}, first <=, for s = 0..T-1")(
        1 / T * total(g(r), r, 0, T - 1) <= BOUND,
        PROGRESS,
        assume(FALLS, ROUND),
        note="What the sum of (87) gives.",
    )
    END_HISTORY = by.sum("telescope.history.end", "below (87), repaired")(
        expected(fall(i)) <= -Theta * expected(end2(i)),
        POSITIVE,
        DRAWS,
        AT_END.at({D: fall(i), C**2: end2(i)}, over=OUTCOME),
    )
    REPAIRED = by.sum("telescope.repaired", f"{WHERE}, first <=")(
        1 / T * ENDS <= BOUND,
        POSITIVE,
        ROUNDS,
        END_HISTORY.at({expected(fall(i)): F(r) - F(r - 1), expected(end2(i)): g(r)}, over=(r, 1, T)),
        lacks="(87) bounds the gradient at the start of a round: its sum runs over s = 0..T-1 "
        "(telescope.starts), that of the display over s = 1..T. A second bound on the descent, with the "
        "gradient at the round's end, gives it",
    )
    LEAST = by.sum("telescope.least", f"{WHERE}, second <=")(
        BOUND <= (F(0) - Fs) / (Theta * T),
        PROGRESS,
        assume(LEAST_LOSS, Fs <= F(T)),
    )
    THEOREM1 = by.sum("theorem1.end", "eq. (17)")(
        1 / T * ENDS <= Delta / (Theta * T),
        POSITIVE,
        ROUNDS,
        used(REPAIRED, LEAST),
        assume("definition: Delta, above Theorem 1", Eq(F(0) - Fs, Delta)),
    )
    ENOUGH = by.real("corollary1.rounds", "eq. (18)")(
        Delta / (Theta * T) <= eps,
        (Theta > 0, eps > 0, f.ROUNDS <= T),
        ROUNDS,
    )
    COROLLARY1 = by.sum("corollary1.end", "eq. (18)")(
        1 / T * ENDS <= eps,
        POSITIVE,
        eps > 0,
        f.ROUNDS <= T,
        ROUNDS,
        used(THEOREM1, ENOUGH),
    )
    GRADIENT = gradient("telescope.short.gradient", GLOBAL_DESCENT)
    SMALL = by.real("telescope.short.factor", f"{WHERE}, another way")(
        2 * L * Theta <= 1,
        POSITIVE,
        assume("definition: below (7)", mu >= mt),
        assume("definition: roots of numbers that are at least 1", u >= 1, v >= 1),
        assume("definition: Theta, below (17)", Eq(Theta, 1 / mu * kept)),
        assume("definition: mu Theta, below (17)", Eq(kept, MU_THETA)),
        note="Theta > 0 needs mu - lam > 2 L, and Theta <= 1/mu.",
    )
    SHORT = by.sum("telescope.short", f"{WHERE}, another way")(
        Theta * ENDS <= F(0) - Fs,
        POSITIVE,
        ROUNDS,
        assume("definition: below (7)", mu >= mt),
        assume(FALLS, ROUND),
        GRADIENT.at({n2(slope): g(T), Fp: F(T)}),
        assume(LEAST_LOSS, Fs <= F(T)),
        SMALL.at(),
        note="(17) from (87) as printed: the gradient at the last round's end is paid from what is left.",
    )
