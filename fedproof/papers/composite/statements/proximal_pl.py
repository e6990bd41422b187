"""Which losses satisfy the proximal PL inequality, and where; what it says of the distance to solutions."""

from __future__ import annotations

from fedproof.bounds.prelude import *
from fedproof.papers.composite.assumptions import (
    BOUNDED_BELOW,
    BOX,
    CONVEX,
    LEAST_SQUARES,
    LOGISTIC,
    PROX_PL,
    STRONGLY_CONVEX,
    SUBGRADIENTS,
)
from fedproof.papers.composite.notation import *
from fedproof.papers.composite.statements import formulas as f
from fedproof.papers.composite.statements import sharpened
from fedproof.papers.composite.statements.printed import KEY

with printed():
    PENALISED = Condition("vartheta > 0", vartheta > 0, "a penalty")
    SUBGRADIENT = Condition("B_g > 0", B_g > 0, "Assumption 3.1")
    WITHIN = Condition("mu <= mu_sc", mu <= mu_sc, "added")
    DISTANCE = 2 / mu * f.SHARP36
    #: how far the inequality fails at some model, at least
    FAR, FAR_TOO = vartheta**2 / 2, B_g**2 / 2

LEAST_SQUARES_PL = Statement(
    f"{KEY}.section3.pl.least_squares",
    "l1-regularized least squares satisfies the proximal PL inequality",
    Source(KEY, "below Assumption 3.3, citing [11]"),
    letters(L, mu),
    Bound("prox_pl_defect", Integer(0)),
    assumptions=(LEAST_SQUARES.id,),
    note="Read with what it cites: [11] has L in D_g and looks at bounded sets, as the sublevel sets here "
    "are. With full rank neither is needed: composite.prox_pl.strongly_convex.",
    proof=(f"{KEY}.prox_pl.least_squares.end",),
)
LEAST_SQUARES_REPAIRED = Statement(
    f"{KEY}.section3.pl.least_squares.repaired",
    "On a box, l1-regularized least squares satisfies the proximal PL inequality with L in D_g",
    Source(KEY, "below Assumption 3.3; the repaired form is not in the paper"),
    letters(L, mu, vartheta),
    Bound("prox_pl_defect_smooth", Integer(0)),
    conditions=(PENALISED,),
    assumptions=(BOUNDED_BELOW.id, LEAST_SQUARES.id, BOX.id),
    amends=f"{KEY}.section3.pl.least_squares",
    note="mu = (1 - s) L t for any 0 <= s < 1 and 0 < t <= min(kappa/L, 1), kappa the least eigenvalue of "
    "(1 + s) A + 2 s G, where it is positive. `problems.proximal_pl` computes it.",
    proof=(f"{KEY}.prox_pl.box.end", f"{KEY}.prox_pl.box.entry"),
)
LOGISTIC_PL = Statement(
    f"{KEY}.section4.pl.logistic",
    "Sparse logistic regression satisfies the proximal PL inequality",
    Source(KEY, "Sec. 4, first paragraph, citing [11, Section 4.1]"),
    letters(mu),
    Bound("prox_pl_defect", Integer(0)),
    assumptions=(LOGISTIC.id,),
    note="Read with what it cites, which looks at bounded sets; the sublevel sets of F are bounded.",
    proof=(f"{KEY}.prox_pl.logistic.end",),
)

WEAKER = Statement(
    f"{KEY}.prox_pl.weaker",
    "Assumption 3.3(2) implies the proximal PL inequality of [11], with L in D_g",
    Source(KEY, "Assumption 3.3(2); not in the paper"),
    letters(L, mu),
    Bound("prox_pl_defect_smooth", Integer(0)),
    conditions=(sharpened.MU,),
    assumptions=(CONVEX.id, PROX_PL.id),
    note="D_g does not fall in its second argument (composite.prox_pl.rises).",
    proof=(f"{KEY}.prox_pl.weaker",),
)
STRONG = Statement(
    f"{KEY}.prox_pl.strongly_convex",
    "A strongly convex smooth part gives the proximal PL inequality, whatever the convex penalty",
    Source(KEY, "Remark 3.7 and Assumption 3.3(2); not in the paper"),
    letters(mu, mu_sc),
    Bound("prox_pl_defect", Integer(0)),
    conditions=(WITHIN,),
    assumptions=(CONVEX.id, STRONGLY_CONVEX.id),
    note="For least squares: a matrix of full column rank, mu its least squared singular value.",
    proof=(f"{KEY}.prox_pl.strongly_convex.end",),
)
_GLOBAL = "mu is of the set of models, as [11] has it; what is said here is why a bounded set is named."
GLOBAL_LEAST_SQUARES = Statement(
    f"{KEY}.prox_pl.global.least_squares",
    "For l1-regularized least squares with a singular matrix no mu serves all models",
    Source(KEY, "below Assumption 3.3; not in the paper"),
    letters(L, mu, vartheta),
    Bound("prox_pl_defect_smooth", FAR, ">="),
    conditions=(PENALISED,),
    assumptions=(LEAST_SQUARES.id,),
    note=f"{_GLOBAL} The matrix is (1 0), and x = (0, vartheta/mu): F grows along a ray, D_g does not.",
    proof=(f"{KEY}.prox_pl.global.least_squares",),
)
GLOBAL_LOGISTIC = Statement(
    f"{KEY}.prox_pl.global.logistic",
    "For sparse logistic regression no mu serves all models, whatever the data",
    Source(KEY, "Sec. 4, first paragraph; not in the paper"),
    letters(L, mu, vartheta, B_g),
    Bound("prox_pl_defect_smooth", FAR_TOO, ">="),
    conditions=(PENALISED, SUBGRADIENT),
    assumptions=(LOGISTIC.id, SUBGRADIENTS.id),
    note=f"{_GLOBAL} F grows at least as vartheta |x|_1 far out, where D_g is bounded.",
    proof=(f"{KEY}.prox_pl.global.logistic",),
)

DISTANCE36 = Statement(
    f"{KEY}.distance",
    "Under the proximal PL inequality the model approaches the set of solutions",
    Source(KEY, "below Theorem 3.6, which says that its theorems do not imply it; not in the paper"),
    sharpened.THEOREM36.letters,
    Bound("squared_distance", DISTANCE),
    where=sharpened.THEOREM36.where,
    conditions=sharpened.THEOREM36.conditions,
    assumptions=(*sharpened.THEOREM36.assumptions, PROX_PL.id),
    uses=(f"{KEY}.theorem3.6.sharpened",),
    note="The inequality gives F(x) - F* >= (mu/2) dist^2(x, X*), as PL does: [11, Theorem 2].",
    proof=(f"{KEY}.distance.end",),
)
