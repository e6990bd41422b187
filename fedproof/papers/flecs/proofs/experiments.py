"""Sec. 5: what alpha = 1 and the truncation constants ask of the losses, by the theorems' own conditions."""

from fedproof.papers.flecs.notation import *
from fedproof.papers.flecs.statements import formulas as f
from fedproof.proof.prelude import *

by = step_writer("flecs", __name__, "Sec. 5, FLECS-CGD vs FLECS")

with printed():
    STATED = assume(
        "instance: alpha = 1, omega = 1e-5 and Omega = 1e8 of the truncation",
        Eq(alpha, 1), Eq(mu1, rational(1, 10**8)), Eq(mu2, 10**5),
    )  # fmt: skip
    LOSSES = (L > 0, mu > 0, mu <= L, mu1 > 0, mu2 > 0, omega >= 0, n >= 1, alpha > 0, gamma > 0, c > 0)
    MORE = by.real("settings.more")(
        L**2 * mu2**2 * alpha <= L**2 * mu2**2 * alpha * (1 + omega / n), L > 0, alpha > 0, omega >= 0, n >= 1
    )
    CLEARED = by.real("settings.cleared")(
        L**2 * mu2**2 * alpha * (1 + omega / n) <= rational(5, 2) * mu * mu1, LOSSES, f.PRINTED_STEP
    )
    HELD = by.real("settings.held")(
        L**2 * mu2**2 * alpha <= rational(5, 2) * L * mu1,
        LOSSES, f.PRINTED_STEP, MORE.at(), CLEARED.at(), mu <= L,
    )  # fmt: skip
    HELD_REPAIRED = by.real("settings.held.repaired")(
        L**2 * mu2**2 * alpha <= rational(3, 2) * L * mu1,
        LOSSES, f.STEPSIZE4, mu <= L,
    )  # fmt: skip
    HELD_NONCONVEX = by.real("settings.held.nonconvex")(
        L * alpha * mu2**2 < 2 * mu1, L > 0, alpha > 0, gamma > 0, c > 0, f.FALLS5 > 0
    )
    AT = (L > 0, STATED)
    PRINTED = by.real("settings.stepsize")(
        L <= rational(5, 2) / 10**18, AT, L**2 * mu2**2 * alpha <= rational(5, 2) * L * mu1
    )
    REPAIRED = by.real("settings.stepsize.repaired")(
        L <= rational(3, 2) / 10**18, AT, L**2 * mu2**2 * alpha <= rational(3, 2) * L * mu1
    )
    NONCONVEX = by.real("settings.stepsize.nonconvex")(
        L <= rational(2, 1) / 10**18, AT, L * alpha * mu2**2 < 2 * mu1
    )
