"""Theorem 4 with conditions on alpha and c that suffice."""

from __future__ import annotations

from fedproof.bounds.prelude import *
from fedproof.papers.flecs import assumptions as A
from fedproof.papers.flecs.notation import *
from fedproof.papers.flecs.statements import formulas as f
from fedproof.papers.flecs.statements.printed import KEY, OPERATOR, ROUNDS, SHIFT_STEP

with printed():
    STEPSIZE = Condition("alpha", f.STEPSIZE4, "in place of the printed bound on alpha")
    LYAPUNOV = Condition("c", f.LYAPUNOV4, "in place of the printed minimum")
    CONTRACTS = Condition("alpha mu mu1 <= 2", alpha * mu * mu1 <= 2, "the factor is not negative")

THEOREM4 = Statement(
    f"{KEY}.theorem4.repaired",
    "Theorem 4 with conditions that suffice",
    Source(KEY, "Theorem 4, eq. (4) and (21)"),
    letters(L, mu, mu1, mu2, omega, n, sigma2, alpha, gamma, c, Psi0, K),
    Bound("lyapunov", f.THEOREM4),
    conditions=(ROUNDS, SHIFT_STEP, OPERATOR, STEPSIZE, LYAPUNOV, CONTRACTS),
    assumptions=tuple(
        a.id
        for a in (
            A.MEAN, A.SMOOTH, A.STRONG, A.SOLUTION, A.SAMPLES, A.COMPRESSOR, A.LISTING, A.OPERATOR, A.START,
        )
    ),
    amends=f"{KEY}.theorem4",
    proof=(f"{KEY}.theorem4.end",),
    note="Psi_K after K rounds; in print Psi_k has the exponent k + 1.",
)  # fmt: skip
