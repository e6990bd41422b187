"""The same with constants: as their proofs give them for any step size, and at the printed one."""

from __future__ import annotations

from dataclasses import replace

from fedproof.bounds.prelude import *
from fedproof.papers.fedprox.notation import *
from fedproof.papers.fedprox.statements import formulas as f
from fedproof.papers.fedprox.statements.printed import (
    DRIFT,
    ENVELOPE,
    KEY,
    ROUNDS,
    SPREAD,
    STEPSIZE1,
    STEPSIZE2,
    THEOREM1,
    THEOREM2,
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
