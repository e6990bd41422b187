"""The same with constants: as their proofs give them for any step size, and at the printed one."""

from __future__ import annotations

from dataclasses import replace

from fedproof.bounds.prelude import *
from fedproof.papers.fedprox.assumptions import DISSIMILARITY
from fedproof.papers.fedprox.notation import *
from fedproof.papers.fedprox.statements import formulas as f
from fedproof.papers.fedprox.statements.printed import (
    DRIFT,
    ENVELOPE,
    ETA3,
    FAILS,
    KEY,
    ORACLE3,
    ROUNDS,
    SPREAD,
    STEPSIZE1,
    STEPSIZE2,
    STEPSIZE3,
    THEOREM1,
    THEOREM2,
    THEOREM3,
    THEOREM4,
)

with printed():
    DRAWS3 = Def(letter(J), f.DRAWS3, "", report=True, facts=(J > 0,))
    PACE_DRAWS3 = Def(letter(pace_b), f.REPAIRED_PACE3)
    LIPSCHITZ3 = Condition("G > 0", G > 0, "J is a ratio")
    REPAIRED_ORACLE3 = (
        Condition("eps, first", f.REPAIRED_ORACLE3[0], "Theorem 3, first in min"),
        Condition("eps, third squared", f.REPAIRED_ORACLE3[1], "Theorem 3, third in min, with (bI)^2"),
    )

GENERAL1 = replace(
    THEOREM1,
    id=f"{KEY}.theorem1.general",
    title="Theorem 1 before the step size is chosen",
    source=Source(KEY, "proof of Theorem 1, the display above the two regimes of T"),
    letters=letters(L, G, Delta, T, I, eta, eps),
    claim=Bound("drawn_squared_gradient", f.GENERAL1),
    where=(),
    conditions=(ROUNDS, STEPSIZE1, DRIFT, SPREAD),
    proof=(f"{KEY}.theorem1.general",),
)
EXPLICIT1 = replace(
    THEOREM1,
    id=f"{KEY}.theorem1.explicit",
    title="Theorem 1 with constants",
    claim=Bound("drawn_squared_gradient", f.EXPLICIT1),
    amends=THEOREM1.id,
    proof=(f"{KEY}.theorem1.explicit",),
)
GENERAL2 = replace(
    THEOREM2,
    id=f"{KEY}.theorem2.general",
    title="Theorem 2 before the step size is chosen",
    source=Source(KEY, "proof of Theorem 2, the mean over the rounds, second line"),
    letters=letters(G, nu, rho, Delta_rho, T, I, eta),
    claim=Bound("drawn_squared_envelope_gradient", f.GENERAL2),
    where=(),
    conditions=(ROUNDS, STEPSIZE2, ENVELOPE),
    proof=(f"{KEY}.theorem2.general",),
)
EXPLICIT2 = replace(
    THEOREM2,
    id=f"{KEY}.theorem2.explicit",
    title="Theorem 2 with constants",
    source=Source(KEY, "proof of Theorem 2, the last line"),
    claim=Bound("drawn_squared_envelope_gradient", f.EXPLICIT2),
    amends=THEOREM2.id,
    proof=(f"{KEY}.theorem2.explicit",),
)
GENERAL3 = Statement(
    f"{KEY}.theorem3.general",
    "Theorem 3 before the step size is chosen",
    Source(KEY, "proof of Theorem 3, the display above the two regimes of T"),
    letters(L, G, Delta, T, I, b, eta, eps),
    Bound("drawn_squared_gradient", f.GENERAL3),
    conditions=(ROUNDS, STEPSIZE3, *ORACLE3),
    assumptions=THEOREM3.assumptions,
    counterexample=(f"{FAILS}.stays", f"{FAILS}.second", f"{FAILS}.least", f"{FAILS}.general"),
)
REPAIRED3 = Statement(
    f"{KEY}.theorem3.general.repaired",
    "Theorem 3 before the step size is chosen, repaired",
    Source(KEY, "proof of Theorem 3, the display above the two regimes of T"),
    letters(L, G, H2, Delta, T, I, b, eta, eps),
    Bound("drawn_squared_gradient", f.REPAIRED3),
    conditions=(ROUNDS, STEPSIZE3, *REPAIRED_ORACLE3),
    assumptions=(*THEOREM3.assumptions, DISSIMILARITY.id),
    amends=GENERAL3.id,
    proof=(f"{KEY}.theorem3.general.repaired",),
)
EXPLICIT3 = Statement(
    f"{KEY}.theorem3.repaired",
    "Theorem 3, repaired, with constants",
    Source(KEY, "Theorem 3"),
    letters(L, G, H2, Delta, T, I, b, eps),
    Bound("drawn_squared_gradient", f.EXPLICIT3),
    where=(DRAWS3, PACE_DRAWS3, ETA3),
    conditions=(LIPSCHITZ3, ROUNDS, *REPAIRED_ORACLE3),
    assumptions=REPAIRED3.assumptions,
    amends=THEOREM3.id,
    proof=(f"{KEY}.theorem3.explicit",),
    note="With J = G^2 I/(G^2/b + H^2) for bI. Where all devices have one risk, H = 0 and J = bI: the "
    "printed step size and rate.",
)
GENERAL4 = replace(
    GENERAL2,
    id=f"{KEY}.theorem4.general",
    title="Theorem 4 before the step size is chosen",
    source=Source(KEY, "proof of Theorem 4, the mean over the rounds, second line"),
)
EXPLICIT4 = replace(
    EXPLICIT2,
    id=f"{KEY}.theorem4.explicit",
    title="Theorem 4 with constants",
    source=Source(KEY, "proof of Theorem 4, the last line"),
    amends=THEOREM4.id,
)
