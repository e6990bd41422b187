"""Which losses satisfy the proximal PL inequality, and what it says of the distance to the solutions."""

from __future__ import annotations

from sympy import Integer

from fedproof.bounds.claims import Bound
from fedproof.bounds.expressions import printed
from fedproof.bounds.papers.composite import formulas as f
from fedproof.bounds.papers.composite import sharpened
from fedproof.bounds.papers.composite.assumptions import CONVEX, LEAST_SQUARES, LOGISTIC, STRONGLY_CONVEX
from fedproof.bounds.papers.composite.statements import KEY
from fedproof.bounds.papers.composite.symbols import letters, mu, mu_sc
from fedproof.bounds.statement import Condition, Statement
from fedproof.vocabulary.source import Source

LEAST_SQUARES_PL = Statement(
    f"{KEY}.section3.pl.least_squares",
    "l1-regularized least squares satisfies the proximal PL inequality",
    Source(KEY, "below Assumption 3.3, citing [11]"),
    letters(mu),
    Bound("prox_pl_defect", Integer(0)),
    assumptions=(LEAST_SQUARES.id,),
    note="For one mu and every model. With a singular matrix F grows along a ray on which D_g is bounded. "
    "As printed, with mu in D_g, it then fails at models next to the minimiser too. [11] has L there, "
    "and by [11] it then holds on bounded sets.",
    counterexample=(
        f"{KEY}.prox_pl.least_squares.near",
        f"{KEY}.prox_pl.least_squares.ray",
        f"{KEY}.prox_pl.least_squares.all",
        f"{KEY}.prox_pl.least_squares",
    ),
)
LOGISTIC_PL = Statement(
    f"{KEY}.section4.pl.logistic",
    "Sparse logistic regression satisfies the proximal PL inequality",
    Source(KEY, "Sec. 4, first paragraph, citing [11, Section 4.1]"),
    letters(mu),
    Bound("prox_pl_defect", Integer(0)),
    assumptions=(LOGISTIC.id,),
    note="For one mu and every model. F grows at most linearly far out, where D_g is bounded.",
    counterexample=(
        f"{KEY}.prox_pl.bounded",
        f"{KEY}.prox_pl.logistic.log2",
        f"{KEY}.prox_pl.logistic.all",
        f"{KEY}.prox_pl.logistic",
    ),
)

with printed():
    WITHIN = Condition("mu <= mu_sc", mu <= mu_sc, "added")
    DISTANCE = 2 / mu * f.SHARP36

LEAST_SQUARES_REPAIRED = Statement(
    f"{KEY}.section3.pl.least_squares.repaired",
    "A strongly convex smooth part gives the proximal PL inequality, whatever the convex penalty",
    Source(KEY, "below Assumption 3.3; the repaired form is not in the paper"),
    letters(mu, mu_sc),
    Bound("prox_pl_defect", Integer(0)),
    conditions=(WITHIN,),
    assumptions=(CONVEX.id, STRONGLY_CONVEX.id),
    amends=f"{KEY}.section3.pl.least_squares",
    note="For least squares: a matrix of full column rank, mu its least squared singular value.",
    proof=(f"{KEY}.prox_pl.strongly_convex.end",),
)

DISTANCE36 = Statement(
    f"{KEY}.distance",
    "Under the proximal PL inequality the model approaches the set of solutions",
    Source(KEY, "below Theorem 3.6, which says that its theorems do not imply it; not in the paper"),
    sharpened.THEOREM36.letters,
    Bound("squared_distance", DISTANCE),
    where=sharpened.THEOREM36.where,
    conditions=sharpened.THEOREM36.conditions,
    assumptions=sharpened.THEOREM36.assumptions,
    uses=(f"{KEY}.theorem3.6.sharpened",),
    note="The inequality gives F(x) - F* >= (mu/2) dist^2(x, X*), as PL does: [11, Theorem 2].",
    proof=(f"{KEY}.distance.end",),
)
